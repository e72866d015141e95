"""What is derived from the games of a database, brought up to date as one: contained games, openings, names.

A load marks ``openings`` stale in the transaction that changes the games, and stale means all of it: `derive` makes all
of it anew in one transaction, so that no kill leaves a part behind that nobody misses. A database of an earlier version
has no marks of the parts that it never knew (`kifu.store.contained.META`, `kifu.store.naming.META`), which are made at
the same occasion.
"""
from __future__ import annotations

from kifu.knowledge import PatternFile
from kifu.store import contained, naming, openings
from kifu.store.database import Database


def derive(database: Database, patterns: tuple[PatternFile, ...] = ()) -> bool:
    """Bring all that is derived up to date, in one transaction; returns whether there was anything to do.

    ``patterns`` are those that the games which came since were tagged with.
    """
    if not is_stale(database):
        return False
    with database.transaction():
        fill(database, patterns)
    return True


def is_stale(database: Database) -> bool:
    """Whether games have changed since it was done, or a part was never made."""
    return (database.meta(openings.META) != openings.FRESH or database.meta(contained.META) != contained.FRESH
            or database.meta(naming.META) is None)


def fill(database: Database, patterns: tuple[PatternFile, ...] = ()) -> None:
    """The work of `derive` whatever has changed, inside a transaction that is open."""
    contained.fill(database)
    openings.fill(database)
    naming.note_patterns(database, patterns)
    naming.rename(database, patterns)  # of the positions in openings
