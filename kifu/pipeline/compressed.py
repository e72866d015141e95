"""Compressed data as a stream: gzip, xz, zstd, bzip2 and the bare deflate of zip, all read in the same way.

The classes of the standard library would do for most of it, but none of them says how much it took, and that of xz
cannot be told how much memory a dictionary may have.
"""
from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO

from kifu.pipeline.limits import DICTIONARY, FREE, RATIO, Unreadable, check_size, in_words, refusal

if TYPE_CHECKING:
    from typing import Protocol

    from _typeshed import WriteableBuffer

    class Decoder(Protocol):
        """What all of them are to us: the interface of `lzma.LZMADecompressor`."""

        @property
        def eof(self) -> bool: ...
        @property
        def needs_input(self) -> bool: ...
        @property
        def unused_data(self) -> bytes: ...
        def decompress(self, data: bytes, max_length: int) -> bytes: ...

MAGIC = ((b"\x1f\x8b\x08", "gzip"), (b"\xfd7zXZ\0", "xz"), (b"\x28\xb5\x2f\xfd", "zstd"), (b"BZh", "bzip2"))
CHUNK = 1 << 16  # compressed bytes that are read at once
BLOCK = 1 << 20  # bytes that are unpacked at once


def kind_of(head: bytes) -> str | None:
    """How data is compressed, by its first bytes.

    >>> kind_of(b"BZh91AY"), kind_of(b"V2.2\\n")
    ('bzip2', None)
    """
    return next((kind for magic, kind in MAGIC if head.startswith(magic)), None)


class Inflater:
    """zlib's decompressor behind the interface of the others; ``window`` as `zlib.decompressobj` takes it."""

    def __init__(self, window: int) -> None:
        import zlib

        self._inner = zlib.decompressobj(window)

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def needs_input(self) -> bool:
        return not self._inner.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self._inner.decompress(self._inner.unconsumed_tail + data, max_length)


def decoder(kind: str) -> Decoder:
    """A fresh decoder: ``gzip``, ``deflate`` (bare), ``bzip2``, ``xz`` or ``zstd``."""
    if kind in ("gzip", "deflate"):
        return Inflater(31 if kind == "gzip" else -15)
    if kind == "bzip2":
        import bz2

        return bz2.BZ2Decompressor()
    if kind == "xz":
        import lzma

        return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=DICTIONARY + (1 << 24))
    assert kind == "zstd", kind
    try:
        from compression.zstd import ZstdDecompressor  # the standard library has it from 3.14 on
    except ImportError:
        from backports.zstd import ZstdDecompressor
    found: Decoder = ZstdDecompressor()  # refuses dictionaries beyond 128 MiB by itself
    return found


class Unpacked(io.RawIOBase):
    """What compressed data unpacks to, from front to back; ``taken`` is how many compressed bytes that took so far.

    Several streams one behind the other are one, as for the programs that write them. Raises EOFError where the data
    ends too early, and whatever the decoder raises where it is damaged.
    """

    def __init__(self, file: BinaryIO, kind: str) -> None:
        self.file, self.kind = file, kind
        self.taken = 0
        self._decoder = decoder(kind)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer).cast("B")
        while True:
            if self._decoder.eof:
                block = self._next_stream()
                if not block:
                    return 0
                self._decoder = decoder(self.kind)
                data = self._decoder.decompress(block, len(view))
            else:
                block = self._more() if self._decoder.needs_input else b""
                data = self._decoder.decompress(block, len(view))
                if not (data or block or self._decoder.eof):
                    raise EOFError
            if data:
                view[:len(data)] = data
                return len(data)

    def _more(self) -> bytes:
        block = self.file.read(CHUNK)
        self.taken += len(block)
        return block

    def _next_stream(self) -> bytes:
        """The beginning of the stream behind this one; zeros behind the last are padding."""
        block = self._decoder.unused_data.lstrip(b"\0")
        while not block:
            block = self._more()
            if not block:
                return b""
            block = block.lstrip(b"\0")
        block += self._more() if len(block) < 8 else b""
        if kind_of(block) != self.kind:
            raise ValueError(f"something that is no {self.kind} stands behind it")
        return block


def whole(file: BinaryIO, kind: str) -> bytes:
    """All that compressed data unpacks to. Raises `Unreadable`."""
    with told():
        stream = Unpacked(file, kind)
        blocks: list[bytes] = []
        size = 0
        while block := stream.read(BLOCK):
            blocks.append(block)
            size += len(block)
            check_size(size)
            if size > FREE and size > RATIO * stream.taken:
                raise refusal("too-large", what=f"what {in_words(stream.taken)} unpack to",
                              limit=f"{RATIO} times that")
        return b"".join(blocks)


def one_shot(data: bytes, kind: str, size: int) -> bytes:
    """What one compressed stream unpacks to, which is to be ``size`` bytes. Raises as the decoder does, or EOFError."""
    unpacker = decoder(kind)
    found = unpacker.decompress(data, size + 1)
    if len(found) == size and not unpacker.eof:  # the last bytes of the stream, behind the last of the data
        found += unpacker.decompress(b"", 1)
    if len(found) != size:
        raise EOFError if len(found) < size else ValueError("it is longer than it says")
    return found


@contextmanager
def told(words: Callable[[Exception], str] | None = None) -> Iterator[None]:
    """Whatever damaged data makes a library raise becomes `Unreadable`; errors of the system stay what they are.

    Libraries that unpack raise nearly anything on data that somebody made to hurt them, so nothing is left out.
    """
    try:
        yield
    except Unreadable:
        raise
    except Exception as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise refusal("unreadable-file", why=(words or damage)(error)) from error


def damage(error: Exception) -> str:
    """What an error of a library says about the data.

    >>> damage(EOFError()), damage(ValueError("bad block"))
    ('it is cut short', 'it is damaged (bad block)')
    """
    if isinstance(error, EOFError):
        return "it is cut short"
    if isinstance(error, ModuleNotFoundError):
        return f"it needs the Python package {error.name}, which is not installed"
    if isinstance(error, MemoryError):
        return "there is not enough memory for it"
    return f"it is damaged ({str(error) or type(error).__name__})"
