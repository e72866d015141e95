"""``kifu load --engine spark``: the same work done by Apache Spark, into a folder of Parquet files."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click
from kifu.cli.options import Inputs
from kifu.cli.talk import Talk
from kifu.cli.words import counted

if TYPE_CHECKING:
    from kifu.knowledge import PatternFile


def chosen(engine: str, db: str | None, boards: bool, out: str | None, master: str | None, force: bool) -> None:
    """Refuse options that do not go together."""
    if engine == "spark":
        if db or boards:
            raise click.UsageError(f"--{'db' if db else 'boards'} goes with --engine local; Spark writes a folder: "
                                   "name it with --out.")
        if not out:
            raise click.UsageError("--engine spark writes a folder of Parquet files: name it with --out.")
        return
    for name, value in (("--out", out), ("--master", master), ("--force", force)):
        if value:
            raise click.UsageError(f"{name} goes with --engine spark.")
    if not db:
        raise click.UsageError("Missing option '--db': the database to load into.")


def load(inputs: Inputs, out: str, master: str | None, dedupe: str, patterns: tuple[PatternFile, ...], force: bool,
         talk: Talk) -> int:
    """Load on a cluster and tell what was done, as ``kifu load`` does; returns the exit status."""
    from kifu.pipeline.sources import STDIN
    from kifu.spark import load as spark_load

    for path in inputs.paths:
        if path == STDIN:
            raise click.UsageError("Spark reads files and folders, not standard input.")
        if "://" not in path and not os.path.exists(path):
            talk.error(f"{path}: there is no such file or folder")
            return 2
    try:
        done = spark_load(map(_full, inputs.paths), out, master or "local[*]", inputs.options(), patterns, dedupe,
                          force)
    except KeyboardInterrupt:
        talk.error(f"interrupted; nothing was written to {out}")
        raise click.exceptions.Exit(130) from None
    told = [f"{counted(done.games, 'game')} from {counted(done.sources, 'file')}"]
    told += [words for count, words in (
        (done.faulty, f"{done.faulty} with {'an error' if done.faulty == 1 else 'errors'}"),
        (done.duplicates, counted(done.duplicates, "duplicate")), (done.rejected, counted(done.rejected, "reject")),
    ) if count]
    talk.out(f"{out}: {', '.join(told)}")
    return int(bool(done.rejected or done.faulty))


def _full(path: str) -> str:
    """A path as the workers need it, whose folder is another one."""
    return path if "://" in path else os.path.abspath(path)
