"""Texts that several tests read: a diagram, and branches in branches."""
from __future__ import annotations

from kifu.diagnostics import RULES, Diagnostic
from kifu.record import Game

#: Findings of the referee, who holds what a record claims to its moves; tests of how it is read make claims at will.
REFEREE = frozenset(rule.name for rule in RULES.values() if "K611" <= rule.code <= "K623")

#: A diagram: a king in the corner and a pawn that guards the square before it. The hands are to be filled in.
DIAGRAM = """後手の持駒：{white}
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
| ・ ・ ・ ・ ・ ・ ・ ・v玉|一
| ・ ・ ・ ・ ・ ・ ・ ・ ・|二
| ・ ・ ・ ・ ・ ・ ・ ・ 歩|三
| ・ ・ ・ ・ ・ ・ ・ ・ ・|四
| ・ ・ ・ ・ ・ ・ ・ ・ ・|五
| ・ ・ ・ ・ ・ ・ ・ ・ ・|六
| ・ ・ ・ ・ ・ ・ ・ ・ ・|七
| ・ ・ ・ ・ ・ ・ ・ ・ ・|八
| ・ ・ ・ ・ ・ ・ ・ ・ ・|九
+---------------------------+
先手の持駒：{black}
"""
_SHUFFLE = ("５八玉(59)", "５二玉(51)", "５九玉(58)", "５一玉(52)")


def nested_variations(count: int) -> str:
    """A KIF game of three moves with so many variations, each of three moves and continuing the one before it."""
    lines = ["手合割：平手", *(f"{ply} {_SHUFFLE[(ply - 1) % 4]}" for ply in range(1, 4))]
    for ply in range(2, count + 2):
        lines += ["", f"変化：{ply}手", *(f"{ply + i} {_SHUFFLE[(ply + i - 1) % 4]}" for i in range(3))]
    return "\n".join(lines)


def of_reading(game: Game) -> list[Diagnostic]:
    """The findings of a game but for the referee's."""
    return [one for one in game.diagnostics if one.name not in REFEREE]
