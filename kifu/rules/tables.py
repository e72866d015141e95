# cython: language_level=3, boundscheck=True, wraparound=False, initializedcheck=False
"""A ruleset as the flat arrays that the engine reads.

The board is a mailbox: one array of cells with walls around the squares, so that a step off the board meets a wall
and needs no other test. A cell number is ``(file - 1 + margin) * stride + rank - 1 + margin``. The stride is twice
the number of ranks, so that the difference of two cells names the step between them unambiguously: how a piece
reaches one square from another is one look-up by that difference.

A cell holds 0, or a piece number (kind, and 32 for the promoted face) with 64 added for White, or `WALL`. The same
numbers are the row numbers of the tables by piece.

Each array has a power of two of entries, whatever the board, and every index is masked by the constant of that array
where it is used: ``men[cell & CELL]``. So no index can leave its array, no branch is spent on that, and what is read
stands at a fixed place of the object (a test reads the sources and finds no index without its mask). Wrong numbers
give wrong answers, never a read or a write outside. Rows are not as long as a power of two, or the rows of all men
would fall on the same lines of the processor's cache.
"""
from __future__ import annotations

from array import array

from kifu.movetext import PROMOTED
from kifu.rules import ruleset, zobrist
from kifu.rules.ruleset import BLACK, COMPASS, FAR, WHITE, Ruleset

try:
    import cython
except ImportError:
    from kifu import _cython as cython

VALUES = 128  # rows of the tables by piece and colour
MOST_OF_A_KIND = 63  # men of one kind that a position may hold, on the board and in both hands together
MOST_FILES = 12  # and ranks

if not cython.compiled:  # tables.pxd has the same numbers for the compiler
    SQUARE = 0xFF
    CELL = 0x1FF
    APART = 0x3FF  # the difference of two cells, with HERE added
    HERE = 288
    SPAN = 576  # more than twice the greatest difference of the cells of two squares
    SQUARES = 144  # the most that a board has
    VALUE_AND_APART = 0x1FFFF  # value * SPAN + difference + HERE
    VALUE_AND_SQUARE = 0x7FFF  # value * SQUARES + square
    HAND_AND_COUNT = 0xFFF  # (colour << 5 | kind) << 6 | count
    HAND = 63
    PIECE = 63
    WAY = 0x7FF
    VALUE = 0xFF
    LEAP = 63
    RAY = 15

    WALL = 128
    STEP, SLIDE = 1, 2  # in ``reach``: goes there at once; goes there if the squares between are empty
    OVER = 4  # added to either: goes there over a man, or on conditions
    CAN_PROMOTE, ROYAL, MAY_MATE, LION, TRIFLE, CROWN = 1, 2, 4, 8, 16, 32  # in ``traits``
    IN_ZONE, STUCK, BARRED, MUST, LATE = 1, 2, 4, 8, 16  # in ``duty``
    BY_ZONE, BY_CAPTURE, BY_ENTRY = 0, 1, 2  # ``promotion``
    from kifu.rules.ruleset import CAPTURE_ONLY, HOP, NO_CAPTURE


class Tables:
    """The arrays. Which of them is indexed by what:

    ``cell_at[file | rank << 4]``: the cell of a square as move texts name it, 0 where there is no such square;
    ``cell_of[square]``, ``square_of[cell]``, ``file_of[cell]``, ``rank_of[cell]`` (from 1), ``blank[cell]``: the
    empty board; ``ray[difference + HERE]``: the number, from 1, of the straight line of that difference, 0 where it is
    none; ``compass[ray]``: the unit step along it;
    ``reach[value * SPAN + difference + HERE]``: 0, `STEP` or `SLIDE`;
    ``way_step``, ``way_length`` from ``way_first[value]`` to ``way_first[value + 1]``: how a piece goes;
    ``leaps`` from ``leap_first[colour]``: the differences of the leaps of all pieces, which no line finds;
    ``way_manner``: what else is said of a way (`kifu.rules.ruleset.HOP` and its like);
    ``duty[value * SQUARES + square]``: bits, the piece may promote by a move from or to there, may not stay there
    unpromoted, may not be dropped there, must promote by a move from or to there, may promote by any move to there;
    ``traits[piece]``: bits, it has another face, is royal, may mate when dropped, is a lion, is a trifle (see
    `kifu.rules.ruleset.Kind`), is royal and may be taken; ``per_file[kind]``; ``board_keys[value * SQUARES + square]``;
    ``struck_keys[square]``;
    ``hand_keys[(colour << 5 | kind) << 6 | count]``: what changes in the key where that many become one more.
    ``special`` is true where `kifu.rules.special` finds and judges the moves, ``hops`` where men leap over screens,
    ``bare`` where men taken are out of the game and check binds nobody.
    Raises ValueError for a ruleset that does not fit in.
    """

    def __init__(self, rules: Ruleset) -> None:
        if not cython.compiled:
            self.cell_at, self.cell_of = array("h", bytes(512)), array("h", bytes(512))
            self.square_of, self.file_of, self.rank_of = bytearray(512), bytearray(512), bytearray(512)
            self.blank, self.compass, self.ray = bytearray(512), array("h", bytes(32)), bytearray(1024)
            self.leap_first, self.leaps = array("h", bytes(32)), array("h", bytes(128))
            self.way_first, self.way_step = array("h", bytes(512)), array("h", bytes(4096))
            self.way_length, self.way_manner = bytearray(2048), bytearray(2048)
            self.traits, self.per_file = bytearray(64), bytearray(64)
            self.hand_kinds, self.pieces = bytearray(64), bytearray(64)
            self.duty, self.reach = bytearray(32768), bytearray(131072)
            self.struck_keys = array("q", bytes(8 * 256))
            self.hand_keys, self.board_keys = array("q", bytes(8 * 4096)), array("q", bytes(8 * 32768))
        i: cython.int
        self.rules = rules
        self.files, self.ranks = rules.files, rules.ranks
        self.squares = rules.files * rules.ranks
        if not (1 <= self.files <= MOST_FILES and 1 <= self.ranks <= MOST_FILES):
            raise ValueError(f"a board of {self.files} files and {self.ranks} ranks: at most {MOST_FILES} of each")
        self.either_face = rules.drops == ruleset.EITHER_FACE
        self.bare = rules.royals_taken
        if self.bare != (rules.drops == ruleset.NO_DROPS):
            raise ValueError("royal men can be taken where there are no drops, and only there")
        self.promotion = {ruleset.EACH_CAPTURE: BY_CAPTURE, ruleset.ON_ENTRY: BY_ENTRY}.get(rules.promotion, BY_ZONE)
        manners = {way.manner for piece in rules.pieces for way in rules.ways(piece)}
        self.hops = any(manner & (HOP | NO_CAPTURE | CAPTURE_ONLY) for manner in manners)
        self.special = bool(self.promotion or self.bare or any(manners))
        self._lay_out()
        self._ways()
        self._duties()
        self._keys()
        kinds = [] if self.bare else [kind.number for kind in rules.kinds if not kind.royal]
        if self.either_face:
            kinds += [number | PROMOTED for number in kinds if number | PROMOTED in rules.pieces]
        self.many_kinds, self.many_pieces = len(kinds), len(rules.pieces)
        for i in range(self.many_kinds):
            self.hand_kinds[i & PIECE] = kinds[i]
        for i in range(self.many_pieces):
            self.pieces[i & PIECE] = rules.pieces[i]
        # every square is entered by one man for each line and leap, twice where it may promote, or by a drop
        self.most_moves = self.squares * (2 * (len(COMPASS) + self.leap_first[2 & RAY]) + len(kinds))
        if self.hops:  # and by another on each line that leaps over a screen
            self.most_moves += 2 * self.squares * len(COMPASS)
        if self.bare:  # and men that move twice go 64 ways; a plain and a promoted face of two kinds may do so
            self.most_moves += 64 * 4 * MOST_OF_A_KIND

    def _lay_out(self) -> None:
        rules = self.rules
        margin: cython.int = max(2, *(abs(part) for piece in rules.pieces for way in rules.ways(piece)
                                      for part in way.direction))
        ranks: cython.int = self.ranks
        square: cython.int
        cell: cython.int
        number: cython.int
        step: cython.int
        length: cython.int
        self.stride = max(2 * ranks, ranks + margin)
        self.cells = (self.files + 2 * margin) * self.stride
        if self.cells > CELL + 1:
            raise ValueError(f"men that leap {margin} squares do not fit on a board as large as this")
        for cell in range(CELL + 1):
            self.blank[cell & CELL] = WALL
        for square in range(self.squares):
            cell = (square // ranks + margin) * self.stride + square % ranks + margin
            self.cell_of[square & SQUARE] = cell
            self.cell_at[(square // ranks + 1 | square % ranks + 1 << 4) & SQUARE] = cell
            self.square_of[cell & CELL] = square
            self.file_of[cell & CELL] = square // ranks + 1
            self.rank_of[cell & CELL] = square % ranks + 1
            self.blank[cell & CELL] = 0
        for number, (file, rank) in enumerate(COMPASS, 1):
            step = file * self.stride + rank
            self.compass[number & RAY] = step
            for length in range(1, max(self.files, ranks)):
                if abs(file) * length < self.files and abs(rank) * length < ranks:
                    self.ray[step * length + HERE & APART] = number

    def _ways(self) -> None:
        rules = self.rules
        value: cython.int
        step: cython.int
        length: cython.int
        times: cython.int
        files: cython.int
        ranks: cython.int
        many: cython.int = 0
        longest: cython.int = max(self.files, self.ranks) - 1
        leaps: tuple[set[int], set[int]] = set(), set()
        known = {piece: rules.ways(piece) for piece in rules.pieces}
        for value in range(VALUES):
            self.way_first[value & VALUE] = many
            for way in known.get(value & 63, ()):
                files, ranks = way.direction
                if value >> 6 == WHITE:
                    files, ranks = -files, -ranks
                step = files * self.stride + ranks
                length = longest if way.length == FAR else min(longest, way.length)
                if many > WAY:
                    raise ValueError(f"the men go in more than {WAY + 1} ways")
                self.way_step[many & WAY] = step
                self.way_length[many & WAY] = length
                self.way_manner[many & WAY] = way.manner
                many += 1
                if way.direction not in COMPASS:
                    if length > 1:
                        raise ValueError(f"a slide in the direction {way.direction}: only leaps go there")
                    leaps[value >> 6].add(step)
                for times in range(1, length + 1):
                    if abs(files) * times < self.files and abs(ranks) * times < self.ranks:
                        self.reach[value * SPAN + step * times + HERE & VALUE_AND_APART] |= (
                            OVER if way.manner & (HOP | CAPTURE_ONLY) else STEP if times == 1 else SLIDE)
        self.way_first[VALUES & VALUE] = many
        many = 0
        for value in (BLACK, WHITE):
            for step in sorted(leaps[value]):
                if many > LEAP:
                    raise ValueError(f"the men leap in more than {LEAP + 1} ways")
                self.leaps[many & LEAP] = step
                many += 1
            self.leap_first[value + 1 & RAY] = many

    def _duties(self) -> None:
        square: cython.int
        rank: cython.int
        value: cython.int
        duty: cython.int
        colour: cython.int
        zone: cython.int = self.rules.zone
        must: cython.int
        bar: cython.int
        late: cython.int
        piece: cython.int
        always: cython.int
        turns: cython.bint
        each: cython.bint = self.rules.promotion == ruleset.EACH_MOVE
        back: cython.bint = each or self.promotion == BY_CAPTURE
        for kind in self.rules.kinds:
            self.per_file[kind.number & PIECE] = kind.per_file
            for piece in (kind.number, kind.number | PROMOTED):
                if piece not in self.rules.pieces:
                    continue
                turns = kind.promoted is not None and (back or not piece & PROMOTED)
                self.traits[piece & PIECE] = self._traits_of(kind, piece, turns)
                must, bar, late = kind.must_promote, kind.no_drop, kind.late
                always = IN_ZONE | MUST if each or kind.always_promotes else IN_ZONE
                if piece & PROMOTED:
                    must = bar = late = 0
                for colour in range(2):
                    value = colour << 6 | piece
                    for square in range(self.squares):
                        rank = square % self.ranks + 1 if colour == 0 else self.ranks - square % self.ranks
                        duty = (always if turns and (each or rank <= zone) else 0) | (STUCK if rank <= must else 0) | (
                            BARRED if rank <= bar else 0) | (LATE if turns and rank <= late else 0)
                        self.duty[value * SQUARES + square & VALUE_AND_SQUARE] = duty

    def _traits_of(self, kind: ruleset.Kind, piece: cython.int, turns: cython.bint) -> cython.int:
        promoted: cython.bint = piece & PROMOTED != 0
        royal: cython.bint = kind.crowned if promoted else kind.royal
        return ((CAN_PROMOTE if turns else 0) | (MAY_MATE if kind.mates_by_drop else 0)
                | ((CROWN if self.bare else ROYAL) if royal else 0)
                | (LION if ("+" if promoted else "P") in kind.lion else 0)
                | (TRIFLE if kind.trifle and not promoted else 0))

    def _keys(self) -> None:
        rules = self.rules
        square: cython.int
        colour: cython.int
        count: cython.int
        number: cython.int
        files: cython.int = self.files
        ranks: cython.int = self.ranks
        before: cython.longlong
        after: cython.longlong
        for square in range(files * ranks):
            self.struck_keys[square & SQUARE] = zobrist.struck_constant(square // ranks + 1, square % ranks + 1)
        for colour in range(2):
            for number in rules.pieces:
                for square in range(files * ranks):
                    self.board_keys[(colour << 6 | number) * SQUARES + square & VALUE_AND_SQUARE] = (
                        zobrist.board_constant(colour, number, square // ranks + 1, square % ranks + 1))
            for kind in rules.kinds:
                number, before = kind.number, 0
                for count in range(0 if kind.royal else MOST_OF_A_KIND):
                    after = zobrist.hand_constant(colour, number, count + 1)
                    self.hand_keys[((colour << 5 | number) << 6 | count) & HAND_AND_COUNT] = before ^ after
                    before = after
        self.turn_key, self.variant_key = zobrist.turn_constant(), zobrist.variant_constant(rules.key_number)
