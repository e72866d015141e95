"""Several games in one western text: where each begins, and that none vanishes, whoever wrote the text."""
from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kifu.notation import detect, notation_of, read, writer
from kifu.notation.western_styles import STYLES
from kifu.record import Game
from kifu.replay import replay
from kifu.rules.move import usi
from tests.notation.rich import ENDS, rich_record
from tests.notation.said import missing, said
from tests.notation.texts import of_reading

WRITERS = [("western", style) for style in STYLES] + [("psn", None)]
FIRST, SECOND = "7g7f 8c8d", "2g2f 3c3d"


def games(text: str, notation: str = "western") -> list[Game]:
    return [replay(record) for record in read(text, notation)]


def moves(found: list[Game]) -> list[str]:
    return [" ".join(usi(move) for move in game.moves) for game in found]


def names(found: list[Game]) -> list[list[str]]:
    return [[one.name for one in of_reading(game)] for game in found]


# --- behind a result ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("result", ["*", "1-0", "Resigns", "Resigns 0-1", "* {so far}", "* (1. ... P-3d)", "* $1"])
def test_moves_behind_a_result_are_told(result: str) -> None:
    found = games(f"1. P-7f P-8d {result}\n2. P-2f P-3d *\n")
    assert (moves(found), names(found)) == ([FIRST], [["moves-after-end"]])


def test_moves_behind_a_star_are_told_in_variations_and_in_pgn_too() -> None:
    assert names(games("1. P-7f P-8d (1. ... P-3d * 2. P-2f) 2. P-2f *")) == [["moves-after-end"]]
    assert names(games("1. Pc4 Pg6 *\n2. Pb4 1-0\n", "pgn")) == [["moves-after-end"]]


@pytest.mark.parametrize("result", ["*", "1-0", "Resigns", "Sennichite 1/2-1/2"])
def test_a_variation_behind_a_result_is_one(result: str) -> None:
    [game] = games(f"1. P-7f P-8d {result} (1. ... P-3d 2. P-2f)\n")
    assert (moves([game]), names([game]), game.variations) == ([FIRST], [[]], 1)


@pytest.mark.parametrize("result", ["*", "1-0", "Resigns", "Resigns (0:05) 0-1", "* (1. ... P-3d)"])
@pytest.mark.parametrize("between", [
    "\n\n{ B }\n", "\n{ B }\n", " { B } ", "\n{ B }\n\n", "\r\n\r\n{ B }\r\n", "\n[ B ]\n", "\n; B\n", "\n# B\n", " \n# B\n",
])
def test_number_one_behind_a_result_begins_a_game_with_its_comments(result: str, between: str) -> None:
    found = games(f"{{ A }}\n1. P-7f P-8d {result}{between}1. P-2f P-3d *\n")
    assert (moves(found), names(found)) == ([FIRST, SECOND], [[], []])
    assert [(game.comments[0] or "").strip() for game in found] == ["A", "B"]
    assert found[0].comments[1:] == [None, None]


def test_a_comment_on_the_line_of_the_result_stays_with_its_game() -> None:
    first, second = games("1. P-7f P-8d 1-0 {a fine game}\n{the next} 1. P-2f P-3d *\n")
    assert (first.comments[2], second.comments[0]) == ("a fine game", "the next")


@pytest.mark.parametrize("number", ["1.", "1-", "1", "1. ...", "1..."])
def test_any_number_one_begins_a_game(number: str) -> None:
    text = f"[Handicap \"Bishop\"]\n\n1. ... P-8d *\n{number} P-2f 2. P-3d *\n"
    assert len(games(text)) == 2


def test_number_one_in_a_variation_begins_none() -> None:
    [game] = games("1. P-7f (1. P-2f Resigns) (1. P-1f *) 1. ... P-8d *")
    assert (moves([game]), names([game]), game.variations) == ([FIRST], [[]], 2)
    [game] = games("1.P2g-2f\n2.Resigns\n\nVariation:1\n1.P7g-7f\n", "psn")
    assert (names([game]), game.variations) == ([[]], 1)


def test_games_without_moves_are_games() -> None:
    start = "4k4/9/9/9/9/9/9/9/4K4 b R 1"
    found = games(f'[SFEN "{start}"]\n\n*\n\n1. P-7f P-8d *\n\n[Sente "A"]\n\n{{ C }} *\n\n[Sente "B"]\n\n{{ D }}\n*\n')
    assert (moves(found), names(found)) == (["", FIRST, "", ""], [[]] * 4)
    assert found[0].start == start
    assert [(game.comments[0] or "").strip() for game in found] == ["", "", "C", "D"]
    assert [game.record.header("black") for game in found] == [None, None, "A", "B"]


@pytest.mark.parametrize("star", ["* a good move", "***", "*****\n"])
def test_a_star_in_prose_is_no_result(star: str) -> None:
    found = games(f"{star}\n1. P-7f\n{star}\n1. ... P-8d *\n")
    assert moves(found) == [FIRST]
    assert names(found) == [["text-ignored", "text-ignored"]]


# --- what is written ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("notation", "style"), WRITERS)
@pytest.mark.parametrize("text", ["position startpos", "position startpos moves 7g7f 8c8d",
                                  "position startpos moves 7g7f 8c8d resign", "sfen 4k4/9/9/9/9/9/9/9/4K4 b R 1"])
def test_every_game_has_a_tag_and_its_notation_is_known(notation: str, style: str | None, text: str) -> None:
    [game] = games(text, "usi")
    written = writer(notation, style).write(game)
    assert written.startswith("[")
    assert detect(written).notation == "western"
    assert detect(written, ".psn").notation == notation_of(written, ".psn") == "psn"
    assert moves(games(written, notation)) == moves([game])


def test_a_result_tag_stands_only_where_there_is_no_other_or_a_winner() -> None:
    target = writer("western")
    assert target.write(games("position startpos", "usi")[0]) == '[Result "*"]\n\n*\n'
    assert target.write(games('[Sente "A"]\n\n1. P-7f *\n')[0]) == '[Sente "A"]\n\n1. P-7f *\n'
    assert "Result" not in writer("kif").write(games('[Result "*"]\n\n*\n')[0])


def test_a_tag_with_digits_in_its_name_is_known() -> None:
    assert detect('[Byoyomi2 "30"]\n\n*\n').notation == "western"


def some_games(seed: int) -> list[Game]:
    """Two to six games, some without moves, without headers or without an end."""
    rng = random.Random(seed)
    found = []
    for _ in range(rng.randrange(2, 7)):
        text = rich_record(rng.randrange(1_000_000), rng.choice((0, 1, 2, 9)))
        lines = text.split("\n")
        if rng.random() < 0.5:
            lines = [line for line in lines if "：" not in line or line.startswith(("手合割", "変化", "後手の持", "先手の持"))]
        if rng.random() < 0.5:
            lines = [line for line in lines if not line[5:].startswith(tuple(filter(None, (*ENDS, "詰み"))))]
        found += games("\n".join(lines), "kif")
    return found


@pytest.mark.parametrize(("notation", "style"), WRITERS)
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 1_000_000))
def test_games_in_one_text_are_read_as_what_was_written(notation: str, style: str | None, seed: int) -> None:
    before = some_games(seed)
    target = writer(notation, style)
    text = target.write_all(before)
    after = games(text, notation)
    assert moves(after) == moves(before), text
    assert [game.variations for game in after] == [game.variations for game in before], text
    lost = sum((missing(said(one), said(other)) for one, other in zip(before, after, strict=True)), Counter())
    assert lost == +target.losses, text


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 1_000_000))
def test_games_that_begin_with_move_one_need_no_tags(seed: int) -> None:
    rng = random.Random(seed)
    texts = [f"{{ {number} }}\n" * rng.randrange(2) + rng.choice(("1. P-7f P-8d (1. ... P-3d)", "1. P-2f", "1. P-2f P-3d 2. P-2e"))
             + rng.choice((" {x}", "", " $1")) + rng.choice((" *", " Resigns", " 1-0"))
             for number in range(rng.randrange(2, 6))]
    found = games(rng.choice(("\n", "\n\n")).join(texts))
    assert len(found) == len(texts), texts
    assert names(found) == [[]] * len(texts), texts
    for game, text in zip(found, texts, strict=True):
        assert moves([game]) == moves(games(text)), text
        assert game.comments == games(text)[0].comments, text
