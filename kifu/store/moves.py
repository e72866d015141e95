"""The move code: two bytes a ply, as the database keeps moves (``games.moves``, ``plies.move``, ``openings.move``).

===== ===========================================================================================================
 0-6  target square: ``(file - 1) * ranks + (rank - 1)``, on the 9x9 board 0 is 1a and 80 is 9i
 7-13 origin square; for a drop the kind of piece dropped, 1 pawn 2 lance 3 knight 4 silver 5 gold 6 bishop 7 rook
  14  the move is a drop
  15  the piece promotes
===== ===========================================================================================================

These are the low 18 bits of the packed move of `kifu.rules.move`, squeezed. Little-endian. 0 is never a move and
means "the game ended here". The macro ``usi()`` of macros.sql reads the same layout in SQL. A board of more than 127
squares does not fit; encoding one is refused.

>>> encode([60 | 59 << 8, 40 | 5 << 8 | 1 << 16]).hex()
'bc1da842'
>>> [usi(code) for code in decode(encode([60 | 59 << 8 | 1 << 17, 40 | 6 << 8 | 1 << 16]))]
['7f7g+', 'B*5e']
"""
from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable

from kifu.rules import move
from kifu.store import columns

ENCODING = "kifu-move-16 v1"
ENDED = 0

TARGET_MASK = 0x7F
ORIGIN_SHIFT = 7


def encode(moves: Iterable[int]) -> bytes:
    """The move codes of packed moves (`array('q')` or any integers), two bytes each, little-endian.

    Raises ValueError for a board of more than 127 squares.
    """
    return columns.codes(moves if isinstance(moves, array) and moves.typecode == "q" else array("q", moves))


def decode(blob: bytes) -> array[int]:
    """The codes of a ``games.moves`` blob, as `array('H')`."""
    codes = array("H", blob)
    if sys.byteorder == "big":
        codes.byteswap()
    return codes


def packed(code: int) -> int:
    """The low 18 bits of the packed move (`kifu.rules.move`) that a code stands for; they identify the move."""
    return (code & TARGET_MASK | (code >> ORIGIN_SHIFT & TARGET_MASK) << 8 | (code >> 14 & 3) << 16)


def usi(code: int, ranks: int = 9) -> str:
    """The USI text of a code; ``ranks`` is the height of the board. The end of a game (0) is an empty text."""
    return move.usi(packed(code), ranks) if code != ENDED else ""
