"""The table ``openings``: what was played in positions that two or more games reached, how often and with what success.

It is derived from ``plies`` and ``games``, so that `kifu.store.tree` answers in a few milliseconds what would take a
look at every game. Up to date it is brought by `kifu.store.derive`, with all else that is derived.
"""
from __future__ import annotations

from itertools import pairwise
from math import sqrt

from kifu.store.database import Database, sql_file

#: Key and value of ``meta`` while no game has changed since the table was filled.
META = "openings"
FRESH = "fresh"
#: ``openings`` is built range of keys by range of keys, none of more plies than this: memory stays flat, and small hash
#: tables are faster (measured on 12 million plies: 2.5 s, in one range 3.0 s).
RANGE_PLIES = 1_000_000
#: The span of a signed 64-bit key.
_LOWEST, _SPAN = -(1 << 63), 1 << 64
_Z = 1.959964  # 95 % of a normal distribution lie within so many standard deviations


def fill(database: Database) -> None:
    """Build ``openings`` anew from ``plies`` and ``games``, and mark it fresh, inside a transaction that is open.

    Of each game that reaches a position its last visit counts.
    """
    database.run("DELETE FROM openings")
    recount(database, "openings")
    database.set_meta(META, FRESH)


def recount(database: Database, table: str) -> None:
    """Count what belongs into ``openings`` into an empty table of the same columns."""
    parts = max(1, -(-database.value("SELECT count(*) FROM plies") // RANGE_PLIES))
    borders = [_LOWEST + _SPAN * part // parts for part in range(parts + 1)]
    database.run("CREATE OR REPLACE TEMP TABLE visits (key BIGINT, game_id INTEGER, ply INTEGER, move UINTEGER)")
    for first, last in pairwise(borders):
        database.run(sql_file("openings_range.sql"), {"first": first, "last": last - 1})
    database.run(sql_file("openings.sql").replace("INSERT INTO openings", f"INSERT INTO {table}", 1))
    database.run("DROP TABLE visits")


def wilson(points: float, n: int) -> tuple[float, float]:
    """The Wilson interval (95 %) of a score of ``points`` out of ``n`` games; the macros of macros.sql, in Python.

    >>> [round(bound, 4) for bound in wilson(7, 10)]
    [0.3968, 0.8922]
    """
    score, spread = points / n, _Z * _Z / n
    middle, half = score + spread / 2, _Z * sqrt(max(0.0, score * (1 - score) / n + spread / n / 4))
    return max(0.0, (middle - half) / (1 + spread)), min(1.0, (middle + half) / (1 + spread))
