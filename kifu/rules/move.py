"""The packed move: a proven move in one integer, and USI, its plain text.

A packed move says everything needed to play it, to take it back and to write it in any notation:

====== =============================================================================================
 0-7   target square: (file - 1) * ranks + (rank - 1), so on 9 x 9 square 1a is 0, 1b is 1, 9i is 80
 8-15  origin square; the piece where the man was dropped (kind, and 32 for the promoted face up)
16     dropped
17     promotes: the man turns over (back to its plain face where it stood promoted, as in kyoto shogi)
18-23  the piece that moved, as it was before the move (kind, and 32 for the promoted face)
24-29  the piece that was taken, its face kept; 0 for none
30     it could have promoted, whether it did or not
31     gives check
32-39  one more than the square on the way, of a man that moves twice in one turn (the lion of chu); else 0
40-45  the piece that was taken there, 0 for none
====== =============================================================================================

The low 18 bits identify the move in its position, with bits 32 to 39 where men move twice; the rest is known about it.
"""
from __future__ import annotations

import re

from kifu import movetext
from kifu.movetext import DROP, KIND_FIELD, NUMBERS, PROMOTE, PROMOTED, TURN_BACK, pack
from kifu.rules.ruleset import EITHER_FACE, Ruleset

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
VIA_SHIFT = 32
VIA_FIELD = 0xFF
TAKEN_ON_WAY_SHIFT = 40

#: What a move text got wrong without harm; the resolver notes it beside the move (see `kifu.rules.resolve`).
FLAG_SIDE, FLAG_CAPTURE_MISSING, FLAG_CAPTURE_WRONG, FLAG_PROMOTION_SUPPLIED = 1, 2, 4, 8
FLAG_ORIGIN_SUPPLIED, FLAG_BY_LEGALITY, FLAG_SAME = 16, 32, 64

#: The men of standard shogi by the letters of SFEN and USI; `kifu.movetext.NUMBERS` has those of all kinds of shogi.
KINDS = {letter: NUMBERS[letter] for letter in "PLNSGBRK"}
LETTERS = {number: letter for letter, number in KINDS.items()}
_ALL_LETTERS = {number: letter for letter, number in NUMBERS.items()}

_SQUARE = r"(1[0-2]|[1-9])([a-l])"
_USI = re.compile(rf"(?:(\+?)([A-Z])\*|{_SQUARE}){_SQUARE}(?:([+-])|{_SQUARE})?")


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


def taken_on_way(move: int) -> int:
    """The piece that a man that moves twice took on the way, 0 for none."""
    return move >> TAKEN_ON_WAY_SHIFT & PIECE_FIELD


def via(move: int) -> int:
    """The square on the way of a man that moves twice in one turn; -1 where it does not."""
    return (move >> VIA_SHIFT & VIA_FIELD) - 1


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
    """A packed move as USI text: ``7g7f``, ``8h2b+``, ``P*5e``.

    Kinds of shogi where men turn back write ``7g7f-`` for that, and ``+P*3c`` for a drop with the promoted face up; a
    man that moves twice names the square on the way, ``6f5e6d``.
    """
    to = square_name(move & TARGET_FIELD, ranks)
    if move & DROPPED:
        dropped = move >> ORIGIN_SHIFT & PIECE_FIELD
        return f"{'+' if dropped & PROMOTED else ''}{_ALL_LETTERS[dropped & KIND_FIELD]}*{to}"
    start = square_name(move >> ORIGIN_SHIFT & TARGET_FIELD, ranks)
    if move >> VIA_SHIFT:
        return start + square_name(via(move), ranks) + to
    if move & PROMOTES:
        return start + to + ("-" if move >> PIECE_SHIFT & PROMOTED else "+")
    return start + to


def from_usi(text: str) -> int:
    """USI text as a move text (see `kifu.movetext`). Raises ValueError where the text is no move at all.

    >>> from_usi("7g7f") == pack(to=(7, 6), origin=(7, 7))
    True
    """
    match = _USI.fullmatch(text)
    if match is None or (match[2] and match.end(6) < len(text)):
        raise ValueError(f"{text!r} is not a move in USI text such as 7g7f, 8h2b+ or P*5e")
    plus, letter, file, rank, to_file, to_rank, sign, last_file, last_rank = match.groups()
    to = (int(to_file), ord(to_rank) - 96)
    if letter:
        return pack(to=to, piece=NUMBERS[letter] | (PROMOTED if plus else 0), flags=DROP)
    origin = (int(file), ord(rank) - 96)
    if last_file:
        return pack(to=(int(last_file), ord(last_rank) - 96), origin=origin, via=to)
    return pack(to=to, origin=origin, flags=PROMOTE | (TURN_BACK if sign == "-" else 0) if sign else 0)


def of_rules(text: str, rules: Ruleset) -> int:
    """The same for one kind of shogi. Raises ValueError also for what other kinds alone write.

    >>> from kifu.rules.variants import RULESETS
    >>> of_rules("P*3c", RULESETS["kyotoshogi"]) == from_usi("P*3c")
    True
    """
    found = from_usi(text)
    dropped = movetext.piece(found) if found & DROP else 0
    if dropped and dropped & KIND_FIELD not in rules.by_number or (
            dropped & PROMOTED and rules.drops != EITHER_FACE or found & TURN_BACK and not rules.turns_back
            or found & movetext.VIA_FIELD and not rules.moves_twice):
        raise ValueError(f"{text!r} is not a move in USI text of {rules.name}")
    return found
