"""``kifu show``: the headers of a game and the board at one of its moves."""
from __future__ import annotations

from typing import TYPE_CHECKING

import click
from kifu.cli.options import Inputs, further_patterns, reading, talking
from kifu.cli.talk import Talk
from kifu.cli.words import counted

if TYPE_CHECKING:
    from kifu.knowledge import PatternFile
    from kifu.pipeline import Entry
    from kifu.record import Game

KINDS = {"opening": "戦型", "castle": "囲い"}


@click.command("show", short_help="Show a game's headers and its board at any move.")
@reading(many=False, jobs=False)
@click.option("--game", "number", type=click.IntRange(min=1), default=1, metavar="N", show_default=True,
              help="Which game of the file.")
@click.option("--at", "ply", type=click.IntRange(min=0), metavar="PLY",
              help="Show the board after this many moves; by default after the last.")
@click.option("--text", "as_text", is_flag=True, help="Draw the board as text (the default).")
@click.option("--flip", is_flag=True, help="Look from White's side.")
@further_patterns
@talking
def command(inputs: Inputs, number: int, ply: int | None, as_text: bool, flip: bool,
            patterns: tuple[PatternFile, ...], talk: Talk) -> int:
    """Show the headers of a game of PATH and the board at one of its moves.

    Below stand the openings and castles of the whole game, each with the ply at which it was first there. Where one
    is a special form of another only the special one is named.

    \b
    Examples:
      kifu show sample_games/seed-opening.txt
      kifu show sample_games/seed-opening.txt --at 4 --flip
    """
    from kifu.pipeline import Problem, games

    problems: list[Problem] = []
    count = 0
    for source in inputs.find(problems):
        for entry in games(source, inputs.options()):
            count += 1
            if count == number:
                return _show(entry, ply, flip, patterns, talk)
    talk.problems(problems)
    if talk.failed:
        return 2
    raise click.BadParameter(f"there {'is' if count == 1 else 'are'} {counted(count, 'game')} in {inputs.paths[0]}.",
                             param_hint="--game")


def _show(entry: Entry, ply: int | None, flip: bool, patterns: tuple[PatternFile, ...], talk: Talk) -> int:
    from kifu.cli.findings import finding_text

    from kifu.draw import board_text

    errors = [found for found in entry.findings if found.severity == "error"]
    game = entry.game
    if game is None or not game.start:
        for found in errors:
            talk.error(finding_text(entry.source.label, found, entry.lines))
        return 2 if entry.unread else 1
    if ply is not None and ply > game.plies:
        raise click.BadParameter(f"the game has {counted(game.plies, 'legal move')}.", param_hint="--at")
    at = game.plies if ply is None else ply
    for key, value in game.record.headers:
        talk.out(f"{key}: {value}")
    names = ("下手", "上手") if game.handicap not in ("even", "other") else ("先手", "後手")
    sfen, last = _position(game, at)
    talk.out(board_text(sfen, flip=flip, names=names))
    talk.out(f"手数＝{at}{f'  {last}' if last else ''}  まで（全{game.plies}手）")
    if at == game.plies:
        talk.out(", ".join(_outcome(game)))
    for line in _tags(game, patterns, names):
        talk.out(line)
    for found in errors:
        talk.error(finding_text(entry.source.label, found, entry.lines))
    return int(entry.bad)


def _position(game: Game, ply: int) -> tuple[str, str]:
    """The SFEN after so many moves, and the move that led there as it was written."""
    from kifu.rules.position import Position

    position = Position(game.start, game.variant)
    for move in game.moves[:ply]:
        position.play(move)
    return position.sfen(), game.record.move_text(ply - 1).strip() if ply else ""


def _tags(game: Game, patterns: tuple[PatternFile, ...], names: tuple[str, str]) -> list[str]:
    """The most special openings and castles of a game, a line each."""
    from kifu.knowledge import tags

    sides = {"black": names[0], "white": names[1], "both": "双方"}
    shown = [tag for tag in tags(game, patterns) if not tag.implied]
    width = max((len(str(tag.ply)) for tag in shown), default=0)
    return [f"{KINDS[tag.kind]}: {tag.ply:{width}}手目 {sides[tag.side]} {tag.ja} ({tag.en})" for tag in shown]


def _outcome(game: Game) -> list[str]:
    """What the record claims and what replay proved."""
    parts = [f"verdict: {game.verdict}", f"end: {game.end or 'not stated'}", f"winner: {game.winner}"]
    if game.verified_end:
        parts.append(f"proven: {game.verified_end}, winner {game.verified_winner}")
    return parts
