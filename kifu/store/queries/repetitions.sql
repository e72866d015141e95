-- repetitions: Positions that come back, beside what the record says
-- group: care of the data
-- handicap: any
-- One row a game in which a position stands for the fourth time, and one a game that ends by repetition without such a
-- position. remark: ended there, with a repetition or perpetual check as its end; ended otherwise; played on; not there.
-- $times (4; 2..): so often it must stand
WITH back AS (
    SELECT game_id, key, count(*) AS times FROM plies SEMI JOIN selected USING (game_id)
    GROUP BY game_id, key
    HAVING count(*) >= $times
), numbered AS (
    SELECT game_id, times, ply, row_number() OVER (PARTITION BY game_id, key ORDER BY ply) AS number
    FROM back JOIN plies USING (game_id, key)
), first_back AS (
    SELECT game_id, max(times) AS times, min(ply) AS ply FROM numbered WHERE number = $times GROUP BY game_id
)
SELECT game_id, b.times, b.ply, g.plies, g."end", g.verified_end,
       CASE WHEN b.ply IS NULL THEN 'not there' WHEN b.ply < g.plies THEN 'played on'
            WHEN coalesce(g."end", g.verified_end, '') IN ('repetition', 'perpetual_check') THEN 'ended there'
            ELSE 'ended otherwise' END AS remark
FROM selected g LEFT JOIN first_back b USING (game_id)
WHERE b.ply IS NOT NULL OR coalesce(g."end", g.verified_end) = 'repetition'
ORDER BY game_id;
