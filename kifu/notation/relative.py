"""How a move is told from those of other men of its kind that could go to the square: the rule of the JSA.

Every man of the same kind and face that could go there counts, pinned ones as well. A move is named by its way (up,
sideways, back) where no other goes that way; else by its side (left, straight, right); else by both. Source: FORMATS,
section 13.1 of the project's reference.
"""
from __future__ import annotations

from kifu.movetext import BISHOP, PROMOTED, ROOK
from kifu.rules.move import DROPPED, ORIGIN_SHIFT, PIECE_FIELD, PIECE_SHIFT, TARGET_FIELD
from kifu.rules.position import Position

DROP = "H"
_WAYS = {1: "U", 0: "M", -1: "D"}
_SIDES = {1: "L", 0: "C", -1: "R"}
_LONG = frozenset((BISHOP | PROMOTED, ROOK | PROMOTED))


def relative(position: Position, move: int) -> str:
    """The letters of JKF for a legal move that is not played yet: L C R for 左 直 右, U M D for 上 寄 引, H for 打.

    Empty where the move needs none.

    >>> position = Position("4k4/9/9/9/9/9/9/9/3GKG3 b - 1")
    >>> [relative(position, move) for move in position.legal_moves() if move & 255 == 43 and move >> 18 & 63 == 5]
    ['R', 'L']
    """
    rivals = position.rivals(move, False)
    if not rivals:
        return ""
    if move & DROPPED:
        return DROP
    turn, target = position.turn, move & TARGET_FIELD
    origin = move >> ORIGIN_SHIFT & TARGET_FIELD
    way = _way(origin, target, turn)
    if all(_way(rival, target, turn) != way for rival in rivals):
        return _WAYS[way]
    if move >> PIECE_SHIFT & PIECE_FIELD in _LONG and len(rivals) == 1:  # two long men are never called straight
        return _SIDES[_side(origin, rivals[0], turn) or -1]
    side = _side(origin, target, turn)
    if side == 0:
        return _SIDES[0]
    alone = all(_side(rival, target, turn) != side for rival in rivals)
    return _SIDES[side] + ("" if alone else _WAYS[way])


def _way(origin: int, target: int, turn: int) -> int:
    """1 where a move goes ahead, seen by the mover, 0 to the side, -1 back."""
    ahead = origin % 9 - target % 9
    return _sign(-ahead if turn else ahead)


def _side(origin: int, target: int, turn: int) -> int:
    """1 where a square is to the left of another, seen by the mover, 0 on the same file, -1 to the right."""
    left = origin // 9 - target // 9
    return _sign(-left if turn else left)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
