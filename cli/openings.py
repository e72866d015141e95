"""``kifu openings``: what was played in a position, how often, and with what success."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from kifu.cli.options import HANDICAP_KEYS, HandicapName, talking
from kifu.cli.output import forms, show_rows
from kifu.cli.talk import Talk
from kifu.cli.words import counted

from kifu.ends import REASONS

if TYPE_CHECKING:
    from kifu.store.openings import Move

COLUMNS = ("move", "games", "share", "black", "draws", "white", "score", "interval", "rating", "last", "next")


@click.command("openings", short_help="The opening tree at a position: moves, results, scores.")
@click.argument("moves", metavar="[MOVES...]", nargs=-1)
@click.option("--sfen", metavar="SFEN", help="The position as SFEN instead of the moves that lead to it.")
@click.option("--db", metavar="FILE", required=True, type=click.Path(), help="The database to ask.")
@click.option("--depth", type=click.IntRange(1, 40), default=1, show_default=True, metavar="N",
              help="Moves deep.")
@click.option("--min-games", type=click.IntRange(min=1), default=1, show_default=True, metavar="N",
              help="Only moves of at least so many games.")
@click.option("--player", metavar="NAME", help="Only games of this player.")
@click.option("--black", metavar="NAME", help="Only games in which this player has Black.")
@click.option("--white", metavar="NAME", help="Only games in which this player has White.")
@click.option("--min-rating", type=int, metavar="N", help="Only games of two players rated at least so high.")
@click.option("--since", type=click.DateTime(["%Y-%m-%d", "%Y"]), metavar="DATE", help="Only games from this day on.")
@click.option("--until", type=click.DateTime(["%Y-%m-%d", "%Y"]), metavar="DATE", help="Only games up to this day.")
@click.option("--handicap", metavar="ID", type=HandicapName(asked=True),
              help=f"Only games of this handicap: {HANDICAP_KEYS}, other.")
@click.option("--event", metavar="TEXT", help="Only games whose event contains this text.")
@click.option("--end", metavar="END", type=click.Choice(REASONS),
              help=f"Only games that ended so: {', '.join(REASONS)}.")
@forms
@talking
def command(moves: tuple[str, ...], sfen: str | None, db: str, depth: int, min_games: int, form: str | None,
            talk: Talk, **filters: Any) -> int:
    """Show what was played in a position: after MOVES... from the start (USI or Western), or of --sfen.

    Scores are those of the side that plays the move, wins and half of the draws over the games with a result, with
    their 95 % interval: 50 % of two games says nothing. The last column is the key of the position after the move.

    \b
    Examples:
      kifu openings --db games.duckdb
      kifu openings 7g7f 3c3d --db games.duckdb --depth 2 --min-games 5
      kifu openings P-7f P-3d --db games.duckdb --since 2000 --csv
    """
    from kifu.store.database import Database
    from kifu.store.openings import opening_tree

    if moves and sfen:
        raise click.UsageError("Give moves or --sfen, not both.")
    key, side = _asked(moves, sfen)
    for name in ("since", "until"):
        if filters[name] is not None:
            filters[name] = filters[name].date()
    with Database.open(db) as database:
        tree = opening_tree(database, key, depth, min_games, side=side, **filters)
        if not tree:
            used = [f"--{name.replace('_', '-')}" for name, value in filters.items() if value is not None]
            every = opening_tree(database, key, side=side) if used or min_games > 1 else []
            talk.say(_nothing(sum(move.games for move in every), used, min_games))
    show_rows(talk, form, COLUMNS, (_row(move, form is None) for move in tree))
    return 0


def _nothing(games: int, filters: list[str], min_games: int) -> str:
    """Why there is no row, where so many games play on from the position.

    >>> print(_nothing(3, ["--end"], 1))
    3 games play on from this position, but none that --end lets through
    >>> print(_nothing(1, [], 2))
    1 game plays on from this position, but no move has 2 of them
    """
    if not games:
        return "no game in the database plays on from this position"
    through = f"that {' and '.join(filters)} {'lets' if len(filters) == 1 else 'let'} through"
    if min_games == 1:
        why = f"none {through}"
    else:
        why = f"no move has {min_games} of {f'those {through}' if filters else 'them'}"
    return f"{counted(games, 'game')} {'plays' if games == 1 else 'play'} on from this position, but {why}"


def _asked(moves: tuple[str, ...], sfen: str | None) -> tuple[int, str]:
    """The key of the position that was asked for, and the side to move in it."""
    from kifu.rules.position import Position, PositionError

    if not moves:
        try:
            position = Position(sfen or None)
        except PositionError as error:
            raise click.BadParameter(str(error), param_hint="--sfen") from error
        return position.key(), ("black", "white")[position.turn]
    from kifu.api import parse
    from kifu.notation import UnknownNotation
    from kifu.replay import replay

    try:
        records = parse(" ".join(moves))
    except UnknownNotation as error:
        raise click.BadParameter("the moves were not understood; write them as 7g7f or P-7f.",
                                 param_hint="MOVES") from error
    game = replay(records[0], keys=True)
    if game.verdict != "legal" or len(records) > 1:
        errors = [found.message for found in game.diagnostics if found.severity == "error"]
        raise click.BadParameter(errors[0] if errors else "these are not the moves of one game.", param_hint="MOVES")
    return game.keys[-1], ("black", "white")[game.final.split()[1] == "w"]


def _row(move: Move, for_people: bool) -> tuple[Any, ...]:
    """A row of `COLUMNS`; for people shares are percentages and deeper moves are set in."""
    counts = (move.black_wins, move.draws, move.white_wins)
    if not for_people:
        bounds = None if move.score_low is None else [move.score_low, move.score_high]
        return (move.line, move.games, move.share, *counts, move.score, bounds, move.rating, move.last_date,
                move.next_key)
    interval = "" if move.score_low is None else f"{_percent(move.score_low)}-{_percent(move.score_high)}"
    return ("  " * (move.depth - 1) + move.usi, move.games, _percent(move.share), *counts, _percent(move.score),
            interval, move.rating, move.last_date, move.next_key)


def _percent(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.0f}%"
