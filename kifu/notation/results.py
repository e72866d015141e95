"""まで lines: how many moves a KIF or KI2 record says it has, and what it says of the end.

    まで112手で時間切れにより後手の勝ち

Source: the format page of Kifu for Windows, and what other programs write.
"""
from __future__ import annotations

import re
from functools import lru_cache

from kifu import ends

_MADE = re.compile(r"[、,]?[ 　]*([0-9０-９]{1,9})[ 　]*手?[ 　]*(?:で|にて|を?もって|を以て)?[、, 　]*(.*)")
_SIDE = re.compile(r"(先手|後手|下手|上手)の?(.*)")
_AROUND = " 　\t。、,"
#: What a line that names a side says of the reason, in the order in which it is looked for.
_REASONS = (("反則", "illegal"), ("切れ", "timeout"), ("入玉", "declaration"), ("宣言", "declaration"),
            ("不戦", "forfeit"), ("勝", "resign"), ("負", "resign"), ("投了", "resign"))
_WORDS_BY_LENGTH = sorted(ends.KIF_WORDS, key=len, reverse=True)
#: Draws that writers with fewer words (Kifu for Windows, ShogiHome) all call 持将棋.
_CALLED_IMPASSE = frozenset({"impasse", "max_moves", "draw"})
#: Ends that such a line names in full; of all others it says only who won.
_NAMED_IN_FULL = frozenset({"illegal", "timeout", "declaration", "forfeit"})


@lru_cache(maxsize=1024)
def made(text: str) -> tuple[int | None, str]:
    """What stands behind まで: the number of moves, None where there is none, and the words.

    >>> made("２手で後手の勝ち。"), made("、先手の勝ち")
    ((2, '後手の勝ち'), (None, '先手の勝ち'))
    """
    match = _MADE.match(text)
    if match is None:
        return None, text.strip(_AROUND)
    return int(match.group(1)), match.group(2).strip(_AROUND)


def claim(words: str, mover: str, offset: int) -> ends.End:
    """The end that the words of a まで line at ``offset`` state when ``mover`` is to move; ``other`` for unknown ones.

    >>> claim("時間切れにより後手の勝ち", "black", 0).reason, claim("先手の反則負け", "black", 0).winner
    ('timeout', 'white')
    """
    side, reason, wins = _stated(words)
    if side is None:
        return ends.claim(ends.KIF_WORDS, reason, mover, words, offset)
    if reason == "other":
        return ends.End("other", ends.UNKNOWN, None, words, offset)
    winner = side if wins else ends.opponent(side)
    return ends.End(reason, winner, ends.opponent(winner) if reason == "illegal" else None, words, offset)


@lru_cache(maxsize=256)
def _stated(words: str) -> tuple[str | None, str, bool]:
    """The side that the words of a まで line name, the reason, and whether that side wins.

    Where they name no side the second is the end word they begin with, or all of them where that is none.
    """
    cause, how, rest = words.partition("により")
    match = _SIDE.match(rest.lstrip("、") if how else words)
    if match is None:
        return None, next((word for word in _WORDS_BY_LENGTH if words.startswith(word)), words), False
    side, what = match.groups()
    reason = next((reason for sign, reason in _REASONS if sign in cause + what), "other")
    return ends.BLACK if side in ("先手", "下手") else ends.WHITE, reason, "勝" in what


def disagree(word: ends.End, result: ends.End) -> bool:
    """Whether a numbered end word and the まで line behind it say different things.

    >>> disagree(ends.End("checkmate", "black"), ends.End("resign", "black"))
    False
    """
    if ends.UNKNOWN in (word.winner, result.winner):
        return False
    if word.winner != result.winner:
        return True
    if word.winner == ends.DRAW:
        return word.reason != result.reason and not {word.reason, result.reason} <= _CALLED_IMPASSE
    return result.reason in _NAMED_IN_FULL and word.reason not in (result.reason, "perpetual_check", "other")
