"""SFEN and USI, reader: one game or position a line.

Source: the USI protocol (see `grammars/usi.lark`).
"""
from __future__ import annotations

import re
from typing import ClassVar

from kifu import ends
from kifu.movetext import PROMOTE
from kifu.notation.meanings import SPELLED_LETTER, SPELLED_PLUS, spelled
from kifu.notation.reading import Reader
from kifu.record import Record
from kifu.rules.handicaps import HANDICAPS

_GAME_LIKE = re.compile(r"(?:^|[\s|])(?:position|startpos|sfen|moves|[1-9][a-i][1-9][a-i]\+?|[PLNSGBR]\*[1-9][a-i]|"
                        r"[1-9a-zA-Z+]+/[1-9a-zA-Z+]+/)")
EVEN_SFEN = HANDICAPS["even"].sfen


class UsiReader(Reader):
    """Reads SFEN and USI text; every line with a position or moves is a record.

    Lines of one bare move each, one after the other, are one game (shogilibsharp's test games).
    """

    NOTATION = "usi"
    MEANINGS: ClassVar = {
        "SQUARE": "square", "DROP": "letter_drop", "PROMOTE": ("flag", PROMOTE), "move": "move",
        "MOVE": spelled(origin=0, target=2, marks=SPELLED_PLUS), "DROPPED": spelled(target=2, marks=SPELLED_LETTER),
        "startpos": "item", "sfen": "item", "position": "item", "moves": "item", "end": "end", "BAD": "item",
        "NL": "item", "POSITION": "item",
    }
    HANDLERS: ClassVar = {
        "startpos": "on_startpos", "sfen": "on_sfen", "position": "on_told", "moves": "on_told", "POSITION": "on_told",
        "end": "on_end", "NL": "on_line_end", "BAD": "on_bad",
    }

    line_move = line_start = 0  # where the current line begins

    def open(self, move: int, offset: int) -> None:
        super().open(move, offset)
        self.start = EVEN_SFEN
        self.headed = False  # whether the current line says more than moves

    def split(self) -> None:
        """The current line is a game of its own: close the one-move-a-line game before it, if there is one."""
        if self.line_move > self.first_move:
            self.next_record(self.line_move, self.line_start)

    def on_startpos(self, move: int, start: int, end: int, value: int) -> None:
        self.split()
        self.told = self.headed = True

    def on_sfen(self, move: int, start: int, end: int, value: int) -> None:
        self.split()
        self.told = self.headed = True
        self.start = " ".join(self.text[start:end].split())

    def on_told(self, move: int, start: int, end: int, value: int) -> None:
        self.told = True

    def on_end(self, move: int, start: int, end: int, value: int) -> None:
        word = self.text[start:end]
        first = ends.WHITE if self.start.split()[1] == "w" else ends.BLACK
        if word not in ends.USI_WORDS:
            self.report("unknown-end", start, end, text=word)
        self.claim_end(move, ends.claim(ends.USI_WORDS, word, self.mover(move, first), word, start))

    def on_line_end(self, move: int, start: int, end: int, value: int) -> None:
        moves = move - self.line_move
        if moves > 1 and not self.headed:
            self.split()
        if moves != 1 or self.headed or self.finished or end - start > 2 and self.text.count("\n", start, end) > 1:
            self.next_record(move, end)
        self.line_move, self.line_start, self.headed = move, end, False

    def on_bad(self, move: int, start: int, end: int, value: int) -> None:
        if _GAME_LIKE.search(self.text, start, end):
            self.told = True
            self.broken(move, start, end)
        else:
            self.syntax("syntax-error", start, end)

    def settle(self, record: Record) -> None:
        self.surplus(self.first_move + len(record.texts))
        record.start = self.start
        record.turn = ends.WHITE if self.start.split()[1] == "w" else ends.BLACK
        for index in self.gaps(record):
            self.report("gap-in-move", record.info[4 * index], record.info[4 * index + 1], index + 1,
                        text=record.move_text(index))
