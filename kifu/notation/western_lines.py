# cython: language_level=3, boundscheck=True
"""What western text and PGN share: tags, lines of play in brackets, results.

A bracket holds a line that replaces the move before it. Moves come in the order of the text; at the end of a record
`Brackets.straighten` brings those of each line together.
"""
from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from typing import ClassVar

try:
    import cython
except ImportError:
    from kifu import _cython as cython

from kifu import ends
from kifu.diagnostics import Diagnostic
from kifu.notation.meanings import GLUED_MARK
from kifu.notation.reading import Reader
from kifu.record import CANONICAL, INFO, NOTE, Line, Record

RESULTS = {"1-0": ends.BLACK, "0-1": ends.WHITE, "1/2-1/2": ends.DRAW, "½-½": ends.DRAW}
_ESCAPE = re.compile(r"\\(.)")
#: Keys of tags that the readers themselves ask for -> what they mean, as `Record.header` has it.
_ASKED = {key: name for name in ("sfen", "handicap", "result")
          for key in (name, *(key for key, meant in CANONICAL.items() if meant == name))}


class Branch:
    """A line of play while it is read: brackets cut it into stretches of moves."""

    __slots__ = ("line", "nodes", "since", "finished", "over", "told")

    def __init__(self, line: Line, since: cython.Py_ssize_t, finished: cython.bint = False) -> None:
        self.line = line
        self.nodes: list[int] = []
        self.since = since
        self.finished = finished
        self.over = False  # whether a `*` ended it, which claims no end
        self.told = False

    def take(self, index: cython.Py_ssize_t) -> None:
        """Take the moves since the last stretch, unless the line has ended."""
        if not self.finished:
            self.nodes.extend(range(self.since, index))
            self.since = index


class Brackets(Reader):
    """Reads what has tags and variations in brackets; a notation adds its moves and words."""

    MEANINGS: ClassVar = {
        "TAG_KEY": "item", "TAG_VALUE": "item", "tag": "item", "LPAREN": "item", "RPAREN": "item", "UNCLOSED": "item",
        "result": "item",
    }
    HANDLERS: ClassVar = {
        "TAG_KEY": "on_tag_key", "TAG_VALUE": "on_tag_value", "tag": "on_tag", "LPAREN": "on_open",
        "RPAREN": "on_close", "UNCLOSED": "on_unclosed", "result": "on_result",
    }

    #: Keys of tags that may tell of another kind of shogi; ``tells`` is whether the text has one.
    TELLING: ClassVar = frozenset({"Variant", "variant", "SFEN", "FEN"})

    def open(self, move: cython.Py_ssize_t, offset: cython.Py_ssize_t) -> None:
        Reader.open(self, move, offset)
        self.key = self.value = ""
        self.asked: dict[str, str] = {}  # the first tag of each kind of `_ASKED`
        self.branch = Branch(self.lines[0], 0)
        self.branches = [self.branch]
        self.brackets: list[tuple[Branch, int]] = []  # the line around an open bracket, text move it opens before
        self.turns: list[tuple[int, int, int]] = []  # offset of a bracket, move it stands before, move it belongs to

    def begun(self, move: cython.Py_ssize_t) -> cython.bint:
        """Whether the record has a move or a result, so that what announces a game announces the next one."""
        return move > self.first_move or self.current.end is not None or self.branches[0].over

    # --- tags -------------------------------------------------------------------------------------------------------
    def on_tag_key(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                   value: cython.longlong) -> None:
        if self.begun(move) or self.brackets:
            if self.brackets:
                self.report("unclosed-bracket", self.turns[-1][0], start, text="(")
            self.next_record(move, start)
        text: str = self.text
        start, end = start + 1, end - 1  # between `[` and `"`
        while start < end and (text[start] == " " or text[start] == "\t"):
            start += 1
        while start < end and (text[end - 1] == " " or text[end - 1] == "\t"):
            end -= 1
        if text[end - 1] == ":":
            end -= 1
        self.key, self.value = text[start:end], ""

    def on_tag_value(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                     value: cython.longlong) -> None:
        self.value = self.text[start:end]
        if "\\" in self.value:
            self.value = _ESCAPE.sub(r"\1", self.value)

    def on_tag(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
               value: cython.longlong) -> None:
        self.told = True
        key: str = self.key
        content: str = self.value
        asked: dict[str, str] = _ASKED
        if key == "Header" and ": " in content:  # a key that no tag can hold, as our writer keeps it
            key, _, content = content.partition(": ")
        elif key in self.TELLING:
            self.tells = True
        self.record.headers.append((key, content))
        if key in asked:
            self.asked.setdefault(asked[key], content)

    # --- lines ------------------------------------------------------------------------------------------------------
    def played(self, move: cython.Py_ssize_t) -> cython.Py_ssize_t:
        self.branch.take(move - self.first_move)
        return len(self.branch.nodes)

    def seen(self, move: cython.Py_ssize_t) -> cython.Py_ssize_t:
        index, branch = move - self.first_move, self.branch
        branch.take(index)
        return len(branch.nodes) + (index - branch.since if branch.finished else 0)

    def stop(self, move: cython.Py_ssize_t) -> None:
        self.branch.take(move - self.first_move)
        self.branch.finished = True

    def broken(self, move: int, start: int, end: int, ply: int | None = None) -> None:
        already = self.branch.finished
        self.lost += 1
        finding = self.syntax("unreadable-move", start, end, self.ply_at(move) + 1)
        if not already:
            self.stop(move)
            self.current.broken = finding

    def surplus(self, move: cython.Py_ssize_t) -> None:
        branch, index = self.branch, move - self.first_move
        ended = branch.over or branch.line.end is not None
        if branch.finished and index > branch.since and ended and not branch.told:
            branch.told = True
            at = INFO * (self.first_move + branch.since)
            self.report("moves-after-end", self.info[at], self.info[at + 1],
                        text=self.text[self.info[at]:self.info[at + 1]])

    def enter(self, branch: Branch, index: cython.Py_ssize_t) -> None:
        """Go on with a line from text move ``index``."""
        self.branch, self.current, self.lost = branch, branch.line, 0
        if not branch.finished:
            branch.since = index

    def begin_line(self, line: Line, index: cython.Py_ssize_t) -> Branch:
        """Begin a variation at text move ``index``."""
        branch = Branch(line, index)
        self.lines.append(line)
        self.branches.append(branch)
        return branch

    def on_open(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                value: cython.longlong) -> None:
        index = move - self.first_move
        self.surplus(move)
        self.branch.take(index)
        above = self.branch
        self.brackets.append((above, index))
        nodes = above.nodes
        parent = nodes[-2] if len(nodes) > 1 else above.line.parent
        line = Line(parent, 0, 0, above.line.number + max(0, len(nodes) - 1), start)
        if not nodes:  # nothing stands before the bracket that its moves could replace
            branch = Branch(line, index, finished=True)
            self.report("text-ignored", start, end, text=self.text[start:start + 40])
        else:
            branch = self.begin_line(line, index)
            if above.finished and above.line.broken is not None and index > above.since:
                line.broken, branch.finished = above.line.broken, True
        self.turns.append((start, index, parent))
        self.enter(branch, index)

    def on_close(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                 value: cython.longlong) -> None:
        index = move - self.first_move
        self.surplus(move)
        self.branch.take(index)
        if self.brackets:
            above, opened = self.brackets.pop()
            if above.finished:  # the moves in the bracket do not stand behind its end
                above.since += index - opened
            self.enter(above, index)
            self.turns.append((start, index, self.branch.nodes[-1] if self.branch.nodes else self.current.parent))

    def on_unclosed(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                    value: cython.longlong) -> None:
        self.report("unclosed-bracket", start, end, text="(")
        self.on_close(move, start, end, value)

    # --- results ----------------------------------------------------------------------------------------------------
    def on_result(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                  value: cython.longlong) -> None:
        raw = self.text[start:end]
        self.told = True
        if raw == "*":
            self.branch.over = self.branch.over or not self.branch.finished
            self.stop(move)
            return
        winner = RESULTS.get(raw) or (ends.BLACK if raw[0] in "BbSs" else ends.WHITE)
        self.result(move, winner, raw, start)

    def result(self, move: int, winner: str, raw: str, offset: int) -> None:
        """A result without a reason: the end where none stands, else a check of the one that does."""
        claimed = self.current.end
        if claimed is None:
            self.stop(move)
            self.current.end = ends.End("other", winner, None, raw, offset)
        elif claimed.winner != winner and claimed.winner != ends.UNKNOWN:
            self.report("result-conflict", offset, first=claimed.raw, second=raw)
        elif claimed.winner == ends.UNKNOWN:
            self.current.end = ends.End(claimed.reason, winner, claimed.offender, claimed.raw, claimed.offset,
                                        claimed.milliseconds)

    def tagged_result(self, record: Record) -> None:
        """The result of the tag: the end where the moves give none, else a check of theirs."""
        tag = self.asked.get("result")
        line = record.lines[0]
        if tag is not None and tag in RESULTS:
            self.current = line
            if line.end is None:
                line.end = ends.End("other", RESULTS[tag], None, tag, record.offset)
            elif line.end.winner == ends.UNKNOWN or line.end.winner != RESULTS[tag]:
                self.result(0, RESULTS[tag], tag, line.end.offset)

    # --- the whole record -------------------------------------------------------------------------------------------
    def close(self, move: cython.Py_ssize_t, offset: cython.Py_ssize_t) -> None:
        while self.brackets:  # the grammar closes open brackets; a record that ends inside one does it here
            self.on_close(move, offset, offset, 0)
        self.surplus(move)
        self.stop(move)
        Reader.close(self, move, offset)

    def on_glued_number(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                        value: cython.longlong) -> None:
        self.branch.take(move - self.first_move)
        self.glued(self.branch, move - 1, self.info[INFO * (move - 1)], end)

    def glued(self, branch: Branch, index: int, start: int, end: int) -> None:
        """A move that something stands glued to is not known: its line ends before it."""
        node = index - self.first_move
        at = bisect_left(branch.nodes, node)  # which stand in the order of the text
        if at == len(branch.nodes) or branch.nodes[at] != node:
            return
        self.cut(branch, at, self.report("glued-moves", start, end, branch.line.number + at,
                                         text=self.text[start:end]))

    def cut(self, branch: Branch, at: int, finding: Diagnostic) -> None:
        """End a line before its move at ``at``, counted from 0, which is not known."""
        branch.since = branch.nodes[at]
        del branch.nodes[at:]
        branch.finished = True
        if branch.line.broken is None:
            branch.line.broken = finding

    def unglue(self, record: Record) -> None:
        """End lines before moves that are glued together."""
        if not self.marks & GLUED_MARK:
            return
        owners = {node: branch for branch in self.branches for node in branch.nodes}
        for index, mark in enumerate(record.info[2::INFO]):
            if mark & GLUED_MARK and index in owners:
                self.glued(owners[index], index + self.first_move, record.info[INFO * index],
                           record.info[INFO * index + 1])

    def straighten(self, record: Record) -> None:
        """Bring the moves of each line together: brackets stand in the middle of the line they leave.

        Brackets without a move, an end or a word that could be one are no lines.
        """
        main: Branch = self.branches[0]
        many = len(main.nodes)
        if len(self.branches) == 1 and (not many or main.nodes[0] == 0 and main.nodes[many - 1] == many - 1):
            record.lines[0].first, record.lines[0].last = 0, many  # nodes rise, so that none is left out
            return
        self.branches = [main, *(branch for branch in self.branches[1:]
                                 if branch.nodes or branch.line.end is not None or branch.line.broken is not None)]
        record.lines = [branch.line for branch in self.branches]
        order: list[int] = []
        for branch in self.branches:
            branch.line.first = len(order)
            order += branch.nodes
            branch.line.last = len(order)
        used = set(order)
        order += [index for index in range(len(record.texts)) if index not in used]
        place = {old: new for new, old in enumerate(order)}
        place[-1] = -1
        owners: dict[int, list[tuple[int, int]]] = {}
        for offset, index, parent in self.turns:
            owners.setdefault(index, []).append((offset, parent))
        notes = array("q", record.notes)
        for i in range(0, len(notes), NOTE):
            owner = min(notes[i + 1], len(record.texts)) - 1  # a glyph may stand behind what is no move
            turns = owners.get(notes[i + 1], [])
            at = bisect_left(turns, (notes[i + 2], -2))
            if at:
                owner = turns[at - 1][1]
            notes[i + 1] = place[owner] + 1
        record.notes = notes
        record.texts = array("q", [record.texts[old] for old in order])
        info = record.info
        record.info = array("q", [info[INFO * old + part] for old in order for part in range(INFO)])
        for branch in self.branches:
            branch.line.parent = place[branch.line.parent]


if not cython.compiled:  # where it is typed it begins so
    Brackets.tells = False
