"""Line and column as an editor shows them, and the kinds of line ends found."""
from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kifu.text import LineIndex, newlines

PIECES = st.lists(st.sampled_from(["a", "歩", "\n", "\r\n", "\r", "\r\r\n", "𠮷"]), max_size=30).map("".join)


@pytest.mark.parametrize(("text", "offset", "place"), [
    ("", 0, (1, 1)), ("ab", 2, (1, 3)), ("a\nb", 1, (1, 2)), ("a\nb", 2, (2, 1)), ("a\r\nb", 3, (2, 1)),
    ("a\rb\rc", 4, (3, 1)), ("a\r\r\nb", 4, (2, 1)), ("a\n\nb", 3, (3, 1)), ("７六\n歩", 3, (2, 1)), ("a\n", 2, (2, 1)),
])
def test_places(text: str, offset: int, place: tuple[int, int]) -> None:
    assert LineIndex(text).place(offset) == place


@given(PIECES)
def test_places_agree_with_a_plain_count(text: str) -> None:
    """The index is the same as counting line ends before the offset, whichever way it was built."""
    index = LineIndex(text)
    ends = [end.span() for end in re.finditer("\r{1,2}\n|\n|\r", text)]
    for offset in range(len(text) + 1):
        before = [stop for _, stop in ends if stop <= offset]
        assert index.place(offset) == (len(before) + 1, offset - (before[-1] if before else 0) + 1)


@given(PIECES)
def test_lines_have_no_ends(text: str) -> None:
    index = LineIndex(text)
    assert [index.line(number + 1) for number in range(len(index.starts))] == re.split("\r{1,2}\n|\n|\r", text)
    assert index.line(len(index.starts) + 1) == ""


@pytest.mark.parametrize(("text", "kinds"), [
    ("", "none"), ("a", "none"), ("a\nb\n", "lf"), ("a\r\nb\r\n", "crlf"), ("a\rb\r", "cr"),
    ("a\r\nb\r\nc\n", "crlf+lf"),
    ("a\r\r\nb", "crcrlf"), ("a\r\r\nb\r\nc\r\n", "crlf+crcrlf"),
])
def test_kinds(text: str, kinds: str) -> None:
    assert newlines(text) == kinds
