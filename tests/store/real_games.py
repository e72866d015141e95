"""Rows of real games, which can be proven: random legal moves, and a few games that end by a rule."""
from __future__ import annotations

import random

import kifu
from kifu.rules.move import usi
from kifu.rules.position import Position
from kifu.store.rows import GameRow, game_row

#: Ended by a foul that the record names: a pawn is dropped that is not in hand.
FOUL = "PI\n+\n+7776FU\n-3334FU\n+8822UM\n-3122GI\n+0032KI\n%ILLEGAL_MOVE\n"
REPEATED = "PI\n+\n" + ("+2838HI\n-8272HI\n+3828HI\n-7282HI\n" * 3) + "%SENNICHITE\n"
HANDICAP = "PI82HI22KA\n-\n-5142OU\n+7776FU\n%TORYO\n"


def row(text: str) -> GameRow:
    """The row of the game that a text holds."""
    return game_row(kifu.replay(kifu.parse(text)[0]))


def played(moves: list[str], **columns: object) -> GameRow:
    """The row of a game of these moves in USI."""
    return game_row(kifu.replay(kifu.parse(f"position startpos moves {' '.join(moves)}".strip())[0]))._replace(**columns)


def random_moves(dice: random.Random, most: int) -> list[str]:
    """Random legal moves in USI, up to so many; the first ones from a few, so that games meet."""
    position, names = Position(), []
    for ply in range(dice.randint(1, most)):
        legal = sorted(position.legal_moves())
        if not legal:
            break
        move = dice.choice(legal[:2] if ply < 6 else legal)
        position.play(move)
        names.append(usi(move))
    return names


def rows(count: int, seed: int, most: int = 40) -> list[GameRow]:
    """Random games, always the same for the same seed; every fifth is the beginning of another."""
    dice = random.Random(seed)
    games: list[list[str]] = []
    for n in range(count):
        if n % 5 == 4:
            longer = dice.choice(games)
            games.append(longer[:dice.randint(0, len(longer))])
        else:
            games.append(random_moves(dice, most))
    return [played(moves, source_offset=n, black=f"棋士{dice.randint(1, 5)}", white=f"player {dice.randint(1, 5)}",
                   result=dice.choice([1, -1, 0, None]), black_rating=dice.choice([None, 1500, 2100]),
                   white_rating=dice.choice([None, 1700]))
            for n, moves in enumerate(games)]
