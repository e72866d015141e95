"""Rows to Arrow tables, and nothing else: the only module of the loader that knows pyarrow.

Games are gathered column by column as they arrive; a table's long columns (keys, moves, game numbers, plies, clocks)
are made from joined bytes, so that no Python object per ply is ever made.
"""
from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from itertools import accumulate

import pyarrow as pa
import pyarrow.compute as pc

from kifu.store.rows import GameRow, RejectRow, SourceInfo

_COLUMNS: dict[str, pa.DataType] = {
    "variant": pa.string(), "handicap": pa.string(), "start_sfen": pa.string(), "black": pa.string(),
    "white": pa.string(), "black_rating": pa.int16(), "white_rating": pa.int16(), "event": pa.string(),
    "site": pa.string(), "date": pa.date32(), "date_precision": pa.string(), "time_control": pa.string(),
    "result": pa.int8(), "end": pa.string(), "verified_end": pa.string(), "verified_winner": pa.int8(),
    "illegal_move": pa.string(), "illegal_reason": pa.string(), "plies": pa.int32(), "moves": pa.binary(),
}
#: No ply takes longer than a column of whole seconds can say (68 years).
_LONGEST = (1 << 31) - 1
_REJECTS: dict[str, pa.DataType] = {
    "source_offset": pa.int64(), "game_no": pa.int32(), "line": pa.int32(), "col": pa.int32(), "ply": pa.int32(),
    "code": pa.string(), "message": pa.string(), "text": pa.string(),
}
_TAGS: dict[str, pa.DataType] = {
    "game_id": pa.int32(), "side": pa.string(), "kind": pa.string(), "tag": pa.string(), "ply": pa.int32(),
}
_SOURCES: dict[str, pa.DataType] = {
    "path": pa.string(), "sha256": pa.binary(), "size": pa.int64(), "format": pa.string(), "encoding": pa.string(),
}


def hashes(digests: Sequence[bytes]) -> pa.Array:
    """16-byte digests as a UUID column."""
    storage = pa.Array.from_buffers(pa.binary(16), len(digests), [None, pa.py_buffer(b"".join(digests))])
    return pa.ExtensionArray.from_storage(pa.uuid(), storage)


def candidates(games: Sequence[GameRow]) -> pa.Table:
    """What deciding about duplicates needs: position in the batch, hash and players."""
    return pa.table({
        "n": pa.array(range(len(games)), pa.int32()),
        "game_hash": hashes([game.game_hash for game in games]),
        "black": pa.array([game.black for game in games], pa.string()),
        "white": pa.array([game.white for game in games], pa.string()),
    })


def games_table(ids: Sequence[int], sources: Sequence[int], games: Sequence[GameRow]) -> pa.Table:
    """The rows of ``games``, in the order of its columns but for ``evals``."""
    columns: dict[str, pa.Array] = {
        "game_id": pa.array(ids, pa.int32()),
        "game_hash": hashes([game.game_hash for game in games]),
        "source_id": pa.array(sources, pa.int32()),
        "source_offset": pa.array([game.source_offset for game in games], pa.int64()),
    }
    for name, kind in _COLUMNS.items():
        index = GameRow._fields.index(name)
        columns[name] = pa.array([game[index] for game in games], kind)
    columns["seconds"] = _seconds(games)
    columns["comments"] = _comments(games)
    return pa.table(columns)


def plies_table(ids: Sequence[int], games: Sequence[GameRow]) -> pa.Table:
    """The rows of ``plies``: one for each position of each game, the last with move 0."""
    rows = sum(game.plies + 1 for game in games)
    longest = max((game.plies for game in games), default=0)
    counting = array("i", range(longest + 1)).tobytes()
    size = array("i").itemsize
    numbers = b"".join([array("i", [game_id]).tobytes() * (game.plies + 1)
                        for game_id, game in zip(ids, games, strict=True)])
    plies = b"".join([counting[:size * (game.plies + 1)] for game in games])
    codes = b"".join([piece for game in games for piece in (game.moves, b"\0\0")])
    keys = b"".join([game.keys for game in games])
    return pa.table({
        "key": _column(pa.int64(), rows, keys),
        "move": _column(pa.uint16(), rows, codes),
        "game_id": _column(pa.int32(), rows, numbers),
        "ply": _column(pa.int32(), rows, plies),
    })


def tags_table(ids: Sequence[int], games: Sequence[GameRow]) -> pa.Table:
    """The rows of ``game_tags``."""
    rows = [(game_id, *tag) for game_id, game in zip(ids, games, strict=True) for tag in game.tags or ()]
    return pa.table(_transposed(_TAGS, rows))


def rejects_table(sources: Sequence[int], rejects: Sequence[RejectRow]) -> pa.Table:
    """The rows of ``rejects``."""
    return pa.table({"source_id": pa.array(sources, pa.int32()), **_transposed(_REJECTS, rejects)})


def sources_table(ids: Sequence[int], sources: Sequence[SourceInfo], complete: Sequence[bool],
                  loaded: Sequence[int], rejected: Sequence[int]) -> pa.Table:
    """The rows of ``sources``; a source whose games have not all arrived has no sha256 yet."""
    known = [source if whole else source._replace(sha256=None)  # type: ignore[arg-type]
             for source, whole in zip(sources, complete, strict=True)]
    return pa.table({
        "source_id": pa.array(ids, pa.int32()), **_transposed(_SOURCES, known),
        "games_ok": pa.array(loaded, pa.int32()), "games_rejected": pa.array(rejected, pa.int32()),
    })


def numbers(**columns: Iterable[int]) -> pa.Table:
    """A small table of whole numbers."""
    return pa.table({name: pa.array(list(values), pa.int64()) for name, values in columns.items()})


def _transposed(kinds: dict[str, pa.DataType], rows: Sequence[tuple[object, ...]]) -> dict[str, pa.Array]:
    return {name: pa.array([row[index] for row in rows], kind) for index, (name, kind) in enumerate(kinds.items())}


def _column(kind: pa.DataType, count: int, data: bytes) -> pa.Array:
    """A column without nulls over joined bytes; refuses bytes that are not ``count`` values long."""
    if len(data) * 8 != count * kind.bit_width:
        raise ValueError(f"a column of {count} values cannot be made of {len(data)} bytes")
    return pa.Array.from_buffers(kind, count, [None, pa.py_buffer(data)])


def _comments(games: Sequence[GameRow]) -> pa.Array:
    """The comments as lists of texts: null where a game has none, and for a ply that has none."""
    commented = [game.comments for game in games if game.comments is not None]
    packed = b"".join([comments.lengths for comments in commented])
    count = len(packed) // 4
    lengths = _column(pa.int32(), count, packed)
    ends = pc.cumulative_sum(pc.max_element_wise(lengths, 0).cast(pa.int64())).cast(pa.int32())  # an error beyond 2 GB
    offsets = pa.concat_arrays([pa.array([0], pa.int32()), ends])
    present = pc.greater_equal(lengths, 0)
    text = b"".join([comments.text for comments in commented])
    values = pa.StringArray.from_buffers(count, offsets.buffers()[1], pa.py_buffer(text), present.buffers()[1])
    return _lists(values, [None if game.comments is None else len(game.comments.lengths) // 4 for game in games])


def _lists(values: pa.Array, sizes: Sequence[int | None]) -> pa.Array:
    """Values as lists of the given sizes, None for a list that is null."""
    ends = list(accumulate((size or 0 for size in sizes), initial=0))
    starts = [None if size is None else start for size, start in zip(sizes, ends, strict=False)]
    return pa.ListArray.from_arrays(pa.array([*starts, ends[-1]], pa.int32()), values)


def _seconds(games: Sequence[GameRow]) -> pa.Array:
    """The clocks as lists of whole seconds, rounded down: null where a game has none, and for a ply that has none."""
    data = b"".join([game.clock for game in games if game.clock is not None])
    flat = _column(pa.int64(), len(data) // 8, data)
    whole = pc.min_element_wise(pc.divide(flat, 1000), _LONGEST).cast(pa.int32())
    values = pc.if_else(pc.less(flat, 0), pa.scalar(None, pa.int32()), whole)
    return _lists(values, [None if game.clock is None else len(game.clock) // 8 for game in games])
