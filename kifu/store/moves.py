"""The move codes: moves as the database keeps them (``games.moves``, ``plies.move``, ``openings.move``).

Ordinary shogi has two bytes a ply, the low 18 bits of the packed move of `kifu.rules.move`, squeezed:

===== ===========================================================================================================
 0-6  target square: ``(file - 1) * 9 + (rank - 1)``; 0 is 1a and 80 is 9i
 7-13 origin square; for a drop the kind of piece dropped, 1 pawn 2 lance 3 knight 4 silver 5 gold 6 bishop 7 rook
  14  the move is a drop
  15  the piece promotes
===== ===========================================================================================================

Every other kind of shogi has four bytes a ply, which say all that USI does. Files and ranks stand in them as such, so
that nobody needs to know the board to read them:

===== ===========================================================================================================
 0-7  target square: its file in the low four bits, its rank in the high ones, both from 1
  8   the move is a drop
  9   the piece turns over
 10   it turns back to its plain face (only together with bit 9)
11-13 0
14-15 both 1, which no code of two bytes has: nothing is dropped and promoted in one move
16-23 origin square; for a drop the piece dropped (`kifu.movetext.NUMBERS`), and 32 for the promoted face
24-31 the square on the way of a piece that moves twice in one turn, else 0
===== ===========================================================================================================

Both are little-endian, and 0 is never a move and means "the game ended here". Bits 14 and 15 tell the two layouts apart,
in a single code as in a whole ``games.moves``: of one game all codes have the same width. The macros ``usi()`` and
``move_codes()`` of macros.sql read the same layouts in SQL.

>>> encode([60 | 59 << 8, 40 | 5 << 8 | 1 << 16]).hex()
'bc1da842'
>>> [usi(code) for code in decode(encode([60 | 59 << 8 | 1 << 17, 40 | 6 << 8 | 1 << 16]))]
['7f7g+', 'B*5e']
>>> [usi(code) for code in decode(encode([3 | 4 << 8], "minishogi"))]
['1e1d']
"""
from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable

from kifu.movetext import KIND_FIELD, NUMBERS, PROMOTED
from kifu.rules import move
from kifu.rules.move import from_usi
from kifu.rules.variants import RULESETS
from kifu.store import columns

ENCODING = "kifu-move-16 v1"
ENDED = 0

TARGET_MASK = 0x7F
ORIGIN_SHIFT = 7

#: The kind of shogi whose moves take two bytes.
NARROW = "shogi"
#: The bits that every code of four bytes has, and none of two.
WIDE = 0xC000
_DROPPED, _TURNS, _BACK = 1 << 8, 1 << 9, 1 << 10
_WIDE_ORIGIN, _WIDE_VIA = 16, 24
_LETTERS = {number: letter for letter, number in NUMBERS.items()}


def encode(moves: Iterable[int], variant: str = NARROW) -> bytes:
    """The move codes of packed moves (`array('q')` or any integers) of a kind of shogi, little-endian.

    Raises ValueError for moves that the codes of the kind do not hold, KeyError for a kind that is not known.
    """
    given = moves if isinstance(moves, array) and moves.typecode == "q" else array("q", moves)
    return columns.codes(given) if variant == NARROW else columns.wide_codes(given, RULESETS[variant].ranks)


def width(variant: str) -> int:
    """How many bytes a move of a kind of shogi takes."""
    return 2 if variant == NARROW else 4


def is_wide(code: int) -> bool:
    """Whether a code is one of four bytes."""
    return code & WIDE == WIDE


def decode(blob: bytes) -> array[int]:
    """The codes of a ``games.moves`` blob, as `array('H')` or, where they take four bytes, as `array('I')`.

    Raises ValueError where its length is no whole number of codes. A blob whose codes are damaged may be taken for one of
    the other width.
    """
    codes = array("I" if len(blob) % 4 == 0 and blob[1:2] >= b"\xc0" else "H", blob)
    if sys.byteorder == "big":
        codes.byteswap()
    return codes


def packed(code: int, ranks: int = 9) -> int:
    """What identifies the packed move (`kifu.rules.move`) that a code stands for: its low 18 bits, and the square on
    the way. ``ranks`` is the height of the board."""
    if not is_wide(code):
        return code & TARGET_MASK | (code >> ORIGIN_SHIFT & TARGET_MASK) << 8 | (code >> 14 & 3) << 16
    origin = code >> _WIDE_ORIGIN & 0xFF if code & _DROPPED else _square(code >> _WIDE_ORIGIN, ranks)
    on_way = _square(code >> _WIDE_VIA, ranks) + 1 if code >> _WIDE_VIA else 0
    return _square(code, ranks) | origin << move.ORIGIN_SHIFT | (code >> 8 & 3) << 16 | on_way << move.VIA_SHIFT


def usi(code: int, ranks: int = 9) -> str:
    """The USI text of a code; the end of a game (0) is an empty text.

    ``ranks`` is the height of the board, which codes of four bytes know nothing of and need not know.
    """
    if not is_wide(code):
        return move.usi(packed(code), ranks) if code != ENDED else ""
    to = _name(code)
    if code & _DROPPED:
        man = code >> _WIDE_ORIGIN & 0xFF
        return f"{'+' if man & PROMOTED else ''}{_LETTERS[man & KIND_FIELD]}*{to}"
    start, on_way = _name(code >> _WIDE_ORIGIN), _name(code >> _WIDE_VIA) if code >> _WIDE_VIA else ""
    return start + on_way + to + (("-" if code & _BACK else "+") if code & _TURNS else "")


def text(code: int) -> int:
    """The move text (`kifu.movetext`) of a code. Raises ValueError for one that is no move.

    Codes of two bytes are read on the board of ordinary shogi.

    >>> text(7739) == from_usi("7g7f")
    True
    """
    if code > 0xFFFF and not is_wide(code):
        raise ValueError(f"{code} is no move code")
    try:
        return from_usi(usi(code))
    except KeyError:  # there is no such piece
        raise ValueError(f"{code} is no move code") from None


class _Texts(dict[int, int]):
    """Codes as move texts, each worked out when it is first met."""

    def __missing__(self, code: int) -> int:
        if len(self) >= _MOST_TEXTS:
            self.clear()
        found = self[code] = text(code)
        return found


_MOST_TEXTS = 1 << 17
_texts = _Texts()


def texts(codes: Iterable[int]) -> array[int]:
    """The move texts of codes. Raises ValueError where one of them is no move."""
    return array("q", map(_texts.__getitem__, codes))


def _square(code: int, ranks: int) -> int:
    """A square of a code of four bytes as the number that it has in packed moves."""
    return ((code & 15) - 1) * ranks + (code >> 4 & 15) - 1


def _name(code: int) -> str:
    return f"{code & 15}{chr(96 + (code >> 4 & 15))}"
