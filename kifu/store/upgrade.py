"""Bringing the database of an earlier version up to date, with all that its own rows tell.

New tables and columns come with any opening for writing (`kifu.store.database`). `upgrade` also fills what can be
worked out from the moves, in the same transaction; what only the records could tell stays empty for the games that are
in, and `LACKING` says what that is.
"""
from __future__ import annotations

import os

from kifu._tuples import NamedTuple
from kifu.store import derive, retag
from kifu.store.database import SCHEMA_VERSION, Database

#: By version: what its games lack, which is in the records alone. A file that is loaded into a new database has it.
LACKING = {
    2: "grades, time controls as numbers, evaluations",
}


class Upgrade(NamedTuple):
    """What was done: versions of the tables before and after, what the games that are in still lack, and how many."""

    found_version: int
    version: int
    games: int
    lacking: list[str]
    contained: int


def upgrade(path: str | os.PathLike[str]) -> Upgrade:
    """Bring a database up to date, all or nothing. Raises the errors of `Database.open`, `DatabaseNewer` among them."""
    with Database.open(path, write=True, derive=_derive) as database:
        if derive.is_stale(database):  # a load brought the tables up to date and was killed
            with database.transaction():
                _derive(database)
        database.run("CHECKPOINT")
        games, inside = database.rows("SELECT (SELECT count(*) FROM games), (SELECT count(*) FROM contained)")[0]
        found = database.found_version
    lacking = [words for version, words in LACKING.items() if version >= found]
    return Upgrade(found, SCHEMA_VERSION, games, lacking if games else [], inside)


def _derive(database: Database) -> None:
    """Fill what follows from the moves of the games."""
    if database.found_version < 2:  # it kept no castles and openings
        retag.tag(database)
    derive.fill(database)
