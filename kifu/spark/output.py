"""Where a job writes: a folder of the local file system, or one behind a URL.

Locally the files are written into a folder beside the wanted one, which takes its name when it is whole
(`kifu.store.publish`). Behind a URL nothing can change its name in one step: there the files go straight to their
places, under names that no earlier dataset has, and the manifest, written last, says which ones count.
"""
from __future__ import annotations

import datetime
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kifu import __version__
from kifu.store import naming
from kifu.store.database import POSITION_KEY, SCHEMA_VERSION, Database
from kifu.store.dataset import MANIFEST, TABLES, Manifest, Table
from kifu.store.errors import StoreError
from kifu.store.moves import ENCODING as MOVE_ENCODING
from kifu.store.publish import DatasetExists, FolderInUse, prepared

if TYPE_CHECKING:
    from kifu.knowledge import PatternFile

_SCRATCH = "_unfinished"


class Output:
    """A dataset in the making, on a file system that Hadoop knows."""

    def __init__(self, spark: Any, folder: str, local: Path | None = None) -> None:
        self.folder = folder.rstrip("/")
        self.local = local  # the same folder, where it is one of this machine
        self.manifest = Manifest(secrets.token_hex(4), SCHEMA_VERSION, POSITION_KEY, MOVE_ENCODING, __version__,
                                 datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"), {})
        self._jvm = spark._jvm
        self._path = self._jvm.org.apache.hadoop.fs.Path
        self._files = self._path(self.folder).getFileSystem(spark._jsc.hadoopConfiguration())

    def scratch(self, name: str) -> str:
        """A place for what only the job needs."""
        return f"{self.folder}/{_SCRATCH}-{self.manifest.id}/{name}"

    def table(self, name: str) -> str:
        """The place in which Spark writes the files of a table."""
        return self.scratch(f"table-{name}")

    def told(self, name: str, rows: int) -> None:
        """The table is written: its files go to their own place, numbered in their order."""
        target = f"{self.folder}/{name}"
        self._files.mkdirs(self._path(target))
        table = Table(rows)
        for number, path in enumerate(self._written(self.table(name))):
            file = f"{name}/{self.manifest.id}-{number:05}.parquet"
            if not self._files.rename(self._path(path), self._path(f"{self.folder}/{file}")):
                raise StoreError(f"{self.folder}/{file} cannot be written.")
            table.files.append(file)
        self.manifest.tables[name] = table

    def finish(self) -> None:
        """Write the manifest: from now on this is the dataset."""
        self.clean()
        self._write_manifest()

    def name_positions(self, patterns: tuple[PatternFile, ...]) -> None:
        """Add the names of positions to what the manifest has: the work of DuckDB, and so for local folders only."""
        if self.local is None:
            return
        with Database.open(self.local) as database:
            naming.rename(database, patterns)
            for name in ("named_positions", "tag_names"):
                (self.local / name).mkdir(exist_ok=True)
                file = f"{name}/{self.manifest.id}-00000.parquet"
                rows = database.write_parquet(f"FROM {name} ORDER BY {TABLES[name]}", self.local / file)
                self.manifest.tables[name] = Table(rows, [file])
        self._write_manifest()

    def _write_manifest(self) -> None:
        stream = self._files.create(self._path(f"{self.folder}/{MANIFEST}"), True)
        try:
            stream.write(bytearray(self.manifest.text().encode()))
        finally:
            stream.close()

    def clean(self) -> None:
        """Remove what only the job needs."""
        self._files.delete(self._path(f"{self.folder}/{_SCRATCH}-{self.manifest.id}"), True)

    def exists(self, name: str = MANIFEST) -> bool:
        """Whether there is such a file in the folder."""
        return bool(self._files.exists(self._path(f"{self.folder}/{name}")))

    def empty(self) -> bool:
        """Whether the folder holds nothing, or is not there."""
        folder = self._path(self.folder)
        return not self._files.exists(folder) or not list(self._files.listStatus(folder))

    def earlier(self) -> list[str]:
        """The Parquet files that an earlier dataset has left."""
        ours = {path for table in self.manifest.tables.values() for path in table.files}
        found = []
        for name in self.manifest.tables:
            written = self._written(f"{self.folder}/{name}")
            found += [path for path in written if "/".join(path.split("/")[-2:]) not in ours]
        return found

    def remove(self, path: str) -> None:
        """Remove a file."""
        self._files.delete(self._path(path), False)

    def _written(self, folder: str) -> list[str]:
        statuses = self._files.listStatus(self._path(folder))
        paths = [str(status.getPath().toString()) for status in statuses if status.isFile()]
        return sorted(path for path in paths if path.endswith(".parquet") and path.rsplit("/", 1)[-1][0] not in "._")


@contextmanager
def output(spark: Any, out: str, force: bool) -> Iterator[Output]:
    """The place for a dataset. Raises `DatasetExists` and `FolderInUse` before any work is done."""
    if "://" not in out:
        with prepared(out, force) as staging:
            yield Output(spark, staging.as_uri(), staging)
            for crc in staging.rglob(".*.crc"):  # Hadoop's, which renaming leaves without their files
                crc.unlink()
        return
    written = Output(spark, out)
    if written.exists() and not force:
        raise DatasetExists(out)
    if not written.exists() and not written.empty():
        raise FolderInUse(out, "holds other files than those of a dataset")
    try:
        yield written
    except BaseException:
        written.clean()
        raise
    for path in written.earlier():
        written.remove(path)
