"""PGN, the reader: shogi games that chess programs write (pychess-variants, cshogi, old lishogi).

Source: see `grammars/pgn.lark`. Algebraic notation leaves to the board which piece is meant and whether a `+` means
promotion or check, so the board is asked before the record is proven (`kifu.notation.completing`).
"""
from __future__ import annotations

import re
from typing import ClassVar, NamedTuple

from kifu import ends
from kifu.diagnostics import Diagnostic, make
from kifu.movetext import DROP, KNIGHT, PIECE_FIELD, PROMOTE, PROMOTED, pack
from kifu.notation.completing import Chooser, complete, squares, told
from kifu.notation.western_lines import Brackets
from kifu.record import INFO, Record
from kifu.rules.handicaps import EVEN
from kifu.rules.move import DROPPED, GIVES_CHECK, KINDS, PIECE_SHIFT, PROMOTES
from kifu.rules.position import Position

_SAN = re.compile(r"(\+?[A-Z])?([a-i])?([1-9])?([x\-@*'])?([a-i])([1-9])([+=#]*)")
_FACES = {"T": KINDS["P"] | PROMOTED, "H": KINDS["B"] | PROMOTED, "D": KINDS["R"] | PROMOTED,
          "+K": KNIGHT | PROMOTED}
_ELAPSED = re.compile(r"\[%emt ([0-9]+):([0-9]{1,2})(?::([0-9]{1,2}))?((?:\.[0-9]{1,3})?)\]")
#: Tags of PGN that mean sente and gote, and how `Record.header` knows them: White moves first.
_SIDES = {"White": "Sente", "Black": "Gote", "WhiteElo": "SenteRating", "BlackElo": "GoteRating"}
_DROPS = frozenset("@*'")


class San(NamedTuple):
    """The parts of a move in algebraic notation; files and ranks as shogi counts them, 0 where they are not written."""

    piece: int
    origin: tuple[int, int]
    sign: str
    target: tuple[int, int]
    marks: str


def san(text: str) -> San | None:
    """Take a move apart; None where it is none.

    >>> san("G4xf2+")
    San(piece=5, origin=(0, 6), sign='x', target=(4, 8), marks='+')
    """
    match = _SAN.match(text)
    if match is None:
        return None
    letter, file, rank, sign, to_file, to_rank, marks = match.groups()
    piece = KINDS["P"]
    if letter is not None:
        piece = _FACES.get(letter) or KINDS[letter[-1]] | (PROMOTED if letter[0] == "+" else 0)
    return San(piece, (_file(file) if file else 0, 10 - int(rank) if rank else 0), sign or "",
               (_file(to_file), 10 - int(to_rank)), marks)


def _file(letter: str) -> int:
    """A file of PGN as shogi counts it: a is 9, i is 1."""
    return 9 - (ord(letter) - ord("a"))


def sfen_of_fen(fen: str) -> str:
    """The SFEN of a FEN, in which hands stand in brackets and White, in capitals, is sente.

    >>> sfen_of_fen("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[Pb] w 0 1")
    'lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b Pb 1'
    """
    fields = fen.split()
    if not fields or "[" not in fields[0]:
        return fen
    board, _, held = fields[0].partition("[")
    held = held.rstrip("]").replace("-", "")
    hand = "".join(f"{held.count(letter) if held.count(letter) > 1 else ''}{letter}" for letter in "RBGSNLPrbgsnlp"
                   if letter in held)
    strange = "".join(letter for letter in held if letter not in "RBGSNLPrbgsnlp")
    turn = {"w": "b", "b": "w"}.get(fields[1] if len(fields) > 1 else "w", "?")
    return f"{board} {turn} {hand + strange or '-'} 1"


class PgnReader(Brackets):
    """Reads PGN of shogi games."""

    NOTATION = "pgn"
    MEANINGS: ClassVar = {
        **Brackets.MEANINGS, "move": "move", "NUMBER": "bare_count", "NAG": "note", "GLYPH": "glyph",
        "COMMENT": "note", "LINE_COMMENT": "note", "word": "item", "BAD": "item", "bad": "item",
    }
    HANDLERS: ClassVar = {**Brackets.HANDLERS, "NUMBER": "on_glued_number", "word": "on_word", "BAD": "on_bad"}
    NOTES: ClassVar = {"COMMENT": ("comment", 1, 1), "LINE_COMMENT": ("comment", 1, 0), "NAG": ("nag", 0, 0),
                       "GLYPH": ("nag", 0, 0)}

    def on_word(self, move: int, start: int, end: int, value: int) -> None:
        raw = self.text[start:end]
        word = ends.western_word(raw)
        if word in ends.WESTERN_WORDS:
            self.told = True
            self.claim_end(move, ends.claim(ends.WESTERN_WORDS, word, self.mover(move, self.first_turn()), raw, start))
        else:
            self.report("text-ignored", start, end, text=raw)

    def on_bad(self, move: int, start: int, end: int, value: int) -> None:
        text = self.text[start:end]
        if text.lstrip().startswith(("{", "[")):
            self.report("unclosed-bracket", start, end, text=text)
        elif re.search(r"[a-i][1-9]", text):
            self.told = True
            self.broken(move, start, end)
        else:
            self.syntax("syntax-error", start, end)

    def on_tag(self, move: int, start: int, end: int, value: int) -> None:
        self.key = _SIDES.get(self.key, self.key)
        super().on_tag(move, start, end, value)

    def start_sfen(self) -> str:
        """The SFEN that the tags give, the even position where they give none."""
        tags = dict(self.record.headers)
        return tags.get("SFEN") or sfen_of_fen(tags.get("FEN") or EVEN)

    def first_turn(self) -> str:
        """The side that makes the first move."""
        fields = self.start_sfen().split()
        return ends.WHITE if len(fields) > 1 and fields[1] == "w" else ends.BLACK

    def settle(self, record: Record) -> None:
        self.unglue(record)
        self.straighten(record)
        if self.other_kind(record):
            return
        record.start, record.turn = self.start_sfen(), self.first_turn()
        complete(record, self.choosing(record))
        self.elapsed(record)
        self.tagged_result(record)

    def other_kind(self, record: Record) -> bool:
        """Whether the tag `Variant` names another kind of shogi than the ordinary one, which is not read from PGN."""
        told = next((value for key, value in record.headers if key == "Variant"), "") if self.tells else ""
        if told in ("", "Shogi"):
            return False
        from kifu.rules.recognise import named

        if named(told) in (None, "shogi"):
            return False
        at = max(record.offset, self.text.find(told, record.offset))
        record.variant = ""
        record.lines[0].broken = self.report(
            "unknown-variant", at, at + len(told), text=f"{told} as PGN, which is read for ordinary shogi alone",
            hint="have the program write SFEN or USI; kifu reads those of every kind of shogi")
        return True

    def choosing(self, record: Record) -> Chooser:
        """Chooses the move that a text means. Files in which `+` marks check, too, show it by other marks of chess."""
        written = [san(record.move_text(index)) for index in range(len(record.texts))]
        checks = any(one is not None and (one.sign == "x" or "#" in one.marks or "++" in one.marks
                                          or (one.sign not in _DROPS and 0 in one.origin)) for one in written)

        def choose(position: Position, index: int) -> int | Diagnostic:
            one = written[index]
            if one is None:
                return record.texts[index]
            if one.sign and one.sign in _DROPS:
                return pack(one.target, piece=one.piece, flags=DROP)
            able = [move for move in position.legal_moves() if meant(move, one)]
            if not able and one.origin != (0, 0) and 0 in one.origin:  # more than the resolver can be told
                return make("no-candidate", record.info[INFO * index], record.info[INFO * index + 1],
                            text=record.move_text(index), detail="no such man of that file or rank can go there")
            if not able:  # the resolver knows why
                return pack(one.target, one.origin, one.piece)
            if len({squares(move)[0] for move in able}) > 1:
                return pack(one.target, (0, 0), one.piece)
            promoting = next((move for move in able if move & PROMOTES), None)
            quiet = next((move for move in able if not move & PROMOTES), None)
            promotes = promotion(one.marks, promoting, quiet, checks)
            if promotes is None:
                line = record.line_of(index)
                record.diagnostics.append(make(
                    "promotion-or-check", record.info[INFO * index], record.info[INFO * index + 1],
                    line.number + index - line.first, text=record.move_text(index)))
            return told(able[0], 0 if promotes is False else PROMOTE)

        return choose

    def elapsed(self, record: Record) -> None:
        """Thought as `[%emt 0:00:12]` gives it, which stays in the comment, too. `%clk` is what is left, no thought."""
        for index, _, text in record.comments():
            match = _ELAPSED.search(text) if index >= 0 else None
            if match is not None and record.info[INFO * index + 3] < 0:
                parts = [int(part) for part in match.groups()[:3] if part is not None]
                seconds = 0
                for part in parts:
                    seconds = seconds * 60 + part
                record.info[INFO * index + 3] = seconds * 1000 + round(float(match[4] or 0) * 1000)


def meant(move: int, one: San) -> bool:
    """Whether a legal move on the board is one that the text may mean, its promotion apart."""
    if move & DROPPED or move >> PIECE_SHIFT & PIECE_FIELD != one.piece:
        return False
    start, target = squares(move)
    return target == one.target and one.origin[0] in (0, start[0]) and one.origin[1] in (0, start[1])


def promotion(marks: str, promoting: int | None, quiet: int | None, checks: bool) -> bool | None:
    """Whether a move promotes, by its marks and the two ways to make it; None where a `+` may mean either.

    ``checks`` tells whether the file marks checks by `+`.
    """
    if promoting is None:
        return False
    if "+" not in marks:
        return quiet is None
    if not checks or "++" in marks or "+#" in marks or quiet is None:
        return True
    bare = not promoting & GIVES_CHECK  # a promotion that gives check would have two marks
    check = bool(quiet & GIVES_CHECK)
    return None if bare and check else bare or not check
