-- game_players: Players and dates of games
-- Who played the games of these numbers, and when.
-- $games: list of games
SELECT game_id, black, white, date FROM games WHERE list_contains($games::INTEGER[], game_id) ORDER BY game_id;
