-- prefix_duplicates: Games that are the beginning of a longer one, looked for anew
-- group: care of the data
-- handicap: any
-- As contained, but from the moves themselves: games of one move or more, each with the longest game of the same start
-- position that begins with the same moves, the first loaded of equals.
WITH finals AS MATERIALIZED (
    SELECT key, ply, game_id FROM plies SEMI JOIN selected USING (game_id) WHERE move = 0 AND ply > 0
), met AS MATERIALIZED (  -- who passes a final position at the same ply: few do
    SELECT f.game_id, p.game_id AS longer_id FROM finals f JOIN plies p USING (key, ply) WHERE p.move <> 0
), starts AS MATERIALIZED (
    SELECT game_id, key FROM plies WHERE ply = 0
), pairs AS (
    SELECT met.* FROM met JOIN games s USING (game_id) JOIN games l ON l.game_id = met.longer_id
    JOIN starts b ON b.game_id = met.game_id JOIN starts c ON c.game_id = met.longer_id
    WHERE l.variant = s.variant AND b.key = c.key
      AND l.moves[1:octet_length(s.moves)] = s.moves
    QUALIFY row_number() OVER (PARTITION BY met.game_id ORDER BY l.plies DESC, l.game_id) = 1
)
SELECT s.game_id, s.plies, s.black, s.white, s.date, coalesce(s."end", s.verified_end) AS "end",
       l.game_id AS longer_id, l.plies AS longer_plies, l.black AS longer_black, l.white AS longer_white
FROM pairs p JOIN selected s USING (game_id) JOIN games l ON l.game_id = p.longer_id
ORDER BY s.game_id;
