-- prefix_duplicates: Games that are the beginning of a longer one, looked for anew
-- group: care of the data
-- handicap: any
-- As contained, but from the moves themselves: games of one move or more, each with the longest game of the same start
-- position that begins with the same moves, the first loaded of equals.
WITH pairs AS (
    SELECT s.game_id, l.game_id AS longer_id
    FROM selected s
    JOIN plies final ON final.game_id = s.game_id AND final.ply = s.plies
    JOIN plies shared ON shared.key = final.key AND shared.ply = final.ply AND shared.move <> 0
    JOIN games l ON l.game_id = shared.game_id
    WHERE s.plies > 0 AND l.variant = s.variant AND l.handicap = s.handicap
      AND l.start_sfen IS NOT DISTINCT FROM s.start_sfen AND starts_with(hex(l.moves), hex(s.moves))
    QUALIFY row_number() OVER (PARTITION BY s.game_id ORDER BY l.plies DESC, l.game_id) = 1
)
SELECT s.game_id, s.plies, s.black, s.white, s.date, coalesce(s."end", s.verified_end) AS "end",
       l.game_id AS longer_id, l.plies AS longer_plies, l.black AS longer_black, l.white AS longer_white
FROM pairs p JOIN selected s USING (game_id) JOIN games l ON l.game_id = p.longer_id
ORDER BY s.game_id;
