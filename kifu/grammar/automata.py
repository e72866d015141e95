"""Finite automata: one per terminal in, one scanner for all contexts out.

A scanner must choose as Lark's contextual lexer does: of the terminals allowed in a parser state it takes the first, in
Lark's order, that matches at all, at that terminal's longest match. `merge` carries the order into the states: once a
terminal has matched, all behind it in the order are dropped, so that the last label passed on the way is the answer
and the scan ends where nothing better can come.
"""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

DEAD = -1


class Automaton(NamedTuple):
    """A deterministic automaton of one terminal; state 0 is the first, every state can still lead to a match.

    ``symbols`` gives each character mentioned by the terminal its column, ``other`` is the column of all the rest.
    """

    symbols: dict[str, int]
    other: int
    rows: list[list[int]]
    finals: frozenset[int]

    def column(self, character: str) -> int:
        """The column of a character."""
        return self.symbols.get(character, self.other)

    def longest(self, text: str, start: int = 0) -> int | None:
        """Where the longest match from ``start`` ends, None if there is none."""
        state, end = 0, None
        for at in range(start, len(text)):
            state = self.rows[state][self.column(text[at])]
            if state == DEAD:
                break
            if state in self.finals:
                end = at + 1
        return end


class Scanner(NamedTuple):
    """All contexts in one automaton; state 0 is the dead one.

    ``labels`` holds the terminal that a state accepts (`DEAD` for none), ``classes`` the class of each character that
    any terminal mentions, ``other`` the class of all others, ``starts`` the first state of each context.
    """

    rows: list[list[int]]
    labels: list[int]
    starts: list[int]
    classes: dict[str, int]
    other: int


def automaton(
    symbols: dict[str, int], other: int, columns: int, states: Iterable[int], first: int, finals: Iterable[int],
    moves: dict[int, dict[int, int]],
) -> Automaton:
    """An automaton from its parts, without the states that cannot lead to a match."""
    live = set(finals)
    grown = True
    while grown:
        grown = False
        for state in states:
            if state not in live and any(target in live for target in moves.get(state, {}).values()):
                live.add(state)
                grown = True
    order, numbers = [first], {first: 0}
    rows: list[list[int]] = []
    for state in order:
        row = [DEAD] * columns
        for column, target in sorted(moves.get(state, {}).items()):
            if target not in live:
                continue
            if target not in numbers:
                numbers[target] = len(order)
                order.append(target)
            row[column] = numbers[target]
        rows.append(row)
    return Automaton(symbols, other, rows, frozenset(numbers[state] for state in finals if state in numbers))


def classify(automata: Sequence[Automaton]) -> tuple[dict[str, int], int, list[list[list[int]]]]:
    """Split the characters into classes that no automaton tells apart; each automaton's rows by those classes."""
    other = tuple(machine.other for machine in automata)
    numbers = {other: 0}
    classes = {}
    for character in sorted({character for machine in automata for character in machine.symbols}):
        signature = tuple(machine.column(character) for machine in automata)
        classes[character] = numbers.setdefault(signature, len(numbers))
    rows = [
        [[row[signature[index]] for signature in numbers] for row in machine.rows]
        for index, machine in enumerate(automata)
    ]
    return classes, 0, rows


def merge(automata: Sequence[Automaton], contexts: Sequence[Sequence[int]]) -> Scanner:
    """The scanner for several contexts, each the numbers of its terminals; lower numbers have precedence."""
    classes, other, by_class = classify(automata)
    count = 1 + max(classes.values(), default=0)
    numbers: dict[tuple[tuple[int, int], ...], int] = {(): 0}
    order: list[tuple[tuple[int, int], ...]] = [()]
    rows: list[list[int]] = []
    labels: list[int] = []

    def number(parts: tuple[tuple[int, int], ...]) -> int:
        if parts not in numbers:
            numbers[parts] = len(order)
            order.append(parts)
        return numbers[parts]

    starts = [number(tuple((terminal, 0) for terminal in sorted(context))) for context in contexts]
    for parts in order:
        label = min((t for t, state in parts if state in automata[t].finals), default=DEAD)
        labels.append(label)
        terminals = [terminal for terminal, _ in parts]
        targets: dict[tuple[int, ...], int] = {}
        row = []
        for states in zip(*(by_class[t][state] for t, state in parts), strict=True) if parts else ((),) * count:
            if states not in targets:
                there = [(t, s) for t, s in zip(terminals, states, strict=True) if s != DEAD]
                best = min((t for t, state in there if state in automata[t].finals), default=None)
                targets[states] = number(tuple(p for p in there if best is None or p[0] <= best))
            row.append(targets[states])
        rows.append(row)
    return minimise(Scanner(rows, labels, starts, classes, other))


def minimise(scanner: Scanner) -> Scanner:
    """The smallest scanner that answers alike: equal states are one, and so are equal classes of characters."""
    block = _blocks(scanner.rows, scanner.labels)
    first: dict[int, int] = {}
    for state, name in enumerate(block):
        first.setdefault(name, state)
    # State 0 stays 0; the states in which a terminal ends come last, so that a comparison tells them.
    keep = sorted(first.values(), key=lambda state: scanner.labels[state] != DEAD)
    new = {block[state]: number for number, state in enumerate(keep)}
    rows = [[new[block[target]] for target in scanner.rows[state]] for state in keep]
    columns = list(zip(*rows, strict=True))
    numbers: dict[tuple[int, ...], int] = {}
    merged = [numbers.setdefault(column, len(numbers)) for column in columns]
    return Scanner(
        rows=[list(row) for row in zip(*numbers, strict=True)],
        labels=[scanner.labels[state] for state in keep],
        starts=[new[block[state]] for state in scanner.starts],
        classes={character: merged[old] for character, old in scanner.classes.items()},
        other=merged[scanner.other],
    )


def _blocks(rows: Sequence[Sequence[int]], labels: Sequence[int]) -> list[int]:
    """For each state the number of its class of equivalent states, by Moore's refinement."""
    block = list(labels)
    count = 0
    while True:
        signatures: dict[tuple[int, ...], int] = {}
        refined = [
            signatures.setdefault((block[state], *[block[target] for target in row]), len(signatures))
            for state, row in enumerate(rows)
        ]
        if len(signatures) == count:
            return refined
        block, count = refined, len(signatures)
