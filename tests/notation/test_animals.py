"""Western text with the names of animals: the same moves as with letters, in two languages, and words in prose."""
from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kifu.notation import detect, read, write
from kifu.record import Game
from kifu.replay import replay
from kifu.rules.move import usi
from kifu.rules.position import Position

#: The same opening three times: a bishop exchange with a drop, a capture and a contested gold.
LETTERS = "1. P-7f P-3d 2. Bx2b+ Sx2b 3. B*4e G4a-5b 4. Bx3d S-3c 5. B-5f P-2d 6. R-5h"
ENGLISH = ("1. Chick-7f Chick-3d 2. Elephantx2b+ Catx2b 3. Elephant*4e Dog4a-5b 4. Elephantx3d Cat-3c "
           "5. Elephant-5f Chick-2d 6. Giraffe-5h")
CZECH = ("1. Kuře-7f Kuře-3d 2. Slonx2b+ Kočkax2b 3. Slon*4e Pes4a-5b 4. Slonx3d Kočka-3c 5. Slon-5f Kuře-2d "
         "6. Žirafa-5h")


def game(text: str, notation: str = "western") -> Game:
    [record] = read(text, notation)
    return replay(record)


def names(text: str) -> list[tuple[str, str]]:
    return [(found.name, found.severity) for found in game(text).diagnostics]


def moves(text: str) -> list[str]:
    return [usi(move) for move in game(text).moves]


@pytest.mark.parametrize("text", [ENGLISH, CZECH])
def test_animals_are_the_letters_by_other_names(text: str) -> None:
    assert (moves(text), names(text)) == (moves(LETTERS), [])
    assert len(moves(text)) == 11


@pytest.mark.parametrize(("style", "text"), [("animals", ENGLISH), ("animals-cs", CZECH)])
def test_writing(style: str, text: str) -> None:
    written = write([game(LETTERS)], "western", style)
    assert " ".join(written.partition("\n\n")[2].split()) == f"{text} *"


@pytest.mark.parametrize("text", [
    "1. Kure-7f Kure-3d 2. Slonx2b+ Kockax2b",  # without diacritics
    "1. Kuře 7f Chick 3d 2. Slon x 2b + Catx2b",  # both languages, blanks
    "1. Kuře-76 Kuře-34 2. Slonx22+ Kočkax22",  # squares in digits
    "☗Chick-7f ☖Chick-3d ☗Elephantx2b+ ☖Catx2b",
])
def test_tolerances(text: str) -> None:
    assert moves(text) == ["7g7f", "3c3d", "8h2b+", "3a2b"]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(["animals", "animals-cs"]))
def test_random_games_come_back(seed: int, style: str) -> None:
    rng, position, played = random.Random(seed), Position(), []
    for _ in range(rng.randrange(1, 300)):
        legal = position.legal_moves()
        if not legal:
            break
        taking = [move for move in legal if move >> 24 & 63]
        played.append(rng.choice(taking if taking and rng.random() < .5 else legal))
        position.play(played[-1])
    text = write([game("startpos moves " + " ".join(map(usi, played)), "usi")], "western", style)
    assert detect(text).notation == "western"
    again = game(text)
    assert (list(again.moves), again.diagnostics) == (played, [])


def test_promoted_men_keep_their_plus_but_for_the_hen() -> None:
    start = '[SFEN "3+P+L+N+S2/1+B5+R1/4k4/9/9/9/9/9/4K4 b - 1"]\n'
    english = ["Hen-6b", "+Boar-5b", "+Rabbit-4b", "+Cat-3b", "+Elephant-8c", "+Giraffe-2a"]
    czech = ["Slepice-6b", "+Prase-5b", "+Králík-4b", "+Kočka-3b", "+Slon-8c", "+Žirafa-2a"]
    letters = ["+P-6b", "+L-5b", "+N-4b", "+S-3b", "+B-8c", "+R-2a"]
    for animals in (english, czech):
        for animal, letter in zip(animals, letters, strict=True):
            assert moves(start + animal) == moves(start + letter) != []
    assert moves(start + "+Chick-6b") == moves(start + "+Kuře-6b") == ["6a6b"]


@pytest.mark.parametrize("words", [
    "Dog's life", "Cats and Dogs", "Lion, Cat and Hen.", "the Cat sat", "Lion", "Elephantine", "Lion-hearted", "Levý kraj",
    "Pestrý", "Slonová kost", "Boar!", "Rabbit? Giraffe: yes"])
def test_animals_in_prose_are_words(words: str) -> None:
    text = f"1. P-7f P-3d {words} 2. P-2f"
    assert moves(text) == ["7g7f", "3c3d", "2g2f"]
    assert names(text) == [("text-ignored", "warning")]


@pytest.mark.parametrize(("text", "hint"), [
    ("1. Chick-7f Chick-3d 2. Elefantx2b+ Catx2b", "did you mean Elephantx2b+?"),
    ("1. Chick-7f Chick-3d 2. Slonn*5e", "did you mean Slon*5e?"),
    ("1. Chick-7f Chick-3d 2. chick-2f", "did you mean Chick-2f?"),
    ("1. Chick-7f Chick-3d 2. Kurě-2f Kuře-8d", "did you mean Kuře-2f?"),
])
def test_a_misspelt_animal_is_an_unreadable_move(text: str, hint: str) -> None:
    found = game(text)
    assert (found.verdict, found.plies) == ("unreadable", 2)
    [finding] = found.diagnostics
    assert (finding.name, finding.hint) == ("unreadable-move", hint)


def test_a_variation_without_a_number_is_told() -> None:
    """The bracket begins with a word, so it is a remark; that no variation was read must not pass in silence."""
    found = game("1. Chick-7f (Chick-2f Chick-3d) Chick-3d {see (Chick-5f)}")
    assert (found.plies, found.variations) == (2, 0)
    [finding] = found.diagnostics
    assert finding.name == "text-ignored" and "variation" in finding.hint
    numbered = game("1. Chick-7f (1. Chick-2f Chick-3d) Chick-3d")
    assert (numbered.plies, numbered.variations, numbered.diagnostics) == (2, 1, [])


@pytest.mark.parametrize("text", ["Chick", "Chick-", "+Chick", "Chickx", "Lion*", "Dog4a", "(Cat", "Hen-7", "+Dog-5b", "x" * 9999,
                                  "Chick" * 3000, "Chick-" * 3000, "(Chick-7f" * 500, "Kuře-7f" * 500])
def test_hostile_text_ends_in_a_verdict(text: str) -> None:
    for record in read(text, "western"):
        assert replay(record).verdict in ("legal", "illegal", "unreadable")
