# cython: language_level=3, annotation_typing=False
"""What all writers share: header values and clocks as text, and the count of what the target could not hold."""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from copy import copy
from functools import partial
from typing import Any, ClassVar, Self

from kifu import ends
from kifu._tuples import NamedTuple
from kifu.notation.header_plans import KEPT, Headers, Plan, plan
from kifu.record import CANONICAL, NOTE, Game


class UnwritableError(ValueError):
    """A game that a notation cannot hold at all; the message says which notations can."""


class Writer:
    """Writes proven games in one notation; ``losses`` counts, by kind, what the notation could not hold.

    `write` is asked only for games of a kind of shogi that the notation can hold; `held` looks after that.
    """

    NOTATION: ClassVar[str] = ""
    #: Whether all kinds of shogi can be written, not the ordinary one alone.
    HOLDS_ALL_KINDS: ClassVar[bool] = False
    #: What stands between two games of one text.
    SEPARATOR: ClassVar[str] = "\n"

    def __init__(self, style: str | None = None) -> None:
        self.style = style
        self.losses: Counter[str] = Counter.__new__(Counter)  # an empty one, which `Counter()` takes its time to make

    def write(self, game: Game) -> str:
        """One game, its last line ended."""
        raise AssertionError(f"{type(self).__name__} has no write method")

    def write_all(self, games: Iterable[Game]) -> str:
        """Several games as one text. Raises `UnwritableError` where one is of a kind of shogi that cannot be held."""
        return self.SEPARATOR.join(self.write(self.held(game)) for game in games)

    @classmethod
    def can_hold(cls, variant: str) -> bool:
        """Whether games of a kind of shogi can be written."""
        return cls.HOLDS_ALL_KINDS or variant == "shogi"

    def held(self, game: Game) -> Game:
        """The game, where it is of a kind of shogi that the notation can hold; else raises `UnwritableError`."""
        if game.variant != "shogi" and not self.can_hold(game.variant):
            raise UnwritableError(cannot_hold(self.NOTATION, game.variant))
        return game

    def lose(self, kind: str, count: int = 1) -> None:
        """Note that ``count`` things of a kind do not reach the target."""
        if count:
            self.losses[kind] += count

    def leave_out(self, game: Game, comments: int) -> None:
        """Count what a notation without variations and bookmarks cannot hold of a game.

        ``comments`` is how many comments stand in its main line.
        """
        record = game.record
        if len(record.lines) > 1:
            self.lose("variations", len(record.lines) - 1)
        if len(record.notes) != NOTE * comments:
            self.lose("comments in variations", len(record.notes) // NOTE - comments)
        if record.bookmarks:
            self.lose("bookmarks", len(record.bookmarks))

    def foul_end(self, game: Game) -> None:
        """Count the end of a game that a foul ended where a word for fouls, which is all that is written, says less.

        That is where the record calls it perpetual check, or lets the side win that broke the rule.
        """
        claimed, illegal = game.record.end, game.illegal_move
        if claimed is not None and illegal is not None:
            self.lose("end", claimed.reason != "illegal" or claimed.winner != ends.opponent(illegal["offender"]))

    def branch_foul(self, game: Game, number: int, counted: Collection[str] = ()) -> None:
        """Count the illegal move that ended a variation, its end, and all that stands there.

        Nothing is counted for a line that was played to its end, and nothing of the kinds that are ``counted`` already.
        """
        record, line = game.record, game.record.lines[number]
        first = line.first + game.line_plies[number]
        if first >= line.last:
            return
        refused = range(first, line.last)
        clocks = sum(record.milliseconds(index) is not None for index in refused)
        clocks += line.end is not None and line.end.milliseconds is not None
        self.lose("illegal final move")
        self.lose("end", line.end is not None)
        if "clocks" not in counted:
            self.lose("clocks", clocks)
        if "comments in variations" not in counted:
            self.lose("comments in variations", sum(after - 1 in refused for after in record.notes[1::NOTE]))
        if "bookmarks" not in counted:
            self.lose("bookmarks", sum(index in record.bookmarks for index in refused))

    def lose_headers(self, game: Game) -> None:
        """Count all headers, for a notation without any, but for those that the start position and the end imply."""
        name = CANONICAL.get
        self.lose("headers", len([1 for key, value in game.record.headers if value and name(key, key) not in IMPLIED]))

    def sorted_headers(self, headers: list[tuple[str, str]], slots: Slots,
                       empty: bool = False) -> tuple[list[str], list[tuple[str, str]]]:
        """The values of the headers that have a slot, the first of each, "" for none; and the others, as written.

        Headers without a value are neither, unless ``empty`` puts those without a slot among the others.
        """
        found = [""] * slots.size
        others = []
        place = slots.places.get
        for header in headers:
            key, value = header
            if value:
                slot = place(key, OTHER)
                if slot >= 0 and not found[slot]:
                    found[slot] = value
                elif slot != LEFT_OUT:
                    others.append(header)
            elif empty and place(key, OTHER) == OTHER:
                others.append(header)
        return found, others

    def planned(self, plans: dict[Any, Plan], key: Any, keys: Iterable[str],
                spell: Callable[[Self, Headers], list[str]]) -> Plan:
        """The plan for the headers with these ``keys``, made now where ``plans`` has none under ``key``.

        ``spell`` is a method of the class that gives the lines for headers; what the plan leaves out counts as lost.
        """
        found = plans.get(key)
        if found is None:
            other = copy(self)  # which counts for itself
            other.losses = Counter()
            found = plan(keys, partial(spell, other), other.losses)
            if len(plans) >= KEPT:
                plans.clear()
            plans[key] = found
        if found.losses:
            self.losses.update(found.losses)
        return found

    def header_value(self, value: str) -> str:
        """A header value fit for one line; it is counted as lost where it has several."""
        line = self.clean(value)
        self.lose("headers", line != value)
        return line

    def clean(self, value: str) -> str:
        """A text fit for one line."""
        if "\n" in value or "\r" in value:
            return " ".join(value.split("\n")).replace("\r", "")
        return value


def cannot_hold(notation: str, variant: str) -> str:
    """The sentence that refuses to write a kind of shogi in a notation.

    >>> cannot_hold("csa", "torishogi").partition(";")[0]
    'csa cannot hold tori shogi'
    """
    from kifu.notation import WRITABLE, writer
    from kifu.rules.variants import RULESETS

    able = [name for name in WRITABLE if writer(name).can_hold(variant)]
    return f"{notation} cannot hold {RULESETS[variant].name}; {', '.join(able[:-1])} and {able[-1]} can"


#: Canonical names of headers that say no more than the start position and the end do: writers say it in their own way.
IMPLIED = frozenset({"handicap", "result", "sfen", "version"})
OTHER, LEFT_OUT = -1, -2


class Slots(NamedTuple):
    """Where a notation puts the headers of all notations: header key -> number of its slot, or ``LEFT_OUT``."""

    places: dict[str, int]
    size: int


def header_slots(names: Sequence[str]) -> Slots:
    """Slots for canonical header names in the order given; those that are `IMPLIED` are not written at all.

    >>> header_slots(["event", "black"]).places["先手"]
    1
    """
    slot_of = {**{name: slot for slot, name in enumerate(names)}, **dict.fromkeys(IMPLIED, LEFT_OUT)}
    keys = {**{name: name for name in slot_of}, **CANONICAL}
    return Slots({key: slot_of[name] for key, name in keys.items() if name in slot_of}, len(names))


def seconds_text(milliseconds: int, fractions: bool) -> str:
    """Seconds as CSA writes them: ``12``, or ``12.5`` where fractions are allowed.

    >>> seconds_text(12500, True), seconds_text(12000, True), seconds_text(12500, False)
    ('12.5', '12', '12')
    """
    whole, part = divmod(milliseconds, 1000)
    if not part or not fractions:
        return str(whole)
    return f"{whole}.{part:03}".rstrip("0")
