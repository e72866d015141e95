"""Loading on a cluster: Apache Spark runs the loader's core where the files are, and writes a dataset.

The optional adapter for collections that one machine does not hold (``pip install "kifu[spark]"``, Java 17 or later).
The same function reads and proves the games as everywhere (`kifu.pipeline.rows.parse_batches`), the result is the same
dataset that ``kifu export --parquet`` writes (`kifu.store.dataset`), and DuckDB, pyarrow and Polars read it alike.
SPARK.md beside this file says when that is worth it, and how.

    from kifu.spark import load
    loaded = load(["records/"], "dataset", master="local[2]")
    loaded.games, loaded.rejects
"""
from __future__ import annotations

import sys

if sys.modules.get("numpy", sys) is None:  # the command line starts pyarrow without; pandas needs it
    del sys.modules["numpy"]

from kifu.spark.job import Loaded, NothingFound, SparkMissing, load

__all__ = ["Loaded", "NothingFound", "SparkMissing", "load"]
