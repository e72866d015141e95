"""JKF as types: what a JSON text must be to be a record, and what is wrong with one that is not.

Source: the JSON Kifu Format of na2hiro (FORMATS, section 8 of the project's reference). The types allow what minimal
files leave out (colour, ``same``, ``capture``, ``relative``), ``null`` for what is absent, ``comment`` beside
``comments``, and fractions of seconds. A text is decoded in one go where it fits; where it does not, every part that
fits is kept, and each that does not is a `Fault` with the way to it.
"""
from __future__ import annotations

import re
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

import msgspec
from msgspec import Meta, Struct

Kind = Literal["FU", "KY", "KE", "GI", "KI", "KA", "HI", "OU", "TO", "NY", "NK", "NG", "UM", "RY"]
HandKind = Literal["FU", "KY", "KE", "GI", "KI", "KA", "HI"]
Colour = Literal[0, 1]
Coordinate = Annotated[int, Meta(ge=1, le=9)]
Number = int | float
Comments = list[str] | str | None

#: A way into a JSON text, from its end back to the root: the way to the container, and the key or index in it.
Way = tuple[Any, str | int] | None


# JSON has no cycles, so nothing here need be known to the garbage collector (`gc=False`). Nothing is written from these
# types but what `_repeats` counts.
class Square(Struct, forbid_unknown_fields=True, gc=False, omit_defaults=True):
    """A square; both coordinates count from 1."""

    x: Coordinate
    y: Coordinate


class Move(Struct, forbid_unknown_fields=True, gc=False, omit_defaults=True, rename={"origin": "from"}):
    """A move; ``piece`` is the man as it is before. Without ``origin`` it is a drop."""

    piece: Kind
    to: Square | None = None  # may be missing where ``same`` is set
    origin: Square | None = None
    color: Colour | None = None
    same: bool | None = None
    promote: bool | None = None
    capture: Kind | None = None
    relative: str | None = None


class Clock(Struct, forbid_unknown_fields=True, gc=False, omit_defaults=True):
    """A span of time."""

    h: Number | None = None
    m: Number | None = None
    s: Number | None = None


class Time(Struct, forbid_unknown_fields=True, gc=False, omit_defaults=True):
    """What a move took, and what its side has used until then."""

    now: Clock | None = None
    total: Clock | None = None


class Node(Struct, forbid_unknown_fields=True, gc=False, omit_defaults=True):
    """A move or an end, or neither; ``forks`` are other lines of play in place of this node and those behind it."""

    comments: Comments = None
    comment: Comments = None
    move: Move | None = None
    time: Time | None = None
    special: str | None = None
    forks: list[list[Node]] | None = None


class Cell(Struct, forbid_unknown_fields=True, gc=False, omit_defaults=True):
    """A square of the board, empty without ``kind``."""

    color: Colour | None = None
    kind: Kind | None = None


class State(Struct, forbid_unknown_fields=True, gc=False, omit_defaults=True):
    """A start position: ``board[x - 1][y - 1]``, and the hands of Black and White."""

    color: Colour
    board: Annotated[list[Annotated[list[Cell], Meta(min_length=9, max_length=9)]], Meta(min_length=9, max_length=9)]
    hands: Annotated[list[dict[HandKind, Annotated[int, Meta(ge=0, le=18)]]], Meta(min_length=2, max_length=2)]


class Initial(Struct, forbid_unknown_fields=True, gc=False, omit_defaults=True):
    """What the game starts from."""

    preset: str
    data: State | None = None


class Jkf(Struct, forbid_unknown_fields=True, gc=False, omit_defaults=True):
    """A record."""

    moves: list[Node]
    header: dict[str, str] = {}
    initial: Initial | None = None


class Fault(NamedTuple):
    """A part of a text that is not as it must be, and what became of it.

    ``lost``: it is left out. ``unknown``: a key that means nothing, left out as well. ``text``: kept as a text.
    """

    way: Way
    message: str
    fate: Literal["lost", "unknown", "text"] = "lost"


class Loaded(NamedTuple):
    """A record as far as it fits its types, and where it does not.

    ``broken`` are nodes whose move does not, by `id`; ``start`` is what is wrong with the start position; ``repeats``
    whether some object may have a key twice.
    """

    jkf: Jkf
    faults: list[Fault]
    broken: dict[int, Fault]
    start: Fault | None = None
    repeats: bool = False


class NotJkf(ValueError):
    """A JSON value that is no record, and the length of its text in bytes."""

    def __init__(self, length: int) -> None:
        super().__init__("it is JSON, but it has no moves")
        self.length = length


class Malformed(ValueError):
    """A text that is no JSON: what is wrong, and at which byte (-1: where that is not known)."""

    def __init__(self, why: str, byte: int = -1) -> None:
        super().__init__(why)
        self.byte = byte


class TooDeep(ValueError):
    """A JSON text nested deeper than can be read."""


_T = TypeVar("_T")
_typed = msgspec.json.Decoder(Jkf)
_any = msgspec.json.Decoder()
_MALFORMED = re.compile(r"JSON is malformed: (.*) \(byte ([0-9]+)\)")
_TRAILING = "trailing characters"
_AT = re.compile(r"(.*) - at `(?:key in )?\$(.*)`")
_STEP = re.compile(r"\.([^.\[]+)|\[([0-9]+)\]")
#: The types of the parts of a node, and of a record.
_NODE = {"comments": Comments, "comment": Comments, "move": Move | None, "time": Time | None, "special": str | None}
_INITIAL = Initial | None


def load(data: memoryview) -> tuple[Loaded, int]:
    """The record at the head of some bytes, and how many they are, blanks behind it included.

    Raises `Malformed`, `TooDeep`, `NotJkf`.
    """
    try:
        found, length = _decode(_typed, data)
    except msgspec.ValidationError:
        return _lenient(data)
    return Loaded(found, [], {}, None, _repeats(data[:length], found, not found.header)), length


def _repeats(data: memoryview, found: Any, headless: bool = False) -> bool:
    """Whether a text may have a key twice in one object, of which a decoder keeps the last without a word.

    What was decoded has as many quotes when it is written again, unless a key was dropped; or a value that is left
    out where it is the usual one, which is rare but for an empty header (``headless``).
    """
    text = bytes(data)
    written = msgspec.json.encode(found).count(b'"') + (2 * text.count(b'"header"') if headless else 0)
    return text.count(b'"') != written or (b"\\" in text and b"\\u0022" in text)


def _decode(decoder: msgspec.json.Decoder[_T], data: memoryview) -> tuple[_T, int]:
    """The first JSON value of some bytes, and its length."""
    try:
        return decoder.decode(data), len(data)
    except msgspec.ValidationError:
        raise
    except RecursionError:
        raise TooDeep from None
    except msgspec.DecodeError as error:
        told = _MALFORMED.match(str(error))
        if told and told[1] == _TRAILING:
            length = int(told[2]) - 1  # msgspec has read it already
            return decoder.decode(data[:length]), length
        if told:
            raise Malformed(told[1], int(told[2])) from None
        why = "it ends in the middle" if "truncated" in str(error) else str(error)
        raise Malformed(why, len(data) if "truncated" in str(error) else -1) from None


def _lenient(data: memoryview) -> tuple[Loaded, int]:
    """Keep what fits and say what does not."""
    try:
        raw, length = _decode(_any, data)
    except msgspec.ValidationError as error:  # numbers out of range have no place in Python either
        raise Malformed(str(error)) from None
    if not isinstance(raw, dict) or not ("moves" in raw or "header" in raw and "initial" in raw):
        raise NotJkf(length)
    faults: list[Fault] = []
    broken: dict[int, Fault] = {}
    jkf = Jkf([])
    jkf.header = _header(raw.get("header"), faults)
    start = None
    if "initial" in raw:
        before = len(faults)
        jkf.initial = _part(raw["initial"], _INITIAL, (None, "initial"), faults)
        if jkf.initial is None and len(faults) > before:
            start = faults.pop()
    faults += [Fault((None, key), "", "unknown") for key in raw if key not in ("header", "initial", "moves")]
    if "moves" not in raw:
        faults.append(Fault(None, "Object missing required field `moves`"))
    lines: list[tuple[Any, Way, list[Node]]] = [(raw.get("moves", []), (None, "moves"), jkf.moves)]
    while lines:
        nodes, way, into = lines.pop()
        if not isinstance(nodes, list):
            faults.append(Fault(way, f"Expected `array`, got `{_type(nodes)}`"))
            continue
        for index, one in enumerate(nodes):
            node, here = Node(), (way, index)
            into.append(node)
            if not isinstance(one, dict):
                broken[id(node)] = Fault(here, f"Expected `object`, got `{_type(one)}`")
                continue
            for key, value in one.items():
                if key in _NODE:
                    before = len(faults)
                    setattr(node, key, _part(value, _NODE[key], (here, key), faults))
                    if key == "move" and node.move is None and len(faults) > before:
                        broken[id(node)] = faults.pop()
                elif key == "forks" and isinstance(value, list):
                    node.forks = [[] for _ in value]
                    lines += [(fork, ((here, key), number), node.forks[number])
                              for number, fork in reversed(list(enumerate(value)))]
                elif key == "forks" and value is not None:
                    faults.append(Fault((here, key), f"Expected `array`, got `{_type(value)}`"))
                elif key != "forks":
                    faults.append(Fault((here, key), "", "unknown"))
    return Loaded(jkf, faults, broken, start, _repeats(data[:length], raw)), length


def _header(raw: Any, faults: list[Fault]) -> dict[str, str]:
    """Header values that are texts, and numbers as texts."""
    found = {}
    if raw is not None and not isinstance(raw, dict):
        faults.append(Fault((None, "header"), f"Expected `object`, got `{_type(raw)}`"))
        return {}
    for key, value in (raw or {}).items():
        scalar = isinstance(value, str | int | float)
        if not isinstance(value, str):
            faults.append(Fault(((None, "header"), key), f"Expected `str`, got `{_type(value)}`",
                                "text" if scalar else "lost"))
        if scalar:
            found[key] = str(value)
    return found


def _part(value: Any, kind: Any, way: Way, faults: list[Fault]) -> Any:
    """A part converted to its type; without its unknown keys where those are all that is wrong; else None."""
    dropped: list[Fault] = []
    while True:
        try:
            converted = msgspec.convert(value, kind)
            faults += dropped
            return converted
        except msgspec.ValidationError as error:
            message, steps = _told(str(error))
            unknown = re.fullmatch(r"Object contains unknown field `(.*)`", message)
            place = way
            for step in steps:
                place = place, step
            if unknown is None or len(dropped) >= _MOST_UNKNOWN:
                faults.append(Fault(place, message))
                return None
            dropped.append(Fault((place, unknown[1]), "", "unknown"))
            value = _without(value, steps, unknown[1])


_MOST_UNKNOWN = 16  # keys of one part of a node


def _told(text: str) -> tuple[str, list[str | int]]:
    """A message of msgspec as its words and the steps to the place it speaks of."""
    match = _AT.fullmatch(text)
    if match is None:
        return text, []
    return match[1], [name or int(number) for name, number in _STEP.findall(match[2])]


def _without(value: Any, steps: list[str | int], key: str) -> Any:
    """A copy of a part without a key of the object that ``steps`` lead to."""
    if not steps:
        return {name: one for name, one in value.items() if name != key}
    copy: Any = list(value) if isinstance(value, list) else dict(value)
    inner = copy
    for step in steps[:-1]:
        inner[step] = list(inner[step]) if isinstance(inner[step], list) else dict(inner[step])
        inner = inner[step]
    inner[steps[-1]] = {name: one for name, one in inner[steps[-1]].items() if name != key}
    return copy


def _type(value: Any) -> str:
    names = {dict: "object", list: "array", type(None): "null"}
    return names.get(type(value), type(value).__name__)
