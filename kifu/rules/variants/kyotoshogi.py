"""Kyoto shogi: five files and ranks, and a man turns over with every move. Tamiya Katsuya, 1976."""
from __future__ import annotations

from kifu.rules.ruleset import EACH_MOVE, EITHER_FACE, Handicap, Kind, Ruleset
from kifu.rules.variants.shogi import KANJI, KING_KIND, LIKE_GOLD, WAYS

_REST = "5/5/5/+LSK+NP w - 1"

RULES = Ruleset(
    key="kyotoshogi",
    name="kyoto shogi",
    files=5,
    ranks=5,
    initial="p+nks+l/5/5/5/+LSK+NP b - 1",
    kinds=(
        Kind(1, "P", "pawn", WAYS["P"], WAYS["R"], "rook", men=2),
        Kind(2, "L", "lance", WAYS["L"], LIKE_GOLD, "tokin", men=2),
        Kind(3, "N", "knight", WAYS["N"], LIKE_GOLD, "gold", men=2),
        Kind(4, "S", "silver", WAYS["S"], WAYS["B"], "bishop", men=2),
        KING_KIND,
    ),
    zone=0,
    hand_order="LSNP",
    western={"+P": "R", "+L": "T", "+N": "G", "+S": "B"},  # lishogi's
    key_number=6,
    promotion=EACH_MOVE,
    drops=EITHER_FACE,
    handicaps=(  # lishogi's
        Handicap("tokin", "と落ち", "tokin", f"p+nks1/{_REST}"),
        Handicap("silver", "銀落ち", "silver", f"p+nk1+l/{_REST}"),
        Handicap("pawn", "歩落ち", "pawn", f"1+nks+l/{_REST}"),
        Handicap("gold", "金落ち", "gold", f"p1ks+l/{_REST}"),
        Handicap("2-piece", "二枚落ち", "pawn and tokin", f"1+nks1/{_REST}"),
        Handicap("3-piece", "三枚落ち", "pawn, silver and tokin", f"1+nk2/{_REST}"),
        Handicap("naked-king", "裸玉", "naked king", f"2k2/{_REST}"),
    ),
    source="the moves: Fairy-Stockfish, lishogi; the handicaps: lishogi",
    ja="京都将棋",
    ja_others=("京都",),
    kanji={"P": KANJI["P"], "+P": KANJI["R"], "L": KANJI["L"], "+L": KANJI["+P"], "N": KANJI["N"], "+N": KANJI["G"],
           "S": KANJI["S"], "+S": KANJI["B"], "K": KANJI["K"]},
)
