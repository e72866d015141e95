"""Random games of every kind of shogi, as the engine plays them and as rows of a database."""
from __future__ import annotations

import random
from array import array
from typing import Any, NamedTuple

import kifu
from kifu.record import Line, Record, Source
from kifu.replay import replay
from kifu.rules.handicaps import of_variant
from kifu.rules.move import from_usi
from kifu.rules.variants import MODULES
from kifu.store.rows import GameRow, game_row

KINDS = list(MODULES)
OTHERS = [kind for kind in KINDS if kind != "shogi"]
#: Games of a kind; the last ones of them at odds, where the kind has handicaps.
GAMES, AT_ODDS = 20, 4


class Played(NamedTuple):
    """A game as the engine told of it: what it plays, where it starts, its moves in USI, the position behind each."""

    kind: str
    handicap: str
    start: str
    moves: list[str]
    sfens: list[str]
    keys: list[int]


def played(kind: str, number: int, plies: int = 40) -> Played:
    """A random game, always the same; its first moves are of few, so that games meet."""
    dice = random.Random(f"{kind} {number}")
    handicaps = list(of_variant(kind).values())
    chosen = handicaps[1 + number % (len(handicaps) - 1)] if number >= GAMES - AT_ODDS and handicaps[1:] else handicaps[0]
    position = kifu.Position(chosen.sfen, kind)
    moves, sfens, keys = [], [position.sfen()], [position.key()]
    for ply in range(plies):
        legal = position.legal_moves()
        if not legal:
            break
        lively = [move for move in legal if move.taken or move.is_drop or move.via or move.promotes]
        move = dice.choice(legal[:2] if ply < 3 else lively if lively and dice.random() < 0.5 else legal)
        moves.append(str(move))
        position.push(move)
        sfens.append(position.sfen())
        keys.append(position.key())
    return Played(kind, chosen.key, chosen.sfen, moves, sfens, keys)


def record(kind: str, start: str, moves: list[str], number: int = 1) -> Record:
    """A record made by hand: no reader has to know the kind of shogi."""
    made = Record("usi", number, Source(""), 0, 0)
    made.variant, made.start = kind, start
    made.turn = "white" if " w " in start else "black"
    made.texts = array("q", map(from_usi, moves))
    made.info = array("q", (0, 0, 0, -1)) * len(moves)
    made.lines = [Line(-1, 0, len(moves))]
    return made


def row(kind: str, start: str, moves: list[str], **columns: Any) -> GameRow:
    """The row of the game."""
    game = replay(record(kind, start, moves))
    assert game.verdict == "legal", game.diagnostics
    return game_row(game)._replace(**columns)


def rows(games: list[Played]) -> list[GameRow]:
    """The rows of games, with players and results."""
    dice = random.Random(len(games))
    return [row(game.kind, game.start, game.moves, source_offset=n, black=f"棋士{n % 5}", white=f"player {n % 3}",
                result=dice.choice([1, -1, 0, None])) for n, game in enumerate(games)]
