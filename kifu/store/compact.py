"""Compaction: the same database in a new file, without the gaps, and with ``plies`` sorted by key as a whole.

A load appends each batch sorted by itself, and DuckDB never gives space back to the disk. `compact` writes everything
into a new file beside the old one, reads it back, and only then puts it in the place of the old one. Whatever happens
before that (a full disk, Control-C, a kill) leaves the old file as it was; what a killed compaction leaves beside it is
removed by the next one.
"""
from __future__ import annotations

import errno
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from kifu._tuples import NamedTuple
from kifu.store.database import SCHEMA_VERSION, Database, no_room
from kifu.store.derive import derive
from kifu.store.errors import DatabaseChanged, DatabaseUnusable, DiskFull, StoreError
from kifu.store.literals import name as quoted
from kifu.store.literals import text as literal

#: Tables that are kept in an order of their own; the others stay in the order in which they were written.
ORDER = {"plies": "key, move, game_id, ply", "openings": "key, games DESC, move", "boards": "game_id, ply"}


class Compaction(NamedTuple):
    """What was done: sizes of the file in bytes, and the versions of its tables."""

    before: int
    after: int
    found_version: int
    version: int


def compact(path: str | os.PathLike[str]) -> Compaction:
    """Compact a database; one of an earlier version is brought up to date, and what is stale of it is derived again.

    Needs as much free space beside the file as the file is large. Raises the errors of `Database.open`, and
    `DatabaseUnusable` or `DatabaseChanged` where it could not be done; the file is as it was then.
    """
    name = os.fspath(path)
    old = Path(name)
    if old.is_symlink():  # a link stays a link
        old = old.resolve()
    with Database.open(old) as database:  # is it one of ours, and may we?
        found = database.found_version
    _remove_leftovers(old)
    part = old.with_name(f"{old.name}.compact-{os.getpid()}")
    try:
        _writable(old)
        Database.fold_log(old)
        before = old.stat()
        with Database.workbench(f"{part}.tmp") as bench:
            bench.run(f"ATTACH {literal(str(old))} AS before (READ_ONLY)")  # from here on nobody can write to it
            _unchanged(old, before)
            _copy(bench, part)
            with Database.open(part, write=True) as database:
                derive(database)
                database.run("CHECKPOINT")
            _keep_owner(part, before)
            _sync(part)
            after = part.stat().st_size
            _unchanged(old, before)
            part.replace(old)
            _sync(old.parent)
    except OSError as error:
        kind = DiskFull if error.errno in (errno.ENOSPC, errno.EFBIG, errno.EDQUOT) else DatabaseUnusable
        raise kind(name, f"it cannot be compacted: {error.strerror or error}") from error
    except DatabaseUnusable as error:
        detail = error.detail if error.path == str(old) else f"the compacted copy could not be written: {error.detail}"
        raise type(error)(name, detail) from error
    finally:
        _remove(part)
    return Compaction(before.st_size, after, found, SCHEMA_VERSION)


def _copy(bench: Database, part: Path) -> None:
    """Everything that ``before`` holds into a new file, read back and compared."""
    _remove(part)
    try:
        bench.run(f"ATTACH {literal(str(part))} AS after")
        bench.run("COPY FROM DATABASE before TO after (SCHEMA)")
        tables = bench.rows("SELECT schema_name, table_name FROM duckdb_tables()"
                            " WHERE database_name = 'before' AND NOT internal ORDER BY table_oid")
        for schema, table in tables:
            place = f"{quoted(schema)}.{quoted(table)}"
            order = f" ORDER BY {ORDER[table]}" if schema == "main" and table in ORDER else ""
            bench.work(f"INSERT INTO after.{place} FROM before.{place}{order}")
        bench.work("CHECKPOINT after")
        for schema, table in tables:
            place = f"{quoted(schema)}.{quoted(table)}"
            content = "SELECT count(*), sum(hash(one)) FROM {}.{} AS one"
            if bench.work(content.format("before", place)) != bench.work(content.format("after", place)):
                raise DatabaseUnusable(str(part), f"the table {table} does not read back as it was written")
        bench.run("DETACH after")
    except DatabaseUnusable:
        raise
    except StoreError as error:
        detail = re.sub(r"^.*Original error: |^[\w ]+ Error: ", "", str(error).split("\n", 1)[0]).rstrip(".")
        raise (DiskFull if no_room(detail) else DatabaseUnusable)(str(part), detail) from error


def _unchanged(old: Path, before: os.stat_result) -> None:
    """Refuse to go on where somebody has written to the file, or put another one in its place, since we looked."""
    now = old.stat()
    if (now.st_ino, now.st_dev, now.st_size, now.st_mtime_ns) != (
            before.st_ino, before.st_dev, before.st_size, before.st_mtime_ns) or Path(f"{old}.wal").exists():
        raise DatabaseChanged(str(old))


def _writable(old: Path) -> None:
    """Refuse a file that may not be written to, though its folder would let us replace it."""
    with old.open("r+b"):
        pass


def _keep_owner(part: Path, before: os.stat_result) -> None:
    part.chmod(before.st_mode & 0o7777)
    if hasattr(os, "chown"):
        with suppress(PermissionError):
            os.chown(part, before.st_uid, before.st_gid)


def _sync(path: Path) -> None:
    """Have a file, or a folder's list of names, on the disk itself."""
    if path.is_dir() and os.name == "nt":
        return
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# --- what is left behind

def _remove_leftovers(old: Path) -> None:
    """Remove what processes that are no more left beside the database: halves of compactions and of new files."""
    for part, process in _leftovers(old):
        if not _alive(process):
            _remove(part)


def _leftovers(old: Path) -> Iterator[tuple[Path, int]]:
    names = re.compile(re.escape(old.name) + r"\.(?:compact|new)-(\d+)")
    with suppress(OSError):
        for name in sorted(os.listdir(old.parent)):
            if match := names.fullmatch(name.removesuffix(".wal").removesuffix(".tmp")):
                yield old.with_name(match[0]), int(match[1])


def _alive(process: int) -> bool:
    """Whether there is a process of this number; where that cannot be told, yes."""
    if os.name == "nt":  # there os.kill ends the process, whatever the signal
        return True
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # somebody else's
        return True
    return True


def _remove(part: Path) -> None:
    """Remove an unfinished file with its log and its spilled data."""
    with suppress(OSError):
        part.unlink(missing_ok=True)
        Path(f"{part}.wal").unlink(missing_ok=True)
    shutil.rmtree(f"{part}.tmp", ignore_errors=True)
