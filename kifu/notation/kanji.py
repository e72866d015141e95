"""What KIF calls the men of a kind of shogi, and the kinds of shogi themselves.

The words stand in the rulesets (`Ruleset.kanji`, `Ruleset.ja`); a face without words goes by its SFEN letter, so that
every kind of shogi can be written and read back.

>>> words = words_of(RULESETS["chushogi"])  # the lion is the man of the letter N, number 3
>>> words.move[3], words.board[3], words.face("獅"), words.man("獅子"), words.face("成獅") == words.man("成獅")
('獅子', '獅', 3, 0, True)
"""
from __future__ import annotations

import re
from functools import cached_property

from kifu.rules import handicaps
from kifu.rules.ruleset import Ruleset
from kifu.rules.variants import RULESETS

#: What 手合割 may say that ends like the name of a kind of shogi and names no other one.
_ORDINARY = frozenset({"将棋", "本将棋", "平手将棋", "詰将棋", "詰め将棋"})
_HALF_DIGITS = str.maketrans("０１２３４５６７８９＋", "0123456789+")


class Words:
    """The words of one kind of shogi. Pieces are numbered as in `kifu.movetext`."""

    def __init__(self, rules: Ruleset) -> None:
        self.move: dict[int, str] = {}  # piece -> its word in moves
        self.board: dict[int, str] = {}  # piece -> its word on boards and in hands
        self._men: dict[str, list[int]] = {}  # any word -> the pieces that go by it
        for piece in rules.pieces:
            letter = rules.letter(piece)
            several = rules.kanji.get(letter, letter).split()
            self.move[piece] = several[0]
            self.board[piece] = board_word(" ".join(several))
            for word in dict.fromkeys((*several, letter)):
                self._men.setdefault(word, []).append(piece)
        self._faces = {**{word: pieces[0] for word, pieces in self._men.items()},
                       **{word: piece for piece, word in reversed(self.board.items())}}

    def face(self, word: str) -> int | None:
        """The piece that a word means on a board or in a hand; None where it means none."""
        return self._faces.get(word)

    def man(self, word: str) -> int | None:
        """The piece that a word means in a move, 0 where it means several; None where it means none.

        A plain man and a promoted one may go by one word (獅子); where they came from tells them apart then.
        """
        pieces = self._men.get(word)
        if pieces is None:
            return None
        return pieces[0] if len(pieces) == 1 else 0

    @cached_property
    def pattern(self) -> str:
        """A pattern for any of the words, the longest that fits first."""
        return "|".join(map(re.escape, sorted(self._men, key=len, reverse=True)))


def board_word(words: str) -> str:
    """Which of the words of a face boards have.

    >>> board_word("成銀 全"), board_word("鶴")
    ('全', '鶴')
    """
    return words.split()[:2][-1]


def words_of(rules: Ruleset) -> Words:
    """The words of a kind of shogi, made once."""
    found: Words | None = rules.memory.get(Words)
    if found is None:
        found = rules.memory[Words] = Words(rules)
    return found


def kind_named(name: str) -> str | None:
    """The kind of shogi that a 手合割 names, None where it names none.

    >>> kind_named("５五将棋"), kind_named("Tori Shogi"), kind_named("平手")
    ('minishogi', 'torishogi', None)
    """
    plain = _plain(name)
    if not plain:
        return None
    for key, rules in RULESETS.items():
        if plain in map(_plain, (rules.ja, *rules.ja_others, key, rules.name)):
            return key
    return None


def kind_with_handicap(name: str) -> str | None:
    """The first kind of shogi that has a handicap of this Japanese name, None where none has.

    >>> kind_with_handicap("飛車落ち"), kind_with_handicap("と落ち")
    ('shogi', 'kyotoshogi')
    """
    return next((key for key in RULESETS if handicaps.by_japanese(name, key) is not None), None)


def unknown_kind(name: str) -> bool:
    """Whether a 手合割 names a kind of shogi that is not known: it ends like one.

    >>> unknown_kind("安南将棋"), unknown_kind("京都将棋"), unknown_kind("詰将棋")
    (True, False, False)
    """
    return name.endswith(("将棋", "しょうぎ")) and name not in _ORDINARY and kind_named(name) is None


def name_of(rules: Ruleset) -> str:
    """The name of a kind of shogi as 手合割 gives it; `kind_named` knows it."""
    return rules.ja or rules.name


def _plain(name: str) -> str:
    """A name without what writers vary: the width of digits, case, blanks, hyphens."""
    return "".join(name.casefold().translate(_HALF_DIGITS).replace("-", " ").replace("+", "plus").split())
