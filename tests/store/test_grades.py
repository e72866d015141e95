"""Grades of players: what stands behind a name, and what it is worth."""
from __future__ import annotations

import pytest

from kifu.store import grades


@pytest.mark.parametrize(("name", "grade", "rank"), [
    ("羽生善治 九段", "九段", 109), ("戸辺　誠 七段", "七段", 107), ("深浦康市九段", "九段", 109), ("伊奈祐介六段", "六段", 106),
    ("山田５段", "５段", 105), ("山田 太郎（五段）", "五段", 105), ("加藤一二三九段", "九段", 109), ("里見 三段", "三段", 3),
    ("谷川浩司王位", "王位", 110), ("羽生 善治竜王", "竜王", 110), ("藤井聡太竜王・名人", "竜王・名人", 110),
    ("渡辺明二冠", "二冠", 110), ("木村義雄十四世名人", "十四世名人", 110), ("大山康晴十段", "十段", 110),
    ("muzudho 1級", "1級", -1), ("surokiti0510 初段", "初段", 1), ("foo 四段", "四段", 4), ("foo 十段", "十段", None),
    ("bar 十二級", "十二級", -12), ("bar 15級", "15級", -15), ("bar 30級", "30級", None),
    ("Kana 4-dan", "4-dan", 4), ("Kana (4 dan)", "4 dan", 4), ("Kana 3 kyu", "3 kyu", -3), ("Kana pro 5-dan", "pro 5-dan", 105),
    ("山田アマ五段", "アマ五段", 5), ("A アマ名人", "アマ名人", None), ("清水市代女流六段", "女流六段", None),
    ("里見香奈清麗", "清麗", None), ("佐々木 奨励会三段", "奨励会三段", None), ("谷川前名人", "前名人", None),
    ("谷川プロ五段", "プロ五段", 105), ("shogi_fan 名人", "名人", None),
])
def test_behind_the_name(name: str, grade: str, rank: int | None) -> None:
    assert grades.of(name) == (grade, rank)


@pytest.mark.parametrize("name", [
    None, "", "  ", "先手", "藤井聡太", "加藤一二三", "Kana", "Habu3d", "bar3dan", "Dan", "5-dan", "九段", "名人", "(初段)",
    "一級建築士", "mr.kyu", "tsubame+0a1b", "x" * 10_000, "段" * 10_000, "（" * 5000,
])
def test_names_without_a_grade(name: str | None) -> None:
    assert grades.of(name) == (None, None)


@pytest.mark.parametrize(("name", "header", "rank"), [
    ("Kana", "アマ三段", 3), ("Kana", "5-dan", 5), ("羽生", "九段", 109), ("Kana", "amateur 2 dan", 2), (None, "professional 4 dan", 104),
    ("Kana", "something", None), ("Kana", "王座", None), (None, "王座", 110),
])
def test_in_a_header(name: str | None, header: str, rank: int | None) -> None:
    assert grades.of(name, header) == (header, rank)


def test_a_header_counts_more_than_the_name() -> None:
    assert grades.of("羽生 九段", "八段") == ("八段", 108)
    assert grades.of("羽生 九段", " ") == ("九段", 109)


def test_the_order() -> None:
    """From the lowest to the highest."""
    told = ["15級", "1級", "初段", "三段", "アマ九段", "四段", "九段", "名人"]
    ranks = [grades.rank(grade) for grade in told]
    assert ranks == [-15, -1, 1, 3, 9, 104, 109, 110]
