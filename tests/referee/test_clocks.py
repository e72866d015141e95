"""Time used against time allowed, counts in headers, and the loops over whole games."""
from __future__ import annotations

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kifu import parse
from kifu.referee.sums import fourth, run_down
from kifu.replay import replay

MOVES = ("+7776FU", "-3334FU", "+2726FU", "-8384FU", "+2625FU", "-8485FU")


def found(head: str, *seconds: object, end: str = "%TORYO\n") -> list[tuple[str, int | None, str]]:
    """(name, ply, message) of each finding in a game whose moves took so many seconds."""
    moves = "".join(f"{move}\n{'' if taken is None else f'T{taken}'}\n" for move, taken in zip(MOVES, seconds, strict=False))
    [record] = parse(f"{head}PI\n+\n{moves}{end}", "csa")
    return [(one.name, one.ply, one.message) for one in replay(record).diagnostics]


@pytest.mark.parametrize("head, seconds, ply", [
    ("$TIME:10+0+0\n", (5, 9, 5, 1), None),
    ("$TIME:10+0+0\n", (5, 9, 6, 1), None),  # a second is rounding
    ("$TIME:10+0+0\n", (5, 9, 7, 1), 3),
    ("$TIME:10+0+0\n", (5, 9, 5, 3), 4),
    ("$TIME:0+10+0\n", (10, 10, 10, 10), None),
    ("$TIME:0+10+0\n", (10, 12, 10, 10), 2),
    ("$TIME:5+10+0\n", (15, 1, 10, 1), None),
    ("$TIME:5+10+0\n", (15, 1, 12, 1), 3),
    ("$TIME:5+10+0\n", (3, 1, 12, 1), None),  # two are left of the main time
    ("$TIME:10+0+5\n", (15, 1, 5, 1), None),
    ("$TIME:10+0+5\n", (2, 1, 18, 1), None),  # what is not used adds up
    ("$TIME:10+0+5\n", (2, 1, 20, 1), 3),
    ("$TIME+:10+0+0\n$TIME-:20+0+0\n", (9, 19), None),
    ("$TIME+:10+0+0\n$TIME-:20+0+0\n", (12, 19), 1),
    ("$TIME_LIMIT:00:10+00\n", (599, 601), None),
    ("$TIME_LIMIT:00:10+00\n", (599, 602), 2),
    ("$TIME:10+0+0\n", (5, None, 30), 3),  # White's clock is not known; Black's is
    ("", (900, 900), None),
    ("$TIME:as you like\n", (900, 900), None),
])
def test_time_for_a_move(head: str, seconds: tuple[int, ...], ply: int | None) -> None:
    told = found(head, *seconds)
    assert [(name, at) for name, at, _ in told] == ([] if ply is None else [("time-exceeded", ply)])


def test_the_words() -> None:
    assert found("$TIME:70+0+0\n", 30, 1, 42) == [
        ("time-exceeded", 3, "Black used 0:42 for this move and had 0:40 (70+0+0)")]


@pytest.mark.parametrize("taken, told", [(50, []), (51, []), (49, []), (48, ["timeout-unproven"]), (0, []), (None, [])])
def test_a_loss_on_time(taken: int | None, told: list[str]) -> None:
    end = "%TIME_UP\n" + ("" if taken is None else f"T{taken}\n")
    assert [name for name, _, _ in found("$TIME:60+0+0\n", 10, 3, end=end)] == told


@pytest.mark.parametrize("control, told", [
    ("各5分（1手10秒加算）", []), ("15分 切れたら60秒", []), ("各10分、考慮時間10回", []), ("チェスクロック使用", []),
    ("3秒", []), ("各1分(チェスクロック)", []), ("１分10秒フィッシャー", []), ("各3時間(1分未満切り捨て)", []), ("15分60秒", []),
    ("0分 切れ負け", []), ("1秒 切れたら2秒", [3]), ("00:00+02", [3]), ("1分切れ負け", []),
])
def test_controls_in_words(control: str, told: list[int]) -> None:
    text = (f"持ち時間：{control}\n手合割：平手\n   1 ７六歩(77)   ( 0:03/00:00:03)\n   2 ３四歩(33)   ( 0:01/00:00:01)\n"
            "   3 ２六歩(27)   ( 0:58/00:01:01)\n   4 投了\n")
    [record] = parse(text, "kif")
    assert [one.ply for one in replay(record).diagnostics if one.name == "time-exceeded"] == told


@pytest.mark.parametrize("header, told", [
    ("手数：2", []), ("手数：3手", ["result-count"]), ("手数：2手詰", []), ("手数：many", []),
    ("消費時間：2▲1△1", []), ("消費時間：104▲379△380", ["result-count"]), ("消費時間：▲379△380", []),
])
def test_counts_in_headers(header: str, told: list[str]) -> None:
    [record] = parse(f"{header}\n手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n", "kif")
    diagnostics = replay(record).diagnostics
    assert [one.name for one in diagnostics] == told
    assert all((one.line, one.column) == (1, 1) for one in diagnostics)


def test_counts_of_a_record_without_moves_are_no_claim() -> None:
    [record] = parse("手数：3\n手合割：平手\n", "kif")
    assert replay(record).diagnostics == []


@given(st.lists(st.integers(0, 9), max_size=60))
def test_the_fourth_time(keys: list[int]) -> None:
    """Against counting them one by one."""
    slow = next((i for i in range(len(keys)) if keys[:i + 1].count(keys[i]) == 4), -1)
    assert fourth(array("q", keys)) == slow
    far = array("q", [(key << 55) - (1 << 62) for key in keys])  # all at one place of the table
    assert fourth(far) == slow


def test_the_fourth_time_in_a_long_game() -> None:
    keys = array("q", range(-40_000, 40_000))
    assert fourth(keys) == -1
    keys.extend([5, 5, 5])
    assert fourth(keys) == 80_002


@given(st.lists(st.integers(0, 30_000), max_size=30), st.integers(0, 60_000), st.integers(0, 20_000),
       st.integers(0, 10_000))
def test_clocks_that_run_down(thoughts: list[int], main: int, byoyomi: int, increment: int) -> None:
    info = array("q", [number for thought in thoughts for number in (0, 0, 0, thought)])
    left, wanted = main, -1
    for index in range(0, len(thoughts), 2):
        left += increment
        if thoughts[index] > left + byoyomi + 1000:
            wanted = index
            break
        left = max(left - thoughts[index], 0)
    assert run_down(info, 0, len(thoughts), main, byoyomi, increment, 1000) == (wanted, left + byoyomi)


def test_a_move_without_a_clock_stops_it() -> None:
    assert run_down(array("q", [0, 0, 0, -1]), 0, 1, 5, 5, 5, 1000) == (-2, 0)
