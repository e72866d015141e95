"""``kifu sql``: SQL over a database, or straight over game files."""
from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click
from kifu.cli.options import Inputs, OutputFile, reading, talking
from kifu.cli.output import forms, show_rows
from kifu.cli.talk import Talk
from kifu.cli.words import counted

if TYPE_CHECKING:
    from kifu.pipeline import Problem
    from kifu.store.database import Database


@click.command("sql", short_help="Ask a database, or game files themselves, in SQL.")
@click.argument("query", metavar="SELECT...")
@reading(required=False)
@click.option("--db", metavar="FILE", type=click.Path(dir_okay=False), help="The database to ask.")
@forms
@click.option("--parquet", metavar="FILE", type=OutputFile(), help="Write the rows to a Parquet file.")
@click.option("--force", is_flag=True, help="Overwrite the Parquet file if it exists.")
@talking
def command(query: str, inputs: Inputs, db: str | None, form: str | None, parquet: str | None, force: bool,
            talk: Talk) -> int:
    """Run SQL over a database made by kifu load, or over the game files of PATH... without one.

    The tables are games, plies, openings, game_tags, sources and rejects; SHOW TABLES lists them all, DESCRIBE games
    the columns of one.

    \b
    games   one row a game:
              game_id, black, white, black_rating, white_rating, event, site,
              date, date_precision, time_control, variant, handicap, start_sfen
              result: 1 Black won, -1 White won, 0 draw, NULL none or unknown
              "end": how it ended: resign, checkmate, timeout, repetition, ...
              verified_end, verified_winner: the same as replay proves it
              illegal_move, illegal_reason: the foul that ended it
              plies (how many), moves (read it with usi_moves(moves)),
              seconds, comments (lists), source_id, source_offset
    plies   one row a position of a game: key, game_id, ply (0 is the start),
              move: that was played there, 0 at the end; read it with usi(move)
    game_tags  one row a castle or opening that a game reached: game_id, side
              (black, white, both), kind (castle, opening), tag (mino, ...), ply

    \b
    Examples:
      kifu sql 'SELECT black, white, "end", plies FROM games' sample_games/
      kifu sql 'SELECT handicap, count(*) AS n FROM games GROUP BY 1' sample_games/ --csv
      kifu sql 'DESCRIBE games' sample_games/
      kifu sql 'SELECT ply, usi(move) AS move FROM plies WHERE game_id = 1 ORDER BY ply' sample_games/
    """
    if bool(db) == bool(inputs.paths):
        raise click.UsageError("Name either a database with --db or paths of game files.")
    if query.lstrip().startswith("."):
        raise click.UsageError(f"{query.strip()!r} is no SQL. SHOW TABLES lists the tables, DESCRIBE games the columns "
                               "of one.")
    if parquet and not force:
        from pathlib import Path

        if Path(parquet).exists():
            raise click.UsageError(f"{parquet} exists already; --force overwrites it.")
    if db:
        from kifu.store.database import Database

        with Database.open(db) as database:
            _answer(database, query, form, parquet, talk)
        return 2 if talk.failed else 0
    return _over_files(query, inputs, form, parquet, talk)


def _over_files(query: str, inputs: Inputs, form: str | None, parquet: str | None, talk: Talk) -> int:
    from kifu.store.loader import in_memory

    problems: list[Problem] = []
    talk.interpreted()
    with talk.progress(inputs.paths, "reading") as progress:
        batches = _batches(inputs, problems, talk, progress)
        with in_memory(batches) as database:
            talk.problems(problems)
            sources, rejects = database.rows("SELECT (SELECT count(*) FROM sources), (SELECT count(*) FROM rejects)")[0]
            if not sources:
                if not problems:
                    talk.error("no games were found")
                return 2
            _answer(database, query, form, parquet, talk)
    if rejects:
        talk.say(f"{counted(rejects, 'game')} could not be used; SELECT * FROM rejects tells why")
    return 2 if talk.failed else int(bool(rejects))


def _batches(inputs: Inputs, problems: list[Problem], talk: Talk, progress: Any) -> Iterator[Any]:
    from kifu.pipeline import Failure, run
    from kifu.pipeline.rows import ToRows, joined

    results = run(inputs.find(problems), ToRows(inputs.options()), jobs=inputs.processes, progress=progress)
    for rows in joined(results):
        if isinstance(rows, Failure):
            talk.failure(rows)
            continue
        if progress:
            progress.games(rows.num_rows)
        yield rows


def _answer(database: Database, query: str, form: str | None, parquet: str | None, talk: Talk) -> None:
    if parquet:
        count = database.write_parquet(query, parquet)
        talk.say(f"{counted(count, 'row')} in {parquet}")
        return
    columns, rows = database.query(query)
    show_rows(talk, form, columns, rows)
