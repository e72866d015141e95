-- results: Results by handicap
-- Games, wins and draws, even games and each handicap apart; Black's score over the decided games with its interval.
-- In handicap games Black is the player who receives the odds. The last column leaves repetitions out of the mean.
SELECT variant, handicap, games, black_wins, white_wins, draws, games - decided AS without_result,
       round((black_wins + draws / 2) / nullif(decided, 0), 4) AS black_score,
       round(wilson_low(black_wins + draws / 2, decided), 4) AS score_low,
       round(wilson_high(black_wins + draws / 2, decided), 4) AS score_high, mean_plies, mean_plies_without_repetition
FROM (
    SELECT variant, handicap, count(*) AS games, count(score) AS decided,
           count(*) FILTER (score = 1) AS black_wins, count(*) FILTER (score = -1) AS white_wins,
           count(*) FILTER (score = 0) AS draws, round(avg(plies), 1) AS mean_plies,
           round(avg(plies) FILTER (coalesce(verified_end, "end", '') <> 'repetition'), 1) AS mean_plies_without_repetition
    FROM (SELECT *, outcome(result, verified_winner) AS score FROM games)
    GROUP BY variant, handicap
)
ORDER BY games DESC, variant, handicap;
