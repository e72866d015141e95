"""Every diagnostic of mate problems: a problem that triggers it, and one like it that does not."""
from __future__ import annotations

import pytest

from kifu import Position
from kifu.diagnostics import RULES
from kifu.problems import problem_of, solve

from .slow import needs_speed

#: By name: what triggers it and what does not, each an SFEN, the record's moves, and the depth.
Case = tuple[str, str, int]
THREE = "7s1/6k1p/9/6S2/9/9/9/9/9 b GS2r2b3gs4n4l17p 1"
FIVE = "5Gl1+P/6sk1/9/6R2/9/9/9/9/9 b R2b3g3s4n3l17p 1"
SEVEN = "6+Pnl/6Sk1/6sp1/9/8P/9/9/9/9 b GS2r2b3gs3n3l15p 1"
CASES: dict[str, tuple[Case, Case]] = {
    "second-solution": (("7gk/6GL1/7gl/9/9/9/9/9/9 b RGr2b4s4n2l18p 1", "", 9), (THREE, "", 9)),
    "men-left": (("8k/9/7R1/9/9/9/9/9/9 b GSPr2b3g3s4n4l17p 1", "", 9),
                 ("7nk/9/7P1/9/9/9/9/9/9 b G2r2b3g4s3n4l17p 1", "", 9)),
    "no-mate": (("9/6kBP/9/6N2/9/9/9/9/9 b L2rb4g4s3n3l17p 1", "", 9), (THREE, "", 9)),
    "mate-not-found": ((FIVE, "", 3), (FIVE, "", 5)),
    "hand-filled": (("7nk/9/7P1/9/9/9/9/9/9 b G 1", "", 9), ("7nk/9/7P1/9/9/9/9/9/9 b G2r2b3g4s3n4l17p 1", "", 9)),
    "longer-line": (("5G1k1/9/5l3/7G1/9/6R2/9/9/9 b Pr2b2g4s4n3l17p 1", "", 9), (THREE, "", 9)),
    "promotion-choice": (("6Bl1/8R/5+rks1/5pp2/7S1/6P1L/9/9/9 b GNb3g2s3n2l15p 1", "", 9), (THREE, "", 9)),
    "drop-square-choice": (("k8/9/1R7/9/9/9/9/9/9 b R2b4g4s4n4l18p 1", "", 9), (THREE, "", 9)),
    "solution-wrong": ((THREE, "G*3c", 9), (THREE, "S*3c 3b4a G*4b", 9)),
    "solution-longer": (("9/7S1/5P1k1/7pP/6P2/9/2B6/9/9 b 2rb4g3s4n4l14p 1", "1d1c+ 2c3b 2b3c+", 9),
                        ("9/7S1/5P1k1/7pP/6P2/9/2B6/9/9 b 2rb4g3s4n4l14p 1", "1d1c+ 2c3b 7g3c+ 3b4a 3c4b", 9)),
    "solution-shorter": ((SEVEN, "S*1c 2b1c G*1d 1c1b 1d2c", 9), (SEVEN, "S*1c 2a1c G*1b 2b1b 3b2a 1b2b 3a3b", 9)),
    "solution-unfinished": ((THREE, "S*3c 3b4a", 9), (THREE, "S*3c 3b4a G*4b", 9)),
}


def names(case: Case) -> set[str]:
    sfen, moves, depth = case
    position = Position(problem_of(sfen).sfen)
    line = [position.push(move).packed for move in moves.split()]
    return {one.name for one in solve(sfen, depth, line=line).findings}


@needs_speed
@pytest.mark.parametrize("name", CASES)
def test_the_problem_triggers_its_finding_and_the_other_does_not(name: str) -> None:
    bad, good = CASES[name]
    assert name in names(bad)
    assert name not in names(good)


@needs_speed
def test_a_limit_before_a_second_solution_of_the_same_length_is_excluded_leaves_the_problem_undecided() -> None:
    """The main line of the five-mover is found at some number of nodes; a little more do not settle the rest."""
    proven = next(nodes for nodes in range(50, 5000, 10) if solve(FIVE, 9, None, nodes).verdict == "mate")
    found = solve(FIVE, 9, None, proven)
    assert [one.severity for one in found.findings if one.name == "soundness-undecided"] == ["error"]
    assert "soundness-undecided" not in {one.name for one in solve(FIVE, 7, None, None).findings}


def test_every_finding_has_a_test() -> None:
    elsewhere = {"soundness-undecided", "no-problem"}  # above, and in tests/cli/test_solve.py
    assert {rule.name for rule in RULES.values() if rule.code.startswith("K7")} == set(CASES) | elsewhere
