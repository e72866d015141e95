"""``kifu load``: proven games into a database, refused ones into its table of rejects."""
from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click
from kifu.cli import cluster
from kifu.cli.options import Inputs, OutputFile, further_patterns, reading, talking
from kifu.cli.talk import Progress, Talk
from kifu.cli.words import counted

if TYPE_CHECKING:
    from kifu.knowledge import PatternFile
    from kifu.pipeline import Source
    from kifu.store.loader import Loader

def unread(sources: Iterator[Source], loader: Loader, progress: Progress | None = None,
           several: bool = True) -> Iterator[Source]:
    """The files that are not in the database as they are now; the others are done.

    So is a file that came before, as it may where ``several`` paths are named.
    """
    from hashlib import sha256

    from kifu.pipeline import read_bytes
    from kifu.pipeline.rows import stored_path

    seen: set[str] = set()
    for source in sources:
        if source.path != "-":
            path = stored_path(source, b"")
            if path in seen:
                loader.statistics.skipped += 1
                if progress:
                    progress(1, source.size)
                continue
            if several:
                seen.add(path)
            if loader.has(path):
                try:
                    if loader.known(path, sha256(read_bytes(source)).digest()):
                        if progress:
                            progress(1, source.size)
                        continue
                except OSError:
                    pass  # the worker meets the same error and tells it
        yield source


def _loader(db: str, dedupe: str, boards: bool) -> Loader:
    """The loader, whose libraries start threads: not before there are workers."""
    from kifu.store.loader import Loader

    return Loader(db, dedupe, boards)


def _are(games: int) -> str:
    return "was" if games == 1 else "were"


def _other_patterns(loader: Loader, patterns: tuple[PatternFile, ...]) -> str | None:
    """What to say where the castles and openings in the database were found by other patterns."""
    from kifu.store.naming import other_patterns

    return other_patterns(loader.database, patterns)


def _in_it(games: int) -> str:
    return f"{counted(games, 'game')} {'is' if games == 1 else 'are'}"


@click.command("load", short_help="Prove games and load them into a DuckDB file.")
@reading()
@click.option("--db", metavar="FILE", type=OutputFile(), help="The database; made where there is none.")
@click.option("--boards", is_flag=True,
              help="Also keep every position square by square, for questions about parts of a position; so will later "
                   "loads into this database.")
@click.option("--dedupe", type=click.Choice(["moves", "moves+players", "none"]), default="moves+players",
              show_default=True, help="What makes two games the same one, of which only the first is kept.")
@click.option("--engine", type=click.Choice(["local", "spark"]), default="local", show_default=True,
              help="Who does the work: processes of this machine, or Apache Spark, which writes a folder to --out.")
@click.option("--master", metavar="URL", help="Spark: where it runs; local[*], spark://HOST:7077, yarn, ...")
@click.option("--out", metavar="DIR", help="Spark: a folder of Parquet files to write, for --db of other commands.")
@click.option("--force", is_flag=True, help="Spark: replace the dataset that --out holds.")
@further_patterns
@talking
def command(inputs: Inputs, db: str | None, boards: bool, dedupe: str, engine: str, master: str | None, out: str | None,
            force: bool, patterns: tuple[PatternFile, ...], talk: Talk) -> int:
    """Prove the games of PATH... and load them into a DuckDB file.

    Games that are illegal or unreadable go into the table rejects, with the code, line and text of what is wrong.
    The exit status is 1 then, and where a game that was loaded has an error, which kifu check tells. With --strict
    so do games that the specification of their notation does not allow; --salvage changes nothing, since a part of
    a game is no game. Files that are in already and have not changed are skipped, so that a load can be repeated
    and, after an interruption, continued. A file that can no longer be read keeps the games it brought before; the exit
    status is 1 then. A batch is in the file whole or not at all.

    With --boards the table boards has a row for each position of a game of ordinary shogi: its 81 squares and both
    hands. It is made for games too that are in already.

    The castles and openings of each game go into the table game_tags. Files that are skipped keep theirs, whatever
    --patterns says.

    Collections of tens of millions of games, or those in object storage, may be loaded on a cluster of Apache Spark
    (pip install "kifu[spark]"): --engine spark --master 'local[4]' --out DIR writes a folder of Parquet files, which
    --db of the other commands opens. kifu/spark/SPARK.md says when that is worth it.

    \b
    Examples:
      kifu load sample_games/ --db games.duckdb
      kifu load sample_games/ --db games.duckdb --dedupe none --quiet
    """
    cluster.chosen(engine, db, boards, out, master, force)
    if out is not None:
        return cluster.load(inputs, out, master, dedupe, patterns, force, talk)
    assert db is not None
    from kifu.pipeline import Failure, Problem, ready, run
    from kifu.pipeline.rows import ToRows, joined

    problems: list[Problem] = []
    made = not os.path.lexists(db)
    talk.interpreted()
    task = ToRows(inputs.options(), patterns)
    with (ready(inputs.find(problems), task, inputs.processes) as (sources, workers),
          _loader(db, dedupe, boards) as loader, talk.progress(inputs.paths, "loading") as progress):
        loader.patterns = patterns
        loader.on_kept = lambda path, why: talk.error(f"{path}: {why}; what it brought before stays in {db}")
        if loader.untagged:
            talk.say(f"{db} was made by an earlier version: {_in_it(loader.untagged)} in it without castles and "
                     f"openings; kifu db retag {db} finds them")
        elif other := _other_patterns(loader, patterns):
            talk.say(other)
        if loader.boards_filled:
            talk.say(f"the boards of {counted(loader.boards_filled, 'game')} that {_are(loader.boards_filled)} in {db} "
                     "already were added")
        try:
            wanted = unread(sources, loader, progress, len(inputs.paths) > 1)
            results = run(wanted, task, jobs=inputs.processes, progress=progress, workers=workers)
            for rows in joined(results):
                if isinstance(rows, Failure):
                    talk.failure(rows)
                    continue
                loader.append(rows)
                if progress:
                    progress.games(rows.num_rows)
                if loader.full:
                    loader.commit_soon()
            if progress:
                progress.now("finishing")
            done = loader.finish()
        except KeyboardInterrupt:
            loader.settle()
            talk.error(f"interrupted; {_in_it(loader.statistics.games)} in {db}. Run it again to go on.")
            raise click.exceptions.Exit(130) from None
    talk.problems(problems)
    if made and not done.batches:
        os.remove(db)  # that the next command finds no database says more than one without a game
        talk.say(f"{db} was not made, since nothing was loaded")
    told = [f"{counted(done.games, 'game')} from {counted(done.sources, 'file')}"]
    told += [words for count, words in (
        (done.faulty, f"{done.faulty} with {'an error' if done.faulty == 1 else 'errors'}"),
        (done.duplicates, counted(done.duplicates, "duplicate")), (done.rejected, counted(done.rejected, "reject")),
        (done.removed, f"{done.removed} replaced"),
        (done.skipped, f"{counted(done.skipped, 'file')} unchanged"),
        (done.kept, f"{counted(done.kept, 'file')} unreadable and kept as before")) if count]
    talk.out(f"{db}: {', '.join(told)}")
    if done.contained and done.batches:
        longer = "a longer one" if done.contained == 1 else "longer ones"
        talk.say(f"{_in_it(done.contained)} the beginning of {longer}; the table contained tells which")
    if not done.sources and not done.skipped and not done.kept and not problems:
        talk.error("no games were found")
        talk.failed = True
    return 2 if talk.failed else int(bool(done.rejected or done.faulty or done.kept))
