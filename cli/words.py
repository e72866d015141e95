"""Counts in words: ``1 game``, ``3 games``, ``1 comment in variations``.

Writers name what they lose in the plural where it is counted and in the singular where a game has one of it
(``end``). Here both get the number that they need.
"""
from __future__ import annotations

import re

#: What stands behind the noun that takes the number: ``comments`` *in variations*, ``results`` *written as a draw*,
#: ``lions`` *just taken*.
_BEHIND = r" (?:in|of|written|just) "
#: One and many of what no rule makes.
_IRREGULAR = {
    "fractions of seconds": ("fraction of a second", "fractions of seconds"),
    "number of the first move": ("number of the first move", "numbers of first moves"),
}


def counted(count: int, noun: str, none: str = "0") -> str:
    """A number and a noun, given as one of it; ``none`` stands for zero.

    >>> counted(1, "game"), counted(2000, "game"), counted(0, "game"), counted(0, "error", none="no")
    ('1 game', '2,000 games', '0 games', 'no errors')
    """
    return f"{count:,d} {noun}{'s' * (count != 1)}" if count else f"{none} {noun}s"


def counted_kind(count: int, kind: str) -> str:
    """A number and a kind of loss, whichever number its name is in.

    >>> counted_kind(1, "comments in variations"), counted_kind(2, "illegal final move"), counted_kind(2, "clocks")
    ('1 comment in variations', '2 illegal final moves', '2 clocks')
    """
    if kind in _IRREGULAR:
        return f"{count} {_IRREGULAR[kind][count != 1]}"
    behind = re.search(_BEHIND, kind)
    at = behind.start() if behind else len(kind)
    return counted(count, kind[:at].removesuffix("s")) + kind[at:]


def listed(losses: dict[str, int]) -> str:
    """What is lost, by kind and count.

    >>> listed({"variations": 3, "clocks": 1})
    '3 variations, 1 clock'
    """
    return ", ".join(counted_kind(count, kind) for kind, count in losses.items())


def percent(value: float | None) -> str:
    """A share in whole per cent; nothing where there is none.

    >>> percent(0.625), percent(None)
    ('62%', '')
    """
    return "" if value is None else f"{100 * value:.0f}%"


def interval(low: float | None, high: float | None) -> str:
    """Two shares in whole per cent.

    >>> interval(0.25, 0.5)
    '25%-50%'
    """
    return "" if low is None else f"{percent(low)}-{percent(high)}"
