"""`kifu.Position` as people use it."""
from __future__ import annotations

import doctest

import pytest

from kifu.rules import api, handicaps, move, repetition, variants, zobrist
from kifu.rules import position as core
from kifu.rules.api import IllegalMoveError, Move, Position


@pytest.mark.parametrize("module", [api, core, handicaps, move, repetition, variants, zobrist],
                         ids=lambda module: module.__name__)
def test_the_examples_in_the_docstrings_run(module: object) -> None:
    result = doctest.testmod(module)
    assert result.attempted and not result.failed


def test_a_game_pushed_and_popped() -> None:
    position = Position()
    start = position.copy()
    first = position.push("7g7f")
    assert (str(first), first.origin, first.target, first.is_drop, first.promotes) == ("7g7f", "7g", "7f", False, False)
    position.push("3c3d")
    taking = position.push("8h2b+")
    assert taking.promotes and taking.could_promote and taking.taken == 6 and taking.piece == 6
    assert taking.gives_check is False
    assert position.turn == "white" and position.ply == 4
    assert [str(move) for move in position.moves] == ["7g7f", "3c3d", "8h2b+"]
    assert position.pop() == taking
    position.pop()
    position.pop()
    assert position == start and position.key() == start.key()
    with pytest.raises(IndexError):
        position.pop()


def test_what_stands_on_a_square() -> None:
    core = Position().core
    assert core.piece_at(7, 7) == 1 and core.piece_at(5, 1) == 64 | 8 and core.piece_at(5, 5) == 0
    assert core.piece_at(0, 1) == core.piece_at(1, 0) == core.piece_at(10, 1) == core.piece_at(1, 10) == 0


def test_a_move_object_can_be_pushed() -> None:
    position = Position()
    move = position.legal_moves()[0]
    assert isinstance(move, Move)
    assert position.push(move) == move


def test_an_illegal_move_leaves_the_position_alone() -> None:
    position = Position()
    with pytest.raises(IllegalMoveError, match="7g7e") as refused:
        position.push("7g7e")
    assert refused.value.reason == "bad-move"
    assert isinstance(refused.value, ValueError)
    assert position == Position() and position.moves == []
    for text in ("", "7g", "7g7f++", "K*5e+", "X*5e", "P*5j+", "resign", "7g7f\n", "７g7f", "7G7F"):
        with pytest.raises(ValueError, match="not a move in USI text"):
            position.reason(text)


def test_mate_and_no_move() -> None:
    mated = Position("k8/1G7/2B6/9/9/9/9/9/K8 w - 1")
    assert mated.is_check() and mated.is_checkmate() and not mated.has_legal_move() and mated.legal_moves() == []
    stuck = Position("k8/9/1+R7/9/9/9/9/9/K8 w - 1")
    assert not stuck.is_check() and not stuck.is_checkmate() and not stuck.has_legal_move()


def test_fourfold_repetition_and_perpetual_check() -> None:
    position = Position()
    for usi in "2h3h 8b7b 3h2h 7b8b".split() * 3:
        assert position.repetition() is None
        position.push(usi)
    assert position.repetition() == ("repetition", "draw")
    chase = Position("k8/9/9/9/9/9/9/9/R7K b - 1")
    assert chase.push("9i9h").gives_check
    for usi in "9a8a 9h8h 8a9a 8h9h".split() * 3:
        assert chase.repetition() is None
        chase.push(usi)
    assert chase.repetition() == ("perpetual_check", "white")


def test_positions_are_equal_by_what_stands_there() -> None:
    one, other = Position(), Position()
    for usi in "7g7f 3c3d 2g2f".split():
        one.push(usi)
    for usi in "2g2f 3c3d 7g7f".split():
        other.push(usi)
    assert one == other and one != Position()
    assert repr(Position()).startswith("Position('lnsgkgsnl/")
    twin = one.copy()
    twin.push("8c8d")
    assert twin != one and len(one.moves) == 3


def test_declarations() -> None:
    position = Position()
    assert position.points()["black"].all == 27
    assert position.declaration("declare27") == "invalid"
    assert position.declaration("agreed24") == "draw"
    with pytest.raises(ValueError, match="no impasse rule"):
        position.declaration("declare99")
