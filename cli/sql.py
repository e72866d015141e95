"""``kifu sql``: SQL over a database, or straight over game files."""
from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO, TYPE_CHECKING, Any

import click
from kifu.cli.options import Inputs, OutputFile, further_patterns, reading, talking
from kifu.cli.output import forms, show_rows
from kifu.cli.talk import Talk
from kifu.cli.words import counted

if TYPE_CHECKING:
    from kifu.knowledge import PatternFile
    from kifu.pipeline import Problem
    from kifu.store.database import Database

_COMMENT = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)


@click.command("sql", short_help="Ask a database, or game files themselves, in SQL.")
@click.argument("query", metavar="SELECT...", required=False)
@reading(required=False)
@click.option("--db", metavar="FILE", type=click.Path(), help="The database to ask.")
@click.option("--file", "script", metavar="FILE", type=click.File("r", encoding="utf-8-sig"),
              help="Take the SQL from this file; - is standard input.")
@click.option("--write", is_flag=True,
              help="Let the SQL change the database, write files and load others (COPY, ATTACH, LOAD).")
@further_patterns
@forms
@click.option("--parquet", metavar="FILE", type=OutputFile(), help="Write the rows to a Parquet file.")
@click.option("--force", is_flag=True, help="Overwrite the Parquet file if it exists.")
@talking
def command(query: str | None, inputs: Inputs, db: str | None, script: IO[str] | None, write: bool,
            patterns: tuple[PatternFile, ...], form: str | None, parquet: str | None, force: bool, talk: Talk) -> int:
    """Run SQL over a database made by kifu load, or over the game files of PATH... without one.

    The tables are games, plies, openings, game_tags, named_positions, sources and rejects; SHOW TABLES lists them all,
    DESCRIBE games the columns of one. A database is only read unless --write is given.

    \b
    games   one row a game:
              game_id, black, white, black_rating, white_rating, event, site,
              date, date_precision, variant, handicap, start_sfen
              black_grade, white_grade as written; black_grade_rank,
              white_grade_rank: -15 to -1 kyu, 1 to 9 dan, 101 to 109 professional
              time_control as written; main_seconds, byoyomi_seconds,
              increment_seconds: the same as numbers
              result: 1 Black won, -1 White won, 0 draw, NULL none or unknown
              "end": how it ended: resign, checkmate, timeout, repetition, ...
              verified_end, verified_winner: the same as replay proves it
              illegal_move, illegal_reason: the foul that ended it
              plies (how many), moves (read it with usi_moves(moves)),
              seconds, evals, comments (lists), source_id, source_offset
    plies   one row a position of a game: key, game_id, ply (0 is the start),
              move: that was played there, 0 at the end; read it with usi(move)
    game_tags  one row a castle or opening that a game reached: game_id, side
              (black, white, both), kind (castle, opening), tag (mino, ...), ply
    player_games  one row a player and game: side, player, opponent, score, ...
    contained  games that are the beginning of longer ones: game_id, longer_id
    boards  one row a position, a column a square, where loaded with --boards

    \b
    Functions of the file, for every program that opens it:
      usi(move), usi_moves(moves)      moves in USI, of every kind of shogi
      FROM game_moves(game_id)         a row a move, with the position before it
      sfen_at(moves, start_sfen, handicap, ply), game_sfen(game_id, ply)
      position_key(sfen), key_sfen(key), start_key()
      man_at(sfen, '7f'), hand(sfen, 'black'), material(sfen, 'G'), diagram(sfen)
      man('+R'), man_name(39)          the numbers of the table boards
      tag_name(tag, 'en'), position_name(key)   castles and openings, in ja or en
      outcome(result, verified_winner), result_word(result)
      wilson(points, n), wilson_low(points, n), wilson_high(points, n)
    Functions of kifu, here and with kifu.connect(path) in Python; those with
    variant know every kind of shogi by it, the others above ordinary shogi:
      western_moves(moves, start_sfen, handicap, 'western', variant)
      japanese_moves(moves, start_sfen, handicap, variant)
      move_name(sfen, move, 'japanese')   western, csa, kif, usi, hosking, ...;
      move_name(sfen, move, 'names', variant)   also western, japanese, kif, usi
      position_at(moves, start_sfen, handicap, ply, variant)
      position_key_after('P-7f P-3d'), sfen_after('7g7f 3c3d')

    \b
    Examples:
      kifu sql 'SELECT black, white, "end", plies FROM games' sample_games/
      kifu sql 'SELECT handicap, count(*) AS n FROM games GROUP BY 1' sample_games/ --csv
      kifu sql 'DESCRIBE games' sample_games/
      kifu sql 'SELECT ply, usi(move) AS move FROM plies WHERE game_id = 1 ORDER BY ply' sample_games/
      kifu sql "SELECT ply, move_name(sfen, move, 'japanese') AS move FROM game_moves(1)" sample_games/
      kifu sql 'SELECT diagram(game_sfen(1, 20)) AS board' sample_games/
    """
    query, inputs = _asked(query, inputs, script)
    if bool(db) == bool(inputs.paths):
        raise click.UsageError("Name either a database with --db or paths of game files.")
    if db and patterns:
        raise click.UsageError("--patterns is for game files; kifu db retag finds the castles and openings of a "
                               "database anew.")
    if parquet and form:
        raise click.UsageError(f"--parquet and --{form} are two forms of the rows; name one.")
    if query.lstrip().startswith("."):
        raise click.UsageError(f"{query.strip()!r} is no SQL. SHOW TABLES lists the tables, DESCRIBE games the columns "
                               "of one.")
    if parquet and not force:
        from pathlib import Path

        if Path(parquet).exists():
            raise click.UsageError(f"{parquet} exists already; --force overwrites it.")
    if db:
        from kifu.store.database import Database

        with Database.open(db, write) as database:
            _answer(database, query, form, parquet, write, talk)
        return 2 if talk.failed else 0
    for path in inputs.paths:
        if _is_database(path):
            raise click.UsageError(f"{path} is a database: name it with --db {path}.")
    return _over_files(query, inputs, patterns, form, parquet, write, talk)


def _asked(query: str | None, inputs: Inputs, script: IO[str] | None) -> tuple[str, Inputs]:
    """The SQL, and the inputs: where a file holds the SQL, the first argument is a path like the others.

    An argument that asks nothing is a mistake; an empty file may be made by a program, and gives nothing.
    """
    if script is not None:
        if query is not None:
            inputs = inputs._replace(paths=(query, *inputs.paths))
    elif query is None or not _COMMENT.sub("", query).strip(" \t\r\n;"):
        raise click.UsageError("Say what to ask: kifu sql 'SELECT ...', or --file FILE.")
    elif query != "-":
        return query, inputs
    source = script or click.open_file("-", encoding="utf-8-sig")
    if "-" in inputs.paths and (script is None or script.name == "<stdin>"):
        raise click.UsageError("Standard input cannot hold both the SQL and the games.")
    try:
        return source.read(), inputs
    except (OSError, UnicodeDecodeError) as error:
        raise click.UsageError(f"The SQL cannot be read: {error}.") from error


def _is_database(path: str) -> bool:
    """Whether it is a file of DuckDB."""
    import os

    try:
        if not os.path.isfile(path):  # nothing may be taken from a pipe
            return False
        with open(path, "rb") as file:
            return file.read(12)[8:] == b"DUCK"
    except OSError:
        return False


def _over_files(query: str, inputs: Inputs, patterns: tuple[PatternFile, ...], form: str | None, parquet: str | None,
                write: bool, talk: Talk) -> int:
    from kifu.store.loader import in_memory

    problems: list[Problem] = []
    talk.interpreted()
    with talk.progress(inputs.paths, "reading") as progress:
        batches = _batches(inputs, patterns, problems, talk, progress)
        with in_memory(batches, patterns=patterns) as database:
            talk.problems(problems)
            sources, rejects = database.rows("SELECT (SELECT count(*) FROM sources), (SELECT count(*) FROM rejects)")[0]
            if not sources:
                if not problems:
                    talk.error("no games were found")
                return 2
            _answer(database, query, form, parquet, write, talk)
    if rejects:
        talk.say(f"{counted(rejects, 'game')} could not be used; SELECT * FROM rejects tells why")
    return 2 if talk.failed else int(bool(rejects))


def _batches(inputs: Inputs, patterns: tuple[PatternFile, ...], problems: list[Problem], talk: Talk,
             progress: Any) -> Iterator[Any]:
    from kifu.pipeline import Failure, run
    from kifu.pipeline.rows import ToRows, joined

    results = run(inputs.find(problems), ToRows(inputs.options(), patterns), jobs=inputs.processes, progress=progress)
    for rows in joined(results):
        if isinstance(rows, Failure):
            talk.failure(rows)
            continue
        if progress:
            progress.games(rows.num_rows)
        yield rows


def _answer(database: Database, query: str, form: str | None, parquet: str | None, write: bool, talk: Talk) -> None:
    from kifu.store.errors import ReadOnly

    if not write and (word := database.leaves(query)):
        raise click.UsageError(f"{word} may write files or load others, which kifu sql does only with --write; "
                               "--parquet, --csv and the other forms write the rows of a query without it.")
    if (several := database.queries(query)) > 1:
        talk.say(f"{several} queries: only the rows of the last statement are shown")
    try:
        if parquet:
            count = database.write_parquet(query, parquet)
            talk.say(f"{counted(count, 'row')} in {parquet}")
            return
        columns, rows = database.query(query)
        show_rows(talk, form, columns, rows)
    except ReadOnly as error:
        raise click.UsageError(f"{error} kifu sql --write changes it.") from error
