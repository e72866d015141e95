"""Writing a dataset (`kifu.store.dataset`): all tables of a database as Parquet, in their place all at once.

The files are written into a folder beside the wanted one, which takes its name when it is whole. A dataset that is
there already changes places with the new one in one step of the file system, and is removed afterwards; so there is one
whole dataset at any moment, whatever kills the process. What a killed one leaves beside it the next one clears away.
"""
from __future__ import annotations

import datetime
import errno
import os
import re
import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from kifu.store.database import SCHEMA_VERSION, Database
from kifu.store.dataset import MANIFEST, TABLES, Manifest, Table
from kifu.store.errors import DatabaseUnusable, NotADatabase, StoreError
from kifu.store.exchange import exchange
from kifu.store.literals import text as literal

#: Rows of a file at most: what is sorted at a time. Files are ranges of keys, so this holds for ``plies`` alone.
FILE_ROWS = 12_000_000
ROW_GROUP = 122_880
#: What sorting may hold in memory before it uses the disk.
MEMORY = "1GB"
#: Says that a folder is one that we have not finished.
_MARK = ".kifu-unfinished"
_LOWEST, _SPAN = -(1 << 63), 1 << 64

#: Takes rows that were written since it last heard.
Progress = Callable[[int], None]


class DatasetExists(StoreError):
    """There is a dataset in the place of the one to be written."""

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(f"{path} holds a dataset already; --force replaces it.")


class FolderInUse(StoreError):
    """The place of the dataset is taken by something that is none, or by a dataset and other files."""

    def __init__(self, path: str, what: str) -> None:
        self.path = path
        super().__init__(f"{path} {what}. Nothing was changed; name another folder.")


def publish(database: Database, folder: str | os.PathLike[str], force: bool = False,
            progress: Progress | None = None) -> Manifest:
    """Write all tables of a database into ``folder``; ``force`` replaces the dataset that is there.

    Raises `DatasetExists`, `FolderInUse`, and `StoreError` where the disk is full or the folder cannot be written.
    """
    with prepared(folder, force) as staging:
        return _write(database, staging, progress)


@contextmanager
def prepared(folder: str | os.PathLike[str], force: bool = False) -> Iterator[Path]:
    """A folder to write a dataset into, its manifest last; at the end of the block it takes the name of ``folder``.

    Raises as `publish` does. Where the block raises, nothing is changed.
    """
    target = Path(os.path.realpath(folder))
    check(target, force)
    _clear(target)
    staging = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        staging.mkdir()
        (staging / _MARK).touch()
        yield staging
        (staging / _MARK).unlink()
        _settle(staging, target, force)
    except OSError as error:
        raise StoreError(f"{os.fspath(folder)} cannot be written: {error.strerror or error}.") from error
    finally:
        _remove(staging)


def check(target: str | os.PathLike[str], force: bool) -> None:
    """Refuse a place that must not be written to."""
    path = Path(target)
    name = str(path)
    if not path.exists():
        if not path.resolve().parent.is_dir():
            raise FolderInUse(name, f"cannot be made: there is no folder {path.resolve().parent}")
        return
    if not path.is_dir():
        raise FolderInUse(name, "is a file, not a folder")
    if not any(path.iterdir()):
        return
    try:
        manifest = Manifest.read(path)
    except (DatabaseUnusable, NotADatabase):
        raise FolderInUse(name, "holds other files than those of a dataset") from None
    if foreign := _foreign(path, manifest):
        raise FolderInUse(name, f"holds a dataset and files that are not of it ({foreign[0]})")
    if not force:
        raise DatasetExists(name)


# --- the files ------------------------------------------------------------------------------------------------------
def _write(database: Database, staging: Path, progress: Progress | None) -> Manifest:
    meta = dict(database.rows("SELECT key, value FROM meta"))
    manifest = Manifest(secrets.token_hex(4), int(meta.get("schema_version", SCHEMA_VERSION)), meta["position_key"],
                        meta["move_encoding"], meta.get("tool_version", ""),
                        datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"), {})
    with _sorting(database, staging):
        for table, order in _present(database):
            rows = int(database.value(f"SELECT count(*) FROM {table}"))
            if rows or table != "boards":
                manifest.tables[table] = _write_table(database, staging, manifest.id, table, order, rows, progress)
    (staging / MANIFEST).write_text(manifest.text(), encoding="utf-8")
    return manifest


def _write_table(database: Database, staging: Path, name: str, table: str, order: str, rows: int,
                 progress: Progress | None) -> Table:
    (staging / table).mkdir()
    parts = max(1, -(-rows // FILE_ROWS)) if table == "plies" else 1
    written = Table(rows)
    total = 0
    for part in range(parts):
        path = f"{table}/{name}-{part:05}.parquet"
        first, last = _LOWEST + _SPAN * part // parts, _LOWEST + _SPAN * (part + 1) // parts - 1
        chosen = f" WHERE key BETWEEN {first} AND {last}" if parts > 1 else ""
        count = int(next(database.query(
            f"COPY (SELECT * FROM {table}{chosen} ORDER BY {order}) TO {literal(str(staging / path))}"
            f" (FORMAT parquet, PARQUET_VERSION v2, COMPRESSION zstd, ROW_GROUP_SIZE {ROW_GROUP})").rows)[0])
        _synchronise(staging / path)
        written.files.append(path)
        total += count
        if progress is not None:
            progress(count)
    if total != rows:
        raise StoreError(f"{total} of the {rows} rows of {table} were written.")
    _synchronise(staging / table)
    return written


def _present(database: Database) -> list[tuple[str, str]]:
    """The tables that the database has, an older one not all of them."""
    found = {name for name, in database.rows("SELECT table_name FROM information_schema.tables"
                                             " WHERE table_schema = 'main'")}
    return [(table, order) for table, order in TABLES.items() if table in found]


@contextmanager
def _sorting(database: Database, staging: Path) -> Iterator[None]:
    """Large sorts use the disk where the files go, and are gone with it."""
    before = database.value("SELECT current_setting('memory_limit')")
    database.run(f"SET memory_limit = '{MEMORY}'")
    with suppress(StoreError):  # in use already: then it stays where it is
        database.run(f"SET temp_directory = {literal(str(staging / '.sorting'))}")
    try:
        yield
    finally:
        with suppress(StoreError):
            database.run(f"SET memory_limit = {literal(before)}")
        shutil.rmtree(staging / ".sorting", ignore_errors=True)


# --- their place ----------------------------------------------------------------------------------------------------
def _settle(staging: Path, target: Path, force: bool) -> None:
    """Give the finished folder its name. What had the name before has that of the staging folder afterwards."""
    _synchronise(staging / MANIFEST)
    _synchronise(staging)
    check(target, force)  # again: writing took a while
    try:
        os.rename(staging, target)  # there is nothing, or an empty folder
    except OSError as error:
        if error.errno not in (errno.ENOTEMPTY, errno.EEXIST, errno.EACCES) or not target.is_dir():
            raise
        check(target, force)
        exchange(staging, target)
    _synchronise(target.parent)


def _clear(target: Path) -> None:
    """Remove what killed processes left beside the target."""
    ours = re.compile(re.escape(f".{target.name}.") + r"(\d{1,10})\.part")
    for path in target.parent.iterdir():
        match = ours.fullmatch(path.name)
        if match and path.is_dir() and not path.is_symlink() and not _runs(int(match[1])):
            _remove(path)


def _remove(folder: Path) -> None:
    """Remove a folder that we began or a dataset that was replaced, and nothing else."""
    if (folder / _MARK).exists():
        shutil.rmtree(folder, ignore_errors=True)
        return
    with suppress(StoreError, OSError):
        for path in Manifest.read(folder).files():
            (folder / path).unlink(missing_ok=True)
        for inner in folder.iterdir():
            if inner.is_dir():
                with suppress(OSError):
                    inner.rmdir()  # unless somebody has put something into it
        if {inner.name for inner in folder.iterdir()} == {MANIFEST}:
            (folder / MANIFEST).unlink()
    with suppress(OSError):
        folder.rmdir()


def _foreign(folder: Path, manifest: Manifest) -> list[str]:
    """The files in a dataset's folder that are not of the dataset."""
    known = {MANIFEST, *manifest.files()}
    return sorted(path for inner in folder.rglob("*") if not inner.is_dir()
                  and (path := inner.relative_to(folder).as_posix()) not in known)


def _runs(pid: int) -> bool:
    """Whether a process is at work; where that cannot be told, that it is."""
    if os.name != "posix" or pid == os.getpid():
        return os.name != "posix"
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _synchronise(path: Path) -> None:
    """Wait until a file, or the list of files of a folder, is on the disk."""
    try:
        handle = os.open(path, os.O_RDONLY)
    except PermissionError:  # Windows opens no folders
        return
    try:
        with suppress(OSError):
            os.fsync(handle)
    finally:
        os.close(handle)


__all__ = ["DatasetExists", "FolderInUse", "check", "prepared", "publish"]
