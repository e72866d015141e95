"""The position that a command is asked about: as moves from the start, or as SFEN."""
from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from kifu.ends import BLACK, WHITE

if TYPE_CHECKING:
    from kifu.record import Game, Record
    from kifu.rules.position import Position

COLOURS = (BLACK, WHITE)
#: What is said of a text that holds more than moves.
_IGNORED = ("text-ignored", "unknown-line", "syntax-error")


def asked_position(moves: Sequence[str], sfen: str | None, variant: str = "shogi") -> Position | None:
    """The position after moves (USI, Western, or any notation of whole games), or of an SFEN; None without either.

    It remembers the moves, so that a recapture can be named one.
    """
    from kifu.rules.position import Position, PositionError

    if moves and sfen:
        raise click.UsageError("Give moves or --sfen, not both.")
    if moves:
        return position_after(" ".join(moves), Position(None, variant), "MOVES")
    if sfen is None:
        return None
    try:
        return Position(sfen, variant)
    except PositionError as error:
        raise click.BadParameter(f"{error}{other_kind(sfen)}", param_hint="--sfen") from error


def position_after(text: str, start: Position, option: str) -> Position:
    """The position after moves in text, as `asked_position` takes them, from this one on; ``option`` names the text in
    the message where it is no moves."""
    try:
        return _of_usi(text.split(), start) or _of_text(text, start)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint=option) from error


def other_kind(sfen: str) -> str:
    """A hint where an SFEN that was refused is one of another kind of shogi."""
    from kifu.rules.recognise import fitting

    kinds = fitting(sfen)
    return f"; --variant {' or '.join(kinds)} would fit" if kinds else ""


def _of_usi(moves: Sequence[str], start: Position) -> Position | None:
    """The position after legal moves in USI, which need no notation to be loaded; None for any others."""
    from kifu.rules.move import from_usi

    position = start.copy()
    for text in moves:
        try:
            move = position.resolve(from_usi(text))
        except ValueError:
            return None
        if move < 0:
            return None
        position.play(move)
    return position


def _of_text(text: str, start: Position) -> Position:
    """The position after moves in any notation. ValueError where they are none, or illegal."""
    from kifu.rules.position import Position

    game, refused = None, ""
    for records in _readings(text, start):
        try:
            game = _played(records, start)
            break
        except ValueError as error:
            refused = refused or str(error)
    if game is None:
        raise ValueError(refused or f"the moves were not understood; write them as {_examples(start)}.")
    position = Position(game.start, game.variant)
    for move in game.moves:
        position.play(move)
    return position


def _readings(text: str, start: Position) -> Iterator[list[Record]]:
    """What a text may be read as. Of other kinds of shogi single moves do not tell their notation: there it is KIF
    where it has any words in Japanese, else Western."""
    from kifu.api import parse
    from kifu.notation import UnknownNotation

    variant = start.rules.key
    if variant != "shogi":
        notation, written = ("western", text) if text.isascii() else ("kif", _in_lines(text))
        records = parse(written, notation, variant=variant)
        if records and len(records[0].texts) and not any(found.name in _IGNORED for found in records[0].diagnostics):
            yield records
    with suppress(UnknownNotation):
        yield parse(text, variant=None if variant == "shogi" else variant)


def _played(records: Sequence[Record], start: Position) -> Game:
    """The game of moves from a position on. ValueError where they are none."""
    from kifu.replay import replay
    from kifu.rules.position import Position

    record, variant = records[0], start.rules.key
    usual = Position(None, variant).sfen()
    if start.sfen() != usual and record.variant == variant:
        if record.start != usual:
            raise ValueError("these are moves from a position of their own.")
        record.start, record.turn, record.handicap = start.sfen(), COLOURS[start.turn], None
    game = replay(record)
    if game.verdict != "legal" or len(records) > 1:
        errors = [found.message for found in game.diagnostics if found.severity == "error"]
        raise ValueError(errors[0] if errors else "these are not the moves of one game.")
    if game.variant != variant:
        raise ValueError(f"these moves are of {game.variant}; --variant {game.variant} asks for its games.")
    return game


def _in_lines(text: str) -> str:
    """Moves in the words of KIF, each on a line behind its number, as KIF has them.

    >>> _in_lines("☗７四燕(75) △同　燕(73)")
    '1 ☗７四燕(75)\\n2 △同燕(73)\\n'
    """
    text = re.sub(r"\s+(?=[(（])|(?<=[同目▲△▼▽☗☖])\s+", "", text)
    lines, number = [], 0
    for move in re.split(r"\s+|(?=[▲△▼▽☗☖])", text):
        if move:
            number += not move.startswith("二歩目")
            lines.append(f"{number} {move}\n")
    return "".join(lines)


def _examples(start: Position) -> str:
    """How a move can be written, by one that there is."""
    from kifu.notation.spell import spell

    if start.rules.key == "shogi":
        return "7g7f or P-7f"
    move = start.legal_moves()[0]
    return " or ".join(dict.fromkeys(spell(start, move, *way) for way in (
        ("usi",), ("western",), ("western", "names"), ("kif",))))
