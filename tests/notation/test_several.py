"""Several games in one KIF or KI2 text: where one ends and the next begins, also where one has no moves."""
from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kifu.notation import read, writer
from kifu.record import Game
from kifu.replay import replay
from tests.notation.rich import BOARDS, rich_record
from tests.notation.said import invented, missing, said

POSITIONS = ("startpos", *(f"sfen {board}" for board in BOARDS))


def games_of(text: str, notation: str) -> list[Game]:
    return [replay(record) for record in read(text, notation)]


def made(seed: int) -> Game:
    """A generated game; of every three about one has no moves, and some have nothing but a position."""
    rng = random.Random(seed)
    kind = rng.randrange(6)
    if kind == 0:
        return games_of(f"position {rng.choice(POSITIONS)}", "usi")[0]
    return games_of(rich_record(seed, 0 if kind == 1 else rng.randrange(1, 12)), "kif")[0]


@pytest.mark.parametrize("notation", ["kif", "ki2"])
@settings(max_examples=80, deadline=None)
@given(st.lists(st.integers(0, 1_000_000), min_size=2, max_size=5))
def test_games_written_as_one_text_are_read_as_these_games(notation: str, seeds: list[int]) -> None:
    games = [made(seed) for seed in seeds]
    target = writer(notation)
    text = target.write_all(games)
    lost: Counter[str] = Counter()
    for one, other in zip(games, games_of(text, notation), strict=True):
        assert other.verdict in ("legal", "foul"), text
        lost += missing(said(one), said(other))
        assert invented(said(one), said(other)) == []
    assert lost == +target.losses, text
    assert lost.keys().isdisjoint(("moves", "start", "variations", "comments", "comments in variations")), text


@pytest.mark.parametrize("notation", ["kif", "ki2"])
def test_positions_and_a_game_behind_them(notation: str) -> None:
    games = games_of("position startpos\nposition startpos moves 7g7f\nposition startpos moves 2g2f\n", "usi")
    again = games_of(writer(notation).write_all(games), notation)
    assert [game.plies for game in again] == [0, 1, 1]
    assert [game.final for game in again] == [game.final for game in games]


@pytest.mark.parametrize("notation", ["kif", "ki2"])
def test_the_mark_of_the_notation_begins_a_record_once_something_was_said(notation: str) -> None:
    mark = f"#{notation.upper()} version=2.0 encoding=UTF-8\n"
    for said_first in ("手合割：平手\n", "備考：x\n", "手数----指手--\n", "盤面回転\n先手：甲\n"):
        assert len(list(read(said_first + mark + "先手：乙\n", notation))) == 2, said_first


@pytest.mark.parametrize("notation", ["kif", "ki2"])
@pytest.mark.parametrize("before", ["", "\n", "# made by a program\n", "*a remark\n", "#separator\n\n"])
def test_a_mark_above_the_first_header_is_no_border(notation: str, before: str) -> None:
    mark = f"#{notation.upper()} version=2.0 encoding=UTF-8\n"
    text = f"{mark}{before}{mark}手合割：平手\n先手：甲\n手数----指手--\n*hello\n"
    record, = read(text, notation)
    assert record.header("black") == "甲"
    assert [told for _, _, told in record.comments()][-1] == "hello"


def test_a_remark_that_begins_with_a_hash_is_no_border() -> None:
    record, = read("手合割：平手\n# KIF of a friend\n#separator\n先手：甲\n手数----指手--\n   1 ７六歩(77)\n", "kif")
    assert record.header("black") == "甲"


def test_an_opening_header_behind_the_head_of_the_move_table_begins_the_next_game() -> None:
    head = "手合割：{}\n先手：甲\n手数----指手---------消費時間--\n*one of {}\n"
    text = head.format("平手", 1) + head.format("香落ち", 2) + "   1 ３四歩(33)\n"
    games = games_of(text, "kif")
    assert [(game.handicap, game.plies, game.comments[0]) for game in games] == [
        ("even", 0, "one of 1"), ("lance", 1, "one of 2")]


def test_another_header_behind_the_head_of_the_move_table_is_one_of_this_game() -> None:
    record, = read("手合割：平手\n手数----指手--\n備考：x\n   1 ７六歩(77)\n", "kif")
    assert record.header("note") == "x"


def test_the_number_before_a_diagram_is_no_count_of_the_pieces_in_the_next_hand() -> None:
    board = "後手の持駒：金　銀　\n| ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n" + "| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n" * 8
    text = f"{board}手数＝31\n*one\n\n#KI2\n{board}手数＝三十\n*two\n\n#KI2\n{board}"
    for notation in ("ki2", "kif"):
        records = list(read(text.replace("#KI2", f"#{notation.upper()}"), notation))
        assert [(record.start or "").rpartition(" ")[0] for record in records] == ["4k4/9/9/9/9/9/9/9/9 b gs"] * 3
