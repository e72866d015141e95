-- next_keys: Positions after a move
-- The position that follows the last visit of a game to a position, for several games at once.
-- $keys: list of position keys
-- $games: list of games, one for each key
SELECT here.key, here.move, after.key AS next_key
FROM (SELECT unnest($keys::BIGINT[]) AS key, unnest($games::INTEGER[]) AS game_id) asked
JOIN plies here USING (key, game_id)
JOIN plies after ON after.game_id = here.game_id AND after.ply = here.ply + 1;
