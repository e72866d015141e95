"""Archives for the tests, made in memory: every kind, and what nobody should send."""
from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import zipfile
from collections.abc import Callable, Mapping

Files = Mapping[str, bytes]


def zstd(data: bytes) -> bytes:
    """Compressed by whatever knows zstd in this Python."""
    try:
        from compression.zstd import compress
    except ImportError:
        from backports.zstd import compress
    return bytes(compress(data))


COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress, ".xz": lzma.compress, ".bz2": bz2.compress, ".zst": zstd}


def zipped(files: Files, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip archive."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def tarred(files: Files, *others: tarfile.TarInfo, suffix: str = "") -> bytes:
    """A tar archive, compressed as ``suffix`` says; ``others`` are members without data."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for member in others:
            archive.addfile(member)
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return COMPRESS[suffix](out.getvalue()) if suffix else out.getvalue()


def seven_zipped(files: Files, password: str | None = None, filters: list[dict[str, int]] | None = None) -> bytes:
    """A 7z archive of one solid block."""
    from unittest.mock import patch

    import py7zr

    out = io.BytesIO()
    # it writes no bad names, but others do
    with patch("py7zr.py7zr.check_archive_path", bool), patch.object(
            py7zr.SevenZipFile, "_sanitize_archive_arcname", staticmethod(str)), py7zr.SevenZipFile(out, "w", password=password, filters=filters) as archive:
        for name, data in files.items():
            archive.writestr(data, name)
    return out.getvalue()


KINDS: dict[str, Callable[[Files], bytes]] = {
    "a.zip": zipped, "a.7z": seven_zipped, "a.tar": tarred,
    **{f"a{end}": lambda files, suffix=suffix: tarred(files, suffix=suffix)  # type: ignore[misc]
       for end, suffix in ((".tar.gz", ".gz"), (".tgz", ".gz"), (".tar.xz", ".xz"), (".txz", ".xz"), (".tar.bz2", ".bz2"),
                           (".tbz2", ".bz2"), (".tar.zst", ".zst"), (".tzst", ".zst"))},
}


def entry(data: bytes, number: int) -> int:
    """Where a line of a zip archive's directory begins."""
    place = -1
    for _ in range(number + 1):
        place = data.index(b"PK\x01\x02", place + 1)
    return place


def patched(data: bytes, place: int, form: str, *values: int) -> bytes:
    """Bytes with numbers written over them."""
    out = bytearray(data)
    struct.pack_into(f"<{form}", out, place, *values)
    return bytes(out)


def overlapping(content: bytes, count: int) -> bytes:
    """A zip archive whose members are all the same bytes: a bomb without nesting."""
    one = zipped({"00000.csa": content})
    start = entry(one, 0)
    end = one.index(b"PK\x05\x06")
    line = one[start:end]
    directory = b"".join(line[:46] + b"%05d" % number + line[51:] for number in range(count))
    closing = patched(one[end:], 8, "HHLL", count & 0xFFFF, count & 0xFFFF, len(directory), start)
    return one[:start] + directory + closing
