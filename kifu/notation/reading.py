# cython: language_level=3, boundscheck=True
"""What all readers share: one walk over the items of an assembly, and the care of records, lines and findings.

A notation's reader names its grammar, says what terminals and productions mean (`MEANINGS`) and has one method a kind
of item, called with (moves before it, start, end, value). `reading.pxd` declares the types of `Reader` for the
compiler; readers that are compiled too have such a file of their own, the others are Python classes made of it.
"""
from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any, ClassVar

try:
    import cython
except ImportError:
    from kifu import _cython as cython

from kifu import grammar
from kifu.diagnostics import Diagnostic, make
from kifu.ends import FOUL_REMARK, End, opponent
from kifu.grammar.explain import expected
from kifu.notation.assemble import Actions, Assembly
from kifu.notation.assemble import read as assembled
from kifu.notation.meanings import GAP_MARK, NUMBER_MASK
from kifu.record import INFO, NOTE, Line, Record, Source


#: What a class of readers needs of its grammar, made when it first reads, and kept: the machine; what terminals and
#: productions mean; by the code of an item its method (productions have the codes -1, -2, …, which negative indices
#: find from the end); the marks of comments. Plain tuples, since each text asks for them.
_Prepared = tuple[grammar.Machine, Actions, list[Callable[..., None] | None], dict[int, tuple[str, int, int]]]
_PREPARED: dict[type[Reader], _Prepared] = {}


class Reader:
    """Reads one text in one notation; `read` returns its records in order."""

    NOTATION = ""
    #: Whether records of all kinds of shogi are read, not of the ordinary one alone.
    READS_ALL_KINDS = False
    #: Terminal or production -> what the assembler does with it.
    MEANINGS: ClassVar[dict[str, Any]] = {}
    #: Terminal or production -> name of the method that handles its item.
    HANDLERS: ClassVar[dict[str, str]] = {}
    #: Terminal of a comment -> (kind, characters to drop at its head, at its tail).
    NOTES: ClassVar[dict[str, tuple[str, int, int]]] = {}

    def __init__(self, text: str, notation: str | None = None, mode: str = "default",
                 handicap: str | None = None, variant: str | None = None) -> None:
        self.text = text
        self.notation = notation or self.NOTATION
        self.mode = mode
        self.given_handicap = handicap
        self.given_variant = variant  # None where nobody said: the record tells, or it is ordinary shogi
        self.source = Source(text)
        self.records: list[Record] = []
        self.pending: list[Diagnostic] = []  # findings between records
        self.first_move = 0
        self.first_note = 0
        self.record: Record

    # --- the walk ---------------------------------------------------------------------------------------------------
    @classmethod
    def prepare(cls) -> tuple[grammar.Machine, Actions]:
        """A machine that shows what the reader has a meaning for, and the meanings as tables, made once."""
        made = _PREPARED.get(cls)
        if made is None:
            machine = grammar.load(cls.NOTATION)
            names = list(machine.terminals) + list(machine.rules)
            handlers = [getattr(cls, cls.HANDLERS[name]) if name in cls.HANDLERS else None for name in names]
            split = len(machine.terminals)
            made = _PREPARED[cls] = (
                machine.only(cls.MEANINGS), Actions(machine.terminals, machine.rules, cls.MEANINGS),
                handlers[:split] + handlers[split:][::-1],
                {machine.terminals.index(name): marks for name, marks in cls.NOTES.items()})
        return made[0], made[1]

    def read(self) -> list[Record]:
        """All records of the text; a text without a game gives one record that says so."""
        self.walk()
        if not self.records:
            self.records.append(self.nothing())
        return self.records

    def walk(self) -> None:
        """Read the whole text, item by item."""
        i: cython.Py_ssize_t
        code: cython.Py_ssize_t
        handlers: list[Any]
        items: cython.longlong[::1]
        prepared = _PREPARED.get(type(self))
        if prepared is None:
            self.prepare()
            prepared = _PREPARED[type(self)]
        machine, actions, handlers, self.note_marks = prepared
        assembly: Assembly = assembled(machine, self.text, actions)
        faults = assembly.faults
        self.faults = {fault.start: fault for fault in faults} if faults else {}
        self.texts, self.info, self.notes, self.marks = assembly.texts, assembly.info, assembly.notes, assembly.marks
        self.counts = assembly.counts
        self.open(0, 0)
        found = self.arrange(assembly.items)
        if len(found):
            items = found
            for i in range(0, len(found), 5):
                code = items[i]
                handler = handlers[code if code >= 0 else code + len(handlers)]
                if handler is not None:
                    handler(self, items[i + 1], items[i + 2], items[i + 3], items[i + 4])
        self.close(len(self.texts), len(self.text))

    def arrange(self, items: array[int]) -> array[int]:
        """Called before the walk: the items, and those that only the text as a whole shows."""
        return items

    def nothing(self) -> Record:
        """The record that stands for a text without a game."""
        record = Record(self.notation, 1, self.source, 0, len(self.text))
        why = "the text is empty" if not self.text.strip() else f"nothing in it is {self.notation.upper()}"
        broken = make("no-game", 0, 0, why=why)
        record.diagnostics = [broken, *self.pending]
        record.lines = [Line(-1, 0, 0, broken=broken)]
        return record

    # --- records ----------------------------------------------------------------------------------------------------
    def open(self, move: cython.Py_ssize_t, offset: cython.Py_ssize_t) -> None:
        """Begin a record whose first move will be ``move`` (an index of the whole text)."""
        self.first_move = move
        self.record = record = Record(self.notation, len(self.records) + 1, self.source, offset, offset)
        record.note_marks = self.note_marks
        self.current = line = Line(-1, 0, 0, 1, offset)
        self.lines = [line]
        self.told = False  # whether the record said anything that makes it one
        self.finished = False  # whether the current line has ended or broken off
        self.late = False  # whether moves after an end were reported
        self.lost = 0  # unreadable moves of the current line

    def close(self, move: cython.Py_ssize_t, offset: cython.Py_ssize_t) -> None:
        """Finish the current record before move ``move``; a record that said nothing is dropped."""
        count = move - self.first_move
        if not self.finished:
            self.current.last = count
        record = self.record
        record.end_offset = offset
        notes, last = self.notes, self.first_note
        many = len(notes)
        if offset >= len(self.text):
            last = many
        while last < many and notes[last + 2] < offset:
            last += NOTE
        if count or self.told:
            if self.first_move == self.first_note == 0 and move == len(self.texts) and last == len(notes):
                record.texts, record.info, record.notes = self.texts, self.info, self.notes
            else:
                record.texts = self.texts[self.first_move:move]
                record.info = self.info[INFO * self.first_move:INFO * move]
                record.notes = notes[self.first_note:last]
                for i in range(1, len(record.notes), NOTE):
                    record.notes[i] -= self.first_move
            record.lines = self.lines
            if self.pending:
                record.diagnostics[:0] = self.pending
                self.pending = []
            self.settle(record)
            if count and record.notes:
                self.foul_remark(record)
            self.records.append(record)
        elif self.records:
            self.records[-1].diagnostics += record.diagnostics
        else:
            self.pending += record.diagnostics
        self.first_note = last

    def foul_remark(self, record: Record) -> None:
        """Take ends from comments on the last moves of lines that have none: 81Dojo says no more of a foul."""
        if self.text.find(FOUL_REMARK, record.offset, record.end_offset) < 0:
            return
        remarked = {move for move, _, text in record.comments() if FOUL_REMARK in text}
        for line in record.lines:
            if line.end is None and line.broken is None and line.first < line.last and line.last - 1 in remarked:
                winner = record.to_move(line.number - 1 + line.last - line.first)
                at = self.text.find(FOUL_REMARK, record.info[INFO * (line.last - 1) + 1])
                line.end = End("illegal", winner, opponent(winner), FOUL_REMARK, at)

    def settle(self, record: Record) -> None:
        """Called once a record is whole: the place for what needs all of it."""

    def no_such_handicap(self, record: Record, kind: str) -> None:
        """Refuse a record of a kind of shogi that has not the handicap that was named for it."""
        from kifu.rules.handicaps import of_variant
        from kifu.rules.variants import RULESETS

        name = RULESETS[kind].name
        self.refuse_start(record, make(
            "unknown-handicap", record.offset, text=f"{self.given_handicap} in {name}",
            hint=f"{name} has {', '.join(of_variant(kind))}"))

    def refuse_other_kind(self, record: Record, told: str | None, offset: int, end: int = -1) -> None:
        """Refuse a record that says that it is of another kind of shogi than the one that was named."""
        from kifu.rules.variants import RULESETS

        named = self.given_variant
        if named and told and told != named:
            record.start = None
            self.refuse_start(record, make(
                "bad-board", offset, end, hint=f"leave --variant out, or name {told}",
                detail=f"the record says that it is of {RULESETS[told].name}, not of {RULESETS[named].name}, the kind "
                       "of shogi that was named"))

    def refuse_start(self, record: Record, finding: Diagnostic) -> None:
        """There is no position to play from."""
        record.diagnostics.append(finding)
        if record.lines[0].broken is None:
            record.lines[0].broken = finding

    def next_record(self, move: cython.Py_ssize_t, offset: cython.Py_ssize_t) -> None:
        """Close the current record and open the next one."""
        self.close(move, offset)
        self.open(move, offset)

    # --- lines ------------------------------------------------------------------------------------------------------
    def played(self, move: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """How many moves the current line has before text move ``move``."""
        return (self.current.last if self.finished else move - self.first_move) - self.current.first

    def mover(self, move: cython.Py_ssize_t, first: str) -> str:
        """The side to move before text move ``move`` if ``first`` began the game; moves that were written but cannot
        be played are counted, so that an end behind them still names the right side."""
        seen = self.current.number - 1 + self.seen(move) + self.lost
        return first if seen % 2 == 0 else opponent(first)

    def seen(self, move: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """How many moves of the current line stand before text move ``move``, played or not."""
        return move - self.first_move - self.current.first

    def stop(self, move: cython.Py_ssize_t) -> None:
        """The current line has no further moves: it ended or a move could not be read."""
        if not self.finished:
            self.current.last = move - self.first_move
            self.finished = True

    def claim_end(self, move: cython.Py_ssize_t, end: End) -> None:
        """Write down the end of the current line; a second one is reported, the first one counts."""
        if self.current.end is not None:
            if self.current.end.raw == end.raw or self.current.end.reason == end.reason:
                self.report("end-repeated", end.offset, text=end.raw)
            else:
                self.report("result-conflict", end.offset, first=self.current.end.raw, second=end.raw)
            return
        self.stop(move)
        self.current.end = end

    def broken(self, move: int, start: int, end: int, ply: int | None = None) -> None:
        """A move that could not be read ends its line, as an illegal move does."""
        already = self.finished
        self.lost += 1
        finding = self.syntax("unreadable-move", start, end,
                              ply if ply is not None else self.ply_at(move) + 1)
        if not already:
            self.stop(move)
            self.current.broken = finding

    def ply_at(self, move: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """How many plies lie before text move ``move``, counted from the start position."""
        return self.current.number - 1 + self.played(move)

    def surplus(self, move: cython.Py_ssize_t) -> None:
        """Report moves that stand behind the end of the current line, once a line."""
        current = self.current
        if (self.finished and move - self.first_move > current.last and current.end is not None and not self.late
                and current.broken is None):
            self.late = True
            index = INFO * (self.first_move + current.last)
            start, end = self.info[index], self.info[index + 1]
            self.report("moves-after-end", start, end, text=self.text[start:end])

    # --- findings ---------------------------------------------------------------------------------------------------
    def report(self, name: str, start: int, end: int = -1, ply: int | None = None, **fields: Any) -> Diagnostic:
        """Add a finding to the current record."""
        finding = make(name, start, end, ply, **fields)
        self.record.diagnostics.append(finding)
        return finding

    def syntax(self, name: str, start: int, end: int, ply: int | None = None) -> Diagnostic:
        """Add the finding for a BAD token: a syntax error with what was expected, or a line nobody knows."""
        from kifu.notation.confusables import hint

        fault = self.faults.get(start)
        text = self.text[start:end].strip()
        meant = hint(text, self.notation) or None
        if fault is None:
            if name == "unreadable-move":
                return self.report(name, start, end, ply, hint=meant, text=text, expected="a move")
            return self.report("unknown-line", start, end, hint=meant, text=text, notation=self.notation.upper())
        wanted = expected(self.NOTATION, fault)
        if name == "unreadable-move":
            return self.report(name, fault.offset, end, ply, hint=meant, text=text, expected=wanted)
        seen = self.text[fault.offset:end].split("\n")[0].strip() or "the end of the line"
        return self.report("syntax-error", fault.offset, end, hint=meant, text=seen, expected=wanted)

    def numbers(self, record: Record) -> array:
        """The numbers written before the moves of a record, marks taken off."""
        numbers = record.info[2::INFO]
        if self.marks & ~NUMBER_MASK:
            numbers = array("q", map(NUMBER_MASK.__and__, numbers))
        return numbers

    def gaps(self, record: Record) -> list[int]:
        """The indices of moves with blanks inside."""
        if not self.marks & GAP_MARK:
            return []
        return [index for index, mark in enumerate(record.info[2::INFO]) if mark & GAP_MARK]


def moved(record: Record, by: cython.Py_ssize_t, source: Source) -> None:
    """Let a record that was read from a part of a text stand in the whole text; its part begins at character ``by``."""
    line: Line
    record.source = source
    if by == 0:
        return
    record.offset += by
    record.end_offset += by
    if len(record.info):
        _move_places(record.info, 0, by)
    if len(record.notes):
        _move_places(record.notes, 2, by)
    seen = {}
    if record.diagnostics:
        seen = {id(finding): _finding_moved(finding, by) for finding in record.diagnostics}
        record.diagnostics = [seen[id(finding)] for finding in record.diagnostics]
    for line in record.lines:
        line.offset += by
        end = line.end
        if end is not None and end[4] >= 0:
            line.end = tuple.__new__(End, (end[0], end[1], end[2], end[3], end[4] + by, end[5]))
        if line.broken is not None:
            line.broken = seen.get(id(line.broken)) or _finding_moved(line.broken, by)
    if record.foul is not None:
        text, start, stop = record.foul
        record.foul = text, start + by, stop + by


def _move_places(numbers: array[int], first: cython.Py_ssize_t, by: cython.Py_ssize_t) -> None:
    """Add to the two places that stand among each four numbers, at the ``first`` and behind it."""
    i: cython.Py_ssize_t
    places: cython.longlong[::1] = numbers
    for i in range(first, len(places), INFO):
        places[i] += by
        places[i + 1] += by


def _finding_moved(finding: Diagnostic, by: int) -> Diagnostic:
    if finding.offset < 0:
        return finding
    return finding._replace(offset=finding.offset + by, end=finding.end + by if finding.end >= 0 else finding.end)
