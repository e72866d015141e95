"""Rows as text: an aligned table, CSV, JSON, NDJSON, Markdown. Each gives lines, and streams where the form allows.

Full-width characters take two columns of a terminal; tables are aligned by what is seen, not by what is counted.

>>> print("\\n".join(table(["名前", "n"], [("羽生", 12), ("Sato", 3)])))
名前   n
----  --
羽生  12
Sato   3
"""
from __future__ import annotations

import datetime
import decimal
import json
import math
import re
import unicodedata
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any

Row = Sequence[Any]
#: So many rows decide how wide the columns of a table are; the rest streams through them.
MEASURED = 1000
#: Columns of a terminal that a cell of a table takes at most; an SFEN fits.
WIDEST = 160

#: Name of a form, as the command line has it -> the function that renders it.
FORMS: dict[str, Callable[[Sequence[str], Iterable[Row]], Iterator[str]]]


def table(columns: Sequence[str], rows: Iterable[Row]) -> Iterator[str]:
    """An aligned table, numbers to the right. Wider cells after the first thousand rows stick out.

    A text of several lines, a diagram for instance, takes several lines of the table. Cells wider than `WIDEST` end in
    an ellipsis, but for those of the last column, which stand in nobody's way.
    """
    if not columns:
        return
    following = iter(rows)
    head = list(islice(following, MEASURED))
    last = len(columns) - 1
    titles = [_lines(name, number == last) for number, name in enumerate(columns)]
    texts = [[_lines(value, number == last) for number, value in enumerate(row)] for row in head]
    widths = [max(width(line) for row in (titles, *texts) for line in row[number]) for number in range(len(columns))]
    right = [_numeric(row[n] for row in head) for n in range(len(columns))]
    yield from _aligned(titles, widths, right)
    yield "  ".join("-" * size for size in widths)
    for row in chain(texts, ([_lines(value, number == last) for number, value in enumerate(row)] for row in following)):
        yield from _aligned(row, widths, right)


def markdown(columns: Sequence[str], rows: Iterable[Row]) -> Iterator[str]:
    """A Markdown table; what means something to Markdown is escaped, so a cell never breaks it."""
    if not columns:
        return
    following = iter(rows)
    head = list(islice(following, MEASURED))
    right = [_numeric(row[n] for row in head) for n in range(len(columns))]
    yield _piped([_marked(name) for name in columns])
    yield "|" + "|".join("--:" if numeric else "---" for numeric in right) + "|"
    for row in chain(head, following):
        yield _piped([_marked(value) for value in row])


def comma_separated(columns: Sequence[str], rows: Iterable[Row]) -> Iterator[str]:
    """CSV (RFC 4180, but for line ends): lists and structs are JSON. A row may hold line ends.

    NULL is an empty field, an empty text is ``""``; only where NULL is the whole row is it written as that too, since
    many readers pass over an empty line.
    """
    for row in chain([columns] if columns else [], rows):
        yield ",".join(map(_field, row)) or '""'


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


def _aligned(cells: Sequence[Sequence[str]], widths: Sequence[int], right: Sequence[bool]) -> Iterator[str]:
    """The lines of one row, of as many as its highest cell has."""
    for number in range(max(map(len, cells), default=0)):
        texts = [cell[number] if number < len(cell) else "" for cell in cells]
        padded = [" " * (size - width(text)) + text if numeric else text + " " * (size - width(text))
                  for text, size, numeric in zip(texts, widths, right, strict=True)]
        yield "  ".join(padded).rstrip()


def _piped(texts: Sequence[str]) -> str:
    return "| " + " | ".join(texts) + " |"


def _marked(value: Any) -> str:
    """A value as a cell of Markdown, in which a new line is a tag."""
    lines = _LINE_END.split(value) if isinstance(value, str) else [value]
    return "<br>".join(_MARKED.sub(r"\\\g<0>", _cell(line)) for line in lines)


#: What means something to Markdown inside a cell: two drops in USI would make what is between them italic.
_MARKED = re.compile(r"[\\|*`<]")


def _numeric(values: Iterable[Any]) -> bool:
    """Whether a column holds numbers and nothing else (besides NULL)."""
    found = [value for value in values if value is not None]
    return bool(found) and all(isinstance(value, (int, float, decimal.Decimal)) and not isinstance(value, bool)
                               for value in found)


def _lines(value: Any, whole: bool) -> list[str]:
    """A value as the lines of its cell in a table."""
    if not isinstance(value, str):
        return [_cut(_cell(value), whole)]
    return [_cut(_cell(line), whole) for line in _LINE_END.split(value)]


def _cut(text: str, whole: bool) -> str:
    """The text, or as much of it as a cell holds."""
    if whole or len(text) <= WIDEST // 2 or width(text) <= WIDEST:
        return text
    room, end = WIDEST - 1, 0
    for char in text:
        room -= width(char)
        if room < 0:
            break
        end += 1
    return f"{text[:end]}…"


_LINE_END = re.compile(r"\r\n|\n")


def _cell(value: Any) -> str:
    """A value on one line: control characters are written out, floats have at most four decimals."""
    if isinstance(value, float):
        return _float(value)
    text = _plain(value)
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char == "\u3000" else _ESCAPES.get(char) or _escape(ord(char))
                   for char in text)


_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _escape(code: int) -> str:
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _float(value: float) -> str:
    """A float for people.

    >>> _float(0.51234567), _float(2.0), _float(1e300), _float(-1e-9), _float(0.0)
    ('0.5123', '2', '1e+300', '-1e-09', '0')
    """
    if not math.isfinite(value):
        return str(value)
    if value and not 0.00005 <= abs(value) < 1e15:
        return f"{value:.5g}"
    return f"{value:.4f}".rstrip("0").rstrip(".")


def _field(value: Any) -> str:
    """A value as a field of CSV."""
    if value is None:
        return ""
    text = _plain(value)
    return '"' + text.replace('"', '""') + '"' if not text or _SPECIAL.search(text) else text


_SPECIAL = re.compile(r'[",\r\n]|^ | $')


def _plain(value: Any) -> str:
    """A value as text without loss; NULL is empty."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, decimal.Decimal):
        return f"{value:f}"
    if isinstance(value, float):
        return repr(value)
    converted = _json(value)
    return converted if isinstance(converted, str) else json.dumps(converted, ensure_ascii=False)


def _json(value: Any) -> Any:
    """A value as JSON can hold it: bytes as hexadecimal, dates in ISO form, no NaN and no infinity.

    Whole numbers are exact whatever their size; a decimal that no float is equal to is a text.
    """
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, (str, int)):
        return value
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value).hex()
    if isinstance(value, decimal.Decimal):
        if value == value.to_integral_value():
            return int(value)
        return float(value) if decimal.Decimal(repr(float(value))) == value else f"{value:f}"
    if isinstance(value, dict):
        return {_plain(key): _json(inner) for key, inner in value.items()}
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
