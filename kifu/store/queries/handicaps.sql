-- handicaps: How the odds do
-- group: results
-- handicap: any
-- Handicap games only; games from any other position (handicap other) are left out. Shitate receives the odds, uwate
-- gives them and moves first. The score is shitate's, over the games with a result, draws as half a point, with its
-- interval.
SELECT handicap, count(*) AS games, count(*) FILTER (score = 1) AS shitate_wins, count(*) FILTER (score = 0) AS draws,
       count(*) FILTER (score = -1) AS uwate_wins, count(*) FILTER (score IS NULL) AS no_result,
       round(avg((score + 1) / 2), 4) AS shitate_score,
       round(wilson_low(sum((score + 1) / 2), count(score)), 4) AS score_low,
       round(wilson_high(sum((score + 1) / 2), count(score)), 4) AS score_high, round(avg(plies), 1) AS mean_plies
FROM selected
WHERE handicap NOT IN ('even', 'other')
GROUP BY handicap
ORDER BY games DESC, handicap;
