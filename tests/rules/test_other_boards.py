"""The engine knows no board and no man by itself: other kinds of shogi are other tables."""
from __future__ import annotations

import json
from pathlib import Path

import pytest

from kifu.diagnostics import REASONS
from kifu.movetext import KNIGHT, PAWN
from kifu.rules import position as position_module
from kifu.rules.move import DROPPED, GIVES_CHECK, IDENTITY, from_usi, usi
from kifu.rules.position import Position
from kifu.rules.ruleset import COMPASS, DIAGONAL, Kind, Ruleset, slides, steps
from kifu.rules.tables import Tables
from kifu.rules.variants import RULESETS
from kifu.rules.variants.shogi import KINDS

MINI = Ruleset("minishogi", "minishogi", 5, 5, "rbsgk/4p/5/P4/KGSBR b - 1",
               tuple(kind for kind in KINDS if kind.letter in "PSGBRK"), zone=1, hand_order="RBGSP", key_number=1)
JUDKINS = Ruleset("judkins", "judkins", 6, 6, "rbnsgk/5p/6/6/P5/KGSNBR b - 1",
                  tuple(kind for kind in KINDS if kind.letter in "PNSGBRK"), zone=2, hand_order="RBGSNP", key_number=2)
#: An invented one on twelve files and ranks: longer leaps, a slide of limited length, pieces of several kinds.
GREAT = Ruleset(
    "great", "great", 12, 12,
    "lns1gk1g1snl/1r4q4b1/pppppppppppp/12/12/12/12/12/12/PPPPPPPPPPPP/1B4Q4R1/LNS1GK1G1SNL b - 1",
    (*KINDS, Kind(9, "Q", "queen", slides(*COMPASS)),
     Kind(10, "H", "heron", steps((0, -3), (3, 3), (-3, 3)) + slides(*DIAGONAL, length=2))),
    zone=4, hand_order="QRBHGSNLP", key_number=3)


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    for rules in (MINI, JUDKINS, GREAT):
        monkeypatch.setitem(RULESETS, rules.key, rules)
    yield
    position_module.tables_of.cache_clear()
    position_module._set_up.clear()


@pytest.mark.parametrize("rules", [MINI, JUDKINS], ids=lambda rules: rules.key)
def test_legal_moves_on_small_boards(shared: Path, rules: Ruleset) -> None:
    checked = 0
    with (shared / "oracle" / "legal_variants.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if row["variant"] != rules.key:
                continue
            position = Position(row["sfen"], rules.key)
            assert position.sfen() == row["sfen"]
            legal = sorted(usi(move, rules.ranks) for move in position.legal_moves())
            assert " ".join(legal) == row["moves"], row["id"]
            checked += 1
    assert checked > 10


def test_perft_on_small_boards(shared: Path) -> None:
    checked = 0
    with (shared / "oracle" / "perft.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if row["variant"] in ("minishogi", "judkins") and row["nodes"] <= 5_000:
                assert Position(row["sfen"], row["variant"]).perft(row["depth"]) == row["nodes"], row
                checked += 1
    assert checked


def test_reasons_on_a_small_board(shared: Path) -> None:
    with (shared / "oracle" / "illegal.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if row["variant"] == "minishogi":
                position = Position(row["sfen"], "minishogi")
                assert REASONS[-1 - position.resolve(from_usi(row["usi"]))] == row["reason"].replace("_", "-"), row


def test_generator_and_checker_agree_on_a_great_board() -> None:
    sfen = "12/1k1h4q3/12/3+P2b5/12/5H6/12/2Q3r5/12/4P7/1K10/12 b QHNP2h 1"
    position = Position(sfen, "great")
    assert position.sfen() == sfen
    squares = [f"{file}{rank}" for file in range(1, 13) for rank in "abcdefghijkl"]
    moves = {move & IDENTITY for move in position.legal_moves()}
    accepted = set()
    for to in squares:
        for letter in "NP":
            found = position.resolve(from_usi(f"{letter}*{to}"))
            if found >= 0:
                accepted.add(found & IDENTITY)
        for origin in squares:
            for mark in ("", "+"):
                found = position.resolve(from_usi(origin + to + mark))
                if found >= 0:
                    accepted.add(found & IDENTITY)
    assert accepted == {move for move in moves if not move & DROPPED or move >> 8 & 255 in (PAWN, KNIGHT)}
    assert len(accepted) > 50


def test_keys_of_kinds_of_shogi_differ() -> None:
    empty = "5/5/5/5/5 b - 1"
    tall = Ruleset("tall", "tall", 5, 5, empty, MINI.kinds, zone=1, hand_order="RBGSP", key_number=4)
    RULESETS["tall"] = tall
    try:
        assert Position(empty, "tall").key() != Position(empty, "minishogi").key()
    finally:
        del RULESETS["tall"]


def test_a_man_that_leaps_over_its_pinner_exposes_the_king() -> None:
    position = Position("12/12/4h7/12/12/4r7/4H7/12/4K7/12/12/k11 b - 1", "great")
    heron = from_usi("8g8d")
    assert REASONS[-1 - position.resolve(heron)] == "self-check"
    assert "8g8d" not in {usi(move, 12) for move in position.legal_moves()}


def test_a_man_that_leaps_over_its_own_rook_gives_check() -> None:
    position = Position("4k7/12/4H7/4R7/12/12/12/12/12/12/12/K11 b - 1", "great")
    found = position.resolve(from_usi("8c5f"))
    assert found & GIVES_CHECK
    assert next(move for move in position.legal_moves() if usi(move, 12) == "8c5f") == found


@pytest.mark.parametrize(("kinds", "files", "message"), [
    ((Kind(1, "P", "pawn", steps((0, -1))),), 13, "at most 12"),
    ((Kind(1, "P", "pawn", steps((0, -7))),), 12, "leap 7 squares"),
    ((Kind(1, "P", "pawn", slides((1, -2))),), 9, "only leaps go there"),
])
def test_rulesets_that_do_not_fit_are_refused(kinds: tuple[Kind, ...], files: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Tables(Ruleset("odd", "odd", files, files, "", kinds, zone=1, hand_order="P"))
