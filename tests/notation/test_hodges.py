"""Hodges notation against the oracle: our spelling is written, all other spellings of the move are read."""
from __future__ import annotations

import json
from pathlib import Path

from kifu.notation import read
from kifu.notation.spell import western_move
from kifu.replay import replay
from kifu.rules.move import usi
from kifu.rules.position import Position

SPELLINGS = ("hodges", "pyffish_hodges", "pyffish_hodges_number", "pyffish_hosking", "hodges_pins_ignored",
             "shogiops_western")


def rows(shared: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in (shared / "oracle" / "hodges.jsonl").read_text(encoding="utf-8").splitlines()]


def test_all_hodges_strings_are_written(shared: Path) -> None:
    wrong = []
    for row in rows(shared):
        position = Position(row["sfen"])
        move = next(move for move in position.legal_moves() if usi(move) == row["usi"])
        if western_move(position, move) != row["hodges"]:
            wrong.append((row["sfen"], row["usi"], western_move(position, move), row["hodges"]))
    assert wrong == []


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
