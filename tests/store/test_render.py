"""Rows as text: aligned by what is seen, lossless where machines read, streaming where the form allows."""
from __future__ import annotations

import csv
import datetime
import decimal
import io
import itertools
import json
import uuid

import pytest

from kifu.store import render

COLUMNS = ["名前", "n", "score", "when", "moves", "list"]
ROWS = [
    ("羽生善治", 12, 0.512345678, datetime.date(2024, 1, 5), b"\xbc\x1d", ["7g7f", None]),
    ("a|b\n\"c\", d", None, None, datetime.datetime(2024, 1, 5, 10, 0), None, []),
    (None, -3, float("nan"), None, b"", [1]),
]


def test_a_table_is_aligned_by_what_is_seen() -> None:
    lines = list(render.table(COLUMNS, ROWS))
    assert lines == [
        "名前       n   score  when                 moves  list",
        "--------  --  ------  -------------------  -----  --------------",
        "羽生善治  12  0.5123  2024-01-05           bc1d   [\"7g7f\", null]",
        "a|b                   2024-01-05 10:00:00         []",
        "\"c\", d",
        "          -3     nan                              [1]",
    ]


@pytest.mark.parametrize(("text", "columns"), [
    ("", 0), ("abc", 3), ("７六歩", 6), ("☗７六歩", 7), ("ｶﾅ", 2), ("e\u0301", 1), ("か\u3099", 2), ("\u200b", 0), ("▲△", 2),
])
def test_width(text: str, columns: int) -> None:
    assert render.width(text) == columns


def test_control_characters_never_reach_a_terminal() -> None:
    line = list(render.table(["a"], [("\x1b[31mred\x07\u202e\x00",)]))[-1]
    assert line == "\\x1b[31mred\\x07\\u202e\\x00"


def test_csv_is_lossless() -> None:
    read = list(csv.reader(io.StringIO("\n".join(render.comma_separated(COLUMNS, ROWS)) + "\n")))
    assert read[0] == COLUMNS
    assert read[1] == ["羽生善治", "12", "0.512345678", "2024-01-05", "bc1d", '["7g7f", null]']
    assert read[2] == ["a|b\n\"c\", d", "", "", "2024-01-05 10:00:00", "", "[]"]


def test_json_and_ndjson() -> None:
    lines = list(render.ndjson(COLUMNS, ROWS))
    found = [json.loads(line) for line in lines]
    assert found[0] == {"名前": "羽生善治", "n": 12, "score": 0.512345678, "when": "2024-01-05", "moves": "bc1d",
                        "list": ["7g7f", None]}
    assert found[2]["score"] is None
    assert "羽生" in lines[0]
    assert json.loads("\n".join(render.json_array(COLUMNS, ROWS))) == found
    assert json.loads("\n".join(render.json_array(COLUMNS, []))) == []


def test_json_keeps_columns_of_the_same_name_and_every_type() -> None:
    value = uuid.UUID(int=7)
    (line,) = render.ndjson(["a", "a", "b", "c", "d", "e"], [
        (1, 2, decimal.Decimal("1.50"), decimal.Decimal(2**100), value, {"k": datetime.timedelta(1)})])
    assert json.loads(line) == {"a": 1, "a_2": 2, "b": 1.5, "c": 2**100, "d": str(value), "e": {"k": "1 day, 0:00:00"}}


def test_markdown() -> None:
    assert list(render.markdown(["a|b", "n"], [("x|y\nz", 1), (None, 2)])) == [
        "| a\\|b | n |", "|---|--:|", "| x\\|y<br>z | 1 |", "|  | 2 |"]
    assert list(render.markdown(["a"], [("P*5e B*4e",), ("a\\|b",), ("<b>`x`",)]))[2:] == [
        "| P\\*5e B\\*4e |", "| a\\\\\\|b |", "| \\<b>\\`x\\` |"]


def test_a_diagram_takes_several_lines_of_a_table() -> None:
    assert list(render.table(["n", "board", "m"], [(1, "ab\n１２３\r\n", 2), (3, "c", None)])) == [
        "n  board   m", "-  ------  -", "1  ab      2", "   １２３", "", "3  c"]


def test_long_cells_do_not_push_the_others_away() -> None:
    """They are cut, and say so; the last column may be as long as it likes, and other forms have it all."""
    long = "歩" * 200
    lines = list(render.table(["a", "b"], [(long, 1), ("x", 2)]))
    assert lines[2] == f"{'歩' * 79}…" + "  1"
    assert render.width(lines[2]) == render.width(lines[3]) == 162
    assert list(render.table(["a"], [(long,)]))[2] == long
    assert long in list(render.comma_separated(["a", "b"], [(long, 1)]))[1]
    assert long in list(render.markdown(["a", "b"], [(long, 1)]))[2]


@pytest.mark.parametrize(("value", "shown", "field", "as_json"), [
    (2**127 - 1, str(2**127 - 1), str(2**127 - 1), 2**127 - 1),
    (decimal.Decimal("1.50"), "1.50", "1.50", 1.5),
    (decimal.Decimal("12345678901234567890.123456789"), *["12345678901234567890.123456789"] * 3),
    (decimal.Decimal("1E+3"), "1000", "1000", 1000),
    (float("nan"), "nan", "nan", None), (float("-inf"), "-inf", "-inf", None), (1e300, "1e+300", "1e+300", 1e300),
    (1e-9, "1e-09", "1e-09", 1e-9), (0.1, "0.1", "0.1", 0.1), (-0.00001, "-1e-05", "-1e-05", -0.00001),
    (True, "true", "true", True), ("", "", '""', ""), (None, "", "", None), (" x", " x", '" x"', " x"),
    ([1, None, [2.5, float("inf")]], "[1, null, [2.5, null]]", '"[1, null, [2.5, null]]"', [1, None, [2.5, None]]),
    ({"a": b"\xaa", "b": datetime.date(2024, 1, 5)}, '{"a": "aa", "b": "2024-01-05"}',
     '"{""a"": ""aa"", ""b"": ""2024-01-05""}"', {"a": "aa", "b": "2024-01-05"}),
    ({True: 1, datetime.date(2024, 1, 5): 2}, '{"true": 1, "2024-01-05": 2}', '"{""true"": 1, ""2024-01-05"": 2}"',
     {"true": 1, "2024-01-05": 2}),
    ((1, "x"), '[1, "x"]', '"[1, ""x""]"', [1, "x"]), (datetime.time(10, 0, 0, 5), *["10:00:00.000005"] * 3),
    ("\U000e0001\u200d", "\\U000e0001\\u200d", "\U000e0001\u200d", "\U000e0001\u200d"),
])
def test_values(value: object, shown: str, field: str, as_json: object) -> None:
    """In a table for people, in CSV, in JSON: a column beside it, so that no line is empty."""
    row = [(0, value)]
    assert list(render.table(["n", "v"], row))[2].removeprefix("0").removeprefix("  ") == shown
    assert list(render.comma_separated(["n", "v"], row))[1] == f"0,{field}"
    (line,) = render.ndjson(["n", "v"], row)
    assert json.loads(line) == {"n": 0, "v": as_json}
    assert "NaN" not in line
    assert "Infinity" not in line


def test_null_and_an_empty_text_differ_in_csv() -> None:
    assert list(render.comma_separated(["a", "b"], [(None, ""), ("", None)])) == ["a,b", ',""', '"",']
    assert list(render.comma_separated(["a"], [(None,)])) == ["a", '""']


@pytest.mark.parametrize("form", ["table", "csv", "markdown", "ndjson"])
def test_nothing_at_all(form: str) -> None:
    assert list(render.FORMS[form]([], [])) == []


@pytest.mark.parametrize("form", sorted(render.FORMS))
def test_no_rows(form: str) -> None:
    assert "".join(render.FORMS[form](["a", "b"], [])) in {"a  b-  -", "a,b", "[]", "", "| a | b ||---|---|"}


@pytest.mark.parametrize("form", sorted(render.FORMS))
def test_rows_stream(form: str) -> None:
    endless = ((n, "x") for n in itertools.count())
    lines = list(itertools.islice(render.FORMS[form](["n", "text"], endless), 5000))
    assert len(lines) == 5000
