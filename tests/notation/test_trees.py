"""Generated records with everything: branches at any depth, comments, clocks, ends, handicaps, any start, both ways.

What is read again is what was written, but for what the notation cannot hold.
"""
from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kifu.notation import read, writer
from kifu.notation.csa import NAMES
from kifu.notation.jkf import PRESETS
from kifu.record import Game
from kifu.replay import replay
from kifu.rules.handicaps import HANDICAPS
from kifu.rules.move import DROPPED, PROMOTES
from kifu.rules.position import Position
from tests.notation.texts import of_reading

COMMENTS = ["初手", "一\n二", "\"引用\" \\ / \t", "", "~0.7ku.", "𠮷🎌", "* ** 30"]
ENDS = ["TORYO", "CHUDAN", "JISHOGI", "TIME_UP", "SENNICHITE", "KACHI", "TSUMI"]


def node_of(move: int, rng: random.Random) -> dict[str, Any]:
    """A legal move as a minimal node, with a clock and comments now and then."""
    target, origin = move & 255, move >> 8 & 255
    made: dict[str, Any] = {"to": {"x": target // 9 + 1, "y": target % 9 + 1}, "piece": NAMES[move >> 18 & 63]}
    if not move & DROPPED:
        made["from"] = {"x": origin // 9 + 1, "y": origin % 9 + 1}
    if move & PROMOTES:
        made["promote"] = True
    node: dict[str, Any] = {"move": made}
    if rng.random() < 0.4:
        node["time"] = {"now": {"m": rng.randrange(90), "s": rng.randrange(60)}}
    if rng.random() < 0.3:
        node["comments"] = rng.sample(COMMENTS, rng.randint(1, 3))
    return node


def line_of(position: Position, rng: random.Random, depth: int) -> list[dict[str, Any]]:
    """A random line of play from a position, with forks that leave it; the position is as it was afterwards."""
    nodes: list[dict[str, Any]] = []
    played = 0
    for _ in range(rng.randint(0, 8) if depth else rng.randint(0, 30)):
        legal = sorted(position.legal_moves())
        if not legal:
            break
        rng.shuffle(legal)
        node = node_of(legal[0], rng)
        if depth < 4 and rng.random() < 0.15:
            node["forks"] = []
            for other in legal[1:1 + rng.randint(1, 2)]:
                first = node_of(other, rng)
                position.play(other)
                node["forks"].append([first, *line_of(position, rng, depth + 1)])
                position.undo()
        position.play(legal[0])
        played += 1
        nodes.append(node)
    if rng.random() < 0.5:
        end: dict[str, Any] = {"special": rng.choice(ENDS)}
        if rng.random() < 0.3:
            end["time"] = {"now": {"m": 1, "s": 5}}
        nodes.append(end)
    for _ in range(played):
        position.undo()
    return nodes


def record_of(seed: int) -> str:
    """A random record as minimal JKF."""
    rng = random.Random(seed)
    preset = rng.choice(["HIRATE", *PRESETS])
    position = Position(HANDICAPS[PRESETS[preset]].sfen)
    start = {"comments": rng.sample(COMMENTS, 2)} if rng.random() < 0.5 else {}
    header = {"先手": "甲", "後手": "", "棋戦": "\"名\"人戦", "unknown key": "値: 1"}
    return json.dumps({"header": header, "initial": {"preset": preset}, "moves": [start, *line_of(position, rng, 0)]},
                      ensure_ascii=rng.random() < 0.5)


def once(game: Game, notation: str) -> tuple[Game, dict[str, int]]:
    """A game written and read back, and what was lost."""
    target = writer(notation)
    [record] = read(target.write(game), notation)
    return replay(record), dict(target.losses)


def moves_of(game: Game) -> list[Any]:
    """All lines as number, moves from the start, and end."""
    record = game.record
    return sorted((line.number, [game.proven[index] & 0x3FFFF for index in record.path(number)],
                   line.end.reason if line.end else "") for number, line in enumerate(record.lines))


def told_of(game: Game) -> list[Any]:
    """What is said of each move, found by the way to it."""
    record = game.record
    paths = {path[-1] if path else -1: tuple(game.proven[index] & 0x3FFFF for index in path)
             for number in range(len(record.lines)) for whole in [record.path(number)]
             for path in (whole[:stop] for stop in range(len(whole) + 1))}
    told = [(path, record.milliseconds(index) if index >= 0 else None, record.comments_of(index))
            for index, path in paths.items()]
    return sorted(told, key=lambda one: one[0])


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 1_000_000))
def test_jkf_keeps_everything(seed: int) -> None:
    game = replay(next(iter(read(record_of(seed), "jkf"))))
    assert game.verdict == "legal"
    again, lost = once(game, "jkf")
    assert lost == {}
    assert of_reading(again) == []
    assert again.record.headers == game.record.headers
    assert (again.start, again.handicap) == (game.start, game.handicap)
    assert moves_of(again) == moves_of(game)
    assert told_of(again) == told_of(game)
    for one, other in zip(game.record.lines, again.record.lines, strict=True):
        assert (one.end and one.end[:4] + one.end[5:]) == (other.end and other.end[:4] + other.end[5:])


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 1_000_000))
def test_usen_keeps_moves_branches_and_some_ends(seed: int) -> None:
    game = replay(next(iter(read(record_of(seed), "jkf"))))
    again, lost = once(game, "usen")
    assert again.start == game.start
    assert [line[:2] for line in moves_of(again)] == [line[:2] for line in moves_of(game)]
    assert set(lost) <= {"comments", "comments in variations", "clocks", "headers", "end"}
    if "end" not in lost:
        assert moves_of(again) == moves_of(game)


@pytest.mark.parametrize("notation", ["psv", "hcpe"])
@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 1_000_000))
def test_packed_keeps_positions_moves_and_winner(notation: str, seed: int) -> None:
    game = replay(next(iter(read(record_of(seed), "jkf"))))
    target: Any = writer(notation)
    entries = [replay(record) for record in read(target.write(game), notation)] if game.plies else []
    assert [entry.moves[0] for entry in entries] == list(game.moves)
    position = Position(game.start)
    winner = game.verified_winner or game.winner
    for entry, move in zip(entries, game.moves, strict=True):
        assert entry.start.split()[:3] == position.sfen().split()[:3]
        assert entry.winner == (winner if winner in ("black", "white") else "draw")
        position.play(move)
    assert target.losses["variations"] == game.variations
