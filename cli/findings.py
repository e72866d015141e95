"""A finding as text: where, what, the line it stands in with a caret below, and the hint."""
from __future__ import annotations

from typing import TYPE_CHECKING

from kifu.draw import width

if TYPE_CHECKING:
    from kifu.diagnostics import Diagnostic
    from kifu.text import LineIndex

#: Columns of a line that are shown, and those of them before the place where it is longer.
WHOLE, BEFORE = 108, 40
#: What joins the character before it, in ways on which terminals do not agree; dropped from what is shown.
_JOINING = dict.fromkeys((0xFE0E, 0xFE0F, *range(0x1F3FB, 0x1F400)), "")
RED, YELLOW, DIM, BOLD = "31;1", "33;1", "2", "1"


def finding_text(path: str, found: Diagnostic, lines: LineIndex, color: bool = False) -> str:
    """The block of one finding; without the quoted line where it has no place.

    >>> from kifu.diagnostics import Diagnostic
    >>> from kifu.text import LineIndex
    >>> lines = LineIndex("手合割：平手\\n   1 ５五歩(57)\\n")
    >>> print(finding_text("a.kif", Diagnostic("K416", "bad-move", "error", "a pawn", "", 12, 19, 2, 6), lines))
    a.kif:2:6: K416 bad-move: a pawn
       2 |    1 ５五歩(57)
         |      ^^^^^^^^^^
    """
    paint = _paint if color else _plain
    shade = RED if found.severity == "error" else YELLOW
    where = f"{path}:{max(found.line, 1)}:{max(found.column, 1)}"
    block = [f"{paint(where, BOLD)}: {paint(f'{found.code} {found.name}', shade)}: {found.message}"]
    if found.line and found.offset >= 0:
        line = lines.line(found.line)
        if line.strip():
            margin = f"{found.line:4} | "
            quoted, caret = excerpt(line, found.column - 1, max(found.end - found.offset, 1))
            block.append(f"{paint(margin, DIM)}{quoted}")
            block.append(f"{paint(' ' * (len(margin) - 2) + '| ', DIM)}{_pad(caret[0])}{paint(caret[1], shade)}")
    if found.hint:
        block.append(f"{paint('     = hint:', DIM)} {found.hint}")
    return "\n".join(block)


def excerpt(line: str, column: int, length: int) -> tuple[str, tuple[str, str]]:
    """The part of a line around a place; and what stands left of the caret in it, with the caret itself.

    >>> excerpt("   1 ７六歩(77)", 5, 3)
    ('   1 ７六歩(77)', ('   1 ', '^^^^^^'))
    """
    column = min(column, len(line))
    start, stop = 0, len(line)
    if stop > WHOLE or width(line) > WHOLE:
        start = column - _fitting(line[max(column - 2 * BEFORE, 0):column][::-1], BEFORE)
        while start < column and not width(line[start]):  # a mark of a character that is cut off
            start += 1
        room = WHOLE - width(line[start:column])
        stop = column + _fitting(line[column:column + 2 * room], room)
    left = ("…" if start else "") + visible(line[start:column])
    part = visible(line[column:min(column + length, stop)])
    rest = visible(line[min(column + length, stop):stop]) + ("…" if stop < len(line) else "")
    return left + part + rest, (left, "^" * max(width(part), 1))


def _fitting(text: str, columns: int) -> int:
    """How many characters from the beginning of a text fit into so many columns."""
    for count, char in enumerate(text):
        columns -= width(char)
        if columns < 0:
            return count
    return len(text)


def visible(text: str) -> str:
    """Text in which nothing moves the cursor: control characters become ``·``, tabs a blank."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(char if char.isprintable() or char == "　" else " " if char == "\t" else "·"
                   for char in text.translate(_JOINING))


def _pad(left: str) -> str:
    """Blanks as wide as ``left``: a full-width blank for a full-width character, so that any font lines up."""
    return "".join(("", " ", "　")[width(char)] for char in left)


def _paint(text: str, code: str) -> str:
    return f"\x1b[{code}m{text}\x1b[0m"


def _plain(text: str, _code: str) -> str:
    return text
