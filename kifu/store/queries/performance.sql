-- performance: Performance ratings
-- group: players
-- Over the games with a result against a rated opponent: the mean rating of the opponents, 400 added for a win and taken
-- off for a loss. The score, draws as half a point, and the performance have their intervals.
-- $min_games (1; 1..): only players of at least so many such games
WITH sides AS (
    SELECT *, 'black' AS side, black AS player, white AS opponent, black_rating AS rating,
           white_rating AS opponent_rating, score AS own
    FROM selected
    UNION ALL BY NAME
    SELECT *, 'white' AS side, white AS player, black AS opponent, white_rating AS rating,
           black_rating AS opponent_rating, -score AS own
    FROM selected
)
SELECT player,
       count(*) AS games, count(*) FILTER (own = 1) AS wins, count(*) FILTER (own = 0) AS draws,
       count(*) FILTER (own = -1) AS losses, count(*) FILTER (own IS NULL) AS no_result,
       round(avg((own + 1) / 2), 4) AS score,
       round(wilson_low(sum((own + 1) / 2), count(own)), 4) AS score_low,
       round(wilson_high(sum((own + 1) / 2), count(own)), 4) AS score_high,
       round(avg(opponent_rating), 0)::INTEGER AS mean_opponent_rating,
       round(avg(opponent_rating) + 400 * avg(own), 0)::INTEGER AS performance,
       round(avg(opponent_rating) + 400 * (2 * wilson_low(sum((own + 1) / 2), count(own)) - 1), 0)::INTEGER AS performance_low,
       round(avg(opponent_rating) + 400 * (2 * wilson_high(sum((own + 1) / 2), count(own)) - 1), 0)::INTEGER AS performance_high
FROM sides
WHERE player IS NOT NULL AND opponent_rating IS NOT NULL AND own IS NOT NULL
GROUP BY player
HAVING count(*) >= $min_games
ORDER BY performance DESC, player;
