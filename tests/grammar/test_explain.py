"""Expected terminals in words that a person understands, never in terminals' names."""
from __future__ import annotations

import re

import pytest

from kifu.grammar import load, notations, parse
from kifu.grammar.explain import JOINED, OWN, PHRASES, SILENT, expected, in_words, phrase


@pytest.mark.parametrize(("notation", "text", "words"), [
    ("csa", "+77FU", "a square such as 76"),
    ("csa", "+7776", "a piece such as FU"),
    ("csa", "P1-KY-KE", "the side (+ or -) or * for an empty square"),
    ("csa", "+7776FU T1", "a comma or the end of the line"),
    ("kif", "1 ７六", "a piece such as 歩"),
    ("kif", "1 ７", "a rank such as 六"),
    ("kif", "|v香v香", "a piece such as 歩 or ・ for an empty square"),
    ("usi", "7g", "a square such as 7f"),
    ("western", "P-", "a square such as 7f"),
    ("western", '[Sente "A', "the tag's end, \"]"),
])
def test_sentences(notation: str, text: str, words: str) -> None:
    """What is said about the first fault of a text."""
    assert expected(notation, parse(notation, text).faults[0]) == words


def test_an_open_bracket() -> None:
    """The bracket that is missing comes first, and a move is a move, not a list of pieces."""
    words = expected("western", parse("western", "1.P-7f (P-2f").faults[0])
    assert words.startswith("the end of the variation, ), a move such as P-7f")
    assert words.endswith("or something else")


def test_nothing() -> None:
    """No terminal, no words."""
    assert in_words("csa", []) == ""


def test_other_names_of_notations() -> None:
    """SFEN, BOD and PSN are read by other notations' grammars."""
    assert phrase("sfen", "SQUARE") == phrase("usi", "SQUARE")
    assert phrase("bod", "PAWN") == phrase("kif", "PAWN")
    assert phrase("psn", "SQUARE") == phrase("western", "SQUARE")


@pytest.mark.parametrize("notation", notations())
def test_every_terminal_has_words(notation: str) -> None:
    """A new terminal needs a phrase here before anybody meets it in a message."""
    machine = load(notation)
    ignored = {"SP", "WS"}
    for name in machine.terminals:
        if name in ignored or name in JOINED or name.startswith(SILENT):
            continue
        assert name in OWN[notation] or name in PHRASES, name
        assert not re.search(r"[A-Z_]{4,}", phrase(notation, name).replace("TORYO", "").replace("EVENT", "")), name
