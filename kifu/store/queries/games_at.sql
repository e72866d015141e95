-- games_at: Games that reach a position
-- One row a game, with the ply of its last visit and the move played there, the best rated games first. How kifu games
-- finds games otherwise stands in the place of found; side is then the one that the pattern is seen from.
-- $key: the position
-- $order (rating): what comes first: the highest rating, date, plies, or the lowest id
-- $limit (none): so many games at most
-- $ranks (9): height of the board
WITH found AS (
    SELECT game_id, max(ply) AS ply, 'black' AS side FROM plies WHERE key = $key GROUP BY game_id
), places AS (
    SELECT game_id, ply, side, score, count(*) OVER () AS total,
           row_number() OVER (ORDER BY
               CASE $order WHEN 'date' THEN date - DATE '0001-01-01' WHEN 'plies' THEN plies WHEN 'id' THEN -game_id
                           ELSE coalesce(black_rating, 0)::BIGINT + coalesce(white_rating, 0) END DESC NULLS LAST,
               date DESC NULLS LAST, game_id) AS place
    FROM found JOIN selected USING (game_id)
    QUALIFY place <= coalesce($limit, place)
)
SELECT g.game_id, p.ply, p.side, usi(move_codes(g.moves)[p.ply + 1], ranks := $ranks) AS move, g.date, g.black, g.black_rating,
       g.white, g.white_rating, g.event, g.handicap, result_word(p.score) AS winner,
       coalesce(g."end", g.verified_end) AS "end", g.plies, s.path, g.source_offset, p.total, g.start_sfen, g.moves
FROM places p JOIN games g USING (game_id) LEFT JOIN sources s USING (source_id)
ORDER BY p.place;
