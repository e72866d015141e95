-- score_of_position: How games went that reached a position
-- group: a position
-- handicap: any
-- One row. A game counts once, however often it comes back to the position. The score is Black's, over the games with a
-- result, draws as half a point, with its interval.
-- $key: the position
SELECT count(*) AS games, count(*) FILTER (score = 1) AS black_wins, count(*) FILTER (score = 0) AS draws,
       count(*) FILTER (score = -1) AS white_wins, count(*) FILTER (score IS NULL) AS no_result,
       round(avg((score + 1) / 2), 4) AS black_score,
       round(wilson_low(sum((score + 1) / 2), count(score)), 4) AS score_low,
       round(wilson_high(sum((score + 1) / 2), count(score)), 4) AS score_high,
       min(v.ply) AS first_ply, max(v.ply) AS last_ply, min(date) AS first_date, max(date) AS last_date
FROM (SELECT game_id, max(ply) AS ply FROM plies WHERE key = $key GROUP BY game_id) v JOIN selected USING (game_id);
