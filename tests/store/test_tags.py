"""Castles and openings in a database: with their games, all or nothing, and in databases that never heard of them."""
from __future__ import annotations

from pathlib import Path

import pytest
import toy_games as toy

import kifu
from kifu.store import catalog
from kifu.store.database import Database, sql_file
from kifu.store.errors import DatabaseOlder, NotADatabase
from kifu.store.loader import Loader, in_memory
from kifu.store.rows import GameRow, game_row

SHIKEN = "7g7f 3c3d 6g6f 8c8d 2h6h"
YAGURA = "7g7f 8c8d 7i6h 3c3d 6h7g"
ALL = "SELECT game_id, side, kind, tag, ply FROM game_tags ORDER BY ALL"


def row(moves: str, **columns: object) -> GameRow:
    return game_row(kifu.replay(kifu.parse(f"position startpos moves {moves}")[0]))._replace(**columns)


def expected(game_id: int, moves: str) -> list[tuple[int, str, str, str, int]]:
    """What the table should hold of a game."""
    game = kifu.replay(kifu.parse(f"position startpos moves {moves}")[0])
    return sorted((game_id, tag.side, tag.kind, tag.key, tag.ply) for tag in kifu.tags(game))


def test_tags_come_with_their_games(db_path: Path) -> None:
    with Loader(db_path) as loader:
        loader.add(toy.source("a"), [row(SHIKEN), row(YAGURA), toy.row([(0, 1)])])
        loader.finish()
        assert loader.database.rows(ALL) == expected(1, SHIKEN) + expected(2, YAGURA)
        assert ("black", "opening", "shikenbisha", 5) in loader.database.rows(
            "SELECT side, kind, tag, ply FROM game_tags")


def test_a_game_without_any_has_no_row() -> None:
    with in_memory([(toy.source("a"), [row("7g7f")], [])]) as database:
        assert database.rows(ALL) == []


def test_a_duplicate_brings_no_tags_of_its_own(db_path: Path) -> None:
    with Loader(db_path) as loader:
        loader.add(toy.source("a"), [row(SHIKEN), row(SHIKEN)])
        loader.commit_batch()
        loader.add(toy.source("b"), [row(SHIKEN)])
        loader.finish()
        assert loader.database.rows(ALL) == expected(1, SHIKEN)


def test_tags_go_with_their_games(db_path: Path) -> None:
    """A file that has changed takes them away, but not those of a game that another file holds too."""
    with Loader(db_path) as loader:
        loader.add(toy.source("a"), [row(SHIKEN), row(YAGURA)])
        loader.add(toy.source("b"), [row(YAGURA)])
        loader.commit_batch()
        loader.add(toy.source("a", b"changed"), [row("2g2f 8c8d")])
        loader.finish()
        assert loader.database.rows(ALL) == expected(2, YAGURA) + expected(3, "2g2f 8c8d")


def test_a_batch_that_fails_leaves_no_tags(db_path: Path) -> None:
    with Loader(db_path) as loader:
        loader.add(toy.source("a"), [row(SHIKEN)])
        loader.commit_batch()
        with pytest.raises(Exception, match="not a ply"):
            loader.add(toy.source("b"), [row(YAGURA, tags=(("black", "opening", "yagura", "not a ply"),))])
            loader.commit_batch()
    with Database.open(db_path) as database:
        assert database.rows(ALL) == expected(1, SHIKEN)


def test_how_the_sides_fared() -> None:
    """Wins and losses from the view of the side that has the tag; both sides of a game have no view."""
    games = [row(SHIKEN, result=1), row(SHIKEN, result=-1, black="x"), row(SHIKEN, result=0, black="y"),
             row(SHIKEN, result=None, black="z"), row("2g2f 3c3d 7g7f 4c4d 3i4h 8b4b", result=1)]
    with in_memory([(toy.source("a"), games, [])]) as database:
        columns, rows = catalog.run(database, "tags", kind="opening")
        found = {one["tag"]: one for one in (dict(zip(columns, values, strict=True)) for values in rows)}
    shiken, both = found["shikenbisha"], found["counter_ranging"]
    assert [shiken[name] for name in ("sides", "games", "wins", "losses", "draws", "score", "mean_ply")] == [
        5, 5, 1, 2, 1, 0.375, 5.2]
    assert [both[name] for name in ("sides", "wins", "losses", "draws", "score")] == [5, 0, 0, 0, None]


# --- databases of the version before

def old(db_path: Path) -> None:
    """A database as version 1 left it."""
    with Loader(db_path) as loader:
        loader.add(toy.source("a"), [row(SHIKEN)])
        loader.finish()
        loader.database.run("DROP VIEW player_games")
        for table in ("game_tags", "boards", "named_positions", "contained", "tag_names"):
            loader.database.run(f"DROP TABLE {table}")
        columns = loader.database.rows("SELECT column_name FROM duckdb_columns() WHERE table_name = 'games'")
        for column, in columns[columns.index(("comments",)) + 1:]:
            loader.database.run(f"ALTER TABLE games DROP COLUMN {column}")
        loader.database.set_meta("schema_version", "1")


def test_loading_into_an_older_database_adds_the_table(db_path: Path) -> None:
    old(db_path)
    with Loader(db_path) as loader:
        assert loader.untagged == 1
        loader.add(toy.source("b"), [row(YAGURA)])
        loader.finish()
    with Loader(db_path) as loader:
        assert loader.untagged == 0
        assert loader.database.meta("schema_version") == "3"
        assert loader.database.rows(ALL) == expected(2, YAGURA)


def test_asking_an_older_database(db_path: Path) -> None:
    """What it has it tells; of what it lacks it says why. Nothing is written."""
    old(db_path)
    before = db_path.read_bytes()
    with Database.open(db_path) as database:
        assert database.value("SELECT count(*) FROM games") == 1
        with pytest.raises(DatabaseOlder, match=r"made by an earlier version \(schema 1\).*kifu db upgrade"):
            database.rows(ALL)
        with pytest.raises(DatabaseOlder):
            database.query(ALL)
    assert db_path.read_bytes() == before


def test_an_upgrade_gives_the_tables_of_a_new_database(db_path: Path) -> None:
    old(db_path)
    layout = ("SELECT table_name, column_name, data_type, comment FROM duckdb_columns() WHERE NOT internal ORDER BY ALL",
              "SELECT table_name, comment FROM duckdb_tables() WHERE NOT internal ORDER BY ALL")
    with Database.create_or_open(db_path) as upgraded, Database.memory() as new:
        for question in layout:
            assert upgraded.rows(question) == new.rows(question)


def test_an_upgrade_that_fails_changes_nothing(db_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old(db_path)
    plain = sql_file("upgrade_2.sql")
    monkeypatch.setattr("kifu.store.database.sql_file", lambda name: plain + "\nSELECT nonsense;")
    with pytest.raises(Exception, match="nonsense"):
        Database.create_or_open(db_path)
    monkeypatch.undo()
    with Database.open(db_path) as database:
        assert database.meta("schema_version") == "1"
        with pytest.raises(DatabaseOlder):
            database.rows(ALL)


def test_no_version_is_older_than_the_first(db_path: Path) -> None:
    with Database.create_or_open(db_path) as database:
        database.set_meta("schema_version", "0")
    with pytest.raises(NotADatabase, match="names no schema version"):
        Database.create_or_open(db_path)
