-- games_count: How many games reach a position
-- Each game counts once.
-- $key: the position
WITH found AS (
    SELECT game_id, max(ply) AS ply, 'black' AS side FROM plies WHERE key = $key GROUP BY game_id
)
SELECT count(*) AS games FROM found JOIN selected USING (game_id);
