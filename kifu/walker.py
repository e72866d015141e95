"""A position that goes back and forth over the tree of a record, along moves that are proven.

Whoever works through the lines of a record one by one needs the position behind the move that each of them continues.
From one line to the next only the moves that the two do not share are taken back and played.
"""
from __future__ import annotations

from array import array
from collections.abc import Iterable

from kifu.record import Line, Record
from kifu.rules.position import Position


class Walker:
    """One position on its way over a record.

    ``position`` stands at the start of the record when it is handed over; from then on it is moved. ``proven`` has the
    packed moves by their index, -1 where one is not proven, and may gain some while the walk goes on. ``path`` holds
    the indices of the moves that lead to the position. They ascend: a line stands behind the one that it leaves.

    >>> from kifu import parse, replay
    >>> [record] = parse("1. P-7f P-3d (1... P-8d 2. P-2f) 2. Bx2b+")
    >>> proven = replay(record).proven
    >>> walker = Walker(record, Position(record.start), proven)
    >>> walker.go_to(2), walker.path
    (True, [0, 1, 2])
    >>> walker.go_to(4), walker.path
    (True, [0, 3, 4])
    >>> walker.position.sfen()
    'lnsgkgsnl/1r5b1/p1ppppppp/1p7/9/2P4P1/PP1PPPP1P/1B5R1/LNSGKGSNL w - 4'
    """

    __slots__ = ("parents", "path", "position", "proven")

    def __init__(self, record: Record, position: Position, proven: array[int]) -> None:
        self.position = position
        self.proven = proven
        self.path: list[int] = []
        #: The first moves of the lines -> the moves that they continue.
        self.parents = {line.first: line.parent for line in record.lines if line.first < line.last}

    def attach(self, line: Line) -> None:
        """Learn that a line begins with another move, or continues another one, than it did."""
        if line.first < line.last:
            self.parents[line.first] = line.parent

    def go_to(self, node: int) -> bool:
        """Bring the position behind a move, -1 for the start; False, and it stays, where that move is not proven."""
        path, position, proven, parents = self.path, self.position, self.proven, self.parents
        if node >= 0 and proven[node] < 0:
            return False
        ahead = []
        while node != (path[-1] if path else -1):
            if path and path[-1] > node:
                position.undo()
                path.pop()
            else:
                ahead.append(node)
                node = parents.get(node, node - 1)
        for index in reversed(ahead):
            position.play(proven[index])
            path.append(index)
        return True

    def played(self, moves: Iterable[int]) -> None:
        """Note that these moves were played on the position."""
        self.path.extend(moves)
