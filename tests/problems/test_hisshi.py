"""Hisshi and threatmate."""
from __future__ import annotations

import pytest

from kifu import Position
from kifu.problems import ProblemError, hisshi

from .slow import length, needs_speed, turned, turned_move

#: Black threatens G*2b. White has 481 replies, and not one helps.
LOST = "7nl/6+P1k/6S1p/8P/9/9/9/9/9 w 2G2r2b2g3s3n3l15p 1"


@needs_speed
def test_every_reply_is_lost_as_the_slow_solver_has_it() -> None:
    found = hisshi(LOST)
    assert (found.verdict, found.threatmate, found.escapes, found.open) == ("hisshi", True, [], [])
    position = Position(LOST)
    replies = [str(move) for move in position.legal_moves()]
    told = found.row()["replies"]
    assert sorted(told) == sorted(replies)
    for move in [*replies[::40], *(move for move in replies if told[move] > 1)][:30]:
        position.push(move)
        assert length(position, 3) == told[move], move
        position.pop()


@needs_speed
def test_without_a_man_in_hand_it_is_no_hisshi() -> None:
    found = hisshi(LOST.replace("2G", "").replace("b2g3s", "b4g3s"))
    assert found.verdict == "not-hisshi"
    assert found.escapes


@needs_speed
def test_a_man_dropped_in_the_way_escapes() -> None:
    found = hisshi("7nk/9/7P1/9/9/9/9/9/9 w G2r2b3g4s3n4l17p 1")
    assert found.verdict == "not-hisshi"
    assert found.threatmate is True
    assert found.row()["threat"] in (["G*2b"], ["G*1b"])


@needs_speed
def test_no_threat() -> None:
    found = hisshi("4k4/9/9/9/9/9/9/9/9 w P2r2b4g4s4n4l17p 1", depth=3)
    assert (found.verdict, found.threatmate) == ("not-hisshi", False)


@needs_speed
def test_colours_changed_give_the_same() -> None:
    sfen = "7nk/9/7P1/9/9/9/9/9/9 w G2r2b3g4s3n4l17p 1"
    one, other = hisshi(sfen), hisshi(turned(sfen))
    assert (one.verdict, one.threatmate) == (other.verdict, other.threatmate)
    mine, theirs = one.row(), other.row()
    assert {turned_move(move): plies for move, plies in mine["replies"].items()} == theirs["replies"]
    assert {turned_move(move) for move in mine["escapes"] + mine["open"]} == set(theirs["escapes"] + theirs["open"])


def test_a_king_in_check_is_refused() -> None:
    with pytest.raises(ProblemError, match="stands in check"):
        hisshi("8k/8G/9/9/9/9/9/9/9 w - 1")


def test_a_limit_is_no_verdict() -> None:
    found = hisshi("7nk/9/7P1/9/9/9/9/9/9 w G2r2b3g4s3n4l17p 1", nodes=1)
    assert (found.verdict, found.limit) == ("not-found", "nodes")
