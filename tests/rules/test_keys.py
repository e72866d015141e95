"""Position keys are part of the file format: these numbers never change."""
from __future__ import annotations

from kifu.rules import zobrist
from kifu.rules.api import Position


def test_the_constants_are_those_of_the_file_format() -> None:
    assert zobrist.board_constant(0, 1, 7, 6) == -8038237430218957239  # Black's pawn on 7f
    assert zobrist.board_constant(1, 32 | 7, 1, 1) == -8688373176001689341  # White's dragon on 1a
    assert zobrist.hand_constant(0, 1, 1) == -7588667005484023405  # Black has one pawn in hand
    assert zobrist.hand_constant(1, 6, 2) == 7424900078402177707  # White has both bishops in hand
    assert zobrist.hand_constant(1, 6, 0) == 0
    assert zobrist.turn_constant() == -6533775873576895998
    assert zobrist.variant_constant(0) == 0
    assert zobrist.variant_constant(1) == -6534192452744790700


def test_the_keys_of_a_game_are_those_of_the_file_format() -> None:
    position = Position()
    keys = [position.key()]
    for usi in "7g7f 3c3d 8h2b+ 3a2b B*4e".split():
        position.push(usi)
        keys.append(position.key())
    assert keys == [
        5032606888462693918, 3068383535182290966, -9101466356201102917, 5238954389505791516, -51399524372390875,
        -3296855332535812057,
    ]
    assert Position("4k4/9/9/9/9/9/9/9/4K4 b - 1").key() == -2868685156953703281
    assert Position("4k4/9/9/9/9/9/9/9/4K4 w 2r18P 1").key() == 1425306504124896722


def test_what_a_key_depends_on() -> None:
    plain = Position("4k4/9/9/9/9/9/9/9/4K4 b P 1")
    assert plain.key() == Position("4k4/9/9/9/9/9/9/9/4K4 b P 99").key()
    others = ["4k4/9/9/9/9/9/9/9/4K4 w P 1", "4k4/9/9/9/9/9/9/9/4K4 b p 1", "4k4/9/9/9/9/9/9/9/4K4 b 2P 1",
              "4k4/9/9/9/9/9/9/9/3K5 b P 1", "4k4/9/9/9/4P4/9/9/9/4K4 b - 1"]
    assert len({plain.key(), *(Position(sfen).key() for sfen in others)}) == 6


def test_all_constants_differ() -> None:
    constants = [zobrist.board_constant(colour, piece, file, rank)
                 for colour in (0, 1) for piece in (*range(1, 9), *range(33, 40)) for file in range(1, 10)
                 for rank in range(1, 10)]
    constants += [zobrist.hand_constant(colour, kind, count)
                  for colour in (0, 1) for kind in range(1, 8) for count in range(1, 64)]
    constants += [zobrist.turn_constant(), zobrist.variant_constant(1)]
    assert len(set(constants)) == len(constants)
    assert all(-(1 << 63) <= constant < 1 << 63 for constant in constants)
