"""The named queries: one SQL file each in queries/, with a header that says what it answers.

A file opens with comment lines: ``-- name: title``, then ``-- group: name`` where people ask the query by its name
(others are the inside of some command), then what it answers, then ``-- $parameter (default): meaning`` for each
parameter. A parameter without a default must be given; behind the default may stand its range, ``(20; 1..500)``, or its
choices, ``(castle; castle|opening)``.

A query that says ``FROM selected`` is asked of the games that a `Filters` lets through, with ``score`` beside their
columns: even games, where no handicap is asked for, unless the header says ``-- handicap: any``. A parameter with the
name of a filter has the value of that filter, and the filter that of the parameter. A query that counts sides of games
asks ``black_asked`` and ``white_asked``, see `kifu.store.filters`.

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
from typing import TYPE_CHECKING, Any

from kifu.store.errors import UnknownFilter, UnknownQuery
from kifu.store.filters import EVEN, Filters
from kifu.store.literals import literal

if TYPE_CHECKING:
    from kifu.store.database import Database, Result

_HEADER = re.compile(r"--\s*(\w+):\s*(.+)")
_PARAMETER = re.compile(r"--\s*\$(\w+)(?:\s*\(([^;)]+)(?:;\s*([^)]+))?\))?:\s*(.+)")
_RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)?")
_USED = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|\$(\w+)")  # a parameter outside of quoted text
_DIRECTIVES = ("group", "handicap")
_SIDES = re.compile(r"\b(?:black|white)_asked\b")
_WITH = re.compile(r"WITH\s+(RECURSIVE\s+)?", re.IGNORECASE)
_REQUIRED = object()
_GROUPS = ("results", "openings and castles", "a position", "players", "care of the data")


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a named query: its meaning, its default, and the values that it may have.

    ``choices`` is empty where any text will do, ``low`` and ``high`` are None where a number has no such bound.
    """

    name: str
    meaning: str
    default: Any = _REQUIRED
    choices: tuple[str, ...] = ()
    low: int | None = None
    high: int | None = None

    @property
    def required(self) -> bool:
        """Whether a value must be given."""
        return self.default is _REQUIRED


@dataclass(frozen=True, slots=True)
class Query:
    """A named query: its title, what it answers, its parameters and its SQL (header included).

    ``group`` is the heading under which people find it, "" for one that is the inside of a command; ``handicap`` the
    filter that holds where none is asked for.
    """

    name: str
    title: str
    answers: str
    parameters: dict[str, Parameter]
    sql: str
    group: str = ""
    handicap: str = EVEN

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
        return self.reads("selected")

    def reads(self, table: str) -> bool:
        """Whether it reads this table."""
        return re.search(rf"\b(?:FROM|JOIN|ANTI JOIN)\s+{table}\b", self.body) is not None

    def text(self, filters: Filters | None = None, **given: Any) -> str:
        """The query as it runs: no parameters, the filters in it. Whoever has the database can run it as it is.

        Without filters it is asked of the games for which it is meant. Raises `UnknownFilter`.

        >>> print(load("lengths").text(width=50).splitlines()[-2])
        GROUP BY plies // 50
        """
        if filters is not None:
            given = {**{name: value for name, value in zip(filters._fields, filters, strict=True)
                        if name in self.parameters and value is not None}, **given}
        bound = self.bind(given)
        body = _USED.sub(lambda found: literal(bound[found[1]]) if found[1] else found[0], self.body)
        if not self.filtered:
            return body
        opening = _WITH.match(body)
        named = {name: value for name, value in bound.items() if name in Filters._fields and value is not None}
        sides = _SIDES.search(body) is not None
        chosen = (filters or Filters(handicap=self.handicap))._replace(**named).sql(sides)
        selected = "selected AS (\n" + "\n".join(f"    {line}" for line in chosen.splitlines()) + "\n)"
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
    title, answers = "", []
    parameters: dict[str, Parameter] = {}
    directives: dict[str, str] = {}
    for line in sql.splitlines():
        if not line.startswith("--"):
            break
        header = _HEADER.fullmatch(line)
        if match := _PARAMETER.fullmatch(line):
            parameters[match[1]] = _parameter(*match.groups())
        elif header and not title:
            if header[1] != name:
                raise ValueError(f"queries/{name}.sql calls itself {header[1]}")
            title = header[2]
        elif header and header[1] in _DIRECTIVES:
            directives[header[1]] = header[2]
        else:
            answers.append(line.lstrip("- ").rstrip())
    return Query(name, title, " ".join(answers), parameters, sql, **directives)


def grouped() -> dict[str, list[Query]]:
    """The queries that people ask, under their headings."""
    groups: dict[str, list[Query]] = {}
    for query in map(load, names()):
        if query.group:
            groups.setdefault(query.group, []).append(query)
    return dict(sorted(groups.items(), key=lambda item: _GROUPS.index(item[0])))


def run(database: Database, name: str, filters: Filters | None = None, **given: Any) -> Result:
    """Ask a named query. Raises `UnknownQuery`, `UnknownFilter` and `kifu.store.errors.QueryError`."""
    return database.query(load(name).text(filters, **given))


def rows(database: Database, name: str, filters: Filters | None = None, **given: Any) -> list[tuple[Any, ...]]:
    """All rows of a named query that gives few of them; quicker than `run`."""
    return database.rows(load(name).text(filters, **given))


def _parameter(name: str, default: str | None, allowed: str | None, meaning: str) -> Parameter:
    """A parameter from its line of the header.

    >>> _parameter("width", "20", "1..", "plies in one bar").low
    1
    """
    if span := _RANGE.fullmatch(allowed or ""):
        return Parameter(name, meaning, _default(default), low=int(span[1]), high=int(span[2]) if span[2] else None)
    return Parameter(name, meaning, _default(default), tuple(allowed.split("|")) if allowed else ())


def _default(text: str | None) -> Any:
    if text is None:
        return _REQUIRED
    if text == "none":
        return None
    return int(text) if text.lstrip("-").isdecimal() else text
