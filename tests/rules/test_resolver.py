"""From move texts to moves: relative marks, tolerances, the same square, replay."""
from __future__ import annotations

import json
import re
from array import array
from pathlib import Path

import pytest

from kifu import movetext as text
from kifu.diagnostics import REASONS
from kifu.movetext import (
    BISHOP,
    BLACK_SIDE,
    CAPTURE,
    DROP_IF_NONE,
    GOLD,
    PAWN,
    QUIET,
    ROOK,
    SAME,
    SILVER,
    SUPPLY_PROMOTION,
    WHITE_SIDE,
    pack,
)
from kifu.rules import move as packed
from kifu.rules.move import from_usi, usi
from kifu.rules.position import Position

MARKS = {"左": text.LEFT, "右": text.RIGHT, "直": text.STRAIGHT, "上": text.UP, "行": text.UP, "入": text.UP,
         "寄": text.SIDEWAYS, "引": text.BACK, "打": text.DROP, "成": text.PROMOTE, "不": text.DECLINE}


def resolved(position: Position, movetext: int) -> str:
    """USI of the move, or the reason."""
    found = position.resolve(movetext)
    return usi(found) if found >= 0 else REASONS[-1 - found]


#: SFEN, target, piece, marks -> origin. The worked checks of the reference.
MARKED = [
    ("4k4/9/9/9/9/9/9/9/3GKG3 b - 1", (5, 8), GOLD, "左", "6i5h"),
    ("4k4/9/9/9/9/9/9/9/3GKG3 b - 1", (5, 8), GOLD, "右", "4i5h"),
    ("4k4/9/9/9/9/9/9/9/K3GG3 b - 1", (5, 8), GOLD, "直", "5i5h"),
    ("4k4/9/9/9/9/9/9/9/K3GG3 b - 1", (5, 8), GOLD, "右", "4i5h"),
    ("4k4/9/9/9/9/9/9/9/K3GG3 b - 1", (5, 8), GOLD, "左", "5i5h"),
    ("4k4/9/9/9/9/9/9/4G4/K4G3 b - 1", (4, 8), GOLD, "寄", "5h4h"),
    ("4k4/9/9/9/9/9/9/4G4/K4G3 b - 1", (4, 8), GOLD, "上", "4i4h"),
    ("4k4/9/9/9/5S3/9/3S1S3/9/K8 b - 1", (5, 6), SILVER, "左", "6g5f"),
    ("4k4/9/9/9/5S3/9/3S1S3/9/K8 b - 1", (5, 6), SILVER, "右上", "4g5f"),
    ("4k4/9/9/9/5S3/9/3S1S3/9/K8 b - 1", (5, 6), SILVER, "引", "4e5f"),
    ("4k4/1+R5+R1/9/9/9/9/9/9/K8 b - 1", (5, 2), ROOK | 32, "左", "8b5b"),
    ("4k4/1+R5+R1/9/9/9/9/9/9/K8 b - 1", (5, 2), ROOK | 32, "右", "2b5b"),
    # White sees the board from the other side
    ("3gkg3/9/9/9/9/9/9/9/4K4 w - 1", (5, 2), GOLD, "左", "4a5b"),
    ("3gkg3/9/9/9/9/9/9/9/4K4 w - 1", (5, 2), GOLD, "右", "6a5b"),
    ("3gkg3/9/9/9/9/9/9/9/4K4 w - 1", (5, 2), GOLD, "上", "ambiguous"),
    ("3gkg3/9/9/9/9/9/9/9/4K4 w - 1", (5, 2), GOLD, "引", "no-candidate"),
    # straight up from afar, and a lance
    ("4k4/9/9/9/9/9/9/9/K3L4 b - 1", (5, 3), text.LANCE, "直", "5i5c"),
]


@pytest.mark.parametrize(("sfen", "to", "piece", "marks", "expected"), MARKED)
def test_relative_marks(sfen: str, to: tuple[int, int], piece: int, marks: str, expected: str) -> None:
    flags = 0
    for mark in marks:
        flags |= MARKS[mark]
    assert resolved(Position(sfen), pack(to, piece=piece, flags=flags)) == expected


def ki2_text(written: str) -> int:
    """A move text from KI2 as the oracle writes it: ``５八金右``."""
    match = re.fullmatch(r"([１-９])([一二三四五六七八九])(成?[歩香桂銀金角飛玉とと杏圭全馬龍竜])(\D*)", written)
    assert match, written
    kinds = {"歩": 1, "香": 2, "桂": 3, "銀": 4, "金": 5, "角": 6, "飛": 7, "玉": 8, "と": 33, "馬": 38, "龍": 39, "竜": 39,
             "杏": 34, "圭": 35, "全": 36}
    name = match[3]
    piece = kinds[name[-1]] | (32 if len(name) == 2 else 0)
    flags = DROP_IF_NONE
    marks = match[4].replace("不成", "不")
    for mark in marks:
        flags |= MARKS[mark]
    return pack(("１２３４５６７８９".index(match[1]) + 1, "一二三四五六七八九".index(match[2]) + 1), piece=piece,
                flags=flags)


def test_every_ki2_text_of_the_oracle_is_read(shared: Path) -> None:
    with (shared / "oracle" / "ki2.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            for written in (row["ki2"], *row["other"].values()):
                written = written.lstrip("▲△☗☖")
                assert resolved(Position(row["sfen"]), ki2_text(written)) == row["usi"], (row["sfen"], written)


def hodges_text(written: str) -> int:
    """A move text from western text: ``Sx3d+``, ``G4i-5h``, ``P*5e``, with squares in letters."""
    match = re.fullmatch(r"(\+?)([PLNSGBRK])([1-9][a-i])?([-x*])([1-9][a-i])([+=]?)", written)
    assert match, written
    piece = packed.KINDS[match[2]] | (32 if match[1] else 0)
    flags = SUPPLY_PROMOTION | {"-": QUIET, "x": CAPTURE, "*": text.DROP}[match[4]]
    flags |= {"+": text.PROMOTE, "=": text.DECLINE, "": 0}[match[6]]
    origin = (int(match[3][0]), ord(match[3][1]) - 96) if match[3] else (0, 0)
    return pack((int(match[5][0]), ord(match[5][1]) - 96), origin, piece, flags)


def test_every_hodges_text_of_the_oracle_is_read(shared: Path) -> None:
    with (shared / "oracle" / "hodges.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            position = Position(row["sfen"])
            for written in (row["hodges"], row["hodges_pins_ignored"]):
                assert resolved(position, hodges_text(written)) == row["usi"], (row["sfen"], written)
                assert position.flags & ~packed.FLAG_BY_LEGALITY == 0


def test_rivals_decide_the_origins_that_hodges_writes(shared: Path) -> None:
    with (shared / "oracle" / "hodges.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            position = Position(row["sfen"])
            move = position.resolve(from_usi(row["usi"]))
            for column, legal in (("hodges", True), ("hodges_pins_ignored", False)):
                has_origin = bool(re.search(r"[1-9][a-i][-x]", row[column]))
                if not move & packed.DROPPED:
                    assert bool(position.rivals(move, legal)) == has_origin, row


def test_tolerances_are_noted() -> None:
    cases = [
        ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
         pack((7, 6), (7, 7), PAWN, WHITE_SIDE), packed.FLAG_SIDE),
        ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
         pack((7, 6), (7, 7), PAWN, BLACK_SIDE), 0),
        ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
         pack((7, 6), (7, 7), PAWN, CAPTURE), packed.FLAG_CAPTURE_WRONG),
        ("4k4/9/9/4p4/4P4/9/9/9/4K4 b - 1", pack((5, 4), (5, 5), PAWN, QUIET), packed.FLAG_CAPTURE_MISSING),
        ("4k4/2P6/9/9/9/9/9/9/4K4 b - 1", pack((7, 1), (0, 0), PAWN, SUPPLY_PROMOTION),
         packed.FLAG_PROMOTION_SUPPLIED),
        ("4k4/9/9/4p4/4P4/9/9/9/4K4 b - 1", pack((5, 4), (0, 0), PAWN, DROP_IF_NONE), packed.FLAG_ORIGIN_SUPPLIED),
        ("4r3k/9/9/9/9/9/9/4G1G2/4K4 b - 1", pack((4, 8), (0, 0), GOLD), packed.FLAG_BY_LEGALITY),
        ("4k4/9/9/4p4/4P4/9/9/9/4K4 b - 1", pack((5, 4), (5, 5), PAWN, SAME), packed.FLAG_SAME),
    ]
    for sfen, movetext, flags in cases:
        position = Position(sfen)
        assert position.resolve(movetext) >= 0
        assert position.flags == flags, text.describe(movetext)


def test_without_a_mark_a_drop_where_nothing_on_the_board_can_go() -> None:
    position = Position("4k4/9/9/9/9/9/9/9/3GK4 b GP 1")
    assert resolved(position, pack((5, 5), piece=GOLD, flags=DROP_IF_NONE)) == "G*5e"
    assert resolved(position, pack((6, 8), piece=GOLD, flags=DROP_IF_NONE)) == "6i6h"
    assert resolved(position, pack((5, 5), piece=GOLD)) == "no-candidate"
    assert resolved(position, pack((5, 5), piece=SILVER, flags=DROP_IF_NONE)) == "no-candidate"
    assert resolved(position, pack((5, 5), piece=GOLD, flags=DROP_IF_NONE | text.RIGHT)) == "no-candidate"
    assert resolved(position, pack((5, 1), piece=GOLD, flags=DROP_IF_NONE)) == "occupied"


def test_the_same_square_is_that_of_the_move_before() -> None:
    position = Position()
    for move in ("7g7f", "3c3d", "8h2b+"):
        position.play(position.resolve(from_usi(move)))
    recapture = pack(piece=SILVER, flags=SAME)
    assert resolved(position, recapture) == "3a2b"
    assert resolved(position, pack(piece=SILVER, flags=CAPTURE)) == "3a2b"
    assert resolved(position, pack(flags=CAPTURE)) == "ambiguous"  # the rook could take, too
    assert resolved(position, pack(piece=BISHOP, flags=SAME)) == "no-candidate"
    fresh = Position(position.sfen())
    assert resolved(fresh, recapture) == "no-candidate"
    fresh.last_target = position.last_target
    assert resolved(fresh, recapture) == "3a2b"
    position.undo()
    assert position.last_target == packed.square(3, 4)


def test_replay_stops_before_the_first_refused_move() -> None:
    texts = array("q", [from_usi(move) for move in "7g7f 3c3d 8h2b+ 3a2b B*4e 5a5d 7f7e".split()])
    texts[1] = pack((3, 4), piece=PAWN, flags=BLACK_SIDE)
    position = Position()
    moves, keys, remarks = array("q", bytes(8 * 7)), array("q", bytes(8 * 8)), []
    keys[0] = position.key()
    assert position.replay(texts, 0, 7, moves, keys, remarks) == 5
    assert REASONS[position.reason] == "bad-move"
    assert [usi(move) for move in moves[:5]] == "7g7f 3c3d 8h2b+ 3a2b B*4e".split()
    assert list(moves[5:]) == [0, 0]
    assert keys[5] == position.key() and len(set(keys[:6])) == 6
    assert remarks == [(1, packed.FLAG_SIDE)]
    assert position.sfen().endswith(" w b 6")
    position.undo()
    assert position.key() == keys[4]
    assert position.replay(texts, 4, 5, moves, None, remarks) == 5
    assert position.replay(texts, 5, 5, moves, None, remarks) == 5


def test_rivals_of_a_move() -> None:
    pinned = Position("4r3k/9/9/9/9/9/9/4G1G2/4K4 b - 1")
    move = pinned.resolve(from_usi("3h4h"))
    assert pinned.rivals(move, False) == [packed.square(5, 8)]
    assert pinned.rivals(move, True) == []
    drop = Position("4k4/9/9/9/9/9/9/9/3GK4 b G 1")
    assert drop.rivals(drop.resolve(from_usi("G*6h")), False) == [packed.square(6, 9)]


def test_long_games_are_remembered_whole() -> None:
    position = Position()
    start = position.sfen()
    loop = [from_usi(move) for move in "2h3h 8b7b 3h2h 7b8b".split()]
    for ply in range(3000):
        position.play(position.resolve(loop[ply % 4]))
    twin = position.copy()
    for _ in range(3000):
        position.undo()
    assert position.sfen() == start
    with pytest.raises(IndexError):
        position.undo()
    assert twin.depth == 3000
    twin.undo()
    assert twin.ply == 3000
