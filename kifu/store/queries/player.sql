-- player: Report on a player
-- group: players
-- The games of --player with Black, with White, and all of them. The score is over the games with a result, draws as half
-- a point, with its interval. Wins and losses on time and by a foul are parts of the wins and losses.
-- $player: the player
-- $side (none): the side he or she has
WITH sides AS (
    SELECT *, 'black' AS side, black AS player, white AS opponent, black_rating AS rating,
           white_rating AS opponent_rating, score AS own
    FROM selected
    UNION ALL BY NAME
    SELECT *, 'white' AS side, white AS player, black AS opponent, white_rating AS rating,
           black_rating AS opponent_rating, -score AS own
    FROM selected
), mine AS (
    SELECT *, coalesce("end", verified_end) AS ended FROM sides
    WHERE $player IS NOT NULL AND CASE side WHEN 'black' THEN black_asked ELSE white_asked END AND ($side IS NULL OR side = $side)
)
SELECT coalesce(side, 'all') AS side,
       count(*) AS games, count(*) FILTER (own = 1) AS wins, count(*) FILTER (own = 0) AS draws,
       count(*) FILTER (own = -1) AS losses, count(*) FILTER (own IS NULL) AS no_result,
       round(avg((own + 1) / 2), 4) AS score,
       round(wilson_low(sum((own + 1) / 2), count(own)), 4) AS score_low,
       round(wilson_high(sum((own + 1) / 2), count(own)), 4) AS score_high,
       count(*) FILTER (own = 1 AND ended = 'timeout') AS won_on_time,
       count(*) FILTER (own = -1 AND ended = 'timeout') AS lost_on_time,
       count(*) FILTER (own = 1 AND ended IN ('illegal', 'perpetual_check')) AS won_by_foul,
       count(*) FILTER (own = -1 AND ended IN ('illegal', 'perpetual_check')) AS lost_by_foul,
       round(avg(rating), 0)::INTEGER AS mean_rating, round(avg(opponent_rating), 0)::INTEGER AS mean_opponent_rating,
       round(avg(plies), 1) AS mean_plies, min(date) AS first_date, max(date) AS last_date
FROM mine
GROUP BY GROUPING SETS ((side), ())
HAVING count(*) > 0
ORDER BY mine.side;
