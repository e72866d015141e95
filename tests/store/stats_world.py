"""The rows of a database as Python objects, and the arithmetic of statistics, for tests that count by brute force.

Nothing here is shared with the queries or the macros: who won, how it ended and what an interval is are said again.
"""
from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from kifu.store import moves as codes
from kifu.store.database import Database

T = TypeVar("T")
K = TypeVar("K")
#: The quantile of the normal distribution for 95 %, from any table of it.
Z = 1.959963985


class Near:
    """Equal to every number that is this one, rounded to so many digits either way."""

    def __init__(self, value: float, digits: int) -> None:
        self.value, self.slack = value, 0.5 * 10 ** -digits + 1e-9

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (int, float)) and abs(other - self.value) <= self.slack

    def __repr__(self) -> str:
        return f"~{self.value:.6g}"

    __hash__ = None  # type: ignore[assignment]


@dataclass(slots=True)
class Game:
    """A game with all that the tables say of it."""

    id: int
    row: dict[str, Any]
    keys: list[int] = field(default_factory=list)  # of each position, the first one included
    codes: list[int] = field(default_factory=list)  # of each move
    tags: list[tuple[str, str, str, int]] = field(default_factory=list)  # side, kind, tag, ply
    last_visits: dict[int, int] = field(default_factory=dict)  # position -> the ply at which it was last there
    asked: tuple[str, ...] = ("black", "white")  # the sides of the player that a filter names, if it names one

    def __getattr__(self, name: str) -> Any:
        return self.row[name]

    @property
    def score(self) -> int | None:
        """1 Black won, -1 White won, 0 draw: as claimed, or else as proven."""
        claimed: int | None = self.row["result"]
        return self.row["verified_winner"] if claimed is None else claimed

    @property
    def asked_tags(self) -> list[tuple[str, str, str, int]]:
        """Those of the sides asked for, and of the game as a whole."""
        return [tag for tag in self.tags if tag[0] in (*self.asked, "both")]

    @property
    def ended(self) -> str | None:
        """How it ended, as claimed or else as proven."""
        return self.row["end"] or self.row["verified_end"]

    @property
    def moves(self) -> list[str]:
        """The moves in USI."""
        return [codes.usi(code) for code in self.codes]


@dataclass(frozen=True, slots=True)
class Side:
    """A game from the view of one side; ``own`` is 1 won, 0 drawn, -1 lost."""

    game: Game
    side: str
    player: str | None
    opponent: str | None
    rating: int | None
    opponent_rating: int | None
    own: int | None


def sides(games: Iterable[Game]) -> Iterator[Side]:
    """Both sides of each game."""
    for game in games:
        lost = None if game.score is None else -game.score
        yield Side(game, "black", game.black, game.white, game.black_rating, game.white_rating, game.score)
        yield Side(game, "white", game.white, game.black, game.white_rating, game.black_rating, lost)


def asked_sides(games: Iterable[Game]) -> Iterator[Side]:
    """The sides that are asked for."""
    return (side for side in sides(games) if side.side in side.game.asked)


@dataclass(frozen=True, slots=True)
class World:
    """All that is in a database."""

    games: list[Game]
    tables: dict[str, list[dict[str, Any]]]

    @classmethod
    def read(cls, database: Database) -> World:
        """Read the base tables: games, plies, game_tags, sources, rejects, copies, contained, boards."""
        games = {row["game_id"]: Game(row["game_id"], row) for row in _rows(database, "SELECT * FROM games ORDER BY game_id")}
        for row in _rows(database, "SELECT game_id, ply, key FROM plies ORDER BY game_id, ply"):
            games[row["game_id"]].keys.append(row["key"])
        for row in _rows(database, "SELECT * FROM game_tags"):
            games[row["game_id"]].tags.append((row["side"], row["kind"], row["tag"], row["ply"]))
        for game in games.values():
            game.codes = list(codes.decode(bytes(game.row["moves"])))
            game.last_visits = {key: ply for ply, key in enumerate(game.keys)}
            assert len(game.keys) == game.plies + 1 == len(game.codes) + 1
        return cls(list(games.values()), {name: _rows(database, f"SELECT * FROM {name}")
                                          for name in ("sources", "rejects", "copies", "contained", "boards")})


def _rows(database: Database, sql: str) -> list[dict[str, Any]]:
    columns, rows = database.query(sql)
    return [dict(zip(columns, row, strict=True)) for row in rows]


# --- arithmetic

def wilson(points: float, n: int) -> tuple[float, float]:
    """The two scores p whose distance from the one seen is just Z standard errors: n (p - seen)^2 = Z^2 p (1 - p)."""
    seen = points / n
    a, b, c = n + Z * Z, -(2 * n * seen + Z * Z), n * seen * seen
    root = math.sqrt(max(0.0, b * b - 4 * a * c))
    return (-b - root) / (2 * a), (-b + root) / (2 * a)


def scored(points: float, n: int) -> tuple[Any, Any, Any]:
    """A score and its interval, as queries show them."""
    if not n:
        return None, None, None
    low, high = wilson(points, n)
    return Near(points / n, 4), Near(low, 4), Near(high, 4)


def tally(scores: Iterable[int | None]) -> tuple[Any, ...]:
    """Games, wins, draws, losses, games without result, score, and its interval."""
    found = list(scores)
    wins, draws, losses, unknown = (found.count(value) for value in (1, 0, -1, None))
    return len(found), wins, draws, losses, unknown, *scored(wins + draws / 2, wins + draws + losses)


def mean(values: Iterable[float | None], digits: int = 1) -> Any:
    """The mean of those that are there."""
    found = [value for value in values if value is not None]
    return Near(sum(found) / len(found), digits) if found else None


def part(count: float, of: float) -> Any:
    """A share."""
    return Near(count / of, 4)


def by(things: Iterable[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    """Things in groups."""
    groups: dict[K, list[T]] = {}
    for thing in things:
        groups.setdefault(key(thing), []).append(thing)
    return groups


def nulls_last(value: Any) -> tuple[bool, Any]:
    """A key for sorting that puts None behind everything."""
    return (value is None, 0 if value is None else value)


def ordered(rows: Iterable[Sequence[Any]], *keys: int) -> list[tuple[Any, ...]]:
    """Rows by columns, counted from 1, descending where negative; None comes last."""
    found = [tuple(row) for row in rows]
    for key in reversed(keys):
        at = abs(key) - 1
        there = [row for row in found if row[at] is not None]
        there.sort(key=lambda row: row[at], reverse=key < 0)  # type: ignore[arg-type, return-value]
        found = there + [row for row in found if row[at] is None]
    return found


def dates(games: Iterable[Game]) -> tuple[datetime.date | None, datetime.date | None]:
    """The first and the last day."""
    found = [game.date for game in games if game.date is not None]
    return min(found, default=None), max(found, default=None)
