# cython: language_level=3, boundscheck=True, wraparound=False, initializedcheck=False
"""From a move text to a proven move, or to the reason why there is none.

This is the one resolver and the one legality check of the project. The move that was played is verified; no list of
moves is made. Reasons are tested in the order of `kifu.diagnostics.REASONS`; a refusal is ``-1 - index`` of its
reason. What a text got wrong without harm is noted in ``flags``:

====================== ==== ==========================================================================
FLAG_SIDE              1    the sign contradicts the side to move; the side to move moved
FLAG_CAPTURE_MISSING   2    the text says that nothing is taken, but something was
FLAG_CAPTURE_WRONG     4    the text says that something is taken, but nothing was
FLAG_PROMOTION_SUPPLIED 8   the promotion is forced and was not marked
FLAG_ORIGIN_SUPPLIED   16   a text of KIF (`DROP_IF_NONE`) names no origin; a man on the board made the move
FLAG_BY_LEGALITY       32   several men could go there, only one of them legally
FLAG_SAME              64   "same square" stands with a square that is not the last target
====================== ==== ==========================================================================
"""
from __future__ import annotations

from kifu import movetext as _text
from kifu.diagnostics import REASONS
from kifu.rules import move as _move
from kifu.rules.special import Special

try:
    import cython
except ImportError:
    from kifu import _cython as cython

TO_FILE = cython.declare(cython.longlong, _text.SQUARE_FIELD << _text.TO_FILE_SHIFT)
FROM_FILE = cython.declare(cython.longlong, _text.SQUARE_FIELD << _text.FROM_FILE_SHIFT)
PIECE_AFTER = cython.declare(cython.longlong, _text.PIECE_AFTER)
DROP = cython.declare(cython.longlong, _text.DROP)
PROMOTE = cython.declare(cython.longlong, _text.PROMOTE)
DECLINE = cython.declare(cython.longlong, _text.DECLINE)
CAPTURE = cython.declare(cython.longlong, _text.CAPTURE)
QUIET = cython.declare(cython.longlong, _text.QUIET)
SAME = cython.declare(cython.longlong, _text.SAME)
LEFT = cython.declare(cython.longlong, _text.LEFT)
RIGHT = cython.declare(cython.longlong, _text.RIGHT)
STRAIGHT = cython.declare(cython.longlong, _text.STRAIGHT)
UP = cython.declare(cython.longlong, _text.UP)
SIDEWAYS = cython.declare(cython.longlong, _text.SIDEWAYS)
BACK = cython.declare(cython.longlong, _text.BACK)
WAYS = cython.declare(cython.longlong, _text.UP | _text.SIDEWAYS | _text.BACK | _text.STRAIGHT)
MARKS = cython.declare(cython.longlong, _text.LEFT | _text.RIGHT | WAYS)
WHITE_SIDE = cython.declare(cython.longlong, _text.WHITE_SIDE)
SIDES = cython.declare(cython.longlong, _text.BLACK_SIDE | _text.WHITE_SIDE)
DROP_IF_NONE = cython.declare(cython.longlong, _text.DROP_IF_NONE)
SUPPLY_PROMOTION = cython.declare(cython.longlong, _text.SUPPLY_PROMOTION)
SIDE_BINDS = cython.declare(cython.longlong, _text.SIDE_BINDS)
ORIGIN_UNWRITTEN = cython.declare(cython.longlong, _text.ORIGIN_UNWRITTEN)
TURN_BACK = cython.declare(cython.longlong, _text.TURN_BACK)
TURN_OVER = cython.declare(cython.longlong, _text.TURN_OVER)
VIA = cython.declare(cython.longlong, _text.VIA_FIELD)
VIA_SHIFT = cython.declare(cython.int, _text.VIA_FILE_SHIFT)

SIDE_FLAG = cython.declare(cython.int, _move.FLAG_SIDE)
CAPTURE_MISSING_FLAG = cython.declare(cython.int, _move.FLAG_CAPTURE_MISSING)
CAPTURE_WRONG_FLAG = cython.declare(cython.int, _move.FLAG_CAPTURE_WRONG)
PROMOTION_SUPPLIED_FLAG = cython.declare(cython.int, _move.FLAG_PROMOTION_SUPPLIED)
ORIGIN_SUPPLIED_FLAG = cython.declare(cython.int, _move.FLAG_ORIGIN_SUPPLIED)
BY_LEGALITY_FLAG = cython.declare(cython.int, _move.FLAG_BY_LEGALITY)
SAME_FLAG = cython.declare(cython.int, _move.FLAG_SAME)

# what is returned for each reason
NOT_IN_HAND = cython.declare(cython.longlong, -1 - REASONS.index("not-in-hand"))
OCCUPIED = cython.declare(cython.longlong, -1 - REASONS.index("occupied"))
DEAD_END_DROP = cython.declare(cython.longlong, -1 - REASONS.index("dead-end-drop"))
NIFU = cython.declare(cython.longlong, -1 - REASONS.index("nifu"))
THREE_SWALLOWS = cython.declare(cython.longlong, -1 - REASONS.index("three-swallows-on-file"))
CHECK_NOT_ANSWERED = cython.declare(cython.longlong, -1 - REASONS.index("check-not-answered"))
SELF_CHECK = cython.declare(cython.longlong, -1 - REASONS.index("self-check"))
UCHIFUZUME = cython.declare(cython.longlong, -1 - REASONS.index("uchifuzume"))
SWALLOW_DROP_MATE = cython.declare(cython.longlong, -1 - REASONS.index("swallow-drop-mate"))
EMPTY_ORIGIN = cython.declare(cython.longlong, -1 - REASONS.index("empty-origin"))
WRONG_SIDE = cython.declare(cython.longlong, -1 - REASONS.index("wrong-side"))
WRONG_PIECE = cython.declare(cython.longlong, -1 - REASONS.index("wrong-piece"))
OWN_PIECE = cython.declare(cython.longlong, -1 - REASONS.index("own-piece"))
BLOCKED = cython.declare(cython.longlong, -1 - REASONS.index("blocked"))
BAD_MOVE = cython.declare(cython.longlong, -1 - REASONS.index("bad-move"))
ALREADY_PROMOTED = cython.declare(cython.longlong, -1 - REASONS.index("already-promoted"))
CANNOT_PROMOTE = cython.declare(cython.longlong, -1 - REASONS.index("cannot-promote"))
NOT_IN_ZONE = cython.declare(cython.longlong, -1 - REASONS.index("not-in-zone"))
MUST_PROMOTE = cython.declare(cython.longlong, -1 - REASONS.index("must-promote"))
AMBIGUOUS = cython.declare(cython.longlong, -1 - REASONS.index("ambiguous"))
NO_CANDIDATE = cython.declare(cython.longlong, -1 - REASONS.index("no-candidate"))
AFTER_END = cython.declare(cython.longlong, -1 - REASONS.index("moves-after-end"))

if cython.compiled:
    from cython.cimports.cpython.buffer import (
        PyBUF_FORMAT, PyBUF_ND, PyBUF_WRITABLE, Py_buffer, PyBuffer_Release, PyObject_GetBuffer,
    )
else:  # resolve.pxd has the same numbers for the compiler
    from kifu.movetext import PROMOTED
    from kifu.rules.board import CROWDS, SIDE
    from kifu.rules.generate import ANY
    from kifu.rules.move import COULD_PROMOTE, DROPPED, GIVES_CHECK, PROMOTES
    from kifu.rules.tables import (
        APART, BARRED, CAN_PROMOTE, CELL, HAND, HERE, IN_ZONE, MAY_MATE, MUST, PIECE, RAY, ROYAL, SLIDE, SPAN, SQUARE,
        SQUARES, STEP, STUCK, VALUE, VALUE_AND_APART, VALUE_AND_SQUARE, WAY,
    )


@cython.cfunc
@cython.exceptval(-1)
def numbers(array: object, view: cython.pointer(Py_buffer), writable: cython.int) -> cython.int:
    """Open an array of signed 64-bit integers; the caller releases it."""
    PyObject_GetBuffer(array, view, writable | PyBUF_ND | PyBUF_FORMAT)
    if view.itemsize != 8 or view.format[0] not in b"ql":
        PyBuffer_Release(view)
        raise ValueError("not an array of signed 64-bit integers")
    return 0


class Resolver(Special):
    """A board that turns move texts into proven moves."""

    def resolve(self, movetext: cython.longlong) -> int:
        """The packed move that a move text means here, proven legal; ``-1 - index in REASONS`` where it is refused.

        Nothing is played. ``flags`` tells what the text got wrong without harm.
        """
        return self.judge(movetext)

    def judge(self, text: cython.longlong) -> cython.longlong:
        """`resolve`, for the compiled callers."""
        target: cython.int = self.tables.cell_at[text & SQUARE]
        origin: cython.int = self.tables.cell_at[text >> 8 & SQUARE]
        self.flags = 0
        if text & SIDES and (text & WHITE_SIDE != 0) != (self.turn != 0):
            if text & SIDE_BINDS:
                return EMPTY_ORIGIN if text & FROM_FILE and self.men[origin & CELL] & 127 == 0 else WRONG_SIDE
            self.flags = SIDE_FLAG
        if text & VIA:
            return self.twice(text, origin, target)
        if text & TO_FILE == 0:
            if self.last_target < 0:
                return NO_CANDIDATE
            target = self.tables.cell_of[self.last_target & SQUARE]
        elif target == 0:
            return BAD_MOVE
        elif text & SAME and self.tables.square_of[target & CELL] != self.last_target:
            self.flags |= SAME_FLAG
        if text & DROP:
            return self.dropped(text, target)
        if text & FROM_FILE:
            if text & MARKS and not self.marked(text, origin, target):
                return NO_CANDIDATE
            return self.from_origin(text, origin, target)
        return self.found(text, target)

    def dropped(self, text: cython.longlong, target: cython.int) -> cython.longlong:
        """Judge a drop."""
        kind: cython.int = text >> 16 & PIECE
        value: cython.int = self.turn << 6 | kind
        to: cython.int
        limit: cython.int
        same: cython.int = 0
        at: cython.int
        rank: cython.int
        mates: cython.bint
        move: cython.longlong
        if kind == 0 or self.hands[(self.turn << 5 | kind & 31) & HAND] == 0 or kind & PROMOTED and not (
                self.tables.either_face and self.tables.traits[kind & PIECE] & CAN_PROMOTE):
            return NOT_IN_HAND
        if self.men[target & CELL]:
            return OCCUPIED
        to = self.tables.square_of[target & CELL]
        if self.tables.duty[value * SQUARES + to & VALUE_AND_SQUARE] & BARRED:
            return DEAD_END_DROP
        limit = self.tables.per_file[kind & PIECE]
        if limit:
            at = target - self.tables.rank_of[target & CELL] + 1
            for rank in range(self.tables.ranks):
                if self.men[at + rank & CELL] == value:
                    same += 1
            if same >= limit:
                return NIFU if limit == 1 else THREE_SWALLOWS
        if text & (PROMOTE | DECLINE):
            return CANNOT_PROMOTE
        if (self.checked or self.tables.special) and self.exposed(0, target, value):
            return CHECK_NOT_ANSWERED if self.checked else SELF_CHECK
        move = to | kind << 8 | DROPPED | kind << 18
        if self.checks(0, target, value):
            move |= GIVES_CHECK
            if not self.tables.traits[kind & PIECE] & MAY_MATE:
                self.do(move)
                mates = self.generate(0, ANY) == 0
                self.undo_last()
                if mates:
                    return UCHIFUZUME if limit == 1 else SWALLOW_DROP_MATE
        if text & CAPTURE:
            self.flags |= CAPTURE_WRONG_FLAG
        return move

    def twice(self, text: cython.longlong, origin: cython.int, target: cython.int) -> cython.longlong:
        """Judge a move of a man that moves twice; without a target it ends where it began."""
        via: cython.int = self.tables.cell_at[text >> VIA_SHIFT & SQUARE]
        named: cython.int = text >> 16 & PIECE
        value: cython.int = self.men[origin & CELL]
        square: cython.int
        last: cython.int = target
        move: cython.longlong
        chosen: cython.longlong = NO_CANDIDATE
        if via == 0 or (target == 0 and text & TO_FILE):
            return BAD_MOVE
        if text & (DROP | PROMOTE):
            return CANNOT_PROMOTE
        if text & FROM_FILE:
            if origin == 0 or value == 0:
                return EMPTY_ORIGIN
            if value >> 6 != self.turn:
                return WRONG_SIDE
            if named and named != value & 63:
                return WRONG_PIECE
            move = self.second_step(origin, via, target if target else origin)
            if move < 0:
                return OWN_PIECE if move == -2 else BAD_MOVE
            return AFTER_END if self.tables.bare and not self.has_royal(self.turn) else move
        for square in range(self.tables.squares):
            origin = self.tables.cell_of[square & SQUARE]
            if self.men[origin & CELL] == (self.turn << 6 | named):
                move = self.second_step(origin, via, last if last else origin)
                if move >= 0:
                    if chosen >= 0:
                        return AMBIGUOUS
                    chosen = move
        return AFTER_END if chosen >= 0 and self.tables.bare and not self.has_royal(self.turn) else chosen

    def from_origin(self, text: cython.longlong, origin: cython.int, target: cython.int) -> cython.longlong:
        """Judge a move whose origin is written (cell 0 where that is off the board)."""
        value: cython.int = self.men[origin & CELL]
        named: cython.int = text >> 16 & PIECE
        there: cython.int = self.men[target & CELL]
        reach: cython.int
        step: cython.int
        at: cython.int
        move: cython.longlong
        if origin == 0 or value == 0:
            return EMPTY_ORIGIN
        if value >> 6 != self.turn:
            return WRONG_SIDE
        if named and named != value & 63:
            if not text & PIECE_AFTER or named != value & 63 | PROMOTED:
                return WRONG_PIECE
            text |= PROMOTE
        if there and there >> 6 == self.turn:
            return OWN_PIECE
        reach = self.tables.reach[value * SPAN + target - origin + HERE & VALUE_AND_APART]
        if self.tables.hops:
            if not self.reaches(value, origin, target):
                return BLOCKED if reach & (STEP | SLIDE) else BAD_MOVE
        elif reach != STEP:
            if reach == 0:
                return BAD_MOVE
            step = self.tables.compass[self.tables.ray[target - origin + HERE & APART] & RAY]
            at = origin + step
            while at != target:
                if self.men[at & CELL]:
                    return BLOCKED
                at += step
        if self.tables.traits[there & PIECE] & ROYAL:
            return BAD_MOVE
        move = self.judged(text, origin, target)
        if move < 0:
            return move
        return self.finished(text, move, origin, target)

    def judged(self, text: cython.longlong, origin: cython.int, target: cython.int) -> cython.longlong:
        """Judge promotion and the own king's safety of a move that the man can make; only the bit for check is left."""
        value: cython.int = self.men[origin & CELL]
        king: cython.int
        source: cython.int = self.tables.square_of[origin & CELL]
        to: cython.int = self.tables.square_of[target & CELL]
        duty: cython.int = self.tables.duty[value * SQUARES + to & VALUE_AND_SQUARE] | (
            self.tables.duty[value * SQUARES + source & VALUE_AND_SQUARE] & (IN_ZONE | MUST))
        move: cython.longlong = to | source << 8 | (value & 63) << 18 | (self.men[target & CELL] & 63) << 24
        if self.tables.special:
            duty = self.special_duties(origin, target)
            if duty < 0:
                return BAD_MOVE if duty == -1 else AFTER_END
        if duty & IN_ZONE:
            move |= COULD_PROMOTE
            if text & PROMOTE:
                if (value & PROMOTED != 0) != (text & TURN_BACK != 0) and not text & TURN_OVER:
                    return ALREADY_PROMOTED if value & PROMOTED else CANNOT_PROMOTE
                move |= PROMOTES
            elif duty & (STUCK | MUST):
                if not text & SUPPLY_PROMOTION or text & DECLINE:
                    return MUST_PROMOTE
                move |= PROMOTES
        elif text & (PROMOTE | DECLINE):
            if value & PROMOTED:
                return ALREADY_PROMOTED
            return NOT_IN_ZONE if self.tables.traits[value & PIECE] & CAN_PROMOTE else CANNOT_PROMOTE
        king = self.kings[value >> 6 & SIDE]  # only a king that is in check, moves, or is in line can come to harm
        if (self.checked or origin == king or self.tables.ray[origin - king + HERE & APART] or self.tables.hops) \
                and self.exposed(origin, target, value):
            return CHECK_NOT_ANSWERED if self.checked else SELF_CHECK
        return move

    def finished(self, text: cython.longlong, move: cython.longlong, origin: cython.int,
                 target: cython.int) -> cython.longlong:
        """A legal move with the bit for check; notes what the text got wrong."""
        value: cython.int = self.men[origin & CELL]
        king: cython.int = self.kings[1 - (value >> 6) & SIDE]
        if move & PROMOTES:
            value ^= PROMOTED
            if not text & PROMOTE:
                self.flags |= PROMOTION_SUPPLIED_FLAG
        if text & (CAPTURE | QUIET):
            if self.men[target & CELL] == 0:
                if text & CAPTURE:
                    self.flags |= CAPTURE_WRONG_FLAG
            elif text & QUIET:
                self.flags |= CAPTURE_MISSING_FLAG
        if (self.tables.reach[value * SPAN + king - target + HERE & VALUE_AND_APART]  # else it cannot give check
                or self.tables.ray[origin - king + HERE & APART] or self.odd or self.tables.hops) and self.checks(
                origin, target, value):
            move |= GIVES_CHECK
        return move

    def source(self, way: cython.int, target: cython.int, value: cython.int) -> cython.int:
        """The cell from which ``value`` reaches the target along one of its ways, 0 where there is none."""
        step: cython.int = self.tables.way_step[way & WAY]
        left: cython.int = self.tables.way_length[way & WAY]
        at: cython.int = target - step
        if self.tables.hops and self.tables.way_manner[way & WAY]:
            return self.source_over(way, target, value)
        while left > 1 and self.men[at & CELL] == 0:
            at -= step
            left -= 1
        return at if self.men[at & CELL] == value else 0

    def fits(self, text: cython.longlong, at: cython.int, target: cython.int) -> cython.int:
        """Whether a candidate's way to the target is the one that 上, 寄, 引 or 直 name, seen by the mover."""
        behind: cython.int = self.tables.rank_of[at & CELL] - self.tables.rank_of[target & CELL]
        if self.turn:
            behind = -behind
        if text & UP and behind <= 0:
            return 0
        if text & SIDEWAYS and behind != 0:
            return 0
        if text & BACK and behind >= 0:
            return 0
        if text & STRAIGHT and (behind <= 0 or self.tables.file_of[at & CELL] != self.tables.file_of[target & CELL]):
            return 0
        return 1

    def aside(self, text: cython.longlong, at: cython.int, target: cython.int) -> cython.int:
        """How far a candidate stands to the side that 左 or 右 names, seen by the mover; negative on the other side."""
        files: cython.int = self.tables.file_of[at & CELL] - self.tables.file_of[target & CELL]
        return -files if (self.turn != 0) != (text & RIGHT != 0) else files

    def furthest(self, text: cython.longlong, target: cython.int, value: cython.int) -> cython.int:
        """How far to the side that 左 or 右 names the furthest of all candidates stands."""
        way: cython.int
        at: cython.int
        extreme: cython.int = -99
        for way in range(self.tables.way_first[value & VALUE], self.tables.way_first[value + 1 & VALUE]):
            at = self.source(way, target, value)
            if at:
                extreme = max(extreme, self.aside(text, at, target))
        return extreme

    def marked(self, text: cython.longlong, origin: cython.int, target: cython.int) -> cython.bint:
        """Whether the marks of a text that writes its origin as well fit the man that stands there, if one does."""
        extreme: cython.int
        if origin == 0 or self.men[origin & CELL] == 0:
            return True
        if not self.fits(text, origin, target):
            return False
        if not text & (LEFT | RIGHT):
            return True
        extreme = self.furthest(text, target, self.men[origin & CELL])
        return self.aside(text, origin, target) > 0 if extreme > 0 else self.aside(text, origin, target) == extreme

    def shared_way(self, target: cython.int, value: cython.int) -> cython.longlong:
        """The one of 上, 寄, 引 that several men would go by, 0 where there is no such one.

        左 and 右 alone then mean the men that go this way (cshogi and rsshogi write so): a man that goes another way
        alone would have been named by that.
        """
        way: cython.int
        at: cython.int
        up: cython.int = 0
        aside: cython.int = 0
        back: cython.int = 0
        for way in range(self.tables.way_first[value & VALUE], self.tables.way_first[value + 1 & VALUE]):
            at = self.source(way, target, value)
            if at:
                up += self.fits(UP, at, target)
                aside += self.fits(SIDEWAYS, at, target)
                back += self.fits(BACK, at, target)
        if (up > 1) + (aside > 1) + (back > 1) != 1:
            return 0
        return UP if up > 1 else SIDEWAYS if aside > 1 else BACK

    def found(self, text: cython.longlong, target: cython.int) -> cython.longlong:
        """Find the man that a text without an origin means.

        左 and 右 are read in the wide sense: any candidate on that side of the target, or, where none stands there, the
        one furthest to that side. Then promotion and at last legality decide between those that are left.
        """
        named: cython.int = text >> 16 & PIECE
        there: cython.int = self.men[target & CELL]
        own: cython.bint = there != 0 and there >> 6 == self.turn
        rows: cython.int = 1 if named else self.tables.many_pieces
        row: cython.int
        value: cython.int = self.turn << 6 | named
        way: cython.int
        at: cython.int
        extreme: cython.int = -99
        fitting: cython.int = 0
        able: cython.int = 0
        legal: cython.int = 0
        origin: cython.int = 0
        move: cython.longlong
        chosen: cython.longlong = NO_CANDIDATE
        if named == 0 and not text & (CAPTURE | SAME):
            return NO_CANDIDATE
        if text & (LEFT | RIGHT):
            extreme = self.furthest(text, target, value)
        for row in range(rows):
            if named == 0:
                value = self.turn << 6 | self.tables.pieces[row & PIECE]
            for way in range(self.tables.way_first[value & VALUE], self.tables.way_first[value + 1 & VALUE]):
                at = self.source(way, target, value)
                if at == 0 or not self.fits(text, at, target):
                    continue
                if text & (LEFT | RIGHT) and (self.aside(text, at, target) <= 0 if extreme > 0 else
                                              self.aside(text, at, target) != extreme):
                    continue
                fitting += 1
                if own:
                    continue
                move = self.judged(text, at, target)
                if move >= 0:
                    able += 1
                    legal += 1
                    chosen = move
                    origin = at
                elif move in (SELF_CHECK, CHECK_NOT_ANSWERED):
                    able += 1
                    if legal == 0:
                        chosen = move
                elif able == 0:
                    chosen = move
        if fitting == 0:
            if text & DROP_IF_NONE and not text & (MARKS | PROMOTE | DECLINE) and named and not named & PROMOTED \
                    and self.hands[(self.turn << 5 | named) & HAND]:
                return self.dropped(text, target)
            return NO_CANDIDATE
        if own:
            return OWN_PIECE
        if self.tables.traits[there & PIECE] & ROYAL:
            return BAD_MOVE
        if legal == 0:
            return chosen
        if legal > 1:
            if text & (LEFT | RIGHT) and not text & WAYS:
                text |= self.shared_way(target, value)
                if text & WAYS:
                    return self.found(text, target)
            return AMBIGUOUS
        if text & DROP_IF_NONE and not text & ORIGIN_UNWRITTEN:
            self.flags |= ORIGIN_SUPPLIED_FLAG
        if able > 1:
            self.flags |= BY_LEGALITY_FLAG
        return self.finished(text, chosen, origin, target)

    def meant(self, movetext: cython.longlong) -> list[int]:
        """Squares of the men that a text without an origin may mean: of the kind named, fitting its marks, legal."""
        target: cython.int = self.tables.cell_at[movetext & SQUARE]
        value: cython.int = self.turn << 6 | (movetext >> 16 & PIECE)
        way: cython.int
        at: cython.int
        squares = []
        if movetext & TO_FILE == 0 and self.last_target >= 0:
            target = self.tables.cell_of[self.last_target & SQUARE]
        if target == 0:
            return squares
        for way in range(self.tables.way_first[value & VALUE], self.tables.way_first[value + 1 & VALUE]):
            at = self.source(way, target, value)
            if at and self.marked(movetext, at, target) and self.judged(movetext, at, target) >= 0:
                squares.append(self.tables.square_of[at & CELL])
        return squares

    def replay(self, texts: object, first: cython.int, last: cython.int, moves: object, keys: object,
               remarks: list[tuple[int, int]]) -> int:
        """Resolve and play ``texts[first:last]``, storing packed moves in ``moves`` at the same index.

        Returns the index of the first text that was refused, ``last`` where all are legal. After a refusal ``reason``
        is the index in REASONS and the position stands before the refused move. ``keys[i + 1]``, if keys are given,
        becomes the key after move i (the caller sets ``keys[first]``). A move that used a tolerance appends
        ``(i, flags)`` to ``remarks``. Texts, moves and keys are arrays of signed 64-bit integers; IndexError is raised
        before anything is played where one of them is too short.
        """
        if first >= last:
            return last
        if not cython.compiled:
            self.within(first, last, len(texts), len(moves), len(moves) if keys is None else len(keys) - 1)
            return self.run(texts, first, last, moves, keys, remarks)
        read = cython.declare(Py_buffer)
        written = cython.declare(Py_buffer)
        keyed = cython.declare(Py_buffer)
        numbers(texts, cython.address(read), 0)
        try:
            numbers(moves, cython.address(written), PyBUF_WRITABLE)
            try:
                if keys is None:
                    self.within(first, last, read.len >> 3, written.len >> 3, written.len >> 3)
                    return self.run(cython.cast(cython.p_longlong, read.buf), first, last,
                                    cython.cast(cython.p_longlong, written.buf), cython.NULL, remarks)
                numbers(keys, cython.address(keyed), PyBUF_WRITABLE)
                try:
                    self.within(first, last, read.len >> 3, written.len >> 3, (keyed.len >> 3) - 1)
                    return self.run(cython.cast(cython.p_longlong, read.buf), first, last,
                                    cython.cast(cython.p_longlong, written.buf),
                                    cython.cast(cython.p_longlong, keyed.buf), remarks)
                finally:
                    PyBuffer_Release(cython.address(keyed))
            finally:
                PyBuffer_Release(cython.address(written))
        finally:
            PyBuffer_Release(cython.address(read))

    def within(self, first: cython.Py_ssize_t, last: cython.Py_ssize_t, texts: cython.Py_ssize_t,
               moves: cython.Py_ssize_t, keys: cython.Py_ssize_t) -> cython.int:
        """Raise IndexError unless an array of each of these lengths holds all from first to before last."""
        if first < 0 or last > texts or last > moves or last > keys:
            raise IndexError(f"moves {first} to {last} of {texts} texts, room for {moves} moves and {keys} keys")
        return 0

    def run(self, texts: cython.p_longlong, first: cython.int, last: cython.int, moves: cython.p_longlong,
            keys: cython.p_longlong, remarks: list) -> cython.int:
        """`replay`, its limits checked.

        Where keys are given, ``crowd`` becomes how many positions of the line share the low bits of their keys at most:
        no position stood more often than that.
        """
        i: cython.int
        slot: cython.int
        times: cython.int
        move: cython.longlong
        if keys:
            for i in range(CROWDS + 1):
                self.crowds[i & CROWDS] = 0
            self.crowds[keys[first] & CROWDS] = 1
            self.crowd = 1
        for i in range(first, last):
            move = self.judge(texts[i])
            if move < 0:
                self.reason = -1 - move
                return i
            self.do(move)
            moves[i] = move
            if keys:
                keys[i + 1] = self.hash
                slot = self.hash & CROWDS
                times = self.crowds[slot & CROWDS] + 1
                if times < 256:
                    self.crowds[slot & CROWDS] = times
                if times > self.crowd:
                    self.crowd = times
            if self.flags:
                remarks.append((i, self.flags))
        return last

    def rivals(self, move: cython.longlong, legal: cython.bint) -> list[int]:
        """Origin squares of the other men like the one that moves that could go to its target.

        Same kind and face; pseudo-legally (pins ignored), or with ``legal`` only legally, whatever their promotion
        choice. The move has not been played. A drop has as rivals all men of its kind that could go there.
        """
        piece: cython.int = move >> 18 & 63
        to: cython.int = move & 255
        origin: cython.int = -1 if move & DROPPED else move >> 8 & 255
        return [
            square for square in self.reaching(piece, to)
            if square != origin and not (legal and self.exposer(square, to, piece) >= 0)
        ]

    def contested(self, move: cython.longlong) -> cython.bint:
        """Whether a move from the board, not yet played, has a legal rival (see `rivals`); for the compiled callers."""
        target: cython.int = self.tables.cell_of[move & SQUARE]
        origin: cython.int = self.tables.cell_of[move >> 8 & SQUARE]
        value: cython.int = self.turn << 6 | (move >> 18 & PIECE)
        way: cython.int
        at: cython.int
        for way in range(self.tables.way_first[value & VALUE], self.tables.way_first[value + 1 & VALUE]):
            at = self.source(way, target, value)
            if at and at != origin and not self.exposed(at, target, value):
                return True
        return False

    def reaching(self, piece: cython.int, to: cython.int) -> list[int]:
        """Squares from which men of the side to move, of this kind and face, could go to the square, pins ignored."""
        target: cython.int = self.tables.cell_of[to & SQUARE]
        value: cython.int = self.turn << 6 | piece
        way: cython.int
        at: cython.int
        squares = []
        for way in range(self.tables.way_first[value & VALUE], self.tables.way_first[value + 1 & VALUE]):
            at = self.source(way, target, value)
            if at:
                squares.append(self.tables.square_of[at & CELL])
        return squares

    def exposer(self, origin: cython.int, to: cython.int, piece: cython.int) -> int:
        """The square of the man that would attack the mover's king after a move (origin -1: a drop), -1 for none."""
        found: cython.int = self.exposed(self.tables.cell_of[origin & SQUARE] if origin >= 0 else 0,
                                         self.tables.cell_of[to & SQUARE], self.turn << 6 | piece)
        return self.tables.square_of[found & CELL] if found else -1
