"""``kifu check --resume FILE``: which files are done, and what they add to the summary, so that a check can go on.

The checkpoint is a journal, one line of JSON a file, written behind the findings of that file. Nothing in it is ever
changed, so that whatever interrupts the program costs at most the files since the last line that is whole. A file
counts as done as long as its size and its time of change are those in its line. What a check goes on with takes sixteen
bytes of memory for each file that is done.
"""
from __future__ import annotations

import json
import os
import time
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, BinaryIO

from kifu.cli.render import json_line

if TYPE_CHECKING:
    from kifu.cli.statistics import Tally

    from kifu.pipeline import Source

VERSION = 1
#: Lines are written so many files, or so many seconds, after those before them.
FILES, SECONDS = 256, 1.0


class CheckpointError(Exception):
    """A checkpoint that is none, or one of another check."""


class Checkpoint:
    """The journal of a check. ``asked`` is all that findings depend on besides the files: a check with something else
    cannot go on with it.
    """

    def __init__(self, path: str, asked: dict[str, Any]) -> None:
        self.path = path
        self.skipped = 0
        self._begun = time.time_ns()
        self._keys = array("Q")
        self._places = array("Q")
        self._pending: list[str] = []
        self._next = 0.0
        head = json_line({"kifu check": VERSION, **asked}) + "\n"
        try:
            self._file: BinaryIO = open(path, "r+b")  # noqa: SIM115 - closed in close
            self._read(head)
        except FileNotFoundError:
            self._file = open(path, "x+b")  # noqa: SIM115
            self._file.write(head.encode("utf-8"))

    def _read(self, head: str) -> None:
        """Index the lines, and cut off what was not written to its end."""
        first = self._file.readline()
        if first != head.encode("utf-8"):
            self._file.close()
            raise CheckpointError(f"{self.path}: {_refusal(first, head)}")
        found = []
        place = end = len(first)
        for line in self._file:
            if line.endswith(b"\n") and (row := _row(line)) is not None:
                found.append((_key(row["path"], row["member"], row["size"], row["changed"]), place))
                end = place + len(line)
            place += len(line)
        self._file.truncate(end)
        found.sort()
        self._keys.extend(key for key, _ in found)
        self._places.extend(place for _, place in found)

    def left(self, sources: Iterator[Source], tally: Tally,
             progress: Callable[[int, int], None] | None) -> Iterator[Source]:
        """The files that are not done; those that are go into the tally."""
        for source in sources:
            packed = self._done(source)
            if packed is None:
                yield source
                continue
            tally.add_packed(packed)
            self.skipped += 1
            if progress:
                progress(1, source.size)

    def _done(self, source: Source) -> dict[str, Any] | None:
        """What a file adds to the summary, where it is done."""
        if not self._keys or (stamp := _stamp(source)) is None:
            return None
        wanted = (os.path.abspath(source.path), source.member, *stamp)
        key = _key(*wanted)
        at = bisect_left(self._keys, key)
        while at < len(self._keys) and self._keys[at] == key:
            self._file.seek(self._places[at])
            row = _row(self._file.readline())
            if row is not None and (row["path"], row["member"], row["size"], row["changed"]) == wanted:
                return row
            at += 1
        return None

    def done(self, source: Source, tally: Tally) -> None:
        """A file is done, its findings are with standard output, and ``tally`` has what it adds to the summary."""
        stamp = _stamp(source)
        if stamp is None or stamp[1] >= self._begun:  # what changes while it is read is read again
            return
        self._pending.append(json_line({"path": os.path.abspath(source.path), "member": source.member,
                                        "size": stamp[0], "changed": stamp[1], **tally.packed()}))

    @property
    def due(self) -> bool:
        """Whether it is time to write."""
        return len(self._pending) >= FILES or bool(self._pending) and time.monotonic() >= self._next

    def write(self) -> None:
        """Write the lines of the files that are done; call it when standard output has their findings."""
        if self._pending:
            self._file.seek(0, os.SEEK_END)
            self._file.write("".join(f"{line}\n" for line in self._pending).encode("utf-8"))
            self._pending.clear()
        self._file.flush()
        self._next = time.monotonic() + SECONDS

    def close(self, finished: bool) -> None:
        """Leave the journal where it is, or remove it where there is nothing to go on with."""
        self.write()
        self._file.close()
        if finished:
            os.unlink(self.path)


def _stamp(source: Source) -> tuple[int, int] | None:
    """Size and time of the last change; None for what cannot be read again, such as standard input."""
    if source.path == "-":
        return None
    try:
        about = os.stat(source.path)
    except OSError:
        return None
    return about.st_size, about.st_mtime_ns


def _key(path: str, member: str | None, size: int, changed: int) -> int:
    """A number that hardly any two files share."""
    from hashlib import blake2b

    words = f"{path}\0{member}\0{size}\0{changed}".encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(words, digest_size=8).digest(), "big")


def _row(line: bytes) -> dict[str, Any] | None:
    """A line of the journal, None where it is none."""
    try:
        row = json.loads(line)
        return row if {"path", "member", "size", "changed", "verdicts", "kinds"} <= row.keys() else None
    except (ValueError, AttributeError):
        return None


def _refusal(first: bytes, head: str) -> str:
    """Why a check cannot go on with a file that begins with another line."""
    try:
        theirs, ours = json.loads(first), json.loads(head)
        if "kifu check" not in theirs:
            raise ValueError
    except (ValueError, TypeError):
        return "this is no checkpoint of kifu check; name a file that does not exist yet"
    other = ", ".join(key for key in {**ours, **theirs} if ours.get(key) != theirs.get(key))
    return f"this checkpoint is of a check with another {other}; ask as that one did, or remove it to begin anew"
