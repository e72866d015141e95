"""The machine gives the tokens, the reductions and the place of the first error that Lark gives."""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kifu.grammar import notations

NOTATIONS = notations()
#: Which formats of the corpus a grammar reads.
FORMATS = {"csa": ["csa"], "kif": ["kif", "bod"], "kif_boards": ["kif", "bod"], "ki2": ["ki2"], "usen": ["usen"],
           "usi": ["usi", "sfen"], "usi_boards": ["usi", "sfen"], "western": ["psn"], "western_boards": ["psn"], "pgn": []}
SUFFIXES = {
    "csa": [".csa"], "kif": [".kif", ".kifu", ".bod"],
    "kif_boards": [".kif", ".kifu", ".bod"], "ki2": [".ki2", ".ki2u"], "usi": [".usi", ".sfen"],
    "usi_boards": [".usi", ".sfen"],
    "usen": [".usen"], "western": [".psn", ".txt", ".gam"],
    "western_boards": [".psn", ".txt"], "pgn": [".pgn"],
}
#: What mutations put in: each notation's own characters, blanks of all kinds, and some that belong nowhere.
LETTERS = {
    "csa": "+-0179FUKAPNTIxV,:%'#/ \t\r\n　\U00020bb7",
    "kif": "1７六歩金成同打:：()（|v+*#&手 \r\n　\U00020bb7",
    "kif_boards": "1７十二獅歩成同仝打目←:：()（|v+*#&手 \r\n　\U00020bb7",
    "ki2": "▲△1７六歩金成同左右上寄:|*手 \r\n　\U00020bb7",
    "usen": "~.079akuz_wb-?&=:/ \t\n\U00020bb7",
    "usi": "19abiPK+*/- wxposm|# \t\n\U00020bb7",
    "usi_boards": "0129ablmPZ+*/- wxposm|# \t\n\U00020bb7",
    "western": "179aiPxB+-*=.(){}[]\"\\;#$! \n\r　é歩龍\U00020bb7",
    "western_boards": "1259alipxSwLn+B-*=!:.(){}[]\"\\;#$ \n\r　é歩\U00020bb7",
    "pgn": "179aiPxB+-@=.(){}[]\"\\;#$!% \n\r　é\U00020bb7",
}


@pytest.mark.parametrize("notation", NOTATIONS)
def test_samples(lab: Any, notation: str) -> None:
    """Every small sample, whole and cut off after each character."""
    for text in lab.samples.get(notation, []):
        prefixes = [(text[:end], text[:end]) for end in range(len(text) + 1)]
        assert lab.differences(notation, prefixes) == []


@pytest.mark.parametrize("notation", NOTATIONS)
def test_sample_games(lab: Any, notation: str, root: Path) -> None:
    """The project's own games."""
    texts = []
    for path in sorted((root / "sample_games").rglob("*")):
        if path.suffix in SUFFIXES[notation]:
            data = path.read_bytes()
            try:
                text = data.decode("utf-8-sig")
            except UnicodeDecodeError:
                text = data.decode("cp932", "replace")
            texts.append((path.name, text))
    assert lab.differences(notation, texts) == []


@pytest.mark.parametrize("notation", NOTATIONS)
def test_corpus(lab: Any, notation: str, corpus: Callable[[str], list[tuple[str, str]]]) -> None:
    """Every real file of the formats that the grammar reads; interpreted, every fifth."""
    texts = [text for name in FORMATS[notation] for text in corpus(name)]
    assert lab.differences(notation, texts if lab.compiled else texts[::5]) == []


@pytest.mark.parametrize("notation", NOTATIONS)
def test_mutations(lab: Any, notation: str) -> None:
    """Samples with one to three characters changed."""
    texts = []
    for text in lab.samples.get(notation, []):
        for changed, at in lab.mutations(text, LETTERS[notation], 150, seed=7):
            texts.append((f"{at}: {changed}", changed))
            twice = next(lab.mutations(changed, LETTERS[notation], 1, seed=at))[0] if changed else ""
            texts.append((f"{at}: {twice}", twice))
    assert lab.differences(notation, texts) == []


@pytest.mark.parametrize("notation", NOTATIONS)
@settings(max_examples=100, derandomize=True, deadline=None, database=None,
          suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_generated(lab: Any, notation: str, data: st.DataObject) -> None:
    """Texts put together from tokens of the samples, stray characters and any Unicode, surrogates included."""
    tokens = sorted({
        text[start:end] for text in lab.samples.get(notation, [])
        for _, start, end in lab.machine(notation).parse(text).tokens()
    }) or [" "]
    part = st.one_of(st.sampled_from(tokens), st.sampled_from(LETTERS[notation]), st.sampled_from(" \n"), st.text(max_size=2))
    text = "".join(data.draw(st.lists(part, max_size=30)))
    assert lab.differences(notation, [(text, text)]) == []
