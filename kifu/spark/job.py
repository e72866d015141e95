"""The job: files to rows, rows to tables, tables to a dataset. What a step leaves is kept, so that nothing runs twice.

Numbers are given as the local loader gives them: files in the order of their paths, games in the order of files and
places in them, the first of several that are the same one; so a dataset made here and one exported from a database of
the same files hold the same rows.
"""
from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from kifu import __version__
from kifu._tuples import NamedTuple
from kifu.pipeline import Options
from kifu.pipeline.sources import COMPRESSED, CONTAINERS, SUFFIXES
from kifu.spark import tasks
from kifu.spark.output import Output, output
from kifu.spark.session import SparkMissing, session, told_plainly
from kifu.store import contained, naming
from kifu.store.database import POSITION_KEY, SCHEMA_VERSION, macro_digest
from kifu.store.dataset import TABLES
from kifu.store.errors import StoreError
from kifu.store.loader import DEDUPE, NEXT_GAME
from kifu.store.moves import ENCODING as MOVE_ENCODING

if TYPE_CHECKING:
    from kifu.knowledge import PatternFile

__all__ = ["Loaded", "NothingFound", "SparkMissing", "load"]

#: Columns of `kifu.store.core.SCHEMA` that are not columns of ``games``.
_NOT_OF_GAMES = {"path", "sha256", "size", "format", "encoding", "kind", "game_no", "first", "last", "faulty", "keys",
                 "tags", "line", "col", "ply", "code", "message", "text"}
_REJECTS = ("source_id", "source_offset", "game_no", "line", "col", "ply", "code", "message", "text")


class NothingFound(StoreError):
    """There is no game in any of the files."""

    def __init__(self) -> None:
        super().__init__("no games were found")


class Loaded(NamedTuple):
    """What a job did, as `kifu.store.loader.Statistics` says it."""

    sources: int
    games: int
    duplicates: int
    rejected: int
    faulty: int
    opening_rows: int
    contained: int


def load(paths: Iterable[str], out: str, master: str = "local[*]", options: Options | None = None,
         patterns: tuple[PatternFile, ...] = (), dedupe: str = "moves+players", force: bool = False) -> Loaded:
    """Prove the games of all files in ``paths`` and write them as a dataset.

    Paths and ``out`` are of the local file system, which all machines must share, or URLs that Spark knows (``s3a://``,
    ``hdfs://``). Folders are searched for records and archives; files that are named are read whatever they
    are called. ``force`` replaces a dataset that is there.
    Raises `kifu.store.errors.StoreError`: `SparkMissing`, `NothingFound`, where ``out`` cannot be written, and where
    Spark fails.
    """
    if dedupe not in DEDUPE:
        raise ValueError(f"dedupe is one of {', '.join(DEDUPE)}, not {dedupe!r}")
    started = datetime.datetime.now(datetime.UTC)
    with session(master) as spark, told_plainly(), output(spark, out, force) as written:
        return _Job(spark, written, options or Options(), patterns, dedupe).run(list(paths), started)


class _Job:
    """One load, step by step."""

    def __init__(self, spark: Any, written: Output, options: Options, patterns: tuple[PatternFile, ...],
                 dedupe: str) -> None:
        self.spark = spark
        self.written = written
        self.options = options
        self.patterns = patterns
        self.dedupe = dedupe

    def run(self, paths: Sequence[str], started: datetime.datetime) -> Loaded:
        """All steps; the manifest is the last."""
        rows = self._kept("rows", self._rows(paths))
        sources = self._kept("sources", self._sources(rows))
        if sources.isEmpty():
            raise NothingFound
        every = self._kept("every", self._identified(rows, sources))
        games = every.where("new")
        positions = self._kept("positions", self._positions(games))
        chosen = games.drop("keys", "tags")
        openings = self._asked("openings.sql", positions=positions, chosen=chosen)
        within = self._asked("contained.sql", positions=positions, chosen=chosen)
        rejects = rows.where("kind = 'reject'").join(sources.select("path", "source_id"), "path").select(*_REJECTS)
        columns = [name for name in games.columns if name not in _NOT_OF_GAMES and name not in ("new",)]
        tables = {
            "games": games.select(*columns),
            "plies": positions.drop("next_key"),
            "openings": openings,
            "contained": within,
            "copies": every.where("NOT new").select("game_id", "source_id", "source_offset"),
            "game_tags": games.selectExpr("game_id", "inline(tags)"),
            "rejects": rejects,
        }
        counts = {name: self._write(name, table) for name, table in tables.items()}
        now = datetime.datetime.now(datetime.UTC)
        counts["sources"] = self._write("sources", self._as_stored(sources, now))
        self._write("batches", self._batches(started, now, counts))
        self._write("meta", self._meta(counts["games"]))
        faulty = int(rows.where("faulty").count())
        self.written.finish()
        self.written.name_positions(self.patterns)
        return Loaded(counts["sources"], counts["games"], counts["copies"], counts["rejects"], faulty,
                      counts["openings"], counts["contained"])

    # --- steps

    def _rows(self, paths: Sequence[str]) -> Any:
        """What the loader's core makes of the files: batches of (path, bytes) to batches of rows."""
        from pyspark.sql import functions as f

        from kifu.store import core

        folders, named = tasks.apart(paths, self._is_file)
        suffixes = sorted({*SUFFIXES, *CONTAINERS, *(suffix + packed for suffix in SUFFIXES for packed in COMPRESSED)})
        pattern = "*{" + ",".join(_any_case(suffix) for suffix in suffixes) + "}"
        reader = self.spark.read.format("binaryFile").option("recursiveFileLookup", "true")
        given = reader.load(named).select("path", "content") if named else None
        found = None
        if folders:  # a reader keeps its options, and this one would leave out named files too: it comes last
            found = reader.option("pathGlobFilter", pattern).load(folders).select("path", "content")
            if given is not None:  # a file that is named and found is read once
                found = found.join(f.broadcast(given.select("path")), "path", "left_anti")
        parts = [source.mapInArrow(tasks.to_rows(self.options, self.patterns, searched), _ddl(core.SCHEMA))
                 for source, searched in ((found, True), (given, False)) if source is not None]
        if not parts:
            raise NothingFound
        return parts[0] if len(parts) == 1 else parts[0].unionAll(parts[1])

    def _is_file(self, path: str) -> bool:
        """Whether a path or URL is that of a file, as Spark's file systems say; a pattern is none."""
        place = self.spark._jvm.org.apache.hadoop.fs.Path(path)
        system = place.getFileSystem(self.spark._jsc.hadoopConfiguration())
        return bool(system.exists(place) and system.getFileStatus(place).isFile())

    def _sources(self, rows: Any) -> Any:
        """A row for each file, numbered."""
        from pyspark.sql import functions as f

        found = rows.groupBy("path").agg(
            *(f.first(name, ignorenulls=True).alias(name) for name in ("sha256", "size", "format", "encoding")),
            f.count_if(f.col("kind") == "game").cast("int").alias("games_ok"),
            f.count_if(f.col("kind") == "reject").cast("int").alias("games_rejected"))
        return self._numbered(found, ["path"], "source_id")

    def _identified(self, rows: Any, sources: Any) -> Any:
        """The games with ``source_id`` and ``game_id``, and whether each is ``new`` or the copy of an earlier one."""
        from pyspark.sql import Window
        from pyspark.sql import functions as f

        games = rows.where("kind = 'game'").join(sources.select("path", "source_id"), "path")
        same = {"moves": ["game_hash"], "moves+players": ["game_hash", "black", "white"],
                "none": ["source_id", "game_no"]}[self.dedupe]
        place = f.struct("source_id", "game_no")
        owned = games.select("source_id", "game_no", *same) if self.dedupe != "none" else games.select(*same)
        owned = owned.select("source_id", "game_no", f.min(place).over(Window.partitionBy(*same)).alias("owner"))
        new = owned.where(f.col("owner") == place).select("source_id", "game_no")
        ids = self._kept("ids", self._numbered(new, ["source_id", "game_no"], "game_id"))
        owners = ids.select(f.struct("source_id", "game_no").alias("owner"), "game_id")
        told = owned.join(owners, "owner").select("source_id", "game_no", "game_id",
                                                  (f.col("owner") == place).alias("new"))
        return games.join(told, ["source_id", "game_no"])

    def _positions(self, games: Any) -> Any:
        return games.select("game_id", "plies", "moves", "keys").mapInArrow(tasks.to_positions, tasks.POSITIONS)

    def _as_stored(self, sources: Any, now: datetime.datetime) -> Any:
        from pyspark.sql import functions as f

        return sources.select("source_id", "path", "sha256", "size", "format", "encoding",
                              f.lit(__version__).alias("tool_version"), f.lit(1).alias("batch_id"),
                              f.lit(now).alias("loaded_at"), "games_ok", "games_rejected")

    def _batches(self, started: datetime.datetime, now: datetime.datetime, counts: dict[str, int]) -> Any:
        return self.spark.createDataFrame(
            [(1, started, now, __version__, counts["games"], counts["rejects"])],
            "batch_id int, started_at timestamp, finished_at timestamp, tool_version string, games_ok int,"
            " games_rejected int")

    def _meta(self, games: int) -> Any:
        told = {"schema_version": str(SCHEMA_VERSION), "position_key": POSITION_KEY, "move_encoding": MOVE_ENCODING,
                "tool_version": __version__, "macros": macro_digest(), "openings": "fresh",
                contained.META: contained.FRESH, naming.META: naming.signature(self.patterns),
                NEXT_GAME: str(games + 1)}
        return self.spark.createDataFrame(sorted(told.items()), "key string, value string")

    # --- what they share

    def _asked(self, name: str, **views: Any) -> Any:
        """What an SQL file of this folder gives over the given views."""
        for view, frame in views.items():
            frame.createOrReplaceTempView(view)
        return self.spark.sql((files("kifu.spark") / name).read_text(encoding="utf-8").rstrip().rstrip(";"))

    def _numbered(self, frame: Any, order: Sequence[str], name: str) -> Any:
        """The frame with a column of the numbers 1, 2, 3, ... in the given order, which must have no ties."""
        from pyspark.sql import functions as f

        ranged = frame.repartitionByRange(*order).sortWithinPartitions(*order)
        told = self._kept(f"{name}-sorted", ranged.withColumn("_at", f.monotonically_increasing_id()))
        told = told.withColumn("_part", f.shiftright("_at", 33))
        sizes = sorted((row["_part"], row["count"]) for row in told.groupBy("_part").count().collect())
        before, firsts = 0, []
        for part, size in sizes:
            firsts.append((part, before + 1))
            before += size
        starts = self.spark.createDataFrame(firsts, "_part long, _first long")
        within = f.col("_at").bitwiseAND((1 << 33) - 1)
        return (told.join(f.broadcast(starts), "_part").withColumn(name, (f.col("_first") + within).cast("int"))
                .drop("_at", "_part", "_first"))

    def _kept(self, name: str, frame: Any) -> Any:
        """The frame, worked out once and kept beside the dataset while the job runs."""
        place = self.written.scratch(name)
        frame.write.mode("overwrite").parquet(place)
        return self.spark.read.schema(frame.schema).parquet(place)

    def _write(self, name: str, frame: Any) -> int:
        """Write a table, sorted as datasets are; returns the number of its rows."""
        from pyspark.sql import functions as f

        order = [f.desc(word[:-5]) if word.endswith(" DESC") else f.col(word) for word in TABLES[name].split(", ")]
        place = self.written.table(name)
        frame.repartitionByRange(*order).sortWithinPartitions(*order).write.mode("overwrite").parquet(place)
        rows = int(self.spark.read.schema(frame.schema).parquet(place).count())
        self.written.told(name, rows)
        return rows


def _any_case(suffix: str) -> str:
    """A suffix as a pattern of Hadoop, which minds the case.

    >>> _any_case(".7z")
    '.7[zZ]'
    """
    return "".join(f"[{char}{char.upper()}]" if char.isalpha() else char for char in suffix)


def _ddl(schema: Any) -> Any:
    """An Arrow schema as Spark writes it."""
    from pyspark.sql.pandas.types import from_arrow_schema

    return from_arrow_schema(schema)
