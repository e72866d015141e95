"""Notations: a reader and a writer each, found by name; which notation a text is, by its content.

>>> [record.notation for record in read("position startpos moves 7g7f", "usi")]
['usi']
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from kifu.notation.detect import Detection, detect, notation_of

if TYPE_CHECKING:
    from kifu.notation.reading import Reader
    from kifu.notation.writing import Writer
    from kifu.record import Game, Record

#: Notation -> (module and class of its reader, of its writer). Loaded when first used.
_READERS = {
    "csa": ("kifu.notation.csa", "CsaReader"), "kif": ("kifu.notation.kif", "KifReader"),
    "usi": ("kifu.notation.usi", "UsiReader"), "sfen": ("kifu.notation.usi", "UsiReader"),
    "western": ("kifu.notation.western", "WesternReader"),
}
_WRITERS = {
    "csa": ("kifu.notation.csa_writer", "CsaWriter"), "kif": ("kifu.notation.kif_writer", "KifWriter"),
    "usi": ("kifu.notation.usi_writer", "UsiWriter"), "sfen": ("kifu.notation.usi_writer", "SfenWriter"),
    "western": ("kifu.notation.western_writer", "WesternWriter"),
}
NOTATIONS = tuple(_READERS)
#: File name endings -> the notation they suggest.
SUFFIXES = {".csa": "csa", ".kif": "kif", ".kifu": "kif", ".bod": "kif", ".sfen": "sfen", ".usi": "usi"}
#: Notation -> the ending its files get.
SUFFIX_OF = {"csa": ".csa", "kif": ".kif", "usi": ".usi", "sfen": ".sfen", "western": ".txt"}
#: Notation -> the encoding its files get where none is named.
ENCODING_OF = {"csa": "cp932", "kif": "cp932", "usi": "ascii", "sfen": "ascii", "western": "utf-8"}


class UnknownNotation(ValueError):
    """No notation of this name is known, or the text is in none that is."""


def reader(notation: str) -> type[Reader]:
    """The reader class of a notation; UnknownNotation where there is none."""
    return _load(_READERS, notation)


def writer(notation: str, style: str | None = None) -> Writer:
    """A fresh writer for a notation; it counts what it loses in ``losses``."""
    return _load(_WRITERS, notation)(style)


def read(text: str, notation: str, *, variant: str | None = None, handicap: str | None = None,
         mode: str = "default") -> Iterator[Record]:
    """The records of a text in a notation, at least one: a text without a game gives a record that says so."""
    yield from reader(notation)(text, notation=notation, mode=mode, handicap=handicap).read()


def write(games: Iterable[Game], notation: str, style: str | None = None) -> str:
    """Proven games as text in a notation."""
    return writer(notation, style).write_all(games)


def _load(table: dict[str, tuple[str, str]], notation: str) -> type:
    if notation not in table:
        raise UnknownNotation(f"no notation is called {notation!r}; known are {', '.join(table)}")
    return _imported(*table[notation])


@cache
def _imported(module: str, name: str) -> type:
    found: type = getattr(import_module(module), name)
    return found


__all__ = [
    "ENCODING_OF", "NOTATIONS", "SUFFIXES", "SUFFIX_OF", "Detection", "UnknownNotation", "detect", "notation_of",
    "read", "reader", "write", "writer",
]
