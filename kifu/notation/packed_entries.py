"""The entries of files for learning: a position in 256 bits, the move played or chosen, its evaluation, the result.

``psv`` is YaneuraOu's `PackedSfenValue`, 40 bytes; ``hcpe`` is Apery's and dlshogi's `HuffmanCodedPosAndEval`, 38. All
numbers are little-endian. Evaluations are from the view of the side to move in both; so is the result in psv, where
hcpe names the winner. Source: FORMATS, section 10 of the project's reference.
"""
from __future__ import annotations

from struct import Struct
from typing import NamedTuple

from kifu import ends
from kifu.movetext import BISHOP, DROP, GOLD, KNIGHT, LANCE, PAWN, PROMOTE, ROOK, SILVER, pack
from kifu.notation.packed import HUFFMAN, PACKED_SFEN, SQUARES, Coding
from kifu.rules.move import DROPPED, ORIGIN_SHIFT, PROMOTES, TARGET_FIELD

_SQUARE_BITS = 7
_SQUARE_FIELD = 127
#: The largest number of a ply that an entry can hold, and the range of its evaluation.
MOST_PLY, LEAST_SCORE, MOST_SCORE = 0xFFFF, -0x8000, 0x7FFF


class Entry(NamedTuple):
    """One entry, its numbers as they stand in the file; ``ply`` is 0 where the format has none."""

    position: bytes
    score: int
    move: int
    ply: int
    result: int


class Layout(NamedTuple):
    """How one format lays an entry out, and what its numbers mean.

    ``drop_base`` is what the number of a dropped kind is added to in place of an origin; ``drop_flag`` says that one
    is dropped where that alone does not. ``absolute``: the result names the winner, 1 for Black and 2 for White; else
    it is 1 where the side to move wins and -1 where it loses. 0 is a draw in both.
    """

    struct: Struct
    coding: Coding
    drops: tuple[int, ...]
    drop_base: int
    drop_flag: int
    promote_flag: int
    absolute: bool

    @property
    def size(self) -> int:
        """Bytes of an entry."""
        return self.struct.size

    def read(self, data: bytes | memoryview) -> Entry:
        """The entry of so many bytes; any are one."""
        fields = self.struct.unpack(data)
        if len(fields) == _FIELDS_WITH_PLY:
            position, score, move, ply, result, _ = fields
        else:
            position, score, move, result, _ = fields
            ply = 0
        return Entry(position, score, move, ply, result)

    def write(self, entry: Entry) -> bytes:
        """The bytes of an entry."""
        position, score, move, ply, result = entry
        if self.absolute:
            return self.struct.pack(position, score, move, result, 0)
        return self.struct.pack(position, score, move, min(ply, MOST_PLY), result, 0)

    # --- moves ------------------------------------------------------------------------------------------------------
    def move_text(self, move: int) -> int | None:
        """The move text (`kifu.movetext`) of an entry's move, None where it is no move at all."""
        target, origin = move & _SQUARE_FIELD, move >> _SQUARE_BITS & _SQUARE_FIELD
        if target >= SQUARES or move & ~(_SQUARE_FIELD * 129 | self.drop_flag | self.promote_flag):
            return None
        to = target // 9 + 1, target % 9 + 1
        if move & self.drop_flag if self.drop_flag else origin >= SQUARES:
            number = origin - self.drop_base
            if not 0 <= number < len(self.drops) or move & self.promote_flag:
                return None
            return pack(to=to, piece=self.drops[number], flags=DROP)
        if origin >= SQUARES or origin == target:
            return None
        return pack(to=to, origin=(origin // 9 + 1, origin % 9 + 1), flags=PROMOTE if move & self.promote_flag else 0)

    def packed_move(self, move: int) -> int:
        """A proven move (`kifu.rules.move`) as an entry has it."""
        target, origin = move & TARGET_FIELD, move >> ORIGIN_SHIFT & TARGET_FIELD
        if move & DROPPED:
            return target | self.drops.index(origin) + self.drop_base << _SQUARE_BITS | self.drop_flag
        return target | origin << _SQUARE_BITS | (self.promote_flag if move & PROMOTES else 0)

    # --- results ----------------------------------------------------------------------------------------------------
    def winner(self, result: int, turn: int) -> str | None:
        """Who won by an entry's result where ``turn`` is to move, `ends.DRAW`, or None for a number that is none."""
        if result == 0:
            return ends.DRAW
        if self.absolute:
            return ends.SIDES[result - 1] if result in (1, 2) else None
        return (ends.SIDES[turn] if result == 1 else ends.SIDES[1 - turn]) if result in (1, -1) else None

    def result(self, winner: str, turn: int) -> int:
        """The number of a winner; 0, a draw, where nobody won."""
        if winner not in ends.SIDES:
            return 0
        side = ends.SIDES.index(winner)
        return side + 1 if self.absolute else 1 if side == turn else -1


_FIELDS_WITH_PLY = 6

#: Dropped kinds in the order of their numbers.
_DROPS = PAWN, LANCE, KNIGHT, SILVER, BISHOP, ROOK, GOLD

LAYOUTS = {
    "psv": Layout(Struct("<32shHHbB"), PACKED_SFEN, _DROPS, 1, 0x4000, 0x8000, absolute=False),
    "hcpe": Layout(Struct("<32shHbB"), HUFFMAN, _DROPS, SQUARES, 0, 0x4000, absolute=True),
}
