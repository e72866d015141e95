"""What is derived from the games is made together or not at all, and made again where it was not."""
from __future__ import annotations

from pathlib import Path

import pytest
import toy_games as toy
from test_naming import NAMED, NEW, ORDERS, game, key_after

import kifu
from kifu.knowledge import matcher
from kifu.store import compact, contained, derive, naming, openings, upgrade
from kifu.store.database import Database
from kifu.store.loader import Loader, in_memory
from kifu.store.rows import GameRow, game_row

#: The second one is the beginning of the first.
GAMES = [ORDERS[0], ORDERS[0].rsplit(" ", 1)[0], ORDERS[1]]
#: Per table, whether there is anything; and what of them was made.
FILLED = ("SELECT (SELECT count(*) FROM contained) > 0, (SELECT count(*) FROM openings) > 0,"
          " (SELECT count(*) FROM named_positions) > 0, (SELECT count(*) FROM tag_names) > 0")


def load(path: Path, rows: list[GameRow]) -> None:
    with Loader(path, "none") as loader:
        if rows:
            loader.add(toy.source("a"), rows)
        loader.finish()


def derived(path: Path) -> dict[str, object]:
    with Database.open(path) as database:
        return {question: database.rows(question) for question in (
            "FROM contained ORDER BY ALL", "FROM openings ORDER BY ALL", NAMED, "FROM tag_names ORDER BY ALL",
            "SELECT key, value FROM meta WHERE key IN ('openings', 'contained', 'tag_patterns') ORDER BY ALL")}


@pytest.fixture
def whole(tmp_path: Path) -> dict[str, object]:
    """What is derived when nobody disturbs it."""
    load(tmp_path / "whole.duckdb", [game(moves) for moves in GAMES])
    return derived(tmp_path / "whole.duckdb")


@pytest.mark.parametrize("again", ["load", "compact", "upgrade"])
@pytest.mark.parametrize("where", [(contained, "find"), (openings, "recount"), (naming, "note_patterns"), (naming, "rename")])
def test_all_or_nothing(db_path: Path, whole: dict[str, object], where: tuple[object, str], again: str,
                        monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever it ends, nothing of it is in, and a load of nothing makes it, or compaction, or an upgrade."""
    def fail(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(where[0], where[1], fail)
        load(db_path, [game(moves) for moves in GAMES])
    with Database.open(db_path) as database:
        assert database.value("SELECT count(*) FROM games") == 3
        assert database.rows(FILLED) == [(False, False, False, False)]
        assert derive.is_stale(database)
    {"load": lambda: load(db_path, []), "compact": lambda: compact.compact(db_path),
     "upgrade": lambda: upgrade.upgrade(db_path)}[again]()
    assert derived(db_path) == whole
    with Database.open(db_path) as database:
        assert database.rows(FILLED) == [(True, True, True, True)]
        assert not derive.is_stale(database)


@pytest.mark.parametrize("again", ["load", "compact", "upgrade"])
def test_names_that_were_never_made(db_path: Path, whole: dict[str, object], again: str) -> None:
    """Such databases were left by loads that were killed when names came in a transaction of their own."""
    load(db_path, [game(moves) for moves in GAMES])
    with Database.open(db_path, write=True) as database:
        database.run("DELETE FROM named_positions; DELETE FROM tag_names; DELETE FROM meta WHERE key = 'tag_patterns'")
    {"load": lambda: load(db_path, []), "compact": lambda: compact.compact(db_path),
     "upgrade": lambda: upgrade.upgrade(db_path)}[again]()
    assert derived(db_path) == whole


def test_it_is_not_done_again_for_nothing(db_path: Path) -> None:
    load(db_path, [game(moves) for moves in GAMES])
    with Database.open(db_path, write=True) as database:
        assert not derive.derive(database)
        database.set_meta("openings", "stale")
        assert derive.derive(database)
        assert not derive.derive(database)


def test_tags_of_pattern_files_that_are_not_at_hand(db_path: Path) -> None:
    """A load with a pattern file is killed; compaction, which knows of none, does not call its tags our own."""
    line = "9g9f 1c1d 8h9g 1a1c"
    with Loader(db_path, "none") as loader:
        loader.patterns = (NEW,)
        loader.add(toy.source("a"), [game(line, (NEW,)), game(line, (NEW,))])
        loader.commit_batch()
    compact.compact(db_path)
    with Database.open(db_path) as database:
        assert database.meta(naming.META) == naming.UNKNOWN
        assert "kifu db retag" in (naming.other_patterns(database) or "")
        assert database.value("SELECT count(*) FROM named_positions WHERE tag = 'edge_bishop'") == 0


@pytest.mark.parametrize("first", [0, 1])
def test_names_do_not_depend_on_the_order_of_loading(first: int) -> None:
    """A game from a position of its own, loaded first or last, takes no names from the games of the usual start."""
    start = "position sfen lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 1 moves 6g6f 8c8d 2h6h 8d8e"
    other = game_row(kifu.replay(kifu.parse(start)[0], keys=True), patterns=matcher(()))
    games = [game(ORDERS[0]), game(ORDERS[1])]
    other = other._replace(tags=tuple((*tag[:-1], 1) for tag in games[0].tags))  # whatever gives it tags
    rows = [other, *games] if first == 0 else [*games, other]
    with in_memory([(toy.source("a"), rows, [])]) as database:
        after = key_after(ORDERS[0].rsplit(" ", 1)[0])
        assert database.value("SELECT count(DISTINCT game_id) FROM plies WHERE key = $key", {"key": after}) == 3
        assert [name.tag for name in naming.name_of(database, after)] == ["counter_ranging", "shikenbisha", "static_rook"]
