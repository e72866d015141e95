"""A record's own solution, held against the proof."""
from __future__ import annotations

from collections.abc import Sequence

from kifu._tuples import NamedTuple
from kifu.problems.lines import Stopped, distance
from kifu.problems.search import Search
from kifu.rules.move import GIVES_CHECK

#: What a solution can be. ``wrong``: a move of the attacker gives no check or lets the mate slip; ``longer``: he
#: mates later than he could; ``shorter``: the defender does not hold out as long as he could; ``unfinished``: it ends
#: before the mate; ``undecided``: a limit was hit.
CORRECT, WRONG, LONGER, SHORTER, UNFINISHED, UNDECIDED = (
    "correct", "wrong", "longer", "shorter", "unfinished", "undecided")


class Comparison(NamedTuple):
    """What a record's line is, the ply that makes it so, and by how many plies it is longer or shorter."""

    kind: str
    ply: int = 0
    by: int = 0
    left: int = 0  # men in the attacker's hand where the line ends
    no_check: bool = False


def compare(search: Search, line: Sequence[int], plies: int, most: int) -> Comparison:
    """Judge a line of a problem that takes so many plies; mates are sought up to ``most``. The first fault counts."""
    depth = search.depth
    try:
        return _compared(search, line, plies, most)
    except Stopped:
        return Comparison(UNDECIDED)
    finally:
        while search.depth > depth:
            search.undo()


def _compared(search: Search, line: Sequence[int], plies: int, most: int) -> Comparison:
    due = plies
    fault: Comparison | None = None
    for ply, move in enumerate(line, 1):
        attacking = search.turn == search.side
        if due == 0:
            break  # what follows are useless interpositions, played out
        if attacking and not move & GIVES_CHECK:
            return Comparison(WRONG, ply, no_check=True)
        search.play(move)
        found = distance(search, most)
        if found is None:
            return Comparison(WRONG, ply)
        if found != due - 1 and fault is None:
            fault = Comparison(LONGER if attacking else SHORTER, ply, abs(found - due + 1))
        due = found
    if fault is None:
        fault = Comparison(UNFINISHED, len(line), due) if due else Comparison(CORRECT)
    return fault._replace(left=search.attackers_hand())
