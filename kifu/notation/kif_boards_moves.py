"""Moves of other kinds of shogi as KIF spells them, turned into move texts.

>>> from kifu.movetext import describe
>>> describe(MoveWords(RULESETS["minishogi"]).read("１四歩成(15)"))
'pawn 15-14 promotes'
"""
from __future__ import annotations

import re
from collections.abc import Iterable

from kifu.movetext import (
    BLACK_SIDE, DECLINE, DROP, DROP_IF_NONE, PROMOTE, SAME, SUPPLY_PROMOTION, TURN_OVER, WHITE_SIDE, pack,
)
from kifu.notation.count import number
from kifu.notation.kanji import words_of
from kifu.rules.ruleset import Ruleset
from kifu.rules.variants import RULESETS

SIDES_WRITTEN = BLACK_SIDE | WHITE_SIDE
_BLANKS = "[ 　\t]*+"
_SQUARE = "(1[0-2]|１[０-２]|[1-9１-９])(十[一二]?|[一二三四五六七八九1-9１-９a-l])"
#: A move, or a step of one: what it goes to, the man and how it goes, where it comes from.
_STEP = re.compile(
    rf"(?:[一二]歩目)?{_BLANKS}[▲△▼▽☗☖]?{_BLANKS}(?:[同仝]{_BLANKS}(?:{_SQUARE})?|{_SQUARE}){_BLANKS}"
    rf"([^ 　\t\r\n()（）]++){_BLANKS}(?:[(（](?:居食い|じっと|まで)[)）]{_BLANKS})?"
    rf"(?:[(（]{_BLANKS}←?{_BLANKS}{_SQUARE}{_BLANKS}[)）]|[(（]00[)）])?{_BLANKS}")
_SECOND_STEP = "二歩目"
#: The man of a move on a large board; comments are searched too, so a word has a longest length.
_LARGE = re.compile(rf"(?:[同仝]|{_SQUARE})([^ 　\t\r\n()（）]{{1,24}})(?:[(（][^()（）\r\n]{{,24}}[)）])?"
                    rf"{_BLANKS}[(（]←")
_HOW = "(打|不成|生|成)?(?:まで)?"
Square = tuple[int, int]


class MoveWords:
    """Reads the moves of one kind of shogi."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.words = words_of(rules)
        self.man = re.compile(f"同?({self.words.pattern}){_HOW}")
        forced = rules.turns_back or any(kind.always_promotes for kind in rules.kinds)
        #: Where promotion is nobody's choice, lishogi does not ask for its mark.
        self.flags = SUPPLY_PROMOTION if forced else 0
        self.turning = PROMOTE | (TURN_OVER if rules.turns_back else 0)

    def read(self, written: str, last: int = 0) -> int:
        """The move text of a move, 0 where it is none of this kind of shogi.

        ``last`` is the target of the move before, as the low bits of a move text: what 仝 means in a second step.
        """
        first, second, rest = written.partition(_SECOND_STEP)
        if not second:
            return self.step(written, last)[0]
        # behind the first step may stand a clock or a comment, then the number of the second one
        begun = _STEP.match(first)
        text, to, origin = self.step(begun[0] if begun else "", last)
        text_after, end, via = self.step(rest, last)
        if not text or not text_after or (to := to or via) != via or not all((*via, *origin, *end)):
            return 0
        return text_after & ~0xFFFF & ~SAME & ~DROP_IF_NONE | pack(end, origin, via=via)

    def step(self, written: str, last: int) -> tuple[int, Square, Square]:
        """A move of one step: its text, 0 where there is none, its target and its origin."""
        match = _STEP.fullmatch(written)
        man = match and self.man.fullmatch(match[5])
        if not match or not man:
            return 0, (0, 0), (0, 0)
        _, _, _, _, _, from_file, from_rank = match.groups()
        file, rank = match[1] or match[3], match[2] or match[4]
        flags = self.flags | DROP_IF_NONE
        if match[0].lstrip("一歩目▲△▼▽☗☖ 　\t")[:1] in "同仝":
            flags |= SAME
        word, how = man.groups()
        piece = self.words.man(word) or 0
        if how == "打":
            if not piece:  # the word means several men, and nothing else tells them apart
                return 0, (0, 0), (0, 0)
            flags |= DROP
        elif how:
            flags |= self.turning if how == "成" else DECLINE
        to = (_coordinate(file), _coordinate(rank)) if file else (0, 0)
        origin = (_coordinate(from_file), _coordinate(from_rank)) if from_file and not flags & DROP else (0, 0)
        if not self.inside(to) or not self.inside(origin):
            return 0, (0, 0), (0, 0)
        return pack(to, origin, piece, flags), to if file else (last & 15, last >> 4 & 15), origin

    def inside(self, square: Square) -> bool:
        """Whether a square is on the board, or none is named."""
        return square[0] <= self.rules.files and square[1] <= self.rules.ranks


def _coordinate(text: str) -> int:
    """A file or rank: ``7``, ``１２``, ``十一``, ``g``."""
    return ord(text) - 96 if "a" <= text <= "l" else number(text)


def large_kind(text: str, even: bool = False) -> str | None:
    """The kind of shogi, on a board of more than nine files or ranks, that has all men that the moves of a text name.

    None where the text does not begin with a move as such kinds are written; a stray line of that kind makes no record
    of ordinary shogi another one. ``even``: the record says 平手, which means ordinary shogi unless a square or man
    is named that it has not.

    >>> large_kind("▲7八歩兵 （←7九）"), large_kind("７六歩(77)"), large_kind("▲7八歩兵 （←7九）", even=True)
    ('chushogi', None, None)
    """
    found = list(_LARGE.finditer(text))
    if not found or text[:found[0].start()].strip(" 　\t▲△▼▽☗☖"):
        return None
    men = {match[3] for match in found}
    squares = [(match[1], match[2]) for match in found if match[1]]
    if even and _all_of(RULESETS["shogi"], men) and not any(
            _coordinate(file) > 9 or _coordinate(rank) > 9 for file, rank in squares):
        return None
    large = (key for key, rules in RULESETS.items() if rules.files > 9 or rules.ranks > 9)
    return next((key for key in large if _all_of(RULESETS[key], men)), None)


def _all_of(rules: Ruleset, men: Iterable[str]) -> bool:
    """Whether a kind of shogi has all men of these words."""
    man = re.compile(f"({words_of(rules).pattern}){_HOW}")
    return all(map(man.fullmatch, men))
