"""What a configuration may hold: its keys, what their values must be, and which options of commands they stand for."""
from __future__ import annotations

import os
from typing import Any

import click
from kifu._tuples import NamedTuple

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

    def defaults(self, ctx: click.Context) -> dict[str, Any]:
        """What it says of the parameters that the command has, tried now so that errors name the key."""
        keys = {key.parameter: name for name, key in KEYS.items()}
        found = {}
        for parameter in ctx.command.params:
            if parameter.name is None or parameter.name not in self.values:
                continue
            value = self.values[parameter.name]
            try:
                parameter.type.convert(value, parameter, ctx)
            except click.BadParameter as error:
                raise ConfigError(f"{self.path}: {keys[parameter.name]}: {error.message}") from error
            found[parameter.name] = [value] if getattr(parameter, "multiple", False) else value
        return found


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
    "rules": Key("rules", _TEXT, "rule options such as impasse=declare27"),
    "jobs": Key("jobs", (int,), "a whole number, 1 or more"),
    "quiet": Key("quiet", (bool,), "true or false"),
}


def found(path: str) -> Config | None:
    """The configuration in a file that was not asked for; None for a ``pyproject.toml`` that says nothing of us."""
    if os.path.basename(path) == "pyproject.toml" and b"kifu" not in _bytes(path):
        return None
    table = _table(path)
    return None if table is None else _checked(path, table)


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
            per_file += _per_file(path, name, value)
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


def _per_file(path: str, name: str, table: Any) -> list[tuple[str, tuple[str, ...]]]:
    import re

    from kifu.cli.patterns import compiled

    for pattern in table:
        try:
            compiled(pattern)
        except re.error as error:
            raise ConfigError(f"{path}: {name}, {pattern!r}: {error}.") from error
    return [(pattern, _codes(path, f"{name}, {pattern!r}", codes)) for pattern, codes in table.items()]


def _codes(path: str, where: str, value: Any) -> tuple[str, ...]:
    from kifu.cli.options import FindingNames

    codes = [value] if isinstance(value, str) else value
    if not isinstance(codes, list) or not all(isinstance(code, str) for code in codes):
        raise ConfigError(f"{path}: {where} must be {KEYS['select'].told}, not {value!r}.")
    try:
        return FindingNames().convert(",".join(codes), None, None)
    except click.BadParameter as error:
        raise ConfigError(f"{path}: {where}: {error.message}") from error
