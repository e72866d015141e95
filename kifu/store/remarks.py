"""What filters do that nobody asked for, and names that they ask for and nobody has."""
from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from kifu.store.filters import ANY, EVEN, Filters, matches_name
from kifu.store.literals import literal

if TYPE_CHECKING:
    from kifu.store.database import Database

#: So many near names are told at most, and so alike they must be (Jaro-Winkler, 1 for the same).
NEAR, ALIKE = 3, 0.7
_NEAR = """
SELECT player, greatest(jaro_winkler_similarity(lower(player), lower({name})),
                        CASE WHEN contains(lower(player), lower({name})) THEN 0.9 ELSE 0 END) AS alike
FROM (SELECT black AS player FROM games UNION SELECT white FROM games)
WHERE player IS NOT NULL AND alike >= {alike}
ORDER BY alike DESC, player
LIMIT {near}"""


def left_aside(database: Database, filters: Filters) -> tuple[int, int]:
    """How many games the other filters let through that are left out unasked: handicap games, games of other variants.

    The second is 0 where another variant than shogi was asked for.
    """
    every = list(islice(filters._replace(handicap=ANY).conditions(), 1, None))  # the first one is that of the variant
    same = f"variant = {literal(filters.variant)}"
    counts = database.rows(
        f"SELECT count(*) FILTER ({same} AND handicap IS DISTINCT FROM {literal(EVEN)}), "
        f"count(*) FILTER (NOT ({same})) FROM games{' WHERE ' if every else ''}{' AND '.join(every)}")
    odds, others = counts[0]
    return (odds if filters.handicap == EVEN else 0), (others if filters.variant == Filters().variant else 0)


def unknown_names(database: Database, filters: Filters) -> Iterator[tuple[str, list[str]]]:
    """The players asked for who have no game at all, each with the names most like theirs."""
    for name in dict.fromkeys((filters.player, filters.opponent, filters.black, filters.white)):
        if not name or "*" in name or "?" in name:
            continue
        if database.rows("SELECT 1 FROM games "
                         f"WHERE {matches_name('black', name)} OR {matches_name('white', name)} LIMIT 1"):
            continue
        near = database.rows(_NEAR.format(name=literal(name), alike=ALIKE, near=NEAR))
        yield name, [found for found, _ in near]
