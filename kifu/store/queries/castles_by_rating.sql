-- castles_by_rating: The usual castles of each strength
-- group: openings and castles
-- The most frequent castles of each band of ratings, by the rating of the side that built them; the share is that of the
-- sides with such a rating. The score is that of the side that built it, over the games with a result, draws as half a
-- point, with its interval. With --player only his or her sides count.
-- $width (200; 1..): points of rating in one band
-- $top (5; 1..): so many castles a band
WITH sides AS (
    SELECT *, 'black' AS side, black AS player, white AS opponent, black_rating AS rating,
           white_rating AS opponent_rating, score AS own
    FROM selected WHERE black_asked
    UNION ALL BY NAME
    SELECT *, 'white' AS side, white AS player, black AS opponent, white_rating AS rating,
           black_rating AS opponent_rating, -score AS own
    FROM selected WHERE white_asked
), banded AS (
    SELECT game_id, side, own, floor(rating / $width)::INTEGER * $width AS from_rating,
           count(*) OVER (PARTITION BY floor(rating / $width)) AS band_sides
    FROM sides WHERE rating IS NOT NULL
)
SELECT from_rating, from_rating + $width - 1 AS to_rating, t.tag AS castle,
       count(*) AS games, count(*) FILTER (own = 1) AS wins, count(*) FILTER (own = 0) AS draws,
       count(*) FILTER (own = -1) AS losses, count(*) FILTER (own IS NULL) AS no_result,
       round(avg((own + 1) / 2), 4) AS score,
       round(wilson_low(sum((own + 1) / 2), count(own)), 4) AS score_low,
       round(wilson_high(sum((own + 1) / 2), count(own)), 4) AS score_high,
       round(count(*) / any_value(band_sides), 4) AS share
FROM banded JOIN game_tags t USING (game_id, side)
WHERE t.kind = 'castle'
GROUP BY from_rating, t.tag
QUALIFY row_number() OVER (PARTITION BY from_rating ORDER BY count(*) DESC, t.tag) <= $top
ORDER BY from_rating, games DESC, castle;
