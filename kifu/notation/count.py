"""`手数＝12  △３四歩  まで`: the number of the move before a diagram, and that move.

Source: the diagrams of Kifu for Windows. The move is no move of the record: its man stands on the diagram already.
"""
from __future__ import annotations

import re
from typing import NamedTuple

from kifu import ends
from kifu.movetext import KIND_FIELD, PIECE_SHIFT, PROMOTE, PROMOTED
from kifu.notation.board import Board
from kifu.notation.meanings import CELL_WHITE

#: The header that keeps the move before a diagram, as written; a diagram that is written again shows it.
LAST_MOVE = "最終手"
_COUNT = re.compile(r"手数[ 　]*[=＝][ 　\t]*([0-9０-９一二三四五六七八九十百]{1,9})[^ 　\t\r\n]*[ 　\t]*"
                    r"([^ 　\t\r\nま](?:[^\r\nま]*[^ 　\t\r\nま])?)?")
_PROMOTES = re.compile(r"[^不]成(?![香桂銀])")


class Count(NamedTuple):
    """What such a line says. ``written`` is the move as it stands there, "" for none; ``packed`` its move text."""

    number: int = 0
    written: str = ""
    packed: int = 0
    start: int = -1
    end: int = -1

    @property
    def square(self) -> int:
        """The target as the low eight bits of a move text, 0 where none is named."""
        return self.packed & 255 if self.written and self.packed & 15 else 0

    def mover(self, board: Board | None) -> str | None:
        """Whose man stands where the move went; None where no move is given or another man stands there."""
        if board is None or not self.written:
            return None
        man = board.squares.get((self.square & 15, self.square >> 4), 0)
        named = self.packed >> PIECE_SHIFT & (KIND_FIELD | PROMOTED)
        if self.packed & PROMOTE or _PROMOTES.search(self.written):
            named |= PROMOTED
        if not man or man & (KIND_FIELD | PROMOTED) != named:
            return None
        return ends.WHITE if man & CELL_WHITE else ends.BLACK


def read_count(text: str, start: int, end: int, packed: int) -> Count:
    """The line at ``text[start:end]``, whose move the grammar made the move text ``packed``.

    >>> read_count("手数＝十二  △３四歩  まで", 0, 15, 0)[:2]
    (12, '△３四歩')
    """
    match = _COUNT.match(text, start, end)
    if match is None:
        return Count()
    return Count(number(match.group(1)), match.group(2) or "", packed, *match.span(2))


def number(text: str) -> int:
    """A number in digits or kanji.

    >>> number("１２"), number("百十二"), number("二十")
    (12, 112, 20)
    """
    total = ones = 0
    for char in text:
        if char in "十百":
            total += (ones or 1) * (10 if char == "十" else 100)
            ones = 0
        else:
            kanji = "一二三四五六七八九".find(char) + 1
            ones = ones * 10 + (kanji or int(char))
    return total + ones
