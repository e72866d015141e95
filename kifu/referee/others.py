"""Ends that only other kinds of shogi have: royal men taken, bare kings, and no move left that repetition allows.

They follow from the last position and the moves before it; `kifu.replay` asks here before it looks for the ends that
all kinds of shogi have.
"""
from __future__ import annotations

from collections.abc import Sequence

from kifu.diagnostics import Diagnostic, make
from kifu.ends import BLACK, opponent
from kifu.record import INFO, Game
from kifu.rules.move import GIVES_CHECK, taken, taken_on_way
from kifu.rules.outcome import BARE_KING, SIDES, men_left, men_of
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


def played_on(game: Game) -> list[Diagnostic]:
    """Whether moves follow behind a position where a bare king had lost: one finding, at the move that proves it.

    Where nothing is dropped men only become fewer, so that no position but the last few has to be looked at: those
    where a side has no more than one man.
    """
    if not game.position.rules.bare_king or min(men_of(game.position, side) for side in (0, 1)) > 1:
        return []
    position = Position(game.start, game.record.variant)
    left = [men_of(position, side) for side in (0, 1)]
    for ply, move in enumerate(game.moves):
        found = men_left(position) if min(left) <= 1 else None
        if found is not None and found[0] == BARE_KING:
            return [_played_on(game, ply, found[1])]
        left[1 - position.turn] -= (taken(move) != 0) + (taken_on_way(move) != 0)
        position.play(move)
    return []


def _played_on(game: Game, ply: int, winner: str) -> Diagnostic:
    """The finding; where the start position is over already it stands at the first move."""
    at = INFO * max(ply - 1, 0)
    return make("played-on", game.record.info[at], game.record.info[at + 1], max(ply, 1),
                why=f"{opponent(winner).capitalize()} has a bare king {'after' if ply else 'before'} this move",
                result=f"won by {winner.capitalize()}")


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
