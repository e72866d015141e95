# cython: language_level=3, annotation_typing=False
"""Header texts as values: dates with their precision, ratings, time controls. What cannot be read is None.

>>> date("2024/01/05(金) 10:00:00")
(datetime.date(2024, 1, 5), 'day')
>>> date("昭和25年3月")
(datetime.date(1950, 3, 1), 'month')
>>> rating("black_rate:tsubame:2593.0")
2593
"""
from __future__ import annotations

import datetime
import re
import unicodedata
from functools import lru_cache

from kifu.referee import clocks

#: First year of the eras that records of games use, less one.
_ERAS = {"明治": 1867, "大正": 1911, "昭和": 1925, "平成": 1988, "令和": 2018}

_WESTERN = re.compile(r"\s*(\d{4})(?!\d)(?:\s*[-/.年]\s*(\d{1,2}|\?\?)(?!\d)(?:\s*[-/.月]\s*(\d{1,2}|\?\?)(?!\d))?)?")
_COMPACT = re.compile(r"\s*(\d{4})(\d{2})(\d{2})(?:\d{4}|\d{6})?(?!\d)")
_ERA = re.compile(r"\s*(明治|大正|昭和|平成|令和)\s*(\d{1,2}|元)\s*年(?:\s*(\d{1,2})\s*月(?:\s*(\d{1,2})\s*日)?)?")
_FLOODGATE = re.compile(r"^'?(black|white)_rate:(.*)$", re.MULTILINE)
_LAST_NUMBER = re.compile(r"(?<![\d.])(-?\d{1,6}(?:\.\d+)?)\s*$")

HIGHEST_RATING = 9999


def date(text: str | None) -> tuple[datetime.date | None, str | None]:
    """The date in a header and how much of it is known: ``year``, ``month`` or ``day``.

    Unknown parts count as 1, so that a year sorts before its months. ``(None, None)`` where the text holds no date,
    an impossible one, or the all-zero date that some programs write for "unknown". Time of day, weekday and zone
    after the date are passed over.
    """
    if not text:
        return None, None
    plain = text if text.isascii() else unicodedata.normalize("NFKC", text)
    if match := _ERA.match(plain):
        era, year_text, month, day = match.groups()
        year = _ERAS[era] + (1 if year_text == "元" else int(year_text))
    elif match := (_COMPACT.match(plain) or _WESTERN.match(plain)):
        year_text, month, day = match.groups()
        year = int(year_text)
    else:
        return None, None
    month = None if month in (None, "??", "0", "00") else month
    day = None if month is None or day in (None, "??", "0", "00") else day
    precision = "day" if day else "month" if month else "year"
    try:
        return datetime.date(year, int(month or 1), int(day or 1)), precision
    except ValueError:  # month 13, 30 February, the year 0
        return None, None


@lru_cache(maxsize=1024)
def time_control(told: str | None, extra: str | None = None) -> tuple[int | None, int | None, int | None]:
    """Main time, byoyomi and increment in seconds, from the header for the time control and 秒読み.

    None where it cannot be told, or is longer than a column holds (68 years).

    >>> time_control("各10分", "30秒"), time_control("チェスクロック使用")
    ((600, 30, 0), (None, None, None))
    """
    if not (told or extra):
        return None, None, None
    found = clocks.stated(told, extra)
    return found if max(seconds or 0 for seconds in found) < 1 << 31 else (None, None, None)


@lru_cache(maxsize=4096)  # collections name the same players again and again
def rating(text: str | None) -> int | None:
    """A rating, from a bare number or from a floodgate comment such as ``black_rate:NAME:2593.0``.

    None where there is no number or an unlikely one (below 1, above 9999): a database's averages must not be spoilt
    by one wrong header.
    """
    if not text:
        return None
    match = _LAST_NUMBER.search(unicodedata.normalize("NFKC", text).strip())
    if match is None:
        return None
    value = round(float(match[1]))
    return value if 1 <= value <= HIGHEST_RATING else None


def floodgate_ratings(comment: str) -> tuple[int | None, int | None]:
    """Black's and White's rating from the comments with which floodgate opens a game.

    >>> floodgate_ratings("black_rate:tsubame+0a1b:2593.0\\nwhite_rate:Hototogisu_v2:2283.0")
    (2593, 2283)
    """
    found = {side: rating(value) for side, value in _FLOODGATE.findall(comment)}
    return found.get("black"), found.get("white")
