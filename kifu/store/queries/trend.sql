-- trend: What is played in a position, year by year
-- group: a position
-- handicap: any
-- The most frequent moves of each year; the share is that of the year's games here. The score is Black's, over the games
-- with a result, draws as half a point, with its interval. Games without a date make the last year.
-- $key: the position
-- $top (3; 1..): so many moves a year
-- $ranks (9): height of the board
WITH visits AS (
    SELECT game_id, max(ply) AS ply, arg_max(move, ply) AS move FROM plies WHERE key = $key GROUP BY game_id
), here AS (
    SELECT year(date) AS year, v.move, score, count(*) OVER (PARTITION BY year(date)) AS year_games
    FROM visits v JOIN selected USING (game_id)
    WHERE v.move <> 0
)
SELECT year, usi(move, ranks := $ranks) AS move,
       count(*) AS games, count(*) FILTER (score = 1) AS black_wins, count(*) FILTER (score = 0) AS draws,
       count(*) FILTER (score = -1) AS white_wins, count(*) FILTER (score IS NULL) AS no_result,
       round(avg((score + 1) / 2), 4) AS black_score,
       round(wilson_low(sum((score + 1) / 2), count(score)), 4) AS score_low,
       round(wilson_high(sum((score + 1) / 2), count(score)), 4) AS score_high,
       round(count(*) / any_value(year_games), 4) AS share
FROM here
GROUP BY year, here.move
QUALIFY row_number() OVER (PARTITION BY year ORDER BY count(*) DESC, here.move) <= $top
ORDER BY year, games DESC, here.move;
