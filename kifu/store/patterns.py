"""Parts of a position, to search for in games: men and empty squares, men in hand, material.

Men and squares are written in the language of the pattern files
(`kifu.knowledge.positions`), ``K8h G7h !R2h vP3d _5h``,
as the side itself sees the board. Counts of men in hand or of material are words such as ``B=1 vB=1 P>=3``, ``v`` or a
small letter for the opponent's; material counts the men on the board and in the hand together, whatever their face.

A pattern has a condition in SQL over the table ``boards``, once for each side that it can belong to:

>>> print(condition(pattern("K8h R2h-i", hand="b=1"), BLACK))
s8h = 8
AND (s2h = 7 OR s2i = 7)
AND whb = 1
"""
from __future__ import annotations

import re

from kifu._tuples import NamedTuple
from kifu.knowledge.positions import Literals, PositionTextError, parse
from kifu.movetext import PROMOTED
from kifu.rules.move import KINDS, LETTERS, square_name
from kifu.rules.variants.shogi import RULES
from kifu.store.search import Plies

BLACK, WHITE = 0, 1
COLOURS = ("black", "white")
LAST_SQUARE = 80
HAND, MATERIAL = "hand", "material"

_COUNT = re.compile(r"(v?)([A-Za-z])(<=|>=|=|<|>)(\d{1,2})")
_FACES = {kind.number for kind in RULES.kinds if kind.promoted}
_ANY_FACE = 0x7F ^ PROMOTED
_FILES = range(1, 10)
_RANKS = "abcdefghi"


class Count(NamedTuple):
    """How many men of a kind a side has, in its hand or altogether."""

    what: str
    other: bool  # the opponent's
    kind: int
    comparison: str
    number: int

    def holds(self, count: int) -> bool:
        """Whether this many will do."""
        return {"=": count == self.number, "<": count < self.number, ">": count > self.number,
                "<=": count <= self.number, ">=": count >= self.number}[self.comparison]


class Pattern(NamedTuple):
    """What must stand, all of it at once: one of the alternatives on the board, and every count."""

    text: str
    words: tuple[tuple[Literals, ...], ...]  # the ways in which each word can hold
    alternatives: tuple[Literals, ...]  # the ways in which all of them can
    counts: tuple[Count, ...]


def pattern(text: str, *, hand: str = "", material: str = "") -> Pattern:
    """Understand a pattern. Raises `PositionTextError` with a sentence that names the word at fault."""
    counts = (*_counts(HAND, hand), *_counts(MATERIAL, material))
    words: tuple[tuple[Literals, ...], ...] = ()
    alternatives: tuple[Literals, ...] = ({},)
    if text.strip() or not counts:
        condition = parse(text)
        for key, _ in (*condition.reached, *condition.barred):
            raise PositionTextError(f"'@{key}' asks for another entry; give --tag {key} instead")
        words = tuple(parse(word).alternatives for word in text.split())
        alternatives = condition.alternatives
    told = " ".join(filter(None, [text, hand and f"hand {hand}", material and f"material {material}"]))
    return Pattern(" ".join(told.split()), words, alternatives, counts)


def _counts(what: str, text: str) -> list[Count]:
    found = []
    for word in text.replace(",", " ").split():
        match = _COUNT.fullmatch(word)
        kind = KINDS.get(match[2].upper()) if match else None
        if match is None or kind is None or (what == HAND and LETTERS[kind] == "K"):
            raise PositionTextError(f"{word!r} is no count of men; write B=1, vR=0 (the opponent's), P>=3")
        found.append(Count(what, bool(match[1]) or match[2].islower(), kind, match[3], int(match[4])))
    return found


def condition(asked: Pattern, colour: int) -> str:
    """The pattern of one side as a condition over the columns of ``boards``."""
    parts = []
    for ways in asked.words:
        each = [[_atom(atom, wanted, colour) for atom, wanted in way.items()] for way in ways]
        if len(each) == 1:
            parts += each[0]
        else:  # of a word with several ways each asks for one thing
            parts.append(f"({' OR '.join(' AND '.join(way) for way in each)})")
    parts += [_count(count, colour) for count in asked.counts]
    return "\nAND ".join(parts)


def by_boards(asked: Pattern, of: dict[int, str | None], plies: Plies) -> str:
    """The query ``found`` (see `kifu.store.search`) of a pattern, over the table ``boards``.

    ``of`` has the sides that it may belong to, each with a condition over ``selected`` or None: the first ply counts.
    """
    looks = []
    for colour, whose in of.items():
        chosen = "SELECT game_id FROM selected" + (f" WHERE {whose}" if whose else "")
        where = "\n  AND ".join([f"game_id IN ({chosen})", *plies.conditions(),
                                 condition(asked, colour).replace("\n", "\n  ")])
        looks.append(f"-- {asked.text}, of {COLOURS[colour]}\n"
                     f"SELECT game_id, ply, '{COLOURS[colour]}' AS side FROM boards\nWHERE {where}")
    inner = "\nUNION ALL\n".join(looks).replace("\n", "\n    ")
    return (f"SELECT game_id, min(ply) AS ply, CASE WHEN min(side) = max(side) THEN min(side) ELSE 'both' END AS side\n"
            f"FROM (\n    {inner}\n)\nGROUP BY game_id")


def _atom(atom: tuple[str, bool, int, int], wanted: bool, colour: int) -> str:
    what, other, kind, place = atom
    whose = colour ^ other
    if what == "hand":  # of bishops and rooks: exactly one, as there are two
        return f"{_hand(whose, kind)} {'=' if wanted else '<>'} 1"
    square = f"s{square_name(LAST_SQUARE - place if colour else place)}"
    return f"{square} {'=' if wanted else '<>'} {kind | whose << 6 if what == 'man' else 0}"


def _count(count: Count, colour: int) -> str:
    whose = colour ^ count.other
    number = _hand(whose, count.kind) if LETTERS[count.kind] != "K" else "0"
    if count.what == MATERIAL:
        face = f" & {_ANY_FACE}" if count.kind in _FACES else ""
        squares = [f"(s{file}{rank}{face} = {count.kind | whose << 6})::UTINYINT" for file in _FILES for rank in _RANKS]
        number = f"({number} + {' + '.join(squares)})"
    return f"{number} {count.comparison} {count.number}"


def _hand(colour: int, kind: int) -> str:
    return f"{'bw'[colour]}h{LETTERS[kind].lower()}"
