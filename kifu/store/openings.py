"""The opening tree: what was played in a position, how often, by whom and with what success.

``openings`` is a table derived from ``plies`` and ``games`` that holds every position two or more games reached; a
look-up in it takes a few milliseconds. Filters, positions of one game, and a database whose ``openings`` is older than
its games are answered from ``plies`` itself: slower, the same numbers.
"""
from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import sqrt
from typing import Any

from kifu._tuples import NamedTuple
from kifu.store import catalog, moves
from kifu.store.database import Database, sql_file
from kifu.store.errors import UnknownFilter

#: ``openings`` is built range of keys by range of keys, none of more plies than this: memory stays flat, and small hash
#: tables are faster (measured on 12 million plies: 2.5 s, in one range 3.0 s).
RANGE_PLIES = 1_000_000
#: The span of a signed 64-bit key.
_LOWEST, _SPAN = -(1 << 63), 1 << 64
#: So many positions are asked for at once; each costs a comparison a row.
_KEYS_AT_A_TIME = 50

SIDES = {"black": 1, "white": -1}
_Z = 1.959964  # 95 % of a normal distribution lie within so many standard deviations


class Move(NamedTuple):
    """A move of an opening tree. Score, interval and rating are those of the side that plays it."""

    line: str  # USI moves from the asked position up to and with this one, separated by blanks
    depth: int  # 1 is a move in the asked position
    usi: str
    games: int
    share: float  # of all games that reached the position before the move, those that ended there included
    black_wins: int
    white_wins: int
    draws: int
    score: float | None  # (wins + draws / 2) of the mover, over the games with a result
    score_low: float | None  # Wilson interval, 95 %
    score_high: float | None
    rating: int | None  # mean rating of those who chose the move, over games in which both players have one
    first_date: datetime.date | None
    last_date: datetime.date | None
    next_key: int
    top_game: int  # the game of the highest ratings together
    last_game: int  # the latest


class _Row(NamedTuple):
    """A row of the queries opening_tree and filtered_tree."""

    key: int
    move: int
    games: int
    black_wins: int
    white_wins: int
    draws: int
    black_rating_sum: int
    white_rating_sum: int
    rated_games: int
    first_date: datetime.date | None
    last_date: datetime.date | None
    next_key: int | None
    top_game: int
    last_game: int


def rebuild(database: Database) -> None:
    """Build ``openings`` anew from ``plies`` and ``games``, and mark it fresh, in one transaction.

    Of each game that reaches a position its last visit counts.
    """
    with database.transaction():
        database.run("DELETE FROM openings")
        recount(database, "openings")
        database.set_meta("openings", "fresh")


def recount(database: Database, table: str) -> None:
    """Count what belongs into ``openings`` into an empty table of the same columns."""
    parts = max(1, -(-database.value("SELECT count(*) FROM plies") // RANGE_PLIES))
    borders = [_LOWEST + _SPAN * part // parts for part in range(parts + 1)]
    database.run("CREATE OR REPLACE TEMP TABLE visits (key BIGINT, game_id INTEGER, ply INTEGER, move UINTEGER)")
    for first, last in pairwise(borders):
        database.run(sql_file("openings_range.sql"), {"first": first, "last": last - 1})
    database.run(sql_file("openings.sql").replace("INSERT INTO openings", f"INSERT INTO {table}", 1))
    database.run("DROP TABLE visits")


def opening_tree(database: Database, key: int, depth: int = 1, min_games: int = 1, *, side: str = "black",
                 ranks: int = 9, **filters: Any) -> list[Move]:
    """The moves played in the position ``key``, most frequent first; each followed by its own continuations.

    ``side`` is the side to move in the position (a key does not tell), ``ranks`` the height of its board. Moves of
    fewer than ``min_games`` games are left out, with what follows them. Filters are those of `filter_names`; one that
    is None does not filter. Handicap games never mix with even ones: their positions lack pieces, so they have other
    keys. Deeper moves count every game that reached their position, by whatever order of moves.
    """
    for name in filters:
        if name not in filter_names():
            raise UnknownFilter("opening_tree", name, filter_names())
    chosen = {name: value for name, value in filters.items() if value is not None}
    found: dict[int, list[_Row]] = {}
    wanted = [key]
    for _ in range(depth):
        found.update((asked, []) for asked in wanted)
        for row in _rows(database, wanted, min_games, chosen):
            found[row.key].append(row)
        after = [row.next_key for asked in wanted for row in found[asked]
                 if row.move != moves.ENDED and row.games >= min_games and row.next_key is not None]
        wanted = [following for following in dict.fromkeys(after) if following not in found]
        if not wanted:
            break
    return _in_order(found, key, depth, min_games, SIDES[side], ranks)


def filter_names() -> list[str]:
    """The filters that `opening_tree` and the query ``games_at`` understand."""
    return [name for name, parameter in catalog.load("filtered_tree").parameters.items() if not parameter.required]


def wilson(points: float, n: int) -> tuple[float, float]:
    """The Wilson interval (95 %) of a score of ``points`` out of ``n`` games; the macros of macros.sql, in Python.

    >>> [round(bound, 4) for bound in wilson(7, 10)]
    [0.3968, 0.8922]
    """
    score, spread = points / n, _Z * _Z / n
    middle, half = score + spread / 2, _Z * sqrt(max(0.0, score * (1 - score) / n + spread / n / 4))
    return max(0.0, (middle - half) / (1 + spread)), min(1.0, (middle + half) / (1 + spread))


def _rows(database: Database, keys: Sequence[int], min_games: int, filters: dict[str, Any]) -> list[_Row]:
    """What was played in several positions, from ``openings`` where that is enough."""
    fresh = database.meta("openings") == "fresh"
    rows: list[_Row] = []
    rest: Iterable[int] = keys
    if fresh and not filters:
        rows = _ask(database, "opening_tree", keys)
        # a position of one game is not in openings
        rest = set(keys) - {row.key for row in rows} if min_games <= 1 else ()
    if rest:
        counted = _ask(database, "filtered_tree", list(rest), **filters)
        rows += _with_next_keys(database, counted, fresh)
    return rows


def _ask(database: Database, query: str, keys: Sequence[int], **filters: Any) -> list[_Row]:
    rows: list[_Row] = []
    ordered = sorted(keys)
    for at in range(0, len(ordered), _KEYS_AT_A_TIME):
        part = ordered[at:at + _KEYS_AT_A_TIME]
        asked = catalog.rows(database, query, keys=part, first=part[0], last=part[-1], **filters)
        rows += [_Row(*row) for row in asked]
    return rows


def _with_next_keys(database: Database, rows: list[_Row], fresh: bool) -> list[_Row]:
    """The rows with ``next_key`` filled in: from ``openings`` where it holds them, else from a game that shows it."""
    known: dict[tuple[int, int], int | None] = {}
    if fresh:
        known = {(row.key, row.move): row.next_key for row in _ask(database, "opening_tree", [row.key for row in rows])}
    missing = [row for row in rows if row.move != moves.ENDED and known.get((row.key, row.move)) is None]
    if missing:
        shown = catalog.rows(database, "next_keys", keys=[row.key for row in missing],
                             games=[row.last_game for row in missing])
        known.update({(key, move): after for key, move, after in shown})
    return [row._replace(next_key=known.get((row.key, row.move))) for row in rows]


def _in_order(found: dict[int, list[_Row]], key: int, depth: int, min_games: int, sign: int, ranks: int) -> list[Move]:
    """Each move, then its continuations; a position reached by two orders of moves stands in both places."""
    tree: list[Move] = []
    waiting = _children(found, key, "", 1, min_games, sign, ranks)
    while waiting:
        move = waiting.pop()
        tree.append(move)
        if move.depth < depth:
            mover = sign if move.depth % 2 == 0 else -sign
            waiting += _children(found, move.next_key, move.line, move.depth + 1, min_games, mover, ranks)
    return tree


def _children(found: dict[int, list[_Row]], key: int, line: str, depth: int, min_games: int, sign: int,
              ranks: int) -> list[Move]:
    """The moves of a position, the most frequent one last: a stack to take them from."""
    rows = found.get(key, [])
    total = sum(row.games for row in rows)
    children = []
    for row in reversed(rows):
        if row.move == moves.ENDED or row.games < min_games or row.next_key is None:
            continue
        name = moves.usi(row.move, ranks)
        decided = row.black_wins + row.white_wins + row.draws
        points = (row.black_wins if sign > 0 else row.white_wins) + row.draws / 2
        low, high = wilson(points, decided) if decided else (None, None)
        ratings = row.black_rating_sum if sign > 0 else row.white_rating_sum
        children.append(Move(
            f"{line} {name}".lstrip(), depth, name, row.games, row.games / total, row.black_wins, row.white_wins,
            row.draws, points / decided if decided else None, low, high,
            round(ratings / row.rated_games) if row.rated_games else None, row.first_date, row.last_date, row.next_key,
            row.top_game, row.last_game))
    return children
