# cython: language_level=3, boundscheck=True, wraparound=False, initializedcheck=False
"""What a search has found out about positions, kept to be found again.

Of a position is known that its mate takes at least ``least`` and at most ``most`` plies; `NEVER` stands for no mate at
all (least) and for none found (most). Both hold whatever moves led there: a mate in the fewest plies never passes the
same position twice, so no repetition is in it.

All men that are not on the board are in one of two hands, so the board and the attacker's hand name a position of a
problem. Entries are filed by the board. Whoever holds more men than another attacker mates at least as fast, for the
defender then holds fewer; a bound found for one hand is therefore used for others that hold more or less.
"""
from __future__ import annotations

from array import array

try:
    import cython
except ImportError:
    from kifu import _cython as cython

if not cython.compiled:  # table.pxd has the same numbers for the compiler
    NEVER = 255
    ENDLESS = 0x8000000  # a proof or disproof number that nothing reaches
    GUARD = 0x9222220  # a bit above each count of a hand's code (see `kifu.problems.checks`)
    CLUSTER = 1024  # places looked through for one board
    STEP_SHIFT = 40  # these upper bits of a key say how far apart its places lie

#: The same for callers in Python.
NO_MATE, GUARD_BITS = 255, 0x9222220

FIRST_SIZE = 1 << 14
MOST_ENTRIES = 1 << 22  # 100 megabytes


class Table:
    """The entries. `look` leaves its answer in ``proof``, ``disproof``, ``least`` and ``most``."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget everything."""
        self.make(FIRST_SIZE)

    def make(self, size: cython.longlong) -> None:
        """Have so many empty places, a power of two."""
        self.keys = array("q", bytes(8 * size))
        self.hands, self.bounds = array("I", bytes(4 * size)), array("I", bytes(4 * size))
        self.proofs, self.disproofs = array("I", bytes(4 * size)), array("I", bytes(4 * size))
        self.mask = size - 1
        self.used = 0

    def look(self, key: cython.longlong, hand: cython.uint, left: cython.int) -> cython.int:
        """Find what is known of a position with so many plies left to mate in."""
        step: cython.longlong = key >> STEP_SHIFT | 1
        i: cython.longlong
        at: cython.longlong
        known: cython.uint
        held: cython.uint
        bound: cython.int
        self.least, self.most, self.proof, self.disproof = 0, NEVER, 1, 1
        for i in range(CLUSTER):
            at = key + i * step & self.mask
            if self.keys[at] == 0:
                break
            if self.keys[at] != key:
                continue
            known, held = self.bounds[at], self.hands[at]
            if held == hand and known >> 16 == cython.cast(cython.uint, left):
                self.proof, self.disproof = self.proofs[at], self.disproofs[at]
            if ((hand | GUARD) - held) & GUARD == GUARD:
                bound = known >> 8 & 255
                if bound < self.most:
                    self.most = bound
            if ((held | GUARD) - hand) & GUARD == GUARD:
                bound = known & 255
                if bound > self.least:
                    self.least = bound
        if self.most <= left:
            self.proof, self.disproof = 0, ENDLESS
        elif self.least > left:
            self.proof, self.disproof = ENDLESS, 0
        return 0

    def keep(self, key: cython.longlong, hand: cython.uint, left: cython.int, proof: cython.int, disproof: cython.int,
             least: cython.int, most: cython.int) -> cython.int:
        """Add to what is known of a position; bounds only ever become narrower."""
        at: cython.longlong = self.slot(key, hand)
        known: cython.uint = self.bounds[at]
        if self.keys[at] == key and self.hands[at] == hand:
            least, most = max(least, known & 255), min(most, known >> 8 & 255)
        elif self.keys[at] == 0:
            self.used += 1
        self.keys[at], self.hands[at] = key, hand
        self.bounds[at] = least | most << 8 | left << 16
        self.proofs[at], self.disproofs[at] = proof, disproof
        if self.used * 2 > self.mask and self.mask + 1 < MOST_ENTRIES:
            self.grow()
        return 0

    def slot(self, key: cython.longlong, hand: cython.uint) -> cython.longlong:
        """The place of an entry: its own, an empty one, or that of the entry whose loss costs least."""
        step: cython.longlong = key >> STEP_SHIFT | 1
        i: cython.longlong
        at: cython.longlong
        worst: cython.longlong = key & self.mask
        work: cython.longlong
        least: cython.longlong = -1
        for i in range(CLUSTER):
            at = key + i * step & self.mask
            if self.keys[at] == 0 or (self.keys[at] == key and self.hands[at] == hand):
                return at
            work = self.bounds[at] >> 16  # the plies that were left tell the work that is in it
            if least < 0 or work < least:
                worst, least = at, work
        return worst

    def grow(self) -> cython.int:
        """Have four times as many places."""
        keys: cython.longlong[::1] = self.keys
        hands: cython.uint[::1] = self.hands
        bounds: cython.uint[::1] = self.bounds
        proofs: cython.uint[::1] = self.proofs
        disproofs: cython.uint[::1] = self.disproofs
        size: cython.longlong = self.mask + 1
        i: cython.longlong
        at: cython.longlong
        self.make(4 * size)
        for i in range(size):
            if keys[i]:
                at = self.slot(keys[i], hands[i])
                if self.keys[at] == 0:
                    self.used += 1
                self.keys[at], self.hands[at], self.bounds[at] = keys[i], hands[i], bounds[i]
                self.proofs[at], self.disproofs[at] = proofs[i], disproofs[i]
        return 0
