"""The handicaps: what White starts without; White moves first. Those of standard shogi stand here.

Names as KIF files and PSN files write them; keys as the command line's contract has them. Reading is wider than
writing: `by_japanese` also knows the names that other programs use. Sources: the preset lists of KIF, JKF and lishogi.
Those of another kind of shogi stand in its file in `kifu.rules.variants`; every function takes its key.
"""
from __future__ import annotations

from functools import cache, lru_cache

from kifu.rules.ruleset import Handicap as Handicap
from kifu.rules.variants import RULESETS

EVEN = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
_PAWNS_AND_BLACK = "ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"


def _start(first_row: str, second_row: str) -> str:
    return f"{first_row}/{second_row}/{_PAWNS_AND_BLACK}"


def _gained(first_row: str, second_row: str, hand: str) -> str:
    return _start(first_row, second_row).replace(" w - ", f" w {hand} ")


_BOTH, _ROOK_ONLY, _BISHOP_ONLY, _NEITHER = "1r5b1", "1r7", "7b1", "9"

_ALL = (
    Handicap("even", "平手", "even", EVEN, ("even game", "none", "hirate")),
    Handicap("lance", "香落ち", "left lance", _start("lnsgkgsn1", _BOTH), ("lance", "左香落ち", "香車落ち", "香落")),
    Handicap("right-lance", "右香落ち", "right lance", _start("1nsgkgsnl", _BOTH), ("右香落",)),
    Handicap("bishop", "角落ち", "bishop", _start("lnsgkgsnl", _ROOK_ONLY), ("角行落ち", "角落")),
    Handicap("rook", "飛車落ち", "rook", _start("lnsgkgsnl", _BISHOP_ONLY), ("飛落ち", "飛車落", "飛落")),
    Handicap("rook-lance", "飛香落ち", "rook+lance", _start("lnsgkgsn1", _BISHOP_ONLY),
             ("飛香車落ち", "飛車香落ち", "飛香落", "rook and lance", "rook-lance", "rook & lance")),
    Handicap("2-piece", "二枚落ち", "two pieces", _start("lnsgkgsnl", _NEITHER), ("rook+bishop", "飛角落ち")),
    # JKF, lishogi and mogproject take the lance on 9a away, python-shogi, cshogi and rsshogi the one on 1a
    Handicap("3-piece", "三枚落ち", "three pieces", _start("1nsgkgsnl", _NEITHER),
             other_sfens=(_start("lnsgkgsn1", _NEITHER),)),
    Handicap("4-piece", "四枚落ち", "four pieces", _start("1nsgkgsn1", _NEITHER)),
    Handicap("5-piece", "五枚落ち", "five pieces", _start("2sgkgsn1", _NEITHER), ("右五枚落ち",)),
    Handicap("left-5-piece", "左五枚落ち", "five pieces (left knight)", _start("1nsgkgs2", _NEITHER)),
    Handicap("6-piece", "六枚落ち", "six pieces", _start("2sgkgs2", _NEITHER)),
    Handicap("right-7-piece", "右七枚落ち", "seven pieces (right silver)", _start("3gkgs2", _NEITHER),
             ("七枚落ち", "seven pieces")),
    Handicap("left-7-piece", "左七枚落ち", "seven pieces (left silver)", _start("2sgkg3", _NEITHER)),
    Handicap("8-piece", "八枚落ち", "eight pieces", _start("3gkg3", _NEITHER)),
    Handicap("10-piece", "十枚落ち", "ten pieces", _start("4k4", _NEITHER)),
    Handicap("three-pawns", "歩三兵", "three pawns", "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w 3p 1"),
    Handicap("naked-king", "裸玉", "naked king", "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
             ("十九枚落ち", "玉一枚落ち", "bare king")),
)

#: Starts that have a name in files but no key of their own; their key is ``other``.
_OTHERS = (
    Handicap("other", "九枚落ち", "nine pieces", _start("4kg3", _NEITHER)),
    Handicap("other", "両香落ち", "both lances", _start("1nsgkgsn1", _BOTH)),
    Handicap("other", "飛銀落ち", "rook+silver", _start("lnsgkg1nl", _BISHOP_ONLY)),
    # 81Dojo's and lishogi's: the dragonfly keeps rook and bishop beside the king
    Handicap("other", "トンボ", "dragonfly", _start("4k4", _BOTH)),
    Handicap("other", "トンボ＋香", "dragonfly + L", _start("l3k3l", _BOTH), ("トンボ+香",)),
    Handicap("other", "トンボ＋桂香", "dragonfly + NL", _start("ln2k2nl", _BOTH), ("トンボ+桂香",)),
    # 81Dojo's and lishogi's gained pieces: what White lacks, Black holds
    Handicap("other", "香得", "lance gained", _gained("lnsgkgsn1", _BOTH, "L"), ("香車得",)),
    Handicap("other", "両香得", "two lances gained", _gained("1nsgkgsn1", _BOTH, "2L")),
    Handicap("other", "角得", "bishop gained", _gained("lnsgkgsnl", _ROOK_ONLY, "B")),
    Handicap("other", "飛車得", "rook gained", _gained("lnsgkgsnl", _BISHOP_ONLY, "R"), ("飛得",)),
    Handicap("other", "飛香得", "rook lance gained", _gained("lnsgkgsn1", _BISHOP_ONLY, "RL")),
    Handicap("other", "二枚得", "two pieces gained", _gained("lnsgkgsnl", _NEITHER, "RB")),
    Handicap("other", "四枚得", "four pieces gained", _gained("1nsgkgsn1", _NEITHER, "RB2L")),
    Handicap("other", "六枚得", "six pieces gained", _gained("2sgkgs2", _NEITHER, "RB2N2L")),
    Handicap("other", "八枚得", "eight pieces gained", _gained("3gkg3", _NEITHER, "RB2S2N2L")),
)

HANDICAPS: dict[str, Handicap] = {handicap.key: handicap for handicap in _ALL}

_NUMBER_WORDS = {"2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven", "8": "eight",
                 "9": "nine", "10": "ten"}
_NUMERALS = str.maketrans("２３４５６７８９23456789", "二三四五六七八九二三四五六七八九")


def _plain(name: str) -> str:
    """A name without what writers vary: case, blanks (full-width ones too), hyphens, a closing 'handicap'."""
    words = name.casefold().replace("　", " ").replace("-", " ").replace("_", " ").split()
    if len(words) > 1 and words[-1] == "handicap":
        words.pop()
    if words and words[-1] in ("piece", "pieces"):
        words[-1] = "pieces"
        words[0] = _NUMBER_WORDS.get(words[0], words[0])
    return "".join(words)


class _Names:
    """The handicaps of one kind of shogi, and how they are found by name and by position."""

    def __init__(self, handicaps: tuple[Handicap, ...], others: tuple[Handicap, ...] = ()) -> None:
        self.by_key = {handicap.key: handicap for handicap in handicaps}
        self.japanese: dict[str, Handicap] = {}
        self.english: dict[str, Handicap] = {}
        self.positions: dict[str, Handicap] = {}
        for handicap in (*handicaps, *others):
            for name in (handicap.ja, *handicap.aliases):
                if name:
                    self.japanese.setdefault(_plain(name), handicap)
            for name in (handicap.en, handicap.key, *handicap.aliases):
                if name != "other":
                    self.english.setdefault(_plain(name), handicap)
        for handicap in handicaps:
            for sfen in (handicap.sfen, *handicap.other_sfens):
                self.positions[sfen.rsplit(" ", 1)[0]] = handicap


@cache
def _names(variant: str) -> _Names:
    if variant == "shogi":
        return _Names(_ALL, _OTHERS)
    from kifu.rules.position import Position

    rules = RULESETS[variant]
    even = Handicap("even", "平手", "even", rules.initial, ("even game", "none", "hirate"))
    # as the engine writes positions: sources have hands in an order of their own
    return _Names(tuple(one._replace(sfen=Position(one.sfen, variant).sfen()) for one in (even, *rules.handicaps)))


def of_variant(variant: str) -> dict[str, Handicap]:
    """The handicaps of a kind of shogi by key, ``even`` first. Raises KeyError for a kind that is not known.

    >>> list(of_variant("torishogi"))
    ['even', 'left-quail', 'falcon', 'falcon-left-quail', 'falcon-both-quails']
    """
    return _names(variant).by_key


def by_key(key: str, variant: str = "shogi") -> Handicap | None:
    """The handicap of a key, None where there is none."""
    return _names(variant).by_key.get(key)


@lru_cache(maxsize=256)
def by_japanese(name: str, variant: str = "shogi") -> Handicap | None:
    """The handicap that a Japanese name means, None for an unknown one.

    >>> by_japanese("飛落ち").key, by_japanese("平手　　").key, by_japanese("七枚落ち").key
    ('rook', 'even', 'right-7-piece')
    """
    known = _names(variant).japanese
    plain = _plain(name)
    found = known.get(plain)
    if found is None and plain[:2] == "10":
        plain = "十" + plain[2:]
    return found or known.get(plain.translate(_NUMERALS)) or known.get(plain + "ち")


@lru_cache(maxsize=256)
def by_english(name: str, variant: str = "shogi") -> Handicap | None:
    """The handicap that an English or PSN name means, None for an unknown one.

    >>> by_english("Left Lance").key, by_english("6-piece").key, by_english("rook & lance handicap").key
    ('lance', '6-piece', 'rook-lance')
    """
    return _names(variant).english.get(_plain(name))


def other_reading(key: str, sfen: str | None) -> str | None:
    """The second start position that the name of a handicap may mean, None where it has one meaning.

    ``sfen`` is the one that was taken; a record that was given a board has only that.

    >>> other_reading("3-piece", HANDICAPS["3-piece"].sfen).split("/")[0]
    'lnsgkgsn1'
    """
    known = HANDICAPS.get(key)
    return known.other_sfens[0] if known and known.other_sfens and sfen == known.sfen else None


@lru_cache(maxsize=256)
def of_sfen(sfen: str, variant: str = "shogi") -> str:
    """The key of the handicap that starts from this position: ``even``, or ``other`` where it has no name.

    >>> of_sfen("lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1")
    '2-piece'
    >>> of_sfen("4k/4p/5/P4/KGSBR w - 1", "minishogi")
    '4-piece'
    """
    fields = sfen.split()
    if len(fields) == 2:
        fields.append("-")
    found = _names(variant).positions.get(" ".join(fields[:3]))
    return found.key if found else "other"
