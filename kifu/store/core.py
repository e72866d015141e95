"""The form in which rows travel from whoever reads games to whoever keeps them: Arrow batches, one flat row a game.

A row is a game that was proven, a reject, or nothing but the word that a file has come to its end. `SCHEMA` says what
it holds; every engine that runs the loader's core (`kifu.pipeline.rows.parse_batches`) gives this and takes this, so it
keeps to types that all of them have: no unsigned numbers, no UUIDs, no dictionaries.

    builder = Builder()
    builder.add(source, [flat_game(game_row(proven), 1), flat_reject(reject_row(refused))], last=True)
    batch = builder.finish()

The loader (`kifu.store.loader`) joins batches, gives ids and fills its tables; no Python object per game or ply is made
on the way.
"""
from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, chain
from typing import Any

import pyarrow as pa

from kifu.store import columns
from kifu.store.rows import ENDED, Comments, Flat, SourceInfo

#: Where a row comes from. ``path`` is how the database knows the file, ``sha256`` the digest of its bytes, ``size``
#: how many; ``format`` and ``encoding`` may be null.
SOURCE: dict[str, pa.DataType] = {
    "path": pa.string(), "sha256": pa.binary(), "size": pa.int64(), "format": pa.string(), "encoding": pa.string(),
}
#: What a row is. ``game_no`` counts the games of the file (of the part of it that was read, where it is read in parts),
#: null for a reject that is the whole file; ``first`` and ``last`` mark the first row of a file or part and the last of
#: the whole file; ``faulty`` a game that has an error and is loaded all the same.
PLACE: dict[str, pa.DataType] = {
    "kind": pa.string(), "game_no": pa.int32(), "first": pa.bool_(), "last": pa.bool_(), "faulty": pa.bool_(),
    "source_offset": pa.int64(),
}
#: The columns of ``games``, null in other rows; ``keys`` are the positions of ``plies``, one more than there are moves.
GAMES: dict[str, pa.DataType] = {
    "game_hash": pa.binary(), "variant": pa.string(), "handicap": pa.string(), "start_sfen": pa.string(),
    "black": pa.string(), "white": pa.string(), "black_rating": pa.int16(), "white_rating": pa.int16(),
    "event": pa.string(), "site": pa.string(), "date": pa.date32(), "date_precision": pa.string(),
    "time_control": pa.string(), "result": pa.int8(), "end": pa.string(), "verified_end": pa.string(),
    "verified_winner": pa.int8(), "illegal_move": pa.string(), "illegal_reason": pa.string(), "plies": pa.int32(),
    "moves": pa.binary(), "keys": pa.list_(pa.int64()),
    "tags": pa.list_(pa.struct({"side": pa.string(), "kind": pa.string(), "tag": pa.string(), "ply": pa.int32()})),
    "seconds": pa.list_(pa.int32()), "comments": pa.list_(pa.string()),
    "black_grade": pa.string(), "white_grade": pa.string(),
    "black_grade_rank": pa.int16(), "white_grade_rank": pa.int16(),
    "main_seconds": pa.int32(), "byoyomi_seconds": pa.int32(), "increment_seconds": pa.int32(),
    "evals": pa.list_(pa.int16()),
}
#: The columns of ``rejects`` that are not among the above, null in other rows.
REJECTS: dict[str, pa.DataType] = {
    "line": pa.int32(), "col": pa.int32(), "ply": pa.int32(), "code": pa.string(), "message": pa.string(),
    "text": pa.string(),
}
SCHEMA: pa.Schema = pa.schema({**SOURCE, **PLACE, **GAMES, **REJECTS})
#: No ply takes longer than a column of whole seconds can say (68 years).
_LONGEST = (1 << 31) - 1
_TAG = pa.struct({"side": pa.string(), "kind": pa.string(), "tag": pa.string(), "ply": pa.int32()})

class Builder:
    """Gathers flat rows and makes one batch of them."""

    def __init__(self) -> None:
        self._rows: list[Flat] = []

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self._rows)

    def add(self, source: SourceInfo, rows: Sequence[Flat], first: bool = True, last: bool = False) -> None:
        """Put rows of one file behind the others: the ``first`` ones of it, or of a part of it; the ``last`` of it.

        Without any, the word that the file ends stands as a row of its own.
        """
        if not rows:
            if not last:
                return
            rows = [ENDED]
        at = len(self._rows)
        self._rows += [source + row for row in rows]
        if first:
            self._mark(at, len(SOURCE) + 2)
        if last:
            self._mark(-1, len(SOURCE) + 3)

    def finish(self) -> pa.RecordBatch:
        """The rows as a batch, in their order; the builder is empty again.

        Raises a `pyarrow.lib.ArrowException`, TypeError or ValueError for values that do not fit their columns.
        """
        rows, self._rows = self._rows, []
        values = list(zip(*rows, strict=True)) if rows else [()] * len(SCHEMA.names)
        made = [_LONG[field.name](column) if field.name in _LONG else pa.array(column, field.type)
                for field, column in zip(SCHEMA, values, strict=True)]
        return pa.RecordBatch.from_arrays(made, schema=SCHEMA)

    def _mark(self, at: int, column: int) -> None:
        row = self._rows[at]
        self._rows[at] = (*row[:column], True, *row[column + 1:])


def packed(batch: pa.RecordBatch) -> bytes:
    """A batch as bytes, without its schema, which is always `SCHEMA`."""
    data: bytes = batch.serialize().to_pybytes()
    return data


def unpacked(data: bytes) -> pa.RecordBatch:
    """What was packed; the columns share the memory of the bytes."""
    return pa.ipc.read_record_batch(pa.py_buffer(data), SCHEMA)


# --- the long columns, whose values never become Python objects


def _keys(column: Sequence[bytes | None]) -> pa.Array:
    return _lists(flat(pa.int64(), column), column, 8)


def _seconds(column: Sequence[bytes | None]) -> pa.Array:
    """The clocks as lists of whole seconds, rounded down: null where a game has none, and for a ply that has none."""
    data = b"".join([clock for clock in column if clock is not None])
    if not data:
        return _lists(pa.array([], pa.int32()), column, 8)
    whole, absent = columns.seconds(data)
    values = pa.Array.from_buffers(pa.int32(), len(data) // 8, [absent and pa.py_buffer(absent), pa.py_buffer(whole)])
    return _lists(values, column, 8)


def _comments(column: Sequence[Comments | None]) -> pa.Array:
    """The comments as lists of texts: null where a game has none, and for a ply that has none."""
    commented = [comments for comments in column if comments is not None]
    lengths = array("i", b"".join([comments.lengths for comments in commented]))
    texts = pa.py_buffer(b"".join([comments.text for comments in commented]))
    if len(texts) > _LONGEST:
        raise ValueError("the comments are longer than 2 GB")
    offsets, absent = columns.offsets(lengths)
    values = pa.StringArray.from_buffers(len(lengths), pa.py_buffer(offsets), texts, absent and pa.py_buffer(absent))
    return _lists(values, [None if comments is None else comments.lengths for comments in column], 4)


def _tags(column: Sequence[tuple[tuple[str, str, str, int], ...] | None]) -> pa.Array:
    rows = list(chain.from_iterable(tags for tags in column if tags))
    sides, kinds, names, plies = zip(*rows, strict=True) if rows else ((), (), (), ())
    values = pa.StructArray.from_arrays(
        [pa.array(sides, pa.string()), pa.array(kinds, pa.string()), pa.array(names, pa.string()),
         pa.array(plies, pa.int32())], fields=list(_TAG))
    return _lists(values, column)


def _evals(column: Sequence[bytes | None]) -> pa.Array:
    data = array("h", b"".join([evals for evals in column if evals is not None]))
    absent = columns.present(data)
    values = pa.Array.from_buffers(pa.int16(), len(data), [absent and pa.py_buffer(absent), pa.py_buffer(data)])
    return _lists(values, column, 2)


_LONG: dict[str, Callable[[Any], pa.Array]] = {
    "keys": _keys, "seconds": _seconds, "comments": _comments, "tags": _tags, "evals": _evals,
}


def flat(kind: pa.DataType, pieces: Iterable[bytes | None]) -> pa.Array:
    """A column without nulls over joined bytes; refuses bytes that are no whole number of values."""
    data = b"".join([piece for piece in pieces if piece is not None])
    width = kind.bit_width // 8
    if len(data) % width:
        raise ValueError(f"a column of values of {width} bytes cannot be made of {len(data)} bytes")
    return pa.Array.from_buffers(kind, len(data) // width, [None, pa.py_buffer(data)])


def _lists(values: pa.Array, column: Sequence[Any], width: int = 1) -> pa.Array:
    """Values as lists, each as long as the item that stands for it (in units of ``width``); None is a null list."""
    ends = list(accumulate((len(item) // width if item else 0 for item in column), initial=0))
    starts = [None if item is None else start for item, start in zip(column, ends, strict=False)]
    return pa.ListArray.from_arrays(pa.array([*starts, ends[-1]], pa.int32()), values)
