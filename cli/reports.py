"""The forms in which ``kifu check`` tells its findings: what a worker makes of one game, and what stands around it.

A form is made once, travels to the workers and has no state, so that memory does not grow with what was found: the
document of a form that has one is written piece by piece, its head first.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from typing import Protocol

    from kifu.pipeline import Entry

    class Form(Protocol):
        """How findings are told."""

        #: Whether a game is told of that has no findings.
        every_game: ClassVar[bool]
        #: Whether standard output holds text for people, so that the summary may stand there too.
        for_people: ClassVar[bool]
        #: Whether people want a summary; where standard output is not for them it goes to standard error.
        summarised: ClassVar[bool]

        def game(self, entry: Entry) -> str:
            """What is said of one game; empty where nothing is. The game's number is `NUMBER`."""

        def head(self) -> str:
            """What stands before all."""

        def joined(self, text: str, first: bool) -> str:
            """What is said of a game as it stands behind what was said of others."""

        def tail(self, status: int, troubles: Sequence[str]) -> str:
            """What stands behind all, also where the run was interrupted: its exit status, and in sentences what could
            not be read or went wrong.
            """

FORMS = ("text", "json", "sarif", "github")
#: Stands in what a worker makes for the number of the game in its file, which only the whole file tells (a worker may
#: have read a part of it). No form has this character in any other place.
NUMBER = "\0"


class Lines:
    """A form without head and tail: line after line."""

    every_game: ClassVar[bool] = False
    for_people: ClassVar[bool] = False
    summarised: ClassVar[bool] = True

    def head(self) -> str:
        return ""

    def joined(self, text: str, first: bool) -> str:
        return text

    def tail(self, status: int, troubles: Sequence[str]) -> str:
        return ""


class Text(Lines):
    """A block for each finding, for people."""

    for_people = True

    def __init__(self, color: bool = False) -> None:
        self.color = color

    def game(self, entry: Entry) -> str:
        from kifu.cli.findings import finding_text

        return "\n".join(finding_text(entry.source.label, found, entry.lines, self.color) for found in entry.findings)


class Json(Lines):
    """One line of JSON for each game."""

    every_game = True
    summarised = False

    def __init__(self, moves: bool = False) -> None:
        self.moves = moves

    def game(self, entry: Entry) -> str:
        from kifu.cli.render import json_line

        row = entry.row(self.moves)
        return json_line(row).replace(f'"game": {row["game"]}', f'"game": {NUMBER}', 1)  # no quoted text holds that


def form(name: str, *, color: bool = False, moves: bool = False) -> Form:
    """The form of a name of `FORMS`."""
    if name == "sarif":
        from kifu.cli.sarif import Sarif

        return Sarif()
    if name == "github":
        from kifu.cli.github import GitHub

        return GitHub()
    return Json(moves) if name == "json" else Text(color)
