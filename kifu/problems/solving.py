"""Solve a mate problem: prove the mate or that there is none, and look for what is wrong with the problem."""
from __future__ import annotations

from collections.abc import Sequence
from time import monotonic

from kifu.problems import compare, solution
from kifu.problems.judge import judge
from kifu.problems.lines import MainLine, Stopped, distance
from kifu.problems.problem import Problem, problem_of
from kifu.problems.refute import never_mates
from kifu.problems.search import MOST_PLIES, Search
from kifu.problems.solution import Solution
from kifu.problems.soundness import OTHER, uniqueness
from kifu.problems.table import NO_MATE

#: Limits where the caller names none: plies of a mate, and seconds for one problem.
DEPTH, SECONDS = 31, 30.0
#: The engine's length may exceed the traditional one by two plies for each square between king and checking man.
INTERPOSED = 14
#: Other solutions are looked for among mates that take up to so many plies more than the main line.
BEYOND = 10
#: From this depth on, attempts are made to prove that there is no mate at all.
_FIRST_ATTEMPT = 5
_EFFORT = 150  # positions that an attempt goes through, for each ply of the depth


def solve(problem: Problem | str, depth: int = DEPTH, seconds: float | None = SECONDS, nodes: int | None = None,
          line: Sequence[int] = ()) -> Solution:
    """Solve a problem, given as SFEN or as `Problem`.

    Args:
        depth: the longest mate looked for, in plies (traditional length).
        seconds, nodes: limits of time and of positions searched; None for no limit.
        line: the record's own solution as packed moves, to be compared with the proof; empty for none.

    Raises `ProblemError`, a ValueError, where the position is no mate problem, and ValueError for a depth that cannot
    be searched.

    >>> found = solve("6p1k/9/6N1+B/9/9/9/9/9/9 b B2r4g4s3n4l17p 1")
    >>> found.verdict, found.plies, found.line, found.sound
    ('mate', 1, ['B*2b'], True)
    """
    if not 1 <= depth <= MOST_PLIES - INTERPOSED:
        raise ValueError(f"a depth of {depth} plies: it must be from 1 to {MOST_PLIES - INTERPOSED}")
    problem = problem_of(problem) if isinstance(problem, str) else problem
    began = monotonic()
    search = problem.search()
    search.limit(nodes if nodes is not None else 1 << 62, began + seconds if seconds is not None else 1e300)
    found = Solution(problem)
    _prove(search, found, depth)
    if found.verdict == solution.MATE:
        _study(search, found, depth, line)
    found.limit = search.stopped or found.limit
    found.nodes, found.elapsed = search.nodes, monotonic() - began
    judge(search, found)
    return found


def _prove(search: Search, found: Solution, depth: int) -> None:
    """Look for the shortest mate, deeper and deeper, and between times for a proof that there is none."""
    for plies in range(1, depth + 1, 2):
        mates = search.within(plies)
        if mates:
            found.verdict, found.plies = solution.MATE, plies
            return
        if mates is None:
            return
        found.searched = plies
        if search.bounds()[0] == NO_MATE or plies >= _FIRST_ATTEMPT and any(
                never_mates(search, ahead, _EFFORT * plies) for ahead in (3, 7)):
            found.verdict = solution.NO_MATE
            return
    found.limit = "depth"


def _study(search: Search, found: Solution, depth: int, line: Sequence[int]) -> None:
    """Main line, lengths, other solutions and the record's own, as far as the limits allow."""
    start = search.depth
    try:
        left, found.moves = MainLine(search).find(found.plies)
        if line:
            found.comparison = compare.compare(search, line, found.plies, depth)
            if found.comparison.kind == compare.CORRECT and found.comparison.left == left:
                found.moves = list(line[:found.plies])  # of equally good lines, the author's
        if left:
            found.left = _words(search, found.moves)
        search.traditional = False
        found.engine_plies = distance(search, found.plies + INTERPOSED) or 0
        search.traditional = True
        other = uniqueness(search, found.moves, min(depth, found.plies + BEYOND))
        found.seconds, found.checked = other.seconds, other.checked
        if any(one.kind == OTHER for one in other.seconds):
            found.unique = False
        elif not other.open:
            found.unique = True
        elif not search.stopped:
            found.limit = "depth"
    except Stopped:
        pass  # the search says which limit was hit
    finally:
        search.traditional = True
        while search.depth > start:
            search.undo()


def _words(search: Search, line: Sequence[int]) -> str:
    """What the attacker holds at the end of a line."""
    for move in line:
        search.play(move)
    names = []
    for kind in search.tables.rules.kinds:
        count = 0 if kind.royal else search.hand(search.side, kind.number)
        if count:
            names.append(f"{count} {kind.name}{'s' * (count != 1)}")
    for _ in line:
        search.undo()
    return ", ".join(names)
