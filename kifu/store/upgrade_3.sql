-- What makes a database of version 2 one of version 3: grades, time controls as numbers, boards, named positions, games
-- contained in others, a view by player. Games that are in it already get no grades, evaluations and time controls:
-- load their files into a new database for that.

ALTER TABLE games ADD COLUMN black_grade VARCHAR;
ALTER TABLE games ADD COLUMN white_grade VARCHAR;
ALTER TABLE games ADD COLUMN black_grade_rank SMALLINT;
ALTER TABLE games ADD COLUMN white_grade_rank SMALLINT;
ALTER TABLE games ADD COLUMN main_seconds INTEGER;
ALTER TABLE games ADD COLUMN byoyomi_seconds INTEGER;
ALTER TABLE games ADD COLUMN increment_seconds INTEGER;
COMMENT ON COLUMN games.game_id IS 'In the order of loading, never given twice, with gaps where files were replaced; joins every other table';
COMMENT ON COLUMN games.handicap IS 'even, the name of a handicap of this kind of shogi, or other';
COMMENT ON COLUMN games.start_sfen IS 'NULL where a game of ordinary shogi starts from the position its handicap names; other kinds always have it';
COMMENT ON COLUMN games.moves IS 'Two bytes a ply, little-endian: target (7 bits), origin or kind dropped (7), drop (1), promotes (1). Other kinds than ordinary shogi have four bytes a ply: target (4 bits file, 4 bits rank), drop, turns over, turns back (a bit each), three bits 0, two bits 1 (which tell the two apart), origin or piece dropped (8), square on the way (8). Read it with usi_moves(moves)';
COMMENT ON COLUMN games.black_grade IS 'As the record has it, in its header or behind the name: 九段, 4-dan, 竜王, アマ三段, ...';
COMMENT ON COLUMN games.white_grade IS 'As black_grade';
COMMENT ON COLUMN games.black_grade_rank IS 'The grade as an ordered number: -15 (15 kyu) to -1 (1 kyu), 1 to 9 amateur dan, 101 to 109 professional dan, 110 a holder of a title; NULL where it says nothing of that';
COMMENT ON COLUMN games.white_grade_rank IS 'As black_grade_rank';
COMMENT ON COLUMN games.time_control IS 'As the record has it';
COMMENT ON COLUMN games.main_seconds IS 'From time_control: what each player has to begin with, in seconds; NULL where it cannot be told';
COMMENT ON COLUMN games.byoyomi_seconds IS 'From time_control: seconds a move after that, 0 for none';
COMMENT ON COLUMN games.increment_seconds IS 'From time_control: seconds added with every move, 0 for none';
COMMENT ON COLUMN games.evals IS 'Centipawns from Black''s view after ply n is evals[n]; NULL where the record tells none';

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
