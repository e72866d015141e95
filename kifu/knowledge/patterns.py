"""Pattern files: castles and openings as data, read and checked. What a file may hold stands in `castles.toml`.

Nothing here looks at games. `load` reads our own two files and any of the user's, and `Patterns` is what the matcher
is made from. Whatever is wrong with a file is a `PatternError` that names the file, the entry and the fault.
"""
from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, lru_cache
from importlib.resources import files
from os import PathLike, fspath
from typing import Any

from kifu._tuples import NamedTuple
from kifu.knowledge.positions import Condition, PositionTextError, parse

OWN_FILES = ("castles.toml", "openings.toml")
KINDS = ("castle", "opening")
STYLES = ("static", "ranging", "any")
SIDES = ("each", "both", "black", "white")
#: A file of patterns is small; something much larger was named by mistake.
MOST_BYTES = 4_000_000
#: The same of what all files say together: so many entries, and so many ways to stand.
MOST_ENTRIES, MOST_WAYS = 2_000, 20_000
#: Plies beyond which no game is expected to go.
LAST_PLY = 1_000_000

_KEY = re.compile(r"[a-z][a-z0-9_]*")
_FIELDS = ("ja", "en", "style", "position", "before", "side", "from", "until", "parents", "sources")


class PatternError(ValueError):
    """A pattern file that cannot be used: ``path``, ``entry`` (as in ``castle.mino``; empty: the file), ``fault``."""

    def __init__(self, path: str, entry: str, fault: str) -> None:
        self.path, self.entry, self.fault = path, entry, fault
        super().__init__(f"{path}: {f'{entry}: ' if entry else ''}{fault}")


class PatternFile(NamedTuple):
    """A pattern file before it is understood: its name and its text. Small, and cheap to send to a worker."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One castle or opening, as its file describes it."""

    kind: str
    key: str
    ja: str
    en: str
    style: str
    side: str  # each: told of whoever has it; both: one tag for the game; black, white: of that side only
    positions: tuple[Condition, ...]  # any of them
    before: Condition | None  # must have stood by then
    first: int  # plies within which it counts
    last: int
    parents: tuple[str, ...]
    sources: tuple[str, ...]

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """All that it says of boards."""
        return self.positions if self.before is None else (*self.positions, self.before)


Patterns = Mapping[str, Entry]


def read(path: str | PathLike[str]) -> PatternFile:
    """A user's pattern file. Raises `PatternError` where it cannot be read; what is in it is not looked at yet."""
    name = fspath(path)
    try:
        with open(name, "rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise PatternError(name, "", f"it cannot be read: {error.strerror or error}") from error
    if len(data) > MOST_BYTES:
        raise PatternError(name, "", f"it has more than {MOST_BYTES // 1_000_000} MB; a pattern file is a small text")
    try:
        return PatternFile(name, data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise PatternError(name, "", f"it is not UTF-8 (line {line})") from error


def load(more: Iterable[PatternFile] = ()) -> Patterns:
    """Our own entries and those of more files, by key, all checked against each other. Raises `PatternError`."""
    return _load(tuple(more))


@cache
def _own(name: str) -> PatternFile:
    return PatternFile(name, (files("kifu.knowledge") / name).read_text(encoding="utf-8"))


@lru_cache(maxsize=16)
def _load(more: tuple[PatternFile, ...]) -> Patterns:
    entries: dict[str, Entry] = {}
    paths: dict[str, str] = {}
    ways = 0
    for file in (*map(_own, OWN_FILES), *more):
        for entry in _entries(file):
            if entry.key in entries:
                raise PatternError(file.path, _name(entry),
                                   f"{paths[entry.key]} has an entry of this key already; give it another")
            ways += sum(len(condition.alternatives) for condition in entry.conditions)
            if len(entries) == MOST_ENTRIES or ways > MOST_WAYS:
                raise PatternError(file.path, _name(entry), f"it is too much: {MOST_ENTRIES} entries and {MOST_WAYS} "
                                   "ways to stand are the most, ranges and all")
            entries[entry.key] = entry
            paths[entry.key] = file.path
    for entry in entries.values():
        _check_references(paths[entry.key], entry, entries)
    _refuse_circles(entries, paths)
    return entries


def _entries(file: PatternFile) -> Iterable[Entry]:
    """The entries of one file, each checked by itself."""
    import tomllib

    try:
        tables = tomllib.loads(file.text)
    except tomllib.TOMLDecodeError as error:
        raise PatternError(file.path, "", f"it is not TOML: {error}") from error
    except RecursionError:
        raise PatternError(file.path, "", "it is not TOML that can be read: nested too deeply") from None
    for kind, table in tables.items():
        if kind not in KINDS:
            raise PatternError(file.path, kind, "entries are called [castle.KEY] or [opening.KEY]")
        if not isinstance(table, dict):
            raise PatternError(file.path, kind, f"entries are tables, as in [{kind}.my_own]")
        for key, fields in table.items():
            name = f"{kind}.{key}"
            if not isinstance(fields, dict):
                raise PatternError(file.path, name, f"an entry is a table, as in [{kind}.my_own]")
            try:
                yield _entry(kind, key, fields)
            except ValueError as error:
                raise PatternError(file.path, name, str(error)) from error


def _entry(kind: str, key: str, fields: dict[str, Any]) -> Entry:
    """An entry from its table. Raises ValueError with a sentence."""
    if not _KEY.fullmatch(key):
        raise ValueError("a key is small letters, digits and _, and begins with a letter")
    for field in fields:
        if field not in _FIELDS:
            near = get_close_matches(field, _FIELDS, 1)
            raise ValueError(f"there is no field {field!r}" + (f"; did you mean {near[0]!r}?" if near else
                                                               f"; there are {', '.join(_FIELDS)}"))
    first, last = _ply(fields, "from", 0), _ply(fields, "until", LAST_PLY)
    if first > last:
        raise ValueError(f"it counts from ply {first} but only until ply {last}")
    positions = fields.get("position")
    if isinstance(positions, str):
        positions = [positions]
    elif not positions:
        raise ValueError("'position' is missing: what must stand, as in position = \"K2h S3h G4i\"")
    return Entry(
        kind, key, _text(fields, "ja"), _text(fields, "en"), _choice(fields, "style", STYLES, "any"),
        _choice(fields, "side", SIDES, "each"),
        tuple(_condition("position", text) for text in _texts("position", positions)),
        _condition("before", fields["before"]) if "before" in fields else None,
        first, last, _texts("parents", fields.get("parents", [])), _texts("sources", fields.get("sources", [])))


def _condition(field: str, text: Any) -> Condition:
    if not isinstance(text, str):
        raise ValueError(f"{field!r} is a text, as in {field} = \"P7e R2h\"")
    try:
        return parse(text)
    except PositionTextError as error:
        raise ValueError(f"{field} {text!r}: {error}") from error


def _text(fields: dict[str, Any], field: str) -> str:
    value = fields.get(field)
    if not isinstance(value, str) or not value.strip():
        language = {"ja": "Japanese", "en": "English"}[field]
        raise ValueError(f"{field!r} is missing, its name in {language}" if value is None else
                         f"{field!r} is a text, its name in {language}")
    if not value.isprintable():
        raise ValueError(f"{field!r} holds signs that cannot be shown")
    return value


def _texts(field: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise ValueError(f"{field!r} is a list of texts, as in {field} = [\"…\", \"…\"]")
    return tuple(value)


def _choice(fields: dict[str, Any], field: str, choices: tuple[str, ...], default: str) -> str:
    value = fields.get(field, default)
    if value not in choices:
        raise ValueError(f"{field!r} is one of {', '.join(choices)}, not {value!r}")
    return str(value)


def _ply(fields: dict[str, Any], field: str, default: int) -> int:
    value = fields.get(field, default)
    if type(value) is not int or not 0 <= value <= LAST_PLY:
        raise ValueError(f"{field!r} is a number of plies, 0 being the start of the game, not {value!r}")
    return value


def _name(entry: Entry) -> str:
    return f"{entry.kind}.{entry.key}"


def _check_references(path: str, entry: Entry, entries: dict[str, Entry]) -> None:
    """Every entry that is named is there and fits."""
    def known(key: str) -> Entry:
        if key not in entries:
            near = get_close_matches(key, entries, 1)
            raise PatternError(path, _name(entry), f"there is no entry {key!r}"
                               + (f"; did you mean {near[0]!r}?" if near else ""))
        return entries[key]

    for condition in entry.conditions:
        for key, _ in sorted(condition.reached | condition.barred):
            if known(key) is entry:
                raise PatternError(path, _name(entry), f"@{key} asks for the entry itself")
    for key in entry.parents:
        parent = known(key)
        if parent.kind != entry.kind:
            raise PatternError(path, _name(entry), f"its parent {key!r} is no {entry.kind}")
        if parent.side not in (entry.side, "both", "each"):
            raise PatternError(path, _name(entry), f"its parent {key!r} is told of {_OF[parent.side]}, "
                               f"the entry itself of {_OF[entry.side]}")


_OF = {"each": "each side", "both": "both sides at once", "black": "Black only", "white": "White only"}


def _refuse_circles(entries: dict[str, Entry], paths: dict[str, str]) -> None:
    """No entry is its own parent's parent. Entries are taken away whose parents are all gone; circles stay."""
    left = dict(entries)
    while ready := [key for key, entry in left.items() if not any(parent in left for parent in entry.parents)]:
        for key in ready:
            del left[key]
    while left:
        key = next(reversed(left))
        walked: dict[str, None] = {}
        while key not in walked:
            walked[key] = None
            key = next(parent for parent in entries[key].parents if parent in left)
        circle = [*list(walked)[list(walked).index(key):], key]
        raise PatternError(paths[key], _name(entries[key]), f"its parents lead back to it: {' -> '.join(circle)}")
