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
    """The hint has the rule of the kind, not that of the fourth time."""
    [one] = findings(f"sfen {TORI} moves {TORI_ROUND} rep_draw")
    assert one.name == "repetition-unproven"
    assert "tori shogi ends no game by repetition" in one.message
    assert "fourth" not in one.hint


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
