"""Databases as earlier versions of kifu left them: their own schema and macros from git, and rows that they wrote."""
from __future__ import annotations

from pathlib import Path

import duckdb

HERE = Path(__file__).parent / "versions"
VERSIONS = (1, 2)


def make(path: Path, version: int) -> None:
    """Make the database of a version: four games of three files, of which game 2 is the beginning of game 1."""
    with duckdb.connect(str(path)) as connection:
        for name in ("macros_1.sql", f"schema_{version}.sql", f"rows_{version}.sql"):
            connection.execute((HERE / name).read_text(encoding="utf-8"))


def contents(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table, by the columns that there are."""
    with duckdb.connect(str(path), read_only=True) as connection:
        tables = connection.execute("SELECT table_name FROM duckdb_tables() ORDER BY ALL").fetchall()
        return {table: connection.execute(f"FROM {table} ORDER BY ALL").fetchall() for table, in tables}
