# cython: language_level=3, boundscheck=True
"""Western text, the reader: Hodges notation and its relatives, PSN files among them.

Source: see `grammars/western.lark`. Numbers, results and brackets are items here; which of several pieces moved, and
whether a mark may be missing, is for the resolver (`kifu.rules.resolve`).
"""
from __future__ import annotations

import re
from array import array
from functools import cache
from typing import ClassVar

try:
    import cython
except ImportError:
    from kifu import _cython as cython

from kifu import ends, grammar
from kifu.diagnostics import DOUBLED, make
from kifu.movetext import (
    BLACK_SIDE, CAPTURE, DECLINE, DROP, PROMOTE, QUIET, SAME, SUPPLY_PROMOTION, WHITE_SIDE,
)
from kifu.notation.completing import complete, taking
from kifu.notation.csa import PIECES
from kifu.notation.meanings import CAPITAL_MARK, LETTERED_MARK, NUMERIC_MARK, ORIGIN_MARK
from kifu.notation.numbering import misnumbered
from kifu.notation.western_games import announced, is_bullet
from kifu.notation.western_lines import Brackets
from kifu.record import INFO, NOTE, Line, Record
from kifu.rules import handicaps

_MOVE_LIKE = re.compile(r"\+?[PLNSGBRKTHDp][1-9x:*'@-]|[1-9][a-i]")
#: What may be a move with a small letter for the pawn, and a move that has one.
_SMALL = re.compile(r"p[1-9x:*'@\-]")
_SMALL_PIECE = re.compile(r"[☗▲☖△▽]?[ \t\r\n\f\u3000]*\+?p")
#: A handicap as prose names it: `6-piece handicap`, `Rook handicap`, `two pieces handicap`.
_IN_WORDS = re.compile(r"((?:[a-z0-9]{1,6}[ -])?(?:pieces?|lance|bishop|rook)) handicap", re.IGNORECASE)
#: A word with a square behind it, as the name of an animal has.
_NAMED = re.compile(r"[^\W\d_]{3,12}[-*:]?[1-9][1-9a-i]")
#: A tag that names a kind of shogi, or a position whose board is not of the size and the men of ordinary shogi.
_TELLING = re.compile(r'\[[ \t]*([Vv]ariant|S?FEN)[ \t]*:?[ \t]*"'
                      r'(?!(?:[1-9plnsgbrkPLNSGBRK+]++/){8}[1-9plnsgbrkPLNSGBRK+]++[ "])([^"\r\n]*)"')
ORDINARY = "shogi"
_NOTE = cython.declare(cython.Py_ssize_t, NOTE)  # for loops in C
_BOTH_MARKS = LETTERED_MARK | NUMERIC_MARK
#: So many characters of words that are no game are quoted, and none behind one of these.
_QUOTED, _BREAK = 200, re.compile(r"[\r\n({]")
#: What Shogidokoro writes behind `Jishogi` where somebody declared a win by impasse.
_DECLARED = "入玉宣言により勝ち"


@cache
def _remark() -> int:
    """The code of comments in round brackets."""
    return grammar.load("western").terminals.index("REMARK")


def tells_other_kinds(text: str) -> bool:
    """Whether a tag of a text tells of another kind of shogi than the ordinary one, or of one that is not known.

    >>> tells_other_kinds('[SFEN "4k4/9/9/9/9/9/9/9/4K4 b - 1"]'), tells_other_kinds('[Variant "torishogi"]')
    (False, True)
    """
    if _TELLING.search(text) is None:  # positions of ordinary shogi need nothing more
        return False
    from kifu.notation.western_boards import kind_of

    return any(kind_of([(match[1], match[2])]) != ORDINARY for match in _TELLING.finditer(text))


class WesternReader(Brackets):
    """Reads western text and PSN, which is western text with fixed tags."""

    NOTATION = "western"
    READS_ALL_KINDS = True
    MEANINGS: ClassVar = {
        **Brackets.MEANINGS, **{name: ("piece", number) for name, (number, _) in PIECES.items()},
        **{name.lower(): ("piece", number) for name, (number, _) in PIECES.items()},  # productions: animals
        "SQUARE": ("square", LETTERED_MARK), "NUMERIC_SQUARE": ("square", NUMERIC_MARK),
        "CAPITAL_SQUARE": ("square", LETTERED_MARK | CAPITAL_MARK), "USI_MOVE": "two_squares", "ORIGIN": "origin",
        "MOVES": ("separator", QUIET), "TAKES": ("separator", CAPTURE), "DROPS": ("separator", DROP),
        "RECAPTURE": ("flag", CAPTURE | SAME), "PROMOTE": ("flag", PROMOTE), "DECLINE": ("flag", DECLINE),
        "BLACK": ("side", BLACK_SIDE), "WHITE": ("side", WHITE_SIDE), "move": ("move", SUPPLY_PROMOTION),
        "NUMBER": "count", "NUMBER_WHITE": "item", "ELLIPSIS": "item", "BARE_NUMBER": "bare_count", "VARIATION": "item",
        "TIME": "clock", "NAG": "note", "COMMENT": "note", "BRACKET_COMMENT": "note", "LINE_COMMENT": "note",
        "REMARK": "note", "COUNT": "note", "HASH": "note", "FIRST_HASH": "note",
        "end": "end", "word": "item", "BAD": "item", "bad": "item", "BAD_TIME": "item", "GLYPH": "glyph",
        "TAKES_PIECE": "item", "ORIGIN_TAKES": ("square", ORIGIN_MARK), "CHECK": "item",
    }
    HANDLERS: ClassVar = {
        **Brackets.HANDLERS, "BARE_NUMBER": "on_glued_number", "NUMBER": "on_number", "NUMBER_WHITE": "on_number_white",
        "ELLIPSIS": "on_ellipsis", "VARIATION": "on_variation", "TIME": "on_stray_clock", "end": "on_end",
        "word": "on_word", "BAD": "on_bad", "BAD_TIME": "on_bad_time", "TAKES_PIECE": "on_takes_piece",
        "CHECK": "on_check",
    }
    NOTES: ClassVar = {"COMMENT": ("comment", 1, 1), "BRACKET_COMMENT": ("comment", 1, 1),
                       "LINE_COMMENT": ("comment", 1, 0), "HASH": ("comment", -1, 0), "FIRST_HASH": ("comment", -1, 0),
                       "REMARK": ("comment", 1, 1), "COUNT": ("comment", 0, 0), "NAG": ("nag", 0, 0),
                       "GLYPH": ("nag", 0, 0)}

    def read(self) -> list[Record]:
        """All records of the text; where other kinds of shogi may be among them, as `BoardsReader` reads them."""
        self.first_count = 0  # of the numbers between the moves: the record's first
        self.even = handicaps.HANDICAPS["even"]
        named = self.given_variant
        if named is None or named == ORDINARY:
            records = Brackets.read(self)
            if named is not None or not self.tells or not tells_other_kinds(self.text):
                return records
        from kifu.notation.western_boards import BoardsReader

        return BoardsReader(self.text, notation=self.notation, mode=self.mode, handicap=self.given_handicap,
                            variant=named).read()

    def open(self, move: cython.Py_ssize_t, offset: cython.Py_ssize_t) -> None:
        Brackets.open(self, move, offset)
        self.white_first = False
        self.piece_taken = False  # whether a move names the piece that it takes
        # The line from which `Variation:` is counted: so many moves of the main line, then these.
        self.stem = 0
        self.tail: list[int] = []
        self.word_at = -1
        self.misspelt = -1  # where the last move ends whose animal is misspelt

    # --- games without tags -----------------------------------------------------------------------------------------
    def arrange(self, items: array[int]) -> array[int]:
        return announced(self.text, items, self.counts, self.notes, self.info, self.NOTATION)

    def on_number(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                  value: cython.longlong) -> None:
        if self.begun(move) and not self.brackets:
            self.next_record(move, start)

    def on_result(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                  value: cython.longlong) -> None:
        if self.text[start:end] == "*" and is_bullet(self.text, start):
            self.on_word(move, start, end, value)
        else:
            Brackets.on_result(self, move, start, end, value)

    # --- numbers ----------------------------------------------------------------------------------------------------
    def on_number_white(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                        value: cython.longlong) -> None:
        if move == self.first_move:
            self.white_first = True

    def on_ellipsis(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                    value: cython.longlong) -> None:
        if move == self.first_move:
            self.white_first = True

    def on_variation(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                     value: cython.longlong) -> None:
        """Shogidokoro's `Variation:6`: a line that replaces move 6 of the latest line that is that long."""
        digits = re.search(r"[0-9]+", self.text[start:end])
        number = int(digits.group()) if digits is not None and len(digits.group()) < 10 else 0
        index = move - self.first_move
        self.surplus(move)
        self.stop(move)
        main = self.branches[0].nodes
        if self.branch.line is self.branches[0].line:
            self.stem, self.tail = len(main), []
        else:
            self.tail += self.branch.nodes
        depth = number - 1
        fits = 0 <= depth <= max(self.stem + len(self.tail), len(main))
        if not fits or depth <= self.stem or depth > self.stem + len(self.tail):  # all of it is the main line's
            self.stem, self.tail = depth if fits else 0, []
        else:
            del self.tail[depth - self.stem:]
        parent = self.tail[-1] if self.tail else main[self.stem - 1] if self.stem else -1
        branch = self.begin_line(Line(parent, 0, 0, number, start), index)
        if not fits:
            branch.line.broken = self.report("variation-beyond-line", start, end, number, number=number)
            branch.finished = True
        self.turns.append((start, index, branch.line.parent))
        self.enter(branch, index)

    # --- marks of a move --------------------------------------------------------------------------------------------
    def on_takes_piece(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                       value: cython.longlong) -> None:
        self.piece_taken = True

    def on_check(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                 value: cython.longlong) -> None:
        self.report("check-marked", start, end, self.ply_at(move) + 1, text=self.text[start:end])

    # --- clocks, ends, words ----------------------------------------------------------------------------------------
    def on_stray_clock(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                       value: cython.longlong) -> None:
        self.report("stray-clock", start, end, text=self.text[start:end])

    def on_bad_time(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                    value: cython.longlong) -> None:
        self.report("bad-clock", start, end, text=self.text[start:end].strip())

    def first_turn(self) -> str:
        """The side that makes the first move, as far as tags and numbers say."""
        if "sfen" in self.asked:
            tags = dict(self.record.headers)
            fields = (tags.get("SFEN") or tags.get("FEN") or "").split()
            if len(fields) > 1:
                return ends.WHITE if fields[1] == "w" else ends.BLACK
        known = self.handicap(self.record)
        return ends.WHITE if known is not None and known.key != "even" or self.white_first else ends.BLACK

    def on_end(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
               value: cython.longlong) -> None:
        self.told = True
        raw, mover = self.text[start:end], self.mover(move, self.first_turn())
        self.claim_end(move, ends.claim(ends.WESTERN_WORDS, ends.western_word(raw), mover, raw, start,
                                        value if value >= 0 else None))

    def on_word(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                value: cython.longlong) -> None:
        if start < self.misspelt:
            return
        if _NAMED.match(self.text, start):
            from kifu.notation.animals import misspelt

            past = misspelt(self.text, start)
            if past > 0:
                self.told, self.misspelt = True, past
                self.broken(move, start, past)
                return
        if self.word_at != move:  # one finding for a run of words
            self.word_at, self.words = move, self.report("text-ignored", start, end, text=self.text[start:end])
            return
        first = self.words.offset
        text = self.text[first:end] if end - first <= _QUOTED else ""
        if text and not _BREAK.search(text) and self.record.diagnostics[-1] is self.words:
            self.words = make("text-ignored", first, end, text=text)
            self.record.diagnostics[-1] = self.words

    def on_bad(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
               value: cython.longlong) -> None:
        text = self.text[start:end]
        if start < self.misspelt:
            return
        if text.lstrip().startswith(("{", "[")):
            self.report("unclosed-bracket", start, end, text=text)
        elif _MOVE_LIKE.search(text):
            self.told = True
            self.broken(move, start, end)
        else:
            self.syntax("syntax-error", start, end)

    # --- the whole record -------------------------------------------------------------------------------------------
    def settle(self, record: Record) -> None:
        self.unglue(record)
        self.straighten(record)
        self.start_position(record)
        if self.given_variant or self.given_handicap:
            self.check_named(record)
        self.check_numbers(record)
        if self.marks & CAPITAL_MARK or self.marks & _BOTH_MARKS == _BOTH_MARKS:
            self.check_squares(record)
        if self.small_pieces(record):
            self.check_pieces(record)
        if self.piece_taken or self.marks & ORIGIN_MARK:
            complete(record, taking(record))
        self.check_remarks(record)
        self.tagged_result(record)
        end = record.lines[0].end
        if end is not None and end.reason == "impasse" and self.notation == "psn" and _DECLARED in "\n".join(
                record.comments_of(record.lines[0].last - 1)):
            record.lines[0].end = end._replace(reason="declaration", winner=record.to_move(record.lines[0].last))

    def check_squares(self, record: Record) -> None:
        """Report what is odd about squares: `7F` for `7f`, and `7f` beside `76` in one game."""
        seen = 0
        for index, mark in enumerate(record.info[2::INFO]):
            if not mark & _BOTH_MARKS:
                continue
            start, end = record.info[INFO * index], record.info[INFO * index + 1]
            line = record.line_of(index)
            ply = line.number + index - line.first
            if mark & CAPITAL_MARK:
                record.diagnostics.append(make("capital-rank", start, end, ply, text=self.text[start:end]))
            if seen != _BOTH_MARKS and seen | mark & _BOTH_MARKS == _BOTH_MARKS:
                record.diagnostics.append(make("mixed-squares", start, end, ply, text=self.text[start:end]))
            seen |= mark & _BOTH_MARKS

    def small_pieces(self, record: Record) -> cython.bint:
        """Whether small letters for pieces may be in a record: most have no `p` where their first move begins or later.

        The first in the text, that is; in the record it may stand behind others.
        """
        return (len(record.info) > 0
                and self.text.find("p", self.info[INFO * self.first_move], record.end_offset) >= 0
                and _SMALL.search(self.text, record.offset, record.end_offset) is not None)

    def check_pieces(self, record: Record) -> None:
        """Report small letters for pieces: `p-7f` for `P-7f`."""
        for index in range(len(record.texts)):
            start, end = record.info[INFO * index], record.info[INFO * index + 1]
            if _SMALL_PIECE.match(self.text, start, end):
                line = record.line_of(index)
                record.diagnostics.append(make("small-piece", start, end, line.number + index - line.first,
                                               text=self.text[start:end]))

    def check_remarks(self, record: Record) -> None:
        """Report remarks that begin with the move of an animal: `(Chick-2f)` was meant to be a variation."""
        written: cython.longlong[::1]
        at: cython.Py_ssize_t
        remark: cython.longlong
        if not record.notes:
            return
        written, remark = record.notes, _remark()
        notes = set()
        for at in range(len(record.notes) // _NOTE):
            if written[_NOTE * at] == remark:
                notes.add(written[_NOTE * at + 2])
        if not notes:
            return
        from kifu.notation.animals import REMARK

        for match in REMARK.finditer(self.text, record.offset, record.end_offset):
            if match.start() in notes:
                record.diagnostics.append(make("text-ignored", match.start(), match.end(), text=match[0],
                                               hint="it was kept as a comment; a variation begins with a number"))

    def handicap(self, record: Record) -> handicaps.Handicap | None:
        """The handicap that is named, by option, tag or in Japanese; None where none is known."""
        if self.given_handicap:
            return handicaps.HANDICAPS.get(self.given_handicap)
        value = self.asked.get("handicap")
        if not value:
            return None
        return handicaps.by_english(value) or handicaps.by_japanese(value) or handicaps.HANDICAPS.get(value)

    def start_position(self, record: Record) -> None:
        """Decide what the game starts from: an SFEN tag, a handicap, the even position."""
        sfen, named = self.asked.get("sfen"), self.handicap(record)
        record.turn = self.first_turn()
        if sfen:
            record.start = sfen
            return
        if self.asked.get("handicap") and named is None:
            finding = make("unknown-handicap", record.offset, text=self.asked["handicap"])
            record.diagnostics.append(finding)
            record.lines[0].broken = finding
            return
        named = named or self.even
        record.handicap, record.start = named.key, named.sfen
        if record.handicap == "even" and self.white_first and not self.handicap_in_words(record):
            finding = make("handicap-unnamed", record.info[0] if record.info else record.offset)
            record.diagnostics.append(finding)
            record.lines[0].broken = finding

    def check_named(self, record: Record) -> None:
        """Hold the record to the kind of shogi and the handicap that were named for it."""
        from kifu.rules.recognise import named

        kind = record.variant
        told = next((tag for tag in record.headers if tag[0] in ("Variant", "variant") and named(tag[1])), None)
        if told is not None:
            at = self.text.find(told[1], record.offset, record.end_offset)
            self.refuse_other_kind(record, named(told[1]), at, at + len(told[1]))
        if self.given_handicap and kind and handicaps.by_key(self.given_handicap, kind) is None:
            self.no_such_handicap(record, kind)

    def handicap_in_words(self, record: Record) -> bool:
        """Whether the words before the first move name the handicap of a game that White begins; it is then taken."""
        first = record.info[0] if record.info else record.end_offset
        named = [(match, known) for match in _IN_WORDS.finditer(self.text, record.offset, first)
                 if (known := handicaps.by_english(match[1].replace(" ", "-"))) is not None and known.key != "even"]
        if len({known.key for _, known in named}) != 1 or self.asked.get("handicap"):
            return False
        match, known = named[0]
        record.handicap, record.start = known.key, known.sfen
        record.diagnostics.append(make("handicap-in-text", match.start(), match.end(), text=match[0]))
        return True

    def check_numbers(self, record: Record) -> None:
        """Numbers are checked, never used: two moves a number, or one, whichever most of them follow."""
        limit = self.turns[0][0] if self.turns else record.end_offset  # behind a bracket they may be a variation's
        broken = record.lines[0].broken
        if broken is not None:
            limit = min(limit, broken.offset)
        self.first_count, wrong, wanted = misnumbered(
            self.counts, self.first_count, limit, record.end_offset, self.first_move, int(record.turn == ends.WHITE))
        if wrong >= 0:
            number, index, offset = self.counts[3 * wrong], self.counts[3 * wrong + 1], self.counts[3 * wrong + 2]
            record.diagnostics.append(make("number-jump", offset, ply=index - self.first_move + 1, number=number,
                                           expected=wanted, hint=DOUBLED if number < wanted else None))
