"""The compiled machine and its source, interpreted, give the same tapes and faults."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from kifu.grammar import notations

NOTATIONS = notations()
FORMATS = {"csa": ["csa"], "kif": ["kif", "bod"], "kif_boards": ["kif", "bod"], "ki2": ["ki2"], "usen": ["usen"],
           "usi": ["usi", "sfen"], "usi_boards": ["usi", "sfen"], "western": ["psn"], "western_boards": ["psn"], "pgn": []}


@pytest.fixture(autouse=True)
def needs_both(lab: Any) -> None:
    if not lab.compiled:
        pytest.skip("the machine is not compiled here")


def unequal(lab: Any, notation: str, texts: list[str]) -> list[str]:
    compiled, source = lab.machine(notation), lab.interpreted(notation)
    found = []
    for text in texts:
        for options in ((True, False), (True, True), (False, False)):
            one, two = compiled.parse(text, *options), source.parse(text, *options)
            if one.events != two.events or one.faults != two.faults:
                found.append(text)
    return found


@pytest.mark.parametrize("notation", NOTATIONS)
def test_samples_and_mutations(lab: Any, notation: str) -> None:
    """Small texts, faulty ones among them."""
    texts = [""]
    for text in lab.samples.get(notation, []):
        texts.append(text)
        texts.extend(changed for changed, _ in lab.mutations(text, "+1()[]{}\"\n,x ７", 100, seed=3))
    assert unequal(lab, notation, texts) == []


@pytest.mark.parametrize("notation", NOTATIONS)
def test_corpus(lab: Any, notation: str, corpus: Callable[[str], list[tuple[str, str]]]) -> None:
    """Every twentieth real file, and all that have faults."""
    texts = [text for name in FORMATS[notation] for _, text in corpus(name)]
    faulty = [text for text in texts if lab.machine(notation).parse(text).faults]
    assert unequal(lab, notation, [text for text in (*texts[::20], *faulty[::3]) if len(text) < 20000]) == []
