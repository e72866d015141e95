-- novelties: Who played a move first
-- group: a position
-- handicap: any
-- For each move played in the position the earliest game, the first loaded of equals, and how many games followed. Games
-- without a date count as the latest.
-- $key: the position
-- $ranks (9): height of the board
WITH visits AS (
    SELECT game_id, max(ply) AS ply, arg_max(move, ply) AS move FROM plies WHERE key = $key GROUP BY game_id
), numbered AS (
    SELECT v.move, game_id, date, black, white, event, count(*) OVER (PARTITION BY v.move) AS games,
           row_number() OVER (PARTITION BY v.move ORDER BY date NULLS LAST, game_id) AS number
    FROM visits v JOIN selected USING (game_id)
    WHERE v.move <> 0
)
SELECT usi(move, ranks := $ranks) AS move, games, date AS first_date, game_id, black, white, event
FROM numbered
WHERE number = 1
ORDER BY first_date, game_id, numbered.move;
