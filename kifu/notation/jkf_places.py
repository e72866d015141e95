"""Where the parts of a JSON text stand: what a decoder does not tell, found when a finding needs it.

A record refers to its moves and comments by offsets of a text, but strings of JSON are not spelled as they are meant,
and a move is an object. So the moves and comments of a file are spelled in an appendix behind its text, and each
stretch of the appendix knows the way to the part of the JSON that it came from.
"""
from __future__ import annotations

import re
from bisect import bisect_right

from kifu.notation.jkf_schema import Way
from kifu.record import Source
from kifu.text import LineIndex

#: A string, a bracket, a comma or colon, or a number or word; blanks before it.
_TOKEN = re.compile(r'[ \t\r\n]*("(?:[^"\\]|\\.)*"?|[{}\[\],:]|[^{}\[\],:" \t\r\n]+)', re.DOTALL)
_ESCAPE = re.compile(r'\\(?:u([0-9a-fA-F]{4})|(.))', re.DOTALL)
_ESCAPED = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


class Place:
    """A value of a JSON text: where it starts, and its parts by key or index; of keys given twice the last one."""

    __slots__ = ("offset", "parts")

    def __init__(self, offset: int) -> None:
        self.offset = offset
        self.parts: dict[str | int, Place] = {}


def index(text: str, start: int = 0, end: int | None = None, repeated: list[Way] | None = None) -> Place:
    """All values of a JSON text. A text that is none is indexed as far as it can be.

    ``repeated`` gains the ways to keys that one object has more than once, once for each time too many.

    >>> index('{"moves": [{}, {"move": 1}]}').parts["moves"].parts[1].offset
    15
    """
    root: Place | None = None
    stack: list[tuple[Place, bool, Way]] = []  # open containers, whether each is an object, and the way to it
    key: str | None = None
    for match in _TOKEN.finditer(text, start, len(text) if end is None else end):
        token, offset = match[1], match.start(1)
        if token in ",:":
            continue
        if token in "]}":
            if not stack:
                break
            stack.pop()
            key = None
            continue
        if stack and stack[-1][1] and key is None:
            key = _unescaped(token[1:-1]) if token[0] == '"' else token
            continue
        place, way = Place(offset), None
        if stack:
            holder, is_object, above = stack[-1]
            step = key if is_object and key is not None else len(holder.parts)
            way = above, step
            if step in holder.parts and repeated is not None:
                repeated.append(way)
            holder.parts[step] = place
        elif root is None:
            root = place
        else:
            break
        key = None
        if token in "{[":
            stack.append((place, token == "{", way))
    return root or Place(start)


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)) if match[1] else _ESCAPED.get(match[2], match[2]), text)


def steps(way: Way) -> list[str | int]:
    """The keys and indices from the root of a text to a part of it."""
    found = []
    while way is not None:
        way, step = way
        found.append(step)
    found.reverse()
    return found


def spelled(way: Way) -> str:
    """A way as people write it.

    >>> spelled(((((None, "moves"), 3), "move"), "to"))
    '$.moves[3].move.to'
    """
    return "$" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps(way))


class JkfSource(Source):
    """A JSON text with its appendix; offsets of the appendix have the place of what they stand for.

    ``starts`` are the offsets at which stretches of the appendix begin, ``ways`` where each came from: where the
    record starts in the text, and the way in it.
    """

    __slots__ = ("_indices", "length", "starts", "ways")

    def __init__(self, text: str, appendix: list[str], starts: list[int], ways: list[tuple[int, Way]]) -> None:
        super().__init__(text + "".join(appendix))
        self.length = len(text)
        self.starts, self.ways = starts, ways
        self._indices: dict[int, Place] = {}

    def index(self) -> LineIndex:
        return LineIndex(self.text[:self.length], self.before)

    def place(self, offset: int) -> tuple[int, int]:
        return self.lines.place(self.written_at(offset))

    def written_at(self, offset: int) -> int:
        """The offset in the JSON text of what an offset of the appendix stands for."""
        if offset < self.length or not self.starts:
            return min(offset, self.length)
        start, way = self.ways[max(0, bisect_right(self.starts, offset) - 1)]
        if start not in self._indices:
            self._indices[start] = index(self.text, start, self.length)
        place = self._indices[start]
        for step in steps(way):
            inner = place.parts.get(step)
            if inner is None:
                break
            place = inner
        return place.offset
