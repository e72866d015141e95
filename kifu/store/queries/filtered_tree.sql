-- filtered_tree: Opening tree over chosen games
-- The same as opening_tree, counted from the games themselves: for any position, and with filters. Each game counts
-- once per position, with its last visit.
-- $keys: list of position keys
-- $first: the lowest of them
-- $last: the highest of them
-- $player (none): name of either player
-- $black (none): name of Black
-- $white (none): name of White
-- $min_rating (none): both players are rated at least so high
-- $since (none): first day
-- $until (none): last day
-- $handicap (none): even, or a handicap by its name
-- $event (none): text that the event contains
-- $end (none): how the record says that the game ended
WITH visits AS (
    SELECT key, game_id, max(ply) AS ply, arg_max(move, ply) AS move
    FROM plies
    WHERE key BETWEEN $first AND $last AND list_contains($keys::BIGINT[], key)
    GROUP BY key, game_id
), chosen AS (
    SELECT v.*, outcome(g.result, g.verified_winner) AS score, g.date,
           CASE WHEN g.white_rating IS NOT NULL THEN g.black_rating::INTEGER END AS black_rating,
           CASE WHEN g.black_rating IS NOT NULL THEN g.white_rating::INTEGER END AS white_rating
    FROM visits v JOIN games g USING (game_id)
    WHERE ($player IS NULL OR g.black = $player OR g.white = $player)
      AND ($black IS NULL OR g.black = $black) AND ($white IS NULL OR g.white = $white)
      AND ($min_rating IS NULL OR (g.black_rating >= $min_rating AND g.white_rating >= $min_rating))
      AND ($since IS NULL OR g.date >= $since::DATE) AND ($until IS NULL OR g.date <= $until::DATE)
      AND ($handicap IS NULL OR g.handicap = $handicap)
      AND ($event IS NULL OR contains(g.event, $event))
      AND ($end IS NULL OR g."end" = $end)
)
SELECT key, move, count(*) AS games, count(*) FILTER (score = 1) AS black_wins, count(*) FILTER (score = -1) AS white_wins,
       count(*) FILTER (score = 0) AS draws, coalesce(sum(black_rating), 0)::BIGINT AS black_rating_sum,
       coalesce(sum(white_rating), 0)::BIGINT AS white_rating_sum, count(black_rating) AS rated_games,
       min(date) AS first_date, max(date) AS last_date, NULL::BIGINT AS next_key,
       best_game(game_id, black_rating + white_rating) AS top_game, latest_game(game_id, date) AS last_game
FROM chosen
GROUP BY key, move
ORDER BY key, games DESC, move;
