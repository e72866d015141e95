-- The table openings as Spark makes it: the same rows that kifu/store/openings.sql makes of a database.
-- positions: the rows of plies with next_key, the key after the move; chosen: games with score, date and ratings.
WITH repeated AS (
    SELECT key FROM positions GROUP BY key HAVING count(*) > 1
), visits AS (
    SELECT p.key, p.game_id, max(p.ply) AS ply, max_by(p.move, p.ply) AS move, max_by(p.next_key, p.ply) AS next_key
    FROM positions p LEFT SEMI JOIN repeated USING (key)
    GROUP BY p.key, p.game_id
), scored AS (
    SELECT v.*, coalesce(g.result, g.verified_winner) AS score, g.date,
           CASE WHEN g.white_rating IS NOT NULL THEN cast(g.black_rating AS bigint) END AS black_rating,
           CASE WHEN g.black_rating IS NOT NULL THEN cast(g.white_rating AS bigint) END AS white_rating,
           shiftleft(cast(coalesce(datediff(g.date, DATE '0001-01-01'), 0) AS bigint), 31) | v.game_id AS by_date
    FROM visits v JOIN chosen g USING (game_id)
), counted AS (
    SELECT key, move, count(*) AS games, count_if(score = 1) AS black_wins, count_if(score = -1) AS white_wins,
           count_if(score = 0) AS draws, coalesce(sum(black_rating), 0) AS black_rating_sum,
           coalesce(sum(white_rating), 0) AS white_rating_sum, count(black_rating) AS rated_games, min(ply) AS min_ply,
           min(date) AS first_date, max(date) AS last_date,
           2147483647 - (max(shiftleft(coalesce(black_rating + white_rating, 0), 31) | (2147483647 - game_id)) & 2147483647)
               AS top_game,
           max(by_date) & 2147483647 AS last_game, max_by(next_key, by_date) AS next_key
    FROM scored
    GROUP BY key, move
), shared AS (
    -- a position that one game repeated is not shared
    SELECT *, sum(games) OVER (PARTITION BY key) AS reached FROM counted
)
SELECT key, move, next_key, cast(games AS int) AS games, cast(black_wins AS int) AS black_wins,
       cast(white_wins AS int) AS white_wins, cast(draws AS int) AS draws, black_rating_sum, white_rating_sum,
       cast(rated_games AS int) AS rated_games, min_ply, first_date, last_date, cast(top_game AS int) AS top_game,
       cast(last_game AS int) AS last_game
FROM shared
WHERE reached > 1
