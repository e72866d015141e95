"""Reading text by the grammars in ``grammars/``: the only place where the syntax of a notation is defined.

    load(notation)                  the machine that reads a notation, made once
    parse(notation, text)           the tape of a text: its tokens and reductions, and what is wrong with it
    lark_parser(notation)           Lark's own parser of the same grammar, for study and for the differential tests

The tables that the machine runs on are made at build time (`kifu.grammar.compile`). Where they are missing or older
than the grammar, as in a checkout where somebody edits one, they are made on the spot.
"""
from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from kifu.grammar import tables as _tables
from kifu.grammar.machine import Machine
from kifu.grammar.tape import Fault, Tape

if TYPE_CHECKING:
    from pathlib import Path

    from lark import Lark

__all__ = [
    "Fault", "Machine", "Tape",
    "grammar_folder", "grammar_text", "lark_parser", "load", "load_tables", "notations", "parse", "with_imports",
]

_machines: dict[str, Machine] = {}


def grammar_folder() -> Path:
    """The folder of the grammars, installed as ``kifu.grammars``.

    `importlib.resources` would say the same, but importing it takes longer than reading a hundred games. In a checkout
    that was never installed the folder stands beside the package.
    """
    from pathlib import Path

    return Path(_folder())


def _folder() -> str:
    """The same as a text: a normal run does without pathlib."""
    try:
        import kifu.grammars as package
    except ImportError:
        return os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "grammars")
    return next(iter(package.__path__))


def notations() -> tuple[str, ...]:
    """The names of the grammars."""
    return tuple(sorted(path.stem for path in grammar_folder().glob("*.lark")))


def grammar_text(notation: str) -> str:
    """The grammar of a notation as it was written; `LookupError` if there is none of that name."""
    try:
        with open(f"{_folder()}/{notation}.lark", encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        raise LookupError(f"no grammar {notation!r}; there are {', '.join(notations())}") from None


def with_imports(grammar: str, folder: Path | str) -> str:
    """A grammar's text and those of the grammars that it imports, which stand in ``folder``: what tables are made of.
    """
    texts, known = [grammar], set()
    for text in texts:  # which grows: an imported grammar may import others
        for name in re.findall(r"^%import +(\w+)", text, re.MULTILINE):
            if name not in known:
                known.add(name)
                with open(f"{folder}/{name}.lark", encoding="utf-8") as file:
                    texts.append(file.read())
    return "\n".join(texts)


def load(notation: str) -> Machine:
    """The machine of a notation; it may be used by several threads at once."""
    machine = _machines.get(notation)
    if machine is None:
        machine = _machines[notation] = Machine(load_tables(notation))
    return machine


def load_tables(notation: str) -> _tables.Tables:
    """The tables of a notation from their file, or made from the grammar where that is missing or stale."""
    text = grammar_text(notation)
    key = _tables.key(with_imports(text, _folder()))
    try:
        with open(f"{_folder()}/_tables/{notation}.tables", "rb") as file:
            return _tables.loads(file.read(), key)
    except (OSError, _tables.StaleTables):
        pass
    from kifu.grammar.compile import compile_grammar
    made = compile_grammar(text)
    path = grammar_folder() / "_tables" / f"{notation}.tables"
    _tables.store(made, key, path)  # where the folder cannot be written, the tables live as long as the process
    return made


def parse(notation: str, text: str, *, recover: bool = True, full: bool = False) -> Tape:
    """Read a text: see `Machine.parse`.

    >>> [name for name, start, end in parse("usi", "7g7f").tokens()]
    ['MOVE']
    """
    return load(notation).parse(text, recover, full)


def lark_parser(notation: str) -> Lark:
    """Lark's parser of the same grammar; slow, but with trees, and described by Lark's own documentation."""
    from kifu.grammar.compile import make_lark
    return make_lark(grammar_text(notation))
