"""Detection: the short way for records that leave no doubt gives what weighing all evidence gives."""
from __future__ import annotations

from pathlib import Path

import pytest

from kifu.notation.detect import detect, notation_of
from kifu.text import decode

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
    ('[Sente "A"]\n\n1. P-7f P-3d 2. P-2f\n', "western"), ('[Sente "A"]\n\n1. P-7f (0:12) P-3d\n', "western"),
    ('[Handicap "rook"]\n\n1. ... G-3b 2. P-7f\n', "western"), ("1. P-76 P-34\n", "western"),
    ("1. P76 P34 2. Bx22+\n", "western"), ("1. 歩-76 歩-34\n", "western"),
    ("1. Fax3c Sw-3d\n", "western"), ("1. ... DK-12a DHx11l\n", "western"), ("1. +F3c-4d\n", "western"),
    ("1. Fa on 3c\n", None), ('[Variant "torishogi"]\n\n1. Swx3c *\n', "western"),
    ("1.P7f P3d\n", "psn"), ("1.P7g-7f P3c-3d\n", "psn"), ("P7f P8d S6h P3d\n2.B*5e x\n", "psn"),
    ('[Black "A"]\n[White "B"]\n1.7g7f (00:00:03 / 00:00:03)\n', "psn"),
    ('[Sente "A"]\n\n 1- P-7f\n 2- P-3d\n', "psn"), ("1. P-7f P-3d 2. G6i-7h G4a-3b\nVariation:2\n", "psn"),
    ('[White "A"]\n[Black "B"]\n\n1. Pc4 Pg6\n', "pgn"), ("1. c4 g6 2. Gf1e2\n", "pgn"),
    ('[Variant "Shogi"]\n[FEN "4k4/9/9/9/9/9/9/9/4K4[] w 0 1"]\n', "pgn"),
    ('[White "A"]\n\n1. Pc3c4 Pg7g6 2. Bb2h8+\n', "pgn"),
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


def test_a_file_name_makes_western_text_psn() -> None:
    """Our own PSN is western text with Hodges moves; the name of its file says which it is."""
    text = '[Sente "A"]\n\n1. P-7f P-3d 2. P-2f\n'
    assert [notation_of(text, suffix) for suffix in (".txt", ".psn", ".psn2")] == ["western", "psn", "psn"]
    assert detect(text, ".psn").notation == "psn"


@pytest.mark.parametrize(("text", "words"), [
    ("1. P-7f P-3d\n", "Hodges moves"), ("1. P-76 P-34\n", "moves with numeric squares"),
    ("1. P76 P34\n", "Hosking moves"), ("1. 歩-76 歩-34\n", "Kitao-Kawasaki moves"),
    ("1.P7g-7f\n", "a first move with both squares"), ("1.P7f P3d\n", "without a sign"),
])
def test_the_style_stands_in_the_evidence(text: str, words: str) -> None:
    assert any(words in line for line in detect(text).evidence)


def test_corpus_files_of_the_family(shared: Path) -> None:
    """The manifest calls them psn: GNU Shogi's games and book, and shogi-reader's examples."""
    found = {path.name: notation_of(decode(path.read_bytes()).text, path.suffix)
             for path in (shared / "corpus" / "psn").rglob("*") if path.is_file()}
    assert set(found.values()) == {"psn"}, found
