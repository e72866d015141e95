"""The options that choose games of a database, the same for every command that asks one."""
from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, overload

import click
from kifu.cli.options import HANDICAP_KEYS, ORDINARY, VARIANTS, HandicapName, VariantName, of_kind
from kifu.cli.talk import Talk

from kifu.ends import REASONS

if TYPE_CHECKING:
    from kifu.store.database import Database
    from kifu.store.filters import Filters

#: A day as it is written: the year, or with the month, or with the day of the month too.
_DAY = re.compile(r"([0-9]{4})(?:-([0-9]{1,2})(?:-([0-9]{1,2}))?)?")
P = ParamSpec("P")
R = TypeVar("R")


class HandicapAsked(HandicapName):
    """A handicap by its key, ``other``, or ``any``."""

    def __init__(self) -> None:
        super().__init__(asked=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from kifu.store.filters import ANY

        return ANY if value == ANY else super().convert(value, param, ctx)


class TagName(click.ParamType[str]):
    """A castle or opening by its key."""

    name = "key"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return str(value)  # a user's own pattern files may have made it


class Day(click.ParamType[Any]):
    """A day, or the first or last one of a year or month."""

    name = "date"

    def __init__(self, last: bool = False) -> None:
        self.last = last

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        import datetime
        from calendar import monthrange

        if isinstance(value, datetime.date):
            return value
        written = _DAY.fullmatch(value)
        try:
            if written is None:
                raise ValueError(value)
            year, month, day = (int(part) if part else None for part in written.groups())
            if self.last:
                month = 12 if month is None else month
                day = monthrange(year or 0, month)[1] if day is None else day
            return datetime.date(year or 0, 1 if month is None else month, 1 if day is None else day)
        except ValueError:  # of calendar, too
            self.fail(f"{value!r} is no date; write 2024, 2024-05 or 2024-05-17.", param, ctx)


_TEXTS = "a whole one, or a pattern with * and ?"
_OPTIONS = (
    click.option("--player", metavar="NAME", help="Only games of this player: the whole name, a grade behind it left "
                                                  "aside, or a pattern with * and ?."),
    click.option("--opponent", metavar="NAME", help="Only those of --player against this one."),
    click.option("--side", type=click.Choice(["black", "white"]), help="Only those that --player has with this side."),
    click.option("--black", metavar="NAME", help="Only games in which this player has Black."),
    click.option("--white", metavar="NAME", help="Only games in which this player has White."),
    click.option("--min-rating", type=int, metavar="N", help="Only games of two players rated at least so high."),
    click.option("--max-rating", type=int, metavar="N", help="Only games of two players rated at most so high."),
    click.option("--since", type=Day(), metavar="DATE", help="Only games from this day, month or year on."),
    click.option("--until", type=Day(last=True), metavar="DATE", help="Only games up to this day, month or year."),
    click.option("--time-control", metavar="TEXT", help="Only games of this time control, as the records write it: "
                                                        f"{_TEXTS}."),
    click.option("--min-time", type=click.IntRange(min=0), metavar="SECONDS",
                 help="Only games in which each player has at least so much time to begin with."),
    click.option("--max-time", type=click.IntRange(min=0), metavar="SECONDS",
                 help="Only games in which each player has at most so much time to begin with."),
    click.option("--min-byoyomi", type=click.IntRange(min=0), metavar="SECONDS",
                 help="Only games with at least so many seconds a move (byoyomi)."),
    click.option("--max-byoyomi", type=click.IntRange(min=0), metavar="SECONDS",
                 help="Only games with at most so many seconds a move; 0: sudden death."),
    click.option("--event", metavar="TEXT", help=f"Only games of this event: {_TEXTS}."),
    click.option("--handicap", metavar="ID", type=HandicapAsked(),
                 help=f"Only games of this handicap, or any: {HANDICAP_KEYS}, other, any. Other kinds of shogi have "
                      "others: kifu variants."),
    click.option("--end", metavar="END", type=click.Choice(REASONS),
                 help=f"Only games that ended so: {', '.join(REASONS)}."),
    click.option("--winner", type=click.Choice(["black", "white", "draw", "none"]), help="Only games of this result."),
    click.option("--source", metavar="PATH", help="Only games that this file holds, copies of games of other files "
                                                  "included: its path, or a pattern with * and ?."),
    click.option("--min-plies", type=click.IntRange(min=0), metavar="N", help="Only games of at least so many moves."),
    click.option("--max-plies", type=click.IntRange(min=0), metavar="N", help="Only games of at most so many moves."),
    click.option("--tag", metavar="KEY", multiple=True, type=TagName(),
                 help="Only games with this castle or opening (mino, yagura, ...), of --player where one is named; may "
                      "be repeated."),
    click.option("--variant", metavar="NAME", type=VariantName(), default="shogi", show_default=True,
                 help=f"Only games of this kind of shogi: {VARIANTS}."),
)


@overload
def filtering(function: Callable[..., R]) -> Callable[..., R]: ...
@overload
def filtering(*, handicap: str | None = "even") -> Callable[[Callable[..., R]], Callable[..., R]]: ...
def filtering(function: Callable[..., R] | None = None, *, handicap: str | None = "even") -> Any:
    """The options of `Filters`; the command gets them as ``filters``.

    ``handicap`` is what holds where none is named: ``even`` games, or ``any`` where games of different odds cannot be
    mixed, since they are listed, or their positions differ. None leaves it to the command, which sees None too.
    """

    def decorate(function: Callable[..., R]) -> Callable[..., R]:
        @wraps(function)
        def command(*args: Any, **given: Any) -> R:
            from kifu.store.filters import Filters

            values = {name: given.pop(name) for name in Filters._fields}
            values["handicap"] = of_kind(values["handicap"], values["variant"], ("any", "other")) or handicap
            if values["player"] is None:
                for name in ("opponent", "side"):
                    if values[name] is not None:
                        raise click.UsageError(f"--{name} says more of --player: name one.")
            return function(*args, filters=Filters(**values), **given)

        decorated: Callable[..., R] = command
        for option in reversed(_OPTIONS):
            decorated = option(decorated)
        return decorated

    return decorate if function is None else decorate(function)


def named(filters: Filters, unasked: Filters | None = None) -> list[str]:
    """The options behind filters that were asked for: those that differ from what holds unasked.

    >>> from kifu.store.filters import Filters
    >>> named(Filters(min_rating=1500, event="Meijin*"))
    ['--min-rating', '--event']
    """
    return [f"--{name.replace('_', '-')}" for name in filters.given(unasked)]


def tell_others(database: Database, variant: str, talk: Talk) -> None:
    """Say how many games there are besides those of ordinary shogi, where those were asked for."""
    from kifu.cli.words import counted

    if variant != ORDINARY:
        return
    others = database.value("SELECT count(*) FROM games WHERE variant <> $variant", {"variant": variant})
    if others:
        talk.say(f"{counted(others, 'game')} of other variants left aside; --variant names one")


def tell_near(database: Database, filters: Filters, talk: Talk) -> None:
    """Name the texts of filters that no game has, and those that may have been meant."""
    from kifu.store.near import near

    for option, value, names in near(database, filters):
        meant = f" Did you mean {' or '.join(map(repr, names))}?" if names else ""
        talk.say(f"nothing in the database has {value!r} for --{option.replace('_', '-')}.{meant}")
