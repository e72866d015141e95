-- What an opening book holds of the positions of a range of keys: each move of enough games, how many games played it,
-- and a game that shows the position, the one that reached it with the fewest moves. A game that comes back to a position
-- counts once, with its last visit. A further condition over games stands last in chosen.
-- $first, $last: the range of keys
-- $handicap: games of this start position
-- $max_ply: none but the first moves of a game, so many; NULL for all
-- $min_games: a move of fewer games is left out
-- $min_rating: both players are rated at least so high; NULL for all games
-- $winner_only: only moves of the side that won
WITH chosen AS (
    SELECT game_id, outcome(result, verified_winner) AS winner,
           CASE WHEN start_sfen LIKE '% w %' OR (start_sfen IS NULL AND handicap <> 'even') THEN -1 ELSE 1 END AS first_side
    FROM games
    WHERE variant = 'shogi' AND handicap = $handicap
      AND ($min_rating IS NULL OR (black_rating >= $min_rating AND white_rating >= $min_rating))
      AND ({where})
), repeated AS (
    SELECT key FROM plies
    WHERE key BETWEEN $first AND $last AND ($max_ply IS NULL OR ply < $max_ply)
    GROUP BY key HAVING count(*) >= $min_games
), visits AS (
    SELECT key, game_id, max(ply) AS last_ply, min(ply) AS first_ply, arg_max(move, ply) AS move
    FROM plies SEMI JOIN repeated USING (key) SEMI JOIN chosen USING (game_id)
    WHERE key BETWEEN $first AND $last AND ($max_ply IS NULL OR ply < $max_ply)
    GROUP BY key, game_id
), moves AS (
    SELECT key, move, count(*) AS games, arg_min(game_id, (first_ply, game_id)) AS shown_by, min(first_ply) AS ply
    FROM visits JOIN chosen USING (game_id)
    WHERE move <> 0
      AND (NOT $winner_only OR winner = CASE WHEN last_ply % 2 = 0 THEN first_side ELSE -first_side END)
    GROUP BY key, move
    HAVING count(*) >= $min_games
)
SELECT key, move, games::INTEGER AS games,
       first_value(shown_by) OVER shown AS shown_by, first_value(ply) OVER shown AS ply
FROM moves
WINDOW shown AS (PARTITION BY key ORDER BY ply, shown_by)
ORDER BY key, games DESC, move
