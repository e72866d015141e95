"""The totals that clocks tell beside the thought for a move, as they stand in a text: a record does not keep them."""
from __future__ import annotations

import json
import re
from typing import Any

_TOTAL = re.compile(r"[(（][^()（）\r\n/]{1,40}/[ 　]*([0-9０-９]+(?:[:.][0-9０-９]+)*)[ 　]*[)）]")


def totals(text: str, notation: str) -> list[float]:
    """All totals of a KIF, PSN or JKF text in their order, in seconds; none in other notations.

    >>> totals("1 ７六歩(77)   ( 0:12/00:01:12)", "kif")
    [72.0]
    """
    if notation == "jkf":
        return _of_json(text)
    return [_seconds(match[1]) for match in _TOTAL.finditer(text)] if notation in ("kif", "psn") else []


def _seconds(clock: str) -> float:
    seconds = 0.0
    for part in clock.split(":"):
        seconds = seconds * 60 + float(part if part.count(".") < 2 else 0)
    return seconds


def _of_json(text: str) -> list[float]:
    found: list[float] = []
    stack: list[Any] = [json.loads(text)]
    while stack:
        one = stack.pop()
        if isinstance(one, dict):
            if isinstance(clock := one.get("time"), dict) and isinstance(total := clock.get("total"), dict):
                found.append(sum(unit * (total.get(key) or 0) for key, unit in (("h", 3600), ("m", 60), ("s", 1))))
            stack.extend(reversed(list(one.values())))
        elif isinstance(one, list):
            stack.extend(reversed(one))
    return found
