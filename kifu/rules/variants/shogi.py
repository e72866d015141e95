"""Standard shogi."""
from __future__ import annotations

from kifu.movetext import BISHOP, GOLD, KING, KNIGHT, LANCE, PAWN, ROOK, SILVER
from kifu.rules.ruleset import (
    AHEAD,
    AHEAD_LEFT,
    AHEAD_RIGHT,
    COMPASS,
    DIAGONAL,
    ORTHOGONAL,
    Kind,
    Ruleset,
    slides,
    steps,
)

LIKE_GOLD = steps(*ORTHOGONAL, AHEAD_LEFT, AHEAD_RIGHT)

KINDS = (
    Kind(PAWN, "P", "pawn", steps(AHEAD), LIKE_GOLD, "tokin",
         men=18, must_promote=1, no_drop=1, per_file=1, mates_by_drop=False),
    Kind(LANCE, "L", "lance", slides(AHEAD), LIKE_GOLD, "promoted lance", men=4, must_promote=1, no_drop=1),
    Kind(KNIGHT, "N", "knight", steps((1, -2), (-1, -2)), LIKE_GOLD, "promoted knight",
         men=4, must_promote=2, no_drop=2),
    Kind(SILVER, "S", "silver", steps(AHEAD, *DIAGONAL), LIKE_GOLD, "promoted silver", men=4),
    Kind(GOLD, "G", "gold", LIKE_GOLD, men=4),
    Kind(BISHOP, "B", "bishop", slides(*DIAGONAL), slides(*DIAGONAL) + steps(*ORTHOGONAL), "horse", men=2, points=5),
    Kind(ROOK, "R", "rook", slides(*ORTHOGONAL), slides(*ORTHOGONAL) + steps(*DIAGONAL), "dragon", men=2, points=5),
    Kind(KING, "K", "king", steps(*COMPASS), men=2, royal=True, points=0),
)

RULES = Ruleset(
    key="shogi",
    name="shogi",
    files=9,
    ranks=9,
    initial="lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    kinds=KINDS,
    zone=3,
    hand_order="RBGSNLP",
    options={"repetition": "fourth", "impasse": "agreed24"},
)
