-- crosstable: Everyone against everyone
-- group: players
-- The players with the most games (choose an --event), ranked by their points against each other; the columns behind
-- are the opponents by their numbers. A cell is points of games with a result, draws as half a point; so is the score,
-- with its interval.
-- $top (16; 2..200): so many players
WITH sides AS (
    SELECT *, 'black' AS side, black AS player, white AS opponent, black_rating AS rating,
           white_rating AS opponent_rating, score AS own
    FROM selected
    UNION ALL BY NAME
    SELECT *, 'white' AS side, white AS player, black AS opponent, white_rating AS rating,
           black_rating AS opponent_rating, -score AS own
    FROM selected
), frequent AS (
    SELECT player FROM sides WHERE player IS NOT NULL GROUP BY player ORDER BY count(*) DESC, player LIMIT $top
), met AS (
    SELECT player, opponent, own FROM sides
    WHERE own IS NOT NULL AND player IN (FROM frequent) AND opponent IN (FROM frequent)
), totals AS (
    SELECT player, sum((own + 1) / 2) AS points, count(*) AS games, round(avg((own + 1) / 2), 4) AS score,
           round(wilson_low(sum((own + 1) / 2), count(*)), 4) AS score_low,
           round(wilson_high(sum((own + 1) / 2), count(*)), 4) AS score_high
    FROM met GROUP BY player
), ranked AS (
    SELECT row_number() OVER (ORDER BY points DESC, player) AS number, * FROM totals
), titled AS (
    SELECT player, lpad(number::VARCHAR, length(max(number) OVER ()::VARCHAR)::INTEGER, '0') AS title FROM ranked
), written AS (
    SELECT r.*, title, cell
    FROM ranked r JOIN (
        SELECT player, opponent, printf('%g/%d', sum((own + 1) / 2), count(*)) AS cell FROM met GROUP BY player, opponent
    ) USING (player) JOIN titled o ON o.player = opponent
)
PIVOT written ON title USING any_value(cell) GROUP BY number, player, points, games, score, score_low, score_high
ORDER BY number;
