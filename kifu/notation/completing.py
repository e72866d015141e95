"""Moves whose text says too little for the resolver: the board tells what they mean, before the game is proven.

`RxP` names the piece that is taken and not where; SAN names the file of the origin alone. `complete` walks over the
lines of a record and rewrites such texts; legality is still the business of `kifu.replay`.
"""
from __future__ import annotations

import re
from array import array
from collections.abc import Callable

from kifu.diagnostics import Diagnostic, make
from kifu.movetext import (
    CAPTURE, DROP, KIND_FIELD, PIECE_FIELD, PIECE_SHIFT, PROMOTE, PROMOTED, origin, pack, piece, target,
)
from kifu.notation.meanings import ORIGIN_MARK
from kifu.record import INFO, Line, Record
from kifu.rules.move import (
    DROPPED, KINDS, ORIGIN_SHIFT, PROMOTES, TAKEN_SHIFT, TARGET_FIELD,
)
from kifu.rules.move import PIECE_SHIFT as MOVED_SHIFT
from kifu.rules.position import Position, PositionError
from kifu.walker import Walker

#: Asked for the text of the move at an index in a position: the text to put there, or what is wrong with it.
Chooser = Callable[[Position, int], int | Diagnostic]
_TAKEN = re.compile(r"[x:](\+?[A-Z])")
_FACES = {"T": KINDS["P"] | PROMOTED, "H": KINDS["B"] | PROMOTED, "D": KINDS["R"] | PROMOTED}


def complete(record: Record, choose: Chooser) -> None:
    """Rewrite the texts of a record, line by line, as ``choose`` says.

    A line ends before a move for which it has a finding. Behind a move that is not legal nothing is rewritten.
    """
    try:
        position = Position(record.start, record.variant)
    except PositionError:
        return
    texts, proven = record.texts, array("q", [-1]) * len(record.texts)
    walker = Walker(record, position, proven)
    for line in record.lines:
        if not walker.go_to(line.parent):
            continue
        stop = line.first
        for index in range(line.first, line.last):
            chosen = choose(position, index)
            if isinstance(chosen, Diagnostic):
                break_off(record, line, index, chosen)
                break
            texts[index] = chosen
            stop = position.replay(texts, index, index + 1, proven, None, [])
            if stop == index:
                break
        walker.played(range(line.first, stop))


def break_off(record: Record, line: Line, index: int, finding: Diagnostic) -> None:
    """End a line before a move that is not known."""
    record.diagnostics.append(finding._replace(ply=line.number + index - line.first))
    line.last = index
    if line.broken is None:
        line.broken = record.diagnostics[-1]


def squares(move: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Origin and target of a packed move on the 9 x 9 board, as file and rank; (0, 0) for the origin of a drop."""
    file, rank = divmod(move >> ORIGIN_SHIFT & TARGET_FIELD, 9)
    to_file, to_rank = divmod(move & TARGET_FIELD, 9)
    return (0, 0) if move & DROPPED else (file + 1, rank + 1), (to_file + 1, to_rank + 1)


def told(move: int, flags: int) -> int:
    """The text that says all of a packed move but its promotion, with flags."""
    start, to = squares(move)
    named = move >> MOVED_SHIFT & PIECE_FIELD
    if move & DROPPED:
        return pack(to, piece=named & KIND_FIELD, flags=flags | DROP)
    return pack(to, start, named, flags)


def taking(record: Record) -> Chooser:
    """Chooses for moves that name the piece taken (`SxP`): the one such capture, best on the square of the move before.

    Where no piece with that face can be taken, the name may mean its other face.
    """

    def choose(position: Position, index: int) -> int | Diagnostic:
        text, written = record.texts[index], record.move_text(index)
        match = _TAKEN.search(written)
        from_square = record.info[INFO * index + 2] & ORIGIN_MARK
        if match is None or target(text) != (0, 0) and not from_square:
            return text
        letter = match[1]
        taken = _FACES.get(letter) or KINDS[letter[-1]] | (PROMOTED if letter[0] == "+" else 0)
        named, start = piece(text), target(text) if from_square else origin(text)
        able = [move for move in position.legal_moves()
                if (move >> TAKEN_SHIFT & KIND_FIELD == taken & KIND_FIELD
                    and not (named and move >> MOVED_SHIFT & PIECE_FIELD != named)
                    and start in ((0, 0), squares(move)[0]) and (move & PROMOTES or not text & PROMOTE))]
        able = [move for move in able if move >> TAKEN_SHIFT & PIECE_FIELD == taken] or able
        able = [move for move in able if move & TARGET_FIELD == position.last_target] or able
        choice = list({move & 0xFFFF: move for move in able}.values())  # promoting or not is for the text to say
        if len(choice) == 1:
            return told(choice[0], text >> PIECE_SHIFT + 6 << PIECE_SHIFT + 6 | CAPTURE)
        at = record.info[INFO * index]
        detail = "no such piece can be taken" if not choice else "several pieces could be taken or take"
        return make("taken-unclear", at, record.info[INFO * index + 1], text=written, detail=detail)

    return choose
