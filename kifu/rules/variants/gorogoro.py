"""Goro-goro shogi: five files, six ranks, a game to teach with: kings, golds, silvers and pawns."""
from __future__ import annotations

from kifu.rules.ruleset import Ruleset
from kifu.rules.variants.shogi import kanji, some

RULES = Ruleset(
    key="gorogoro",
    name="goro-goro shogi",
    files=5,
    ranks=6,
    initial="sgkgs/5/1ppp1/1PPP1/5/SGKGS b - 1",
    kinds=some("PSGK", P=6, S=4, G=4),
    zone=2,
    hand_order="GSP",
    western={"+P": "+P T"},
    key_number=4,
    source="the Japan Shogi Association's game, as in Fairy-Stockfish",
    ja="ごろごろ将棋",
    ja_others=("ごろごろどうぶつしょうぎ",),
    kanji=kanji("PSGK"),
)
