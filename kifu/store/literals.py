"""Values as SQL literals, so that the text of a query is the whole query: what ``--show-sql`` prints can be run again.

>>> literal("O'Brien"), literal(None), literal([1, 2]), literal(True)
("'O''Brien'", 'NULL', '[1, 2]', 'true')
"""
from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping


def literal(value: object) -> str:
    """A value in SQL: None, bool, int, float, str, date, bytes, or a list or mapping of such.

    Raises TypeError for anything else: what is put into SQL must be known.
    """
    match value:
        case None:
            return "NULL"
        case bool():
            return "true" if value else "false"
        case int():
            # the lowest BIGINT has no literal of its own: 9223372036854775808 is no BIGINT before the minus is seen
            return f"({value + 1} - 1)" if value == -(1 << 63) else str(value)
        case float():
            return f"'{value!r}'::DOUBLE"  # 0.3 alone would be a DECIMAL, and nan and inf have no literal
        case str():
            return text(value)
        case datetime.datetime():
            return f"TIMESTAMP '{value.isoformat(' ')}'"
        case datetime.date():
            return f"DATE '{value.isoformat()}'"
        case bytes():
            return f"from_hex('{value.hex()}')"
        case Mapping():
            return "{" + ", ".join(f"{text(str(key))}: {literal(each)}" for key, each in value.items()) + "}"
        case Iterable():
            return f"[{', '.join(map(literal, value))}]"
    raise TypeError(f"no SQL literal for {value!r}")


def text(value: str) -> str:
    """A string literal. DuckDB has no character NUL in its SQL; it is left out.

    >>> text("it's")
    "'it''s'"
    """
    return "'" + value.replace("\0", "").replace("'", "''") + "'"


def name(value: str) -> str:
    """A name of a column, table or file, quoted.

    >>> print(name('the "last" move'))
    "the ""last"" move"
    """
    return '"' + value.replace('"', '""') + '"'
