"""Header texts as values: every form that records use, and nothing guessed from what is no date or rating."""
from __future__ import annotations

import datetime

import pytest

from kifu.store import fields


@pytest.mark.parametrize(("text", "day", "precision"), [
    ("2024/01/05(金) 10:00:00", "2024-01-05", "day"),
    ("2024/01/05", "2024-01-05", "day"),
    ("2024/1/5 9:00", "2024-01-05", "day"),
    ("　２０２４／０１／０５", "2024-01-05", "day"),
    ("2017-03-22T01:00:00.000Z", "2017-03-22", "day"),
    ("2003年5月3日", "2003-05-03", "day"),
    ("20240105", "2024-01-05", "day"),
    ("20240101000002", "2024-01-01", "day"),
    ("平成15年（2003年）5月3日", "2003-01-01", "year"),
    ("昭和25年3月10日", "1950-03-10", "day"),
    ("令和元年5月", "2019-05-01", "month"),
    ("1975年10月", "1975-10-01", "month"),
    ("2024/00/00", "2024-01-01", "year"),
    ("2024.??.??", "2024-01-01", "year"),
    ("2024-06", "2024-06-01", "month"),
    ("1868", "1868-01-01", "year"),
])
def test_dates(text: str, day: str, precision: str) -> None:
    assert fields.date(text) == (datetime.date.fromisoformat(day), precision)


@pytest.mark.parametrize("text", [
    None, "", "0000/00/00 00:00:00", "2024/13/01", "2024/02/30", "15:05:40", "不明", "????.??.??", "123456789", "20245/1/1",
    "昨日 2024/01/01",
])
def test_what_is_no_date(text: str | None) -> None:
    assert fields.date(text) == (None, None)


@pytest.mark.parametrize(("text", "rating"), [
    ("2593", 2593), ("2593.5", 2594), (" １５００ ", 1500), ("black_rate:tsubame+hash:2593.0", 2593), ("R1800", 1800),
    (None, None), ("", None), ("三段", None), ("0", None), ("-200", None), ("99999", None), ("1.2.3", None),
    ("1500?", None),
])
def test_ratings(text: str | None, rating: int | None) -> None:
    assert fields.rating(text) == rating


def test_ratings_of_floodgate() -> None:
    assert fields.floodgate_ratings("Max_Moves:256\nblack_rate:a+b:1234.5\nwhite_rate:x:y:900.0\n") == (1234, 900)
    assert fields.floodgate_ratings("white_rate:x:900.0") == (None, 900)
    assert fields.floodgate_ratings("no such thing") == (None, None)


@pytest.mark.parametrize(("told", "extra", "seconds"), [
    ("00:15+60", None, (900, 60, 0)), ("600+0+10", None, (600, 0, 10)), ("00:25+00", None, (1500, 0, 0)),
    ("15分 切れたら60秒", None, (900, 60, 0)), ("各10分", "30秒", (600, 30, 0)), (None, "30秒", (0, 30, 0)),
    ("各6時間", None, (21600, None, None)),  # the minute that follows is left unsaid
    ("10分切れ負け", None, (600, 0, 0)), ("30秒", None, (None, None, None)),  # for each move, or for all of them
    ("チェスクロック使用", None, (None, None, None)), ("10分 考慮時間1分10回", None, (None, None, None)), (None, None, (None, None, None)),
    ("", "", (None, None, None)), ("999999時間", None, (None, None, None)),
])
def test_time_controls(told: str | None, extra: str | None, seconds: tuple[int | None, ...]) -> None:
    """What is not said is not zero; controls with rules of their own are not taken for others."""
    assert fields.time_control(told, extra) == seconds
