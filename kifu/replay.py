# cython: language_level=3, boundscheck=True
"""Replay: a record becomes a proven game, move by move, every branch, and what is wrong is said.

A line stops at its first illegal move; the moves behind it are not played. Claims of the record (its end, its result)
and what replay proves are kept side by side.
"""
from __future__ import annotations

import sys
from array import array
from collections import Counter
from functools import lru_cache
from types import ModuleType

try:
    import cython
except ImportError:
    from kifu import _cython as cython

from kifu import ends, movetext, referee
from kifu.diagnostics import REASONS, RULES, WARNING, Diagnostic, in_mode, make
from kifu.record import INFO, Game, Line, Record, one_line
from kifu.rules import handicaps, legality, repetition
from kifu.rules.choices import Choices, held
from kifu.rules.move import (
    FLAG_BY_LEGALITY, FLAG_CAPTURE_MISSING, FLAG_CAPTURE_WRONG, FLAG_ORIGIN_SUPPLIED, FLAG_PROMOTION_SUPPLIED,
    FLAG_SAME, FLAG_SIDE, GIVES_CHECK, ORIGIN_SHIFT, TARGET_FIELD, square_name,
)
from kifu.rules.position import Position, PositionError
from kifu.rules.ruleset import EITHER_FACE

#: How many findings of one kind a record is given; the rest are counted.
MOST = 100
COLOURS = (ends.BLACK, ends.WHITE)
UNCHOSEN = Choices()
_UNPROVEN = array("q", [-1])
_NO_KEY = array("q", [0])
#: Notations that name the origin only where another man could *legally* make the move: there legality may decide.
LEGAL_RIVALS = frozenset({"western", "psn", "pgn"})


@lru_cache(maxsize=512)
def _prototype(sfen: str, variant: str) -> tuple[Position, str, str]:
    """A position to copy, its SFEN and its handicap; most games of a collection start from the same few."""
    position = Position(sfen, variant)
    text = position.sfen()
    return position, text, handicaps.of_sfen(text, variant)


def _copied(prototype: Position) -> Position:
    """A position of its own to play on."""
    position = Position.__new__(Position)
    prototype.copy_to(position)
    return position


def replay(record: Record, *, keys: bool = True, mode: str = "default", rules: str | None = None) -> Game:
    """Prove a record. Never raises on what a record holds: what is wrong stands in ``diagnostics`` and ``verdict``.

    ``keys`` keeps the position keys of the main line. In ``strict`` mode every tolerance is an error; in ``salvage``
    mode a game that is none is told how much of it is sound. ``rules`` chooses rule options as `--rules` does, see
    `kifu.rules.choices`; ValueError for one that there is not, and a UserWarning, once, for a reading of repetition
    that the kind of shogi does not know.

    >>> import kifu
    >>> kifu.replay(next(iter(kifu.parse("position startpos moves 7g7f 3c3d")))).plies
    2
    """
    return _Replay(record, mode, held(rules, record.variant) if rules else UNCHOSEN).run(keys)


def keep_legal_part(game: Game) -> None:
    """Cut a game that is illegal or unreadable, and its record, down to what is sound, for a writer to write.

    A line that broke off has no end any more: what it claims was said of another position, and a resignation there
    would be the other side's here.
    """
    lines = game.record.lines
    for line, legal in zip(lines, game.line_plies, strict=False):
        if line.broken is not None or line.first + legal < line.last:
            line.last, line.end = line.first + legal, None
    if lines and lines[0].end is None:
        game.end, game.winner = None, ends.UNKNOWN
    if game.verdict in ("illegal", "unreadable"):
        game.illegal_move = None


class _Replay:
    """One replay at work."""

    def __init__(self, record: Record, mode: str, chosen: Choices) -> None:
        self.record = record
        self.mode = mode
        self.chosen = chosen
        self.game = Game(record)
        self.findings: list[Diagnostic] = list(record.diagnostics)
        self.remarks: list[tuple[int, int]] = []
        self.stopped = False  # a line other than the main line has an illegal move
        self.unreadable = False
        #: Moves that a branch repeats -> the move that stands for it.
        self.joined: dict[int, int] = {}

    def run(self, keys: cython.bint) -> Game:
        record, game = self.record, self.game
        game.proven = _UNPROVEN * len(record.texts)
        claimed = record.end
        if claimed is not None:
            game.end, game.winner = claimed.reason, claimed.winner
        start = self.start()
        if start is None:
            game.verdict = "unreadable"
        else:
            self.main_line(start)
            if len(record.lines) > 1:
                self.branches(start)
            if self.remarks:
                self.tell_remarks()
            self.judge()
            if self.mode == "salvage" and game.verdict in ("illegal", "unreadable"):
                self.tell_salvaged()
        if not keys:
            game.keys = array("q")
        game.diagnostics = self.placed() if self.findings else []
        return game

    # --- the start --------------------------------------------------------------------------------------------------
    def start(self) -> Position | None:
        """The start position, None (with a finding) where there is none that can be played from."""
        record, game = self.record, self.game
        if record.start is None:
            return None
        try:
            position, start, handicap = _prototype(record.start, record.variant)
        except PositionError as error:
            if not any(one.name == "bad-board" for one in self.findings):
                self.findings.append(make("bad-board", record.offset, detail=str(error)))
            return None
        if record.lines and record.lines[0].broken is not None and record.lines[0].broken.name in (
                "bad-board", "no-game", "unknown-handicap", "handicap-unnamed"):
            return None
        game.start, game.handicap = start, record.handicap or handicap
        return position

    # --- the main line ----------------------------------------------------------------------------------------------
    def main_line(self, prototype: Position) -> None:
        """Play the main line; where an ambiguous handicap makes it illegal, try its other reading."""
        record, game = self.record, self.game
        line = record.lines[0]
        position = _copied(prototype)
        stop: cython.Py_ssize_t = self.play(position, line)
        start = record.other_start
        if stop < line.last and start is None and record.handicap is not None:
            start = handicaps.other_reading(record.handicap, record.start)
        if stop < line.last and start is not None:
            other, other_text, _ = _prototype(start, record.variant)
            second = _copied(other)
            remarks, self.remarks = self.remarks, []
            stop_there: cython.Py_ssize_t = self.play(second, line)
            if stop_there == line.last:
                position, stop = second, stop_there
                record.start, game.start = start, other_text
                self.findings.append(make("three-piece-lance", record.offset))
            else:
                self.remarks = remarks
                stop = self.play(position := _copied(prototype), line)
        game.position = position
        game.plies = stop
        game.moves = game.proven[:stop]
        game.line_plies = [stop]
        if stop < line.last:
            del game.keys[stop + 1:]
            game.illegal_move = self.refuse(position, line, stop)
        elif line.broken is None:
            if record.foul is not None and self.ends_by_foul(line):
                game.illegal_move = self.refuse_apart(position, line, record.foul)
            self.verify(position)

    def refuse_apart(self, position: Position, line: Line, foul: tuple[int, int, int]) -> dict[str, object] | None:
        """Prove that a move which the record keeps apart from its moves is illegal; None where it is not."""
        text, start, end = foul
        ply = line.number + line.last - line.first
        refused = position.resolve(text)
        if refused < 0:
            return self.refusal(position, text, REASONS[-1 - refused], start, end, ply)
        self.findings.append(make("foul-is-legal", start, end, ply, text=self.record.text[start:end]))
        return None

    def play(self, position: Position, line: Line) -> cython.Py_ssize_t:
        """Play the main line and keep its keys."""
        keys = _NO_KEY * (line.last + 1)
        keys[0] = position.hash
        self.game.keys = keys
        if not line.last:
            return 0
        stop: cython.Py_ssize_t = position.replay(self.record.texts, line.first, line.last, self.game.proven, keys,
                                                  self.remarks)
        if self.record.variant != "shogi" and (
                rule := self.chosen.repetition_of(position.rules)) in repetition.BARRING:
            stop = self.play_barred(position, rule, stop)
        return stop

    def play_barred(self, position: Position, rule: str, stop: int) -> int:
        """Where repetition bars moves: take the main line back to the first move that it bars; returns its index."""
        proven = self.game.proven
        at = repetition.first_barred(self.game.keys[:stop + 1], proven[:stop], (position.turn + stop) % 2,
                                     rule)
        if at < stop:
            for index in range(stop - 1, at - 1, -1):
                position.undo()
                proven[index] = -1
            position.reason = REASONS.index("third-occurrence")
            self.remarks = [remark for remark in self.remarks if remark[0] < at]
        return at

    def refuse(self, position: Position, line: Line, index: int, ply: int | None = None) -> dict[str, object]:
        """Report the move that a line stops at; returns the fields of ``illegal_move``."""
        info = self.record.info
        ply = ply if ply is not None else line.number + index - line.first
        return self.refusal(position, self.record.texts[index], REASONS[position.reason], info[INFO * index],
                            info[INFO * index + 1], ply)

    def refusal(self, position: Position, text: int, reason: str, start: int, end: int, ply: int) -> dict[str, object]:
        """Report that a move text is refused here; returns the fields of ``illegal_move``."""
        message, hint = legality.sentence(position, text, REASONS.index(reason),
                                          self.chosen.repetition_of(position.rules))
        written = one_line(self.record.text[start:end])
        self.findings.append(make(reason, start, end, ply, hint=hint or None, text=written, detail=message))
        return {"ply": ply, "text": written, "usi": usi_of_text(text, position), "reason": reason,
                "offender": COLOURS[position.turn]}

    def verify(self, position: Position) -> None:
        """What replay proves of the end of the main line."""
        game = self.game
        if self.record.variant != "shogi" and (
                other := referee.of_other_kinds(game, position, self.chosen.repetition_of(position.rules))) is not None:
            game.verified_end, game.verified_winner = other
        elif not position.can_move():
            mated = bool(game.plies and game.moves[-1] & GIVES_CHECK) or position.is_check()
            game.verified_end = "checkmate" if mated else "no_legal_move"
            game.verified_winner = COLOURS[1 - position.turn]
        elif position.crowd >= 4 and game.plies >= 12 and (
                game.keys.tobytes().count(game.keys[-1:].tobytes()) >= 4):
            proof = repetition.repetition(game.keys, game.moves, COLOURS.index(first_side(game.start)),
                                          self.chosen.repetition_of(position.rules))
            if proof is not None:
                game.verified_end, game.verified_winner = proof
        if self.record.variant != "shogi":
            self.findings += referee.played_on_bare(game)
        found = referee.examine(game, self.chosen, position.crowd >= 4)
        if found:
            self.findings += found

    # --- branches ---------------------------------------------------------------------------------------------------
    def branches(self, start: Position) -> None:
        """Play every variation, and report where it stops."""
        from kifu.branches import Branches  # few games have branches, and they alone pay for it

        game = self.game
        branches = Branches(game, start, self.findings, self.remarks, self.chosen.repetition_of(start.rules))
        self.joined = branches.joined
        for line, stop, position in branches.play():
            game.line_plies.append(stop - line.first)
            if stop == line.last:
                if line.end is not None and line.end.reason == "checkmate" and position is not None \
                        and not position.rules.royals_taken and position.has_legal_move():
                    from kifu.referee import claims

                    plies = line.number - 1 + stop - line.first
                    self.findings.append(claims.mate_unproven(game, line.end, position, plies))
            else:
                self.stopped = True
                if position is not None:
                    illegal = self.refuse(position, line, stop)
                    if game.illegal_move is None and not self.ends_by(line, stop):
                        game.illegal_move = illegal
            if line.broken is not None:
                self.unreadable = True

    def ends_by(self, line: Line, stop: int) -> bool:
        """Whether the record itself says that the line ended by the illegal move at ``stop``."""
        return stop == line.last - 1 and self.ends_by_foul(line)

    def ends_by_foul(self, line: Line) -> bool:
        """Whether the record says that somebody broke a rule by the last move of the line."""
        return line.end is not None and line.end.reason == "illegal" and not ends.failed_declaration(line.end)

    # --- the verdict ------------------------------------------------------------------------------------------------
    def judge(self) -> None:
        """The verdict of the whole record."""
        record, game = self.record, self.game
        line = record.lines[0]
        if game.plies == line.last and not (line.broken or record.foul or self.stopped or self.unreadable):
            return  # legal, as nearly all are
        if game.plies < line.last:
            game.verdict = "foul" if self.ends_by(line, game.plies) else "illegal"
            if game.verdict == "foul" and game.illegal_move is not None:
                self.quiet_foul(line)
        elif record.foul is not None and game.illegal_move is not None:
            game.verdict = "foul"
            self.quiet_foul(line)
        elif line.broken is not None or self.unreadable:
            game.verdict = "unreadable"
        if game.verdict in ("legal", "foul") and self.stopped:
            bad = any(self.game.line_plies[i] < one.last - one.first
                      and not self.ends_by(one, one.first + self.game.line_plies[i])
                      for i, one in enumerate(record.lines) if i)
            if bad:
                game.verdict = "illegal"
        if game.verdict == "legal" and self.unreadable:
            game.verdict = "unreadable"

    def quiet_foul(self, line: Line) -> None:
        """An illegal move that the record itself names as the end is data, no error; a wrong offender is reported."""
        illegal = self.game.illegal_move
        assert illegal is not None and line.end is not None
        self.findings = [
            make(one.name, one.offset, one.end, one.ply, hint=one.hint, severity=WARNING, text=illegal["text"],
                 detail=one.message.partition(": ")[2]) if one.ply == illegal["ply"] and one.name == illegal["reason"]
            else one for one in self.findings]
        if line.end.winner == illegal["offender"]:
            self.findings.append(make("result-conflict", line.end.offset, first=line.end.raw,
                                      second=f"an illegal move by {illegal['offender']}"))

    # --- findings ---------------------------------------------------------------------------------------------------
    def tell_remarks(self) -> None:
        """Turn the tolerances that the resolver used into findings."""
        record = self.record
        for index, flags in self.remarks:
            start, end = record.info[INFO * index], record.info[INFO * index + 1]
            line = record.line_of(self.joined.get(index, index))
            ply = line.number + self.joined.get(index, index) - line.first
            text = record.move_text(index)
            packed = self.game.proven[index]
            ranks = self.game.position.rules.ranks
            origin = square_name(packed >> ORIGIN_SHIFT & TARGET_FIELD, ranks)
            if flags & FLAG_SIDE:
                first = COLOURS.index(first_side(self.game.start))
                self.findings.append(make("side-sign", start, end, ply, text=text,
                                          side=COLOURS[(first + ply - 1) % 2].capitalize()))
            if flags & FLAG_CAPTURE_MISSING:
                self.findings.append(make("capture-mark", start, end, ply, text=text,
                                          detail="a piece was taken, but the x is missing"))
            if flags & FLAG_CAPTURE_WRONG:
                self.findings.append(make("capture-mark", start, end, ply, text=text,
                                          detail="an x is written, but nothing was taken"))
            if flags & FLAG_PROMOTION_SUPPLIED:
                self.findings.append(make("promotion-supplied", start, end, ply, text=text))
            if flags & FLAG_ORIGIN_SUPPLIED:
                self.findings.append(make("origin-supplied", start, end, ply, text=text, origin=origin))
            if flags & FLAG_SAME:
                self.findings.append(make("same-square", start, end, ply, text=text,
                                          square=square_name(packed & TARGET_FIELD, ranks)))
            if flags & FLAG_BY_LEGALITY and record.notation not in LEGAL_RIVALS:
                self.findings.append(make("resolved-by-legality", start, end, ply, text=text, origin=origin))

    def tell_salvaged(self) -> None:
        """Say how much of a game that is none is sound: what its arrays hold, and what a writer writes of it."""
        record, game = self.record, self.game
        whole = 0
        for number, line in enumerate(record.lines):
            if number and line.broken is None and game.line_plies[number] == line.last - line.first and (
                    line.parent < 0 or game.proven[line.parent] >= 0):
                whole += 1
        at = record.info[INFO * game.plies] if game.plies < len(record.texts) else record.end_offset
        broken = record.lines[0].broken
        if broken is not None and game.plies == record.lines[0].last:
            at = broken.offset
        self.findings.append(make("salvaged", at, ply=game.plies + 1, plies=game.plies, whole=whole,
                                  variations=game.variations))

    def placed(self) -> list[Diagnostic]:
        """All findings with line and column, in the order of the text."""
        source = self.record.source
        out = []
        counts: Counter[str] = Counter()
        self.findings.sort(key=lambda one: one.offset)
        for one in self.findings:
            counts[one.name] += 1
            if counts[one.name] > MOST:
                continue
            line, column = source.place(one.offset) if one.offset >= 0 else (0, 0)
            out.append(one._replace(severity=in_mode(one.severity, self.mode, one.name), line=line, column=column))
        for name, count in counts.items():
            if count > MOST:
                severity = in_mode(RULES[name].severity, self.mode)
                more = make("more-of-the-same", name=name, count=count - MOST, severity=severity)
                out.append(more._replace(offset=out[-1].offset, line=out[-1].line, column=out[-1].column))
        return out


class _Callable(ModuleType):
    """This module, which can be called as its function: importing it puts the module where ``kifu.replay`` stands."""

    def __call__(self, record: Record, *, keys: bool = True, mode: str = "default", rules: str | None = None) -> Game:
        return replay(record, keys=keys, mode=mode, rules=rules)


sys.modules[__name__].__class__ = _Callable


def first_side(sfen: str) -> str:
    """Who moves first from an SFEN."""
    return ends.WHITE if sfen.split()[1] == "w" else ends.BLACK


def usi_of_text(text: int, position: Position) -> str | None:
    """The USI of a move text as far as it says one: None where it names no origin."""
    file, rank = movetext.target(text)
    if not file and position.last_target >= 0:
        ranks = position.rules.ranks
        file, rank = position.last_target // ranks + 1, position.last_target % ranks + 1
    if not file:
        return None
    place = f"{file}{'abcdefghijkl'[rank - 1]}"
    if text & movetext.DROP:
        piece = movetext.piece(text)
        kind = position.rules.by_number.get(piece & movetext.KIND_FIELD)
        face = "+" if piece & movetext.PROMOTED and position.rules.drops == EITHER_FACE else ""
        return f"{face}{kind.letter if kind else '?'}*{place}"
    from_file, from_rank = movetext.origin(text)
    if not from_file:
        return None
    way_file, way_rank = movetext.via(text)
    if way_file:
        place = f"{way_file}{'abcdefghijkl'[way_rank - 1]}{place}"
    promoted = text & movetext.PROMOTE or (text & movetext.PIECE_AFTER and movetext.piece(text) & movetext.PROMOTED
                                           and not position.piece_at(from_file, from_rank) & movetext.PROMOTED)
    sign = "-" if text & movetext.TURN_BACK else "+" if promoted else ""
    return f"{from_file}{'abcdefghijkl'[from_rank - 1]}{place}{sign}"
