-- tags: How the sides fared that built a castle or played an opening
-- For each of them how often it was there, the results from the view of the side that had it, and the mean ply of its
-- first appearance. More general ones count along with the special ones. What is said of both sides has no view.
-- $kind (castle): castle or opening
SELECT tag, sides, games, wins, losses, draws, round((wins + draws / 2) / nullif(decided, 0), 4) AS score,
       round(wilson_low(wins + draws / 2, decided), 4) AS score_low,
       round(wilson_high(wins + draws / 2, decided), 4) AS score_high, mean_ply
FROM (
    SELECT tag, count(*) AS sides, count(DISTINCT game_id) AS games, count(score) AS decided,
           count(*) FILTER (score = 1) AS wins, count(*) FILTER (score = -1) AS losses,
           count(*) FILTER (score = 0) AS draws, round(avg(ply), 1) AS mean_ply
    FROM (
        SELECT t.*, outcome(g.result, g.verified_winner) * CASE t.side WHEN 'black' THEN 1 WHEN 'white' THEN -1 END AS score
        FROM game_tags t JOIN games g USING (game_id)
        WHERE t.kind = $kind
    )
    GROUP BY tag
)
ORDER BY sides DESC, tag;
