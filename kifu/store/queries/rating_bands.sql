-- rating_bands: What it is worth to move first, by rating
-- group: results
-- Games of two rated players by the mean of their ratings. The score is Black's, over the games with a result, draws as
-- half a point, with its interval.
-- $width (200; 1..): points of rating in one band
SELECT floor((black_rating::INTEGER + white_rating) / 2 / $width)::INTEGER * $width AS from_rating,
       from_rating + $width - 1 AS to_rating,
       count(*) AS games, count(*) FILTER (score = 1) AS black_wins, count(*) FILTER (score = 0) AS draws,
       count(*) FILTER (score = -1) AS white_wins, count(*) FILTER (score IS NULL) AS no_result,
       round(avg((score + 1) / 2), 4) AS black_score,
       round(wilson_low(sum((score + 1) / 2), count(score)), 4) AS score_low,
       round(wilson_high(sum((score + 1) / 2), count(score)), 4) AS score_high,
       round(avg(plies), 1) AS mean_plies
FROM selected
WHERE black_rating IS NOT NULL AND white_rating IS NOT NULL
GROUP BY from_rating
ORDER BY from_rating;
