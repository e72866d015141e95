-- games_reaching: How many games reach positions
-- Each game counts once, however often and by whatever order of moves it gets there.
-- $keys: list of position keys
-- $first: the lowest of them
-- $last: the highest of them
-- $turned (none): list of as many keys, of the same positions with the colours exchanged
SELECT coalesce(list_extract($keys::BIGINT[], list_position($turned::BIGINT[], key)), key) AS key, count(DISTINCT game_id) AS games
FROM plies SEMI JOIN selected USING (game_id)
WHERE key BETWEEN $first AND $last
  AND (list_contains($keys::BIGINT[], key) OR list_contains($turned::BIGINT[], key))
GROUP BY 1;
