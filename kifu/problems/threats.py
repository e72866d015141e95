"""Hisshi (必至) and threatmate (詰めろ): what the side to move can still do.

A position is hisshi where the defender, to move and not in check, is mated whatever he plays, his own checks
included. It is a threatmate where he is mated if he passes.
"""
from __future__ import annotations

from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from kifu.problems.lines import MainLine, Stopped, distance
from kifu.problems.problem import Problem, ProblemError, problem_of
from kifu.problems.refute import never_mates
from kifu.problems.search import Search
from kifu.problems.solving import DEPTH, SECONDS
from kifu.rules.move import usi

#: Verdicts. ``not-hisshi`` is proven: after a reply there is no mate at all. ``not-found`` says only that a mate was
#: not found after some reply before a limit was hit.
HISSHI, NOT_HISSHI, NOT_FOUND = "hisshi", "not-hisshi", "not-found"
_EFFORT = 3000  # positions gone through for the proof that a reply is followed by no mate


@dataclass
class Hisshi:
    """The answer. ``replies`` are the defender's moves with the plies to mate after each (packed move, plies)."""

    problem: Problem
    verdict: str = HISSHI
    #: Whether the defender is mated if he passes; None where a limit was hit first.
    threatmate: bool | None = None
    threat: list[int] = field(default_factory=list)
    replies: list[tuple[int, int]] = field(default_factory=list)
    #: Replies after which no mate was found, and those of them after which there is proven to be none.
    open: list[int] = field(default_factory=list)
    escapes: list[int] = field(default_factory=list)
    limit: str = ""
    nodes: int = 0
    elapsed: float = 0.0

    @property
    def plies(self) -> int:
        """The longest mate, counted from the position after the defender's reply; 0 where he has no move."""
        return max((plies for _, plies in self.replies), default=0)

    def row(self) -> dict[str, Any]:
        """The fields of ``kifu solve --hisshi --format json``, without the place of the record."""
        return {
            "sfen": self.problem.sfen, "attacker": self.problem.attacker, "verdict": self.verdict,
            "threatmate": self.threatmate, "threat": [usi(move) for move in self.threat],
            "plies": self.plies or None, "replies": {usi(move): plies for move, plies in self.replies},
            "escapes": [usi(move) for move in self.escapes], "open": [usi(move) for move in self.open],
            "limit": self.limit or None, "nodes": self.nodes, "seconds": round(self.elapsed, 3),
        }


def hisshi(text: str, depth: int = DEPTH, seconds: float | None = SECONDS, nodes: int | None = None) -> Hisshi:
    """Whether the side to move of an SFEN is lost to a mate whatever it plays.

    ``depth`` is the longest mate looked for after a reply. Raises `ProblemError` where the position is no problem or
    the side to move stands in check, which is no hisshi but a mate or none.

    >>> hisshi("6R1k/9/7P1/9/9/9/9/9/9 w G 1").verdict
    Traceback (most recent call last):
    kifu.problems.problem.ProblemError: White stands in check: hisshi is a threat, not a check
    """
    problem = problem_of(text, defends=True)
    began = monotonic()
    search = problem.search()
    if search.checked:
        raise ProblemError(f"{problem.defender.capitalize()} stands in check: hisshi is a threat, not a check")
    search.limit(nodes if nodes is not None else 1 << 62, began + seconds if seconds is not None else 1e300)
    found = Hisshi(problem)
    for move in sorted(search.legal_moves()):
        search.play(move)
        _settle(search, found, move, depth)
        search.undo()
    if found.escapes:
        found.verdict = NOT_HISSHI
    elif found.open:
        found.verdict = NOT_FOUND
    found.limit = search.stopped or ("depth" if found.open else "")
    found.nodes = search.nodes
    _threat(problem, found, depth, began, seconds, nodes)
    found.elapsed = monotonic() - began
    return found


def _settle(search: Search, found: Hisshi, move: int, depth: int) -> None:
    """What follows one reply, which has been played."""
    try:
        plies = distance(search, min(depth, 5))
        if plies is None and not never_mates(search, 3, _EFFORT // 10):
            plies = distance(search, depth)
    except Stopped:
        plies = None
    if plies is not None:
        found.replies.append((move, plies))
    elif never_mates(search, 5, _EFFORT):
        found.escapes.append(move)
    else:
        found.open.append(move)


def _threat(problem: Problem, found: Hisshi, depth: int, began: float, seconds: float | None,
            nodes: int | None) -> None:
    """Whether the attacker, if it were his move, mates: on a board of its own, with what is left of the limits."""
    board, turn, hands, number = problem.sfen.split()
    passed = problem._replace(sfen=" ".join((board, "bw"[turn == "b"], hands, number)))
    search = passed.search()
    search.limit(max(1, nodes - found.nodes) if nodes is not None else 1 << 62,
                 began + seconds if seconds is not None else 1e300)
    try:
        if search.odd:
            return
        plies = distance(search, depth)
        if plies is not None:
            found.threatmate = True
            found.threat = MainLine(search).find(plies)[1]
        elif never_mates(search, 5, _EFFORT):
            found.threatmate = False
    except Stopped:
        found.limit = search.stopped
    found.nodes += search.nodes
