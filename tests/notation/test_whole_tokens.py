"""Whole moves, rows and headers are one token each; what is wrong around them is told as if they were several."""
from __future__ import annotations

import pytest

from kifu.notation import read
from kifu.record import Game
from kifu.replay import replay

EVEN = """P1-KY-KE-GI-KI-OU-KI-GI-KE-KY
P2 * -HI *  *  *  *  * -KA *
P3-FU-FU-FU-FU-FU-FU-FU-FU-FU
P4 *  *  *  *  *  *  *  *  *
P5 *  *  *  *  *  *  *  *  *
P6 *  *  *  *  *  *  *  *  *
P7+FU+FU+FU+FU+FU+FU+FU+FU+FU
P8 * +KA *  *  *  *  * +HI *
P9+KY+KE+GI+KI+OU+KI+GI+KE+KY
"""
START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
HEAD = "手合割：平手\n先手：甲\n後手：乙\n"
TABLE = "手数----指手---------消費時間--\n"


def games(text: str, notation: str) -> list[Game]:
    return [replay(record) for record in read(text, notation)]


def told(game: Game) -> list[tuple[str, int, int]]:
    return [(found.name, found.line, found.column) for found in game.diagnostics]


@pytest.mark.parametrize("text", [EVEN, EVEN.replace("\n", "\r\n"), EVEN.replace(" *\n", " * \n"),
                                  EVEN.replace("P5 * ", "P5  *")])
def test_the_even_rows(text: str) -> None:
    """All nine at once, or one at a time where they are written otherwise."""
    game, = games(text + "+\n+7776FU\n", "csa")
    assert (game.start, game.plies, game.diagnostics) == (START, 1, [])


def test_what_follows_the_last_row_is_wrong_there() -> None:
    game, = games(f"V2.2\n{EVEN[:-1]}x\n+\n+7776FU\n", "csa")
    assert (game.verdict, told(game)) == ("unreadable", [
        ("bad-board", 1, 1), ("bad-board", 10, 1), ("syntax-error", 10, 30)])
    assert "P9+KY+KE+GI+KI+OU+KI+GI+KE+KYx could not be read" in game.diagnostics[1].message
    assert not any("P1-KY" in found.message for found in game.diagnostics)


def test_rows_that_stand_twice() -> None:
    """A finding a row; rows that were missing are taken."""
    game, = games(f"{EVEN}{EVEN}+\n+7776FU\n", "csa")
    assert told(game) == [("position-twice", line, 1) for line in range(10, 19)]
    first = EVEN.split("\n")[0]
    game, = games(f"{first}\n{EVEN}+\n+7776FU\n", "csa")
    assert (game.verdict, told(game)) == ("legal", [("position-twice", 2, 1)])


@pytest.mark.parametrize(("text", "key", "value"), [
    ("N+ Kato, Hifumi \nPI\n+\n", "N+", "Kato, Hifumi"), ("$EVENT:, and the rest\nPI\n+\n", "$EVENT", ", and the rest"),
    ("$EVENT\nPI\n+\n", "$EVENT", ""), ("$EVENT : a:b \nPI\n+\n", "$EVENT", "a:b"),
])
def test_headers_of_csa(text: str, key: str, value: str) -> None:
    assert next(iter(read(text, "csa"))).headers[0] == (key, value)


@pytest.mark.parametrize(("line", "key", "value"), [
    ("備考：#1 *2", "備考", "#1 *2"), ("備考: a：b", "備考", "a：b"), ("備考：a:b　", "備考", "a:b"), ("備考：", "備考", ""),
])
def test_headers_of_kif(line: str, key: str, value: str) -> None:
    assert next(iter(read(f"{line}\n{TABLE}   1 ７六歩(77)\n", "kif"))).headers == [(key, value)]


def test_a_plus_behind_a_blank_promotes() -> None:
    """It is told; the move is the one that was meant."""
    game, = games("position startpos moves 7g7f 3c3d 8h2b + 3a2b\n", "usi")
    assert (game.verdict, game.plies, [found.name for found in game.diagnostics]) == ("legal", 4, ["gap-in-move"])
    assert game.record.move_text(2) == "8h2b +"
    assert game.record.move_text(0) == "7g7f"


def test_blanks_behind_a_move_of_kif_are_no_part_of_it() -> None:
    record = next(iter(read(f"{TABLE}   1 ７六歩(77)   ( 0:05/00:00:05)\n   2 ３四歩(33) 　\n", "kif")))
    assert [record.move_text(index) for index in range(2)] == ["７六歩(77)", "３四歩(33)"]
    assert [record.milliseconds(index) for index in range(2)] == [5000, None]


def test_the_game_behind_an_unreadable_one() -> None:
    """A game of which no move can be read does not swallow the game behind it: its headers open a record."""
    found = games(f"{HEAD}{TABLE}   1 ７六歩(7\n\n{HEAD}{TABLE}   1 ７六歩(77)\n   2 投了\n", "kif")
    assert [(game.verdict, game.plies) for game in found] == [("unreadable", 0), ("legal", 1)]


def test_a_broken_header_divides_no_game() -> None:
    """A line that begins with a digit among the headers is no move, though it cannot be read."""
    game, = games(f"開始日時：2015/05/05 02:10:\n58\n{HEAD}{TABLE}   1 ７六歩(77)\n", "kif")
    assert (game.record.header("start_time"), game.record.header("black")) == ("2015/05/05 02:10:", "甲")


@pytest.mark.parametrize("move", ["▲７六歩", "▲７六歩　", "▲７六 歩", "▲ ７ 六歩", "▲７六歩 (77)", "▲76歩\t、"])
def test_square_and_piece_of_ki2(move: str) -> None:
    """One token or several, a move is the same; blanks behind it are no part of it."""
    game, = games(f"{HEAD}\n{move}\n△３四歩 ▲２二角 不成 △同　銀  ▲４五角\n", "ki2")
    assert (game.verdict, game.plies, told(game)) == ("legal", 5, [])
    assert game.record.move_text(0) == move.strip("▲　 、\t")
    assert [game.record.move_text(index) for index in (1, 2, 3)] == ["３四歩", "２二角 不成", "同　銀"]
