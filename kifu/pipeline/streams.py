"""What a stream is by its first bytes; and standard input, which can be read once but is looked at more often."""
from __future__ import annotations

import sys
from typing import BinaryIO

from kifu.pipeline.compressed import kind_of

HEAD = 512  # bytes that tell an archive of any kind
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_SEVEN_ZIP = b"7z\xbc\xaf\x27\x1c"
_TAR, _TAR_AT = b"ustar", 257

_kept: tuple[BinaryIO, bytes] | None = None  # the stream, and all that it gave


def kind(head: bytes) -> str | None:
    """What kind of archive begins like this (``zip``, ``7z``, ``tar`` or a way to compress); None where it is none.

    >>> kind(b"PK\\3\\4..."), kind(b"\\x1f\\x8b\\x08"), kind(b"V2.2\\n")
    ('zip', 'gzip', None)
    """
    if head.startswith(_ZIP):
        return "zip"
    if head.startswith(_SEVEN_ZIP):
        return "7z"
    if head.startswith(_TAR, _TAR_AT):
        return "tar"
    return kind_of(head)


def look() -> bytes:
    """All of standard input, which stays there to be looked at or taken again. Raises OSError."""
    global _kept
    if sys.stdin is None:
        raise OSError("standard input is closed")
    stream = sys.stdin.buffer
    if _kept is None or _kept[0] is not stream:
        _kept = stream, stream.read()
    return _kept[1]


def take() -> bytes:
    """All of standard input. Nobody keeps it any longer."""
    global _kept
    data = look()
    _kept = None
    return data
