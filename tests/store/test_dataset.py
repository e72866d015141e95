"""A database as a folder of Parquet files: the same rows to every reader, and one whole dataset at any moment."""
from __future__ import annotations

import errno
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import written_games
import toy_games

from kifu.store import exchange, publish
from kifu.store.database import Database, connect
from kifu.store.dataset import MANIFEST, TABLES, DatasetReadOnly, Manifest
from kifu.store.errors import DatabaseNewer, DatabaseUnusable, NotADatabase
from kifu.store.loader import Loader
from kifu.store.filters import Filters
from kifu.store.tree import opening_tree
from kifu.store.rows import RejectRow

REJECT = RejectRow(10, 1, 3, 4, 7, "K404", "two pawns", "+0055FU")


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small database with rows in most tables."""
    path = written_games.load(tmp_path_factory.mktemp("database") / "games.duckdb",
                           [(text, "csa") for text in written_games.games(40, seed=5)])
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
        key, who = one.value("SELECT start_key()"), Filters(player="先手 太郎")
        assert opening_tree(other, key, depth=3) == opening_tree(one, key, depth=3) != []
        assert opening_tree(other, key, filters=who) == opening_tree(one, key, filters=who)
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


@pytest.fixture(autouse=True)
def _nothing_beside(tmp_path: Path) -> Iterator[None]:
    """No test may leave a folder for sorting behind."""
    yield
    assert not list(tmp_path.rglob(".sorting"))


FUNCTIONS = """SELECT diagram(start_position('even')), game_sfen(1, 3), wilson(3, 5), tag_name('mino', 'en'), man('+R'),
    position_name(-5, 'en'), (SELECT count(*) FROM game_moves(1)), position_key('startpos') = start_key(),
    sfen_at(''::BLOB, NULL, 'even', 0)"""


def test_functions_of_sql(database: Path, folder: Path) -> None:
    """Those of a database file, and with its answers, also those that read tables."""
    with Database.open(database) as opened:
        expected = opened.rows(FUNCTIONS)
        names = opened.rows("SELECT function_name FROM duckdb_functions() WHERE NOT internal ORDER BY ALL")
    assert expected[0][3:6] == ("Mino", 39, "Mino")
    assert None not in expected[0]
    with Database.open(folder) as opened:
        assert list(opened.query(FUNCTIONS).rows) == expected
    with Database.open(folder) as opened:
        assert opened.work(FUNCTIONS) == expected
    with Database.open(folder) as opened:
        assert opened.rows("SELECT function_name FROM duckdb_functions() WHERE NOT internal ORDER BY ALL") == names
    with connect(folder) as connection:
        assert connection.execute(FUNCTIONS).fetchall() == expected
