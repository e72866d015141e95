"""Tar archives as streams: the members in their order, each read while the archive passes by."""
from __future__ import annotations

import tarfile
from collections.abc import Iterator
from typing import BinaryIO, cast

from kifu.pipeline.compressed import BLOCK
from kifu.pipeline.limits import Budget, refusal
from kifu.pipeline.names import decoded

#: Bytes of a header; those that hold long names are larger than others, but not by much.
_HEADER = 1 << 22


class Forward:
    """A stream that can only go forward, with the methods that `tarfile` asks of a file.

    All that passes is spent from the budget. A single read is bounded, so that a header which says that it is as large
    as the memory is refused instead of read.
    """

    def __init__(self, file: BinaryIO, budget: Budget) -> None:
        self.file, self.budget = file, budget
        self.position = 0
        self.last = b""  # what was read last

    def tell(self) -> int:
        return self.position

    def read(self, size: int) -> bytes:
        if size > _HEADER:
            raise refusal("too-large", what="a header of the archive", limit="4 MiB")
        data = b""
        while len(data) < size and (block := self.file.read(size - len(data))):
            data = data + block if data else block
        self.position += len(data)
        self.last = data
        self.budget.spend(len(data))
        return data

    def seek(self, position: int) -> None:
        if position < self.position:
            raise tarfile.ReadError("an offset points backwards")
        while self.position < position and self.read(min(BLOCK, position - self.position)):
            pass


class Tar:
    """The members of a tar archive, one after the other; `data` reads the one that came last."""

    def __init__(self, file: BinaryIO, budget: Budget) -> None:
        self._stream = Forward(file, budget)
        # fileobj is asked for tell, seek and read alone
        self._tar = tarfile.TarFile(fileobj=cast("BinaryIO", self._stream), encoding="utf-8",
                                    errors="surrogateescape")

    def __iter__(self) -> Iterator[tarfile.TarInfo]:
        while (member := self._tar.next()) is not None:
            yield member
            self._tar.members.clear()  # type: ignore[attr-defined]  # it would keep all of them
        if self._stream.last.strip(b"\0"):  # tarfile takes a broken header for the end
            raise tarfile.ReadError("a header is broken")

    def data(self, member: tarfile.TarInfo) -> bytes:
        """The bytes of a file; raises EOFError where the archive ends before they do."""
        stream = self._tar.extractfile(member)
        assert stream is not None
        blocks = []
        while block := stream.read(BLOCK):
            blocks.append(block)
        data = b"".join(blocks)
        if len(data) != member.size:
            raise EOFError
        return data


def name_of(member: tarfile.TarInfo) -> str:
    """The name, which tar writes in whatever encoding the system had."""
    return decoded(member.name.encode("utf-8", "surrogateescape"))


def special(member: tarfile.TarInfo) -> str:
    """What a member is that is no file; empty for a file."""
    if member.issym() or member.islnk():
        return "a link"
    return "" if member.isreg() else "a device"
