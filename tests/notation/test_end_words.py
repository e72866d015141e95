"""Every end with every winner, written: what is written says nothing else, and what it says less is counted."""
from __future__ import annotations

import pytest

from kifu import ends
from kifu.notation import read, writer
from kifu.record import Game
from kifu.replay import replay
from tests.notation.said import missing, said
from tests.notation.texts import of_reading

WINNERS = (ends.BLACK, ends.WHITE, ends.DRAW, ends.NONE, ends.UNKNOWN)


def ended(reason: str, winner: str, raw: str = "as written") -> Game:
    """A game of one move (White is to move) with an end."""
    record = next(iter(read("position startpos moves 7g7f", "usi")))
    offender = ends.opponent(winner) if reason == "illegal" and winner in ends.SIDES else None
    record.lines[0].end = ends.End(reason, winner, offender, raw, 0, 1000)
    return replay(record)


def possible(reason: str, winner: str) -> bool:
    """Whether a record of some notation can say this: the winner that the reason implies, or that a result names."""
    usual = ends.side(ends.WINNERS[reason], ends.WHITE)
    return winner == usual or winner in (*ends.SIDES, ends.DRAW)


@pytest.mark.parametrize("notation", ["kif", "ki2"])
@pytest.mark.parametrize("reason", ends.REASONS)
def test_an_end_is_written_as_it_is_or_counted(notation: str, reason: str) -> None:
    for winner in filter(lambda one: possible(reason, one), WINNERS):
        game, target = ended(reason, winner), writer(notation)
        text = target.write(game)
        again = replay(next(iter(read(text, notation))))
        assert [one.name for one in of_reading(again)] == [], text
        assert missing(said(game), said(again)) == +target.losses, (winner, text)
        if winner in (*ends.SIDES, ends.DRAW):
            assert again.winner == winner, text


@pytest.mark.parametrize(("notation", "written"), [("kif", "まで1手で後手の勝ち\n"), ("ki2", "まで1手で後手の勝ち\n")])
def test_a_result_without_a_reason_names_the_winner_alone(notation: str, written: str) -> None:
    text = writer(notation).write(ended("other", ends.WHITE, ""))
    assert written in text
    assert "中断" not in text and "*" not in text
