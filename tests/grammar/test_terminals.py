"""Laws of the grammars that are installed: terminals that a scanner can serve, and automata of a reasonable size."""
from __future__ import annotations

from typing import Any

import pytest

from kifu.grammar import grammar_text, notations
from kifu.grammar.compile import compile_grammar

NOTATIONS = notations()

#: Upper bounds: a sudden growth shows a rule gone wrong (optional blanks written into rules made 836 states once).
BUDGET = {
    "csa": {"parser states": 160, "scanner states": 700},  # with the keywords of shogi-server
    "kif": {"parser states": 420, "scanner states": 340},
    "kif_boards": {"parser states": 380, "scanner states": 260},
    "ki2": {"parser states": 260, "scanner states": 340},
    "usen": {"parser states": 40, "scanner states": 120},
    "usi": {"parser states": 130, "scanner states": 220},
    "usi_boards": {"parser states": 130, "scanner states": 260},
    "western": {"parser states": 240, "scanner states": 620},  # with the names of the animals
    "western_boards": {"parser states": 150, "scanner states": 540},
    "pgn": {"parser states": 60, "scanner states": 120},
}


@pytest.mark.parametrize("notation", NOTATIONS)
def test_every_check_of_the_compiler(notation: str) -> None:
    """Strict LALR(1), no relabelling, no look-ahead, leftmost = longest: what compiling refuses, see test_refusals."""
    compile_grammar(grammar_text(notation), thorough=True)


@pytest.mark.parametrize("notation", NOTATIONS)
def test_budget(lab: Any, notation: str) -> None:
    """The automata stay small."""
    sizes = lab.tables(notation).sizes()
    for what, limit in BUDGET[notation].items():
        assert sizes[what] <= limit, f"{notation}: {sizes[what]} {what}"
    assert sizes["bytes"] < 400_000


@pytest.mark.parametrize("notation", NOTATIONS)
def test_header(notation: str) -> None:
    """A grammar opens with its source, an example and its tolerances."""
    head = grammar_text(notation).split("\nstart:")[0]
    assert head.startswith("//")
    for word in ("Source:", "Tolerances, each with who needs it:"):
        assert word in head
