"""Grades of players: the text as the record has it, and an ordered number beside it.

====== ======================================================================================
 -15 … -1   15 kyu to 1 kyu: 級, kyu
  1 … 9     amateur dan: アマ三段, 4-dan
101 … 109   professional dan: 九段
   110      a holder of a title: 竜王, 名人, 二冠, 十六世名人, 十段 (a title from 1962 to 1987)
====== ======================================================================================

A record has the grade in a header of its own (SenteGrade) or behind the name; the name keeps it. Records seldom say
whether a dan is an amateur's or a professional's. Where アマ, プロ or the English words stand there it is as they
say.
Up to 3 dan it is an amateur's, since professionals begin with 4. From 4 dan on it is a professional's where the name
and the grade are written in Japanese (羽生善治 九段); names in Latin letters are those of players on servers, whose
四段 and 4-dan are amateur grades. That is a guess: a club player whose name is in kanji and who calls himself 五段
counts as a professional.

Women's titles and dan (女流) and grades of the apprentices (奨励会) are scales of their own, a former holder (前名人)
holds nothing, and amateurs have titles too (アマ名人): the text is kept, and the number is None.

>>> of("羽生善治 九段"), of("谷川浩司王位"), of("muzudho 1級"), of("foo 四段")
(('九段', 109), ('王位', 110), ('1級', -1), ('四段', 4))
>>> of("清水市代女流六段"), of("藤井聡太"), of("Kana", "アマ三段")
(('女流六段', None), (None, None), ('アマ三段', 3))
"""
from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

LOWEST_KYU, HIGHEST_DAN = 15, 9
PROFESSIONAL, TITLE_HOLDER = 100, 110
#: Professionals begin with this dan.
FIRST_PROFESSIONAL = 4

_DIGITS = {digit: value for value, digit in enumerate("〇一二三四五六七八九")}
_TITLE = "竜王|龍王|名人|王位|王座|棋王|王将|棋聖|叡王|十段"
_NUMBER = "[1-9][0-9]?|十?[一二三四五六七八九]|十|初"
#: What may stand before a grade and makes another one of it.
_KIND = "アマチュア|アマ|プロ|女流|奨励会"
_JAPANESE = re.compile(
    rf"(?P<kind>{_KIND})?(?:の|・)?(?:(?P<number>{_NUMBER})(?P<step>段|級)(?:格|位)?"
    rf"|(?P<title>(?:(?:前|永世|名誉|新|十[一二三四五六七八九]世|[一二三四五六七八九]世)?(?:{_TITLE})[・、]?)+"
    r"|[二三四五六七八]冠(?:王)?))")
_OTHER_SCALES = re.compile(r"女流(?:名人位?|王位|王座|王将)|女王|倉敷藤花|清麗|白玲|"
                           r"(?:アマ|学生|朝日アマ)(?:竜王|名人|王将|王座)")
_LATIN = re.compile(
    r"(?:(?P<kind>amateur|ama|professional|pro)[ .-]*)?(?P<number>[1-9][0-9]?)(?:st|nd|rd|th)?[ -]?"
    r"(?P<step>dan|kyu|d|k)"
    r"(?:[ .-]*(?P<kind_behind>amateur|ama|professional|pro))?", re.IGNORECASE)
_LETTERS = re.compile(r"[A-Za-z]")
_OPEN, _CLOSE = " \t\u3000([（［〔", " \t\u3000)]）］〕"
#: No grade is longer than this.
_LONGEST = 24


@lru_cache(maxsize=4096)  # collections name the same players again and again
def of(name: str | None, header: str | None = None) -> tuple[str | None, int | None]:
    """The grade of a player as written, and as an ordered number; None for what is not told.

    ``header`` is the text of a header for the grade alone; without one the grade is sought behind the ``name``.
    """
    if header and header.strip():
        told = header.strip()
        return told, rank(told, name)
    if not name:
        return None, None
    tail = name.strip().rstrip(_CLOSE)[-_LONGEST:]
    found = _behind(tail)
    return (None, None) if found is None else (found, rank(found, name[:name.rindex(found)]))


@lru_cache(maxsize=4096)
def rank(grade: str, name: str | None = None) -> int | None:
    """A grade as an ordered number; the name helps to tell amateurs from professionals.

    >>> [rank(grade) for grade in ("五段", "アマ五段", "5-dan", "pro 5 dan", "初段", "12級", "十段", "竜王・名人")]
    [105, 5, 5, 105, 1, -12, 110, 110]
    >>> [rank(grade) for grade in ("女流五段", "前名人", "16級", "強い")]
    [None, None, None, None]
    """
    plain = unicodedata.normalize("NFKC", grade).strip()
    if _OTHER_SCALES.fullmatch(plain):
        return None
    if match := _JAPANESE.fullmatch(plain):
        kind, number, step, title = match.group("kind", "number", "step", "title")
        on_server = bool(name and _LETTERS.search(name))
        if title or (number in ("十", "10") and step == "段"):
            return None if kind or on_server or (title and "前" in title) else TITLE_HOLDER
        if kind in ("女流", "奨励会"):
            return None
        professional = kind == "プロ" or (kind is None and not on_server)
        return _number(_value(number), step == "級", professional)
    if match := _LATIN.fullmatch(plain):
        words = (match["kind"] or match["kind_behind"] or "").lower()
        return _number(int(match["number"]), match["step"].lower() in ("kyu", "k"), words.startswith("pro"))
    return None


def _number(value: int, kyu: bool, professional: bool) -> int | None:
    if kyu:
        return -value if value <= LOWEST_KYU else None
    if value > HIGHEST_DAN:
        return None
    return PROFESSIONAL + value if professional and value >= FIRST_PROFESSIONAL else value


def _value(text: str) -> int:
    """A number as grades have it: 初, 十二, 7."""
    if text.isdecimal() and text.isascii():
        return int(text)
    if text == "初":
        return 1
    return 10 * text.startswith("十") + _DIGITS.get(text.removeprefix("十"), 0)


def _behind(tail: str) -> str | None:
    """The grade with which a text ends, a name being before it; of several ways to read it the longest."""
    plain = unicodedata.normalize("NFKC", tail)
    same = len(plain) == len(tail)  # or nothing can be said of where it begins
    for start in range(1, len(tail) if same else 0):
        some = plain[start:]
        if _JAPANESE.fullmatch(some) or _OTHER_SCALES.fullmatch(some):
            latin = False
        elif _LATIN.fullmatch(some) and len(some) > 2:  # "3d" may be the end of any name
            latin = True
        else:
            continue
        if not tail[:start].strip(_OPEN) or (latin and tail[start - 1] not in _OPEN and tail[start - 1] not in ",、"):
            continue
        return tail[start:]
    return None
