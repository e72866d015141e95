"""What runs in Spark's Python workers: bytes to rows, games to positions. Generators over Arrow batches, nothing else.

They hold no state of the driver but their options, so that Spark can pickle them, and run a task again that was lost.
"""
from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kifu.knowledge import PatternFile
    from kifu.pipeline import Options

Batches = Iterator[Any]


def apart(paths: Iterable[str], is_file: Callable[[str], bool]) -> tuple[list[str], list[str]]:
    """Places that are searched for records, and files that were named, which are read whatever they are called.

    >>> apart(["games", "game.dat", "s3a://records/*"], lambda path: path.endswith(".dat"))
    (['games', 's3a://records/*'], ['game.dat'])
    """
    searched: list[str] = []
    named: list[str] = []
    for path in dict.fromkeys(paths):
        (named if is_file(path) else searched).append(path)
    return searched, named


def to_rows(options: Options, patterns: tuple[PatternFile, ...] = (),
            searched: bool = True) -> Callable[[Batches], Batches]:
    """The task that proves games: batches of ``path`` and ``content`` to batches of `kifu.store.core.SCHEMA`.

    Of files that were ``searched`` for, those that hold no record at all are passed over.
    """

    def task(batches: Batches) -> Batches:
        from kifu.pipeline.rows import parse_batches

        return parse_batches(unpacked(batches), options, patterns, searched)

    return task


def unpacked(batches: Batches) -> Batches:
    """The files of batches; in the place of archives and compressed files what is in them."""
    import pyarrow as pa

    for batch in batches:
        names, contents = batch.column("path"), batch.column("content")
        for index in range(batch.num_rows):
            for path, content in files(plain(names[index].as_py()), contents[index]):
                yield pa.record_batch({"path": pa.array([path], pa.string()),
                                       "content": pa.array([content], pa.large_binary())})


def files(path: str, content: Any) -> Iterator[tuple[str, Any]]:
    """The path and content of a file; of an archive those of its members, as the local loader names them."""
    from kifu.pipeline import Problem, find, read_bytes
    from kifu.pipeline.sources import is_compressed, is_container

    if not (is_container(path) or is_compressed(path)):
        yield path, content.as_py()
        return
    with tempfile.TemporaryDirectory(prefix="kifu-") as folder:
        place = Path(folder) / Path(path).name
        place.write_bytes(content.as_py())
        problems: list[Problem] = []
        for source in find([str(place)], problems):
            name = path if source.member is None else f"{path}/{source.member}"
            try:
                yield name, read_bytes(source)
            except OSError:
                yield name, None
        if problems:
            yield path, None


def plain(path: str) -> str:
    """A path of the local file system without the scheme that Hadoop gives it; others stay as they are.

    >>> plain("file:/data/a b.csa"), plain("s3a://records/a.csa")
    ('/data/a b.csa', 's3a://records/a.csa')
    """
    if not path.startswith("file:"):
        return path
    rest = path[len("file:"):]
    return rest[2:] if rest.startswith("///") else rest


def to_positions(batches: Batches) -> Batches:
    """Games with ``game_id``, ``plies``, ``moves`` and ``keys`` to rows of ``plies``, with the key after each move."""
    import pyarrow as pa
    import pyarrow.compute as pc

    from kifu.store import arrow

    for batch in batches:
        if not batch.num_rows:
            continue
        found = arrow.plies_table(pa.table(batch))
        keys, plies = found.column("key").combine_chunks(), found.column("ply").combine_chunks()
        # the next row belongs to the same game unless a game begins with it
        after = pa.concat_arrays([keys.slice(1), pa.array([None], pa.int64())])
        begins = pa.concat_arrays([pc.equal(plies.slice(1), 0), pa.array([True])])
        yield pa.record_batch({
            "key": keys, "move": found.column("move").combine_chunks().cast(pa.int64()),
            "game_id": found.column("game_id").combine_chunks(), "ply": plies,
            "next_key": pc.if_else(begins, pa.scalar(None, pa.int64()), after),
        })


POSITIONS = "key long, move long, game_id int, ply int, next_key long"
