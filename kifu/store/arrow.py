"""What the loader does with batches of rows: joining, counting, splitting them into its tables. All of it vectorised.

Batches have the columns of `kifu.store.core.SCHEMA`. A `Table` here is one of pyarrow, whose types nobody else knows.
"""
from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from kifu._tuples import NamedTuple
from kifu.store import boards, columns, core
from kifu.store.rows import END, GAME, REJECT, SourceInfo

Table = Any
Batch = Any

#: The columns of ``games`` that rows bring as they are.
_AS_THEY_ARE = [name for name in core.GAMES if name not in ("game_hash", "keys", "tags")]
_REJECTS = ["source_offset", "game_no", *core.REJECTS]
#: Rows of ``boards`` that are made at once: 5 MB.
BOARDS_AT_ONCE = 50_000
_ENDED = b"\0\0"  # the move code of a final position


class Run(NamedTuple):
    """Rows of one file that stand together in a batch: where, and how many of them are what."""

    source: SourceInfo
    start: int
    length: int
    games: int
    rejects: int
    last: bool  # no more will come of the file


def runs(batch: Batch) -> list[Run]:
    """The files of a batch, in their order."""
    count = batch.num_rows
    if not count:
        return []
    path, digest = batch.column("path"), batch.column("sha256")
    starts = [0]
    if count > 1:
        changed = pc.or_(pc.not_equal(path.slice(1), path.slice(0, count - 1)),
                         pc.not_equal(digest.slice(1), digest.slice(0, count - 1)))
        changed = pc.or_(changed, batch.column("last").slice(0, count - 1))  # the same file, once more
        starts += [start + 1 for start in pc.indices_nonzero(changed).to_pylist()]
    ends = [*starts[1:], count]
    last_rows = pa.array([end - 1 for end in ends], pa.int64())
    kind = batch.column("kind")
    games, rejects = (pc.take(pc.cumulative_sum(pc.equal(kind, word).cast(pa.int32())), last_rows).to_pylist()
                      for word in (GAME, REJECT))
    lasts = pc.take(batch.column("last"), last_rows).to_pylist()
    sources = zip(*(pc.take(batch.column(name), last_rows).to_pylist() for name in core.SOURCE), strict=True)
    lengths, games, rejects = _differences(ends), _differences(games), _differences(rejects)
    return [Run(SourceInfo._make(source), *told)
            for source, *told in zip(sources, starts, lengths, games, rejects, lasts, strict=True)]


# --- files that come in parts


def begins(batch: Batch) -> bool:
    """Whether a batch has the first rows of a file or of a part of it at its head."""
    return bool(batch.num_rows) and batch.column("first")[0].as_py() is True


def games_and_rejects(batch: Batch) -> int:
    """How many rows are more than the word that a file ends."""
    count: int = pc.sum(pc.not_equal(batch.column("kind"), END)).as_py() or 0
    return count


def renumbered(batch: Batch, before: int) -> Batch:
    """The batch with ``game_no`` counting from behind so many games."""
    numbers = pc.add(batch.column("game_no"), pa.scalar(before, pa.int32()))
    return batch.set_column(batch.schema.get_field_index("game_no"), "game_no", numbers)


def unfinished(batch: Batch) -> Batch:
    """The batch without the word that its files have come to their ends."""
    return batch.set_column(batch.schema.get_field_index("last"), "last", pa.repeat(False, batch.num_rows))


def message(batch: Batch, row: int) -> str:
    """What a row says is wrong; empty where it is no reject."""
    return batch.column("message")[row].as_py() or ""


def faulty(batch: Batch) -> int:
    """How many games of a batch have an error all the same."""
    count: int = pc.sum(batch.column("faulty")).as_py() or 0
    return count


def plies(batch: Batch) -> int:
    """How many positions the games of a batch have."""
    moves: int = pc.sum(batch.column("plies")).as_py() or 0
    return moves + batch.num_rows


# --- the rows of a transaction


def together(batches: Sequence[Batch], ids: Sequence[int], lengths: Sequence[int]) -> Table:
    """The rows of several batches as one table, with the ``source_id`` of each: ``ids`` for so many rows each."""
    table = pa.Table.from_batches(batches, core.SCHEMA).combine_chunks()
    # each source stands for its rows; a "game" of n - 1 plies is what `columns.positions` repeats n times
    numbers, _ = columns.positions(array("i", [length - 1 for length in lengths]), array("i", ids))
    return table.append_column("source_id", _column(pa.int32(), table.num_rows, numbers))


def games_of(rows: Table) -> Table:
    """The rows that are games."""
    return _only(rows, pc.equal(rows.column("kind"), GAME))


def rejects_table(rows: Table) -> Table:
    """The rows of ``rejects``."""
    refused = _only(rows, pc.equal(rows.column("kind"), REJECT))
    return refused.select(["source_id", *_REJECTS])


def candidates(games: Table) -> Table:
    """What deciding about duplicates needs: position in the batch, hash and players."""
    return pa.table({"n": _counting(games.num_rows), "game_hash": _hashes(games),
                     "black": games.column("black"), "white": games.column("white")})


def decided(firsts: Table, following: int) -> tuple[Any, Any]:
    """The game_id of each game and whether it is new.

    ``firsts`` has, in the order of the games, ``first``, the position of the first game of the batch that is the same,
    and ``known``, the id of such a game in the database or null. New games get ids from ``following`` on.
    """
    first = _flat(firsts.column("first"))
    known = _flat(firsts.column("known"))
    new = pc.and_(pc.equal(first, _counting(len(first))), pc.is_null(known))
    ids = pc.add(pc.cumulative_sum(new.cast(pa.int32())), pa.scalar(following - 1, pa.int32()))
    return pc.coalesce(known.cast(pa.int32()), ids.take(first)), new


def numbered(count: int, following: int) -> tuple[Any, Any]:
    """The same where every game is new."""
    return pc.add(_counting(count), pa.scalar(following, pa.int32())), pa.repeat(True, count)


def with_ids(games: Table, ids: Any) -> Table:
    """The games with their ``game_id``."""
    return games.append_column("game_id", ids)


def where(games: Table, chosen: Any, wanted: bool) -> Table:
    """The games for which ``chosen`` is as wanted."""
    return _only(games, chosen if wanted else pc.invert(chosen))


def games_table(games: Table) -> Table:
    """The rows of ``games``, from games with their ids."""
    made = games.select(["game_id", "source_id", "source_offset", *_AS_THEY_ARE])
    return made.append_column("game_hash", _hashes(games))


def plies_table(games: Table) -> Table:
    """The rows of ``plies``: one for each position of each game, the last with move 0."""
    keys = _flat(games.column("keys"))
    counts = _flat(games.column("plies"))
    codes, kind = _codes(_flat(games.column("moves")), counts)
    numbers, before = columns.positions(_integers(counts), _integers(_flat(games.column("game_id"))))
    rows = len(numbers) // 4
    values = keys.flatten()
    if len(values) != rows:
        raise ValueError(f"{rows} positions have {len(values)} keys")
    return pa.table({
        "key": values, "move": _column(kind, rows, codes),
        "game_id": _column(pa.int32(), rows, numbers), "ply": _column(pa.int32(), rows, before),
    })


def _codes(moves: Any, counts: Any) -> tuple[Any, Any]:
    """The codes of all moves with a 0 behind those of each game, and their type: of two bytes where all fit that."""
    plies: int = pc.sum(counts).as_py() or 0
    if (pc.sum(pc.binary_length(moves)).as_py() or 0) == 2 * plies:
        return _data(pc.binary_join_element_wise(moves, _ENDED, b"")), pa.uint16()
    lengths = _integers(pc.binary_length(moves))
    return columns.widened(bytes(_data(moves)), _integers(counts), lengths), pa.uint32()


def tags_table(games: Table) -> Table:
    """The rows of ``game_tags``."""
    tags = _flat(games.column("tags"))
    side, kind, name, ply = pc.struct_field(tags.flatten(), []).flatten()
    return pa.table({"game_id": _flat(games.column("game_id")).take(pc.list_parent_indices(tags)),
                     "side": side, "kind": kind, "tag": name, "ply": ply})


def boards_tables(games: Table) -> Iterator[Table]:
    """The rows of ``boards`` of those games that are of ordinary shogi, some games at a time.

    Needs the columns game_id, variant, handicap, start_sfen and moves. Raises ValueError, naming the game, where moves
    and start position do not go together.
    """
    wanted = _only(games, pc.equal(games.column("variant"), "shogi"))
    told = zip(*(wanted.column(name).to_pylist() for name in ("game_id", "handicap", "start_sfen", "moves")),
               strict=True)
    some: list[tuple[int, str, str | None, bytes]] = []
    rows = 0
    for one in told:
        some.append(one)
        rows += len(one[-1]) // 2 + 1
        if rows >= BOARDS_AT_ONCE:
            yield _boards_table(some, rows)
            some, rows = [], 0
    if some:
        yield _boards_table(some, rows)


def _boards_table(games: list[tuple[int, str, str | None, bytes]], rows: int) -> Table:
    cells = bytearray(rows * len(boards.NAMES))
    row = 0
    for game_id, handicap, start_sfen, moves in games:
        try:
            boards.fill(cells, rows, row, *boards.start_board(handicap, start_sfen), moves)
        except ValueError as error:
            raise ValueError(f"game {game_id}: {error}") from error
        row += len(moves) // 2 + 1
    numbers, before = columns.positions(array("i", [len(moves) // 2 for *_, moves in games]),
                                        array("i", [game_id for game_id, *_ in games]))
    whole = memoryview(cells)
    return pa.table({
        "game_id": _column(pa.int32(), rows, numbers), "ply": _column(pa.int32(), rows, before),
        **{name: _column(pa.uint8(), rows, whole[at * rows:(at + 1) * rows]) for at, name in enumerate(boards.NAMES)},
    })


def copies_table(games: Table) -> Table:
    """The rows of ``copies``, from games that are in the database already, with their ids."""
    return games.select(["game_id", "source_id", "source_offset"])


def sources_table(ids: Sequence[int], sources: Sequence[SourceInfo], complete: Sequence[bool],
                  loaded: Sequence[int], rejected: Sequence[int]) -> Table:
    """The rows of ``sources``; a source whose games have not all arrived has no sha256 yet."""
    known = [source if whole else source._replace(sha256=None)  # type: ignore[arg-type]
             for source, whole in zip(sources, complete, strict=True)]
    told = {name: pa.array(values, kind) for (name, kind), values in zip(
        core.SOURCE.items(), zip(*known, strict=True) if known else [()] * len(core.SOURCE), strict=True)}
    return pa.table({
        "source_id": pa.array(ids, pa.int32()), **told,
        "games_ok": pa.array(loaded, pa.int32()), "games_rejected": pa.array(rejected, pa.int32()),
    })


def numbers(**values: Iterable[int]) -> Table:
    """A small table of whole numbers."""
    return pa.table({name: pa.array(list(column), pa.int64()) for name, column in values.items()})


# --- inside


def _differences(sums: list[int]) -> list[int]:
    """What running sums are the sums of."""
    return [now - before for now, before in zip(sums, [0, *sums[:-1]], strict=True)]


def _only(rows: Table, chosen: Any) -> Table:
    """The rows of a mask; all of them are not copied."""
    return rows if pc.all(chosen).as_py() is not False else rows.filter(chosen).combine_chunks()


def _flat(column: Any) -> Any:
    """A column in one piece."""
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def _hashes(games: Table) -> Any:
    """The hashes of games as UUIDs."""
    return pa.ExtensionArray.from_storage(pa.uuid(), _flat(games.column("game_hash")).cast(pa.binary(16)))


def _counting(count: int) -> Any:
    """0, 1, 2, ..."""
    return pa.array(range(count), pa.int32())


def _column(kind: Any, count: int, data: Any) -> Any:
    """A column without nulls over joined bytes; refuses bytes that are not ``count`` values long."""
    if len(data) * 8 != count * kind.bit_width:
        raise ValueError(f"a column of {count} values cannot be made of {len(data)} bytes")
    return pa.Array.from_buffers(kind, count, [None, pa.py_buffer(data)])


def _integers(column: Any) -> array[int]:
    """A column of int32 without nulls as an array."""
    found = array("i")
    found.frombytes(memoryview(column.buffers()[1])[4 * column.offset:4 * (column.offset + len(column))])
    return found


def _data(column: Any) -> Any:
    """All bytes of a column of bytes without nulls, joined."""
    if not len(column):
        return b""
    offsets = memoryview(column.buffers()[1]).cast("i")
    return memoryview(column.buffers()[2])[offsets[column.offset]:offsets[column.offset + len(column)]]
