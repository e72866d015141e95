"""Databases of earlier versions: brought up to date whole or not at all, and readable until then."""
from __future__ import annotations

import shutil
from pathlib import Path

import duckdb
import old_databases as old
import pytest
import toy_games as toy

from kifu.store import contained, retag, upgrade
from kifu.store.compact import compact
from kifu.store.database import SCHEMA_VERSION, Database
from kifu.store.errors import DatabaseMissing, DatabaseNewer, DatabaseOlder, QueryError
from kifu.store.loader import Loader
from kifu.store.verify import verify

LAYOUT = (
    "SELECT table_name, column_name, data_type, is_nullable, comment FROM duckdb_columns() WHERE NOT internal ORDER BY ALL",
    "SELECT table_name, comment, has_primary_key FROM duckdb_tables() WHERE NOT internal ORDER BY ALL",
    "SELECT view_name, comment, sql FROM duckdb_views() WHERE NOT internal ORDER BY ALL",
    "SELECT function_name, parameters, macro_definition FROM duckdb_functions() WHERE NOT internal ORDER BY ALL",
)


@pytest.fixture(scope="module", params=old.VERSIONS)
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[int, Path]:
    """A version and a database of it, not to be touched."""
    path = tmp_path_factory.mktemp("old") / "games.duckdb"
    old.make(path, request.param)
    return request.param, path


@pytest.fixture
def version(made: tuple[int, Path], db_path: Path) -> int:
    """A version, whose database is at ``db_path``."""
    shutil.copy(made[1], db_path)
    return made[0]


def test_an_upgrade_gives_the_tables_of_a_new_database(db_path: Path, version: int) -> None:
    done = upgrade.upgrade(db_path)
    assert (done.found_version, done.version) == (version, SCHEMA_VERSION)
    with Database.open(db_path) as upgraded, Database.memory() as new:
        for question in LAYOUT:
            assert upgraded.rows(question) == new.rows(question)


def test_an_upgrade_keeps_every_row(db_path: Path, version: int) -> None:
    """Values stay; the columns that a table has gained since are empty."""
    before = old.contents(db_path)
    upgrade.upgrade(db_path)
    after = old.contents(db_path)
    for table in before.keys() - {"meta", "game_tags"}:
        width = len(before[table][0]) if before[table] else 0
        assert [row[:width] for row in after[table]] == before[table], table
        assert {value for row in after[table] for value in row[width:]} <= {None}, table
    assert set(before.get("game_tags", [])) <= set(after["game_tags"])


def test_what_the_moves_tell_is_filled_in(db_path: Path, version: int) -> None:
    done = upgrade.upgrade(db_path)
    assert done.contained == 1
    with Database.open(db_path) as database:
        assert database.rows("FROM contained") == [(2, 1)]
        assert database.meta("openings") == "fresh"
        assert database.rows("SELECT player, score FROM player_games WHERE game_id = 1 ORDER BY ALL") == [
            ("Kana", 1), ("Riku", 0)]
        assert [str(finding) for finding in verify(database)] == []
        if version == 1:  # it kept no castles and openings; later ones keep what they have
            before = database.rows("FROM game_tags ORDER BY ALL")
    if version == 1:
        with Database.open(db_path, write=True) as database:
            retag.retag(database)
            assert database.rows("FROM game_tags ORDER BY ALL") == before != []


def test_what_only_the_records_had_is_told(db_path: Path, version: int) -> None:
    told = " ".join(upgrade.upgrade(db_path).lacking)
    assert "grades" in told
    assert "castles" not in told


def test_a_second_upgrade_does_nothing(db_path: Path, version: int) -> None:
    upgrade.upgrade(db_path)
    before = old.contents(db_path)
    again = upgrade.upgrade(db_path)
    assert (again.found_version, again.lacking) == (SCHEMA_VERSION, [])
    assert old.contents(db_path) == before


def test_all_or_nothing(db_path: Path, version: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is worked out at the end is part of it: when it fails the tables are the old ones."""
    before = old.contents(db_path)

    def fail(database: Database) -> None:
        contained.find(database, "contained")
        raise KeyboardInterrupt

    monkeypatch.setattr(contained, "fill", fail)
    with pytest.raises(KeyboardInterrupt):
        upgrade.upgrade(db_path)
    assert old.contents(db_path) == before


def test_loading_into_an_older_database(db_path: Path, version: int) -> None:
    """It is brought up to date first, and what it lacked is there at the end of the load."""
    with Loader(db_path) as loader:
        loader.add(toy.source("new"), [])
        loader.finish()
    with Database.open(db_path) as database:
        assert database.found_version == SCHEMA_VERSION
        assert database.rows("FROM contained") == [(2, 1)]


def test_a_load_that_was_killed_behind_the_tables(db_path: Path, version: int) -> None:
    """The tables are new then and the rest is not: an upgrade does that."""
    with Database.open(db_path, write=True):
        pass
    assert upgrade.upgrade(db_path).contained == 1


def test_compacting_an_older_database_brings_it_up_to_date(db_path: Path, version: int) -> None:
    done = compact(db_path)
    assert (done.found_version, done.version) == (version, SCHEMA_VERSION)
    with Database.open(db_path) as database:
        assert [str(finding) for finding in verify(database)] == []


def test_what_an_older_database_lacks_is_told(db_path: Path, version: int) -> None:
    """Questions about what it has are answered; nothing is written."""
    before = db_path.read_bytes()
    with Database.open(db_path) as database:
        assert database.value("SELECT count(*) FROM games") == 4
        for question, lacking in (
                ("FROM boards", "table boards"), ("FROM player_games", "table player_games"),
                ("FROM contained", "table contained"), ("SELECT black_grade FROM games", "column black_grade"),
                ("SELECT g.main_seconds FROM games g", "column main_seconds")):
            with pytest.raises(DatabaseOlder, match=rf"\(schema {version}\), which had no {lacking}\. kifu db upgrade"):
                database.rows(question)
            with pytest.raises(DatabaseOlder):
                list(database.query(question).rows)
        for nonsense in ("FROM nonsense", "SELECT nonsense FROM games", "SELECT nonsense(1)"):
            with pytest.raises(QueryError):
                database.rows(nonsense)
    assert db_path.read_bytes() == before


def test_functions_that_came_later(db_path: Path, version: int) -> None:
    with duckdb.connect(str(db_path)) as connection:
        connection.execute("DROP MACRO wilson_low")
    with Database.open(db_path) as database, pytest.raises(DatabaseOlder, match="no function wilson_low"):
        database.rows("SELECT wilson_low(1, 2)")
    upgrade.upgrade(db_path)
    with Database.open(db_path) as database:
        assert 0 < database.value("SELECT wilson_low(1, 2)") < 0.5


def test_an_older_database_is_not_verified(db_path: Path, version: int) -> None:
    with Database.open(db_path) as database, pytest.raises(DatabaseOlder, match="kifu db upgrade"):
        list(verify(database))


def test_a_newer_database_is_refused(db_path: Path) -> None:
    with Database.create_or_open(db_path) as database:
        database.set_meta("schema_version", str(SCHEMA_VERSION + 1))
    before = db_path.read_bytes()
    for work in (upgrade.upgrade, compact):
        with pytest.raises(DatabaseNewer):
            work(db_path)
    assert db_path.read_bytes() == before


def test_no_file_is_made(db_path: Path) -> None:
    for work in (upgrade.upgrade, compact):
        with pytest.raises(DatabaseMissing):
            work(db_path)
    assert not list(db_path.parent.iterdir())


@pytest.mark.parametrize("told", ["DELETE FROM meta WHERE key = 'macros'", "UPDATE meta SET value = 'x' WHERE key = 'macros'"])
def test_macros_of_another_state_of_the_program_are_renewed(db_path: Path, told: str) -> None:
    """Of the same version, before moves had four bytes: whoever may write has the macros that fit what he writes."""
    with Loader(db_path) as loader:
        loader.add(toy.source("a"), toy.random_rows(2, seed=1))
        loader.finish()
    with duckdb.connect(db_path) as connection:
        connection.execute("CREATE OR REPLACE MACRO usi(move) AS '*6i'")
        connection.execute(told)
    with Database.open(db_path) as read_only:
        assert read_only.value("SELECT usi(7739)") == "*6i"
    with Loader(db_path) as loader:
        loader.finish()
    with Database.open(db_path) as database, Database.memory() as new:
        assert database.value("SELECT usi(7739)") == "7g7f"
        assert database.rows(LAYOUT[-1]) == new.rows(LAYOUT[-1])
