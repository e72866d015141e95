-- heat_map: Where the men stand
-- group: a position
-- How many of the games have such a man on each square, laid out as the board is seen by Black: files 9 to 1 from left to
-- right, ranks a to i from top to bottom. Needs the table of boards.
-- $man (K; K|R|+R|B|+B|G|S|+S|N|+N|L|+L|P|+P): the man
-- $colour (black; black|white|both): whose
-- $ply (none; 0..): after so many moves; at the end of the game where none is given
WITH position AS (
    SELECT b.* EXCLUDE (game_id, ply) FROM boards b JOIN selected g USING (game_id) WHERE b.ply = coalesce($ply, g.plies)
), men AS (
    UNPIVOT (SELECT COLUMNS('s[1-9][a-i]') FROM position) ON COLUMNS(*) INTO NAME square VALUE man
), wanted AS (
    SELECT square FROM men
    WHERE man & 63 = instr('PLNSGBRK', right($man, 1)) + CASE WHEN starts_with($man, '+') THEN 32 ELSE 0 END
      AND ($colour = 'both' OR (man >= 64) = ($colour = 'white'))
)
SELECT ranks.rank, count(*) FILTER (square[2] = '9') AS "9", count(*) FILTER (square[2] = '8') AS "8", count(*) FILTER (square[2] = '7') AS "7",
       count(*) FILTER (square[2] = '6') AS "6", count(*) FILTER (square[2] = '5') AS "5", count(*) FILTER (square[2] = '4') AS "4",
       count(*) FILTER (square[2] = '3') AS "3", count(*) FILTER (square[2] = '2') AS "2", count(*) FILTER (square[2] = '1') AS "1"
FROM (SELECT unnest(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']) AS rank) ranks
LEFT JOIN wanted ON wanted.square[3] = ranks.rank
GROUP BY ranks.rank
ORDER BY ranks.rank;
