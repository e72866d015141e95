"""What is said around a board, by language."""
from __future__ import annotations

from kifu._tuples import NamedTuple


class Words(NamedTuple):
    """The words around a board; ``{}`` takes what they are about."""

    black: str
    white: str
    in_hand: str  # {} is a side
    nothing: str
    to_move: str
    files: tuple[str, ...]  # the first is Black's right-hand one
    ranks: tuple[str, ...]
    after: str  # how many moves, the last of them behind its sign, of how many


_NUMBERS = tuple(str(number) for number in range(1, 13))
_LETTERS = tuple("abcdefghijkl")
#: Languages of boards; `ja` has the words of Japanese diagrams.
LANGUAGES = {
    "ja": Words("先手", "後手", "{}の持駒：", "なし", "{}番", (*"１２３４５６７８９", "10", "11", "12"),
                (*"一二三四五六七八九十", "十一", "十二"), "手数＝{0}{1}  まで（全{2}手）"),
    "en": Words("Black", "White", "{} in hand: ", "nothing", "{} to move", _NUMBERS, _LETTERS,
                "after move {0} of {2}{1}"),
    "cs": Words("Černý", "Bílý", "{} má v ruce: ", "nic", "Na tahu: {}", _NUMBERS, _LETTERS, "po tahu {0} z {2}{1}"),
}
