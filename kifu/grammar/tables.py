"""The compiled form of a grammar: flat arrays of integers, and the file that keeps them.

`Tables` is what `kifu.grammar.compile` makes and `kifu.grammar.machine` runs. Reading a file needs neither Lark nor
interegular and takes about a millisecond. The file is little-endian::

    8 bytes   MAGIC
    16 bytes  key: hash of the grammar's text and FORMAT (a file with another key is stale)
    4 bytes   number of sections
    sections  type code of an array (1 byte), 3 zero bytes, length in bytes (4), the items

The sections stand in the order of `SECTIONS`; names are UTF-8, one a line. Character classes are stored as runs.
"""
from __future__ import annotations

import os
import struct
import sys
from array import array
from typing import TYPE_CHECKING

try:
    from _blake2 import blake2b  # hashlib gives the same function, but loads OpenSSL for the others first
except ImportError:
    from hashlib import blake2b

if TYPE_CHECKING:
    from pathlib import Path

MAGIC = b"kifuLALR"
FORMAT = 7  #: raised whenever the compiler or the layout changes, so that files made before count as stale

CHARACTERS = 0x10000  #: code points with a class of their own; all beyond have the class `Tables.classes[CHARACTERS]`

#: Where each number stands in `Tables.numbers`.
NUMBERS = (
    "width",  # the terminals and, last, the end of the text
    "row",  # distance between two parser states: `HEAD`, an action for each terminal, a goto for each nonterminal
    "stride",  # distance between two scanner states: one label and one transition for each class of characters
    "start",  # the parser's first state, as all states by the place of its row
    "final",  # the state in which the end of the text is accepted
    "bad",  # the terminal of what cannot be read, -1 if the grammar has none
    "bad_start",  # scanner state in which only that terminal is looked for
    "unclosed",  # the terminal of a missing closing bracket, -1 if the grammar has none
    "lexers",  # distinct sets of terminals that the contextual lexer accepts
    "ending",  # from this scanner state on, a terminal ends in every state
)

#: The arrays, in file order, with the type code of their items.
SECTIONS = {
    "terminals": "B", "rules": "B", "numbers": "i",
    "classes": "H",  # class of each character; stored as (first character, class) pairs
    # [state + class] -> state, 0 where nothing can match; [state] -> terminal + 1 if one ends here, negative if ignored
    "transitions": "i",
    # [state] -> scanner state; [state + 1] -> -1 - production where nothing else can be done, else 0;
    # [state + HEAD + terminal] -> 0 error, shift to state n - 1, or reduce production -1 - n;
    # [state + HEAD + width + nonterminal] -> state
    "parser": "i",
    # as long as `parser`: [state + HEAD + terminal] -> the jump that comes to the same as the action there and what
    # follows from it, 0 if there is none (`kifu.grammar.jumps`); stored as (place, jump) pairs
    "jumps": "i",
    # (place in `parser`, value) pairs: the parser without shortcuts, in which every reduction is made by itself
    "unfolded": "i",
    "productions": "i",  # [2 * production] -> symbols on its right side; the column of its goto in a state's row
    "closing": "b",  # [terminal] -> 1 for a token that cannot stand inside open brackets
    "shown": "b",  # [terminals + production] -> 1 if its reduction belongs on the tape by default; [terminal] -> 1
}

HEAD = 2  #: numbers in a parser state's row before its actions


class StaleTables(ValueError):
    """The file was made from another grammar or by another compiler, or it is damaged."""


class Tables:
    """The arrays of `SECTIONS` as attributes; names are tuples of strings, `numbers` is a dictionary."""

    __slots__ = tuple(SECTIONS)

    terminals: tuple[str, ...]
    rules: tuple[str, ...]
    numbers: dict[str, int]
    classes: array[int]
    transitions: array[int]
    parser: array[int]
    jumps: array[int]
    unfolded: array[int]
    productions: array[int]
    closing: array[int]
    shown: array[int]

    def __init__(self, **parts: object) -> None:
        for name in SECTIONS:
            setattr(self, name, parts[name])

    def sizes(self) -> dict[str, int]:
        """How big the automata are: a sudden growth shows a rule gone wrong."""
        return {
            "parser states": len(self.parser) // self.numbers["row"],
            "terminals": len(self.terminals), "productions": len(self.rules),
            "scanner states": len(self.transitions) // self.numbers["stride"], "classes": self.numbers["stride"] - 1,
            "lexers": self.numbers["lexers"], "bytes": len(dumps(self, bytes(16))),
        }


def key(grammar: str) -> bytes:
    """The 16 bytes by which tables know the grammar they were made from."""
    return blake2b(f"{FORMAT}\n{grammar}".encode(), digest_size=16).digest()


def _runs(classes: array[int]) -> array[int]:
    runs = array("H")
    for character in range(CHARACTERS):
        if character == 0 or classes[character] != classes[character - 1]:
            runs.extend((character, classes[character]))
    runs.append(classes[CHARACTERS])
    return runs


def _expand(runs: array[int]) -> array[int]:
    classes = array("H")
    starts = runs[0:-1:2]
    starts.append(0)  # stands for CHARACTERS, which a 16-bit item cannot hold
    for index in range(len(starts) - 1):
        end = starts[index + 1] or CHARACTERS
        classes.extend(array("H", (runs[2 * index + 1],)) * (end - starts[index]))
    classes.append(runs[-1])
    return classes


def dumps(tables: Tables, grammar_key: bytes) -> bytes:
    """The bytes of a tables file."""
    parts = [MAGIC, grammar_key, struct.pack("<I", len(SECTIONS))]
    for name, code in SECTIONS.items():
        value = getattr(tables, name)
        if name in ("terminals", "rules"):
            items = array(code, "\n".join(value).encode())
        elif name == "numbers":
            items = array(code, [value[number] for number in NUMBERS])
        elif name == "classes":
            items = _runs(value)
        elif name == "jumps":
            items = array(code, [number for place, jump in enumerate(value) if jump for number in (place, jump)])
        else:
            items = array(code, value)
        if sys.byteorder == "big":
            items.byteswap()
        data = items.tobytes()
        parts.append(struct.pack("<cxxxI", code.encode(), len(data)) + data)
    return b"".join(parts)


def loads(data: bytes, grammar_key: bytes | None = None) -> Tables:
    """The tables in the bytes of a file; `StaleTables` if they were not made from the grammar with this key."""
    if data[:8] != MAGIC or len(data) < 28:
        raise StaleTables("not a tables file")
    if grammar_key is not None and data[8:24] != grammar_key:
        raise StaleTables("made from another grammar or by another compiler")
    parts: dict[str, object] = {}
    at = 28
    for name, code in SECTIONS.items():
        if at + 8 > len(data):
            raise StaleTables("cut off")
        size = struct.unpack_from("<I", data, at + 4)[0]
        body = data[at + 8:at + 8 + size]
        items = array(code)
        if data[at:at + 1] != code.encode() or len(body) != size or size % items.itemsize:
            raise StaleTables("damaged")
        at += 8 + size
        items.frombytes(body)
        if sys.byteorder == "big":
            items.byteswap()
        if name in ("terminals", "rules"):
            parts[name] = tuple(body.decode().split("\n"))
        elif name == "numbers":
            parts[name] = dict(zip(NUMBERS, items, strict=True))
        elif name == "jumps":
            parts[name] = jumps = array(code, bytes(items.itemsize * len(parts["parser"])))  # type: ignore[arg-type]
            if items and not 0 <= min(items[::2]) <= max(items[::2]) < len(jumps):
                raise StaleTables("damaged")
            for place in range(0, len(items) - 1, 2):
                jumps[items[place]] = items[place + 1]
        else:
            parts[name] = _expand(items) if name == "classes" else items
    return Tables(**parts)


def store(tables: Tables, grammar_key: bytes, path: Path) -> bool:
    """Write the file so that nobody ever sees half of it; False where the folder cannot be written."""
    import tempfile  # it imports a good deal, and only a build needs it

    scratch = None
    try:
        path.parent.mkdir(exist_ok=True)
        handle, scratch = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "wb") as file:
            file.write(dumps(tables, grammar_key))
        os.chmod(scratch, 0o644)  # mkstemp makes it private
        os.replace(scratch, path)
    except OSError:
        if scratch is not None:
            os.unlink(scratch)
        return False
    return True
