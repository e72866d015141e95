"""How one move is spelled, apart from how a game file is built.

Western (Hodges) spelling: piece, origin only where another like man could legally go to the square, `-` `x` or `*`,
target, `+` promoted or `=` declined. Source: FORMATS, sections 9 and 13.2 of the project's reference.
"""
from __future__ import annotations

from kifu.movetext import PROMOTED
from kifu.notation import REGISTRY
from kifu.notation.csa_writer import csa_move
from kifu.notation.ki2_writer import ki2_move
from kifu.notation.kif_writer import kif_move
from kifu.rules.move import (
    COULD_PROMOTE, DROPPED, LETTERS, ORIGIN_SHIFT, PIECE_FIELD, PIECE_SHIFT, PROMOTES, TAKEN_SHIFT, TARGET_FIELD, usi,
)
from kifu.rules.position import Position

_RANKS = "abcdefghijkl"


def square_name(square: int, ranks: int = 9) -> str:
    """A square index as western text writes it: `7f`."""
    return f"{square // ranks + 1}{_RANKS[square % ranks]}"


def western_move(position: Position, move: int) -> str:
    """A legal move of a position, not yet played, in Hodges notation.

    >>> position = Position("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1")
    >>> western_move(position, next(move for move in position.legal_moves() if usi(move) == "4i5h"))
    'G4i-5h'
    """
    piece = move >> PIECE_SHIFT & PIECE_FIELD
    target = square_name(move & TARGET_FIELD)
    if move & DROPPED:
        return f"{LETTERS[piece & ~PROMOTED]}*{target}"
    name = ("+" if piece & PROMOTED else "") + LETTERS[piece & ~PROMOTED]
    origin = square_name(move >> ORIGIN_SHIFT & TARGET_FIELD) if position.rivals(move, True) else ""
    sign = "x" if move >> TAKEN_SHIFT & PIECE_FIELD else "-"
    mark = "+" if move & PROMOTES else "=" if move & COULD_PROMOTE else ""
    return f"{name}{origin}{sign}{target}{mark}"


def spell(position: Position, move: int, notation: str, style: str | None = None) -> str:
    """A legal move of a position in a notation: `western`, `kif`, `ki2`, `csa`, `usi`.

    ValueError where the notation spells no single moves or not in that style.
    """
    styles = REGISTRY[notation].styles if notation in REGISTRY else ()
    if style is not None and style not in styles:
        known = ", ".join(styles) or "none"
        raise ValueError(f"moves cannot be spelled in the style {style!r} of {notation}; its styles: {known}")
    if notation == "western":
        return western_move(position, move)
    if notation == "kif":
        return kif_move(move, position.last_target)
    if notation == "ki2":
        return ki2_move(position, move)
    if notation == "csa":
        return ("-" if position.turn else "+") + csa_move(move)
    if notation in ("usi", "sfen"):
        return usi(move)
    raise ValueError(f"moves cannot be spelled in {notation!r}; known are western, kif, ki2, csa, usi")
