"""Detection: the short way for records that leave no doubt gives what weighing all evidence gives."""
from __future__ import annotations

from pathlib import Path

import pytest

from kifu.notation.detect import detect, notation_of

KIF = """#KIF version=2.0 encoding=UTF-8
手合割：平手
手数----指手---------消費時間--
*Max_Moves:256
*+7776FU was expected

   1 ７六歩(77)   ( 0:01/00:00:01)
"""


@pytest.mark.parametrize(("text", "notation"), [
    (KIF, "kif"), (KIF.replace("\n", "\r\n"), "kif"),
    ("V2.2\n'position startpos moves 7g7f\nPI\n+\n+7776FU\n", "csa"),
    ("position startpos moves 7g7f 3c3d\n", "usi"), ("position sfen lnsgkgsnl/9/9/9/9/9/9/9/LNSGKGSNL b - 1\n", "usi"),
    ("hello\n", None),
])
def test_the_short_way(text: str, notation: str | None) -> None:
    """A text by its opening and first move."""
    assert notation_of(text) == detect(text).notation == notation


def test_on_the_sample_games(root: Path) -> None:
    """Both ways agree, whatever the file is called."""
    for path in sorted((root / "sample_games").rglob("*")):
        if path.is_file():
            text = path.read_bytes().decode("utf-8", "replace")
            assert notation_of(text, path.suffix) == detect(text, path.suffix).notation, path.name
