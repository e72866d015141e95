"""One file to its games: read, decode, detect, parse, prove. Nothing that a file holds raises an exception here."""
from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from kifu.diagnostics import Diagnostic, make
from kifu.notation import detect, read
from kifu.pipeline.sources import STDIN, Source, reason
from kifu.record import Game, Record
from kifu.replay import replay
from kifu.text import Decoded, LineIndex, decode


@dataclass(frozen=True, slots=True)
class Options:
    """What overrides detection, and how strictly records are read: ``strict``, ``default`` or ``salvage``."""

    notation: str | None = None
    encoding: str | None = None
    variant: str | None = None
    handicap: str | None = None
    rules: str | None = None
    mode: str = "default"


@dataclass(slots=True)
class Entry:
    """One game of a file, or the file itself where no game was found in it (``game`` is None then)."""

    source: Source
    number: int
    decoded: Decoded
    notation: str | None
    game: Game | None
    lines: LineIndex
    findings: list[Diagnostic] = field(default_factory=list)

    @property
    def line(self) -> int:
        """Where the game starts in its file, from 1."""
        return self.game.record.line if self.game else 1

    @property
    def verdict(self) -> str:
        return self.game.verdict if self.game else "unreadable"

    @property
    def bad(self) -> bool:
        """Whether the exit status must tell of this game."""
        return self.verdict in ("illegal", "unreadable") or any(found.severity == "error" for found in self.findings)

    def row(self, moves: bool = False) -> dict[str, Any]:
        """The fields of ``kifu check --format json``, in their order."""
        told = self.game.summary(moves) if self.game else {
            "game": self.number, "line": 1, "notation": self.notation, "variant": None, "handicap": None, "start": None,
            "plies": 0, "variations": 0, "verdict": "unreadable", "illegal_move": None, "end": None,
            "winner": "unknown", "verified_end": None, "verified_winner": None, "final": None,
            **({"moves": []} if moves else {}),
        }
        row: dict[str, Any] = {"path": self.source.path, "member": None, "game": told["game"], "line": told["line"],
                               "notation": told["notation"], "encoding": self.decoded.encoding or None}
        row.update((key, value) for key, value in told.items() if key not in row and key != "diagnostics")
        row["diagnostics"] = [
            {"code": found.code, "name": found.name, "severity": found.severity, "line": found.line,
             "column": found.column, "ply": found.ply, "message": found.message, "hint": found.hint}
            for found in self.findings
        ]
        return row


def read_bytes(source: Source) -> bytes:
    """The bytes of a file or of standard input; raises OSError."""
    if source.path == STDIN:
        return sys.stdin.buffer.read()
    with open(source.path, "rb") as file:
        return file.read()


def games(source: Source, options: Options, *, keys: bool = False, data: bytes | None = None) -> Iterator[Entry]:
    """The games of a file in their order, proven, one at a time; an `Entry` without a game where there is none.

    A file that is passed over (see `Source.passed_over`) and holds no record gives nothing at all. ``data`` are the
    bytes of the file where the caller has read them already.
    """
    if data is None:
        try:
            data = read_bytes(source)
        except OSError as error:
            unread = Decoded("", "")
            yield Entry(source, 1, unread, None, None, LineIndex(""), [_at_start("unreadable-file", why=reason(error))])
            return
    decoded = decode(data, options.encoding)
    lines = LineIndex(decoded.text)
    notation = options.notation
    why = ""
    if not decoded.text.strip():
        why = "the file is empty" if not data else "" if decoded.diagnostics else "the file holds nothing but blanks"
        why = why or "nothing could be decoded"
    elif notation is None:
        notation = detect(decoded.text, source.suffix).notation
    last: Entry | None = None
    if notation and not why:
        pending = sorted(decoded.diagnostics, key=lambda found: found.offset)
        for record in read(decoded.text, notation, variant=options.variant, handicap=options.handicap,
                           mode=options.mode):
            if last:
                yield last
            if source.passed_over and _empty(record):
                return
            game = replay(record, keys=keys, mode=options.mode)
            taken = [found for found in pending if found.offset < record.end_offset]
            pending = pending[len(taken):]
            findings = sorted(taken + [_placed(found, lines) for found in game.diagnostics], key=_place)
            last = Entry(source, record.number, decoded, notation, game, lines, findings)
        if last:
            last.findings = sorted(last.findings + pending, key=_place)
            yield last
            return
        why = "no header, board or move was recognised"
    if source.passed_over:
        return
    if decoded.encoding == "binary":
        found = []
    elif why:
        found = [_at_start("no-game", why=why)]
    else:
        found = [_at_start("unknown-notation")]
    yield Entry(source, 1, decoded, notation, None, lines, [*decoded.diagnostics, *found])


def _empty(record: Record) -> bool:
    """Whether a reader found no game in its text and says so in this record."""
    return any(found.name == "no-game" for found in record.diagnostics)


def _at_start(name: str, why: str = "") -> Diagnostic:
    return make(name, 0, 0, why=why).placed(1, 1)


def _placed(found: Diagnostic, lines: LineIndex) -> Diagnostic:
    """A finding with line and column, and with its end kept behind its start."""
    if found.line or found.offset < 0:
        return found
    line, column = lines.place(found.offset)
    return replace(found, line=line, column=column)


def _place(found: Diagnostic) -> tuple[int, int]:
    return found.line, found.column
