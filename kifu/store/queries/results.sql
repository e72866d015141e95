-- results: Results by handicap
-- group: results
-- handicap: any
-- Games, wins and draws, even games and each handicap apart; Black's score over the games with a result, draws as half
-- a point, with its interval. In handicap games Black is the player who receives the odds (shitate). The last column
-- leaves repetitions out of the mean.
SELECT variant, handicap, count(*) AS games, count(*) FILTER (score = 1) AS black_wins,
       count(*) FILTER (score = -1) AS white_wins, count(*) FILTER (score = 0) AS draws,
       count(*) FILTER (score IS NULL) AS without_result, round(avg((score + 1) / 2), 4) AS black_score,
       round(wilson_low(sum((score + 1) / 2), count(score)), 4) AS score_low,
       round(wilson_high(sum((score + 1) / 2), count(score)), 4) AS score_high, round(avg(plies), 1) AS mean_plies,
       round(avg(plies) FILTER (coalesce("end", verified_end, '') <> 'repetition'), 1) AS mean_plies_without_repetition
FROM selected
GROUP BY variant, handicap
ORDER BY games DESC, variant, handicap;
