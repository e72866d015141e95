"""Files of the corpus that are one game in two notations or encodings read as one game."""
from __future__ import annotations

from pathlib import Path

import pytest

from kifu.notation import detect, read
from kifu.record import Game
from kifu.replay import replay
from kifu.text import decode
from tests.notation.said import said

SUGYAN, HOME, MUZUDHO, TOMORI = ("sugyan-shogi-kifu-converter", "sunfish-shogi-shogihome", "muzudho-kif-parser",
                                 "tomori-k-shogilibsharp")
#: One text in two encodings: everything it says is equal.
ENCODINGS = [
    *((f"kif/{SUGYAN}/{stem}.kif", f"kif/{SUGYAN}/{stem}.kifu") for stem in (
        "Shogidokoro", "empty", "everyday_20211107", "everyday_20220604", "example", "forks", "piyo-shogi_KY")),
    *((f"ki2/{SUGYAN}/{stem}.ki2", f"ki2/{SUGYAN}/{stem}.ki2u") for stem in ("4", "simple")),
    tuple(f"kif/{MUZUDHO}/20211002_223506_KifuwarabeW31B22vsKifuwarabeW31B22[shogigui]{end}"
          for end in (".kif", ".kifu")),
]
#: One game in two notations: start and moves of the main line are equal.
NOTATIONS = [
    (f"kif/{TOMORI}/2.kifu", f"usi/{TOMORI}/2_usi.txt"),
    *((f"csa/{HOME}/{prefix}csa-sjis.csa", f"ki2/{HOME}/{other}csa-sjis.ki2")
      for prefix, other in (("", ""), ("", "csa-to-ki2__"), ("v3__", ""), ("not-create-subdir__", ""))),
    *((f"ki2/{HOME}/{name}", f"csa/{HOME}/{prefix}{name.split('.')[0]}.csa")
      for name in ("ki2-sjis.ki2", "ki2u-utf8.ki2u") for prefix in ("", "v3__")),
    (f"ki2/{HOME}/ki2u-utf8.ki2u", f"kif/{HOME}/ki2u-utf8-2.kifu"),
    (f"kif/{HOME}/kifu-utf8.kifu", f"csa/{HOME}/kifu-utf8.csa"),
    (f"kif/{HOME}/kifu-utf8.kifu", f"csa/{HOME}/v3__kifu-utf8.csa"),
    (f"kif/{HOME}/sub01__kif-sjis.kif", f"csa/{HOME}/kif-sjis-2.csa"),
    (f"kif/{HOME}/sub0101__kif-sjis.kif", f"csa/{HOME}/kif-sjis-3.csa"),
    (f"kif/{HOME}/sub02__kif-sjis.kif", f"csa/{HOME}/kif-sjis-4.csa"),
    (f"kif/{HOME}/sjis.kif", f"kif/{HOME}/utf8.kif"), (f"ki2/{HOME}/sjis.ki2", f"ki2/{HOME}/utf8.ki2"),
    (f"kif/{HOME}/src01.kifu", f"kif/{HOME}/source__src02.kifu"),
]


def game(path: Path) -> Game:
    """The first game of a file, its notation found."""
    text = decode(path.read_bytes()).text
    notation = detect(text, path.suffix).notation
    assert notation is not None, path
    return replay(next(read(text, notation)))


@pytest.mark.parametrize(("one", "other"), ENCODINGS)
def test_one_text_in_two_encodings_says_the_same(shared: Path, one: str, other: str) -> None:
    first, second = (game(shared / "corpus" / path) for path in (one, other))
    assert said(first) == said(second)
    assert first.verdict == second.verdict in ("legal", "foul")


@pytest.mark.parametrize(("one", "other"), NOTATIONS)
def test_one_game_in_two_notations_has_the_same_moves(shared: Path, one: str, other: str) -> None:
    first, second = (game(shared / "corpus" / path) for path in (one, other))
    assert first.verdict == second.verdict == "legal"
    assert (first.start.split()[:3], list(first.moves)) == (second.start.split()[:3], list(second.moves))
