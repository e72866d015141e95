-- book: The most played moves, as rows of a book
-- group: openings and castles
-- One row a position that several games reached early: its key, the moves played there with the number of their games,
-- most frequent first, and the best rated game that shows it. Counted over all games of a kind of shogi, without filters.
-- $min_games (5; 1..): only moves of at least so many games
-- $max_ply (40; 0..): only moves played within so many plies at least once
-- $variant (shogi): the kind of shogi
-- $ranks (9): height of the board
SELECT key, min(min_ply) AS ply, sum(games)::BIGINT AS games,
       list({'move': usi(move, ranks := $ranks), 'games': games} ORDER BY games DESC, move) AS moves,
       arg_max(top_game, (games, -top_game)) AS game_id
FROM openings SEMI JOIN (SELECT game_id AS top_game FROM games WHERE variant = $variant) USING (top_game)
WHERE move <> 0 AND games >= $min_games AND min_ply <= $max_ply
GROUP BY key
ORDER BY ply, games DESC, key;
