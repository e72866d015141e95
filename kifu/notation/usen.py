"""USEN, reader: a game with its branches as one word, one game a line.

Source: see `grammars/usen.lark`. A move is ``(from * 81 + to) * 2 + promotes`` in three base-36 digits, where squares
count 9a, …: ``(rank - 1) * 9 + file - 1``, and a drop comes "from" 81 and a number of its piece.
"""
from __future__ import annotations

from typing import ClassVar

from kifu import ends
from kifu.movetext import BISHOP, DROP, GOLD, KNIGHT, LANCE, PAWN, PROMOTE, ROOK, SILVER, pack
from kifu.notation.reading import Reader
from kifu.record import Line, Record
from kifu.rules.handicaps import EVEN

#: Where a dropped piece comes from, above the squares.
DROP_FROM = {GOLD: 9, PAWN: 10, LANCE: 11, KNIGHT: 12, SILVER: 13, BISHOP: 14, ROOK: 15}
_DROPPED = {81 + number: kind for kind, number in DROP_FROM.items()}
DIGITS = 3  # of one move
_texts: dict[str, int] = {}  # every code that was met, at most 36 ** 3


class UsenReader(Reader):
    """Reads USEN; every line with a section is a record."""

    NOTATION = "usen"
    MEANINGS: ClassVar = dict.fromkeys(("BASE", "SECTION", "MOVES", "END", "NL", "BAD"), "item")
    HANDLERS: ClassVar = {"BASE": "on_base", "SECTION": "on_section", "MOVES": "on_moves", "END": "on_end",
                          "NL": "on_line_end", "BAD": "on_bad"}

    def open(self, move: int, offset: int) -> None:
        super().open(move, offset)
        self.start = EVEN
        self.path: list[int] = []  # the moves from the start position to where the last section ends
        self.sections = 0

    @property
    def at(self) -> int:
        """How many moves were read; the assembler sees none of them, since a token holds many."""
        return len(self.texts)

    def on_base(self, move: int, start: int, end: int, value: int) -> None:
        board, side, hands = self.text[start:end].split(".")
        self.start = f"{board.replace('_', '/').replace('z', '+')} {side} {hands} 1"
        self.told = True

    def on_section(self, move: int, start: int, end: int, value: int) -> None:
        """Begin a line of play behind so many plies of the line before."""
        self.told = True
        depth = int(self.text[start + 1:end - 1])
        if self.sections:
            self.stop(self.at)
            self.path.extend(range(self.current.first, self.current.last))
        broken = None
        if depth > len(self.path):
            broken = self.report("variation-beyond-line", start, end, depth + 1, number=depth + 1)
            depth = len(self.path)
        del self.path[depth:]
        first = self.at - self.first_move
        if self.sections:
            parent = self.path[-1] if self.path else -1
            self.current = Line(parent, first, first, depth + 1, start, broken=broken)
            self.lines.append(self.current)
        else:
            self.current.offset, self.current.broken = start, broken
        self.sections += 1
        self.finished, self.lost = broken is not None, 0

    def on_moves(self, move: int, start: int, end: int, value: int) -> None:
        """Three digits a move; the line ends at the first three that are none."""
        if self.finished:
            return
        text = self.text
        for place in range(start, end, DIGITS):
            code = text[place:min(place + DIGITS, end)]
            packed = _texts.get(code)
            if packed is None:
                packed = decoded(code)
                if packed is None:
                    self.broken(self.at, place, place + len(code))
                    return
                _texts[code] = packed
            self.texts.append(packed)
            self.info.extend((place, place + DIGITS, 0, -1))

    def on_end(self, move: int, start: int, end: int, value: int) -> None:
        word = self.text[start + 1:end]
        if not word or self.current.broken is not None:
            return
        if word not in ends.USEN_WORDS:
            self.report("unknown-end", start + 1, end, text=word)
        first = ends.WHITE if self.start.split()[1] == "w" else ends.BLACK
        self.claim_end(self.at, ends.claim(ends.USEN_WORDS, word, self.mover(self.at, first), word, start + 1))

    def on_line_end(self, move: int, start: int, end: int, value: int) -> None:
        self.next_record(self.at, end)

    def on_bad(self, move: int, start: int, end: int, value: int) -> None:
        if "~" in self.text[start:end]:
            self.told = True
            self.broken(self.at, start, end)
        else:
            self.syntax("syntax-error", start, end)

    def close(self, move: int, offset: int) -> None:
        super().close(self.at, offset)

    def settle(self, record: Record) -> None:
        record.start = self.start
        record.turn = ends.WHITE if self.start.split()[1] == "w" else ends.BLACK


def decoded(code: str) -> int | None:
    """The move text of three base-36 digits, None where they are no move.

    >>> decoded("7ku") == pack(to=(7, 6), origin=(7, 7)), decoded("zzz")
    (True, None)
    """
    if len(code) != DIGITS:
        return None
    rest, promotes = divmod(int(code, 36), 2)
    origin, target = divmod(rest, 81)
    to = target % 9 + 1, target // 9 + 1
    if origin < 81:
        return pack(to=to, origin=(origin % 9 + 1, origin // 9 + 1), flags=PROMOTE if promotes else 0)
    kind = _DROPPED.get(origin)
    return None if kind is None or promotes else pack(to=to, piece=kind, flags=DROP)


