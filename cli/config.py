"""The configuration: what a project has settled about its records, in ``kifu.toml`` or ``pyproject.toml``.

The nearest file counts, from the current folder upward; in one folder ``kifu.toml`` comes before a ``pyproject.toml``,
which is passed over where it has no table ``[tool.kifu]``. Options of the command line win over it. Where there is no
such file a command costs two questions to the system for each folder; `kifu.cli.settings`, which knows what a
configuration may hold, is imported where one is found.
"""
from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from kifu.cli.settings import Config

#: Under what a context keeps the configuration, and that none is wanted.
_FOUND, _UNWANTED = "kifu.config", "kifu.no-config"


def named(ctx: click.Context, _option: click.Parameter, path: str | None) -> None:
    """The callback of ``--config``: finds the configuration, and makes it the defaults of the command.

    It is eager, and click calls eager options that are given before those that are not: ``--no-config`` comes first.
    """
    if ctx.resilient_parsing:
        return
    if path is not None and _UNWANTED in ctx.meta:
        raise click.UsageError("--config and --no-config cannot be used together.", ctx)
    config = None
    if path is not None:
        from kifu.cli.settings import read

        config = read(path)
    elif _UNWANTED not in ctx.meta:
        config = nearest()
    if config is not None:
        ctx.meta[_FOUND] = config
        ctx.default_map = {**(ctx.default_map or {}), **config.defaults(ctx)}


def unwanted(ctx: click.Context, _option: click.Parameter, value: bool) -> None:
    """The callback of ``--no-config``."""
    if value:
        if _FOUND in ctx.meta:
            raise click.UsageError("--config and --no-config cannot be used together.", ctx)
        ctx.meta[_UNWANTED] = True


def current() -> Config | None:
    """The configuration of the command at work."""
    ctx = click.get_current_context(silent=True)
    return ctx.meta.get(_FOUND) if ctx is not None else None


def nearest() -> Config | None:
    """The configuration of the current folder or the nearest one above it."""
    try:
        folder = os.getcwd()
    except OSError:  # it was removed
        return None
    while True:
        for name in ("kifu.toml", "pyproject.toml"):
            path = os.path.join(folder, name)
            if os.path.isfile(path):
                from kifu.cli.settings import found

                if (config := found(path)) is not None:
                    return config
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above
