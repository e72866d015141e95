"""``kifu load``: proven games into a database, refused ones into its table of rejects."""
from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Self

import click
from kifu._tuples import NamedTuple
from kifu.cli.options import Inputs, OutputFile, further_patterns, reading, talking
from kifu.cli.talk import Talk
from kifu.cli.words import counted

if TYPE_CHECKING:
    from kifu.knowledge import PatternFile
    from kifu.pipeline import Options, Source
    from kifu.store.loader import Loader
    from kifu.store.rows import GameRow, RejectRow, SourceInfo

AT_ONCE = 200  # games of one file that travel together


class Rows(NamedTuple):
    """Some games of one file as rows: the first ones of it or of a part of it, and the last ones of it, or others.

    Workers send them as plain tuples (`packed`), which cost a third of the time to pickle.
    """

    source: SourceInfo
    games: list[GameRow]
    rejects: list[RejectRow]  # their games numbered from the start of what was read at once, the file or the part
    first: bool = True
    last: bool = False
    faulty: int = 0  # of the games, those that have an error all the same

    def packed(self, last: bool = False) -> tuple[Any, ...]:
        """The same in plain tuples; ``last`` where no more will come of the file."""
        games = [(*game[:-1], game.comments and tuple(game.comments)) for game in self.games]
        return tuple(self.source), games, [tuple(reject) for reject in self.rejects], self.first, last, \
            self.faulty

    @classmethod
    def unpacked(cls, packed: tuple[Any, ...]) -> Self:
        """What was packed."""
        from kifu.store.rows import Comments, GameRow, RejectRow, SourceInfo

        source, games, rejects, first, last, faulty = packed
        return cls(SourceInfo._make(source),
                   [GameRow._make((*game[:-1], game[-1] and Comments._make(game[-1]))) for game in games],
                   [RejectRow._make(reject) for reject in rejects], first, last, faulty)


class ToRows(NamedTuple):
    """The task of a worker: a file, or a part of one, to the rows of its games."""

    options: Options
    patterns: tuple[PatternFile, ...] = ()

    def parts(self, source: Source) -> list[Source]:
        """The parts of a large file."""
        from hashlib import sha256

        from kifu.pipeline import split

        return split(source, self.options, sha256)

    def __call__(self, source: Source) -> Iterator[tuple[Any, ...]]:
        from hashlib import sha256

        from kifu.knowledge import matcher
        from kifu.pipeline import games, read_bytes
        from kifu.store.rows import SourceInfo, file_reject, game_row, reject_row

        patterns = matcher(self.patterns)
        data, part = None, source.part
        if part is None:
            try:
                data = read_bytes(source)
            except OSError:
                pass  # `games` says what is the matter
            digest, size = sha256(data or b"").digest(), len(data or b"")
        else:
            digest, size = part.digest, part.size
        rows: Rows | None = None
        found = games(source, self.options, keys=True, data=data)
        del data  # a large file need not be kept twice
        for entry in found:
            if rows is None or len(rows.games) + len(rows.rejects) >= AT_ONCE:
                if rows is not None:
                    yield rows.packed()
                notation, encoding = (part or entry).notation, (part or entry.decoded).encoding
                info = SourceInfo(stored_path(source, digest), digest, size, notation, encoding or None)
                rows = Rows(info, [], [], rows is None)
            if entry.game is None:
                rows.rejects.append(file_reject(entry.findings[-1]))
            elif entry.verdict in ("legal", "foul") and not (entry.bad and self.options.mode == "strict"):
                rows.games.append(game_row(entry.game, entry.offset, patterns))
                if entry.bad:
                    rows = rows._replace(faulty=rows.faulty + 1)
            else:
                rows.rejects.append(reject_row(entry.game, entry.offset))
        if rows is None and part is not None and part.last:  # nothing but blanks, but they end the file
            rows = Rows(SourceInfo(stored_path(source, digest), digest, size, part.notation, part.encoding), [], [])
        if rows is not None:
            yield rows.packed(last=part is None or part.last)


def joined(results: Iterable[tuple[Source, Any]]) -> Iterator[Any]:
    """The rows of files whose parts were read apart: the rejects of a file are numbered through.

    A file of which a part failed never gives its last rows as such: it counts as not loaded, and is read again.
    """
    from kifu.pipeline import Failure

    previous: Source | None = None
    count = before = 0  # games of the file, and those before the part
    failed = False
    for source, result in results:
        if source is not previous:
            previous, count, before, failed = source, 0, 0, False
        if isinstance(result, Failure):
            failed = True
            yield result
            continue
        rows = Rows.unpacked(result)
        if rows.first:
            before = count
        count += len(rows.games) + len(rows.rejects)
        if before and rows.rejects:
            rows = rows._replace(rejects=[row._replace(game_no=row.game_no and row.game_no + before)
                                          for row in rows.rejects])
        yield rows._replace(last=False) if failed and rows.last else rows


def stored_path(source: Source, digest: bytes) -> str:
    """How a database knows a file: by its full path, so that it does not matter where a load was started.

    Standard input has no name, so what came through it is known by its content.
    """
    if source.path == "-":
        return f"-:{digest.hex()[:16]}"
    path = os.path.abspath(source.path)
    return path if source.member is None else f"{path}/{source.member}"


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


def _in_it(games: int) -> str:
    return f"{counted(games, 'game')} {'is' if games == 1 else 'are'}"


@click.command("load", short_help="Prove games and load them into a DuckDB file.")
@reading()
@click.option("--db", metavar="FILE", required=True, type=OutputFile(),
              help="The database; made where there is none.")
@click.option("--boards", is_flag=True, hidden=True, help="Also keep every board square by square.")
@click.option("--dedupe", type=click.Choice(["moves", "moves+players", "none"]), default="moves+players",
              show_default=True, help="What makes two games the same one, of which only the first is kept.")
@further_patterns
@talking
def command(inputs: Inputs, db: str, boards: bool, dedupe: str, patterns: tuple[PatternFile, ...], talk: Talk) -> int:
    """Prove the games of PATH... and load them into a DuckDB file.

    Games that are illegal or unreadable go into the table rejects, with the code, line and text of what is wrong.
    The exit status is 1 then, and where a game that was loaded has an error, which kifu check tells. With --strict
    so do games that the specification of their notation does not allow; --salvage changes nothing, since a part of
    a game is no game. Files that are in already and have not changed are skipped, so that a load can be repeated
    and, after an interruption, continued. A batch is in the file whole or not at all.

    The castles and openings of each game go into the table game_tags. Files that are skipped keep theirs, whatever
    --patterns says.

    \b
    Examples:
      kifu load sample_games/ --db games.duckdb
      kifu load sample_games/ --db games.duckdb --dedupe none --quiet
    """
    from kifu.pipeline import Failure, Problem, run
    from kifu.store.loader import Loader
    from kifu.store.naming import other_patterns

    problems: list[Problem] = []
    faulty = 0
    talk.interpreted()
    with Loader(db, dedupe, boards) as loader, talk.progress(inputs.paths, "loading") as progress:
        loader.patterns = patterns
        if loader.untagged:
            talk.say(f"{db} was made by an earlier version: {_in_it(loader.untagged)} in it without castles and "
                     f"openings; kifu db retag {db} finds them")
        elif other := other_patterns(loader.database, patterns):
            talk.say(other)
        try:
            results = run(unread(inputs.find(problems), loader), ToRows(inputs.options(), patterns),
                          jobs=inputs.processes, progress=progress)
            for rows in joined(results):
                if isinstance(rows, Failure):
                    talk.failure(rows)
                    continue
                faulty += rows.faulty
                loader.add(rows.source, rows.games, rows.rejects, rows.last)
                if loader.full:
                    loader.commit_soon()
            done = loader.finish()
        except KeyboardInterrupt:
            loader.settle()
            talk.error(f"interrupted; {_in_it(loader.statistics.games)} in {db}. Run it again to go on.")
            raise click.exceptions.Exit(130) from None
    talk.problems(problems)
    told = [f"{counted(done.games, 'game')} from {counted(done.sources, 'file')}"]
    told += [words for count, words in (
        (faulty, f"{faulty} with {'an error' if faulty == 1 else 'errors'}"),
        (done.duplicates, counted(done.duplicates, "duplicate")), (done.rejected, counted(done.rejected, "reject")),
        (done.removed, f"{done.removed} replaced"),
        (done.skipped, f"{counted(done.skipped, 'file')} unchanged")) if count]
    talk.out(f"{db}: {', '.join(told)}")
    if done.contained and done.batches:
        longer = "a longer one" if done.contained == 1 else "longer ones"
        talk.say(f"{_in_it(done.contained)} the beginning of {longer}; the table contained tells which")
    if not done.sources and not done.skipped and not problems:
        talk.error("no games were found")
        talk.failed = True
    return 2 if talk.failed else int(bool(done.rejected or faulty))
