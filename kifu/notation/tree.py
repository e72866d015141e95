"""The order in which the lines of a game are written where a branch is told from its ply alone.

KIF and USEN attach a branch to the line before it, cut down to the branch's ply. So every branch must stand behind the
line it leaves, before anything else that is as long: branches from the highest ply down, nested ones directly behind
their parent. Whoever walks the lines in this order finds each where the walk can go back to.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence

from kifu.record import Record


def branches_of(record: Record) -> dict[int, list[int]]:
    """The branches that say something, a move or an end, by the index of the move they follow; -1 is the start.

    Those of one parent stand in the order of the record.
    """
    found: dict[int, list[int]] = {}
    for number, line in enumerate(record.lines):
        if number and (line.last > line.first or line.end is not None):
            found.setdefault(line.parent, []).append(number)
    return found


def from_the_highest(record: Record, plies: Sequence[int] | None = None) -> Iterator[tuple[int, int, int]]:
    """The lines of a record as (number of the line, its first move, behind its last one), the main line first.

    ``plies`` says how many moves of each line count, as `kifu.record.Game.line_plies` does; lines that hang on others
    are left out.
    """
    children = branches_of(record)
    lines = record.lines
    stack = [0]
    while stack:
        number = stack.pop()
        first, stop = lines[number].first, lines[number].last
        if plies is not None:
            stop = first + (plies[number] if number < len(plies) else 0)
        yield number, first, stop
        if not children:
            continue
        if not number:
            stack += reversed(children.get(-1, ()))
        for node in range(first, stop):
            stack += reversed(children.get(node, ()))
