"""Random legal games with headers, clocks, comments and ends, and databases made of texts as `kifu load` makes them."""
from __future__ import annotations

import random
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

import kifu
from kifu.replay import replay
from kifu.store.database import Database
from kifu.store.loader import Loader
from kifu.store.rows import LOADED, SourceInfo, game_row

ENDS = ("%TORYO", "%CHUDAN", "%TIME_UP", "%SENNICHITE", "%JISHOGI", "%HIKIWAKE", "%CHUDAN", "%KACHI", "")
#: Columns that a game keeps on its way through a notation. Ids and sources are others, and so may be what
#: replay proves by headers that a database does not keep.
KEPT = ("game_hash", "variant", "handicap", "black", "white", "black_rating", "white_rating", "event", "site", "date",
        "date_precision", "result", '"end"', "illegal_move", "illegal_reason", "plies", "seconds", "comments")


def moves(dice: random.Random, plies: int, choices: int) -> list[str]:
    """Random legal moves in USI; the first ten are of few choices, so that games meet."""
    position, played = kifu.Position(), []
    for ply in range(plies):
        legal = sorted(str(move) for move in position.legal_moves())
        if not legal:
            break
        move = dice.choice(legal[:choices] if ply < 10 else legal)
        position.push(move)
        played.append(move)
    return played


def game(dice: random.Random, plies: int = 30, choices: int = 3) -> str:
    """A random game as CSA, any of its parts missing at times."""
    maybe = lambda text: text if dice.random() < 0.7 else ""  # noqa: E731
    head = ["V2.2", maybe("N+先手 太郎"), maybe(f"N-player {dice.randint(1, 5)}"), maybe("$EVENT:王将戦, #3"),
            maybe("$SITE:Kyoto"), maybe(f"$START_TIME:20{dice.randint(10, 25)}/0{dice.randint(1, 9)}/11"),
            maybe(f"'black_rate:先手 太郎:{dice.randint(100, 3000)}.0"), "PI", "+"]
    out = [line for line in head if line]
    if dice.random() < 0.3:
        out.append("'*before the first move")
    position = kifu.Position()
    for ply, move in enumerate(moves(dice, dice.randint(0, plies), choices)):
        spelled = kifu.notate(position, move, "csa")
        out.append(spelled if spelled[0] in "+-" else "+-"[ply % 2] + spelled)
        position.push(move)
        out += [line for line in (maybe(f"T{dice.randint(0, 4000)}"),
                                  "'コメント\n'second line" if dice.random() < 0.1 else "") if line]
    out.append(dice.choice(ENDS))
    return "\n".join(line for line in out if line) + "\n"


def games(count: int, seed: int, plies: int = 30, choices: int = 3) -> list[str]:
    """Random games, always the same for the same seed."""
    dice = random.Random(seed)
    return [game(dice, plies, choices) for _ in range(count)]


def load(path: Path, texts: Iterable[tuple[str, str]]) -> Path:
    """A database of all legal games of texts, each with its notation; no game is taken for another one."""
    with Loader(path, "none") as loader:
        for number, (text, notation) in enumerate(texts):
            rows = [game_row(found) for record in kifu.parse(text, notation)
                    if (found := replay(record, keys=True)).verdict in LOADED]
            loader.add(SourceInfo(str(number), sha256(text.encode("utf-8", "replace")).digest(), len(text), notation), rows)
            if loader.full:
                loader.commit_batch()
        loader.finish()
    return path


def rows(path: Path, columns: Iterable[str] = KEPT) -> list[tuple[object, ...]]:
    """What games keep, in the order of loading."""
    with Database.open(path) as database:
        return database.rows(f"SELECT {', '.join(columns)} FROM games ORDER BY game_id")
