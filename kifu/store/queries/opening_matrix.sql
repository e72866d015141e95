-- opening_matrix: Black's opening against White's
-- group: openings and castles
-- A row for each opening of Black, a column for each of White, both in alphabetical order; in each cell Black's score,
-- its interval, and the number of games with a result, draws as half a point. Openings that are said of the game as a
-- whole are left out.
-- $top (12; 1..): so many openings, the most frequent ones
WITH played AS (
    SELECT t.side, t.tag, t.game_id, score FROM game_tags t JOIN selected USING (game_id)
    WHERE t.kind = 'opening' AND t.side <> 'both'
), frequent AS (
    SELECT tag FROM played GROUP BY tag ORDER BY count(*) DESC, tag LIMIT $top
), cells AS (
    SELECT b.tag AS black_opening, w.tag AS white_opening, avg((b.score + 1) / 2) AS score,
           sum((b.score + 1) / 2) AS points, count(b.score) AS games
    FROM played b JOIN played w USING (game_id)
    WHERE b.side = 'black' AND w.side = 'white' AND b.tag IN (FROM frequent) AND w.tag IN (FROM frequent)
    GROUP BY ALL
), written AS (
    SELECT black_opening, white_opening,
           CASE games WHEN 0 THEN '- of 0' ELSE printf('%.0f%% (%.0f-%.0f) of %d', 100 * score,
               100 * wilson_low(points, games), 100 * wilson_high(points, games), games) END AS cell
    FROM cells
)
PIVOT written ON white_opening USING any_value(cell) GROUP BY black_opening ORDER BY black_opening;
