# cython: language_level=3, boundscheck=True, wraparound=False, initializedcheck=False
"""The moves of a mate problem: the attacker's checks, and when the defender counts as mated.

A drop between king and checking man that is simply taken, with the mate unchanged, is useless interposition (無駄合い)
and does not lengthen a problem. No definition of it is agreed; ours: every reply is a drop between, and each capture
of it by the checking man mates or leaves the same state. ``traditional`` says whether that counts as mate.
"""
from __future__ import annotations

from kifu.movetext import BISHOP, GOLD, KNIGHT, LANCE, PAWN, ROOK, SILVER
from kifu.problems.table import Table
from kifu.rules import zobrist
from kifu.rules.generate import Generator
from kifu.rules.tables import Tables

try:
    import cython
except ImportError:
    from kifu import _cython as cython

if not cython.compiled:  # checks.pxd has the same numbers for the compiler
    from kifu.problems.table import ENDLESS, NEVER
    from kifu.rules.board import SIDE
    from kifu.rules.generate import ANY, STORE
    from kifu.rules.move import DROPPED, GIVES_CHECK
    from kifu.rules.tables import (
        BARRED, CELL, HAND, HAND_AND_COUNT, HERE, LEAP, MAY_MATE, PIECE, RAY, SPAN, SQUARES, VALUE_AND_APART,
        VALUE_AND_SQUARE,
    )

#: Where each kind's count begins in the code of a hand: room for a full set, and a guard bit above it.
FIELDS = {PAWN: 0, LANCE: 6, KNIGHT: 10, SILVER: 14, GOLD: 18, BISHOP: 22, ROOK: 25}
#: Captures with mate need two shelves of moves for each square between king and checking man.
SPARE_SHELVES = 20
PAWN_KIND = cython.declare(cython.int, PAWN)
BISHOP_KIND = cython.declare(cython.int, BISHOP)
ROOK_KIND = cython.declare(cython.int, ROOK)
TRADITION = cython.declare(cython.longlong, 0x5851F42D4C957F2D)  # keeps the two kinds of length apart in the table


class Checker(Generator):
    """A board on which one side, the attacker, gives nothing but check."""

    def __init__(self, tables: Tables) -> None:
        colour: cython.int
        kind: cython.int
        count: cython.int
        Generator.__init__(self, tables)
        self.table = Table()
        self.side = 0
        self.traditional = True
        if not cython.compiled:
            self.held, self.field = [0] * (HAND_AND_COUNT + 1), bytearray(64)
        for number, low in FIELDS.items():
            kind = number
            self.field[kind & HAND] = low
            for colour in range(2):
                for count in range(64):
                    self.held[((colour << 5 | kind) << 6 | count) & HAND_AND_COUNT] = zobrist.hand_constant(
                        colour, kind, count)

    def attack_with(self, colour: cython.int) -> None:
        """Say which side attacks; forgets what was known."""
        self.side = colour
        self.table.clear()

    def place_key(self) -> cython.longlong:
        """The key of board and side to move alone, never 0."""
        key: cython.longlong = self.hash
        kind: cython.int
        for kind in range(PAWN_KIND, ROOK_KIND + 1):
            key ^= self.held[(kind << 6 | self.hands[kind & HAND]) & HAND_AND_COUNT]
            key ^= self.held[((32 | kind) << 6 | self.hands[(32 | kind) & HAND]) & HAND_AND_COUNT]
        if self.traditional:
            key ^= TRADITION
        return key if key else 1

    def hand_code(self) -> cython.uint:
        """The attacker's hand in one number: a field for the count of each kind."""
        code: cython.uint = 0
        kind: cython.int
        for kind in range(PAWN_KIND, ROOK_KIND + 1):
            code |= cython.cast(cython.uint, self.hands[(self.side << 5 | kind) & HAND]) << self.field[kind & HAND]
        return code

    # -- the attacker ----------------------------------------------------------------------------------------------

    def attacks(self, shelf: cython.int) -> cython.int:
        """Store the attacker's legal checks on a shelf, marked as checks; returns how many there are."""
        first: cython.int = shelf * self.tables.most_moves
        i: cython.int
        kind: cython.int
        count: cython.int
        many: cython.int = first
        move: cython.longlong
        hand: cython.uint = 0
        aside: cython.bint = not self.checked
        if aside:  # the generator shall find the moves on the board only; all drops would be ten times as many
            hand = self.hand_code()
            for kind in range(PAWN_KIND, ROOK_KIND + 1):
                self.hands[(self.side << 5 | kind) & HAND] = 0
        count = self.generate(shelf, STORE)
        if aside:
            for kind in range(PAWN_KIND, ROOK_KIND + 1):
                self.hands[(self.side << 5 | kind) & HAND] = hand >> self.field[kind & HAND] & (
                    31 if kind == PAWN_KIND else 3 if kind >= BISHOP_KIND else 7)
        for i in range(first, first + count):
            move = self.with_check(self.moves[i])
            if move & GIVES_CHECK:
                self.moves[many] = move
                many += 1
        if aside and hand:
            many = self.dropped_checks(many)
        return many - first

    def dropped_checks(self, count: cython.int) -> cython.int:
        """Store the drops that give check from ``count`` on; returns the end."""
        king: cython.int = self.kings[1 - self.side & SIDE]
        i: cython.int
        step: cython.int
        cell: cython.int
        kind: cython.int
        for i in range(1, 9):
            step = self.tables.compass[i & RAY]
            cell = king + step
            while self.men[cell & CELL] == 0:
                for kind in range(PAWN_KIND, ROOK_KIND + 1):
                    count = self.check_by_drop(count, kind, cell)
                cell += step
        for i in range(self.tables.leap_first[self.side & RAY], self.tables.leap_first[self.side + 1 & RAY]):
            cell = king - self.tables.leaps[i & LEAP]
            if self.men[cell & CELL] == 0:
                for kind in range(PAWN_KIND, ROOK_KIND + 1):
                    count = self.check_by_drop(count, kind, cell)
        return count

    def check_by_drop(self, count: cython.int, kind: cython.int, cell: cython.int) -> cython.int:
        """Store the drop of a kind where it is legal and gives check along an empty line; returns the end."""
        king: cython.int = self.kings[1 - self.side & SIDE]
        value: cython.int = self.side << 6 | kind
        square: cython.int
        move: cython.longlong
        if self.hands[(self.side << 5 | kind) & HAND] == 0:
            return count
        if self.tables.reach[value * SPAN + king - cell + HERE & VALUE_AND_APART] == 0:
            return count
        square = self.tables.square_of[cell & CELL]
        if self.tables.duty[value * SQUARES + square & VALUE_AND_SQUARE] & BARRED:
            return count
        move = square | kind << 8 | DROPPED | kind << 18
        if not self.tables.traits[kind & PIECE] & MAY_MATE and (self.nifu(cell, kind) or self.mates(move)):
            return count
        self.moves[count] = move | GIVES_CHECK
        return count + 1

    def nifu(self, cell: cython.int, kind: cython.int) -> cython.bint:
        """Whether the file of a cell holds an unpromoted pawn of the attacker's already."""
        at: cython.int = cell - self.tables.rank_of[cell & CELL] + 1
        rank: cython.int
        pawns: cython.int = 0
        for rank in range(self.tables.ranks):
            if self.men[at + rank & CELL] == (self.side << 6 | kind):
                pawns += 1
        return pawns > 0

    # -- the defender ----------------------------------------------------------------------------------------------

    def closed(self, shelf: cython.int) -> cython.int:
        """Whether the defender, in check and to move, is mated."""
        count: cython.int
        if not self.traditional:
            return self.generate(shelf, ANY) == 0
        count = self.generate(shelf, STORE)
        return count == 0 or self.useless(shelf, count)

    def useless(self, shelf: cython.int, count: cython.int) -> cython.int:
        """Whether all replies, which stand on the shelf, are useless interpositions."""
        first: cython.int = shelf * self.tables.most_moves
        i: cython.int
        checker: cython.int
        origin: cython.int
        found: cython.int
        key: cython.longlong
        hand: cython.uint
        if not self.moves[first] & DROPPED:  # drops are stored last
            return 0
        key, hand = self.place_key(), self.hand_code()
        self.table.look(key, hand, 0)
        if self.table.most == 0 or self.table.least:
            return self.table.most == 0
        checker = self.checkers(self.kings[1 - self.side & SIDE], self.side)
        origin = self.tables.square_of[checker & CELL]
        found = 1
        for i in range(first, first + count):
            self.do(self.with_check(self.moves[i]))
            found = self.taken_with_mate(shelf + 1, origin, self.last_target)
            self.undo_last()
            if not found:
                break
        if found:
            self.table.keep(key, hand, 0, 0, ENDLESS, 0, 0)
        else:
            self.table.keep(key, hand, 0, ENDLESS, 0, 2, NEVER)
        return found

    def taken_with_mate(self, shelf: cython.int, origin: cython.int, to: cython.int) -> cython.int:
        """Whether the man on ``origin`` can take what was dropped on ``to`` and then has mated."""
        first: cython.int = shelf * self.tables.most_moves
        count: cython.int = self.attacks(shelf)
        i: cython.int
        found: cython.int
        move: cython.longlong
        for i in range(first, first + count):
            move = self.moves[i]
            if move & (DROPPED | 0xFFFF) == (to | origin << 8):
                self.do(move)
                found = self.closed(shelf + 1)
                self.undo_last()
                if found:
                    return 1
        return 0

    # -- for callers in Python -------------------------------------------------------------------------------------

    def attacking_moves(self) -> list[int]:
        """All legal checks of the attacker, who is to move."""
        i: cython.int
        self.make_room(SPARE_SHELVES)
        count: cython.int = self.attacks(0)
        found = []
        for i in range(count):
            found.append(self.moves[i])
        return found

    def is_mated(self) -> bool:
        """Whether the defender, to move, is mated in the sense of ``traditional``."""
        self.make_room(SPARE_SHELVES)
        return self.closed(0) != 0

    def standing(self) -> tuple[int, int]:
        """What names the position within the problem: the key of its board, and the code of the attacker's hand."""
        return self.place_key(), self.hand_code()

    def attackers_hand(self) -> int:
        """How many men the attacker holds."""
        kind: cython.int
        total: cython.int = 0
        for kind in range(PAWN_KIND, ROOK_KIND + 1):
            total += self.hands[(self.side << 5 | kind) & HAND]
        return total
