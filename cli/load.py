"""``kifu load``: proven games into a database, refused ones into its table of rejects."""
from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import click
from kifu.cli.options import Inputs, reading, talking
from kifu.cli.talk import Talk

if TYPE_CHECKING:
    from kifu.pipeline import Options, Source
    from kifu.store.loader import Loader
    from kifu.store.rows import GameRow, RejectRow, SourceInfo

AT_ONCE = 200  # games of one file that travel together


class Rows(NamedTuple):
    """Some games of one file as rows; ``last`` where no more of it follow."""

    source: SourceInfo
    games: list[GameRow]
    rejects: list[RejectRow]
    last: bool = False


class ToRows(NamedTuple):
    """The task of a worker: a file to the rows of its games."""

    options: Options

    def __call__(self, source: Source) -> Iterator[Rows]:
        from hashlib import sha256

        from kifu.pipeline import games, read_bytes
        from kifu.store.rows import SourceInfo, file_reject, game_row, reject_row

        try:
            data = read_bytes(source)
        except OSError:
            data = None  # `games` says what is the matter
        digest, size = sha256(data or b"").digest(), len(data or b"")
        rows: Rows | None = None
        found = games(source, self.options, keys=True, data=data)
        del data  # a large file need not be kept twice
        for entry in found:
            if rows is None or len(rows.games) + len(rows.rejects) >= AT_ONCE:
                if rows is not None:
                    yield rows
                info = SourceInfo(stored_path(source, digest), digest, size, entry.notation,
                                  entry.decoded.encoding or None)
                rows = Rows(info, [], [])
            if entry.game is None:
                rows.rejects.append(file_reject(entry.findings[-1]))
            elif entry.verdict in ("legal", "foul"):
                rows.games.append(game_row(entry.game, entry.offset))
            else:
                rows.rejects.append(reject_row(entry.game, entry.offset))
        if rows is not None:
            yield rows._replace(last=True)


def stored_path(source: Source, digest: bytes) -> str:
    """How a database knows a file: by its full path, so that it does not matter where a load was started.

    Standard input has no name, so what came through it is known by its content.
    """
    return f"-:{digest.hex()[:16]}" if source.path == "-" else os.path.abspath(source.path)


def unread(sources: Iterator[Source], loader: Loader) -> Iterator[Source]:
    """The files that are not in the database as they are now."""
    from hashlib import sha256

    from kifu.pipeline import read_bytes

    for source in sources:
        if source.path != "-":
            path = stored_path(source, b"")
            if loader.has(path):
                try:
                    if loader.known(path, sha256(read_bytes(source)).digest()):
                        continue
                except OSError:
                    pass  # the worker meets the same error and tells it
        yield source


@click.command("load", short_help="Prove games and load them into a DuckDB file.")
@reading()
@click.option("--db", metavar="FILE", required=True, type=click.Path(dir_okay=False),
              help="The database; made where there is none.")
@click.option("--boards", is_flag=True, hidden=True, help="Also keep every board square by square.")
@click.option("--dedupe", type=click.Choice(["moves", "moves+players", "none"]), default="moves+players",
              show_default=True, help="What makes two games the same one, of which only the first is kept.")
@talking
def command(inputs: Inputs, db: str, boards: bool, dedupe: str, talk: Talk) -> int:
    """Prove the games of PATH... and load them into a DuckDB file.

    Games that are illegal or unreadable go into the table rejects, with the code, line and text of what is wrong; the
    exit status is 1 then. Files that are in already and have not changed are skipped, so that a load can be repeated
    and, after an interruption, continued. A batch is in the file whole or not at all.

    \b
    Examples:
      kifu load sample_games/ --db games.duckdb
      kifu load sample_games/ --db games.duckdb --dedupe none --quiet
    """
    from kifu.pipeline import Failure, Problem, run
    from kifu.store.loader import Loader

    problems: list[Problem] = []
    talk.interpreted()
    with Loader(db, dedupe, boards) as loader, talk.progress(inputs.paths, "loading") as progress:
        try:
            for _, rows in run(unread(inputs.find(problems), loader), ToRows(inputs.options()), jobs=inputs.processes,
                               progress=progress):
                if isinstance(rows, Failure):
                    talk.failure(rows)
                    continue
                loader.add(rows.source, rows.games, rows.rejects, rows.last)
                if loader.full:
                    loader.commit_batch()
            done = loader.finish()
        except KeyboardInterrupt:
            talk.error(f"interrupted; {loader.statistics.games} games are in {db}. Run it again to go on.")
            raise click.exceptions.Exit(130) from None
    talk.problems(problems)
    told = [f"{done.games} games from {done.sources} files"]
    told += [f"{count} {what}" for count, what in (
        (done.duplicates, "duplicates"), (done.rejected, "rejects"), (done.removed, "replaced"),
        (done.skipped, "files unchanged")) if count]
    talk.out(f"{db}: {', '.join(told)}")
    if not done.sources and not done.skipped and not problems:
        talk.error("no games were found")
        talk.failed = True
    return 2 if talk.failed else int(bool(done.rejected))
