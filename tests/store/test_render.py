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
        "名前          n   score  when                 moves  list",
        "-----------  --  ------  -------------------  -----  --------------",
        "羽生善治     12  0.5123  2024-01-05           bc1d   [\"7g7f\", null]",
        "a|b\\n\"c\", d              2024-01-05 10:00:00         []",
        "             -3     nan                              [1]",
    ]


@pytest.mark.parametrize(("text", "columns"), [
    ("", 0), ("abc", 3), ("７六歩", 6), ("☗７六歩", 7), ("ｶﾅ", 2), ("e\u0301", 1), ("か\u3099", 2), ("\u200b", 0), ("▲△", 2),
])
def test_width(text: str, columns: int) -> None:
    assert render.width(text) == columns


def test_control_characters_never_reach_a_terminal() -> None:
    line = list(render.table(["a"], [("\x1b[31mred\x07\u202e\x00",)]))[-1]
    assert line == "\\x1b[31mred\\x07\\x202e\\x00"


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
        "| a\\|b | n |", "|---|--:|", "| x\\|y\\nz | 1 |", "|  | 2 |"]


@pytest.mark.parametrize("form", sorted(render.FORMS))
def test_no_rows(form: str) -> None:
    assert "".join(render.FORMS[form](["a", "b"], [])) in {"a  b-  -", "a,b", "[]", "", "| a | b ||---|---|"}


@pytest.mark.parametrize("form", sorted(render.FORMS))
def test_rows_stream(form: str) -> None:
    endless = ((n, "x") for n in itertools.count())
    lines = list(itertools.islice(render.FORMS[form](["n", "text"], endless), 5000))
    assert len(lines) == 5000
