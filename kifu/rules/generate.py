# cython: language_level=3, boundscheck=True, wraparound=False, initializedcheck=False
"""All legal moves of a position: for mates, statistics, perft, and to hold the checker to account in tests.

Replay does not come through here except to see whether a dropped pawn mates. Moves are found from the men outward,
those that cannot be legal are left out on the way (pins, a check unanswered), so that counting needs no second look.
"""
from __future__ import annotations

from array import array

from kifu.rules import move as _move
from kifu.rules.board import Board
from kifu.rules.tables import Tables

try:
    import cython
except ImportError:
    from kifu import _cython as cython

DROPPED = cython.declare(cython.longlong, _move.DROPPED)
PROMOTES = cython.declare(cython.longlong, _move.PROMOTES)
COULD_PROMOTE = cython.declare(cython.longlong, _move.COULD_PROMOTE)
GIVES_CHECK = cython.declare(cython.longlong, _move.GIVES_CHECK)
WALL = cython.declare(cython.int, 128)
SLIDE = cython.declare(cython.int, 2)
MANY = cython.declare(cython.int, 1 << 16)  # more than any cell number


class Generator(Board):
    """A board that finds all its legal moves."""

    def __init__(self, tables: Tables) -> None:
        super().__init__(tables)
        self.moves = None  # made when moves are first generated

    def make_room(self, shelves: cython.int) -> cython.int:
        """Have the board's store of moves hold as many levels of search."""
        if self.moves is None or len(self.moves) < shelves * self.tables.most_moves:
            self.moves = array("q", bytes(8 * shelves * self.tables.most_moves))
        return 0

    def checkers(self, king: cython.int, by: cython.int) -> cython.int:
        """The cell of the man that checks the king; with `MANY` added where a second man does, too."""
        tables = self.tables
        i: cython.int
        step: cython.int
        at: cython.int
        value: cython.int
        found: cython.int = 0
        for i in range(8):
            step = tables.compass[i]
            at = king + step
            while self.men[at] == 0:
                at += step
            value = self.men[at]
            if value >> 6 == by and tables.reach[value * tables.span + king - at + tables.half]:
                if found:
                    return found | MANY
                found = at
        for i in range(tables.leap_first[by], tables.leap_first[by + 1]):
            at = king - tables.leaps[i]
            value = self.men[at]
            if value >> 6 == by and tables.reach[value * tables.span + king - at + tables.half]:
                if found:
                    return found | MANY
                found = at
        return found

    def pinned(self, king: cython.int, cell: cython.int) -> cython.int:
        """The step from the king along which a man on the cell is pinned, with `MANY` added; 0 where it is free."""
        tables = self.tables
        step: cython.int = tables.line[cell - king + tables.half]
        at: cython.int
        value: cython.int
        if step == 0:
            return 0
        at = king + step
        while self.men[at] == 0:
            at += step
        if at != cell:
            return 0
        at += step
        while self.men[at] == 0:
            at += step
        value = self.men[at]
        if value >> 6 == 1 - self.turn and tables.reach[value * tables.span + king - at + tables.half]:
            return step + MANY  # a step may be negative, and -1 means an exception
        return 0

    def generate(self, shelf: cython.int, stop: cython.bint) -> cython.int:
        """Find all legal moves; they stand on the shelf of ``self.moves`` afterwards. Returns how many there are.

        The bit that says whether a move gives check is not set. With ``stop`` nothing is stored and the first legal
        move is enough: returns 1 or 0.
        """
        tables = self.tables
        turn: cython.int = self.turn
        king: cython.int = self.king(turn)
        first: cython.int = shelf * tables.most_moves
        count: cython.int = first
        checker: cython.int = 0
        screen: cython.int = 0  # the step from the king to a man that checks from afar
        step: cython.int
        pin: cython.int
        square: cython.int
        cell: cython.int
        value: cython.int
        i: cython.int
        at: cython.int
        left: cython.int
        there: cython.int
        could: cython.bint
        move: cython.longlong
        if king and self.checked:
            checker = self.checkers(king, 1 - turn)
            if checker < MANY:
                value = self.men[checker]
                if tables.reach[value * tables.span + king - checker + tables.half] == SLIDE:
                    screen = tables.line[checker - king + tables.half]
        for square in range(tables.squares):
            cell = tables.cell_of[square]
            value = self.men[cell]
            if value == 0 or value >> 6 != turn:
                continue
            pin = 0
            if cell != king:
                if checker >= MANY:
                    continue
                if king:
                    pin = self.pinned(king, cell)
                    if pin:
                        pin -= MANY
            for i in range(tables.way_first[value], tables.way_first[value + 1]):
                step = tables.way_step[i]
                at = cell
                left = tables.way_length[i]
                while left > 0:
                    left -= 1
                    at += step
                    there = self.men[at]
                    if there == WALL or (there and (there >> 6 == turn or tables.royal[there & 63])):
                        break
                    if cell == king:
                        if self.exposed(cell, at, value):
                            if there:
                                break
                            continue
                    elif (pin and tables.line[at - king + tables.half] != pin) or (
                        checker and at != checker and not (
                            screen and tables.line[at - king + tables.half] == screen
                            and (at - king) * (at - king) < (checker - king) * (checker - king)
                        )
                    ):
                        if there:
                            break
                        continue
                    if stop:
                        return 1
                    could = tables.can_promote[value & 63] and (
                        tables.zone[turn * tables.cells + cell] or tables.zone[turn * tables.cells + at])
                    move = tables.square_of[at] | square << 8 | (value & 63) << 18 | (there & 63) << 24
                    if could:
                        move |= COULD_PROMOTE
                        self.moves[count] = move | PROMOTES
                        count += 1
                    if not tables.stuck[value * tables.cells + at]:
                        self.moves[count] = move
                        count += 1
                    if there:
                        break
        if checker and screen == 0:
            return count - first
        return self.drops(count, checker, screen, stop) - first

    def drops(self, count: cython.int, checker: cython.int, screen: cython.int, stop: cython.bint) -> cython.int:
        """Store the legal drops from ``count`` on; returns the end. In check only squares before the checker help."""
        tables = self.tables
        turn: cython.int = self.turn
        king: cython.int = self.king(turn)
        i: cython.int
        kind: cython.int
        value: cython.int
        file: cython.int
        rank: cython.int
        square: cython.int
        at: cython.int
        same: cython.int
        move: cython.longlong
        for i in range(tables.many_kinds):
            kind = tables.hand_kinds[i]
            if self.hands[turn * 32 + kind] == 0:
                continue
            value = turn << 6 | kind
            for file in range(tables.files):
                if tables.per_file[kind]:
                    same = 0
                    for rank in range(tables.ranks):
                        if self.men[tables.cell_of[file * tables.ranks + rank]] == value:
                            same += 1
                    if same >= tables.per_file[kind]:
                        continue
                for rank in range(tables.ranks):
                    square = file * tables.ranks + rank
                    at = tables.cell_of[square]
                    if self.men[at] or tables.barred[value * tables.cells + at]:
                        continue
                    if checker and not (tables.line[at - king + tables.half] == screen
                                        and (at - king) * (at - king) < (checker - king) * (checker - king)):
                        continue
                    move = square | kind << 8 | DROPPED | kind << 18
                    if not tables.may_mate[kind] and self.checks(0, at, value) and self.mates(move):
                        continue
                    if stop:
                        return count + 1
                    self.moves[count] = move
                    count += 1
        return count

    def mates(self, move: cython.longlong) -> cython.int:
        """Whether a move that gives check leaves the other side without a move."""
        found: cython.int
        self.do(move | GIVES_CHECK)
        found = self.generate(0, True)
        self.undo_last()
        return found == 0

    def has_legal_move(self) -> bool:
        """Whether the side to move can move at all. If not it has lost, in check or not."""
        return self.generate(0, True) != 0

    def legal_moves(self) -> list[int]:
        """All legal moves, packed, in no particular order."""
        i: cython.int
        count: cython.int
        self.make_room(1)
        count = self.generate(0, False)
        found = []
        for i in range(count):
            found.append(self.with_check(self.moves[i]))
        return found

    def with_check(self, move: cython.longlong) -> cython.longlong:
        """The move with the bit that says that it gives check, where it does."""
        tables = self.tables
        value: cython.int = self.turn << 6 | (move >> 18 & 63)
        origin: cython.int = 0
        if move & PROMOTES:
            value |= 32
        if not move & DROPPED:
            origin = tables.cell_of[move >> 8 & 255]
        if self.checks(origin, tables.cell_of[move & 255], value):
            return move | GIVES_CHECK
        return move

    def perft(self, depth: cython.int) -> int:
        """How many lines of ``depth`` legal moves start here."""
        if depth <= 0:
            return 1
        self.make_room(depth)
        return self.count_lines(depth, 0)

    def count_lines(self, depth: cython.int, shelf: cython.int) -> cython.longlong:
        """`perft`, its moves on this shelf and those above."""
        count: cython.int = self.generate(shelf, False)
        first: cython.int = shelf * self.tables.most_moves
        i: cython.int
        total: cython.longlong = 0
        if depth == 1:
            return count
        for i in range(first, first + count):
            self.do(self.with_check(self.moves[i]))
            total += self.count_lines(depth - 1, shelf + 1)
            self.undo_last()
        return total
