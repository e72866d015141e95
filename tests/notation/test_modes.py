"""The same inputs read strictly, by default and to salvage: what each mode says, keeps and refuses."""
from __future__ import annotations

from typing import NamedTuple

import pytest

from kifu.notation import read, write
from kifu.record import Game
from kifu.replay import keep_legal_part, replay
from kifu.rules.move import usi

HEAD = "手合割：平手\n手数----指手---------消費時間--\n"
START = "   1 ７六歩(77)\n   2 ３四歩(33)\n"
BOARD = "".join(f"|{row}|\n" for row in (
    " ・ ・ ・ ・v玉 ・ ・ ・ ・", *[" ・ ・ ・ ・ ・ ・ ・ ・ ・"] * 7, " ・ ・ ・ ・ 玉 ・ ・ ・ ・"))


class Case(NamedTuple):
    """An input that the specification rejects, and what the default mode makes of it."""

    text: str
    finding: str
    verdict: str  # in the default mode
    severity: str  # of the finding in the default mode
    plies: int


#: FORMATS 4.9: what a strict reader of KIF must reject.
REJECTED = {
    "an unknown line": Case(HEAD + "   1 ７六歩(77)\nhello\n   2 ３四歩(33)\n", "unknown-line", "legal", "warning", 2),
    "a number out of order": Case(HEAD + "   1 ７六歩(77)\n   3 ３四歩(33)\n", "number-jump", "legal", "warning", 2),
    "a missing origin": Case(HEAD + "   1 ７六歩\n", "origin-supplied", "legal", "warning", 1),
    "a piece that is another": Case(HEAD + "   1 ７六銀(77)\n", "wrong-piece", "illegal", "error", 0),
    "an illegal move": Case(HEAD + START + "   3 ５五角(88)\n   4 ５五角(22)\n   5 ２五歩(27)\n", "bad-move", "illegal", "error", 4),
    "a promotion outside the zone": Case(HEAD + "   1 ７六歩成(77)\n", "not-in-zone", "illegal", "error", 0),
    "a promotion of a gold": Case(HEAD + "   1 ７八金成(69)\n", "cannot-promote", "illegal", "error", 0),
    "不成": Case(HEAD + START + "   3 ２二角不成(88)\n", "decline-written", "legal", "warning", 3),
    "an unknown handicap": Case("手合割：百枚落ち\n" + START, "unknown-handicap", "unreadable", "error", 0),
    "a variation beyond the line": Case(HEAD + START + "変化：7手\n   7 ２六歩(27)\n", "variation-beyond-line",
                                        "unreadable", "error", 2),
    "moves behind an end": Case(HEAD + START + "   3 投了\n   4 ２六歩(27)\n", "moves-after-end", "legal", "error", 2),
    "two boards": Case(BOARD + BOARD + "   1 ５八玉(59)\n", "position-twice", "legal", "error", 1),
    "an unknown end": Case(HEAD + START + "   3 了投\n", "unknown-end", "legal", "warning", 2),
    "a wrong sign": Case(HEAD + "   1 △７六歩(77)\n", "side-sign", "legal", "warning", 1),
    "a wrong number of moves": Case(HEAD + START + "まで9手で後手の勝ち\n", "result-count", "legal", "warning", 2),
}
#: What the default mode takes without a word, since it leaves nothing to guess.
SPELLINGS = {
    "half-width digits": "   1 76歩(77)\n", "a kanji of another rank": "   1 7六歩(77)\n", "a sign": "   1 ▲７六歩(77)\n",
    "81Dojo's clock": "   1 ７六歩(77)   (0:4/0:0:4)\n", "no total": "   1 ７六歩(77)   ( 0:7/)\n",
    "a fraction": "   1 ７六歩(77)   ( 0:07.5/00:00:07)\n",
    "two clocks": "   1 ７六歩(77)   ( 0:07/00:00:07) ( 0:00/00:00:00)\n",
    "同 without a blank": START + "   3 ２二角成(88)\n   4 同銀(31)\n",
    "a drop from nowhere": START + "   3 ２二角成(88)\n   4 同　銀(31)\n   5 ５五角打(00)\n",
    "a word of other programs": START + "   3 時間切れ\n",
}


def game(text: str, mode: str) -> Game:
    [record] = read(text, "kif", mode=mode)
    return replay(record, mode=mode)


def severities(one: Game) -> dict[str, str]:
    return {found.name: found.severity for found in one.diagnostics}


@pytest.mark.parametrize("case", REJECTED.values(), ids=REJECTED)
def test_what_a_strict_reader_rejects(case: Case) -> None:
    default, strict, salvage = (game(case.text, mode) for mode in ("default", "strict", "salvage"))
    assert (default.verdict, default.plies, severities(default)[case.finding]) == (case.verdict, case.plies, case.severity)
    assert severities(strict)[case.finding] == "error"
    assert set(severities(strict).values()) == {"error"}
    assert (strict.verdict, strict.plies) == (default.verdict, default.plies)
    assert (salvage.verdict, salvage.plies) == (default.verdict, default.plies)
    rest = [found for found in salvage.diagnostics if found.name != "salvaged"]
    assert [found[:4] for found in rest] == [found[:4] for found in default.diagnostics]
    told = [found.message for found in salvage.diagnostics if found.name == "salvaged"]
    if case.verdict == "legal" or not salvage.start:
        assert told == []
    else:
        [message] = told
        assert message.startswith(f"what is sound: {case.plies} moves of the main line")


@pytest.mark.parametrize("lines", SPELLINGS.values(), ids=SPELLINGS)
def test_spellings_that_only_the_strict_mode_refuses(lines: str) -> None:
    assert severities(game(HEAD + lines, "default")) == {}
    assert severities(game(HEAD + lines, "strict")) == {"unspecified-spelling": "error"}


def test_the_form_of_the_specification_passes() -> None:
    text = ("# ----  made by hand  ----\n開始日時：2024/01/05(金) 10:00:00\n手合割：平手　　\n先手：甲\n後手：乙\n"
            "手数----指手---------消費時間--\n*a\n   1 ７六歩(77)   ( 0:16/00:00:16)\n   2 ３四歩(33)   ( 0:00/00:00:00)+\n"
            "   3 ２二角成(88) (90:00/01:30:16)\n   4 同　銀(31)   ( 0:00/00:00:00)\n   5 ５五角打     ( 0:00/01:30:16)\n"
            "&mark\n   6 反則負け\nまで5手で先手の勝ち\n\n変化：2手\n   2 ８四歩(83)\n   3 中断\n")
    for spelled in (text, write([game(text, "default")], "kif")):
        assert severities(game(spelled, "strict")) == {"foul-not-shown": "warning"}  # 反則負け is of the specification


# --- salvage --------------------------------------------------------------------------------------------------------
SPOILT = HEAD + START + ("   3 ２六歩(27)\n   4 {move}\n   5 ２五歩(26)\n   6 投了\nまで5手で先手の勝ち\n\n変化：5手\n   5 ７八金(69)\n\n"
                         "変化：3手\n   3 ６六歩(67)\n   4 投了\n")


@pytest.mark.parametrize("move", ["８四歩(82)", "８四歩", "８４ほ(83)"], ids=["illegal", "sound", "unreadable"])
@pytest.mark.parametrize("to", ["kif", "csa", "usi", "western"])
def test_the_sound_part_is_written_without_an_end_that_was_said_of_the_rest(move: str, to: str) -> None:
    one = game(SPOILT.format(move=move), "salvage")
    sound = move == "８四歩"
    assert one.verdict == "legal" if sound else one.verdict in ("illegal", "unreadable")
    assert (one.end, one.winner, one.plies) == ("resign", "black", 5 if sound else 3)
    keep_legal_part(one)
    back = replay(next(read(write([one], to), to)))
    assert back.verdict == "legal"
    assert [usi(step) for step in back.moves][:3] == ["7g7f", "3c3d", "2g2f"]
    assert (back.plies, back.end, back.winner) == ((5, "resign", "black") if sound else (3, None, "unknown"))
    if to == "kif":
        ends = [line.end.reason if line.end else None for line in back.record.lines]
        assert ends == (["resign", None, "resign"] if sound else [None, "resign"])


def test_salvage_says_which_variations_are_sound() -> None:
    [found] = [found for found in game(SPOILT.format(move="８四歩(82)"), "salvage").diagnostics if found.name == "salvaged"]
    assert found.message == "what is sound: 3 moves of the main line and 1 of 2 variations; the rest is left out"
    assert (found.line, found.ply, found.severity) == (6, 4, "warning")
