-- castle_matrix: Castle against castle
-- group: openings and castles
-- One row a pair, from the view of the first one; every pair stands here from both views, with --player only from
-- his or hers. The score is over the games
-- with a result, draws as half a point, with its interval; mean_ply is when a castle first stood.
-- $min_games (1; 1..): only pairs of at least so many games
WITH built AS (
    SELECT t.tag, t.side, t.ply, t.game_id, score * CASE t.side WHEN 'black' THEN 1 ELSE -1 END AS own,
           CASE t.side WHEN 'black' THEN black_asked ELSE white_asked END AS asked
    FROM game_tags t JOIN selected USING (game_id)
    WHERE t.kind = 'castle' AND t.side <> 'both'
)
SELECT a.tag AS castle, b.tag AS against, count(*) AS games, count(*) FILTER (a.own = 1) AS wins,
       count(*) FILTER (a.own = 0) AS draws, count(*) FILTER (a.own = -1) AS losses,
       count(*) FILTER (a.own IS NULL) AS no_result, round(avg((a.own + 1) / 2), 4) AS score,
       round(wilson_low(sum((a.own + 1) / 2), count(a.own)), 4) AS score_low,
       round(wilson_high(sum((a.own + 1) / 2), count(a.own)), 4) AS score_high,
       round(avg(a.ply), 1) AS mean_ply, round(avg(b.ply), 1) AS against_mean_ply
FROM built a JOIN built b ON a.game_id = b.game_id AND a.side <> b.side
WHERE a.asked
GROUP BY a.tag, b.tag
HAVING count(*) >= $min_games
ORDER BY games DESC, castle, against;
