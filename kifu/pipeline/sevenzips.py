"""7z archives, by py7zr, unpacked into memory one solid block at a time."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import BinaryIO, NamedTuple

from py7zr.py7zr import ArchiveFile, SevenZipFile
from py7zr.exceptions import CrcError, PasswordRequired
from py7zr.io import Py7zIO, WriterFactory

from kifu.pipeline.compressed import damage
from kifu.pipeline.limits import DICTIONARY, MEMBER, Budget, Unreadable, check_size, in_words, refusal

#: Bytes of the members of one solid block that are kept at once.
KEPT = 2 * MEMBER
_LZMA, _LZMA2 = b"\x03\x01\x01", b"\x21"


class Listed(NamedTuple):
    """A member that is a file, or a link; ``data`` are its bytes, or why they cannot be had; None if not wanted."""

    name: str
    link: bool
    data: bytes | Unreadable | None = None


class _Kept(Py7zIO):
    """Takes what py7zr unpacks; ``complete`` when all of it came and its checksum is right."""

    def __init__(self) -> None:
        self.blocks: list[bytes] = []
        self.complete = False

    def write(self, s: bytes | bytearray) -> int:
        self.blocks.append(bytes(s))
        return len(s)

    def read(self, size: int | None = None) -> bytes:
        return b""

    def seek(self, offset: int, whence: int = 0) -> int:
        return 0

    def flush(self) -> None:
        pass

    def size(self) -> int:
        return sum(map(len, self.blocks))

    def close(self) -> None:
        self.complete = True


class _Keeper(WriterFactory):
    """Makes a `_Kept` for each member, by the name that `members` gave it."""

    def __init__(self) -> None:
        self.kept: dict[str, _Kept] = {}

    def create(self, filename: str) -> Py7zIO:
        kept = self.kept[filename] = _Kept()
        return kept


def members(file: BinaryIO, budget: Budget, wanted: Callable[[str], bool]) -> Iterator[Listed]:
    """The members in their order, those whose names are ``wanted`` with their bytes.

    Raises `Unreadable`, and whatever py7zr raises where the archive is damaged.
    """
    try:
        archive = SevenZipFile(file)
    except PasswordRequired:
        raise refusal("encrypted") from None
    files: list[tuple[str, ArchiveFile]] = []
    for info, one in zip(archive.header.files_info.files, archive.files, strict=True):
        budget.member()
        if not one.is_directory:
            files.append((one.filename, one))
        info["filename"] = str(one.id)  # py7zr takes names for paths, and refuses an archive that has a bad one
    for _, block in groupby(files, key=lambda one: id(one[1].folder)):
        yield from _of_block(archive, list(block), budget, wanted)


def _of_block(archive: SevenZipFile, files: list[tuple[str, ArchiveFile]], budget: Budget,
              wanted: Callable[[str], bool]) -> Iterator[Listed]:
    """The members of one solid block."""
    links = {one.id for _, one in files if one.is_symlink or one.is_junction}
    chosen = [one for name, one in files if one.id not in links and wanted(name)]
    data: dict[int, bytes | Unreadable] = {}
    if chosen:
        try:
            data = _unpacked(archive, [one for _, one in files], chosen, budget)
        except PasswordRequired:
            data = {one.id: refusal("encrypted") for one in chosen}
    for name, one in files:
        yield Listed(name, one.id in links, data.get(one.id))


def _unpacked(archive: SevenZipFile, files: list[ArchiveFile], chosen: list[ArchiveFile],
              budget: Budget) -> dict[int, bytes | Unreadable]:
    """What becomes of each member that was chosen. All that stands before it in its block is unpacked too."""
    if chosen[0].emptystream:
        return {one.id: b"" for one in chosen}
    _check_dictionary(chosen[0])
    found: dict[int, bytes | Unreadable] = {}
    size = 0
    for one in chosen:
        try:
            check_size(one.uncompressed)
            if size + one.uncompressed > KEPT:
                raise refusal("too-large", what="what one solid block holds", limit=in_words(KEPT))
            size += one.uncompressed
        except Unreadable as error:
            found[one.id] = error
    targets = {str(one.id) for one in chosen if one.id not in found}
    if not targets:
        return found
    last = max(number for number, one in enumerate(files) if str(one.id) in targets)
    budget.spend(sum(one.uncompressed for one in files[:last + 1]))
    keeper = _Keeper()
    why = "it is damaged"
    try:
        archive.extract(targets=targets, factory=keeper)
    except PasswordRequired:
        raise
    except Exception as error:  # see `kifu.pipeline.compressed.told`
        why = "its checksum is wrong" if isinstance(error, CrcError) else damage(error)
    for name in targets:
        kept = keeper.kept.get(name)
        found[int(name)] = (b"".join(kept.blocks) if kept is not None and kept.complete
                            else refusal("unreadable-file", why=why))
    return found


def _check_dictionary(member: ArchiveFile) -> None:
    """Refuse a block whose dictionary alone would fill the memory."""
    for coder in member.folder.coders:
        method, properties = coder["method"], coder.get("properties") or b""
        size = 0
        if method == _LZMA2 and properties:
            size = (2 | properties[0] & 1) << (properties[0] // 2 + 11)
        elif method == _LZMA and len(properties) == 5:
            size = int.from_bytes(properties[1:], "little")
        if size > DICTIONARY:
            raise refusal("too-large", what="the dictionary of the compressor", limit=in_words(DICTIONARY))
