"""Zip archives: what members there are, and the bytes of one of them.

`zipfile` keeps the whole directory in memory and wants it read again in every process; a collection has a hundred
thousand members. Here the directory is read as a stream, and a member is a place in the file that any process can go
to. The format: PKWARE's APPNOTE.TXT 6.3, sections 4.3 (structures), 4.4 (fields), 4.5.3 (zip64).
"""
from __future__ import annotations

import os
import stat
import struct
import zlib
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from kifu.pipeline.compressed import one_shot
from kifu.pipeline.limits import check_size, refusal
from kifu.pipeline.names import decoded

_LOCAL = b"PK\x03\x04"
_END, _END_SIZE = b"PK\x05\x06", 22
_END64, _LOCATOR, _LOCATOR_SIZE = b"PK\x06\x06", b"PK\x06\x07", 20
_ENTRY = struct.Struct("<4s4B4HL2L5H2L")
_LOCAL_SIZE = 30
_ENCRYPTED, _UTF8 = 0x1, 0x800  # bits of the flags
_UNIX = (3, 19)  # systems whose file modes stand in the attributes: Unix, macOS
_METHODS = {8: "deflate", 12: "bzip2", 93: "zstd", 95: "xz"}
_NAMED = {1: "Shrunk", 6: "Imploded", 9: "Deflate64", 14: "LZMA", 98: "PPMd"}


class Packed(NamedTuple):
    """Where a member stands in its archive, and what its directory says of it. Sizes in bytes."""

    offset: int
    packed: int
    size: int
    method: int
    checksum: int
    encrypted: bool


class Listed(NamedTuple):
    """One line of the directory."""

    name: str
    link: bool
    where: Packed


def directory(file: BinaryIO) -> Iterator[Listed]:
    """The members that are files, in the order of the directory. Raises ValueError, EOFError and `struct.error`."""
    start, size, moved = _find_directory(file)
    end = start + size
    while start < end:
        file.seek(start)  # others may have been elsewhere
        entry = _exactly(file, _ENTRY.size)
        (magic, _, system, _, _, flags, method, _, _, checksum, packed, full, name_size, extra_size, comment_size, _, _,
         attributes, offset) = _ENTRY.unpack(entry)
        if magic != b"PK\x01\x02":
            raise ValueError("its directory is broken")
        raw = _exactly(file, name_size)
        extra = _exactly(file, extra_size)
        start += _ENTRY.size + name_size + extra_size + comment_size
        if 0xFFFFFFFF in (packed, full, offset):
            full, packed, offset = _long(extra, full, packed, offset)
        if raw.endswith((b"/", b"\\")):
            continue
        link = system in _UNIX and stat.S_ISLNK(attributes >> 16)
        where = Packed(offset + moved, packed, full, method, checksum, bool(flags & _ENCRYPTED))
        yield Listed(_name(raw, extra, bool(flags & _UTF8)), link, where)


def read(file: BinaryIO, member: Packed) -> bytes:
    """The bytes of a member. Raises `Unreadable` where it may not be read, else as `directory` does."""
    check_size(member.size)
    if member.encrypted:
        raise refusal("encrypted")
    if member.method not in (0, *_METHODS):
        name = _NAMED.get(member.method, "unknown")
        raise refusal("unreadable-file", why=f"its method of compression ({member.method}, {name}) is not supported")
    if member.packed > member.size + (member.size >> 3) + 1024:
        raise ValueError("more is packed than it unpacks to")
    file.seek(member.offset)
    local = _exactly(file, _LOCAL_SIZE)
    if local[:4] != _LOCAL:
        raise ValueError("it is not where the directory says")
    file.seek(sum(struct.unpack_from("<2H", local, 26)), os.SEEK_CUR)
    data = _exactly(file, member.packed)
    if member.method:
        data = one_shot(data, _METHODS[member.method], member.size)
    if len(data) != member.size or zlib.crc32(data) != member.checksum:
        raise ValueError("its checksum is wrong")
    return data


def _find_directory(file: BinaryIO) -> tuple[int, int, int]:
    """Where the directory starts, its size, and how many bytes stand before the archive: all it says is off by them."""
    file.seek(0, os.SEEK_END)
    length = file.tell()
    start = max(0, length - _END_SIZE - 0xFFFF)
    file.seek(start)
    tail = file.read(length - start)
    place = tail.rfind(_END)
    while place >= 0 and (len(tail) - place < _END_SIZE
                          or place + _END_SIZE + int.from_bytes(tail[place + 20:place + 22], "little") > len(tail)):
        place = tail.rfind(_END, 0, place)
    if place < 0:
        raise ValueError("it is no zip archive, or its end is missing")
    size, offset = struct.unpack_from("<2L", tail, place + 12)
    end = start + place
    locator = tail[max(0, place - _LOCATOR_SIZE):place]
    if locator[:4] == _LOCATOR:
        file.seek(struct.unpack_from("<Q", locator, 8)[0])
        record = file.read(56)
        if record[:4] != _END64:  # something stands before the archive
            file.seek(max(0, end - _LOCATOR_SIZE - 56))
            record = file.read(56)
        if len(record) < 56 or record[:4] != _END64:
            raise ValueError("its directory is broken")
        size, offset = struct.unpack_from("<2Q", record, 40)
        end = file.tell() - 56
    moved = end - size - offset
    if moved < 0:
        raise ValueError("its directory is broken")
    return offset + moved, size, moved


def _long(extra: bytes, full: int, packed: int, offset: int) -> tuple[int, int, int]:
    """Sizes and offset where one of them needs more than four bytes: then it stands in the extra field 0x0001."""
    values = iter(struct.unpack(f"<{len(field) // 8}Q", field[:len(field) // 8 * 8])
                  if (field := _extra(extra, 0x0001)) else ())
    found = [next(values, value) if value == 0xFFFFFFFF else value for value in (full, packed, offset)]
    return found[0], found[1], found[2]


def _extra(extra: bytes, wanted: int) -> bytes:
    """The extra field of a number; empty where there is none."""
    place = 0
    while place + 4 <= len(extra):
        number, size = struct.unpack_from("<2H", extra, place)
        if number == wanted:
            return extra[place + 4:place + 4 + size]
        place += 4 + size
    return b""


def _name(raw: bytes, extra: bytes, utf8: bool) -> str:
    """The name by Info-ZIP's field for Unicode (0x7075), where there is one for this name; else by its bytes."""
    if not raw.isascii() and not utf8:
        field = _extra(extra, 0x7075)
        if len(field) > 5 and int.from_bytes(field[1:5], "little") == zlib.crc32(raw):
            raw = field[5:]
    name = decoded(raw)
    return name if "/" in name else name.replace("\\", "/")  # some programs of Windows write it so


def _exactly(file: BinaryIO, size: int) -> bytes:
    data = file.read(size)
    if len(data) < size:
        raise EOFError
    return data
