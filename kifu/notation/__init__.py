"""Notations: a reader and a writer each, found by name; which notation a text is, by its content.

>>> [record.notation for record in read("position startpos moves 7g7f", "usi")]
['usi']
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, overload

from kifu._tuples import NamedTuple
from kifu.notation.detect import Detection, detect, notation_of

if TYPE_CHECKING:
    from kifu.notation.reading import Reader
    from kifu.notation.writing import Writer
    from kifu.record import Game, Record

class Notation(NamedTuple):
    """A notation: where its reader and writer are (``module:class``, empty where there is none), and its files.

    ``suffix`` is the ending its files get and ``encoding`` what they are written in where none is named; None for a
    notation of bytes, whose reader takes and whose writer gives ``bytes``. ``styles`` are the ways to spell moves, the
    usual one first.
    """

    reader: str
    writer: str
    suffix: str
    encoding: str | None
    styles: tuple[str, ...] = ()


#: All notations. Readers and writers are loaded when first used.
REGISTRY: dict[str, Notation] = {
    "csa": Notation("csa:CsaReader", "csa_writer:CsaWriter", ".csa", "cp932"),
    "kif": Notation("kif:KifReader", "kif_writer:KifWriter", ".kif", "cp932"),
    "ki2": Notation("ki2:Ki2Reader", "ki2_writer:Ki2Writer", ".ki2", "cp932"),
    "bod": Notation("bod:BodReader", "bod_writer:BodWriter", ".bod", "cp932"),
    "sfen": Notation("usi:UsiReader", "usi_writer:SfenWriter", ".sfen", "ascii"),
    "usi": Notation("usi:UsiReader", "usi_writer:UsiWriter", ".usi", "ascii"),
    "usen": Notation("usen:UsenReader", "usen_writer:UsenWriter", ".usen", "ascii"),
    "western": Notation("western:WesternReader", "western_writer:WesternWriter", ".txt", "utf-8",
                        ("hodges", "names", "numeric", "hosking", "kitao-kawasaki", "animals", "animals-cs")),
    "psn": Notation("western:WesternReader", "western_writer:WesternWriter", ".psn", "utf-8"),
    "pgn": Notation("pgn:PgnReader", "", ".pgn", "utf-8"),
    "jkf": Notation("jkf:JkfReader", "jkf_writer:JkfWriter", ".jkf", "utf-8"),
    "psv": Notation("packed_reader:PsvReader", "packed_writer:PsvWriter", ".psv", None),
    "hcpe": Notation("packed_reader:HcpeReader", "packed_writer:HcpeWriter", ".hcpe", None),
}
#: What can be read, and what can be written.
NOTATIONS = tuple(name for name, kind in REGISTRY.items() if kind.reader)
WRITABLE = tuple(name for name, kind in REGISTRY.items() if kind.writer)
#: The notations of bytes by the suffix of their files: nothing else tells them.
OF_BYTES = {kind.suffix: name for name, kind in REGISTRY.items() if kind.encoding is None}


#: Texts of more characters are read in pieces (`kifu.notation.pieces`) where borders between their games are known.
LONG = 1 << 16
IN_PIECES = ("csa", "kif", "ki2")  # lines of USI are read no faster so


class UnknownNotation(ValueError):
    """No notation of this name is known, or the text is in none that is."""


def reader(notation: str) -> type[Reader]:
    """The reader class of a notation; UnknownNotation where there is none.

    Those of bytes are no `Reader`, but are made and asked in the same way.
    """
    return _load(REGISTRY[notation].reader if notation in REGISTRY else "", notation, NOTATIONS)


def writer(notation: str, style: str | None = None) -> Writer:
    """A fresh writer for a notation; it counts what it loses in ``losses``. ValueError for a style it does not know."""
    made = _WRITERS.get(notation)
    if made is None:
        made = _WRITERS[notation] = _load(REGISTRY[notation].writer if notation in REGISTRY else "", notation, WRITABLE)
    if style is not None and style not in REGISTRY[notation].styles:
        known = ", ".join(REGISTRY[notation].styles) or "none"
        raise ValueError(f"{notation} has no style {style!r}; its styles: {known}")
    found: Writer = made(style)
    return found


#: The writers' classes that were asked for.
_WRITERS: dict[str, type] = {}


def of_bytes(notation: str | None, suffix: str) -> str | None:
    """The notation of bytes that is named or, where none is named, that files of this suffix are in; None for texts.

    >>> of_bytes(None, ".psv"), of_bytes("csa", ".psv")
    ('psv', None)
    """
    if notation is None:
        return OF_BYTES.get(suffix)
    return notation if notation in REGISTRY and REGISTRY[notation].encoding is None else None


def entry_size(notation: str) -> int:
    """Bytes of one record in a notation of bytes."""
    from kifu.notation.packed_entries import LAYOUTS

    return LAYOUTS[notation].size


def read(text: str | bytes, notation: str, *, variant: str | None = None, handicap: str | None = None,
         mode: str = "default") -> Iterator[Record]:
    """The records of a text in a notation, at least one: a text without a game gives a record that says so.

    ``variant`` names the kind of shogi, where the record does not say. Notations of bytes read ``bytes``, one record at
    a time. TypeError for a text where bytes are wanted or the other way round.
    """
    made, wanted, all_kinds = _READERS.get(notation) or _reader(notation)
    if not isinstance(text, wanted):
        raise TypeError(f"{notation} is read from {wanted.__name__}, not {type(text).__name__}")
    records: Iterable[Record]
    if len(text) > LONG and notation in IN_PIECES:
        from kifu.notation import pieces

        records = pieces.records(str(text), notation,
                                 lambda piece: made(piece, notation, mode, handicap, variant).read())
    else:
        records = made(text, notation, mode, handicap, variant).read()
    if variant not in (None, "shogi") and not all_kinds:
        records = _refused(records, notation, str(variant))
    yield from records


#: What `read` wants to know of a notation, once it was read: its reader, of what, and whether of all kinds of shogi.
_READERS: dict[str, tuple[Any, type, bool]] = {}


def _reader(notation: str) -> tuple[Any, type, bool]:
    made: Any = reader(notation)
    found = made, bytes if of_bytes(notation, "") else str, bool(getattr(made, "READS_ALL_KINDS", False))
    _READERS[notation] = found
    return found


def _refused(records: Iterable[Record], notation: str, variant: str) -> Iterator[Record]:
    """Records of a notation that holds ordinary shogi alone, where another kind was named: none can be played."""
    from kifu.diagnostics import make
    from kifu.rules.variants import RULESETS

    for record in records:
        if record.start is not None:
            record.start, record.variant = None, ""
            why = f"{RULESETS[variant].name} was named, and {notation} holds ordinary shogi alone"
            record.diagnostics.append(make("unknown-variant", record.offset, text=why,
                                           hint="leave --variant out, or name the notation with --from"))
        yield record


@overload
def write(  # type: ignore[overload-overlap]  # a str that may turn out to be one of these is nobody's promise
    games: Iterable[Game], notation: Literal["hcpe", "psv"], style: str | None = None) -> bytes: ...
@overload
def write(games: Iterable[Game], notation: str, style: str | None = None) -> str: ...
def write(games: Iterable[Game], notation: str, style: str | None = None) -> str | bytes:
    """Proven games as text in a notation; as ``bytes`` where it is one of bytes."""
    return writer(notation, style).write_all(games)


def _load(place: str, notation: str, known: tuple[str, ...]) -> type:
    if not place:
        raise UnknownNotation(f"no notation is called {notation!r}; known are {', '.join(known)}")
    module, name = place.split(":")
    found: type = getattr(import_module(f"kifu.notation.{module}"), name)
    return found


__all__ = [
    "NOTATIONS", "OF_BYTES", "REGISTRY", "WRITABLE", "Detection", "Notation", "UnknownNotation", "detect",
    "entry_size", "notation_of", "of_bytes", "read", "reader", "write", "writer",
]
