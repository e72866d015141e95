"""Handicaps by key, by the names that files use, by position."""
from __future__ import annotations

import pytest

from kifu.rules.handicaps import HANDICAPS, by_english, by_japanese, by_key, of_sfen
from kifu.rules.position import Position

KEYS = ("even lance right-lance bishop rook rook-lance 2-piece 3-piece 4-piece 5-piece left-5-piece 6-piece "
        "left-7-piece right-7-piece 8-piece 10-piece three-pawns naked-king").split()


def test_the_keys_are_those_of_the_contract() -> None:
    assert sorted(HANDICAPS) == sorted(KEYS)


@pytest.mark.parametrize("key", KEYS)
def test_each_is_found_by_key_by_name_and_by_position(key: str) -> None:
    handicap = HANDICAPS[key]
    assert by_key(key) is handicap
    assert by_japanese(handicap.ja) is handicap
    assert by_japanese(handicap.ja + "　　") is handicap
    assert by_english(handicap.en) is handicap
    assert by_english(key) is handicap
    assert of_sfen(handicap.sfen) == key
    assert Position(handicap.sfen).sfen() == handicap.sfen
    assert Position(handicap.sfen).turn == (0 if key == "even" else 1)


@pytest.mark.parametrize(("name", "key"), [
    ("飛落ち", "rook"), ("飛香車落ち", "rook-lance"), ("十九枚落ち", "naked-king"), ("七枚落ち", "right-7-piece"),
    ("2枚落ち", "2-piece"), ("６枚落ち", "6-piece"), ("10枚落ち", "10-piece"), ("角落", "bishop"), ("香落", "lance"),
    ("九枚落ち", "other"), ("両香落ち", "other"),
])
def test_names_that_are_read_but_not_written(name: str, key: str) -> None:
    found = by_japanese(name)
    assert found is not None and found.key == key
    Position(found.sfen)


@pytest.mark.parametrize(("name", "key"), [
    ("even", "even"), ("Even Game", "even"), ("LEFT LANCE", "lance"), ("rook & lance", "rook-lance"),
    ("Rook and Lance", "rook-lance"), ("2 piece", "2-piece"), ("six-piece handicap", "6-piece"),
    ("three pawns", "three-pawns"), ("naked king", "naked-king"),
])
def test_english_names(name: str, key: str) -> None:
    found = by_english(name)
    assert found is not None and found.key == key


def test_what_is_unknown() -> None:
    assert by_key("queen") is None and by_japanese("その他") is None and by_english("queen odds") is None
    assert by_japanese("") is None and by_english("") is None and by_english("handicap") is None
    assert of_sfen("4k4/9/9/9/9/9/9/9/4K4 b - 1") == "other"
    assert of_sfen("nonsense") == "other"


def test_both_readings_of_three_pieces() -> None:
    three = HANDICAPS["3-piece"]
    assert three.sfen.startswith("1nsgkgsnl/9/")
    assert len(three.other_sfens) == 1 and three.other_sfens[0].startswith("lnsgkgsn1/9/")
    assert of_sfen(three.other_sfens[0]) == "3-piece"
