"""Tokens whose effect on the parser's stack is known beforehand.

Most tokens of a record repeat what happened a line before: a token is shifted, a few reductions that no tape shows
follow, and the stack is as it was. What comes of it depends only on the topmost states; where it is the same below
every state that may lie under them, it is worked out here once. The machine then makes one *jump*: it drops some
entries from the stack and pushes one state, or goes on from the state that comes to light.

A jump is one number: ``state << 6 | dropped << 3 | marks``. The state is pushed; but with the mark ``BACK`` the entry
that comes to light stays on top, and the state is that behind the token, whose row says what the scanner looks for
next. A jump with the mark ``CHECKED`` may be made only where there are so many entries to drop and the state that comes
to light would shift the token to the same state.
"""
from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Sequence

from kifu.grammar.tables import HEAD

BACK, CHECKED = 1, 2
DEEPEST = 8  #: states that are looked at, from the top of the stack down
PATHS = 64  #: ways in which these states may lie upon each other


class _Deeper(Exception):
    """What happens depends on states further down."""


class Jumps:
    """Finds the jumps of a parse table; rows are those of ``Tables.parser``."""

    def __init__(self, parser: array[int], row: int, width: int, productions: Sequence[int],
                 shown: Sequence[int]) -> None:
        self.parser, self.width, self.productions, self.shown = parser, width, productions, shown
        #: State -> the states that may lie right under it.
        self.under: dict[int, set[int]] = defaultdict(set)
        for state in range(0, len(parser), row):
            for place in range(HEAD, HEAD + width):
                if parser[state + place] > 0:
                    self.under[parser[state + place] - 1].add(state)
            for place in range(HEAD + width, row):
                if parser[state + place] > 0:
                    self.under[parser[state + place]].add(state)

    def find(self, state: int, term: int) -> int:
        """The jump by which a token is taken in a state, 0 where there is none."""
        found: list[tuple[list[int], int]] = []
        paths = [[state]]
        while paths:
            path = paths.pop()
            try:
                found.append((path, self.follow(path, term)))
            except _Deeper:
                paths += [[under, *path] for under in self.under[path[0]]]
                if len(path) == DEEPEST or len(paths) + len(found) > PATHS:
                    return 0
        jumps = {jump for _, jump in found}
        if len(jumps) == 1:
            return jumps.pop()
        jumps.discard(0)
        return self.checked(found, term, jumps.pop()) if len(jumps) == 1 else 0

    def checked(self, found: list[tuple[list[int], int]], term: int, jump: int) -> int:
        """The jump with the mark ``CHECKED`` if the state that it uncovers tells whether it may be made, else 0."""
        if jump & BACK:
            return 0
        for path, made in found:
            place = len(path) - 1 - (jump >> 3 & 7)
            if place < 0:
                if made or self.under[path[0]]:
                    return 0
            elif (self.parser[path[place] + HEAD + term] == (jump >> 6) + 1) != (made != 0):
                return 0
        return jump | CHECKED

    def follow(self, path: list[int], term: int) -> int:
        """The jump where the topmost states of the stack are ``path``; 0 where a token does more, or is wrong."""
        stack = list(path)
        untouched = len(stack)  # as many entries from the bottom are those of ``path``
        act = self.parser[stack[-1] + 1] or self.parser[stack[-1] + HEAD + term]
        while act < 0:
            if not self.reduce(stack, -1 - act):
                return 0
            untouched = min(untouched, len(stack) - 1)
            act = self.parser[stack[-1] + 1] or self.parser[stack[-1] + HEAD + term]
        if act == 0:
            return 0
        place, shifted = len(stack), act - 1
        stack.append(shifted)
        while (act := self.parser[stack[-1] + 1]) < 0:
            if not self.reduce(stack, -1 - act):
                return 0
            untouched = min(untouched, len(stack) - 1)
        kept = len(stack) - 1
        if stack[:kept] != path[:kept] or untouched < kept - (kept == place):
            return 0
        if kept == place and self.parser[shifted] == self.parser[stack[-1]]:
            return stack[-1] << 6 | len(path) - kept << 3
        if kept < place and stack == path[:len(stack)]:
            return shifted << 6 | len(path) - len(stack) << 3 | BACK
        return 0

    def reduce(self, stack: list[int], rule: int) -> bool:
        """Make a reduction; False where a tape shows it."""
        size = self.productions[2 * rule]
        if self.shown[self.width - 1 + rule]:
            return False
        if size >= len(stack):
            raise _Deeper
        del stack[len(stack) - size:]
        stack.append(self.parser[stack[-1] + self.productions[2 * rule + 1]])
        return True


def all_jumps(parser: array[int], row: int, width: int, productions: Sequence[int],
              shown: Sequence[int]) -> array[int]:
    """The jumps of a parse table, each where the action of its state and terminal stands in ``parser``."""
    jumps = Jumps(parser, row, width, productions, shown)
    found = array("i", bytes(4 * len(parser)))
    for state in range(0, len(parser), row):
        for term in range(width - 1):  # the end of the text is no token
            if parser[state + 1] or parser[state + HEAD + term]:
                found[state + HEAD + term] = jumps.find(state, term)
    return found
