"""Western notation against the oracle: our spelling of each style is written, all other spellings are read."""
from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from kifu.notation import read
from kifu.notation.western_styles import STYLES, western_move
from kifu.replay import replay
from kifu.rules.move import usi
from kifu.rules.position import Position

SPELLINGS = ("hodges", "pyffish_hodges", "pyffish_hodges_number", "pyffish_hosking", "hodges_pins_ignored",
             "shogiops_western", "kitao_kawasaki")


def rows(shared: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in (shared / "oracle" / "hodges.jsonl").read_text(encoding="utf-8").splitlines()]


def numeric(text: str) -> str:
    """A Hodges move with digits for the letters of its squares."""
    return re.sub(r"(?<=[1-9])[a-i]", lambda letter: str(ord(letter.group()) - 96), text)


def hosking(text: str) -> str:
    """A Hodges move as Hosking's style has it: the hyphen only behind an origin, `'` for a drop."""
    return re.sub(r"(?<![1-9])-", "", numeric(text)).replace("*", "'")


ANIMALS = {"P": "Chick", "L": "Boar", "N": "Rabbit", "S": "Cat", "G": "Dog", "B": "Elephant", "R": "Giraffe", "K": "Lion",
           "+P": "Hen"}
ZVIRATA = {"P": "Kuře", "L": "Prase", "N": "Králík", "S": "Kočka", "G": "Pes", "B": "Slon", "R": "Žirafa", "K": "Lev",
           "+P": "Slepice"}


def with_animals(text: str, names: dict[str, str]) -> str:
    """A Hodges move with the name of its animal for the letter."""
    return re.sub(r"^\+P|[PLNSGBRK]", lambda letter: names[letter.group()], text, count=1)


WANTED: dict[str, Callable[[dict[str, str]], str]] = {
    "hodges": lambda row: row["hodges"], "names": lambda row: row["hodges"],  # ordinary shogi has no names but letters
    "numeric": lambda row: numeric(row["hodges"]),
    "hosking": lambda row: hosking(row["hodges"]), "kitao-kawasaki": lambda row: row["kitao_kawasaki"],
    "animals": lambda row: with_animals(row["hodges"], ANIMALS),
    "animals-cs": lambda row: with_animals(row["hodges"], ZVIRATA),
}


@pytest.mark.parametrize("style", STYLES)
def test_all_strings_of_a_style_are_written(shared: Path, style: str) -> None:
    wrong = []
    for row in rows(shared):
        position = Position(row["sfen"])
        move = next(move for move in position.legal_moves() if usi(move) == row["usi"])
        if western_move(position, move, style) != WANTED[style](row):
            wrong.append((row["sfen"], row["usi"], western_move(position, move, style), WANTED[style](row)))
    assert wrong == []


def test_the_styles_agree_with_pyffish_where_it_follows_our_rule(shared: Path) -> None:
    """pyffish leaves an origin out where the rival could not make the same promotion choice; elsewhere it agrees."""
    agreeing = [row for row in rows(shared) if row["pyffish_hodges"] == row["hodges"]]
    assert len(agreeing) > 240
    for row in agreeing:
        assert WANTED["numeric"](row) == row["pyffish_hodges_number"]
        assert WANTED["hosking"](row) == row["pyffish_hosking"]


def test_all_spellings_are_read_back_to_the_same_move(shared: Path) -> None:
    wrong, read_back = [], 0
    for row in rows(shared):
        dots = "... " if " w " in row["sfen"] else ""
        for spelling in SPELLINGS:
            if not row[spelling]:
                continue
            text = f'[SFEN "{row["sfen"]}"]\n\n1. {dots}{row[spelling]}\n'
            game = replay(next(read(text, "western")))
            read_back += 1
            if [usi(move) for move in game.moves] != [row["usi"]] or game.verdict != "legal":
                wrong.append((row["sfen"], spelling, row[spelling], row["usi"], game.verdict,
                              [one.message for one in game.diagnostics]))
    assert read_back > 1500
    assert wrong == []
