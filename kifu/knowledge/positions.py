"""The little language in which an entry of a pattern file says what must stand: ``K2h S3h G4i !vP3d _5h``.

A text is a row of words, and all of them must hold at once. Everything is written as the side itself sees the board,
as if it played Black; the matcher turns the board for White. Squares are those of USI and western text.

============ ==========================================================================================================
``K2h``      the side's king stands on 2h. P L N S G B R K, with ``+`` for the promoted face: ``+B2b``
``R5-8h``    on one of 5h 6h 7h 8h; files and ranks may both be ranges: ``K5-9g-i``
``vP3d``     the opponent's pawn stands on 3d, the square as the side itself sees it
``_4h``      the square is empty; with ranges all of them are
``B*``       exactly one bishop in the side's hand, ``vB*`` in the opponent's; for B and R, of which there are two
``@key``     the side has reached that other entry by now, ``v@key`` the opponent has
``!``        before any of these: it is not so. ``!@key``: the entry had not been reached before this move
============ ==========================================================================================================

>>> condition = parse("K2h R5-6h !@static_rook")
>>> len(condition.alternatives), sorted(condition.barred)
(2, [('static_rook', False)])
"""
from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import product

from kifu.movetext import BISHOP, KIND_FIELD, KING, PAWN, PROMOTED, ROOK
from kifu.rules.move import KINDS, square, square_name
from kifu.rules.variants.shogi import RULES

#: No entry needs more than this many ways to stand; a slip of the pen can ask for millions.
MOST_ALTERNATIVES, MOST_WORDS = 500, 100

_MAN = re.compile(r"(!?)(v?)(\+?)([PLNSGBRK])(.*)")
_EMPTY = re.compile(r"(!?)_(.*)")
_HAND = re.compile(r"(!?)(v?)([A-Z])\*")
_KEY = re.compile(r"(!?)(v?)@([a-z0-9_]+)")
_SQUARES = re.compile(r"([1-9])(?:-([1-9]))?([a-i])(?:-([a-i]))?")
_MEN = {kind.number: kind.men for kind in RULES.kinds}
_FACES = {kind.number for kind in RULES.kinds if kind.promoted}

#: What can be asked of a board, as (what, whose, kind, square). Whose: False the side's, True the opponent's.
Atom = tuple[str, bool, int, int]
#: What must be so (True) and what must not (False), all at once.
Literals = dict[Atom, bool]


class PositionTextError(ValueError):
    """A position text that says nothing, or something that cannot be."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A position text understood: one of the alternatives stands, and other entries are reached or not.

    ``reached`` and ``barred`` hold (key, True where the opponent is meant).
    """

    alternatives: tuple[Literals, ...]
    reached: frozenset[tuple[str, bool]]
    barred: frozenset[tuple[str, bool]]


def parse(text: str) -> Condition:
    """Understand a position text. Raises `PositionTextError` with a sentence that names the word at fault."""
    choices: list[list[Literals]] = []
    reached: set[tuple[str, bool]] = set()
    barred: set[tuple[str, bool]] = set()
    words = text.split()
    if len(words) > MOST_WORDS:
        raise PositionTextError(f"it has {len(words)} words; {MOST_WORDS} are the most")
    for word in words:
        if match := _KEY.fullmatch(word):
            (barred if match[1] else reached).add((match[3], bool(match[2])))
        else:
            choices.append(_choices(word))
    if not choices and not reached:
        raise PositionTextError("it says nothing that must stand" if not barred else "it says only what must not be")
    count = 1
    for choice in choices:
        count *= len(choice)
    if count > MOST_ALTERNATIVES:
        raise PositionTextError(f"its ranges allow {count} ways to stand; {MOST_ALTERNATIVES} are the most")
    alternatives, fault = [], ""
    for chosen in product(*choices):
        joined, fault = _joined(chosen)
        if joined is not None:
            alternatives.append(joined)
    if not alternatives:
        raise PositionTextError(f"it can never stand: {fault}")
    return Condition(tuple(alternatives), frozenset(reached), frozenset(barred))


def _choices(word: str) -> list[Literals]:
    """The ways in which one word can hold."""
    if match := _HAND.fullmatch(word):
        kind = KINDS.get(match[3], 0)
        if kind not in (BISHOP, ROOK):
            raise PositionTextError(f"{word!r}: only B* and R* can be asked of a hand")
        return [{("hand", bool(match[2]), kind, 0): not match[1]}]
    if match := _EMPTY.fullmatch(word):
        empties: list[Atom] = [("empty", False, 0, place) for place in _squares(word, match[2])]
        return [dict.fromkeys(empties, True)] if not match[1] else [{atom: False} for atom in empties]
    if match := _MAN.fullmatch(word):
        kind = KINDS[match[4]]
        if match[3] and kind not in _FACES:
            raise PositionTextError(f"{word!r}: {match[4]} does not promote")
        piece = kind | PROMOTED if match[3] else kind
        men: list[Atom] = [("man", bool(match[2]), piece, place) for place in _squares(word, match[5])]
        return [{atom: True} for atom in men] if not match[1] else [dict.fromkeys(men, False)]
    raise PositionTextError(f"{word!r} is no word of a position: it wants a man and a square (K2h, vP3d, R5-8h), an "
                            "empty square (_4h), a hand (B*) or another entry (@mino)")


def _squares(word: str, text: str) -> list[int]:
    """The squares of ``2h``, ``5-8h``, ``5-9g-i``."""
    match = _SQUARES.fullmatch(text)
    if match is None:
        raise PositionTextError(f"{word!r}: {text!r} is no square; squares are 1a to 9i, ranges such as 5-8h or 5-9g-i"
                                if text else f"{word!r} names no square")
    files, ranks = (match[1], match[2] or match[1]), (match[3], match[4] or match[3])
    if files[0] > files[1] or ranks[0] > ranks[1]:
        raise PositionTextError(f"{word!r}: a range goes upwards, as in 5-8h or 5g-i")
    return [square(file, ord(rank) - 96) for file in range(int(files[0]), int(files[1]) + 1)
            for rank in map(chr, range(ord(ranks[0]), ord(ranks[1]) + 1))]


def _joined(chosen: tuple[Literals, ...]) -> tuple[Literals | None, str]:
    """All of it at once, or None and why that cannot be."""
    joined: Literals = {}
    for literals in chosen:
        for atom, wanted in literals.items():
            if joined.setdefault(atom, wanted) != wanted:
                return None, "one word says the opposite of another"
    standing = [atom for atom, wanted in joined.items() if wanted and atom[0] == "man"]
    places: set[int] = {atom[3] for atom, wanted in joined.items() if wanted and atom[0] == "empty"}
    files: set[tuple[bool, int]] = set()
    counts: dict[tuple[bool, int], int] = {}
    for _, other, piece, place in standing:
        if place in places:
            return None, f"two things are said of {square_name(place)}"
        places.add(place)
        if piece == PAWN:
            if (other, place // 9) in files:
                return None, f"two pawns on file {place // 9 + 1}"
            files.add((other, place // 9))
        kind = piece & KIND_FIELD
        whose = (other, kind) if kind == KING else (False, kind)
        counts[whose] = counts.get(whose, 0) + 1
        if counts[whose] > (1 if kind == KING else _MEN[kind]):
            name = next(one.name for one in RULES.kinds if one.number == kind)
            return None, f"more {name}s than there are"
    return joined, ""
