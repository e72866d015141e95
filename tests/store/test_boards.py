"""The table of boards: every square and hand of every position, as `kifu.Position` has it after the same moves."""
from __future__ import annotations

import random
from pathlib import Path

import pytest
import toy_games as toy

import kifu
from kifu.store import arrow, boards, moves
from kifu.store.database import Database
from kifu.store.errors import StoreError
from kifu.store.loader import Loader
from kifu.store.rows import GameRow, game_row

MEN = {"P": 1, "L": 2, "N": 3, "S": 4, "G": 5, "B": 6, "R": 7, "K": 8}
LANCE = "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"
ENDGAME = "4k4/9/4P4/9/9/9/9/9/4K4 b G2r2bp 1"


def board_of(sfen: str) -> dict[str, int]:
    """A board by the names of its columns, read from SFEN by hand."""
    placed, _, hands, *_ = sfen.split()
    found = dict.fromkeys(boards.NAMES, 0)
    for rank, row in zip("abcdefghi", placed.split("/"), strict=True):
        file, promoted = 9, 0
        for sign in row:
            if sign == "+":
                promoted = 32
            elif sign.isdigit():
                file -= int(sign)
            else:
                found[f"s{file}{rank}"] = MEN[sign.upper()] + promoted + (64 if sign.islower() else 0)
                file, promoted = file - 1, 0
    count = ""
    for sign in hands if hands != "-" else "":
        if sign.isdigit():
            count += sign
        else:
            found[f"{'b' if sign.isupper() else 'w'}h{sign.lower()}"] = int(count or 1)
            count = ""
    return found


def random_game(start: str | None, plies: int, seed: int) -> GameRow:
    """A game of random legal moves, as many as there are."""
    dice = random.Random(seed)
    position, played = kifu.Position(start), []
    for _ in range(plies):
        legal = position.legal_moves()
        if not legal:
            break
        played.append(str(dice.choice(sorted(legal, key=str))))
        position.push(played[-1])
    said = f"position {'startpos' if start is None else f'sfen {start}'} moves {' '.join(played)}"
    return game_row(kifu.replay(kifu.parse(said)[0], keys=True))


def expected(game_id: int, row: GameRow, start: str | None) -> list[tuple[int, ...]]:
    position = kifu.Position(start)
    rows = [(game_id, 0, *board_of(position.sfen()).values())]
    for ply, code in enumerate(moves.decode(row.moves), 1):
        position.push(moves.usi(code))
        rows.append((game_id, ply, *board_of(position.sfen()).values()))
    return rows


def stored(database: Database) -> list[tuple[int, ...]]:
    return database.rows(f"SELECT game_id, ply, {', '.join(boards.NAMES)} FROM boards")


GAMES = [(random_game(start, plies, seed), start)
         for seed, (start, plies) in enumerate([(None, 150), (LANCE, 60), (ENDGAME, 40), (None, 0), (None, 90)])]
ROWS = [row for row, _ in GAMES]
ALL = [one for number, (row, start) in enumerate(GAMES, 1) for one in expected(number, row, start)]


def test_the_columns_are_those_of_the_schema(db_path: Path) -> None:
    with Loader(db_path) as loader:
        described = [name for name, *_ in loader.database.rows("DESCRIBE boards")]
    assert described == ["game_id", "ply", *boards.NAMES]


def test_the_start_position() -> None:
    board, turn = boards.start_board("even", None)
    told = dict(zip(boards.NAMES, board, strict=True))
    assert (told["s5i"], told["s5a"], told["s2h"], told["s7g"], told["s5e"], told["bhp"], turn) == (8, 72, 7, 1, 0, 0, 0)
    board, turn = boards.start_board("lance", None)
    assert (board[0], turn) == (0, 1)  # the square 1a is empty, and White begins


@pytest.mark.parametrize("at_once", [1, 100, 50_000])
def test_boards_are_those_of_the_positions(db_path: Path, at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrow, "BOARDS_AT_ONCE", at_once)
    with Loader(db_path, dedupe="none", boards=True) as loader:
        loader.add(toy.source("a"), ROWS)
        loader.finish()
        assert stored(loader.database) == ALL


def test_games_that_are_in_already_get_theirs(db_path: Path) -> None:
    """Without the option none; with it once, all; and from then on without it too."""
    with Loader(db_path, dedupe="none") as loader:
        loader.add(toy.source("a"), ROWS[:2])
        loader.add(toy.source("toy"), [])
        loader.finish()
        assert stored(loader.database) == []
    with Loader(db_path, dedupe="none", boards=True) as loader:
        assert loader.boards_filled == 2
        loader.add(toy.source("b"), ROWS[2:4])
        loader.finish()
    with Loader(db_path, dedupe="none") as loader:
        assert loader.boards_filled == 0
        loader.add(toy.source("c"), ROWS[4:])
        loader.finish()
        assert stored(loader.database) == ALL


def test_boards_go_with_their_games(db_path: Path) -> None:
    with Loader(db_path, boards=True) as loader:
        loader.add(toy.source("a"), ROWS[:2])
        loader.commit_batch()
        loader.add(toy.source("a", b"changed"), ROWS[2:3])
        loader.finish()
        assert stored(loader.database) == expected(3, *GAMES[2])


def test_other_kinds_of_shogi_have_none(db_path: Path) -> None:
    with Loader(db_path, boards=True) as loader:
        loader.add(toy.source("toy"), toy.random_rows(3, seed=1))
        loader.finish()
        assert stored(loader.database) == []


@pytest.mark.parametrize("usi", ["5e5d", "P*5e", "2b2c", "7g7z"])
def test_moves_that_cannot_be_are_told(db_path: Path, usi: str) -> None:
    """An empty square, an empty hand, the other side's man: a database that was damaged says which game it is."""
    code = {"5e5d": 39 | 40 << 7, "P*5e": 40 | 1 << 7 | 1 << 14, "2b2c": 11 | 10 << 7, "7g7z": 100 | 60 << 7}[usi]
    row = ROWS[3]._replace(moves=code.to_bytes(2, "little"), plies=1, keys=bytes(16))
    with Loader(db_path) as loader:
        loader.add(toy.source("a"), [row])
        loader.finish()
    with pytest.raises(StoreError, match="game 1"):
        Loader(db_path, boards=True)
    with Database.open(db_path) as database:
        assert (stored(database), database.meta("boards")) == ([], None)
