"""The functions of `import kifu`: files and texts in, records and proven games out.

>>> record = parse("1. P-7f P-3d 2. Bx2b+ Sx2b", "western")[0]
>>> replay(record).verdict
'legal'
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Literal, overload

from kifu import text as _text
from kifu.notation import Detection, UnknownNotation
from kifu.notation import detect as _detect
from kifu.notation import of_bytes as _of_bytes
from kifu.notation import read as _read
from kifu.notation import write as _write
from kifu.record import Game, Record
from kifu.replay import replay

if TYPE_CHECKING:
    from kifu.rules.api import Move, Position


#: First bytes of zip, gzip, xz, zstd, bzip2 and 7z.
_PACKED_UP = (b"PK\3\4", b"PK\5\6", b"\x1f\x8b\x08", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd", b"BZh", b"7z\xbc\xaf\x27\x1c")


def read(path: str | PathLike[str], notation: str | None = None, *, encoding: str | None = None,
         variant: str | None = None) -> Iterator[Record]:
    """The records of one file. Encoding and notation are found by content unless named.

    ``variant`` is the kind of shogi, a key of `kifu.rules.variants.RULESETS`, where the record does not say; ValueError
    for one that is not known. OSError where the file cannot be read (`IsADirectoryError` for a folder),
    `UnknownNotation` where its notation is not recognised. Archives and compressed files are opened by the command line
    only: they are an `UnknownNotation` that says so. For all files of a folder,
    ``for path in Path(folder).rglob("*.kif"): kifu.read(path)``.
    """
    _known(variant)
    where = Path(path)
    data = where.read_bytes()
    packed = _of_bytes(notation, where.suffix.lower())
    if packed:
        yield from _read(data, packed, variant=variant)
        return
    if data.startswith(_PACKED_UP) or data[257:262] == b"ustar":
        raise UnknownNotation(f"{path} is an archive or compressed; unpack it first, or use the program, which reads "
                              "it as it is: kifu check, kifu convert, kifu load")
    decoded = _text.decode(data, encoding)
    yield from _records(decoded.text, notation, where.suffix, variant)


def parse(text: str | bytes, notation: str | None = None, *, variant: str | None = None) -> list[Record]:
    """The records of a text; `UnknownNotation` where none is named and none is recognised.

    ``variant`` as for `read`. ``bytes`` are for the notations of bytes, `psv` and `hcpe`, which must be named.

    >>> parse("sfen 4k/4p/5/P4/K4 b - 1")[0].variant, parse("7e7d", variant="torishogi")[0].variant
    ('minishogi', 'torishogi')
    """
    _known(variant)
    if isinstance(text, bytes):
        if notation is None:
            raise UnknownNotation("bytes do not tell their notation; name it, or decode them")
        return list(_read(text, notation, variant=variant))
    return list(_records(text, notation, "", variant))


def _known(variant: str | None) -> None:
    """Raise ValueError for a kind of shogi that is not known."""
    if variant is None:
        return
    from kifu.rules.variants import RULESETS

    if variant not in RULESETS:
        raise ValueError(f"no kind of shogi is called {variant!r}; known are {', '.join(RULESETS)}")


def _records(text: str, notation: str | None, suffix: str, variant: str | None) -> Iterator[Record]:
    name = notation or _detect(text, suffix).notation
    if name is None:
        raise UnknownNotation("the notation of this text was not recognised; name it")
    yield from _read(text, name, variant=variant)


@overload
def write(  # type: ignore[overload-overlap]  # see `kifu.notation.write`
    records: Iterable[Record | Game], notation: Literal["hcpe", "psv"], style: str | None = None) -> bytes: ...
@overload
def write(records: Iterable[Record | Game], notation: str, style: str | None = None) -> str: ...
def write(records: Iterable[Record | Game], notation: str, style: str | None = None) -> str | bytes:
    """Records as text in a notation; each is proven first.

    ValueError where one is not legal, or is of a kind of shogi that the notation cannot hold.

    `psv` and `hcpe` are notations of bytes and give ``bytes``.
    """
    games = []
    for one in records:
        game = one if isinstance(one, Game) else replay(one)
        if game.verdict not in ("legal", "foul"):
            first = next((finding.message for finding in game.diagnostics if finding.severity == "error"), game.verdict)
            raise ValueError(f"game {game.record.number} is not legal: {first}")
        games.append(game)
    return _write(games, notation, style)


def convert(text: str, to: str, notation: str | None = None, *, variant: str | None = None) -> str:
    """A text in one notation as a text in another; ValueError where a game in it is not legal, or where the target
    cannot hold its kind of shogi. ``variant`` as for `read`."""
    return write(parse(text, notation, variant=variant), to)


def detect(data: bytes, suffix: str = "") -> Detection:
    """What the bytes of a file were taken for, with the evidence; ``notation`` is None where nothing was recognised."""
    packed = _of_bytes(None, suffix.lower())
    if packed:
        return Detection(packed, [f"{packed} +1: the file name ends in {suffix}"], {packed: 1})
    return _detect(_text.decode(data).text, suffix)


def notate(position: Position, move: Move | str, notation: str, *, style: str | None = None) -> str:
    """A legal move of a position in a notation: `western` or `psn`, `kif`, `ki2`, `csa` or `usi`.

    ``style`` is one of western's: `hodges` (the usual one), `names`, `numeric`, `hosking`, `kitao-kawasaki`,
    `animals` and `animals-cs` (the names of the children's set).

    ValueError where the move is not legal there or the notation spells no single moves.

    >>> import kifu
    >>> notate(kifu.Position(), "7g7f", "western"), notate(kifu.Position(), "7g7f", "western", style="hosking")
    ('P-7f', 'P76')
    """
    from kifu.notation.spell import spell
    return spell(position.core, position.packed(move), notation, style)


__all__ = ["convert", "detect", "notate", "parse", "read", "replay", "write"]
