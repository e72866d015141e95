-- head_to_head: Player against player
-- group: players
-- One row a pair that met, from the view of the first one, who is --player where one is named. The score is over the games
-- with a result, draws as half a point, with its interval.
-- $player (none): the first player
-- $side (none): the side he or she has
-- $min_games (1; 1..): only pairs of at least so many games
WITH sides AS (
    SELECT *, 'black' AS side, black AS player, white AS opponent, black_rating AS rating,
           white_rating AS opponent_rating, score AS own
    FROM selected
    UNION ALL BY NAME
    SELECT *, 'white' AS side, white AS player, black AS opponent, white_rating AS rating,
           black_rating AS opponent_rating, -score AS own
    FROM selected
)
SELECT player, opponent,
       count(*) AS games, count(*) FILTER (own = 1) AS wins, count(*) FILTER (own = 0) AS draws,
       count(*) FILTER (own = -1) AS losses, count(*) FILTER (own IS NULL) AS no_result,
       round(avg((own + 1) / 2), 4) AS score,
       round(wilson_low(sum((own + 1) / 2), count(own)), 4) AS score_low,
       round(wilson_high(sum((own + 1) / 2), count(own)), 4) AS score_high,
       min(date) AS first_date, max(date) AS last_date
FROM sides
WHERE player IS NOT NULL AND opponent IS NOT NULL
  AND CASE WHEN $player IS NULL THEN player < opponent OR (player = opponent AND side = 'black')
      ELSE CASE side WHEN 'black' THEN black_asked ELSE white_asked END AND ($side IS NULL OR side = $side) END
GROUP BY player, opponent
HAVING count(*) >= $min_games
ORDER BY games DESC, player, opponent;
