"""The position that a command is asked about: as moves from the start, or as SFEN."""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from kifu.rules.position import Position


def asked_position(moves: Sequence[str], sfen: str | None, variant: str = "shogi") -> Position | None:
    """The position after moves (USI, Western, or any notation of whole games), or of an SFEN; None without either.

    It remembers the moves, so that a recapture can be named one.
    """
    from kifu.rules.position import Position, PositionError

    if moves and sfen:
        raise click.UsageError("Give moves or --sfen, not both.")
    if not moves:
        if sfen is None:
            return None
        try:
            return Position(sfen, variant)
        except PositionError as error:
            raise click.BadParameter(f"{error}{other_kind(sfen)}", param_hint="--sfen") from error
    return _of_usi(" ".join(moves).split(), variant) or _of_text(" ".join(moves), variant)


def other_kind(sfen: str) -> str:
    """A hint where an SFEN that was refused is one of another kind of shogi."""
    from kifu.rules.recognise import fitting

    kinds = fitting(sfen)
    return f"; --variant {' or '.join(kinds)} would fit" if kinds else ""


def _of_usi(moves: Sequence[str], variant: str) -> Position | None:
    """The position after legal moves in USI, which need no notation to be loaded; None for any others."""
    from kifu.rules.move import from_usi
    from kifu.rules.position import Position

    position = Position(None, variant)
    for text in moves:
        try:
            move = position.resolve(from_usi(text))
        except ValueError:
            return None
        if move < 0:
            return None
        position.play(move)
    return position


def _of_text(text: str, variant: str) -> Position:
    from kifu.api import parse
    from kifu.notation import UnknownNotation
    from kifu.replay import replay
    from kifu.rules.position import Position

    try:
        records = parse(text, variant=None if variant == "shogi" else variant)
    except UnknownNotation as error:
        raise click.BadParameter("the moves were not understood; write them as 7g7f or P-7f.",
                                 param_hint="MOVES") from error
    game = replay(records[0])
    if game.verdict != "legal" or len(records) > 1:
        errors = [found.message for found in game.diagnostics if found.severity == "error"]
        raise click.BadParameter(errors[0] if errors else "these are not the moves of one game.", param_hint="MOVES")
    if game.variant != variant:
        raise click.BadParameter(f"these moves are of {game.variant}; --variant {game.variant} asks for its games.",
                                 param_hint="MOVES")
    position = Position(game.start, game.variant)
    for move in game.moves:
        position.play(move)
    return position
