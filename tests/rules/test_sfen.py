"""SFEN in and out."""
from __future__ import annotations

import pytest

from kifu.diagnostics import REASONS
from kifu.rules.move import from_usi, usi
from kifu.rules.position import Position, PositionError

START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"


@pytest.mark.parametrize("sfen", [
    START,
    "8k/9/9/9/9/9/9/9/9 b 2r2b4g4s4n4l18p 1",
    "9/9/9/9/9/9/9/9/9 w - 1",
    "+P+p+L+l+N+n+S+s1/+B+b+R+r4K/8k/9/9/9/9/9/9 w RBGSNLPrbgsnlp 77",
    "4k4/9/9/9/9/9/9/9/4K4 b 18P 999",
])
def test_round_trip(sfen: str) -> None:
    assert Position(sfen).sfen() == sfen


@pytest.mark.parametrize(("sfen", "normal"), [
    ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -", START),
    ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b", START),
    ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL  b  -   0", START),
    ("startpos", START),
    ("4k4/9/9/9/9/9/9/9/4K4 b p2PgRs 1", "4k4/9/9/9/9/9/9/9/4K4 b R2Pgsp 1"),
    ("4k4/9/9/9/9/9/9/9/4K4 b PP 1", "4k4/9/9/9/9/9/9/9/4K4 b 2P 1"),
    ("4k4/36/9/9/9/9/9/9/4K4 b - 1", "4k4/9/9/9/9/9/9/9/4K4 b - 1"),
])
def test_loose_texts_are_read(sfen: str, normal: str) -> None:
    assert Position(sfen).sfen() == normal


@pytest.mark.parametrize(("sfen", "words"), [
    ("", "four parts"),
    ("9/9", "four parts"),
    ("a b c d e", "four parts"),
    ("9/9/9/9/9/9/9/9 b - 1", "8 rows, not 9"),
    ("9/9/9/9/9/9/9/9/9/9 b - 1", "10 rows"),
    ("9/9/9/9/9/9/9/9/8 b - 1", "row 9 of the board, '8', has 8 squares"),
    ("9/9/9/9/9/9/9/9/9P b - 1", "has 10 squares"),
    ("9/9/9/9/9/9/9/9/55 b - 1", "has 10 squares"),
    ("9/9/9/9/9/9/9/9/8x b - 1", "'x' is no piece"),
    ("9/9/9/9/9/9/9/9/8+G b - 1", "'+G' is no piece"),
    ("9/9/9/9/9/9/9/9/9+ b - 1", "'+' stands before no piece"),
    ("9" * 5000 + " b - 1", "5000 signs long"),
    ("9/9/9/9/9/9/9/9/7++P b - 1", "'++' is no piece"),
    ("9/9/9/9/9/9/9/9/+9 b - 1", "is no piece"),
    ("9/9/9/9/9/9/9/9/8é b - 1", "is no piece"),
    ("9/9/9/9/9/9/9/9/7KK b - 1", "Black has 2 kings"),
    ("kk7/9/9/9/9/9/9/9/9 b - 1", "White has 2 kings"),
    ("9/9/9/9/9/9/9/9/9 x - 1", "'x', not b or w"),
    ("9/9/9/9/9/9/9/9/9 b K 1", "in hand"),
    ("9/9/9/9/9/9/9/9/9 b +P 1", "in hand"),
    ("9/9/9/9/9/9/9/9/9 b 0P 1", "not written 0"),
    ("9/9/9/9/9/9/9/9/9 b P2 1", "end with a number"),
    ("9/9/9/9/9/9/9/9/9 b 999P 1", "999 men of the kind pawn"),
    ("9/9/9/9/9/9/9/9/9 b 99999999P 1", "in hand"),
    ("9/9/9/9/9/9/9/9/9 b - one", "the move number is 'one'"),
    ("9/9/9/9/9/9/9/9/9 b - -3", "the move number"),
    ("9/9/9/9/9/9/9/9/9 b - 99999999999999999999", "the move number"),
    ("9/9/9/9/9/9/9/9/9 b - ３", "the move number"),
    ("PPPPPPPPP/PPPPPPPPP/PPPPPPPPP/PPPPPPPPP/PPPPPPPPP/PPPPPPPPP/PPPPPPPPP/9/9 b 2P 1", "65 men of the kind pawn"),
])
def test_what_is_no_position_is_named(sfen: str, words: str) -> None:
    with pytest.raises(PositionError, match=words.replace("+", r"\+")):
        Position(sfen)


def test_an_unknown_kind_of_shogi_is_named() -> None:
    with pytest.raises(ValueError, match="'go' is no kind of shogi known here"):
        Position(variant="go")


def test_a_side_may_lack_its_king() -> None:
    position = Position("8k/9/9/9/9/9/9/9/R8 b G 1")
    assert not position.is_check()
    moves = len(position.legal_moves())
    assert moves == 16 + 3 + 79  # the rook, which may promote on three squares; the gold on any empty one
    assert Position("9/9/9/9/9/9/9/9/9 b - 1").legal_moves() == []


def test_the_number_of_the_move_counts_on() -> None:
    position = Position("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 41")
    assert position.ply == 41
    position.play(position.legal_moves()[0])
    assert position.sfen().endswith(" 42")
    assert position.sfen(7).endswith(" 7")
    assert position.copy().ply == 42


def test_a_check_that_stood_before_the_first_move_is_a_check_after_it() -> None:
    """No game leads to a position whose side not to move is in check, but diagrams show such ones."""
    position = Position("4k4/9/9/9/9/9/9/4r4/4K3R w - 1")
    assert position.odd and not position.is_check()
    position.play(position.resolve(from_usi("5a4a")))
    assert position.is_check()
    assert {usi(move) for move in position.legal_moves()} == {"5i5h", "5i4i", "5i6i"}
    assert REASONS[-1 - position.resolve(from_usi("1i1h"))] == "check-not-answered"
    position.undo()
    assert not position.is_check()
