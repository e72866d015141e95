-- filtered_tree: Opening tree over chosen games
-- The same as opening_tree, counted from the games themselves: for any position, and with filters. Each game counts
-- once per position, with its last visit. Positions that have the colours exchanged can count too: their moves, results
-- and ratings are turned.
-- $keys: list of position keys
-- $first: the lowest of them
-- $last: the highest of them
-- $turned (none): list of as many keys, of the same positions with the colours exchanged
-- $squares (81): number of squares of the board
-- $corner (170): files of the board, and 16 times its ranks, and 17
WITH last_visits AS (
    SELECT coalesce(list_extract($keys::BIGINT[], list_position($turned::BIGINT[], key)), key) AS key, game_id,
           arg_max(move, ply) AS code, arg_max(coalesce(list_contains($turned::BIGINT[], key), false), ply) AS turned
    FROM plies
    WHERE key BETWEEN $first AND $last
      AND (list_contains($keys::BIGINT[], key) OR list_contains($turned::BIGINT[], key))
    GROUP BY 1, game_id
), visits AS (
    SELECT key, game_id, date, CASE WHEN turned THEN -score ELSE score END AS score,
           CASE WHEN NOT turned OR code = 0 THEN code
                WHEN code & 49152 = 49152  -- four bytes: file and rank of each square are turned
                THEN code & 65280 | $corner - (code & 255)
                     | (CASE WHEN code & 256 <> 0 THEN code >> 16 & 255 ELSE $corner - (code >> 16 & 255) END << 16)
                     | (CASE WHEN code >> 24 = 0 THEN 0 ELSE $corner - (code >> 24) END << 24)
                ELSE code & 49152 | $squares - 1 - (code & 127)  -- a drop keeps its kind, squares are turned
                     | (CASE WHEN code & 16384 <> 0 THEN code >> 7 & 127 ELSE $squares - 1 - (code >> 7 & 127) END << 7)
           END::UINTEGER AS move,
           CASE WHEN white_rating IS NOT NULL THEN CASE WHEN turned THEN white_rating ELSE black_rating END END::INTEGER AS black_rating,
           CASE WHEN black_rating IS NOT NULL THEN CASE WHEN turned THEN black_rating ELSE white_rating END END::INTEGER AS white_rating
    FROM last_visits JOIN selected USING (game_id)
)
SELECT key, move, count(*) AS games, count(*) FILTER (score = 1) AS black_wins, count(*) FILTER (score = -1) AS white_wins,
       count(*) FILTER (score = 0) AS draws, coalesce(sum(black_rating), 0)::BIGINT AS black_rating_sum,
       coalesce(sum(white_rating), 0)::BIGINT AS white_rating_sum, count(black_rating) AS rated_games,
       min(date) AS first_date, max(date) AS last_date, NULL::BIGINT AS next_key,
       best_game(game_id, black_rating + white_rating) AS top_game, latest_game(game_id, date) AS last_game
FROM visits
GROUP BY key, move
ORDER BY key, games DESC, move;
