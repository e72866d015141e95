"""Totals of KIF clocks are held to the thoughts, in the main line, whatever the order and the spelling."""
from __future__ import annotations

import pytest
from kifu import parse
from kifu.replay import replay

MOVES = ("７六歩(77)", "３四歩(33)", "２六歩(27)", "８四歩(83)", "２五歩(26)", "８五歩(84)")
HEAD = "手合割：平手\n手数----指手---------消費時間--\n"


def game(*clocks: str, first: int = 1) -> str:
    return HEAD + "".join(f"{number:4} {move}   {clock}\n"
                          for number, (move, clock) in enumerate(zip(MOVES, clocks, strict=False), first))


def told(text: str, mode: str = "default") -> list[tuple[int, str]]:
    """(ply, message) of each finding about a total."""
    return [(one.ply, one.message) for record in parse(text) for one in replay(record, mode=mode).diagnostics
            if one.name == "clock-total"]


GOOD = ("( 0:12/00:00:12)", "( 0:03/00:00:03)", "( 0:05/00:00:17)", "( 1:10/00:01:13)")


@pytest.mark.parametrize("mode", ["default", "strict", "salvage"])
def test_totals_that_add_up(mode: str) -> None:
    assert told(game(*GOOD), mode) == []


@pytest.mark.parametrize("clocks", [
    ("(0:12/0:12)", "(0:03/0:03)", "(0:05/0:17)"),
    ("（0:12／00:00:12）", "（0:03／00:00:03）"),
    ("(00:12 / 00:00:12)", "(00:03 / 00:00:03)", "(00:05 / 00:00:17)"),
    ("(0:12.4/00:00:12)", "(0:03.5/00:00:03)", "(0:05.7/00:00:18)"),
    ("(1:00:12/01:00:12)", "(0:00:03/00:00:03)", "(0:05/01:00:17)"),
])
def test_spellings_of_totals_that_add_up(clocks: tuple[str, ...]) -> None:
    assert told(game(*clocks)) == []


@pytest.mark.parametrize("mode", ["default", "strict", "salvage"])
def test_a_total_that_is_no_sum(mode: str) -> None:
    clocks = (*GOOD[:2], "( 0:05/00:00:12)", GOOD[3], "( 0:01/00:00:13)")
    assert told(game(*clocks), mode) == [
        (3, "( 0:05/00:00:12): the total is 0:00:12, but the thoughts add up to 0:00:17")]


def test_a_slip_does_not_accuse_the_next_total() -> None:
    assert [ply for ply, _ in told(game("(0:12/0:12)", "(0:03/0:03)", "(0:05/0:18)", "(0:01/0:04)", "(0:02/0:19)"))] == [3]


def test_each_slip_is_told_where_it_is() -> None:
    assert [ply for ply, _ in told(game("(0:12/0:13)", "(0:03/0:03)", "(0:05/0:18)", "(0:01/0:09)"))] == [1, 4]


def test_a_writer_of_zeros_tells_no_totals() -> None:
    assert told(game("( 0:12/00:00:00)", "( 0:03/00:00:00)", "( 0:05/00:00:00)")) == []


def test_the_next_game_begins_anew() -> None:
    assert told(game(*GOOD) + "\n" + game(*GOOD)) == []


def test_a_game_from_the_middle_goes_on_from_the_totals_told_first() -> None:
    text = game("( 0:05/00:10:05)", "( 0:03/00:09:03)", "( 0:05/00:10:10)", "( 0:01/00:09:05)", first=31)
    assert [ply for ply, _ in told(text)] == [4]


def test_after_a_thought_that_is_not_known_the_total_is_taken_as_it_is() -> None:
    text = game("( 0:12/00:00:12)", "( 0:03/00:00:03)").replace("   ( 0:12/00:00:12)", "")
    assert told(text + "   3 ２六歩(27)   ( 0:05/00:01:00)\n   4 ８四歩(83)   ( 0:01/00:00:04)\n") == []


def test_totals_of_variations_go_on_from_the_move_they_leave() -> None:
    """A writer of KIF adds up along the line of play, as Kifu for Windows does, and so does one of JKF."""
    from kifu import write

    text = game(*GOOD) + "\n変化：3手\n   3 ６六歩(67)   ( 0:09/00:00:21)\n   4 ４四歩(43)   ( 0:10/00:00:13)\n   5 投了   ( 0:02/00:00:23)\n"
    [record] = parse(text)
    written = write([record], "kif")
    for line in text.splitlines():
        if "/" in line:
            assert line.split("(")[-1] in written, line
    assert '"total":{"m":0,"s":23}' in write([record], "jkf").replace(" ", "").replace('"h":0,', "")


def test_a_variation_is_not_held_to_the_main_line() -> None:
    assert told(game(*GOOD) + "\n変化：2手\n   2 ８四歩(83)   ( 0:09/00:00:09)\n") == []


@pytest.mark.parametrize("clock", ["(0:12/)", "(0:12/:)", "(0:12/9999999999999999999:00)", "(0:12/1.2.3)", "(0:12)"])
def test_totals_that_are_none_do_no_harm(clock: str) -> None:
    [record] = parse(game(clock, *GOOD[1:]))
    proven = replay(record)
    assert proven.verdict == "legal"
    assert [one.ply for one in proven.diagnostics if one.name == "clock-total"] == ([1] if "999" in clock else [])
