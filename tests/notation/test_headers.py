"""Dates, time controls and time used as data, the texts as written beside them."""
from __future__ import annotations

import pytest

from kifu.notation import read
from kifu.headers import Dates, TimeControl, control, dates, iso, time_control, time_used, used
from kifu.record import Record


def record(headers: str) -> Record:
    return next(read(headers + "手合割：平手\n   1 ７六歩(77)\n", "kif"))


@pytest.mark.parametrize(("text", "expected"), [
    ("2024/01/05(金) 10:00:00", "2024-01-05T10:00:00"), ("2024/01/05 10:00:00", "2024-01-05T10:00:00"),
    ("2013/09/04 9:00", "2013-09-04T09:00:00"), ("2024/1/5", "2024-01-05"), ("1999/07/15(木) 19:07:12", "1999-07-15T19:07:12"),
    ("2017-03-22T01:00:00.000Z", "2017-03-22T01:00:00Z"), ("2017-03-22T01:00:00+09:00", "2017-03-22T01:00:00+09:00"),
    ("0000/00/00 00:00:00", None), ("2017年3月", "2017-03"), ("2017/03", "2017-03"), ("1612", "1612"),
    ("2019年09月05日 10:00", "2019-09-05T10:00:00"), ("２０１９／０９／０５", "2019-09-05"), ("2024/02/30", None),
    ("2024/01/05 25:00:00", "2024-01-05"), ("20世紀", None), ("", None), ("不明", None), ("1" * 10000, "1111"),
])
def test_dates(text: str, expected: str | None) -> None:
    assert iso(text) == expected


@pytest.mark.parametrize(("text", "main", "byoyomi", "increment"), [
    ("各6時間", 21600, 0, 0), ("各５時間", 18000, 0, 0), ("6時間30分", 23400, 0, 0), ("10分", 600, 0, 0),
    ("15分 切れたら60秒", 900, 60, 0), ("60分　切れたら1分将棋", 3600, 60, 0), ("5分+30秒", 300, 30, 0), ("15分＋60秒", 900, 60, 0),
    ("15分、秒読み30秒", 900, 30, 0), ("10分 切れ負け", 600, 0, 0), ("5分+5秒加算", 300, 0, 5), ("1手30秒", 0, 30, 0),
    ("10秒将棋", 0, 10, 0), ("00:25+00", 1500, 0, 0), ("00:00+10", 0, 10, 0), ("30+0+5", 30, 0, 5), ("600+10+0", 600, 10, 0),
    ("各6時間（チェスクロック使用）", 21600, 0, 0), ("0分", 0, 0, 0),
])
def test_time_controls(text: str, main: int, byoyomi: int, increment: int) -> None:
    assert control(text) == TimeControl(main, byoyomi, increment, text)


@pytest.mark.parametrize("text", ["チェスクロック使用", "一億年", "", "持ち時間テスト", "9" * 10000, "分", "+", "a+b+c"])
def test_time_controls_that_cannot_be_read(text: str) -> None:
    assert control(text) is None


@pytest.mark.parametrize(("text", "plies", "black", "white"), [
    ("104▲379△380", 104, 22740, 22800), ("▲4時間39分△4時間01分", None, 16740, 14460), ("52☗222☖236", 52, 13320, 14160),
])
def test_time_used(text: str, plies: int | None, black: int, white: int) -> None:
    found = used(text)
    assert found == (plies, black, white, text)


def test_of_a_record() -> None:
    one = record("開始日時：2013/09/04 09:00\n終了日時：2013/09/04 22:21\n対局日：2013/09/04\n持ち時間：各４時間\n消費時間：141▲294△299\n秒読み：60秒\n")
    assert dates(one) == Dates("2013-09-04T09:00:00", "2013-09-04T22:21:00", "2013-09-04",
                               ("2013/09/04 09:00", "2013/09/04 22:21", "2013/09/04"))
    assert time_control(one) == TimeControl(14400, 60, 0, "各４時間 60秒")
    used_here = time_used(one)
    assert used_here is not None and (used_here.plies, used_here.black) == (141, 17640)
    assert one.header("持ち時間") == "各４時間"


def test_of_a_record_that_says_nothing() -> None:
    one = record("持ち時間：持ち時間テスト\n秒読み：秒読みテスト\n")
    assert (dates(one), time_control(one), time_used(one)) == (Dates(None, None, None, (None, None, None)), None, None)


def test_each_side_may_have_its_own_control() -> None:
    one = record("先手持ち時間：10分\n後手持ち時間：5分\n")
    assert [time_control(one, side) for side in ("black", "white")] == [
        TimeControl(600, 0, 0, "10分"), TimeControl(300, 0, 0, "5分")]
    csa = next(read("V3.0\n$TIME:600+0+10\n$TIME-:300+5+0\nPI\n+\n+7776FU\n", "csa"))
    assert time_control(csa, "black") == TimeControl(600, 0, 10, "600+0+10")
    assert time_control(csa, "white") == TimeControl(300, 5, 0, "300+5+0")
