"""Repetition: what it means that a position stands again, and who gave perpetual check.

A position is board, both hands and side to move. Kinds of shogi read it in different ways; `Ruleset.repetition` names
the default and the others that ``--rules repetition=NAME`` may choose:

``fourth``
    The fourth occurrence anywhere in the game, the start counted, ends it. It is drawn, unless every move of one side
    from the first of those occurrences to the last gave check: then that side has lost. The rule of shogi.
``fourth-second-wins``
    The same, but what would be drawn is won by the side that moved second (minishogi on lishogi and in
    Fairy-Stockfish).
``fourth-loses``
    Who makes a position for the fourth time has lost (tori shogi in Fairy-Stockfish).
``third-barred``
    No move may make a position for the third time, except one out of check where every move of the other side since
    the first occurrence was a check: in a series of checks the checker must choose another move (tori shogi). Where
    both sides gave nothing but checks, each move is one out of check, and none is barred.
``starter-varies``
    Only the side that began the sequence, by leaving the first of the positions that repeat, may not make a position
    for the third time; in a series of checks the checker may not (tori shogi as Steve Evans's programs play it).
"""
from __future__ import annotations

from collections.abc import Sequence

from kifu.ends import BLACK, DRAW, WHITE
from kifu.rules.move import GIVES_CHECK
from kifu.rules.ruleset import FOURTH, FOURTH_LOSES, FOURTH_SECOND_WINS, STARTER_VARIES, THIRD_BARRED

RULES = (FOURTH, FOURTH_SECOND_WINS, FOURTH_LOSES, THIRD_BARRED, STARTER_VARIES)
#: The rules under which a move is illegal, rather than the game over.
BARRING = frozenset({THIRD_BARRED, STARTER_VARIES})
TIMES = 4
SIDES = (BLACK, WHITE)


def repetition(keys: Sequence[int], moves: Sequence[int], turn: int, rule: str = FOURTH) -> tuple[str, str] | None:
    """What the repetition of the final position proves: ``(end, winner)``, or None where it is not repeated enough.

    ``keys`` are the keys of a line's positions from the start, one more than its packed ``moves``; ``turn`` is the
    side to move at the start. What counts is the way from its first occurrence to the fourth, which ended the game,
    however often it stood after that. The end is ``repetition`` (drawn, but see the rules above) or
    ``perpetual_check``. If both sides gave nothing but checks it is drawn. A rule that bars moves ends no game.

    >>> repetition([1, 2, 3, 4] * 3 + [1], [0] * 12, 0)
    ('repetition', 'draw')
    >>> repetition([1, 2, 3, 4] * 3 + [1], [0] * 12, 0, "fourth-second-wins")
    ('repetition', 'white')
    """
    last = len(moves)
    final = keys[last]
    if rule in BARRING:
        return None
    seen = [ply for ply in range(last % 2, last + 1, 2) if keys[ply] == final]
    if len(seen) < TIMES:
        return None
    if rule == FOURTH_LOSES:
        return "repetition", SIDES[(turn + last) % 2]
    checkers = _checkers(moves, turn, seen[0], seen[TIMES - 1])
    if len(checkers) == 1:
        return "perpetual_check", SIDES[1 - checkers[0]]
    return "repetition", SIDES[1 - turn] if rule == FOURTH_SECOND_WINS else DRAW


def barred(keys: Sequence[int], moves: Sequence[int], turn: int, rule: str) -> bool:
    """Whether the last of the moves may not be made, since it makes a position for the third time.

    Arguments as in `repetition`, the move in question and the key after it included.

    >>> barred([1, 2, 3, 4] * 2 + [1], [0] * 8, 0, "third-barred")
    True
    >>> barred([1, 2, 3, 4] * 2 + [1], [0] * 8, 0, "starter-varies")  # Black began, White may go back once more
    False
    """
    if rule not in BARRING:
        return False
    history = History(keys[0], turn)
    for move, key in zip(moves, keys[1:], strict=True):
        history.push(move, key)
    return history.barred(rule)


def first_barred(keys: Sequence[int], moves: Sequence[int], turn: int, rule: str) -> int:
    """The index of the first move of a line that may not be made; how many moves there are where all may."""
    if rule in BARRING and len(set(keys)) < len(keys):
        history = History(keys[0], turn)
        for ply, move in enumerate(moves):
            history.push(move, keys[ply + 1])
            if history.barred(rule):
                return ply
    return len(moves)


class History:
    """The positions of a line that grows and shrinks, so kept that its last move is judged without a look at them all.

    ``key`` is the key of the start position, ``turn`` the side to move there.

    >>> history = History(1, 0)
    >>> for key in [2, 3, 4, 1] * 2:
    ...     history.push(0, key)
    >>> history.barred("third-barred"), history.pop(), history.barred("third-barred")
    (True, None, False)
    """

    __slots__ = ("keys", "quiet", "seen", "turn")

    def __init__(self, key: int, turn: int) -> None:
        self.turn = turn
        self.keys = [key]
        self.seen: dict[int, list[int]] = {key: [0]}  # key -> the plies at which it stands
        #: By ply, for each side: the ply behind the last of its moves that gave no check, 0 for none.
        self.quiet = [(0, 0)]

    def push(self, move: int, key: int) -> None:
        """A packed move was made, and the position behind it has this key."""
        ply = len(self.keys)
        first, second = self.quiet[-1]
        if not move & GIVES_CHECK:
            first, second = (first, ply) if (self.turn + ply - 1) % 2 else (ply, second)
        self.quiet.append((first, second))
        self.keys.append(key)
        self.seen.setdefault(key, []).append(ply)

    def pop(self) -> None:
        """The last move was taken back."""
        self.quiet.pop()
        self.seen[self.keys.pop()].pop()

    def barred(self, rule: str) -> bool:
        """Whether the last move may not be made; see `barred`."""
        last = len(self.keys) - 1
        plies = self.seen[self.keys[last]]
        if rule not in BARRING or len(plies) < 3:
            return False
        start, again = plies[:2]
        mover = (self.turn + last - 1) % 2
        checkers = [side for side in (0, 1) if self.quiet[last][side] <= start]
        if checkers == [1 - mover] or rule == THIRD_BARRED and len(checkers) == 2:
            return False
        if rule == THIRD_BARRED or checkers == [mover]:
            return True
        while start and self.keys[start - 1] == self.keys[again - 1]:
            start, again = start - 1, again - 1
        return (self.turn + start) % 2 == mover


def _checkers(moves: Sequence[int], turn: int, first: int, last: int) -> list[int]:
    """The sides all of whose moves from the position of one ply to that of another gave check."""
    return [side for side in (0, 1)
            if all(moves[ply] & GIVES_CHECK for ply in range(first, last) if (turn + ply) % 2 == side)]
