# cython: language_level=3, boundscheck=True, wraparound=False, initializedcheck=False
"""The board: what stands where, who is to move, attacks, playing a move and taking it back.

Everything here works on cells and values (see `kifu.rules.tables`, also for the masks of all indices). `board.pxd`
declares the types of this class for the compiler, so that the modules that search and judge moves call it without
Python in between.
"""
from __future__ import annotations

from array import array

from kifu.rules.tables import Tables

try:
    import cython
except ImportError:
    from kifu import _cython as cython

if not cython.compiled:  # board.pxd has the same numbers for the compiler
    from kifu.movetext import PROMOTED
    from kifu.rules.move import DROPPED, GIVES_CHECK, PROMOTES
    from kifu.rules.tables import (
        APART, CELL, HAND, HAND_AND_COUNT, HERE, LEAP, PIECE, RAY, ROYAL, SPAN, SQUARE, SQUARES, STEP, VALUE_AND_APART,
        VALUE_AND_SQUARE,
    )

    SIDE = 1
    NEAR = 0xFF
    CROWDS = 0x3FF


class Board:
    """A position that moves can be played on and taken back from. It trusts what it is told: see `kifu.rules.resolve`.

    ``turn`` is 0 or 1, ``ply`` the number of the next move, ``depth`` how many moves can be taken back, ``checked``
    whether the side to move stands in check. ``odd`` is true where the position as set up had the side in check that
    was not to move: no game leads there.
    """

    def __init__(self, tables: Tables) -> None:
        cell: cython.int
        self.tables = tables
        if not cython.compiled:
            self.allocate()
        for cell in range(CELL + 1):
            self.men[cell & CELL] = tables.blank[cell & CELL]
        self.turn = self.depth = 0
        self.checked = self.odd = False
        self.ply = 1
        self.last_target = self.struck = -1
        self.flags = self.reason = self.room = self.first_target = self.first_checked = 0
        self.first_struck = -1
        self.hash = 0
        self.crowd = 0

    def allocate(self) -> None:
        """Make the arrays, which are part of a compiled object from the start."""
        if not cython.compiled:
            self.men, self.hands, self.kings = bytearray(512), bytearray(64), array("h", bytes(4))
            self.near, self.far = array("q", bytes(8 * 256)), array("q")
            self.crowds = bytearray(1024)

    # -- setting up and reading ------------------------------------------------------------------------------------

    def place(self, square: cython.int, value: cython.int) -> None:
        """Put a man on an empty square; ``value`` is its piece number, plus 64 for White. Call `settle` at the end."""
        cell: cython.int = self.tables.cell_of[square & SQUARE]
        self.men[cell & CELL] = value
        if self.tables.traits[value & PIECE] & ROYAL:
            self.kings[value >> 6 & SIDE] = cell

    def give(self, colour: cython.int, kind: cython.int, count: cython.int) -> None:
        """Set how many men of a kind a side has in hand."""
        self.hands[(colour << 5 | kind) & HAND] = count

    def settle(self, turn: cython.int, ply: cython.int) -> None:
        """Say who moves and finish setting up: the key, and whether the side to move stands in check."""
        king: cython.int
        self.turn = turn
        self.ply = ply
        self.hash = self.recomputed_key()
        king = self.kings[turn & SIDE]
        self.checked = king != 0 and self.attacker(king, 1 - turn) != 0
        king = self.kings[1 - turn & SIDE]
        self.odd = king != 0 and self.attacker(king, turn) != 0

    def man(self, square: cython.int) -> int:
        """What stands on a square: 0, or the piece number, plus 64 for White."""
        if not 0 <= square < self.tables.squares:
            raise IndexError(f"square {square}")
        return self.men[self.tables.cell_of[square & SQUARE] & CELL]

    def hand(self, colour: cython.int, kind: cython.int) -> int:
        """How many men of a kind a side has in hand."""
        return self.hands[(colour << 5 | kind) & HAND]

    def king_square(self, colour: cython.int) -> int:
        """The square of a side's king, -1 where it has none."""
        cell: cython.int = self.kings[colour & SIDE]
        return self.tables.square_of[cell & CELL] if cell else -1

    def key(self) -> int:
        """The position key, a signed 64-bit number (see `kifu.rules.zobrist`)."""
        return self.hash

    def recomputed_key(self) -> int:
        """The key worked out anew from board, hands and side to move: what `key` keeps up with move by move."""
        key: cython.longlong = self.tables.variant_key
        square: cython.int
        value: cython.int
        slot: cython.int
        count: cython.int
        for square in range(self.tables.squares):
            value = self.men[self.tables.cell_of[square & SQUARE] & CELL]
            if value:
                key ^= self.tables.board_keys[value * SQUARES + square & VALUE_AND_SQUARE]
        for slot in range(HAND + 1):
            for count in range(self.hands[slot & HAND]):
                key ^= self.tables.hand_keys[(slot << 6 | count) & HAND_AND_COUNT]
        if self.turn:
            key ^= self.tables.turn_key
        if self.struck >= 0:
            key ^= self.tables.struck_keys[self.struck & SQUARE]
        return key

    def copy_to(self, other: Board) -> None:
        """Make ``other`` equal to this board, history included; it need not have been set up."""
        i: cython.int
        other.tables = self.tables
        if not cython.compiled:
            other.allocate()
        for i in range(CELL + 1):
            other.men[i & CELL] = self.men[i & CELL]
        for i in range(HAND + 1):
            other.hands[i & HAND] = self.hands[i & HAND]
        for i in range(min(self.depth, NEAR + 1)):
            other.near[i & NEAR] = self.near[i & NEAR]
        other.room = 0
        if self.depth > NEAR + 1:
            other.far = array("q", bytes(8 * self.room))
            other.room = self.room
            for i in range(self.depth - NEAR - 1):
                other.far[i] = self.far[i]
        other.kings[0], other.kings[1] = self.kings[0], self.kings[1]
        other.turn, other.depth, other.checked, other.odd = self.turn, self.depth, self.checked, self.odd
        other.ply, other.last_target, other.hash = self.ply, self.last_target, self.hash
        other.first_target, other.first_checked = self.first_target, self.first_checked
        other.struck, other.first_struck = self.struck, self.first_struck
        other.flags = other.reason = other.crowd = 0

    # -- attacks ---------------------------------------------------------------------------------------------------

    def attacker(self, cell: cython.int, by: cython.int) -> cython.int:
        """The cell of a man of side ``by`` that attacks the cell, 0 where none does."""
        i: cython.int
        step: cython.int
        at: cython.int
        value: cython.int
        if self.tables.hops:
            return self.attacker_over(cell, by)
        for i in range(1, 9):
            step = self.tables.compass[i & RAY]
            at = cell + step
            while self.men[at & CELL] == 0:
                at += step
            value = self.men[at & CELL]
            if value >> 6 == by and self.tables.reach[value * SPAN + cell - at + HERE & VALUE_AND_APART]:
                return at
        for i in range(self.tables.leap_first[by & RAY], self.tables.leap_first[by + 1 & RAY]):
            step = self.tables.leaps[i & LEAP]
            value = self.men[cell - step & CELL]
            if value >> 6 == by and self.tables.reach[value * SPAN + step + HERE & VALUE_AND_APART] == STEP:
                return cell - step
        return 0

    def attacker_over(self, cell: cython.int, by: cython.int) -> cython.int:
        """`attacker` where men leap over others: `kifu.rules.special` knows how."""
        return 0

    def opened(self, king: cython.int, origin: cython.int, target: cython.int, by: cython.int) -> cython.int:
        """The man of side ``by`` that attacks the king along the line that a move opens, 0 where none does."""
        step: cython.int = self.tables.compass[self.tables.ray[origin - king + HERE & APART] & RAY]
        at: cython.int = king + step
        value: cython.int
        if step == 0:
            return 0
        while (self.men[at & CELL] == 0 or at == origin) and at != target:
            at += step
        value = self.men[at & CELL]
        if at != target and value >> 6 == by and self.tables.reach[
                value * SPAN + king - at + HERE & VALUE_AND_APART]:
            return at
        return 0

    def attacker_after(self, king: cython.int, origin: cython.int, target: cython.int, value: cython.int,
                       by: cython.int) -> cython.int:
        """`attacker` of the king's cell as the board will be after a move (origin 0: from the hand)."""
        moved: cython.int = self.men[origin & CELL]
        taken: cython.int = self.men[target & CELL]
        found: cython.int
        if origin:
            self.men[origin & CELL] = 0
        self.men[target & CELL] = value
        found = self.attacker(king, by)
        self.men[target & CELL] = taken
        self.men[origin & CELL] = moved
        return found

    def exposed(self, origin: cython.int, target: cython.int, value: cython.int) -> cython.int:
        """The man that would attack the mover's king if ``value`` went from origin (0: from the hand) to target.

        0 where the king is safe or missing. Only where the side stands in check or the king itself moves is the
        whole board asked; else only a line that the move opens can matter.
        """
        king: cython.int = self.kings[value >> 6 & SIDE]
        if king == 0:
            return 0
        if king == origin:
            return self.attacker_after(target, origin, target, value, 1 - (value >> 6))
        if self.checked or self.tables.special:
            return self.attacker_after(king, origin, target, value, 1 - (value >> 6))
        if origin == 0:
            return 0
        return self.opened(king, origin, target, 1 - (value >> 6))

    def checks(self, origin: cython.int, target: cython.int, value: cython.int) -> cython.int:
        """Whether a move gives check, before it is played; ``value`` is the man as it will stand on the target."""
        king: cython.int = self.kings[1 - (value >> 6) & SIDE]
        reach: cython.int
        step: cython.int
        at: cython.int
        if king == 0:
            return 0
        if self.tables.special or (self.odd and self.depth == 0):  # the check may be an old one
            return self.attacker_after(king, origin, target, value, value >> 6) != 0
        reach = self.tables.reach[value * SPAN + king - target + HERE & VALUE_AND_APART]
        if reach:
            if reach == STEP:
                return 1
            step = self.tables.compass[self.tables.ray[king - target + HERE & APART] & RAY]
            at = target + step
            while self.men[at & CELL] == 0 or at == origin:
                at += step
            if at == king:
                return 1
        return origin != 0 and self.opened(king, origin, target, value >> 6) != 0

    # -- playing ---------------------------------------------------------------------------------------------------

    def play(self, move: cython.longlong) -> None:
        """Play a proven move: one that was resolved or generated in this position."""
        self.do(move)

    def undo(self) -> None:
        """Take the last move back. Raises IndexError where there is none."""
        self.undo_last()

    def do(self, move: cython.longlong) -> cython.int:
        """`play`, for the compiled callers."""
        colour: cython.int = self.turn
        to: cython.int = move & 255
        origin: cython.int = move >> 8 & 255
        target: cython.int = self.tables.cell_of[to & SQUARE]
        value: cython.int = colour << 6 | (move >> 18 & 63)
        taken: cython.int = move >> 24 & 63
        slot: cython.int
        count: cython.int
        key: cython.longlong = self.hash ^ self.tables.turn_key
        if self.tables.bare:
            return self.do_bare(move)
        if self.depth == 0:
            self.first_target = self.last_target
            self.first_checked = self.checked
        if self.depth <= NEAR:
            self.near[self.depth & NEAR] = move
        else:
            self.remember(move)
        if move & DROPPED:
            slot = colour << 5 | origin & 31
            count = self.hands[slot & HAND] - 1
            self.hands[slot & HAND] = count
            key ^= self.tables.hand_keys[(slot << 6 | count) & HAND_AND_COUNT]
        else:
            self.men[self.tables.cell_of[origin & SQUARE] & CELL] = 0
            key ^= self.tables.board_keys[value * SQUARES + origin & VALUE_AND_SQUARE]
            if taken:
                key ^= self.tables.board_keys[(1 - colour << 6 | taken) * SQUARES + to & VALUE_AND_SQUARE]
                slot = colour << 5 | taken & 31
                count = self.hands[slot & HAND]
                self.hands[slot & HAND] = count + 1
                key ^= self.tables.hand_keys[(slot << 6 | count) & HAND_AND_COUNT]
            if self.tables.traits[value & PIECE] & ROYAL:
                self.kings[colour & SIDE] = target
            if move & PROMOTES:
                value ^= PROMOTED
        self.men[target & CELL] = value
        self.hash = key ^ self.tables.board_keys[value * SQUARES + to & VALUE_AND_SQUARE]
        self.turn = 1 - colour
        self.depth += 1
        self.ply += 1
        self.last_target = to
        self.checked = move & GIVES_CHECK != 0
        return 0

    def undo_last(self) -> cython.int:
        """`undo`, for the compiled callers."""
        past: cython.longlong
        colour: cython.int = 1 - self.turn
        to: cython.int
        origin: cython.int
        target: cython.int
        value: cython.int
        taken: cython.int
        slot: cython.int
        count: cython.int
        key: cython.longlong = self.hash ^ self.tables.turn_key
        if self.depth <= 0:
            raise IndexError("no move to take back")
        if self.tables.bare:
            return self.undo_bare()
        self.depth -= 1
        past = self.recalled(self.depth)
        to = past & 255
        origin = past >> 8 & 255
        target = self.tables.cell_of[to & SQUARE]
        value = colour << 6 | (past >> 18 & 63)
        taken = past >> 24 & 63
        key ^= self.tables.board_keys[self.men[target & CELL] * SQUARES + to & VALUE_AND_SQUARE]
        self.men[target & CELL] = 0
        if past & DROPPED:
            slot = colour << 5 | origin & 31
            count = self.hands[slot & HAND]
            self.hands[slot & HAND] = count + 1
            key ^= self.tables.hand_keys[(slot << 6 | count) & HAND_AND_COUNT]
        else:
            self.men[self.tables.cell_of[origin & SQUARE] & CELL] = value
            key ^= self.tables.board_keys[value * SQUARES + origin & VALUE_AND_SQUARE]
            if taken:
                slot = colour << 5 | taken & 31
                taken |= 1 - colour << 6
                self.men[target & CELL] = taken
                key ^= self.tables.board_keys[taken * SQUARES + to & VALUE_AND_SQUARE]
                count = self.hands[slot & HAND] - 1
                self.hands[slot & HAND] = count
                key ^= self.tables.hand_keys[(slot << 6 | count) & HAND_AND_COUNT]
            if self.tables.traits[value & PIECE] & ROYAL:
                self.kings[colour & SIDE] = self.tables.cell_of[origin & SQUARE]
        self.hash = key
        self.turn = colour
        self.ply -= 1
        if self.depth == 0:
            self.last_target = self.first_target
            self.checked = self.first_checked
        else:
            past = self.recalled(self.depth - 1)
            self.last_target = past & 255
            self.checked = past & GIVES_CHECK != 0
        return 0

    def do_bare(self, move: cython.longlong) -> cython.int:
        """`do` where men taken are out of the game: `kifu.rules.special` knows how."""
        return 0

    def undo_bare(self) -> cython.int:
        """`undo_last` where men taken are out of the game: `kifu.rules.special` knows how."""
        return 0

    def recalled(self, index: cython.int) -> cython.longlong:
        """A move played: the first has the index 0."""
        return self.near[index & NEAR] if index <= NEAR else self.far[index - NEAR - 1]

    def remember(self, past: cython.longlong) -> cython.int:
        """Keep a move for which ``near`` has no room."""
        at: cython.int = self.depth - NEAR - 1
        i: cython.int
        if at >= self.room:
            larger = array("q", bytes(16 * (self.depth + 1)))
            for i in range(at):
                larger[i] = self.far[i]
            self.far = larger
            self.room = len(larger)
        self.far[at] = past
        return 0
