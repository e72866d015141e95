# cython: language_level=3, boundscheck=True, wraparound=False, initializedcheck=False
"""The proof search: is there a mate in so many plies?

Proof-number search, depth first (df-pn, Nagai 2002), with the plies that are left as part of the question. A node's
proof number says how many positions must at least still be proven for a mate, its disproof number how many for none;
the search goes where the fewest are wanting. Numbers of alternatives that all must be settled are not added up, since
they share much of their trees: the greatest counts, and one more for each other ("weak" proof numbers, Ueda 2008).
"""
from __future__ import annotations

from array import array
from time import monotonic

from kifu.problems.checks import SPARE_SHELVES, Checker
from kifu.rules.tables import Tables

try:
    import cython
except ImportError:
    from kifu import _cython as cython

if cython.compiled:
    from cython.cimports.cpython.exc import PyErr_CheckSignals
else:  # search.pxd has the same numbers for the compiler
    from kifu.problems.table import ENDLESS, NEVER
    from kifu.rules.generate import STORE

    def PyErr_CheckSignals() -> None:
        """Python looks for signals by itself."""


#: The most plies that can be asked about: bounds are kept in a byte.
MOST_PLIES = 199
BETWEEN_LOOKS = cython.declare(cython.longlong, 2048)  # nodes from one look at clock and signals to the next


class Search(Checker):
    """A board that proves mates. ``nodes`` counts the positions gone into, ``stopped`` names the limit that was hit."""

    def __init__(self, tables: Tables) -> None:
        Checker.__init__(self, tables)
        self.child_keys, self.child_hands = array("q"), array("I")
        self.nodes = 0
        self.limit(1 << 62, 1e300)

    def limit(self, nodes: cython.longlong, deadline: cython.double) -> None:
        """Stop at so many nodes in all, or at this moment of ``time.monotonic``. Any earlier stop is forgotten."""
        self.stopped = ""
        self.most_nodes, self.deadline = nodes, deadline
        self.pause = min(self.nodes + BETWEEN_LOOKS, nodes)

    def within(self, left: cython.int) -> bool | None:
        """Whether the side to move here is mated, or mates, in at most ``left`` plies; None where a limit was hit."""
        if not 0 <= left <= MOST_PLIES:
            raise ValueError(f"{left} plies: at most {MOST_PLIES} can be searched")
        self.make_room(left + SPARE_SHELVES)
        if len(self.child_keys) < len(self.moves):
            self.child_keys = array("q", bytes(8 * len(self.moves)))
            self.child_hands = array("I", bytes(4 * len(self.moves)))
        least, most = self.bounds()
        if least <= left < most and not self.stopped:
            self.prove(0, left, ENDLESS, ENDLESS)
            least, most = self.table.least, self.table.most
        return True if most <= left else False if least > left else None

    def bounds(self) -> tuple[int, int]:
        """At least and at most so many plies to the mate of the position, as far as is known (see `Table`)."""
        self.table.look(self.place_key(), self.hand_code(), 0)
        return self.table.least, self.table.most

    def prove(self, shelf: cython.int, left: cython.int, proof_limit: cython.int,
              disproof_limit: cython.int) -> cython.int:
        """Search until the node's proof or disproof number reaches its limit; the table has the answer, last asked."""
        first: cython.int = shelf * self.tables.most_moves
        key: cython.longlong = self.place_key()
        hand: cython.uint = self.hand_code()
        attacking: cython.bint = self.turn == self.side
        count: cython.int
        i: cython.int
        best: cython.int
        open_ones: cython.int
        proof: cython.int
        disproof: cython.int
        second: cython.int
        least: cython.int
        most: cython.int
        move: cython.longlong
        self.nodes += 1
        if self.nodes >= self.pause:
            self.look_up()
        if attacking:
            count = self.attacks(shelf)
            if count == 0:
                self.table.keep(key, hand, left, ENDLESS, 0, NEVER, NEVER)
                return self.table.look(key, hand, left)
            if left == 1:
                return self.mate_at_once(shelf, count, key, hand)
        else:
            count = self.generate(shelf, STORE)
            if count == 0 or (self.traditional and self.useless(shelf, count)):
                self.table.keep(key, hand, left, 0, ENDLESS, 0, 0)
                return self.table.look(key, hand, left)
            if left == 0:
                self.table.keep(key, hand, left, ENDLESS, 0, 2, NEVER)
                return self.table.look(key, hand, left)
        for i in range(first, first + count):
            move = self.with_check(self.moves[i])
            self.moves[i] = move
            self.do(move)
            self.child_keys[i], self.child_hands[i] = self.place_key(), self.hand_code()
            self.undo_last()
        while True:
            best, open_ones, second = first, 0, ENDLESS
            if attacking:
                proof, disproof, least, most = ENDLESS, 0, NEVER, NEVER
                for i in range(first, first + count):
                    self.table.look(self.child_keys[i], self.child_hands[i], left - 1)
                    least, most = min(least, self.table.least + 1), min(most, self.table.most + 1)
                    if self.table.disproof:
                        open_ones += 1
                        disproof = max(disproof, self.table.disproof)
                    if self.table.proof < proof:
                        best, second, proof = i, proof, self.table.proof
                    elif self.table.proof < second:
                        second = self.table.proof
                if proof == 0:
                    disproof = ENDLESS
                elif open_ones:
                    disproof += open_ones - 1
            else:
                proof, disproof, least, most = 0, ENDLESS, 0, 0
                for i in range(first, first + count):
                    self.table.look(self.child_keys[i], self.child_hands[i], left - 1)
                    least = max(least, min(self.table.least + 1, NEVER))
                    most = max(most, min(self.table.most + 1, NEVER))
                    if self.table.proof:
                        open_ones += 1
                        proof = max(proof, self.table.proof)
                    if self.table.disproof < disproof:
                        best, second, disproof = i, disproof, self.table.disproof
                    elif self.table.disproof < second:
                        second = self.table.disproof
                if disproof == 0:
                    proof = ENDLESS
                elif open_ones:
                    proof += open_ones - 1
            proof, disproof = min(proof, ENDLESS), min(disproof, ENDLESS)
            if proof == 0 or disproof == 0 or proof >= proof_limit or disproof >= disproof_limit or self.stopped:
                break
            self.do(self.moves[best])
            if attacking:
                self.prove(shelf + 1, left - 1, min(proof_limit, second + second // 4 + 1),
                           min(ENDLESS, disproof_limit - open_ones + 1))
            else:
                self.prove(shelf + 1, left - 1, min(ENDLESS, proof_limit - open_ones + 1),
                           min(disproof_limit, second + second // 4 + 1))
            self.undo_last()
        self.table.keep(key, hand, left, proof, disproof, least, most)
        return self.table.look(key, hand, left)

    def mate_at_once(self, shelf: cython.int, count: cython.int, key: cython.longlong,
                     hand: cython.uint) -> cython.int:
        """Settle whether one of the checks on the shelf mates."""
        first: cython.int = shelf * self.tables.most_moves
        i: cython.int
        found: cython.int
        for i in range(first, first + count):
            self.do(self.moves[i])
            found = self.closed(shelf + 1)
            self.undo_last()
            if found:
                self.table.keep(key, hand, 1, 0, ENDLESS, 1, 1)
                return self.table.look(key, hand, 1)
        self.table.keep(key, hand, 1, ENDLESS, 0, 3, NEVER)
        return self.table.look(key, hand, 1)

    def look_up(self) -> cython.int:
        """Look at the clock, and whether the user wants us to stop."""
        self.pause = min(self.nodes + BETWEEN_LOOKS, self.most_nodes)
        if self.nodes >= self.most_nodes:
            self.stopped = "nodes"
        elif monotonic() >= self.deadline:
            self.stopped = "time"
        PyErr_CheckSignals()
        return 0
