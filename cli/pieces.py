"""The options ``--pieces`` and ``--lang`` of ``kifu show`` and ``kifu convert``."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

R = TypeVar("R")

#: The piece sets and the languages, in words: help need not load them for that.
PIECES = ("kanji", "kanji2", "international", "letters", "animals")
LANGUAGES = ("ja", "en", "cs")


def pieces_options(what: str) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """``--pieces``, of which help says ``what`` it does, and ``--lang``, which the command gets as ``language``."""

    def decorate(function: Callable[..., R]) -> Callable[..., R]:
        for option in (
            click.option("--lang", "language", type=click.Choice(LANGUAGES),
                         help="Language of the words around the board and of the animals; by default what is usual "
                              "with the pieces, for animals English."),
            click.option("--pieces", type=click.Choice(PIECES), help=what),
        ):
            function = option(function)
        return function

    return decorate


def style_of(to: str, style: str | None, pieces: str | None, language: str | None) -> str | None:
    """The style of western text that the options of ``kifu convert`` name; a usage error where they do not fit."""
    if pieces is None:
        if language is not None:
            raise click.UsageError("--lang goes with --pieces.")
        return style
    from kifu.draw import piece_set
    from kifu.notation import REGISTRY

    if style:
        raise click.UsageError("--pieces and --style cannot be used together.")
    chosen = piece_set(pieces)
    found = chosen.style.get(language or chosen.languages[0], "")
    if not found:
        known: dict[str, Any] = chosen.style
        have = f"moves with {pieces} are in {' and '.join(known)} only" if known else f"no style writes {pieces}"
        raise click.UsageError(f"--pieces {pieces}{f' --lang {language}' if language else ''}: {have}.")
    if found not in REGISTRY[to].styles:
        raise click.UsageError(f"--pieces is for --to western, not for {to}.")
    return found
