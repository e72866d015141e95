"""Random games of real shogi, some at odds, with the table of boards filled: what searches are tested on.

Positions are read off SFEN text here, so that what is expected owes nothing to the engine's boards.
"""
from __future__ import annotations

import random
import re
from array import array
from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from kifu.rules.handicaps import HANDICAPS
from kifu.rules.move import from_usi, usi
from kifu.rules.position import Position
from kifu.store import moves
from kifu.store.database import Database
from kifu.store.rows import GameRow, game_hash

#: An even position out of which castles stand soon, so that random games have something to find.
CASTLES = "ln1g1g1nl/1ks2rs2/1ppppp1pp/p5p2/9/P5P2/1PPPPP1PP/2SR2SK1/LN1G1G1NL b Bb 1"
#: The usual position with White to move: what is played there is played in the usual one with the colours exchanged.
EXCHANGED = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"
STARTS = [("even", None), ("2-piece", None), ("lance", None), ("other", CASTLES), ("other", EXCHANGED)]
#: So many plies does the last of these share with the first, turned.
SHARED = 8
LETTERS = "PLNSGBRK"
#: A position: what stands on the squares that are not empty, as (side, man), and the hands as (side, letter): count.
Board = tuple[dict[str, tuple[str, str]], dict[tuple[str, str], int]]


def walk(dice: random.Random, handicap: str, start_sfen: str | None, plies: int,
         opening: Sequence[str] = ()) -> tuple[array[int], array[int], list[str]]:
    """Packed moves, keys and positions of a random game; captures and drops are preferred."""
    position = Position(start_sfen or HANDICAPS[handicap].sfen)
    played, keys, sfens = array("q"), array("q", [position.key()]), [position.sfen(1)]
    for ply in range(plies):
        legal = list(position.legal_moves())
        if not legal:
            break
        lively = [move for move in legal if move >> 24 & 63 or move & 1 << 16]
        move = dice.choice(lively if lively and dice.random() < 0.4 else legal)
        if ply < len(opening):
            move = position.resolve(from_usi(opening[ply]))
        position.play(move)
        played.append(move)
        keys.append(position.key())
        sfens.append(position.sfen(1))
    return played, keys, sfens


def games(walks: int, seed: int, plies: int = 30) -> tuple[list[GameRow], list[list[str]]]:
    """Rows of five games for each walk, which part from it sooner or later, and the positions of each game."""
    dice = random.Random(seed)
    rows: list[GameRow] = []
    positions: list[list[str]] = []
    first: list[str] = []
    for number in range(walks):
        handicap, start_sfen = STARTS[number % len(STARTS)]
        played, keys, sfens = walk(dice, handicap, start_sfen, plies, first if start_sfen == EXCHANGED else ())
        if handicap == "even":
            first = [turned_move(usi(move)) for move in played[:SHARED]]
        for length in (len(played), *(dice.randint(0, len(played)) for _ in range(4))):
            codes = moves.encode(played[:length])
            values: dict[str, Any] = dict.fromkeys(GameRow._fields)
            values.update(
                source_offset=len(rows), variant="shogi", handicap=handicap, start_sfen=start_sfen, plies=length, moves=codes,
                game_hash=game_hash("shogi", start_sfen or handicap, codes), keys=keys[:length + 1].tobytes(),
                black=f"player {dice.randint(1, 4)}", white=f"player {dice.randint(1, 4)}",
                result=dice.choice([1, -1, 0, None]), black_rating=dice.choice([None, dice.randint(1000, 2000)]),
                white_rating=dice.choice([None, dice.randint(1000, 2000)]))
            rows.append(GameRow(**values))
            positions.append(sfens[:length + 1])
    return rows, positions


def board(sfen: str) -> Board:
    """A position read off its SFEN."""
    rows, _, hands, *_ = sfen.split()
    squares = {}
    for rank, row in zip("abcdefghi", rows.split("/"), strict=True):
        file = 9
        for promoted, letter, gap in re.findall(r"(\+?)([A-Za-z])|(\d)", row):
            if gap:
                file -= int(gap)
            else:
                side = "black" if letter.isupper() else "white"
                squares[f"{file}{rank}"] = (side, promoted + letter.upper())
                file -= 1
    held = {}
    for count, letter in re.findall(r"(\d*)([A-Za-z])", hands):
        held["black" if letter.isupper() else "white", letter.upper()] = int(count or 1)
    return squares, held


def turned(square: str) -> str:
    """The square that the other side sees in this one's place."""
    return f"{10 - int(square[0])}{'ihgfedcba'['abcdefghi'.index(square[1])]}"


def turned_move(text: str) -> str:
    """The same move with the colours exchanged."""
    return re.sub(r"\d[a-i]", lambda square: turned(square[0]), text)


def fill_boards(database: Database, positions: list[list[str]]) -> None:
    """Fill the table of boards from the positions of games 1, 2, ..."""
    names = [name for name, *_ in database.rows("DESCRIBE boards")]
    columns: dict[str, list[int]] = {name: [] for name in names}
    for game, sfens in enumerate(positions, 1):
        for ply, sfen in enumerate(sfens):
            squares, held = board(sfen)
            columns["game_id"].append(game)
            columns["ply"].append(ply)
            for name in names[2:]:
                if name[0] == "s":
                    side, man = squares.get(name[1:], ("", ""))
                    value = LETTERS.index(man[-1]) + 1 + 32 * (man[0] == "+") + 64 * (side == "white") if man else 0
                else:
                    value = held.get(("black" if name[0] == "b" else "white", name[2].upper()), 0)
                columns[name].append(value)
    with database.views(filled=pa.table(columns)):
        database.run("DELETE FROM boards")
        database.run("INSERT INTO boards BY NAME FROM filled")
