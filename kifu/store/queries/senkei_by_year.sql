-- senkei_by_year: Openings year by year
-- group: openings and castles
-- As senkei, for each year; the share is that of the year's games, draw_rate is the part of the games with a result that
-- were drawn. Games without a date make the last year.
-- $min_games (1; 1..): only openings of at least so many games in the year
WITH years AS (
    SELECT *, year(date) AS year, count(*) OVER (PARTITION BY year(date)) AS year_games FROM selected
), played AS (
    SELECT DISTINCT t.tag, game_id FROM game_tags t JOIN selected USING (game_id)
    WHERE t.kind = 'opening' AND CASE t.side WHEN 'black' THEN black_asked WHEN 'white' THEN white_asked ELSE true END
)
SELECT year, tag AS opening,
       count(*) AS games, count(*) FILTER (score = 1) AS black_wins, count(*) FILTER (score = 0) AS draws,
       count(*) FILTER (score = -1) AS white_wins, count(*) FILTER (score IS NULL) AS no_result,
       round(avg((score + 1) / 2), 4) AS black_score,
       round(wilson_low(sum((score + 1) / 2), count(score)), 4) AS score_low,
       round(wilson_high(sum((score + 1) / 2), count(score)), 4) AS score_high,
       round(count(*) / any_value(year_games), 4) AS share, round(avg((score = 0)::INTEGER), 4) AS draw_rate
FROM played JOIN years USING (game_id)
GROUP BY year, tag
HAVING count(*) >= $min_games
ORDER BY year, games DESC, opening;
