"""From a row of ``games`` to a proven game that every writer can write.

A row holds the main line, whole seconds, comments, the headers that have a column, and the end. It does not hold
variations, fractions of seconds, bookmarks, other headers, and the clock of the end or of an illegal last move
(`NOT_HELD`). What it holds is proven again: a row whose moves are not legal is refused.
"""
from __future__ import annotations

import datetime
import re
from array import array
from collections.abc import Iterator, Sequence
from typing import Any

from kifu import ends
from kifu._tuples import NamedTuple
from kifu.record import Game, Line, Record, Source
from kifu.replay import replay
from kifu.rules.handicaps import by_key
from kifu.rules.move import from_usi
from kifu.rules.variants import RULESETS
from kifu.store import moves
from kifu.store.chosen import fetch
from kifu.store.database import Database
from kifu.store.errors import StoreError
from kifu.store.rows import LOADED

#: What records have and the database does not, in the words in which writers count what they lose.
NOT_HELD = ("variations", "fractions of seconds", "bookmarks", "headers but those of its columns")
#: Columns that are headers, and how PSN calls them, which every writer knows. Dates are apart.
HEADERS = {"black": "Black", "white": "White", "black_rating": "BlackRating", "white_rating": "WhiteRating",
           "black_grade": "SenteGrade", "white_grade": "GoteGrade", "event": "Event", "site": "Site",
           "time_control": "TimeControl"}
COLUMNS = (*HEADERS, "date", "date_precision", "variant", "handicap", "start_sfen", "result", "end", "illegal_move",
           "plies", "moves", "seconds", "comments")
#: What a result is called where the record gives no reason; writers that have such a word know it.
RESULTS = {ends.BLACK: "1-0", ends.WHITE: "0-1", ends.DRAW: "1/2-1/2"}
WINNERS = {1: ends.BLACK, -1: ends.WHITE, 0: ends.DRAW}
_DATES = {"year": "%Y", "month": "%Y/%m", "day": "%Y/%m/%d"}
_LINE_END = re.compile(r"\r\n?|\n")
_MARKS = {0: ("comment", 0, 0)}  # a comment as it is


class DamagedRow(StoreError):
    """A row of ``games`` that is no legal game."""

    def __init__(self, game_id: int, why: str) -> None:
        self.game_id = game_id
        super().__init__(f"Game {game_id} is damaged: {why}.")


class Rebuilt(NamedTuple):
    """A game of the database; ``losses`` is what the row holds and no record of it can."""

    game_id: int
    game: Game
    losses: dict[str, int]


def rebuild(database: Database, numbers: Sequence[int]) -> Iterator[Rebuilt | DamagedRow]:
    """The games of these numbers, in this order; in the place of one that cannot be rebuilt the reason."""
    for number, row in enumerate(fetch(database, numbers, COLUMNS), 1):
        try:
            yield rebuilt(number, row[0], row[1], dict(zip(COLUMNS, row[2:], strict=True)))
        except DamagedRow as damaged:
            yield damaged


def rebuilt(number: int, game_id: int, notation: str | None, row: dict[str, Any]) -> Rebuilt:
    """The game of one row; ``notation`` is that of the file it came from. Raises `DamagedRow`."""
    if row["variant"] not in RULESETS:
        raise DamagedRow(game_id, f"its kind of shogi, {row['variant']}, is not known")
    record, lost = _record(number, game_id, notation or "usi", row)
    game = replay(record, keys=False)
    if game.verdict not in LOADED or game.plies != row["plies"]:
        why = next((found.message for found in game.diagnostics if found.severity == "error"),
                   f"it has {game.plies} legal moves, not {row['plies']}")
        raise DamagedRow(game_id, why.rstrip("."))
    if row["illegal_move"] is not None and game.verdict != "foul":
        lost["illegal final move"] = 1
    return Rebuilt(game_id, game, lost)


def start_of(row: dict[str, Any]) -> str | None:
    """The start position of a row as SFEN, None where neither it nor a handicap tells."""
    if row["start_sfen"] is not None:
        return str(row["start_sfen"])
    named = by_key(row["handicap"], row.get("variant", "shogi"))
    return named.sfen if named is not None else None


def move_texts(codes: Sequence[int]) -> array[int]:
    """The move texts (`kifu.movetext`) of move codes. ValueError for a code that is no move."""
    if moves.ENDED in codes:
        raise ValueError("a move is missing")
    return moves.texts(codes)


def _record(number: int, game_id: int, notation: str, row: dict[str, Any]) -> tuple[Record, dict[str, int]]:
    """The record of a row and what does not go into it."""
    lost: dict[str, int] = {}
    start = start_of(row)
    try:
        codes = moves.decode(row["moves"])
        if codes and codes.itemsize != moves.width(row["variant"]):
            raise ValueError(f"they are no moves of {row['variant']}")
        texts = move_texts(codes)
    except ValueError as error:
        raise DamagedRow(game_id, f"its moves cannot be read ({error})") from error
    if start is None:
        raise DamagedRow(game_id, f"it has no start position, and {row['handicap']!r} names none")
    foul = _foul(row["illegal_move"])
    if row["illegal_move"] is not None and foul is None:
        lost["illegal final move"] = 1
    written = [row["illegal_move"] or ""]
    notes, size = array("q"), len(written[0])
    for place, comment in enumerate(row["comments"] or ()):
        for line in _LINE_END.split(comment) if comment is not None else ():
            notes.extend((0, place, size, size + len(line)))
            written.append(line)
            size += len(line)
    text = "".join(written)
    record = Record(notation, number, Source(text), 0, len(text))
    record.headers = _headers(row)
    record.variant = row["variant"]
    record.start, record.handicap, record.turn = start, row["handicap"], ends.WHITE if " w " in start else ends.BLACK
    record.texts, record.info = texts, _info(len(texts), row["seconds"])
    record.notes, record.note_marks = notes, _MARKS
    record.lines = [Line(-1, 0, len(texts), end=_end(row["end"], row["result"]))]
    if foul is not None:
        record.foul = foul, 0, len(row["illegal_move"])
    return record, lost


def _headers(row: dict[str, Any]) -> list[tuple[str, str]]:
    found = [(key, str(row[column])) for column, key in HEADERS.items() if row[column] is not None]
    if isinstance(row["date"], datetime.date):
        date = row["date"]
        shown = _DATES.get(row["date_precision"] or "day", _DATES["day"])
        found.append(("Date", shown.replace("%Y", f"{date.year:04}").replace("%m", f"{date.month:02}")
                      .replace("%d", f"{date.day:02}")))
    return found


def _info(plies: int, seconds: Sequence[int | None] | None) -> array[int]:
    """Places and clocks of the moves; nothing says where a move stood."""
    info = array("q", (0, 0, 0, -1)) * plies
    if seconds is not None:
        told = array("q", [-1 if thought is None else 1000 * thought for thought in seconds[:plies]])
        info[3:4 * len(told):4] = told
    return info


def _end(reason: str | None, result: int | None) -> ends.End | None:
    """The end that the record claimed, as far as the row tells it."""
    if reason is None:
        return None
    usual = ends.WINNERS.get(reason, ends.UNKNOWN)
    winner = ends.UNKNOWN if result is None else WINNERS[result]
    if result is None and usual in (ends.NONE, ends.UNKNOWN):
        winner = usual
    offender = ends.opponent(winner) if reason == "illegal" and winner in ends.SIDES else None
    return ends.End(reason, winner, offender, RESULTS.get(winner, reason) if reason == "other" else reason)


def _foul(illegal_move: str | None) -> int | None:
    """The move text of the illegal move that ended a game, None where it is not written in USI."""
    try:
        return from_usi(illegal_move) if illegal_move is not None else None
    except ValueError:
        return None
