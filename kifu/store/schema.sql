-- The tables of a kifu database, version 3. Whoever changes a table raises SCHEMA_VERSION in database.py
-- and writes upgrade_N.sql, which makes this version N of the one before.
-- Lengths and times are INTEGER, not SMALLINT: compressed they cost the same, and a record of 40,000 plies must not
-- stop a load.

CREATE TABLE meta (key VARCHAR PRIMARY KEY, value VARCHAR);
COMMENT ON TABLE meta IS 'What this file is: schema_version, position_key, move_encoding, tool_version, and whether openings is fresh or stale';

CREATE TABLE batches (
    batch_id INTEGER PRIMARY KEY, started_at TIMESTAMP, finished_at TIMESTAMP, tool_version VARCHAR,
    games_ok INTEGER, games_rejected INTEGER);
COMMENT ON TABLE batches IS 'One row a transaction of the loader; a batch is here whole or not at all. Times are UTC';
COMMENT ON COLUMN batches.games_ok IS 'Games added to games; duplicates are not counted';

CREATE TABLE sources (
    source_id INTEGER PRIMARY KEY, path VARCHAR, sha256 BLOB, size BIGINT, format VARCHAR, encoding VARCHAR,
    tool_version VARCHAR, batch_id INTEGER, loaded_at TIMESTAMP, games_ok INTEGER, games_rejected INTEGER);
COMMENT ON TABLE sources IS 'One row a file (or member of an archive) that was loaded';
COMMENT ON COLUMN sources.sha256 IS 'Digest of its bytes; a file with the same path and digest is skipped. NULL while only some of its games are in';
COMMENT ON COLUMN sources.size IS 'Bytes';
COMMENT ON COLUMN sources.batch_id IS 'The batch in which its last games came';
COMMENT ON COLUMN sources.games_ok IS 'Legal games and games ended by a foul that the file holds, duplicates of other games included';

CREATE TABLE games (
    game_id INTEGER PRIMARY KEY, game_hash UUID NOT NULL, source_id INTEGER, source_offset BIGINT,
    variant VARCHAR, handicap VARCHAR, start_sfen VARCHAR,
    black VARCHAR, white VARCHAR, black_rating SMALLINT, white_rating SMALLINT,
    event VARCHAR, site VARCHAR, date DATE, date_precision VARCHAR, time_control VARCHAR,
    result TINYINT, "end" VARCHAR, verified_end VARCHAR, verified_winner TINYINT,
    illegal_move VARCHAR, illegal_reason VARCHAR,
    plies INTEGER, moves BLOB, seconds INTEGER[], evals SMALLINT[], comments VARCHAR[],
    black_grade VARCHAR, white_grade VARCHAR, black_grade_rank SMALLINT, white_grade_rank SMALLINT,
    main_seconds INTEGER, byoyomi_seconds INTEGER, increment_seconds INTEGER);
COMMENT ON TABLE games IS 'One row a proven game: its headers, what it claims of its end and what replay proves, its moves';
COMMENT ON COLUMN games.game_id IS 'In the order of loading, never given twice, with gaps where files were replaced; joins every other table';
COMMENT ON COLUMN games.game_hash IS 'Same variant, start position and moves: BLAKE2b, 16 bytes. Players are not in it';
COMMENT ON COLUMN games.source_offset IS 'Where the record begins in its file';
COMMENT ON COLUMN games.handicap IS 'even, the name of a handicap of this kind of shogi, or other';
COMMENT ON COLUMN games.start_sfen IS 'NULL where a game of ordinary shogi starts from the position its handicap names; other kinds always have it';
COMMENT ON COLUMN games.black IS 'In handicap games Black is the player who receives the odds (shitate)';
COMMENT ON COLUMN games.date IS 'Unknown month or day counts as 1, see date_precision';
COMMENT ON COLUMN games.date_precision IS 'year, month or day';
COMMENT ON COLUMN games.black_grade IS 'As the record has it, in its header or behind the name: 九段, 4-dan, 竜王, アマ三段, ...';
COMMENT ON COLUMN games.white_grade IS 'As black_grade';
COMMENT ON COLUMN games.black_grade_rank IS 'The grade as an ordered number: -15 (15 kyu) to -1 (1 kyu), 1 to 9 amateur dan, 101 to 109 professional dan, 110 a holder of a title; NULL where it says nothing of that';
COMMENT ON COLUMN games.white_grade_rank IS 'As black_grade_rank';
COMMENT ON COLUMN games.time_control IS 'As the record has it';
COMMENT ON COLUMN games.main_seconds IS 'From time_control: what each player has to begin with, in seconds; NULL where it cannot be told';
COMMENT ON COLUMN games.byoyomi_seconds IS 'From time_control: seconds a move after that, 0 for none';
COMMENT ON COLUMN games.increment_seconds IS 'From time_control: seconds added with every move, 0 for none';
COMMENT ON COLUMN games.result IS 'As the record claims: 1 Black won, -1 White won, 0 draw, NULL none or unknown';
COMMENT ON COLUMN games."end" IS 'How the record says the game ended: resign, checkmate, timeout, repetition, ...';
COMMENT ON COLUMN games.verified_end IS 'What replay proves of the end, independent of what the record says';
COMMENT ON COLUMN games.verified_winner IS '1, -1, 0 or NULL, as in result';
COMMENT ON COLUMN games.illegal_move IS 'The foul that ended the game, in USI or as written; it is not in moves';
COMMENT ON COLUMN games.illegal_reason IS 'The rule it broke';
COMMENT ON COLUMN games.plies IS 'Legal moves of the main line';
COMMENT ON COLUMN games.moves IS 'Two bytes a ply, little-endian: target (7 bits), origin or kind dropped (7), drop (1), promotes (1). Other kinds than ordinary shogi have four bytes a ply: target (4 bits file, 4 bits rank), drop, turns over, turns back (a bit each), three bits 0, two bits 1 (which tell the two apart), origin or piece dropped (8), square on the way (8). Read it with usi_moves(moves)';
COMMENT ON COLUMN games.seconds IS 'Time spent on ply n is seconds[n]; NULL where the record has no clock';
COMMENT ON COLUMN games.evals IS 'Centipawns from Black''s view after ply n is evals[n]; NULL where the record tells none';
COMMENT ON COLUMN games.comments IS 'comments[1] stands before the first move, comments[n + 1] after ply n';

CREATE TABLE copies (game_id INTEGER, source_id INTEGER, source_offset BIGINT);
COMMENT ON TABLE copies IS 'Where else a game was found: a duplicate is not a second row of games, but its origin is kept';

CREATE TABLE plies (key BIGINT, move UINTEGER, game_id INTEGER, ply INTEGER);
COMMENT ON TABLE plies IS 'One row a position of a game, the final one included; sorted by key within each batch';
COMMENT ON COLUMN plies.key IS '64-bit Zobrist key of the position, see meta.position_key';
COMMENT ON COLUMN plies.move IS 'The move played there, encoded as in games.moves; 0 where the game ended. Read it with usi(move)';
COMMENT ON COLUMN plies.ply IS 'Moves played before: 0 at the start of the game';

CREATE TABLE game_tags (game_id INTEGER, side VARCHAR, kind VARCHAR, tag VARCHAR, ply INTEGER);
COMMENT ON TABLE game_tags IS 'Castles and openings that the games reached, more general ones included; games loaded by a version without this table have none';
COMMENT ON COLUMN game_tags.side IS 'black or white; both where the game as a whole is meant';
COMMENT ON COLUMN game_tags.kind IS 'castle or opening';
COMMENT ON COLUMN game_tags.tag IS 'The key of the entry in the pattern file: mino, yagura, ...';
COMMENT ON COLUMN game_tags.ply IS 'Moves played when it first stood';

CREATE TABLE openings (
    key BIGINT, move UINTEGER, next_key BIGINT, games INTEGER,
    black_wins INTEGER, white_wins INTEGER, draws INTEGER,
    black_rating_sum BIGINT, white_rating_sum BIGINT, rated_games INTEGER, min_ply INTEGER,
    first_date DATE, last_date DATE, top_game INTEGER, last_game INTEGER);
COMMENT ON TABLE openings IS 'What was played in positions that two or more games reached, sorted by key; derived from plies and games. A game that repeats a position counts once, with its last visit';
COMMENT ON COLUMN openings.move IS '0: the game ended there';
COMMENT ON COLUMN openings.next_key IS 'The position after the move, NULL for 0';
COMMENT ON COLUMN openings.black_wins IS 'By result, or by verified_winner where the record claims none';
COMMENT ON COLUMN openings.black_rating_sum IS 'Over the rated_games only';
COMMENT ON COLUMN openings.rated_games IS 'Games in which both players have a rating';
COMMENT ON COLUMN openings.top_game IS 'The game of the highest ratings together, the first of equals';
COMMENT ON COLUMN openings.last_game IS 'The latest game by date, the last loaded of equals';

CREATE TABLE rejects (
    source_id INTEGER, source_offset BIGINT, game_no INTEGER, line INTEGER, col INTEGER, ply INTEGER,
    code VARCHAR, message VARCHAR, text VARCHAR);
COMMENT ON TABLE rejects IS 'Games that are not in games, one row each: where, which diagnostic (kifu explain CODE), and the line as written';
COMMENT ON COLUMN rejects.game_no IS '1 is the first game of its file; NULL where the whole file could not be read';
COMMENT ON COLUMN rejects.text IS 'The line of the finding, shortened around it where it is very long';

CREATE TABLE boards (
    game_id INTEGER, ply INTEGER,
    s1a UTINYINT, s1b UTINYINT, s1c UTINYINT, s1d UTINYINT, s1e UTINYINT, s1f UTINYINT, s1g UTINYINT, s1h UTINYINT, s1i UTINYINT,
    s2a UTINYINT, s2b UTINYINT, s2c UTINYINT, s2d UTINYINT, s2e UTINYINT, s2f UTINYINT, s2g UTINYINT, s2h UTINYINT, s2i UTINYINT,
    s3a UTINYINT, s3b UTINYINT, s3c UTINYINT, s3d UTINYINT, s3e UTINYINT, s3f UTINYINT, s3g UTINYINT, s3h UTINYINT, s3i UTINYINT,
    s4a UTINYINT, s4b UTINYINT, s4c UTINYINT, s4d UTINYINT, s4e UTINYINT, s4f UTINYINT, s4g UTINYINT, s4h UTINYINT, s4i UTINYINT,
    s5a UTINYINT, s5b UTINYINT, s5c UTINYINT, s5d UTINYINT, s5e UTINYINT, s5f UTINYINT, s5g UTINYINT, s5h UTINYINT, s5i UTINYINT,
    s6a UTINYINT, s6b UTINYINT, s6c UTINYINT, s6d UTINYINT, s6e UTINYINT, s6f UTINYINT, s6g UTINYINT, s6h UTINYINT, s6i UTINYINT,
    s7a UTINYINT, s7b UTINYINT, s7c UTINYINT, s7d UTINYINT, s7e UTINYINT, s7f UTINYINT, s7g UTINYINT, s7h UTINYINT, s7i UTINYINT,
    s8a UTINYINT, s8b UTINYINT, s8c UTINYINT, s8d UTINYINT, s8e UTINYINT, s8f UTINYINT, s8g UTINYINT, s8h UTINYINT, s8i UTINYINT,
    s9a UTINYINT, s9b UTINYINT, s9c UTINYINT, s9d UTINYINT, s9e UTINYINT, s9f UTINYINT, s9g UTINYINT, s9h UTINYINT, s9i UTINYINT,
    bhp UTINYINT, bhl UTINYINT, bhn UTINYINT, bhs UTINYINT, bhg UTINYINT, bhb UTINYINT, bhr UTINYINT,
    whp UTINYINT, whl UTINYINT, whn UTINYINT, whs UTINYINT, whg UTINYINT, whb UTINYINT, whr UTINYINT);
COMMENT ON TABLE boards IS 'One row a position of a game of ordinary shogi, what stands on each square and how many men are in each hand, sorted by game_id and ply; empty unless loaded with --boards';
COMMENT ON COLUMN boards.s1a IS 'The man on the square: 0 none, 1 pawn 2 lance 3 knight 4 silver 5 gold 6 bishop 7 rook 8 king, + 32 promoted, + 64 White''s; so for every square. man(''+R'') gives the number';
COMMENT ON COLUMN boards.bhp IS 'Pawns in Black''s hand; so for the other men, and wh.. for White''s';
COMMENT ON COLUMN boards.ply IS 'Moves played before: 0 at the start of the game';

CREATE TABLE named_positions (key BIGINT, tag VARCHAR, name_ja VARCHAR, name_en VARCHAR, parent VARCHAR);
COMMENT ON TABLE named_positions IS 'Positions that have the name of an opening, by whatever moves they are reached; derived from the pattern files';
COMMENT ON COLUMN named_positions.key IS 'As plies.key';
COMMENT ON COLUMN named_positions.tag IS 'The key of the entry in the pattern file, as in game_tags';
COMMENT ON COLUMN named_positions.parent IS 'The tag of the more general opening, NULL where there is none';

CREATE TABLE tag_names (tag VARCHAR, kind VARCHAR, name_ja VARCHAR, name_en VARCHAR, style VARCHAR);
COMMENT ON TABLE tag_names IS 'What the tags of game_tags and named_positions are called, from the pattern files that made them; tag_name(tag, ''en'') reads it';
COMMENT ON COLUMN tag_names.tag IS 'The key of the entry in the pattern file: mino, yagura, ...';
COMMENT ON COLUMN tag_names.kind IS 'castle or opening';
COMMENT ON COLUMN tag_names.style IS 'static or ranging rook, or any';

CREATE TABLE contained (game_id INTEGER, longer_id INTEGER);
COMMENT ON TABLE contained IS 'Games whose start position and moves are the beginning of a longer game in the database: records broken off, or copies of part of a game. A game without moves is left out';
COMMENT ON COLUMN contained.longer_id IS 'The longer game; the longest one, the first loaded of equals';

CREATE VIEW player_games AS
SELECT game_id, 'black' AS side, black AS player, white AS opponent, black_rating AS rating, white_rating AS opponent_rating,
       black_grade_rank AS grade_rank, white_grade_rank AS opponent_grade_rank,
       CASE outcome(result, verified_winner) WHEN 1 THEN 1.0 WHEN 0 THEN 0.5 WHEN -1 THEN 0.0 END AS score,
       variant, handicap, date, event, "end", plies
FROM games WHERE black IS NOT NULL
UNION ALL
SELECT game_id, 'white', white, black, white_rating, black_rating, white_grade_rank, black_grade_rank,
       CASE outcome(result, verified_winner) WHEN -1 THEN 1.0 WHEN 0 THEN 0.5 WHEN 1 THEN 0.0 END,
       variant, handicap, date, event, "end", plies
FROM games WHERE white IS NOT NULL;
COMMENT ON VIEW player_games IS 'One row a player and game, seen from that player''s side; score is 1, 0.5 or 0, NULL where the game has no result';
