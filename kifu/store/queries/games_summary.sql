-- games_summary: Results of the games that reach a position
-- All of them, then by side, then by year, from the view of that side: wins, draws, losses, and the score over the games
-- with a result, with its interval. Where a game belongs to both sides it has no view.
-- $key: the position
WITH found AS (
    SELECT game_id, max(ply) AS ply, 'black' AS side FROM plies WHERE key = $key GROUP BY game_id
), seen AS (
    SELECT side, year(date)::INTEGER AS year, score * CASE side WHEN 'black' THEN 1 WHEN 'white' THEN -1 END AS score
    FROM found JOIN selected USING (game_id)
), counted AS (
    SELECT CASE WHEN grouping(side) = 0 THEN 2 WHEN grouping(year) = 0 THEN 3 ELSE 1 END AS sort, side, year, count(*) AS games,
           count(*) FILTER (score = 1) AS wins, count(*) FILTER (score = 0) AS draws,
           count(*) FILTER (score = -1) AS losses, count(score) AS decided
    FROM seen
    GROUP BY GROUPING SETS ((), (side), (year))
)
SELECT CASE sort WHEN 1 THEN 'all' WHEN 2 THEN side ELSE coalesce(year::VARCHAR, 'undated') END AS part,
       games, wins, draws, losses, games - decided AS unknown, (wins + draws / 2) / nullif(decided, 0) AS score,
       wilson_low(wins + draws / 2, decided) AS score_low, wilson_high(wins + draws / 2, decided) AS score_high
FROM counted
ORDER BY sort, side, year NULLS LAST;
