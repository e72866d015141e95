"""Which notation a text is in, judged by its content; the file name only breaks ties. It may answer "unknown"."""
from __future__ import annotations

import re
from functools import cache

from kifu._tuples import NamedTuple

#: (notation, weight, what it is, pattern); every pattern is tried on the head of the text, before which a line end is
#: put. So a pattern for the beginning of a line starts with one: the search then leaps from line to line, where ``^``
#: would be tried at every character, which took longer than reading and proving the game.
_EVIDENCE: tuple[tuple[str, int, str, str], ...] = (
    ("csa", 8, "a CSA version or encoding line", r"\n[ \t]*(?:V[0-9](?:\.[0-9]+)?[ \t]*$|'(?:CSA )?encoding=)"),
    ("csa", 8, "a CSA move", r"[\n,][ \t]*[+-][0-9]{4}[A-Z]{2}"),
    ("csa", 6, "a CSA board", r"\n(?:PI|P[1-9](?:[+-][A-Z]{2}| \* )|P[+-](?:[0-9]{2}(?:[A-Z]{2}))+)"),
    ("csa", 3, "a CSA name line", r"\nN[+-]"),
    ("csa", 3, "a CSA header", r"\n\$[A-Z_+-]+:"),
    ("csa", 3, "a CSA end", r"\n%[+-]?[A-Z_]+"),
    ("kif", 8, "a #KIF line", r"\n#KIF\b"),
    ("kif", 8, "the head of a KIF move table", r"\n手数[-－ー―]{2,}"),
    ("kif", 8, "a KIF move with its origin",
     r"\n[ 　\t]*[0-9]+[ 　\t]+[▲△▼▽☗☖]?[ 　\t]*(?:[1-9１-９][一二三四五六七八九1-9１-９]|同)[ 　\t]*"
     r"[^\s(（]{1,4}(?:[(（][0-9]{2}[)）]|打)"),
    ("kif", 4, "a KIF end",
     r"\n[ 　\t]*[0-9]+[ 　\t]+(?:投了|中断|千日手|持将棋|詰み?|切れ負け|反則勝ち|反則負け|入玉勝ち)"),
    ("kif", 4, "a board diagram", r"\n(?:\+-{9,}|\|[ vV^+-].*\|)"),
    ("kif", 3, "a hand", r"\n(?:先手|後手|上手|下手)の?持ち?駒[ 　]*[:：]"),
    ("kif", 3, "a KIF header",
     r"\n(?:手合割|開始日時|終了日時|棋戦|先手|後手|上手|下手|持ち時間|場所|戦型|表題)[ 　]*[:：]"),
    ("ki2", 9, "a #KI2 line", r"\n#KI2\b"),
    ("ki2", 6, "KI2 moves",
     r"[▲△▼▽☗☖](?:[1-9１-９同][^\s(（]*[ 　\n]*[▲△▼▽☗☖]|(?<=\n[▲△☗☖])[1-9１-９][一二三四五六七八九])"),
    ("usi", 8, "a USI position", r"\n[ \t]*+(?:\w++[ \t]*\|)?[ \t]*+(?:position[ \t]+(?:sfen|startpos)|startpos\b|"
     r"sfen[ \t]+[1-9a-zA-Z+]+/)"),
    ("usi", 8, "an SFEN",
     r"\n[ \t]*+(?:\w++[ \t]*\|)?[ \t]*+(?:[1-9a-zA-Z+]{1,18}/){8}[1-9a-zA-Z+]{1,18}[ \t]+[bw]\b"),
    ("usi", 6, "USI moves", r"\n[ \t]*(?:moves[ \t]+)?[1-9][a-i][1-9][a-i]\+?(?:[ \t]+(?:[1-9][a-i][1-9][a-i]\+?|"
     r"[PLNSGBR]\*[1-9][a-i]|resign|win))*[ \t]*$"),
    ("western", 4, "a tag", r"\n\[[A-Za-z_]+:?[ \t]*\""),
    ("western", 8, "western moves", r"[\s.](?:\+?[PLNSGBRKplnsgbrk])(?:[1-9][a-i1-9])?[-x'][1-9][a-i1-9]"),
    ("western", 4, "numbered western moves", r"\s1[ \t]*\.[ \t]*(?:\.\.+[ \t]*)?\+?[PLNSGBRK]"),
    ("jkf", 9, "a JSON object with moves", r"\A\s*\{[\s\S]{0,400}\"(?:moves|header)\""),
)
_HINTS = {".csa": "csa", ".kif": "kif", ".kifu": "kif", ".bod": "kif", ".ki2": "ki2", ".ki2u": "ki2", ".sfen": "usi",
          ".usi": "usi"}
_HEAD = 65536


#: How far into a text its first move is looked for where its first line names the notation already.
_NEAR = 8192
_USI_BEGINS = ("position startpos", "position sfen ", "startpos moves ")
_CSA_BEGINS = ("V1", "V2", "V3", "'CSA encoding=", "N+", "N-", "$EVENT:", "PI", "P1")


class Detection(NamedTuple):
    """What a text was taken for, and why. ``notation`` is None where nothing was recognised."""

    notation: str | None
    evidence: list[str]
    scores: dict[str, int]


def notation_of(text: str, suffix: str = "") -> str | None:
    """The notation that `detect` finds, without its reasons: for most records a look at their first move is enough.

    >>> notation_of("V2.2\nPI\n+\n+7776FU\n")
    'csa'
    """
    return _certain(text) or detect(text, suffix).notation


def detect(text: str, suffix: str = "") -> Detection:
    """Judge the notation of a decoded text by its first 64 K characters; ``suffix`` (``.kif``) only breaks ties.

    A text that opens like a CSA record and goes on to a CSA move is one, and so is a KIF record in which a move follows
    the head of the move table. In all others whatever speaks for a notation is weighed.

    >>> detect("PI\n+\n+7776FU\n").notation
    'csa'
    >>> detect("hello").notation is None
    True
    """
    head = "\n" + text[:_HEAD]
    if "\r" in head:
        head = head.replace("\r", "\n")
    scores: dict[str, int] = {}
    evidence = []
    for notation, weight, words, pattern in _EVIDENCE:
        match = _compiled(pattern).search(head)
        if match is not None:
            scores[notation] = scores.get(notation, 0) + weight
            start = match.start() + (head[match.start()] == "\n")
            line = head.count("\n", 0, start)
            evidence.append(f"{notation} +{weight}: {words} (line {line})")
    if not scores:
        return Detection(None, evidence, scores)
    hinted = _HINTS.get(suffix.lower(), "")
    if hinted in scores:
        evidence.append(f"{hinted} +1: the file name ends in {suffix}")
        scores[hinted] += 1
    best = _certain(text) or max(scores, key=lambda name: scores[name])
    return Detection(best, evidence, scores)


def _certain(text: str) -> str | None:
    """The notation of a text whose opening and first move leave no doubt; None for all others."""
    if text.startswith(_USI_BEGINS):
        return "usi"
    if text.startswith(_CSA_BEGINS):
        return "csa" if _compiled(_CSA_MOVE).search(text, 0, _NEAR) else None
    table = text.find("\n手数-", 0, _NEAR)
    if table >= 0 and _compiled(_KIF_FIRST).match(text, text.find("\n", table + 1)):
        return "kif"
    return None


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Patterns are compiled when they are first needed: most runs need one or two of them."""
    return re.compile(pattern, re.MULTILINE)


_CSA_MOVE = r"\n[+-][0-9]{4}[A-Z]{2}"
#: Comments, bookmarks and blank lines, then a move.
_KIF_FIRST = r"(?:\n[*＊&#][^\n]*|\n[ 　\t\r]*(?=\n))*+" + next(
    pattern for _, _, words, pattern in _EVIDENCE if words == "a KIF move with its origin")
