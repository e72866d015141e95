"""Loading: rows from the workers into a database, one transaction a batch.

A batch is in the file whole or not at all. Whatever kills a load, the next one goes on: files whose rows are in are
skipped (`Loader.known`), the others are read again. A file that has changed replaces the games it brought before.
``openings`` is derived; while games are newer than it, ``meta`` says so, and `finish` builds it again.

    with Loader("games.duckdb") as loader:
        for source, games, rejects in rows_from_workers:
            loader.add(source, games, rejects)
            if loader.full:
                loader.commit_soon()
        statistics = loader.finish()

Leaving the block without `finish` (an error, an interrupt) keeps the batches that were committed and nothing else.
"""
from __future__ import annotations

import datetime
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from threading import Thread
from typing import Self

from kifu import __version__
from kifu.knowledge import PatternFile
from kifu.store import arrow, contained, naming, openings
from kifu.store.database import Database
from kifu.store.errors import StoreError
from kifu.store.rows import GameRow, RejectRow, SourceInfo

#: How two games are told to be the same one: by start position and moves; by those and both names; never.
DEDUPE = ("moves", "moves+players", "none")
#: A batch is due when it holds this many plies (positions): about 20 MB of rows.
BATCH_PLIES = 1_000_000
BATCH_ROWS = 20_000
#: The first version of the tables that has ``game_tags``.
GAME_TAGS_VERSION = 2

_SAME_PLAYERS = "AND g.black IS NOT DISTINCT FROM c.black AND g.white IS NOT DISTINCT FROM c.white"


@dataclass(slots=True)
class Statistics:
    """What a load did. ``games`` were added; ``duplicates`` are in the database already; ``removed`` belonged to
    files that have changed since; ``skipped`` files were known and unchanged; ``contained`` games of the whole database
    are the beginning of a longer one."""

    sources: int = 0
    skipped: int = 0
    games: int = 0
    duplicates: int = 0
    rejected: int = 0
    removed: int = 0
    batches: int = 0
    opening_rows: int = 0
    contained: int = 0


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

    games: list[GameRow] = field(default_factory=list)
    game_sources: list[int] = field(default_factory=list)
    rejects: list[RejectRow] = field(default_factory=list)
    reject_sources: list[int] = field(default_factory=list)
    sources: dict[int, _Pending] = field(default_factory=dict)
    replaced: list[int] = field(default_factory=list)
    plies: int = 0
    started: datetime.datetime = field(default_factory=lambda: _now())


class Loader:
    """Writes games into a database: `known`, `add`, `commit_soon`, `finish`. One process, one loader.

    All methods are called by one thread; the database is written by another one while rows are gathered.
    """

    def __init__(self, db_path: str | os.PathLike[str] | Database, dedupe: str = "moves+players",
                 boards: bool = False) -> None:
        if dedupe not in DEDUPE:
            raise ValueError(f"dedupe is one of {', '.join(DEDUPE)}, not {dedupe!r}")
        if boards:
            raise StoreError("This version does not write the table of boards; load without --boards.")
        self._dedupe = dedupe
        self._owned = not isinstance(db_path, Database)
        self.database = db_path if isinstance(db_path, Database) else Database.create_or_open(db_path)
        self.statistics = Statistics()
        #: The pattern files besides our own that the games are tagged with.
        self.patterns: tuple[PatternFile, ...] = ()
        self._batch = _Batch()
        self._writing: Thread | None = None
        self._failure: BaseException | None = None
        try:
            self._read_state()
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
        source = source._replace(path=_name(source.path, source.sha256))
        opened = self._open_source(source)
        batch = self._batch
        for row in games:
            batch.games.append(row)
            batch.game_sources.append(opened.source_id)
            batch.plies += row.plies + 1
            opened.loaded += 1
        for reject in rejects:
            batch.rejects.append(reject)
            batch.reject_sources.append(opened.source_id)
            opened.rejected += 1
        self.statistics.sources += last and not opened.complete
        opened.complete = last
        self._paths[source.path] = (opened.source_id, source.sha256 if last else None)

    @property
    def full(self) -> bool:
        """Whether the batch is large enough to be committed."""
        batch = self._batch
        return batch.plies >= BATCH_PLIES or len(batch.games) + len(batch.rejects) + len(batch.sources) >= BATCH_ROWS

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
        with database.transaction():
            removed = self._remove(batch.replaced)
            ids, copies = self._identify(batch)
            added = [n for n, (_, new) in enumerate(ids) if new]
            self._insert(batch, ids, added, copies)
            if added or removed:
                database.set_meta("openings", "stale")
        self._next_game += len(added)
        self._next_batch += 1
        statistics = self.statistics
        statistics.batches += 1
        statistics.games += len(added)
        statistics.duplicates += len(batch.games) - len(added)
        statistics.rejected += len(batch.rejects)
        statistics.removed += removed

    def finish(self) -> Statistics:
        """Commit what is left, bring ``openings`` up to date, and say what was done."""
        self.commit_batch()
        self.statistics.contained = contained.refresh(self.database)
        if self.database.meta("openings") != "fresh":
            openings.rebuild(self.database)
            naming.refresh(self.database, self.patterns)
        self.database.run("CHECKPOINT")
        self.database.check_place()
        self.statistics.opening_rows = self.database.value("SELECT count(*) FROM openings")
        return self.statistics

    # --- inside

    def _read_state(self) -> None:
        """Where numbering goes on, and which files are in."""
        database = self.database
        self._next_game, self._next_source, self._next_batch = database.rows(
            "SELECT (SELECT coalesce(max(game_id), 0) + 1 FROM games),"
            " (SELECT coalesce(max(source_id), 0) + 1 FROM sources),"
            " (SELECT coalesce(max(batch_id), 0) + 1 FROM batches)")[0]
        #: path -> (source_id, digest; None for a source that was never completed)
        self._paths: dict[str, tuple[int, bytes | None]] = {
            path: (source, digest)
            for path, source, digest in database.rows("SELECT path, source_id, sha256 FROM sources")}
        self._latest: _Pending | None = None
        #: Games that an earlier version loaded, which kept no castles and openings.
        self.untagged: int = 0
        if database.found_version < GAME_TAGS_VERSION:
            self.untagged = database.value("SELECT count(*) FROM games")

    def _open_source(self, info: SourceInfo) -> _Pending:
        """The source's place in this batch; an earlier version of the same file is marked to be replaced."""
        opened = self._latest
        if opened is None or opened.info != info:
            earlier = self._paths.get(info.path)
            if earlier is not None:
                if earlier[0] in self._batch.sources:  # another version of it in this very batch
                    self.commit_batch()
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

    def _identify(self, batch: _Batch) -> tuple[list[tuple[int, bool]], list[int]]:
        """For each game of the batch its game_id and whether it is new; and the positions of those that are not."""
        known: dict[int, int] = {}
        if self._dedupe != "none" and self._next_game > 1:
            names = _SAME_PLAYERS if self._dedupe == "moves+players" else ""
            with self.database.views(candidates=arrow.candidates(batch.games)):
                known = dict(self.database.rows(
                    "SELECT c.n, min(g.game_id) FROM candidates c"
                    f" JOIN games g ON g.game_hash = c.game_hash {names} GROUP BY c.n"))
        ids: list[tuple[int, bool]] = []
        copies: list[int] = []
        seen: dict[object, int] = {}
        following = self._next_game
        for n, game in enumerate(batch.games):
            identity = self._identity(game, n)
            found = known.get(n) or seen.get(identity)
            if found is None:
                found = seen[identity] = following
                following += 1
                ids.append((found, True))
            else:
                ids.append((found, False))
                copies.append(n)
        return ids, copies

    def _identity(self, game: GameRow, n: int) -> object:
        if self._dedupe == "none":
            return n
        return game.game_hash if self._dedupe == "moves" else (game.game_hash, game.black, game.white)

    def _insert(self, batch: _Batch, ids: Sequence[tuple[int, bool]], added: Sequence[int],
                copies: Sequence[int]) -> None:
        run, views = self.database.run, self.database.views
        new_ids = [ids[n][0] for n in added]
        new_games = [batch.games[n] for n in added]
        sources = list(batch.sources.values())
        parameters = {"batch": self._next_batch, "started": batch.started, "now": _now(), "version": __version__}
        run("INSERT INTO batches VALUES ($batch, $started, $now, $version, $games, $rejects)",
            {**parameters, "games": len(added), "rejects": len(batch.rejects)})
        with views(new_sources=arrow.sources_table(
                [source.source_id for source in sources], [source.info for source in sources],
                [source.complete for source in sources], [source.loaded for source in sources],
                [source.rejected for source in sources])):
            del parameters["started"]
            run("INSERT OR REPLACE INTO sources SELECT source_id, path, sha256, size, format, encoding,"
                " $version, $batch, $now, games_ok, games_rejected FROM new_sources", parameters)
        if added:
            with views(new_games=arrow.games_table(new_ids, [batch.game_sources[n] for n in added], new_games)):
                run("INSERT INTO games BY NAME FROM new_games")
            with views(new_plies=arrow.plies_table(new_ids, new_games)):
                run("INSERT INTO plies SELECT key, move, game_id, ply FROM new_plies ORDER BY key, move, game_id")
            with views(new_tags=arrow.tags_table(new_ids, new_games)):
                run("INSERT INTO game_tags BY NAME FROM new_tags")
        if copies:
            with views(new_copies=arrow.numbers(game_id=[ids[n][0] for n in copies],
                                                source_id=[batch.game_sources[n] for n in copies],
                                                source_offset=[batch.games[n].source_offset for n in copies])):
                run("INSERT INTO copies SELECT game_id, source_id, source_offset FROM new_copies")
        if batch.rejects:
            with views(new_rejects=arrow.rejects_table(batch.reject_sources, batch.rejects)):
                run("INSERT INTO rejects BY NAME FROM new_rejects")


@contextmanager
def in_memory(batches: Iterable[tuple[SourceInfo, Iterable[GameRow], Iterable[RejectRow]]],
              dedupe: str = "none", patterns: tuple[PatternFile, ...] = ()) -> Iterator[Database]:
    """A database in memory that holds the given rows, ``openings`` included: SQL straight over game files.

    The rows of a large file may come in several pieces one after another.
    """
    with Database.memory() as database, Loader(database, dedupe) as loader:
        loader.patterns = patterns
        for source, games, rejects in batches:
            loader.add(source, games, rejects)
            if loader.full:
                loader.commit_soon()
        loader.finish()
        yield database


def _name(path: str, sha256: bytes) -> str:
    """The path under which a source is kept. Standard input is never a new version of what came through it before."""
    return f"-:{sha256.hex()[:16]}" if path == "-" else path


def _now() -> datetime.datetime:
    """The time as DuckDB's TIMESTAMP keeps it: UTC, without a zone."""
    return datetime.datetime.now(datetime.UTC).replace(tzinfo=None)
