-- senkei: Openings
-- group: openings and castles
-- Games by the openings that either side played; a game counts for each of them, the more general ones included, and the
-- share is that of all games. The score is Black's, over the games with a result, draws as half a point, with its
-- interval. mean_ply is when it first stood. With --player only the openings that he or she played count.
WITH played AS (
    SELECT t.tag, game_id, min(t.ply) AS ply FROM game_tags t JOIN selected USING (game_id)
    WHERE t.kind = 'opening' AND CASE t.side WHEN 'black' THEN black_asked WHEN 'white' THEN white_asked ELSE true END
    GROUP BY t.tag, game_id
)
SELECT p.tag AS opening,
       count(*) AS games, count(*) FILTER (score = 1) AS black_wins, count(*) FILTER (score = 0) AS draws,
       count(*) FILTER (score = -1) AS white_wins, count(*) FILTER (score IS NULL) AS no_result,
       round(avg((score + 1) / 2), 4) AS black_score,
       round(wilson_low(sum((score + 1) / 2), count(score)), 4) AS score_low,
       round(wilson_high(sum((score + 1) / 2), count(score)), 4) AS score_high,
       round(count(*) / (SELECT count(*) FROM selected), 4) AS share, round(avg(plies), 1) AS mean_plies,
       round(avg(p.ply), 1) AS mean_ply
FROM played p JOIN selected USING (game_id)
GROUP BY p.tag
ORDER BY games DESC, opening;
