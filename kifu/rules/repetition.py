"""Repetition: the fourth occurrence of a position, and who gave perpetual check.

The rule as read here: a position (board, both hands, side to move) that occurs for the fourth time anywhere in the
game, the start counted, ends it. It is drawn, unless every move of one side from the first of those occurrences to the
last gave check: then that side has lost.
"""
from __future__ import annotations

from collections.abc import Sequence

from kifu.ends import BLACK, DRAW, WHITE
from kifu.rules.move import GIVES_CHECK

FOURTH = 4


def repetition(keys: Sequence[int], moves: Sequence[int], turn: int, times: int = FOURTH) -> tuple[str, str] | None:
    """What the repetition of the final position proves: ``(end, winner)``, or None where it is not repeated enough.

    ``keys`` are the keys of a line's positions from the start, one more than its packed ``moves``; ``turn`` is the
    side to move at the start. What counts is the way from its first occurrence to the fourth, which ended the game,
    however often it stood after that. The end is ``repetition`` (drawn) or ``perpetual_check``. If both sides gave
    nothing but checks it is drawn.

    >>> repetition([1, 2, 3, 4] * 3 + [1], [0] * 12, 0)
    ('repetition', 'draw')
    """
    last = len(moves)
    final = keys[last]
    seen = [ply for ply in range(last % 2, last + 1, 2) if keys[ply] == final]
    if len(seen) < times:
        return None
    checkers = [
        side for side in (0, 1)
        if all(moves[ply] & GIVES_CHECK for ply in range(seen[0], seen[times - 1]) if (turn + ply) % 2 == side)
    ]
    if len(checkers) == 1:
        return "perpetual_check", (WHITE, BLACK)[checkers[0]]
    return "repetition", DRAW
