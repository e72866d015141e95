"""The key by which Apery finds a position in its opening book.

A sum (exclusive or) of random numbers: one for each man on its square, one for how many men of each kind the side to
move holds, none included, and one where White is to move. What White holds while Black is to move is not in it. The
numbers come one after the other from the generator that C++ calls ``mt19937_64`` with its default seed: 31 men by 81
squares (numbers that are no man's are drawn too), seven kinds by 0 to 18 men, the turn. A test holds the keys to those
of cshogi, which has Apery's.

>>> f"{key(Position()):016x}"
'eebe8ee7e1ad7e15'
"""
from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice

from kifu.movetext import BISHOP, GOLD, KING, KNIGHT, LANCE, PAWN, PROMOTED, ROOK, SILVER
from kifu.rules.position import Position

#: Kinds in Apery's order; the number of a man is the place of its kind, from 1, + 8 promoted, + 16 White's.
ORDER = (PAWN, LANCE, KNIGHT, SILVER, BISHOP, ROOK, GOLD, KING)
#: Apery keeps hands with gold before bishop and rook.
HANDS = (PAWN, LANCE, KNIGHT, SILVER, GOLD, BISHOP, ROOK)
MEN, SQUARES, HELD = 31, 81, 19
_WHITE_MAN = 64
_WORD = (1 << 64) - 1


def mersenne(seed: int = 5489) -> Iterator[int]:
    """The 64-bit Mersenne Twister (Nishimura and Matsumoto, 2000): mt19937_64 of C++, whose ten-thousandth number is
    9981545732273789042.

    >>> next(islice(mersenne(), 9999, None))
    9981545732273789042
    """
    size, middle = 312, 156
    state = [seed]
    for index in range(1, size):
        state.append(6364136223846793005 * (state[-1] ^ state[-1] >> 62) + index & _WORD)
    while True:
        for index in range(size):
            mixed = state[index] & ~0x7FFFFFFF | state[(index + 1) % size] & 0x7FFFFFFF
            state[index] = state[(index + middle) % size] ^ mixed >> 1 ^ (0xB5026F5AA96619E9 if mixed & 1 else 0)
        for value in state:
            value ^= value >> 29 & 0x5555555555555555
            value ^= value << 17 & 0x71D67FFFEDA60000
            value ^= value << 37 & 0xFFF7EEE000000000
            yield value ^ value >> 43


def key(position: Position) -> int:
    """Apery's key of a position of ordinary shogi, unsigned 64-bit."""
    men, hands, white = _numbers()
    found = white if position.turn else 0
    for square in range(SQUARES):
        if man := position.man(square):
            found ^= men[man][square]
    for place, kind in enumerate(HANDS):
        found ^= hands[place][position.hand(position.turn, kind)]
    return found


@cache
def _numbers() -> tuple[dict[int, list[int]], list[list[int]], int]:
    """The random numbers: by our number of a man and square, by kind in hand and count, for White to move."""
    numbers = mersenne()
    drawn = [list(islice(numbers, SQUARES)) for _ in range(MEN)]
    hands = [list(islice(numbers, HELD)) for _ in HANDS]
    men = {}
    for place, kind in enumerate(ORDER, 1):
        for face, promoted in ((0, 0), (8, PROMOTED)):
            for side, white in ((0, 0), (16, _WHITE_MAN)):
                if place + face + side < MEN:  # there is no promoted king
                    men[kind | promoted | white] = drawn[place + face + side]
    return men, hands, next(numbers)
