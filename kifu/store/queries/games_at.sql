-- games_at: Games that reach a position
-- One row a game, with the ply of its last visit and the move played there; the best rated games first.
-- $key: the position
-- $ranks (9): height of the board
-- $limit (50): so many games at most
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
    SELECT game_id, max(ply) AS ply, arg_max(move, ply) AS move FROM plies WHERE key = $key GROUP BY game_id
)
SELECT g.game_id, v.ply, usi(v.move, ranks := $ranks) AS move, g.black, g.white, g.black_rating, g.white_rating, g.date,
       g.event, g.handicap, result_word(outcome(g.result, g.verified_winner)) AS winner, g."end", g.plies, s.path, g.source_offset
FROM visits v JOIN games g USING (game_id) LEFT JOIN sources s USING (source_id)
WHERE ($player IS NULL OR g.black = $player OR g.white = $player)
  AND ($black IS NULL OR g.black = $black) AND ($white IS NULL OR g.white = $white)
  AND ($min_rating IS NULL OR (g.black_rating >= $min_rating AND g.white_rating >= $min_rating))
  AND ($since IS NULL OR g.date >= $since::DATE) AND ($until IS NULL OR g.date <= $until::DATE)
  AND ($handicap IS NULL OR g.handicap = $handicap)
  AND ($event IS NULL OR contains(g.event, $event))
  AND ($end IS NULL OR g."end" = $end)
ORDER BY coalesce(g.black_rating, 0) + coalesce(g.white_rating, 0) DESC, g.date DESC NULLS LAST, g.game_id
LIMIT $limit;
