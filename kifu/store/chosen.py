"""Which games of a database are meant: a condition over ``games``, a query that gives their numbers, both, or all.

The rows come in pieces, so that memory stays flat however many games there are.
"""
from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import Any

from kifu.store.database import Database
from kifu.store.errors import StoreError

#: So many games are fetched at a time.
AT_ONCE = 1000


class NoGameIds(StoreError):
    """A query that was to choose games gives no numbers of games."""

    def __init__(self, why: str) -> None:
        super().__init__(f"The query does not choose games: {why}. Its first column must be game_id.")


def games_sql(where: str | None = None, limit: int | None = None) -> str:
    """The SQL that chooses games by a condition, in the order of loading.

    >>> games_sql("plies > 100", 3)
    'SELECT game_id FROM games\\nWHERE (plies > 100)\\nORDER BY game_id\\nLIMIT 3'
    """
    lines = ["SELECT game_id FROM games"]
    if where is not None:
        lines.append(f"WHERE ({condition(where)})")
    lines.append("ORDER BY game_id")
    if limit is not None:
        lines.append(f"LIMIT {limit:d}")
    return "\n".join(lines)


def condition(where: str) -> str:
    """A condition that may stand in brackets: one that ends in a comment gets a line of its own."""
    return f"{where}\n" if "--" in where else where


def choose(database: Database, where: str | None = None, query: str | None = None,
           limit: int | None = None) -> array[int]:
    """The numbers of the games that are meant, each once: in the order of the query, else in that of loading.

    Raises `NoGameIds` for SQL that gives or does something else, `kifu.store.errors.QueryError` for bad SQL.
    """
    only_asks(database, games_sql(where))
    if query is None:
        return array("q", [number for number, in database.query(games_sql(where, limit)).rows])
    known = {number for number, in database.query(games_sql(where)).rows}
    every = known if where is None else {number for number, in database.query(games_sql()).rows}
    only_asks(database, query)
    found: dict[int, None] = {}
    columns, rows = database.query(query)
    if not columns:
        raise NoGameIds("it gives no rows")
    for row in rows:
        number = row[0]
        if not isinstance(number, int) or isinstance(number, bool):
            raise NoGameIds(f"its first column, {columns[0]}, gives {number!r}")
        if number not in every:
            raise NoGameIds(f"there is no game {number}")
        if number in known:
            found[number] = None
            if limit is not None and len(found) == limit:
                break
    return array("q", found)


def only_asks(database: Database, sql: str) -> None:
    """Raises `NoGameIds` for SQL that does something else than choose games."""
    if does := database.leaves(sql):
        raise NoGameIds(f"{does} may write files or load others")
    if not database.chooses(sql):
        raise NoGameIds("it is no SELECT")


def fetch(database: Database, numbers: Sequence[int], columns: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """The rows of games in the order of their numbers: game_id, the format of the source, then the ``columns``.

    A column that an older database lacks is None.
    """
    present = {name for name, *_ in database.rows("DESCRIBE games")}
    wanted = ", ".join(f'g."{name}"' if name in present else "NULL" for name in columns)
    sql = (f"SELECT g.game_id, s.format, {wanted} FROM games g LEFT JOIN sources s USING (source_id)"
           " WHERE g.game_id BETWEEN $first AND $last AND g.game_id IN (SELECT unnest($numbers::INTEGER[]))")
    for at in range(0, len(numbers), AT_ONCE):
        part = list(numbers[at:at + AT_ONCE])
        found = {row[0]: row for row in database.rows(sql, {"first": min(part), "last": max(part), "numbers": part})}
        yield from [found[number] for number in part]
