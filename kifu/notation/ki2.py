"""KI2, the reader: KIF's headers, boards, comments and branches, with moves as books print them.

Source: the format page of Kifu for Windows (see `grammars/ki2.lark`). Which man `５八金右` means is for the resolver to
say, which knows the position (`kifu.rules.resolve`). The writer is `kifu.notation.ki2_writer`.
"""
from __future__ import annotations

import re
from array import array
from typing import ClassVar

from kifu import ends
from kifu.movetext import (
    BACK, DROP_IF_NONE, LEFT, ORIGIN_UNWRITTEN, RIGHT, SAME, SIDEWAYS, STRAIGHT, UP,
)
from kifu.notation.csa import BLANKS, PIECES
from kifu.notation.kif import KifReader
from kifu.record import INFO, Line, Record

#: What the grammar has in common with KIF's, and means there.
SHARED = (
    "PAWN", "LANCE", "KNIGHT", "SILVER", "GOLD", "BISHOP", "ROOK", "KING", "TOKIN", "PLANCE", "PKNIGHT", "PSILVER",
    "HORSE", "DRAGON", "BLACK", "WHITE", "MARK_WHITE", "SQUARE", "FILE", "RANK", "SAME", "ORIGIN", "DROP", "PROMOTE",
    "DECLINE", "NUMBER", "NUMERAL", "end", "COMMENT", "BOOKMARK", "cell", "row", "holding", "HAND_BLACK", "HAND_WHITE",
    "reserved", "turn", "count", "HEADER", "HASH", "COLUMN", "branch", "MADE", "RESULT", "result", "rotate", "BAD",
)
#: Pieces that the grammar reads in one token with their square; the others are rarer.
_WITH_SQUARE = ("PAWN", "SILVER", "GOLD", "BISHOP", "ROOK", "KING")
_SIDES = {"▲": ends.BLACK, "☗": ends.BLACK, "△": ends.WHITE, "▽": ends.WHITE, "☖": ends.WHITE}
#: How a move begins that stands somewhere in a line, and how one begins with which a line begins.
_INSIDE = re.compile(r"[▲△▼▽☗☖][ 　\t]*[1-9１-９同仝]")
_FIRST = re.compile(r"[ 　\t]*(?:[▲△▼▽☗☖]|[1-9１-９][1-9１-９一二三四五六七八九]|[同仝])")
#: What belongs to the move before it.
_MARK = re.compile(r"[左右直上行入寄引成不生打合同0-9０-９(（]")
_MARKS_ALONE = re.compile(r"[左右直上行入寄引成不生打合]+(?=$|[ 　\t▲△▼▽☗☖1-9１-９同])")
_NEAR = 500
_BETWEEN = re.compile(r"(?:[ 　\t、，。,]|[(（][^()（）\r\n]*[)）])*")
#: `変化：3手です`, and what books put below a diagram, `（第１図は△３四歩まで）`.
_HEADING = re.compile(r"変化[ 　\t]*[:：][ 　\t]*\d+手?")
_CAPTION = re.compile(r"[^▲△▼▽☗☖]+[▲△▼▽☗☖][^▲△▼▽☗☖]*まで[）)】」]?[ 　\t]*$")


class Ki2Reader(KifReader):
    """Reads KI2 text."""

    NOTATION = "ki2"
    READS_ALL_KINDS = False
    MARK = "#KI2"
    OTHER_BOARDS = ""
    MEANINGS: ClassVar = {
        **{name: KifReader.MEANINGS[name] for name in SHARED},
        **{f"{name}_MOVE": ("man", PIECES[name][0]) for name in _WITH_SQUARE},
        "AGAIN": ("flag", SAME), "LEFT": ("flag", LEFT), "RIGHT": ("flag", RIGHT), "STRAIGHT": ("flag", STRAIGHT),
        "UP": ("flag", UP), "SIDEWAYS": ("flag", SIDEWAYS), "BACK": ("flag", BACK),
        "move": ("move", DROP_IF_NONE | ORIGIN_UNWRITTEN), "REMARK": "note",
    }
    NOTES: ClassVar = {**KifReader.NOTES, "REMARK": ("comment", 1, 1)}
    HANDLERS: ClassVar = {name: KifReader.HANDLERS[name] for name in SHARED if name in KifReader.HANDLERS}

    def open(self, move: int, offset: int) -> None:
        super().open(move, offset)
        self.lost_above = 0  # no move table is due
        self.closed: Line | None = None  # the line that まで has ended

    def begun(self, move: int) -> bool:
        return super().begun(move) or bool(self.results)

    def on_end(self, move: int, start: int, end: int, value: int) -> None:
        """An end word in place of a move; its sign is no more than a hint at whose turn it is."""
        at = start - 1
        while at > 0 and self.text[at] in " \t\u3000":
            at -= 1
        mover = self.mover(move, self.first_turn())
        if self.current.end is None and _SIDES.get(self.text[at] if at >= 0 else "", mover) != mover:
            self.report("side-sign", at, end, self.ply_at(move) + 1, text=self.text[at:end], side=mover.capitalize())
        super().on_end(move, start, end, value)

    def number_base(self) -> int:
        """KI2 writes no numbers before moves: behind a diagram at move N they are taken to go on from there."""
        return self.ply_offset

    def on_result(self, move: int, start: int, end: int, value: int) -> None:
        """まで ends a line of play."""
        super().on_result(move, start, end, value)
        if self.begun(move):
            self.stop(move)
            self.closed = self.current

    def surplus(self, move: int) -> None:
        """Moves behind まで are no part of the game, like those behind an end word."""
        if self.current is not self.closed or self.current.end is not None:
            super().surplus(move)
        elif move - self.first_move > self.current.last and self.current.broken is None and not self.late:
            self.late = True
            index = INFO * (self.first_move + self.current.last)
            start, end = self.info[index], self.info[index + 1]
            self.report("moves-after-end", start, end, text=self.text[start:end])

    def on_bad(self, move: int, start: int, end: int, value: int) -> None:
        """What cannot be read ends its line of play where it may hold moves, so that no shorter game passes for the
        whole one. A heading of a variation with words behind it is still one."""
        text = self.text[start:end]
        inside = len(_INSIDE.findall(text))
        heading = _HEADING.match(text)
        if heading:
            self.report("text-ignored", start + heading.end(), end, text=text[heading.end():].strip(BLANKS))
            self.on_branch(move, start, end, value)
        elif text.lstrip().startswith(("|", "｜")) or (inside == 1 and _CAPTION.match(text)):
            super().on_bad(move, start, end, value)
        elif self.cut_off(move, start, text):
            at = self.info[INFO * move - INFO]
            already, ply = self.finished, self.ply_at(move)
            self.stop(move - 1)
            finding = self.report("unreadable-move", at, end, ply, text=self.text[at:end], expected="the next move")
            if not already:
                self.current.broken = finding
            self.lost += inside
        elif inside or _FIRST.match(text):
            self.told = True
            self.broken(move, start, end)
            self.lost += max(0, inside - 1)
        else:
            self.syntax("syntax-error", start, end)

    def cut_off(self, move: int, start: int, text: str) -> bool:
        """Whether what cannot be read belongs to the move before it, which then is not read whole: `５三金左|右`."""
        if move <= self.first_move + self.current.first:
            return False
        last = self.info[INFO * move - INFO + 1]
        if start - last > _NEAR:
            return False
        before = self.text[last:start]
        return bool((_MARKS_ALONE if before else _MARK).match(text)) and _BETWEEN.fullmatch(before) is not None

    def check_numbers(self, record: Record, numbers: array[int]) -> None:
        """Numbers before the moves are rare here, and those of only some of the moves say nothing of the others."""
        if any(numbers):
            super().check_numbers(record, numbers)
