"""JKF, reader: JSON records, minimal or normalised, one or several in a text.

Source: the JSON Kifu Format of na2hiro (see `kifu.notation.jkf_schema`). A move text is what the move object says;
what else it says (colour, `same`, `capture`, `relative`) is compared with the game by `kifu.notation.jkf_check`. A node
that cannot be read ends its line of play, as an unreadable move of any notation does.
"""
from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from typing import Any, NamedTuple

from kifu import ends
from kifu.diagnostics import WARNING, Diagnostic, make
from kifu.movetext import (
    BACK, BLACK_SIDE, CAPTURE, DROP, LEFT, PROMOTE, PROMOTED, RIGHT, SAME, SIDEWAYS, STRAIGHT, UP, WHITE_SIDE,
)
from kifu.notation import jkf_check, jkf_places
from kifu.notation.board import Board, BoardError
from kifu.notation.csa import NUMBERS
from kifu.notation.jkf_places import JkfSource, spelled
from kifu.notation.jkf_schema import (
    Clock, Fault, Initial, Jkf, Loaded, Malformed, Move, Node, NotJkf, TooDeep, Way, load,
)
from kifu.notation.kif_writer import FULL_DIGITS, KANJI_DIGITS, PIECE_NAMES
from kifu.notation.reading import Reader
from kifu.record import INFO, Line, Record, Source
from kifu.rules.handicaps import HANDICAPS, by_japanese

#: Names of start positions -> our keys; `OTHER` comes with a board.
PRESETS = {
    "HIRATE": "even", "KY": "lance", "KY_R": "right-lance", "KA": "bishop", "HI": "rook", "HIKY": "rook-lance",
    "2": "2-piece", "3": "3-piece", "4": "4-piece", "5": "5-piece", "5_L": "left-5-piece", "6": "6-piece",
    "7_L": "left-7-piece", "7_R": "right-7-piece", "8": "8-piece", "10": "10-piece",
}
OTHER = "OTHER"
#: What the letters of `relative` say of a move whose origin is not given.
RELATIVE = {"L": LEFT, "C": STRAIGHT, "R": RIGHT, "U": UP, "M": SIDEWAYS, "D": BACK}
_MARKS = {0: ("comment", 0, 0)}  # a comment as it is
_SIDES = (BLACK_SIDE, WHITE_SIDE)
_MOST_TIME = 1 << 53  # milliseconds
_NEXT = re.compile(r"\n(?=\{)")
_BLANK = re.compile(r"\s*\Z")


class Play(NamedTuple):
    """A line of play yet to be read: its nodes, the way to them, the move it follows and the number of its first."""

    nodes: list[Node]
    way: Way
    parent: int
    number: int


class JkfReader(Reader):
    """Reads JKF; every JSON object of the text is a record."""

    NOTATION = "jkf"

    def read(self) -> list[Record]:
        self.appendix: list[str] = []
        self.starts: list[int] = []
        self.ways: list[tuple[int, Way]] = []
        self.length = len(self.text)
        for start, end, found in self.documents():
            self.at = start  # where the record begins in the text
            self.record = Record(self.notation, len(self.records) + 1, self.source, start, end)
            self.record.note_marks = _MARKS
            if isinstance(found, Loaded):
                self.build(found)
            else:
                self.record.diagnostics.append(found)
                self.record.lines = [Line(-1, 0, 0, broken=found)]
            self.records.append(self.record)
        if not self.records:
            self.records.append(self.nothing())
        source = JkfSource(self.text, self.appendix, self.starts, self.ways) if self.starts else Source(self.text)
        for record in self.records:
            record.source = source
        return self.records

    # --- documents --------------------------------------------------------------------------------------------------
    def documents(self) -> Iterator[tuple[int, int, Loaded | Diagnostic]]:
        """The JSON values of the text with their offsets: each loaded, or what is wrong with it.

        Behind a value that is no JSON, reading goes on at the next line that opens an object.
        """
        text, end = self.text, 0
        self.text_bytes = text.encode("utf-8", "replace")
        data = memoryview(self.text_bytes)
        narrow = len(data) == len(text)
        byte = 0

        def characters(first: int, last: int) -> int:
            return last - first if narrow else len(str(data[first:last], "utf-8", "replace"))

        other = False  # whether the value before was no record
        self.line_end = 0
        while byte < len(data):
            start = end
            try:
                found, length = self.load(data, byte)
                end = start + characters(byte, byte + length)
                byte += length
                yield start, end, found
            except NotJkf as error:
                end = start + characters(byte, byte + error.length)
                byte += error.length
                if not other:  # one finding for all that stand together
                    yield start, end, make("no-game", start, why=str(error))
                other = True
                continue
            except TooDeep:
                deep = make("json-too-deep", start) if like_jkf(text) else make("no-game", start, why="it has no moves")
                yield start, len(text), deep
                return
            except Malformed as error:
                if _BLANK.match(text, start):
                    return
                if not self.records and not like_jkf(text):
                    yield start, len(text), make("no-game", start, why=f"it is no JSON: {error}")
                    return
                at = start if error.byte < 0 else min(start + characters(byte, byte + error.byte), len(text))
                following = _NEXT.search(text, max(at, start + 1))
                end = following.end() if following else len(text)
                yield start, end, make("json-syntax", at, why=str(error))
                byte += len(text[start:end].encode("utf-8", "replace"))
            other = False

    def load(self, data: memoryview, byte: int) -> tuple[Loaded, int]:
        """The value at a byte, and its length; a value that is a line by itself is not looked for beyond it."""
        if self.line_end <= byte:
            self.line_end = self.text_bytes.find(b"\n", byte) + 1 or len(data)
        if self.line_end < len(data) and self.text_bytes.endswith((b"}\n", b"}\r\n"), byte, self.line_end):
            try:
                return load(data[byte:self.line_end])
            except Malformed:
                pass
        return load(data[byte:])

    def mark(self, text: str, way: Way) -> tuple[int, int]:
        """Spell something in the appendix and remember where it came from; its offsets."""
        start = self.length
        self.starts.append(start)
        self.ways.append((self.at, way))
        self.appendix.append(text)
        self.length += len(text)
        return start, self.length

    def tell(self, name: str, way: Way, **fields: Any) -> Diagnostic:
        """Add a finding about a part of the JSON."""
        path = spelled(way)
        start, _ = self.mark(path, way)
        return self.report(name, start, path=path, **fields)

    # --- a record ---------------------------------------------------------------------------------------------------
    def build(self, loaded: Loaded) -> None:
        """Make a record of what was loaded."""
        record, jkf = self.record, loaded.jkf
        record.headers = list(jkf.header.items())
        self.texts, self.info = array("q"), array("q")
        self.comments: list[tuple[int, int, int]] = []
        self.said: dict[int, jkf_check.Said] = {}
        for fault in loaded.faults:
            self.tell_fault(fault)
        if loaded.repeats:
            repeated: list[Way] = []
            jkf_places.index(self.text, record.offset, record.end_offset, repeated)
            for way in repeated:
                self.tell("json-key-twice", way)
        self.main = Line(-1, 0, 0, offset=record.offset)
        record.lines.append(self.main)
        if loaded.start is not None:
            self.main.broken = self.tell_fault(loaded.start)
        else:
            self.start_position(jkf)
        record.texts, record.info = self.texts, self.info
        self.lines_of_play(jkf, loaded.broken)
        self.comments.sort(key=lambda comment: comment[0])
        record.notes = array("q", [part for owner, start, end in self.comments for part in (0, owner + 1, start, end)])
        for way, key, said, found in jkf_check.contradictions(record, self.said):
            self.tell("jkf-contradiction", (way, key), said=said, found=found)

    def tell_fault(self, fault: Fault) -> Diagnostic:
        """Report a part that does not fit."""
        if fault.fate == "unknown":
            return self.tell("json-unknown-key", fault.way)
        if fault.fate == "text":
            return self.tell("json-shape", fault.way, why=fault.message, severity=WARNING, hint="it is kept as a text")
        return self.tell("json-shape", fault.way, why=fault.message)

    # --- the start --------------------------------------------------------------------------------------------------
    def start_position(self, jkf: Jkf) -> None:
        """Decide what the game starts from: the board where there is one, else the preset."""
        record, initial = self.record, jkf.initial
        way: Way = (None, "initial")
        preset = initial.preset if initial is not None else "HIRATE"
        key = self.given_handicap or PRESETS.get(preset)
        if initial is not None and initial.data is not None and not self.given_handicap:
            self.board(initial, way)
            if key is not None and record.start is not None and not same_start(HANDICAPS[key].sfen, record.start):
                self.report("handicap-and-board", self.mark(preset, (way, "preset"))[0], text=preset)
        elif self.given_handicap and self.given_handicap not in HANDICAPS:
            self.main.broken = self.report("unknown-handicap", 0, text=f"{self.given_handicap} in shogi")
        elif key is None:
            if preset == OTHER:
                self.main.broken = self.report("bad-board", self.mark(preset, way)[0],
                                               detail="the preset is OTHER, but no board is given")
            else:
                self.main.broken = self.report("unknown-handicap", self.mark(preset or "-", (way, "preset"))[0],
                                               text=preset)
        else:
            handicap = HANDICAPS[key]
            record.handicap, record.start = key, handicap.sfen
            if handicap.other_sfens:
                record.other_start = handicap.other_sfens[0]
            named = by_japanese(record.header("手合割") or "")
            if initial is None and named is not None and named.key != key and not self.given_handicap:
                self.report("handicap-and-board", self.mark(named.ja, ((None, "header"), "手合割"))[0], text=named.ja)
        if record.start is not None:
            record.turn = ends.WHITE if record.start.split()[1] == "w" else ends.BLACK

    def board(self, initial: Initial, way: Way) -> None:
        """The start position out of its board and hands."""
        state = initial.data
        assert state is not None
        board = Board()
        try:
            for file, column in enumerate(state.board, 1):
                for rank, cell in enumerate(column, 1):
                    if cell.kind is not None and cell.color is None:
                        raise BoardError(f"the man on {file}{rank} has no colour")
                    if cell.kind is not None and cell.color is not None:
                        board.place(ends.SIDES[cell.color], file, rank, NUMBERS[cell.kind])
            for side, hand in zip(ends.SIDES, state.hands, strict=True):
                for kind, count in hand.items():
                    if count:
                        board.hold(side, NUMBERS[kind], count)
        except BoardError as error:
            self.main.broken = self.report("bad-board", self.mark("data", (way, "data"))[0], detail=str(error))
            return
        self.record.start = board.sfen(ends.SIDES[state.color])

    # --- lines of play ----------------------------------------------------------------------------------------------
    def lines_of_play(self, jkf: Jkf, broken: dict[int, Fault]) -> None:
        """Read the main line and all forks, each as one line of the record, by a stack of those still to be read."""
        stack = [Play(jkf.moves, (None, "moves"), -1, 1)]
        while stack:
            play = stack.pop()
            main = play.parent < 0 and play.way == (None, "moves")
            first = len(self.texts)
            line = self.main if main else Line(play.parent, first, first, play.number)
            if not main:
                self.record.lines.append(line)
            forks = self.one_line(line, play, broken)
            if not main and first < len(self.texts):
                line.offset = self.info[INFO * first]
            stack += reversed(forks)

    def one_line(self, line: Line, play: Play, broken: dict[int, Fault]) -> list[Play]:
        """Read the nodes of one line; returns the forks that leave it."""
        node_at, parent, forks = line.parent, line.parent, []
        main = line is self.main
        if line.broken is not None:
            return []
        for index, node in enumerate(play.nodes):
            way: Way = (play.way, index)
            number = line.number + len(self.texts) - line.first
            if node.forks:
                forks += [Play(fork, ((way, "forks"), i), parent, number) for i, fork in enumerate(node.forks)]
            fault = broken.get(id(node))
            if fault is not None:
                line.broken = self.tell_fault(fault)._replace(ply=number)
                self.record.diagnostics[-1] = line.broken
                break
            if node.move is not None:
                if line.end is not None:
                    spelling = self.spelling(node.move)
                    self.report("moves-after-end", self.mark(spelling, (way, "move"))[0], text=spelling)
                    break
                if main and index == 0:
                    self.tell("jkf-first-node", way)
                if not self.move(node, (way, "move"), line):
                    break
                node_at = parent = len(self.texts) - 1
            elif node.special is None and node.time is not None and node.time.now is not None:
                self.report("stray-clock", self.mark("time", (way, "time"))[0], text=spelled((way, "time")))
            for key, comments in (("comments", node.comments), ("comment", node.comment)):
                if comments is not None:
                    self.comment([comments] if isinstance(comments, str) else comments, (way, key), node_at)
            if node.special is not None:
                self.special(node, (way, "special"), line)
        line.last = len(self.texts)
        return forks

    def comment(self, texts: list[str], way: Way, owner: int) -> None:
        """Keep the comments of a node."""
        for index, text in enumerate(texts):
            self.comments.append((owner, *self.mark(text, (way, index))))

    def move(self, node: Node, way: Way, line: Line) -> bool:
        """Add the move of a node; False where it says too little to be one."""
        move = node.move
        assert move is not None
        text = NUMBERS[move.piece] << 16
        if move.to is not None:
            text |= move.to.x | move.to.y << 4
        elif move.same:
            text |= SAME
        else:
            line.broken = self.tell("json-shape", way, why="Object missing required field `to`")
            return False
        if move.origin is not None:
            text |= move.origin.x << 8 | move.origin.y << 12
        elif marks := sum(RELATIVE.get(letter, 0) for letter in set(move.relative or "")):
            text |= marks  # as from KI2: one of those that can go there
        else:
            text |= DROP
        if move.color is not None:
            text |= _SIDES[move.color]
        if move.promote:
            text |= PROMOTE
        if move.capture is not None:
            text |= CAPTURE
        if not (move.same is None and move.promote is None and move.capture is None and move.relative is None):
            self.said[len(self.texts)] = jkf_check.Said(way, move.same, move.promote, move.capture, move.relative)
        start, end = self.mark(self.spelling(move), way)
        self.texts.append(text)
        self.info.extend((start, end, 0, -1 if node.time is None else self.milliseconds(node, way)))
        return True

    def spelling(self, move: Move) -> str:
        """A move as KIF writes it, for messages."""
        piece = NUMBERS[move.piece]
        place = FULL_DIGITS[move.to.x] + KANJI_DIGITS[move.to.y] if move.to else "同　"
        name = PIECE_NAMES[piece] + ("成" if move.promote and not piece & PROMOTED else "")
        origin = f"({move.origin.x}{move.origin.y})" if move.origin else "打" if not move.relative else ""
        return place + name + origin

    def special(self, node: Node, way: Way, line: Line) -> None:
        """The end of a line."""
        word = node.special or ""
        start, end = self.mark(word or "-", way)
        if line.end is not None:
            if line.end.raw == word:
                self.report("end-repeated", start, text=word)
            else:
                self.report("result-conflict", start, first=line.end.raw, second=word)
            return
        if word not in ends.CSA_WORDS:
            self.report("unknown-end", start, end, text=word)
        plies = line.number - 1 + len(self.texts) - line.first
        mover = self.record.to_move(plies)
        milliseconds = self.milliseconds(node, way)
        line.end = ends.claim(ends.CSA_WORDS, word, mover, word, start, milliseconds if milliseconds >= 0 else None)

    def milliseconds(self, node: Node, way: Way) -> int:
        """What a move or an end took; -1 where that is not said or cannot be."""
        now = node.time.now if node.time is not None else None
        if now is None:
            return -1
        found = milliseconds(now)
        if not 0 <= found < _MOST_TIME:
            assert way is not None
            text = f"{now.h or 0}:{now.m or 0}:{now.s or 0}"
            self.report("negative-clock" if found < 0 else "bad-clock",
                        self.mark(text, ((way[0], "time"), "now"))[0], text=text)
            return -1
        return int(found)


def milliseconds(clock: Clock) -> float:
    """A span of time in milliseconds; infinite where it is too long for any clock.

    >>> milliseconds(Clock(h=1, m=2, s=3.25))
    3723250
    """
    hours, minutes, seconds = clock.h or 0, clock.m or 0, clock.s or 0
    if hours < 0 or minutes < 0 or seconds < 0:
        return -1
    if hours > _MOST_TIME or minutes > _MOST_TIME or seconds > _MOST_TIME:
        return float("inf")
    return round(((hours * 60 + minutes) * 60 + seconds) * 1000)


def like_jkf(text: str) -> bool:
    """Whether a text that cannot be decoded was meant to be a record."""
    return '"moves"' in text


def same_start(one: str, other: str) -> bool:
    """Whether two SFEN are one position, whatever their numbers."""
    return one.split()[:3] == other.split()[:3]
