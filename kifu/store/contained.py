"""Games contained in longer ones: records broken off, or copies of a part of a game.

A game is contained where another of the same kind of shogi and the same start position begins with all of its moves
and goes on. Headers do not matter, and a game without moves is contained in none. The table is derived from ``games``
and ``plies``; like ``openings`` it is brought up to date at the end of a load.
"""
from __future__ import annotations

from kifu.store.database import Database, sql_file

#: Key and value of ``meta`` once the table has been filled at all; a database of an earlier version has no such row.
META = "contained"
FRESH = "fresh"


def refresh(database: Database) -> int:
    """Fill ``contained`` anew where games have changed since it was filled; returns how many games it names.

    Games have changed where ``openings`` is stale. So this must come before `kifu.store.openings.rebuild`, which calls
    both up to date: a process that is killed between the two leaves both to the next one.
    """
    if database.meta("openings") != "fresh" or database.meta(META) != FRESH:
        with database.transaction():
            fill(database)
    found: int = database.value("SELECT count(*) FROM contained")
    return found


def fill(database: Database) -> None:
    """The same whatever has changed, inside the transaction of the caller."""
    database.run("DELETE FROM contained")
    find(database, "contained")
    database.set_meta(META, FRESH)


def find(database: Database, table: str) -> None:
    """Put what belongs into ``contained`` into an empty table of the same columns."""
    database.run(sql_file("contained.sql").replace("INSERT INTO contained", f"INSERT INTO {table}", 1))
