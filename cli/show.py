"""``kifu show``: the headers of a game and the board at one of its moves."""
from __future__ import annotations

from typing import TYPE_CHECKING

import click
from kifu.cli.options import Inputs, OutputFile, further_patterns, reading, talking
from kifu.cli.pieces import pieces_options
from kifu.cli.talk import Talk
from kifu.cli.words import counted

from kifu._tuples import NamedTuple

if TYPE_CHECKING:
    from kifu.knowledge import PatternFile
    from kifu.pipeline import Entry
    from kifu.record import Game

KINDS = {"opening": "戦型", "castle": "囲い"}


class View(NamedTuple):
    """How the board is shown: the move, the side, the piece set, the language, and the file of a picture."""

    ply: int | None
    flip: bool
    pieces: str | None
    language: str | None
    svg: str | None
    force: bool


@click.command("show", short_help="Show a game's headers and its board at any move.")
@reading(many=False, jobs=False)
@click.option("--game", "number", type=click.IntRange(min=1), default=1, metavar="N", show_default=True,
              help="Which game of the file.")
@click.option("--at", "ply", type=click.IntRange(min=0), metavar="PLY",
              help="Show the board after this many moves; by default after the last.")
@click.option("--text", "as_text", is_flag=True, help="Draw the board as text (the default).")
@click.option("--svg", metavar="FILE", type=OutputFile(), help="Write the board to this file as a picture; - for "
                                                               "standard output.")
@click.option("--force", is_flag=True, help="Overwrite the file of --svg.")
@pieces_options("What the men look like: kanji (the usual ones), kanji2, international, letters or animals.")
@click.option("--flip", is_flag=True, help="Look from White's side.")
@further_patterns
@talking
def command(inputs: Inputs, number: int, ply: int | None, as_text: bool, svg: str | None, force: bool,
            pieces: str | None, language: str | None, flip: bool, patterns: tuple[PatternFile, ...],
            talk: Talk) -> int:
    """Show the headers of a game of PATH and the board at one of its moves.

    Below stand the openings and castles of the whole game, each with the ply at which it was first there. Where one
    is a special form of another only the special one is named. With --svg the board is a picture, and nothing else is
    shown.

    \b
    Examples:
      kifu show sample_games/seed-opening.txt
      kifu show sample_games/seed-opening.txt --at 4 --flip
      kifu show sample_games/mate.csa --at 20 --pieces animals --lang cs
      kifu show sample_games/mate.csa --pieces animals --svg board.svg
    """
    from kifu.pipeline import Problem, games

    if svg and as_text:
        raise click.UsageError("--text and --svg cannot be used together.")
    view = View(ply, flip, pieces, language, svg, force)
    problems: list[Problem] = []
    count = 0
    for source in inputs.find(problems):
        for entry in games(source, inputs.options()):
            count += 1
            if count == number:
                return _show(entry, view, patterns, talk)
    talk.problems(problems)
    if talk.failed:
        return 2
    raise click.BadParameter(f"there {'is' if count == 1 else 'are'} {counted(count, 'game')} in {inputs.paths[0]}.",
                             param_hint="--game")


def _show(entry: Entry, view: View, patterns: tuple[PatternFile, ...], talk: Talk) -> int:
    from kifu.cli.findings import finding_text

    from kifu.draw import LANGUAGES, board_text, piece_set

    errors = [found for found in entry.findings if found.severity == "error"]
    game = entry.game
    if game is None or not game.start:
        for found in errors:
            talk.error(finding_text(entry.source.label, found, entry.lines))
        return 2 if entry.unread else 1
    if view.ply is not None and view.ply > game.plies:
        raise click.BadParameter(f"the game has {counted(game.plies, 'legal move')}.", param_hint="--at")
    at = game.plies if view.ply is None else view.ply
    chosen = piece_set(view.pieces or "kanji")
    language = chosen.language(view.language)
    words = LANGUAGES[language]
    names = words.black, words.white
    if language == "ja" and game.handicap not in ("even", "other"):
        names = "下手", "上手"
    sfen, last = _position(game, at, chosen.style.get(language, "") if view.pieces else "")
    if view.svg:
        _picture(game, at, sfen, view, language, names, talk)
    else:
        for key, value in game.record.headers:
            talk.out(f"{key}: {value}")
        talk.out(board_text(sfen, flip=view.flip, names=names, pieces=chosen.key, language=language,
                            variant=game.variant))
        talk.out(words.after.format(at, ("  " if language == "ja" else ": ") + last if last else "", game.plies))
        if at == game.plies:
            talk.out(", ".join(_outcome(game)))
        for line in _tags(game, patterns, names, language):
            talk.out(line)
    for found in errors:
        talk.error(finding_text(entry.source.label, found, entry.lines))
    return int(entry.bad)


def _picture(game: Game, at: int, sfen: str, view: View, language: str, names: tuple[str, str], talk: Talk) -> None:
    """Write the board as SVG; the players stand beside it where the record names them."""
    from os.path import exists

    from kifu.draw import board_svg
    from kifu.rules.move import usi
    from kifu.rules.variants import RULESETS

    ranks = RULESETS[game.variant].ranks
    black, white = game.record.header("black"), game.record.header("white")
    text = board_svg(sfen, pieces=view.pieces or "kanji", language=language, flip=view.flip, variant=game.variant,
                     names=(black or names[0], white or names[1]), last=usi(game.moves[at - 1], ranks) if at else "")
    assert view.svg is not None
    if view.svg == "-":
        talk.out(text.rstrip("\n"))
        return
    if exists(view.svg) and not view.force:
        raise click.UsageError(f"{view.svg} exists already; --force overwrites it.")
    try:
        with open(view.svg, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise click.UsageError(f"{view.svg} cannot be written: {error.strerror or error}.") from error
    talk.say(f"{view.svg}: the board after move {at}")


def _position(game: Game, ply: int, style: str) -> tuple[str, str]:
    """The SFEN after so many moves, and the move that led there: in a style of western text or as it was written."""
    from kifu.rules.position import Position

    position = Position(game.start, game.variant)
    last = game.record.move_text(ply - 1).strip() if ply else ""
    for index, move in enumerate(game.moves[:ply]):
        if style and index == ply - 1:
            from kifu.notation.western_styles import STYLES, western_move
            from kifu.rules.move import piece

            if piece(move) in STYLES[style].names:  # other kinds of shogi have men without a name in it
                last = western_move(position, move, style)
        position.play(move)
    return position.sfen(), last


def _tags(game: Game, patterns: tuple[PatternFile, ...], names: tuple[str, str], language: str) -> list[str]:
    """The most special openings and castles of a game, a line each."""
    from kifu.knowledge import tags

    shown = [tag for tag in tags(game, patterns) if not tag.implied]
    width = max((len(str(tag.ply)) for tag in shown), default=0)
    if language != "ja":
        sides = {"black": names[0], "white": names[1], "both": f"{names[0]} + {names[1]}"}
        return [f"{tag.kind}: {tag.ply:{width}}. {sides[tag.side]}: {tag.en}" for tag in shown]
    sides = {"black": names[0], "white": names[1], "both": "双方"}
    return [f"{KINDS[tag.kind]}: {tag.ply:{width}}手目 {sides[tag.side]} {tag.ja} ({tag.en})" for tag in shown]


def _outcome(game: Game) -> list[str]:
    """What the record claims and what replay proved, and its kind of shogi where that is not the ordinary one."""
    parts = [] if game.variant == "shogi" else [f"variant: {game.variant}"]
    parts += [f"verdict: {game.verdict}", f"end: {game.end or 'not stated'}", f"winner: {game.winner}"]
    if game.verified_end:
        parts.append(f"proven: {game.verified_end}, winner {game.verified_winner}")
    return parts
