-- times: Time that moves take
-- group: results
-- Seconds by the number of the move, over the moves that have a clock; first and second are the player who makes the
-- first move of the game, and the other one.
-- $width (20; 1..): plies in one row
WITH thought AS (
    SELECT unnest(seconds) AS seconds, generate_subscripts(seconds, 1) AS ply FROM selected
)
SELECT (ply - 1) // $width * $width + 1 AS first_ply, (ply - 1) // $width * $width + $width AS last_ply, count(*) AS moves,
       round(avg(seconds), 1) AS mean_seconds, quantile_disc(seconds, 0.5) AS median_seconds, max(seconds) AS longest,
       round(avg(seconds) FILTER (ply % 2 = 1), 1) AS first_mean, round(avg(seconds) FILTER (ply % 2 = 0), 1) AS second_mean
FROM thought
WHERE seconds IS NOT NULL
GROUP BY (ply - 1) // $width
ORDER BY first_ply;
