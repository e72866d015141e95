"""The styles of western text: how one move is spelled, apart from how a game file is built.

Four are in use: Hodges (`P-7f`), its numeric form (`P-76`, lishogi's "western"), Hosking (`P76`) and Kitao-Kawasaki
(`歩-76`). Two more write Hodges notation with the names of the children's animal set for letters, in English
(`Chick-7f`) and Czech (`Kuře-7f`). `names` is Hodges notation with the names that other kinds of shogi have for men
(`Sw-4c` in tori shogi, see `kifu.notation.western_names`); ordinary shogi has none but the letters. All name the piece,
the origin only where another like man could go to the square, the capture, the target, and `+` promoted or `=`
declined. Source: FORMATS, sections 9.1, 13.2 and 13.3 of the project's reference. The compiled writer of games
(`kifu.notation.spelling.WesternPage`) follows the same tables.
"""
from __future__ import annotations

from typing import NamedTuple

from kifu.movetext import BISHOP, GOLD, KING, KNIGHT, LANCE, PAWN, PROMOTED, ROOK, SILVER
from kifu.rules.move import (
    COULD_PROMOTE, DROPPED, LETTERS, ORIGIN_SHIFT, PIECE_FIELD, PIECE_SHIFT, PROMOTES, TAKEN_SHIFT, TARGET_FIELD,
)
from kifu.rules.position import Position

_RANKS = "abcdefghijkl"
_LETTER_NAMES = {**LETTERS, **{kind | PROMOTED: f"+{letter}" for kind, letter in LETTERS.items()}}
_KANJI_NAMES = {
    PAWN: "歩", LANCE: "香", KNIGHT: "桂", SILVER: "銀", GOLD: "金", BISHOP: "角", ROOK: "飛", KING: "玉",
    PAWN | PROMOTED: "と", LANCE | PROMOTED: "+香", KNIGHT | PROMOTED: "+桂", SILVER | PROMOTED: "+銀",
    BISHOP | PROMOTED: "馬", ROOK | PROMOTED: "龍",
}
_KINDS = (PAWN, LANCE, KNIGHT, SILVER, GOLD, BISHOP, ROOK, KING)


def _animals(hen: str, *names: str) -> dict[int, str]:
    """The names of the animals, in the order of the kinds; `kifu/draw/sets/animals.toml` says where they are from."""
    plain = dict(zip(_KINDS, names, strict=True))
    return {**plain, **{kind | PROMOTED: f"+{name}" for kind, name in plain.items()}, PAWN | PROMOTED: hen}


class Style(NamedTuple):
    """A way to spell moves.

    ``names`` of the pieces; ``letters`` for ranks (`7f`) or digits (`76`); whether a ``hyphen`` stands where no origin
    does; the sign of a ``drop``; ``brackets`` around the origin; whether ``pinned`` men count as rivals; whether a move
    that ``recaptures`` on the square of the move before goes without it.
    """

    names: dict[int, str]
    letters: bool
    hyphen: bool
    drop: str
    brackets: bool
    pinned: bool
    recaptures: bool


HODGES, NAMES = "hodges", "names"
STYLES = {
    HODGES: Style(_LETTER_NAMES, True, True, "*", False, False, False),
    NAMES: Style(_LETTER_NAMES, True, True, "*", False, False, False),  # other kinds of shogi have names for men
    "numeric": Style(_LETTER_NAMES, False, True, "*", False, False, False),
    "hosking": Style(_LETTER_NAMES, False, False, "'", False, False, False),
    "kitao-kawasaki": Style(_KANJI_NAMES, False, True, "*", True, True, True),  # pinned rivals count: as lishogi writes
    "animals": Style(_animals("Hen", "Chick", "Boar", "Rabbit", "Cat", "Dog", "Elephant", "Giraffe", "Lion"),
                     True, True, "*", False, False, False),
    "animals-cs": Style(_animals("Slepice", "Kuře", "Prase", "Králík", "Kočka", "Pes", "Slon", "Žirafa", "Lev"),
                        True, True, "*", False, False, False),
}


def square_name(square: int, letters: bool = True, ranks: int = 9) -> str:
    """A square index as western text writes it: `7f`, or `76` without letters."""
    file, rank = divmod(square, ranks)
    return f"{file + 1}{_RANKS[rank] if letters else rank + 1}"


def western_move(position: Position, move: int, style: str = HODGES) -> str:
    """A legal move of a position, not yet played, in one of the `STYLES`. ValueError where the style cannot spell moves
    of the kind of shogi.

    >>> from kifu.rules.move import usi
    >>> position = Position("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1")
    >>> move = next(move for move in position.legal_moves() if usi(move) == "4i5h")
    >>> [western_move(position, move, style) for style in STYLES]
    ['G4i-5h', 'G4i-5h', 'G49-58', 'G49-58', '金(49)-58', 'Dog4i-5h', 'Pes4i-5h']
    """
    if position.rules.key != "shogi":
        from kifu.notation.western_names import spelled, why_not

        if refused := why_not(style, position.rules):
            raise ValueError(refused)
        return spelled(position, move, style)
    names, letters, hyphen, drop, brackets, pinned, recaptures = STYLES[style]
    piece = move >> PIECE_SHIFT & PIECE_FIELD
    square = move & TARGET_FIELD
    target = square_name(square, letters)
    if move & DROPPED:
        return f"{names[piece & ~PROMOTED]}{drop}{target}"
    origin = ""
    if position.rivals(move, not pinned):
        origin = square_name(move >> ORIGIN_SHIFT & TARGET_FIELD, letters)
        if brackets:
            origin = f"({origin})"
    sign = "x" if move >> TAKEN_SHIFT & PIECE_FIELD else "-" if hyphen or origin else ""
    if recaptures and square == position.last_target:
        target = ""
    mark = "+" if move & PROMOTES else "=" if move & COULD_PROMOTE else ""
    return f"{names[piece]}{origin}{sign}{target}{mark}"
