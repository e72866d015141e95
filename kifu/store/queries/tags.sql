-- tags: How the sides fared that built a castle or played an opening
-- group: openings and castles
-- For each of them how often it was there, the results from the view of the side that had it (draws as half a point,
-- over the games with a result), and the mean ply of its first appearance. More general ones count along with the
-- special ones. What is said of both sides has no view. With --player only what he or she had counts.
-- $kind (castle; castle|opening): what is counted
WITH had AS (
    SELECT t.tag, t.game_id, t.ply, score * CASE t.side WHEN 'black' THEN 1 WHEN 'white' THEN -1 END AS own
    FROM game_tags t JOIN selected USING (game_id)
    WHERE t.kind = $kind AND CASE t.side WHEN 'black' THEN black_asked WHEN 'white' THEN white_asked ELSE true END
)
SELECT tag, count(*) AS sides, count(DISTINCT game_id) AS games, count(*) FILTER (own = 1) AS wins,
       count(*) FILTER (own = -1) AS losses, count(*) FILTER (own = 0) AS draws, round(avg((own + 1) / 2), 4) AS score,
       round(wilson_low(sum((own + 1) / 2), count(own)), 4) AS score_low,
       round(wilson_high(sum((own + 1) / 2), count(own)), 4) AS score_high, round(avg(ply), 1) AS mean_ply
FROM had
GROUP BY tag
ORDER BY sides DESC, tag;
