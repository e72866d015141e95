"""Places of findings as other programs want them: paths as URIs, and where a finding ends."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING

from kifu._tuples import NamedTuple

if TYPE_CHECKING:
    from kifu.diagnostics import Diagnostic
    from kifu.pipeline import Entry


class Region(NamedTuple):
    """A part of one line: columns count characters from 1, ``end`` is the column behind the last one."""

    line: int
    column: int
    end: int
    text: str
    whole_line: str


def region(entry: Entry, found: Diagnostic) -> Region | None:
    """The place of a finding in the text of its file; None where it has none.

    What a member of an archive holds is no text that an editor could show, nor are the entries of a binary notation.
    """
    if not found.line or found.offset < 0 or entry.source.member is not None or not entry.decoded.encoding:
        return None
    line = entry.lines.line(found.line)
    start = min(found.column, len(line) + 1)
    end = min(start + max(found.end - found.offset, 1), max(len(line), start) + 1)
    return Region(found.line, start, end, line[start - 1:end - 1], line)


def within(entry: Entry, found: Diagnostic) -> str:
    """Where a finding is in a file that has no text to point into: ``sub/a.kif:15:6``, ``entry 12``; else empty."""
    member = entry.source.member
    if member is not None:
        from kifu.pipeline.names import shown

        return f"{shown(member)}:{max(found.line, 1)}:{max(found.column, 1)}"
    if not entry.decoded.encoding and entry.game is not None:
        return f"entry {found.line}"
    return ""


def from_here(path: str) -> str:
    """A path below the current folder as relative to it, with slashes; one that is elsewhere as absolute.

    >>> from_here("games//a.kif"), from_here(os.path.abspath("games/../b.kif"))
    ('games/a.kif', 'b.kif')
    """
    path = os.path.normpath(path)
    if os.path.isabs(path) or path.startswith(os.pardir):
        here = os.getcwd()
        path = os.path.abspath(path)
        if path.startswith(os.path.join(here, "")):
            path = path[len(os.path.join(here, "")):]
    return path.replace(os.sep, "/")
