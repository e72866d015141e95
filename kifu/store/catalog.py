"""The named queries: one SQL file each in queries/, with a header that says what it answers.

A file opens with comment lines: ``-- name: title``, then what it answers, then ``-- $parameter (default): meaning``
for each parameter. A parameter without a default must be given.

>>> load("terminations").title
'How games end'
>>> "opening_tree" in names()
True
"""
from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from kifu.store.database import Database, Result
from kifu.store.errors import UnknownFilter, UnknownQuery

_HEADER = re.compile(r"--\s*(\w+):\s*(.+)")
_PARAMETER = re.compile(r"--\s*\$(\w+)(?:\s*\((.+?)\))?:\s*(.+)")
_REQUIRED = object()


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a named query: its meaning, and its default as it is written in the header."""

    name: str
    meaning: str
    default: Any = _REQUIRED

    @property
    def required(self) -> bool:
        """Whether a value must be given."""
        return self.default is _REQUIRED


@dataclass(frozen=True, slots=True)
class Query:
    """A named query: its title, what it answers, its parameters and its SQL (header included)."""

    name: str
    title: str
    answers: str
    parameters: dict[str, Parameter]
    sql: str

    def bind(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """All parameters with their values. Raises `UnknownFilter` for one too many and for one missing."""
        known = list(self.parameters)
        for name in given:
            if name not in self.parameters:
                raise UnknownFilter(self.name, name, known)
        bound = {}
        for name, parameter in self.parameters.items():
            if name in given:
                bound[name] = given[name]
            elif parameter.required:
                raise UnknownFilter(self.name, name, known, missing=True)
            else:
                bound[name] = parameter.default
        return bound


@cache
def names() -> list[str]:
    """All named queries, in alphabetical order."""
    return sorted(entry.name.removesuffix(".sql") for entry in (files("kifu.store") / "queries").iterdir()
                  if entry.name.endswith(".sql"))


@cache
def load(name: str) -> Query:
    """A query by its name. Raises `UnknownQuery`."""
    if name not in names():
        raise UnknownQuery(name, names())
    sql = (files("kifu.store") / "queries" / f"{name}.sql").read_text(encoding="utf-8")
    title, answers, parameters = "", [], {}
    for line in sql.splitlines():
        if not line.startswith("--"):
            break
        if match := _PARAMETER.fullmatch(line):
            parameters[match[1]] = Parameter(match[1], match[3], _default(match[2]))
        elif not title and (match := _HEADER.fullmatch(line)):
            if match[1] != name:
                raise ValueError(f"queries/{name}.sql calls itself {match[1]}")
            title = match[2]
        else:
            answers.append(line.lstrip("- ").rstrip())
    return Query(name, title, " ".join(answers), parameters, sql)


def run(database: Database, name: str, **given: Any) -> Result:
    """Ask a named query. Raises `UnknownQuery`, `UnknownFilter` and `kifu.store.errors.QueryError`."""
    query = load(name)
    return database.query(query.sql, query.bind(given))


def rows(database: Database, name: str, **given: Any) -> list[tuple[Any, ...]]:
    """All rows of a named query that gives few of them; quicker than `run`."""
    query = load(name)
    return database.rows(query.sql, query.bind(given))


def _default(text: str | None) -> Any:
    if text is None:
        return _REQUIRED
    if text == "none":
        return None
    return int(text) if text.lstrip("-").isdecimal() else text
