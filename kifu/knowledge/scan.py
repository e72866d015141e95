# cython: language_level=3, boundscheck=True, wraparound=False, initializedcheck=False
"""The loop of the matcher: when a list of facts about the board comes true, and when it ceases to be.

A *fact* is something that is so or not: a man stands on a square, a square is empty, the number of bishops in a hand
is odd. A *way* is a list of facts with the values they must have; it stands when none of them is wrong. A move turns a
few facts over, so for each way it is enough to count how many of its facts are wrong. Facts that no way asks for have
no number, and nothing is done when they turn over.
"""
from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence

try:
    import cython
except ImportError:  # interpreted, without Cython installed
    from kifu import _cython as cython

#: Where the facts of each sort begin: men by (colour, piece, square), empty squares, odd hands by (colour, kind).
SQUARES, PIECES = 81, 64
MEN, EMPTY = 0, 2 * PIECES * SQUARES
HANDS = EMPTY + SQUARES
FACTS = HANDS + 2 * PIECES
#: A move turns over at most the man and the emptiness of its origin, the man taken, a hand, and the man on its target.
MOST_TURNED = 5
#: An event is a ply, the number of a way, and whether it stands from now on: ply << 25 | way << 1 | stands.
WAY_SHIFT, PLY_SHIFT = 1, 25
WAY_FIELD = (1 << PLY_SHIFT - WAY_SHIFT) - 1

_SQUARES = cython.declare(cython.int, 81)
_MEN = cython.declare(cython.int, 64 * 81)  # of one colour
_EMPTY = cython.declare(cython.int, 2 * 64 * 81)
_HANDS = cython.declare(cython.int, 2 * 64 * 81 + 81)
_PIECES = cython.declare(cython.int, 64)
#: The fields of a packed move, as `kifu.rules.move` says.
_DROPPED = cython.declare(cython.longlong, 1 << 16)
_PROMOTES = cython.declare(cython.longlong, 1 << 17)
_KIND = cython.declare(cython.int, 31)
_PROMOTED = cython.declare(cython.int, 32)
_PLY = cython.declare(cython.longlong, 25)


def man(colour: int, piece: int, square: int) -> int:
    """The fact that a man stands on a square."""
    return (colour * 64 + piece) * 81 + square


def empty(square: int) -> int:
    """The fact that a square is empty."""
    return EMPTY + square


def odd_hand(colour: int, kind: int) -> int:
    """The fact that a side has an odd number of men of a kind in hand."""
    return HANDS + colour * 64 + kind


@cython.cclass
class Scanner:
    """Ways over facts, ready to be followed through games.

    Of the last ways, from ``quiet`` on, only their coming to stand is told, not their ceasing to.
    """

    numbers: cython.short[::1]  # of every fact: its number, -1 where no way asks for it
    starts: cython.int[::1]  # by 2 * number + value: where the ways that want this value begin in ``links``
    links: cython.int[::1]
    ways: cython.int
    quiet: cython.int
    facts: cython.int

    def __init__(self, ways: Sequence[Mapping[int, bool]], quiet: int) -> None:
        numbers = array("h", [-1]) * FACTS
        wanting: list[list[int]] = []
        for way, facts in enumerate(ways):
            for fact, value in facts.items():
                if numbers[fact] < 0:
                    numbers[fact] = len(wanting) // 2
                    wanting += [[], []]
                wanting[2 * numbers[fact] + value].append(way)
        starts = array("i", [0])
        links = array("i")
        for those in wanting:
            links.extend(those)
            starts.append(len(links))
        links.append(0)  # so that there is something to look at
        self.numbers, self.starts, self.links = numbers, starts, links
        self.ways, self.quiet, self.facts = len(ways), quiet, len(wanting) // 2

    def begin(self, facts: Iterable[int]) -> tuple[array, list[int]]:
        """The state in which these facts are true and all others are not, and the ways that stand in it.

        A state (``array('h')``) holds the value of each fact, how many facts of each way are wrong, and room for those
        that a move turns over.
        """
        state = array("h", bytes(2 * (self.facts + self.ways + MOST_TURNED)))
        for fact in facts:
            if self.numbers[fact] >= 0:
                state[self.numbers[fact]] = 1
        for number in range(self.facts):
            wrong = 2 * number + 1 - state[number]  # what wants the other value
            for way in self.links[self.starts[wrong]:self.starts[wrong + 1]]:
                state[self.facts + way] += 1
        return state, [way for way in range(self.ways) if not state[self.facts + way]]

    def events(self, state: array, moves: array, white: bool) -> list[int]:
        """What comes to stand and what ceases to, in the order of the packed moves; of one ply first what ceases.

        ``state`` is what `begin` gave; ``white`` says that White moves first.
        """
        found: list = []
        count: cython.Py_ssize_t = len(moves)
        if not count:
            return found
        packed: cython.longlong[:] = moves
        now: cython.short[:] = state[:]
        wrong: cython.int = self.facts  # where the numbers of wrong facts begin in the state
        room: cython.int = self.facts + self.ways  # where the facts that a move turns over are put
        own: cython.int = 1 if white else 0
        last: cython.int
        way: cython.int
        place: cython.int
        i: cython.Py_ssize_t
        k: cython.Py_ssize_t
        link: cython.Py_ssize_t
        for i in range(count):
            last = self.turn(packed[i], own, now, room)
            own = 1 - own
            for k in range(room, last):  # one fact more is wrong in the ways that want it as it was
                place = 2 * now[k] + now[now[k]]
                for link in range(self.starts[place], self.starts[place + 1]):
                    way = self.links[link]
                    if now[wrong + way] == 0 and way < self.quiet:
                        found.append((i + 1) << _PLY | way << 1)
                    now[wrong + way] += 1
            for k in range(room, last):  # one fewer in the ways that want it as it is now
                now[now[k]] = 1 - now[now[k]]
                place = 2 * now[k] + now[now[k]]
                for link in range(self.starts[place], self.starts[place + 1]):
                    way = self.links[link]
                    now[wrong + way] -= 1
                    if now[wrong + way] == 0:
                        found.append((i + 1) << _PLY | way << 1 | 1)
        return found

    @cython.cfunc
    def turn(self, move: cython.longlong, own: cython.int, now: cython.short[:], end: cython.int) -> cython.int:
        """Put the numbers of the facts that a move turns over at ``end`` of the state; returns where they end.

        Facts that no way asks for have no number and are passed over.
        """
        target: cython.int = move & 0xFF
        origin: cython.int = move >> 8 & 0xFF
        piece: cython.int = move >> 18 & 0x3F
        taken: cython.int = move >> 24 & 0x3F
        left: cython.int  # the man is not where it was
        vacated: cython.int = -1
        lost: cython.int = -1  # the man taken, or the emptiness of the target
        held: cython.int = -1
        if move & _DROPPED:
            piece = origin & _KIND
            left = self.numbers[_HANDS + own * _PIECES + piece]
        else:
            left = self.numbers[own * _MEN + piece * _SQUARES + origin]
            vacated = self.numbers[_EMPTY + origin]
        if taken:
            lost = self.numbers[(1 - own) * _MEN + taken * _SQUARES + target]
            held = self.numbers[_HANDS + own * _PIECES + (taken & _KIND)]
        else:
            lost = self.numbers[_EMPTY + target]
        if move & _PROMOTES:
            piece |= _PROMOTED
        arrived: cython.int = self.numbers[own * _MEN + piece * _SQUARES + target]
        if left >= 0:
            now[end] = left
            end += 1
        if vacated >= 0:
            now[end] = vacated
            end += 1
        if lost >= 0:
            now[end] = lost
            end += 1
        if held >= 0:
            now[end] = held
            end += 1
        if arrived >= 0:
            now[end] = arrived
            end += 1
        return end
