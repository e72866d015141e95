"""Minishogi: five files and ranks, the men of shogi without lance and knight. Shigenobu Kusumoto, 1970.

Repetition is not in our sources: the default is the rule of shogi. lishogi and Fairy-Stockfish let White win instead.
"""
from __future__ import annotations

from kifu.rules.ruleset import FOURTH, FOURTH_SECOND_WINS, Handicap, Ruleset
from kifu.rules.variants.shogi import kanji, some

_REST = "4p/5/P4/KGSBR w - 1"

RULES = Ruleset(
    key="minishogi",
    name="minishogi",
    files=5,
    ranks=5,
    initial="rbsgk/4p/5/P4/KGSBR b - 1",
    kinds=some("PSGBRK", men=2),
    zone=1,
    hand_order="RBGSP",
    western={"+P": "+P T", "+B": "+B H", "+R": "+R D"},
    key_number=1,
    repetition=(FOURTH, FOURTH_SECOND_WINS),
    handicaps=(  # lishogi's
        Handicap("bishop", "角落ち", "bishop", f"r1sgk/{_REST}"),
        Handicap("rook", "飛車落ち", "rook", f"1bsgk/{_REST}"),
        Handicap("2-piece", "二枚落ち", "two pieces", f"2sgk/{_REST}"),
        Handicap("3-piece", "三枚落ち", "three pieces", f"3gk/{_REST}"),
        Handicap("4-piece", "四枚落ち", "four pieces", f"4k/{_REST}"),
    ),
    source="the moves: Fairy-Stockfish, lishogi; the handicaps: lishogi",
    ja="5五将棋",
    ja_others=("五々将棋", "5五", "五々"),  # as lishogi reads them; digits of either width are one
    kanji=kanji("PSGBRK"),
)
