"""Names that somebody may have meant who asked for one that no game has."""
from __future__ import annotations

from collections.abc import Iterator

from kifu.store.database import Database
from kifu.store.filters import Filters, matches, matches_name, matches_path
from kifu.store.literals import literal, name

#: Filters that hold a text -> where that text stands, and whether it is the name of a player.
_WHERE = {
    "player": (("games", "black"), ("games", "white")), "opponent": (("games", "black"), ("games", "white")),
    "black": (("games", "black"),), "white": (("games", "white"),), "event": (("games", "event"),),
    "time_control": (("games", "time_control"),), "source": (("sources", "path"),), "tag": (("game_tags", "tag"),),
}
_PLAYERS = ("player", "opponent", "black", "white")
#: How like a name must be to be thought of (Jaro-Winkler, 1 is the same), and how many are.
LIKENESS, MOST = 0.8, 3


def near(database: Database, filters: Filters) -> Iterator[tuple[str, str, list[str]]]:
    """The texts of filters that nothing in the database has: filter, text, and up to three like it, the nearest first.

    Names that hold what was asked for come before those that are only spelled alike.
    """
    for field, places in _WHERE.items():
        value = getattr(filters, field)
        for text in value if isinstance(value, tuple) else (value,) if value is not None else ():
            every = " UNION ".join(f"SELECT DISTINCT {column} AS name FROM {name(table)}" for table, column in places)
            same = matches_name if field in _PLAYERS else matches_path if field == "source" else matches
            condition = same("name", text)
            if database.rows(f"SELECT 1 FROM ({every}) WHERE {condition} LIMIT 1"):
                continue
            plain = literal(text.strip("*?"))
            found = database.rows(
                f"SELECT name FROM (SELECT name, contains(lower(name), lower({plain})) AS held, "
                f"jaro_winkler_similarity(lower(name), lower({plain})) AS likeness "
                f"FROM ({every}) WHERE name IS NOT NULL) WHERE held OR likeness >= {LIKENESS} "
                f"ORDER BY held DESC, likeness DESC, name LIMIT {MOST}")
            yield field, text, [each for each, in found]
