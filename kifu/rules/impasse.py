"""Impasse (jishogi): the points of both sides, and what a declaration or an agreement is worth.

Rooks and bishops count 5, promoted or not, all other men 1, kings nothing. Three ways of deciding:

* ``agreed24``: both sides agree that nobody can win; all men on board and in hand count; who has less than 24 has lost
* ``declare27``: the side to move declares; its king and ten more men stand in the zone, it is not in check, and its
  men in the zone and in hand count 28 (Black) or 27 (White): it has won; a wrong claim loses
* ``declare24``: the same, with 31 points it has won, with 24 to 30 it is drawn
"""
from __future__ import annotations

from kifu._tuples import NamedTuple
from kifu.ends import BLACK, DRAW, WHITE
from kifu.movetext import KIND_FIELD
from kifu.rules.position import Position

RULES = ("agreed24", "declare27", "declare24")
LEAST_MEN_IN_ZONE = 10
NEEDED_27 = (28, 27)  # Black, White
SIDES = (BLACK, WHITE)


class Points(NamedTuple):
    """What one side has: points of all its men, points of those in the zone and in hand, and who stands in the zone."""

    all: int
    zone_and_hand: int
    men_in_zone: int  # the king not counted
    king_in_zone: bool


def points(position: Position, colour: int, more: int = 0) -> Points:
    """The points of a side. ``more`` is added to both counts: in handicap games the men removed count as White's."""
    rules = position.rules
    everything = zone = more
    men, king = 0, False
    for square in range(rules.files * rules.ranks):
        value = position.man(square)
        if not value or value >> 6 != colour:
            continue
        kind = rules.by_number[value & KIND_FIELD]
        rank = square % rules.ranks
        inside = rank < rules.zone if colour == 0 else rank >= rules.ranks - rules.zone
        everything += kind.points
        if inside and kind.royal:
            king = True
        elif inside:
            zone += kind.points
            men += 1
    held = sum(kind.points * position.hand(colour, kind.number) for kind in rules.kinds)
    return Points(everything + held, zone + held, men, king)


def missing_points(position: Position) -> int:
    """The points of the men of a full set that are neither on the board nor in a hand."""
    rules = position.rules
    full = sum(kind.men * kind.points for kind in rules.kinds)
    return full - points(position, 0).all - points(position, 1).all


def agreed(position: Position, more_for_white: int = 0) -> str:
    """Who has won when both sides agree to count: ``black``, ``white`` or ``draw`` (also where both lack points)."""
    short = [points(position, 0).all < 24, points(position, 1, more_for_white).all < 24]
    if short[0] == short[1]:
        return DRAW
    return WHITE if short[0] else BLACK


def declaration(position: Position, rule: str = "declare27", more_for_white: int = 0) -> str:
    """What it is worth if the side to move declares: ``win``, ``draw`` or ``invalid`` (it loses).

    With ``agreed24`` nobody declares: ``win`` where the side to move wins the count, ``draw``, ``invalid`` where it
    loses it. Raises ValueError for an unknown rule, and for a kind of shogi that counts no points.
    """
    if rule not in RULES:
        raise ValueError(f"{rule!r} is no impasse rule; known: {', '.join(RULES)}")
    if "impasse" not in position.rules.options:
        raise ValueError(f"{position.rules.name} counts no points at an impasse")
    turn = position.turn
    if rule == "agreed24":
        winner = agreed(position, more_for_white)
        return "draw" if winner == DRAW else "win" if winner == SIDES[turn] else "invalid"
    own = points(position, turn, more_for_white if turn else 0)
    if not own.king_in_zone or own.men_in_zone < LEAST_MEN_IN_ZONE or position.is_check():
        return "invalid"
    if rule == "declare27":
        return "win" if own.zone_and_hand >= NEEDED_27[turn] else "invalid"
    if own.zone_and_hand >= 31:
        return "win"
    return "draw" if own.zone_and_hand >= 24 else "invalid"
