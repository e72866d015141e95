# cython: language_level=3, boundscheck=True, annotation_typing=False
"""The record of a game as it was written, and the game as it was proven.

A `Record` knows nothing of legality: headers in their order, the start position, lines of play made of move texts,
clocks, comments and the end it claims. `kifu.replay.replay` turns it into a `Game`. Both keep flat arrays over the one
decoded text they came from; nothing is copied until it is asked for. `record.pxd` declares the types of these classes
for the compiler, so that readers, replay and writers reach their parts without looking up names.
"""
from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import Any

try:
    import cython
except ImportError:
    from kifu import _cython as cython

from kifu import ends
from kifu.diagnostics import Diagnostic
from kifu.text import LineIndex

#: Header keys of all notations -> the canonical name `Record.header` answers to.
CANONICAL = {
    "N+": "black", "先手": "black", "下手": "black", "Sente": "black", "Black": "black",
    "N-": "white", "後手": "white", "上手": "white", "Gote": "white", "White": "white",
    "$EVENT": "event", "棋戦": "event", "Event": "event",
    "$SITE": "site", "場所": "site", "Site": "site", "Venue": "site",
    "$OPENING": "opening", "戦型": "opening", "Opening": "opening", "Joseki": "opening",
    "$START_TIME": "start_time", "開始日時": "start_time", "Date": "start_time", "対局日": "date",
    "$END_TIME": "end_time", "終了日時": "end_time", "EndDate": "end_time",
    "$TIME_LIMIT": "time_control", "$TIME": "time_control", "持ち時間": "time_control", "TimeControl": "time_control",
    "$TIME+": "black_time_control", "先手持ち時間": "black_time_control",
    "$TIME-": "white_time_control", "後手持ち時間": "white_time_control",
    "$MAX_MOVES": "max_moves", "最大手数": "max_moves", "$JISHOGI": "jishogi", "持将棋": "jishogi",
    "$NOTE": "note", "備考": "note", "Note": "note", "手合割": "handicap", "Handicap": "handicap",
    "表題": "title", "Title": "title", "Round": "round", "Annotator": "annotator", "注釈者": "annotator",
    "BlackRating": "black_rating", "SenteRating": "black_rating", "BlackElo": "black_rating",
    "WhiteRating": "white_rating", "GoteRating": "white_rating", "WhiteElo": "white_rating",
    "Name+": "black", "Name-": "white", "Max_Moves": "max_moves",
    "SenteGrade": "black_grade", "GoteGrade": "white_grade", "Result": "result", "SFEN": "sfen", "FEN": "sfen",
}
# The CSA writer puts a $ before the keys that CSA does not know; so they keep their meaning on the way back.
CANONICAL.update({f"${key}": name for key, name in CANONICAL.items()
                  if key[0] != "$" and name not in ("handicap", "sfen", "result") and f"${key}" not in CANONICAL})

INFO = 4  # numbers a move in `Record.info`: start, end, number and marks, milliseconds
NOTE = 4  # numbers a comment in `Record.notes`: kind, moves before it, start, end

#: What stands for an array until there is one; never changed in place.
_NOTHING = array("q")


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' * (count != 1)}"


def one_line(text: str) -> str:
    """A move as it is written, in one line where it takes two."""
    return " ".join(text.split()) if "\n" in text or "\r" in text else text


def _branches(count: int) -> str:
    return f", {_count(count, 'variation')}" if count > 0 else ""


class Source:
    """A decoded text and its line index, shared by all records that were read from it."""

    __slots__ = ("text", "before", "_lines")

    def __init__(self, text: str) -> None:
        self.text = text
        #: Lines of the file that stand before this text, which is a later part of it. To be set before `lines` is used.
        self.before = 0
        self._lines: LineIndex | None = None

    @property
    def lines(self) -> LineIndex:
        """The index that offsets are placed by."""
        if self._lines is None:
            self._lines = self.index()
        return self._lines

    def index(self) -> LineIndex:
        """A new index of the lines of the text."""
        return LineIndex(self.text, self.before)

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, of a character offset."""
        return self.lines.place(offset)


class Line:
    """A line of play: the moves ``first`` to ``last`` (not included) of its record, continuing behind ``parent``.

    ``parent`` is the index of a move, -1 the start position. ``number`` is the move number a variation was announced
    with. ``broken`` is the finding that ended the line where a move could not be read.
    """

    __slots__ = ("parent", "first", "last", "number", "offset", "end", "broken")

    def __init__(self, parent: int, first: int, last: int, number: int = 1, offset: int = 0,
                 end: ends.End | None = None, broken: Diagnostic | None = None) -> None:
        self.parent = parent
        self.first = first
        self.last = last
        self.number = number
        self.offset = offset
        self.end = end
        self.broken = broken


class Record:
    """One game as written. ``lines[0]`` is the main line; the others are variations in the order of the file."""

    __slots__ = ("notation", "number", "source", "offset", "end_offset", "texts", "info", "notes", "note_marks",
                 "headers", "bookmarks", "start", "handicap", "other_start", "turn", "lines", "diagnostics", "variant",
                 "foul")

    def __init__(self, notation: str, number: int, source: Source, offset: int, end_offset: int) -> None:
        self.notation = notation
        self.number = number  # 1 is the first of its text
        self.source = source
        self.offset = offset
        self.end_offset = end_offset
        self.texts: array[int] = _NOTHING
        self.info: array[int] = _NOTHING
        self.notes: array[int] = _NOTHING
        self.note_marks: dict[int, tuple[str, int, int]] = {}
        self.headers: list[tuple[str, str]] = []
        self.bookmarks: dict[int, str] = {}
        self.start: str | None = None  # SFEN, None where there is none to play from
        self.handicap: str | None = None
        self.other_start: str | None = None  # the second reading of an ambiguous handicap (三枚落ち)
        self.turn = ends.BLACK  # the side that makes the first move
        self.lines: list[Line] = []
        self.diagnostics: list[Diagnostic] = []
        self.variant = "shogi"  # empty where the kind of shogi is not known
        #: The move that ended the main line because it was not allowed, where it stands apart from the moves of the
        #: game (`'ILLEGAL_MOVE(+5948OU)` of shogi-server): its move text, and where it begins and ends.
        self.foul: tuple[int, int, int] | None = None

    def __repr__(self) -> str:
        main = self.lines[0].last - self.lines[0].first if self.lines else 0
        return f"<Record {self.notation}, game {self.number}, {_count(main, 'move')}{_branches(len(self.lines) - 1)}>"

    @property
    def text(self) -> str:
        """The whole decoded text the record stands in."""
        return self.source.text

    @property
    def line(self) -> int:
        """The line on which the record starts, blank ones passed over, from 1."""
        text, offset = self.source.text, self.offset
        while offset < len(text) and text[offset].isspace():
            offset += 1
        return self.source.place(offset if offset < len(text) else self.offset)[0]

    @property
    def end(self) -> ends.End | None:
        """The end the main line claims."""
        return self.lines[0].end if self.lines else None

    def to_move(self, plies: int) -> str:
        """The side to move behind so many plies from the start position."""
        return self.turn if plies % 2 == 0 else ends.opponent(self.turn)

    def header(self, name: str) -> str | None:
        """The value of a header by its canonical name (``black``, ``event``, …) or as written; None where absent."""
        key = cython.declare(str)
        value = cython.declare(str)
        wanted = cython.declare(str, name)
        names = cython.declare(dict, CANONICAL)
        for key, value in self.headers:
            if key == wanted or names.get(key) == wanted:
                return value
        return None

    def move_text(self, index: int) -> str:
        """The move at ``index`` as it stands in the text, in one line where it takes two."""
        text = self.text[self.info[INFO * index]:self.info[INFO * index + 1]]
        return one_line(text)

    def milliseconds(self, index: int) -> int | None:
        """Thought for the move at ``index``; None where no clock is written."""
        value = self.info[INFO * index + 3]
        return value if value >= 0 else None

    def comments(self) -> Iterator[tuple[int, str, str]]:
        """All comments in order as (index of the move they follow, kind, text); -1 is the start position."""
        text, notes = self.text, self.notes
        for i in range(0, len(notes), NOTE):
            kind, head, tail = self.note_marks[notes[i]]
            if head < 0:  # a mark with blanks before it
                yield notes[i + 1] - 1, kind, text[notes[i + 2]:notes[i + 3]].strip().lstrip("#")
            else:
                yield notes[i + 1] - 1, kind, text[notes[i + 2] + head:notes[i + 3] - tail]

    def comments_of(self, index: int) -> list[str]:
        """The comments behind one move, -1 for those on the start position."""
        return [text for move, _, text in self.comments() if move == index]

    def path(self, line: int) -> list[int]:
        """The indices of all moves from the start position to the end of a line."""
        spans = []
        current = self.lines[line]
        parent, last = current.parent, current.last
        first = current.first
        while True:
            spans.append(range(first, last))
            if parent < 0:
                break
            owner = self.line_of(parent)
            first, last, parent = owner.first, parent + 1, owner.parent
        return [index for span in reversed(spans) for index in span]

    def ancestor(self, line: int, ply: int) -> int:
        """The index of the move with which the path of a line reaches a ply, counted from 1; -1 where it does not."""
        owner = self.lines[line]
        if not 0 < ply < owner.number + owner.last - owner.first:
            return -1
        while ply < owner.number and owner.parent >= 0:
            owner = self.line_of(owner.parent)
        return owner.first + ply - owner.number

    def line_of(self, index: int) -> Line:
        """The line that a move belongs to."""
        low, high = 0, len(self.lines) - 1
        while low < high:  # lines stand in the order of their first moves
            middle = (low + high + 1) // 2
            if self.lines[middle].first <= index:
                low = middle
            else:
                high = middle - 1
        return self.lines[low]


class Game:
    """A proven game: what replay made of a record. Moves are packed moves (`kifu.rules.move`)."""

    __slots__ = ("record", "verdict", "variant", "handicap", "start", "plies", "moves", "keys", "position", "proven",
                 "line_plies", "end", "winner", "verified_end", "verified_winner", "illegal_move", "diagnostics")

    def __init__(self, record: Record) -> None:
        self.record = record
        self.verdict = "legal"
        self.variant = record.variant
        self.handicap = "other"
        self.start = ""
        self.plies = 0
        #: Main line, legal plies only.
        self.moves: array[int] = _NOTHING
        #: Position keys of the main line, one more than plies; empty unless asked for.
        self.keys: array[int] = _NOTHING
        #: The position behind the last legal ply (`kifu.rules.position.Position`), None where there is none.
        self.position: Any = None
        #: Packed moves of the whole tree by the index of the record; -1 where a move was not proven.
        self.proven: array[int] = _NOTHING
        #: Legal plies of each line of the record.
        self.line_plies: list[int] = []
        self.end: str | None = None
        self.winner = ends.UNKNOWN
        self.verified_end: str | None = None
        self.verified_winner: str | None = None
        self.illegal_move: dict[str, Any] | None = None
        self.diagnostics: list[Diagnostic] = []

    def __repr__(self) -> str:
        record = self.record
        return (f"<Game {record.notation}, game {record.number}, {self.verdict}, "
                f"{_count(self.plies, 'legal move')}{_branches(self.variations)}>")

    def _repr_svg_(self) -> str | None:
        """What notebooks show: the board behind the last legal ply, with the pieces of `kifu.Position.pieces`."""
        if self.position is None:
            return None
        import kifu
        from kifu.rules.move import usi
        from kifu.rules.variants import RULESETS

        ranks = RULESETS[self.variant].ranks
        names = (self.record.header("black") or "☗", self.record.header("white") or "☖")
        return kifu.board_svg(self.final, pieces=kifu.Position.pieces, variant=self.variant, names=names,
                              last=usi(self.moves[-1], ranks) if self.moves else "")

    @property
    def final(self) -> str:
        """The SFEN behind the last legal ply of the main line."""
        return self.position.sfen() if self.position is not None else ""

    @property
    def variations(self) -> int:
        """How many branches the record has besides its main line."""
        return max(0, len(self.record.lines) - 1)

    @property
    def milliseconds(self) -> list[int | None]:
        """Thought for each ply of the main line; None where no clock is written."""
        return [self.record.milliseconds(index) for index in range(self.plies)]

    @property
    def comments(self) -> list[str | None]:
        """Comments of the start position and behind each ply of the main line, several joined by line ends."""
        texts: list[str | None] = [None] * (self.plies + 1)
        for index, _, text in self.record.comments():
            if index < self.plies:
                earlier = texts[index + 1]
                texts[index + 1] = text if earlier is None else f"{earlier}\n{text}"
        return texts

    def summary(self, moves: bool = False) -> dict[str, Any]:
        """The fields of `kifu check --format json`, without path, member and encoding."""
        from kifu.rules.move import usi
        record = self.record
        fields: dict[str, Any] = {
            "game": record.number, "line": record.line, "notation": record.notation,
            "variant": self.variant or None, "handicap": self.handicap, "start": self.start, "plies": self.plies,
            "variations": self.variations, "verdict": self.verdict, "illegal_move": self.illegal_move, "end": self.end,
            "winner": self.winner, "verified_end": self.verified_end, "verified_winner": self.verified_winner,
            "final": self.final,
        }
        if moves:
            ranks = self.position.rules.ranks if self.position is not None else 0  # none: there are no moves either
            fields["moves"] = [usi(move, ranks) for move in self.moves]
        fields["diagnostics"] = [
            {"code": one.code, "name": one.name, "severity": one.severity, "line": one.line, "column": one.column,
             "ply": one.ply, "message": one.message, "hint": one.hint} for one in self.diagnostics]
        return fields
