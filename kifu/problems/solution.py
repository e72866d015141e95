"""What is found out about a mate problem."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from kifu.diagnostics import ERROR, Diagnostic
from kifu.problems.compare import Comparison
from kifu.problems.problem import Problem
from kifu.problems.soundness import Second
from kifu.rules.move import usi

#: Verdicts. ``no-mate`` is proven; ``not-found`` says only that limits were hit first.
MATE, NO_MATE, NOT_FOUND = "mate", "no-mate", "not-found"


@dataclass
class Solution:
    """The answer to a mate problem. Lengths are in plies; ``moves`` are packed, ``line`` has them in USI."""

    problem: Problem
    verdict: str = NOT_FOUND
    #: Traditional length: useless interposition does not count. 0 where no mate was found.
    plies: int = 0
    #: With every interposition counted; 0 where it was not found within the limits.
    engine_plies: int = 0
    moves: list[int] = field(default_factory=list)
    #: The men left in the attacker's hand at the end of the line, in words; empty where there are none.
    left: str = ""
    seconds: list[Second] = field(default_factory=list)
    #: Whether no other solution exists: True is proven; None where it is not settled beyond ``checked`` plies.
    unique: bool | None = None
    checked: int = 0
    #: What the record's own line is, None where it has none.
    comparison: Comparison | None = None
    #: The limit that ended the work: ``depth``, ``time``, ``nodes``; empty where none did.
    limit: str = ""
    #: No mate is as short as this many plies, or shorter, where none was found.
    searched: int = 0
    nodes: int = 0
    elapsed: float = 0.0
    findings: list[Diagnostic] = field(default_factory=list)

    @property
    def sfen(self) -> str:
        """The problem, its defender's hand complete."""
        return self.problem.sfen

    @property
    def attacker(self) -> str:
        """The side that mates, ``black`` or ``white``."""
        return self.problem.attacker

    @property
    def line(self) -> list[str]:
        """The main line in USI."""
        return [usi(move) for move in self.moves]

    @property
    def sound(self) -> bool:
        """Whether the mate is proven and nothing is wrong with the problem or the record's solution."""
        return self.verdict == MATE and not any(found.severity == ERROR for found in self.findings)

    def row(self) -> dict[str, Any]:
        """The fields of ``kifu solve --format json``, without the place of the record."""
        told = self.comparison
        return {
            "sfen": self.sfen, "attacker": self.attacker, "verdict": self.verdict, "sound": self.sound,
            "plies": self.plies or None, "engine_plies": self.engine_plies or None, "moves": self.line,
            "left_in_hand": self.left, "unique": self.unique, "checked_plies": self.checked,
            "second_solutions": [{"ply": one.ply, "move": usi(one.move), "plies": one.plies, "kind": one.kind}
                                 for one in self.seconds],
            "solution": told and {"verdict": told.kind, "ply": told.ply or None, "by": told.by or None},
            "limit": self.limit or None, "searched_plies": self.searched, "nodes": self.nodes,
            "seconds": round(self.elapsed, 3),
            "diagnostics": [{"code": one.code, "name": one.name, "severity": one.severity, "ply": one.ply,
                             "message": one.message, "hint": one.hint} for one in self.findings],
        }
