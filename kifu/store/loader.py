"""Loading: batches of rows from the workers into a database, one transaction a batch of ours.

A batch is in the file whole or not at all. Whatever kills a load, the next one goes on: files whose rows are in are
skipped (`Loader.known`), the others are read again. A file that has changed replaces the games it brought before; one
that cannot be read keeps them.
``openings`` is derived; while games are newer than it, ``meta`` says so, and `finish` builds it again.

    with Loader("games.duckdb") as loader:
        for batch in batches_from_workers:  # see kifu.store.core
            loader.append(batch)
            if loader.full:
                loader.commit_soon()
        statistics = loader.finish()

Leaving the block without `finish` (an error, an interrupt) keeps the batches that were committed and nothing else.
"""
from __future__ import annotations

import datetime
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from threading import Thread
from typing import Any, Self

from kifu import __version__
from kifu.knowledge import PatternFile
from kifu.store import arrow, derive
from kifu.store.arrow import Batch, Table
from kifu.store.core import Builder
from kifu.store.database import Database
from kifu.store.errors import StoreError
from kifu.store.rows import UNREAD, GameRow, RejectRow, SourceInfo, flat_game, flat_reject

#: How two games are told to be the same one: by start position and moves; by those and both names; never.
DEDUPE = ("moves", "moves+players", "none")
#: A batch is due when it holds this many plies (positions): about 20 MB of rows.
BATCH_PLIES = 1_000_000
BATCH_ROWS = 20_000
#: Games whose boards are made at once.
GAMES_AT_ONCE = 5000
#: The key in ``meta`` of the id that the next game gets: no id is given twice, also where its game was removed.
NEXT_GAME = "next_game_id"
#: The first version of the tables that has ``game_tags``.
GAME_TAGS_VERSION = 2

#: For each candidate, in their order: the first of them that is the same game, and the first such game in the database.
_FIRSTS_SQL = """
    WITH firsts AS (
        SELECT n, min(n) OVER (PARTITION BY game_hash{names}) AS first FROM candidates
    ), in_it AS (
        SELECT c.n, min(g.game_id) AS known
        FROM candidates c JOIN games g ON g.game_hash = c.game_hash{same} GROUP BY c.n
    )
    SELECT first, known FROM firsts LEFT JOIN in_it USING (n) ORDER BY n"""
_FIRSTS = {
    "moves": _FIRSTS_SQL.format(names="", same=""),
    "moves+players": _FIRSTS_SQL.format(
        names=", black, white",
        same=" AND g.black IS NOT DISTINCT FROM c.black AND g.white IS NOT DISTINCT FROM c.white"),
}


#: A file, its games and its rejects.
Piece = tuple[SourceInfo, Iterable[GameRow], Iterable[RejectRow]]


@dataclass(slots=True)
class Statistics:
    """What a load did. ``games`` were added; ``duplicates`` are in the database already; ``removed`` belonged to
    files that have changed since; ``skipped`` files were known and unchanged; ``faulty`` games have an error, and were
    added or are duplicates all the same; ``contained`` games of the database are the beginning of a longer one;
    ``kept`` files could not be read, and what they brought before is as it was."""

    sources: int = 0
    skipped: int = 0
    games: int = 0
    duplicates: int = 0
    faulty: int = 0
    rejected: int = 0
    removed: int = 0
    batches: int = 0
    opening_rows: int = 0
    contained: int = 0
    kept: int = 0


@dataclass(slots=True)
class _Pending:
    """One source of the batch in the making."""

    source_id: int
    info: SourceInfo
    complete: bool
    loaded: int  # legal games of the whole source so far, for the row of sources
    rejected: int


@dataclass(slots=True)
class _Batch:
    """Rows that wait for `Loader.commit_batch`."""

    rows: list[Batch] = field(default_factory=list)
    row_sources: list[int] = field(default_factory=list)  # the source_id of each run of rows
    row_counts: list[int] = field(default_factory=list)  # and how many they are
    count: int = 0  # of all rows
    games: int = 0
    rejects: int = 0
    sources: dict[int, _Pending] = field(default_factory=dict)
    replaced: list[int] = field(default_factory=list)
    plies: int = 0
    started: datetime.datetime = field(default_factory=lambda: _now())


class Loader:
    """Writes games into a database: `known`, `append`, `commit_soon`, `finish`. One process, one loader.

    With ``boards`` the table of that name is filled, also for games that are in already, and from then on by every
    load into this database.

    All methods are called by one thread; the database is written by another one while rows are gathered.
    """

    def __init__(self, db_path: str | os.PathLike[str] | Database, dedupe: str = "moves+players",
                 boards: bool = False) -> None:
        if dedupe not in DEDUPE:
            raise ValueError(f"dedupe is one of {', '.join(DEDUPE)}, not {dedupe!r}")
        self._dedupe = dedupe
        self._owned = not isinstance(db_path, Database)
        self.database = db_path if isinstance(db_path, Database) else Database.create_or_open(db_path)
        self.statistics = Statistics()
        #: The pattern files besides our own that the games are tagged with.
        self.patterns: tuple[PatternFile, ...] = ()
        #: Called with the path of a file that could not be read though games of it are in, and with the reason.
        self.on_kept: Callable[[str, str], None] | None = None
        self._batch = _Batch()
        self._writing: Thread | None = None
        self._failure: BaseException | None = None
        try:
            self._read_state()
            if boards and not self._boards:
                self._fill_boards()
        except BaseException:
            self.__exit__()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._writing is not None:
            self._writing.join()
        if self._owned:
            self.database.close()

    # --- what the command line calls

    def has(self, path: str) -> bool:
        """Whether anything came from this path before; only then is it worth hashing the file to ask `known`."""
        return path in self._paths

    def known(self, path: str, sha256: bytes) -> bool:
        """Whether all games of this very file (same path, same bytes) are in; such a file need not be parsed.

        Counts the file as skipped where it is. Standard input (``-``) is known by its bytes alone.
        """
        found = self._paths.get(_name(path, sha256))
        same = found is not None and found[1] == sha256
        self.statistics.skipped += same
        return same

    def add(self, source: SourceInfo, games: Iterable[GameRow], rejects: Iterable[RejectRow] = (),
            last: bool = True) -> None:
        """Put the rows of one file into the batch. Nothing is written before `commit_batch`.

        A file too large for one batch comes in several calls one after another, all but the last with ``last=False``;
        until the last one is committed it counts as not loaded, and another load begins it anew.
        """
        builder = Builder()
        builder.add(source, [*map(flat_game, games), *map(flat_reject, rejects)], last=last)
        self.append(builder.finish())

    def append(self, rows: Batch) -> None:
        """Put a batch of rows (`kifu.store.core.SCHEMA`) into the batch; what `add` says of a file in several calls
        goes for its rows in several batches, the last of which is marked as such. A file that is in as it is, or
        that was read before and now could not be, changes nothing.
        """
        taken = 0
        for run in arrow.runs(rows):
            info = run.source._replace(path=_name(run.source.path, run.source.sha256))
            unread = self._keeps(info)
            if unread or self._again(info):
                self._take(rows.slice(taken, run.start - taken))
                taken = run.start + run.length
                self.statistics.kept += unread
                self.statistics.skipped += run.last and not unread
                if unread and self.on_kept:
                    self.on_kept(info.path, arrow.message(rows, run.start))
                continue
            if self._replaces_pending(info):  # another version of it in this very batch
                self._take(rows.slice(taken, run.start - taken))
                self.commit_batch()
                taken = run.start
            opened = self._open_source(info)
            self._batch.row_sources.append(opened.source_id)
            self._batch.row_counts.append(run.length)
            self._batch.games += run.games
            self._batch.rejects += run.rejects
            opened.loaded += run.games
            opened.rejected += run.rejects
            self.statistics.sources += run.last and not opened.complete
            opened.complete = run.last
            self._paths[info.path] = (opened.source_id, info.sha256 if run.last else None)
        self._take(rows.slice(taken))

    @property
    def full(self) -> bool:
        """Whether the batch is large enough to be committed."""
        batch = self._batch
        return batch.plies >= BATCH_PLIES or batch.count + len(batch.sources) >= BATCH_ROWS

    def commit_batch(self) -> None:
        """Write the batch in one transaction; does nothing where there is none.

        When it raises, nothing of the batch is in the database, and the loader must not be used further.
        """
        self.settle()
        batch, self._batch = self._batch, _Batch()
        self._write(batch)

    def commit_soon(self) -> None:
        """The same beside whatever this thread does next. What it raises is raised by the next commit, or `settle`."""
        self.settle()
        batch, self._batch = self._batch, _Batch()
        # what will still come of the last source must not be told as being in already
        batch.sources = {number: replace(pending) for number, pending in batch.sources.items()}
        self._writing = Thread(target=self._write_aside, args=(batch,), daemon=True)
        self._writing.start()

    def settle(self) -> None:
        """Wait until everything that was to be committed is, and raise what went wrong."""
        if self._writing is not None:
            self._writing.join()
            self._writing = None
        if self._failure is not None:
            raise self._failure

    def _write_aside(self, batch: _Batch) -> None:
        try:
            with self.database.alone():
                self._write(batch)
        except BaseException as error:
            self._failure = error

    def _write(self, batch: _Batch) -> None:
        if not batch.sources:
            return
        database = self.database
        rows = arrow.together(batch.rows, batch.row_sources, batch.row_counts)
        batch.rows.clear()
        with database.transaction():
            removed = self._remove(batch.replaced)
            games, new = self._identify(arrow.games_of(rows))
            added, copies = arrow.where(games, new, True), arrow.where(games, new, False)
            self._insert(batch, added, copies, arrow.rejects_table(rows))
            if added.num_rows or removed:
                database.set_meta("openings", "stale")
                database.set_meta(NEXT_GAME, str(self._next_game + added.num_rows))
        self._next_game += added.num_rows
        self._next_batch += 1
        statistics = self.statistics
        statistics.batches += 1
        statistics.games += added.num_rows
        statistics.duplicates += copies.num_rows
        statistics.rejected += batch.rejects
        statistics.removed += removed

    def finish(self) -> Statistics:
        """Commit what is left, bring all that is derived up to date, and say what was done."""
        self.commit_batch()
        derive.derive(self.database, self.patterns)
        self.database.run("CHECKPOINT")
        self.database.check_place()
        self.statistics.contained, self.statistics.opening_rows = self.database.rows(
            "SELECT (SELECT count(*) FROM contained), (SELECT count(*) FROM openings)")[0]
        return self.statistics

    # --- inside

    def _read_state(self) -> None:
        """Where numbering goes on, and which files are in."""
        database = self.database
        self._next_game, self._next_source, self._next_batch = database.rows(
            "SELECT (SELECT coalesce(max(game_id), 0) + 1 FROM games),"
            " (SELECT coalesce(max(source_id), 0) + 1 FROM sources),"
            " (SELECT coalesce(max(batch_id), 0) + 1 FROM batches)")[0]
        told = database.meta(NEXT_GAME) or ""  # absent where an earlier version wrote last
        if told.isdecimal():
            self._next_game = max(self._next_game, int(told))
        #: path -> (source_id, digest; None for a source that was never completed, `UNREAD` for one never read)
        self._paths: dict[str, tuple[int, bytes | None]] = {
            path: (source, digest)
            for path, source, digest in database.rows("SELECT path, source_id, sha256 FROM sources")}
        self._latest: _Pending | None = None
        #: Whether the table ``boards`` is kept, and how many games that were in already got theirs now.
        self._boards = database.meta("boards") is not None
        self.boards_filled = 0
        #: Games that an earlier version loaded, which kept no castles and openings.
        self.untagged: int = 0
        if database.found_version < GAME_TAGS_VERSION:
            self.untagged = database.value("SELECT count(*) FROM games")

    def _take(self, rows: Batch) -> None:
        """Keep rows whose sources have been opened."""
        if rows.num_rows:
            self._batch.rows.append(rows)
            self._batch.count += rows.num_rows
            self._batch.plies += arrow.plies(rows)
            self.statistics.faulty += arrow.faulty(rows)

    def _keeps(self, info: SourceInfo) -> bool:
        """Whether a file could not be read that could before: nobody knows that it has changed."""
        return info.sha256 == UNREAD and (earlier := self._paths.get(info.path)) is not None and earlier[1] != UNREAD

    def _again(self, info: SourceInfo) -> bool:
        """Whether all of this very file has come already, as it does where it is named twice."""
        earlier = self._paths.get(info.path)
        return earlier is not None and earlier[1] == info.sha256 != UNREAD

    def _replaces_pending(self, info: SourceInfo) -> bool:
        """Whether a source is another version of one that waits in this batch."""
        if self._latest is not None and self._latest.info == info:
            return False
        earlier = self._paths.get(info.path)
        return earlier is not None and earlier[0] in self._batch.sources

    def _open_source(self, info: SourceInfo) -> _Pending:
        """The source's place in this batch; an earlier version of the same file is marked to be replaced."""
        opened = self._latest
        if opened is None or opened.info != info:
            earlier = self._paths.get(info.path)
            if earlier is not None:
                self._batch.replaced.append(earlier[0])
            opened = self._latest = _Pending(self._next_source, info, False, 0, 0)
            self._next_source += 1
        self._batch.sources[opened.source_id] = opened
        return opened

    def _remove(self, replaced: Sequence[int]) -> int:
        """Take out everything that came from the given sources; returns the number of games removed.

        A game that another file holds too stays, under the headers it was loaded with, and belongs to that file from
        now on.
        """
        if not replaced:
            return 0
        run, value = self.database.run, self.database.value
        with self.database.views(replaced=arrow.numbers(source_id=replaced)):
            run("DELETE FROM rejects WHERE source_id IN (FROM replaced)")
            run("DELETE FROM copies WHERE source_id IN (FROM replaced)")
            run("DELETE FROM sources WHERE source_id IN (FROM replaced)")
            run("CREATE OR REPLACE TEMP TABLE orphans AS SELECT game_id FROM games WHERE source_id IN (FROM replaced)")
        run("CREATE OR REPLACE TEMP TABLE adopted AS SELECT game_id, min(source_id) AS source_id,"
            " arg_min(source_offset, source_id) AS source_offset"
            " FROM copies WHERE game_id IN (FROM orphans) GROUP BY game_id")
        run("UPDATE games SET source_id = a.source_id, source_offset = a.source_offset FROM adopted a"
            " WHERE games.game_id = a.game_id")
        run("DELETE FROM copies WHERE (game_id, source_id, source_offset)"
            " IN (SELECT (game_id, source_id, source_offset) FROM adopted)")
        run("DELETE FROM orphans WHERE game_id IN (SELECT game_id FROM adopted)")
        removed: int = value("SELECT count(*) FROM orphans")
        if removed:
            run("DELETE FROM plies WHERE game_id IN (FROM orphans)")
            run("DELETE FROM game_tags WHERE game_id IN (FROM orphans)")
            run("DELETE FROM boards WHERE game_id IN (FROM orphans)")
            run("DELETE FROM contained WHERE game_id IN (FROM orphans) OR longer_id IN (FROM orphans)")
            run("DELETE FROM games WHERE game_id IN (FROM orphans)")
        return removed

    def _fill_boards(self) -> None:
        """Make the boards of all games that are in, all or nothing, and remember that they are kept."""
        database = self.database
        with database.transaction():
            after = 0
            while (games := database.table(
                    "SELECT game_id, variant, handicap, start_sfen, moves FROM games WHERE game_id > $after"
                    " ORDER BY game_id LIMIT $some", {"after": after, "some": GAMES_AT_ONCE})).num_rows:
                self._insert_boards(games)
                self.boards_filled += games.num_rows
                after = games.column("game_id")[-1].as_py()
            database.set_meta("boards", "kept")
        self._boards = True

    def _insert_boards(self, games: Table) -> None:
        try:
            for table in arrow.boards_tables(games):
                with self.database.views(new_boards=table):
                    self.database.run("INSERT INTO boards BY NAME FROM new_boards")
        except ValueError as error:
            raise StoreError(f"The boards of the games cannot be made: {error}.") from error

    def _identify(self, games: Table) -> tuple[Table, Any]:
        """The games of the batch with their ids, and which of them are new (a mask)."""
        if self._dedupe == "none":
            ids, new = arrow.numbered(games.num_rows, self._next_game)
        else:
            with self.database.views(candidates=arrow.candidates(games)):
                ids, new = arrow.decided(self.database.table(_FIRSTS[self._dedupe]), self._next_game)
        return arrow.with_ids(games, ids), new

    def _insert(self, batch: _Batch, added: Table, copies: Table, rejects: Table) -> None:
        run, views = self.database.run, self.database.views
        sources = list(batch.sources.values())
        parameters = {"batch": self._next_batch, "started": batch.started, "now": _now(), "version": __version__}
        run("INSERT INTO batches VALUES ($batch, $started, $now, $version, $games, $rejects)",
            {**parameters, "games": added.num_rows, "rejects": batch.rejects})
        with views(new_sources=arrow.sources_table(
                [source.source_id for source in sources], [source.info for source in sources],
                [source.complete for source in sources], [source.loaded for source in sources],
                [source.rejected for source in sources])):
            del parameters["started"]
            run("INSERT OR REPLACE INTO sources SELECT source_id, path, sha256, size, format, encoding,"
                " $version, $batch, $now, games_ok, games_rejected FROM new_sources", parameters)
        if added.num_rows:
            with views(new_games=arrow.games_table(added)):
                run("INSERT INTO games BY NAME FROM new_games")
            with views(new_plies=arrow.plies_table(added)):
                run("INSERT INTO plies SELECT key, move, game_id, ply FROM new_plies ORDER BY key, move, game_id")
            with views(new_tags=arrow.tags_table(added)):
                run("INSERT INTO game_tags BY NAME FROM new_tags")
            if self._boards:
                self._insert_boards(added)
        if copies.num_rows:
            with views(new_copies=arrow.copies_table(copies)):
                run("INSERT INTO copies BY NAME FROM new_copies")
        if rejects.num_rows:
            with views(new_rejects=rejects):
                run("INSERT INTO rejects BY NAME FROM new_rejects")


@contextmanager
def in_memory(batches: Iterable[Batch | Piece], dedupe: str = "none",
              patterns: tuple[PatternFile, ...] = ()) -> Iterator[Database]:
    """A database in memory that holds the given rows, ``openings`` included: SQL straight over game files.

    Rows come in batches (`kifu.store.core.SCHEMA`), or as a file with its games and its rejects. Those of a large file
    may come in several pieces one after another.
    """
    with Database.memory() as database, Loader(database, dedupe) as loader:
        loader.patterns = patterns
        held: Piece | None = None  # whether it is the last of its file, the next one tells
        for batch in batches:
            following = batch if isinstance(batch, tuple) else None
            if held:
                loader.add(*held, last=following is None or following[0] != held[0])
            held = following
            if not isinstance(batch, tuple):
                loader.append(batch)
            if loader.full:
                loader.commit_soon()
        if held:
            loader.add(*held)
        loader.finish()
        yield database


def _name(path: str, sha256: bytes) -> str:
    """The path under which a source is kept. Standard input is never a new version of what came through it before."""
    return f"-:{sha256.hex()[:16]}" if path == "-" else path


def _now() -> datetime.datetime:
    """The time as DuckDB's TIMESTAMP keeps it: UTC, without a zone."""
    return datetime.datetime.now(datetime.UTC).replace(tzinfo=None)
