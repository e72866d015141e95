# cython: language_level=3, annotation_typing=False
"""From bytes to rows: the loader's core, whatever runs it.

`parse_batches` takes Arrow batches of (path, content) and gives Arrow batches of rows (`kifu.store.core.SCHEMA`): a
function that Apache Spark (``mapInArrow``) or any other engine can run wherever the bytes are. `ToRows` is the task of
the local pool (`kifu.pipeline.run`), which reads the files itself, large ones in parts; `joined` puts what it gives
into batches for the loader.
"""
from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from kifu._tuples import NamedTuple
from kifu.pipeline.entries import Options, games, read_bytes, unreadable
from kifu.pipeline.parts import split
from kifu.pipeline.pool import Failure
from kifu.pipeline.sources import STDIN, Source
from kifu.store.rows import (
    LOADED, UNREAD, Flat, SourceInfo, escaped, file_reject, flat_game, flat_reject, game_row, reject_row)

if TYPE_CHECKING:
    import pyarrow as pa

    from kifu.knowledge import Matcher, PatternFile
    from kifu.pipeline.entries import Entry

#: Rows of one file that travel together.
AT_ONCE = 200
#: Rows of a batch that `parse_batches` gives, about.
BATCH_ROWS = 2000


class Rows(NamedTuple):
    """Some rows of one file, in its order: the ``first`` of it or of a part of it, the ``last`` of the file."""

    source: SourceInfo
    rows: list[Flat]
    first: bool
    last: bool


class ToRows(NamedTuple):
    """The task of a worker: a file, or a part of one, to the rows of its games."""

    options: Options
    patterns: tuple[PatternFile, ...] = ()

    def prepare(self) -> None:
        """Import what packing needs, numpy apart: pyarrow does without, in half the time."""
        import sys

        sys.modules.setdefault("numpy", None)  # type: ignore[arg-type]  # an import of it fails, which pyarrow expects
        import kifu.store.core  # noqa: F401

    def parts(self, source: Source) -> list[Source]:
        """The parts of a large file."""
        from hashlib import sha256

        return split(source, self.options, sha256)

    def __call__(self, source: Source) -> Iterator[Rows]:
        from hashlib import sha256

        from kifu.knowledge import matcher

        found: Iterator[Entry]
        if (part := source.part) is not None:
            digest, size = part.digest, part.size
            found = games(source, self.options, keys=True)
        else:
            try:
                data = read_bytes(source)
            except OSError as error:
                digest, size, found = UNREAD, 0, iter([unreadable(source, error)])
            else:
                digest, size = sha256(data).digest(), len(data)
                found = games(source, self.options, keys=True, data=data)
                del data  # a large file need not be kept twice
        info = SourceInfo(stored_path(source, digest), digest, size)
        return _rows(info, source, found, self.options.mode == "strict", matcher(self.patterns))

    def packed(self, pieces: Sequence[Rows]) -> bytes:
        """The rows of one or more files as one batch, in bytes that are cheap to send (`kifu.store.core.packed`)."""
        from kifu.store.core import Builder, packed

        builder = Builder()
        for piece in pieces:
            builder.add(*piece)
        return packed(builder.finish())


def parse_batches(batches: Iterable[pa.RecordBatch], options: Options | None = None,
                  patterns: tuple[PatternFile, ...] = (), searched: bool = False) -> Iterator[pa.RecordBatch]:
    """Batches with the columns ``path`` and ``content`` to batches of rows: the games in them proven, or refused.

    Paths are kept as they are; their suffixes help to tell notations. A content is the whole file (the record of an
    archive's member, never the archive); null stands for a file that could not be read, and becomes a reject.
    The rows of a file come in its order, and the last of them says so; whoever loads batches of several tasks takes
    those of one task in their order. Where the files were ``searched`` for, those that hold records less often than
    other things (``.txt``, ``.json``) give no rows when they hold none. No content raises an exception.
    """
    from hashlib import sha256

    from kifu.knowledge import matcher
    from kifu.store.core import Builder

    chosen = options or Options()
    found = matcher(patterns)
    builder = Builder()
    for batch in batches:
        names, contents = batch.column("path"), batch.column("content")
        for index in range(batch.num_rows):
            path, data = names[index].as_py(), contents[index].as_py()
            source = Source(path, len(data or b""), os.path.dirname(path) if searched else "")
            entries = games(source, chosen, keys=True, data=data) if data is not None else iter([_absent(source)])
            info = SourceInfo(path, UNREAD if data is None else sha256(data).digest(), len(data or b""))
            del data
            for piece in _rows(info, source, entries, chosen.mode == "strict", found):
                builder.add(*piece)
                if len(builder) >= BATCH_ROWS:
                    yield builder.finish()
    if len(builder):
        yield builder.finish()


def joined(results: Iterable[tuple[Source, Any]]) -> Iterator[pa.RecordBatch | Failure]:
    """What the pool made of `ToRows`, as batches; files whose parts were read apart have their games numbered through.

    A file of which a part failed never gives its last row as such: it counts as not loaded, and is read again.
    """
    from kifu.store import arrow, core

    previous: Source | None = None
    count = before = 0  # games of the file, and those before the part
    failed = False
    for source, result in results:
        if source is not previous:
            previous, count, before, failed = source, 0, 0, False
        if isinstance(result, Failure):
            failed = True
            yield result
            continue
        batch = core.unpacked(result)
        if arrow.begins(batch):
            before = count
        count += arrow.games_and_rejects(batch)
        if before:
            batch = arrow.renumbered(batch, before)
        yield arrow.unfinished(batch) if failed else batch


def stored_path(source: Source, digest: bytes) -> str:
    """How a database knows a file: by its full path, so that it does not matter where a load was started.

    Standard input has no name, so what came through it is known by its content. See `kifu.store.rows.escaped` for
    names that are no text.
    """
    if source.path == STDIN:
        return f"-:{digest.hex()[:16]}"
    path = os.path.abspath(source.path)
    return escaped(path if source.member is None else f"{path}/{source.member}")


def _rows(info: SourceInfo, source: Source, found: Iterator[Entry], strict: bool,
          patterns: Matcher) -> Iterator[Rows]:
    """The entries of a file, or of a part of it, as rows; nothing at all for a file that is passed over."""
    part = source.part
    rows: list[Flat] = []
    first, any_entry = True, False
    for entry in found:
        if not any_entry:
            any_entry = True
            notation, encoding = (part or entry).notation, (part or entry.decoded).encoding
            info = info._replace(format=notation, encoding=encoding or None)
        if len(rows) >= AT_ONCE:
            yield Rows(info, rows, first, False)
            rows, first = [], False
        bad = entry.bad
        if entry.game is None:
            rows.append(flat_reject(file_reject(entry.findings[-1])))
        elif entry.verdict in LOADED and not (bad and strict):
            rows.append(flat_game(game_row(entry.game, entry.offset, patterns), entry.number, bad))
        else:
            rows.append(flat_reject(reject_row(entry.game, entry.offset)))
    if not any_entry and part is not None and part.last:  # nothing but blanks, but they end the file
        info, any_entry = info._replace(format=part.notation, encoding=part.encoding), True
    if any_entry:
        yield Rows(info, rows, first, part is None or part.last)


def _absent(source: Source) -> Entry:
    """The entry of a file whose content is missing."""
    return unreadable(source, OSError("it has no content"))
