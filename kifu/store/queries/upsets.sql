-- upsets: Wins against a far higher rating
-- group: results
-- One row a game that the lower rated player won, the greatest difference first.
-- $gap (300; 0..): the winner was rated lower by at least so much
SELECT game_id, date, event, CASE score WHEN 1 THEN 'black' ELSE 'white' END AS side,
       CASE score WHEN 1 THEN black ELSE white END AS winner, CASE score WHEN 1 THEN white ELSE black END AS loser,
       CASE score WHEN 1 THEN black_rating ELSE white_rating END AS winner_rating,
       CASE score WHEN 1 THEN white_rating ELSE black_rating END AS loser_rating,
       score * (white_rating::INTEGER - black_rating) AS gap, coalesce("end", verified_end) AS "end", plies
FROM selected
WHERE abs(score) = 1 AND score * (white_rating::INTEGER - black_rating) >= greatest($gap, 1)
ORDER BY gap DESC, game_id;
