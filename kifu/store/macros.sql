-- Functions that every connection to a kifu database has. They are part of the file, so other tools have them too.

-- Whole-number squares of move codes: square(60) = '7g'. ranks is the height of the board.
CREATE OR REPLACE MACRO square(index, ranks := 9) AS (index // ranks + 1)::VARCHAR || chr((97 + index % ranks)::INTEGER);

-- A move code in USI: usi(7739) = '7g7f', NULL where the game ended. Codes of two bytes are those of ordinary shogi; the
-- bits 14 and 15 together mark one of four bytes, of any other kind, which needs to know nothing of its board.
CREATE OR REPLACE MACRO usi(move, ranks := 9) AS
    CASE
        WHEN move = 0 THEN NULL
        WHEN move & 49152 = 49152 THEN
            CASE WHEN move & 256 <> 0
                 THEN CASE WHEN move & 2097152 <> 0 THEN '+' ELSE '' END
                      || substr('PLNSGBRKACDEFHIJMOQTUVWXYZ', (move >> 16 & 31)::INTEGER, 1) || '*'
                 ELSE (move >> 16 & 15)::VARCHAR || chr((96 + (move >> 20 & 15))::INTEGER)
                      || CASE WHEN move >> 24 <> 0 THEN (move >> 24 & 15)::VARCHAR || chr((96 + (move >> 28 & 15))::INTEGER) ELSE '' END
                 END
            || (move & 15)::VARCHAR || chr((96 + (move >> 4 & 15))::INTEGER)
            || CASE WHEN move & 768 <> 512 THEN '' WHEN move & 1024 <> 0 THEN '-' ELSE '+' END
        WHEN move & 16384 <> 0 THEN substr('PLNSGBR', (move >> 7 & 127)::INTEGER, 1) || '*' || square(move & 127, ranks := ranks)
        ELSE square(move >> 7 & 127, ranks := ranks) || square(move & 127, ranks := ranks)
             || CASE WHEN move & 32768 <> 0 THEN '+' ELSE '' END
    END;

-- All move codes of games.moves, as a list.
CREATE OR REPLACE MACRO move_codes(moves) AS
    list_transform([hex(moves)], lambda digits:
        CASE WHEN length(digits) % 8 <> 0 OR substr(digits, 3, 1) < 'C'  -- four bytes a code, and so marked, or two
        THEN list_transform(range(1, length(digits), 4),
                lambda i: ('0x' || substr(digits, i + 2, 2) || substr(digits, i, 2))::UINTEGER)
        ELSE list_transform(range(1, length(digits), 8),
                lambda i: ('0x' || substr(digits, i + 6, 2) || substr(digits, i + 4, 2) || substr(digits, i + 2, 2)
                           || substr(digits, i, 2))::UINTEGER) END)[1];

-- All moves of a game in USI, as a list: SELECT usi_moves(moves) FROM games.
CREATE OR REPLACE MACRO usi_moves(moves, ranks := 9) AS
    list_transform(move_codes(moves), lambda move: usi(move, ranks := ranks));

-- Who won: what the record claims, or what replay proves where it claims nothing. 1 Black, -1 White, 0 draw, or NULL.
CREATE OR REPLACE MACRO outcome(result, verified_winner) AS coalesce(result, verified_winner);

-- A result in words: result_word(1) = 'black'.
CREATE OR REPLACE MACRO result_word(result) AS
    CASE result WHEN 1 THEN 'black' WHEN -1 THEN 'white' WHEN 0 THEN 'draw' ELSE 'unknown' END;

-- Whether a text is the name of this player: the name alone, or with a grade or title behind it, as in
-- named('羽生善治 九段', '羽生善治'). Capitals count in the name.
CREATE OR REPLACE MACRO named(text, name) AS
    text = name OR starts_with(text, name) AND regexp_full_match(substr(text, length(name) + 1),
        '[ 　,]*[(（\[［【]?((アマチュア|アマ|プロ|女流|奨励会|元|前|永世|名誉|第)?[ 　]*([0-9０-９初一二三四五六七八九十]+[ 　-]*(段|級|冠|世|期|dan|kyu)'
        || '|名人|竜王|龍王|王位|王座|棋王|王将|棋聖|叡王|十段|白玲|清麗|女王|女流王座|女流名人|女流王位|女流王将|倉敷藤花|meijin|ryu-?o)[ 　・、/,]*)+[)）\]］】]?',
        'i');

-- Bounds of the Wilson interval (95 %) of a score of points out of n games; NULL for no games.
CREATE OR REPLACE MACRO wilson_low(points, n) AS CASE WHEN n > 0 AND points IS NOT NULL THEN greatest(0.0,
    (points / n + 1.9207294 / n - 1.959964 * sqrt(greatest(0.0, points / n * (1 - points / n) / n + 0.9603647 / n / n)))
    / (1 + 3.8414588 / n)) END;
CREATE OR REPLACE MACRO wilson_high(points, n) AS CASE WHEN n > 0 AND points IS NOT NULL THEN least(1.0,
    (points / n + 1.9207294 / n + 1.959964 * sqrt(greatest(0.0, points / n * (1 - points / n) / n + 0.9603647 / n / n)))
    / (1 + 3.8414588 / n)) END;

-- Aggregates over games: the best rated one, the first loaded of equals; the latest one, the last loaded of equals.
-- Rating or date and game_id go into one number, so that one max() decides.
CREATE OR REPLACE MACRO by_date(game_id, date) AS coalesce(date - DATE '0001-01-01', 0)::BIGINT << 31 | game_id;
CREATE OR REPLACE MACRO latest_game(game_id, date) AS (max(by_date(game_id, date)) & 2147483647)::INTEGER;
CREATE OR REPLACE MACRO best_game(game_id, ratings) AS
    (2147483647 - (max(coalesce(ratings, 0)::BIGINT << 31 | 2147483647 - game_id) & 2147483647))::INTEGER;

-- The key of the usual start position: FROM openings WHERE key = start_key().
CREATE OR REPLACE MACRO start_key() AS 5032606888462693918;
