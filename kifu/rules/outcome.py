"""Ends that the men on the board prove, in kinds of shogi where royal men can be taken.

``royals_taken``
    The side to move has lost its last royal man: in chu shogi its king, and its prince if there was one.
``bare_king``
    Where a kind of shogi says so (`Ruleset.bare_king`): a side has nothing but one royal man, and the other has a man
    besides its royal ones that is no trifle. It has lost, unless it is to move and answers in kind: takes the other's
    last royal man, or the last of those men. Source: the Japan Chu Shogi Association, as the project's reference
    quotes it. Sources differ on whether pawns and go-betweens are enough to win, so nothing is proven where the other
    side has no more than those (`Kind.trifle`); nor where both sides are bare: baring back is what saves the game, the
    reference names no result for it, and the kings play on (one that is taken has lost).

>>> men_left(Position("12/12/12/5k6/12/12/12/12/12/12/5GG5/5K6 b - 1", "chushogi"))
('bare_king', 'black')
>>> men_left(Position("12/12/12/12/12/12/12/12/12/12/5k6/5RK5 w - 1", "chushogi")) is None  # the rook can be taken
True
"""
from __future__ import annotations

from kifu.ends import BLACK, WHITE
from kifu.movetext import KIND_FIELD, PROMOTED
from kifu.rules.position import Position

SIDES = (BLACK, WHITE)
ROYALS_TAKEN, BARE_KING = "royals_taken", "bare_king"


def men_left(position: Position) -> tuple[str, str] | None:
    """The end that the men on the board prove, and who has won; None where they prove none."""
    if not position.rules.royals_taken:
        return None
    turn = position.turn
    royal, strong, every = _count(position, turn)
    if not royal:
        return ROYALS_TAKEN, SIDES[1 - turn]
    if not position.rules.bare_king:
        return None
    other_royal, other_strong, other_every = _count(position, 1 - turn)
    if other_royal == other_every == 1 and strong:  # it had its move to answer
        return BARE_KING, SIDES[turn]
    if royal == every == 1 and other_strong and other_royal and not _answers(position, other_royal, other_strong):
        return BARE_KING, SIDES[1 - turn]
    return None


def men_of(position: Position, colour: int) -> int:
    """How many men a side has on the board."""
    return _count(position, colour)[2]


def _count(position: Position, colour: int) -> tuple[int, int, int]:
    """How many royal men a side has, how many others that are no trifles, and how many in all."""
    rules = position.rules
    royal = strong = every = 0
    for square in range(rules.files * rules.ranks):
        value = position.man(square)
        if value and value >> 6 == colour:
            every += 1
            if rules.is_royal(value & 63):
                royal += 1
            elif value & PROMOTED or not rules.by_number[value & KIND_FIELD].trifle:
                strong += 1
    return royal, strong, every


def _answers(position: Position, royal: int, strong: int) -> bool:
    """Whether the side to move can take the last of the other's royal men, or the last of its strong ones."""
    if royal > 1 and strong > 1:  # a lone royal man takes one man in a move
        return False
    for move in position.legal_moves():
        position.play(move)
        royal_left, strong_left, _ = _count(position, position.turn)
        position.undo()
        if not royal_left or not strong_left:
            return True
    return False
