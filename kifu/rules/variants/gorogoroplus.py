"""Goro-goro plus: goro-goro shogi with a lance and a knight in each hand from the start."""
from __future__ import annotations

from kifu.rules.ruleset import Ruleset
from kifu.rules.variants.shogi import kanji, some

RULES = Ruleset(
    key="gorogoroplus",
    name="goro-goro plus",
    files=5,
    ranks=6,
    initial="sgkgs/5/1ppp1/1PPP1/5/SGKGS b LNln 1",
    kinds=some("PLNSGK", P=6, S=4, G=4, L=2, N=2),
    zone=2,
    hand_order="GSNLP",
    western={"+P": "+P T"},
    key_number=5,
    source="the game of PyChess and lishogi, as in Fairy-Stockfish",
    ja="ごろごろ将棋プラス",
    kanji=kanji("PLNSGK"),
)
