"""From a Lark grammar to the tables of the machine.

Lark analyses the grammar and makes the LALR(1) parse table; interegular turns each terminal's regular expression into
an automaton; `kifu.grammar.automata` merges them, one scanner state for each set of terminals that Lark's contextual
lexer accepts. The machine gives the tokens that Lark gives, as long as the grammar keeps away from what an automaton
cannot do or reads otherwise; this module refuses the rest (`GrammarRefused`), so that a grammar that compiles is safe.

    python -m kifu.grammar.compile [NAME …]     check grammars, write their tables into the package, print their sizes
"""
from __future__ import annotations

import re
import sys
from array import array
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import interegular
from interegular.fsm import anything_else
from interegular.patterns import InvalidSyntax, Unsupported
from lark import Lark
from lark.exceptions import GrammarError, LexError, UnexpectedInput
from lark.grammar import Rule
from lark.lexer import TerminalDef
from lark.parsers.lalr_analysis import Shift

from kifu.grammar import tables as store
from kifu.grammar.automata import Automaton, Scanner, automaton, merge
from kifu.grammar.jumps import all_jumps
from kifu.grammar.refusals import (
    BAD,
    GrammarRefused,
    looks_around,
    refuse_bad_inside,
    refuse_leftmost,
    refuse_relabelling,
    refuse_unicode,
    uses_of,
)
from kifu.grammar.tables import CHARACTERS, Tables

END = "$END"
UNCLOSED = "UNCLOSED"  # the terminal that stands for a closing bracket that is missing


def make_lark(grammar: str, folder: Path | str | None = None) -> Lark:
    """Lark's own parser, with the options under which the machine agrees with it.

    What the grammar imports stands in ``folder``, by default that of the installed grammars.
    """
    from kifu.grammar import grammar_folder
    return Lark(grammar, parser="lalr", lexer="contextual", strict=True, keep_all_tokens=True, maybe_placeholders=False,
                import_paths=[str(folder or grammar_folder())])


def compile_grammar(grammar: str, thorough: bool = True, folder: Path | str | None = None) -> Tables:
    """The tables of a grammar; `GrammarRefused` if the machine could not be true to it.

    ``thorough=False`` leaves out the one check that takes a second, whether each terminal's leftmost match is its
    longest. ``folder`` is where imported grammars stand, by default that of the installed ones.
    """
    try:
        lark = make_lark(grammar, folder)
    except (GrammarError, LexError, UnexpectedInput) as error:
        raise _refused_by_lark(error) from error
    lexer = lark.parser.lexer
    terminals: list[TerminalDef] = list(lexer.root_lexer.terminals)  # in the order in which Lark tries them
    names = [str(terminal.name) for terminal in terminals]
    rules = list(lark.rules)
    uses = uses_of(rules)
    automata = [_automaton(terminal, uses) for terminal in terminals]
    refuse_relabelling(lexer.lexers.values(), uses)
    if thorough:
        for terminal, machine in zip(terminals, automata, strict=True):
            refuse_leftmost(terminal, machine, uses)
    refuse_bad_inside(rules, dict(zip(names, automata, strict=True)))
    declared = {symbol.name for rule in rules for symbol in rule.expansion if symbol.is_term} - set(names)
    names += sorted(declared)
    rank = {name: number for number, name in enumerate(names)}

    table = lark.parser.parser._parse_table
    if BAD in rank and table.states[table.start_states["start"]].get(BAD, (None,))[0] is not Shift:
        raise GrammarRefused("must be able to begin the text, or nothing could be recovered there", BAD, ("start",))
    order = _number_states(table, rank)
    contexts: dict[tuple[int, ...], int] = {}
    lexer_of = [
        contexts.setdefault(tuple(rank[t.name] for t in lexer.lexers[state].terminals), len(contexts))
        for state in order
    ]
    lexers = len(contexts)
    if BAD in rank:
        contexts.setdefault((rank[BAD],), len(contexts))
    scanner = merge(automata, list(contexts))
    ignored = set(lexer.root_lexer.ignore_types)
    return _assemble(names, rules, table, order, scanner, lexer_of, contexts, lexers, ignored)


# --- Lark's analysis --------------------------------------------------------------------------------------------------

def _refused_by_lark(error: Exception) -> GrammarRefused:
    text = str(error).strip()
    conflict = re.match(r"(?:Shift/Reduce conflict for|Reduce/Reduce collision in) [Tt]erminal\W*(\w+|\$END)", text)
    collision = re.match(r"Collision between Terminals (\w+) and (\w+)", text)
    rules = dict.fromkeys(re.findall(r"<(\w+) :", text))
    if conflict:
        return GrammarRefused(f"the grammar is not LALR(1): {text}", conflict[1], rules)
    if collision:
        return GrammarRefused(f"overlaps with {collision[2]} at the same priority: {text}", collision[1])
    zero = re.match(r"Lexer does not allow zero-width terminals. \((\w+)", text)
    if zero:
        return GrammarRefused("can match nothing; make it optional in the rule instead", zero[1])
    return GrammarRefused(f"Lark says: {text}")


def _number_states(table: Any, rank: dict[str, int]) -> dict[int, int]:
    """Lark's states in an order that depends on the grammar alone, each with its number."""
    first = table.start_states["start"]
    numbers = {first: 0}
    order = [first]
    for state in order:
        row = table.states[state]
        for symbol in sorted(row, key=lambda name: (rank.get(name, len(rank)), name)):
            action, target = row[symbol]
            if action.name == "Shift" and target not in numbers:
                numbers[target] = len(order)
                order.append(target)
    return numbers


# --- terminals --------------------------------------------------------------------------------------------------------

def _automaton(terminal: TerminalDef, uses: dict[str, list[str]]) -> Automaton:
    """The automaton of a terminal, or the reason why it cannot have one."""
    name, pattern = str(terminal.name), terminal.pattern
    used = uses.get(name, ())
    if pattern.type == "re":
        refuse_unicode(name, pattern.value, used)
    regexp = pattern.to_regexp()
    if "i" in pattern.flags and (letters := sorted({c for c in pattern.value if c in "iIkKsS" or ord(c) > 127})):
        raise GrammarRefused(
            f"flag i with {' '.join(letters)}: Python also takes other letters for these (K for the Kelvin sign); "
            "write both cases out", name, used)
    try:
        parsed = interegular.parse_pattern(regexp)
        if looks_around(parsed):
            raise GrammarRefused("looks ahead or behind; write a longer terminal of higher rank instead", name, used)
        unreduced: Any = parsed.to_fsm()
        machine = unreduced.reduce()
    except (InvalidSyntax, Unsupported) as error:
        reason = str(error) or type(error).__name__
        raise GrammarRefused(f"no automaton can be made of {regexp!r} ({reason})", name, used) from error
    symbols = {s: key for s, key in machine.alphabet.items() if s is not anything_else}
    if far := [symbol for symbol in symbols if ord(symbol) >= CHARACTERS]:
        raise GrammarRefused(f"mentions {far[0]!r}; characters beyond U+FFFF have no classes of their own", name, used)
    columns = 1 + max(machine.alphabet.by_transition)
    made = automaton(
        symbols, machine.alphabet[anything_else], columns, machine.states, machine.initial, machine.finals, machine.map)
    if 0 in made.finals:
        raise GrammarRefused("can match nothing; make it optional in the rule instead", name, used)
    return made


def _closing(rules: Sequence[Rule], names: Sequence[str]) -> list[int]:
    """Mark the terminals that cannot stand inside brackets, so that each of them shows that some were left open."""
    brackets = {rule.origin.name for rule in rules if any(symbol.name == UNCLOSED for symbol in rule.expansion)}
    if not brackets:
        return [0] * len(names)
    inside = set(brackets)
    grown = True
    while grown:
        before = len(inside)
        for rule in rules:
            if rule.origin.name in inside:
                inside.update(symbol.name for symbol in rule.expansion)
        grown = len(inside) > before
    return [int(name not in inside) for name in names]


# --- tables -----------------------------------------------------------------------------------------------------------

def _shown(rule: Rule) -> bool:
    """Whether a reduction is on the tape by default: not of helpers, not of ``?rule`` with a single child."""
    origin = str(rule.origin.name)
    if origin.startswith("_"):
        return False
    single = len(rule.expansion) == 1 and not rule.expansion[0].name.startswith("_")
    return not (rule.options.expand1 and single and not rule.alias)


def _forced(row: dict[str, Any]) -> Rule | None:
    """The production that a state reduces by whatever comes next, None where anything else can be done."""
    found = {target if kind.name == "Reduce" else None for kind, target in row.values()}
    return found.pop() if len(found) == 1 else None


def _recovers_inside(rule: Rule, states: dict[int, dict[str, Any]]) -> bool:
    """Whether a state within the production, behind one of its symbols, takes ``BAD``.

    Reducing such a production before the next token is seen would take that state from the stack, and a wrong token
    behind it could not be put right there.
    """
    inner = set(states)
    for symbol in rule.expansion[:-1]:
        inner = {row[symbol.name][1] for state in inner if symbol.name in (row := states[state])
                 and row[symbol.name][0].name == "Shift"}
        if any(BAD in states[state] and states[state][BAD][0].name == "Shift" for state in inner):
            return True
    return False


def _fold(parser: array[int], row: int, width: int, hidden: dict[int, int]) -> array[int]:
    """Lead every shift and goto past the states that only make an unseen reduction of one symbol.

    ``hidden`` gives the column that each such reduction goes on by. After a shift the scanner must still look for what
    the state passed over expected, since that is what Lark does: where the state led to expects something else, a copy
    of its row with the other expectation is appended. Returns the entries as they were.
    """
    unfolded = array("i")
    copies: dict[tuple[int, int], int] = {}
    for state in range(0, len(parser), row):
        for place in range(state + store.HEAD, state + row):
            shift = place < state + store.HEAD + width
            value = parser[place]
            if value <= 0 and (shift or not value):
                continue
            passed = target = value - shift
            while parser[target + 1] in hidden:
                target = parser[state + hidden[parser[target + 1]]]
            if target == passed:
                continue
            if shift and parser[passed] != parser[target]:
                key = parser[passed], target
                if key not in copies:
                    copies[key] = len(parser)
                    parser.append(parser[passed])
                    parser.extend(parser[target + 1:target + row])
                target = copies[key]
            unfolded.extend((place, value))
            parser[place] = target + shift
    return unfolded


def _assemble(
    names: list[str], rules: list[Rule], table: Any, order: dict[int, int], scanner: Scanner, lexer_of: list[int],
    contexts: dict[tuple[int, ...], int], lexers: int, ignored: set[str],
) -> Tables:
    """Everything as flat arrays."""
    width = len(names) + 1
    column = {name: store.HEAD + number for number, name in enumerate([*names, END])}
    origins = dict.fromkeys(str(rule.origin.name) for rule in rules)
    column.update((name, store.HEAD + width + number) for number, name in enumerate(origins))
    production = {rule: number for number, rule in enumerate(rules)}
    row = store.HEAD + width + len(origins)
    stride = 1 + len(scanner.rows[0])
    starts = [scanner.starts[number] * stride for number in range(len(contexts))]
    early = {rule for rule in rules if rule.expansion and not _recovers_inside(rule, table.states)}
    parser = array("i", bytes(4 * len(order) * row))
    for state, number in order.items():
        parser[number * row] = starts[lexer_of[number]]
        forced = _forced(table.states[state])
        if forced in early:
            parser[number * row + 1] = -1 - production[forced]
        for symbol, (kind, target) in table.states[state].items():
            if symbol in column:
                value = order[target] * row if kind.name == "Shift" else -1 - production[target]
                parser[number * row + column[symbol]] = value + (kind.name == "Shift" and symbol not in origins)
    hidden = {-1 - production[rule]: column[str(rule.origin.name)] for rule in rules
              if len(rule.expansion) == 1 and not _shown(rule)}
    unfolded = _fold(parser, row, width, hidden)
    productions = array("i", [number for rule in rules for number in (len(rule.expansion),
                                                                      column[str(rule.origin.name)])])
    shown = array("b", [1] * len(names) + [int(_shown(rule)) for rule in rules])
    transitions = array("i")
    for label, targets in zip(scanner.labels, scanner.rows, strict=True):
        transitions.append(-1 - label if label >= 0 and names[label] in ignored else label + 1)
        transitions.extend(target * stride for target in targets)
    classes = array("H", [scanner.other + 1]) * (CHARACTERS + 1)
    for character, number in scanner.classes.items():
        classes[ord(character)] = number + 1
    rank = {name: number for number, name in enumerate(names)}
    return Tables(
        terminals=tuple(names),
        rules=tuple(str(rule.alias or rule.origin.name) for rule in rules),
        numbers={
            "width": width, "row": row, "stride": stride,
            "start": order[table.start_states["start"]] * row, "final": order[table.end_states["start"]] * row,
            "bad": rank.get(BAD, -1), "bad_start": starts[contexts[(rank[BAD],)]] if BAD in rank else 0,
            "unclosed": rank.get(UNCLOSED, -1), "lexers": lexers,
            "ending": stride * sum(label < 0 for label in scanner.labels),
        },
        classes=classes,
        transitions=transitions,
        parser=parser,
        jumps=all_jumps(parser, row, width, productions, shown),
        unfolded=unfolded,
        productions=productions,
        closing=array("b", _closing(rules, names)),
        shown=shown,
    )


# --- the build --------------------------------------------------------------------------------------------------------

def build_tables(target: Path | str, names: Iterable[str] = (), source: Path | str | None = None) -> dict[str, Tables]:
    """Compile the grammars (all, if none is named) of the folder ``source`` into ``target``/NAME.tables.

    The build calls this, so that what is installed needs neither Lark nor interegular to read.
    """
    from kifu.grammar import grammar_folder, with_imports
    folder = Path(source) if source is not None else grammar_folder()
    built = {}
    for name in names or sorted(path.stem for path in folder.glob("*.lark")):
        text = (folder / f"{name}.lark").read_text(encoding="utf-8")
        try:
            built[name] = compile_grammar(text, folder=folder)
        except GrammarRefused as error:
            error.args = (f"{name}.lark: {error}",)
            raise
        path = Path(target) / f"{name}.tables"
        if not store.store(built[name], store.key(with_imports(text, folder)), path):
            raise OSError(f"cannot write {path}")
    return built


def main(arguments: Sequence[str]) -> int:
    """Compile the named grammars into the package and print how big each is."""
    from kifu.grammar import grammar_folder
    try:
        built = build_tables(grammar_folder() / "_tables", arguments)
    except (GrammarRefused, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    for name, made in built.items():
        print(f"{name}: " + ", ".join(f"{number:,} {what}" for what, number in made.sizes().items()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
