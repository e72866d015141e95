-- lengths: Lengths of games
-- group: results
-- Histogram of the number of plies; the share is that of all games.
-- $width (20; 1..): plies in one bar
SELECT plies // $width * $width AS first_ply, plies // $width * $width + $width - 1 AS last_ply, count(*) AS games,
       round(count(*) / sum(count(*)) OVER (), 4) AS share,
       rtrim(bar(count(*), 0, max(count(*)) OVER (), 40)) AS bar
FROM selected
GROUP BY plies // $width
ORDER BY first_ply;
