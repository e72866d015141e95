"""Verification: nothing to say of what a loader wrote, and each kind of row that is tampered with is found."""
from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import real_games as real
import toy_games as toy

import kifu
from kifu.rules.position import Position as Core
from kifu.store.database import Database
from kifu.store.expected import SQUARES_AND_HANDS
from kifu.store.loader import Loader, in_memory
from kifu.store.moves import usi
from kifu.store.reproof import COLUMNS, Row, prove
from kifu.store.rows import RejectRow
from kifu.store.verify import verify

MATE = "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1 moves G*5b"  # the pawn guards the gold, which guards the rest
PLAIN = "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d 8e8f 8g8f 8b8f 2d3d 2b3c 3d3f 8f8d 3f2f 3a2b".split()
REJECT = RejectRow(0, 1, 3, 1, 1, "K404", "an illegal move", "+7775FU")


def findings(database: Database) -> list[str]:
    return [str(finding) for finding in verify(database)]


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of 40 games with all that can be in one: boards, tags, copies, rejects, fouls, proven ends."""
    path = tmp_path_factory.mktemp("verify") / "games.duckdb"
    games = [real.played(PLAIN), real.row(real.FOUL), real.row(real.REPEATED), real.row(real.HANDICAP),
             real.played(PLAIN[:7]), real.row(MATE)]
    with Loader(path) as loader:
        loader.add(toy.source("a"), games)
        loader.commit_batch()
        loader.add(toy.source("b"), [*real.rows(35, seed=4), games[0]], [REJECT])
        loader.finish()
        fill_boards(loader.database, 1)
    return path


def fill_boards(database: Database, game_id: int) -> None:
    """The boards of a game as `kifu.Position` plays it, whose ``man`` and ``hand`` are read square by square."""
    sfen, moves = database.rows("SELECT start_sfen, usi_moves(moves) FROM games WHERE game_id = $game", {"game": game_id})[0]
    position = kifu.Position(sfen)
    for ply in range(len(moves) + 1):
        core: Core = position.core
        board = [core.man(square) for square in range(81)]
        hands = [core.hand(colour, kind) for colour in (0, 1) for kind in range(1, 8)]
        database.run(f"INSERT INTO boards VALUES ({', '.join(map(str, [game_id, ply, *board, *hands]))})")
        if ply < len(moves):
            position.push(moves[ply])


@pytest.fixture
def tampered(loaded: Path, db_path: Path) -> Iterator[Database]:
    """A copy to tamper with."""
    shutil.copy(loaded, db_path)
    with Database.open(db_path, write=True) as database:
        yield database


def test_what_a_loader_wrote_is_right(loaded: Path) -> None:
    before = loaded.read_bytes()
    counted: list[int] = []
    with Database.open(loaded) as database:
        games = database.value("SELECT count(*) FROM games")
        assert list(verify(database, counted.append)) == []
        for told in ("verified_end = 'repetition'", "verified_end = 'checkmate'", "illegal_move IS NOT NULL", "handicap = '2-piece'"):
            assert database.value(f"SELECT count(*) FROM games WHERE {told}"), told
        for table in ("boards", "contained", "copies", "rejects", "game_tags", "openings"):
            assert database.value(f"SELECT count(*) FROM {table}"), table
    assert sum(counted) == games
    assert loaded.read_bytes() == before


def test_an_empty_database_is_right() -> None:
    with Database.memory() as database:
        assert findings(database) == []


def test_a_kind_of_shogi_that_is_not_known(tampered: Database) -> None:
    """It cannot be proven, which is told, not raised."""
    with in_memory([(toy.source("a"), toy.random_rows(3, seed=1), [])]) as database:
        assert any("'toy' is no kind of shogi" in one or "names no position" in one for one in findings(database))


def test_any_two_bytes_are_answered(tampered: Database) -> None:
    """Whatever the code of a move: what it drops need not be a piece, nor where it goes a square."""
    row = Row(*tampered.rows(f"SELECT {COLUMNS} FROM games WHERE game_id = 1")[0])
    fine = []
    for code in (target | origin << 7 | flags << 14 for target in (0, 40, 59, 80, 81, 127) for origin in range(128)
                 for flags in range(4)):
        told = [str(finding) for finding in prove(row._replace(moves=code.to_bytes(2, "little"), plies=1)).findings]
        if not any("illegal" in one or "cannot be read" in one for one in told):
            fine.append(usi(code))
    assert fine == ["7g7f"]  # the one legal move of the first position to these squares


#: What is done to the database of `loaded`, and what must be said.
TAMPERING = [
    # games: the moves, and what follows from them
    ("UPDATE games SET moves = moves[1:38] || '\\x3B\\x1E'::BLOB WHERE game_id = 1",
     "games, game 1, ply 20: the move 7g7f is illegal"),
    ("UPDATE games SET moves = moves[1:38] WHERE game_id = 1", "games, game 1: plies is 20, and moves holds 19"),
    ("UPDATE games SET moves = moves[1:39] WHERE game_id = 1", "games, game 1: moves is no list of move codes"),
    ("UPDATE games SET moves = NULL WHERE game_id = 1", "games, game 1: moves is no list of move codes"),
    ("UPDATE games SET moves = '\\x00\\x00'::BLOB || moves[3:40] WHERE game_id = 1",
     "games, game 1, ply 1: the move 0 is illegal"),
    ("UPDATE games SET plies = 21 WHERE game_id = 1", "games, game 1: plies is 21, and moves holds 20"),
    ("UPDATE games SET game_hash = uuid() WHERE game_id = 1", "games, game 1: game_hash is not the hash"),
    ("UPDATE games SET verified_end = 'checkmate', verified_winner = 1 WHERE game_id = 1",
     "games, game 1: verified_end tells checkmate, won by Black, which the moves do not prove"),
    ("UPDATE games SET verified_end = 'max_moves', verified_winner = 1 WHERE game_id = 1",
     "games, game 1: verified_end tells max_moves, won by Black, which the final position refutes"),
    ("UPDATE games SET verified_end = 'declaration', verified_winner = 1 WHERE game_id = 1",
     "games, game 1: verified_end tells declaration, won by Black, which the final position refutes"),
    ("UPDATE games SET verified_winner = 1 WHERE game_id = 1", "games, game 1: verified_end tells nothing"),
    ("UPDATE games SET verified_end = NULL, verified_winner = NULL WHERE game_id = 3",
     "games, game 3: the moves prove repetition, drawn, and verified_end tells nothing"),
    ("UPDATE games SET verified_end = NULL, verified_winner = NULL WHERE game_id = 6",
     "games, game 6: the moves prove checkmate, won by Black, and verified_end tells nothing"),
    ("UPDATE games SET verified_end = 'no_legal_move' WHERE game_id = 6", "games, game 6: the moves prove checkmate"),
    ("UPDATE games SET verified_winner = -1 WHERE game_id = 3", "games, game 3: the moves prove repetition, drawn"),
    ("UPDATE games SET illegal_move = '2b3c' WHERE game_id = 2", None),
    ("UPDATE games SET illegal_move = '7i7h', illegal_reason = 'self-check' WHERE game_id = 2",
     "games, game 2: illegal_move is 7i7h (self-check), which is legal"),
    ("UPDATE games SET start_sfen = 'nonsense' WHERE game_id = 1", "games, game 1: start_sfen is no position"),
    ("UPDATE games SET handicap = 'nonsense' WHERE game_id = 1", "games, game 1: start_sfen is missing"),
    ("UPDATE games SET handicap = 'lance' WHERE game_id = 1", "games, game 1: game_hash is not the hash"),
    ("UPDATE games SET variant = 'chess' WHERE game_id = 1", "games, game 1: start_sfen is missing"),
    ("UPDATE games SET result = 7 WHERE game_id = 1", "games, game 1: result is 7"),
    ("UPDATE games SET date_precision = 'day' WHERE game_id = 1",
     "games, game 1: date_precision is day for the date None"),
    ("UPDATE games SET seconds = range(21) WHERE game_id = 1", "games, game 1: seconds has 21 entries for 20 plies"),
    ("UPDATE games SET source_id = 77 WHERE game_id = 1", "games, game 1: its source 77 is not in sources"),
    ("UPDATE games SET source_id = 2 WHERE game_id = 1", "sources: source 1 brought 5 games, and games_ok is 6"),
    ("INSERT INTO games SELECT * REPLACE (-5 AS game_id) FROM games WHERE game_id = 1",
     "games, game -5: game_id is not a positive"),
    ("DELETE FROM games WHERE game_id = 1", "plies, game 1: it has rows here and none in games"),
    # plies
    ("UPDATE plies SET key = key + 1 WHERE game_id = 1 AND ply = 3", "plies, game 1, ply 3: key is"),
    ("UPDATE plies SET move = 0 WHERE game_id = 1 AND ply = 0",
     "plies, game 1, ply 0: move is none (0), and games.moves has 7g7f"),
    ("UPDATE plies SET move = 70000 WHERE game_id = 1 AND ply = 0",
     "plies, game 1, ply 0: move is 70000, which is none"),
    ("UPDATE plies SET move = 7739 WHERE game_id = 1 AND ply = 20",
     "plies, game 1, ply 20: move is 7g7f, and games.moves has none"),
    ("UPDATE plies SET ply = 99 WHERE game_id = 1 AND ply = 20", "plies, game 1, ply 99: a row too many"),
    ("UPDATE plies SET ply = 19 - ply WHERE game_id = 1 AND ply IN (9, 10)", "plies, game 1, ply 9: key is"),
    ("UPDATE plies SET game_id = 999 WHERE game_id = 1 AND ply = 4", "plies, game 1, ply 4: the row is missing"),
    ("UPDATE plies SET game_id = 999 WHERE game_id = 1 AND ply = 4",
     "plies, game 999: it has rows here and none in games"),
    ("UPDATE plies SET game_id = NULL WHERE game_id = 1 AND ply = 4", "plies: rows of no game"),
    ("DELETE FROM plies WHERE game_id = 1 AND ply = 0", "plies, game 1, ply 0: the row is missing"),
    ("INSERT INTO plies FROM plies WHERE game_id = 1 AND ply = 5", "plies, game 1, ply 5: there is more than one row"),
    ("DELETE FROM plies", "plies: the rows of "),
    # what is derived
    ("UPDATE openings SET games = games + 1 WHERE key = start_key() AND move = 7739",
     "openings: key 5032606888462693918, move 7g7f: games is"),
    ("UPDATE openings SET next_key = 1 WHERE key = start_key() AND move = 7739", "next_key is 1, and a recount gives"),
    ("UPDATE openings SET last_game = 0 WHERE key = start_key() AND move = 7739",
     "last_game is 0, and a recount gives"),
    ("DELETE FROM openings WHERE key = start_key() AND move = 7739", "move 7g7f: the row is missing"),
    ("INSERT INTO openings (key, move, games) VALUES (1, 7739, 2)", "openings: key 1, move 7g7f: a row too many"),
    ("INSERT INTO openings FROM openings WHERE key = start_key() AND move = 7739",
     "openings: 1 moves of positions have more than one row"),
    ("DELETE FROM contained WHERE game_id = 5", "contained, game 5: the row is missing: it is the beginning of game 1"),
    ("UPDATE contained SET longer_id = 2 WHERE game_id = 5",
     "contained, game 5: longer_id is 2, and the longest is game 1"),
    ("INSERT INTO contained VALUES (1, 5)", "contained, game 1: it is not the beginning of game 5"),
    ("UPDATE boards SET s5e = 9 WHERE ply = 12", "boards, game 1, ply 12: s5e is 9, and the position has 0"),
    ("UPDATE boards SET whp = 9 WHERE ply = 20", "boards, game 1, ply 20: whp is 9, and the position has"),
    ("DELETE FROM boards WHERE ply = 12", "boards, game 1, ply 12: the row is missing"),
    ("INSERT INTO boards FROM boards WHERE ply = 12", "boards, game 1, ply 12: there is more than one row"),
    ("UPDATE boards SET game_id = 99 WHERE ply = 12", "boards, game 99: it is not in games"),
    ("UPDATE boards SET ply = 99 WHERE ply = 12", "boards, game 1, ply 99: a row too many"),
    # bookkeeping
    ("UPDATE copies SET game_id = 999", "copies, game 999: it is not in games"),
    ("UPDATE copies SET source_id = 999", "copies, game 1: its source 999 is not in sources"),
    ("DELETE FROM copies", "sources: source 2 brought"),
    ("UPDATE rejects SET source_id = 999", "rejects: source 999 is not in sources"),
    ("DELETE FROM rejects", "sources: source 2 has 0 rejects, and games_rejected is 1"),
    ("UPDATE sources SET batch_id = 999 WHERE source_id = 1", "sources: source 1 is of batch 999"),
    ("UPDATE sources SET games_ok = 999 WHERE source_id = 1", "sources: source 1 brought 6 games, and games_ok is 999"),
    ("UPDATE sources SET path = 'a'", "sources: there are 2 rows of the path a"),
    ("DELETE FROM sources WHERE source_id = 1", "its source 1 is not in sources"),
    ("UPDATE game_tags SET game_id = 999 WHERE game_id = 1", "game_tags, game 999: it is not in games"),
    ("UPDATE game_tags SET ply = 21 WHERE game_id = 1 AND tag = 'static_rook' AND side = 'black'",
     "game_tags, game 1: the tag static_rook is told of ply 21, and the game has 20"),
    ("UPDATE game_tags SET side = 'red' WHERE game_id = 1", "is told of red, opening"),
    ("INSERT INTO game_tags FROM game_tags WHERE game_id = 1", "stands 2 times for"),
    ("UPDATE meta SET value = 'ripe' WHERE key = 'openings'", "meta: openings is ripe"),
    ("CREATE OR REPLACE MACRO start_key() AS 1", "meta: the function start_key is not the one"),
    ("DROP MACRO wilson_low", "meta: the function wilson_low is missing"),
    ("DROP VIEW player_games", "meta: the view player_games is missing"),
    ("ALTER TABLE games DROP COLUMN evals", "meta: the column games.evals is missing"),
    ("DROP TABLE boards", "meta: the column boards.game_id is missing"),
    ("ALTER TABLE games ALTER event TYPE BLOB", "meta: the column games.event is not the one"),
    # what is no fault
    ("CREATE TABLE mine (a INTEGER); CREATE VIEW ours AS FROM games; CREATE MACRO three() AS 3", None),
    ("UPDATE games SET black = 'somebody else', \"end\" = 'timeout', result = -1, event = NULL WHERE game_id = 5",
     None),
    ("DELETE FROM boards", None),
]


@pytest.mark.parametrize(("tampering", "said"), TAMPERING, ids=[f"{sql[:60]}" for sql, _ in TAMPERING])
def test_what_is_tampered_with_is_found(tampered: Database, tampering: str, said: str | None) -> None:
    assert tampered.value("SELECT tag FROM game_tags WHERE game_id = 1 AND side = 'black'") == "static_rook"
    tampered.run(tampering)
    found = findings(tampered)
    if said is None:
        assert [one for one in found if not one.startswith("openings")] == []
    else:
        assert any(said in one for one in found), found


def test_what_a_load_has_not_finished_is_no_fault(db_path: Path) -> None:
    """While ``openings`` is stale nothing is asked of it and of ``contained``."""
    with Loader(db_path) as loader:
        loader.add(toy.source("a"), real.rows(20, seed=1))
        loader.commit_batch()
        assert findings(loader.database) == []
        loader.finish()
        assert findings(loader.database) == []


def test_many_games_that_differ_are_not_told_one_by_one(db_path: Path) -> None:
    with Loader(db_path) as loader:
        loader.add(toy.source("a"), [real.played(["7g7f", "3c3d"], black=str(n)) for n in range(50)])
        loader.finish()
        loader.database.run("DELETE FROM plies WHERE ply = 1")
        found = findings(loader.database)
    assert sum("ply 1: the row is missing" in one for one in found) == 20
    assert "plies: the rows of 30 more games differ from what their moves imply" in found


def test_squares_and_hands_are_the_columns_of_boards() -> None:
    with Database.memory() as database:
        assert database.query("FROM boards").columns == ["game_id", "ply", *SQUARES_AND_HANDS]


def test_boards_that_are_gone(db_path: Path) -> None:
    """Where boards are kept every game has them; elsewhere a game may have none."""
    with Loader(db_path, boards=True) as loader:
        loader.add(toy.source("a"), [real.played(PLAIN), real.played(PLAIN[:3])])
        loader.finish()
        assert findings(loader.database) == []
        loader.database.run("DELETE FROM boards WHERE game_id = 2")
        missing = [f"boards, game 2, ply {ply}: the row is missing" for ply in range(4)]
        assert findings(loader.database) == missing
        loader.database.run("DELETE FROM boards")
        assert findings(loader.database)[-4:] == missing
        loader.database.run("DELETE FROM meta WHERE key = 'boards'")
        assert findings(loader.database) == []
