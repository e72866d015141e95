# cython: language_level=3, boundscheck=True, wraparound=False, initializedcheck=False
"""All legal moves of a position: for mates, statistics, perft, and to hold the checker to account in tests.

Replay does not come through here except to see whether a dropped pawn mates. Moves are found from the men outward,
those that cannot be legal are left out on the way (pins, a check unanswered), so that counting needs no second look.
"""
from __future__ import annotations

from array import array

from kifu.rules.board import Board

try:
    import cython
except ImportError:
    from kifu import _cython as cython

MANY = cython.declare(cython.int, 1 << 16)  # more than any cell number

if not cython.compiled:  # generate.pxd has the same numbers for the compiler
    from kifu.movetext import PROMOTED
    from kifu.rules.board import SIDE
    from kifu.rules.move import COULD_PROMOTE, DROPPED, GIVES_CHECK, PROMOTES
    from kifu.rules.tables import (
        APART, BARRED, CELL, HAND, HERE, IN_ZONE, LEAP, MAY_MATE, MUST, PIECE, RAY, ROYAL, SLIDE, SPAN, SQUARE, SQUARES,
        STEP, STUCK, VALUE, VALUE_AND_APART, VALUE_AND_SQUARE, WALL, WAY,
    )

    STORE, COUNT, ANY = 0, 1, 2  # keep the moves; only count them; only see whether there is one


class Generator(Board):
    """A board that finds all its legal moves."""

    def allocate(self) -> None:
        """`Board.allocate`."""
        Board.allocate(self)
        if not cython.compiled:
            self.pinned, self.pinner, self.moves = array("h", bytes(32)), array("h", bytes(32)), ()

    def make_room(self, shelves: cython.int) -> cython.int:
        """Have the board's store of moves hold as many levels of search."""
        if len(self.moves) < shelves * self.tables.most_moves:
            self.moves = array("q", bytes(8 * shelves * self.tables.most_moves))
        return 0

    def checkers(self, king: cython.int, by: cython.int) -> cython.int:
        """The cell of the man that checks the king; with `MANY` added where a second man does, too."""
        i: cython.int
        step: cython.int
        at: cython.int
        value: cython.int
        found: cython.int = 0
        for i in range(1, 9):
            step = self.tables.compass[i & RAY]
            at = king + step
            while self.men[at & CELL] == 0:
                at += step
            value = self.men[at & CELL]
            if value >> 6 == by and self.tables.reach[value * SPAN + king - at + HERE & VALUE_AND_APART]:
                if found:
                    return found | MANY
                found = at
        for i in range(self.tables.leap_first[by & RAY], self.tables.leap_first[by + 1 & RAY]):
            at = king - self.tables.leaps[i & LEAP]
            value = self.men[at & CELL]
            if value >> 6 == by and self.tables.reach[value * SPAN + king - at + HERE & VALUE_AND_APART] == STEP:
                if found:
                    return found | MANY
                found = at
        return found

    def pins(self, king: cython.int, by: cython.int) -> cython.int:
        """Find the men of the king's side that are pinned by men of side ``by``: fills ``pinned`` and ``pinner``."""
        i: cython.int
        step: cython.int
        at: cython.int
        cell: cython.int
        value: cython.int
        for i in range(1, 9):
            self.pinned[i & RAY] = 0
            step = self.tables.compass[i & RAY]
            cell = king + step
            while self.men[cell & CELL] == 0:
                cell += step
            if self.men[cell & CELL] >> 6 == 1 - by:
                at = cell + step
                while self.men[at & CELL] == 0:
                    at += step
                value = self.men[at & CELL]
                if value >> 6 == by and self.tables.reach[value * SPAN + king - at + HERE & VALUE_AND_APART]:
                    self.pinned[i & RAY] = cell
                    self.pinner[i & RAY] = at
        return 0

    def generate(self, shelf: cython.int, mode: cython.int) -> cython.int:
        """Find all legal moves, and return how many there are.

        In the mode `STORE` they stand on the shelf of ``self.moves`` afterwards, without the bit that says whether a
        move gives check. The mode `COUNT` only counts; `ANY` returns 1 where there is a legal move, else 0.
        """
        turn: cython.int = self.turn
        king: cython.int = self.kings[turn & SIDE]
        first: cython.int = shelf * self.tables.most_moves
        count: cython.int = first
        checker: cython.int = 0
        screen: cython.int = 0  # the line from the king to a man that checks from afar
        step: cython.int
        ray: cython.int
        pin: cython.int
        pinner: cython.int = 0
        square: cython.int
        cell: cython.int
        value: cython.int
        row: cython.int
        could: cython.int
        duty: cython.int
        i: cython.int
        at: cython.int
        to: cython.int
        left: cython.int
        there: cython.int
        move: cython.longlong
        if self.tables.special:
            return self.generate_special(shelf, mode)
        if king:
            self.pins(king, 1 - turn)
            if self.checked:
                checker = self.checkers(king, 1 - turn)
                if checker and checker < MANY:
                    value = self.men[checker & CELL]
                    if self.tables.reach[value * SPAN + king - checker + HERE & VALUE_AND_APART] == SLIDE:
                        screen = self.tables.ray[checker - king + HERE & APART]
        for square in range(self.tables.squares):
            cell = self.tables.cell_of[square & SQUARE]
            value = self.men[cell & CELL]
            if value == 0 or value >> 6 != turn:
                continue
            pin = 0
            if king and cell != king:
                if checker >= MANY:
                    continue
                ray = self.tables.ray[cell - king + HERE & APART]
                if ray and self.pinned[ray & RAY] == cell:
                    pin = ray
                    pinner = self.pinner[ray & RAY]
            row = value * SQUARES
            could = self.tables.duty[row + square & VALUE_AND_SQUARE] & (IN_ZONE | MUST)
            for i in range(self.tables.way_first[value & VALUE], self.tables.way_first[value + 1 & VALUE]):
                step = self.tables.way_step[i & WAY]
                at = cell
                left = self.tables.way_length[i & WAY]
                while left > 0:
                    left -= 1
                    at += step
                    there = self.men[at & CELL]
                    if there and (there == WALL or there >> 6 == turn or self.tables.traits[there & PIECE] & ROYAL):
                        break
                    if cell == king:
                        if self.exposed(cell, at, value):
                            if there:
                                break
                            continue
                    elif (pin and not self.between(king, at, pinner, pin)) or (
                            checker and at != checker and not (screen and self.between(king, at, checker, screen))):
                        if there:
                            break
                        continue
                    to = self.tables.square_of[at & CELL]
                    duty = self.tables.duty[row + to & VALUE_AND_SQUARE] | could
                    if duty & IN_ZONE:
                        if mode == STORE:
                            self.moves[count] = (to | square << 8 | (value & 63) << 18 | (there & 63) << 24
                                                 | COULD_PROMOTE | PROMOTES)
                        count += 1
                    if not duty & (STUCK | MUST):
                        if mode == STORE:
                            move = to | square << 8 | (value & 63) << 18 | (there & 63) << 24
                            if duty & IN_ZONE:
                                move |= COULD_PROMOTE
                            self.moves[count] = move
                        count += 1
                    if mode == ANY and count > first:
                        return 1
                    if there:
                        break
        if checker and screen == 0:
            return count - first
        return self.drops(count, checker, screen, mode) - first

    def generate_special(self, shelf: cython.int, mode: cython.int) -> cython.int:
        """`generate` for what few kinds of shogi have: `kifu.rules.special` knows how."""
        return 0

    def between(self, king: cython.int, at: cython.int, last: cython.int, ray: cython.int) -> cython.bint:
        """Whether a cell lies on this line from the king, no further away than the last."""
        return self.tables.ray[at - king + HERE & APART] == ray and (at - king) * (at - king) <= (
            last - king) * (last - king)

    def drops(self, count: cython.int, checker: cython.int, screen: cython.int, mode: cython.int) -> cython.int:
        """Find the legal drops, stored from ``count`` on; returns the end. In check only squares before the checker
        help.
        """
        turn: cython.int = self.turn
        king: cython.int = self.kings[turn & SIDE]
        i: cython.int
        kind: cython.int
        value: cython.int
        file: cython.int
        rank: cython.int
        square: cython.int
        at: cython.int
        same: cython.int
        limit: cython.int
        move: cython.longlong
        special: cython.bint = self.tables.special
        for i in range(self.tables.many_kinds):
            kind = self.tables.hand_kinds[i & PIECE]
            if self.hands[(turn << 5 | kind & 31) & HAND] == 0:
                continue
            value = turn << 6 | kind
            limit = self.tables.per_file[kind & PIECE]
            for file in range(self.tables.files):
                square = file * self.tables.ranks
                at = self.tables.cell_of[square & SQUARE]
                if limit:
                    same = 0
                    for rank in range(self.tables.ranks):
                        if self.men[at + rank & CELL] == value:
                            same += 1
                    if same >= limit:
                        continue
                for rank in range(self.tables.ranks):
                    if self.men[at + rank & CELL] or self.tables.duty[
                            value * SQUARES + square + rank & VALUE_AND_SQUARE] & BARRED:
                        continue
                    if checker and not self.between(king, at + rank, checker, screen):
                        continue
                    if special and self.exposed(0, at + rank, value):
                        continue
                    move = square + rank | kind << 8 | DROPPED | kind << 18
                    if not self.tables.traits[kind & PIECE] & MAY_MATE and self.checks(
                            0, at + rank, value) and self.mates(move):
                        continue
                    if mode == ANY:
                        return count + 1
                    if mode == STORE:
                        self.moves[count] = move
                    count += 1
        return count

    def mates(self, move: cython.longlong) -> cython.int:
        """Whether a move that gives check leaves the other side without a move."""
        found: cython.int
        self.do(move | GIVES_CHECK)
        found = self.generate(0, ANY)
        self.undo_last()
        return found == 0

    def has_legal_move(self) -> bool:
        """Whether the side to move can move at all. If not it has lost, in check or not."""
        return self.can_move()

    def can_move(self) -> cython.bint:
        """`has_legal_move`, for the compiled callers."""
        return self.surely_can_move() or self.generate(0, ANY) != 0

    def surely_can_move(self) -> cython.bint:
        """Whether a cheap look finds a legal move: out of check, by a man on no line with its king, so never pinned."""
        turn: cython.int = self.turn
        king: cython.int = self.kings[turn & SIDE]
        square: cython.int
        cell: cython.int
        value: cython.int
        there: cython.int
        i: cython.int
        at: cython.int
        to: cython.int
        if self.checked or self.tables.special:
            return False
        for square in range(self.tables.squares):
            cell = self.tables.cell_of[square & SQUARE]
            value = self.men[cell & CELL]
            if value == 0 or value >> 6 != turn or cell == king or (
                    king and self.tables.ray[cell - king + HERE & APART]):
                continue
            for i in range(self.tables.way_first[value & VALUE], self.tables.way_first[value + 1 & VALUE]):
                at = cell + self.tables.way_step[i & WAY]
                there = self.men[at & CELL]
                if there and (there >> 6 != 1 - turn or self.tables.traits[there & PIECE] & ROYAL):
                    continue
                to = self.tables.square_of[at & CELL]
                if not self.tables.duty[value * SQUARES + to & VALUE_AND_SQUARE] & STUCK:
                    return True
        return False

    def legal_moves(self) -> list[int]:
        """All legal moves, packed, in no particular order."""
        i: cython.int
        count: cython.int
        self.make_room(1)
        count = self.generate(0, STORE)
        found = []
        for i in range(count):
            found.append(self.with_check(self.moves[i]))
        return found

    def with_check(self, move: cython.longlong) -> cython.longlong:
        """The move with the bit that says that it gives check, where it does."""
        value: cython.int = self.turn << 6 | (move >> 18 & 63)
        origin: cython.int = 0
        if move & PROMOTES:
            value ^= PROMOTED
        if not move & DROPPED:
            origin = self.tables.cell_of[move >> 8 & SQUARE]
        if self.checks(origin, self.tables.cell_of[move & SQUARE], value):
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
        count: cython.int
        first: cython.int = shelf * self.tables.most_moves
        i: cython.int
        total: cython.longlong = 0
        if depth == 1:
            return self.generate(shelf, COUNT)
        count = self.generate(shelf, STORE)
        for i in range(first, first + count):
            self.do(self.with_check(self.moves[i]))
            total += self.count_lines(depth - 1, shelf + 1)
            self.undo_last()
        return total
