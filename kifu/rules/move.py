"""The packed move: a proven move in one integer, and USI, its plain text.

A packed move says everything needed to play it, to take it back and to write it in any notation:

====== =============================================================================================
 0-7   target square: (file - 1) * ranks + (rank - 1), so on 9 x 9 square 1a is 0, 1b is 1, 9i is 80
 8-15  origin square; the kind where the man was dropped
16     dropped
17     promotes
18-23  the piece that moved, as it was before the move (kind, and 32 for the promoted face)
24-29  the piece that was taken, its face kept; 0 for none
30     it could have promoted, whether it did or not
31     gives check
====== =============================================================================================

The low 18 bits identify the move in its position; the rest is known about it.
"""
from __future__ import annotations

import re

from kifu.movetext import BISHOP, DROP, GOLD, KING, KIND_FIELD, KNIGHT, LANCE, PAWN, PROMOTE, ROOK, SILVER, pack

TARGET_FIELD = 0xFF
ORIGIN_SHIFT = 8
DROPPED = 1 << 16
PROMOTES = 1 << 17
IDENTITY = (1 << 18) - 1
PIECE_SHIFT = 18
TAKEN_SHIFT = 24
PIECE_FIELD = 0x3F
COULD_PROMOTE = 1 << 30
GIVES_CHECK = 1 << 31

#: What a move text got wrong without harm; the resolver notes it beside the move (see `kifu.rules.resolve`).
FLAG_SIDE, FLAG_CAPTURE_MISSING, FLAG_CAPTURE_WRONG, FLAG_PROMOTION_SUPPLIED = 1, 2, 4, 8
FLAG_ORIGIN_SUPPLIED, FLAG_BY_LEGALITY, FLAG_SAME = 16, 32, 64

LETTERS = {PAWN: "P", LANCE: "L", KNIGHT: "N", SILVER: "S", GOLD: "G", BISHOP: "B", ROOK: "R", KING: "K"}
KINDS = {letter: kind for kind, letter in LETTERS.items()}

_USI = re.compile(r"(?:([A-Z])\*|(1[0-2]|[1-9])([a-l]))(1[0-2]|[1-9])([a-l])(\+?)")


def target(move: int) -> int:
    """The target square."""
    return move & TARGET_FIELD


def origin(move: int) -> int:
    """The origin square; -1 for a drop."""
    return -1 if move & DROPPED else move >> ORIGIN_SHIFT & TARGET_FIELD


def piece(move: int) -> int:
    """The piece that moved, as it was before."""
    return move >> PIECE_SHIFT & PIECE_FIELD


def taken(move: int) -> int:
    """The piece taken, 0 for none."""
    return move >> TAKEN_SHIFT & PIECE_FIELD


def square(file: int, rank: int, ranks: int = 9) -> int:
    """The number of a square; files and ranks count from 1."""
    return (file - 1) * ranks + rank - 1


def square_name(number: int, ranks: int = 9) -> str:
    """A square as USI and western text write it.

    >>> square_name(0), square_name(80)
    ('1a', '9i')
    """
    return f"{number // ranks + 1}{chr(97 + number % ranks)}"


def usi(move: int, ranks: int = 9) -> str:
    """A packed move as USI text: ``7g7f``, ``8h2b+``, ``P*5e``."""
    to = square_name(move & TARGET_FIELD, ranks)
    if move & DROPPED:
        return f"{LETTERS[move >> ORIGIN_SHIFT & KIND_FIELD]}*{to}"
    return square_name(move >> ORIGIN_SHIFT & TARGET_FIELD, ranks) + to + ("+" if move & PROMOTES else "")


def from_usi(text: str) -> int:
    """USI text as a move text (see `kifu.movetext`). Raises ValueError where the text is no move at all.

    >>> from_usi("7g7f") == pack(to=(7, 6), origin=(7, 7))
    True
    """
    match = _USI.fullmatch(text)
    if match is None or (match[1] and (match[6] or match[1] not in KINDS)):
        raise ValueError(f"{text!r} is not a move in USI text such as 7g7f, 8h2b+ or P*5e")
    letter, file, rank, to_file, to_rank, plus = match.groups()
    to = (int(to_file), ord(to_rank) - 96)
    if letter:
        return pack(to=to, piece=KINDS[letter], flags=DROP)
    return pack(to=to, origin=(int(file), ord(rank) - 96), flags=PROMOTE if plus else 0)
