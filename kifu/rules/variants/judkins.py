"""Judkins shogi: six files and ranks, the men of shogi without the lance. Paul Judkins, before 1998."""
from __future__ import annotations

from kifu.rules.ruleset import Ruleset
from kifu.rules.variants.shogi import kanji, some

RULES = Ruleset(
    key="judkins",
    name="Judkins shogi",
    files=6,
    ranks=6,
    initial="rbnsgk/5p/6/6/P5/KGSNBR b - 1",
    kinds=some("PNSGBRK", men=2),
    zone=2,
    hand_order="RBGSNP",
    western={"+P": "+P T", "+B": "+B H", "+R": "+R D"},
    key_number=3,
    source="Fairy-Stockfish",
    ja="ジャドケンス将棋",
    kanji=kanji("PNSGBRK"),
)
