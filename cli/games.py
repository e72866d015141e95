"""``kifu games``: the games that reach a position or part of one, or that filters let through."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click
from kifu.cli.asked import asked_position
from kifu.cli.filters import filtering, named, tell_near
from kifu.cli.options import talking
from kifu.cli.output import forms, show_rows
from kifu.cli.talk import Talk
from kifu.cli.words import counted, interval, percent

if TYPE_CHECKING:
    from kifu.rules.position import Position
    from kifu.store.database import Database
    from kifu.store.filters import Filters
    from kifu.store.patterns import Pattern
    from kifu.store.search import Hit, Plies

OWNERS = ("black", "white", "either", "player")
COLUMNS = ("game", "date", "black", "white", "event", "handicap", "winner", "end", "plies", "at", "side", "move",
           "source")
IN_DATA = ("game_id", "date", "black", "black_rating", "white", "white_rating", "event", "handicap", "winner", "end",
           "plies", "ply", "side", "move", "path", "source_offset")
SUMMARY = ("part", "games", "wins", "draws", "losses", "unknown", "score", "interval")


@click.command("games", short_help="The games that reach a position, or part of one.")
@click.argument("moves", metavar="[MOVES...]", nargs=-1)
@click.option("--db", metavar="FILE", required=True, type=click.Path(), help="The database to ask.")
@click.option("--sfen", metavar="SFEN", help="The position as SFEN instead of the moves that lead to it.")
@click.option("--both", is_flag=True, help="The same position with the colours exchanged will do too.")
@click.option("--pattern", metavar="TEXT", help="Part of a position, as the side itself sees the board: K8h a king, "
                                                "+B2b a horse, vP3d a pawn of the opponent, R5-8h on one of several "
                                                "squares, _5h an empty square, !R2h no rook there, B* one bishop in "
                                                "hand.")
@click.option("--hand", metavar="TEXT", help="Men in hand: B=1, P>=3; vB=1 (or b=1) for the opponent's.")
@click.option("--material", metavar="TEXT", help="Men on the board and in hand together: R=2, vR=0.")
@click.option("--of", "owner", type=click.Choice(OWNERS), default="either", show_default=True,
              help="The side that the pattern belongs to; player: the one of --player.")
@click.option("--from-ply", type=click.IntRange(min=0), metavar="N",
              help="Only where so many moves were played before.")
@click.option("--to-ply", type=click.IntRange(min=0), metavar="N", help="Only where at most so many were.")
@filtering(handicap=None)
@click.option("--order", type=click.Choice(["rating", "date", "plies", "id"]), default="rating", show_default=True,
              help="What comes first: the best rated, the latest, the longest games, or the first loaded.")
@click.option("--limit", type=click.IntRange(min=0), default=50, show_default=True, metavar="N",
              help="So many games at most; 0 for all.")
@click.option("--count", is_flag=True, help="Only the number of games.")
@click.option("--summary", is_flag=True, help="Instead of the games their results: all, by side, by year.")
@click.option("--show-sql", is_flag=True, help="Print the SQL instead of asking it.")
@forms
@talking
def command(moves: tuple[str, ...], db: str, sfen: str | None, both: bool, pattern: str | None, hand: str | None,
            material: str | None, owner: str, from_ply: int | None, to_ply: int | None, filters: Filters, order: str,
            limit: int, count: bool, summary: bool, show_sql: bool, form: str | None, talk: Talk) -> int:
    """List games: those that reach the position after MOVES... or of --sfen, those in which a --pattern stands at
    some time, or simply all that the filters let through.

    Games of any handicap are listed, but where patterns or sums of results are asked for only even ones, unless
    --handicap says otherwise. A position's last visit is told, and a pattern's first ply. Patterns are quick in a
    database loaded with --boards; elsewhere the games are replayed.

    \b
    Examples:
      kifu games --db games.duckdb --player 'Hab*' --since 1990 --order date
      kifu games P-7f P-3d P-6f --db games.duckdb --min-rating 2000 --limit 10
      kifu games --db games.duckdb --pattern 'K2h G4i' --from-ply 20 --csv
      kifu games --db games.duckdb --hand 'B=1 vB=1' --to-ply 40 --summary
      kifu games --db games.duckdb --pattern 'K8h G7h S7g' --show-sql
    """
    from kifu.store import search
    from kifu.store.database import Database
    from kifu.store.filters import ANY, EVEN

    partial = _pattern(pattern, hand, material, filters)
    asked = asked_position(moves, sfen, filters.variant)
    plies = search.Plies(from_ply, to_ply)
    _sensible(asked, partial, both, owner, filters, plies)
    if count and summary:
        raise click.UsageError("Ask for --count or for --summary, not both.")
    unasked = filters
    if filters.handicap is None:
        filters = filters._replace(handicap=EVEN if partial or (summary and not asked) else ANY)
    with Database.open(db) as database, _found(database, asked, partial, both, owner, filters, plies, show_sql,
                                               talk) as found:
        text = (search.count_sql(found, filters) if count else search.summary_sql(found, filters) if summary
                else search.list_sql(found, filters, order, limit or None))
        if show_sql:
            talk.out(f"{text};")
            return 0
        if unasked.handicap is None:
            _tell_aside(database, filters, talk)
        rows = database.rows(text) if count or summary else []
        hits = [] if count or summary else _confirmed(search.hits(database, text), asked, both, talk)
        if not hits and not any(row[0 if count else 1] for row in rows):
            talk.say(_nothing(asked is not None, partial is not None, named(unasked, type(filters)(handicap=None))))
            tell_near(database, filters, talk)
        if count and form is None:
            talk.out(str(rows[0][0]))
        elif count:
            show_rows(talk, form, ["games"], rows)
        elif summary:
            _show_summary(rows, bool(partial or both), filters, form, talk)
        else:
            _show(hits, asked is not None or partial is not None, bool(partial or both), form, talk)
    return 0


def _tell_aside(database: Database, filters: Filters, talk: Talk) -> None:
    """Say how many games at odds, and of other kinds of shogi, were left aside without anybody having asked for that."""
    from kifu.store.remarks import left_aside

    odds, others = left_aside(database, filters)
    if odds:
        talk.say(f"{counted(odds, 'handicap game')} left aside; --handicap any counts them too")
    if others:
        talk.say(f"{counted(others, 'game')} of other variants left aside; --variant names one")


def _pattern(text: str | None, hand: str | None, material: str | None, filters: Filters) -> Pattern | None:
    """The part of a position that was asked for."""
    if text is None and hand is None and material is None:
        return None
    from kifu.knowledge.positions import PositionTextError
    from kifu.store.patterns import pattern

    if filters.variant != "shogi":
        raise click.UsageError("Patterns are those of ordinary shogi.")
    try:
        return pattern(text or "", hand=hand or "", material=material or "")
    except PositionTextError as error:
        hints = [name for name, value in (("--pattern", text), ("--hand", hand), ("--material", material))
                 if value is not None]
        raise click.BadParameter(f"{error}.", param_hint=" / ".join(hints)) from error


def _sensible(asked: Position | None, partial: Pattern | None, both: bool, owner: str, filters: Filters,
              plies: Plies) -> None:
    """Refuse what cannot be meant."""
    if asked and partial:
        raise click.UsageError("Give a position or a pattern, not both.")
    if both and not asked:
        raise click.UsageError("--both needs a position: moves or --sfen. A pattern belongs to either side anyway.")
    if owner != "either" and not partial:
        raise click.UsageError("--of says whose --pattern it is: give one.")
    if owner == "player" and filters.player is None:
        raise click.UsageError("--of player needs --player.")
    if plies != (None, None) and not asked and not partial:
        raise click.UsageError("--from-ply and --to-ply need a position or a pattern; --min-plies and --max-plies "
                               "bound the length of a game.")


@contextmanager
def _found(database: Database, asked: Position | None, partial: Pattern | None, both: bool, owner: str,
           filters: Filters, plies: Plies, show_sql: bool, talk: Talk) -> Iterator[str]:
    """The query that finds the games; it can be asked inside the block."""
    from kifu.store import search

    if asked is not None:
        from kifu.store.tree import turned

        yield search.by_position(asked.key(), turned(asked).key() if both else None, plies)
    elif partial is None:
        yield search.EVERY_GAME
    else:
        from kifu.store import patterns, scanning

        sides = (owner,) if owner in patterns.COLOURS else patterns.COLOURS
        of = {patterns.COLOURS.index(side): filters.of_side(side) if owner == "player" else None for side in sides}
        if scanning.complete(database):
            yield patterns.by_boards(partial, of, plies)
        elif show_sql:
            talk.say("the table boards is not filled: the games would be replayed instead, with the same result")
            yield patterns.by_boards(partial, of, plies)
        else:
            talk.say("replaying the games, as the table boards is not filled; kifu load --boards makes patterns quick")
            total = database.value(f"SELECT count(*) FROM ({filters.sql()})")
            with talk.counting("replaying", total, "games") as progress:
                sightings = list(scanning.scanned(database, partial, filters, of, plies, progress))
            with scanning.shown(database, sightings) as found:
                yield found


def _confirmed(hits: list[Hit], asked: Position | None, both: bool, talk: Talk) -> list[Hit]:
    """Those that are what they seem by their keys."""
    if asked is None:
        return hits
    from kifu.store.search import confirmed
    from kifu.store.tree import turned

    found = list(confirmed(hits, asked, turned(asked) if both else None))
    if len(found) < len(hits):
        talk.say(f"{counted(len(hits) - len(found), 'game')} left out: another position with the same key")
    return found


def _nothing(position: bool, pattern: bool, used: list[str]) -> str:
    """Why there is no row.

    >>> print(_nothing(True, False, ["--player", "--since"]))
    no game that --player and --since let through reaches this position
    >>> print(_nothing(False, False, []))
    there is no game in the database
    """
    through = f" that {' and '.join(used)} {'lets' if len(used) == 1 else 'let'} through" if used else ""
    if position or pattern:
        return f"no game{through} {'reaches this position' if position else 'has this pattern'}"
    return f"there is no game{through or ' in the database'}"


def _show(hits: list[Hit], positioned: bool, sided: bool, form: str | None, talk: Talk) -> None:
    """Print the games; to people only the columns that say something."""
    if form is not None:
        rows = (hit if sided else hit._replace(side=None) for hit in hits)
        show_rows(talk, form, IN_DATA, ([getattr(row, name) for name in IN_DATA] for row in rows))
        return
    odds = any(hit.handicap != "even" for hit in hits)
    columns = [name for name in COLUMNS if (odds or name != "handicap") and (positioned or name not in ("at", "move"))
               and (sided or name != "side")]
    show_rows(talk, form, columns, ([_cell(hit, name) for name in columns] for hit in hits))
    if hits:
        total = hits[0].total
        talk.say(counted(total, "game") if total <= len(hits) else
                 f"the first {len(hits)} of {counted(total, 'game')}; --limit 0 shows all")


def _cell(hit: Hit, column: str) -> Any:
    """A cell for people: a player with the rating, everything else as it is."""
    if column in ("black", "white"):
        rating = hit.black_rating if column == "black" else hit.white_rating
        return (getattr(hit, column) or "?") + (f" ({rating})" if rating is not None else "")
    return getattr(hit, {"game": "game_id", "at": "ply", "source": "path"}.get(column, column))


def _show_summary(rows: Sequence[tuple[Any, ...]], sided: bool, filters: Filters, form: str | None, talk: Talk) -> None:
    """Print the results: of a player, of the side with the pattern or of Black; by side where that says anything."""
    view = "the player" if filters.player is not None else "the side that has it" if sided else "Black"
    shown = [row for row in rows if view != "Black" or row[0] not in ("black", "white", "both")]
    if form is None:
        talk.say(f"wins, losses and scores are those of {view}")
        shown = [(*row[:6], percent(row[6]), interval(row[7], row[8])) for row in shown]
    else:
        shown = [(*row[:7], None if row[7] is None else [row[7], row[8]]) for row in shown]
    show_rows(talk, form, SUMMARY, shown)
