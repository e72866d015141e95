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

import re
from itertools import pairwise
from typing import NamedTuple

from kifu.movetext import BISHOP, GOLD, KIND_NAMES, KNIGHT, LANCE, PAWN, PROMOTED, ROOK, SILVER
from kifu.notation.board import FULL_SET, HAND_ORDER, KINDS, LETTERS, cell_sfen
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
#: Empty squares as they are counted together, the longest run first.
_EMPTY_RUNS = [("1" * number, str(number)) for number in range(9, 1, -1)]

#: The squares of each rank, from file 9 to file 1.
_ROWS = [slice(SQUARES - 9 + rank, None, -9) for rank in range(9)]
#: What is taken to stand behind the last bit; no code is longer.
_BEHIND = "0" * 8
#: A set of men without the kings, by letter.
_SET = {LETTERS[kind]: total for kind, total in FULL_SET.items()}
#: The signs of a board that has no men but pawns and kings.
_NO_OTHERS = frozenset("PK+/123456789")

#: Bits, the first one lowest, and how many they are.
Code = tuple[int, int]


def _spare_name(owner: int, kind: int) -> str:
    """What a man outside the board is called while it is read: as in the hands of SFEN, ``P*`` in the box."""
    return (LETTERS[kind], LETTERS[kind].lower(), f"{LETTERS[kind]}*")[owner]


#: The order in which SFEN lists both hands.
_IN_HAND = [_spare_name(owner, kind) for owner in (BLACK_HAND, WHITE_HAND) for kind in HAND_ORDER]


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
        #: What is written, the first bit rightmost: by the number of the man, 0 for none; by owner and kind.
        self.board_bits = [""] * 128
        self.spare_bits: dict[tuple[int, int], str] = {}
        #: What is read, by the code with its first bit leftmost: a cell of SFEN, "1" where the square is empty; a man
        #: of a hand as SFEN has it, with a star behind the letter where it lies in the box.
        self.cell_of: dict[str, str] = {}
        self.spare_of: dict[str, str] = {}
        for man, (bits, length) in {0: (0, 1), **board}.items():
            self.board_bits[man] = f"{bits:0{length}b}"
            self.cell_of[self.board_bits[man][::-1]] = cell_sfen(man) if man else "1"
        for (owner, kind), (bits, length) in spare.items():
            self.spare_bits[owner, kind] = f"{bits:0{length}b}"
            self.spare_of[self.spare_bits[owner, kind][::-1]] = _spare_name(owner, kind)
        self.board_codes = _pattern(self.cell_of)
        self.spare_codes = _pattern(self.spare_of)
        self.spare_of |= {"0": "", "1": ""}  # bits that no code begins with

    def unpack(self, data: bytes) -> Unpacked:
        """The position of 32 bytes. Raises `PackedError` where they are none."""
        number = int.from_bytes(data, "little")
        turn, black, white = number & 1, number >> 1 & _KING_FIELD, number >> 8 & _KING_FIELD
        if black > SQUARES or white > SQUARES:
            raise PackedError(f"a king stands on square {max(black, white)}; there are {SQUARES}")
        if black == white != SQUARES:
            raise PackedError("both kings stand on one square")
        bits = f"{number:0{BITS}b}"[::-1] + _BEHIND
        count = SQUARES - (black < SQUARES) - (white < SQUARES)
        codes = self.board_codes.findall(bits, _HEAD)
        if len(codes) < count:  # what would follow, so that it can be said how much is too much
            codes = self.board_codes.findall(bits + "0" * SQUARES, _HEAD)
        del codes[count:]
        at = _HEAD + len("".join(codes))
        if at > BITS:
            raise PackedError(f"the board takes {at - BITS} of the {BITS} bits too many")
        cells = [*map(self.cell_of.__getitem__, codes)]
        for square, king in ((black, "K"), (white, "k")) if black < white else ((white, "k"), (black, "K")):
            if square < SQUARES:
                cells.insert(square, king)
        board = "/".join(["".join(cells[squares]) for squares in _ROWS])
        for ones, digit in _EMPTY_RUNS:
            board = board.replace(ones, digit)
        hands, boxless = self._spare(bits[at:BITS], board.upper())
        return Unpacked(f"{board} {'bw'[turn]} {hands}", boxless)

    def _spare(self, bits: str, board: str) -> tuple[str, bool]:
        """The hands out of the bits behind the board, as SFEN, and whether the box was left out."""
        codes = self.spare_codes.findall(bits)
        men = [*map(self.spare_of.__getitem__, codes)]
        every = board + "".join(men).upper()
        boxless = False
        if "" in men or every.count("P") > FULL_SET[PAWN]:
            kept = self._before_zeros(codes, bits, board)
            boxless = kept < len(codes)
            del men[kept:]
            if "" in men:
                left = len(bits) - len("".join(codes[:men.index("")]))
                raise PackedError(f"the last {left} bits are no man in a hand or the box")
            every = board + "".join(men).upper()
        for letter, count in zip(_SET, map(every.count, _SET), strict=True):
            if count > _SET[letter]:
                raise PackedError(f"there are {count} men of the kind {KIND_NAMES[KINDS[letter]]}, not {_SET[letter]}")
        text = ""
        if men:
            for letter, count in zip(_IN_HAND, map(men.count, _IN_HAND), strict=True):
                if count:
                    text += (str(count) if count > 1 else "") + letter
        return text or "-", boxless

    def _before_zeros(self, codes: list[str], bits: str, board: str) -> int:
        """How many codes stand before a box that was left out, all of them where none was.

        A pawn in Black's hand is all zeros, but where all pawns were there already, zeros up to the end are nothing.
        """
        at, pawns, others = 0, board.count("P"), not set(board) <= _NO_OTHERS
        for index, code in enumerate(codes):
            if pawns == FULL_SET[PAWN] and others and "1" not in bits[at:]:
                return index
            man = self.spare_of[code].upper()
            if not man:
                break
            pawns += man[0] == "P"
            others = others or man[0] != "P"
            at += len(code)
        return len(codes)

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


def _pattern(codes: dict[str, str]) -> re.Pattern[str]:
    """Finds codes one behind the other, and single bits where none begins."""
    ordered = sorted(codes)
    assert not any(after.startswith(before) for before, after in pairwise(ordered)), "one code begins another"
    return re.compile("|".join([*ordered, "."]))


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
