# cython: language_level=3, boundscheck=True
"""CSA, reader.

Source: the CSA record format, versions 1 to 3.0 (see `grammars/csa.lark`). The reader takes the union of all versions
whatever the version line says.
"""
from __future__ import annotations

import re
from functools import lru_cache
from typing import ClassVar

try:
    import cython
except ImportError:
    from kifu import _cython as cython

from kifu.diagnostics import make
from kifu.ends import BLACK, CSA_WORDS, WHITE, claim
from kifu.movetext import (
    BLACK_SIDE, DROP, FROM_FILE_SHIFT, FROM_RANK_SHIFT, KIND_FIELD, PIECE_AFTER, PIECE_SHIFT, SIDE_BINDS, TO_RANK_SHIFT,
    WHITE_SIDE,
)
from kifu.notation.board import EVEN, Board, BoardError, rows_sfen, surplus
from kifu.notation.csa_dialects import BLANKS as BLANKS
from kifu.notation.csa_dialects import DialectReader
from kifu.notation.meanings import CELL_BITS, CELL_WHITE, PLACE_COUNT, PLACE_FILE, PLACE_RANK, SPELLED_DROP, spelled
from kifu.record import Record

PIECES = {
    "PAWN": (1, "FU"), "LANCE": (2, "KY"), "KNIGHT": (3, "KE"), "SILVER": (4, "GI"), "GOLD": (5, "KI"),
    "BISHOP": (6, "KA"), "ROOK": (7, "HI"), "KING": (8, "OU"), "TOKIN": (33, "TO"), "PLANCE": (34, "NY"),
    "PKNIGHT": (35, "NK"), "PSILVER": (36, "NG"), "HORSE": (38, "UM"), "DRAGON": (39, "RY"),
}
NAMES = dict(PIECES.values())
NUMBERS = {name: number for number, name in NAMES.items()}
#: What stands on a square of a board row -> the number of its cell.
CELLS = {"*": 0, **{f"+{name}": number for name, number in NUMBERS.items()},
         **{f"-{name}": number | CELL_WHITE for name, number in NUMBERS.items()}}


@lru_cache(maxsize=4096)
def row_cells(text: str) -> int:
    """A row of the board, three characters a square, as the number the assembler makes of single cells.

    >>> row_cells(" * " * 8 + "-OU") == (8 | CELL_WHITE) << 8 * CELL_BITS
    True
    """
    cells = 0
    for file in range(9):
        cells |= CELLS[text[3 * file:3 * file + 3].strip()] << CELL_BITS * file
    return cells


def column_cells(text: str) -> int | None:
    """A row whose empty squares are blanks, read by its columns; None where it is no such row.

    Nine squares of three characters; blanks at the end may be missing. A row that marks some empty squares with `*`
    marks all of them, so such a row that is too short lacks squares (it may be one of a smaller board).

    >>> column_cells("   -HI" + "   " * 5 + "-KA") == row_cells(" * -HI" + " * " * 5 + "-KA * ")
    True
    """
    cells = [text[at:at + 3].strip(BLANKS) or "*" for at in range(0, max(len(text.rstrip(BLANKS)), 1), 3)]
    blank = "*" not in text and ("*" in cells or not text.strip(BLANKS))
    if not blank or len(cells) > 9 or any(cell not in CELLS for cell in cells):
        return None
    return row_cells("".join(cell.center(3) for cell in cells) + " * " * (9 - len(cells)))


#: A statement in lower case: the `n` of a name line, or the whole of any other. Compiled where one is looked for.
LOWER = (r"[ \t\u3000]*(?:n(?=[+-])|(?:[+-][0-9]{4}[A-Za-z]{2}|%[+-]?[A-Za-z_]+|[Tt]-?[0-9]+(?:\.[0-9]*)?|"
         r"[Vv][0-9]+(?:\.[0-9]+)?|[Pp](?:[Ii](?:[0-9]{2}[A-Za-z]{2})*|[1-9](?:[ *]|[+-][A-Za-z]{2})*|"
         r"[+-](?:[0-9]{2}[A-Za-z]{2})*))[ \t\u3000]*$)")

_ESCAPE = r"\\([n\\])"

#: The rows of a board by rank; never changed in place.
NO_ROWS: dict[int, int] = {}
EVEN_ROWS = {rank: row_cells(row) for rank, row in enumerate((
    "-KY-KE-GI-KI-OU-KI-GI-KE-KY", " * -HI *  *  *  *  * -KA * ", "-FU" * 9, " * " * 9, " * " * 9, " * " * 9,
    "+FU" * 9, " * +KA *  *  *  *  * +HI * ", "+KY+KE+GI+KI+OU+KI+GI+KE+KY"), 1)}


class CsaReader(DialectReader):
    """Reads CSA text."""

    NOTATION = "csa"
    MEANINGS: ClassVar = {
        **{name: ("piece", number) for name, (number, _) in PIECES.items()},
        "BLACK": ("side", BLACK_SIDE), "WHITE": ("side", WHITE_SIDE), "SQUARE": "square", "HAND": ("flag", DROP),
        "move": ("move", PIECE_AFTER | SIDE_BINDS), "cell": "cell", "row": "row", "placed": "place",
        "removed": "place", "ALL": "item", "HANDS_BLACK": "item", "HANDS_WHITE": "item", "hands": "item",
        **{f"{name}_MOVE": spelled(number << PIECE_SHIFT | PIECE_AFTER | SIDE_BINDS, side=0, origin=1, target=3,
                                   marks=SPELLED_DROP) for name, (number, _) in PIECES.items()},
        "even": "item", "turn": "item", "SECONDS": "seconds", "NEGATIVE": "item", "special": "end", "server": "end",
        "separator": "border", "VERSION": "border", "NAME_BLACK": "border", "NAME_WHITE": "border", "INFO": "item",
        "WHOLE_ROW": "item", "EVEN_ROWS": "item", "COMMENT": "note", "NOTE": "note", "BAD": "item",
        **DialectReader.MEANINGS,
    }
    HANDLERS: ClassVar = {
        "row": "on_row", "placed": "on_placed", "removed": "on_removed", "ALL": "on_all",
        "HANDS_BLACK": "on_hands_black", "HANDS_WHITE": "on_hands_white", "even": "on_even", "turn": "on_turn",
        "SECONDS": "on_stray_clock", "NEGATIVE": "on_negative", "special": "on_special", "server": "on_server",
        "separator": "on_separator", "VERSION": "on_version", "INFO": "on_info", "NAME_BLACK": "on_name",
        "NAME_WHITE": "on_name", "WHOLE_ROW": "on_whole_row",
        "EVEN_ROWS": "on_even_rows", "BAD": "on_bad",
        **DialectReader.HANDLERS,
    }
    NOTES: ClassVar = {"COMMENT": ("comment", 1, 0), "NOTE": ("note", 2, 0)}

    def read(self) -> list[Record]:
        """All records of the text; a text without a game gives one record that says so."""
        return self.read_lowered(())

    def read_lowered(self, lowered: tuple[tuple[int, int], ...]) -> list[Record]:
        """`read`, of a text in which statements in lower case stood, and where they are now in upper case."""
        self.lowered = lowered
        self.lower: list[tuple[int, int]] = []
        if self.text[:1] in (" ", "\t", "\u3000") and self.text.strip():
            self.pending.append(make("indented", 0))
        records = DialectReader.read(self)
        if not self.lower:
            return records
        parts: list[str] = []
        last = 0
        for start, end in self.lower:
            parts += self.text[last:start], self.text[start:end].upper()
            last = end
        again = type(self)("".join((*parts, self.text[last:])), notation=self.notation, mode=self.mode,
                           handicap=self.given_handicap)
        again.source = self.source
        return again.read_lowered(tuple(self.lower))

    def open(self, move: cython.Py_ssize_t, offset: cython.Py_ssize_t) -> None:
        DialectReader.open(self, move, offset)
        self.rows = NO_ROWS
        self.board: Board | None = None
        self.even = False
        self.hands_side = BLACK
        self.rest_given = False

    # --- headers ----------------------------------------------------------------------------------------------------
    def on_version(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                   value: cython.longlong) -> None:
        if self.begun(move):
            self.next_record(move, start)
        self.record.headers.append(("version", self.text[start + 1:end]))

    def on_name(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                value: cython.longlong) -> None:
        if move > self.first_move or self.current.end is not None:
            self.next_record(move, start)
        self.told = True
        self.record.headers.append((self.text[start:start + 2], self.text[start + 2:end].strip(BLANKS)))

    def on_info(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                value: cython.longlong) -> None:
        key, _, told = self.text[start:end].partition(":")
        self.told = True
        key, told = key.rstrip(BLANKS), told.strip(BLANKS)
        if key == "$NOTE" and "\\" in told:
            told = re.sub(_ESCAPE, lambda escape: "\n" if escape[1] == "n" else "\\", told)
        elif key == "$EVENT" and "+" in told:
            self.server_lines().event = told
        self.record.headers.append((key, told))

    # --- the position -----------------------------------------------------------------------------------------------
    def on_even(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                value: cython.longlong) -> None:
        if self.begun(move):
            self.next_record(move, start)
        if self.rows or self.even:
            self.report("position-twice", start, end)
        self.even = self.told = True
        if self.board is not None:  # pieces were removed from it, before this production was complete
            return

    def on_removed(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                   value: cython.longlong) -> None:
        if self.board is None:
            self.board = Board(EVEN)
        square = value >> PLACE_FILE & 15, value >> PLACE_RANK & 15
        piece = self.board.squares.pop(square, 0)
        if piece & KIND_FIELD != value & KIND_FIELD:
            self.fault_board(start, f"PI takes a {NAMES.get(value & 63, '?')} from {square[0]}{square[1]}, "
                             "but the even start has none there")

    def on_even_rows(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                     value: cython.longlong) -> None:
        if self.begun(move):
            self.next_record(move, start)
        if not (self.rows or self.even):
            self.rows, self.told = EVEN_ROWS, True
        else:
            self.row_by_row(move, start, end)

    def row_by_row(self, move: int, start: int, end: int) -> None:
        """Rows of the board that were one token, as if each had been one of its own."""
        for line in self.text[start:end].splitlines(keepends=True):
            self.on_whole_row(move, start, start + len(line.rstrip("\r\n")), 0)
            start += len(line)

    def on_whole_row(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                     value: cython.longlong) -> None:
        self.on_row(move, start, end, row_cells(self.text[start + 2:end]))

    def on_row(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
               value: cython.longlong) -> None:
        if self.begun(move):
            self.next_record(move, start)
        rank = ord(self.text[start + 1]) - 48
        if rank in self.rows or self.even:
            self.report("position-twice", start, end)
            return
        self.rows = {**self.rows, rank: value}
        self.told = True

    def on_hands_black(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                       value: cython.longlong) -> None:
        self.hands(BLACK, move, start)

    def on_hands_white(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                       value: cython.longlong) -> None:
        self.hands(WHITE, move, start)

    def hands(self, side: str, move: int, start: int) -> None:
        if self.begun(move):
            self.next_record(move, start)
        self.hands_side, self.told = side, True
        self.whole_board()

    def whole_board(self) -> Board:
        """The board so far, as an object that single pieces can be put on."""
        if self.board is None:
            self.board = Board(EVEN) if self.even else Board()
        for rank in sorted(self.rows):
            self.board.set_row(rank, self.rows[rank])
        self.rows = NO_ROWS
        return self.board

    def on_placed(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                  value: cython.longlong) -> None:
        board = self.whole_board()
        piece, file, rank = value & 63, value >> PLACE_FILE & 15, value >> PLACE_RANK & 15
        try:
            if self.rest_given:
                raise BoardError("00AL must be the last piece of all")
            if not piece:
                self.rest_given = True
                board.hold_rest(self.hands_side)
            elif file:
                board.place(self.hands_side, file, rank, piece)
            else:
                board.hold(self.hands_side, piece, value >> PLACE_COUNT)
        except BoardError as error:
            self.fault_board(start, str(error))

    def fault_board(self, start: int, detail: str) -> None:
        """The start position cannot be: the game cannot be replayed."""
        finding = self.report("bad-board", start, detail=detail)
        if self.current.broken is None:
            self.current.broken = finding

    def on_all(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
               value: cython.longlong) -> None:
        """Nothing: `on_placed` sees a place without a piece."""

    def on_turn(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                value: cython.longlong) -> None:
        if move > self.first_move or self.turn is not None or self.current.end is not None:
            self.report("no-turn-after", start, end, text=self.text[start:end])
            return
        self.turn = BLACK if self.text[start] == "+" else WHITE
        self.told = True

    # --- clocks and ends --------------------------------------------------------------------------------------------
    def on_stray_clock(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                       value: cython.longlong) -> None:
        self.report("stray-clock", start, end, text=self.text[start:end])

    def on_negative(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                    value: cython.longlong) -> None:
        self.report("negative-clock", start, end, text=self.text[start:end])

    def on_special(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                   value: cython.longlong) -> None:
        raw = self.text[start:end]
        word = raw[1:]
        known = word in CSA_WORDS
        if not known:
            word = "".join(word.split())
        self.on_end(move, claim(CSA_WORDS, word, self.to_move(move), raw, start, value if value >= 0 else None))
        if not known and word not in CSA_WORDS:
            self.report("unknown-end", start, end, text=raw)

    def on_separator(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                     value: cython.longlong) -> None:
        self.next_record(move, self.text.find("\n", end) + 1 or end)  # the next record starts on the next line

    def on_bad(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
               value: cython.longlong) -> None:
        last = self.text.rfind("\n", start, end) + 1
        if last:  # it begins with the rows of the even start; only what follows the last of them is wrong
            self.row_by_row(move, start, last)
            self.faults[last] = self.faults[start]
            start = last
        text = self.text[start:end].lstrip()
        lower = re.compile(LOWER).match(self.text, start, end)
        if lower is not None and not self.lowered and lower[0] != lower[0].upper():
            self.lower.append(lower.span())
        cells = column_cells(text[2:].rstrip("\r\n")) if text[:1] == "P" and text[1:2] in "123456789" else None
        if cells is not None:
            self.report("loose-row", start, end, text=text)
            self.on_row(move, end - len(text), end, cells)
        elif text[:1] and text[:1] in "+-＋－−":  # in full width it is a move all the same, if unreadable
            self.told = True
            self.broken(move, start, end)
        elif text[:1] == "P" and not self.begun(move) and text[1:2] in "123456789+-I":
            self.told = True
            finding = self.syntax("syntax-error", start, end)
            self.fault_board(start, f"{text.strip()[:60]} could not be read ({finding.message})")
        else:
            self.syntax("syntax-error", start, end)

    def packed(self, sign: str, origin: str, target: str, piece: str) -> int | None:
        if piece not in NUMBERS:
            return None
        text = int(target[0]) | int(target[1]) << TO_RANK_SHIFT | NUMBERS[piece] << PIECE_SHIFT
        text |= DROP if origin == "00" else int(origin[0]) << FROM_FILE_SHIFT | int(origin[1]) << FROM_RANK_SHIFT
        return text | PIECE_AFTER | SIDE_BINDS | (BLACK_SIDE if sign == "+" else WHITE_SIDE)

    # --- the whole record -------------------------------------------------------------------------------------------
    def settle(self, record: Record) -> None:
        moves = len(record.texts)
        if self.finished:
            self.surplus(self.first_move + moves)
        if self.told_of is not None:
            self.settle_dialect(record, self.told_of)
        for start, end in self.lowered:
            if record.offset <= start < record.end_offset:
                self.report("lower-case", start, end, text=record.text[start:end])
        if self.turn is None and (moves or self.rows or self.board or self.even):
            record.diagnostics.append(make("missing-turn", self.place_of_first(record)))
        record.turn = self.turn or BLACK
        if self.board is not None:
            record.start = self.whole_board().sfen(record.turn)
        elif self.rows is EVEN_ROWS:
            record.start = f"{EVEN} {record.turn[0]} - 1"
        elif self.rows:
            record.start = f"{rows_sfen(tuple(self.rows.items()))} {record.turn[0]} - 1"
            if len(self.rows) < 9:
                self.fault_board(record.offset, f"only {len(self.rows)} of nine rows are given")
        else:
            record.start = f"{EVEN} {record.turn[0]} - 1"
            if not self.even and (moves or self.current.end):
                record.diagnostics.append(make("missing-position", self.place_of_first(record)))
        if self.board is not None or (self.rows and self.rows is not EVEN_ROWS):
            spare = surplus(record.start)
            if spare:
                self.report("surplus-pieces", record.offset, detail=spare)
        for index in self.gaps(record) if self.marks else ():
            record.diagnostics.append(make("gap-in-move", record.info[4 * index], record.info[4 * index + 1],
                                           index + 1, text=record.move_text(index)))

    def place_of_first(self, record: Record) -> int:
        """Where the first move stands, else where the record starts."""
        return record.info[0] if len(record.info) else record.offset
