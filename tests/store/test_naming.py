"""Names of positions, and tags made anew: by any order of moves, the same as a fresh load, all or nothing."""
from __future__ import annotations

from pathlib import Path

import pytest
import toy_games as toy
from test_tags import ALL, SHIKEN, YAGURA, old, row

import kifu
from kifu.knowledge import PatternFile, matcher
from kifu.store import naming, retag
from kifu.store.database import Database
from kifu.store.errors import StoreError
from kifu.store.loader import Loader, in_memory
from kifu.store.rows import GameRow, game_row

NAMED = "SELECT key, tag, name_ja, name_en, parent FROM named_positions ORDER BY ALL"
#: The same position by two orders of moves, and what two games do then.
ORDERS = ("7g7f 3c3d 6g6f 8c8d 2h6h 8d8e", "6g6f 8c8d 7g7f 3c3d 2h6h 5a4b")
#: A bishop on 9g, of which kifu itself says nothing.
NEW = PatternFile("mine.toml", '[opening.edge_bishop]\nja = "端角"\nen = "Edge Bishop"\nposition = "B9g"\n')


def key_after(moves: str) -> int:
    position = kifu.Position()
    for move in moves.split():
        position.push(move)
    return position.key()


def game(moves: str, patterns: tuple[PatternFile, ...] = ()) -> GameRow:
    return game_row(kifu.replay(kifu.parse(f"position startpos moves {moves}")[0], keys=True), patterns=matcher(patterns))


def loaded(rows: list[GameRow], db_path: Path, patterns: tuple[PatternFile, ...] = ()) -> None:
    with Loader(db_path, "none") as loader:
        loader.patterns = patterns
        loader.add(toy.source("a"), rows)
        loader.finish()


def test_a_position_has_its_name_by_any_order_of_moves() -> None:
    """The rook goes to 6h in both: in the position after it, and not before."""
    with in_memory([(toy.source("a"), [game(moves) for moves in ORDERS], [])]) as database:
        before, after = (key_after(ORDERS[0].rsplit(" ", cut)[0]) for cut in (2, 1))
        assert [name.tag for name in naming.name_of(database, after)] == [
            "counter_ranging", "shikenbisha", "static_rook"]
        assert naming.name_of(database, after)[1] == ("shikenbisha", "四間飛車", "Fourth-file Rook")
        assert [name.tag for name in naming.name_of(database, before)] == ["static_rook"]  # White's pawn on 8d
        assert naming.name_of(database, key_after("")) == naming.name_of(database, 12345) == []
        assert database.rows("SELECT position_name($key), position_name($key, 'en')", {"key": after}) == [
            ("四間飛車, 対抗形, 居飛車", "Fourth-file Rook, Static Rook, Static v. Ranging")]


def test_more_general_names_come_along() -> None:
    with in_memory([(toy.source("a"), [game(moves) for moves in ORDERS], [])]) as database:
        rows = database.rows("SELECT tag, parent FROM named_positions WHERE key = $key ORDER BY tag",
                             {"key": key_after(ORDERS[0].rsplit(" ", 1)[0])})
        assert rows == [("counter_ranging", None), ("ranging_rook", None), ("shikenbisha", "ranging_rook"),
                        ("static_rook", None)]


def test_a_name_goes_when_it_stands_no_more() -> None:
    """The rook goes on to 8h: another opening of the games, and no fourth-file rook on that board."""
    line = "7g7f 3c3d 6g6f 8c8d 2h6h 8d8e 8h7g 7a6b 6h8h 5a4b"
    with in_memory([(toy.source("a"), [game(line), game(line)], [])]) as database:
        assert [name.tag for name in naming.name_of(database, key_after(line))] == [
            "counter_ranging", "mukai_bisha", "static_rook"]


def test_a_name_made_of_others_stands_with_them() -> None:
    """Both rooks stepped aside and came back, so both sides had a static rook by then; the board says nothing of it."""
    shuffled = "7g7f 3c3d 2h3h 8b7b 3h2h 7b8b"
    with in_memory([(toy.source("a"), [game(shuffled), game("7g7f 3c3d 2g2f")], [])]) as database:
        tags = database.rows("SELECT DISTINCT tag FROM game_tags WHERE game_id = 1 AND kind = 'opening' ORDER BY tag")
        assert tags == [("double_static",), ("static_rook",)]
        assert naming.name_of(database, key_after("7g7f 3c3d")) == []


def test_a_position_of_one_game_has_no_name() -> None:
    with in_memory([(toy.source("a"), [game(ORDERS[0])], [])]) as database:
        assert database.rows(NAMED) == []


def test_what_must_have_stood_before(db_path: Path) -> None:
    """Side Pawn Capture wants the rook to have come from 2d; the same board by a rook that was dropped has no such name
    unless a game reaches it that way."""
    line = "2g2f 8c8d 2f2e 8d8e 7g7f 3c3d 6i7h 4a3b 2e2d 2c2d 2h2d 8e8f 8g8f 8b8f 2d3d"
    with in_memory([(toy.source("a"), [game(line), game(line)], [])]) as database:
        assert "yokofudori" in {name.tag for name in naming.name_of(database, key_after(line))}
        assert "yokofudori" not in {name.tag for name in naming.name_of(database, key_after(line.rsplit(" ", 1)[0]))}


def test_names_follow_the_games(db_path: Path) -> None:
    """Further games bring names, games that go take theirs."""
    with Loader(db_path, "none") as loader:
        loader.add(toy.source("a"), [game(ORDERS[0])])
        loader.finish()
        assert loader.database.rows(NAMED) == []
    with Loader(db_path, "none") as loader:
        loader.add(toy.source("b"), [game(ORDERS[1])])
        loader.finish()
        assert loader.database.rows(NAMED) != []
    with Loader(db_path, "none") as loader:
        loader.add(toy.source("b", b"changed"), [game("7g7f")])
        loader.finish()
        assert loader.database.rows(NAMED) == []


def test_names_of_tags() -> None:
    with in_memory([(toy.source("a"), [game(SHIKEN)], [])]) as database:
        assert database.rows("SELECT tag_name('mino'), tag_name('mino', 'en'), tag_name('shikenbisha')") == [
            ("美濃囲い", "Mino", "四間飛車")]
        with pytest.raises(StoreError, match="names are in ja or en"):
            database.rows("SELECT tag_name('mino', 'fr')")
        assert database.value("SELECT count(*) FROM game_tags WHERE tag_name(tag) IS NULL") == 0


# --- tags made anew

MANY = [SHIKEN, YAGURA, *ORDERS, "9g9f 1c1d 8h9g 1a1c", "9g9f 1c1d 8h9g 1a1c 9g8h", "7g7f 3c3d 8h2b+ 3a2b", "7g7f", ""]


@pytest.mark.parametrize("patterns", [(), (NEW,)])
def test_as_a_new_load_would_make_them(db_path: Path, tmp_path: Path, patterns: tuple[PatternFile, ...]) -> None:
    """Whatever was there before."""
    handicap = game_row(kifu.replay(kifu.parse(
        "position sfen lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1 moves 3c3d 3i4h 4a3b 5i6h 8b4b 6h7h")[0],
        keys=True), patterns=matcher(patterns))
    fresh = tmp_path / "fresh.duckdb"
    loaded([*(game(moves, patterns) for moves in MANY if moves), handicap], fresh, patterns)
    loaded([*(game(moves)._replace(tags=()) for moves in MANY if moves), handicap, toy.row([(0, 1)])], db_path)
    with Database.open(db_path, write=True) as changed, Database.open(fresh) as expected:
        heard: list[int] = []
        done = retag.retag(changed, patterns, heard.append)
        assert done.games == len(MANY) == sum(heard)
        assert done.tags == changed.value("SELECT count(*) FROM game_tags")
        assert done.names == changed.value("SELECT count(*) FROM named_positions")
        for question in (ALL, NAMED, "FROM tag_names ORDER BY ALL", f"SELECT value FROM meta WHERE key = '{naming.META}'"):
            assert changed.rows(question) == expected.rows(question) != []
        assert bool(changed.rows("SELECT 1 FROM named_positions WHERE tag = 'edge_bishop'")) is bool(patterns)


def test_in_several_pieces(db_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded([game(moves) for moves in MANY if moves], db_path)
    monkeypatch.setattr(retag, "GAMES_AT_ONCE", 2)
    monkeypatch.setattr(naming, "GAMES_AT_ONCE", 2)
    with Database.open(db_path, write=True) as database:
        before = database.rows(ALL), database.rows(NAMED)
        retag.retag(database)
        assert (database.rows(ALL), database.rows(NAMED)) == before


def test_a_game_that_cannot_be_replayed(db_path: Path) -> None:
    """Nothing is changed then, and it says which one."""
    loaded([game(ORDERS[0]), game(ORDERS[1])], db_path)
    with Database.open(db_path, write=True) as database:
        before = database.rows(ALL), database.rows(NAMED)
        database.run("UPDATE games SET moves = '\\xbc\\x1d'::BLOB WHERE game_id = 2")
        with pytest.raises(StoreError, match=r"Game 2 cannot be replayed: move 1 \(7f7g\) is not legal"):
            retag.retag(database, (NEW,))
        assert (database.rows(ALL), database.rows(NAMED)) == before
        database.run("UPDATE games SET moves = NULL, plies = 0 WHERE game_id = 2")
        assert retag.retag(database).games == 2


def test_games_of_the_first_version_get_theirs(db_path: Path) -> None:
    old(db_path)
    with Database.open(db_path, write=True) as database:
        assert database.rows(ALL) == []
        assert retag.retag(database).games == 1
        assert ("black", "opening", "shikenbisha", 5) in database.rows("SELECT side, kind, tag, ply FROM game_tags")


# --- which patterns made the tags

def test_other_patterns_are_told(db_path: Path) -> None:
    loaded([row(SHIKEN)], db_path)
    with Database.open(db_path) as database:
        assert naming.other_patterns(database) is None
        assert naming.other_patterns(database, ()) is None
        told = naming.other_patterns(database, (NEW,))
        assert told is not None
        assert "kifu db retag" in told
    with Database.open(db_path, write=True) as database:
        retag.retag(database, (NEW,))
        assert naming.other_patterns(database) is None  # of our own ones nothing has changed
        assert naming.other_patterns(database, (NEW,)) is None
        assert naming.other_patterns(database, ()) is not None
        assert naming.other_patterns(database, (NEW._replace(text=f"{NEW.text}\n"),)) is not None
        database.set_meta(naming.META, "kifu 0123456789abcdef")
        assert "other patterns (kifu 0123456789abcdef)" in (naming.other_patterns(database) or "")


def test_loads_with_different_patterns_are_told(db_path: Path) -> None:
    loaded([row(SHIKEN)], db_path)
    with Loader(db_path) as loader:
        loader.patterns = (NEW,)
        loader.add(toy.source("b"), [game(ORDERS[1], (NEW,))])
        loader.finish()
        assert loader.database.meta(naming.META) == naming.UNKNOWN
        assert "several sets" in (naming.other_patterns(loader.database) or "")
        retag.retag(loader.database, (NEW,))
        assert naming.other_patterns(loader.database) is None
