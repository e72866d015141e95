"""Compaction: the same rows in a smaller file, in the place of the old one all at once or not at all."""
from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb
import pytest
import real_games as real
import toy_games as toy

from kifu.store import compact as module
from kifu.store.compact import compact
from kifu.store.database import Database
from kifu.store.errors import DatabaseChanged, DatabaseLocked, DatabaseUnusable, NotADatabase, StoreError
from kifu.store.loader import Loader
from kifu.store.verify import verify

OURS = """
CREATE TABLE ours (a INTEGER PRIMARY KEY, b VARCHAR DEFAULT 'x'); INSERT INTO ours (a) VALUES (3), (1), (2);
COMMENT ON TABLE ours IS 'our own'; COMMENT ON COLUMN ours.b IS 'a letter'; CREATE INDEX by_b ON ours (b);
CREATE VIEW winners AS SELECT black, usi(7739) AS first FROM games WHERE result = 1; COMMENT ON VIEW winners IS 'won';
CREATE MACRO twice(n) AS 2 * n; COMMENT ON MACRO twice IS 'doubles'; CREATE SCHEMA apart; CREATE TABLE apart.more (c DATE)
"""
CATALOGUE = (
    "SELECT schema_name, table_name, comment, has_primary_key FROM duckdb_tables() WHERE NOT internal ORDER BY ALL",
    "SELECT table_name, column_name, data_type, is_nullable, column_default, comment FROM duckdb_columns()"
    " WHERE NOT internal ORDER BY ALL",
    "SELECT view_name, sql, comment FROM duckdb_views() WHERE NOT internal ORDER BY ALL",
    "SELECT function_name, parameters, macro_definition, comment FROM duckdb_functions() WHERE NOT internal ORDER BY ALL",
    "SELECT index_name, sql FROM duckdb_indexes() ORDER BY ALL",
    "SELECT table_name, constraint_text FROM duckdb_constraints() ORDER BY ALL",
)


@pytest.fixture
def loaded(db_path: Path) -> Path:
    """A database with gaps: three batches, of which one was replaced."""
    with Loader(db_path) as loader:
        for number in range(3):
            loader.add(toy.source(f"{number}"), real.rows(40, seed=number))
            loader.commit_batch()
        loader.add(toy.source("1", b"changed"), real.rows(20, seed=9))
        loader.finish()
        loader.database.run(OURS)
    return db_path


def everything(path: Path) -> dict[str, object]:
    """All rows of all tables, and all that is declared."""
    with Database.open(path) as database:
        tables = database.rows("SELECT schema_name, table_name FROM duckdb_tables() WHERE NOT internal ORDER BY ALL")
        found: dict[str, object] = {question: database.rows(question) for question in CATALOGUE}
        return found | {name: database.rows(f"FROM {schema}.{name} ORDER BY ALL") for schema, name in tables}


def alone(path: Path) -> bool:
    """Whether nothing is left beside the database."""
    return [one.name for one in path.parent.iterdir()] == [path.name]


def test_everything_stays_and_is_sorted(loaded: Path) -> None:
    before, size = everything(loaded), loaded.stat().st_size
    done = compact(loaded)
    assert everything(loaded) == before
    assert (done.before, done.after) == (size, loaded.stat().st_size)
    assert alone(loaded)
    with Database.open(loaded) as database:
        for table, order in module.ORDER.items():
            assert database.rows(f"FROM {table}") == database.rows(f"FROM {table} ORDER BY {order}")
        assert database.rows("SELECT a FROM ours") == [(3,), (1,), (2,)]  # others stay as they were written
        assert list(verify(database)) == []
    with Loader(loaded) as loader:  # and it can be loaded into
        loader.add(toy.source("more"), real.rows(5, seed=7))
        assert loader.finish().games > 0


def test_gaps_go(db_path: Path) -> None:
    """A file that was rewritten many times shrinks."""
    with Loader(db_path) as loader:
        for version in range(6):
            loader.add(toy.source("a", str(version).encode()), real.rows(300, seed=version))
            loader.commit_batch()
            loader.database.run("CHECKPOINT")
        loader.finish()
    done = compact(db_path)
    assert done.after < done.before


def test_what_was_left_undone_is_done(db_path: Path) -> None:
    with Loader(db_path) as loader:
        loader.add(toy.source("a"), real.rows(30, seed=1))
        loader.commit_batch()
    compact(db_path)
    with Database.open(db_path) as database:
        assert database.meta("openings") == "fresh"
        assert database.value("SELECT count(*) FROM contained") > 0
        assert list(verify(database)) == []


def test_the_log_of_a_writer_that_was_killed_is_kept(db_path: Path) -> None:
    """Its rows come along, and no log stays behind that belongs to another file."""
    with Database.create_or_open(db_path):
        pass
    subprocess.run([sys.executable, "-c", "import duckdb, os, sys\nopened = duckdb.connect(sys.argv[1])\n"
                    "opened.execute(\"INSERT INTO meta VALUES ('mine', 'kept')\")\nos._exit(1)", str(db_path)], check=False)
    assert Path(f"{db_path}.wal").exists()
    compact(db_path)
    assert alone(db_path)
    with Database.open(db_path) as database:
        assert database.meta("mine") == "kept"


@pytest.mark.parametrize("where", ["work", "_unchanged", "_sync", "_keep_owner"])
@pytest.mark.parametrize("error", [KeyboardInterrupt(), OSError(28, "No space left on device"), MemoryError()])
def test_a_failure_leaves_the_old_file(loaded: Path, monkeypatch: pytest.MonkeyPatch, where: str,
                                       error: BaseException) -> None:
    before = loaded.read_bytes()
    calls = 0

    def fail(*_: object) -> None:
        nonlocal calls
        calls += 1
        raise error

    monkeypatch.setattr(Database if where == "work" else module, where, fail)
    with pytest.raises(DatabaseUnusable if isinstance(error, OSError) else type(error)) as caught:
        compact(loaded)
    if isinstance(error, OSError):
        assert str(caught.value) == (
            f"There is no room to write to the database {loaded}: it cannot be compacted: No space left on device."
            " What was in it before is whole; make room and run the command again.")
    assert calls
    assert loaded.read_bytes() == before
    assert alone(loaded)


def test_a_copy_that_does_not_read_back_is_not_used(loaded: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Database.work

    def lose(self: Database, sql: str, parameters: object = None) -> list[tuple[object, ...]]:
        return plain(self, f"{sql} LIMIT 5" if sql.startswith('INSERT INTO after."main"."plies"') else sql)

    before = loaded.read_bytes()
    monkeypatch.setattr(Database, "work", lose)
    with pytest.raises(DatabaseUnusable, match="the table plies does not read back as it was written"):
        compact(loaded)
    assert loaded.read_bytes() == before
    assert alone(loaded)


def test_what_a_killed_compaction_left_is_removed(loaded: Path) -> None:
    """And what a living process is at work on is left alone, as are files of other names."""
    gone = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, text=True, check=True)
    dead, living = int(gone.stdout), os.getppid()
    for name in (f"compact-{dead}", f"compact-{dead}.wal", f"new-{dead}", f"compact-{living}", "compact-x", "copy"):
        Path(f"{loaded}.{name}").write_bytes(b"half a file")
    spilled = Path(f"{loaded}.compact-{dead}.tmp")
    spilled.mkdir()
    (spilled / "block").write_bytes(b"spilled")
    compact(loaded)
    assert {one.name.removeprefix(loaded.name) for one in loaded.parent.iterdir()} == {
        "", f".compact-{living}", ".compact-x", ".copy"}


def test_killed_while_it_works(loaded: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With -9 behind each of its steps: the database is there and right, and the next one clears up."""
    before = everything(loaded)
    program = ("import os, signal, sys\nfrom kifu.store import compact as module\nsteps = int(sys.argv[2])\n"
               "for name in ('_copy', '_keep_owner', '_sync', '_unchanged'):\n"
               "    def step(*given, plain=getattr(module, name)):\n"
               "        global steps\n        plain(*given)\n        steps -= 1\n"
               "        if not steps:\n            os.kill(os.getpid(), signal.SIGKILL)\n"
               "    setattr(module, name, step)\nmodule.compact(sys.argv[1])\n")
    left = 0
    for steps in range(1, 7):
        process = subprocess.run([sys.executable, "-c", program, str(loaded), str(steps)], check=False)
        assert process.returncode == -9, steps
        left += not alone(loaded)
        assert everything(loaded) == before
    assert left >= 4
    compact(loaded)
    assert alone(loaded)
    assert everything(loaded) == before


def test_a_link_stays_a_link(loaded: Path, tmp_path: Path) -> None:
    before = everything(loaded)
    link = tmp_path / "link" / "games.duckdb"
    link.parent.mkdir()
    link.symlink_to(loaded)
    compact(link)
    assert link.is_symlink()
    assert everything(loaded) == before
    assert len(list(link.parent.iterdir())) == 1


def test_permissions_stay(loaded: Path) -> None:
    loaded.chmod(0o640)
    compact(loaded)
    assert loaded.stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="permissions of POSIX")
def test_a_file_that_may_not_be_written_to(loaded: Path) -> None:
    """Root may write everywhere, so it becomes nobody first, who may not enter the folders of pytest."""
    with tempfile.TemporaryDirectory() as place:
        path = Path(place, "games.duckdb")
        shutil.copy(loaded, path)
        path.chmod(0o444)
        Path(place).chmod(0o755)
        before = os.geteuid()
        if before == 0:
            os.seteuid(65534)
        try:
            with pytest.raises(DatabaseUnusable, match="Permission denied"):
                compact(path)
        finally:
            os.seteuid(before)
        assert path.read_bytes() == loaded.read_bytes()


def test_a_database_in_use(loaded: Path) -> None:
    holder = "import duckdb, sys\nopened = duckdb.connect(sys.argv[1])\nprint('open', flush=True)\nsys.stdin.read()\n"
    before = loaded.read_bytes()
    with subprocess.Popen([sys.executable, "-c", holder, str(loaded)], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        with pytest.raises(DatabaseLocked) as caught:
            compact(loaded)
        assert caught.value.pid == other.pid
        other.communicate()
    assert loaded.read_bytes() == before


def test_nobody_writes_while_it_works(loaded: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A load that begins meanwhile is told to wait; else its games would be lost with the old file."""
    said = []
    plain = module._sync

    def busy(path: Path) -> None:
        if not said:
            program = "import duckdb, sys\ntry:\n    duckdb.connect(sys.argv[1])\nexcept duckdb.IOException as error:\n    print(error)"
            said.append(subprocess.run([sys.executable, "-c", program, str(loaded)], capture_output=True, text=True, check=True).stdout)
        plain(path)

    monkeypatch.setattr(module, "_sync", busy)
    compact(loaded)
    assert "lock" in said[0]


def test_a_file_that_was_replaced_meanwhile_stays(loaded: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = loaded.with_name("other")
    with Database.create_or_open(other):
        pass
    content = other.read_bytes()
    monkeypatch.setattr(module, "_keep_owner", lambda part, before: other.replace(loaded))
    with pytest.raises(DatabaseChanged, match="changed by another process"):
        compact(loaded)
    assert loaded.read_bytes() == content
    assert alone(loaded)


@pytest.mark.parametrize("content", [b"no database", b""])
def test_what_is_no_database(db_path: Path, content: bytes) -> None:
    db_path.write_bytes(content)
    with pytest.raises(StoreError):
        compact(db_path)
    assert db_path.read_bytes() == content
    assert alone(db_path)


def test_a_database_of_somebody_else(db_path: Path) -> None:
    with duckdb.connect(str(db_path)) as connection:
        connection.execute("CREATE TABLE a (b INTEGER)")
    before = db_path.read_bytes()
    with pytest.raises(NotADatabase, match="not one that kifu load made"):
        compact(db_path)
    assert db_path.read_bytes() == before


def test_a_folder(tmp_path: Path) -> None:
    with pytest.raises(DatabaseUnusable):
        compact(tmp_path)
