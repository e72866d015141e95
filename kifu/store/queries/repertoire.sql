-- repertoire: What a player plays in a position
-- group: a position
-- handicap: any
-- The moves that --player chose where he or she was to move, and how it went, from the player's view: the score is over
-- the games with a result, draws as half a point, with its interval; the share is that of the player's games here.
-- $key: the position
-- $turn (black; black|white): who is to move in it
-- $player: the player
-- $ranks (9): height of the board
WITH visits AS (
    SELECT game_id, max(ply) AS ply, arg_max(move, ply) AS move FROM plies WHERE key = $key GROUP BY game_id
), here AS (
    SELECT v.move, date, score * CASE $turn WHEN 'black' THEN 1 ELSE -1 END AS own
    FROM visits v JOIN selected USING (game_id)
    WHERE v.move <> 0 AND $player IS NOT NULL AND CASE $turn WHEN 'black' THEN black_asked ELSE white_asked END
)
SELECT usi(move, ranks := $ranks) AS move,
       count(*) AS games, count(*) FILTER (own = 1) AS wins, count(*) FILTER (own = 0) AS draws,
       count(*) FILTER (own = -1) AS losses, count(*) FILTER (own IS NULL) AS no_result,
       round(avg((own + 1) / 2), 4) AS score,
       round(wilson_low(sum((own + 1) / 2), count(own)), 4) AS score_low,
       round(wilson_high(sum((own + 1) / 2), count(own)), 4) AS score_high,
       round(count(*) / sum(count(*)) OVER (), 4) AS share, max(date) AS last_date
FROM here
GROUP BY here.move
ORDER BY games DESC, here.move;
