# cython: language_level=3, boundscheck=True
"""Where games begin in western text that no tag announces.

Three things announce a game where no tag does: a number 1 behind a result or a word for the end, whatever comments and
words stand between; a number 1 behind a blank line or a # line; and a # line before moves without numbers, as in GNU
Shogi's opening book. This needs the text as a whole, so it is found before the items of a text are walked over.
"""
from __future__ import annotations

import re
from array import array
from functools import cache

try:
    import cython
except ImportError:
    from kifu import _cython as cython

from kifu import grammar
from kifu._tuples import NamedTuple
from kifu.notation.numbering import misnumbered
from kifu.record import INFO, NOTE

ITEM = cython.declare(cython.Py_ssize_t, 5)  # numbers an item of an assembly
COUNT = cython.declare(cython.Py_ssize_t, 3)  # numbers a number between moves
#: A blank line or a # line before a number 1.
_APART = re.compile(r"\n[ \t]*\r?(?:\n|#[^\n]*\n)[ \t]*\Z")
_REPLY = re.compile(r"1\.[ \t\r\n]*(?:\.\.|…)")
_WHITE_ONE = re.compile(r"1[^0-9]")
_LINE_END = re.compile(r"[\r\n]")
#: A star that is no result: one of several, or one before words, as in a list.
_BULLET = re.compile(r"\*[ \t]*(?:\*|[A-Za-zÀ-ɏ][a-wyzÀ-ɏ]|[a-oq-wyzÀ-ɏ]|[AI][ \t])|(?<=\*)\*")


class _Codes(NamedTuple):
    """The codes of items in western text that matter here; a production has one for each of its alternatives."""

    number: int
    number_white: int
    hash: int
    tag: int
    opening: int
    closings: frozenset[int]
    variation: int
    ends: frozenset[int]
    ending: bytes  # by -1 - code, whether a production is one of the ends


@cache
def _codes(name: str) -> _Codes:
    machine = grammar.load(name)
    terminal = machine.terminals.index
    return _Codes(terminal("NUMBER"), terminal("NUMBER_WHITE"), terminal("HASH"), terminal("TAG_KEY"),
                  terminal("LPAREN"), frozenset({terminal("RPAREN"), terminal("UNCLOSED")}), terminal("VARIATION"),
                  frozenset(-1 - at for at, name in enumerate(machine.rules) if name in ("result", "end")),
                  bytes(name in ("result", "end") for name in machine.rules))


def is_bullet(text: str, offset: int) -> bool:
    """Whether the star at ``offset`` belongs to prose and is no result.

    >>> is_bullet("* a remark", 0), is_bullet("1. P-7f *", 8)
    (True, False)
    """
    return _BULLET.match(text, offset) is not None


def announced(text: str, items: array[int], counts: array[int], notes: array[int], info: array[int],
              grammar_name: str) -> array[int]:
    """The items of a text, with one more of the code of NUMBER wherever a game begins that no tag announces.

    The arrays are those of an `kifu.notation.assemble.Assembly`, the codes those of a grammar of western text. Time is
    linear in their length, and most texts of one game are known as such by their numbers alone.
    """
    codes = _codes(grammar_name)
    hashes = "#" in text and "\n#" in text  # the first is a tenth of the second, and mostly enough
    ones: cython.Py_ssize_t = _ones(counts)
    behind = _behind(text, items, counts, codes) if _may_go_on(items, counts, ones, codes) else []
    if not hashes and not behind:
        end = len(text)
        if ones < 2 or misnumbered(counts, 0, end, end, 0, 0)[1] < 0:
            return items
    found = _beginnings(text, counts, notes, info, behind, codes)
    arranged, done = array("q"), 0
    for at in range(0, len(items), ITEM):
        while done < len(found) and found[done] <= (items[at + 1], items[at + 2]):
            arranged.extend((codes.number, *found[done], found[done][1], 0))
            done += 1
        arranged.extend(items[at:at + ITEM])
    for move, offset in found[done:]:
        arranged.extend((codes.number, move, offset, offset, 0))
    return arranged


def _ones(counts: array[int]) -> cython.Py_ssize_t:
    """How many numbers are a 1."""
    numbers: cython.longlong[::1]
    i: cython.Py_ssize_t
    ones: cython.Py_ssize_t = 0
    if counts:
        numbers = counts
        for i in range(len(counts) // COUNT):
            if numbers[COUNT * i] == 1:
                ones += 1
    return ones


def _may_go_on(items: array[int], counts: array[int], ones: cython.Py_ssize_t, codes: _Codes) -> cython.bint:
    """Whether a number 1, of ``ones`` in all, may stand behind a result: in most texts of one game none does."""
    seen: cython.longlong[::1]
    numbers: cython.longlong[::1]
    i: cython.Py_ssize_t
    result: cython.longlong = -1  # where the first one stands
    white: cython.longlong = codes.number_white
    whites: cython.bint = False
    ending: bytes = codes.ending
    if not items:
        return False
    seen = items
    for i in range(len(items) // ITEM):
        if seen[ITEM * i] == white:
            whites = True
        elif result < 0 and seen[ITEM * i] < 0 and ending[-1 - seen[ITEM * i]]:
            result = seen[ITEM * i + 2]
    if result < 0 or whites:
        return result >= 0
    if not ones:
        return False
    numbers = counts
    i = len(counts) // COUNT - 1
    while numbers[COUNT * i] != 1:
        i -= 1
    return numbers[COUNT * i + 2] > result


def _behind(text: str, items: array[int], counts: array[int], codes: _Codes) -> list[tuple[int, int]]:
    """Where games begin by a number 1 behind a result, as (moves before, offset).

    What stands between belongs to the game that begins, but for the rest of the line that has the result.
    """
    ones = [(counts[at + 2], counts[at + 1]) for at in range(0, len(counts), COUNT) if counts[at] == 1]
    ones += [(items[at + 2], items[at + 1]) for at in range(0, len(items), ITEM)
             if items[at] == codes.number_white and _WHITE_ONE.match(text, items[at + 2])]
    ones.sort()
    found: list[tuple[int, int]] = []
    done = depth = 0
    since = None  # moves before the latest result that no move followed, and where it ends
    for at in range(0, len(items) + ITEM, ITEM):
        code, move, start, end = items[at:at + 4] if at < len(items) else (codes.number, 0, len(text), 0)
        while done < len(ones) and ones[done][0] <= start:
            offset, before = ones[done]
            if since is not None and not depth and since[0] == before:
                found.append((before, _line_end(text, since[1], offset)))
                since = None
            done += 1
        if code == codes.opening:
            depth += 1
        elif code in codes.closings:
            depth = max(0, depth - 1)
            if since is not None and not depth:  # a variation behind the result
                since = move, end
        elif code == codes.tag:
            depth, since = 0, None
        elif code == codes.variation:
            since = None
        elif code in codes.ends and not depth and not is_bullet(text, start):
            since = move, end
    return found


def _line_end(text: str, start: int, stop: int) -> int:
    """Where the line ends, its blanks apart, that ``start`` stands in; ``start`` where that is not before ``stop``."""
    match = _LINE_END.search(text, start, stop)
    return start + len(text[start:match.start()].rstrip(" \t")) if match is not None else start


def _beginnings(text: str, counts: array[int], notes: array[int], info: array[int],
                behind: list[tuple[int, int]], codes: _Codes) -> list[tuple[int, int]]:
    """Where games may begin, as (moves before, offset); a # comment before the first move belongs to its game."""
    known = {move for move, _ in behind}
    hashes: dict[int, int] = {}  # moves before it -> the first # line there
    for at in range(0, len(notes), NOTE):
        if notes[at] == codes.hash and notes[at + 1] not in known:
            hashes.setdefault(notes[at + 1], notes[at + 2])
    ones: dict[int, int] = {}
    replies = set()  # moves before `1. ...`: White's first move, unless one move stands before it
    numbered = set(counts[1::COUNT])
    for at in range(0, len(counts), COUNT):
        move, offset = counts[at + 1], counts[at + 2]
        if counts[at] == 1 and move and move not in known and _APART.search(text, info[INFO * move - 3], offset):
            ones[move] = hashes.get(move, offset)
            if _REPLY.match(text, offset):
                replies.add(move)
    found, last = [], 0
    for move, offset in sorted([*(hashes | ones).items(), *behind]):
        reply = move in replies and move == last + 1
        if move in known or move > last and (not reply if move in ones else not numbered & {move, move + 1}):
            found.append((move, offset))
            last = move
    return found
