"""Options that several commands share, defined once, and what they mean together."""
from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import click
from kifu._tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kifu.pipeline import Options, Problem, Source
    from kifu.pipeline.sources import Archives

P = ParamSpec("P")
R = TypeVar("R")


#: What can be written and what can be read, in words: help need not load the notations for that.
WRITABLE = "csa, kif, ki2, bod, sfen, usi, usen, western, psn, jkf, psv, hcpe"
READABLE = WRITABLE.replace("psn,", "psn, pgn,")


class NotationName(click.ParamType[str]):
    """A notation that can be read, or written. The list is asked for only when a name is given."""

    name = "notation"

    def __init__(self, written: bool = False) -> None:
        self.written = written

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from kifu.notation import NOTATIONS, WRITABLE

        known = WRITABLE if self.written else NOTATIONS
        if str(value).lower() not in known:
            self.fail(f"{value!r} is none of {', '.join(known)}.", param, ctx)
        return str(value).lower()


class EncodingName(click.ParamType[str]):
    """An encoding of text; its usual names all do."""

    name = "name"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from kifu.text import codec_name

        try:
            return codec_name(str(value))
        except LookupError:
            self.fail(f"there is no encoding {value!r}; try utf-8, cp932 or euc_jp.", param, ctx)


class VariantName(click.ParamType[str]):
    """A kind of shogi that has a ruleset."""

    name = "name"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from kifu.rules.variants import RULESETS

        if value not in RULESETS:
            self.fail(f"{value!r} is none of {', '.join(RULESETS)}.", param, ctx)
        return value


class HandicapName(click.ParamType[str]):
    """A handicap by its key."""

    name = "id"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from kifu.rules.handicaps import HANDICAPS

        if value not in HANDICAPS and value != "even":
            self.fail(f"{value!r} is none of {', '.join(HANDICAPS)}.", param, ctx)
        return value


class Inputs(NamedTuple):
    """The paths of a command line and how they are to be read."""

    paths: tuple[str, ...]
    notation: str | None
    encoding: str | None
    variant: str | None
    handicap: str | None
    mode: str
    jobs: int | None = None

    def options(self) -> Options:
        """The same for the pipeline."""
        from kifu.pipeline import Options

        return Options(self.notation, self.encoding, self.variant, self.handicap, None, self.mode)

    def find(self, problems: list[Problem], sizes: bool = True, archives: Archives = "read") -> Iterator[Source]:
        """The files that the paths mean; ``sizes`` and ``archives`` as for `kifu.pipeline.find`."""
        from kifu.pipeline import find

        return find(self.paths, problems, sizes, archives)

    @property
    def processes(self) -> int | None:
        """``--jobs``; this process alone where standard input, which only it can read, is among the paths."""
        return 1 if "-" in self.paths else self.jobs


_READING = (
    click.option("--from", "notation", type=NotationName(),
                 help=f"Read as this notation instead of detecting it: {READABLE}."),
    click.option("--encoding", type=EncodingName(), help="Read in this encoding instead of detecting it."),
    click.option("--variant", type=VariantName(), help="The kind of shogi, where the record does not say."),
    click.option("--handicap", type=HandicapName(), help="The handicap, where the record does not say."),
    click.option("--strict", "mode", flag_value="strict", help="Accept what the specification allows, no more."),
    click.option("--salvage", "mode", flag_value="salvage", help="Keep what is sound and mark the rest."),
)


def _decorate(function: Callable[..., R], options: tuple[Callable[..., Any], ...]) -> Callable[..., R]:
    for option in reversed(options):
        function = option(function)
    return function


def reading(*, many: bool = True, required: bool = True,
            jobs: bool = True) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """PATH… (or one PATH), how to read it and ``--jobs``; the command gets them as ``inputs``."""

    def decorate(function: Callable[..., R]) -> Callable[..., R]:
        @wraps(function)
        def command(*args: Any, **given: Any) -> R:
            paths = given.pop("paths")
            inputs = Inputs((paths,) if isinstance(paths, str) else tuple(paths or ()), given.pop("notation"),
                            given.pop("encoding"), given.pop("variant"), given.pop("handicap"),
                            given.pop("mode") or "default", given.pop("jobs", None))
            return function(*args, inputs=inputs, **given)

        path = click.argument("paths", metavar="PATH..." if many else "PATH", nargs=-1 if many else 1,
                              required=required, type=click.Path())
        shared: tuple[Callable[..., Any], ...] = (path, *_READING)
        if jobs:
            shared += (click.option("--jobs", type=click.IntRange(min=1), metavar="N",
                                    help="Processes that read files; by default as many as there are processors."),)
        return _decorate(command, shared)

    return decorate


def talking(function: Callable[..., R]) -> Callable[..., R]:
    """``--quiet`` and ``--no-color``; the command gets them as ``talk``."""

    @wraps(function)
    def command(*args: Any, **given: Any) -> R:
        from kifu.cli.talk import Talk

        return function(*args, talk=Talk(given.pop("quiet"), given.pop("no_color")), **given)

    return _decorate(command, (
        click.option("--quiet", "-q", is_flag=True, help="No progress bar and no remarks on standard error."),
        click.option("--no-color", is_flag=True, help="No colours; NO_COLOR in the environment does the same."),
    ))
