"""The totals that clocks of KIF tell beside the thought for a move: do they add up?

    45 ５五歩(56)   ( 0:12/00:10:45)

The assembler marks the moves whose total is not the one before it and the thought together; so only records with such
a move are looked at here. Source: the format page of Kifu for Windows; a total counts for the side that moved.
"""
from __future__ import annotations

import re
from collections.abc import Iterator

from kifu.diagnostics import Diagnostic, make
from kifu.notation.meanings import NUMBER_MASK, TOTAL_MARK
from kifu.record import INFO, Record

_CLOCK = re.compile(r"[^\r\n(（]{0,40}([(（][^\r\n()（）/]{0,40}/[ 　]*([0-9０-９:.]{1,30})[ 　]*[)）])")


def wrong_totals(record: Record) -> Iterator[Diagnostic]:
    """A finding for each move of the main line whose total does not follow from the one before it.

    A total may follow from the one told before it or from all thoughts up to there, so that one slip is one finding. A
    writer that has nothing but zeros there tells no totals.
    """
    told = [_told(record, index) for index in range(record.lines[0].last)]
    if not any(one[0] for one in told):
        return
    whole = record.handicap is not None and record.info[2] & NUMBER_MASK < 2  # else there may be time from before
    before: list[int | None] = [0, 0] if whole else [None, None]
    thoughts = [0, 0]
    for index, (total, start, end) in enumerate(told):
        thought = record.milliseconds(index)
        earlier, before[index & 1] = before[index & 1], total
        if thought is None or total is None or earlier is None:  # the next total is taken as it is
            thoughts[index & 1] = total or 0
            continue
        due = earlier + thought
        thoughts[index & 1] += thought
        marked = record.info[INFO * index + 2] & TOTAL_MARK
        if marked and abs(due - total) >= 1000 and abs(thoughts[index & 1] - total) >= 1000:
            yield make("clock-total", start, end, index + 1, text=record.text[start:end], told=span(total),
                       due=span(due))


def _told(record: Record, index: int) -> tuple[int | None, int, int]:
    """The total behind a move in milliseconds, None where there is none, and the place of its clock."""
    match = _CLOCK.match(record.text, record.info[INFO * index + 1])
    if match is None:
        return None, -1, -1
    parts = match[2].split(":")
    try:
        *whole, last = [float(part) for part in parts]
    except ValueError:
        return None, -1, -1
    seconds = 0.0
    for part in whole:
        seconds = (seconds + part) * 60
    return round(1000 * (seconds + last)), match.start(1), match.end(1)


def span(milliseconds: int) -> str:
    """A time as clocks show it.

    >>> span(3723000), span(61500)
    ('1:02:03', '0:01:01.5')
    """
    seconds, rest = divmod(milliseconds, 1000)
    shown = f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{shown}.{rest:03}".rstrip("0") if rest else shown
