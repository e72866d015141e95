"""The Spark session: how it is made, and what is said where there is no Spark or no Java."""
from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kifu.store.errors import StoreError

#: Files of one task, in bytes: small files are packed together, or each would be a task of its own.
TASK_BYTES = 8 << 20
#: Rows that Python gets at a time: each row is a file.
FILES_AT_ONCE = 256
#: Parts into which one machine cuts what it sorts and groups.
LOCAL_PARTS = 8
#: No message of Spark's own below this level; what fails is told by the exception.
LOG = "log4j2.properties"


class SparkMissing(StoreError):
    """There is no Spark here, or no Java for it."""


@contextmanager
def session(master: str, name: str = "kifu load") -> Iterator[Any]:
    """A session at ``master`` (``local[4]``, ``spark://HOST:7077``, ``yarn``, ``k8s://...``); stopped at the end.

    A session that is active already (a notebook's, spark-submit's) is used and left alone. Raises `SparkMissing`.
    """
    try:
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise SparkMissing('Loading with Spark needs pyspark: pip install "kifu[spark]".') from error
    if not (os.environ.get("JAVA_HOME") or shutil.which("java")):
        raise SparkMissing("Spark needs Java 17 or later: no java on the PATH, and JAVA_HOME is not set.")
    active = SparkSession.getActiveSession()
    if active is not None:
        yield active
        return
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # or workers take another Python, which has no kifu
    builder = SparkSession.builder.master(master).appName(name)
    for key, value in _settings(master).items():
        builder = builder.config(key, value)
    try:
        with _java_aside():
            spark = builder.getOrCreate()
    except Exception as error:  # py4j and Spark have many; all mean that there is no session
        raise SparkMissing(f"Spark did not start at {master}: {str(error).strip().splitlines()[0]}") from error
    try:
        yield spark
    finally:
        spark.stop()


@contextmanager
def _java_aside() -> Iterator[None]:
    """What is started inside the block writes its standard error nowhere: Java greets with warnings that help nobody.

    What fails in it later comes back as an exception.
    """
    sys.stderr.flush()
    kept = os.dup(2)
    try:
        with open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


@contextmanager
def told_plainly() -> Iterator[None]:
    """What Spark raises in the block leaves it as a `StoreError` of one line: its own have two stacks."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JError) as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip() and not line.startswith("\t")]
        causes = [line for line in lines if line.startswith("Caused by")]
        raise StoreError(f"Spark failed: {(causes or lines or [type(error).__name__])[-1 if causes else 0]}") from error


def _settings(master: str) -> dict[str, str]:
    log = Path(__file__).parent / LOG
    settings = {
        "spark.driver.extraJavaOptions": f"-Dlog4j2.configurationFile={log.as_uri()}",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.files.openCostInBytes": str(TASK_BYTES // FILES_AT_ONCE),
        "spark.sql.files.maxPartitionBytes": str(TASK_BYTES),
        "spark.sql.execution.arrow.maxRecordsPerBatch": str(FILES_AT_ONCE),
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
        "spark.sql.parquet.compression.codec": "zstd",
        "spark.hadoop.mapreduce.fileoutputcommitter.marksuccessfuljobs": "false",
    }
    if master.startswith("local"):
        # one machine: no network, and not the 200 parts of every step that a cluster shares
        settings |= {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1",
                     "spark.sql.shuffle.partitions": str(LOCAL_PARTS)}
    return settings
