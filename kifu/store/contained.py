"""Games contained in longer ones: records broken off, or copies of a part of a game.

A game is contained where another of the same kind of shogi and the same start position begins with all of its moves
and goes on. Headers do not matter, and a game without moves is contained in none. The table is derived from ``games``
and ``plies``; like ``openings`` it is brought up to date at the end of a load (`kifu.store.derive`).
"""
from __future__ import annotations

from kifu.store.database import Database, sql_file

#: Key and value of ``meta`` once the table has been filled at all; a database of an earlier version has no such row.
META = "contained"
FRESH = "fresh"


def fill(database: Database) -> None:
    """Fill ``contained`` anew, and mark it fresh, inside a transaction that is open."""
    database.run("DELETE FROM contained")
    find(database, "contained")
    database.set_meta(META, FRESH)


def find(database: Database, table: str) -> None:
    """Put what belongs into ``contained`` into an empty table of the same columns."""
    database.run(sql_file("contained.sql").replace("INSERT INTO contained", f"INSERT INTO {table}", 1))
