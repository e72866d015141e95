"""Which notation a text is in, judged by its content; the file name only breaks ties. It may answer "unknown"."""
from __future__ import annotations

import re
from functools import cache

from kifu._tuples import NamedTuple

_SQUARE = "[1-9１-９][一二三四五六七八九1-9１-９]"
_MAN = "(?:成[香桂銀]|[歩香桂銀金角飛玉王と杏圭全馬龍竜])(?:[左右直上行入寄引成不生打合]{0,4})"
_DIAGRAM = r"\n[ 　\t]*(?:\+-{9,}|\|[ vV^+-].*\|)"
_COUNT = "(?:[0-9０-９]+(?:[.．)）手]目?|[ 　\t])[ 　\t]*)"
_SIGNED = rf"[▲△▼▽☗☖][ 　\t]*(?:{_SQUARE}|[同仝][ 　]*)同?{_MAN}"
_USI_SQUARE = "(?:1[0-2]|[1-9])[a-l]"
_USI_MOVE = rf"{_USI_SQUARE}{_USI_SQUARE}(?:{_USI_SQUARE}|[+-])?"
#: (notations, weight, what it is, pattern); every pattern is tried on the head of the text, before which a line end is
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
    ("kif ki2", 5, "a KIF header",
     r"\n[ 　\t]*"
     r"(?:開始日時|終了日時|対局日|棋戦|持ち時間|場所|戦型|表題|備考|作品番号|作品名|作者|発表誌|出典)[ 　]*[:：]"),
    ("kif ki2", 3, "a handicap or a name", r"\n[ 　\t]*(?:手合割|先手|後手|上手|下手)[ 　]*[:：]"),
    ("kif ki2", 4, "a board diagram", _DIAGRAM), ("bod", 8, "a board diagram", _DIAGRAM),
    ("kif ki2 bod", 3, "a hand", r"\n[ 　\t]*(?:先手|後手|上手|下手)の?持ち?駒[ 　]*[:：]"),
    ("ki2", 9, "a #KI2 line", r"\n#KI2\b"),
    ("ki2", 6, "a line of KI2 moves", rf"\n[ 　\t]*(?:{_COUNT}|[0-9０-９]+)?{_SIGNED}"),
    ("ki2", 5, "KI2 moves without signs",
     rf"\n[ 　\t]*(?:{_SQUARE}{_MAN}[ 　\t]*$|{_COUNT}?{_SQUARE}{_MAN}[ 　\t]*{_COUNT}?(?:{_SQUARE}|同[ 　]*){_MAN})"),
    ("usi", 8, "a USI position", r"\n[ \t]*+(?:\w++[ \t]*\|)?[ \t]*+(?:position[ \t]+(?:sfen|startpos)|startpos\b|"
     r"sfen[ \t]+[0-9a-zA-Z+]+/)"),
    ("usi", 8, "an SFEN",
     r"\n[ \t]*+(?:\w++[ \t]*\|)?[ \t]*+(?:[1-9a-zA-Z+]{1,18}/){8}[1-9a-zA-Z+]{1,18}[ \t]+[bw]\b"),
    ("usi", 8, "an SFEN of another kind of shogi",
     r"\n[ \t]*+(?:\w++[ \t]*\|)?[ \t]*+(?:(?:[0-9a-zA-Z+]{1,24}/){2,7}|(?:[0-9a-zA-Z+]{1,24}/){9,11})"
     r"[0-9a-zA-Z+]{1,24}[ \t]+[bw][ \t]+(?:-|[0-9a-zA-Z]+)(?:[ \t]|$)"),
    ("usi", 6, "USI moves", rf"\n[ \t]*(?:moves[ \t]+)?{_USI_MOVE}(?:[ \t]+(?:{_USI_MOVE}|\+?[A-Z]\*{_USI_SQUARE}|"
     r"resign|win))*[ \t]*$"),
    ("western", 4, "a tag", r"\n\[[A-Za-z_][A-Za-z0-9_]*:?[ \t]*\""),
    ("western", 8, "Hodges moves", r"[\s.]\+?[PLNSGBRKplnsgbrk](?:[1-9][a-i])?[-x'][1-9][a-i]"),
    ("western", 8, "moves with numeric squares", r"[\s.]\+?[PLNSGBRK](?:[1-9][1-9])?[-x'][1-9][1-9]"),
    ("western", 6, "Hosking moves", r"\s1[ \t]*\.[ \t]*(?:\.\.+[ \t]*)?\+?[PLNSGBRK]'?[1-9][1-9][\s+=]"),
    ("western", 8, "Kitao-Kawasaki moves", r"[\s.]\+?[歩香桂銀金角飛玉王と馬龍竜](?:\([1-9][1-9]\))?[-x*][1-9][1-9]"),
    ("western", 8, "moves with animals",
     r"[\s.]\+?(?:Chick|Boar|Rabbit|Cat|Dog|Elephant|Giraffe|Lion|Hen|Ku[řr]e|Prase|Kr[áa]l[íi]k|Ko[čc]ka|Pes|Slon|"
     r"[ŽZ]irafa|Lev|Slepice)(?:[1-9][1-9a-i])?[-x*][1-9][1-9a-i]"),
    ("western", 4, "numbered western moves", r"\s1[ \t]*\.[ \t]*(?:\.\.+[ \t]*)?\+?[PLNSGBRK]"),
    ("western", 6, "moves without numbers and signs", r"\n[PLNSGBRK][1-9][a-i](?:[ \t]+[PLNSGBRK][1-9][a-i]){3}"),
    ("pgn", 8, "a Variant tag", r"\n\[Variant[ \t]+\"[Ss]hogi\""),
    ("pgn", 8, "a FEN with the hands in brackets", r"\n\[FEN[ \t]+\"[1-9a-zA-Z+/]+\[[a-zA-Z-]*\][ \t]+[wb]\b"),
    ("pgn", 9, "moves on the squares a1 to i9",
     r"\s1[ \t]*\.[ \t]*(?:\.\.+[ \t]*)?(?:\+?[PLNSGBRK])?(?:[a-i][1-9]?|[1-9])?[x-]?[a-i][1-9][+=#]*\s"),
    ("usen", 9, "a USEN section", r"\n[ \t]*+(?:https?://[^~\s]*[?#=])?(?:[1-9a-zA-Z_]{9,99}\.[bw]\.[0-9a-zA-Z-]+)?"
     r"~0\.[0-9a-z]*(?:[.~&#?]|[ \t]*$)"),
    ("jkf", 9, "a JSON object with moves", r"\A\s*\{(?:\s*\"initial\"\s*:\s*\{|[\s\S]{0,400}\"(?:moves|header)\"\s*:)"),
)
#: What makes western text PSN: (what it is, pattern), tried on texts that are western by the above.
_PSN: tuple[tuple[str, str], ...] = (
    ("a clock with its total", r"[1-9a-is+][ \t]*\([ ]*[0-9]+:[0-9]+(?::[0-9]+)?[ ]*/[ ]*[0-9]+:[0-9:]+[ ]*\)"),
    ("Variation: and a number", r"\nVariation:[ \t]*[0-9]+"),
    ("a first move with both squares",
     r"\s1[ \t]*[.-][ \t]*(?:\.\.+[ \t]*)?(?:P?|[LNSGBRK](?=[1-9a-i-]{5}[ \t]+(?:2\.[ \t]*)?P[1-9][a-i]-))"
     r"[1-9][a-i][-x]?[1-9][a-i]"),
    ("a first move without a sign between piece and square",
     r"\s1[ \t]*[.-][ \t]*(?:\.\.+[ \t]*)?[PLNSGBRK][1-9][a-i][\s+=]"),
    ("moves without numbers and signs", r"\n[PLNSGBRK][1-9][a-i](?:[ \t]+[PLNSGBRK][1-9][a-i]){3}"),
    ("one number a move", r"\n[ \t]*1[.-][ \t]*\+?[PLNSGBRK][1-9a-ix*'-]+[+=]?[ \t\r]*\n[ \t]*2[.-]"),
)
_PSN_FILES = (".psn", ".psn2", ".gam", ".tbk")  # GNU Shogi called them .gam and .tbk
_HINTS = {".csa": "csa", ".kif": "kif", ".kifu": "kif", ".bod": "bod", ".ki2": "ki2", ".ki2u": "ki2", ".sfen": "usi",
          ".usi": "usi", ".usen": "usen", ".pgn": "pgn", ".jkf": "jkf"}
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
    found = _certain(text) or detect(text, suffix).notation
    return "psn" if found == "western" and suffix.lower() in _PSN_FILES else found


def detect(text: str, suffix: str = "") -> Detection:
    """Judge the notation of a decoded text by its first 64 K characters; ``suffix`` (``.kif``) only breaks ties.

    A text that opens like a CSA record and goes on to a CSA move is one, and so is a KIF record in which a move follows
    the head of the move table, or a KI2 record in which moves behind their signs follow the headers. In all others
    whatever speaks for a notation is weighed.

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
    for notations, weight, words, pattern in _EVIDENCE:
        match = _compiled(pattern).search(head)
        if match is not None:
            for notation in notations.split():
                scores[notation] = scores.get(notation, 0) + weight
            start = match.start() + (head[match.start()] == "\n")
            line = head.count("\n", 0, start)
            evidence.append(f"{notations} +{weight}: {words} (line {line})")
    if not scores:
        return Detection(None, evidence, scores)
    hinted = _HINTS.get(suffix.lower(), "")
    if hinted in scores:
        evidence.append(f"{hinted} +1: the file name ends in {suffix}")
        scores[hinted] += 1
    certain = _certain(text)
    best = certain or max(scores, key=lambda name: scores[name])
    if best == "western":
        reason = psn_reason("" if certain else head, suffix)
        if reason:
            best = "psn"
            scores[best] = scores["western"] + 1
            evidence.append(f"psn: western text with {reason}")
    return Detection(best, evidence, scores)


def psn_reason(head: str, suffix: str) -> str:
    """What makes a western text PSN, "" where nothing does."""
    if suffix.lower() in _PSN_FILES:
        return f"the file name ending in {suffix}"
    for words, pattern in _PSN:
        match = _compiled(pattern).search(head)
        if match is not None:
            start = match.start() + (head[match.start()].isspace())
            return f"{words} (line {head.count(chr(10), 0, start)})"
    return ""


def _certain(text: str) -> str | None:
    """The notation of a text whose opening and first move leave no doubt; None for all others."""
    if text.startswith(_USI_BEGINS):
        return "usi"
    if text.startswith(_CSA_BEGINS):
        return "csa" if _compiled(_CSA_MOVE).search(text, 0, _NEAR) else None
    if text.startswith("[") and not text.startswith("[Variant"):
        first = text.find("\n1. ", 0, _NEAR)
        return "western" if first >= 0 and _compiled(_HODGES_PAIR).match(text, first) else None
    table = text.find("\n手数-", 0, _NEAR)
    if table >= 0:
        return "kif" if _compiled(_KIF_FIRST).match(text, text.find("\n", table + 1)) else None
    return "ki2" if _compiled(_KI2_OPENING).match(text) else None


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Patterns are compiled when they are first needed: most runs need one or two of them."""
    return re.compile(pattern, re.MULTILINE)


#: Two moves in Hodges notation behind one number, or White's first and a second; clocks and comments between them.
_HODGES = r"\+?[PLNSGBRK](?:[1-9][a-i])?[-x*][1-9][a-i]"
_HODGES_FIRST = r"(?:P|[LNSGBRK](?:[1-9][a-i])?)[-x][1-9][a-i][+=]?(?:[ \r\n]+(?:\([0-9:.]+\)|\{[^{}]*\}))*[ \r\n]+"
_HODGES_PAIR = rf"\n1\. (?:{_HODGES_FIRST}(?:1\. \.\.\. )?{_HODGES}|\.\.\. {_HODGES_FIRST}2\. {_HODGES})"
_CSA_MOVE = r"\n[+-][0-9]{4}[A-Z]{2}"
#: Comments, bookmarks and blank lines, then a move.
_KIF_FIRST = r"(?:\n[*＊&#][^\n]*|\n[ 　\t\r]*(?=\n))*+" + next(
    pattern for _, _, words, pattern in _EVIDENCE if words == "a KIF move with its origin")
#: Headers, comments, bookmarks and blank lines, then a line of moves behind their signs.
_KI2_OPENING = r"(?:[*＊&][^\n]*\n|#(?!KIF)[^\n]*\n|[^\n:：0-9+|'$%\[{]{1,20}[:：][^\n]*\n|[ 　\t\r]*\n)*+" + _SIGNED
