"""BOD, the reader: a board diagram with its hands as a record of no moves; what it says of the last move is checked.

Source: the diagrams of Kifu for Windows (see `grammars/kif.lark`, which reads them here as well as inside KIF). The
writer is `kifu.notation.bod_writer`.
"""
from __future__ import annotations

import re

from kifu import ends
from kifu.notation.csa import BLANKS
from kifu.notation.kif import OPENING_KEYS, KifReader
from kifu.record import Record

_BLANK_LINE = re.compile(r"[\s\S]*(?:\n[ 　\t]*\r?\n|\r[ 　\t]*\r)[ 　\t]*$")


class BodReader(KifReader):
    """Reads texts that hold diagrams and nothing else; one that holds moves as well is read as KIF."""

    OTHER_BOARDS = "BodBoardsReader"

    def open(self, move: int, offset: int) -> None:
        super().open(move, offset)
        self.hands_seen: set[str] = set()

    def whole(self) -> bool:
        """Whether all rows of the diagram were read."""
        return self.rank >= 9

    def has_diagram(self) -> bool:
        """Whether any of it was."""
        return self.board is not None

    def next_diagram(self, move: int, start: int) -> None:
        """Begin the next diagram if the one before is whole."""
        if self.whole() and not self.begun(move):
            self.next_record(move, start)

    def on_row(self, move: int, start: int, end: int, value: int) -> None:
        self.next_diagram(move, start)
        super().on_row(move, start, end, value)

    def on_hand_black(self, move: int, start: int, end: int, value: int) -> None:
        self.hand(move, start, ends.BLACK)
        super().on_hand_black(move, start, end, value)

    def on_hand_white(self, move: int, start: int, end: int, value: int) -> None:
        self.hand(move, start, ends.WHITE)
        super().on_hand_white(move, start, end, value)

    def hand(self, move: int, start: int, side: str) -> None:
        """A hand that was given already is the first of the next diagram."""
        if side in self.hands_seen:
            self.next_diagram(move, start)
        self.hands_seen.add(side)

    def on_header(self, move: int, start: int, end: int, value: int) -> None:
        key = self.text[start:end].replace(":", "：").partition("：")[0].strip(BLANKS)
        apart = len(self.hands_seen) > 1 and _BLANK_LINE.match(self.text, max(0, start - 80), start)
        if self.whole() and key in OPENING_KEYS and (apart or any(key == known for known, _ in self.record.headers)):
            self.next_diagram(move, start)
        super().on_header(move, start, end, value)

    def settle(self, record: Record) -> None:
        super().settle(record)
        if not self.has_diagram() and not record.texts and self.lines[0].broken is None:
            self.lines[0].broken = self.report("no-diagram", record.offset)
