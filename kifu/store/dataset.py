"""A database as a folder of Parquet files: what is in the folder, and how it is opened like a database.

====================================== ===========================================================================
``manifest.json``                      what the folder is, and all files of each table, so that nothing else is read
``plies/ID-00000.parquet``, ...        one folder a table, one or more files in it. ``ID`` is another one each time a
``games/ID-00000.parquet``, ...        dataset is written: no reader takes files of two datasets for one
====================================== ===========================================================================

Columns are those of schema.sql. Rows are sorted as `TABLES` says, over the files in the order of their names: a
position is found by reading a few row groups of ``plies``. Whoever writes such a folder (`kifu.store.publish`, a
cluster) writes the manifest last. A table without files is empty.
"""
from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from kifu.store.errors import DatabaseUnusable, NotADatabase, StoreError
from kifu.store.literals import name as quoted
from kifu.store.literals import text as literal

if TYPE_CHECKING:
    from kifu.store.database import Database

MANIFEST = "manifest.json"
FORMAT, LAYOUT = "kifu dataset", 1
#: The tables of a dataset and how their rows are sorted.
TABLES = {
    "meta": "key", "batches": "batch_id", "sources": "source_id", "games": "game_id",
    "copies": "game_id, source_id, source_offset", "plies": "key, move, game_id, ply",
    "game_tags": "game_id, side, kind, tag", "openings": "key, games DESC, move",
    "rejects": "source_id, game_no, line, col", "boards": "game_id, ply", "named_positions": "key, tag, parent",
    "tag_names": "tag",
    "contained": "game_id, longer_id",
}
#: How often a dataset is opened anew that is replaced while it is being opened.
_PATIENCE = 5
_COMMENT = re.compile(r"^COMMENT ON (TABLE|VIEW|COLUMN) (\S+)( IS '(?:[^']|'')*';)\n", re.MULTILINE)


class DatasetReadOnly(StoreError):
    """A dataset was to be written into."""

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(f"{path} is a folder of Parquet files, which is only read. Load into a database file and "
                         "export that again.")


@dataclass(slots=True)
class Table:
    """The files of a table, as paths from the dataset's folder, and how many rows they have together."""

    rows: int = 0
    files: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Manifest:
    """What a dataset is: the versions it was written in, as in the table ``meta``, and its tables."""

    id: str
    schema_version: int
    position_key: str
    move_encoding: str
    tool_version: str
    written_at: str
    tables: dict[str, Table]

    @classmethod
    def read(cls, folder: str | os.PathLike[str]) -> Self:
        """The manifest of a dataset. Raises `NotADatabase` or, where there is no manifest, `DatabaseUnusable`."""
        name = os.fspath(folder)
        try:
            found = json.loads((Path(name) / MANIFEST).read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise DatabaseUnusable(name, f"it is a directory without the {MANIFEST} of a dataset") from None
        except (OSError, ValueError, RecursionError) as error:
            raise NotADatabase(name, f"its {MANIFEST} cannot be read ({error})") from error
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            raise NotADatabase(name, f"its {MANIFEST} is not that of a kifu dataset")
        if found.get("layout") != LAYOUT:
            raise NotADatabase(name, f"its layout is {found.get('layout')!r}, this version reads {LAYOUT}")
        try:
            tables = {str(table): Table(int(one["rows"]), [_inside(name, path) for path in one["files"]])
                      for table, one in found["tables"].items()}
            return cls(str(found["id"]), int(found["schema_version"]), str(found["position_key"]),
                       str(found["move_encoding"]), str(found["tool_version"]), str(found["written_at"]), tables)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise NotADatabase(name, f"its {MANIFEST} is damaged ({type(error).__name__}: {error})") from error

    def text(self) -> str:
        """The same as it is written."""
        told: dict[str, Any] = {"format": FORMAT, "layout": LAYOUT}
        told |= {name: getattr(self, name) for name in ("id", "schema_version", "position_key", "move_encoding",
                                                        "tool_version", "written_at")}
        told["tables"] = {name: {"rows": table.rows, "files": table.files} for name, table in self.tables.items()}
        return json.dumps(told, indent=1) + "\n"

    def files(self) -> list[str]:
        """All files of the dataset besides the manifest, as paths from its folder."""
        return [path for table in self.tables.values() for path in table.files]


def attach(database: Database, folder: str) -> None:
    """Make of an empty database in memory one that shows a dataset: its tables are views over the files.

    Columns that the files lack are NULL, those of other types (a cluster has no unsigned numbers) are cast. One that is
    replaced meanwhile is opened anew.
    """
    from kifu.store.database import sql_file

    schema = sql_file("schema.sql")
    database.run(sql_file("macros.sql"))
    database.run(_COMMENT.sub("", schema))  # comments are for the views
    columns: dict[str, dict[str, str]] = {}
    for table, name, kind in database.rows("SELECT table_name, column_name, data_type FROM duckdb_columns()"
                                           " WHERE schema_name = 'main' AND NOT internal ORDER BY column_index"):
        columns.setdefault(table, {})[name] = kind
    views: set[str] = set()
    for attempt in range(_PATIENCE):
        manifest = Manifest.read(folder)
        try:
            for table in TABLES:
                _show(database, table, columns[table], _files(manifest, folder, table), views)
            break
        except StoreError as error:
            if attempt + 1 == _PATIENCE or Manifest.read(folder).id == manifest.id:
                raise NotADatabase(folder, f"a file of it cannot be read ({str(error).splitlines()[0]})") from error
    comments = [f"COMMENT ON {'VIEW' if what == 'TABLE' and name in views else what} {name}{rest}"
                for what, name, rest in _COMMENT.findall(schema)]
    database.run("\n".join(comments))


def _show(database: Database, table: str, wanted: dict[str, str], files: list[str], views: set[str]) -> None:
    """Put a view in the place of a table, or of an earlier view; a table without files stays, empty as it is."""
    if files:
        source = f"read_parquet([{', '.join(map(literal, files))}], union_by_name := true)"
        found = {name: kind for name, kind, *_ in database.rows(f"DESCRIBE SELECT * FROM {source}")}
    elif table in views:
        source, found = "(SELECT 1 WHERE false)", {}
    else:
        return
    picked = ", ".join(_picked(name, kind, found.get(name)) for name, kind in wanted.items())
    database.run(f"DROP {'VIEW' if table in views else 'TABLE'} {table};\n"
                 f"CREATE VIEW {table} AS SELECT {picked} FROM {source}")
    views.add(table)


def _picked(name: str, wanted: str, found: str | None) -> str:
    if found == wanted:
        return quoted(name)
    if found is None:
        return f"NULL::{wanted} AS {quoted(name)}"
    value = f"hex({quoted(name)})" if wanted == "UUID" and found == "BLOB" else quoted(name)
    return f"{value}::{wanted} AS {quoted(name)}"


def _files(manifest: Manifest, folder: str, table: str) -> list[str]:
    root = Path(folder).resolve()
    return [str(root / path) for path in manifest.tables[table].files] if table in manifest.tables else []


def _inside(folder: str, path: Any) -> str:
    """A path of the manifest, which must not lead out of the folder."""
    if not isinstance(path, str) or os.path.isabs(path) or ".." in Path(path).parts or "\0" in path:
        raise ValueError(f"{path!r} is no file of {folder}")
    return path
