"""Archives to sources: which of their members are games, where the bytes of each are, and what is wrong with others.

Members are chosen by their names as files are in a folder. Nothing is written to disk, links are not followed, and a
name is never used as a path. The members of a zip file are read by whoever works on them, since each can be gone to;
tar and 7z archives can only be read from front to back, which is done here, and their members travel as bytes.

An archive in an archive is read as well, one in that one is not. What cannot be read becomes a source all the same,
whose content is the finding that says why.
"""
from __future__ import annotations

import io
import os
from collections.abc import Iterator
from typing import BinaryIO, cast

from kifu.diagnostics import Diagnostic
from kifu.pipeline.compressed import Unpacked, kind_of, told, whole
from kifu.pipeline.limits import DEPTH, MEMBER, Budget, Exhausted, Unreadable, check_size, refusal
from kifu.pipeline.names import Unique, shown
from kifu.pipeline.sources import SUFFIXES, Problem, Source, is_compressed, is_container, reason, suffix_of
from kifu.pipeline.streams import HEAD, kind
from kifu.pipeline.zips import Packed


def members(path: str, root: str, problems: list[Problem], contents: bool = True) -> Iterator[Source]:
    """The games of an archive on disk; ``root`` is the folder in whose search it was found, if it was.

    Without ``contents`` names are all that is wanted: the sources cannot be read then. `Problem`s are told of links,
    and of an archive without any game that was named itself.
    """
    try:
        with open(path, "rb") as file:
            archive = _Archive(path, root, problems, contents, os.fstat(file.fileno()).st_size)
            yield from archive.all(file)
    except OSError as error:
        yield Source(path, 0, root, content=finding_of(error))


def of_bytes(path: str, data: bytes, problems: list[Problem], contents: bool = True) -> Iterator[Source]:
    """The same of an archive in memory, or of compressed data."""
    yield from _Archive(path, "", problems, contents, len(data)).all(io.BytesIO(data), on_disk=False)


def contents(source: Source) -> bytes:
    """The bytes of a member, or of a compressed file. Raises OSError, which is `Unreadable` where it is their fault."""
    content = source.content
    if isinstance(content, bytes):
        return content
    if isinstance(content, Diagnostic):
        raise Unreadable(content)
    with open(source.path, "rb", buffering=0) as file, told():
        if content is not None:
            from kifu.pipeline import zips

            return zips.read(file, content)
        head = file.read(HEAD)
        file.seek(0)
        return _expanded(cast("BinaryIO", file), head)


def finding_of(error: OSError) -> Diagnostic:
    """Why bytes could not be had, as a finding."""
    return (error if isinstance(error, Unreadable) else refusal("unreadable-file", why=reason(error))).finding


class _Archive:
    """The walk through one archive and those in it, which share names and budget."""

    def __init__(self, path: str, root: str, problems: list[Problem], contents: bool, size: int) -> None:
        self.path, self.root, self.problems, self.contents = path, root, problems, contents
        self.budget = Budget(size)
        self.unique = Unique()

    def all(self, file: BinaryIO, on_disk: bool = True) -> Iterator[Source]:
        """All that is in the archive, or what is said of one that holds nothing."""
        count = len(self.problems)
        source = None
        for source in self._walk(file, self.path, "", 1, on_disk):
            yield source
        if source is None and not self.root and len(self.problems) == count:
            self.problems.append(Problem(self.path, f"{self.path}: there are no game files in this archive"))

    def _walk(self, file: BinaryIO, name: str, within: str, depth: int, on_disk: bool = False) -> Iterator[Source]:
        """The games of an archive that is called ``name``; ``within`` is its own place in another one, and a slash."""
        try:
            with told():
                head = file.read(HEAD)
                file.seek(0)
                found = kind(head) or _kind_by_name(name)
                if found == "zip":
                    yield from self._zip(file, within, depth, on_disk)
                elif found == "7z":
                    yield from self._seven_zip(file, within, depth)
                elif found == "tar":
                    yield from self._tar(file, within, depth)
                elif found is None:
                    raise refusal("unreadable-file", why="it is no archive of a kind that can be read")
                elif _kind_by_name(name) == "tar" or kind(_beginning(file, found)) == "tar":
                    file.seek(0)
                    yield from self._tar(cast("BinaryIO", Unpacked(file, found)), within, depth)
                else:
                    file.seek(0)
                    yield self._source(within[:-1] or None, whole(file, found))
        except OSError as error:
            yield self._source(within[:-1] or None, finding_of(error))

    def _zip(self, file: BinaryIO, within: str, depth: int, on_disk: bool) -> Iterator[Source]:
        from kifu.pipeline import zips

        for member in zips.directory(file):
            self.budget.member()
            if not self._is_wanted(within + member.name, "a link" if member.link else ""):
                continue
            where = member.where
            name = self.unique(within + member.name)
            if where.size <= MEMBER:
                self.budget.spend(where.size)
            if _is_game(name) and (not self.contents or on_disk and not is_compressed(name)):
                yield self._source(name, where, where.packed)
                continue
            try:
                with told():
                    data = zips.read(file, where)
            except Unreadable as error:
                yield self._source(name, error.finding)
                continue
            yield from self._read(name, data, depth)

    def _tar(self, file: BinaryIO, within: str, depth: int) -> Iterator[Source]:
        from kifu.pipeline import tars

        archive = tars.Tar(file, self.budget)
        for member in archive:
            self.budget.member()
            if member.isdir() or not self._is_wanted(within + tars.name_of(member), tars.special(member)):
                continue
            name = self.unique(within + tars.name_of(member))
            if _is_game(name) and not self.contents:
                yield self._source(name, b"")
                continue
            try:
                check_size(member.size)
            except Unreadable as error:
                yield self._source(name, error.finding)
                continue
            try:
                with told():
                    data = archive.data(member)
            except Exhausted:
                raise
            except Unreadable as error:  # nothing behind it can be had either
                yield self._source(name, error.finding)
                return
            yield from self._read(name, data, depth)

    def _seven_zip(self, file: BinaryIO, within: str, depth: int) -> Iterator[Source]:
        from kifu.pipeline import sevenzips

        def to_read(name: str) -> bool:
            return self.contents and _is_game(name) or is_container(name)

        for member in sevenzips.members(file, self.budget, to_read):
            if not self._is_wanted(within + member.name, "a link" if member.link else ""):
                continue
            name = self.unique(within + member.name)
            if isinstance(member.data, bytes):
                yield from self._read(name, member.data, depth)
            else:
                yield self._source(name, member.data.finding if member.data is not None else b"")

    def _read(self, name: str, data: bytes, depth: int) -> Iterator[Source]:
        """A member whose bytes have been read: a game, a compressed game, or an archive."""
        if is_container(name):
            if depth < DEPTH:
                yield from self._walk(io.BytesIO(data), name, f"{name}/", depth + 1)
            else:
                yield self._source(name, refusal("nested-archive").finding)
            return
        if is_compressed(name) and self.contents:
            try:
                data = _expanded(io.BytesIO(data), data[:HEAD])
            except Unreadable as error:
                yield self._source(name, error.finding)
                return
            self.budget.spend(len(data))
        yield self._source(name, data, len(data))

    def _is_wanted(self, name: str, special: str) -> bool:
        """Whether a member is to be read: by its name, and by what it is if it is no file."""
        if name.rpartition("/")[2].startswith("._") or not (_is_game(name) or is_container(name)):
            return False  # the first are what macOS keeps beside a file
        if special:
            where = f"{self.path}/{shown(name)}"
            self.problems.append(Problem(where, f"{where}: {special}, which is not followed", named=False))
        return not special

    def _source(self, member: str | None, content: bytes | Packed | Diagnostic, size: int = 0) -> Source:
        return Source(self.path, size, self.root, None, member, content)


def _is_game(name: str) -> bool:
    return suffix_of(name) in SUFFIXES


def _kind_by_name(name: str) -> str | None:
    """What a container is by its name, where its first bytes do not say it."""
    lower = name.lower()
    if lower.endswith((".zip", ".7z")):
        return lower.rpartition(".")[2]
    return "tar" if is_container(name) else None


def _beginning(file: BinaryIO, found: str) -> bytes:
    """The first bytes of what compressed data unpacks to."""
    stream = Unpacked(file, found)
    data = b""
    while len(data) < HEAD and (block := stream.read(HEAD - len(data))):
        data += block
    return data


def _expanded(file: BinaryIO, head: bytes) -> bytes:
    """What a single compressed file unpacks to."""
    found = kind_of(head)
    if found is None:
        raise refusal("unreadable-file", why="it is not compressed in a way that its name tells")
    return whole(file, found)
