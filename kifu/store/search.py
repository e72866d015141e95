"""Which games reach a position or a pattern, or simply pass filters: lists of them, their number, their results.

What was searched for becomes a query called ``found``, with a row for each game: ``game_id``, the ``ply`` at which the
game got there, and the ``side`` whom that concerns. It stands in the named queries games_at, games_count and
games_summary in the place of the one they have for a single position; so all searches give the same columns.

>>> print(by_position(12, None))
SELECT game_id, max(ply) AS ply, 'black' AS side
FROM plies
WHERE key = 12
GROUP BY game_id
"""
from __future__ import annotations

import datetime
import re
from array import array
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from kifu._tuples import NamedTuple
from kifu.rules.handicaps import of_variant
from kifu.rules.position import Position, PositionError
from kifu.store import catalog, moves
from kifu.store.database import Database
from kifu.store.filters import Filters
from kifu.store.literals import literal

ORDERS = ("rating", "date", "plies", "id")
_FOUND = re.compile(r"(?<=\bfound AS \(\n).*?(?=\n\))", re.DOTALL)


class Hit(NamedTuple):
    """A game that was found. ``total`` is how many there are, whatever the limit."""

    game_id: int
    ply: int | None  # moves played before; None where no position was asked for
    side: str | None  # whom the pattern belongs to (black, white, both), or who has Black's part in the position
    move: str | None  # the one played there, in USI; None where the game ended
    date: datetime.date | None
    black: str | None
    black_rating: int | None
    white: str | None
    white_rating: int | None
    event: str | None
    handicap: str
    winner: str
    end: str | None
    plies: int
    path: str | None
    source_offset: int | None
    total: int
    start_sfen: str | None
    moves: bytes


class Plies(NamedTuple):
    """The moves before which a position must stand: at least, at most; None is no bound."""

    first: int | None = None
    last: int | None = None

    def conditions(self) -> list[str]:
        """The same in SQL."""
        return ([f"ply >= {literal(self.first)}"] if self.first is not None else []) + (
            [f"ply <= {literal(self.last)}"] if self.last is not None else [])


#: Every game, for questions that filters alone answer.
EVERY_GAME = "SELECT game_id, NULL::INTEGER AS ply, NULL::VARCHAR AS side FROM games"


def by_position(key: int, turned: int | None, plies: Plies = Plies()) -> str:  # noqa: B008  # it cannot be changed
    """The games that reach a position, or the one with its colours exchanged, with their last visit.

    ``side`` is who has Black's part in it.
    """
    if turned is None:
        side, condition = "'black'", f"key = {literal(key)}"
    else:
        side = f"CASE arg_max(key, ply) WHEN {literal(key)} THEN 'black' ELSE 'white' END"
        condition = f"key IN ({literal(key)}, {literal(turned)})"
    where = "\n  AND ".join([condition, *plies.conditions()])
    return f"SELECT game_id, max(ply) AS ply, {side} AS side\nFROM plies\nWHERE {where}\nGROUP BY game_id"


def list_sql(found: str, filters: Filters, order: str = "rating", limit: int | None = None) -> str:
    """The query that lists games; its columns are those of `Hit`."""
    return _text("games_at", found, filters, order=order, limit=limit)


def count_sql(found: str, filters: Filters) -> str:
    """The query that counts them."""
    return _text("games_count", found, filters)


def summary_sql(found: str, filters: Filters) -> str:
    """The query that sums up their results, from the view of the player that the filters name, else of ``side``."""
    if filters.player is not None:
        black, white = filters.of_side("black"), filters.of_side("white")
        side = f"CASE WHEN {black} AND {white} THEN 'both' WHEN {black} THEN 'black' ELSE 'white' END"
        found = (f"SELECT game_id, ply, {side} AS side\nFROM (\n{_indented(found)}\n) JOIN selected USING (game_id)")
    elif found == EVERY_GAME:
        found = found.replace("NULL::VARCHAR", "'black'")
    return _text("games_summary", found, filters)


def hits(database: Database, sql: str) -> list[Hit]:
    """What a query of `list_sql` gives."""
    return [Hit(*row) for row in database.rows(sql)]


def confirmed(found: list[Hit], asked: Position, turned: Position | None) -> Iterator[Hit]:
    """Those that really have the position at their ply: two positions can share a key, if only by rare chance."""
    wanted = {position.sfen(1) for position in (asked, turned) if position is not None}
    for hit in found:
        position = start(hit.handicap, hit.start_sfen, asked.rules.key)
        if position and play(position, moves.decode(hit.moves)[:hit.ply]) is not None and position.sfen(1) in wanted:
            yield hit


def start(handicap: str, start_sfen: str | None, variant: str = "shogi") -> Position | None:
    """The start position of a game by its row of ``games``, None where it is none."""
    try:
        if start_sfen is None:
            return Position(of_variant(variant)[handicap].sfen, variant)
        return Position(start_sfen, variant)
    except (KeyError, PositionError):
        return None


def play(position: Position, codes: array[int]) -> array[int] | None:
    """Play moves as the database keeps them; the packed moves, None where one of them is not legal."""
    played = array("q", bytes(8 * len(codes)))
    try:
        texts = moves.texts(codes)
    except ValueError:  # a code that is no move
        return None
    return played if position.replay(texts, 0, len(codes), played, None, []) == len(codes) else None


def _text(name: str, found: str, filters: Filters, **given: Any) -> str:
    """A named query over games that were found in another way."""
    query = catalog.load(name)
    known = {parameter: value for parameter, value in query.parameters.items() if parameter != "key"}
    other = replace(query, sql=_FOUND.sub(lambda _: _indented(found), query.sql), parameters=known)
    return other.text(filters, **given)


def _indented(sql: str) -> str:
    return "\n".join(f"    {line}" for line in sql.splitlines())
