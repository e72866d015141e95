"""What SQL is let through where a database is only to be asked: nothing that writes files or fetches others."""
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kifu.store import books, errors
from kifu.store.chosen import NoGameIds, choose
from kifu.store.database import Database


@pytest.fixture(scope="module")
def database() -> Iterator[Database]:
    with Database.memory() as opened:
        yield opened


@pytest.mark.parametrize("sql", [
    "", "-- copy", "SELECT 1", "FROM games", "VALUES (1)", "DESCRIBE games", "SHOW TABLES", "SUMMARIZE games",
    "PRAGMA table_info('games')", "PRAGMA version", "CALL pragma_version()", "EXPLAIN ANALYZE SELECT 1",
    "PREPARE a AS SELECT 1", "PIVOT games ON result USING count(*)", "CREATE TEMP TABLE a AS SELECT 1",
    "SET threads = 2", "SET SESSION memory_limit = '1GB'", "SET TIME ZONE 'UTC'", "SET VARIABLE profiling_output = 3",
    "RESET threads", "USE memory", "SELECT 'COPY' AS load",
])
def test_let_through(database: Database, sql: str) -> None:
    assert database.leaves(sql) is None


@pytest.mark.parametrize(("sql", "told"), [
    ("COPY games TO 'x'", "COPY"), ("COPY (PIVOT games ON result) TO 'x'", "COPY"), ("EXPORT DATABASE 'x'", "EXPORT"),
    ("EXPLAIN ANALYZE COPY games TO 'x'", "COPY"), ("ATTACH 'x' AS y", "ATTACH"),
    ("IMPORT DATABASE 'x'", "IMPORT DATABASE"),
    ("INSTALL httpfs", "INSTALL"), ("FORCE INSTALL httpfs", "INSTALL"), ("LOAD httpfs", "LOAD"),
    ("UPDATE EXTENSIONS", "UPDATE EXTENSIONS"), ("EXPLAIN ANALYZE INSTALL httpfs", "INSTALL"),
    ("SET enable_profiling = 'json'", "enable_profiling"), ("PRAGMA enable_profiling", "enable_profiling"),
    ("SET/**/profiling_output = 'x'", "SET profiling_output"),
    ("PRAGMA profiling_output = 'x'", "PRAGMA profiling_output"),
    ("set global log_query_path to 'x'", "SET log_query_path"), ("SET temp_directory = 'x'", "SET temp_directory"),
    ("SET autoinstall_known_extensions = true", "SET autoinstall_known_extensions"),
    ("CALL enable_logging(storage = 'file', storage_path = 'x')", "enable_logging"),
    ("SELECT 1; FROM enable_logging(storage = 'file', storage_path = 'x')", "enable_logging"),
    ("CREATE PERSISTENT SECRET s (TYPE http)", "CREATE SECRET"), ("DROP /* a */ SECRET s", "DROP SECRET"),
])
def test_refused(database: Database, sql: str, told: str) -> None:
    assert database.leaves(sql) == told


def test_no_sql(database: Database) -> None:
    with pytest.raises(errors.QueryError):
        database.leaves("COPI games")


def test_extensions_are_not_fetched(database: Database) -> None:
    assert database.value("SELECT current_setting('autoinstall_known_extensions')::VARCHAR") == "false"


@pytest.mark.parametrize("query", [
    "COPY games TO '{place}'", "SELECT game_id FROM games; COPY games TO '{place}'", "CREATE TEMP TABLE a AS SELECT 1 AS b",
])
def test_games_are_only_chosen(database: Database, tmp_path: Path, query: str) -> None:
    """And the number of rows that were written is no game."""
    with pytest.raises(NoGameIds):
        choose(database, query=query.format(place=tmp_path / "x.csv"))
    assert not list(tmp_path.iterdir())


def test_conditions_are_only_asked(database: Database, tmp_path: Path) -> None:
    """Whatever brackets they close."""
    where = f"true); COPY games TO '{tmp_path / 'x.csv'}'; SELECT (1"
    with pytest.raises(NoGameIds):
        choose(database, where=where)
    where = f"true)) SELECT 1, 2, 3, 4, 5; COPY games TO '{tmp_path / 'x.csv'}'; WITH a AS (SELECT (1"
    with pytest.raises((NoGameIds, errors.QueryError)):
        books.book(database, books.Choice(where=where))
    assert not list(tmp_path.iterdir())
