"""Mate problems (詰将棋, tsume): proof, soundness, hisshi.

>>> from kifu.problems import solve
>>> solve("6p1k/9/7Pp/9/9/9/9/9/9 b G2r2b3g4s4n4l15p 1").line
['G*2b']

The attacker is the side to move and gives nothing but check; the defender holds every man that is nowhere else. The
layers, from the bottom: `table` and `checks`, `search` (compiled), `refute` (there is no mate at all), `lines`,
`soundness` and `compare`, and `solving` and `threats`, which ask them all. Nothing here reads files or prints.
"""
from __future__ import annotations

from kifu.problems.threats import Hisshi, hisshi
from kifu.problems.problem import Problem, ProblemError, bare, is_sfen, problem_of
from kifu.problems.solution import Solution
from kifu.problems.solving import DEPTH, SECONDS, solve

__all__ = [
    "DEPTH", "SECONDS", "Hisshi", "Problem", "ProblemError", "Solution", "bare", "hisshi", "is_sfen", "problem_of",
    "solve",
]
