# cython: language_level=3, boundscheck=True
"""What KIF and KI2 have in common of lines of play: games of one text, move numbers, branches, bookmarks.

A branch, `変化：12手`, replaces a move of the line before it. Where that line is not so long, the latest earlier one
that is gives its moves. Source: the format page of Kifu for Windows (see `grammars/kif.lark`).
"""
from __future__ import annotations

import re
from array import array
from bisect import bisect_right

try:
    import cython
except ImportError:
    from kifu import _cython as cython

from kifu.diagnostics import DOUBLED, WARNING, Diagnostic, make
from kifu.notation.meanings import NUMBER_MASK
from kifu.notation.reading import Reader
from kifu.record import INFO, NOTE, Line, Record


#: A line with a colon that is neither a comment nor begins with a number: a header, or 変化.
_BEGINS = r"[\r\n][ \t　]*[^*＊&#\s0-9０-９][^\r\n]*[：:]|[\r\n]#KI"


class NumberedLines(Reader):
    """Reads games whose lines of play are told by the numbers of their moves; a notation adds moves and words."""

    def open(self, move: cython.Py_ssize_t, offset: cython.Py_ssize_t) -> None:
        Reader.open(self, move, offset)
        #: Unreadable lines above the head of the move table, which may be no moves; many where it has not come yet.
        self.lost_above = len(self.text)
        #: The number of the move before a diagram.
        self.ply_offset = 0
        #: Where the last end or result stood: the index of the move behind it, -1 where none stands in this block.
        self.after_end = -1
        #: Bookmarks where one stands already.
        self.more_bookmarks: dict[int, list[str]] = {}
        #: The moves from the start to the end of the line that variations are cut from.
        self.path: list[int] = []
        #: Lines that are longer than all behind them, the longest first: plies from the start, negative, and index.
        self.longest: list[tuple[int, int]] = []

    # --- games ------------------------------------------------------------------------------------------------------
    def begun(self, move: cython.Py_ssize_t) -> cython.bint:
        """Whether moves, readable or not, or an end stand before this place."""
        return move > self.first_move or self.lost > self.lost_above or self.current.end is not None

    def close(self, move: cython.Py_ssize_t, offset: cython.Py_ssize_t) -> None:
        if 0 <= self.after_end < move:
            self.restart(move)
        Reader.close(self, move, offset)

    def restart(self, move: cython.Py_ssize_t) -> None:
        """Where move number 1 stands behind an end, the next game of the file began there, without a header."""
        first = self.after_end
        if not 0 <= first < move or self.number_at(first) != 1:
            return
        self.after_end = -1
        start = self.info[INFO * first]
        line = max(self.text.rfind("\n", 0, start), self.text.rfind("\r", 0, start)) + 1
        self.next_record(first, max(line, self.record.offset))
        self.told = True
        self.report("next-game-unmarked", start, self.info[INFO * first + 1])

    # --- numbers ----------------------------------------------------------------------------------------------------
    def number_at(self, move: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """The number written before a move, 0 where none is."""
        return self.info[INFO * move + 2] & NUMBER_MASK if move < len(self.texts) else 0

    def number_behind(self, move: cython.Py_ssize_t, offset: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """The number written before a move behind some place; 0 where another variation or game begins between them."""
        if move >= len(self.texts) or re.compile(_BEGINS).search(self.text, offset, self.info[INFO * move]):
            return 0
        return self.number_at(move)

    def number_base(self) -> cython.Py_ssize_t:
        """What the first move's number exceeds 1 by, in records that go on from a diagram at move N."""
        offset = self.ply_offset
        return offset if offset and self.number_at(self.first_move) == offset + 1 else 0

    def check_numbers(self, record: Record, numbers: array[int]) -> None:
        """Report where the numbers written before the moves jump; they are never used for replay."""
        for line in record.lines:
            due = None
            for index in range(line.first, line.last):
                if due is not None and numbers[index] and numbers[index] != due:
                    record.diagnostics.append(make("number-jump", record.info[INFO * index],
                                                   record.info[INFO * index + 1], due,
                                                   number=numbers[index], expected=due,
                                                   hint=DOUBLED if numbers[index] < due else None))
                if due is None and line.parent < 0 and numbers[index] not in (0, 1, self.ply_offset + 1) \
                        and line is record.lines[0]:
                    record.diagnostics.append(make("number-jump", record.info[INFO * index],
                                                   record.info[INFO * index + 1], 1,
                                                   number=numbers[index], expected=1))
                due = (numbers[index] or (due or 1)) + 1

    # --- branches ---------------------------------------------------------------------------------------------------
    def on_branch(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                  value: cython.longlong) -> None:
        if not self.begun(move):
            self.report("variation-unnumbered", start, end)
            return
        digits = re.search(r"[0-9０-９]{1,9}", self.text[start:end])
        number = int(digits.group()) if digits else 0
        broken = None
        if not number:
            number = self.number_behind(move, end)
            finding = self.report("variation-unplaced", start, end, text=self.text[start:end])
            broken = finding
            if number:
                broken = None
                self.record.diagnostics[-1] = finding._replace(severity=WARNING,
                                                               hint=f"its first move is number {number}")
        self.restart(move)
        self.after_end = -1
        self.surplus(move)
        if not self.finished:
            self.stop(move)
        self.read_line()
        depth = number - 1 - self.number_base()
        if broken is not None:  # the line before it stays the one that further variations count from
            self.next_line(move, start, -1, 1, broken)
            return
        if depth < 0 or depth > len(self.path):
            older = self.older_line(depth) if depth >= 0 else None
            if older is None:
                broken = self.report("variation-beyond-line", start, end, number, number=number)
                depth = max(0, min(depth, len(self.path)))
            else:
                self.report("variation-order", start, end, number, number=number)
                self.path = older
        del self.path[depth:]
        self.next_line(move, start, self.path[-1] if self.path else -1, depth + 1, broken)

    def read_line(self) -> None:
        """Append the moves of the line just read to the path that variations are cut from, and remember its length."""
        line = self.current
        self.path.extend(range(line.first, line.last))
        plies = line.number - 1 + line.last - line.first
        while self.longest and -self.longest[-1][0] <= plies:
            self.longest.pop()
        self.longest.append((-plies, len(self.lines) - 1))

    def older_line(self, depth: int) -> list[int] | None:
        """The path of the latest earlier line with at least ``depth`` moves."""
        at = bisect_right(self.longest, (-depth, len(self.lines)))
        if not at:
            return None
        self.record.lines = self.lines
        return self.record.path(self.longest[at - 1][1])

    def next_line(self, move: int, offset: int, parent: int, number: int, broken: Diagnostic | None) -> None:
        """Begin a line of play, with a finding where it is known already that it cannot be played."""
        first = move - self.first_move
        self.current = Line(parent, first, first, number, offset, broken=broken)
        self.lines.append(self.current)
        self.finished = broken is not None
        self.late = False
        self.lost = 0

    def hang_branch_comments(self, record: Record) -> None:
        """Comments between 変化 and its first move belong to the position the variation starts from."""
        lines, notes = record.lines, record.notes
        at = 0
        for i in range(0, len(notes), NOTE):
            while at + 1 < len(lines) and lines[at + 1].offset < notes[i + 2]:
                at += 1
            if at and notes[i + 1] == lines[at].first:
                notes[i + 1] = lines[at].parent + 1

    def on_bookmark(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                    value: cython.longlong) -> None:
        self.restart(move)
        node = move - self.first_move - 1
        if node < self.current.first:  # behind 変化, before its first move
            node = self.current.parent
        bookmarks, name = self.record.bookmarks, self.text[start + 1:end]
        if node in bookmarks:
            self.report("bookmark-repeated", start, end, text=name)
            self.more_bookmarks.setdefault(node, []).append(name)
        else:
            bookmarks[node] = name
