-- The tables of a kifu database, version 2. Whoever changes a table raises SCHEMA_VERSION in database.py
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
    plies INTEGER, moves BLOB, seconds INTEGER[], evals SMALLINT[], comments VARCHAR[]);
COMMENT ON TABLE games IS 'One row a proven game: its headers, what it claims of its end and what replay proves, its moves';
COMMENT ON COLUMN games.game_hash IS 'Same variant, start position and moves: BLAKE2b, 16 bytes. Players are not in it';
COMMENT ON COLUMN games.source_offset IS 'Where the record begins in its file';
COMMENT ON COLUMN games.handicap IS 'even, the name of a handicap, or other';
COMMENT ON COLUMN games.start_sfen IS 'NULL where the game starts from the position its handicap names';
COMMENT ON COLUMN games.black IS 'In handicap games Black is the player who receives the odds (shitate)';
COMMENT ON COLUMN games.date IS 'Unknown month or day counts as 1, see date_precision';
COMMENT ON COLUMN games.date_precision IS 'year, month or day';
COMMENT ON COLUMN games.result IS 'As the record claims: 1 Black won, -1 White won, 0 draw, NULL none or unknown';
COMMENT ON COLUMN games."end" IS 'How the record says the game ended: resign, checkmate, timeout, repetition, ...';
COMMENT ON COLUMN games.verified_end IS 'What replay proves of the end, independent of what the record says';
COMMENT ON COLUMN games.verified_winner IS '1, -1, 0 or NULL, as in result';
COMMENT ON COLUMN games.illegal_move IS 'The foul that ended the game, in USI or as written; it is not in moves';
COMMENT ON COLUMN games.illegal_reason IS 'The rule it broke';
COMMENT ON COLUMN games.plies IS 'Legal moves of the main line';
COMMENT ON COLUMN games.moves IS 'Two bytes a ply, little-endian: target (7 bits), origin or kind dropped (7), drop (1), promotes (1). Read it with usi_moves(moves)';
COMMENT ON COLUMN games.seconds IS 'Time spent on ply n is seconds[n]; NULL where the record has no clock';
COMMENT ON COLUMN games.evals IS 'Centipawns from Black''s view; not filled by this version';
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
