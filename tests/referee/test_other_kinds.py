"""What the referee says of games of other kinds of shogi: their own rules, and none of the ordinary one."""
from __future__ import annotations

import pytest

from kifu.diagnostics import Diagnostic
from kifu.notation import read
from kifu.replay import replay
from kifu.rules.variants import RULESETS

MINI, TORI, CHU = (RULESETS[key].initial for key in ("minishogi", "torishogi", "chushogi"))
#: Silvers that go out and home: the initial position stands again after each time.
ROUND = "2e3d 4a3b 3d2e 3b4a"
#: The same in tori shogi, of falcon and crane.
TORI_ROUND = "4f5f 4b3b 5f4f 3b4b"


def findings(text: str, rules: str | None = None) -> list[Diagnostic]:
    [record] = read(text, "usi")
    return replay(record, rules=rules).diagnostics


@pytest.mark.parametrize(("rules", "result"), [
    (None, "drawn"), ("fourth", "drawn"), ("fourth-second-wins", "won by White, who moved second"),
])
def test_moves_behind_a_repetition(rules: str | None, result: str) -> None:
    [one] = findings(f"sfen {MINI} moves {ROUND} {ROUND} {ROUND} 2e3d", rules)
    assert (one.name, one.ply) == ("played-on", 12)
    assert f"the game was {result}, but moves follow" in one.message


def test_a_repetition_that_is_claimed_where_repetition_is_barred() -> None:
    """The finding has the rule of the kind, not that of the fourth time."""
    [one] = findings(f"sfen {TORI} moves {TORI_ROUND} rep_draw")
    assert one.name == "repetition-unproven"
    assert one.message == "the record says repetition, but tori shogi ends no game by repetition"
    assert "fourth time" not in one.hint


def test_a_repetition_that_is_claimed_where_it_is_as_in_ordinary_shogi() -> None:
    [one] = findings(f"sfen {MINI} moves {ROUND} rep_draw")
    assert (one.name, "fourth time" in one.hint) == ("repetition-unproven", True)


@pytest.mark.parametrize("start", [MINI, TORI])
def test_no_points_are_counted(start: str) -> None:
    """A declaration, and an impasse that is agreed on, are nobody's to judge where no points are known."""
    for word in ("win", "impasse", "jishogi", "draw"):
        assert not {one.name for one in findings(f"sfen {start} moves {word}")} & {"declaration-failed", "impasse-unproven"}


def test_a_limit_of_moves_holds_in_every_kind() -> None:
    [one] = findings(f"sfen {CHU} moves 5i5h 8d8e 5h5g", "max-moves=2")
    assert (one.name, one.ply) == ("beyond-limit", 3)


#: Black's gold goes to and fro; White's king is bare from the move behind which the ply is given.
@pytest.mark.parametrize(("sfen", "moves", "ply", "said"), [
    ("12/12/12/5k6/12/12/12/12/12/4p7/5GG5/5K6 b - 1", "7k8j 7d7e 8j8i", 1, "White has a bare king after this move"),
    ("12/12/12/5k6/12/12/12/12/12/12/4pGG5/5K6 b - 1", "6k6j 7d7e 7k8k 7e7d 8k8j 7d7e", 3,
     "White has a bare king after this move"),
    ("12/12/12/12/12/12/12/12/12/12/5kg5/5RK5 b - 1", "6l6k 7k8j 7l7b", 2,  # the king could have answered
     "White has a bare king after this move"),
    ("12/12/12/5k6/12/12/12/12/12/12/5GG5/5K6 w - 1", "7d7e", 1, "White has a bare king before this move"),
    ("12/12/12/5k6/12/12/12/12/12/12/5G6/5K6 w - 1", "7d7e 7k7j 7e7f 7j7i 7f7g 7i7h 7g7h", 1,
     "White has a bare king before this move"),  # at the end both are bare
])
def test_moves_behind_a_bare_king(sfen: str, moves: str, ply: int, said: str) -> None:
    [one] = findings(f"sfen {sfen} moves {moves}")
    assert (one.name, one.ply, one.severity) == ("played-on", ply, "warning")
    assert one.message == f"{said}; the game was won by Black, but moves follow"
    text = f"sfen {sfen} moves {moves}"
    assert text[one.offset:one.end] == moves.split()[ply - 1]


@pytest.mark.parametrize(("sfen", "moves"), [
    ("12/12/12/5k6/12/12/12/12/12/4p7/5GG5/5K6 b - 1", "7k8j"),  # it is over there, and nothing follows
    ("12/12/12/12/12/12/12/12/12/12/5kg5/5RK5 b - 1", "6l6k 7k7l 6k6j 7l7k"),  # baring back in time: both go on
    ("12/12/12/5k6/12/12/12/12/12/4g7/5PI5/5K6 b - 1", "7l8k 7d7e"),
    ("12/12/12/5k6/12/12/12/12/12/4p7/5PI5/5K6 b - 1", "7k7j 7d7e 6k6j 7e7d"),  # too few men to prove anything
    (CHU.removesuffix(" b - 1") + " b - 1", "5i5h 8d8e"),
])
def test_no_moves_behind_a_bare_king(sfen: str, moves: str) -> None:
    assert "played-on" not in [one.name for one in findings(f"sfen {sfen} moves {moves}")]
