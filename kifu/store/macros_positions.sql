-- Positions in SQL: SFEN of a game at a ply, keys, men, hands. Standard shogi only. Part of the file, as macros.sql.
-- Names that begin with an underscore are parts of the others. Inside them a position is one text, which a move changes
-- in a few places: 81 signs for the squares in the order of SFEN (9a 8a ... 1i), "." where nothing stands and T M O Z H D
-- for promoted pawns, lances, knights, silvers, bishops and rooks; behind them a letter for each man in hand, and a sign
-- of 1234567 (Black) or cdefhij (White) for each that was dropped again. `list_transform([x], lambda v: ...)[1]` names a
-- value that is needed several times; what a macro is given stands in such a list only, never inside a lambda, where
-- subqueries are not allowed.

-- The position that a game starts from: what its columns start_sfen and handicap say together; NULL for an unknown one.
CREATE OR REPLACE MACRO start_position(handicap, start_sfen := NULL) AS coalesce(start_sfen,
    CASE handicap
        WHEN 'even' THEN 'lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1'
        WHEN 'lance' THEN 'lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1'
        WHEN 'right-lance' THEN '1nsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1'
        WHEN 'bishop' THEN 'lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1'
        WHEN 'rook' THEN 'lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1'
        WHEN 'rook-lance' THEN 'lnsgkgsn1/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1'
        WHEN '2-piece' THEN 'lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1'
        WHEN '3-piece' THEN '1nsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1'
        WHEN '4-piece' THEN '1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1'
        WHEN '5-piece' THEN '2sgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1'
        WHEN 'left-5-piece' THEN '1nsgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1'
        WHEN '6-piece' THEN '2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1'
        WHEN 'right-7-piece' THEN '3gkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1'
        WHEN 'left-7-piece' THEN '2sgkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1'
        WHEN '8-piece' THEN '3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1'
        WHEN '10-piece' THEN '4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1'
        WHEN 'three-pawns' THEN '4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w 3p 1'
        WHEN 'naked-king' THEN '4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1'
    END);

-- A man by its letter as a number, and the opposite. The numbers are those of the columns of boards: 1 pawn to 8 king,
-- + 32 promoted, + 64 White's.
CREATE OR REPLACE MACRO man(name) AS
    list_transform([name], lambda _man:
        CASE WHEN _man IS NULL THEN NULL
             WHEN regexp_full_match(_man, '\+?[PLNSBRplnsbr]|[GKgk]')
             THEN (strpos('PLNSGBRK', upper(right(_man, 1))) + CASE WHEN starts_with(_man, '+') THEN 32 ELSE 0 END
                   + CASE WHEN right(_man, 1) = lower(right(_man, 1)) THEN 64 ELSE 0 END)::UTINYINT
             ELSE error('man(''' || _man || '''): men are P L N S G B R K, with + for the promoted face, small for White''s')
             END)[1];
CREATE OR REPLACE MACRO man_name(number) AS
    list_transform([number], lambda _n: list_transform(
        [CASE WHEN _n & 32 <> 0 THEN '+' ELSE '' END || nullif(substr('PLNSGBRK', (_n & 31)::INTEGER, 1), '')],
        lambda _name: CASE WHEN _n & 64 <> 0 THEN lower(_name) ELSE _name END)[1])[1];

-- SFEN as such a text, and what it says of the side to move and of the number of the next move.
CREATE OR REPLACE MACRO _refused(sfen) AS error('''' || sfen[:120] || ''' is no SFEN of standard shogi');
CREATE OR REPLACE MACRO _replaced(text, pairs) AS
    list_reduce(pairs, lambda _text, _pair: replace(_text, split_part(_pair, ' ', 1), split_part(_pair, ' ', 2)), text);
CREATE OR REPLACE MACRO _squares(board) AS
    list_transform([list_reduce(['1', '2', '3', '4', '5', '6', '7', '8', '9'],
                                lambda _text, _digit: replace(_text, _digit, repeat('.', _digit::INTEGER)),
                                _replaced(board, ['+P T', '+L M', '+N O', '+S Z', '+B H', '+R D',
                                                  '+p t', '+l m', '+n o', '+s z', '+b h', '+r d']))],
        lambda _rows: CASE WHEN regexp_full_match(_rows, '([^/]{9}/){8}[^/]{9}') THEN replace(_rows, '/', '') END)[1];
CREATE OR REPLACE MACRO _in_hand(hands) AS
    coalesce(array_to_string(list_transform(regexp_extract_all(hands, '[0-9]*[A-Za-z]'),
        lambda _man: repeat(right(_man, 1), coalesce(nullif(_man[:-2], ''), '1')::INTEGER)), ''), '');
CREATE OR REPLACE MACRO _men(sfen) AS
    CASE WHEN sfen IS NULL THEN NULL
         WHEN length(sfen) > 300 OR
              NOT regexp_full_match(sfen, '[1-9PLNSGBRKplnsgbrk+/]+ [bw]( (-|([0-9]{0,2}[PLNSGBRplnsgbr])+)( [0-9]{1,9})?)?') OR
              regexp_matches(sfen, '\+[^PLNSBRplnsbr]') THEN _refused(sfen)
         ELSE coalesce(_squares(split_part(sfen, ' ', 1)) || _in_hand(split_part(sfen, ' ', 3)), _refused(sfen)) END;
CREATE OR REPLACE MACRO _white_moves(sfen) AS (split_part(sfen, ' ', 2) = 'w')::INTEGER;
CREATE OR REPLACE MACRO _number(sfen) AS coalesce(nullif(split_part(sfen, ' ', 4), ''), '1')::INTEGER;

-- A move on such a text. It is a text too: place of the origin, place of the target, and - or + (promotes); or for a drop
-- the number of the man (1 Black's pawn .. 14 White's rook), the target, and *.
CREATE OR REPLACE MACRO _place(index) AS index % 9 * 9 + 9 - index // 9;
CREATE OR REPLACE MACRO _coded(code, white) AS
    CASE WHEN code & 16384 <> 0 THEN printf('%02d%02d*', (code >> 7 & 127) + 7 * white, _place(code & 127))
         ELSE printf('%02d%02d', _place(code >> 7 & 127), _place(code & 127)) || CASE WHEN code & 32768 <> 0 THEN '+' ELSE '-' END END;
CREATE OR REPLACE MACRO _put(men, place, man) AS men[:place - 1] || man || men[place + 1:];
CREATE OR REPLACE MACRO _moved(men, origin, target, promotes) AS
    _put(_put(men, origin, '.'), target,
         CASE WHEN promotes THEN translate(men[origin], 'PLNSBRplnsbr', 'TMOZHDtmozhd') ELSE men[origin] END)
    || replace(translate(men[target], 'PLNSGBRTMOZHDplnsgbrtmozhd', 'plnsgbrplnsbrPLNSGBRPLNSBR'), '.', '');
CREATE OR REPLACE MACRO _dropped(men, number, target) AS
    _put(men, target, 'PLNSGBRplnsgbr'[number]) || '1234567cdefhij'[number];
CREATE OR REPLACE MACRO _played(men, move) AS
    CASE move[5] WHEN '*' THEN _dropped(men, move[:2]::INTEGER, move[3:4]::INTEGER)
                 ELSE _moved(men, move[:2]::INTEGER, move[3:4]::INTEGER, move[5] = '+') END;
CREATE OR REPLACE MACRO _after(men, codes, white) AS
    list_reduce(list_transform(codes, lambda _code, _n: _coded(_code, (_n + 1 + white) % 2)),
                lambda _men, _move: _played(_men, _move), men);

-- From such a text back to SFEN, and to the key.
CREATE OR REPLACE MACRO _count(men, letter, drop_sign) AS
    length(replace(men[82:], drop_sign, '')) - length(replace(men[82:], letter, ''));
CREATE OR REPLACE MACRO _hands(men) AS
    coalesce(nullif(array_to_string(list_transform(range(1, 15),
        lambda _k: list_transform([_count(men, 'RBGSNLPrbgsnlp'[_k], '7654321jihfedc'[_k])],
            lambda _n: CASE WHEN _n > 0 THEN CASE WHEN _n > 1 THEN _n::VARCHAR ELSE '' END || 'RBGSNLPrbgsnlp'[_k] ELSE '' END)[1]),
        ''), ''), CASE WHEN men IS NOT NULL THEN '-' END);
CREATE OR REPLACE MACRO _board(men) AS
    _replaced(array_to_string(list_transform(range(0, 9), lambda _rank: men[9 * _rank + 1:9 * _rank + 9]), '/'),
              ['......... 9', '........ 8', '....... 7', '...... 6', '..... 5', '.... 4', '... 3', '.. 2', '. 1',
               'T +P', 'M +L', 'O +N', 'Z +S', 'H +B', 'D +R', 't +p', 'm +l', 'o +n', 'z +s', 'h +b', 'd +r']);
-- splitmix64 of the number of a constant, as kifu/rules/zobrist.py has it. Products of 64 bits are put together from halves.
CREATE OR REPLACE MACRO _low(value) AS value & 4294967295::UBIGINT;
CREATE OR REPLACE MACRO _product(value, high, low) AS
    _low(_low(value) * low) | (_low((_low(value) * low >> 32) + _low(_low(value) * high) + _low((value >> 32) * low)) << 32);
CREATE OR REPLACE MACRO _mixed(value, shift) AS xor(value, value >> shift);
CREATE OR REPLACE MACRO _constants(numbers) AS
    list_transform(list_transform(list_transform(list_transform(list_transform(list_transform(numbers,
        lambda _n: _product((_n + 1)::UBIGINT, 2654435769::UBIGINT, 2135587861::UBIGINT)),
        lambda _a: _mixed(_a, 30)),
        lambda _b: _product(_b, 3210233709::UBIGINT, 484763065::UBIGINT)),
        lambda _c: _mixed(_c, 27)),
        lambda _d: _product(_d, 2496678331::UBIGINT, 321982955::UBIGINT)),
        lambda _e: _mixed(_e, 31));
CREATE OR REPLACE MACRO _signed(value) AS
    CASE WHEN value > 9223372036854775807 THEN (value::HUGEINT - 18446744073709551616)::BIGINT ELSE value::BIGINT END;
CREATE OR REPLACE MACRO _facts(men, white) AS
    list_concat(list_concat(
        list_transform(list_filter(range(0, 81), lambda _i: men[_i + 1] <> '.'),
            lambda _at: list_transform([men[_at + 1]], lambda _sign:
                CASE WHEN _sign = lower(_sign) THEN 16384 ELSE 0 END
                + 256 * strpos('PLNSGBRK                        TMOZ HD', upper(_sign)))[1]
                + 16 * (9 - _at % 9) + _at // 9 + 1),
        list_filter(list_transform(range(1, 15), lambda _k:
            list_transform([_count(men, 'PLNSGBRplnsgbr'[_k], '1234567cdefhij'[_k])], lambda _held:
                CASE WHEN _held > 0 THEN 32768 + CASE WHEN _k > 7 THEN 16384 ELSE 0 END + 256 * ((_k - 1) % 7 + 1) + _held END)[1]),
            lambda _number: _number IS NOT NULL)),
        CASE WHEN white = 1 THEN [65536::BIGINT] ELSE [] END);
CREATE OR REPLACE MACRO _key(men, white) AS
    CASE WHEN men IS NOT NULL THEN _signed(coalesce(list_aggregate(_constants(_facts(men, white)), 'bit_xor'), 0::UBIGINT)) END;

-- The key of a position, as in plies.key; NULL for NULL. Whether the position could come up is not looked at.
CREATE OR REPLACE MACRO position_key(sfen) AS
    list_transform([sfen], lambda _text: CASE WHEN _text = 'startpos' THEN start_key()
        ELSE list_transform([_men(_text)], lambda _sfen_men: _key(_sfen_men, _white_moves(_text)))[1] END)[1];

-- The SFEN of a game after so many plies: sfen_at(moves, start_sfen, handicap, 20) FROM games. NULL beyond its end, and
-- for games of other kinds of shogi, whose codes have four bytes; kifu's function position_at knows those.
CREATE OR REPLACE MACRO _sfen_after(start, codes, ply) AS
    list_transform([_after(_men(start), codes, _white_moves(start))],
        lambda _at_men: _board(_at_men) || CASE WHEN (_white_moves(start) + ply) % 2 = 1 THEN ' w ' ELSE ' b ' END
            || _hands(_at_men) || ' ' || (_number(start) + ply)::VARCHAR)[1];
CREATE OR REPLACE MACRO sfen_at(moves, start_sfen, handicap, ply) AS
    list_transform([{'moves': moves, 'start': start_position(handicap, start_sfen := start_sfen), 'ply': ply}],
        lambda _game: CASE WHEN _game.ply BETWEEN 0 AND octet_length(_game.moves::BLOB) // 2
                            AND substr(hex(_game.moves::BLOB), 3, 1) < 'C'
            THEN _sfen_after(_game.start, move_codes(_game.moves)[:_game.ply], _game.ply) END)[1];

-- The same for a game of the database by its number, NULL for one of another kind of shogi.
CREATE OR REPLACE MACRO game_sfen(game, ply) AS
    (SELECT any_value(sfen_at(_moves, _start, _handicap, ply))
     FROM (SELECT game_id AS _id, moves AS _moves, start_sfen AS _start, handicap AS _handicap FROM games WHERE variant = 'shogi')
     WHERE _id = game);
-- The SFEN of a position of the database by its key, NULL for one that no game reached: key_sfen(key) FROM openings.
CREATE OR REPLACE MACRO key_sfen(position) AS
    (SELECT any_value(sfen_at(_moves, _start, _handicap, _visit & 2147483647))
     FROM (SELECT game_id AS _id, moves AS _moves, start_sfen AS _start, handicap AS _handicap FROM games WHERE variant = 'shogi')
     JOIN (SELECT (SELECT min(_game << 31 | _ply) FROM (SELECT key AS _key, game_id::BIGINT AS _game, ply AS _ply FROM plies)
                   WHERE _key = position) AS _visit) ON _id = _visit >> 31);

-- What stands on a square (K, +r, ..; NULL for nothing), what a side has in hand (RB2P; - for nothing), and how many men
-- of a kind are there: material(sfen, 'G') = 2. Capital letters are Black's, small ones White's.
CREATE OR REPLACE MACRO man_at(sfen, square) AS
    list_transform([{'sfen': sfen, 'square': square}], lambda _asked:
        CASE WHEN regexp_full_match(_asked.square, '[1-9][a-i]')
             THEN list_transform([_men(_asked.sfen)[(ascii(_asked.square[2]) - 97) * 9 + 10 - _asked.square[1]::INTEGER]],
                lambda _sign: CASE WHEN _sign <> '.' THEN
                    CASE WHEN strpos('TMOZHDtmozhd', _sign) > 0 THEN '+' ELSE '' END
                    || translate(_sign, 'TMOZHDtmozhd', 'PLNSBRplnsbr') END)[1]
             WHEN _asked.square IS NULL THEN NULL
             ELSE error('''' || _asked.square || ''' is no square; squares are 1a to 9i') END)[1];
CREATE OR REPLACE MACRO hand(sfen, side) AS
    list_transform([{'sfen': sfen, 'side': side}], lambda _asked: list_transform([_men(_asked.sfen)],
        lambda _m: list_transform([_hands(_m)], lambda _both:
            CASE _asked.side
            WHEN 'black' THEN CASE WHEN _both IS NOT NULL THEN coalesce(nullif(regexp_replace(_both, '[0-9]*[a-z]', '', 'g'), ''), '-') END
            WHEN 'white' THEN CASE WHEN _both IS NOT NULL THEN coalesce(nullif(upper(regexp_replace(_both, '[0-9]*[A-Z]', '', 'g')), ''), '-') END
            ELSE CASE WHEN _asked.side IS NOT NULL
                 THEN error('hand(..., ''' || _asked.side || '''): a side is black or white') END END)[1])[1])[1];
CREATE OR REPLACE MACRO material(sfen, man) AS
    list_transform([{'men': _men(sfen), 'name': man_name(man(man))}], lambda _asked:
        length(_asked.men) - length(replace(_asked.men, CASE WHEN starts_with(_asked.name, '+')
            THEN translate(_asked.name[2], 'PLNSBRplnsbr', 'TMOZHDtmozhd') ELSE _asked.name END, '')))[1];

-- A position as the diagram that Japanese records carry, of several lines: SELECT diagram(game_sfen(1, 20)).
CREATE OR REPLACE MACRO _held(hands, of_white) AS
    coalesce(nullif(array_to_string(list_transform(
        list_filter(regexp_extract_all(hands, '[0-9]*[A-Za-z]'), lambda _one: (right(_one, 1) = lower(right(_one, 1))) = of_white),
        lambda _group: translate(upper(right(_group, 1)), 'PLNSGBR', '歩香桂銀金角飛')
            || coalesce((['', '二', '三', '四', '五', '六', '七', '八', '九', '十', '十一', '十二', '十三', '十四', '十五', '十六',
                '十七', '十八'])[nullif(_group[:-2], '')::INTEGER], '')), '　'), ''), 'なし');
CREATE OR REPLACE MACRO diagram(sfen) AS
    list_transform([sfen], lambda _text: list_transform([_men(_text)], lambda _signs:
        '後手の持駒：' || _held(_hands(_signs), true) || chr(10) || '  ９ ８ ７ ６ ５ ４ ３ ２ １' || chr(10)
        || '+---------------------------+' || chr(10)
        || array_to_string(list_transform(range(0, 9), lambda _row: '|' || array_to_string(list_transform(range(1, 10), lambda _file:
            list_transform([_signs[9 * _row + _file]], lambda _here: CASE WHEN _here = '.' THEN ' ・' ELSE
                CASE WHEN _here = lower(_here) THEN 'v' ELSE ' ' END
                || translate(upper(_here), 'PLNSGBRKTMOZHD', '歩香桂銀金角飛玉と杏圭全馬龍') END)[1]), '')
            || '|' || '一二三四五六七八九'[_row + 1] || chr(10)), '')
        || '+---------------------------+' || chr(10) || '先手の持駒：' || _held(_hands(_signs), false) || chr(10)
        || CASE WHEN _signs IS NOT NULL THEN CASE WHEN _white_moves(_text) = 1 THEN '後手番' ELSE '先手番' END END)[1])[1];

-- The moves of a game of the database, a row each, with the position before it (NULL where the game is of another kind
-- of shogi): FROM game_moves(1).
CREATE OR REPLACE MACRO game_moves(game) AS TABLE
    SELECT game_id, ply + 1 AS ply, _codes[ply + 1] AS move, usi(_codes[ply + 1]) AS usi,
           CASE variant WHEN 'shogi' THEN sfen_at(moves, start_sfen, handicap, ply) END AS sfen, seconds[ply + 1] AS seconds, evals[ply + 1] AS eval,
           comments[ply + 2] AS comment
    FROM (SELECT *, move_codes(moves) AS _codes, unnest(range(plies)) AS ply FROM games WHERE game_id = game)
    ORDER BY ply;

-- The name of a castle or an opening by its tag, Japanese or English: tag_name('mino', 'en') = 'Mino'.
CREATE OR REPLACE MACRO tag_name(entry, lang := 'ja') AS
    (SELECT any_value(CASE lang WHEN 'ja' THEN _ja WHEN 'en' THEN _en
                      ELSE CASE WHEN lang IS NOT NULL THEN error('tag_name(..., ''' || lang || '''): names are in ja or en') END END)
     FROM (SELECT tag AS _tag, name_ja AS _ja, name_en AS _en FROM tag_names) WHERE _tag = entry);
-- The names of openings that a position has, by its key, special ones without the general ones that they come under:
-- position_name(key) FROM openings.
CREATE OR REPLACE MACRO position_name(position, lang := 'ja') AS
    (SELECT array_to_string(list_sort(list(DISTINCT CASE lang WHEN 'ja' THEN _ja WHEN 'en' THEN _en
                ELSE CASE WHEN lang IS NOT NULL THEN error('position_name(..., ''' || lang || '''): names are in ja or en') END END)), ', ')
     FROM (SELECT n.key AS _key, n.name_ja AS _ja, n.name_en AS _en FROM named_positions n
           ANTI JOIN named_positions special ON special.key = n.key AND special.parent = n.tag)
     WHERE _key = position);

-- Both bounds of the Wilson interval at once: wilson(wins + draws / 2, games).low.
CREATE OR REPLACE MACRO wilson(points, n) AS
    CASE WHEN n > 0 THEN {'low': wilson_low(points, n), 'high': wilson_high(points, n)} END;
