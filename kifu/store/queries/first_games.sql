-- first_games: Who played a move first
-- For each move of positions the earliest game with it, by date; undated games come last, of equals the first loaded.
-- $keys: list of position keys
-- $first: the lowest of them
-- $last: the highest of them
-- $turned (none): list of as many keys, of the same positions with the colours exchanged
-- $squares (81): number of squares of the board
-- $corner (170): files of the board, and 16 times its ranks, and 17
SELECT key, move, min_by(game_id, coalesce(date - DATE '0001-01-01', 9999999)::BIGINT << 31 | game_id) AS first_game
FROM (
    SELECT coalesce(list_extract($keys::BIGINT[], list_position($turned::BIGINT[], key)), key) AS key, game_id, date,
           CASE WHEN NOT coalesce(list_contains($turned::BIGINT[], key), false) THEN move
                WHEN move & 49152 = 49152  -- four bytes: file and rank of each square are turned
                THEN move & 65280 | $corner - (move & 255)
                     | (CASE WHEN move & 256 <> 0 THEN move >> 16 & 255 ELSE $corner - (move >> 16 & 255) END << 16)
                     | (CASE WHEN move >> 24 = 0 THEN 0 ELSE $corner - (move >> 24) END << 24)
                ELSE move & 49152 | $squares - 1 - (move & 127)  -- a drop keeps its kind, squares are turned
                     | (CASE WHEN move & 16384 <> 0 THEN move >> 7 & 127 ELSE $squares - 1 - (move >> 7 & 127) END << 7)
                END::UINTEGER AS move
    FROM plies JOIN selected USING (game_id)
    WHERE key BETWEEN $first AND $last AND move <> 0
      AND (list_contains($keys::BIGINT[], key) OR list_contains($turned::BIGINT[], key))
)
GROUP BY key, move;
