"""Second solutions: other moves of the attacker along the main line that mate as well, however long they take."""
from __future__ import annotations

from collections.abc import Sequence

from kifu._tuples import NamedTuple
from kifu.movetext import BISHOP, LANCE, PAWN, ROOK
from kifu.problems.lines import distance
from kifu.problems.refute import never_mates
from kifu.problems.search import Search
from kifu.rules.move import DROPPED, ORIGIN_SHIFT, PIECE_FIELD, PIECE_SHIFT, PROMOTES, TARGET_FIELD

#: What the attacker is free to choose without harm to the problem, if the mate becomes no longer: where on a line of
#: check a man is dropped, and whether a man promotes that would only gain by it. Anything else is a flaw.
OTHER, DROP_SQUARE, PROMOTION = "other", "drop-square", "promotion"
_LINE_MEN = (LANCE, BISHOP, ROOK)
_GAINERS = (PAWN, BISHOP, ROOK)

#: Positions that a first attempt to prove that there is no mate goes through; later ones go through more.
FIRST_EFFORT = 40
OPEN = -1


class Second(NamedTuple):
    """Another mating move: at this ply of the main line, in so many plies counted from the start."""

    ply: int
    move: int
    plies: int
    kind: str


class Uniqueness(NamedTuple):
    """What is known of other solutions.

    ``open`` are the moves (ply, packed move) of which it was not settled whether they mate; no mate of them is as
    short as ``checked`` plies in all. Where none is open, every other move is proven never to mate.
    """

    seconds: list[Second]
    open: list[tuple[int, int]]
    checked: int


def uniqueness(search: Search, line: Sequence[int], most: int) -> Uniqueness:
    """Look for other solutions of a mate whose main line is given, up to ``most`` plies.

    The last move may be chosen freely, so it is passed over. Limits of the search end the work early.
    """
    wanting = list(_others(search, line))
    seconds: list[Second] = []
    checked = 0
    for total in range(len(line), most + 1, 2):
        effort = FIRST_EFFORT * (1 + (total - len(line)) // 2)
        still = []
        for ply, move in wanting:
            plies = OPEN if search.stopped else _settle(search, line[:ply - 1], move, total - ply, effort)
            if plies == OPEN:
                still.append((ply, move))
            elif plies is not None:
                free = ply + plies == len(line)
                kind = _kind(search, line[:ply - 1], line[ply - 1], move) if free else OTHER
                seconds.append(Second(ply, move, ply + plies, kind))
        wanting = still
        if search.stopped:
            break
        checked = total
        if not wanting:
            break
    return Uniqueness(sorted(seconds), wanting, checked)


def _others(search: Search, line: Sequence[int]) -> list[tuple[int, int]]:
    """Every check that is not the main line's, with its ply, up to the last move but one of the attacker."""
    found = []
    for index, move in enumerate(line[:-1]):
        if index % 2 == 0:
            found += [(index + 1, other) for other in sorted(search.attacking_moves()) if other != move]
        search.play(move)
    for _ in line[:-1]:
        search.undo()
    return found


def _settle(search: Search, before: Sequence[int], move: int, most: int, effort: int) -> int | None:
    """The plies to mate after a move that is played behind others; None where it never mates.

    `OPEN` where it does not in ``most``, or a limit was hit.
    """
    for one in (*before, move):
        search.play(one)
    found = search.within(most)
    answer: int | None = OPEN
    if found:
        answer = distance(search, most)
    elif found is False and never_mates(search, 5, effort):
        answer = None
    for _ in range(len(before) + 1):
        search.undo()
    return answer


def _kind(search: Search, before: Sequence[int], solution: int, move: int) -> str:
    """Whether another move is a choice that is tolerated."""
    for one in before:
        search.play(one)
    king = search.king_square(1 - search.side)
    for _ in before:
        search.undo()
    if solution ^ move == PROMOTES and move >> PIECE_SHIFT & PIECE_FIELD in _GAINERS:
        return PROMOTION
    if (solution & move & DROPPED and (solution ^ move) >> ORIGIN_SHIFT == 0
            and solution >> ORIGIN_SHIFT & TARGET_FIELD in _LINE_MEN
            and _way(king, solution & TARGET_FIELD) == _way(king, move & TARGET_FIELD)):
        return DROP_SQUARE
    return OTHER


def _way(king: int, square: int) -> tuple[int, int]:
    """The direction in which a square lies, seen from the king, straight or diagonal."""
    file, rank = square // 9 - king // 9, square % 9 - king % 9
    return (file > 0) - (file < 0), (rank > 0) - (rank < 0)
