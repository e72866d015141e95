-- What version 2 of the tables held after loading three small files, as kifu wrote it then (commit 810378b).
INSERT INTO batches VALUES
    (1, '2026-11-30 17:19:26.436500', '2026-11-30 17:19:54.443385', '0.1.0', 2, 0),
    (2, '2026-11-30 17:19:54.440863', '2026-11-30 17:19:54.573404', '0.1.0', 2, 0),
    (3, '2026-11-30 17:19:54.551946', '2026-11-30 17:19:54.684611', '0.1.0', 0, 1);
INSERT INTO copies VALUES
    (1, 2, 104);
INSERT INTO games VALUES
    (1, 'df465441-b836-4286-5f66-87bd2e27f7ac', 1, 0, 'shogi', 'even', NULL, 'Kana', 'Riku', NULL, NULL, 'First cup', NULL, '2024-05-06', 'day', NULL, 1, 'resign', NULL, NULL, NULL, NULL, 5, '\x3B\x1E\x15\x0A\xB2\x19\xC2\x20\x34\x08'::BLOB, [12, 3, 7, 1, 30], NULL, ['a comment']),
    (2, '68c59163-5f2e-d0a6-43a3-24644e1fb75d', 1, 150, 'shogi', 'even', NULL, 'Kana', 'Sora', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'interrupted', NULL, NULL, NULL, NULL, 3, '\x3B\x1E\x15\x0A\xB2\x19'::BLOB, [12, 3, NULL], NULL, NULL),
    (3, 'acc5cc2a-33ca-fe8c-06bc-40629f7d9323', 2, 0, 'shogi', 'even', NULL, 'Riku', 'Kana', NULL, NULL, NULL, NULL, NULL, NULL, NULL, -1, 'resign', NULL, NULL, NULL, NULL, 4, '\x3B\x1E\x15\x0A\x0A\xA3\x0A\x09'::BLOB, NULL, NULL, NULL),
    (4, '3b5ff215-16b9-f9b7-6a56-8686976debde', 2, 65, 'shogi', 'rook', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, 'resign', NULL, NULL, NULL, NULL, 2, '\x1C\x12\x3B\x1E'::BLOB, NULL, NULL, NULL);
INSERT INTO game_tags VALUES
    (1, 'white', 'opening', 'static_rook', 4),
    (1, 'black', 'opening', 'ranging_rook', 5),
    (1, 'both', 'opening', 'counter_ranging', 5),
    (1, 'black', 'opening', 'shikenbisha', 5);
INSERT INTO meta VALUES
    ('schema_version', '2'),
    ('position_key', 'kifu-zobrist-64 v1'),
    ('move_encoding', 'kifu-move-16 v1'),
    ('tool_version', '0.1.0'),
    ('openings', 'fresh');
INSERT INTO openings VALUES
    (-9101466356201102917, 6578, 6789995600435466265, 2, 1, 0, 0, 0, 0, 0, 2, '2024-05-06', '2024-05-06', 1, 1),
    (-9101466356201102917, 41738, 5238954389505791516, 1, 0, 1, 0, 0, 0, 0, 2, NULL, NULL, 3, 3),
    (3068383535182290966, 2581, -9101466356201102917, 3, 1, 1, 0, 0, 0, 0, 1, '2024-05-06', '2024-05-06', 1, 1),
    (5032606888462693918, 7739, 3068383535182290966, 3, 1, 1, 0, 0, 0, 0, 0, '2024-05-06', '2024-05-06', 1, 1),
    (6789995600435466265, 0, NULL, 1, 0, 0, 0, 0, 0, 0, 3, NULL, NULL, 2, 2),
    (6789995600435466265, 8386, -2838786376594331786, 1, 1, 0, 0, 0, 0, 0, 3, '2024-05-06', '2024-05-06', 1, 1);
INSERT INTO plies VALUES
    (-9101466356201102917, 6578, 1, 2),
    (-9101466356201102917, 6578, 2, 2),
    (-2838786376594331786, 2100, 1, 4),
    (3068383535182290966, 2581, 1, 1),
    (3068383535182290966, 2581, 2, 1),
    (5032606888462693918, 7739, 1, 0),
    (5032606888462693918, 7739, 2, 0),
    (6789995600435466265, 0, 2, 3),
    (6789995600435466265, 8386, 1, 3),
    (7337306717353422852, 0, 1, 5),
    (-9101466356201102917, 41738, 3, 2),
    (-51399524372390875, 0, 3, 4),
    (1001348183016731014, 7739, 4, 1),
    (3068383535182290966, 2581, 3, 1),
    (5032606888462693918, 7739, 3, 0),
    (5238954389505791516, 2314, 3, 3),
    (7108930919154837390, 0, 4, 2),
    (7381271228685826832, 4636, 4, 0);
INSERT INTO rejects VALUES
    (3, 0, 1, 4, 1, 1, 'K416', '+7775FU: a pawn does not go from 7g to 7e', '+7775FU');
INSERT INTO sources VALUES
    (1, '/games/a.csa', '\x62\x0F\xF9\xE9\x32\x70\xA6\x20\xA5\xF5\x01\x69\x1A\x73\x65\x8B\x76\x4A\x14\x83\xC6\x0E\xB5\xC5\x2D\xA5\x82\x88\x39\xA4\xDE\x7D'::BLOB, 213, 'csa', 'utf-8', '0.1.0', 1, '2026-11-30 17:19:54.443385', 2, 0),
    (2, '/games/b.csa', '\x89\x6A\x31\x80\xB0\x1E\xC9\xF1\xA0\x7F\xDD\xFF\xE0\x58\x88\x01\xF6\xB7\x97\xAD\xDB\x56\x58\x8E\xF5\x69\x64\x25\x97\x21\xA4\x38'::BLOB, 252, 'csa', 'utf-8', '0.1.0', 2, '2026-11-30 17:19:54.573404', 3, 0),
    (3, '/games/x.csa', '\xC2\x7A\x1D\x40\x2E\x07\x60\x6B\x96\x25\xD4\x15\xBE\x37\xA6\x4D\x99\x5C\xEA\xA7\x59\xFC\x31\xA1\x84\x29\x99\x96\x37\x3F\xB4\xEA'::BLOB, 18, 'csa', 'utf-8', '0.1.0', 3, '2026-11-30 17:19:54.684611', 0, 1);
