# cython: language_level=3, boundscheck=True, wraparound=False, initializedcheck=False
"""What only few kinds of shogi have, kept out of the way of all others.

* men that leap over a screen, or go some ways only to take or only without (cannon): neither pins nor lines help to see
  whether a king is safe, so every move is tried on the board
* men that turn over when they take (micro), or that promote on entering the zone and by captures there (chu)
* men that move twice in one turn, conditions on taking lions, several royal men, and men taken that are out of the
  game (chu)

`Tables.special` says whether a kind of shogi has any of these.

Lions (Japan Chu Shogi Association, as the project's reference quotes it): a lion may not take a lion that stands
further off than one square and is guarded, also where the guard's way leads through the taker's own square, unless the
same move takes another man first that is no trifle. After another man has taken a lion, the opponent may not at once
take a lion on another square with a man that is none.
"""
from __future__ import annotations

from kifu.rules.generate import Generator

try:
    import cython
except ImportError:
    from kifu import _cython as cython

if not cython.compiled:  # the .pxd files have the same numbers for the compiler
    from kifu.movetext import PROMOTED
    from kifu.rules.board import NEAR
    from kifu.rules.generate import ANY, STORE
    from kifu.rules.move import COULD_PROMOTE, PROMOTES, TAKEN_ON_WAY_SHIFT, VIA_SHIFT
    from kifu.rules.ruleset import AND_ANY, CAPTURE_ONLY, HOP, NO_CAPTURE, ON_OR_BACK
    from kifu.rules.tables import (
        BY_CAPTURE, BY_ENTRY, CAN_PROMOTE, CELL, CROWN, HERE, IN_ZONE, LATE, LION, MUST, PIECE, RAY, ROYAL, SPAN,
        SQUARE, SQUARES, STUCK, TRIFLE, VALUE, VALUE_AND_APART, VALUE_AND_SQUARE, WALL, WAY,
    )


class Special(Generator):
    """A board of any kind of shogi."""

    # -- ways over screens -----------------------------------------------------------------------------------------

    def reaches(self, value: cython.int, origin: cython.int, target: cython.int) -> cython.bint:
        """Whether a man on the origin goes to the target by one of its ways, whoever stands there."""
        i: cython.int
        step: cython.int
        at: cython.int
        left: cython.int
        manner: cython.int
        screens: cython.int
        if self.tables.reach[value * SPAN + target - origin + HERE & VALUE_AND_APART] == 0:
            return False
        for i in range(self.tables.way_first[value & VALUE], self.tables.way_first[value + 1 & VALUE]):
            manner = self.tables.way_manner[i & WAY]
            if manner & (CAPTURE_ONLY if self.men[target & CELL] == 0 else NO_CAPTURE):
                continue
            step = self.tables.way_step[i & WAY]
            left = self.tables.way_length[i & WAY]
            screens = 1 if manner & HOP else 0
            at = origin + step
            while left > 1 and at != target and (self.men[at & CELL] == 0 or screens and self.men[at & CELL] != WALL):
                if self.men[at & CELL]:
                    screens -= 1
                at += step
                left -= 1
            if at == target and screens == 0:
                return True
        return False

    def attacker_over(self, cell: cython.int, by: cython.int) -> cython.int:
        """`Board.attacker` where men leap over screens."""
        square: cython.int
        at: cython.int
        value: cython.int
        for square in range(self.tables.squares):
            at = self.tables.cell_of[square & SQUARE]
            value = self.men[at & CELL]
            if value and value >> 6 == by and self.reaches(value, at, cell):
                return at
        return 0

    def source_over(self, way: cython.int, target: cython.int, value: cython.int) -> cython.int:
        """`Resolver.source` for a way that is bound by a manner."""
        step: cython.int = self.tables.way_step[way & WAY]
        left: cython.int = self.tables.way_length[way & WAY]
        manner: cython.int = self.tables.way_manner[way & WAY]
        screens: cython.int = 1 if manner & HOP else 0
        at: cython.int = target - step
        if manner & (CAPTURE_ONLY if self.men[target & CELL] == 0 else NO_CAPTURE):
            return 0
        while left > 1 and (self.men[at & CELL] == 0 or screens and self.men[at & CELL] != WALL):
            if self.men[at & CELL]:
                screens -= 1
            at -= step
            left -= 1
        return at if screens == 0 and self.men[at & CELL] == value else 0

    # -- promotion and lions ---------------------------------------------------------------------------------------

    def duties(self, value: cython.int, source: cython.int, to: cython.int, there: cython.int) -> cython.int:
        """Whether a move may promote (`IN_ZONE`) or must (`MUST`, `STUCK`); ``there`` is what it takes, 0 for none."""
        left: cython.int = self.tables.duty[value * SQUARES + source & VALUE_AND_SQUARE]
        entered: cython.int = self.tables.duty[value * SQUARES + to & VALUE_AND_SQUARE]
        if self.tables.promotion == BY_CAPTURE:
            return IN_ZONE | MUST if there and self.tables.traits[value & PIECE] & CAN_PROMOTE else 0
        if self.tables.promotion == BY_ENTRY:
            if not left & IN_ZONE or there or entered & LATE:
                return (left | entered) & IN_ZONE
            return 0
        return entered | left & (IN_ZONE | MUST)

    def special_duties(self, origin: cython.int, target: cython.int) -> cython.int:
        """`duties` of a move between two cells; -1 where it takes a lion that it may not take, -2 where the side that
        moves has lost its last royal man."""
        value: cython.int = self.men[origin & CELL]
        if self.tables.bare and not self.has_royal(value >> 6):
            return -2
        if self.guarded_lion(value, origin, 0, target):
            return -1
        return self.duties(value, self.tables.square_of[origin & CELL], self.tables.square_of[target & CELL],
                           self.men[target & CELL])

    def guarded_lion(self, value: cython.int, origin: cython.int, via: cython.int, target: cython.int) -> cython.bint:
        """Whether a move takes a lion that it may not take; ``via`` is the cell of the square on the way, or 0."""
        there: cython.int = self.men[target & CELL] if target != origin else 0
        passed: cython.int = self.men[via & CELL] if via else 0
        apart: cython.int
        guard: cython.int
        if not self.tables.traits[value & PIECE] & LION:
            if self.struck < 0:
                return False
            if self.tables.traits[there & PIECE] & LION and self.tables.square_of[target & CELL] != self.struck:
                return True
            return self.tables.traits[passed & PIECE] & LION != 0 and self.tables.square_of[via & CELL] != self.struck
        if there == 0 or not self.tables.traits[there & PIECE] & LION:
            return False
        for apart in range(1, 9):
            if target == origin + self.tables.compass[apart & RAY]:
                return False
        if passed and not self.tables.traits[passed & PIECE] & TRIFLE:
            return False
        self.men[origin & CELL] = 0
        if via:
            self.men[via & CELL] = 0
        guard = self.attacker(target, there >> 6)
        if via:
            self.men[via & CELL] = passed
        self.men[origin & CELL] = value
        return guard != 0

    def second_step(self, origin: cython.int, via: cython.int, target: cython.int) -> cython.longlong:
        """The packed move of a man that goes to a neighbour and on from there (back, where target is the origin).

        -1 where it does not go so or may not, -2 where it would take a man of its own side.
        """
        i: cython.int
        j: cython.int
        step: cython.int
        manner: cython.int
        onward: cython.bint
        value: cython.int = self.men[origin & CELL]
        there: cython.int = self.men[target & CELL] if target != origin else 0
        passed: cython.int = self.men[via & CELL]
        for i in range(self.tables.way_first[value & VALUE], self.tables.way_first[value + 1 & VALUE]):
            step = self.tables.way_step[i & WAY]
            manner = self.tables.way_manner[i & WAY]
            if via != origin + step or not manner & (ON_OR_BACK | AND_ANY):
                continue
            onward = target == origin or target == via + step
            if manner & AND_ANY:
                for j in range(1, 9):
                    onward = onward or target == via + self.tables.compass[j & RAY]
            if not onward or there == WALL or passed == WALL:
                return -1
            if there and there >> 6 == value >> 6 or passed and passed >> 6 == value >> 6:
                return -2
            if self.guarded_lion(value, origin, via, target):
                return -1
            return (self.tables.square_of[target & CELL] | self.tables.square_of[origin & CELL] << 8
                    | (value & 63) << 18 | (there & 63) << 24
                    | cython.cast(cython.longlong, self.tables.square_of[via & CELL] + 1) << VIA_SHIFT
                    | cython.cast(cython.longlong, passed & 63) << TAKEN_ON_WAY_SHIFT)
        return -1

    # -- finding moves ---------------------------------------------------------------------------------------------

    def has_royal(self, colour: cython.int) -> cython.bint:
        """Whether a side still has a royal man, where royal men can be taken."""
        square: cython.int
        value: cython.int
        for square in range(self.tables.squares):
            value = self.men[self.tables.cell_of[square & SQUARE] & CELL]
            if value and value >> 6 == colour and self.tables.traits[value & PIECE] & CROWN:
                return True
        return False

    def generate_special(self, shelf: cython.int, mode: cython.int) -> cython.int:
        """`Generator.generate`."""
        turn: cython.int = self.turn
        first: cython.int = shelf * self.tables.most_moves
        count: cython.int = first
        square: cython.int
        cell: cython.int
        value: cython.int
        i: cython.int
        if self.tables.bare and not self.has_royal(turn):
            return 0
        for square in range(self.tables.squares):
            cell = self.tables.cell_of[square & SQUARE]
            value = self.men[cell & CELL]
            if value == 0 or value >> 6 != turn:
                continue
            for i in range(self.tables.way_first[value & VALUE], self.tables.way_first[value + 1 & VALUE]):
                count = self.ways_on(first, cell, i, mode, count)
                if mode == ANY and count > first:
                    return 1
        return self.drops(count, 0, 0, mode) - first

    def ways_on(self, first: cython.int, cell: cython.int, way: cython.int, mode: cython.int,
                count: cython.int) -> cython.int:
        """Find the legal moves of a man along one of its ways, stored from ``count`` on; returns the end."""
        step: cython.int = self.tables.way_step[way & WAY]
        left: cython.int = self.tables.way_length[way & WAY]
        manner: cython.int = self.tables.way_manner[way & WAY]
        screens: cython.int = 1 if manner & HOP else 0
        at: cython.int = cell
        there: cython.int
        while left > 0:
            left -= 1
            at += step
            there = self.men[at & CELL]
            if there == WALL:
                break
            if screens:
                if there:
                    screens = 0
                continue
            if there and (there >> 6 == self.turn or self.tables.traits[there & PIECE] & ROYAL):
                break
            if not manner & (NO_CAPTURE if there else CAPTURE_ONLY):
                count = self.keep(cell, at, mode, count)
                if mode == ANY and count > first:
                    return count
            if manner & (ON_OR_BACK | AND_ANY):
                count = self.second_steps(cell, way, mode, count)
            if there:
                break
        return count

    def second_steps(self, cell: cython.int, way: cython.int, mode: cython.int, count: cython.int) -> cython.int:
        """Find the moves of a man that goes on, or back, after its first step."""
        step: cython.int = self.tables.way_step[way & WAY]
        i: cython.int
        move: cython.longlong
        for i in range(1, 9):
            if not self.tables.way_manner[way & WAY] & AND_ANY and self.tables.compass[i & RAY] != step \
                    and self.tables.compass[i & RAY] != -step:
                continue
            move = self.second_step(cell, cell + step, cell + step + self.tables.compass[i & RAY])
            if move < 0:
                continue
            if mode == STORE:
                self.moves[count] = move
            count += 1
        return count

    def keep(self, cell: cython.int, at: cython.int, mode: cython.int, count: cython.int) -> cython.int:
        """Store a move that a man can make, in both forms where it may promote or not, if it is legal."""
        value: cython.int = self.men[cell & CELL]
        there: cython.int = self.men[at & CELL]
        square: cython.int = self.tables.square_of[cell & CELL]
        to: cython.int = self.tables.square_of[at & CELL]
        move: cython.longlong = to | square << 8 | (value & 63) << 18 | (there & 63) << 24
        duty: cython.int
        if self.exposed(cell, at, value) or self.tables.bare and self.guarded_lion(value, cell, 0, at):
            return count
        duty = self.duties(value, square, to, there)
        if duty & IN_ZONE:
            move |= COULD_PROMOTE
            if mode == STORE:
                self.moves[count] = move | PROMOTES
            count += 1
        if not duty & (STUCK | MUST):
            if mode == STORE:
                self.moves[count] = move
            count += 1
        return count

    # -- playing where men taken are out of the game ---------------------------------------------------------------

    def do_bare(self, move: cython.longlong) -> cython.int:
        """`Board.do`."""
        colour: cython.int = self.turn
        to: cython.int = move & 255
        origin: cython.int = move >> 8 & 255
        via: cython.int = (move >> VIA_SHIFT & 255) - 1
        value: cython.int = colour << 6 | (move >> 18 & 63)
        taken: cython.int = move >> 24 & 63
        passed: cython.int = move >> TAKEN_ON_WAY_SHIFT & 63
        struck: cython.int = self.struck_by(move)
        key: cython.longlong = self.hash ^ self.tables.turn_key
        if self.depth == 0:
            self.first_target, self.first_checked, self.first_struck = self.last_target, self.checked, self.struck
        if self.depth <= NEAR:
            self.near[self.depth & NEAR] = move
        else:
            self.remember(move)
        if self.struck >= 0:
            key ^= self.tables.struck_keys[self.struck & SQUARE]
        self.men[self.tables.cell_of[origin & SQUARE] & CELL] = 0
        key ^= self.tables.board_keys[value * SQUARES + origin & VALUE_AND_SQUARE]
        if passed:
            self.men[self.tables.cell_of[via & SQUARE] & CELL] = 0
            key ^= self.tables.board_keys[(1 - colour << 6 | passed) * SQUARES + via & VALUE_AND_SQUARE]
        if taken:
            key ^= self.tables.board_keys[(1 - colour << 6 | taken) * SQUARES + to & VALUE_AND_SQUARE]
        if move & PROMOTES:
            value ^= PROMOTED
        self.men[self.tables.cell_of[to & SQUARE] & CELL] = value
        key ^= self.tables.board_keys[value * SQUARES + to & VALUE_AND_SQUARE]
        if struck >= 0:
            key ^= self.tables.struck_keys[struck & SQUARE]
        self.hash = key
        self.struck = struck
        self.turn = 1 - colour
        self.depth += 1
        self.ply += 1
        self.last_target = to
        return 0

    def undo_bare(self) -> cython.int:
        """`Board.undo_last`."""
        past: cython.longlong
        colour: cython.int = 1 - self.turn
        other: cython.int = self.turn << 6
        to: cython.int
        via: cython.int
        taken: cython.int
        passed: cython.int
        self.depth -= 1
        past = self.recalled(self.depth)
        to = past & 255
        via = (past >> VIA_SHIFT & 255) - 1
        taken = past >> 24 & 63
        passed = past >> TAKEN_ON_WAY_SHIFT & 63
        self.men[self.tables.cell_of[to & SQUARE] & CELL] = other | taken if taken else 0
        if passed:
            self.men[self.tables.cell_of[via & SQUARE] & CELL] = other | passed
        self.men[self.tables.cell_of[(past >> 8) & SQUARE] & CELL] = colour << 6 | (past >> 18 & 63)
        self.turn = colour
        self.ply -= 1
        if self.depth == 0:
            self.last_target, self.struck = self.first_target, self.first_struck
        else:
            self.last_target = self.recalled(self.depth - 1) & 255
            self.struck = self.struck_by(self.recalled(self.depth - 1))
        self.hash = self.recomputed_key()
        return 0

    def struck_by(self, past: cython.longlong) -> cython.int:
        """The square of a lion that a move of another man took, -1 where it took none."""
        if self.tables.traits[past >> 18 & PIECE] & LION:
            return -1
        if self.tables.traits[past >> 24 & PIECE] & LION:
            return past & 255
        if self.tables.traits[past >> TAKEN_ON_WAY_SHIFT & PIECE] & LION:
            return (past >> VIA_SHIFT & 255) - 1
        return -1
