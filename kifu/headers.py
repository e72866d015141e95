"""Header values that are free text in every notation, as data: dates, time controls, time used.

Nothing here runs while a record is read: the functions are called with a `Record` (or a text) by whoever wants the
value, and the text as written always stands beside it. What cannot be read is None, never a guess.

>>> iso("2024/01/05(金) 10:00:00"), iso("2017-03-22T01:00:00.000Z"), iso("0000/00/00 00:00:00")
('2024-01-05T10:00:00', '2017-03-22T01:00:00Z', None)
>>> control("15分 切れたら60秒")
TimeControl(main=900, byoyomi=60, increment=0, raw='15分 切れたら60秒')
"""
from __future__ import annotations

import datetime
import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from kifu.record import Record

_BLANKS = " \t　"
_DATE = re.compile(r"([0-9]{4})(?:[-/.年]([0-9]{1,2})(?:[-/.月]([0-9]{1,2})日?)?)?月?(?:\([^()]{1,3}\))?")
_TIME = re.compile(r"[ T]*([0-9]{1,2})[:時]([0-9]{1,2})(?:[:分]([0-9]{1,2})?)?(?:\.[0-9]{1,9})?秒?"
                   r"(Z|[-+][0-9]{2}:?[0-9]{2})?$")
_CSA_3 = re.compile(r"([0-9]{1,9})(?:\.[0-9]*)?\+([0-9]{1,9})(?:\.[0-9]*)?\+([0-9]{1,9})(?:\.[0-9]*)?$")
_CSA_2 = re.compile(r"([0-9]{1,4}):([0-9]{1,2})(?:\+([0-9]{1,6}))?$")
_SPAN = re.compile(r"(?:([0-9]{1,6})時間)?(?:([0-9]{1,6})分)?(?:([0-9]{1,6})秒)?")
_USED = re.compile(r"([0-9]{0,6})[▲☗]([^△☖▽]{1,20})[△☖▽](.{1,20})$")
#: What may stand between the main time and the time for each move that follows it.
_JOINT = re.compile(r"[+、,/|・ ()（）]|切れたら|切れ後|使い切ると|使用後|秒読み|一手|1手|以降|から|以内|各|で|は")
_INCREMENT = re.compile(r"加算|フィッシャー|fischer|increment", re.IGNORECASE)
_AFTER = re.compile(r"将棋|未満|以内")


class TimeControl(NamedTuple):
    """Seconds each side has for the game, for each move after that, and what each move adds; the text as written."""

    main: int
    byoyomi: int
    increment: int
    raw: str


class TimeUsed(NamedTuple):
    """What 消費時間 says: how many plies, and the seconds each side used; None where it does not say."""

    plies: int | None
    black: int | None
    white: int | None
    raw: str


class Dates(NamedTuple):
    """When a game began, when it ended, the day of the game: as ISO 8601, None where absent or unreadable.

    ``raw`` holds the three texts as written, None where a header is absent.
    """

    start: str | None
    end: str | None
    day: str | None
    raw: tuple[str | None, str | None, str | None]


def dates(record: Record) -> Dates:
    """The dates of a record: 開始日時 終了日時 対局日, $START_TIME, Date … whatever its notation calls them."""
    raw = record.header("start_time"), record.header("end_time"), record.header("date")
    start, end, day = (iso(text) if text else None for text in raw)
    return Dates(start, end, day, raw)


def time_control(record: Record, side: str | None = None) -> TimeControl | None:
    """The time control of a record, or of one of its sides (``black``, ``white``) where it has its own.

    秒読み, a header of its own in KIF, fills in what 持ち時間 leaves open.
    """
    told = record.header(f"{side}_time_control") if side else None
    return combined(told or record.header("time_control"), record.header("秒読み"))


@lru_cache(maxsize=256)
def combined(told: str | None, extra: str | None) -> TimeControl | None:
    """The time control that the header for it and 秒読み state together; each is None where it is absent.

    >>> combined("各10分", "30秒")
    TimeControl(main=600, byoyomi=30, increment=0, raw='各10分 30秒')
    """
    found = control(told) if told else None
    if extra:
        seconds = _span(_plain(extra).removeprefix("1手"))
        if seconds is None and _plain(extra).isdecimal():
            seconds = int(_plain(extra)[:6])
        if seconds is not None and not (found and (found.byoyomi or found.increment)) and (found or not told):
            return TimeControl(found.main if found else 0, seconds, 0, f"{told} {extra}" if told else extra)
    return found


def time_used(record: Record) -> TimeUsed | None:
    """What the header 消費時間 says, None where there is none or it cannot be read."""
    told = record.header("消費時間")
    return used(told) if told else None


def iso(text: str) -> str | None:
    """A date with what is known of it, as ISO 8601: ``2024-01-05T10:00:00``, ``2024-01-05``, ``2017-03``, ``1612``.

    A weekday is passed over, a zone is kept, fractions of seconds are not. None for a day that does not exist and for
    the zeros that Piyo writes.
    """
    plain = unicodedata.normalize("NFKC", text).strip(_BLANKS)
    match = _DATE.match(plain)
    if match is None:
        return None
    year, month, day = match.groups()
    try:
        datetime.date(int(year), int(month or 1), int(day or 1))
    except ValueError:
        return None
    found = "-".join([year, *(part.zfill(2) for part in (month, day) if part)])
    rest = plain[match.end():]
    if not day or not rest.strip(_BLANKS):
        return found
    clock = _TIME.match(rest)
    if clock is None:
        return found
    hour, minute, second, zone = clock.groups()
    if int(hour) > 23 or int(minute) > 59 or int(second or 0) > 59:
        return found
    return f"{found}T{hour.zfill(2)}:{minute.zfill(2)}:{(second or '00').zfill(2)}{zone or ''}"


def control(text: str) -> TimeControl | None:
    """A time control as CSA 2 and 3, Kifu for Windows, 81Dojo, lishogi and newspapers write it.

    >>> control("00:25+00").main, control("600+0+10").increment, control("各6時間").main
    (1500, 10, 21600)
    >>> control("チェスクロック使用") is None
    True
    """
    plain = _plain(text)
    if match := _CSA_3.match(plain):
        main, byoyomi, increment = (int(part) for part in match.groups())
        return TimeControl(main, byoyomi, increment, text)
    if match := _CSA_2.match(plain):
        hours, minutes, byoyomi_text = match.groups()
        return TimeControl(60 * (60 * int(hours) + int(minutes)), int(byoyomi_text or 0), 0, text)
    plain = plain.removeprefix("各").removeprefix("持ち時間")
    match = _SPAN.match(plain)
    if match is None or not match.end():
        return _each_move(plain, text)
    rest = plain[match.end():]
    while joint := _JOINT.match(rest):
        rest = rest[joint.end():]
    each = _span(rest) or 0
    if not each and (any(char.isdigit() for char in rest) or _INCREMENT.search(plain)):
        return None  # there is a time in it that is not understood
    if _AFTER.match(rest) and not each:  # 10秒将棋: so long for every move
        return TimeControl(0, _seconds(match), 0, text)
    if _INCREMENT.search(plain):
        return TimeControl(_seconds(match), 0, each, text)
    return TimeControl(_seconds(match), each, 0, text)


def used(text: str) -> TimeUsed | None:
    """Time used: plies, then minutes or a span for each side.

    >>> used("104▲379△380")
    TimeUsed(plies=104, black=22740, white=22800, raw='104▲379△380')
    """
    match = _USED.match(_plain(text))
    if match is None:
        return None
    plies, black, white = match.groups()
    return TimeUsed(int(plies) if plies else None, _minutes(black), _minutes(white), text)


def _plain(text: str) -> str:
    """A text with half-width digits, latin letters and signs, and without blanks."""
    return "".join(unicodedata.normalize("NFKC", text[:200]).split())


def _each_move(plain: str, raw: str) -> TimeControl | None:
    """A control that gives time for each move only: ``1手30秒``, ``一手30秒``."""
    for lead in ("1手", "一手"):
        if plain.startswith(lead):
            seconds = _span(plain[len(lead):])
            return TimeControl(0, seconds, 0, raw) if seconds else None
    return None


def _span(text: str) -> int | None:
    """The seconds of a span that a text begins with."""
    match = _SPAN.match(text)
    return _seconds(match) if match and match.end() else None


def _seconds(match: re.Match[str]) -> int:
    hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return 3600 * hours + 60 * minutes + seconds


def _minutes(text: str) -> int | None:
    """Seconds from a number of minutes or a span."""
    return 60 * int(text[:9]) if text.isdecimal() and text.isascii() else _span(text)


__all__ = ["Dates", "TimeControl", "TimeUsed", "control", "dates", "iso", "time_control", "time_used", "used"]
