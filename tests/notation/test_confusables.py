"""Hints for what people type in place of what they mean; nothing is ever repaired."""
from __future__ import annotations

import pytest

from kifu.notation import read
from kifu.notation.confusables import LONGEST, end_word, hint
from kifu.replay import replay

HEAD = "手合割：平手\n手数----指手---------消費時間--\n"
START = "   1 ７六歩(77)\n   2 ３四歩(33)\n"


@pytest.mark.parametrize(("text", "says"), [
    ("3 ７ニ歩(73)", "ニ (katakana) stands where 二"), ("3 ７ハ金(69)", "ハ (katakana) stands where 八"),
    ("3 ５ミ歩(54)", "where 三"), ("3 ７ー歩成(72)", "ー (the mark of a long vowel) stands where 一"),
    ("3 ７—歩成(72)", "— (a dash) stands where 一"), ("3 ７-歩成(72)", "- (a hyphen) stands where 一"),
    ("3 ７二卜(73)", "卜 (the kanji for fortune-telling) stands where と"), ("3 ７二ﾄ(73)", "where と"),
    ("3 六７歩(77)", "the file comes before the rank: ７六"), ("3 六7歩(77)", "the file comes before the rank: 7六"),
    ("3 七六歩(77)", "the file is written as a digit: 7六"), ("3 ７六佳(77)", "佳 (another kanji) stands where 桂"),
    ("3 先日手", "did you mean 千日手?"), ("3 卜ライ", "did you mean トライ?"), ("3 ２二仝銀(31)", "仝 behind a square"),
    ("3 ７六步(77)", "步 (another form) stands where 歩"), ("3 力", "力 (the kanji for strength) stands where カ"),
])
def test_hints_for_kif(text: str, says: str) -> None:
    assert hint(text, "kif").startswith(says) or says in hint(text, "kif")
    assert hint(text, "ki2") == hint(text, "kif")


@pytest.mark.parametrize(("text", "says"), [
    ("+7776fu", "CSA is written in upper case: +7776FU"), ("%toryo", "CSA is written in upper case: %TORYO"),
    ("＋７７７６ＦＵ", "CSA is written in half-width characters: +7776FU"),
    ("%ＴＯＲＹＯ", "CSA is written in half-width characters: %TORYO"),
    ("+7776Fu", "CSA is written in upper case: +7776FU"), ("+OO55KA", "the letter O stands where the digit 0 is meant: +0055KA"),
    ("+0O55KA", "the letter O stands where the digit 0 is meant: +0055KA"),
    ("+7776T0", "the digit 0 stands where the letter O is meant: +7776TO"),
    ("+59580U", "the digit 0 stands where the letter O is meant: +5958OU"),
])
def test_hints_for_csa(text: str, says: str) -> None:
    assert hint(text, "csa") == says


@pytest.mark.parametrize(("text", "notation", "says"), [
    ("p-7f", "western", "pieces are written in upper case: P-7f"), ("g4i-5h", "western", "upper case: G4i-5h"),
    ("Ｐ－７ｆ", "western", "half-width characters: P-7f"), ("７ｇ７ｆ", "usi", "half-width characters: 7g7f"),
    ("position startpos moves 7G7F", "usi", "lower case: 7g7f"),
])
def test_hints_for_western_text_and_usi(text: str, notation: str, says: str) -> None:
    assert hint(text, notation).endswith(says)


@pytest.mark.parametrize("notation", ["kif", "ki2", "csa", "western", "usi", "sfen", "nonsense"])
def test_no_hint_where_nothing_is_known(notation: str) -> None:
    for text in ("", " ", "hello", "\x00", "駒", "+", "１" * 10 * LONGEST, "𠮷" * LONGEST):
        found = hint(text, notation)
        assert isinstance(found, str) and len(found) < 3 * LONGEST
    assert hint("", notation) == hint("???", notation) == ""


@pytest.mark.parametrize(("word", "meant"), [
    ("先日手", "千日手"), ("干日手", "千日手"), ("投子", "投了"), ("特将棋", "持将棋"), ("反則負", "反則負"), ("王手千目手", "王手千日手"),
    ("中段", "中断"), ("nothing", ""), ("あ" * 1000, ""),
])
def test_end_words(word: str, meant: str) -> None:
    assert end_word(word) == meant


@pytest.mark.parametrize(("line", "says"), [
    ("   3 ７ニ歩(73)", "where 二"), ("   3 六７歩(77)", "７六"), ("   3 六７歩打", "７六"), ("   3 ７六卜(77)", "where と"),
    ("   3 ７七佳(89)", "where 桂"),
])
def test_the_hint_stands_at_the_finding_and_the_move_is_not_repaired(line: str, says: str) -> None:
    one = replay(next(read(HEAD + START + line + "\n   4 ８四歩(83)\n", "kif")))
    [found] = one.diagnostics
    assert (one.verdict, one.plies, found.name, found.line) == ("unreadable", 2, "unreadable-move", 5)
    assert says in found.hint


def test_a_mistyped_end_is_an_error_and_another_word_a_warning() -> None:
    for word, severity in (("先日手", "error"), ("お開き", "warning")):
        one = replay(next(read(HEAD + START + f"   3 {word}\n", "kif")))
        [found] = one.diagnostics
        assert (one.end, found.name, found.severity) == ("other", "unknown-end", severity)


@pytest.mark.parametrize("word", ["二歩", "一手詰", "三手詰め"])
def test_words_that_begin_with_a_numeral_are_ends(word: str) -> None:
    assert replay(next(read(HEAD + START + f"   3 {word}\n", "kif"))).end == "other"


def test_a_move_in_full_width_is_no_unknown_line() -> None:
    one = replay(next(read("PI\n+\n+7776FU\n－３３３４ＦＵ\n+2726FU\n", "csa")))
    [found] = one.diagnostics
    assert (one.verdict, one.plies, found.name) == ("unreadable", 1, "unreadable-move")
    assert found.hint == "CSA is written in half-width characters: -3334FU"
