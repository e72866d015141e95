"""What a grammar must keep away from, and the checks that find it.

The machine gives the tokens that Lark gives only where an automaton can do what Lark's lexer does. A grammar that
breaks one of these rules would be read in two ways; it is refused, with the terminal and the rules to look at.

- A terminal must not look around the match, use classes that depend on Unicode, or match nothing.
- The leftmost alternative, which Python takes, must be the longest, which an automaton takes.
- No string may lie inside a regular expression of equal priority: Lark relabels such a token after the match.
- ``BAD``, what cannot be read, must not stand in the middle of a statement, where it would hide errors.

(Conflicts and overlaps of equal priority are found by Lark itself, in strict mode.)
"""
from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Any

from kifu.grammar.automata import DEAD, Automaton
from kifu.grammar.tables import CHARACTERS

BAD = "BAD"  # the terminal of lines and statements that cannot be read
ASTRAL = "\U00020bb7"  # a character beyond those that have a class of their own
REPRESENTATIVES, TAIL = 8, 3  # how far the check that leftmost = longest goes


class GrammarRefused(ValueError):
    """The machine could not read by this grammar as Lark does; ``terminal`` and ``rules`` say where to look."""

    def __init__(self, message: str, terminal: str | None = None, rules: Iterable[str] = ()) -> None:
        self.terminal = terminal
        self.rules = tuple(rules)
        where = f"terminal {terminal}" if terminal else "grammar"
        if self.rules:
            where += f" (in rule {', '.join(self.rules)})"
        super().__init__(f"{where}: {message}")


def uses_of(rules: Iterable[Any]) -> dict[str, list[str]]:
    """For each terminal the rules in which it stands."""
    uses: dict[str, dict[str, None]] = {}
    for rule in rules:
        for symbol in rule.expansion:
            if symbol.is_term:
                uses.setdefault(str(symbol.name), {})[written(rule)] = None
    return {name: list(origins) for name, origins in uses.items()}


def written(rule: Any) -> str:
    """The rule that the author wrote: Lark makes ``__line_star_0`` out of the ``*`` in ``line``."""
    return re.sub(r"^__|_(star|plus|repeat)_.*$", "", str(rule.origin.name))


def refuse_unicode(name: str, pattern: str, used: Sequence[str]) -> None:
    """Refuse the classes that mean more in Python than they do in an automaton over ASCII."""
    for escape in re.findall(r"\\(.)", pattern, re.DOTALL):
        if escape in "dDsSwW":
            raise GrammarRefused(
                f"\\{escape} depends on Unicode (\\d takes '１', \\s U+3000); write the characters out", name, used)
        if escape in "AbBZ" or escape in "123456789":
            raise GrammarRefused(f"\\{escape} looks at what is around the match or before", name, used)


def looks_around(pattern: Any) -> bool:
    """Whether look-ahead or look-behind stands anywhere in interegular's parse of a pattern."""
    todo = [pattern]
    while todo:
        part = todo.pop()
        if hasattr(part, "backwards"):
            return True
        todo.extend(getattr(part, "options", ()))
        todo.extend(getattr(part, "parts", ()))
        if hasattr(part, "base"):
            todo.append(part.base)
    return bool(pattern.prefix_postfix != (0, 0))


def refuse_relabelling(lexers: Iterable[Any], uses: dict[str, list[str]]) -> None:
    """Refuse a string inside a regular expression of equal priority: Lark would relabel the token after the match."""
    for lexer in lexers:
        _ = lexer.scanner  # Lark finds the pairs when it makes the scanner
        for name, callback in lexer.callback.items():
            inner = sorted(str(terminal.name) for terminal in callback.scanner.terminals)
            raise GrammarRefused(
                f"has the same priority as {', '.join(inner)}, which it also matches, where both are allowed: Lark "
                "relabels such tokens afterwards, the machine does not; give the shorter one another priority",
                str(name), uses.get(str(name), ()))


def probes(machine: Automaton, pattern: str = "") -> Iterator[str]:
    """Strings that try a terminal: each state's shortest string, with every tail of up to `TAIL` representatives.

    Each character of ``pattern`` is tried as a tail, too, in case its syntax was understood in two ways.
    """
    columns: dict[tuple[int, ...], str] = {}
    unmentioned = next(chr(code) for code in range(0x4E00, CHARACTERS) if chr(code) not in machine.symbols)
    by_column: dict[int, str] = {machine.other: unmentioned}
    for symbol, column in machine.symbols.items():
        by_column.setdefault(column, symbol)
    for column, symbol in by_column.items():
        columns.setdefault(tuple(row[column] for row in machine.rows), symbol)
    ranked = sorted(columns.items(), key=lambda item: (item[0].count(DEAD), item[1]))
    letters = [symbol for _, symbol in ranked[:REPRESENTATIVES]]
    if by_column[machine.other] in letters:
        letters.append(ASTRAL)
    reached = {0: ""}
    order = [0]
    for state in order:
        for column, symbol in by_column.items():
            target = machine.rows[state][column]
            if target != DEAD and target not in reached:
                reached[target] = reached[state] + symbol
                order.append(target)
    tails = ["".join(tail) for length in range(TAIL + 1) for tail in product(letters, repeat=length)]
    tails.extend(sorted(set(pattern) - set(letters)))
    for state in order:
        for tail in tails:
            yield reached[state] + tail


def refuse_leftmost(terminal: Any, machine: Automaton, uses: dict[str, list[str]]) -> None:
    """Refuse a terminal whose match in Python, the leftmost alternative, is not the longest, the automaton's."""
    if terminal.pattern.type == "str" and not terminal.pattern.flags:
        return
    match = re.compile(terminal.pattern.to_regexp()).match
    for text in probes(machine, terminal.pattern.value):
        found = match(text)
        leftmost, longest = found and found.end(), machine.longest(text)
        if leftmost != longest:
            raise GrammarRefused(
                f"on {text!r} Python's match, the leftmost alternative, ends at {leftmost}, the longest at {longest}; "
                "write longer alternatives first", str(terminal.name), uses.get(str(terminal.name), ()))


def refuse_bad_inside(rules: Sequence[Any], automata: dict[str, Automaton]) -> None:
    """Refuse `BAD` in the middle of a statement, where it would hide errors.

    What begins with it may stand only first, or behind a list, or behind a separator, a terminal that no unreadable
    statement contains.
    """
    if BAD not in automata:
        return
    statements = {BAD}
    grown = True
    while grown:
        grown = False
        for rule in rules:
            if rule.expansion and rule.expansion[0].name in statements and rule.origin.name not in statements:
                statements.add(rule.origin.name)
                grown = True
    for rule in rules:
        for before, symbol in zip(rule.expansion, rule.expansion[1:], strict=False):
            if symbol.name not in statements:
                continue
            if before.is_term and before.name in automata and _separates(automata[before.name], automata[BAD]):
                continue
            if not before.is_term and before.name.startswith("__"):
                continue
            raise GrammarRefused(
                f"can stand behind {before.name}, in the middle of a statement, and would hide errors there",
                BAD, (written(rule),))


def _separates(terminal: Automaton, bad: Automaton) -> bool:
    """Whether no match of a terminal could be the beginning, or a piece, of an unreadable statement."""
    characters = set(terminal.symbols) | set(bad.symbols) | {ASTRAL}
    if not any(bad.rows[0][bad.column(c)] != DEAD and terminal.rows[0][terminal.column(c)] != DEAD for c in characters):
        return True
    inside = {c for c in characters if any(row[bad.column(c)] != DEAD for row in bad.rows)}
    reached = [0]
    for state in reached:
        for character in inside:
            target = terminal.rows[state][terminal.column(character)]
            if target != DEAD and target not in reached:
                reached.append(target)
    return not terminal.finals & set(reached)


