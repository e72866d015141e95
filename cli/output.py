"""The forms in which rows are printed, the same for every command that prints rows."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import click
from kifu.cli.talk import Talk

R = TypeVar("R")
FORMS = ("csv", "json", "ndjson", "markdown")


def forms(function: Callable[..., R]) -> Callable[..., R]:
    """``--csv --json --ndjson --markdown``; the command gets the one chosen as ``form``, ``table`` where none is."""
    for name in reversed(FORMS):
        called = "a Markdown table" if name == "markdown" else name.upper()
        option = click.option(f"--{name}", "form", flag_value=name, default=None, type=str, help=f"Rows as {called}.")
        function = option(function)
    return function


def show_rows(talk: Talk, form: str | None, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Print rows, each as soon as it comes."""
    from kifu.store.render import FORMS as RENDERERS

    for line in RENDERERS[form or "table"](columns, rows):
        talk.out(line)
