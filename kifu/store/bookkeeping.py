"""What must hold between the tables of a database, and of its layout; see `kifu.store.verify`."""
from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from kifu.rules.position import Position
from kifu.store.database import Database
from kifu.store.reproof import Finding

#: Rows that a rule lets through are told one by one up to so many.
MOST_TOLD = 20

#: Table, what is wrong in words (with the columns of the query in it), and the query that finds it. A column game_id or
#: ply of the query says where.
RULES: tuple[tuple[str, str, str], ...] = (
    ("games", "there are {n} rows of this number", "SELECT game_id, count(*) AS n FROM games GROUP BY 1 HAVING n > 1"),
    ("games", "game_id is not a positive number", "SELECT game_id FROM games WHERE game_id < 1"),
    ("games", "its source {source_id} is not in sources",
     "SELECT game_id, source_id FROM games g ANTI JOIN sources s USING (source_id)"),
    ("games", "result is {result}; it is 1, 0, -1 or NULL",
     "SELECT game_id, result FROM games WHERE result NOT IN (1, 0, -1)"),
    ("games", "date_precision is {date_precision} for the date {date}",
     "SELECT game_id, date, date_precision FROM games WHERE (date IS NULL) <> (date_precision IS NULL)"
     " OR date_precision NOT IN ('year', 'month', 'day')"),
    ("games", "{what} has {n} entries for {plies} plies",
     "SELECT * FROM (SELECT game_id, plies, 'seconds' AS what, len(seconds) AS n FROM games UNION ALL"
     " SELECT game_id, plies, 'evals', len(evals) FROM games UNION ALL"
     " SELECT game_id, plies + 1, 'comments', len(comments) FROM games) WHERE n > plies"),
    ("copies", "it is not in games", "SELECT DISTINCT game_id FROM copies ANTI JOIN games USING (game_id)"),
    ("copies", "its source {source_id} is not in sources",
     "SELECT game_id, source_id FROM copies ANTI JOIN sources USING (source_id)"),
    ("rejects", "source {source_id} is not in sources",
     "SELECT DISTINCT source_id FROM rejects ANTI JOIN sources USING (source_id)"),
    ("sources", "there are {n} rows of source {source_id}",
     "SELECT source_id, count(*) AS n FROM sources GROUP BY 1 HAVING n > 1"),
    ("sources", "there are {n} rows of the path {path}",
     "SELECT path, count(*) AS n FROM sources GROUP BY 1 HAVING n > 1"),
    ("sources", "source {source_id} is of batch {batch_id}, which is not in batches",
     "SELECT source_id, batch_id FROM sources ANTI JOIN batches USING (batch_id)"),
    ("sources", "source {source_id} brought {found} games, and games_ok is {games_ok}",
     "SELECT source_id, games_ok, coalesce(g.n, 0) + coalesce(c.n, 0) AS found FROM sources"
     " LEFT JOIN (SELECT source_id, count(*) AS n FROM games GROUP BY 1) g USING (source_id)"
     " LEFT JOIN (SELECT source_id, count(*) AS n FROM copies GROUP BY 1) c USING (source_id)"
     " WHERE games_ok IS DISTINCT FROM found"),
    ("sources", "source {source_id} has {found} rejects, and games_rejected is {games_rejected}",
     "SELECT source_id, games_rejected, coalesce(n, 0) AS found FROM sources"
     " LEFT JOIN (SELECT source_id, count(*) AS n FROM rejects GROUP BY 1) USING (source_id)"
     " WHERE games_rejected IS DISTINCT FROM found"),
    ("game_tags", "it is not in games", "SELECT DISTINCT game_id FROM game_tags ANTI JOIN games USING (game_id)"),
    ("game_tags", "the tag {tag} is told of ply {ply}, and the game has {plies}",
     "SELECT game_id, tag, t.ply, plies FROM game_tags t JOIN games USING (game_id)"
     " WHERE t.ply IS NULL OR t.ply NOT BETWEEN 0 AND plies"),
    ("game_tags", "the tag {tag} is told of {side}, {kind}",
     "SELECT game_id, tag, side, kind FROM game_tags WHERE side IS NULL OR kind IS NULL"
     " OR side NOT IN ('black', 'white', 'both') OR kind NOT IN ('castle', 'opening', 'tesuji', 'note')"),
    ("game_tags", "the tag {tag} stands {n} times for {side}",
     "SELECT game_id, side, tag, count(*) AS n FROM game_tags GROUP BY ALL HAVING n > 1"),
    ("boards", "it is not in games", "SELECT DISTINCT game_id FROM boards ANTI JOIN games USING (game_id)"),
    ("meta", "openings is {value}; it is fresh or stale",
     "SELECT value FROM meta WHERE key = 'openings' AND value NOT IN ('fresh', 'stale') UNION ALL"
     " SELECT 'missing' WHERE NOT EXISTS (FROM meta WHERE key = 'openings')"),
    ("macros", "start_key() is {found}, and the usual start position has {wanted}",
     "SELECT start_key() AS found, {start_key} AS wanted WHERE found <> wanted"),
)

_LAYOUT = {
    "column": "SELECT table_name || '.' || column_name, data_type FROM duckdb_columns()"
              " WHERE database_name = current_database() AND NOT internal",
    "view": "SELECT view_name, sql FROM duckdb_views() WHERE database_name = current_database() AND NOT internal",
    "function": "SELECT function_name, string_agg(macro_definition, ' | ' ORDER BY macro_definition)"
                " FROM duckdb_functions() WHERE database_name = current_database() AND NOT internal GROUP BY 1",
}


@cache
def _wanted() -> dict[str, dict[str, str]]:
    """The layout of a new database."""
    with Database.memory() as new:
        return {what: dict(new.rows(f"{question} ORDER BY ALL")) for what, question in _LAYOUT.items()}


def layout(database: Database) -> Iterator[Finding]:
    """Where tables, views and functions are not those that this version makes; further ones do no harm."""
    for what, wanted in _wanted().items():
        found = dict(database.rows(_LAYOUT[what]))
        for name, definition in wanted.items():
            if name not in found:
                yield Finding("meta", f"the {what} {name} is missing")
            elif found[name] != definition:
                yield Finding("meta", f"the {what} {name} is not the one that this version makes")


def bookkeeping(database: Database) -> Iterator[Finding]:
    """Rows that refer to rows that are not there, counts that do not add up, values that no loader writes."""
    for table, words, question in RULES:
        question = question.replace("{start_key}", f"{Position().key()}::BIGINT")
        columns, rows = database.query(question)
        count = 0
        for row in rows:
            count += 1
            if count <= MOST_TOLD:
                told = dict(zip(columns, row, strict=True))
                yield Finding(table, words.format_map(told), told.get("game_id"),
                              told.get("ply") if "{ply}" not in words else None)
        if count > MOST_TOLD:
            yield Finding(table, f"{count - MOST_TOLD:,d} more rows like these")
