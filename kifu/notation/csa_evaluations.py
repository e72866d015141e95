"""CSA, writer: evaluations that other notations hold in forms of their own, as `'**` comments.

Source: the CSA record format, version 3.0: `'** evaluation variation #nodes`, the evaluation in centipawns from Black's
view, the moves of the variation in full. The comment that the evaluation came from is written as well: it may say more.
"""
from __future__ import annotations

from array import array

from kifu.notation.annotations import MATE, Annotation
from kifu.notation.annotations import annotations as annotations_of
from kifu.notation.variations import proven
from kifu.record import Game
from kifu.rules.position import Position

Marks = dict[int, tuple[str, int, int]]
_FIRST = ("note", 0, 0)


def with_evaluations(game: Game) -> tuple[array[int], Marks, str, bool]:
    """The comments of a game and the text they stand in, one added for each evaluation in a form that is not CSA's.

    Returns notes, note marks and text as a `kifu.record.Record` has them, and whether there are evaluations at all.
    """
    record = game.record
    notes, marks, text = record.notes, record.note_marks, record.text
    if record.notation == "csa":
        return notes, marks, text, text.find("'**", record.offset, record.end_offset) >= 0
    found = annotations_of(record)
    have = {one.move for one in found if one.form == "csa"}
    wanted = [one for one in found if one.move not in have and one.move < game.plies and one.form != "k-shogi-best"
              and (one.evaluation is not None or one.mate is not None)]
    if wanted:
        code = max(marks) + 1
        marks, notes = {**marks, code: _FIRST}, notes[:]
        parts, size = [text], len(text)
        for one, line in zip(wanted, lines(game, wanted), strict=True):
            notes.extend((code, one.move + 1, size, size + len(line)))
            parts.append(line)
            size += len(line)
        text = "".join(parts)
    return notes, marks, text, bool(found)


def lines(game: Game, wanted: list[Annotation]) -> list[str]:
    """The comment for each annotation, behind its first mark: ``* 30 +7776FU -3334FU #1234``."""
    from kifu.notation.csa_writer import csa_move
    position = Position(game.start, game.variant)
    written = [""] * len(wanted)
    ply = 0  # how many moves are played on the position
    for index in sorted(range(len(wanted)), key=lambda index: wanted[index].behind):
        one = wanted[index]
        while ply <= one.behind:
            position.play(game.moves[ply])
            ply += 1
        turn = position.turn
        moves = "".join(f" {'+-'[(turn + number) & 1]}{csa_move(move)}"
                        for number, move in enumerate(proven(position, one.moves)))
        nodes = f" #{one.nodes}" if one.nodes is not None else ""
        written[index] = f"* {value(one)}{moves}{nodes}"
    return written


def value(one: Annotation) -> int:
    """An evaluation as CSA writes it: a mate is near ±30000."""
    if one.evaluation is not None:
        return one.evaluation
    mate = one.mate or 0
    return MATE - mate if mate >= 0 else -MATE - mate
