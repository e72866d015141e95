"""``kifu export``: out of a database again, as Parquet, games, opening books or training data."""
from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource
from kifu._tuples import NamedTuple
from kifu.cli.options import (
    HANDICAP_KEYS, VARIANTS, WRITABLE, EncodingName, HandicapName, NotationName, OutputFile, VariantName, talking,
)
from kifu.cli.talk import Talk
from kifu.cli.words import counted, listed

if TYPE_CHECKING:
    from kifu.cli.target import Target

    from kifu.store.database import Database

#: Which options go with which kind of output; the others go with all.
GOES_WITH = {
    "where": ("games", "book", "training"), "query": ("games", "training"), "limit": ("games", "training"),
    "variant": ("games",), "style": ("games",), "to_encoding": ("games",), "on_loss": ("games",),
    "min_games": ("book",), "side": ("book",), "min_rating": ("book",), "winner_only": ("book",), "handicap": ("book",),
    "min_ply": ("training",), "max_ply": ("book", "training"), "show_sql": ("games", "book", "training"),
}
KINDS = ("parquet", "games", "book", "training")
#: What the database may hold in memory while games stream out of it.
MEMORY = "512MB"


class Wanted(NamedTuple):
    """Which games, and how they are written."""

    where: str | None
    query: str | None
    limit: int | None
    variant: str | None
    style: str | None
    to_encoding: str | None
    on_loss: str
    min_games: int
    side: str
    min_rating: int | None
    winner_only: bool
    handicap: str
    min_ply: int
    max_ply: int | None
    force: bool


@click.command("export", short_help="Out of a database: Parquet, games, opening books, training data.")
@click.option("--db", metavar="FILE", required=True, type=click.Path(), help="The database, or a folder of --parquet.")
@click.option("--parquet", metavar="DIR", type=click.Path(), help="All tables as Parquet files in this folder.")
@click.option("--games", type=(NotationName(written=True), OutputFile()), metavar="NOTATION FILE",
              help=f"Games in a notation: {WRITABLE}.")
@click.option("--book", type=(click.Choice(["yaneuraou", "apery"]), OutputFile()), metavar="KIND FILE",
              help="An opening book: yaneuraou (a text, .db) or apery (book.bin).")
@click.option("--training", type=(click.Choice(["psv", "hcpe"]), OutputFile()), metavar="KIND FILE",
              help="Positions with evaluation and result for engines to learn from: psv or hcpe.")
@click.option("--where", metavar="SQL", help="Only games for which this condition over the table games holds.")
@click.option("--query", metavar="SQL", help="The games whose game_id this query gives, in its order.")
@click.option("--limit", metavar="N", type=click.IntRange(min=1), help="No more than so many games.")
@click.option("--variant", metavar="NAME", type=VariantName(),
              help=f"Games: only those of this kind of shogi: {VARIANTS}; by default all.")
@click.option("--style", metavar="STYLE", help="How moves are spelled, as for kifu convert.")
@click.option("--to-encoding", type=EncodingName(written=True),
              help="Encoding to write; by default that of the kind of file.")
@click.option("--on-loss", type=click.Choice(["warn", "fail", "ignore"]), default="warn", show_default=True,
              help="What to do where the notation cannot hold everything.")
@click.option("--min-games", type=click.IntRange(min=1), default=2, show_default=True, metavar="N",
              help="Book: only moves of at least so many games.")
@click.option("--side", type=click.Choice(["black", "white", "both"]), default="both", show_default=True,
              help="Book: only positions in which this side is to move.")
@click.option("--min-rating", type=int, metavar="N", help="Book: only games of two players rated at least so high.")
@click.option("--winner-only", is_flag=True, help="Book: only moves of the side that won.")
@click.option("--handicap", metavar="ID", type=HandicapName(), default="even", show_default=True,
              help=f"Book: games of this handicap: {HANDICAP_KEYS}.")
@click.option("--min-ply", type=click.IntRange(min=0), default=0, metavar="N",
              help="Training: not the first N positions of a game.")
@click.option("--max-ply", type=click.IntRange(min=1), metavar="N",
              help="Book, training: only the first N moves of a game.")
@click.option("--show-sql", is_flag=True, help="Print the SQL that chooses or counts, and do nothing else.")
@click.option("--force", is_flag=True, help="Overwrite what exists.")
@talking
def command(db: str, parquet: str | None, games: tuple[str, str] | None,
            book: tuple[str, str] | None, training: tuple[str, str] | None, show_sql: bool, talk: Talk,
            **given: Any) -> int:
    """Write what a database holds: one of --parquet, --games, --book, --training. FILE may be - for standard output.

    A folder of --parquet is read by kifu itself (--db DIR), DuckDB, pyarrow, Polars and Spark. It appears, and with
    --force is replaced, as a whole. Games are proven again and come with the headers, clocks, comments and ends that
    the database holds; what the notation cannot hold is listed. Books count each game once for a position. Training
    data are one entry a position of games with a result, with 0 where no evaluation is known. Books and training data
    are of ordinary shogi alone.

    \b
    Examples:
      kifu export --db games.duckdb --parquet dataset/
      kifu export --db games.duckdb --games csa - --where "handicap = 'even'" --quiet
      kifu export --db games.duckdb --games kif tori.kif --variant torishogi
      kifu export --db games.duckdb --games kif all.kif --query "SELECT game_id FROM games ORDER BY date"
      kifu export --db games.duckdb --book yaneuraou user_book1.db --min-games 1 --max-ply 40
      kifu export --db games.duckdb --book apery book.bin --min-games 1 --winner-only
      kifu export --db games.duckdb --training psv learn.psv --max-ply 120
    """
    ctx = click.get_current_context()
    asked = [kind for kind in KINDS if ctx.params[kind] is not None]
    if len(asked) != 1:
        raise click.UsageError("Name one of --parquet, --games, --book and --training.")
    kind = asked[0]
    for name, kinds in GOES_WITH.items():
        if kind not in kinds and ctx.get_parameter_source(name) == ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{name.replace('_', '-')} does not go with --{kind}, but with "
                                   f"{' and '.join(f'--{one}' for one in kinds)}.")
    wanted = Wanted(**given)
    if wanted.variant is not None:
        wanted = wanted._replace(where=_of_kind(wanted.variant, wanted.where))
    if show_sql:
        talk.out(_sql(kind, wanted))
        return 0
    from kifu.store.database import Database

    if parquet is not None:
        with Database.open(db) as database:
            return _parquet(database, parquet, wanted.force, talk)
    name, path = ctx.params[kind]
    target = _target(path, name if kind == "games" else "psv", wanted, talk)
    talk.interpreted()
    with Database.open(db) as database, target:
        if kind == "book":
            return _book(database, name, path, wanted, target, talk)
        database.run(f"SET memory_limit = '{MEMORY}'")
        if kind == "games":
            return _games(database, name, path, wanted, target, talk)
        return _training(database, name, path, wanted, target, talk)


def _parquet(database: Database, folder: str, force: bool, talk: Talk) -> int:
    from kifu.store.dataset import TABLES
    from kifu.store.publish import publish

    present = {name for name, in database.rows("SHOW TABLES")}
    rows = sum(database.value(f"SELECT count(*) FROM {table}") for table in TABLES if table in present)
    with talk.counting("writing rows", rows) as progress:
        manifest = publish(database, folder, force, progress)
    talk.out(f"{folder}: {counted(manifest.tables['games'].rows, 'game')}, "
             f"{counted(sum(table.rows for table in manifest.tables.values()), 'row')} in "
             f"{counted(len(manifest.tables), 'table')}")
    return 0


def _games(database: Database, notation: str, path: str, wanted: Wanted, target: Target, talk: Talk) -> int:
    from kifu.notation import writer
    from kifu.notation.writing import UnwritableError
    from kifu.pipeline import Source
    from kifu.store.chosen import choose
    from kifu.store.games_out import NOT_HELD, DamagedRow, rebuild
    from kifu.text import EncodeError

    numbers = choose(database, wanted.where, wanted.query, wanted.limit)
    source = Source(database.path)
    losses: Counter[str] = Counter()
    refused: Counter[str] = Counter()  # games that the notation cannot hold, by what is said of them
    written, bad = 0, False
    with talk.counting("writing games", len(numbers)) as progress:
        for one in rebuild(database, numbers):
            if progress is not None:
                progress(1)
            if isinstance(one, DamagedRow):
                talk.error(str(one))
                bad = True
                continue
            using = writer(notation, wanted.style)
            try:
                text = using.write(using.held(one.game))
            except UnwritableError as error:
                refused[str(error)] += 1
                continue
            lost = using.losses + Counter(one.losses)
            if lost and wanted.on_loss == "fail":
                talk.error(f"game {one.game_id}: would lose {listed(lost)}; not written")
                bad = True
                continue
            try:
                target.write(source, text)
            except EncodeError as error:
                talk.error(f"game {one.game_id}: {error}; not written")
                talk.say("hint: --to-encoding utf-8 has every character")
                bad = True
                continue
            losses.update(lost)
            written += 1
    for why, count in refused.items():
        talk.error(f"{counted(count, 'game')} not written: {why}")
        bad = True
    if not written:
        return _nothing(talk, "no game", path)
    _done(talk, counted(written, "game"), path)
    if wanted.on_loss == "warn":
        if losses:
            talk.say(f"lost: {listed(losses)}")
        *some, last = (f"no {kind}" for kind in NOT_HELD)
        talk.say(f"a database holds {', '.join(some)} and {last}; what the files had of them is not written")
    return int(bad)


def _book(database: Database, kind: str, path: str, wanted: Wanted, target: Target, talk: Talk) -> int:
    from kifu.pipeline import Source
    from kifu.store import books

    with talk.counting("counting moves", 100) as progress:
        made = books.book(database, _choice(wanted), progress)
    if others := books.other_kinds(database, _choice(wanted)):
        talk.say(f"left out: {listed({'games of other kinds': others})}")
    if not made.found:
        return _nothing(talk, f"no move of {counted(wanted.min_games, 'game')}", path)
    with talk.counting("replaying positions", len(made.found)) as progress:
        pieces = books.WRITERS[kind](made.entries(progress))
    if not made.positions:
        return _nothing(talk, f"no position with {wanted.side} to move", path)
    for piece in pieces:
        target.write(Source(database.path), piece)
    if made.collisions:
        talk.error(f"{counted(made.collisions, 'position')} left out: another one has the same key")
    _done(talk, f"{counted(made.moves, 'move')} of {counted(made.positions, 'position')}", path)
    return 0


def _training(database: Database, notation: str, path: str, wanted: Wanted, target: Target, talk: Talk) -> int:
    from kifu.pipeline import Source
    from kifu.store.chosen import choose
    from kifu.store.training import Training

    numbers = choose(database, wanted.where, wanted.query, wanted.limit)
    training, source = Training(notation, wanted.min_ply, wanted.max_ply), Source(database.path)
    with talk.counting("writing games", len(numbers)) as progress:
        for piece in training.entries(database, numbers):
            if piece:
                target.write(source, piece)
            if progress is not None:
                progress(1)
    for damaged in training.damaged:
        talk.error(str(damaged))
    told = {kind: count for kind, count in training.left_out.items() if count}
    if not training.positions:
        status = _nothing(talk, "no position", path)
    else:
        _done(talk, counted(training.positions, "position"), path)
        status = int(bool(training.damaged))
    zeros = told.pop("evaluations written as 0", 0)
    if told:
        talk.say(f"left out: {listed(told)}")
    if zeros:
        talk.say(f"lost: {listed({'evaluations written as 0': zeros})}")
    return status


def _target(path: str, notation: str, wanted: Wanted, talk: Talk) -> Target:
    """Where it is written; what is no text goes where psv would."""
    from kifu.cli.target import FileTarget, StreamTarget, TargetExists

    from kifu.notation import REGISTRY

    styles = REGISTRY[notation].styles
    if wanted.style and wanted.style not in styles:
        known = f"its styles are {', '.join(styles)}" if styles else "it has one way to spell moves"
        raise click.UsageError(f"{notation} has no style {wanted.style!r}: {known}.")
    if path == "-":
        return StreamTarget(talk, notation, wanted.to_encoding)
    try:
        return FileTarget(path, notation, wanted.to_encoding, wanted.force)
    except TargetExists as error:
        raise click.UsageError(f"{error}.") from error


def _choice(wanted: Wanted) -> Any:
    from kifu.store.books import Choice

    return Choice(wanted.min_games, wanted.max_ply, wanted.side, wanted.min_rating, wanted.winner_only, wanted.handicap,
                  wanted.where)


def _of_kind(variant: str, where: str | None) -> str:
    """The condition that a game is of a kind of shogi, and what is asked besides."""
    from kifu.store.chosen import condition
    from kifu.store.literals import literal

    kind = f"variant = {literal(variant)}"
    return kind if where is None else f"{kind} AND ({condition(where)})"


def _sql(kind: str, wanted: Wanted) -> str:
    """The SQL that chooses the games or counts the moves."""
    from kifu.store.books import book_sql, parameters
    from kifu.store.chosen import games_sql

    if kind == "book":
        values = [f"-- ${name} = {value}\n" for name, value in parameters(_choice(wanted)).items()]
        return book_sql(_choice(wanted)) + "\n\n" + "".join(values).rstrip()
    return wanted.query if wanted.query is not None else games_sql(wanted.where, wanted.limit)


def _done(talk: Talk, what: str, path: str) -> None:
    if path != "-":
        talk.out(f"{path}: {what}")


def _nothing(talk: Talk, what: str, path: str) -> int:
    talk.error(f"{what} to write; {'nothing was written' if path == '-' else f'{path} was not made'}")
    return 2
