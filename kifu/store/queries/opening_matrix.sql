-- opening_matrix: Black's opening against White's
-- group: openings and castles
-- A row for each opening of Black, a column for each of White, both in alphabetical order; in each cell Black's score,
-- its interval, and the number of games with a result, draws as half a point. With --player the rows are the openings of
-- the player, the columns those of the opponents, and the scores the player's. Openings that are said of the game as a
-- whole are left out.
-- $player (none): the player
-- $top (12; 1..): so many openings, the most frequent ones
WITH played AS (
    SELECT t.side, t.tag, t.game_id, score * CASE t.side WHEN 'black' THEN 1 ELSE -1 END AS own,
           CASE WHEN $player IS NULL THEN t.side = 'black' WHEN t.side = 'black' THEN black_asked ELSE white_asked END AS asked
    FROM game_tags t JOIN selected USING (game_id)
    WHERE t.kind = 'opening' AND t.side <> 'both'
), frequent AS (
    SELECT tag FROM played GROUP BY tag ORDER BY count(*) DESC, tag LIMIT $top
), cells AS (
    SELECT a.tag AS opening, b.tag AS against, avg((a.own + 1) / 2) AS score, sum((a.own + 1) / 2) AS points,
           count(a.own) AS games
    FROM played a JOIN played b USING (game_id)
    WHERE a.asked AND a.side <> b.side AND a.tag IN (FROM frequent) AND b.tag IN (FROM frequent)
    GROUP BY ALL
), written AS (
    SELECT opening, against,
           CASE games WHEN 0 THEN '- of 0' ELSE printf('%.0f%% (%.0f-%.0f) of %d', 100 * score,
               100 * wilson_low(points, games), 100 * wilson_high(points, games), games) END AS cell
    FROM cells
)
PIVOT written ON against USING any_value(cell) GROUP BY opening ORDER BY opening;
