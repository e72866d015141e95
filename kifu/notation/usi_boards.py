"""SFEN and USI of all kinds of shogi, reader: boards to 12 x 12, any man, men that turn back or move twice.

`kifu.notation.usi` hands over to it where a kind of shogi is named or a board of another kind than the ordinary one
stands in the text. The kind of each line is the one that is named, else what its board fits (`kifu.rules.recognise`);
a line of moves alone is ordinary shogi where none is named.
"""
from __future__ import annotations

import re
from functools import lru_cache
from typing import ClassVar

from kifu.movetext import origin, target, via
from kifu.notation.reading import Reader
from kifu.notation.usi import ORDINARY, UsiReader, kind_of
from kifu.record import INFO, Record
from kifu.rules.move import of_rules
from kifu.rules.recognise import fitting
from kifu.rules.ruleset import Ruleset
from kifu.rules.variants import RULESETS

_SQUARE = "(?:1[0-2]|[1-9])[a-l]"
#: A line that begins with a position, up to its moves.
_POSITION = re.compile(
    r"(?:[A-Za-z0-9_]++[ \t]*+\|)?[ \t]*+(?:position[ \t]++)?(?:sfen[ \t]++)?([0-9A-Za-z+]++(?:/[0-9A-Za-z+]++)++"
    r"[ \t]++[bw][ \t]++[0-9A-Za-z-]++(?:[ \t]++[0-9]++)?)[ \t]++moves[ \t]++")


class BoardsReader(UsiReader):
    """Reads SFEN and USI text of any kind of shogi; every line with a position or moves is a record."""

    NOTATION = "usi_boards"
    MEANINGS: ClassVar = {"move": "move", "startpos": "item", "sfen": "item", "position": "item", "moves": "item",
                          "end": "end", "BAD": "item", "NL": "item", "POSITION": "item", "ODD": "item"}
    HANDLERS: ClassVar = {**UsiReader.HANDLERS, "ODD": "on_odd"}
    GAME_LIKE = re.compile(
        rf"(?:^|[\s|])(?:position|startpos|sfen|moves|{_SQUARE}{_SQUARE}|\+?[A-Za-z]\*{_SQUARE}|"
        r"[0-9a-zA-Z+]+/[0-9a-zA-Z+]+/)")

    def read(self) -> list[Record]:
        """All records of the text."""
        self.line_move = self.line_start = 0
        return Reader.read(self)

    def open(self, move: int, offset: int) -> None:
        super().open(move, offset)
        self.kind: str | None = self.given_variant or ORDINARY
        if self.kind != ORDINARY:
            self.start = self.named_start(self.kind) if self.given_handicap else RULESETS[self.kind].initial
        self.start_at: tuple[int, ...] = ()  # where the line gives a position

    def on_sfen(self, move: int, start: int, end: int, value: int) -> None:
        super().on_sfen(move, start, end, value)
        self.start_at = (start, end)
        if self.given_variant is None:
            self.kind = kind_of(self.start)

    def on_odd(self, move: int, start: int, end: int, value: int) -> None:
        """A word among moves that is none, and no end either; of several the first one is told."""
        if self.current.broken is None:
            self.broken(move, start, end)

    def on_bad(self, move: int, start: int, end: int, value: int) -> None:
        """A line that cannot be taken apart; the position at its beginning is kept."""
        given = _POSITION.match(self.text, start, end)
        if given is None:
            super().on_bad(move, start, end, value)
            return
        self.on_sfen(move, *given.span(1), value)
        self.stop(move)
        self.current.broken = self.report("unreadable-move", given.end(), end, self.ply_at(move) + 1,
                                          text=self.text[given.end():end].strip(), expected="moves")

    def settle(self, record: Record) -> None:
        record.variant = self.kind or ""
        rules = RULESETS[self.kind] if self.kind else None
        fits = fitting(self.start) if self.given_variant and self.start_at else (record.variant,)
        if rules and rules.key in fits:
            self.read_moves(record, rules)
        super().settle(record)
        if rules is None:
            self.report("unknown-variant", *self.start_at, text=self.start.split()[0])
            record.start = None
        elif rules.key not in fits:
            self.report("bad-board", *self.start_at, detail=_misfit(rules, fits))
            record.start = None

    def read_moves(self, record: Record, rules: Ruleset) -> None:
        """Make move texts of the moves as they are written; what the kind of shogi has no move for ends the line."""
        line = record.lines[0]
        for index in range(len(record.texts)):
            written = record.move_text(index)
            text = _move(written, rules.key)
            if not text:
                finding = self.report("unreadable-move", record.info[INFO * index], record.info[INFO * index + 1],
                                      min(index, line.last) + 1, text=written, expected=f"a move of {rules.name}")
                if index < line.last:
                    line.last, line.broken, self.finished = index, finding, True
                break
            record.texts[index] = text

    def gaps(self, record: Record) -> list[int]:
        return [index for index in range(len(record.texts)) if len(record.move_text(index).split()) > 1]


@lru_cache(maxsize=1 << 14)
def _move(written: str, variant: str) -> int:
    """The move text of a move as it is written, blanks inside it left out; 0 where the kind of shogi has no such one.
    """
    rules = RULESETS[variant]
    head, star, square = "".join(written.split()).rpartition("*")
    try:
        text = of_rules(head.upper() + star + square, rules)
    except ValueError:
        return 0
    inside = all(file <= rules.files and rank <= rules.ranks for file, rank in (target(text), origin(text), via(text)))
    return text if inside else 0


def _misfit(rules: Ruleset, fits: tuple[str, ...]) -> str:
    """What is wrong where a kind of shogi is named and the board is of another one."""
    if fits:
        return f"the board is of {RULESETS[fits[0]].name}, not of {rules.name}, the kind of shogi that was named"
    return (f"the board is not of {rules.name}, the kind of shogi that was named, which has {rules.files} files and "
            f"{rules.ranks} ranks")
