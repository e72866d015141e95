-- first_moves: How games begin
-- group: openings and castles
-- The first moves of the games that are long enough, how often they were played, and Black's score after them, over the
-- games with a result, draws as half a point, with its interval. The share is that of the games that are long enough.
-- $plies (3; 1..40): so many moves
-- $ranks (9): height of the board
WITH begun AS (
    SELECT left(hex(moves), 2 * (octet_length(moves) // plies) * $plies) AS codes, score FROM selected WHERE plies >= $plies
)
SELECT array_to_string(usi_moves(from_hex(codes), ranks := $ranks), ' ') AS moves,
       count(*) AS games, count(*) FILTER (score = 1) AS black_wins, count(*) FILTER (score = 0) AS draws,
       count(*) FILTER (score = -1) AS white_wins, count(*) FILTER (score IS NULL) AS no_result,
       round(avg((score + 1) / 2), 4) AS black_score,
       round(wilson_low(sum((score + 1) / 2), count(score)), 4) AS score_low,
       round(wilson_high(sum((score + 1) / 2), count(score)), 4) AS score_high,
       round(count(*) / sum(count(*)) OVER (), 4) AS share
FROM begun
GROUP BY codes
ORDER BY games DESC, moves;
