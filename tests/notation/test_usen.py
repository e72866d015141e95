"""USEN: moves, branches, ends and addresses read; what is wrong is placed; every game comes back."""
from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kifu.notation import detect, read, write, writer
from kifu.notation.writing import UnwritableError
from kifu.record import Game
from kifu.replay import replay
from kifu.rules.handicaps import HANDICAPS
from kifu.rules.move import usi
from kifu.text import decode

TWO_PIECES = "lnsgkgsnl_9_ppppppppp_9_9_9_PPPPPPPPP_1B5R1_LNSGKGSNL.w.-"


def games(text: str) -> list[Game]:
    return [replay(record) for record in read(text, "usen")]


def moves(game: Game) -> list[str]:
    return [usi(move) for move in game.moves]


def codes(game: Game) -> list[tuple[str, int, int]]:
    return [(one.name, one.line, one.column) for one in game.diagnostics]


def tree(game: Game) -> list[tuple[int, list[str]]]:
    """Every line as its number and all its moves from the start, in an order of its own."""
    lines = game.record.lines
    return sorted((line.number, [usi(game.proven[i]) for i in game.record.path(n)])
                  for n, line in enumerate(lines) if line.last > line.first)


def test_moves_drops_and_promotions() -> None:
    [game] = games("~0.7ku2jm6y236e7d8.t\n")
    assert (game.verdict, game.end, game.winner) == ("illegal", "timeout", "black")
    position = "position startpos moves 7g7f 3c3d 8h2b+ 3a2b B*4e"
    text = write([replay(next(read(position, "usi")))], "usen")
    [again] = games(text)
    assert moves(again) == position.split()[3:]


def test_start_position_and_side() -> None:
    [game] = games(f"{TWO_PIECES}~0.2jm7ku.r\n")
    assert (game.handicap, game.verdict, moves(game)) == ("2-piece", "legal", ["3c3d", "7g7f"])
    assert game.winner == "black"  # White began and is to move again


@pytest.mark.parametrize("address", ["https://play.example/?u={}&bn=A%20B", "http://a.example/#{}", "{}"])
def test_addresses(address: str) -> None:
    text = address.format("~0.7ku2jm.p")
    assert detect(text).notation == "usen"
    [game] = games(text)
    assert (game.verdict, game.plies, game.end, game.winner) == ("legal", 2, "interrupted", "none")


def test_branches_leave_the_line_before_them() -> None:
    [game] = games("~0.7ku2jm6y2.~2.6a8.~1.20e.r\n")
    assert [line.parent for line in game.record.lines] == [-1, 1, 0]
    assert game.record.lines[2].end is not None


@pytest.mark.parametrize(("text", "found"), [
    ("~0.7kuzzz.r\n", ("unreadable-move", 1, 7)),
    ("~0.7ku2.r\n", ("unreadable-move", 1, 7)),
    ("~0.7ku.~3.2jm.\n", ("variation-beyond-line", 1, 8)),
    ("\n~0.7ku.x\n", ("unknown-end", 2, 8)),
    ("~0.7ku.r\nhello\n", ("unknown-line", 2, 1)),
    ("~0.7ku..r\n", ("unreadable-move", 1, 8)),
    ("2L1~0.7ku.\n", ("unreadable-move", 1, 1)),
])
def test_faults_are_placed(text: str, found: tuple[str, int, int]) -> None:
    assert found in [code for game in games(text) for code in codes(game)]


def test_a_bad_start_position_is_said() -> None:
    [game] = games("9_9_9.b.-~0.7ku.\n")
    assert (game.verdict, [one.name for one in game.diagnostics]) == ("unreadable", ["bad-board"])


def test_losses_are_counted() -> None:
    text = "先手：甲\n手合割：平手\n   1 ７六歩(77) ( 0:01/00:00:01)\n*一\n   2 中断\n"
    target = writer("usen")
    assert target.write(replay(next(read(text, "kif")))) == "~0.7ku.p\n"
    assert target.losses == {"headers": 1, "comments": 1, "clocks": 1}


def test_ends_without_a_letter_of_their_own_are_a_loss() -> None:
    for word, letter, lost in (("千日手", "j", 1), ("持将棋", "j", 0), ("詰み", "p", 1), ("投了", "r", 0)):
        target = writer("usen")
        assert target.write(replay(next(read(f"手合割：平手\n   1 {word}\n", "kif")))) == f"~0..{letter}\n"
        assert target.losses == ({"end": 1} if lost else {})


def test_all_handicaps_come_back() -> None:
    for handicap in HANDICAPS.values():
        [game] = games(write([replay(next(read(handicap.sfen, "usi")))], "usen"))
        assert game.start == handicap.sfen


@pytest.mark.parametrize("folder", ["csa", "kif"])
def test_legal_corpus_games_come_back_with_their_branches(shared: Path, folder: str) -> None:
    count = 0
    for path in sorted((shared / "corpus" / folder).rglob("*")):
        if not path.is_file() or path.stat().st_size > 100_000:
            continue
        for record in read(decode(path.read_bytes()).text, folder):
            game = replay(record)
            if game.verdict == "legal" and game.variant != "shogi":
                with pytest.raises(UnwritableError, match="usen cannot hold"):
                    write([game], "usen")
            elif game.verdict == "legal":
                [again] = games(write([game], "usen"))
                assert again.start.split()[:3] == game.start.split()[:3], path
                assert tree(again) == tree(game), path
                count += 1
    assert count > 150


@given(st.text("~.0179akuz_wbrp-?&=#:/ \n", max_size=80))
def test_any_text_is_answered(text: str) -> None:
    lines = text.count("\n") + 1
    for game in games(text):
        assert all(1 <= one.line <= lines for one in game.diagnostics)
        assert game.diagnostics or game.verdict == "legal"
