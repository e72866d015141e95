"""Cannon shogi: five pawns a side, which also go sideways, and four kinds of cannons. Peter Michaelsen, 1998.

Cannons leap over exactly one man, of either side: the gold one (U) and the copper one (C) only to take, silver (A) and
iron (I) always; C and I do so diagonally. The letters are those of pychess.
"""
from __future__ import annotations

from kifu.movetext import NUMBERS, PAWN
from kifu.rules.ruleset import (
    AHEAD,
    CAPTURE_ONLY,
    DIAGONAL,
    LEFT,
    NO_CAPTURE,
    ORTHOGONAL,
    RIGHT,
    Kind,
    Ruleset,
    hops,
    only,
    slides,
    steps,
)
from kifu.rules.variants.shogi import LIKE_GOLD, kanji, some

_FLYING = (only(NO_CAPTURE, slides(*ORTHOGONAL) + steps(*DIAGONAL)) + hops(*ORTHOGONAL) + hops(*DIAGONAL, length=2))
_FLYING_DIAGONALLY = (only(NO_CAPTURE, slides(*DIAGONAL) + steps(*ORTHOGONAL)) + hops(*DIAGONAL)
                      + hops(*ORTHOGONAL, length=2))

RULES = Ruleset(
    key="cannonshogi",
    name="cannon shogi",
    files=9,
    ranks=9,
    initial="lnsgkgsnl/1rci1uab1/p1p1p1p1p/9/9/9/P1P1P1P1P/1BAU1ICR1/LNSGKGSNL b - 1",
    kinds=(
        Kind(PAWN, "P", "soldier", steps(AHEAD, LEFT, RIGHT), LIKE_GOLD, "tokin", men=10),
        *some("LNSGBRK"),
        Kind(NUMBERS["U"], "U", "gold cannon",
             only(NO_CAPTURE, slides(*ORTHOGONAL)) + only(CAPTURE_ONLY, hops(*ORTHOGONAL)),
             _FLYING, "flying gold cannon", men=2),
        Kind(NUMBERS["A"], "A", "silver cannon", hops(*ORTHOGONAL), _FLYING, "flying silver cannon", men=2),
        Kind(NUMBERS["C"], "C", "copper cannon",
             only(NO_CAPTURE, slides(*DIAGONAL)) + only(CAPTURE_ONLY, hops(*DIAGONAL)),
             _FLYING_DIAGONALLY, "flying copper cannon", men=2),
        Kind(NUMBERS["I"], "I", "iron cannon", hops(*DIAGONAL), _FLYING_DIAGONALLY, "flying iron cannon", men=2),
    ),
    zone=3,
    hand_order="RBUACIGSNLP",
    western={"+P": "+P T", "+B": "+B H", "+R": "+R D"},
    key_number=8,
    source="the rules page of PyChess, and its settings for Fairy-Stockfish",
    ja="キャノン将棋",
    ja_others=("大砲将棋", "大炮将棋"),
    kanji={  # no record in Japanese is known: those of cannons are Michaelsen's names, word by word
        **kanji("PLNSGBRK"), "U": "金砲", "A": "銀砲", "C": "銅砲", "I": "鉄砲",
        "+U": "飛金砲 飛金", "+A": "飛銀砲 飛銀", "+C": "飛銅砲 飛銅", "+I": "飛鉄砲 飛鉄",
    },
)
