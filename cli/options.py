"""Options that several commands share, defined once, and what they mean together."""
from __future__ import annotations

import os
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import click
from kifu._tuples import NamedTuple
from kifu.cli.config import current, named, unwanted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kifu.cli.settings import Config
    from kifu.knowledge import PatternFile
    from kifu.pipeline import Options, Problem, Source
    from kifu.pipeline.sources import Archives

P = ParamSpec("P")
R = TypeVar("R")


#: What can be written and what can be read, in words: help need not load the notations for that.
WRITABLE = "csa, kif, ki2, bod, sfen, usi, usen, western, psn, jkf, psv, hcpe"
READABLE = WRITABLE.replace("psn,", "psn, pgn,")
#: The same for kinds of shogi and handicaps.
VARIANTS = ("shogi, minishogi, micro, judkins, gorogoro, gorogoroplus, kyotoshogi, torishogi, cannonshogi, "
            "chushogi")
HANDICAP_KEYS = ("even, lance, right-lance, bishop, rook, rook-lance, 2-piece, 3-piece, 4-piece, 5-piece, "
                 "left-5-piece, 6-piece, right-7-piece, left-7-piece, 8-piece, 10-piece, three-pawns, naked-king")
ORDINARY = "shogi"
#: Python's name of UTF-8 that begins with a byte order mark.
MARKED_UTF8 = "utf-8-sig"


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
    """An encoding of text; its usual names all do. Whether UTF-8 begins with a mark matters where it is ``written``."""

    name = "name"

    def __init__(self, written: bool = False) -> None:
        self.written = written

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from codecs import lookup

        from kifu.text import codec_name

        try:
            name = codec_name(str(value))
            return MARKED_UTF8 if self.written and name == "utf-8" and lookup(value).name == MARKED_UTF8 else name
        except LookupError:
            self.fail(f"there is no encoding {value!r}; try utf-8, cp932 or euc_jp.", param, ctx)


class VariantName(click.ParamType[str]):
    """A kind of shogi whose records can be read, by any name that a record may give it; its key is what counts."""

    name = "name"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from kifu.rules.recognise import named
        from kifu.rules.variants import RULESETS

        key = named(str(value))
        if key is None:
            self.fail(f"{value!r} is none of {', '.join(RULESETS)}.", param, ctx)
        return key


class HandicapName(click.ParamType[str]):
    """A handicap by its key; ``other`` besides, where games are ``asked`` for that were proven already.

    Each kind of shogi has its own: those of ``--variant`` count, where it stands before; `of_kind` looks at both.
    """

    name = "id"

    def __init__(self, asked: bool = False) -> None:
        self.asked = asked

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from kifu.rules.handicaps import of_variant
        from kifu.rules.variants import RULESETS

        named = ctx.params.get("variant") if ctx is not None else None
        named = named if isinstance(named, str) else None  # click has a sign of its own for what is not given
        known = [*of_variant(named or ORDINARY), *(["other"] if self.asked else [])]
        if value not in known and (named or not any(value in of_variant(kind) for kind in RULESETS)):
            self.fail(f"{value!r} is none of {', '.join(known)}.", param, ctx)
        return value


def of_kind(handicap: str | None, variant: str | None, besides: tuple[str, ...] = ()) -> str | None:
    """A handicap that was named, if the kind of shogi has it or it is one of the words ``besides``; else BadParameter.
    """
    if handicap is None or handicap in besides:
        return handicap
    from kifu.rules.handicaps import of_variant
    from kifu.rules.variants import RULESETS

    known = of_variant(variant or ORDINARY)
    if handicap not in known:
        raise click.BadParameter(f"{handicap!r} is no handicap of {RULESETS[variant or ORDINARY].name}, which has "
                                 f"{', '.join(known)}.", param_hint="'--handicap'")
    return handicap


def known_to(rules: str | None, variant: str | None) -> str | None:
    """Rule options, if the kind of shogi that was named knows the reading of repetition; else BadParameter.

    Settings of a project are for games of all kinds: only what stands on the command line is refused.
    """
    ctx = click.get_current_context(silent=True)
    if not rules or not variant or ctx is None \
            or ctx.get_parameter_source("rules") is not click.core.ParameterSource.COMMANDLINE:
        return rules
    from kifu.rules.choices import choices, not_known
    from kifu.rules.variants import RULESETS

    if said := not_known(choices(rules), RULESETS[variant]):
        raise click.BadParameter(f"{said}.", param_hint="'--rules'")
    return rules


class RuleChoices(click.ParamType[str]):
    """Rule options, see `kifu.rules.choices`."""

    name = "options"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from kifu.rules.choices import choices

        try:
            choices(str(value))
        except ValueError as error:
            self.fail(f"{error}.", param, ctx)
        return str(value)


class FindingNames(click.ParamType[tuple[str, ...]]):
    """Findings by code, by the beginning of a code or by name, with commas or blanks between them.

    The command gets codes in upper case and names in lower case, as findings have them.
    """

    name = "codes"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, tuple):
            return value
        from kifu.diagnostics import RULES

        codes = [rule.code for rule in RULES.values()]
        found = []
        for asked in value.replace(",", " ").split():
            if asked.lower() in RULES:
                found.append(asked.lower())
            elif any(code.startswith(asked.upper()) for code in codes):
                found.append(asked.upper())
            else:
                from difflib import get_close_matches

                near = get_close_matches(asked.lower(), RULES, 1)
                hint = f"did you mean {near[0]!r}?" if near else "kifu explain lists all."
                if asked[1:].isdecimal() and (group := [code for code in codes if code[:2] == asked[:2].upper()]):
                    group.sort(key=lambda code: abs(int(code[1:]) - int(asked[1:])))
                    hint = f"near it are {', '.join(sorted(group[:3]))}."
                self.fail(f"no finding is called {asked!r}; {hint}", param, ctx)
        return tuple(found)


class OutputFile(click.Path):
    """A file to be written, in a folder that there is."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = os.fsdecode(super().convert(value, param, ctx))
        folder = os.path.dirname(path)
        if folder and not os.path.isdir(folder):
            what = "is no folder" if os.path.exists(folder) else "does not exist"
            self.fail(f"{path} cannot be written: {folder} {what}.", param, ctx)
        return path


class Inputs(NamedTuple):
    """The paths of a command line and how they are to be read."""

    paths: tuple[str, ...]
    notation: str | None
    encoding: str | None
    variant: str | None
    handicap: str | None
    mode: str
    jobs: int | None = None
    rules: str | None = None
    config: Config | None = None

    def options(self) -> Options:
        """The same for the pipeline."""
        from kifu.pipeline import Options

        return Options(self.notation, self.encoding, self.variant, self.handicap, self.rules, self.mode)

    def find(self, problems: list[Problem], sizes: bool = True, archives: Archives = "read") -> Iterator[Source]:
        """The files that the paths mean; ``sizes`` and ``archives`` as for `kifu.pipeline.find`."""
        from kifu.pipeline import find

        return find(self.paths, problems, sizes, archives)

    @property
    def processes(self) -> int | None:
        """``--jobs``; this process alone where standard input, which only it can read, is among the paths."""
        return 1 if "-" in self.paths else self.jobs


def together(_ctx: click.Context, _option: click.Parameter, given: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    """The callback of an option for findings that may be given several times: all of them count."""
    return tuple(one for some in given for one in some)


def _together_chosen(_ctx: click.Context, option: click.Parameter, given: tuple[str, ...]) -> str | None:
    """The same for rule options; what two of them choose in different ways is refused."""
    from kifu.rules.choices import choices

    text = ",".join(given)
    try:
        choices(text)
    except ValueError as error:
        raise click.BadParameter(f"{error}.", param=option) from error
    return text or None


_READING = (
    click.option("--from", "notation", type=NotationName(),
                 help=f"Read as this notation instead of detecting it: {READABLE}."),
    click.option("--encoding", type=EncodingName(), help="Read in this encoding instead of detecting it."),
    click.option("--variant", type=VariantName(),
                 help="The kind of shogi, where the record does not say; one that says another is not played: "
                      f"{VARIANTS}, or any name of theirs."),
    click.option("--handicap", type=HandicapName(),
                 help=f"The handicap, where the record does not say: {HANDICAP_KEYS}. Other kinds of shogi have "
                      "others: kifu variants."),
    click.option("--rules", type=RuleChoices(), multiple=True, callback=_together_chosen,
                 help="Rule options that the record is held to: impasse=agreed24|declare27|declare24, "
                      "max-moves=N|none, "
                      "repetition=fourth|fourth-second-wins|fourth-loses|third-barred|starter-varies."),
    click.option("--strict", "mode", flag_value="strict", help="Accept what the specification allows, no more."),
    click.option("--salvage", "mode", flag_value="salvage", help="Keep what is sound and mark the rest."),
    click.option("--config", metavar="FILE", type=click.Path(dir_okay=False), is_eager=True, expose_value=False,
                 callback=named, help="Take defaults from this file, not the nearest kifu.toml or pyproject.toml."),
    click.option("--no-config", is_flag=True, is_eager=True, expose_value=False, callback=unwanted,
                 help="Take no defaults from any file."),
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
                            given.pop("encoding"), variant := given.pop("variant"),
                            of_kind(given.pop("handicap"), variant) if variant else given.pop("handicap"),
                            given.pop("mode") or "default", given.pop("jobs", None),
                            known_to(given.pop("rules"), variant), current())
            return function(*args, inputs=inputs, **given)

        path = click.argument("paths", metavar="PATH..." if many else "PATH", nargs=-1 if many else 1,
                              required=required, type=click.Path())
        shared: tuple[Callable[..., Any], ...] = (path, *_READING)
        if jobs:
            shared += (click.option("--jobs", type=click.IntRange(min=1), metavar="N",
                                    help="Processes that read files; by default as many as there are processors."),)
        return _decorate(command, shared)

    return decorate


def _patterns(ctx: click.Context, param: click.Parameter, paths: tuple[str, ...]) -> tuple[PatternFile, ...]:
    """The pattern files, read and found good together with our own."""
    if not paths or ctx.resilient_parsing:
        return ()
    from kifu.knowledge import PatternError, matcher, read

    try:
        files = tuple(read(path) for path in paths)
        matcher(files)
    except PatternError as error:
        raise click.BadParameter(f"{error}.", ctx, param) from error
    return files


#: Further castles and openings; the command gets the files as ``patterns``.
further_patterns = click.option(
    "--patterns", metavar="FILE", multiple=True, type=click.Path(), callback=_patterns,
    help="Know the castles and openings of this TOML file too; may be repeated. kifu/knowledge/castles.toml says how "
         "they are written.")


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
