"""``kifu stats``: the named queries, each a command with the options that its parameters and filters need."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import click
from kifu.cli.asked import COLOURS, other_kind, position_after
from kifu.cli.filters import filtering, tell_others
from kifu.cli.output import forms, show_rows
from kifu.cli.talk import Talk
from kifu.cli.options import ORDINARY, VariantName, talking

if TYPE_CHECKING:
    from kifu.store.catalog import Parameter, Query
    from kifu.store.database import Database
    from kifu.store.filters import Filters

#: Parameters that follow from other options: the position from ``--sfen`` and ``--moves``, its size from ``--variant``.
DERIVED = ("key", "turn", "ranks")
#: The value of the filter --handicap that means "not asked for".
UNASKED = ""


class Queries(click.Group):
    """A group whose commands are the named queries; ``rating-bands`` and ``rating_bands`` are the same."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [_dashed(query.name) for query in _queries()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        wanted = cmd_name.replace("-", "_")
        return next((_command(query) for query in _queries() if query.name == wanted), None)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from kifu.store import catalog

        for group, queries in catalog.grouped().items():
            with formatter.section(f"Queries: {group}"):
                formatter.write_dl([(_dashed(query.name), query.title) for query in queries])

    def resolve_command(self, ctx: click.Context,
                        args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        if self.get_command(ctx, args[0]) is None:
            from difflib import get_close_matches

            near = get_close_matches(args[0].replace("_", "-"), self.list_commands(ctx), 1, 0.5)
            hint = f"did you mean {near[0]!r}?" if near else "kifu stats lists them all."
            raise click.UsageError(f"There is no query {args[0]!r}; {hint}", ctx)
        return super().resolve_command(ctx, args)


@click.group("stats", cls=Queries, short_help="Ready-made questions: results, openings, players, ...",
             invoke_without_command=True, subcommand_metavar="[NAME [OPTIONS]]")
@click.option("--db", metavar="FILE", type=click.Path(), help="The database to ask.")
@click.pass_context
def command(ctx: click.Context, db: str | None) -> int | None:
    """Ask one of the named queries of a database; without a name, list them.

    kifu stats NAME --help says what a query answers, of what its percentages are parts, and which options it has.
    Percentages of wins come with their 95 % interval: 50 % of two games says nothing. Only even games of ordinary
    shogi are counted unless --handicap or --variant asks for others; a remark says how many were left aside.

    \b
    Examples:
      kifu stats
      kifu stats summary --db games.duckdb
      kifu stats lengths --db games.duckdb --width 10 --csv
      kifu stats trend --db games.duckdb --moves "7g7f 3c3d" --since 2000
      kifu stats players --show-sql
    """
    if ctx.invoked_subcommand is None:
        _list(Talk())
    return None


def _list(talk: Talk) -> None:
    """All queries, a line each, under their headings."""
    from kifu.store import catalog

    groups = catalog.grouped()
    width = max(len(query.name) for queries in groups.values() for query in queries)
    for group, queries in groups.items():
        talk.out(f"{group[0].upper()}{group[1:]}")
        for query in queries:
            talk.out(f"  {_dashed(query.name):{width}}  {query.title}")
    talk.out("\nkifu stats NAME --help says more of one.")


def _queries() -> Iterator[Query]:
    from kifu.store import catalog

    for queries in catalog.grouped().values():
        yield from queries


def _dashed(name: str) -> str:
    return name.replace("_", "-")


# --- one query as a command

def _command(query: Query) -> click.Command:
    """The command that asks a query."""
    from kifu.store.filters import Filters

    def ask(talk: Talk, db: str | None, form: str | None, limit: int | None, show_sql: bool,
            filters: Filters | None = None, sfen: str | None = None, moves: str | None = None,
            variant: str = ORDINARY, **given: Any) -> int:
        kind = filters.variant if filters is not None else variant
        if filters is not None and filters.handicap == UNASKED:
            filters = filters._replace(handicap=query.handicap)
        if "key" in query.parameters:
            given.update(_position(query, sfen, moves, kind, filters))
        if "ranks" in query.parameters:
            from kifu.rules.variants import RULESETS

            given["ranks"] = RULESETS[kind].ranks
        if "variant" in query.parameters:
            given["variant"] = kind
        if kind != ORDINARY and query.reads("boards"):
            raise click.UsageError(f"{_dashed(query.name)} is asked of ordinary shogi only: the table of boards has "
                                   "no other.")
        if "player" in query.parameters and query.parameters["player"].required and not (filters and filters.player):
            raise click.UsageError(f"{_dashed(query.name)} is about a player: name one with --player.")
        text = query.text(filters, **given) + (f"\nLIMIT {limit}" if limit is not None else "")
        if show_sql:
            talk.out(f"{text};")
            return 0
        db = db or _outer_db()
        if not db:
            raise click.UsageError("Missing option '--db': the database to ask.")
        return _answer(query, text, db, filters, form, talk, limit is None, kind if _of_kind(query) else None)

    function: Callable[..., Any] = talking(ask)
    for option in reversed(list(_options(query))):
        function = option(function)
    function = forms(function)
    if query.filtered:
        function = filtering(handicap=UNASKED)(function)
    about = [parameter for parameter in query.parameters.values()
             if parameter.name not in (*DERIVED, *Filters._fields)]
    for parameter in reversed(about):
        function = _option(parameter)(function)
    name = _dashed(query.name)
    return click.command(name, short_help=query.title, help=_help(query, name))(function)


def _help(query: Query, name: str) -> str:
    player = " --player NAME" if "player" in query.parameters and query.parameters["player"].required else ""
    return f"{query.title}.\n\n{query.answers}\n\n\b\nExamples:\n  kifu stats {name} --db games.duckdb{player}"


def _options(query: Query) -> Iterator[Callable[..., Any]]:
    """What every query has, and what says which position is meant."""
    if "key" in query.parameters:
        yield click.option("--sfen", metavar="SFEN", help="The position; by default the start.")
        yield click.option("--moves", metavar="MOVES",
                           help='Moves that lead on from there, in USI, Western or another notation: "P-7f P-3d".')
    if _of_kind(query):
        yield click.option("--variant", metavar="NAME", type=VariantName(), default=ORDINARY, show_default=True,
                           help="The kind of shogi.")
    yield click.option("--db", metavar="FILE", type=click.Path(), help="The database to ask.")
    yield click.option("--limit", metavar="N", type=click.IntRange(min=1), help="Only the first N rows.")
    yield click.option("--show-sql", is_flag=True, help="Print the SQL that would run, and do not run it.")


def _of_kind(query: Query) -> bool:
    """Whether a query without filters is asked of one kind of shogi all the same."""
    return not query.filtered and ("key" in query.parameters or "variant" in query.parameters)


def _option(parameter: Parameter) -> Callable[..., Any]:
    """The option for a parameter of a query."""
    kind: click.ParamType[Any] = click.STRING
    if parameter.choices:
        kind = click.Choice(parameter.choices)
    elif isinstance(parameter.default, int) or parameter.low is not None or parameter.high is not None:
        kind = click.IntRange(parameter.low, parameter.high)
    return click.option(f"--{_dashed(parameter.name)}", parameter.name, type=kind, required=parameter.required,
                        default=None if parameter.required else parameter.default,
                        show_default=parameter.default is not None,
                        metavar="N" if isinstance(kind, click.IntRange) else None,
                        help=f"{parameter.meaning[0].upper()}{parameter.meaning[1:]}.")


def _outer_db() -> str | None:
    """``--db`` where it stands before the name of the query."""
    outer = click.get_current_context().parent
    found: str | None = outer.params.get("db") if outer else None
    return found


def _position(query: Query, sfen: str | None, moves: str | None, variant: str,
              filters: Filters | None) -> dict[str, Any]:
    """Which position is meant, as the parameters of a query."""
    from kifu.rules.position import Position
    from kifu.rules.handicaps import by_key

    handicap = by_key(filters.handicap, variant) if filters is not None and filters.handicap else None
    start = sfen if sfen is not None or handicap is None else handicap.sfen
    try:
        position = Position(start, variant)
    except ValueError as error:
        raise click.BadParameter(f"{error}{other_kind(sfen or '')}.", param_hint="--sfen") from error
    if moves and moves.strip():
        position = position_after(moves, position, "--moves")
    found = {"key": position.key(), "turn": COLOURS[position.turn]}
    return {name: value for name, value in found.items() if name in query.parameters}


# --- asking

def _answer(query: Query, text: str, db: str, filters: Filters | None, form: str | None, talk: Talk,
            whole: bool, kind: str | None) -> int:
    """Ask a query and print what it gives, ``whole`` or its first rows; ``kind`` is that of shogi where nothing but it
    is chosen."""
    from kifu.store.database import Database

    with Database.open(db) as database:
        if trouble := _missing(query, database):
            talk.error(trouble)
            return 2
        if old := _old(query, database):
            talk.say(f"the table {old} is out of date, and so is this; kifu load brings it up to date")
        found = database.query(text)
        given = list(found.rows)
        if filters is not None:
            _remarks(query, database, filters, not given, talk)
        elif kind is not None:
            tell_others(database, kind, talk)
    from kifu.cli import figures

    columns, rows = figures.labelled(found.columns, given, filters)
    if form is None and query.name == "summary" and whole:
        for line in figures.summary(columns, rows):
            talk.out(line)
        return 0
    if form is None:
        columns, rows = figures.for_people(columns, rows)
    show_rows(talk, form, columns, rows)
    return 0


def _missing(query: Query, database: Database) -> str | None:
    """What a query needs and the database does not have."""
    there = {name for name, in database.rows("SELECT table_name FROM information_schema.tables")}  # a dataset has views
    for table in ("game_tags", "copies", "contained"):
        if query.reads(table) and table not in there:
            return f"{database.path} has no table {table}: an earlier version made it; kifu load adds it"
    if query.reads("boards") and ("boards" not in there or not database.value("SELECT EXISTS (FROM boards)")):
        return (f"{_dashed(query.name)} needs the table of boards, which is empty in {database.path}; "
                "kifu load --boards fills it")
    return None


def _old(query: Query, database: Database) -> str | None:
    """The table that a query reads and that is older than the games.

    Both derived tables are brought up to date together, and ``contained`` has a note of its own besides.
    """
    openings = database.meta("openings") == "fresh"
    if query.reads("openings") and not openings:
        return "openings"
    if query.reads("contained") and not (openings and database.meta("contained") == "fresh"):
        return "contained"
    return None


def _remarks(query: Query, database: Database, filters: Filters, empty: bool, talk: Talk) -> None:
    """Say which games were left aside unasked, which names nobody has, and why there is no row where there is none."""
    from kifu.cli.filters import named
    from kifu.cli.words import counted

    from kifu.store.remarks import left_aside, unknown_names

    odds, others = left_aside(database, filters)
    if odds:
        talk.say(f"{counted(odds, 'handicap game')} left aside; --handicap any counts them too")
    if others:
        talk.say(f"{counted(others, 'game')} of other variants left aside; --variant names one")
    if filters.variant != ORDINARY and query.reads("game_tags") and query.name != "summary":
        talk.say("castles and openings are known of ordinary shogi alone")
    for name, near in unknown_names(database, filters):
        hint = f"; near it: {', '.join(near)}" if near else ""
        talk.say(f"no player in the database is called {name!r}{hint}")
    if empty:
        games = database.value(f"SELECT count(*) FROM ({filters.sql()})")
        given = named(filters, type(filters)(handicap=query.handicap))
        used = f" that {' and '.join(given)} {'lets' if len(given) == 1 else 'let'} through" if given else ""
        talk.say(f"no rows: none of the {counted(games, 'game')}{used} has what this asks for" if games else
                 f"no rows: there is no game{used}")
