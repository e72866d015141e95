"""psv and hcpe, reader: bytes in, a record for each entry, one at a time.

Source: FORMATS, section 10 of the project's reference (see `kifu.notation.packed_entries`). An entry becomes a record
of its position and one move. The evaluation is a comment behind the move, ``** 123`` as CSA programs write it, from
Black's view. The result is an end without a reason, which western text spells ``1-0``. In diagnostics, the number of
the entry stands for the line.
"""
from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import ClassVar

from kifu import ends, movetext
from kifu.diagnostics import make
from kifu.notation.packed import PackedError
from kifu.notation.packed_entries import LAYOUTS, Entry, Layout
from kifu.record import Line, Record, Source
from kifu.rules.move import LETTERS

RESULTS = {ends.BLACK: "1-0", ends.WHITE: "0-1", ends.DRAW: "1/2-1/2"}
_MARKS = {0: ("comment", 0, 0)}  # a comment as it is
_RANKS = "abcdefghi"


class PackedReader:
    """Reads entries. No bytes whatever raise an exception: an entry that is none is a record that says so."""

    NOTATION: ClassVar[str] = ""

    def __init__(self, data: bytes, notation: str | None = None, mode: str = "default",
                 handicap: str | None = None, variant: str | None = None) -> None:
        self.data = data
        self.notation = notation or self.NOTATION
        self.layout: Layout = LAYOUTS[self.notation]
        self.moves: dict[int, tuple[int | None, str]] = {}  # what the numbers met so far mean; at most 65536

    def read(self) -> Iterator[Record]:
        """A record for each entry, and one for what is left at the end where that is too short for an entry."""
        layout, size = self.layout, self.layout.size
        view = memoryview(self.data)
        whole = len(view) // size
        for index in range(whole):
            yield self.record(index + 1, layout.read(view[index * size:(index + 1) * size]))
        rest = len(view) - whole * size
        if rest:
            yield self.refused(whole + 1, f"the file ends with {rest} of its {size} bytes", "the file was cut")
        elif not whole:
            record = self.empty(1, "")
            record.diagnostics = [make("no-game", 0, 0, why="the file is empty")]
            record.lines[0].broken = record.diagnostics[0]
            yield record

    def record(self, number: int, entry: Entry) -> Record:
        """The record of one entry."""
        layout = self.layout
        try:
            position, boxless = layout.coding.unpack(entry.position)
        except PackedError as error:
            return self.refused(number, str(error), "it may be an entry of another format")
        turn = entry.position[0] & 1
        text, spelled = self.moves.get(entry.move) or self.move(entry.move)
        record = self.empty(number, f"{spelled} ** {-entry.score if turn else entry.score}")
        record.start, record.turn = f"{position} {max(entry.ply, 1)}", ends.SIDES[turn]
        line = record.lines[0]
        if boxless:
            record.diagnostics.append(make("box-left-out", 0, 0))
        if text is None:
            line.broken = make("unreadable-move", 0, len(spelled), 1, text=spelled, expected="a move",
                               hint="the position is kept")
            record.diagnostics.append(line.broken)
        else:
            line.last = 1
            record.texts, record.info = array("q", [text]), array("q", [0, len(spelled), 0, -1])
        record.notes = array("q", [0, line.last, len(spelled) + 1, record.end_offset])
        winner = layout.winner(entry.result, turn)
        if winner is None:
            record.diagnostics.append(make("unknown-end", 0, 0, text=str(entry.result), hint="no result is kept"))
        else:
            line.end = ends.End("other", winner, None, RESULTS[winner], 0)
        return record

    def move(self, number: int) -> tuple[int | None, str]:
        """The move text of a move's number, None where it is no move, and how it is spelled."""
        text = self.layout.move_text(number)
        self.moves[number] = found = text, f"{number:#06x}" if text is None else usi(text)
        return found

    def empty(self, number: int, text: str) -> Record:
        """A record without anything, whose places are in an entry's own text, on the line of its number."""
        source = Source(text)
        source.before = number - 1
        record = Record(self.notation, number, source, 0, len(text))
        record.note_marks = _MARKS
        record.lines = [Line(-1, 0, 0)]
        return record

    def refused(self, number: int, why: str, hint: str) -> Record:
        """The record that stands for an entry which is none."""
        record = self.empty(number, "")
        record.lines[0].broken = make("bad-entry", 0, 0, why=why, hint=hint)
        record.diagnostics = [record.lines[0].broken]
        return record


class PsvReader(PackedReader):
    """Reads YaneuraOu's `PackedSfenValue`."""

    NOTATION = "psv"


class HcpeReader(PackedReader):
    """Reads Apery's and dlshogi's `HuffmanCodedPosAndEval`."""

    NOTATION = "hcpe"


def usi(text: int) -> str:
    """A move text that names everything, in USI.

    >>> usi(movetext.pack(to=(7, 6), origin=(7, 7)))
    '7g7f'
    """
    (file, rank), (from_file, from_rank) = movetext.target(text), movetext.origin(text)
    if text & movetext.DROP:
        return f"{LETTERS[movetext.piece(text)]}*{file}{_RANKS[rank - 1]}"
    return (f"{from_file}{_RANKS[from_rank - 1]}{file}{_RANKS[rank - 1]}"
            f"{'+' if text & movetext.PROMOTE else ''}")
