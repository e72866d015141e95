"""What a parse gives back: the tape of tokens and reductions, and the faults found on the way.

The tape is one flat array of integer triples, so that whole collections can be read without an object per token. Code
that reads a notation walks it once from left to right: the tokens of a production come first, in order, then the
production's own reduction.
"""
from __future__ import annotations

from array import array
from collections.abc import Iterator

from kifu._tuples import NamedTuple


class Fault(NamedTuple):
    """A syntax error: no token that the grammar expects stands at ``offset``.

    ``start`` and ``end`` delimit what could not be read and stands on the tape as one ``BAD`` token (empty where only
    a closing bracket was missing). ``expected`` names the terminals that could have followed, ``$END`` for the end of
    the text; `kifu.grammar.explain.expected` puts them into words.
    """

    offset: int
    start: int
    end: int
    expected: tuple[str, ...]


class Tape:
    """Tokens and reductions of one text.

    ``events`` holds ``count`` triples (code, start, end). A code of 0 or more is a terminal's number, with its span in
    characters of ``text`` (``characters`` are its code points); a negative code is the reduction of production
    ``-1 - code``, with the span from its first token to its last (both the place where it stands, if it has none).
    Blanks that the grammar ignores are not here.
    """

    __slots__ = ("characters", "count", "events", "faults", "rules", "terminals", "text")

    def __init__(
        self, text: str, characters: memoryview, events: array[int], faults: list[Fault],
        terminals: tuple[str, ...], rules: tuple[str, ...],
    ) -> None:
        self.text = text
        self.characters = characters
        self.events = events
        self.count = len(events) // 3
        self.faults = faults
        self.terminals = terminals
        self.rules = rules

    def tokens(self) -> Iterator[tuple[str, int, int]]:
        """Each token as (name of its terminal, start, end): for tests and for people, not for bulk work."""
        events, names = self.events, self.terminals
        for at in range(0, len(events), 3):
            if events[at] >= 0:
                yield names[events[at]], events[at + 1], events[at + 2]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """Each event as (name, text), tokens by their terminal, reductions by their rule in lower case."""
        events, text = self.events, self.text
        for at in range(0, len(events), 3):
            code = events[at]
            name = self.terminals[code] if code >= 0 else self.rules[-1 - code]
            yield name, text[events[at + 1]:events[at + 2]]

    def __repr__(self) -> str:
        return f"<Tape of {self.count} events, {len(self.faults)} faults>"
