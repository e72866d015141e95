# cython: language_level=3, boundscheck=True, wraparound=False, initializedcheck=False
"""The board: what stands where, who is to move, attacks, playing a move and taking it back.

Everything here works on cells and values (see `kifu.rules.tables`). `board.pxd` declares the types of this class for
the compiler, so that the modules that search and judge moves call it without Python in between.
"""
from __future__ import annotations

from array import array

from kifu.movetext import PROMOTED as _PROMOTED
from kifu.rules import move as _move
from kifu.rules.tables import Tables

try:
    import cython
except ImportError:
    from kifu import _cython as cython

PROMOTED = cython.declare(cython.int, _PROMOTED)
DROPPED = cython.declare(cython.longlong, _move.DROPPED)
PROMOTES = cython.declare(cython.longlong, _move.PROMOTES)
GIVES_CHECK = cython.declare(cython.longlong, _move.GIVES_CHECK)
MOVE_FIELD = cython.declare(cython.longlong, 0xFFFFFFFF)
# what stands in ``past`` above a move: the target of the move before it, plus one; whether the mover stood in check
PAST_TARGET_SHIFT = cython.declare(cython.int, 32)
PAST_CHECKED_SHIFT = cython.declare(cython.int, 48)


class Board:
    """A position that moves can be played on and taken back from. It trusts what it is told: see `kifu.rules.resolve`.

    ``turn`` is 0 or 1, ``ply`` the number of the next move, ``depth`` how many moves can be taken back, ``checked``
    whether the side to move stands in check, ``black_king`` and ``white_king`` their cells, 0 where there is none.
    ``odd`` is true where the position as set up had the side in check that was not to move: no game leads there.
    """

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.men = array("i", tables.blank)
        self.hands = array("i", bytes(256))
        self.past = array("q", bytes(8 * 256))
        self.turn = self.depth = self.black_king = self.white_king = 0
        self.checked = self.odd = False
        self.ply = 1
        self.last_target = -1
        self.flags = self.reason = 0
        self.hash = 0

    # -- setting up and reading ------------------------------------------------------------------------------------

    def place(self, square: cython.int, value: cython.int) -> None:
        """Put a man on an empty square; ``value`` is its piece number, plus 64 for White. Call `settle` at the end."""
        cell: cython.int = self.tables.cell_of[square]
        self.men[cell] = value
        if self.tables.royal[value & 63]:
            if value >> 6:
                self.white_king = cell
            else:
                self.black_king = cell

    def give(self, colour: cython.int, kind: cython.int, count: cython.int) -> None:
        """Set how many men of a kind a side has in hand."""
        self.hands[colour * 32 + kind] = count

    def settle(self, turn: cython.int, ply: cython.int) -> None:
        """Say who moves and finish setting up: the key, and whether the side to move stands in check."""
        king: cython.int
        self.turn = turn
        self.ply = ply
        self.hash = self.recomputed_key()
        king = self.king(turn)
        self.checked = king != 0 and self.attacker(king, 1 - turn) != 0
        king = self.king(1 - turn)
        self.odd = king != 0 and self.attacker(king, turn) != 0

    def man(self, square: cython.int) -> int:
        """What stands on a square: 0, or the piece number, plus 64 for White."""
        return self.men[self.tables.cell_of[square]]

    def hand(self, colour: cython.int, kind: cython.int) -> int:
        """How many men of a kind a side has in hand."""
        return self.hands[colour * 32 + kind]

    def king_square(self, colour: cython.int) -> int:
        """The square of a side's king, -1 where it has none."""
        cell: cython.int = self.king(colour)
        return self.tables.square_of[cell] if cell else -1

    def key(self) -> int:
        """The position key, a signed 64-bit number (see `kifu.rules.zobrist`)."""
        return self.hash

    def recomputed_key(self) -> int:
        """The key worked out anew from board, hands and side to move: what `key` keeps up with move by move."""
        tables = self.tables
        key: cython.longlong = tables.variant_key
        square: cython.int
        value: cython.int
        slot: cython.int
        for square in range(tables.squares):
            value = self.men[tables.cell_of[square]]
            if value:
                key ^= tables.board_keys[value * tables.squares + square]
        for slot in range(64):
            key ^= tables.hand_keys[slot * 64 + self.hands[slot]]
        if self.turn:
            key ^= tables.turn_key
        return key

    def copy_to(self, other: Board) -> None:
        """Make ``other`` (of the same tables) equal to this board, history included."""
        i: cython.int
        for i in range(self.tables.cells):
            other.men[i] = self.men[i]
        for i in range(64):
            other.hands[i] = self.hands[i]
        if self.depth > len(other.past):
            other.past = array("q", bytes(16 * self.depth))
        for i in range(self.depth):
            other.past[i] = self.past[i]
        other.turn, other.depth, other.checked, other.odd = self.turn, self.depth, self.checked, self.odd
        other.black_king, other.white_king = self.black_king, self.white_king
        other.ply, other.last_target, other.hash = self.ply, self.last_target, self.hash

    # -- attacks ---------------------------------------------------------------------------------------------------

    def king(self, colour: cython.int) -> cython.int:
        """The cell of a side's king, 0 where it has none."""
        return self.white_king if colour else self.black_king

    def attacker(self, cell: cython.int, by: cython.int) -> cython.int:
        """The cell of a man of side ``by`` that attacks the cell, 0 where none does."""
        tables = self.tables
        i: cython.int
        step: cython.int
        at: cython.int
        value: cython.int
        for i in range(8):
            step = tables.compass[i]
            at = cell + step
            while self.men[at] == 0:
                at += step
            value = self.men[at]
            if value >> 6 == by and tables.reach[value * tables.span + cell - at + tables.half]:
                return at
        for i in range(tables.leap_first[by], tables.leap_first[by + 1]):
            step = tables.leaps[i]
            value = self.men[cell - step]
            if value >> 6 == by and tables.reach[value * tables.span + step + tables.half]:
                return cell - step
        return 0

    def exposed(self, origin: cython.int, target: cython.int, value: cython.int) -> cython.int:
        """The man that would attack the mover's king if ``value`` went from origin (0: from the hand) to target.

        0 where the king is safe or missing. Only where the side stands in check or the king itself moves is the
        whole board asked; else only a line that the move opens can matter.
        """
        tables = self.tables
        by: cython.int = 1 - (value >> 6)
        king: cython.int = self.king(value >> 6)
        step: cython.int
        at: cython.int
        found: cython.int
        moved: cython.int
        taken: cython.int
        if king == 0:
            return 0
        if king == origin:
            king = target
        elif not self.checked:
            if origin == 0:
                return 0
            step = tables.line[origin - king + tables.half]
            if step == 0 or tables.line[target - king + tables.half] == step:
                return 0
            at = king + step
            while self.men[at] == 0 or at == origin:
                at += step
            found = self.men[at]
            if found >> 6 == by and tables.reach[found * tables.span + king - at + tables.half]:
                return at
            return 0
        moved = self.men[origin]
        taken = self.men[target]
        if origin:
            self.men[origin] = 0
        self.men[target] = value
        found = self.attacker(king, by)
        self.men[target] = taken
        self.men[origin] = moved
        return found

    def checks(self, origin: cython.int, target: cython.int, value: cython.int) -> cython.int:
        """Whether a move gives check, before it is played; ``value`` is the man as it will stand on the target."""
        tables = self.tables
        king: cython.int = self.king(1 - (value >> 6))
        reach: cython.int
        step: cython.int
        at: cython.int
        if king == 0:
            return 0
        if self.odd and self.depth == 0:
            return self.still_checked(origin, target, value, king)
        reach = tables.reach[value * tables.span + king - target + tables.half]
        if reach == 1:
            return 1
        if reach == 2:
            step = tables.line[king - target + tables.half]
            at = target + step
            while self.men[at] == 0 or at == origin:
                at += step
            if at == king:
                return 1
        if origin == 0:
            return 0
        step = tables.line[origin - king + tables.half]
        if step == 0 or tables.line[target - king + tables.half] == step:
            return 0
        at = king + step
        while self.men[at] == 0 or at == origin:
            at += step
        reach = self.men[at]
        return reach >> 6 == value >> 6 and tables.reach[reach * tables.span + king - at + tables.half] != 0

    def still_checked(self, origin: cython.int, target: cython.int, value: cython.int, king: cython.int) -> cython.int:
        """`checks` by asking the whole board, for the first move of an odd position: the check may be an old one."""
        moved: cython.int = self.men[origin]
        taken: cython.int = self.men[target]
        found: cython.int
        if origin:
            self.men[origin] = 0
        self.men[target] = value
        found = self.attacker(king, value >> 6)
        self.men[target] = taken
        self.men[origin] = moved
        return found != 0

    # -- playing ---------------------------------------------------------------------------------------------------

    def play(self, move: cython.longlong) -> None:
        """Play a proven move: one that was resolved or generated in this position."""
        self.do(move)

    def undo(self) -> None:
        """Take the last move back. Raises IndexError where there is none."""
        self.undo_last()

    def do(self, move: cython.longlong) -> cython.int:
        """`play`, for the compiled callers."""
        tables = self.tables
        colour: cython.int = self.turn
        to: cython.int = move & 255
        origin: cython.int = move >> 8 & 255
        target: cython.int = tables.cell_of[to]
        value: cython.int = colour << 6 | (move >> 18 & 63)
        taken: cython.int = move >> 24 & 63
        slot: cython.int
        count: cython.int
        before: cython.longlong
        checked: cython.longlong
        key: cython.longlong = self.hash ^ tables.turn_key
        if self.depth >= len(self.past):
            self.make_longer()
        before = self.last_target + 1
        checked = self.checked
        self.past[self.depth] = move & MOVE_FIELD | before << PAST_TARGET_SHIFT | checked << PAST_CHECKED_SHIFT
        if move & DROPPED:
            slot = colour * 32 + origin
            count = self.hands[slot]
            self.hands[slot] = count - 1
            key ^= tables.hand_keys[slot * 64 + count] ^ tables.hand_keys[slot * 64 + count - 1]
        else:
            self.men[tables.cell_of[origin]] = 0
            key ^= tables.board_keys[value * tables.squares + origin]
            if taken:
                key ^= tables.board_keys[((1 - colour) << 6 | taken) * tables.squares + to]
                slot = colour * 32 + (taken & 31)
                count = self.hands[slot]
                self.hands[slot] = count + 1
                key ^= tables.hand_keys[slot * 64 + count] ^ tables.hand_keys[slot * 64 + count + 1]
            if tables.royal[value & 63]:
                if colour:
                    self.white_king = target
                else:
                    self.black_king = target
            if move & PROMOTES:
                value |= PROMOTED
        self.men[target] = value
        self.hash = key ^ tables.board_keys[value * tables.squares + to]
        self.turn = 1 - colour
        self.depth += 1
        self.ply += 1
        self.last_target = to
        self.checked = move & GIVES_CHECK != 0
        return 0

    def undo_last(self) -> cython.int:
        """`undo`, for the compiled callers."""
        tables = self.tables
        past: cython.longlong
        colour: cython.int = 1 - self.turn
        to: cython.int
        origin: cython.int
        target: cython.int
        value: cython.int
        taken: cython.int
        stood: cython.int
        slot: cython.int
        count: cython.int
        key: cython.longlong = self.hash ^ tables.turn_key
        if self.depth == 0:
            raise IndexError("no move to take back")
        self.depth -= 1
        past = self.past[self.depth]
        to = past & 255
        origin = past >> 8 & 255
        target = tables.cell_of[to]
        value = colour << 6 | (past >> 18 & 63)
        taken = past >> 24 & 63
        stood = self.men[target]
        key ^= tables.board_keys[stood * tables.squares + to]
        if past & DROPPED:
            self.men[target] = 0
            slot = colour * 32 + origin
            count = self.hands[slot]
            self.hands[slot] = count + 1
            key ^= tables.hand_keys[slot * 64 + count] ^ tables.hand_keys[slot * 64 + count + 1]
        else:
            self.men[tables.cell_of[origin]] = value
            key ^= tables.board_keys[value * tables.squares + origin]
            self.men[target] = 0
            if taken:
                taken |= (1 - colour) << 6
                self.men[target] = taken
                key ^= tables.board_keys[taken * tables.squares + to]
                slot = colour * 32 + (taken & 31)
                count = self.hands[slot]
                self.hands[slot] = count - 1
                key ^= tables.hand_keys[slot * 64 + count] ^ tables.hand_keys[slot * 64 + count - 1]
            if tables.royal[value & 63]:
                if colour:
                    self.white_king = tables.cell_of[origin]
                else:
                    self.black_king = tables.cell_of[origin]
        self.hash = key
        self.turn = colour
        self.ply -= 1
        self.last_target = (past >> PAST_TARGET_SHIFT & 0xFFFF) - 1
        self.checked = past >> PAST_CHECKED_SHIFT & 1 != 0
        return 0

    def make_longer(self) -> cython.int:
        """Make room for as many moves again."""
        i: cython.int
        larger = array("q", bytes(16 * self.depth))
        for i in range(self.depth):
            larger[i] = self.past[i]
        self.past = larger
        return 0
