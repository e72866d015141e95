"""Micro shogi: four files, five ranks, and a man turns over whenever it takes. Kerry Handscomb.

The faces are those of Fairy-Stockfish: pawn and knight, rook and gold, lance and silver, bishop and tokin.
"""
from __future__ import annotations

from kifu.rules.ruleset import EACH_CAPTURE, EITHER_FACE, Kind, Ruleset
from kifu.rules.variants.shogi import KANJI, KING_KIND, LIKE_GOLD, WAYS

RULES = Ruleset(
    key="micro",
    name="micro shogi",
    files=4,
    ranks=5,
    initial="kb+r+l/p3/4/3P/+L+RBK b - 1",
    kinds=(
        Kind(1, "P", "pawn", WAYS["P"], WAYS["N"], "knight", men=2),
        Kind(2, "L", "lance", WAYS["L"], WAYS["S"], "silver", men=2),
        Kind(6, "B", "bishop", WAYS["B"], LIKE_GOLD, "tokin", men=2),
        Kind(7, "R", "rook", WAYS["R"], LIKE_GOLD, "gold", men=2),
        KING_KIND,
    ),
    zone=0,
    hand_order="RBLP",
    western={"+P": "N", "+R": "G", "+L": "S", "+B": "T"},
    key_number=2,
    promotion=EACH_CAPTURE,
    drops=EITHER_FACE,
    source="Fairy-Stockfish",
    ja="マイクロ将棋",
    ja_others=("五分摩訶将棋",),
    kanji={"P": KANJI["P"], "+P": KANJI["N"], "L": KANJI["L"], "+L": KANJI["S"], "B": KANJI["B"], "+B": KANJI["+P"],
           "R": KANJI["R"], "+R": KANJI["G"], "K": KANJI["K"]},
)
