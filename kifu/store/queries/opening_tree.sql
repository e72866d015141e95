-- opening_tree: Opening tree
-- The moves played in positions that two or more games reached, most frequent first. usi(move) names a move; move 0
-- counts the games that ended there.
-- $keys: list of position keys
-- $first: the lowest of them
-- $last: the highest of them
SELECT key, move, games, black_wins, white_wins, draws, black_rating_sum, white_rating_sum, rated_games,
       first_date, last_date, next_key, top_game, last_game
FROM openings
WHERE key BETWEEN $first AND $last AND list_contains($keys::BIGINT[], key)
ORDER BY key, games DESC, move;
