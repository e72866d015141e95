"""A position taken apart for drawing: rows of cells, and the men in hand."""
from __future__ import annotations

import re

from kifu._tuples import NamedTuple

_CELL = re.compile(r"\d+|\+?[A-Za-z]")
_HELD = re.compile(r"(\d*)([A-Za-z])")


class Board(NamedTuple):
    """What SFEN says. A cell is a man as SFEN writes it, "" where none is; White's are in small letters."""

    rows: list[list[str]]  # the row furthest from Black first, the highest file first
    white_to_move: bool
    hands: tuple[list[tuple[str, int]], list[tuple[str, int]]]  # Black's and White's: letter, count


def board_of(sfen: str) -> Board:
    """The board of a valid SFEN.

    >>> board = board_of("4k4/9/4+P4/9/9/9/9/9/4K4 w 2Pb 1")
    >>> board.rows[2][4], board.white_to_move, board.hands
    ('+P', True, ([('P', 2)], [('B', 1)]))
    """
    rows, turn, held = sfen.split()[:3]
    cells = [[cell for found in _CELL.findall(row) for cell in ([""] * int(found) if found.isdigit() else [found])]
             for row in rows.split("/")]
    counted = [(letter, int(count or 1)) for count, letter in _HELD.findall(held)]
    hands = ([(letter, count) for letter, count in counted if letter.isupper()],
             [(letter.upper(), count) for letter, count in counted if letter.islower()])
    return Board(cells, turn == "w", hands)
