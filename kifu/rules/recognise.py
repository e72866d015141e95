"""Which kind of shogi a position is of, judged by its SFEN: the size of the board, the letters and faces of the men.

>>> recognised("rbsgk/4p/5/P4/KGSBR b - 1")
'minishogi'
>>> fitting("2k2/5/5/5/2K2 b - 1")
('minishogi', 'kyotoshogi')
>>> recognised("k2/3/2K b - 1") is None
True
"""
from __future__ import annotations

import re
from collections.abc import Iterable
from unicodedata import normalize

from kifu.rules.ruleset import EITHER_FACE, Ruleset
from kifu.rules.variants import RULESETS

_MAN = re.compile(r"\+?[A-Za-z]|[0-9]+|.")
_DIGITS = frozenset("0123456789")
LONGEST_NAME = 100
#: What joins the words of a name.
_JOINS = frozenset("-_‐‑–")


def recognised(sfen: str) -> str | None:
    """The key of the kind of shogi that an SFEN is of: the first one listed that it fits; None where it fits none."""
    return next(iter(fitting(sfen)), None)


def fitting(sfen: str) -> tuple[str, ...]:
    """The keys of all kinds of shogi that an SFEN fits, in the order in which they are listed to people.

    Looks at the size of the board and at the men on it and in the hands, not at whether the position can be played.
    """
    fields = sfen.split()
    if not fields:
        return ()
    rows = fields[0].split("/")
    hands = fields[2] if len(fields) > 2 else "-"
    return tuple(key for key in RULESETS if _fits(RULESETS[key], rows, hands))


def _fits(rules: Ruleset, rows: list[str], hands: str) -> bool:
    if len(rows) != rules.ranks or any(width(row) != rules.files for row in rows):
        return False
    if not all(man.upper() in _faces(rules) for man in _men(rows)):
        return False
    if rules.royals_taken:
        return True  # nothing is in hand: the field tells of a lion taken (see `kifu.rules.sfen`)
    held = "" if hands == "-" else hands
    plain = {kind.letter for kind in rules.kinds if not kind.royal}
    signs = plain | _DIGITS | ({"+"} if rules.drops == EITHER_FACE else set())
    return signs.issuperset(held.upper())


def _men(rows: Iterable[str]) -> Iterable[str]:
    return (man for row in rows for man in _MAN.findall(row) if man[0] not in _DIGITS)


def width(row: str) -> int:
    """How many squares a row of an SFEN has."""
    return sum(int(part) if part[0] in _DIGITS and len(part) < 4 else 1 for part in _MAN.findall(row))


def _faces(rules: Ruleset) -> frozenset[str]:
    """The faces of the men as SFEN writes Black's."""
    faces: frozenset[str] | None = rules.memory.get(_faces)
    if faces is None:
        faces = rules.memory[_faces] = frozenset(map(rules.letter, rules.pieces))
    return faces


def named(name: str) -> str | None:
    """The key of the kind of shogi that a name means, whatever its case, blanks and hyphens; None for an unknown one.

    >>> named("Tori Shogi"), named("mini"), named("京都将棋"), named("Standard"), named("chess")
    ('torishogi', 'minishogi', 'kyotoshogi', 'shogi', None)
    >>> named("Gorogoro"), named("Gorogoro+"), named("５五将棋"), named("mini!")
    ('gorogoro', 'gorogoroplus', 'minishogi', None)
    """
    if name in RULESETS:
        return name
    plain = _plain(name) if len(name) <= LONGEST_NAME else ""
    if plain in ("standard", "standardshogi", "normal"):
        return "shogi"
    for key, rules in RULESETS.items():
        known = {_plain(word) for word in (key, rules.name, rules.ja, *rules.ja_others)}
        if plain and (plain in known or f"{plain}shogi" in known):
            return key
    return None


def _plain(name: str) -> str:
    """A name without what writers vary: case, width, blanks, hyphens. Other signs stay: a plus tells kinds apart."""
    plain = normalize("NFKC", name).casefold().replace("+", "plus")
    return "".join(sign for sign in plain if not sign.isspace() and sign not in _JOINS)
