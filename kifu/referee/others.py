"""Ends that only other kinds of shogi have: royal men taken, bare kings, and no move left that repetition allows.

They follow from the last position and the moves before it; `kifu.replay` asks here before it looks for the ends that
all kinds of shogi have.
"""
from __future__ import annotations

from collections.abc import Sequence

from kifu.ends import BLACK
from kifu.record import Game
from kifu.rules.move import GIVES_CHECK
from kifu.rules.outcome import SIDES, men_left
from kifu.rules.position import Position
from kifu.rules.repetition import BARRING, History


def proven(game: Game, position: Position, rule: str) -> tuple[str, str] | None:
    """The end and the winner; None where nothing is proven here. ``rule`` is the reading of repetition."""
    return by_moves(position, game.keys, game.moves, int(game.record.turn != BLACK), rule)


def by_moves(position: Position, keys: Sequence[int], moves: Sequence[int], turn: int,
             rule: str) -> tuple[str, str] | None:
    """The same for the last position of a line: packed moves, one key more than there are moves, and who began."""
    found = men_left(position)
    if found is None and rule in BARRING and len(set(keys)) < len(keys) \
            and not _can_move(position, keys, moves, turn, rule):
        mated = moves and moves[-1] & GIVES_CHECK or position.is_check()
        return "checkmate" if mated else "no_legal_move", SIDES[1 - position.turn]
    return found


def _can_move(position: Position, keys: Sequence[int], moves: Sequence[int], turn: int, rule: str) -> bool:
    """Whether the side to move has a move that is legal and that repetition does not bar."""
    history = History(keys[0], turn)
    for move, key in zip(moves, keys[1:], strict=True):
        history.push(move, key)
    for move in position.legal_moves():
        position.play(move)
        history.push(move, position.key())
        position.undo()
        barred = history.barred(rule)
        history.pop()
        if not barred:
            return True
    return False
