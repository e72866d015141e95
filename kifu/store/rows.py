# cython: language_level=3, annotation_typing=False
"""A proven game as one row, a refused game as one row: what worker processes send to the one that writes.

Rows are small, cheap to pickle and hold no object of this package: a game's moves, keys and clock are bytes, ready to
become Arrow buffers. `game_row` costs a few microseconds; nothing here imports pyarrow or duckdb.
"""
from __future__ import annotations

import datetime
import re
from array import array
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Self

from kifu._tuples import NamedTuple
from kifu.diagnostics import ERROR, RULES, Diagnostic
from kifu.knowledge import Matcher, matcher
from kifu.record import CANONICAL, INFO
from kifu.store import columns, fields, grades, moves

if TYPE_CHECKING:
    from kifu.record import Game, Record

#: Verdicts whose games are rows of ``games``; the others are rows of ``rejects``.
LOADED = ("legal", "foul")
RESULTS = {"black": 1, "white": -1, "draw": 0}

#: Stands where a ply has no evaluation.
NO_EVAL = -(1 << 15)
_NO_EVALS = array("h", [NO_EVAL])
#: How much of a faulty line ``rejects.text`` keeps on either side of the fault.
TEXT_REACH = 200

#: Stands for the digest of a file that could not be read.
UNREAD = b""

_SURROGATES = re.compile("[\ud800-\udfff]")

#: What a path that must be escaped has, and what is escaped in it.
_TO_ESCAPE = re.compile(r"[\ud800-\udfff]|\\x[89a-f][0-9a-f]|\\ud[89a-f][0-9a-f]{2}")
_ESCAPED = re.compile(r"[\\\ud800-\udfff]")


class SourceInfo(NamedTuple):
    """One file (or one member of an archive, or standard input) that games come from.

    ``sha256`` is the raw digest, `UNREAD` where the bytes could not be had: what the file holds is not known then.
    """

    path: str
    sha256: bytes
    size: int
    format: str | None = None
    encoding: str | None = None


class Comments(NamedTuple):
    """The comments of a game: before the first move, after ply 1, ...; those behind the last one are left out.

    >>> Comments.of(["Good luck", None, "hm"]).texts()
    ['Good luck', None, 'hm']
    """

    lengths: bytes  # native int32, in bytes of the text; negative where there is no comment
    text: bytes  # all of them in UTF-8, one behind the other

    @classmethod
    def of(cls, texts: Sequence[str | None]) -> Self:
        """Comments that stand in a list."""
        pieces = [None if text is None else clean(text).encode() for text in texts]
        return cls(array("i", [-1 if piece is None else len(piece) for piece in pieces]).tobytes(),
                   b"".join(piece for piece in pieces if piece))

    def texts(self) -> list[str | None]:
        """The same as a list."""
        found: list[str | None] = []
        start = 0
        for length in array("i", self.lengths):
            found.append(None if length < 0 else self.text[start:start + length].decode())
            start += max(length, 0)
        return found


class GameRow(NamedTuple):
    """One row of ``games`` and what its ``plies`` are made of. Columns as in schema.sql."""

    source_offset: int
    game_hash: bytes
    variant: str
    handicap: str
    start_sfen: str | None
    black: str | None
    white: str | None
    black_rating: int | None
    white_rating: int | None
    event: str | None
    site: str | None
    date: datetime.date | None
    date_precision: str | None
    time_control: str | None
    result: int | None
    end: str | None
    verified_end: str | None
    verified_winner: int | None
    illegal_move: str | None
    illegal_reason: str | None
    plies: int
    moves: bytes  # two bytes a ply, four of other kinds than ordinary shogi, see kifu.store.moves
    keys: bytes  # plies + 1 native int64: the key before each ply, and the final one
    tags: tuple[tuple[str, str, str, int], ...] | None  # side, kind, tag and ply, as in ``game_tags``
    clock: bytes | None  # milliseconds as one native int64 a ply, negative where a ply has none
    comments: Comments | None
    black_grade: str | None = None
    white_grade: str | None = None
    black_grade_rank: int | None = None
    white_grade_rank: int | None = None
    main_seconds: int | None = None
    byoyomi_seconds: int | None = None
    increment_seconds: int | None = None
    evals: bytes | None = None  # centipawns from Black's view as one native int16 a ply, `NO_EVAL` where it has none


class RejectRow(NamedTuple):
    """One row of ``rejects``: why a game, or a whole file, is not in the database."""

    source_offset: int | None
    game_no: int | None
    line: int | None
    col: int | None
    ply: int | None
    code: str
    message: str
    text: str | None


#: What a flat row is (`kifu.store.core`): a game, a reject, or the word that its file has come to its end.
GAME, REJECT, END = "game", "reject", "end"
_NO_GAME = (None,) * (len(GameRow._fields) - 1)
_NO_REJECT = (None,) * (len(RejectRow._fields) - 2)
#: The columns of a flat row, its source apart (`kifu.store.core.SCHEMA`).
Flat = tuple[Any, ...]
ENDED: Flat = (END, None, False, False, False, None, *_NO_GAME, *_NO_REJECT)


def flat_game(row: GameRow, number: int | None = None, faulty: bool = False) -> Flat:
    """A game as a flat row: the ``number`` of its file, and whether it has an error all the same."""
    return (GAME, number, False, False, faulty, *row, *_NO_REJECT)


def flat_reject(row: RejectRow) -> Flat:
    """A reject as a flat row."""
    offset, number, line, col, ply, code, message, text = row
    return (REJECT, number, False, False, False, offset, *_NO_GAME, line, col, ply, code, message, text)


def game_row(game: Game, offset: int | None = None, patterns: Matcher | None = None) -> GameRow:
    """The row of a proven game whose verdict is legal or foul; its keys must have been kept (`replay(keys=True)`).

    ``offset`` is where the record begins in its file; by default the record's own offset, in characters of its text.
    ``patterns`` finds its castles and openings, by default our own ones.
    Raises ValueError for other verdicts.
    """
    if game.verdict not in LOADED:
        raise ValueError(f"a game that is {game.verdict} has no row in games")
    if len(game.keys) != game.plies + 1:
        raise ValueError("the game was replayed without its position keys")
    record = game.record
    headers = _headers(record)
    comments, opening = _comments(record, game.plies)
    rated = fields.floodgate_ratings(opening) if "_rate:" in opening else (None, None)
    date, precision = _date(headers)
    codes = moves.encode(game.moves, game.variant)
    foul = game.illegal_move or {}
    black, white = _text(headers.get("black")), _text(headers.get("white"))
    black_grade, black_rank = grades.of(black, _text(headers.get("black_grade")))
    white_grade, white_rank = grades.of(white, _text(headers.get("white_grade")))
    time_control = _text(headers.get("time_control"))
    main, byoyomi, increment = fields.time_control(time_control, headers.get("秒読み"))
    return GameRow(
        source_offset=record.offset if offset is None else offset,
        game_hash=game_hash(game.variant, game.start, codes),
        variant=game.variant,
        handicap=game.handicap,
        start_sfen=None if game.start == _own_start(game.variant, game.handicap) else game.start,
        black=black,
        white=white,
        black_rating=fields.rating(headers.get("black_rating")) or rated[0],
        white_rating=fields.rating(headers.get("white_rating")) or rated[1],
        event=_text(headers.get("event")),
        site=_text(headers.get("site")),
        date=date,
        date_precision=precision,
        time_control=time_control,
        result=RESULTS.get(game.winner),
        end=game.end,
        verified_end=game.verified_end,
        verified_winner=RESULTS.get(game.verified_winner or ""),
        illegal_move=foul.get("usi") or foul.get("text"),
        illegal_reason=foul.get("reason"),
        plies=game.plies,
        moves=codes,
        keys=game.keys.tobytes(),
        tags=(patterns or matcher()).rows(game),
        clock=_clock(record, game.plies),
        comments=comments,
        black_grade=black_grade,
        white_grade=white_grade,
        black_grade_rank=black_rank,
        white_grade_rank=white_rank,
        main_seconds=main,
        byoyomi_seconds=byoyomi,
        increment_seconds=increment,
        evals=None if comments is None else _evals(record, game.plies),
    )


def game_hash(variant: str, start: str, codes: bytes) -> bytes:
    """What makes two records the same game: 16 bytes of BLAKE2b over variant, start position and move codes.

    The move number at the end of an SFEN says where a writer began to count, not where the pieces stand; it is left
    out. Players and dates are left out too: the loader compares names where it must (`kifu.store.loader`).
    """
    position = " ".join(start.split(" ")[:3])
    return blake2b(f"{variant}\0{position}\0".encode() + codes, digest_size=16).digest()


def reject_row(game: Game, offset: int | None = None, findings: Sequence[Diagnostic] | None = None) -> RejectRow:
    """The row of a game whose verdict is illegal or unreadable: the finding that decided it, with its line quoted.

    ``findings`` replaces the game's own diagnostics where more is known about it (its encoding, for instance).
    """
    record = game.record
    where = record.offset if offset is None else offset
    finding = _decisive(game, game.diagnostics if findings is None else findings)
    if finding is None:  # nothing but the verdict: say at least which game it is
        return RejectRow(where, record.number, record.line, None, None, RULES["internal-error"].code,
                         f"the game is {game.verdict}, and nothing says why", None)
    line, column = finding.line, finding.column
    if not line:
        line, column = record.source.place(finding.offset) if finding.offset >= 0 else (record.line, 0)
    return RejectRow(where, record.number, line, column or None, finding.ply, finding.code, finding.message,
                     _quote(record.text, finding.offset))


def file_reject(finding: Diagnostic, text: str | None = None) -> RejectRow:
    """The row of a file from which no game could be read at all."""
    return RejectRow(None, None, finding.line or None, finding.column or None, None, finding.code, finding.message,
                     _clip(text) if text else None)


def _decisive(game: Game, findings: Sequence[Diagnostic]) -> Diagnostic | None:
    """The error that made the game illegal or unreadable: the refused move's, else the first error, else any."""
    refused = game.illegal_move
    errors = [finding for finding in findings if finding.severity == ERROR]
    if refused and game.verdict == "illegal":
        for finding in errors:
            if finding.ply == refused.get("ply") and finding.name == refused.get("reason"):
                return finding
    return errors[0] if errors else findings[0] if findings else None


def _quote(text: str, offset: int) -> str | None:
    """The line around an offset, at most `TEXT_REACH` characters either way (one line may be 100 MB)."""
    if offset < 0:
        return None
    first = max(0, offset - TEXT_REACH)
    before = text[first:offset]
    after = text[offset:offset + TEXT_REACH]
    for newline in "\n\r":
        before = before[before.rfind(newline) + 1:]
        cut = after.find(newline)
        after = after if cut < 0 else after[:cut]
    return _clip(before + after)


def _clip(text: str) -> str:
    return clean(text)[:2 * TEXT_REACH]


def clean(text: str) -> str:
    """The text without what UTF-8, and so a database, cannot hold: lone surrogates become the replacement mark."""
    return text if text.isascii() else _SURROGATES.sub("\N{REPLACEMENT CHARACTER}", text)


def escaped(path: str) -> str:
    r"""A path as a database keeps it: bytes of it that are no UTF-8, which are surrogates in Python, as ``\xff``.

    Backslashes are doubled where there is such an escape, or what looks like one, so that no two paths become the same;
    all other paths are kept as they are.

    >>> escaped("games/a.kif"), escaped("a\udcff.kif"), escaped(r"C:\games\a.kif")
    ('games/a.kif', 'a\\xff.kif', 'C:\\games\\a.kif')
    """
    return path if path.isascii() and "\\" not in path or not _TO_ESCAPE.search(path) else _ESCAPED.sub(_escape, path)


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    return "\\\\" if code == 0x5C else f"\\x{code - 0xDC00:02x}" if 0xDC80 <= code <= 0xDCFF else f"\\u{code:04x}"


def _text(value: str | None) -> str | None:
    """A header as a column: stripped, None where nothing is left."""
    value = value.strip() if value else None
    return clean(value) if value else None


def _headers(record: Record) -> dict[str, str]:
    """The headers by their canonical names; the first of several wins, as in `Record.header`."""
    found: dict[str, str] = {}
    for key, value in record.headers:
        found.setdefault(CANONICAL.get(key, key), value)
    return found


def _date(headers: dict[str, str]) -> tuple[datetime.date | None, str | None]:
    """The day of the game: of its start, else as the record gives it, else of its end."""
    for name in ("start_time", "date", "end_time"):
        found = fields.date(headers.get(name))
        if found[0] is not None:
            return found
    return None, None


def _clock(record: Record, plies: int) -> bytes | None:
    """The clocks of the main line as they stand in the record; None where no ply has one."""
    clocks = record.info[INFO - 1:INFO * plies:INFO].tobytes()
    return clocks if clocks.strip(b"\xff") else None  # a ply without a clock has -1


def _comments(record: Record, plies: int) -> tuple[Comments | None, str]:
    """The comments of the main line, several at one place joined by a line end, and those before its first move."""
    found = columns.comments(record.text, record.notes, record.note_marks, plies) if record.notes else None
    return (None, "") if found is None else (Comments(found[0], found[1]), found[2])


def _evals(record: Record, plies: int) -> bytes | None:
    """The evaluations that the comments of the main line tell; None where they tell none."""
    found = columns.evaluations(record.text, record.notes, record.note_marks, plies)
    if found is None:  # another form than CSA's, perhaps
        from kifu.notation.annotations import evaluation_of

        told = evaluation_of(record)
        found = array("h", [told.get(index, NO_EVAL) for index in range(plies)])
    return None if found == _NO_EVALS * plies else found.tobytes()


@lru_cache(maxsize=64)
def _own_start(variant: str, handicap: str) -> str | None:
    """The start position that a handicap of ordinary shogi names, None where it names none (``other``).

    Those of other kinds of shogi are kept with each game, so that SQL finds a start position in ``start_sfen`` without
    knowing their rules.
    """
    from kifu.rules import handicaps

    found = handicaps.by_key(handicap) if variant == "shogi" else None
    return found.sfen if found else None
