"""How one move is spelled in a notation, apart from how a game file is built."""
from __future__ import annotations

from kifu.notation import REGISTRY, WRITABLE, writer
from kifu.notation.csa_writer import csa_move
from kifu.notation.ki2_writer import ki2_move
from kifu.notation.kif_boards_writer import spelled
from kifu.notation.kif_writer import kif_move
from kifu.notation.western_styles import HODGES, square_name, western_move
from kifu.notation.writing import cannot_hold
from kifu.rules.move import usi
from kifu.rules.position import Position


def spell(position: Position, move: int, notation: str, style: str | None = None) -> str:
    """A legal move of a position in a notation: `western` (or `psn`), `kif`, `ki2`, `csa`, `usi`.

    ValueError where the notation spells no single moves, or not in that style, or not of that kind of shogi.
    """
    styles = REGISTRY[notation].styles if notation in REGISTRY else ()
    if style is not None and style not in styles:
        known = ", ".join(styles) or "none"
        raise ValueError(f"moves cannot be spelled in the style {style!r} of {notation}; its styles: {known}")
    variant = position.rules.key
    if variant != "shogi" and notation in WRITABLE and not writer(notation).can_hold(variant):
        raise ValueError(cannot_hold(notation, variant))
    if notation in ("western", "psn"):
        return western_move(position, move, style or HODGES)
    if notation == "kif":
        if variant != "shogi":
            return spelled(move, position.last_target, position.rules)
        return kif_move(move, position.last_target)
    if notation == "ki2":
        return ki2_move(position, move)
    if notation == "csa":
        return ("-" if position.turn else "+") + csa_move(move)
    if notation in ("usi", "sfen"):
        return usi(move, position.rules.ranks)
    raise ValueError(f"moves cannot be spelled in {notation!r}; known are western, kif, ki2, csa, usi")


__all__ = ["spell", "square_name", "western_move"]
