"""A kifu database: one DuckDB file with the tables of schema.sql. The only module that imports duckdb.

Who opens one must close it (it is a context manager): while a process holds a database open for writing, no other
process can open it at all, and while one reads, no other can write. Every DuckDB error leaves here as a `StoreError`.

>>> with Database.memory() as database:
...     columns, rows = database.query("SELECT usi(7739) AS move, 1 AS n")
...     columns, list(rows)
(['move', 'n'], [('7g7f', 1)])
"""
from __future__ import annotations

import errno
import os
import queue
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib.resources import files
from itertools import count
from pathlib import Path
from typing import Any, Self, TypeVar

from kifu._tuples import NamedTuple
import duckdb

from kifu import __version__
from kifu.store import errors, functions, literals
from kifu.store.moves import ENCODING as MOVE_ENCODING

SCHEMA_VERSION = 3
#: Name and version of the constants behind ``plies.key`` (kifu/rules/zobrist.py); part of the file format.
POSITION_KEY = "kifu-zobrist-64 v1"
#: What a writer may hold in memory before DuckDB uses the disk, and how many threads share it at most: long loads stay
#: flat.
WRITER_MEMORY, WRITER_THREADS = "512MB", 4
#: How long the log of a writer may become before it is worked into the tables. Each time that is done, the last and
#: largest part of every table is written anew; DuckDB's own 16 MB would have it done with every other batch of a load.
WRITER_LOG = "128MB"
ROWS_AT_A_TIME = 1024

T = TypeVar("T")
Parameters = Mapping[str, Any] | Sequence[Any] | None


class Result(NamedTuple):
    """What a query gives: the names of its columns, and its rows, which stream and can be read once."""

    columns: list[str]
    rows: Iterator[tuple[Any, ...]]


class Database:
    """An open database. Make one with `open`, `create_or_open` or `memory`."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, path: str, writable: bool) -> None:
        self._connection = connection
        self.path = path
        self.writable = writable
        connection.execute("SET autoinstall_known_extensions = false")  # only where somebody says INSTALL
        #: The version of the tables as they were found; one that is opened for writing is brought up to date.
        self.found_version = SCHEMA_VERSION
        self._bare = False  # the macros on positions are not made yet; they are when a query names one
        self._functions: set[str] = set()  # of `kifu.store.functions`, those that DuckDB was given
        self._giver: duckdb.DuckDBPyConnection | None = None
        self._place = _place(path) if path != ":memory:" else None
        self._lags = False  # an earlier version made it, and it may not be brought up to date

    # --- opening and closing

    @classmethod
    def open(cls, path: str | os.PathLike[str], write: bool = False,
             derive: Callable[[Database], None] | None = None) -> Self:
        """Open an existing database, read-only unless told otherwise.

        Tables of an earlier version are brought up to date where that is allowed, and then ``derive`` is called, in the
        same transaction: both are done or neither.

        Raises `errors.DatabaseMissing`, `DatabaseLocked`, `DatabaseNewer`, `NotADatabase` or `DatabaseUnusable`.
        """
        name = os.fspath(path)
        if not Path(name).exists():
            raise errors.DatabaseMissing(name)
        folder = Path(name).is_dir()  # a dataset of Parquet files, see kifu.store.dataset
        if not folder and not Path(name).is_file():
            raise errors.NotADatabase(name, "it is a device, a pipe or a socket")
        opened = cls(duckdb.connect(), name, False) if folder else cls(_connect(name, write), name, write)
        try:
            if folder:
                _attach(opened, name, write)
            opened._check(derive)
        except BaseException:
            opened.close()
            raise
        return opened

    @classmethod
    def create_or_open(cls, path: str | os.PathLike[str]) -> Self:
        """Open a database for writing; make it first where there is none (or an empty file).

        A new file appears under its name only when it is whole, so that no moment exists at which a kill leaves
        something that cannot be opened.
        """
        name = os.fspath(path)
        target = Path(name)
        try:
            if not target.exists() or (target.is_file() and target.stat().st_size == 0):
                _create(target)
        except OSError as error:
            raise errors.DatabaseUnusable(name, _plain(error)) from error
        return cls.open(name, write=True)

    @classmethod
    def memory(cls) -> Self:
        """A database without a file, with the same tables and macros; gone when it is closed.

        The macros on positions, which take DuckDB a tenth of a second, are made when a query names one.
        """
        opened = cls(duckdb.connect(), ":memory:", True)
        opened._lay_out(positions=False)
        opened._bare = True
        return opened

    @classmethod
    def workbench(cls, spill: str | os.PathLike[str]) -> Self:
        """No database of its own: one to attach files to, with the limits of a writer.

        ``spill`` is the folder for what does not fit in memory; it is made when it is needed and goes again.
        """
        opened = cls(_connect(":memory:", True), ":memory:", True)
        opened.run(f"SET temp_directory = {literals.text(os.fspath(spill))}")
        return opened

    @classmethod
    def fold_log(cls, path: str | os.PathLike[str]) -> None:
        """Work what an interrupted writer left in its log into the file, as the next writer would."""
        name = os.fspath(path)
        if Path(f"{name}.wal").exists():
            with cls(_connect(name, True), name, True) as opened:
                opened.run("CHECKPOINT")

    def close(self) -> None:
        """Let go of the file. Open results end with an error; closing twice does nothing."""
        with suppress(duckdb.Error):
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- asking

    def query(self, sql: str, parameters: Parameters = None) -> Result:
        """Run SQL and stream what its last statement gives. Any number of results may be open at a time.

        Raises `errors.QueryError`, also while rows are read: results are computed as they are fetched.
        """
        cursor = self._connection.cursor()
        try:
            with self._errors(sql):
                self._provide(sql)
                if not cursor.extract_statements(sql):  # nothing but blanks and comments
                    return Result([], iter(()))
                _patiently(cursor, lambda: cursor.execute(sql, parameters))
                columns = [column[0] for column in cursor.description]
        except BaseException:
            cursor.close()
            raise
        return Result(columns, self._rows(cursor, sql))

    def rows(self, sql: str, parameters: Parameters = None) -> list[tuple[Any, ...]]:
        """All rows of a query at once, inside the transaction that is open (unlike `query`)."""
        with self._errors(sql):
            self._provide(sql)
            return self._connection.execute(sql, parameters).fetchall()

    def table(self, sql: str, parameters: Parameters = None) -> Any:
        """All rows of a query as a table of pyarrow, inside the transaction that is open."""
        with self._errors(sql):
            return self._connection.sql(sql, params=parameters).to_arrow_table()

    def value(self, sql: str, parameters: Parameters = None) -> Any:
        """The first column of the only row, None where there is no row."""
        found = self.rows(sql, parameters)
        return found[0][0] if found else None

    def write_parquet(self, sql: str, path: str | os.PathLike[str]) -> int:
        """Write what a query gives to a Parquet file, whole or not at all; returns the number of rows.

        Sums of whole numbers are 128 bits wide in DuckDB, and its Parquet writer would make floats of them without
        a word; they are written as BIGINT, and a sum beyond that is an error.
        """
        plain = sql.strip().rstrip(";").rstrip()
        described = self.rows(f"DESCRIBE {plain}")
        names = [f"c{number}" for number in range(len(described))]
        wanted = ", ".join(
            f"{name}{'::BIGINT' if kind in ('HUGEINT', 'UHUGEINT') else ''} AS {literals.name(column)}"
            for name, (column, kind, *_) in zip(names, described, strict=True))
        part = None
        try:
            part = _beside(path)
            written = self.work(
                f"COPY (SELECT {wanted} FROM ({plain}\n) AS given({', '.join(names)})) TO {literals.text(str(part))} "
                "(FORMAT parquet, PARQUET_VERSION v2, COMPRESSION zstd)")
            part.replace(path)
        except OSError as error:
            raise errors.StoreError(f"{os.fspath(path)} cannot be written: {_plain(error)}.") from error
        finally:
            if part is not None:
                part.unlink(missing_ok=True)
        return int(written[0][0])

    def leaves(self, sql: str) -> str | None:
        """What the first statement does that reaches beyond the database, whatever that is open for; or None: it writes
        files, fetches or loads extensions, keeps secrets, or changes a setting that could bring that about.

        Statements are not run, only taken apart. COPY in either direction counts; of a statement that is prepared,
        explained or made of several the words are all that can be looked at. Raises `errors.QueryError` where it is no
        SQL.
        """
        with self._errors(sql):
            for statement in self._connection.extract_statements(sql):
                if found := _reaching(_type(statement), statement.query):
                    return found
        return None

    def chooses(self, sql: str) -> bool:
        """Whether the last statement is a query, and not one that answers with the number of rows it changed."""
        with self._errors(sql):
            statements = self._connection.extract_statements(sql)
        return not statements or _type(statements[-1]) in _QUERIES

    def queries(self, sql: str) -> int:
        """How many of the statements are queries; `query` gives the rows of the last statement only."""
        with self._errors(sql):
            return sum(_type(statement) in ("SELECT", "RELATION", "EXPLAIN", "EXECUTE")
                       for statement in self._connection.extract_statements(sql))

    # --- writing

    def work(self, sql: str, parameters: Parameters = None) -> list[tuple[Any, ...]]:
        """As `rows`, for what takes long: Control-C ends it."""
        with self._errors(sql):
            self._provide(sql)
            return _patiently(self._connection, lambda: self._connection.execute(sql, parameters).fetchall())

    def run(self, sql: str, parameters: Parameters = None) -> None:
        """Run statements whose result nobody wants; Control-C ends them."""
        self.work(sql, parameters)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing: committed at the end of the block, rolled back when it is left by any exception."""
        self.rows("BEGIN")
        try:
            yield
            self.rows("COMMIT")
        except BaseException:
            with suppress(errors.StoreError):
                self.rows("ROLLBACK")
            raise

    @contextmanager
    def views(self, **tables: Any) -> Iterator[None]:
        """Let SQL see Arrow tables under the given names inside the block."""
        shown: list[str] = []
        try:
            for name, table in tables.items():
                self._connection.register(name, table)
                shown.append(name)
            yield
        finally:
            for name in shown:
                with suppress(duckdb.Error):
                    self._connection.unregister(name)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Inside the block a writer works in one thread, beside workers that have the processors.

        Several threads would finish sooner but spend a fourth more time together, most of it while they sort.
        """
        before = self.value("SELECT current_setting('threads')")
        self.run("SET threads = 1")
        try:
            yield
        finally:
            with suppress(errors.StoreError):
                self.run(f"SET threads = {int(before)}")

    def check_place(self) -> None:
        """Raise `errors.DatabaseReplaced` where the file was removed, or replaced by another one, since we opened it.

        What is written goes into a file without a name then, and is gone with this process.
        """
        if self._place is not None and _place(self.path) != self._place:
            raise errors.DatabaseReplaced(self.path)

    def meta(self, key: str) -> str | None:
        """A value of the table ``meta``."""
        found: str | None = self.value("SELECT value FROM meta WHERE key = $key", {"key": key})
        return found

    def set_meta(self, key: str, value: str) -> None:
        """Set a value of the table ``meta``."""
        self.run("INSERT OR REPLACE INTO meta VALUES ($key, $value)", {"key": key, "value": value})

    # --- inside

    def _provide(self, sql: str) -> None:
        """Give DuckDB the functions that some SQL names, where it has not got them yet."""
        if self._bare and _macro_names().search(sql):
            self._bare = False
            self._make_macros()
        missing = functions.named_in(sql) - self._functions
        if missing:
            if self._giver is None:  # a connection of its own: what it does is not undone by a rollback
                self._giver = self._connection.cursor()
            functions.register(self._giver, missing)
            self._functions |= missing

    def _rows(self, cursor: duckdb.DuckDBPyConnection, sql: str) -> Iterator[tuple[Any, ...]]:
        try:
            while True:
                with self._errors(sql):
                    block = _patiently(cursor, lambda: cursor.fetchmany(ROWS_AT_A_TIME))
                if not block:
                    return
                yield from block
        finally:
            cursor.close()

    @contextmanager
    def _errors(self, sql: str) -> Iterator[None]:
        try:
            yield
        except duckdb.Error as error:
            if self._lags and (lacking := _newer(str(error))):
                raise errors.DatabaseOlder(self.path, f"schema {self.found_version}", lacking) from error
            raise _translated(self.path, error, sql) from error
        except RuntimeError as error:  # Control-C while DuckDB was at work
            if "interrupted" not in str(error).lower():
                raise
            raise KeyboardInterrupt from None

    def _lay_out(self, positions: bool = True) -> None:
        with self.transaction():
            self.run(sql_file("macros.sql"))  # views use them
            self.run(sql_file("schema.sql"))
            for key, value in (("schema_version", str(SCHEMA_VERSION)), ("position_key", POSITION_KEY),
                               ("move_encoding", MOVE_ENCODING), ("tool_version", __version__), ("openings", "fresh")):
                self.set_meta(key, value)
            if positions:
                self._make_macros()
                self.set_meta("macros", macro_digest())

    def _make_macros(self) -> None:
        """The macros that read tables, and what all macros are for."""
        self.run(sql_file("macros_positions.sql"))
        self.run(sql_file("macros_comments.sql"))

    def _check(self, derive: Callable[[Database], None] | None) -> None:
        """Refuse what is not ours, and what a later version wrote; bring older tables up to date if that is allowed."""
        try:
            meta = dict(self.rows("SELECT key, value FROM meta"))
        except errors.QueryError:
            raise errors.NotADatabase(self.path, "it is a DuckDB database, but not one that kifu load made") from None
        found = meta.get("schema_version") or ""
        if not found.isdecimal() or not int(found):
            raise errors.NotADatabase(self.path, "its table meta names no schema version")
        if int(found) > SCHEMA_VERSION:
            raise errors.DatabaseNewer(self.path, f"schema {found}", f"schema {SCHEMA_VERSION}")
        for name, ours in (("position_key", POSITION_KEY), ("move_encoding", MOVE_ENCODING)):
            if meta.get(name) != ours:
                raise errors.DatabaseNewer(self.path, f"{name} {meta.get(name)}", f"{name} {ours}")
        self.found_version = int(found)
        older = self.found_version < SCHEMA_VERSION or meta.get("tool_version") != __version__
        self._lags = older and not self.writable
        if self.writable and self.found_version < SCHEMA_VERSION:
            self._upgrade(derive)
        elif self.writable and (meta.get("tool_version"), meta.get("macros")) != (__version__, macro_digest()):
            with self.transaction():
                self.run(sql_file("macros.sql"))
                self._make_macros()
                self.set_meta("tool_version", __version__)
                self.set_meta("macros", macro_digest())

    def _upgrade(self, derive: Callable[[Database], None] | None) -> None:
        """Bring the tables up to date, all or nothing."""
        with self.transaction():
            self.run(sql_file("macros.sql"))
            for version in range(self.found_version + 1, SCHEMA_VERSION + 1):
                self.run(sql_file(f"upgrade_{version}.sql"))
            self._make_macros()
            self.set_meta("schema_version", str(SCHEMA_VERSION))
            self.set_meta("tool_version", __version__)
            self.set_meta("macros", macro_digest())
            if derive:
                derive(self)


def query(sql: str, database: Database | str | os.PathLike[str], parameters: Parameters = None) -> Result:
    """Ask a database, read-only. One that is given by its path is open for as long as rows are being read."""
    if isinstance(database, Database):
        return database.query(sql, parameters)
    opened = Database.open(database)
    try:
        columns, rows = opened.query(sql, parameters)
    except BaseException:
        opened.close()
        raise
    return Result(columns, _closing(opened, rows))


def connect(path: str | os.PathLike[str], write: bool = False) -> duckdb.DuckDBPyConnection:
    """A DuckDB connection of your own to a database, read-only unless told otherwise, with all functions of SQL that
    kifu has: the macros in the file, and those of `kifu.store.functions`. Raises what `Database.open` raises.

    Close it when you are done; it is a context manager. What goes wrong with a query is an error of DuckDB's own.
    """
    opened = Database.open(path, write)
    if opened._bare:
        opened._make_macros()
    functions.register(opened._connection)
    return opened._connection


def _closing(opened: Database, rows: Iterator[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    with opened:
        yield from rows


def _patiently(cursor: duckdb.DuckDBPyConnection, work: Callable[[], T]) -> T:
    """What ``work`` gives, in a way that Control-C can end: DuckDB does not look for signals while it is deep in work.

    It works in a thread, and this one waits; from other threads than the main one, which get no signals, it is called
    as it is.
    """
    if threading.current_thread() is not threading.main_thread():
        return work()
    done: queue.SimpleQueue[T | BaseException] = queue.SimpleQueue()

    def run() -> None:
        try:
            done.put(work())
        except BaseException as error:
            done.put(error)

    worker = threading.Thread(target=run, daemon=True)
    worker.start()
    try:
        result = done.get()
    except BaseException:
        cursor.interrupt()
        worker.join()
        raise
    worker.join()
    if isinstance(result, BaseException):
        raise result
    return result


@cache
def sql_file(name: str) -> str:
    """The text of an SQL file of this package."""
    return (files("kifu.store") / name).read_text(encoding="utf-8")


@cache
def macro_digest() -> str:
    """What tells the macros of this program from those that another state of it left in a file."""
    from hashlib import blake2b

    texts = map(sql_file, ("macros.sql", "macros_positions.sql", "macros_comments.sql"))
    return blake2b("".join(texts).encode(), digest_size=8).hexdigest()


@cache
def _macro_names() -> re.Pattern[str]:
    """Finds the macros on positions in a text of SQL, and questions about macros."""
    names = re.findall(r"MACRO (\w+)", sql_file("macros_positions.sql"))
    return re.compile(rf"\b(?:{'|'.join(names)}|duckdb_functions)\s*\(", re.IGNORECASE)


def _connect(path: str, write: bool) -> duckdb.DuckDBPyConnection:
    threads = min(WRITER_THREADS, os.cpu_count() or 1)
    settings: dict[str, Any] = {}
    if write:
        settings = {"memory_limit": WRITER_MEMORY, "threads": threads, "checkpoint_threshold": WRITER_LOG}
    try:
        return duckdb.connect(path, read_only=not write, config=settings)
    except duckdb.Error as error:
        raise _translated(path, error) from error


def _beside(path: str | os.PathLike[str]) -> Path:
    """A new and empty file beside another one, under a name that nothing has; raises `OSError`."""
    for number in count():
        part = Path(f"{os.fspath(path)}.part-{os.getpid()}{f'-{number}' if number else ''}")
        with suppress(FileExistsError), part.open("xb"):
            return part
    raise AssertionError


def _type(statement: duckdb.Statement) -> str:
    """The kind of a statement; nothing for one that DuckDB's Python does not know, as UPDATE EXTENSIONS."""
    try:
        return statement.type.name
    except ValueError:
        return ""


def _reaching(kind: str, sql: str) -> str | None:
    """What a statement of this kind does beyond the database; see `Database.leaves`."""
    if kind in _LEAVING or (kind in _HOLDING and _LEAVING_WORDS.search(sql)):
        word = _LEAVING_WORDS.search(sql)
        return word[0].upper() if word else kind.replace("_", " ")
    if not kind:
        return " ".join(_WORD.findall(sql)[:2]).upper()
    if call := _LEAVING_CALLS.search(sql):
        return call[0].lower()
    if kind in ("CREATE", "DROP") and _SECRET.search(sql):
        return f"{kind} SECRET"
    if kind not in ("SET", "PRAGMA", "CALL"):
        return None
    verb, *names = _WORD.findall(_COMMENT.sub(" ", sql))
    if names and names[0].lower() in _SCOPES:
        names.pop(0)
    name = names[0] if names else ""
    if kind == "SET":
        allowed = verb.lower() in ("use", "reset") or name.lower() in _HARMLESS
    else:
        allowed = bool(_TELLING.fullmatch(name.lower()))
    return None if allowed else f"{verb.upper()} {name}".rstrip()


def _place(path: str) -> tuple[int, int] | None:
    """What tells a file from another one of the same name."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _attach(opened: Database, folder: str, write: bool) -> None:
    """Show a dataset of Parquet files as the tables of a database in memory."""
    from kifu.store import dataset

    if write:
        dataset.Manifest.read(folder)
        raise dataset.DatasetReadOnly(folder)
    dataset.attach(opened, folder)
    opened._bare = True


def _create(target: Path) -> None:
    """Make a database under a name of its own and give it the wanted name when it is whole."""
    part = target.with_name(f"{target.name}.new-{os.getpid()}")
    part.unlink(missing_ok=True)
    try:
        opened = Database(_connect(str(part), True), str(part), True)
        with opened:
            opened._lay_out()
            opened.run("CHECKPOINT")  # closing does that too, but says nothing where it fails
        if target.exists():  # an empty file, made by somebody to reserve the name
            part.replace(target)
            return
        try:
            os.link(part, target)  # unlike a rename, refuses where another process was faster
        except FileExistsError:
            return
        except OSError as error:
            if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS):
                raise
            part.rename(target)
    except errors.DatabaseUnusable as error:
        raise type(error)(str(target), error.detail) from error
    finally:
        part.unlink(missing_ok=True)
        part.with_name(f"{part.name}.wal").unlink(missing_ok=True)


_KINDS = {"Table": "table", "Function": "function", "Macro": "function"}
_UNKNOWN = re.compile(r"(Table|Function|Macro|[Cc]olumn)(?: with name| named)? \"?(\w+)")
_LOCKED = re.compile(r"Could not set lock on file|lock is held|being used by another process", re.IGNORECASE)
_PID = re.compile(r"\(PID (\d+)\)")
_STORAGE = re.compile(r"storage version number (\d+), but we can only read storage versions between (\d+) and (\d+)")
_DAMAGED = re.compile(r"corrupt|could not read enough bytes|failed to deserialize|checksum", re.IGNORECASE)
_DISK = re.compile(r"could not (?:write|read|open|truncate|sync)|cannot open file|"
                   r"no space left|corrupt|checksum", re.IGNORECASE)
_FULL = re.compile(r"no space left|file too large|quota exceeded|could not write all bytes", re.IGNORECASE)
#: Statements that write files other than the database, or load what is in others.
_LEAVING = {"COPY", "COPY_DATABASE", "EXPORT", "ATTACH", "LOAD", "EXTENSION"}
#: Statements that hold another one, which cannot be told from outside. COPY of a PIVOT is a MULTI.
_HOLDING = {"EXPLAIN", "PREPARE", "MULTI", "LOGICAL_PLAN"}
_LEAVING_WORDS = re.compile(r"\b(?:copy|export|attach|install|load)\b", re.IGNORECASE)
#: Functions that do it within a query.
_LEAVING_CALLS = re.compile(r"\b(?:enable_logging|enable_profiling)\b", re.IGNORECASE)
_QUERIES = {"SELECT", "RELATION", "EXECUTE", "MULTI", "PRAGMA", "CALL"}
_SECRET = re.compile(r"\bsecret\b", re.IGNORECASE)
#: Pragmas and functions to CALL that only tell something.
_TELLING = re.compile(r"(?:pragma_|duckdb_)?(?:collations|database_list|database_size|extension_versions|functions|"
                      r"metadata_info|platform|settings|show|show_databases|show_tables|show_tables_expanded|"
                      r"storage_info|table_info|user_agent|version)")
#: Settings that anybody may change.
_HARMLESS = {"calendar", "default_null_order", "default_order", "max_memory", "memory_limit", "null_order", "schema",
             "search_path", "threads", "time", "timezone", "variable", "worker_threads"}
_WORD = re.compile(r"\w+")
_COMMENT = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)
_SCOPES = {"global", "local", "session"}
_READ_ONLY = re.compile(r"attached in read-only mode", re.IGNORECASE)
_OUR_FUNCTION = re.compile(r"Python exception occurred while executing the UDF: (?:\w+: )?")
_PREFIX = re.compile(r"^[A-Z][A-Za-z]+(?: [A-Z][A-Za-z]+)* Error: (?:Failed to commit: )?")


def _translated(path: str, error: duckdb.Error, sql: str | None = None) -> errors.StoreError:
    """A DuckDB error as one of ours. ``sql`` is None while the file is being opened."""
    text = str(error)
    plain = _PREFIX.sub("", text)
    if _LOCKED.search(text):
        pid = _PID.search(text)
        return errors.DatabaseLocked(path, int(pid[1]) if pid else None)
    if isinstance(error, duckdb.ConnectionException) and "different configuration" in text:
        return errors.DatabaseLocked(path, os.getpid())
    if match := _STORAGE.search(text):
        found, oldest, newest = (int(number) for number in match.groups())
        if found > newest:
            return errors.DatabaseNewer(path, f"DuckDB storage {found}", f"storage up to {newest}")
        return errors.NotADatabase(path, f"it has DuckDB's old storage format {found}, and {oldest} is the oldest read")
    if "not a valid DuckDB database" in text:
        return errors.NotADatabase(path, "it is no DuckDB file")
    if sql is None or (path in text and _DISK.search(text)):  # the file itself, not a file that some SQL names
        if _DAMAGED.search(text):
            return errors.NotADatabase(path, f"it is damaged ({_first_line(plain)})")
        if no_room(text):
            return errors.DiskFull(path, _first_line(plain))
        return errors.DatabaseUnusable(path, _first_line(plain))
    if _READ_ONLY.search(text):
        return errors.ReadOnly(path)
    if match := _OUR_FUNCTION.search(text):
        return errors.QueryError(text[match.end():].strip())
    return errors.QueryError(text.strip())


def _newer(error: str) -> str:
    """What an error says is not there, in words, if a database that this version makes has it; else nothing."""
    for what, name in _UNKNOWN.findall(error.split("\n", 1)[0]):
        if name.lower() in _names():
            return f"{_KINDS.get(what, 'column')} {name}"
    return ""


@cache
def _names() -> frozenset[str]:
    """The names of all tables, columns, views and functions that this version makes."""
    with Database.memory() as new:
        return frozenset(name.lower() for name, in new.rows(
            "SELECT table_name FROM duckdb_tables() UNION SELECT view_name FROM duckdb_views() WHERE NOT internal"
            " UNION SELECT function_name FROM duckdb_functions() WHERE NOT internal"
            " UNION SELECT column_name FROM duckdb_columns() WHERE NOT internal"))


def no_room(error: str) -> bool:
    """Whether an error says that the disk is full, or a limit on it reached."""
    return bool(_FULL.search(error))


def _first_line(text: str) -> str:
    return text.strip().split("\n", 1)[0].rstrip(".")


def _plain(error: OSError) -> str:
    return error.strerror or str(error)
