-- The table contained as Spark makes it: the same rows that kifu/store/contained.sql makes of a database.
-- positions: the rows of plies; chosen: the games.
WITH shortest AS (
    SELECT game_hash, min(game_id) AS game_id FROM chosen WHERE plies > 0 GROUP BY game_hash
), finals AS (
    SELECT p.key, p.ply, g.game_id, g.game_hash, g.moves, g.variant
    FROM shortest s JOIN chosen g USING (game_id) JOIN positions p ON p.game_id = g.game_id AND p.ply = g.plies
), starts AS (
    SELECT game_id, key FROM positions WHERE ply = 0
), longest AS (
    SELECT f.game_hash,
           max_by(g.game_id, shiftleft(cast(g.plies AS bigint), 31) | (2147483647 - g.game_id)) AS longer_id
    FROM finals f
    JOIN positions p ON p.key = f.key AND p.ply = f.ply AND p.move <> 0
    JOIN chosen g ON g.game_id = p.game_id
    JOIN starts mine ON mine.game_id = f.game_id
    JOIN starts theirs ON theirs.game_id = g.game_id
    WHERE g.variant = f.variant AND mine.key = theirs.key AND substring(g.moves, 1, length(f.moves)) = f.moves
    GROUP BY f.game_hash
)
SELECT g.game_id, l.longer_id
FROM chosen g JOIN longest l USING (game_hash)
