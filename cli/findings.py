"""A finding as text: where, what, the line it stands in with a caret below, and the hint."""
from __future__ import annotations

from typing import TYPE_CHECKING
from unicodedata import combining, east_asian_width

from kifu.draw import width

if TYPE_CHECKING:
    from kifu.diagnostics import Diagnostic
    from kifu.text import LineIndex

BEFORE, AFTER = 48, 72  # characters of a long line that are shown on either side of the place
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
    """The part of a line around a place; and what stands left of the caret in it, with the caret itself."""
    column = min(column, len(line))
    start = column - BEFORE if column > BEFORE * 2 else 0
    stop = column + AFTER if len(line) > column + AFTER * 2 else len(line)
    left = ("…" if start else "") + visible(line[start:column])
    part = visible(line[column:min(column + length, stop)])
    rest = visible(line[min(column + length, stop):stop]) + ("…" if stop < len(line) else "")
    return left + part + rest, (left, "^" * max(width(part), 1))


def visible(text: str) -> str:
    """Text in which nothing moves the cursor: control characters become ``·``, tabs a blank."""
    return "".join(char if char.isprintable() or char == "　" else " " if char == "\t" else "·" for char in text)


def _pad(left: str) -> str:
    """Blanks as wide as ``left``: a full-width blank for a full-width character, so that any font lines up."""
    return "".join("" if combining(char) else "　" if east_asian_width(char) in "WF" else " " for char in left)


def _paint(text: str, code: str) -> str:
    return f"\x1b[{code}m{text}\x1b[0m"


def _plain(text: str, _code: str) -> str:
    return text
