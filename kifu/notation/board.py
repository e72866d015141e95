"""A start position as the notations write it, square by square, turned into SFEN and back.

Cells are numbers as `kifu.notation.assemble` packs them: the piece, 64 added where it is White's. Squares are
(file, rank) from 1.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from kifu.ends import BLACK, WHITE
from kifu.movetext import BISHOP, GOLD, KIND_FIELD, KING, KNIGHT, LANCE, PAWN, PROMOTED, ROOK, SILVER, piece_name
from kifu.notation.meanings import CELL_BITS, CELL_WHITE

LETTERS = {PAWN: "P", LANCE: "L", KNIGHT: "N", SILVER: "S", GOLD: "G", BISHOP: "B", ROOK: "R", KING: "K"}
KINDS = {letter: kind for kind, letter in LETTERS.items()}
#: The order in which SFEN lists a hand.
HAND_ORDER = (ROOK, BISHOP, GOLD, SILVER, KNIGHT, LANCE, PAWN)
#: How many men of each kind a set has.
FULL_SET = {PAWN: 18, LANCE: 4, KNIGHT: 4, SILVER: 4, GOLD: 4, BISHOP: 2, ROOK: 2}
EVEN = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL"
PROMOTABLE = frozenset({PAWN, LANCE, KNIGHT, SILVER, BISHOP, ROOK})


class BoardError(ValueError):
    """A board that cannot be, with the reason in words."""


def unpack_row(value: int, width: int = 9) -> list[int]:
    """The cells of a packed row, file 9 first."""
    return [value >> (CELL_BITS * i) & 127 for i in range(width)]


@lru_cache(maxsize=4096)
def row_sfen(value: int) -> str:
    """One packed row as SFEN.

    >>> row_sfen(0)
    '9'
    """
    text, empty = "", 0
    for cell in unpack_row(value):
        if not cell:
            empty += 1
            continue
        text += (str(empty) if empty else "") + cell_sfen(cell)
        empty = 0
    return text + (str(empty) if empty else "")


@lru_cache(maxsize=1024)
def rows_sfen(rows: tuple[tuple[int, int], ...]) -> str:
    """A board as SFEN from pairs of rank and packed row; ranks that are not given are empty."""
    given = dict(rows)
    return "/".join([row_sfen(given.get(rank, 0)) for rank in range(1, 10)])


def cell_sfen(cell: int) -> str:
    """One man as SFEN: ``+p`` is White's tokin."""
    letter = LETTERS[cell & KIND_FIELD]
    return ("+" if cell & PROMOTED else "") + (letter.lower() if cell & CELL_WHITE else letter)


@lru_cache(maxsize=512)
def surplus(sfen: str) -> str:
    """The men of a position that no set has, in words; "" where one set is enough.

    >>> surplus("4k4/9/9/9/9/9/9/9/4K4 b 3R 1")
    '3 rooks'
    """
    board, _, _ = read_sfen(sfen)
    counts = Counter(cell & KIND_FIELD for cell in board.squares.values())
    for hand in board.hands.values():
        counts.update(hand)
    return ", ".join(f"{counts[kind]} {piece_name(kind)}s" for kind, total in FULL_SET.items() if counts[kind] > total)


class Board:
    """A position under construction: squares, hands, side to move."""

    def __init__(self, board: str = "9/9/9/9/9/9/9/9/9") -> None:
        self.squares: dict[tuple[int, int], int] = {}
        self.hands: dict[str, dict[int, int]] = {BLACK: {}, WHITE: {}}
        for rank, row in enumerate(board.split("/"), 1):
            file, face = 9, 0
            for char in row:
                if char == "+":
                    face = PROMOTED
                elif char.isdigit():
                    file -= int(char)
                else:
                    self.squares[file, rank] = KINDS[char.upper()] | face | (CELL_WHITE if char.islower() else 0)
                    file, face = file - 1, 0

    def place(self, side: str, file: int, rank: int, piece: int) -> None:
        """Put a man on a square; BoardError where one stands there already."""
        if (file, rank) in self.squares:
            raise BoardError(f"two pieces on {file}{rank}")
        self.squares[file, rank] = piece | (CELL_WHITE if side == WHITE else 0)

    def set_row(self, rank: int, value: int) -> None:
        """Fill a rank from a packed row."""
        for index, cell in enumerate(unpack_row(value)):
            if cell:
                self.squares[9 - index, rank] = cell

    def hold(self, side: str, piece: int, count: int = 1) -> None:
        """Put men into a hand."""
        if piece & PROMOTED or piece not in FULL_SET:
            raise BoardError("a hand holds neither kings nor promoted pieces")
        hand = self.hands[side]
        hand[piece] = hand.get(piece, 0) + count

    def hold_rest(self, side: str) -> None:
        """Put every man of the set that is not placed yet into a hand, kings excepted."""
        used = [cell & KIND_FIELD for cell in self.squares.values()]
        for kind, total in FULL_SET.items():
            rest = total - used.count(kind) - sum(hand.get(kind, 0) for hand in self.hands.values())
            if rest > 0:
                self.hold(side, kind, rest)

    def sfen(self, turn: str, number: int = 1) -> str:
        """The position as SFEN with four fields."""
        rows = []
        for rank in range(1, 10):
            value = 0
            for index in range(9):
                value |= self.squares.get((9 - index, rank), 0) << (CELL_BITS * index)
            rows.append(row_sfen(value))
        return f"{'/'.join(rows)} {turn[0]} {self.hand_text()} {number}"

    def hand_text(self) -> str:
        """Both hands as SFEN writes them, ``-`` where they are empty."""
        text = ""
        for side in (BLACK, WHITE):
            for kind in HAND_ORDER:
                count = self.hands[side].get(kind, 0)
                letter = LETTERS[kind] if side == BLACK else LETTERS[kind].lower()
                if count:
                    text += (str(count) if count > 1 else "") + letter
        return text or "-"


def read_sfen(sfen: str) -> tuple[Board, str, int]:
    """An SFEN as a `Board`, its side to move and its move number. The SFEN must be a proven one."""
    fields = sfen.split()
    board = Board(fields[0])
    count = ""
    for char in fields[2] if len(fields) > 2 and fields[2] != "-" else "":
        if char.isdigit():
            count += char
        else:
            board.hold(WHITE if char.islower() else BLACK, KINDS[char.upper()], int(count or "1"))
            count = ""
    return board, WHITE if fields[1] == "w" else BLACK, int(fields[3]) if len(fields) > 3 else 1


def rows(board: Board) -> Iterator[list[int]]:
    """The cells of a board rank by rank, file 9 first; 0 is an empty square."""
    for rank in range(1, 10):
        yield [board.squares.get((file, rank), 0) for file in range(9, 0, -1)]
