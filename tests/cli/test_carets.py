"""The caret of a finding stands right under its text in a terminal, whatever script the line is in.

Columns are counted by wcwidth, which knows how terminals place characters, not by the program's own function.
"""
from __future__ import annotations

import pytest
from wcwidth import wcswidth, wcwidth

from kifu.cli.findings import WHOLE, excerpt, finding_text
from kifu.diagnostics import make
from kifu.draw import width
from kifu.text import LineIndex

MARKED = "７六歩"


def block(line: str, marked: str = MARKED) -> tuple[str, str]:
    """The quoted line and the caret line of a finding about ``marked`` in a line."""
    offset = line.index(marked)
    found = make("unknown-line", offset, offset + len(marked), text=marked, notation="KIF").placed(1, offset + 1)
    quoted, caret = finding_text("a.kif", found, LineIndex(line)).split("\n")[1:3]
    return quoted, caret


@pytest.mark.parametrize("before", [
    "", "   1 ", "同　銀と　", "ｶﾞｷﾞ ﾌﾟﾛ棋士 ", "か\u3099き\u3099", "e\u0301cole ", "na\u0308ive\u0308 ", "先手\t\t", "\u3000\u3000",
    "将棋🙂と🀄 ", "𠮷野家 ", "②○※α─… ", "▲☗△ ", "가나 ", "ก\u0e33 ไ\u0e17\u0e35\u0e48 ", "\u200b見えない\ufeff ", "a\x07\x1b[31m\x7f ",
    "⚠\ufe0f注意 ", "👍🏽 ", "葛\U000e0100城 ", "👩\u200d💻 ", "￥ｶﾅ￡ ",
], ids=ascii)
@pytest.mark.parametrize("marked", [MARKED, "+7776FU", "ｷﾞﾝ", "か\u3099ん", "①", "😀"], ids=ascii)
def test_the_caret_stands_under_the_text(before: str, marked: str) -> None:
    """As many columns before it as before the text, and as many carets as the text has columns."""
    quoted, caret = block(f"{before}{marked} と続く", marked)
    at = quoted.rindex(marked)
    stem = caret.rstrip("^")
    assert wcswidth(stem) == wcswidth(quoted[:at])
    assert len(caret) - len(stem) == wcswidth(marked)
    assert set(stem[7:]) <= {" ", "\u3000"}


@pytest.mark.parametrize("filler", ["a", "歩", "か\u3099", "ﾌ", "😀", "\t", "a歩"], ids=ascii)
@pytest.mark.parametrize(("before", "after"), [(0, 4000), (4000, 0), (4000, 4000), (60, 60), (35, 300), (300, 10)])
def test_long_lines_are_cut_around_the_place(filler: str, before: int, after: int) -> None:
    """The caret still stands under the text, what is left out shows as an ellipsis, and the line has a bound."""
    quoted, caret = block(f"{filler * before}{MARKED}{filler * after}")
    at = quoted.index(MARKED)
    assert wcswidth(caret.rstrip("^")) == wcswidth(quoted[:at])
    assert caret.endswith("^" * 6) and not caret.endswith("^" * 7)
    assert wcswidth(quoted) <= WHOLE + 7 + 2
    columns = wcswidth(filler.replace("\t", " "))
    assert ("…" in quoted[:at]) == ((before + after) * columns + 6 > WHOLE and before * columns > 40)
    if wcswidth(quoted) < WHOLE - 2:
        assert not quoted.endswith("…")


def test_a_mark_that_runs_off_the_line_ends_with_it() -> None:
    """A finding over several lines is marked to the end of its first, one behind the line's end by a single caret."""
    line = "７六歩"
    assert excerpt(line, 1, 50) == (line, ("７", "^^^^"))
    assert excerpt(line, 3, 5) == (line, (line, "^"))
    assert excerpt(line, 99, 5) == (line, (line, "^"))
    assert excerpt("", 0, 1) == ("", ("", "^"))


def test_a_mark_longer_than_what_is_shown_is_cut_with_it() -> None:
    quoted, (left, caret) = excerpt("歩" * 5000, 2500, 2500)
    assert wcswidth(left) + len(caret) <= WHOLE + 1
    assert quoted.endswith("歩…")


def test_columns_of_japanese_text() -> None:
    """Every character that Shift_JIS (cp932) has takes as many columns as terminals give it."""
    characters = {char for char in map(chr, range(0x20, 0x10000)) if char.isprintable() and char.encode("cp932", "ignore")}
    assert len(characters) > 7000
    assert {char for char in characters if width(char) != wcwidth(char)} == set()
