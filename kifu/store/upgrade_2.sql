-- What makes a database of version 1 one of version 2: the table of castles and openings.
-- Games that are in it already get none: load their files into a new database for that.

CREATE TABLE game_tags (game_id INTEGER, side VARCHAR, kind VARCHAR, tag VARCHAR, ply INTEGER);
COMMENT ON TABLE game_tags IS 'Castles and openings that the games reached, more general ones included; games loaded by a version without this table have none';
COMMENT ON COLUMN game_tags.side IS 'black or white; both where the game as a whole is meant';
COMMENT ON COLUMN game_tags.kind IS 'castle or opening';
COMMENT ON COLUMN game_tags.tag IS 'The key of the entry in the pattern file: mino, yagura, ...';
COMMENT ON COLUMN game_tags.ply IS 'Moves played when it first stood';
