"""A position in 256 bits, as engines store them for learning: `PackedSfen` of YaneuraOu and `HuffmanCodedPos` of Apery.

Both have the same frame, written from the lowest bit up: one bit for the side to move, seven for each king's square,
then a code for each other square (11, 12, … 99), then the hands, then the box: the men that no side has, in handicap
games. They differ in the codes. Every man takes one bit less in a hand or the box than on the board, where an empty
square takes one, so a whole set with both kings always fills the 256 bits. Source: FORMATS, section 10 of the
project's reference, which has vectors made by cshogi.

>>> PACKED_SFEN.unpack(PACKED_SFEN.pack(Position())).sfen
'lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -'
"""
from __future__ import annotations

from typing import NamedTuple

from kifu.movetext import BISHOP, GOLD, KIND_NAMES, KNIGHT, LANCE, PAWN, PROMOTED, ROOK, SILVER
from kifu.notation.board import FULL_SET, HAND_ORDER, LETTERS, cell_sfen
from kifu.rules.position import Position

SIZE = 32  # bytes
BITS = 8 * SIZE
SQUARES = 81
WHITE_MAN = 64  # added to the number of White's men, as `kifu.rules.board` has it
#: Who a man outside the board belongs to.
BLACK_HAND, WHITE_HAND, BOX = range(3)
#: In which order hands and box are written, as cshogi does; any order can be read.
ORDER = (PAWN, LANCE, KNIGHT, SILVER, GOLD, BISHOP, ROOK)
_HEAD = 15  # bits of the side to move and the kings
_KING_FIELD = 127
#: The squares of each rank, from file 9 to file 1.
_ROWS = [slice(SQUARES - 9 + rank, None, -9) for rank in range(9)]
#: Empty squares as they are counted together, the longest run first.
_EMPTY_RUNS = [("1" * number, str(number)) for number in range(9, 1, -1)]

#: Bits, the first one lowest, and how many they are.
Code = tuple[int, int]


class PackedError(ValueError):
    """256 bits that are no position, or a position that does not fit; the message says why."""


class Unpacked(NamedTuple):
    """A position out of 256 bits: SFEN without the move number, and whether the box was left out."""

    sfen: str
    boxless: bool


class Coding:
    """The codes of one format: ``board`` by the number of the man, ``spare`` by owner and kind.

    No code of a table is the beginning of another.
    """

    def __init__(self, board: dict[int, Code], spare: dict[tuple[int, int], Code]) -> None:
        #: Indexed by the next eight bits: a cell of SFEN ("1" where the square is empty), and the length of its code.
        self.cells: list[tuple[str, int]] = [("", 0)] * 256
        #: The same for men outside the board: owner, kind, length; 0 for bits that nothing begins with.
        self.spares: list[tuple[int, int, int]] = [(0, 0, 0)] * 256
        #: What is written, the first bit rightmost: by the number of the man, 0 for none; by owner and kind.
        self.board_bits = [""] * 128
        self.spare_bits: dict[tuple[int, int], str] = {}
        for man, (bits, length) in {0: (0, 1), **board}.items():
            for index in range(bits, 256, 1 << length):
                assert not self.cells[index][1], "one code begins another"
                self.cells[index] = cell_sfen(man) if man else "1", length
            self.board_bits[man] = f"{bits:0{length}b}"
        #: Indexed by the next eight bits: all cells of which they are the whole codes, and how many bits those are.
        self.runs = [self._run(index) for index in range(256)]
        for (owner, kind), (bits, length) in spare.items():
            for index in range(bits, 256, 1 << length):
                assert not self.spares[index][2], "one code begins another"
                self.spares[index] = owner, kind, length
            self.spare_bits[owner, kind] = f"{bits:0{length}b}"

    def _run(self, bits: int) -> tuple[list[str], int]:
        cells, at = [], 0
        while at < 8:
            cell, length = self.cells[bits >> at & 255]
            if at + length > 8:
                break
            cells.append(cell)
            at += length
        return cells, at

    def unpack(self, data: bytes) -> Unpacked:
        """The position of 32 bytes. Raises `PackedError` where they are none."""
        bits = int.from_bytes(data, "little")
        turn, black, white = bits & 1, bits >> 1 & _KING_FIELD, bits >> 8 & _KING_FIELD
        if black > SQUARES or white > SQUARES:
            raise PackedError(f"a king stands on square {max(black, white)}; there are {SQUARES}")
        if black == white != SQUARES:
            raise PackedError("both kings stand on one square")
        bits >>= _HEAD
        left = BITS - _HEAD
        count = SQUARES - (black < SQUARES) - (white < SQUARES)
        cells: list[str] = []
        runs = self.runs
        while len(cells) <= count - 8:  # eight bits hold eight cells at most
            run, length = runs[bits & 255]
            bits >>= length
            left -= length
            cells += run
        while len(cells) < count:
            cell, length = self.cells[bits & 255]
            bits >>= length
            left -= length
            cells.append(cell)
        for square, king in sorted(((black, "K"), (white, "k"))):
            if square < SQUARES:
                cells.insert(square, king)
        if left < 0:
            raise PackedError(f"the board takes {-left} of the {BITS} bits too many")
        board = "/".join(["".join(cells[squares]) for squares in _ROWS])
        for ones, number in _EMPTY_RUNS:
            board = board.replace(ones, number)
        hands, boxless = self._spare(bits, left, board.upper())
        return Unpacked(f"{board} {'bw'[turn]} {hands}", boxless)

    def _spare(self, bits: int, left: int, board: str) -> tuple[str, bool]:
        """The hands out of the bits behind the board, as SFEN, and whether the box was left out."""
        counts = {kind: board.count(LETTERS[kind]) for kind in FULL_SET}
        held = [[0] * (ROOK + 1) for _ in range(3)]
        boxless = False
        while left > 0:
            owner, kind, length = self.spares[bits & 255]
            if bits == 0 and counts[PAWN] == FULL_SET[PAWN] and any(counts[one] for one in FULL_SET if one != PAWN):
                boxless = True  # a pawn in Black's hand is all zeros, but all pawns were there: nothing follows
                break
            if not length or length > left:
                raise PackedError(f"the last {left} bits are no man in a hand or the box")
            bits >>= length
            left -= length
            counts[kind] += 1
            held[owner][kind] += 1
        for kind, total in FULL_SET.items():
            if counts[kind] > total:
                raise PackedError(f"there are {counts[kind]} men of the kind {KIND_NAMES[kind]}, not {total}")
        text = ""
        for owner in (BLACK_HAND, WHITE_HAND) if any(held[BLACK_HAND]) or any(held[WHITE_HAND]) else ():
            for kind in HAND_ORDER:
                if count := held[owner][kind]:
                    letter = LETTERS[kind]
                    text += (str(count) if count > 1 else "") + (letter.lower() if owner == WHITE_HAND else letter)
        return text or "-", boxless

    def pack(self, position: Position) -> bytes:
        """The 32 bytes of a position. Raises `PackedError` where it lacks a king or has too many men of a kind."""
        black, white = position.king_square(0), position.king_square(1)
        if black < 0 or white < 0:
            raise PackedError("a side has no king")
        kings = black, white
        parts = [f"{white:07b}{black:07b}{position.turn:b}"]
        box = dict(FULL_SET)
        table, spare, man_on = self.board_bits, self.spare_bits, position.man
        for square in range(SQUARES):
            if square in kings:
                continue
            man = man_on(square)
            parts.append(table[man])
            if man:
                box[man & 31] -= 1
        for owner in (BLACK_HAND, WHITE_HAND):
            for kind in ORDER:
                if count := position.hand(owner, kind):
                    parts.append(spare[owner, kind] * count)
                    box[kind] -= count
        for kind in ORDER:
            if box[kind] < 0:
                raise PackedError(f"there are more men of the kind {KIND_NAMES[kind]} than a set has")
            parts.append(spare[BOX, kind] * box[kind])
        parts.reverse()
        return int("".join(parts), 2).to_bytes(SIZE, "little")


def _packed_sfen() -> Coding:
    """The codes of YaneuraOu: the kind, then a bit for promotion, which gold lacks, and one for White."""
    kinds = {PAWN: (0x01, 2), LANCE: (0x03, 4), KNIGHT: (0x0B, 4), SILVER: (0x07, 4), GOLD: (0x0F, 5),
             BISHOP: (0x1F, 6), ROOK: (0x3F, 6)}
    board, spare = {}, {}
    for kind, (bits, length) in kinds.items():
        faces = (0,) if kind == GOLD else (0, 1)
        for white in (0, 1):
            for face in faces:
                man = kind | face * PROMOTED | white * WHITE_MAN
                board[man] = bits | face << length | white << length + len(faces) - 1, length + len(faces)
            spare[white, kind] = bits >> 1 | white << length + len(faces) - 2, length + len(faces) - 1
        if kind != GOLD:  # in the box: promoted; a gold, which cannot be, is White's promoted silver there
            spare[BOX, kind] = bits >> 1 | 1 << length - 1, length + 1
    bits, length = kinds[SILVER]
    spare[BOX, GOLD] = bits >> 1 | 3 << length - 1, length + 1
    return Coding(board, spare)


def _huffman() -> Coding:
    """The codes of Apery: side and promotion are part of the code."""
    #: Black, White, each promoted; length; hands of Black and White, box; their length.
    table = {
        PAWN: (0x01, 0x05, 0x09, 0x0D, 4, 0x00, 0x04, 0x02, 3), LANCE: (0x03, 0x13, 0x23, 0x33, 6, 0x01, 0x11, 0x09, 5),
        KNIGHT: (0x07, 0x17, 0x27, 0x37, 6, 0x03, 0x13, 0x0B, 5),
        SILVER: (0x0B, 0x1B, 0x2B, 0x3B, 6, 0x05, 0x15, 0x0D, 5), GOLD: (0x0F, 0x2F, 0, 0, 6, 0x07, 0x17, 0x1D, 5),
        BISHOP: (0x1F, 0x5F, 0x9F, 0xDF, 8, 0x1F, 0x5F, 0x0F, 7),
        ROOK: (0x3F, 0x7F, 0xBF, 0xFF, 8, 0x3F, 0x7F, 0x2F, 7),
    }
    board, spare = {}, {}
    for kind, (black, white, black_face, white_face, length, *spares, spare_length) in table.items():
        board[kind], board[kind | WHITE_MAN] = (black, length), (white, length)
        if kind != GOLD:
            board[kind | PROMOTED] = black_face, length
            board[kind | PROMOTED | WHITE_MAN] = white_face, length
        for owner, bits in zip((BLACK_HAND, WHITE_HAND, BOX), spares, strict=True):
            spare[owner, kind] = bits, spare_length
    return Coding(board, spare)


PACKED_SFEN = _packed_sfen()
HUFFMAN = _huffman()
