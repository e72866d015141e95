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
#: How the men of shogi go, by their letters.
WAYS = {
    "P": steps(AHEAD), "L": slides(AHEAD), "N": steps((1, -2), (-1, -2)), "S": steps(AHEAD, *DIAGONAL), "G": LIKE_GOLD,
    "B": slides(*DIAGONAL), "R": slides(*ORTHOGONAL), "K": steps(*COMPASS),
}
KING_KIND = Kind(KING, "K", "king", WAYS["K"], men=2, royal=True, points=0)

KINDS = (
    Kind(PAWN, "P", "pawn", WAYS["P"], LIKE_GOLD, "tokin",
         men=18, must_promote=1, no_drop=1, per_file=1, mates_by_drop=False),
    Kind(LANCE, "L", "lance", WAYS["L"], LIKE_GOLD, "promoted lance", men=4, must_promote=1, no_drop=1),
    Kind(KNIGHT, "N", "knight", WAYS["N"], LIKE_GOLD, "promoted knight", men=4, must_promote=2, no_drop=2),
    Kind(SILVER, "S", "silver", WAYS["S"], LIKE_GOLD, "promoted silver", men=4),
    Kind(GOLD, "G", "gold", LIKE_GOLD, men=4),
    Kind(BISHOP, "B", "bishop", WAYS["B"], WAYS["B"] + steps(*ORTHOGONAL), "horse", men=2, points=5),
    Kind(ROOK, "R", "rook", WAYS["R"], WAYS["R"] + steps(*DIAGONAL), "dragon", men=2, points=5),
    KING_KIND,
)


def some(letters: str, men: int = 0, **counts: int) -> tuple[Kind, ...]:
    """The men of shogi with these letters, for a game that has some of them.

    ``men`` is how many of each kind a full set has where that is not as in shogi, ``counts`` the same by letter.

    >>> [(kind.letter, kind.men) for kind in some("PGK", P=6)]
    [('P', 6), ('G', 4), ('K', 2)]
    """
    return tuple(kind._replace(men=counts.get(kind.letter, men or kind.men))
                 for kind in KINDS if kind.letter in letters)


#: What KIF calls the men (see `Ruleset.kanji`): the words that Kifu for Windows writes, then those of other programs.
KANJI = {
    "P": "歩 歩 兵 歩兵", "L": "香 香 香車", "N": "桂 桂 桂馬", "S": "銀 銀 銀将", "G": "金 金 金将", "B": "角 角 角行",
    "R": "飛 飛 飛車", "K": "玉 玉 王 玉将 王将", "+P": "と と ト 个 と金", "+L": "成香 杏 仝", "+N": "成桂 圭 今",
    "+S": "成銀 全", "+B": "馬 馬 龍馬 竜馬", "+R": "龍 龍 竜 龍王 竜王",
}


def kanji(letters: str) -> dict[str, str]:
    """What KIF calls the men of shogi with these letters, both faces.

    >>> kanji("SG")
    {'S': '銀 銀 銀将', 'G': '金 金 金将', '+S': '成銀 全'}
    """
    return {face: words for face, words in KANJI.items() if face[-1] in letters}


RULES = Ruleset(
    key="shogi",
    name="shogi",
    files=9,
    ranks=9,
    initial="lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    kinds=KINDS,
    zone=3,
    hand_order="RBGSNLP",
    western={"+P": "+P T", "+B": "+B H", "+R": "+R D"},
    options={"repetition": "fourth", "impasse": "agreed24"},
    source="the rules of the Japan Shogi Association",
    kanji=KANJI,
)
