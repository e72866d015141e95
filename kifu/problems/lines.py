"""Exact lengths and the main line of a proven mate."""
from __future__ import annotations

from kifu.problems.search import Search
from kifu.problems.table import NO_MATE
from kifu.rules.move import DROPPED

#: Positions whose equally good lines are all compared; from then on the first is as good as another.
MOST_COMPARED = 3000


class Stopped(Exception):
    """A limit was hit before the question was answered."""


def distance(search: Search, most: int) -> int | None:
    """The exact plies to mate of the position, either side to move; None where it takes more than ``most``.

    Raises `Stopped`.
    """
    least = search.bounds()[0]
    attacking = search.turn == search.side
    plies = max(least, int(attacking))
    plies += (plies % 2 == 1) != attacking
    while plies <= most:
        found = search.within(plies)
        if found is None:
            raise Stopped
        if found:
            return plies
        if search.bounds()[0] == NO_MATE:
            return None
        plies += 2
    return None


class MainLine:
    """Finds the line in which the attacker mates as fast and the defender holds out as long as can be.

    Of equal lines both take the one that leaves fewest men in the attacker's hand: the defender because the problem
    is composed to use them up, the attacker because what he can do without is no solution's fault.
    """

    def __init__(self, search: Search) -> None:
        self.search = search
        self.known: dict[int, tuple[int, list[int]]] = {}

    def find(self, plies: int) -> tuple[int, list[int]]:
        """The men left over, and the moves, from a position where the attacker mates in exactly so many plies.

        Raises `Stopped`.
        """
        search = self.search
        if plies == 0:
            return search.attackers_hand(), []
        key = search.key()
        if key in self.known:
            return self.known[key]
        attacking = search.turn == search.side
        best: tuple[int, list[int]] | None = None
        for move in self.ordered(attacking):
            search.play(move)
            if self.keeps(plies - 1, attacking):
                left, line = self.find(plies - 1)
                if best is None or left < best[0]:
                    best = left, [move, *line]
            search.undo()
            if best and (best[0] == 0 or len(self.known) > MOST_COMPARED):
                break
        if best is None:
            raise Stopped
        self.known[key] = best
        return best

    def ordered(self, attacking: bool) -> list[int]:
        """The moves, those first that use the attacker's hand up or do not fill it."""
        moves = self.search.attacking_moves() if attacking else self.search.legal_moves()
        return sorted(moves, key=lambda move: (bool(move & DROPPED) != attacking, move))

    def keeps(self, plies: int, attacked: bool) -> bool:
        """Whether the move just played, by attacker or defender, keeps to the shortest or longest mate."""
        if attacked:
            found = self.search.within(plies)
        else:
            sooner = self.search.within(plies - 2) if plies >= 3 else False
            found = None if sooner is None else not sooner
        if found is None:
            raise Stopped
        return found
