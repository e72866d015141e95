"""What makes a position a mate problem, and what it lacks."""
from __future__ import annotations

from kifu._tuples import NamedTuple
from kifu.ends import BLACK, WHITE, opponent
from kifu.movetext import KIND_FIELD
from kifu.problems.search import Search
from kifu.rules import sfen as _sfen
from kifu.rules.position import Position, tables_of

#: Words that USI puts before a position.
_PREFIXES = (("position", "sfen"), ("sfen",))


class ProblemError(ValueError):
    """A position that is no mate problem; the message says why."""


class Problem(NamedTuple):
    """A position that can be searched for a mate.

    ``sfen`` is complete: the defender holds every man that is neither on the board nor in the attacker's hand.
    ``filled`` names those that the text did not give him (``2 rooks, 1 gold``), empty where it gave all.
    """

    sfen: str
    attacker: str
    filled: str = ""

    @property
    def defender(self) -> str:
        """The side whose king is to be mated."""
        return opponent(self.attacker)

    def search(self) -> Search:
        """A board with the position on it, ready to prove."""
        board = Search(tables_of("shogi"))
        _sfen.set_up(board, self.sfen)
        board.attack_with(0 if self.attacker == BLACK else 1)
        return board


def is_sfen(text: str) -> bool:
    """Whether a text looks like a position rather than a path: a board and a side to move.

    >>> is_sfen("position sfen 9/9/9/9/9/9/9/9/4k4 b G 1"), is_sfen("problems/a.kif")
    (True, False)
    """
    fields = bare(text).split()
    return 2 <= len(fields) <= 4 and fields[0].count("/") == 8 and fields[1] in ("b", "w")


def bare(text: str) -> str:
    """An SFEN without the words ``position`` and ``sfen`` before it."""
    fields = text.split()
    for words in _PREFIXES:
        if tuple(fields[:len(words)]) == words:
            return " ".join(fields[len(words):])
    return " ".join(fields)


def problem_of(text: str, *, defends: bool = False) -> Problem:
    """The problem that an SFEN sets: the side to move attacks, or ``defends``.

    Raises `ProblemError` for a position in which nobody can be mated or the defender stands in check already, and
    for what is no position at all.
    """
    try:
        position = Position(bare(text))
    except ValueError as error:
        raise ProblemError(str(error)) from error
    turn = position.turn
    attacker = 1 - turn if defends else turn
    if position.king_square(1 - attacker) < 0:
        raise ProblemError(f"{_name(1 - attacker)} has no king to be mated")
    if position.odd:
        raise ProblemError(f"{_name(1 - turn)} stands in check, but {_name(turn)} is to move")
    missing = _missing(position)
    filled = []
    for kind, count in missing.items():
        position.give(1 - attacker, kind, position.hand(1 - attacker, kind) + count)
        name = position.rules.piece_name(kind)
        filled.append(f"{count} {name}{'s' * (count != 1)}")
    return Problem(position.sfen(), WHITE if attacker else BLACK, ", ".join(filled))


def _missing(position: Position) -> dict[int, int]:
    """How many men of each kind are nowhere; raises `ProblemError` where there are more than a set has."""
    rules = position.rules
    left = {kind.number: kind.men for kind in rules.kinds if not kind.royal}
    for square in range(rules.files * rules.ranks):
        kind = position.man(square) & KIND_FIELD
        if kind in left:
            left[kind] -= 1
    for kind in left:
        left[kind] -= position.hand(0, kind) + position.hand(1, kind)
        if left[kind] < 0:
            raise ProblemError(f"there are {rules.by_number[kind].men - left[kind]} {rules.piece_name(kind)}s, "
                               f"more than a set has")
    return {kind: count for kind, count in left.items() if count}


def _name(colour: int) -> str:
    return "White" if colour else "Black"
