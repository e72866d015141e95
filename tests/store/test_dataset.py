"""A database as a folder of Parquet files: the same rows to every reader, and one whole dataset at any moment."""
from __future__ import annotations

import errno
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import real_games
import toy_games

from kifu.store import exchange, publish
from kifu.store.database import Database
from kifu.store.dataset import MANIFEST, TABLES, DatasetReadOnly, Manifest
from kifu.store.errors import DatabaseNewer, DatabaseUnusable, NotADatabase
from kifu.store.loader import Loader
from kifu.store.openings import opening_tree
from kifu.store.rows import RejectRow

REJECT = RejectRow(10, 1, 3, 4, 7, "K404", "two pawns", "+0055FU")


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small database with rows in most tables."""
    path = real_games.load(tmp_path_factory.mktemp("database") / "games.duckdb",
                           [(text, "csa") for text in real_games.games(40, seed=5)])
    with Loader(path, "moves") as loader:
        loader.add(toy_games.source("toys"), toy_games.random_rows(30, 1) * 2, [REJECT])
        loader.finish()
        loader.database.run("INSERT INTO boards (game_id, ply, s1a, whr) VALUES (1, 0, 66, 1), (1, 1, 66, 1)")
        loader.database.run("INSERT INTO named_positions VALUES (-5, 'mino', '美濃', 'Mino', NULL)")
        loader.database.run("INSERT INTO contained VALUES (1, 2)")
    return path


@pytest.fixture(scope="module")
def published(database: Path) -> Path:
    """A dataset of it, which no test changes."""
    with Database.open(database) as opened:
        publish.publish(opened, database.parent / "dataset")
    return database.parent / "dataset"


@pytest.fixture
def folder(published: Path, tmp_path: Path) -> Path:
    """A dataset of it, which a test may change."""
    shutil.copytree(published, tmp_path / "dataset")
    return tmp_path / "dataset"


def rows(opened: Database, table: str) -> list[tuple[Any, ...]]:
    return opened.rows(f"SELECT * FROM {table} ORDER BY ALL")


def files(folder: Path, table: str) -> list[Path]:
    return [folder / path for path in Manifest.read(folder).tables[table].files]


def paths(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


# --- what is in it ---------------------------------------------------------------------------------------------------
def test_all_tables_are_in_it() -> None:
    """A table that somebody adds to the schema must be exported too, and none may have a type that Parquet spoils."""
    with Database.memory() as opened:
        assert {name for name, in opened.rows("SELECT table_name FROM duckdb_tables() WHERE schema_name = 'main'")} \
            == set(TABLES)
        kinds = {kind for kind, in opened.rows("SELECT data_type FROM duckdb_columns() WHERE schema_name = 'main'")}
    assert not {kind for kind in kinds if "HUGEINT" in kind}


@pytest.mark.parametrize("table", TABLES)
def test_the_same_rows(database: Path, published: Path, table: str) -> None:
    """The published opened like a database holds what the database holds, in the same types."""
    with Database.open(database) as one, Database.open(published) as other:
        found = rows(one, table)
        assert found
        assert rows(other, table) == found
        columns = one.rows(f"DESCRIBE {table}")
        assert [column[:2] for column in other.rows(f"DESCRIBE {table}")] == [column[:2] for column in columns]
    assert Manifest.read(published).tables[table].rows == len(found)


@pytest.mark.parametrize("table", TABLES)
def test_pyarrow_reads_the_same(database: Path, published: Path, table: str) -> None:
    """The whole table by the published alone, as people open such things."""
    import pyarrow.parquet as pq

    read = pq.read_table(published / table)
    with Database.open(database) as opened:
        assert sorted_rows(read.to_pylist()) == sorted_rows(dicts(opened, table))


@pytest.mark.parametrize("table", TABLES)
def test_polars_reads_the_same(database: Path, published: Path, table: str) -> None:
    polars = pytest.importorskip("polars", reason="polars is not installed")
    read = polars.read_parquet(str(published / table / "*.parquet"))
    with Database.open(database) as opened:
        assert sorted_rows(read.to_dicts()) == sorted_rows(dicts(opened, table))


def dicts(opened: Database, table: str) -> list[dict[str, Any]]:
    columns, found = opened.query(f"SELECT * FROM {table}")
    return [dict(zip(columns, row, strict=True)) for row in found]


def sorted_rows(found: list[dict[str, Any]]) -> list[str]:
    """Rows as text, sorted; a UUID is its sixteen bytes to some and an object to others."""
    def plain(value: Any) -> Any:
        return value.bytes.hex() if hasattr(value, "bytes") else value.hex() if isinstance(value, bytes) else value

    return sorted(repr({name: plain(value) for name, value in row.items()}) for row in found)


def test_the_form_of_the_files(published: Path) -> None:
    """Version 2 pages, zstd; keys in order, so that statistics of row groups find a position."""
    import pyarrow.parquet as pq

    file = pq.ParquetFile(files(published, "plies")[0])
    column = file.metadata.row_group(0).column(0)
    assert (column.path_in_schema, column.compression) == ("key", "ZSTD")
    assert "DELTA_BINARY_PACKED" in column.encodings
    keys = file.read().column("key").to_pylist()
    assert keys == sorted(keys)
    assert file.schema_arrow.field("key").type == "int64"


def test_many_files(database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Plies of more rows than a file takes are ranges of keys."""
    monkeypatch.setattr(publish, "FILE_ROWS", 100)
    heard: list[int] = []
    with Database.open(database) as opened:
        manifest = publish.publish(opened, tmp_path / "dataset", progress=heard.append)
        expected = rows(opened, "plies")
        sorted_keys = [key for key, in opened.rows("SELECT key FROM plies ORDER BY key")]
    assert len(manifest.tables["plies"].files) == -(-len(expected) // 100) > 3
    assert sum(heard) == sum(table.rows for table in manifest.tables.values())
    with Database.open(tmp_path / "dataset") as other:
        assert rows(other, "plies") == expected
        listed = ", ".join(f"'{path}'" for path in files(tmp_path / "dataset", "plies"))
        assert [key for key, in other.rows(f"SELECT key FROM read_parquet([{listed}])")] == sorted_keys


def test_the_manifest(database: Path, published: Path) -> None:
    with Database.open(database) as opened:
        meta = dict(opened.rows("FROM meta"))
    told = json.loads((published / MANIFEST).read_text())
    assert (told["format"], told["layout"]) == ("kifu dataset", 1)
    assert {name: str(told[name]) for name in ("schema_version", "position_key", "move_encoding", "tool_version")} \
        == {name: meta[name] for name in ("schema_version", "position_key", "move_encoding", "tool_version")}
    assert paths(published) == {MANIFEST, *Manifest.read(published).files()}


# --- asking it --------------------------------------------------------------------------------------------------------
def test_questions(database: Path, published: Path) -> None:
    """The macros, the views and the opening tree answer as they do in the database."""
    with Database.open(database) as one, Database.open(published) as other:
        key = one.value("SELECT start_key()")
        assert opening_tree(other, key, depth=3) == opening_tree(one, key, depth=3) != []
        assert opening_tree(other, key, player="先手 太郎") == opening_tree(one, key, player="先手 太郎")
        for question in ("FROM player_games ORDER BY ALL", "SELECT usi_moves(moves) FROM games ORDER BY game_id",
                         "SELECT comment FROM duckdb_columns() WHERE table_name = 'games' AND column_name = 'result'"):
            assert other.rows(question) == one.rows(question)
        assert other.value("SELECT comment FROM duckdb_views() WHERE view_name = 'plies'").startswith("One row a position")


def test_a_dataset_of_a_dataset(database: Path, published: Path, tmp_path: Path) -> None:
    with Database.open(published) as opened:
        publish.publish(opened, tmp_path / "second")
    with Database.open(database) as one, Database.open(tmp_path / "second") as other:
        for table in TABLES:
            assert rows(other, table) == rows(one, table)


def test_it_is_read_only(published: Path) -> None:
    for opening in (lambda: Database.open(published, write=True), lambda: Database.create_or_open(published)):
        with pytest.raises(DatasetReadOnly):
            opening()


def test_other_types_and_missing_columns(folder: Path) -> None:
    """What a cluster writes: signed numbers, ids as text or bytes, no column that it has nothing for."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with Database.open(folder) as opened:
        games = opened.rows("SELECT game_id, game_hash, plies, moves FROM games ORDER BY game_id")
        plies = rows(opened, "plies")
    for kind, value in ((pa.string(), str), (pa.binary(), lambda one: one.bytes)):
        pq.write_table(pa.table({
            "plies": pa.array([game[2] for game in games], pa.int64()),
            "game_hash": pa.array([value(game[1]) for game in games], kind),
            "game_id": pa.array([game[0] for game in games], pa.int64()), "moves": pa.array([game[3] for game in games]),
            "something else": pa.array([1] * len(games))}), files(folder, "games")[0])
        pq.write_table(pa.table({name: pa.array([row[n] for row in plies], pa.int64())
                                 for n, name in enumerate(("key", "move", "game_id", "ply"))}), files(folder, "plies")[0])
        with Database.open(folder) as opened:
            assert opened.rows("SELECT game_id, game_hash, plies, moves FROM games ORDER BY game_id") == games
            assert opened.rows("SELECT DISTINCT black, typeof(black) FROM games") == [(None, "VARCHAR")]
            assert rows(opened, "plies") == plies
            assert opened.value("SELECT typeof(move) FROM plies LIMIT 1") == "UINTEGER"


@pytest.mark.parametrize(("change", "error", "why"), [
    ({"format": "parquet"}, NotADatabase, "not that of a kifu dataset"),
    ({"layout": 2}, NotADatabase, "this version reads 1"),
    ({"id": None, "tables": [1]}, NotADatabase, "damaged"),
    ({"tables": {"games": {"rows": 1, "files": ["../games.parquet"]}}}, NotADatabase, "damaged"),
    ({"tables": {"games": {"rows": 1, "files": ["/etc/passwd"]}}}, NotADatabase, "damaged"),
    ({"tables": {"games": {"rows": 1, "files": ["games/gone.parquet"]}}}, NotADatabase, "cannot be read"),
])
def test_what_is_no_dataset(folder: Path, change: dict[str, Any], error: type[Exception], why: str) -> None:
    told = json.loads((folder / MANIFEST).read_text()) | change
    (folder / MANIFEST).write_text(json.dumps(told))
    with pytest.raises(error, match=why):
        Database.open(folder)


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "\0", "null", '"x"'])
def test_a_manifest_that_is_none(folder: Path, text: str) -> None:
    (folder / MANIFEST).write_text(text)
    with pytest.raises(NotADatabase):
        Database.open(folder)


def test_a_folder_without_a_manifest(tmp_path: Path) -> None:
    """Read or write, it says the same; a load makes no database in it."""
    for opening in (lambda: Database.open(tmp_path), lambda: Database.create_or_open(tmp_path)):
        with pytest.raises(DatabaseUnusable, match=f"a directory without the {MANIFEST}"):
            opening()


def test_a_newer_one_is_refused(database: Path, tmp_path: Path) -> None:
    with Database.memory() as opened:
        opened.set_meta("schema_version", "99")
        publish.publish(opened, tmp_path / "dataset")
    with pytest.raises(DatabaseNewer, match="schema 99"):
        Database.open(tmp_path / "dataset")


# --- where it may be written -------------------------------------------------------------------------------------------
def test_what_is_not_ours_is_not_touched(database: Path, tmp_path: Path) -> None:
    """Files of other people, a file in the place of the folder, no folder above it: refused, with force or without."""
    full = tmp_path / "full"
    full.mkdir()
    (full / "thesis.txt").write_text("years of work")
    other = tmp_path / "other"
    other.mkdir()
    (other / MANIFEST).write_text('{"name": "an app of the web"}')
    (tmp_path / "file").write_text("a file")
    with Database.open(database) as opened:
        for force in (False, True):
            for place in (full, other, tmp_path / "file", tmp_path / "no" / "folder"):
                with pytest.raises(publish.FolderInUse):
                    publish.publish(opened, place, force)
    assert paths(tmp_path) == {"full/thesis.txt", f"other/{MANIFEST}", "file"}


def test_a_dataset_with_other_files_is_not_replaced(database: Path, folder: Path) -> None:
    (folder / "games" / "notes.txt").write_text("mine")
    before = paths(folder)
    with Database.open(database) as opened, pytest.raises(publish.FolderInUse, match="games/notes.txt"):
        publish.publish(opened, folder, force=True)
    assert paths(folder) == before


def test_replacing(database: Path, folder: Path) -> None:
    """Only with force, and nothing is left of the old one. An empty folder is no obstacle."""
    before = Manifest.read(folder)
    (folder.parent / "empty").mkdir()
    with Database.open(database) as opened:
        with pytest.raises(publish.DatasetExists):
            publish.publish(opened, folder)
        assert Manifest.read(folder).id == before.id
        after = publish.publish(opened, folder, force=True)
        publish.publish(opened, folder.parent / "empty")
    assert after.id != before.id
    assert paths(folder) == {MANIFEST, *after.files()}
    assert {path.name for path in folder.parent.iterdir()} == {"dataset", "empty"}


def test_replacing_where_folders_cannot_change_places(database: Path, folder: Path,
                                                      monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "_at_once", lambda first, second: errno.EINVAL)
    with Database.open(database) as opened:
        after = publish.publish(opened, folder, force=True)
    assert Manifest.read(folder) == after
    assert [path.name for path in folder.parent.iterdir()] == ["dataset"]


@pytest.mark.parametrize("name", ["a[1]", "b*c", "q'u\"o", "棋譜 ?"])
def test_names_of_folders(database: Path, tmp_path: Path, name: str) -> None:
    """No letter of a name is a pattern or ends a text."""
    with Database.open(database) as opened:
        publish.publish(opened, tmp_path / name)
        expected = rows(opened, "plies")
    with Database.open(tmp_path / name) as opened:
        assert rows(opened, "plies") == expected


def test_a_failure_leaves_nothing(database: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever goes wrong while files are written, the dataset that was there stays, and nothing else."""
    before = paths(folder)

    def fail(count: int) -> None:
        raise KeyboardInterrupt

    with Database.open(database) as opened, pytest.raises(KeyboardInterrupt):
        publish.publish(opened, folder, force=True, progress=fail)
    assert paths(folder) == before
    assert [path.name for path in folder.parent.iterdir()] == ["dataset"]


# --- one whole dataset at any moment ----------------------------------------------------------------------------------
WRITER = """
import sys
from kifu.store.database import Database
from kifu.store.publish import publish
print("ready", flush=True)
while True:
    for path in sys.argv[2:]:
        with Database.open(path) as opened:
            publish(opened, sys.argv[1], force=True)
"""


@pytest.fixture
def two(tmp_path: Path) -> list[Path]:
    """Two databases of different numbers of games."""
    return [real_games.load(tmp_path / f"{count}.duckdb",
                            [(text, "csa") for text in real_games.games(count, seed=count, plies=8)]) for count in (5, 9)]


def whole(folder: Path) -> int:
    """The number of games of a dataset, of which every table must be."""
    with Database.open(folder) as opened:
        games, plies, of_games, sources = opened.rows(
            "SELECT (SELECT count(*) FROM games), (SELECT count(*) FROM plies), (SELECT sum(plies + 1)::BIGINT FROM games),"
            " (SELECT count(*) FROM sources)")[0]
        assert plies == of_games
        assert sources == games
    return int(games)


def writing(folder: Path, databases: list[Path], python_path: Path) -> subprocess.Popen[bytes]:
    running = subprocess.Popen([sys.executable, "-c", WRITER, str(folder), *map(str, databases)], stdout=subprocess.PIPE)
    assert running.stdout is not None
    assert running.stdout.readline() == b"ready\n"
    return running


@pytest.mark.skipif(sys.platform not in ("linux", "darwin"), reason="folders change places in one step there only")
def test_killed_at_any_moment(two: list[Path], tmp_path: Path, python_path: Path) -> None:
    """Eight kills: there is a whole dataset each time, and the next writer clears what is left beside it."""
    folder = tmp_path / "place" / "dataset"
    folder.parent.mkdir()
    dice = random.Random(7)
    with Database.open(two[0]) as opened:
        publish.publish(opened, folder)
    for _ in range(8):
        running = writing(folder, two, python_path)
        time.sleep(dice.uniform(0.05, 0.5))
        running.send_signal(signal.SIGKILL)
        running.wait()
        assert whole(folder) in (5, 9)
    with Database.open(two[1]) as opened:
        publish.publish(opened, folder, force=True)
    assert whole(folder) == 9
    assert [path.name for path in folder.parent.iterdir()] == ["dataset"]


@pytest.mark.skipif(sys.platform not in ("linux", "darwin"), reason="folders change places in one step there only")
def test_readers_see_the_old_or_the_new(two: list[Path], tmp_path: Path, python_path: Path) -> None:
    """While a dataset is replaced again and again, whoever opens it finds one, and all tables of the same one.

    One that is replaced between opening and asking may say so, but never answers from two.
    """
    folder = tmp_path / "dataset"
    with Database.open(two[0]) as opened:
        publish.publish(opened, folder)
    running = writing(folder, two, python_path)
    seen, tries = set(), 0
    try:
        end = time.monotonic() + 60
        while time.monotonic() < end and not (seen == {5, 9} and tries > 15):
            tries += 1
            assert folder.is_dir()
            try:
                seen.add(whole(folder))
            except Exception as error:
                assert "dataset" in str(error), error
    finally:
        running.send_signal(signal.SIGKILL)
        running.wait()
    assert seen == {5, 9}


def test_a_reader_during_a_load(two: list[Path], tmp_path: Path) -> None:
    """A database that is being written cannot be opened; its dataset can."""
    with Database.open(two[0]) as opened:
        publish.publish(opened, tmp_path / "dataset")
    with Loader(two[0]):
        ran = subprocess.run([sys.executable, "-m", "kifu", "sql", "SELECT count(*) AS n FROM games", "--csv", "--db",
                              str(tmp_path / "dataset")], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (0, "n\n5\n")


def test_what_another_process_is_writing_is_left(database: Path, tmp_path: Path) -> None:
    """The folder of one that runs stays, as does whatever only looks like one of ours."""
    running = tmp_path / f".dataset.{os.getppid()}.part"
    running.mkdir()
    (running / ".kifu-unfinished").touch()
    strange = tmp_path / ".dataset.999999999.part"
    strange.mkdir()
    (strange / "mine.txt").write_text("mine")
    dead = tmp_path / ".dataset.999999998.part"
    dead.mkdir()
    (dead / ".kifu-unfinished").touch()
    (dead / "half.parquet").touch()
    with Database.open(database) as opened:
        publish.publish(opened, tmp_path / "dataset")
    assert {path.name for path in tmp_path.iterdir()} == {"dataset", running.name, strange.name}
    assert (strange / "mine.txt").exists()


def test_two_writers(database: Path, tmp_path: Path) -> None:
    """At the same time, to the same place: one of them is told that there is a dataset."""
    told: list[str] = []

    def write() -> None:
        run = subprocess.run([sys.executable, "-m", "kifu", "export", "--db", str(database), "--parquet",
                              str(tmp_path / "dataset")], capture_output=True, text=True)
        told.append(f"{run.returncode}{run.stderr}")

    threads = [threading.Thread(target=write) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(one[0] for one in told) == ["0", "2"], told
    assert paths(tmp_path / "dataset") == {MANIFEST, *Manifest.read(tmp_path / "dataset").files()}


@pytest.fixture(autouse=True)
def _nothing_beside(tmp_path: Path) -> Iterator[None]:
    """No test may leave a folder for sorting behind."""
    yield
    assert not list(tmp_path.rglob(".sorting"))
