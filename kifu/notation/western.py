"""Western text, the reader: Hodges notation and its relatives.

Source: see `grammars/western.lark`. Numbers, results and brackets are items here; which of several pieces moved, and
whether a mark may be missing, is for the resolver (`kifu.rules.resolve`).
"""
from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from typing import ClassVar

from kifu import ends
from kifu.diagnostics import make
from kifu.movetext import (
    BLACK_SIDE, CAPTURE, DECLINE, DROP, PROMOTE, QUIET, SAME, SUPPLY_PROMOTION, WHITE_SIDE,
)
from kifu.notation.assemble import GLUED_MARK, misnumbered
from kifu.notation.csa import PIECES
from kifu.notation.reading import Reader
from kifu.record import INFO, NOTE, Line, Record
from kifu.rules import handicaps

_MOVE_LIKE = re.compile(r"\+?[PLNSGBRKTHDp][1-9x:*'@-]|[1-9][a-i]")
_RESULTS = {"1-0": ends.BLACK, "0-1": ends.WHITE, "1/2-1/2": ends.DRAW, "½-½": ends.DRAW}
_ESCAPE = re.compile(r"\\(.)")


class Branch:
    """A line of play while it is read: brackets cut it into stretches of moves."""

    __slots__ = ("line", "nodes", "since", "finished", "told")

    def __init__(self, line: Line, since: int, finished: bool = False) -> None:
        self.line = line
        self.nodes: list[int] = []
        self.since = since
        self.finished = finished
        self.told = False

    def take(self, index: int) -> None:
        """Take the moves since the last stretch, unless the line has ended."""
        if not self.finished:
            self.nodes.extend(range(self.since, index))
            self.since = index


class WesternReader(Reader):
    """Reads western text."""

    NOTATION = "western"
    MEANINGS: ClassVar = {
        **{name: ("piece", number) for name, (number, _) in PIECES.items()},
        "SQUARE": "square", "NUMERIC_SQUARE": "square", "USI_MOVE": "two_squares", "ORIGIN": "origin",
        "MOVES": ("separator", QUIET), "TAKES": ("separator", CAPTURE), "DROPS": ("separator", DROP),
        "RECAPTURE": ("flag", CAPTURE | SAME), "PROMOTE": ("flag", PROMOTE), "DECLINE": ("flag", DECLINE),
        "BLACK": ("side", BLACK_SIDE), "WHITE": ("side", WHITE_SIDE), "move": ("move", SUPPLY_PROMOTION),
        "NUMBER": "count", "NUMBER_WHITE": "item", "ELLIPSIS": "item", "BARE_NUMBER": "bare_count", "VARIATION": "item",
        "TIME": "clock", "NAG": "note", "COMMENT": "note", "BRACKET_COMMENT": "note", "LINE_COMMENT": "note",
        "REMARK": "note", "COUNT": "note", "HASH": "note", "FIRST_HASH": "note",
        "TAG_KEY": "item", "TAG_VALUE": "item", "tag": "item",
        "LPAREN": "item", "RPAREN": "item", "UNCLOSED": "item", "result": "item", "end": "end", "word": "item",
        "BAD": "item", "bad": "item", "BAD_TIME": "item", "GLYPH": "glyph",
    }
    HANDLERS: ClassVar = {
        "BARE_NUMBER": "on_glued_number", "NUMBER_WHITE": "on_number_white",
        "ELLIPSIS": "on_ellipsis", "VARIATION": "on_variation", "TIME": "on_stray_clock", "TAG_KEY": "on_tag_key",
        "TAG_VALUE": "on_tag_value", "tag": "on_tag", "LPAREN": "on_open", "RPAREN": "on_close",
        "UNCLOSED": "on_unclosed", "result": "on_result", "end": "on_end", "word": "on_word", "BAD": "on_bad",
        "BAD_TIME": "on_bad_time",
    }
    NOTES: ClassVar = {"COMMENT": ("comment", 1, 1), "BRACKET_COMMENT": ("comment", 1, 1),
                       "LINE_COMMENT": ("comment", 1, 0), "HASH": ("comment", -1, 0), "FIRST_HASH": ("comment", -1, 0),
                       "REMARK": ("comment", 1, 1), "COUNT": ("comment", 0, 0), "NAG": ("nag", 0, 0),
                       "GLYPH": ("nag", 0, 0)}

    first_count = 0  # of the numbers between the moves: the record's first

    def open(self, move: int, offset: int) -> None:
        super().open(move, offset)
        self.key = self.value = ""
        self.white_first = False
        self.branch = Branch(self.lines[0], 0)
        self.branches = [self.branch]
        self.brackets: list[Branch] = []
        self.turns: list[tuple[int, int, int]] = []  # offset of a bracket, move it stands before, move it belongs to
        self.word_at = -1

    # --- tags -------------------------------------------------------------------------------------------------------
    def on_tag_key(self, move: int, start: int, end: int, value: int) -> None:
        if move > self.first_move or self.current.end is not None:
            self.next_record(move, start)
        self.key, self.value = self.text[start + 1:end - 1].strip().rstrip(":"), ""

    def on_tag_value(self, move: int, start: int, end: int, value: int) -> None:
        self.value = _ESCAPE.sub(r"\1", self.text[start:end])

    def on_tag(self, move: int, start: int, end: int, value: int) -> None:
        self.told = True
        key, content = self.key, self.value
        if key == "Header" and ": " in content:  # a key that no tag can hold, as our writer keeps it
            key, _, content = content.partition(": ")
        self.record.headers.append((key, content))

    # --- numbers ----------------------------------------------------------------------------------------------------
    def on_glued_number(self, move: int, start: int, end: int, value: int) -> None:
        self.glued(move - 1, self.info[INFO * (move - 1)], end)

    def on_number_white(self, move: int, start: int, end: int, value: int) -> None:
        if move == self.first_move:
            self.white_first = True

    def on_ellipsis(self, move: int, start: int, end: int, value: int) -> None:
        if move == self.first_move:
            self.white_first = True

    # --- lines ------------------------------------------------------------------------------------------------------
    def played(self, move: int) -> int:
        self.branch.take(move - self.first_move)
        return len(self.branch.nodes)

    def seen(self, move: int) -> int:
        index, branch = move - self.first_move, self.branch
        branch.take(index)
        return len(branch.nodes) + (index - branch.since if branch.finished else 0)

    def stop(self, move: int) -> None:
        self.branch.take(move - self.first_move)
        self.branch.finished = True

    def broken(self, move: int, start: int, end: int, ply: int | None = None) -> None:
        already = self.branch.finished
        self.lost += 1
        finding = self.syntax("unreadable-move", start, end, self.ply_at(move) + 1)
        if not already:
            self.stop(move)
            self.current.broken = finding

    def surplus(self, move: int) -> None:
        branch, index = self.branch, move - self.first_move
        if branch.finished and index > branch.since and branch.line.end is not None and not branch.told:
            branch.told = True
            at = INFO * (self.first_move + branch.since)
            self.report("moves-after-end", self.info[at], self.info[at + 1],
                        text=self.text[self.info[at]:self.info[at + 1]])

    def enter(self, branch: Branch, index: int) -> None:
        """Go on with a line from text move ``index``."""
        self.branch, self.current, self.lost = branch, branch.line, 0
        if not branch.finished:
            branch.since = index

    def on_open(self, move: int, start: int, end: int, value: int) -> None:
        index = move - self.first_move
        self.surplus(move)
        self.branch.take(index)
        above = self.branch
        self.brackets.append(above)
        nodes = above.nodes
        parent = nodes[-2] if len(nodes) > 1 else above.line.parent
        line = Line(parent, 0, 0, above.line.number + max(0, len(nodes) - 1), start)
        branch = Branch(line, index)
        if not nodes:  # nothing stands before the bracket that its moves could replace
            branch.finished = True
            self.report("text-ignored", start, end, text=self.text[start:start + 40])
        else:
            self.lines.append(line)
            self.branches.append(branch)
            if above.finished and above.line.broken is not None and index > above.since:
                line.broken, branch.finished = above.line.broken, True
        self.turns.append((start, index, parent))
        self.enter(branch, index)

    def on_close(self, move: int, start: int, end: int, value: int) -> None:
        index = move - self.first_move
        self.surplus(move)
        self.branch.take(index)
        if self.brackets:
            self.enter(self.brackets.pop(), index)
            self.turns.append((start, index, self.branch.nodes[-1] if self.branch.nodes else self.current.parent))

    def on_unclosed(self, move: int, start: int, end: int, value: int) -> None:
        self.report("unclosed-bracket", start, end, text="(")
        self.on_close(move, start, end, value)

    def on_variation(self, move: int, start: int, end: int, value: int) -> None:
        """Shogidokoro's `Variation:6`: a line that replaces move 6 of the main line."""
        digits = re.search(r"[0-9]+", self.text[start:end])
        number = int(digits.group()) if digits is not None and len(digits.group()) < 10 else 0
        index = move - self.first_move
        self.surplus(move)
        self.stop(move)
        main = self.branches[0]
        line = Line(main.nodes[number - 2] if 2 <= number <= len(main.nodes) + 1 else -1, 0, 0, number, start)
        branch = Branch(line, index)
        if not 1 <= number <= len(main.nodes) + 1:
            line.broken = self.report("variation-beyond-line", start, end, number, number=number)
            branch.finished = True
        self.lines.append(line)
        self.branches.append(branch)
        self.turns.append((start, index, line.parent))
        self.enter(branch, index)

    # --- clocks, ends, words ----------------------------------------------------------------------------------------
    def on_stray_clock(self, move: int, start: int, end: int, value: int) -> None:
        self.report("stray-clock", start, end, text=self.text[start:end])

    def on_bad_time(self, move: int, start: int, end: int, value: int) -> None:
        self.report("bad-clock", start, end, text=self.text[start:end].strip())

    def first_turn(self) -> str:
        """The side that makes the first move, as far as tags and numbers say."""
        tags = dict(self.record.headers)
        fields = (tags.get("SFEN") or tags.get("FEN") or "").split()
        if len(fields) > 1:
            return ends.WHITE if fields[1] == "w" else ends.BLACK
        known = self.handicap(self.record)
        return ends.WHITE if known is not None and known.key != "even" or self.white_first else ends.BLACK

    def on_end(self, move: int, start: int, end: int, value: int) -> None:
        self.told = True
        raw = self.text[start:end]
        word = re.sub(r"(?<=resign)(?:s|ed)$", "", "".join(raw.lower().split()))
        self.claim_end(move, ends.claim(ends.WESTERN_WORDS, word, self.mover(move, self.first_turn()), raw, start,
                                        value if value >= 0 else None))

    def on_result(self, move: int, start: int, end: int, value: int) -> None:
        raw = self.text[start:end]
        self.told = True
        if raw == "*":
            self.stop(move)
            return
        winner = _RESULTS.get(raw) or (ends.BLACK if raw[0] in "BbSs" else ends.WHITE)
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

    def on_word(self, move: int, start: int, end: int, value: int) -> None:
        if self.word_at != move:  # one finding for a run of words
            self.word_at = move
            line_end = min((at for at in (self.text.find(char, start) for char in "\r\n({") if at >= 0),
                           default=len(self.text))
            self.report("text-ignored", start, end, text=self.text[start:line_end].rstrip())

    def on_bad(self, move: int, start: int, end: int, value: int) -> None:
        text = self.text[start:end]
        if text.lstrip().startswith(("{", "[")):
            self.report("unclosed-bracket", start, end, text=text)
        elif _MOVE_LIKE.search(text):
            self.told = True
            self.broken(move, start, end)
        else:
            self.syntax("syntax-error", start, end)

    # --- the whole record -------------------------------------------------------------------------------------------
    def close(self, move: int, offset: int) -> None:
        while self.brackets:  # the grammar closes open brackets; a record that ends inside one does it here
            self.on_close(move, offset, offset, 0)
        self.surplus(move)
        self.stop(move)
        super().close(move, offset)

    def glued(self, index: int, start: int, end: int) -> None:
        """A move that something stands glued to is not known: its line ends before it."""
        node = index - self.first_move
        for branch in self.branches:
            branch.take(self.branch.since if branch is not self.branch else node + 1)
            if node in branch.nodes:
                at = branch.nodes.index(node)
                finding = self.report("glued-moves", start, end, branch.line.number + at, text=self.text[start:end])
                del branch.nodes[at:]
                branch.since = node
                branch.finished = True
                if branch.line.broken is None:
                    branch.line.broken = finding

    def settle(self, record: Record) -> None:
        for index, mark in enumerate(record.info[2::INFO] if self.marks & GLUED_MARK else ()):
            if mark & GLUED_MARK:
                self.glued(index + self.first_move, record.info[INFO * index], record.info[INFO * index + 1])
        self.straighten(record)
        self.start_position(record)
        self.check_numbers(record)
        tag = record.header("result")
        line = record.lines[0]
        if tag is not None and tag in _RESULTS:
            self.current = line
            if line.end is None:
                line.end = ends.End("other", _RESULTS[tag], None, tag, record.offset)
            elif line.end.winner == ends.UNKNOWN or line.end.winner != _RESULTS[tag]:
                self.result(0, _RESULTS[tag], tag, line.end.offset)

    def straighten(self, record: Record) -> None:
        """Bring the moves of each line together: brackets stand in the middle of the line they leave."""
        if len(self.branches) == 1 and self.branches[0].nodes == list(range(len(self.branches[0].nodes))):
            record.lines[0].first, record.lines[0].last = 0, len(self.branches[0].nodes)
            return
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
            owner = notes[i + 1] - 1
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

    def handicap(self, record: Record) -> handicaps.Handicap | None:
        """The handicap that is named, by option, tag or in Japanese; None where none is known."""
        if self.given_handicap:
            return handicaps.HANDICAPS[self.given_handicap]
        value = record.header("handicap")
        if not value:
            return None
        return handicaps.by_english(value) or handicaps.by_japanese(value) or handicaps.HANDICAPS.get(value)

    def start_position(self, record: Record) -> None:
        """Decide what the game starts from: an SFEN tag, a handicap, the even position."""
        sfen, named = record.header("sfen"), self.handicap(record)
        record.turn = self.first_turn()
        if sfen:
            record.start = sfen
            return
        if record.header("handicap") and named is None:
            finding = make("unknown-handicap", record.offset, text=record.header("handicap") or "")
            record.diagnostics.append(finding)
            record.lines[0].broken = finding
            return
        named = named or handicaps.HANDICAPS["even"]
        record.handicap, record.start = named.key, named.sfen
        if record.handicap == "even" and self.white_first:
            finding = make("handicap-unnamed", record.info[0] if record.info else record.offset)
            record.diagnostics.append(finding)
            record.lines[0].broken = finding

    def check_numbers(self, record: Record) -> None:
        """Numbers are checked, never used: two moves a number, or one, whichever most of them follow."""
        limit = self.turns[0][0] if self.turns else record.end_offset  # behind a bracket they may be a variation's
        broken = record.lines[0].broken
        if broken is not None:
            limit = min(limit, broken.offset)
        self.first_count, wrong, wanted = misnumbered(
            self.counts, self.first_count, limit, record.end_offset, self.first_move, int(record.turn == ends.WHITE))
        if wrong >= 0:
            number, index, offset = self.counts[3 * wrong:3 * wrong + 3]
            record.diagnostics.append(make("number-jump", offset, ply=index - self.first_move + 1, number=number,
                                           expected=wanted))
