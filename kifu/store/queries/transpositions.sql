-- transpositions: Other ways into the positions after a position
-- group: a position
-- handicap: any
-- For each move played: the games that played it here, all games that reach the position after it, those of them that
-- come by other ways, and Black's score over all that reach it and have a result, draws as half a point, with its
-- interval.
-- $key: the position
-- $ranks (9): height of the board
WITH visits AS (
    SELECT game_id, max(ply) AS ply, arg_max(move, ply) AS move FROM plies WHERE key = $key GROUP BY game_id
), made AS (
    SELECT v.move, count(*) AS played, any_value(after.key) AS next_key
    FROM visits v SEMI JOIN selected USING (game_id)
    JOIN plies after ON after.game_id = v.game_id AND after.ply = v.ply + 1
    WHERE v.move <> 0
    GROUP BY v.move
), reached AS (
    SELECT DISTINCT m.move, m.played, p.game_id FROM made m JOIN plies p ON p.key = m.next_key
)
SELECT usi(r.move, ranks := $ranks) AS move, any_value(played) AS played, count(*) - any_value(played) AS other_ways,
       count(*) AS games, count(*) FILTER (score = 1) AS black_wins, count(*) FILTER (score = 0) AS draws,
       count(*) FILTER (score = -1) AS white_wins, count(*) FILTER (score IS NULL) AS no_result,
       round(avg((score + 1) / 2), 4) AS black_score,
       round(wilson_low(sum((score + 1) / 2), count(score)), 4) AS score_low,
       round(wilson_high(sum((score + 1) / 2), count(score)), 4) AS score_high
FROM reached r JOIN selected USING (game_id)
GROUP BY r.move
ORDER BY played DESC, r.move;
