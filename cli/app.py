"""The program's top: which commands there are, and the version."""
from __future__ import annotations

from importlib import import_module
from typing import Any

import click

#: The commands and what the help says of each, in its order. Each is ``kifu.cli.NAME:command``, which says the same of
#: itself; the list stands here so that the help need not import them all.
COMMANDS = {
    "check": "Prove every game; say what is wrong, where, and why.",
    "explain": "What a finding means and what to do about it.",
    "convert": "Write games in another notation; say what is lost.",
    "detect": "Say which notation, encoding and line ends files have.",
    "show": "Show a game's headers and its board at any move.",
    "load": "Prove games and load them into a DuckDB file.",
    "sql": "Ask a database, or game files themselves, in SQL.",
    "openings": "The opening tree at a position: moves, results, scores.",
    "games": "The games that reach a position, or part of one.",
    "db": "Care of a database: compact, verify, upgrade, retag.",
    "stats": "Ready-made questions: results, openings, players, ...",
    "export": "Out of a database: Parquet, games, opening books, training data.",
    "solve": "Solve mate problems (tsume); say whether they are sound.",
    "variants": "The kinds of shogi known: board, men, rules, handicaps.",
}


class ClosedPipe(Exception):
    """Whoever read our output has seen enough."""


class Program(click.Group):
    """A group that imports a command when it is asked for."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:  # click would make it an exit status of 1
            raise ClosedPipe from error

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"kifu.cli.{cmd_name}").command
        return command

    def resolve_command(self, ctx: click.Context,
                        args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, 1, 0.5)
            hint = f" Did you mean {near[0]!r}?" if near else f" There are: {', '.join(COMMANDS)}."
            raise click.UsageError(f"There is no command {args[0]!r}.{hint}", ctx) from error


def _version(ctx: click.Context, _option: click.Parameter, value: bool) -> None:
    if not value or ctx.resilient_parsing:
        return
    import platform

    import kifu
    from kifu._core import build_kind

    click.echo(f"kifu {kifu.__version__} ({build_kind()}; Python {platform.python_version()})")
    ctx.exit()


@click.group(cls=Program, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option("--version", is_flag=True, expose_value=False, is_eager=True, callback=_version,
              help="Show the version, and whether the core runs compiled or interpreted.")
def cli(**_: Any) -> None:
    """Shogi game records: prove them, convert them, and ask them questions in SQL.

    Reads CSA, KIF, KI2, BOD, SFEN, USI, USEN, JKF, PSN, PGN, Western notation and packed positions, in any of their
    encodings, from files, folders, archives or standard input.

    \b
    Examples:
      kifu check games/
      kifu convert game.kif --to csa
      kifu load games/ --db games.duckdb
    """
