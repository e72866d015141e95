"""The configuration: what a project has settled about its records, in ``kifu.toml`` or ``pyproject.toml``.

The nearest file counts, from the current folder upward; in one folder ``kifu.toml`` comes before a ``pyproject.toml``,
which is passed over where it has no table ``[tool.kifu]``. Options of the command line win over it. Where there is no
such file a command costs two questions to the system for each folder, and nothing is imported.
"""
from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import click
from kifu._tuples import NamedTuple

#: Under what a context keeps the configuration, and that none is wanted.
_FOUND, _UNWANTED = "kifu.config", "kifu.no-config"
_STRICTNESS = ("strict", "default", "salvage")


class ConfigError(click.ClickException):
    """What is wrong with a configuration: its file, the key, and what is allowed there."""


class Config(NamedTuple):
    """A configuration that was found. ``values`` are by the names of the commands' parameters.

    ``per_file`` has patterns of paths below ``folder``, where the file stands, and what is ignored in those.
    """

    path: str = ""
    folder: str = ""
    values: dict[str, Any] = {}  # noqa: RUF012 - of a named tuple, and never changed
    per_file: tuple[tuple[str, tuple[str, ...]], ...] = ()


class Key(NamedTuple):
    """A key: the parameter of commands that it is a default of, the types of its values, and those in words."""

    parameter: str
    types: tuple[type, ...]
    told: str


_TEXT = (str,)
KEYS = {
    "select": Key("select", (str, list), "a list of codes, beginnings of codes or names of findings"),
    "ignore": Key("ignore", (str, list), "a list of codes, beginnings of codes or names of findings"),
    "per-file-ignores": Key("", (dict,), "a table from patterns of paths to lists of codes"),
    "format": Key("form_name", _TEXT, "text, json, sarif or github"),
    "mode": Key("mode", _TEXT, "strict, default or salvage"),
    "from": Key("notation", _TEXT, "the name of a notation"),
    "encoding": Key("encoding", _TEXT, "the name of an encoding"),
    "variant": Key("variant", _TEXT, "the name of a kind of shogi"),
    "handicap": Key("handicap", _TEXT, "the name of a handicap"),
    "rules": Key("rules", _TEXT, "the name of a set of rules"),
    "jobs": Key("jobs", (int,), "a whole number, 1 or more"),
    "quiet": Key("quiet", (bool,), "true or false"),
}


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
        config = read(path)
    elif _UNWANTED not in ctx.meta:
        config = nearest()
    if config is not None:
        ctx.meta[_FOUND] = config
        ctx.default_map = {**(ctx.default_map or {}), **_defaults(ctx, config)}


def unwanted(ctx: click.Context, _option: click.Parameter, value: bool) -> None:
    """The callback of ``--no-config``."""
    if value:
        if _FOUND in ctx.meta:
            raise click.UsageError("--config and --no-config cannot be used together.", ctx)
        ctx.meta[_UNWANTED] = True


def current() -> Config:
    """The configuration of the command at work; an empty one where there is none."""
    ctx = click.get_current_context(silent=True)
    return ctx.meta.get(_FOUND, _NONE) if ctx is not None else _NONE


_NONE = Config()


def nearest() -> Config | None:
    """The configuration of the current folder or the nearest one above it."""
    try:
        folder = os.getcwd()
    except OSError:  # it was removed
        return None
    while True:
        path = os.path.join(folder, "kifu.toml")
        if os.path.isfile(path):
            return read(path)
        path = os.path.join(folder, "pyproject.toml")
        if os.path.isfile(path) and b"kifu" in _bytes(path) and (table := _table(path)) is not None:
            return _checked(path, table)
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


def read(path: str) -> Config:
    """The configuration in a file; raises `ConfigError`."""
    table = _table(path)
    if table is None:
        raise ConfigError(f"{path}: there is no table [tool.kifu] in it.")
    return _checked(path, table)


def _bytes(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}.") from error


def _table(path: str) -> dict[str, Any] | None:
    """The table with our keys: ``[tool.kifu]`` of a ``pyproject.toml``, None where it has none; else the whole file."""
    import tomllib

    try:
        whole = tomllib.loads(_bytes(path).decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        why = "the tables are nested too deep" if isinstance(error, RecursionError) else error
        raise ConfigError(f"{path}: this is no TOML: {why}.") from error
    if os.path.basename(path) != "pyproject.toml":
        return whole
    tools = whole.get("tool")
    table = tools.get("kifu") if isinstance(tools, dict) else None
    if table is not None and not isinstance(table, dict):
        raise ConfigError(f"{path}: tool.kifu must be a table, not {table!r}.")
    return table


def _checked(path: str, table: dict[str, Any]) -> Config:
    """The table with all keys known and all values of the right type."""
    values: dict[str, Any] = {}
    per_file: list[tuple[str, tuple[str, ...]]] = []
    for name, value in table.items():
        key = KEYS.get(name)
        if key is None:
            raise ConfigError(f"{path}: {_unknown(name)}")
        if not isinstance(value, key.types) or isinstance(value, bool) != (bool in key.types):
            raise ConfigError(f"{path}: {name} must be {key.told}, not {value!r}.")
        if name == "per-file-ignores":
            per_file += [(pattern, _codes(path, f"{name}, {pattern!r}", codes)) for pattern, codes in value.items()]
        elif list in key.types:
            values[key.parameter] = _codes(path, name, value)
        elif name == "mode" and value not in _STRICTNESS:
            raise ConfigError(f"{path}: mode must be {key.told}, not {value!r}.")
        elif (name, value) != ("mode", "default"):
            values[key.parameter] = value
    return Config(path, os.path.dirname(os.path.abspath(path)), values, tuple(per_file))


def _unknown(name: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, KEYS, 1)
    return f"there is no key {name!r}; " + (f"did you mean {near[0]!r}?" if near else f"there are {', '.join(KEYS)}.")


def _codes(path: str, where: str, value: Any) -> tuple[str, ...]:
    from kifu.cli.options import FindingNames

    codes = [value] if isinstance(value, str) else value
    if not isinstance(codes, list) or not all(isinstance(code, str) for code in codes):
        raise ConfigError(f"{path}: {where} must be {KEYS['select'].told}, not {value!r}.")
    try:
        return FindingNames().convert(",".join(codes), None, None)
    except click.BadParameter as error:
        raise ConfigError(f"{path}: {where}: {error.message}") from error


def _defaults(ctx: click.Context, config: Config) -> dict[str, Any]:
    """What the configuration says of the parameters that the command has, tried now so that errors name the key."""
    keys = {key.parameter: name for name, key in KEYS.items()}
    found = {}
    for parameter in _own(ctx.command, config):
        assert parameter.name is not None
        value = config.values[parameter.name]
        try:
            parameter.type.convert(value, parameter, ctx)
        except click.BadParameter as error:
            raise ConfigError(f"{config.path}: {keys[parameter.name]}: {error.message}") from error
        found[parameter.name] = value
    return found


def _own(command: click.Command, config: Config) -> Iterator[click.Parameter]:
    return (parameter for parameter in command.params if parameter.name in config.values)
