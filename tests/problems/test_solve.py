"""Mate problems: the oracle's, those that show one rule each, and the limits."""
from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import kifu
from kifu.problems import ProblemError, problem_of, solve

from .slow import COMPILED, needs_speed, turned, turned_move


def rows(shared: Path, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (shared / "oracle" / name).read_text(encoding="utf-8").splitlines()]


def names(found: Any) -> list[str]:
    return [one.name for one in found.findings]


def test_the_sound_problems_of_the_oracle(shared: Path) -> None:
    for row in rows(shared, "tsume.jsonl"):
        if row["n"] > 1 and not COMPILED:
            continue
        found = solve(row["sfen"])
        assert (found.verdict, found.plies, found.engine_plies) == ("mate", row["n"], row["n"]), row["id"]
        assert " ".join(found.line) in [row["solution"], *row["other_longest_lines"]], row["id"]
        assert found.sound, (row["id"], found.findings)
        assert not [one for one in found.seconds if one.ply == 1], row["id"]
        assert found.left == "", row["id"]


@needs_speed
def test_the_flawed_problems_of_the_oracle(shared: Path) -> None:
    for row in rows(shared, "tsume_flawed.jsonl"):
        found = solve(row["sfen"])
        if row["kind"] == "no_mate":
            assert (found.verdict, found.plies, names(found)) == ("no-mate", 0, ["no-mate"]), row
            continue
        assert found.engine_plies == row["engine_length"], row
        assert found.plies == row.get("traditional_length", row["engine_length"]), row
        if row["kind"] == "two_solutions":
            firsts = {found.line[0], *(kifu.Move(one.move).__str__() for one in found.seconds if one.ply == 1)}
            assert firsts == set(row["first_moves"]), row
            assert "second-solution" in names(found), row
            assert not found.sound, row
        else:
            assert found.line[0] == row["move"], row
        if row["kind"] == "men_left_in_hand":
            assert "men-left" in names(found), row
            assert not found.sound, row


@needs_speed
@pytest.mark.parametrize("sfen", [
    "7s1/6k1p/9/6S2/9/9/9/9/9 b GS2r2b3gs4n4l17p 1",
    "9/5R2s/7kr/5G1p1/9/9/9/9/9 b BGPb2g3s4n4l16p 1",
    "7gk/6GL1/7gl/9/9/9/9/9/9 b RGr2b4s4n2l18p 1",
    "9/6kBP/9/6N2/9/9/9/9/9 b L2rb4g4s3n3l17p 1",
])
def test_colours_changed_give_the_same(sfen: str) -> None:
    one, other = solve(sfen), solve(turned(sfen))
    assert other.attacker == "white"
    assert (one.verdict, one.plies, one.engine_plies, one.left, one.unique) == (
        other.verdict, other.plies, other.engine_plies, other.left, other.unique)
    assert one.moves == [] or solve(turned(sfen)).line[0] in {turned_move(one.line[0]),
                                                              *(turned_move(str(kifu.Move(two.move))) for two in one.seconds)}


@needs_speed
def test_a_pawn_drop_may_not_mate() -> None:
    """P*1b would mate: the gold stands on 1d, the king has no square. It is barred, so there is no mate at all."""
    sfen = "6gnk/6g2/7G1/9/9/9/9/9/9 b P2r2bg4s3n4l17p 1"
    assert kifu.Position(sfen).reason("P*1b") == "uchifuzume"
    assert solve(sfen).verdict == "no-mate"


@needs_speed
def test_not_promoting_gets_round_the_pawn_drop_mate() -> None:
    """With a rook on 2c the king goes to 1a and the pawn may be dropped; with a dragon there the drop would mate."""
    sfen = "9/4gS1k1/4R4/7G1/9/9/9/9/9 b Pr2b2g3s4n4l17p 1"
    reasons = []
    for first in ("5c2c", "5c2c+"):
        position = kifu.Position(sfen)
        position.push(first)
        position.push("2b1a")
        reasons.append(position.reason("P*1b"))
    assert reasons == [None, "uchifuzume"]
    found = solve(sfen)
    mating = {str(kifu.Move(one.move)): one.plies for one in found.seconds if one.ply == 1}
    assert mating["5c2c"] == 7
    assert "5c2c+" not in mating


@needs_speed
def test_a_choice_that_does_no_harm_is_a_warning() -> None:
    """The bishop that mates next promotes or not; a rook dropped far off checks as one dropped nearer."""
    bishop = solve("6Bl1/8R/5+rks1/5pp2/7S1/6P1L/9/9/9 b GNb3g2s3n2l15p 1", depth=9)
    assert {(one.name, one.severity) for one in bishop.findings if one.ply == 7} == {("promotion-choice", "warning")}


def test_the_attacker_in_check_must_answer_it() -> None:
    """Black's king on 9i is checked by the rook on 9a: only a check that also answers it counts."""
    free = "6p1k/9/7Pp/9/9/9/9/9/K8 b G2r2b3g4s4n4l15p 1"
    assert solve(free).line == ["G*2b"]
    checked = "r5p1k/9/7Pp/9/9/9/9/9/K8 b Gr2b3g4s4n4l15p 1"
    assert kifu.Position(checked).is_check()
    assert solve(checked).verdict == "no-mate"


@needs_speed
def test_perpetual_check_is_no_mate() -> None:
    """The dragon can check for ever, but nothing else attacks: proven though the depth limit never ends the checks."""
    found = solve("9/9/9/9/4k4/9/3+R5/9/9 b r2b4g4s4n4l18p 1", depth=9)
    assert found.verdict == "no-mate"


@needs_speed
def test_limits_are_named_and_are_no_verdict() -> None:
    five = "5Gl1+P/6sk1/9/6R2/9/9/9/9/9 b R2b3g3s4n3l17p 1"
    shallow = solve(five, depth=3)
    assert (shallow.verdict, shallow.limit, shallow.searched, names(shallow)) == ("not-found", "depth", 3,
                                                                                 ["mate-not-found"])
    few = solve(five, nodes=10)
    assert (few.verdict, few.limit) == ("not-found", "nodes")
    assert few.nodes == 10
    assert "raise --depth" in few.findings[0].hint
    hurried = solve(five, seconds=1e-9)
    assert (hurried.verdict, hurried.limit) in (("not-found", "time"), ("mate", "time"))
    with pytest.raises(ValueError, match="depth"):
        solve(five, depth=0)
    with pytest.raises(ValueError, match="depth"):
        solve(five, depth=500)


@needs_speed
def test_the_answer_is_the_same_twice() -> None:
    five = "5Gl1+P/6sk1/9/6R2/9/9/9/9/9 b R2b3g3s4n3l17p 1"
    one, other = solve(five, nodes=20000, seconds=None), solve(five, nodes=20000, seconds=None)
    assert (one.line, one.nodes, one.checked) == (other.line, other.nodes, other.checked)


def test_the_defenders_hand_is_filled_in_and_that_is_said() -> None:
    found = solve("7nk/9/7P1/9/9/9/9/9/9 b G 1")
    assert found.sfen.split()[2] == "G2r2b3g4s3n4l17p"
    assert names(found) == ["hand-filled"]
    assert "2 rooks" in found.findings[0].message
    partly = problem_of("7nk/9/7P1/9/9/9/9/9/9 b G2r2b3g4s3n4l16p 1")
    assert partly.filled == "1 pawn"
    assert problem_of("7nk/9/7P1/9/9/9/9/9/9 b G2r2b3g4s3n4l17p 1").filled == ""


@pytest.mark.parametrize(("sfen", "why"), [
    ("9/9/9/9/9/9/9/9/9 b G 1", "no king"),
    ("4K4/9/9/9/9/9/9/9/9 b G 1", "White has no king"),
    ("8k/8G/9/9/9/9/9/9/9 b G 1", "White stands in check"),
    ("8k/8G/8G/9/9/9/9/9/9 b - 1", "White stands in check"),
    ("8k/9/9/9/9/9/9/9/9 b 5G 1", "more than a set"),
    ("nonsense", "SFEN"),
    ("", "SFEN"),
])
def test_what_is_no_problem_is_refused(sfen: str, why: str) -> None:
    with pytest.raises(ProblemError, match=why):
        solve(sfen)


def test_an_sfen_may_stand_behind_the_words_of_usi() -> None:
    for before in ("", "sfen ", "position sfen "):
        assert kifu.solve(before + "7nk/9/7P1/9/9/9/9/9/9 b G 1").plies == 1


def packed(sfen: str, *moves: str) -> list[int]:
    position = kifu.Position(problem_of(sfen).sfen)
    return [position.push(move).packed for move in moves]


THREE = "7s1/6k1p/9/6S2/9/9/9/9/9 b GS2r2b3gs4n4l17p 1"


@needs_speed
@pytest.mark.parametrize(("moves", "kind", "ply"), [
    ("S*3c 3b4a G*4b", "correct", 0),
    ("S*3c 3b3a G*4b", "correct", 0),
    ("S*3c 3b4a", "unfinished", 2),
    ("S*3c", "unfinished", 1),
    ("G*3c", "wrong", 1),
    ("3d2c", "wrong", 1),
    ("G*9i", "wrong", 1),
    ("S*3c 3b4a G*5b", "wrong", 3),
])
def test_a_solution_is_held_against_the_proof(moves: str, kind: str, ply: int) -> None:
    found = solve(THREE, line=packed(THREE, *moves.split()))
    assert found.comparison is not None
    assert (found.comparison.kind, found.comparison.ply) == (kind, ply)
    assert found.sound == (kind == "correct")


def test_interpositions_played_out_are_no_fault() -> None:
    sfen = "8k/6+R2/7bp/9/9/9/9/9/9 b Br4g4s4n4l17p 1"
    found = solve(sfen, line=packed(sfen, "B*3c", "P*2b", "3c2b+"))
    assert found.comparison is not None
    assert found.comparison.kind == "correct"


@pytest.mark.skipif(not COMPILED, reason="there is no binary to compare with")
def test_interpreted_and_compiled_go_the_same_way() -> None:
    """The same sources: not only the same line but the same number of positions."""
    call = f"import kifu; found = kifu.solve({THREE!r}, 3, None); print(found.line, found.nodes, found.checked)"
    told = [subprocess.run([sys.executable, "-c", call], capture_output=True, encoding="utf-8", check=True,
                           env={**os.environ, "KIFU_INTERPRETED": wanted}).stdout for wanted in ("0", "1")]
    assert told[0] == told[1] != ""
