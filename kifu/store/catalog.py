"""The named queries: one SQL file each in queries/, with a header that says what it answers.

A file opens with comment lines: ``-- name: title``, then what it answers, then ``-- $parameter (default): meaning``
for each parameter. A parameter without a default must be given. A query that says ``FROM selected`` is asked of the
games that a `Filters` lets through, with ``score`` beside their columns.

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
from kifu.store.filters import Filters
from kifu.store.literals import literal

_HEADER = re.compile(r"--\s*(\w+):\s*(.+)")
_PARAMETER = re.compile(r"--\s*\$(\w+)(?:\s*\((.+?)\))?:\s*(.+)")
_USED = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|\$(\w+)")  # a parameter outside of quoted text
_SELECTED = re.compile(r"\bselected\b")
_WITH = re.compile(r"WITH\s+(RECURSIVE\s+)?", re.IGNORECASE)
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

    @property
    def body(self) -> str:
        """The SQL without its header and its semicolon."""
        lines = self.sql.splitlines()
        first = next((at for at, line in enumerate(lines) if not line.startswith("--")), len(lines))
        return "\n".join(lines[first:]).strip().rstrip(";").rstrip()

    @property
    def filtered(self) -> bool:
        """Whether it is asked of ``selected`` games."""
        return _SELECTED.search(self.body) is not None

    def text(self, filters: Filters | None = None, **given: Any) -> str:
        """The query as it runs: no parameters, the filters in it. Whoever has the database can run it as it is.

        Raises `UnknownFilter`.

        >>> print(load("lengths").text(width=50).splitlines()[-2])
        GROUP BY plies // 50
        """
        bound = self.bind(given)
        body = _USED.sub(lambda found: literal(bound[found[1]]) if found[1] else found[0], self.body)
        if not self.filtered:
            return body
        opening = _WITH.match(body)
        selected = "selected AS (\n" + "\n".join(f"    {line}" for line in (filters or Filters()).sql().splitlines()) + "\n)"
        if opening is None:
            return f"WITH {selected}\n{body}"
        return f"WITH {opening[1] or ''}{selected}, {body[opening.end():]}"


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


def run(database: Database, name: str, filters: Filters | None = None, **given: Any) -> Result:
    """Ask a named query. Raises `UnknownQuery`, `UnknownFilter` and `kifu.store.errors.QueryError`."""
    return database.query(load(name).text(filters, **given))


def rows(database: Database, name: str, filters: Filters | None = None, **given: Any) -> list[tuple[Any, ...]]:
    """All rows of a named query that gives few of them; quicker than `run`."""
    return database.rows(load(name).text(filters, **given))


def _default(text: str | None) -> Any:
    if text is None:
        return _REQUIRED
    if text == "none":
        return None
    return int(text) if text.lstrip("-").isdecimal() else text
