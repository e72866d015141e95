"""Opening, refusing and asking a database: every way a file can be wrong is a sentence, and results stream."""
from __future__ import annotations

import itertools
import os
import struct
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import toy_games as toy

from kifu.rules.position import Position
from kifu.store import errors
from kifu.store.database import Database, query
from kifu.store.loader import Loader


@pytest.fixture
def loaded(db_path: Path) -> Path:
    """A small database on disk."""
    with Loader(db_path) as loader:
        loader.add(toy.source("a.csa"), toy.random_rows(20, seed=1))
        loader.finish()
    return db_path


@pytest.fixture(scope="module")
def memory() -> Iterator[Database]:
    with Database.memory() as database:
        yield database


# --- files that cannot be opened

def test_a_missing_database(db_path: Path) -> None:
    with pytest.raises(errors.DatabaseMissing, match=r"There is no database .*games.duckdb\."):
        Database.open(db_path)
    assert not db_path.exists()


@pytest.mark.parametrize("content", [b"hello", b"\0" * 20_000, "先手：羽生\n".encode("cp932") * 2000])
@pytest.mark.parametrize("write", [False, True])
def test_a_file_that_is_no_database(db_path: Path, content: bytes, write: bool) -> None:
    db_path.write_bytes(content)
    with pytest.raises(errors.NotADatabase, match="is not a kifu database: it is no DuckDB file"):
        Database.create_or_open(db_path) if write else Database.open(db_path)
    assert db_path.read_bytes() == content


def test_an_empty_file_becomes_a_database_only_when_loaded(db_path: Path) -> None:
    db_path.touch()
    with pytest.raises(errors.NotADatabase):
        Database.open(db_path)
    with Database.create_or_open(db_path) as database:
        assert database.meta("schema_version") == "3"
    assert os.listdir(db_path.parent) == [db_path.name]


def test_a_folder_and_a_missing_folder(tmp_path: Path) -> None:
    for call in (Database.open, Database.create_or_open):
        with pytest.raises(errors.DatabaseUnusable, match="directory"):
            call(tmp_path)
    with pytest.raises(errors.DatabaseUnusable, match="No such file or directory"):
        Database.create_or_open(tmp_path / "nowhere" / "games.duckdb")


def test_a_folder_without_permission() -> None:
    """Root may write everywhere, so it becomes nobody first."""
    said = run("""
        import os, tempfile
        import duckdb
        from kifu.store import errors
        from kifu.store.database import Database
        folder = tempfile.mkdtemp()
        os.chmod(folder, 0o555)
        root = os.geteuid() == 0
        if root:
            os.seteuid(65534)
        try:
            Database.create_or_open(os.path.join(folder, "games.duckdb"))
        except errors.DatabaseUnusable as error:
            print(error)
        if root:
            os.seteuid(0)
        print(os.listdir(folder))
        os.rmdir(folder)""")
    assert "Permission denied" in said
    assert said.endswith("[]\n")


@pytest.mark.parametrize("write", [False, True])
def test_a_database_of_somebody_else(db_path: Path, write: bool) -> None:
    run(f"import duckdb; duckdb.connect({str(db_path)!r}).execute('CREATE TABLE games (a INT)')")
    with pytest.raises(errors.NotADatabase, match="not one that kifu load made"):
        Database.create_or_open(db_path) if write else Database.open(db_path)


@pytest.mark.parametrize("write", [False, True])
def test_a_newer_schema_is_refused_and_left_alone(loaded: Path, write: bool) -> None:
    with Database.open(loaded, write=True) as database:
        database.set_meta("schema_version", "4")
    with pytest.raises(errors.DatabaseNewer, match=r"newer version \(schema 4; this one understands schema 3\)"):
        Database.create_or_open(loaded) if write else Database.open(loaded)


def test_other_position_keys_are_refused(loaded: Path) -> None:
    with Database.open(loaded, write=True) as database:
        database.set_meta("position_key", "kifu-zobrist-64 v2")
    with pytest.raises(errors.DatabaseNewer, match="kifu-zobrist-64 v2"):
        Database.open(loaded)


def test_a_newer_duckdb_file_is_refused(loaded: Path) -> None:
    data = bytearray(loaded.read_bytes())
    struct.pack_into("<Q", data, 12, 4711)  # the storage version, in the checksummed header
    struct.pack_into("<Q", data, 0, duckdb_checksum(data[8:4096]))
    loaded.write_bytes(data)
    with pytest.raises(errors.DatabaseNewer, match="DuckDB storage 4711"):
        Database.open(loaded)


@pytest.mark.parametrize("cut", [5_000, 100_000])
def test_a_truncated_database_is_called_damaged(loaded: Path, cut: int) -> None:
    loaded.write_bytes(loaded.read_bytes()[:cut])
    with pytest.raises(errors.NotADatabase, match="it is damaged"):
        Database.open(loaded)


@pytest.mark.parametrize("write", [False, True])
def test_a_locked_database_names_the_process(loaded: Path, write: bool) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", f"import duckdb; c = duckdb.connect({str(loaded)!r}); print('open', flush=True); input()"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "open\n"
        with pytest.raises(errors.DatabaseLocked, match=f"in use by process {holder.pid}") as caught:
            Database.create_or_open(loaded) if write else Database.open(loaded)
        assert caught.value.pid == holder.pid
    finally:
        holder.communicate("\n")
    Database.open(loaded, write=write).close()


def test_readers_do_not_lock_each_other_out(loaded: Path) -> None:
    with Database.open(loaded), Database.open(loaded):
        assert "20" in run(f"""
            from kifu.store.database import query
            print(list(query("SELECT count(*) FROM games", {str(loaded)!r}).rows))""")


def test_writing_beside_a_reader_of_the_same_program_is_refused(loaded: Path) -> None:
    with Database.open(loaded), pytest.raises(errors.DatabaseLocked):
        Database.open(loaded, write=True)


# --- asking

def test_reading_is_read_only(loaded: Path) -> None:
    before = loaded.read_bytes()
    for sql in ("DELETE FROM games", "CREATE TABLE mine (a INT)", "UPDATE meta SET value = 'x'", "DROP TABLE plies"):
        with pytest.raises(errors.QueryError, match="open for reading only"):
            query(sql, loaded)
    assert loaded.read_bytes() == before


def test_results_stream_and_may_be_open_side_by_side(loaded: Path) -> None:
    with Database.open(loaded) as database:
        columns, numbers = database.query("SELECT range AS n FROM range(1000000000000)")
        first = list(itertools.islice(numbers, 3))
        others = list(database.query("SELECT count(*) FROM games").rows)
        assert (columns, first, others, next(numbers)) == (["n"], [(0,), (1,), (2,)], [(20,)], (3,))
        numbers.close()  # type: ignore[attr-defined]


def test_a_query_by_path_lets_go_of_the_file(loaded: Path) -> None:
    _, rows = query("SELECT * FROM plies", loaded)
    assert len(list(rows)) > 20
    Database.open(loaded, write=True).close()
    with pytest.raises(errors.QueryError):
        query("SELECT nothing", loaded)
    Database.open(loaded, write=True).close()


@pytest.mark.parametrize(("sql", "message"), [
    ("SELECT * FROM gmes", "gmes"), ("SELEC 1", "syntax error"), ("SELECT usi()", "usi"),
    ("SELECT 'x'::INTEGER", "Could not convert"),
])
def test_wrong_sql_is_explained(loaded: Path, sql: str, message: str) -> None:
    with pytest.raises(errors.QueryError, match=message):
        list(query(sql, loaded).rows)


def test_an_error_late_in_a_result(loaded: Path) -> None:
    _, rows = query("SELECT 1 // (range - 500000) FROM range(1000000)", loaded)
    with pytest.raises(errors.QueryError, match="Division by zero"):
        list(rows)


@pytest.mark.parametrize("sql", ["", "  ", "-- nothing"])
def test_no_sql_gives_nothing(memory: Database, sql: str) -> None:
    columns, rows = memory.query(sql)
    assert (columns, list(rows)) == ([], [])


def test_parameters(memory: Database) -> None:
    assert memory.rows("SELECT $a + $b", {"a": 1, "b": 2}) == [(3,)]
    assert memory.rows("SELECT ? || ?", ["１", "歩'"]) == [("１歩'",)]


@pytest.mark.skipif(sys.platform == "win32", reason="signals work otherwise there")
def test_control_c_ends_a_long_query() -> None:
    code = """
        import signal, sys, threading, os
        from kifu.store.database import Database
        with Database.memory() as database:
            threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
            try:
                print(database.query(sys.stdin.read()).rows.__next__())
            except KeyboardInterrupt:
                print("interrupted")
            print(database.value("SELECT 'alive'"))"""
    for sql in ("SELECT count(*) FROM range(1000000) a, range(10000000) b WHERE a.range + b.range = 17",
                "SELECT count(DISTINCT md5(range::VARCHAR)) FROM range(1000000000)"):
        assert run(code, sql, timeout=20) == "interrupted\nalive\n"


@pytest.mark.skipif(sys.platform == "win32", reason="signals work otherwise there")
def test_control_c_ends_long_work() -> None:
    """And what its transaction did before is undone."""
    code = """
        import signal, sys, threading, os
        from kifu.store.database import Database
        with Database.memory() as database:
            threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
            try:
                with database.transaction():
                    database.run("CREATE TABLE before (a INTEGER)")
                    database.run(sys.stdin.read())
            except KeyboardInterrupt:
                print("interrupted")
            print(database.value("SELECT count(*) FROM duckdb_tables() WHERE table_name IN ('before', 'long')"))"""
    assert run(code, "CREATE TABLE long AS SELECT count(DISTINCT md5(range::VARCHAR)) FROM range(1000000000)",
               timeout=20) == "interrupted\n0\n"


# --- Parquet

def test_parquet(loaded: Path, tmp_path: Path) -> None:
    target = tmp_path / "it's.parquet"
    with Database.open(loaded) as database:
        count = database.write_parquet("SELECT sum(plies) AS s, sum(plies) AS s, max(date), usi(7739) FROM games; ", target)
        assert count == 1
        described = database.rows(f"DESCRIBE FROM '{str(target).replace(chr(39), chr(39) * 2)}'")
        assert [kind for _, kind, *_ in described] == ["BIGINT", "BIGINT", "DATE", "VARCHAR"]
        with pytest.raises(errors.QueryError, match="out of range|Could not cast"):
            database.write_parquet("SELECT 9223372036854775807::HUGEINT * 2 AS big", target)
        assert database.write_parquet("SELECT 'kept' AS a -- with a comment", target) == 1
    assert sorted(os.listdir(tmp_path)) == ["games.duckdb", "it's.parquet"]


def test_parquet_leaves_other_files_alone(memory: Database, tmp_path: Path) -> None:
    """Whatever names it takes while it writes."""
    target = tmp_path / "a.parquet"
    others = [tmp_path / f"a.parquet.part{end}" for end in ("", f"-{os.getpid()}", f"-{os.getpid()}-1")]
    for other in others:
        other.write_text("mine")
    memory.write_parquet("SELECT 1 AS a", target)
    with pytest.raises(errors.QueryError):
        memory.write_parquet("SELECT error('no') AS a", target)
    assert sorted(tmp_path.iterdir()) == sorted([target, *others])
    assert {other.read_text() for other in others} == {"mine"}
    with pytest.raises(errors.StoreError, match="cannot be written: No such file or directory"):
        memory.write_parquet("SELECT 1 AS a", tmp_path / "nowhere" / "a.parquet")


# --- what is in the file

def test_tables_and_columns_explain_themselves(memory: Database) -> None:
    bare = memory.rows("SELECT table_name FROM duckdb_tables() WHERE comment IS NULL")
    assert bare == []
    plain = {"path", "format", "encoding", "tool_version", "variant", "event", "site", "time_control", "white", "code",
             "message", "line", "col"}
    unexplained = memory.rows(
        "SELECT table_name, column_name FROM duckdb_columns() WHERE comment IS NULL"
        " AND table_name IN ('games', 'plies', 'openings')")
    assert {column for _, column in unexplained} <= plain | {
        "game_id", "source_id", "key", "games", "draws", "white_wins", "white_rating", "black_rating", "white_rating_sum",
        "min_ply", "first_date", "last_date", "move"}


def test_meta_says_what_the_file_is(memory: Database) -> None:
    assert dict(memory.rows("FROM meta WHERE key <> 'tool_version'")) == {
        "schema_version": "3", "position_key": "kifu-zobrist-64 v1", "move_encoding": "kifu-move-16 v1",
        "openings": "fresh"}
    assert memory.meta("tool_version")
    assert memory.meta("nothing") is None


def test_macros(memory: Database) -> None:
    from array import array

    from kifu.rules.move import usi
    from kifu.store import moves

    position, played = Position(), array("q")
    for step in range(60):
        move = sorted(position.legal_moves())[step * 7 % 13]
        position.play(move)
        played.append(move)
    codes = moves.encode(played)
    assert memory.value("SELECT usi_moves($moves)", {"moves": codes}) == [usi(move) for move in played]
    assert memory.value("SELECT move_codes($moves)", {"moves": codes}) == list(moves.decode(codes))
    assert memory.rows("SELECT usi_moves(''::BLOB), usi(0), usi((1 << 14) + (7 << 7) + 40), square(24, 5)") == [
        ([], None, "R*5e", "5e")]
    assert memory.value("SELECT start_key()") == Position().key()
    assert memory.rows("SELECT result_word(r), outcome(r, -1) FROM (VALUES (1), (-1), (0), (NULL)) t(r)") == [
        ("black", 1), ("white", -1), ("draw", 0), ("unknown", -1)]


def test_macros_travel_with_the_file(loaded: Path) -> None:
    assert "7g7f" in run(f"""
        import duckdb
        print(duckdb.connect({str(loaded)!r}, read_only=True).execute("SELECT usi(7739)").fetchall())""")


def test_neither_numpy_nor_pandas_is_needed(db_path: Path, python_path: Path) -> None:
    assert run(f"""
        import sys
        sys.modules["numpy"] = sys.modules["pandas"] = None
        import toy_games as toy
        from kifu.store.database import query
        from kifu.store.loader import Loader
        with Loader({str(db_path)!r}) as loader:
            loader.add(toy.source("a.csa"), toy.random_rows(20, seed=1))
            loader.finish()
        print(list(query("SELECT count(*) FROM games WHERE len(usi_moves(moves)) = plies", {str(db_path)!r}).rows))
        """) == "[(20,)]\n"


def test_asking_does_not_import_pyarrow(loaded: Path) -> None:
    assert run(f"""
        import sys
        from kifu.store.database import query
        from kifu.store import openings
        list(query("SELECT * FROM games", {str(loaded)!r}).rows)
        print([name for name in ("pyarrow", "numpy", "pandas") if name in sys.modules])""") == "[]\n"


def run(code: str, given: str = "", timeout: float | None = None) -> str:
    """What a new Python process prints."""
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], input=given, capture_output=True, text=True,
                          check=False, timeout=timeout)
    assert done.returncode == 0, done.stderr
    return done.stdout


def duckdb_checksum(block: Any) -> int:
    """The checksum of a block of a DuckDB file: its 64-bit words, each times a constant, exclusive-ored."""
    total = 5381
    for (word,) in struct.iter_unpack("<Q", bytes(block)):
        total ^= word * 0xBF58476D1CE4E5B9 & (1 << 64) - 1
    return total
