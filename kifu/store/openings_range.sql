-- Who reached the positions of a range of keys, into the temporary table visits: positions met more than once, each
-- game once per position, with its last visit.
-- $first, $last: the range
INSERT INTO visits
WITH repeated AS (
    SELECT key FROM plies WHERE key BETWEEN $first AND $last GROUP BY key HAVING count(*) > 1
)
SELECT key, game_id, max(ply), arg_max(move, ply)
FROM plies SEMI JOIN repeated USING (key)
WHERE key BETWEEN $first AND $last
GROUP BY key, game_id;
