"""Rows as text: an aligned table, CSV, JSON, NDJSON, Markdown. Each gives lines, and streams where the form allows.

Full-width characters take two columns of a terminal; tables are aligned by what is seen, not by what is counted.

>>> print("\\n".join(table(["名前", "n"], [("羽生", 12), ("Sato", 3)])))
名前   n
----  --
羽生  12
Sato   3
"""
from __future__ import annotations

import csv
import datetime
import decimal
import json
import math
import unicodedata
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import StringIO
from itertools import chain, islice
from typing import Any

Row = Sequence[Any]
#: So many rows decide how wide the columns of a table are; the rest streams through them.
MEASURED = 1000

#: Name of a form, as the command line has it -> the function that renders it.
FORMS: dict[str, Callable[[Sequence[str], Iterable[Row]], Iterator[str]]]


def table(columns: Sequence[str], rows: Iterable[Row]) -> Iterator[str]:
    """An aligned table, numbers to the right. Wider cells after the first thousand rows stick out."""
    following = iter(rows)
    head = list(islice(following, MEASURED))
    texts = [[_cell(value) for value in row] for row in head]
    widths = [max(chain([width(name)], (width(row[n]) for row in texts))) for n, name in enumerate(columns)]
    right = [_numeric(row[n] for row in head) for n in range(len(columns))]
    yield _aligned(columns, widths, right)
    yield "  ".join("-" * size for size in widths)
    for row in chain(texts, ([_cell(value) for value in row] for row in following)):
        yield _aligned(row, widths, right)


def markdown(columns: Sequence[str], rows: Iterable[Row]) -> Iterator[str]:
    """A Markdown table; bars in cells are escaped, so a cell never breaks it."""
    following = iter(rows)
    head = list(islice(following, MEASURED))
    right = [_numeric(row[n] for row in head) for n in range(len(columns))]
    yield _piped(columns)
    yield "|" + "|".join("--:" if numeric else "---" for numeric in right) + "|"
    for row in chain(head, following):
        yield _piped([_cell(value) for value in row])


def comma_separated(columns: Sequence[str], rows: Iterable[Row]) -> Iterator[str]:
    """CSV (RFC 4180, but for line ends): NULL is an empty field, lists are JSON. A row may hold line ends."""
    for row in chain([columns], ([_plain(value) for value in row] for row in rows)):
        buffer = StringIO()
        csv.writer(buffer, lineterminator="").writerow(row)
        yield buffer.getvalue()


def ndjson(columns: Sequence[str], rows: Iterable[Row]) -> Iterator[str]:
    """One JSON object a line."""
    names = _distinct(columns)
    for row in rows:
        yield json.dumps(dict(zip(names, map(_json, row), strict=True)), ensure_ascii=False)


def json_array(columns: Sequence[str], rows: Iterable[Row]) -> Iterator[str]:
    """One JSON array of objects, an object a line."""
    before = "["
    for line in ndjson(columns, rows):
        yield before + line
        before = "," if before == "[" else before
    yield "[]" if before == "[" else "]"


FORMS = {"table": table, "csv": comma_separated, "json": json_array, "ndjson": ndjson, "markdown": markdown}


def width(text: str) -> int:
    """Columns that a text takes on a terminal.

    >>> width("７六歩"), width("7f"), width("が")  # the last one is か with a combining mark
    (6, 2, 2)
    """
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1
               for char in text if not unicodedata.combining(char) and unicodedata.category(char) != "Cf")


def _aligned(texts: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    cells = [" " * (size - width(text)) + text if numeric else text + " " * (size - width(text))
             for text, size, numeric in zip(texts, widths, right, strict=True)]
    return "  ".join(cells).rstrip()


def _piped(texts: Sequence[str]) -> str:
    return "| " + " | ".join(text.replace("|", "\\|") for text in texts) + " |"


def _numeric(values: Iterable[Any]) -> bool:
    """Whether a column holds numbers and nothing else (besides NULL)."""
    found = [value for value in values if value is not None]
    return bool(found) and all(isinstance(value, (int, float, decimal.Decimal)) and not isinstance(value, bool)
                               for value in found)


def _cell(value: Any) -> str:
    """A value on one line of a table: control characters are written out, floats have at most four decimals."""
    if isinstance(value, float):
        return f"{value:.4f}".rstrip("0").rstrip(".") if math.isfinite(value) else str(value)
    text = _plain(value)
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char == "\u3000" else _ESCAPES.get(char, f"\\x{ord(char):02x}")
                   for char in text)


_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _plain(value: Any) -> str:
    """A value as text without loss; NULL is empty."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    converted = _json(value)
    return converted if isinstance(converted, str) else json.dumps(converted, ensure_ascii=False)


def _json(value: Any) -> Any:
    """A value as JSON can hold it: bytes as hexadecimal, dates in ISO form, no NaN and no infinity."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, (str, int)):
        return value
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value).hex()
    if isinstance(value, decimal.Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, dict):
        return {str(key): _json(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple, set)):
        return [_json(inner) for inner in value]
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat(" ") if isinstance(value, datetime.datetime) else value.isoformat()
    return str(value) if isinstance(value, (uuid.UUID, datetime.timedelta)) else repr(value)


def _distinct(columns: Sequence[str]) -> list[str]:
    """Column names as keys: a second ``n`` becomes ``n_2``, so that no value is lost."""
    names: list[str] = []
    for column in columns:
        name, count = column, 1
        while name in names:
            count += 1
            name = f"{column}_{count}"
        names.append(name)
    return names
