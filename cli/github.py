"""Findings as workflow commands of GitHub Actions, which show them at the lines of a pull request.

The commands and their escapes are those of
https://docs.github.com/actions/reference/workflow-commands-for-github-actions and ``command.ts`` of the toolkit.
GitHub shows ten errors and ten warnings of a step; all of them stand in its log.
"""
from __future__ import annotations

from typing import TYPE_CHECKING

from kifu.cli.places import from_here, region, within
from kifu.cli.reports import Lines

if TYPE_CHECKING:
    from kifu.diagnostics import Diagnostic
    from kifu.pipeline import Entry


class GitHub(Lines):
    """One command a finding, ``::error`` or ``::warning``."""

    def game(self, entry: Entry) -> str:
        return "\n".join(command(entry, found) for found in entry.findings)


def command(entry: Entry, found: Diagnostic) -> str:
    """The command of one finding."""
    properties = {}
    if entry.source.path != "-":
        properties["file"] = from_here(entry.source.path)
    place = region(entry, found)
    if place is not None:
        properties |= {"line": str(place.line), "col": str(place.column), "endColumn": str(place.end)}
    properties["title"] = f"{found.code} {found.name}"
    told = ",".join(f"{key}={escaped(value, in_property=True)}" for key, value in properties.items())
    inside = within(entry, found)
    message = f"{inside}: {found.message}" if inside else found.message
    if found.hint:
        message += f"\nhint: {found.hint}"
    return f"::{'error' if found.severity == 'error' else 'warning'} {told}::{escaped(message)}"


def escaped(text: str, in_property: bool = False) -> str:
    """A text in which nothing ends the command, or its property, before it does.

    >>> escaped("50%: a,b\\nc"), escaped("a:b,c", in_property=True)
    ('50%25: a,b%0Ac', 'a%3Ab%2Cc')
    """
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return text.replace(":", "%3A").replace(",", "%2C") if in_property else text
