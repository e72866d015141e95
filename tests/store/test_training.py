"""Training data: the entries that the writers of psv and hcpe make of the same records, and what cshogi reads of them."""
from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
import written_games

import kifu
from kifu.notation import entry_size, writer
from kifu.store.chosen import choose
from kifu.store.database import Database
from kifu.store.training import KINDS, Training

EVALUATED = "PI\n+\n+7776FU\n'** 30\n-3334FU\n'** -45 +2726FU\n+2726FU\n-8384FU\n'** 99999\n%TORYO\n"


@pytest.fixture(scope="module")
def texts() -> list[str]:
    return [EVALUATED, *written_games.games(40, seed=31)]


@pytest.fixture(scope="module")
def database(texts: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written_games.load(tmp_path_factory.mktemp("training") / "games.duckdb", [(text, "csa") for text in texts])


def made(database: Path, kind: str, min_ply: int = 0, max_ply: int | None = None) -> tuple[bytes, Training]:
    training = Training(kind, min_ply, max_ply)
    with Database.open(database) as opened:
        return b"".join(training.entries(opened, choose(opened))), training


@pytest.mark.parametrize("kind", KINDS)
def test_as_the_writer_has_it(texts: list[str], database: Path, kind: str) -> None:
    """Byte by byte, over the games whose result is claimed or proven."""
    expected, unknown, positions = b"", 0, 0
    for text in texts:
        game = kifu.replay(kifu.parse(text, "csa")[0])
        winner = game.winner if game.winner in ("black", "white", "draw") else game.verified_winner
        if winner is None:
            unknown += 1
            continue
        game.winner, game.verified_winner = winner, None
        positions += game.plies
        expected += writer(kind).write(game)
    data, training = made(database, kind)
    assert data == expected
    assert training.positions == positions == len(data) // entry_size(kind)
    assert 0 < unknown < len(texts)
    assert training.left_out == Counter({"games of unknown result": unknown, "evaluations written as 0": positions - 3})
    assert training.damaged == []


@pytest.mark.parametrize("kind", KINDS)
def test_cshogi_reads_it(database: Path, kind: str) -> None:
    """The first game: positions, moves, evaluations of the side to move (30,000 is as good as won), the result."""
    cshogi = pytest.importorskip("cshogi", reason="cshogi is not installed")
    numpy = pytest.importorskip("numpy", reason="numpy is not installed")
    data, _ = made(database, kind)
    layout = cshogi.PackedSfenValue if kind == "psv" else cshogi.HuffmanCodedPosAndEval
    found = numpy.frombuffer(data, dtype=layout)[:4]
    board = cshogi.Board()
    result = "game_result" if kind == "psv" else "gameResult"
    for entry, move, score, winner in zip(found, ("7g7f", "3c3d", "2g2f", "8c8d"), (30, 45, 0, -30000),
                                          ((-1, 1, -1, 1) if kind == "psv" else (2, 2, 2, 2)), strict=True):
        read = cshogi.Board()
        read.set_psfen(entry["sfen"]) if kind == "psv" else read.set_hcp(entry["hcp"])
        assert read.sfen().split()[:3] == board.sfen().split()[:3]
        number = int(entry["move" if kind == "psv" else "bestMove16"])
        of_number = board.move_from_psv if kind == "psv" else board.move_from_move16
        assert cshogi.move_to_usi(of_number(number)) == move
        assert (int(entry["score" if kind == "psv" else "eval"]), int(entry[result])) == (score, winner)
        board.push_usi(move)


def test_the_column_of_evaluations_comes_first(database: Path, tmp_path: Path) -> None:
    """Where it is filled, comments are not read again; null in it is no evaluation."""
    path = written_games.load(tmp_path / "games.duckdb", [(EVALUATED, "csa")])
    with Database.open(path, write=True) as opened:
        opened.run("UPDATE games SET evals = [7, NULL, -8, 9]")
    data, training = made(path, "hcpe")
    scores = [int.from_bytes(data[at + 32:at + 34], "little", signed=True) for at in range(0, len(data), 38)]
    assert scores == [7, 0, -8, -9]
    assert training.left_out["evaluations written as 0"] == 1


@pytest.mark.parametrize("kind", KINDS)
def test_a_part_of_each_game(texts: list[str], database: Path, kind: str) -> None:
    """The first and the last ones are left out, as asked."""
    whole, _ = made(database, kind)
    part, training = made(database, kind, 3, 9)
    assert 0 < training.positions < len(whole) // entry_size(kind)
    size = entry_size(kind)
    assert {part[at:at + size] for at in range(0, len(part), size)} \
        <= {whole[at:at + size] for at in range(0, len(whole), size)}
    lengths = [game.plies for text in texts
               if (game := kifu.replay(kifu.parse(text, "csa")[0])).winner in ("black", "white", "draw")
               or game.verified_winner]
    assert training.positions == sum(max(0, min(9, plies) - 3) for plies in lengths)


def test_what_has_no_place(tmp_path: Path) -> None:
    """No king, no entry; another kind of shogi neither; a damaged row is told. The rest is written."""
    problem = "position sfen 4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1 moves G*5b"
    path = written_games.load(tmp_path / "games.duckdb", [(EVALUATED, "csa")] * 3 + [(problem, "usi")])
    with Database.open(path, write=True) as opened:
        opened.run("UPDATE games SET moves = from_hex('ffff') WHERE game_id = 2")
        opened.run("UPDATE games SET variant = 'chu' WHERE game_id = 3")
    data, training = made(path, "psv")
    assert (training.positions, len(data)) == (4, 160)
    assert [error.game_id for error in training.damaged] == [2]
    assert training.left_out["games of other kinds"] == 1
    assert training.left_out["positions"] == 1
