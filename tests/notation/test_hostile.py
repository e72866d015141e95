"""Hostile input: whatever stands in a text, readers, replay and writers answer; every finding stands in the text."""
from __future__ import annotations

import random
from pathlib import Path

import pytest

from kifu.notation import detect, read, writer
from kifu.record import Game
from kifu.replay import replay
from kifu.text import decode
from tests.notation.texts import nested_variations

NOTATIONS = ("bod", "csa", "jkf", "ki2", "kif", "usen", "usi", "western")
INSERTS = ["\n", "(", ")", "{", "+", "-", "%", "'", "T", "同", "打", "変化：", "▲", "△同", "左", "手数＝", "まで", "/", "1", "9" * 30,
           "\0", "𠮷",
           "P1", "00AL", "|", "v", "*", "#", "[", '"', "]", "sfen ", "moves ", "7g7f", "７六歩(77)", "投了", "=", "x", "$1", "!?", "(hm)"]


def attempt(text: str, notation: str) -> list[Game]:
    """Read, replay and, where legal, write; check that findings are placed."""
    lines = text.count("\n") + text.count("\r") + 1
    games = []
    for record in read(text, notation):
        game = replay(record)
        games.append(game)
        for one in game.diagnostics:
            assert one.code and one.message
            assert 1 <= one.line <= lines and one.column >= 1
        game.summary(moves=True)
        list(record.comments())
        if game.verdict in ("legal", "foul"):
            for target in NOTATIONS:
                if writer(target).can_hold(game.variant):
                    writer(target).write_all([game])
    assert games
    return games


@pytest.mark.parametrize("seed", range(8))
def test_mutated_samples(samples: Path, seed: int) -> None:
    rng = random.Random(seed)
    for path in sorted(samples.iterdir()):
        if path.suffix == ".md" or path.stat().st_size > 4000:
            continue
        text = decode(path.read_bytes()).text
        notation = detect(text, path.suffix).notation or "csa"
        notation = "usi" if notation == "sfen" else notation
        for _ in range(4):
            mutated = text
            for _ in range(rng.randint(1, 4)):
                at = rng.randrange(len(mutated) + 1)
                kind = rng.random()
                if kind < 0.4:
                    mutated = mutated[:at] + rng.choice(INSERTS) + mutated[at:]
                elif kind < 0.7:
                    mutated = mutated[:at] + mutated[at + rng.randint(1, 12):]
                else:
                    other = rng.randrange(len(mutated) + 1)
                    mutated = mutated[:at] + mutated[min(at, other):max(at, other)][:80] + mutated[at:]
            attempt(mutated, notation)


@pytest.mark.parametrize("notation", NOTATIONS)
def test_every_reader_takes_every_text(samples: Path, notation: str) -> None:
    for path in sorted(samples.iterdir()):
        if path.suffix != ".md" and path.stat().st_size < 4000:
            attempt(decode(path.read_bytes()).text, notation)


@pytest.mark.parametrize(("notation", "text"), [
    ("kif", "手数＝" + "9" * 5000 + "\n   1 ７六歩(77)\n"),
    ("kif", "手合割：平手\n" + "9" * 5000 + " ７六歩(77)\n変化：" + "9" * 5000 + "手\nまで" + "9" * 5000 + "手で先手の勝ち\n"),
    ("kif", "先手の持駒：歩" + "9" * 5000 + "\n|" + " ・" * 9 + "|一\n" * 9),
    ("kif", "手合割：平手\n   1 ７六歩(77) (" + "9" * 5000 + ":00/0:0:0)\n"),
    ("ki2", "９" * 5000 + "▲７六歩\n変化：" + "9" * 5000 + "手\nまで" + "9" * 5000 + "手で先手の勝ち\n"),
    ("ki2", "▲７六歩" * 3000 + "△" * 5000), ("ki2", "７" * 9000), ("ki2", "▲同" * 5000 + "\n" + "▲５五金左" * 2000),
    ("bod", "手数＝" + "九" * 5000 + "  " + "▲" * 5000 + "まで\n|" + " ・" * 9 + "|一\n" * 9),
    ("csa", "PI\n+\n+7776FU\nT" + "9" * 5000 + "\n"),
    ("csa", "P+" + "00FU" * 5000 + "\nP-11OU\n+\n+0055FU\n"),
    ("usi", "sfen 4k4/9/9/9/9/9/9/9/4K4 b " + "9" * 5000 + "P 1 moves P*5e\n"),
    ("usi", "sfen 4k4/9/9/9/9/9/9/9/4K4 b P " + "9" * 5000 + " moves P*5e\n"),
    ("western", "9" * 5000 + ". P-7f (" + "9" * 5000 + ":00)\nVariation:" + "9" * 5000 + "\n"),
    ("western", "[SFEN \"" + "9" * 5000 + "\"]\n\n1. P-7f\n"),
    ("western", "(" * 3000 + "1. P-7f" + ")" * 4000),
])
def test_numbers_and_brackets_without_end(notation: str, text: str) -> None:
    attempt(text, notation)


def test_ten_thousand_nested_variations_take_linear_time() -> None:
    game = replay(next(read(nested_variations(9998), "kif")))
    assert (game.verdict, game.variations) == ("legal", 9998)
    nested = "1. K-5h (" * 3000 + ")" * 3000
    game = replay(next(read(nested, "western")))
    assert (game.verdict, game.variations) == ("legal", 2999)  # the innermost bracket is empty


@pytest.mark.parametrize(("notation", "head", "part"), [
    ("kif", "手合割：平手\n   1 ７六歩(77)\n", "変化：9手\n"),
    ("ki2", "手合割：平手\n▲７六歩 △３四歩\n", "変化：9手\n▲２六歩\n"),
    ("kif", "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n", "変化：2手\n   2 ３四歩(34)\n"),
    ("western", "1. P-7f ", "(G6i-7hP-3d) "), ("western", "1. P-7f ", "(1. P-2f2 P-3d) "),
])
def test_ten_thousand_variations_without_a_place_take_linear_time(notation: str, head: str, part: str) -> None:
    """Each of them looked through all lines before it: a minute and more."""
    records = list(read(head + part * 10_000, notation))
    assert [replay(record).verdict for record in records] in (["unreadable"], ["illegal"])
