"""SQL that reads like shogi: macros of the file and functions of Python, held to the engine, and hostile arguments."""
from __future__ import annotations

import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
import toy_games as toy

import kifu
from kifu.draw import board_text
from kifu.notation.ki2_writer import ki2_move
from kifu.rules.handicaps import EVEN, HANDICAPS
from kifu.rules.position import Position
from kifu.store import functions, moves
from kifu.store.database import Database, sql_file
from kifu.store.errors import QueryError
from kifu.store.loader import Loader
from kifu.store.rows import game_row

#: A position with most men in hand and promoted ones of both sides.
HARD = "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124"
MEN = ["", *"PLNSGBRK"]


def random_game(dice: random.Random, start: str, plies: int) -> list[str]:
    """The moves of a random game."""
    position, played = kifu.Position(start), []
    for _ in range(plies):
        choice = position.legal_moves()
        if not choice:
            break
        move = dice.choice(choice)
        position.push(move)
        played.append(str(move))
    return played


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of random games: even ones, each handicap, and one from a position of its own."""
    dice = random.Random(6)
    starts = [EVEN, EVEN, *(handicap.sfen for handicap in HANDICAPS.values()), HARD]
    rows = []
    for start in starts:
        line = random_game(dice, start, 50)
        game = kifu.replay(kifu.parse(f"position sfen {start} moves {' '.join(line)}")[0], keys=True)
        assert game.verdict == "legal"
        rows.append(game_row(game))
    found = tmp_path_factory.mktemp("functions") / "games.duckdb"
    with Loader(found, "none") as loader:
        loader.add(toy.source("a"), rows)
        loader.finish()
    return found


@pytest.fixture(scope="module")
def database(path: Path) -> Iterator[Database]:
    with Database.open(path) as opened:
        yield opened


@pytest.fixture(scope="module")
def games(database: Database) -> list[tuple[int, Position, list[str]]]:
    """Of each game its number, its start and its moves in USI."""
    return [(game, Position(start), played) for game, start, played in database.rows(
        "SELECT game_id, start_position(handicap, start_sfen := start_sfen), usi_moves(moves) FROM games ORDER BY ALL")]


def walked(start: Position, played: list[str]) -> Iterator[tuple[Position, int]]:
    """Each position of a game with the move played there, 0 at its end."""
    from kifu.rules.move import from_usi

    position = start.copy()
    for move in played:
        packed = position.resolve(from_usi(move))
        yield position, packed
        position.play(packed)
    yield position, 0


def test_start_positions(database: Database) -> None:
    for handicap in HANDICAPS.values():
        assert database.value("SELECT start_position($key)", {"key": handicap.key}) == handicap.sfen
    assert database.rows("SELECT start_position('other'), start_position('other', start_sfen := 'x'), start_position(NULL)") == [
        (None, "x", None)]


def test_every_position_of_every_game(database: Database, games: list[Any]) -> None:
    """SFEN, key, diagram and hands of SQL and of the engine are the same."""
    for game, start, played in games:
        found = database.rows(
            "SELECT sfen, position_key(sfen), diagram(sfen), hand(sfen, 'black'), hand(sfen, 'white') FROM"
            " (SELECT sfen_at(moves, start_sfen, handicap, ply) AS sfen"
            " FROM (SELECT *, unnest(range(plies + 1)) AS ply FROM games WHERE game_id = $game))",
            {"game": game})
        assert len(found) == len(played) + 1
        for (sfen, key, diagram, black, white), (position, _) in zip(found, walked(start, played), strict=True):
            assert sfen == position.sfen()
            assert key == position.key()
            assert diagram == board_text(sfen)
            held = sfen.split()[2]
            assert black == (re.sub(r"\d*[a-z]", "", held).replace("-", "") or "-")
            assert white == (re.sub(r"\d*[A-Z]", "", held).replace("-", "") or "-").upper()


def test_keys_are_those_of_the_loader(database: Database) -> None:
    wrong = ("SELECT count(*) FROM plies WHERE ply % 10 = 0 AND (position_key(game_sfen(game_id, ply)) <> key"
             " OR position_key(key_sfen(key)) <> key)")
    assert database.value(wrong) == 0
    assert database.value("SELECT position_key('startpos') = start_key()") is True


def test_squares_and_material(database: Database) -> None:
    position = Position(HARD)
    for file in range(1, 10):
        for rank in range(1, 10):
            value = position.piece_at(file, rank)
            name = f"{'+' if value & 32 else ''}{MEN[value & 31]}"
            square = f"{file}{chr(96 + rank)}"
            assert database.value("SELECT man_at($sfen, $square)", {"sfen": HARD, "square": square}) == (
                (name.lower() if value & 64 else name) or None)
    # counted by hand in the diagram, men in hand included: White has six pawns on the board and three in hand
    for man, count in (("P", 8), ("p", 9), ("+p", 1), ("+r", 1), ("+R", 1), ("R", 0), ("S", 3), ("s", 1), ("G", 3), ("g", 1),
                       ("b", 1), ("B", 1), ("k", 1), ("l", 2), ("N", 2), ("n", 2)):
        assert database.value("SELECT material($sfen, $man)", {"sfen": HARD, "man": man}) == count, man


def test_men_as_numbers(database: Database) -> None:
    """The numbers of the table boards."""
    for name, number in (("P", 1), ("K", 8), ("+R", 39), ("+P", 33), ("k", 72), ("+b", 102), ("g", 69)):
        assert database.rows("SELECT man($name), man_name($number)", {"name": name, "number": number}) == [(number, name)]
    assert database.rows("SELECT man(NULL), man_name(0), man_name(NULL)") == [(None, None, None)]


def test_names_of_moves(database: Database, games: list[Any]) -> None:
    """Western and Japanese names of whole games and of single moves, beside the writers of games."""
    for game, start, played in games:
        western, japanese, hosking = database.rows(
            "SELECT western_moves(moves, start_sfen, handicap), japanese_moves(moves, start_sfen, handicap),"
            " western_moves(moves, start_sfen, handicap, 'hosking') FROM games WHERE game_id = $game", {"game": game})[0]
        expected = [(position.copy(), move) for position, move in walked(start, played) if move]
        api = [kifu.Position(position.sfen()) for position, _ in expected]
        assert western == [kifu.notate(position, usi, "western") for position, usi in zip(api, played, strict=True)]
        assert hosking == [kifu.notate(position, usi, "western", style="hosking")
                           for position, usi in zip(api, played, strict=True)]
        assert japanese == ["☗☖"[position.turn] + ki2_move(position, move) for position, move in expected]
        single = database.rows("SELECT move_name(sfen, move), move_name(sfen, move, 'csa'), usi, ply FROM game_moves($game)",
                               {"game": game})
        assert [row[0] for row in single] == western
        assert [row[1][1:] for row in single] == [kifu.notate(position, usi, "csa")[1:]
                                                  for position, usi in zip(api, played, strict=True)]
        assert [row[2:] for row in single] == [(usi, ply) for ply, usi in enumerate(played, 1)]


def test_names_as_books_have_them(database: Database) -> None:
    """By hand: a capture, a promotion, 同, one of two golds."""
    line = "7g7f 3c3d 8h2b+ 3a2b 4i5h"
    game = kifu.replay(kifu.parse(f"position startpos moves {line}")[0])
    found = database.rows("SELECT japanese_moves($blob), western_moves($blob)", {"blob": moves.encode(game.moves)})[0]
    assert found == (["☗７六歩", "☖３四歩", "☗２二角成", "☖同　銀", "☗５八金右"],
                     ["P-7f", "P-3d", "Bx2b+", "Sx2b", "G4i-5h"])


@pytest.mark.parametrize("text", ["7g7f 3c3d", "P-7f P-3d", "  7g7f   3c3d\n"])
def test_positions_after_moves_in_text(database: Database, text: str) -> None:
    position = kifu.Position()
    position.push("7g7f")
    position.push("3c3d")
    assert database.rows("SELECT position_key_after($text), sfen_after($text)", {"text": text}) == [
        (position.key(), position.sfen())]


def test_nothing_played(database: Database) -> None:
    assert database.rows("SELECT position_key_after(''), sfen_after(' ')") == [(Position().key(), EVEN)]


@pytest.mark.parametrize("expression", [
    "position_key(NULL)", "sfen_at(NULL, NULL, 'even', 3)", "sfen_at(''::BLOB, NULL, 'even', NULL)",
    "sfen_at(''::BLOB, NULL, 'nonsense', 0)", "sfen_at(''::BLOB, NULL, 'even', 1)", "sfen_at(''::BLOB, NULL, 'even', -1)",
    "game_sfen(NULL, 1)", "game_sfen(99999, 1)", "game_sfen(1, 99999)", "key_sfen(NULL)", "key_sfen(12345)",
    "man_at(NULL, '7f')", f"man_at('{EVEN}', NULL)", "hand(NULL, 'black')", f"hand('{EVEN}', NULL)", "material(NULL, 'P')",
    f"material('{EVEN}', NULL)", "diagram(NULL)", "tag_name(NULL)", "tag_name('nonsense')", "position_name(NULL)",
    "western_moves(NULL)", "japanese_moves(NULL, NULL, NULL)", "move_name(NULL, 5)", f"move_name('{EVEN}', NULL)",
    f"move_name('{EVEN}', 0)", "position_key_after(NULL)", "sfen_after(NULL)", "wilson(1, 0)", "wilson(NULL, 3).low",
])
def test_null_and_what_is_not_there(database: Database, expression: str) -> None:
    assert database.value(f"SELECT {expression}") is None


@pytest.mark.parametrize(("expression", "said"), [
    ("position_key('nonsense')", "'nonsense' is no SFEN"), ("position_key('')", "no SFEN"),
    (f"position_key('{EVEN.replace('9/9', '9/8')}')", "no SFEN"), (f"position_key('{EVEN.replace('K', '+K')}')", "no SFEN"),
    (f"position_key('{EVEN.replace('-', '999P')}')", "no SFEN"), (f"position_key('{EVEN.replace('b -', 'x -')}')", "no SFEN"),
    ("position_key(repeat('9', 1000000))", "no SFEN"), ("diagram('T8/9/9/9/9/9/9/9/9 b -')", "no SFEN"),
    ("sfen_at(''::BLOB, 'nonsense', 'even', 0)", "no SFEN"),
    ("man('+G')", "men are P L N S G B R K"), ("man('PP')", "men are"), ("man('')", "men are"),
    (f"man_at('{EVEN}', '0a')", "no square"), (f"hand('{EVEN}', 'sente')", "a side is black or white"),
    (f"material('{EVEN}', 'X')", "men are"), ("tag_name('mino', 'fr')", "names are in ja or en"),
    ("western_moves('abc'::BLOB)", "3 bytes are no moves"), ("western_moves('7g7f')", "wants the column moves"),
    ("western_moves('\\xFF\\xFF'::BLOB)", "move 1 is no move"), ("western_moves('\\xbc\\x1d'::BLOB)", "move 1 (7f7g) is not legal"),
    ("western_moves(''::BLOB, 'nonsense')", "an SFEN has four parts"), ("western_moves(''::BLOB, NULL, 'x')", "'x' is no handicap"),
    ("western_moves(''::BLOB, NULL, NULL, 'x')", "there is no style 'x'"),
    ("japanese_moves(''::BLOB, NULL, NULL, 'shogi', 'x')", "does not take 5 arguments; it is japanese_moves(moves, start_sfen, handicap, variant)"),
    ("japanese_moves(''::BLOB, 5)", "not 5"), ("move_name('x', 3)", "an SFEN has four parts"), ("move_name('x')", "does not take 1"),
    (f"move_name('{EVEN}', 65535)", "is not legal in"), (f"move_name('{EVEN}', 3)", "is not legal in"),
    (f"move_name('{EVEN}', 7739, 'x')", "there is no style"), ("move_name(5, 5)", "wants an SFEN"),
    ("position_key_after('7g7e')", "a pawn does not go from 7g to 7e"), ("position_key_after('nonsense')", "was not understood"),
    ("position_key_after(3)", "moves are a text"), ("sfen_after(repeat('7g7f ', 100000))", "moves are a text"),
])
def test_arguments_that_mean_nothing(database: Database, expression: str, said: str) -> None:
    """A sentence of ours, streaming or not, and no traces of how it was computed."""
    for ask in (database.rows, lambda sql: list(database.query(sql).rows)):
        with pytest.raises(QueryError) as raised:
            ask(f"SELECT {expression}")
        assert said in str(raised.value)
        assert "Python exception" not in str(raised.value)
        assert len(str(raised.value)) < 1000


def test_columns_of_the_same_names_are_no_trap(database: Database) -> None:
    """A macro that reads a table does not take the columns of a query for its own."""
    assert database.value("SELECT count(DISTINCT game_sfen(game_id, plies)) = count(*) FROM games") is True
    assert database.value("SELECT bool_and(key_sfen(key) IS NOT NULL) FROM plies WHERE game_id = 1") is True


def test_wilson(database: Database) -> None:
    assert database.value("SELECT wilson(7, 10)") == {
        "low": database.value("SELECT wilson_low(7, 10)"), "high": database.value("SELECT wilson_high(7, 10)")}


def test_every_macro_says_what_it_is_for(database: Database) -> None:
    assert database.rows("SELECT function_name FROM duckdb_functions() WHERE schema_name = 'main' AND NOT internal"
                         " AND comment IS NULL AND function_type LIKE '%macro' AND database_name <> 'system'") == []


def test_a_database_in_memory_has_them_too() -> None:
    with Database.memory() as database:
        assert database.value("SELECT POSITION_KEY('startpos')") == Position().key()
        assert list(database.query("SELECT sfen_after('7g7f')").rows) == [
            (EVEN.replace("PPPPPPPPP", "PP1PPPPPP").replace("9/9/9", "9/9/2P6").replace("b - 1", "w - 2"),)]
        assert "man_at" in {name for name, in database.rows("SELECT function_name FROM duckdb_functions()")}


def test_functions_inside_a_transaction(db_path: Path) -> None:
    """What DuckDB is given then stays when the transaction is rolled back."""
    with Database.create_or_open(db_path) as database:
        with pytest.raises(ZeroDivisionError), database.transaction():
            assert database.value("SELECT sfen_after('')") == EVEN
            raise ZeroDivisionError
        assert database.value("SELECT sfen_after('')") == EVEN


def test_functions_while_rows_are_being_read(database: Database) -> None:
    with Database.open(database.path) as other:
        first = other.query("SELECT * FROM range(100000)")
        next(first.rows)
        assert next(other.query("SELECT move_name(sfen_after(''), 7739, 'japanese')").rows) == ("☗７六歩",)
        assert sum(1 for _ in first.rows) == 99_999


def test_a_connection_of_ones_own(path: Path) -> None:
    with kifu.connect(path) as connection:
        assert connection.execute("SELECT western_moves(moves, start_sfen, handicap)[1] IS NOT NULL, man('k') FROM games"
                                  ).fetchone() == (True, 72)
        with pytest.raises(duckdb.Error, match="read-only"):
            connection.execute("DELETE FROM games")
    with kifu.connect(path) as first, kifu.connect(path) as second:  # both are the same database to DuckDB
        first.close()
        assert second.execute("SELECT sfen_after('')").fetchone() == (EVEN,)


def test_macros_need_nothing_but_the_file(path: Path) -> None:
    """Another program, without kifu, has all that is not Python."""
    program = ("import duckdb, sys\nwith duckdb.connect(sys.argv[1], read_only=True) as c:\n"
               "    print(c.execute(\"SELECT count(position_key(game_sfen(game_id, 3))) FROM games\").fetchone()[0])\n"
               "    assert 'kifu' not in sys.modules\n")
    ran = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True)
    assert ran.stdout == "21\n"


def test_numpy_is_not_imported_for_who_does_not_need_it(path: Path) -> None:
    program = ("import sys\nfrom kifu.store.database import Database\nwith Database.open(sys.argv[1]) as d:\n"
               "    d.rows(\"SELECT position_key(game_sfen(1, 3)), usi_moves(moves) FROM games\")\n"
               "assert not {'numpy', 'pyarrow'} & set(sys.modules)\n")
    subprocess.run([sys.executable, "-c", program, str(path)], check=True)


def test_names_in_a_text_of_sql() -> None:
    assert functions.named_in("SELECT western_moves(moves), Move_Name (x) FROM my_move_names") == {"western_moves", "move_name"}
    assert set(re.findall(r"COMMENT ON MACRO(?: TABLE)? (\w+)", sql_file("macros_comments.sql"))) == set(
        re.findall(r"MACRO (\w+)", sql_file("macros.sql") + sql_file("macros_positions.sql")))
