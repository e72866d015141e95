"""``kifu openings``: what was played in a position, how often, and with what success."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click
from kifu.cli.asked import asked_position
from kifu.cli.filters import filtering, named, tell_near, tell_others
from kifu.cli.options import ORDINARY, talking
from kifu.cli.output import forms, show_rows
from kifu.cli.talk import Talk
from kifu.cli.words import counted, interval, percent

if TYPE_CHECKING:
    from kifu.rules.position import Position
    from kifu.store.database import Database
    from kifu.store.filters import Filters
    from kifu.store.tree import Move, OpeningTree

#: How moves can be named beside their USI: the notations that spell single moves.
STYLES = ("western", "ki2", "kif", "csa", "usi")
COLUMNS = ("move", "name", "games", "share", "black", "draws", "white", "score", "interval", "rating", "last",
           "reached", "next")
#: What programs get besides: the first day, and the games of the highest ratings and of the last day.
MORE = ("first", "top_game", "last_game")
#: The first version of the tables that has ``named_positions``.
NAMED_POSITIONS_VERSION = 3
GAMES = ("first game", "top game", "last game")
GAMES_IN_DATA = ("first_game", "first_players", "top_players", "last_players")


@click.command("openings", short_help="The opening tree at a position: moves, results, scores.")
@click.argument("moves", metavar="[MOVES...]", nargs=-1)
@click.option("--sfen", metavar="SFEN", help="The position as SFEN instead of the moves that lead to it.")
@click.option("--db", metavar="FILE", required=True, type=click.Path(), help="The database to ask.")
@click.option("--depth", type=click.IntRange(1, 40), default=1, show_default=True, metavar="N",
              help="Moves deep.")
@click.option("--min-games", type=click.IntRange(min=1), default=1, show_default=True, metavar="N",
              help="Only moves of at least so many games.")
@click.option("--both", is_flag=True, help="Games count too that reached the position with the colours exchanged; "
                                           "their moves and results are turned.")
@click.option("--style", type=click.Choice(STYLES), default="western", show_default=True,
              help="How moves are named beside their USI; usi: not at all.")
@click.option("--games", "with_games", is_flag=True,
              help="Also the first game with each move, the one of the highest ratings and the last one.")
@filtering(handicap="any")
@click.option("--show-sql", is_flag=True, help="Print the SQL of the first moves instead of asking it.")
@forms
@talking
def command(moves: tuple[str, ...], sfen: str | None, db: str, depth: int, min_games: int, both: bool, style: str,
            with_games: bool, filters: Filters, show_sql: bool, form: str | None, talk: Talk) -> int:
    """Show what was played in a position: after MOVES... from the start (USI, Western or
    another notation), or of --sfen.

    Scores are those of the side that plays the move, wins and half of the draws over the games with a result, with
    their 95 % interval: 50 % of two games says nothing. "reached" counts the games that came to the position after
    the move by any order of moves; "next" is its key.

    \b
    Examples:
      kifu openings --db games.duckdb
      kifu openings 7g7f 3c3d --db games.duckdb --depth 2 --min-games 5
      kifu openings P-7f P-3d --db games.duckdb --since 2000 --style ki2 --csv
      kifu openings --db games.duckdb --min-rating 2500 --winner black --games
      kifu openings 2g2f --db games.duckdb --tag yagura --show-sql
    """
    from kifu.rules.position import Position
    from kifu.store.database import Database
    from kifu.store.tree import EVERY, OpeningTree

    style = _spelled(style, filters.variant)
    asked = asked_position(moves, sfen, filters.variant) or Position(None, filters.variant)
    with Database.open(db) as database:
        tree = OpeningTree(database, asked, filters, both=both)
        if show_sql:
            talk.out(f"{tree.sql(min_games)};")
            return 0
        found = tree.moves(depth, min_games)
        tell_others(database, filters.variant, talk)
        if form is None:
            _tell_of(tree, asked, talk)
        if not found:
            used = named(filters, EVERY)
            every = OpeningTree(database, asked, both=both).moves() if used or min_games > 1 else []
            talk.say(_nothing(sum(move.games for move in every), used, min_games))
            tell_near(database, filters, talk)
        columns = _columns(form, style, with_games)
        rows = list(_rows(tree, asked, found, form is None, style))
        if with_games:
            _add_games(database, tree, found, rows, form is None)
    show_rows(talk, form, columns, ([row[name] for name in columns] for row in rows))
    return 0


def _spelled(style: str, variant: str) -> str:
    """The style, where it has names for the moves of this kind of shogi. If nobody asked for it they go without."""
    if variant == ORDINARY or style == "usi":
        return style
    from click.core import ParameterSource

    from kifu.notation import writer
    from kifu.notation.writing import cannot_hold

    if writer(style).can_hold(variant):
        return style
    if click.get_current_context().get_parameter_source("style") == ParameterSource.DEFAULT:
        return "usi"
    raise click.BadParameter(f"{cannot_hold(style, variant)}.", param_hint="--style")


def _columns(form: str | None, style: str, with_games: bool) -> list[str]:
    columns = [name for name in COLUMNS if name != "name" or style != "usi"]
    if form is None:
        return columns + list(GAMES if with_games else ())
    return columns + list(MORE) + list(GAMES_IN_DATA if with_games else ())


def _tell_of(tree: OpeningTree, asked: Position, talk: Talk) -> None:
    """The name of the position, how many games reach it, and the score of the side to move."""
    from kifu.store.openings import wilson

    games, black, white, draws = tree.results()
    if not games:
        return
    wins, side = (white, "White") if asked.turn else (black, "Black")
    decided = black + white + draws
    text = f"{counted(games, 'game')} {'reaches' if games == 1 else 'reach'} this position"
    if decided:
        points = wins + draws / 2
        low, high = wilson(points, decided)
        text += f"; {side}, to move, scores {percent(points / decided)} ({interval(low, high)})"
    name = _name_of(tree)
    talk.say(f"{name}: {text}" if name else text)


def _name_of(tree: OpeningTree) -> str | None:
    """The name of the asked position as an opening."""
    if tree.database.found_version < NAMED_POSITIONS_VERSION:
        return None
    rows = tree.database.rows("SELECT DISTINCT name_ja, name_en FROM named_positions WHERE key = $key ORDER BY ALL",
                              {"key": tree.key})
    return " / ".join(" ".join(filter(None, row)) for row in rows) or None


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


def _rows(tree: OpeningTree, asked: Position, found: Sequence[Move], for_people: bool,
          style: str) -> Iterator[dict[str, Any]]:
    """The rows by column; for people shares are percentages and deeper moves are set in."""
    reached = tree.reaching(found)
    for move in found:
        row: dict[str, Any] = {
            "name": None if style == "usi" else _name(asked, move, style), "games": move.games,
            "black": move.black_wins, "draws": move.draws, "white": move.white_wins, "rating": move.rating,
            "first": move.first_date, "last": move.last_date, "reached": reached[move.next_key], "next": move.next_key,
            "top_game": move.top_game, "last_game": move.last_game,
        }
        if for_people:
            row |= {"move": "  " * (move.depth - 1) + move.usi, "share": percent(move.share),
                    "score": percent(move.score), "interval": interval(move.score_low, move.score_high)}
        else:
            row |= {"move": move.line, "share": move.share, "score": move.score,
                    "interval": None if move.score_low is None else [move.score_low, move.score_high]}
        yield row


def _name(asked: Position, move: Move, style: str) -> str:
    """The name of the last move of a line."""
    from kifu.rules.move import from_usi

    position = asked.copy()
    *before, last = [from_usi(text) for text in move.line.split()]
    for text in before:
        position.play(position.resolve(text))
    if style == "western" and asked.rules.key == ORDINARY:  # the usual one, without the modules of the others
        from kifu.notation.western_styles import western_move

        return western_move(position, position.resolve(last))
    from kifu.notation.spell import spell

    name = spell(position, position.resolve(last), style)
    return f"{'☖' if position.turn else '☗'}{name}" if style in ("ki2", "kif") else name


def _add_games(database: Database, tree: OpeningTree, found: Sequence[Move], rows: list[dict[str, Any]],
               for_people: bool) -> None:
    """The players of the first, the top and the last game of each move."""
    from kifu.store import catalog

    first = tree.first_games(found)
    numbers = [(first[move.key, move.code], move.top_game, move.last_game) for move in found]
    players = {game: (black, white, date) for game, black, white, date in
               catalog.rows(database, "game_players", games=sorted({game for three in numbers for game in three}))}
    for row, games in zip(rows, numbers, strict=True):
        texts = [" - ".join(name or "?" for name in players[game][:2]) for game in games]
        if for_people:
            days = [players[game][2] for game in games]
            row |= {name: f"{game}: {text}{f', {day.year}' if day else ''}"
                    for name, game, text, day in zip(GAMES, games, texts, days, strict=True)}
        else:
            row |= dict(zip(GAMES_IN_DATA, (games[0], *texts), strict=True))
