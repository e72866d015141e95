# cython: language_level=3, boundscheck=True, wraparound=False, initializedcheck=False
"""A ruleset as the flat arrays that the engine reads.

The board is a mailbox: one array of cells with walls around the squares, so that a step off the board meets a wall
and needs no other test. A cell number is ``(file - 1 + margin) * stride + rank - 1 + margin``. The stride is twice
the number of ranks, so that the difference of two cells names the step between them unambiguously: how a piece
reaches one square from another is one look-up by that difference.

A cell holds 0, or a piece number (kind, and 32 for the promoted face) with 64 added for White, or `WALL`. The same
numbers are the row numbers of the tables by piece.
"""
from __future__ import annotations

from array import array

from kifu.rules import zobrist
from kifu.rules.ruleset import BLACK, COMPASS, FAR, WHITE, Ruleset

WALL = 128
VALUES = 128  # rows of the tables by piece and colour
MOST_OF_A_KIND = 63  # men of one kind that a position may hold, on the board and in both hands together
STEP, SLIDE = 1, 2  # in ``reach``: goes there at once; goes there if the squares between are empty


class Tables:
    """The arrays. Which of them is indexed by what:

    ``cell_of[square]``, ``square_of[cell]`` (-1 for walls), ``file_of[cell]``, ``rank_of[cell]`` (from 1);
    ``line[difference + half]``: the unit step along a straight line of that difference, 0 where it is none;
    ``reach[value * span + difference + half]``: 0, `STEP` or `SLIDE`;
    ``way_step``, ``way_length`` from ``way_first[value]`` to ``way_first[value + 1]``: how a piece goes;
    ``leaps`` from ``leap_first[colour]``: the differences of the leaps of all pieces, which no line finds;
    ``zone[colour * cells + cell]``; ``stuck`` and ``barred[value * cells + cell]``: an unpromoted piece may not stay
    there, or may not be dropped there; ``board_keys[value * squares + square]``,
    ``hand_keys[(colour * 32 + kind) * 64 + count]``; the rest by kind or piece number.
    """

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.files, self.ranks = rules.files, rules.ranks
        self.squares = rules.files * rules.ranks
        self._lay_out()
        self._pieces()
        self._duties()
        self._keys()
        kinds = [kind.number for kind in rules.kinds if not kind.royal]
        self.hand_kinds = array("i", kinds)
        self.many_kinds = len(kinds)
        self.pieces = array("i", rules.pieces)
        self.many_pieces = len(rules.pieces)
        # every square is entered by one man for each line and leap, twice where it may promote, or by a drop
        self.most_moves = self.squares * (2 * (len(COMPASS) + self.leap_first[2]) + len(kinds))

    def _lay_out(self) -> None:
        rules = self.rules
        margin = max(2, *(abs(part) for piece in rules.pieces for way in rules.ways(piece) for part in way.direction))
        self.stride = stride = max(2 * rules.ranks, rules.ranks + margin)
        self.cells = (rules.files + 2 * margin) * stride
        cell_of = [(file + margin) * stride + rank + margin
                   for file in range(rules.files) for rank in range(rules.ranks)]
        square_of, file_of, rank_of = [-1] * self.cells, [0] * self.cells, [0] * self.cells
        blank = [WALL] * self.cells
        for square, cell in enumerate(cell_of):
            square_of[cell], blank[cell] = square, 0
            file_of[cell], rank_of[cell] = square // rules.ranks + 1, square % rules.ranks + 1
        self.cell_of, self.square_of = array("i", cell_of), array("i", square_of)
        self.file_of, self.rank_of = array("i", file_of), array("i", rank_of)
        self.blank = array("i", blank).tobytes()
        self.half = (rules.files - 1) * stride + rules.ranks - 1
        self.span = 2 * self.half + 1
        line = [0] * self.span
        for file, rank in COMPASS:
            for length in range(1, max(rules.files, rules.ranks)):
                if abs(file) * length < rules.files and abs(rank) * length < rules.ranks:
                    step = file * stride + rank
                    line[step * length + self.half] = step
        self.line = array("i", line)
        self.compass = array("i", [file * stride + rank for file, rank in COMPASS])

    def _pieces(self) -> None:
        rules, stride = self.rules, self.stride
        reach = bytearray(VALUES * self.span)
        first, step_list, length_list = [0] * (VALUES + 1), [], []
        leaps: list[set[int]] = [set(), set()]
        pieces = set(rules.pieces)
        for value in range(VALUES):
            first[value] = len(step_list)
            piece, colour = value & 63, value >> 6
            for way in rules.ways(piece) if piece in pieces else ():
                file, rank = way.direction if colour == BLACK else (-way.direction[0], -way.direction[1])
                step = file * stride + rank
                most = max(rules.files, rules.ranks) - 1
                length = most if way.length == FAR else min(most, way.length)
                step_list.append(step)
                length_list.append(length)
                if way.direction not in COMPASS:
                    leaps[colour].add(step)
                for times in range(1, length + 1):
                    if abs(file) * times < rules.files and abs(rank) * times < rules.ranks:
                        reach[value * self.span + step * times + self.half] = STEP if times == 1 else SLIDE
        first[VALUES] = len(step_list)
        self.reach = array("b", bytes(reach))
        self.way_first = array("i", first)
        self.way_step, self.way_length = array("i", step_list), array("i", length_list)
        black, white = sorted(leaps[BLACK]), sorted(leaps[WHITE])
        self.leaps = array("i", black + white + [0])  # never empty: an empty view has no data
        self.leap_first = array("i", [0, len(black), len(black) + len(white)])

    def _duties(self) -> None:
        rules = self.rules
        zone, stuck, barred = bytearray(2 * self.cells), bytearray(VALUES * self.cells), bytearray(VALUES * self.cells)
        for cell in range(self.cells):
            if self.square_of[cell] < 0:
                continue
            for colour in (BLACK, WHITE):
                rank = self.rank_of[cell] if colour == BLACK else rules.ranks + 1 - self.rank_of[cell]
                zone[colour * self.cells + cell] = rank <= rules.zone
                for kind in rules.kinds:
                    row = (colour << 6 | kind.number) * self.cells
                    stuck[row + cell] = rank <= kind.must_promote
                    barred[row + cell] = rank <= kind.no_drop
        self.zone, self.stuck, self.barred = (array("b", bytes(table)) for table in (zone, stuck, barred))
        can_promote, royal, per_file, may_mate = bytearray(64), bytearray(64), bytearray(64), bytearray(64)
        for kind in rules.kinds:
            can_promote[kind.number] = kind.promoted is not None
            royal[kind.number] = kind.royal
            per_file[kind.number] = kind.per_file
            may_mate[kind.number] = kind.mates_by_drop
        self.can_promote, self.royal = array("b", bytes(can_promote)), array("b", bytes(royal))
        self.per_file, self.may_mate = array("b", bytes(per_file)), array("b", bytes(may_mate))

    def _keys(self) -> None:
        rules = self.rules
        board, hands = [0] * (VALUES * self.squares), [0] * (64 * 64)
        for colour in (BLACK, WHITE):
            for piece in rules.pieces:
                for square in range(self.squares):
                    board[(colour << 6 | piece) * self.squares + square] = zobrist.board_constant(
                        colour, piece, square // rules.ranks + 1, square % rules.ranks + 1)
            for kind in rules.kinds:
                for count in range(1, 0 if kind.royal else MOST_OF_A_KIND + 1):
                    hands[(colour * 32 + kind.number) * 64 + count] = zobrist.hand_constant(colour, kind.number, count)
        self.board_keys, self.hand_keys = array("q", board), array("q", hands)
        self.turn_key, self.variant_key = zobrist.turn_constant(), zobrist.variant_constant(rules.key_number)
