"""How the figures of a query look to people: percentages, intervals, the labels of the sides, KifuBase's summary."""
from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kifu.store.filters import Filters

Row = Sequence[Any]

_PART = re.compile(r"(?:.*_)?(?:score|share|rate)(?:_until)?")
_BOUND = re.compile(r"(.*)_(low|high)")
#: What the sides are called in handicap games.
_HANDICAP = {"black": "shitate", "white": "uwate", "Black": "Shitate", "White": "Uwate", "先手": "下手", "後手": "上手"}
_SIDE = re.compile("|".join(_HANDICAP))


def labelled(columns: Sequence[str], rows: Sequence[Row], filters: Filters | None) -> tuple[list[str], list[Row]]:
    """Columns and rows with the sides called as they are in the games: shitate and uwate where these have a handicap.

    >>> from kifu.store.filters import Filters
    >>> labelled(["black_wins", "games"], [(1, 2)], Filters(handicap="lance"))
    (['shitate_wins', 'games'], [(1, 2)])
    """
    from kifu.store.filters import ANY, EVEN

    if filters is None or filters.handicap in (None, ANY, EVEN):
        return list(columns), list(rows)
    named = [_SIDE.sub(lambda found: _HANDICAP[found[0]], column) for column in columns]
    words = [n for n, column in enumerate(columns) if column in ("measure", "japanese", "side")]
    if not words:
        return named, list(rows)
    return named, [tuple(_SIDE.sub(lambda found: _HANDICAP[found[0]], value) if n in words and isinstance(value, str)
                         else value for n, value in enumerate(row)) for row in rows]


def for_people(columns: Sequence[str], rows: Sequence[Row]) -> tuple[list[str], list[Row]]:
    """Parts of one as percentages, the two bounds of an interval, which stand side by side, in one column.

    >>> for_people(["score", "score_low", "score_high"], [(0.5, 0.0945, 0.9055), (None, None, None)])
    (['score', 'interval'], [(' 50.0%', '9-91%'), ('', '')])
    """
    names: list[str] = []
    cells: list[Callable[[Row], Any]] = []
    for at, name in enumerate(columns):
        bound = _BOUND.fullmatch(name)
        part = _PART.fullmatch(bound[1] if bound else name) is not None
        if not bound:
            names.append(name)
            cells.append(partial(_part if part else _plain, at))
        elif bound[2] == "low":
            names.append("interval" if part else f"{bound[1]}_interval")
            cells.append(partial(_interval, at, "%" if part else ""))
    return names, [tuple(cell(row) for cell in cells) for row in rows]


def summary(columns: Sequence[str], rows: Sequence[Row]) -> Iterator[str]:
    """The rows of the query summary as KifuBase shows them, English with the Japanese beside it."""
    from kifu.store.render import table

    sets = [dict(zip(columns, row, strict=True)) for row in rows]
    every, steady = sets[0], sets[1]
    counts = [every, *(one for one in sets if one["part"] in ("results", "wins by"))]
    yield from _aligned([(_measure(one), one["japanese"], f"{one['games']:,}", percent(one["share"]))
                         for one in counts])
    black = next(one for one in sets if one["part"] == "results")
    side = black["japanese"][:2]
    rate = "" if every["win_rate"] is None else f"{percent(every['win_rate']).strip()} ({_bounds(every, 'rate')})"
    yield ""
    yield from _aligned([
        (f"{black['measure'].split()[0]}'s part of the wins", f"{side}勝率", rate, ""),
        ("mean length", "平均手数", _number(every["mean_plies"]), ""),
        ("mean length without repetitions", "平均手数(千日手を除く)", _number(steady["mean_plies"]), "")])
    openings = [one for one in sets if one["part"] == "openings"]
    if openings:
        names = _names()
        yield ""
        yield from table(
            ("openings", "戦型別", "games", "share", f"{side}勝率", "interval", "mean_plies"),
            [(*names.get(one["measure"], (one["measure"], "")), one["games"], percent(one["share"]),
              percent(one["win_rate"]), _bounds(one, "rate"), one["mean_plies"]) for one in openings])


def percent(value: float | None) -> str:
    """A part of one, so wide that it stands to the right in a column."""
    return "" if value is None else f"{value:6.1%}"


def _plain(at: int, row: Row) -> Any:
    return row[at]


def _part(at: int, row: Row) -> str:
    return percent(row[at])


def _interval(at: int, unit: str, row: Row) -> str:
    """The interval whose lower bound stands at a place, and its upper bound behind it."""
    low, high = row[at:at + 2]
    if low is None:
        return ""
    return f"{100 * low:.0f}-{100 * high:.0f}%" if unit else f"{low}-{high}"


def _bounds(one: dict[str, Any], name: str) -> str:
    return _interval(0, "%", (one[f"{name}_low"], one[f"{name}_high"]))


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:,}"


def _measure(one: dict[str, Any]) -> str:
    return f"wins by {one['measure']}" if one["part"] == "wins by" else str(one["measure"])


def _names() -> dict[str, tuple[str, str]]:
    """The English and Japanese names of the openings that are known to us, by key."""
    from kifu.knowledge.patterns import load

    return {key: (entry.en, entry.ja) for key, entry in load().items()}


def _aligned(rows: Sequence[tuple[str, str, str, str]]) -> Iterator[str]:
    """Two columns of words and two of figures, the figures to the right."""
    from kifu.store.render import width

    sizes = [max(width(row[n]) for row in rows) for n in range(4)]
    for row in rows:
        words = [text + " " * (size - width(text)) for text, size in zip(row[:2], sizes, strict=False)]
        figures = [" " * (size - width(text)) + text for text, size in zip(row[2:], sizes[2:], strict=True)]
        yield "  ".join(words + figures).rstrip()
