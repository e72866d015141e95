"""Rows of a toy game that a database cannot tell from shogi, full of transpositions and repetitions.

Five men stand each in one of four cells; a move takes one man to another cell. There are only 2048 positions, so games
of twenty moves meet all the time and often come back to a position of their own.
"""
from __future__ import annotations

import datetime
import random
from array import array
from collections.abc import Iterable
from hashlib import blake2b
from typing import Any

from kifu.store import moves
from kifu.store.rows import Comments, GameRow, SourceInfo, game_hash

MEN, CELLS = 5, 4
START = "toy b -"


def key(cells: tuple[int, ...], side: int) -> int:
    """The key of a position, signed 64-bit."""
    return int.from_bytes(blake2b(bytes([*cells, side]), digest_size=8).digest(), "little", signed=True)


def replayed(played: Iterable[tuple[int, int]]) -> tuple[array[int], array[int]]:
    """Packed moves and keys of a list of (man, cell)."""
    cells, packed = [0] * MEN, array("q")
    keys = array("q", [key(tuple(cells), 0)])
    for ply, (man, cell) in enumerate(played, 1):
        packed.append(man * CELLS + cell | (man * CELLS + cells[man]) << 8)
        cells[man] = cell
        keys.append(key(tuple(cells), ply % 2))
    return packed, keys


def row(played: Iterable[tuple[int, int]], **columns: Any) -> GameRow:
    """The row of a game; columns that are not given are empty, or what an even game without headers has."""
    packed, keys = replayed(played)
    codes = moves.encode(packed)
    plain: dict[str, Any] = dict.fromkeys(GameRow._fields)
    plain.update(
        source_offset=0, game_hash=game_hash("toy", START, codes), variant="toy", handicap="even", plies=len(packed),
        moves=codes, keys=keys.tobytes())
    plain.update(columns)
    return GameRow(**plain)


def random_row(dice: random.Random, **columns: Any) -> GameRow:
    """A random game with headers, results, clocks and comments, any of them missing at times."""
    cells, played = [0] * MEN, []
    for _ in range(dice.randint(0, 20)):
        man = dice.randrange(MEN)
        cell = dice.choice([c for c in range(CELLS) if c != cells[man]])
        cells[man] = cell
        played.append((man, cell))

    def maybe(value: Any) -> Any:
        return value if dice.random() < 0.8 else None

    plain = {
        "black": maybe(f"棋士{dice.randint(1, 8)}"), "white": maybe(f"player {dice.randint(1, 8)}"),
        "black_rating": maybe(dice.randint(1, 3000)), "white_rating": maybe(dice.randint(1, 3000)),
        "event": maybe(f"event {dice.randint(1, 3)}"), "result": dice.choice([1, -1, 0, None]),
        "verified_winner": dice.choice([1, -1, None, None]), "end": maybe(dice.choice(["resign", "timeout", "repetition"])),
        "date": maybe(datetime.date(2020, 1, 1) + datetime.timedelta(dice.randint(0, 40))),
        "handicap": dice.choice(["even", "even", "lance"]),
        "clock": maybe(array("q", [dice.choice([-1, dice.randint(0, 60_999)]) for _ in played]).tobytes()),
        "comments": maybe(Comments.of([maybe("よろしく\nお願いします") for _ in range(len(played))])),
    }
    return row(played, **{**plain, **columns})


def random_rows(count: int, seed: int) -> list[GameRow]:
    """Random games, always the same for the same seed."""
    dice = random.Random(seed)
    return [random_row(dice, source_offset=n) for n in range(count)]


def source(name: str, content: bytes = b"") -> SourceInfo:
    """A file of this name and content."""
    content = content or name.encode()
    return SourceInfo(name, blake2b(content, digest_size=32).digest(), len(content), "csa", "utf-8")
