"""The solver against a slow and simple one, and against cshogi, on random small positions."""
from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from kifu import Position
from kifu.problems import ProblemError, problem_of, solve

from .slow import COMPILED, changed, length, needs_speed, random_problem, turned

#: Traditionally of one move, with every interposition of three.
LENGTHENED = [
    "9/5R2s/7kr/5G1p1/9/9/9/9/9 b BGPb2g3s4n4l16p 1",
    "8k/6+R2/7bp/9/9/9/9/9/9 b Br4g4s4n4l17p 1",
]

def problems(seed: int, count: int, made: Callable[[Random], str] = random_problem) -> list[str]:
    random, found = Random(seed), []
    while len(found) < count:
        try:
            found.append(problem_of(made(random)).sfen)
        except ProblemError:
            continue
    return found


def shortest(sfen: str, most: int, traditional: bool = False) -> int | None:
    search = problem_of(sfen).search()
    search.traditional = traditional
    return next((plies for plies in range(1, most + 1, 2) if search.within(plies)), None)


def test_lengths() -> None:
    seen = set()
    for sfen in problems(1, 120 if COMPILED else 12):
        want = length(Position(sfen), 3)
        assert shortest(sfen, 3) == want, sfen
        assert shortest(turned(sfen), 3) == want, sfen
        seen.add(want)
    assert not COMPILED or seen == {1, 3, None}


def test_traditional_lengths() -> None:
    """Problems made of some that interposition lengthens, changed a little."""
    shorter = 0
    for sfen in problems(2, 100 if COMPILED else 12, lambda random: changed(random, random.choice(LENGTHENED))):
        want = length(Position(sfen), 3, traditional=True)
        assert shortest(sfen, 3, traditional=True) == want, sfen
        assert shortest(turned(sfen), 3, traditional=True) == want, sfen
        shorter += want is not None and want != shortest(sfen, 3)
    assert shorter > (10 if COMPILED else 0)


def test_lengths_of_cshogi() -> None:
    cshogi = pytest.importorskip("cshogi")
    seen = set()
    for sfen in problems(3, 300 if COMPILED else 4):
        board = cshogi.Board()
        board.set_sfen(sfen)
        best = shortest(sfen, 7)
        for plies in (3, 5, 7):
            assert bool(board.mate_move(plies)) == (best is not None and best <= plies), (sfen, plies, best)
        seen.add(best)
    assert not COMPILED or seen >= {1, 3, 5, None}


@needs_speed
def test_no_mate_is_none_for_cshogi_either() -> None:
    """Where the absence of any mate is claimed to be proven, cshogi's df-pn finds none to depth 31."""
    cshogi = pytest.importorskip("cshogi")
    proven = 0
    for sfen in problems(4, 40):
        if solve(sfen, depth=9, nodes=20000, seconds=None).verdict != "no-mate":
            continue
        proven += 1
        board = cshogi.Board()
        board.set_sfen(sfen)
        solver = cshogi.DfPn(31, 200000, 1000)
        assert not solver.search(board), sfen
    assert proven > 10
