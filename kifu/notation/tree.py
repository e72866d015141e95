"""The order in which the lines of a game are written where a branch is told from its ply alone.

KIF and USEN attach a branch to the line before it, cut down to the branch's ply. So every branch must stand behind the
line it leaves, before anything else that is as long: branches from the highest ply down, nested ones directly behind
their parent.
"""
from __future__ import annotations

from collections.abc import Iterator

from kifu.record import Game


def branches_of(game: Game) -> dict[int, list[int]]:
    """The lines with moves that leave the main line or another branch, by the index of the move they follow.

    -1 is the start position. Lines of one parent stand in the order of the record.
    """
    found: dict[int, list[int]] = {}
    for number, line in enumerate(game.record.lines):
        if number and line.last > line.first:
            found.setdefault(line.parent, []).append(number)
    return found


def stop_of(game: Game, number: int) -> int:
    """The index behind the last legal move of a line."""
    first: int = game.record.lines[number].first
    return first + (game.line_plies[number] if number < len(game.line_plies) else 0)


def from_the_highest(game: Game) -> Iterator[tuple[int, int, int]]:
    """The lines of a proven game as (number of the line, its first move, behind its last legal move).

    The main line comes first; lines that hang on a move that was not proven are left out.
    """
    children = branches_of(game)
    stack = [0]
    while stack:
        number = stack.pop()
        first, stop = game.record.lines[number].first, stop_of(game, number)
        yield number, first, stop
        if not children:
            continue
        if not number:
            stack += reversed(children.get(-1, ()))
        for node in range(first, stop):
            stack += reversed(children.get(node, ()))
