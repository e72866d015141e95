"""The engine against the oracle: data made by other engines and by independent generators."""
from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from kifu.rules import board, handicaps, impasse
from kifu.rules.api import Move, Position

COMPILED = not board.__file__.endswith(".py")
MOST_NODES = 1_000_000 if COMPILED else 20_000


def rows(shared: Path, name: str, variant: str = "shogi") -> Iterator[dict]:
    with (shared / "oracle" / f"{name}.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if row.get("variant", "shogi") == variant:
                yield row


def test_every_list_of_legal_moves_is_equal(shared: Path) -> None:
    for row in rows(shared, "legal_shogi"):
        found = Position(row["sfen"]).legal_moves()
        assert " ".join(sorted(map(str, found))) == row["moves"], row["id"]


def test_no_pawn_drop_mate_is_legal(shared: Path) -> None:
    for row in rows(shared, "legal_shogi"):
        for usi in row["uchifuzume"].split():
            assert Position(row["sfen"]).reason(usi) == "uchifuzume", row["id"]


def test_every_illegal_move_has_its_reason(shared: Path) -> None:
    for row in rows(shared, "illegal"):
        assert Position(row["sfen"]).reason(row["usi"]) == row["reason"].replace("_", "-"), row["id"]


@pytest.mark.parametrize("verdict", ["legal", "illegal"])
def test_verdicts_on_moves(shared: Path, verdict: str) -> None:
    checked = 0
    for row in rows(shared, "verdicts"):
        if row["verdict"] != verdict:
            continue
        *before, last = row["moves"].split()
        position = Position(row["sfen"])
        for usi in before:
            position.push(usi)
        expected = None if verdict == "legal" else row["reason"].replace("_", "-")
        assert position.reason(last) == expected, row["id"]
        checked += 1
    assert checked > 20


def test_verdicts_on_ends(shared: Path) -> None:
    names = {"sennichite": "repetition", "perpetual_check": "perpetual_check", "": None}
    for row in rows(shared, "verdicts"):
        position = Position(row["sfen"])
        if row["category"] == "repetition":
            ends = [position.push(usi) and position.repetition() for usi in row["moves"].split()]
            if row["verdict"] == "ongoing":
                assert not any(ends), row["id"]
            else:
                winner = row["verdict"].removesuffix("_wins")
                assert ends[-1] == (names[row["reason"]], winner), row["id"]
                assert not any(ends[:-1]), row["id"]
        elif row["category"] in ("checkmate", "no_legal_move"):
            assert not position.has_legal_move(), row["id"]
            assert position.is_checkmate() == (row["category"] == "checkmate"), row["id"]
            assert f"{({'black': 'white', 'white': 'black'})[position.turn]}_wins" == row["verdict"], row["id"]


def test_impasse_points_and_declarations(shared: Path) -> None:
    for row in rows(shared, "verdicts"):
        if row["category"] != "jishogi":
            continue
        position = Position(row["sfen"])
        for side, counted in position.points().items():
            expected = row[side]
            assert (counted.all, counted.zone_and_hand, counted.men_in_zone, counted.king_in_zone) == (
                expected["all"], expected["declare"], expected["in_zone"], expected["king_in_zone"]), row["id"]
        assert position.is_check() == row["in_check"], row["id"]
        assert (position.declaration("declare27") == "win") == row["declare_27"], row["id"]
        assert position.declaration("declare24") == row["declare_24"], row["id"]
        assert impasse.agreed(position.core) == row["verdict"].removesuffix("_wins"), row["id"]


def test_perft(shared: Path) -> None:
    checked = 0
    for row in rows(shared, "perft"):
        if row["nodes"] <= MOST_NODES:
            assert Position(row["sfen"]).perft(row["depth"]) == row["nodes"], row["name"]
            checked += 1
    assert checked > 10


def test_handicaps(shared: Path) -> None:
    found = {}
    for row in rows(shared, "handicaps"):
        handicap = found[row["key"]] = handicaps.HANDICAPS[row["key"]]
        assert handicap.sfen == row["sfen"]
        assert handicap.ja == row["names"]["ja"]
        assert handicaps.by_japanese(row["names"]["ja"]) is handicap
        assert handicaps.by_english(row["names"]["en"]) is handicap
    assert set(found) | {"even"} == set(handicaps.HANDICAPS)


def conceivable(position: Position) -> Iterator[str]:
    """Every text that could be a move on the board: all pairs of squares with and without +, all drops."""
    squares = [f"{file}{rank}" for file in range(1, 10) for rank in "abcdefghi"]
    for to in squares:
        for letter in "PLNSGBRK":
            yield f"{letter}*{to}"
        for origin in squares:
            yield origin + to
            yield origin + to + "+"


def test_generator_and_checker_agree_on_every_conceivable_move(shared: Path) -> None:
    chosen = list(rows(shared, "legal_shogi"))[:: 6 if COMPILED else 60]
    for row in chosen:
        position = Position(row["sfen"])
        legal = {str(move) for move in position.legal_moves()}
        accepted = {usi for usi in conceivable(position) if position.reason(usi) is None}
        assert accepted == legal, row["id"]


def test_generated_moves_are_the_resolved_ones_bit_by_bit(shared: Path) -> None:
    for row in list(rows(shared, "legal_shogi"))[:: 1 if COMPILED else 10]:
        position = Position(row["sfen"])
        for move in position.legal_moves():
            assert position.push(str(move)) == move
            assert position.is_check() == move.gives_check
            assert position.pop() == move
            assert isinstance(move, Move)
