"""The forms in which rows are printed, the same for every command that prints rows."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import click
from kifu.cli.talk import Talk

R = TypeVar("R")
FORMS = ("csv", "json", "ndjson", "markdown")


def forms(function: Callable[..., R]) -> Callable[..., R]:
    """``--csv --json --ndjson --markdown``; the command gets the one chosen as ``form``, None where none is.

    Two of them are a usage error.
    """
    for name in reversed(FORMS):
        called = "a Markdown table" if name == "markdown" else name.upper()
        option = click.option(f"--{name}", f"as_{name}", is_flag=True, expose_value=False, callback=_chosen,
                              help=f"Rows as {called}.")
        function = option(function)
    return function


def _chosen(ctx: click.Context, option: click.Parameter, given: bool) -> None:
    """Keep the form that is given as the parameter ``form``, if it is the only one."""
    before = ctx.params.setdefault("form", None)
    if not given:
        return
    form = option.opts[0].removeprefix("--")
    if before is not None:
        raise click.UsageError(f"--{before} and --{form} are two forms of the rows; name one.")
    ctx.params["form"] = form


def show_rows(talk: Talk, form: str | None, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Print rows, each as soon as it comes."""
    from kifu.store.render import FORMS as RENDERERS

    for line in RENDERERS[form or "table"](columns, rows):
        talk.out(line)
