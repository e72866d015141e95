"""Loading: what goes in comes out, twice is once, changed files replace their games, and a batch is all or nothing."""
from __future__ import annotations

import datetime
import random
from array import array
from pathlib import Path
from typing import Any

import pytest
import toy_games as toy

from kifu.store import arrow, moves
from kifu.store.core import Builder
from kifu.store.database import Database
from kifu.store.errors import QueryError
from kifu.store.loader import DEDUPE, Loader, Statistics, in_memory
from kifu.store.rows import GameRow, RejectRow, SourceInfo, flat_game

REJECT = RejectRow(12, 3, 7, 2, 41, "K404", "P*5e: there is a pawn on 5g already", "+0055FU")
File = tuple[SourceInfo, list[GameRow], list[RejectRow]]


def load(path: Path, *files: File, **options: Any) -> Statistics:
    """Load files as the command line does: known ones are passed over."""
    with Loader(path, **options) as loader:
        for source, games, rejects in files:
            if not loader.known(source.path, source.sha256):
                loader.add(source, games, rejects)
        return loader.finish()


def ask(path: Path, sql: str) -> list[tuple[Any, ...]]:
    with Database.open(path) as database:
        return database.rows(sql)


def consistent(path: Path) -> None:
    """Every game has its plies, every row its source, and the bookkeeping adds up."""
    with Database.open(path) as database:
        value = database.value
        assert value("SELECT count(*) FROM plies") == value("SELECT coalesce(sum(plies + 1), 0) FROM games")
        assert value("SELECT count(*) FROM games g ANTI JOIN plies p ON p.game_id = g.game_id AND p.ply = g.plies"
                     " AND p.move = 0") == 0
        for table in ("games", "copies", "rejects"):
            assert value(f"SELECT count(*) FROM {table} ANTI JOIN sources USING (source_id)") == 0
        assert value("SELECT count(*) FROM copies ANTI JOIN games USING (game_id)") == 0
        assert value("SELECT count(*) FROM sources ANTI JOIN batches USING (batch_id)") == 0
        assert value("SELECT count(*) FROM sources s WHERE games_ok <>"
                     " (SELECT count(*) FROM games g WHERE g.source_id = s.source_id)"
                     " + (SELECT count(*) FROM copies c WHERE c.source_id = s.source_id)") == 0


def test_what_goes_in_comes_out(db_path: Path) -> None:
    games = toy.random_rows(50, seed=1)
    load(db_path, (toy.source("a.csa"), games, [REJECT]), dedupe="none")
    consistent(db_path)
    columns = ("source_offset, hex(game_hash::VARCHAR::BLOB), variant, handicap, start_sfen, black, white, black_rating,"
               " white_rating, event, site, date, date_precision, time_control, result, \"end\", verified_end,"
               " verified_winner, illegal_move, illegal_reason, plies, moves")
    found = ask(db_path, f"SELECT {columns.replace('hex(game_hash::VARCHAR::BLOB)', 'game_hash')}, seconds, comments"
                         " FROM games ORDER BY game_id")
    for row, game in zip(found, games, strict=True):
        assert row[1].bytes == game.game_hash
        assert row[:1] + row[2:-2] == game[:1] + game[2:22]
        clock = None if game.clock is None else [None if ms < 0 else ms // 1000 for ms in array("q", game.clock)]
        assert row[-2:] == (clock, game.comments and game.comments.texts())
    assert ask(db_path, "FROM rejects") == [(1, *REJECT)]
    assert ask(db_path, "SELECT path, sha256, size, format, encoding, games_ok, games_rejected FROM sources") == [
        (*toy.source("a.csa"), 50, 1)]


def test_plies_are_the_positions_of_each_game(db_path: Path) -> None:
    games = toy.random_rows(30, seed=2)
    load(db_path, (toy.source("a.csa"), games, []), dedupe="none")
    expected = sorted(
        (key, move, number, ply)
        for number, game in enumerate(games, 1)
        for ply, (key, move) in enumerate(zip(array("q", game.keys), [*moves.decode(game.moves), 0], strict=True)))
    assert ask(db_path, "SELECT key, move, game_id, ply FROM plies") == expected  # in this order


@pytest.mark.parametrize("dedupe", DEDUPE)
def test_an_unchanged_file_costs_nothing(db_path: Path, dedupe: str) -> None:
    files = [(toy.source(f"{n}.csa"), toy.random_rows(5, seed=n), [REJECT]) for n in range(4)]
    first = load(db_path, *files, dedupe=dedupe)
    before = ask(db_path, "SELECT count(*), max(game_id) FROM games"), ask(db_path, "SELECT count(*) FROM batches")
    second = load(db_path, *files, dedupe=dedupe)
    assert (first.sources, first.skipped, second.sources, second.skipped) == (4, 0, 0, 4)
    assert (second.games, second.duplicates, second.rejected, second.batches) == (0, 0, 0, 0)
    assert before == (ask(db_path, "SELECT count(*), max(game_id) FROM games"), ask(db_path, "SELECT count(*) FROM batches"))
    consistent(db_path)


def test_the_same_path_twice_in_one_load(db_path: Path) -> None:
    file = (toy.source("a.csa"), toy.random_rows(5, seed=1), [])
    assert load(db_path, file, file).skipped == 1


def test_two_versions_of_a_file_in_one_load(db_path: Path) -> None:
    old, new = toy.random_rows(5, seed=1), toy.random_rows(6, seed=2)
    told = load(db_path, (toy.source("a.csa", b"old"), old, [REJECT]), (toy.source("a.csa", b"new"), new, []), dedupe="none")
    assert (told.games, told.removed) == (11, 5)
    assert ask(db_path, "SELECT path, games_ok FROM sources") == [("a.csa", 6)]
    consistent(db_path)


def test_standard_input_adds_up(db_path: Path) -> None:
    first, second = (toy.source("-", b"1"), toy.random_rows(5, seed=1), []), (toy.source("-", b"2"), toy.random_rows(6, seed=2), [])
    for files in ([first, second], [first, second]):
        load(db_path, *files, dedupe="none")
    assert ask(db_path, "SELECT count(*) FROM games") == [(11,)]
    assert [path[:2] for (path,) in ask(db_path, "SELECT path FROM sources")] == ["-:", "-:"]
    consistent(db_path)


@pytest.mark.parametrize("dedupe", DEDUPE)
def test_a_changed_file_replaces_its_games(db_path: Path, dedupe: str) -> None:
    old, kept = toy.random_rows(20, seed=1), toy.random_rows(20, seed=2)
    load(db_path, (toy.source("a.csa", b"old"), old, [REJECT]), (toy.source("b.csa"), kept, []), dedupe=dedupe)
    changed = toy.random_rows(7, seed=3)
    told = load(db_path, (toy.source("a.csa", b"new"), changed, []), dedupe=dedupe)
    load_afresh = db_path.with_name("afresh.duckdb")
    load(load_afresh, (toy.source("b.csa"), kept, []), (toy.source("a.csa", b"new"), changed, []), dedupe=dedupe)
    # with --dedupe moves a game that both files held keeps the names under which it came first
    names = "" if dedupe == "moves" else ", black, white"
    for sql in (f"SELECT game_hash{names} FROM games ORDER BY ALL", "SELECT count(*) FROM rejects",
                "SELECT key, move, ply FROM plies ORDER BY ALL", "SELECT path, games_ok FROM sources ORDER BY ALL",
                "SELECT key, move, next_key, games FROM openings ORDER BY ALL"):
        assert ask(db_path, sql) == ask(load_afresh, sql)
    assert told.removed > 0
    consistent(db_path)


def test_a_game_that_another_file_holds_too_survives_its_file(db_path: Path) -> None:
    shared = toy.row([(0, 1), (1, 2)], black="a", white="b", source_offset=11)
    other = toy.row([(2, 1)], black="a", white="b")
    load(db_path, (toy.source("first.csa", b"1"), [shared, other], []),
         (toy.source("second.csa"), [shared._replace(source_offset=22)], []),
         (toy.source("third.csa"), [shared._replace(source_offset=33)], []))
    assert ask(db_path, "SELECT game_id, source_id, source_offset FROM copies ORDER BY ALL") == [(1, 2, 22), (1, 3, 33)]
    told = load(db_path, (toy.source("first.csa", b"2"), [], []))
    assert told.removed == 1
    assert ask(db_path, "SELECT game_id, source_id, source_offset FROM games") == [(1, 2, 22)]
    assert ask(db_path, "FROM copies") == [(1, 3, 33)]
    consistent(db_path)


@pytest.mark.parametrize(("dedupe", "games"), [("moves", 2), ("moves+players", 4), ("none", 7)])
def test_duplicates(db_path: Path, dedupe: str, games: int) -> None:
    one, two = [(0, 1), (1, 2)], [(1, 2), (0, 1)]
    rows = [toy.row(one, black="a", white="b"), toy.row(one, black="a", white="b", event="again"),
            toy.row(one, black="b", white="a"), toy.row(one, black="a"), toy.row(one, black="a"),
            toy.row(two, black="a", white="b"), toy.row(two, black="a", white="b")]
    here, together = db_path, db_path.with_name("together.duckdb")
    for n, row in enumerate(rows):
        load(here, (toy.source(f"{n}.csa"), [row], []), dedupe=dedupe)
    told = load(together, (toy.source("all.csa"), rows, []), dedupe=dedupe)
    assert (told.games, told.duplicates) == (games, len(rows) - games)
    for path in (here, together):
        assert ask(path, "SELECT count(*) FROM games") == [(games,)]
        assert ask(path, "SELECT count(*) FROM copies") == [(len(rows) - games,)]
        assert ask(path, "SELECT min(game_id), max(game_id) FROM games") == [(1, games)]
        consistent(path)


def test_a_file_may_come_in_parts(db_path: Path) -> None:
    rows = toy.random_rows(30, seed=4)
    source = toy.source("large.csa")
    with Loader(db_path, dedupe="none") as loader:
        loader.add(source, rows[:10], [REJECT], last=False)
        loader.commit_batch()
        assert loader.database.rows("SELECT sha256, games_ok FROM sources") == [(None, 10)]
        assert loader.has(source.path)
        assert not loader.has("another.csa")
        assert not loader.known(source.path, source.sha256)
        loader.add(source, rows[10:20], last=False)
        loader.add(source, rows[20:])
        loader.finish()
    assert ask(db_path, "SELECT sha256, games_ok, games_rejected FROM sources") == [(source.sha256, 30, 1)]
    assert ask(db_path, "SELECT count(*) FROM batches") == [(2,)]
    consistent(db_path)


def test_a_file_that_never_came_to_its_end_is_loaded_anew(db_path: Path) -> None:
    rows = toy.random_rows(30, seed=4)
    source = toy.source("large.csa")
    with Loader(db_path) as loader:
        loader.add(source, rows[:10], [REJECT], last=False)
        loader.commit_batch()
    load(db_path, (source, rows, [REJECT]))
    assert ask(db_path, "SELECT games_ok, games_rejected FROM sources") == [(30, 1)]
    assert ask(db_path, "SELECT count(*) FROM rejects") == [(1,)]
    consistent(db_path)


def test_a_failing_batch_leaves_nothing(db_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load(db_path, (toy.source("a.csa", b"old"), toy.random_rows(10, seed=1), []))
    before = {table: ask(db_path, f"SELECT * FROM {table} ORDER BY ALL")
              for table in ("games", "plies", "sources", "batches", "copies", "rejects", "meta", "openings")}

    def fail(*_: object) -> None:
        raise RuntimeError("rejects cannot be made")

    monkeypatch.setattr(arrow, "rejects_table", fail)
    with pytest.raises(RuntimeError), Loader(db_path) as loader:
        loader.add(toy.source("a.csa", b"new"), toy.random_rows(10, seed=2), [REJECT])
        loader.finish()
    for table, rows in before.items():
        assert ask(db_path, f"SELECT * FROM {table} ORDER BY ALL") == rows
    consistent(db_path)


def test_an_interruption_before_anything_is_added(db_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes through as what it is, and the database is free again."""
    def interrupted(_: Loader) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(Loader, "_read_state", interrupted)
        Loader(db_path)
    load(db_path)
    consistent(db_path)


def test_leaving_early_keeps_whole_batches_and_says_that_openings_are_stale(db_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), Loader(db_path) as loader:
        loader.add(toy.source("a.csa"), toy.random_rows(10, seed=1))
        loader.commit_batch()
        loader.add(toy.source("b.csa"), toy.random_rows(10, seed=2))
        raise KeyboardInterrupt
    assert ask(db_path, "SELECT path FROM sources") == [("a.csa",)]
    assert ask(db_path, "SELECT value FROM meta WHERE key = 'openings'") == [("stale",)]
    consistent(db_path)
    load(db_path)
    assert ask(db_path, "SELECT value FROM meta WHERE key = 'openings'") == [("fresh",)]


def test_batches_are_numbered_and_counted(db_path: Path) -> None:
    with Loader(db_path, dedupe="none") as loader:
        for n in range(3):
            loader.add(toy.source(f"{n}.csa"), toy.random_rows(4, seed=n), [REJECT] * n)
            loader.commit_batch()
        loader.commit_batch()
        told = loader.finish()
    assert told.batches == 3
    found = ask(db_path, "SELECT batch_id, games_ok, games_rejected, finished_at >= started_at, tool_version IS NOT NULL"
                         " FROM batches ORDER BY batch_id")
    assert found == [(n + 1, 4, n, True, True) for n in range(3)]


def test_long_games_and_odd_texts(db_path: Path) -> None:
    dice = random.Random(5)
    cell, played = 0, []
    for _ in range(40_000):
        cell = dice.choice([c for c in range(toy.CELLS) if c != cell])
        played.append((0, cell))
    names = ["引用'符\"", "NUL\0inside", "☗７六歩", "", "x" * 100_000]
    rows = [toy.row(played, black=name, clock=array("q", [86_400_000] * 39_999 + [1 << 62]).tobytes()) for name in names]
    load(db_path, (toy.source("odd'; DROP TABLE games; --.csa"), rows, [REJECT._replace(text="\0'\"")]))
    assert [name for (name,) in ask(db_path, "SELECT black FROM games ORDER BY game_id")] == names
    assert ask(db_path, "SELECT DISTINCT plies, len(seconds), seconds[1], seconds[40_000] FROM games") == [
        (40_000, 40_000, 86_400, 2_147_483_647)]
    consistent(db_path)


def test_dates_and_empty_games(db_path: Path) -> None:
    rows = [toy.row([], date=datetime.date(1, 1, 1)), toy.row([], date=datetime.date(9999, 12, 31), black="z")]
    load(db_path, (toy.source("a.csa"), rows, []), (toy.source("empty.csa"), [], []))
    assert ask(db_path, "SELECT count(*) FROM plies") == [(2,)]
    assert ask(db_path, "SELECT top_game, last_game, games FROM openings") == [(1, 2, 2)]
    consistent(db_path)


def test_options_are_checked(db_path: Path) -> None:
    with pytest.raises(ValueError, match="dedupe"):
        Loader(db_path, dedupe="players")
    assert not db_path.exists()


def test_pieces_of_a_file_in_memory() -> None:
    rows = toy.random_rows(30, seed=4)
    pieces = [(toy.source("large.csa"), rows[n:n + 10], [REJECT]) for n in (0, 10, 20)]
    with in_memory([*pieces, (toy.source("other.csa"), rows[:5], [])]) as database:
        assert database.rows("SELECT path, games_ok, games_rejected FROM sources ORDER BY 1") == [
            ("large.csa", 30, 3), ("other.csa", 5, 0)]


def test_rows_straight_into_memory() -> None:
    files = [(toy.source(f"{n}.csa"), toy.random_rows(5, seed=n), [REJECT]) for n in range(3)]
    with in_memory(iter(files)) as database:
        columns, rows = database.query("SELECT count(*) AS games, (SELECT count(*) FROM rejects) AS rejects FROM games")
        assert (columns, list(rows)) == (["games", "rejects"], [(15, 3)])
        assert database.value("SELECT count(*) FROM openings") > 0
        with pytest.raises(QueryError):
            database.query("SELECT nothing FROM games")


def test_a_commit_beside_the_next_batch(db_path: Path) -> None:
    """A source of which more comes while its first games are being written is not told to be in before it is."""
    games = toy.random_rows(60, seed=5)
    source = toy.source("large.csa")
    with Loader(db_path, dedupe="none") as loader:
        loader.add(source, games[:20], last=False)
        loader.commit_soon()
        loader.add(source, games[20:], last=True)  # while the first batch may not have been looked at
        loader.settle()
        assert loader.database.rows("SELECT sha256, games_ok FROM sources") == [(None, 20)]
        loader.commit_soon()
        assert loader.finish().games == 60
    assert ask(db_path, "SELECT sha256, games_ok FROM sources") == [(source.sha256, 60)]
    assert ask(db_path, "SELECT count(*), count(DISTINCT game_id) FROM games") == [(60, 60)]


def test_a_commit_that_fails_is_told_by_the_next_call(db_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Loader(db_path) as loader:
        loader.add(toy.source("a.csa"), toy.random_rows(5, seed=1))
        monkeypatch.setattr(loader, "_insert", lambda *_: 1 / 0)
        loader.commit_soon()
        with pytest.raises(ZeroDivisionError):
            loader.settle()
        with pytest.raises(ZeroDivisionError):
            loader.finish()
    assert ask(db_path, "SELECT count(*) FROM games") == [(0,)]


@pytest.mark.parametrize("dedupe", DEDUPE)
def test_rows_of_a_file_that_is_in_change_nothing(db_path: Path, dedupe: str) -> None:
    """Whoever hands them over without asking whether it is `known`: in one batch of rows, or in two."""
    source, games = toy.source("a.csa"), [*map(flat_game, toy.random_rows(5, seed=1))]
    with Loader(db_path, dedupe) as loader:
        for times in (2, 1):
            builder = Builder()
            for _ in range(times):
                builder.add(source, games, last=True)
            loader.append(builder.finish())
        told = loader.finish()
    assert (told.games + told.duplicates, told.sources, told.skipped, told.removed) == (5, 1, 2, 0)
    consistent(db_path)


def test_no_id_is_given_twice(db_path: Path) -> None:
    """Also where the last games were removed, and where an earlier version wrote the file, which kept no count."""
    load(db_path, (toy.source("a.csa"), toy.random_rows(3, seed=1), []), dedupe="none")
    load(db_path, (toy.source("b.csa", b"old"), toy.random_rows(4, seed=2), []), dedupe="none")  # 4 to 7
    assert load(db_path, (toy.source("b.csa", b"new"), [], [REJECT]), dedupe="none").removed == 4
    load(db_path, (toy.source("c.csa"), toy.random_rows(1, seed=3), []), dedupe="none")
    assert ask(db_path, "SELECT game_id FROM games ORDER BY 1") == [(1,), (2,), (3,), (8,)]
    with Database.open(db_path, write=True) as database:
        database.run("DELETE FROM meta WHERE key = 'next_game_id'")
    load(db_path, (toy.source("d.csa"), toy.random_rows(1, seed=4), []), dedupe="none")
    with Database.open(db_path, write=True) as database:
        database.set_meta("next_game_id", "2")
    load(db_path, (toy.source("e.csa"), toy.random_rows(1, seed=5), []), dedupe="none")
    assert ask(db_path, "SELECT max(game_id), count(*) FROM games") == [(10, 6)]
    consistent(db_path)
