-- The table contained: the games whose start and moves are the beginning of a longer game. A shorter game ends in a position
-- that the longer one passes at the same ply, which the join on plies finds; the moves then decide.
-- Games of the same moves (loaded with --dedupe none, or of other players) share a hash and are looked up once.
INSERT INTO contained
WITH finals AS (
    SELECT any_value(p.key) AS key, any_value(p.ply) AS ply, any_value(g.moves) AS moves, g.game_hash, min(g.game_id) AS game_id
    FROM games g JOIN plies p ON p.game_id = g.game_id AND p.ply = g.plies
    WHERE g.plies > 0 AND p.move = 0
    GROUP BY g.game_hash
), passing AS (
    SELECT f.game_hash, f.moves, f.ply, f.game_id, p.game_id AS longer_id
    FROM plies p JOIN finals f USING (key, ply)
    WHERE p.move <> 0
), longest AS (
    SELECT f.game_hash, arg_max(g.game_id, g.plies::BIGINT << 31 | 2147483647 - g.game_id) AS longer_id
    FROM passing f
    JOIN games g ON g.game_id = f.longer_id
    JOIN games mine ON mine.game_id = f.game_id
    WHERE g.variant = mine.variant AND g.moves[1:octet_length(f.moves)] = f.moves
      AND (SELECT key FROM plies WHERE game_id = f.game_id AND ply = 0)
        = (SELECT key FROM plies WHERE game_id = f.longer_id AND ply = 0)
    GROUP BY f.game_hash
)
SELECT g.game_id, l.longer_id
FROM games g JOIN longest l USING (game_hash)
ORDER BY g.game_id;
