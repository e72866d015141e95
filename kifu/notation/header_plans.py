# cython: language_level=3, annotation_typing=False
"""The headers of a game as text, worked out once for all records with the same keys.

Which headers a notation writes, in which order and under which names, follows from their keys alone wherever every
value is a plain one: not empty, on one line, without signs that would be escaped. Collections have the same keys in
game after game. So a writer spells such headers once, with a mark in the place of each value, and what comes of it is
kept as a `Plan`; all other records are spelled header by header.

>>> made = plan(["Event", "Round"], lambda marked: [f"{key}: {value}" for key, value in reversed(marked)], {})
>>> made.text(["Ouza", "3"])
'Round: 3\\nEvent: Ouza'
"""
from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import itemgetter
from typing import Any

#: Headers of a record, and characters of their keys, beyond which no plan is made for them.
MOST, LONGEST = 40, 1000
#: How many plans a kind of writer keeps; beyond that it begins anew.
KEPT = 256
_MARK = "\0"

Headers = list[tuple[str, str]]


class Plan:
    """Where the values of the headers go, by their numbers; what the notation could not hold of them."""

    __slots__ = ("template", "pick", "losses", "begun")

    def __init__(self, template: str, order: list[int], losses: dict[str, int]) -> None:
        self.template = template
        self.pick: Callable[[list[str]], Any] | None = itemgetter(*order) if order else None
        self.losses = losses
        self.begun: bool | None = None

    def begins(self, starts: tuple[str, ...]) -> bool:
        """Whether a line begins with one of these; a writer asks always for the same."""
        if self.begun is None:
            self.begun = any(line.startswith(starts) for line in self.template.split("\n"))
        return self.begun

    def text(self, values: list[str]) -> str:
        """The headers with these values."""
        return self.template % (self.pick(values) if self.pick is not None else ())


def plan(keys: Iterable[str], spell: Callable[[Headers], list[str]], losses: dict[str, int]) -> Plan:
    """The plan for these keys: ``spell`` gives the lines for headers, and counts in ``losses`` what it leaves out.

    A value may be spelled more than once, or not at all.
    """
    marked = [(key, mark(number)) for number, key in enumerate(keys)]
    pieces = "\n".join(spell(marked)).replace("%", "%%").split(_MARK)
    return Plan("%s".join(pieces[::2]), [int(number) for number in pieces[1::2]], losses)


def mark(number: int) -> str:
    """What stands for the value of this number while a plan is made."""
    return f"{_MARK}{number}{_MARK}"


def plain(headers: Headers, escaped: str = "\\") -> tuple[tuple[str, ...], list[str]] | None:
    """The keys and the values of headers for which a plan holds; None where there is a value that is not plain.

    ``escaped`` are signs that the notation would not write as they are.
    """
    values = [value for _, value in headers]
    together = "\n".join(values)
    if len(values) > MOST or "" in values or "\r" in together or together.count("\n") >= len(values) > 0:
        return None
    for sign in escaped:
        if sign in together:
            return None
    keys = tuple([key for key, _ in headers])
    joined = "".join(keys)
    return (keys, values) if len(joined) <= LONGEST and _MARK not in joined else None
