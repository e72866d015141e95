-- terminations: How games end
-- group: results
-- The end that the records claim beside the end that replay proves, with the number of games, their share of all, and
-- their mean length.
SELECT "end", verified_end, illegal_reason, count(*) AS games, round(count(*) / sum(count(*)) OVER (), 4) AS share,
       count(*) FILTER (score = 1) AS black_wins, count(*) FILTER (score = -1) AS white_wins,
       count(*) FILTER (score = 0) AS draws, count(*) FILTER (score IS NULL) AS no_result,
       round(avg(plies), 1) AS mean_plies
FROM selected
GROUP BY "end", verified_end, illegal_reason
ORDER BY games DESC, "end", verified_end, illegal_reason;
