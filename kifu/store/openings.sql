-- The table openings from the temporary table visits. The position after a move is the same in every game that played
-- it, so the latest game of each row shows next_key.
INSERT INTO openings
WITH scored AS (
    SELECT v.*, outcome(g.result, g.verified_winner) AS score, g.date,
           CASE WHEN g.white_rating IS NOT NULL THEN g.black_rating::INTEGER END AS black_rating,
           CASE WHEN g.black_rating IS NOT NULL THEN g.white_rating::INTEGER END AS white_rating
    FROM visits v JOIN games g USING (game_id)
), counted AS (
    SELECT key, move, count(*) AS games, count(*) FILTER (score = 1) AS black_wins, count(*) FILTER (score = -1) AS white_wins,
           count(*) FILTER (score = 0) AS draws, coalesce(sum(black_rating), 0) AS black_rating_sum,
           coalesce(sum(white_rating), 0) AS white_rating_sum, count(black_rating) AS rated_games, min(ply) AS min_ply,
           min(date) AS first_date, max(date) AS last_date,
           best_game(game_id, black_rating + white_rating) AS top_game, latest_game(game_id, date) AS last_game,
           arg_max(ply, by_date(game_id, date)) AS last_ply
    FROM scored
    GROUP BY key, move
    -- a position that one game repeated is not shared
    QUALIFY sum(count(*)) OVER (PARTITION BY key) > 1
)
SELECT o.key, o.move, after.key, games, black_wins, white_wins, draws, black_rating_sum, white_rating_sum, rated_games,
       min_ply, first_date, last_date, top_game, last_game
FROM counted o LEFT JOIN plies after ON after.game_id = o.last_game AND after.ply = o.last_ply + 1
ORDER BY o.key, games DESC, o.move;
