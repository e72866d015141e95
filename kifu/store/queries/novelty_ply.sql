-- novelty_ply: When games leave what is known
-- group: openings and castles
-- The first position of each game that no other game in the database reached: how many moves had been played then, and in
-- how many games. The share is that of all games; games without such a position make the last row.
WITH left_at AS (
    SELECT game_id, min(ply) AS ply
    FROM plies SEMI JOIN selected USING (game_id) ANTI JOIN openings USING (key)
    GROUP BY game_id
)
SELECT l.ply, count(*) AS games, round(count(*) / sum(count(*)) OVER (), 4) AS share,
       round(sum(count(*)) OVER (ORDER BY l.ply NULLS LAST) / sum(count(*)) OVER (), 4) AS share_until
FROM selected LEFT JOIN left_at l USING (game_id)
GROUP BY l.ply
ORDER BY l.ply;
