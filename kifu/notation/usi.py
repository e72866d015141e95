# cython: language_level=3, boundscheck=True
"""SFEN and USI, reader: one game or position a line.

Source: the USI protocol (see `grammars/usi.lark`).
"""
from __future__ import annotations

import re
from typing import ClassVar

try:
    import cython
except ImportError:
    from kifu import _cython as cython

from kifu.ends import BLACK, USI_WORDS, WHITE, claim
from kifu.movetext import PROMOTE
from kifu.notation.meanings import SPELLED_LETTER, SPELLED_PLUS, spelled
from kifu.notation.reading import Reader
from kifu.record import Record
from kifu.rules.handicaps import HANDICAPS, by_key

EVEN_SFEN = HANDICAPS["even"].sfen
ORDINARY = "shogi"
#: A board of ordinary shogi, lines with such a board or with none, a board of any kind, the side to move behind it.
_ORDINARY_BOARD = r"[1-9plnsgbrkPLNSGBRK+]++(?:/[1-9plnsgbrkPLNSGBRK+]++){8}(?![0-9A-Za-z+/])"
_BOARD = re.compile(_ORDINARY_BOARD)
_LINES = re.compile(rf"(?:(?:(?:position )?(?:sfen )?{_ORDINARY_BOARD})?+[^\n/]*+(?:\n|\Z))*+")
_ANY_BOARD = re.compile(r"[0-9A-Za-z+]++(?:/[0-9A-Za-z+]++)++")
_SIDE = re.compile(r"[ \t]++[bw](?![0-9A-Za-z])")
_SIGNS = frozenset("0123456789+abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")


def other_boards(text: str) -> bool:
    """Whether a board in a text is of another kind of shogi than the ordinary one, or of none that is known.

    >>> other_boards("sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1"), other_boards("sfen 4k/5/5/5/K4 b - 1")
    (False, True)
    """
    if "/" not in text:
        return False
    lines = _LINES.match(text)
    done = lines.end() if lines else 0
    slash = text.find("/", done)
    while slash >= 0:
        start = slash
        while start > done and text[start - 1] in _SIGNS:
            start -= 1
        board = _BOARD.match(text, start)
        if board is None:
            board = _ANY_BOARD.match(text, start)
            if board and _SIDE.match(text, board.end()) and kind_of(board[0]) != ORDINARY:
                return True
        done = board.end() if board else slash + 1
        slash = text.find("/", done)
    return False


def kind_of(sfen: str) -> str | None:
    """The kind of shogi that an SFEN is of, None where it fits none.

    What has nine ranks, or nine files in its first row, is taken for ordinary shogi in which something is wrong.

    >>> kind_of("4k/5/5/5/K4 b - 1"), kind_of("4k3/9/9/9/9/9/9/9/4K4 b - 1"), kind_of("k2/3/2K b - 1")
    ('minishogi', 'shogi', None)
    """
    from kifu.rules.recognise import recognised, width

    rows = sfen.split(maxsplit=1)[0].split("/")
    return recognised(sfen) or (ORDINARY if len(rows) == 9 or width(rows[0]) == 9 else None)


class UsiReader(Reader):
    """Reads SFEN and USI text; every line with a position or moves is a record.

    Lines of one bare move each, one after the other, are one game (shogilibsharp's test games).
    """

    NOTATION = "usi"
    READS_ALL_KINDS = True
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

    #: A line with this in it is a game that cannot be read, no remark.
    GAME_LIKE = re.compile(
        r"(?:^|[\s|])(?:position|startpos|sfen|moves|[1-9][a-i][1-9][a-i]\+?|[PLNSGBR]\*[1-9][a-i]|"
        r"[1-9a-zA-Z+]+/[1-9a-zA-Z+]+/)")

    def read(self) -> list[Record]:
        """All records of the text; where other kinds of shogi may be among them, as `BoardsReader` reads them."""
        self.line_move = self.line_start = 0  # where the current line begins
        named = self.given_variant
        if (named is None or named == ORDINARY) and not other_boards(self.text):
            return Reader.read(self)
        from kifu.notation.usi_boards import BoardsReader

        return BoardsReader(self.text, notation=self.notation, mode=self.mode, handicap=self.given_handicap,
                            variant=self.given_variant).read()

    def open(self, move: cython.Py_ssize_t, offset: cython.Py_ssize_t) -> None:
        Reader.open(self, move, offset)
        self.start = EVEN_SFEN if self.given_handicap is None else self.named_start(ORDINARY)
        self.headed = False  # whether the current line says more than moves

    def named_start(self, kind: str) -> str:
        """The start position of the handicap that was named, or the even one where the kind of shogi has no such."""
        known = by_key(self.given_handicap or "even", kind) or by_key("even", kind)
        assert known is not None
        return known.sfen

    def check_handicap(self, record: Record, kind: str) -> None:
        """Hold the record to the handicap that was named for it; a board that it gives itself is used."""
        assert self.given_handicap is not None
        start = self.named_start(kind)
        if by_key(self.given_handicap, kind) is None and self.start == start:
            self.no_such_handicap(record, kind)
        elif self.start.split()[0] != start.split()[0]:
            self.report("handicap-and-board", record.offset, text=self.given_handicap)

    def split(self) -> None:
        """The current line is a game of its own: close the one-move-a-line game before it, if there is one."""
        if self.line_move > self.first_move:
            self.next_record(self.line_move, self.line_start)

    def on_startpos(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                    value: cython.longlong) -> None:
        self.split()
        self.told = self.headed = True

    def on_sfen(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                value: cython.longlong) -> None:
        self.split()
        self.told = self.headed = True
        self.start = " ".join(self.text[start:end].split())

    def on_told(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                value: cython.longlong) -> None:
        self.told = True

    def on_end(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
               value: cython.longlong) -> None:
        word = self.text[start:end]
        first = WHITE if self.start.split()[1] == "w" else BLACK
        if word not in USI_WORDS:
            self.report("unknown-end", start, end, text=word)
        self.claim_end(move, claim(USI_WORDS, word, self.mover(move, first), word, start))

    def on_line_end(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                    value: cython.longlong) -> None:
        moves: cython.Py_ssize_t = move - self.line_move
        if moves > 1 and not self.headed:
            self.split()
        if moves != 1 or self.headed or self.finished or end - start > 2 and self.text.count("\n", start, end) > 1:
            self.next_record(move, end)
        self.line_move, self.line_start, self.headed = move, end, False

    def on_bad(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
               value: cython.longlong) -> None:
        if self.GAME_LIKE.search(self.text, start, end):
            self.told = True
            self.broken(move, start, end)
        else:
            self.syntax("syntax-error", start, end)

    def settle(self, record: Record) -> None:
        self.surplus(self.first_move + len(record.texts))
        record.start = self.start
        if self.given_handicap is not None and record.variant:
            self.check_handicap(record, record.variant)
        record.turn = WHITE if self.start.split()[1] == "w" else BLACK
        for index in self.gaps(record):
            self.report("gap-in-move", record.info[4 * index], record.info[4 * index + 1], index + 1,
                        text=record.move_text(index))
