"""Results as JSON lines."""
from __future__ import annotations

import json
from typing import Any


def json_line(row: dict[str, Any]) -> str:
    """One object on one line, in its own script; lone surrogates (a file name in no encoding) are escaped.

    >>> json_line({"path": "将棋"})
    '{"path": "将棋"}'
    """
    text = json.dumps(row, ensure_ascii=False)
    if not text.isascii():
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            return json.dumps(row)
    return text
