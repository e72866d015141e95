-- players: Who plays, and how well
-- group: players
-- One row a name as the records write it. The score is over the games with a result, draws as half a point, with its
-- interval; rating is the latest one known.
-- $min_games (1; 1..): only players of at least so many games
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
       count(*) FILTER (side = 'black') AS as_black, count(*) FILTER (side = 'white') AS as_white,
       arg_max(rating, by_date(game_id, date)) FILTER (rating IS NOT NULL) AS rating,
       min(date) AS first_date, max(date) AS last_date
FROM sides
WHERE player IS NOT NULL
GROUP BY player
HAVING count(*) >= $min_games
ORDER BY games DESC, player;
