"""A large file in parts that are read one at a time, or by several workers: each is some games, none is kept longer.

`split` goes over the bytes once to find out what only the whole file tells: its encoding, where it can be cut between
two games, how many lines and characters stand before each part, and what is wrong with its bytes. After that a part is
a `Source` like any other. What cannot be cut (an encoding in which a line end looks like half a character, a notation
whose games have no border) is read whole.
"""
from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, BinaryIO

from kifu._tuples import NamedTuple
from kifu.diagnostics import Diagnostic
from kifu.notation import NOTATIONS, entry_size, notation_of, of_bytes
from kifu.notation.pieces import BORDERS, in_bytes
from kifu.pipeline.sources import STDIN, Source
from kifu.text import Decoder, decode_part, manner

if TYPE_CHECKING:
    from hashlib import _Hash as Hash

    from kifu.pipeline.entries import Options

#: Bytes of a part, about; files of more than twice as many are cut.
SIZE = 1 << 20
#: Bytes that are looked at at once while the encoding is sought.
_CHUNK = 1 << 20
#: Bytes behind a part in which its border is looked for at first.
_LOOK = 1 << 16
_END_MARK = b"\x1a"  # ended a file under CP/M and DOS


class Part(NamedTuple):
    """Some games of a file: its bytes ``start`` to ``end``, how to read them, and what stands before them."""

    start: int
    end: int
    last: bool
    encoding: str
    notation: str
    lines: int
    characters: int
    findings: tuple[Diagnostic, ...]  # about its bytes, at offsets of its text
    size: int  # of the whole file, in bytes
    digest: bytes  # of the whole file, where one was asked for


def split(source: Source, options: Options, hasher: Callable[[], Hash] | None = None) -> list[Source]:
    """The parts of a file in their order; empty where it must be read whole, and where it cannot be read at all.

    ``hasher``, such as `hashlib.sha256`, makes what digests all bytes of the file for `Part.digest`.
    """
    if source.path == STDIN or source.packed or source.passed_over:
        return []
    packed = of_bytes(options.notation, source.suffix)
    try:
        with open(source.path, "rb", buffering=0) as file:
            about = os.fstat(file.fileno())
            if not stat.S_ISREG(about.st_mode) or about.st_size <= 2 * SIZE:
                return []
            parts = list(_entries(source, about.st_size, packed) if packed else
                         _parts(source, file, about.st_size, options))
            if not parts or hasher is None:
                return parts
            digest = hasher()
            file.seek(0)
            while block := file.read(_CHUNK):
                digest.update(block)
            return [one._replace(part=one.part and one.part._replace(digest=digest.digest())) for one in parts]
    except OSError:
        return []  # whoever reads it meets the same error and tells it


def read_part(source: Source, part: Part) -> str:
    """The text of a part; raises OSError."""
    return decode_part(part_bytes(source, part), part.encoding, first=not part.characters)


def part_bytes(source: Source, part: Part) -> bytes:
    """The bytes of a part; raises OSError."""
    with open(source.path, "rb", buffering=0) as file:
        file.seek(part.start)
        data = b""
        while len(data) < part.end - part.start and (block := file.read(part.end - part.start - len(data))):
            data = data + block if data else block
    return data


def _entries(source: Source, size: int, notation: str) -> Iterator[Source]:
    """The parts of a file of entries that are all of one size; each entry counts as a line."""
    entry = entry_size(notation)
    step = SIZE // entry * entry
    for start in range(0, size, step):
        end = min(start + step, size)
        part = Part(start, end, end == size, "", notation, start // entry, 0, (), size, b"")
        yield Source(source.path, end - start, source.root, part)


def _parts(source: Source, file: BinaryIO, size: int, options: Options) -> Iterator[Source]:
    end = _end(file, size)
    how = manner(lambda: _chunks(file, 0, end, _CHUNK), options.encoding)
    if how is None:
        return
    sample = Decoder(how).part(next(iter(_chunks(file, how.mark, end, _CHUNK)), b""))
    notation = options.notation or notation_of(sample, source.suffix)
    if notation not in BORDERS or notation not in NOTATIONS or not sample or sample.isspace():
        return
    decoder = Decoder(how)
    cuts: list[tuple[int, int, int, int]] = []
    for start, data in _cut(file, how.mark, end, in_bytes(notation, how.encoding)):
        cuts.append((start, start + len(data), decoder.lines, decoder.characters))
        decoder.part(data)
    if len(cuts) == 1:
        return
    for number, ((start, stop, lines, characters), findings) in enumerate(
            zip(cuts, decoder.finish(), strict=True), 1):
        part = Part(start, stop, number == len(cuts), how.encoding, notation, lines, characters, tuple(findings), size,
                    b"")
        yield Source(source.path, stop - start, source.root, part)


def _end(file: BinaryIO, size: int) -> int:
    """Where the text ends."""
    while size:
        start = max(0, size - 4096)
        file.seek(start)
        block = file.read(size - start)
        kept = len(block.rstrip(_END_MARK))
        if kept or not block:
            return start + kept
        size = start
    return size


def _chunks(file: BinaryIO, start: int, end: int, size: int) -> Iterator[bytes]:
    """The bytes from ``start`` to ``end`` in chunks of about ``size`` that end behind ends of lines."""
    rest = b""
    while start < end:
        file.seek(start)
        block = file.read(min(size, end - start))
        if not block:
            break
        start += len(block)
        border = block.rfind(b"\n") + 1
        if not border:
            rest += block
            continue
        yield rest + block[:border]
        rest = block[border:]
    if rest:
        yield rest


def _cut(file: BinaryIO, start: int, end: int, border: re.Pattern[bytes]) -> Iterator[tuple[int, bytes]]:
    """The parts as (where it starts, its bytes): each but the last ends at the first border behind `SIZE` bytes.

    The last one is no smaller: what follows the last game of a file is no part of its own.
    """
    data, read, wanted = b"", start, SIZE + _LOOK
    while read < end:
        file.seek(read)
        blocks, have = [data], len(data)
        while have < wanted and (block := file.read(min(wanted - have, end - read))):
            blocks.append(block)
            have += len(block)
            read += len(block)
        data = b"".join(blocks)
        if have < wanted and read < end:  # the file has become shorter
            break
        if have <= SIZE:
            continue
        # from the end of a line on, since a border may begin with it; one at the end may go on in what follows
        found = border.search(data, max(data.rfind(b"\n", 0, SIZE), 0))
        if found is None or found.end() == have and read < end:
            wanted *= 2
        elif end - start - found.end() < SIZE:
            wanted = end - start
        else:
            yield start, data[:found.end()]
            start += found.end()
            data, wanted = data[found.end():], SIZE + _LOOK
    if data:
        yield start, data
