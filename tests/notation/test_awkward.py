"""The awkward records of the oracle: each is read as wanted, or refused where it is illegal."""
from __future__ import annotations

import json
from pathlib import Path

import pytest

from kifu.notation import detect, read
from kifu.replay import replay
from kifu.rules.move import usi

NOTATIONS = ("csa", "kif", "ki2")


def rows(shared: Path) -> list[dict[str, str]]:
    lines = (shared / "oracle" / "awkward_records.jsonl").read_text(encoding="utf-8").splitlines()
    return [row for row in map(json.loads, lines) if row["format"] in NOTATIONS]


def test_every_record_is_read_as_wanted(shared: Path) -> None:
    wrong = []
    cases = rows(shared)
    for row in cases:
        game = replay(next(read(row["text"].lstrip("\ufeff"), row["format"])))
        got = " ".join(map(usi, game.moves)) if game.verdict == "legal" else game.verdict
        if got != row["want"]:
            wrong.append((row["format"], row["name"], got, row["want"]))
    assert len(cases) == 41
    assert wrong == []


def test_every_record_is_detected(shared: Path) -> None:
    wrong = [(row["name"], row["format"]) for row in rows(shared) if detect(row["text"]).notation != row["format"]]
    assert wrong == []


@pytest.mark.parametrize("text", [
    "V2.2\nPI\n+\n+7776FU\n-3334FU\n+8822UM\n-3122GI\n%TORYO\n",
    "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２二角成(88)\n   4 同　銀(31)\n   5 投了\n",
    "position startpos moves 7g7f 3c3d 8h2b+ 3a2b resign\n",
    "1. P-7f P-3d 2. Bx2b+ Sx2b Resigns\n",
])
def test_one_game_in_four_notations(text: str) -> None:
    notation = detect(text).notation
    assert notation is not None
    game = replay(next(read(text, notation)))
    assert [usi(move) for move in game.moves] == "7g7f 3c3d 8h2b+ 3a2b".split()
    assert (game.verdict, game.end, game.winner) == ("legal", "resign", "white")
