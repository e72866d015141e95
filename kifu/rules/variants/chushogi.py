"""Chu shogi, the middle shogi of twelve files and ranks. No drops; a side loses with its last royal man.

Kinds by the letters of SFEN: N is the lion, H the dragon horse, D the dragon king, O the kirin, X the phoenix, E the
drunk elephant, which promotes to a prince, a second royal man. A man may promote when it enters the zone; if it does
not, then only with a capture that starts or ends there. Pawn and lance may promote on the last rank too, and may stay
there as dead men (Japan Chu Shogi Association). For lions see `kifu.rules.special`.
"""
from __future__ import annotations

from kifu.movetext import NUMBERS
from kifu.rules.ruleset import (
    AHEAD,
    AHEAD_LEFT,
    AHEAD_RIGHT,
    AND_ANY,
    BACK,
    BACK_LEFT,
    BACK_RIGHT,
    COMPASS,
    DIAGONAL,
    FOURTH,
    FOURTH_LOSES,
    LEFT,
    NO_DROPS,
    ON_ENTRY,
    ON_OR_BACK,
    ORTHOGONAL,
    RIGHT,
    Handicap,
    Kind,
    Ruleset,
    Way,
    only,
    slides,
    steps,
)

_VERTICAL, _SIDEWAYS = slides(AHEAD, BACK), slides(LEFT, RIGHT)
_ROOK, _BISHOP, _KING = slides(*ORTHOGONAL), slides(*DIAGONAL), steps(*COMPASS)
_GOLD = steps(*ORTHOGONAL, AHEAD_LEFT, AHEAD_RIGHT)
_ELEPHANT = steps(AHEAD, LEFT, RIGHT, *DIAGONAL)
_DRAGON, _HORSE, _FREE_KING = _ROOK + steps(*DIAGONAL), _BISHOP + steps(*ORTHOGONAL), _ROOK + _BISHOP
_LION = only(AND_ANY, _KING) + steps(*(
    (file, rank) for file in range(-2, 3) for rank in range(-2, 3) if max(abs(file), abs(rank)) == 2))
_FALCON = (only(ON_OR_BACK, steps(AHEAD)) + steps((0, -2)) + slides(LEFT, RIGHT, BACK) + _BISHOP)
_EAGLE = (only(ON_OR_BACK, steps(AHEAD_LEFT, AHEAD_RIGHT)) + steps((2, -2), (-2, -2))
          + slides(BACK_LEFT, BACK_RIGHT) + _ROOK)


def _kind(letter: str, name: str, ways: tuple[Way, ...], promoted: tuple[Way, ...] | None = None,
          promoted_name: str = "", men: int = 2, royal: bool = False, late: int = 0, crowned: bool = False,
          lion: str = "", trifle: bool = False) -> Kind:
    return Kind(NUMBERS[letter], letter, name, ways, promoted, promoted_name, men=men, royal=royal, late=late,
                crowned=crowned, lion=lion, trifle=trifle)


_REST = ("mvrhdqndhrvm/pppppppppppp/3i4i3/12/12/3I4I3/PPPPPPPPPPPP/MVRHDNQDHRVM")

RULES = Ruleset(
    key="chushogi",
    name="chu shogi",
    files=12,
    ranks=12,
    initial=f"lfcsgekgscfl/a1b1txot1b1a/{_REST}/A1B1TOXT1B1A/LFCSGKEGSCFL b - 1",
    kinds=(
        _kind("P", "pawn", steps(AHEAD), _GOLD, "tokin", men=24, late=1, trifle=True),
        _kind("I", "go-between", steps(AHEAD, BACK), _ELEPHANT, "drunk elephant", men=4, trifle=True),
        _kind("L", "lance", slides(AHEAD), _VERTICAL + slides(AHEAD_LEFT, AHEAD_RIGHT), "white horse",
              men=4, late=1),
        _kind("A", "reverse chariot", _VERTICAL, _VERTICAL + slides(BACK_LEFT, BACK_RIGHT), "whale", men=4),
        _kind("M", "side mover", _SIDEWAYS + steps(AHEAD, BACK), _SIDEWAYS + _BISHOP, "free boar", men=4),
        _kind("V", "vertical mover", _VERTICAL + steps(LEFT, RIGHT), _VERTICAL + _BISHOP, "flying ox", men=4),
        _kind("F", "ferocious leopard", steps(AHEAD, BACK, *DIAGONAL), _BISHOP, "bishop", men=4),
        _kind("C", "copper", steps(AHEAD, AHEAD_LEFT, AHEAD_RIGHT, BACK), _SIDEWAYS + steps(AHEAD, BACK),
              "side mover", men=4),
        _kind("S", "silver", steps(AHEAD, *DIAGONAL), _VERTICAL + steps(LEFT, RIGHT), "vertical mover", men=4),
        _kind("G", "gold", _GOLD, _ROOK, "rook", men=4),
        _kind("T", "blind tiger", steps(LEFT, RIGHT, BACK, *DIAGONAL), _VERTICAL + steps(LEFT, RIGHT, *DIAGONAL),
              "flying stag", men=4),
        _kind("E", "drunk elephant", _ELEPHANT, _KING, "prince", crowned=True),
        _kind("B", "bishop", _BISHOP, _HORSE, "dragon horse", men=4),
        _kind("R", "rook", _ROOK, _DRAGON, "dragon king", men=4),
        _kind("H", "dragon horse", _HORSE, _FALCON, "horned falcon", men=4),
        _kind("D", "dragon king", _DRAGON, _EAGLE, "soaring eagle", men=4),
        _kind("X", "phoenix", steps(*ORTHOGONAL, (2, 2), (2, -2), (-2, 2), (-2, -2)), _FREE_KING, "free king"),
        _kind("O", "kirin", steps(*DIAGONAL, (0, -2), (2, 0), (-2, 0), (0, 2)), _LION, "lion", lion="+"),
        _kind("Q", "free king", _FREE_KING),
        _kind("N", "lion", _LION, lion="P"),
        _kind("K", "king", _KING, royal=True),
    ),
    zone=4,
    hand_order="",
    key_number=9,
    promotion=ON_ENTRY,
    drops=NO_DROPS,
    royals_taken=True,
    bare_king=True,
    repetition=(FOURTH, FOURTH_LOSES),
    handicaps=(  # lishogi's: Black holds more
        Handicap("2-lions", "2枚獅子", "two lions",
                 f"lfcsgekgscfl/a1b1txot1b1a/{_REST}/A1B1T+OXT1B1A/LFCSGKEGSCFL w - 1",
                 ("two lions for Black",)),
        Handicap("3-lions", "3枚獅子", "three lions",
                 f"lfcsgekgscfl/a1b1txxt1b1a/{_REST}/A1B1T+O+OT1B1A/LFCSGKEGSCFL w - 1",
                 ("three lions for Black",)),
        Handicap("2-kings", "2枚王", "two kings", f"lfcsgekgscfl/a1b1txot1b1a/{_REST}/A1B1TOXT1B1A/LFCSGK+EGSCFL w - 1",
                 ("two kings for Black",)),
    ),
    source="Japan Chu Shogi Association; shogiops (lishogi)",
    ja="中将棋",
    ja_others=("チュウ将棋", "chuushogi"),
    kanji={  # lishogi's; a move names no face where both a plain man and a promoted one go by its word
        "P": "歩兵 歩 兵", "+P": "金将 成歩 と金 と 成兵 金 个", "I": "仲人 仲", "+I": "醉象 成象 象 酔象",
        "L": "香車 香", "+L": "白駒 駒", "A": "反車 反", "+A": "鯨鯢 鯨", "M": "横行 横", "+M": "奔猪 猪",
        "V": "竪行 竪", "+V": "飛牛 牛", "F": "猛豹 豹", "+F": "小角 成角 角行 角", "C": "銅将 銅",
        "+C": "横行 成横 横", "S": "銀将 銀", "+S": "竪行 成竪 竪", "G": "金将 金", "+G": "金飛車 成飛 金飛 飛車 飛",
        "T": "盲虎 虎", "+T": "飛鹿 鹿", "E": "醉象 象 酔象", "+E": "太子 太", "B": "角行 角",
        "+B": "龍馬 成馬 馬 竜馬", "R": "飛車 飛", "+R": "龍王 成龍 龍 竜 竜王 成竜", "H": "龍馬 馬 竜馬",
        "+H": "角鷹 鷹", "D": "龍王 龍 竜 竜王", "+D": "飛鷲 鷲", "X": "鳳凰 鳳", "+X": "奔王 成奔 奔", "O": "麒麟 麒",
        "+O": "獅子 成獅 獅 師 成師", "Q": "奔王 奔", "N": "獅子 獅 師", "K": "玉将 玉 王将 王",
    },
)
