# cython: language_level=3, annotation_typing=False
"""One file to its games: read, decode, detect, parse, prove. Nothing that a file holds raises an exception here."""
from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, overload

from kifu._tuples import NamedTuple
from kifu.diagnostics import Diagnostic, in_mode, make
from kifu.notation import entry_size, notation_of, of_bytes, read
from kifu.notation.pieces import holds_nothing, pieces
from kifu.pipeline.sources import STDIN, Source, reason
from kifu.record import Game, Record
from kifu.replay import replay
from kifu.text import Decoded, LineIndex, decode

if TYPE_CHECKING:
    from kifu.pipeline.parts import Part

#: A file of more bytes than this is read in parts, where it has any (see `kifu.pipeline.parts`).
LARGE = 1 << 21
#: Of a long text only the findings of about so many characters are kept at once, and only their lines are counted.
PIECE = 1 << 20
#: A file is asked for its first bytes by one call, which is all for most of them.
FIRST_READ, NEXT_READ = 1 << 16, 1 << 22
#: Findings of a file of which not even the bytes can be had.
_UNREAD = frozenset(("unreadable-file", "too-large", "encrypted", "nested-archive"))
_FLAGS = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOCTTY", 0)


class Options(NamedTuple):
    """What overrides detection, and how strictly records are read: ``strict``, ``default`` or ``salvage``."""

    notation: str | None = None
    encoding: str | None = None
    variant: str | None = None
    handicap: str | None = None
    rules: str | None = None
    mode: str = "default"


class Entry:
    """One game of a file, or the file itself where no game was found in it (``game`` is None then)."""

    __slots__ = ("_lines", "base", "decoded", "findings", "game", "notation", "number", "source")

    def __init__(self, source: Source, number: int, decoded: Decoded, notation: str | None, game: Game | None,
                 findings: list[Diagnostic], base: int = 0) -> None:
        self.source = source
        self.number = number
        self.decoded = decoded
        self.notation = notation
        self.game = game
        self.findings = findings
        self._lines: LineIndex | None = None
        self.base = base  # where the text that the game's offsets count in begins in the text of the file, or its bytes

    @property
    def lines(self) -> LineIndex:
        """The index of the text that findings are placed in."""
        if self.game:
            return self.game.record.source.lines
        if self._lines is None:
            self._lines = LineIndex(self.decoded.text)
        return self._lines

    @property
    def line(self) -> int:
        """Where the game starts in its file, from 1."""
        return self.game.record.line if self.game else 1

    @property
    def unread(self) -> bool:
        """Whether not even the bytes of the file could be had."""
        return any(found.name in _UNREAD for found in self.findings)

    @property
    def offset(self) -> int:
        """Where the game starts in the text of its file, in characters."""
        return self.base + self.game.record.offset if self.game else 0

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
        row: dict[str, Any] = {"path": self.source.path, "member": self.source.member, "game": told["game"],
                               "line": told["line"], "notation": told["notation"],
                               "encoding": self.decoded.encoding or None}
        row.update((key, value) for key, value in told.items() if key not in row and key != "diagnostics")
        row["diagnostics"] = [
            {"code": found.code, "name": found.name, "severity": found.severity, "line": found.line,
             "column": found.column, "ply": found.ply, "message": found.message, "hint": found.hint}
            for found in self.findings
        ]
        return row


@overload
def read_bytes(source: Source) -> bytes: ...
@overload
def read_bytes(source: Source, limit: int) -> bytes | None: ...
def read_bytes(source: Source, limit: int = 0) -> bytes | None:
    """The bytes of a file, a member of an archive or standard input; None for a file of more than ``limit`` bytes.

    Raises OSError, which is a `kifu.pipeline.limits.Unreadable` where an archive is to blame.
    """
    if source.packed:
        from kifu.pipeline.archives import contents

        return contents(source)
    if source.path == STDIN:
        from kifu.pipeline.streams import take

        return take()
    file = os.open(source.path, _FLAGS)
    try:
        data = os.read(file, FIRST_READ)
        if len(data) == source.size:
            return data
        if limit and len(data) == FIRST_READ and os.fstat(file).st_size > limit:
            return None
        parts = [data]
        while data:  # to the end, since a pipe may give less than was asked for
            data = os.read(file, NEXT_READ)
            parts.append(data)
        return b"".join(parts)
    except OSError as error:
        error.filename = source.path
        raise
    finally:
        os.close(file)


def games(source: Source, options: Options, *, keys: bool = False, data: bytes | None = None) -> Iterator[Entry]:
    """The games of a file in their order, proven, one at a time; an `Entry` without a game where there is none.

    A file that is passed over (see `Source.passed_over`) and holds no record gives nothing at all. Of a source that is
    a part of a file, games are numbered from the start of that part; all else is as in the whole file. ``data`` are
    the bytes of the file where the caller has read them already.
    """
    suffix = source.suffix
    if packed := of_bytes(options.notation, suffix):
        yield from _of_bytes(source, packed, options, keys, data)
        return
    if source.part is not None:
        yield from _of_part(source, source.part, options, keys, 0)
        return
    if data is None:
        try:
            data = read_bytes(source, LARGE)
        except OSError as error:
            yield unreadable(source, error)
            return
        if data is None:
            yield from _of_large(source, options, keys)
            return
    decoded = decode(data, options.encoding)
    empty = not data
    del data  # a large file need not be kept twice
    text = decoded.text
    notation, why = options.notation, ""
    if not text or text.isspace():
        why = "the file is empty" if empty else "the file holds nothing but blanks"
    elif notation is None:
        notation = notation_of(text, suffix)
    if notation and not why:
        any_game = False
        for entry in _proven(source, decoded, notation, options, keys, (0, 0, 0)):
            if entry.findings and source.passed_over and entry.game and holds_nothing(entry.game.record):
                return
            any_game = True
            yield entry
        if any_game:
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
    yield Entry(source, 1, decoded, notation, None, [*decoded.diagnostics, *found])


def _of_bytes(source: Source, notation: str, options: Options, keys: bool, data: bytes | None) -> Iterator[Entry]:
    """The games of a file in a notation of bytes, or of a part of one; a large file is read in parts."""
    from kifu.pipeline.parts import part_bytes, split

    part, parts = source.part, []
    size, start, before = entry_size(notation), part.start if part else 0, part.lines if part else 0
    try:
        if part is not None:
            data = part_bytes(source, part)
        elif data is None:
            data = read_bytes(source, LARGE)
            if data is None:
                parts = split(source, options)
                data = b"" if parts else read_bytes(source)
    except OSError as error:
        yield unreadable(source, error)
        return
    for one in parts:
        assert one.part is not None
        for entry in _of_bytes(one, notation, options, keys, None):
            entry.number += one.part.lines
            if entry.game is not None:
                entry.game.record.number = entry.number
            yield entry
    if parts:
        return
    for record in read(data, notation, variant=options.variant, mode=options.mode):
        record.source.before += before  # each entry has a source of its own
        game = replay(record, keys=keys, mode=options.mode, rules=options.rules)
        yield Entry(source, record.number, Decoded("", ""), notation, game, game.diagnostics,
                    start + (record.number - 1) * size)


def _of_large(source: Source, options: Options, keys: bool) -> Iterator[Entry]:
    """The games of a large file, one part after the other in memory; all of it where it has no parts."""
    from kifu.pipeline.parts import split

    parts = split(source, options)
    if not parts:
        try:
            data = read_bytes(source)
        except OSError as error:
            yield unreadable(source, error)
            return
        yield from games(source, options, keys=keys, data=data)
        return
    count = 0
    for one in parts:
        assert one.part is not None
        for entry in _of_part(source, one.part, options, keys, count):
            count = entry.number
            yield entry


def _of_part(source: Source, part: Part, options: Options, keys: bool, before: int) -> Iterator[Entry]:
    """The games of a part of a file, before which there are so many others."""
    from kifu.pipeline.parts import read_part

    try:
        text = read_part(source, part)
    except OSError as error:
        yield unreadable(source, error)
        return
    if text.isspace() and part.characters:
        return
    decoded = Decoded(text, part.encoding, diagnostics=part.findings)
    yield from _proven(source, decoded, part.notation, options, keys, (before, part.lines, part.characters))


def _proven(source: Source, decoded: Decoded, notation: str, options: Options, keys: bool,
            before: tuple[int, int, int]) -> Iterator[Entry]:
    """The games of a text, with what was said of its bytes; ``before`` it are games, lines and characters."""
    pending = sorted(decoded.diagnostics, key=_offset) if decoded.diagnostics else []
    pending = [found._replace(severity=in_mode(found.severity, options.mode, found.name)) for found in pending]
    count, before_lines, characters = before
    last: Entry | None = None
    for record, base in records(decoded.text, notation, options, before_lines):
        if last:
            yield last
        count += 1
        record.number = count
        game = replay(record, keys=keys, mode=options.mode, rules=options.rules)
        findings = game.diagnostics
        if pending:
            taken = [found for found in pending if found.offset < base + record.end_offset]
            pending = pending[len(taken):]
            findings = taken + findings
        if len(findings) > 1:
            findings = sorted(findings, key=_place)
        last = Entry(source, count, decoded, notation, game, findings, characters + base)
    if last:
        if pending:
            last.findings = sorted(last.findings + pending, key=_place)
        yield last


def records(text: str, notation: str, options: Options, before: int = 0) -> Iterator[tuple[Record, int]]:
    """The records of a text, a piece at a time, with the offset of the piece that each stands in.

    ``before`` is how many lines stand before the text.
    """
    count = 0
    parts: Iterable[tuple[int, str]] = pieces(text, notation, PIECE) if len(text) > 2 * PIECE else ((0, text),)
    for base, piece in parts:
        if base and piece.isspace():
            break
        for record in read(piece, notation, variant=options.variant, handicap=options.handicap, mode=options.mode):
            record.source.before = before
            count += 1
            record.number = count
            yield record, base
        if len(piece) < len(text):
            before += LineIndex(piece).ends()


def unreadable(source: Source, error: OSError) -> Entry:
    """The entry of a file of which not even the bytes can be had."""
    finding = getattr(error, "finding", None) or _at_start("unreadable-file", why=reason(error))
    return Entry(source, 1, Decoded("", ""), None, None, [finding])


def _at_start(name: str, why: str = "") -> Diagnostic:
    return make(name, 0, 0, why=why).placed(1, 1)


def _place(found: Diagnostic) -> tuple[int, int]:
    return found.line, found.column


def _offset(found: Diagnostic) -> int:
    return found.offset
