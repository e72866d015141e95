"""What a normalised JKF file says of its moves, compared with the game: `same`, `promote`, `capture`, `relative`.

Minimal files say none of it and cost nothing here. Legality is not judged: a line is followed as far as its moves can
be played, and replay says why it stops.
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from kifu.notation.csa import NAMES
from kifu.notation.jkf_schema import Way
from kifu.notation.relative import relative
from kifu.notation.tree import from_the_highest
from kifu.record import Record
from kifu.rules.move import COULD_PROMOTE, PIECE_FIELD, TAKEN_SHIFT, TARGET_FIELD
from kifu.rules.position import Position, PositionError


class Said(NamedTuple):
    """What a move object says beyond the move; None where it does not say."""

    way: Way
    same: bool | None
    promote: bool | None
    capture: str | None
    relative: str | None


def contradictions(record: Record, said: Mapping[int, Said]) -> Iterator[tuple[Way, str, str, str]]:
    """Where the game is not as its file says: way to the move object, key, what it says, and what is so.

    ``said`` has an entry for each move, by its index, of which anything is said.
    """
    if record.start is None or not said:
        return
    try:
        position = Position(record.start)
    except PositionError:
        return
    path: list[int] = []  # the moves that lead to the position
    for number, first, stop in from_the_highest(record):
        parent = record.lines[number].parent
        while path and path[-1] != parent:
            position.undo()
            path.pop()
        if parent >= 0 and not path:
            continue  # behind a move that cannot be played
        for index in range(first, stop):
            move = position.resolve(record.texts[index])
            if move < 0:
                break
            one = said.get(index)
            if one is not None:
                yield from _of_move(position, move, one)
            position.play(move)
            path.append(index)


def _of_move(position: Position, move: int, said: Said) -> Iterator[tuple[Way, str, str, str]]:
    """The contradictions of one move that is about to be played."""
    same = position.last_target >= 0 and move & TARGET_FIELD == position.last_target
    if said.same is not None and said.same != same:
        where = "on the square of the move before" if same else "not on the square of the move before"
        yield said.way, "same", _word(said.same), f"the move ends {where}"
    if said.promote is False and not move & COULD_PROMOTE:
        yield said.way, "promote", "false", "the piece has no choice"
    taken = NAMES.get(move >> TAKEN_SHIFT & PIECE_FIELD)
    if said.capture is not None and taken is not None and said.capture != taken:  # replay tells where nothing is taken
        yield said.way, "capture", said.capture, f"{taken} is taken"
    if said.relative is not None:
        needed = relative(position, move)
        if set(said.relative) != set(needed):
            yield said.way, "relative", said.relative, f"{needed} tells the pieces apart" if needed else \
                "no other piece could make the move"


def _word(value: bool) -> str:
    return "true" if value else "false"
