"""psv and hcpe, writer: an entry for each position of the main line in which a move was made.

Source: FORMATS, section 10 of the project's reference (see `kifu.notation.packed_entries`). The result is what replay
proved, else what the record claims. An entry always has a result and an evaluation; where the game has none, 0 is
written, and counted among the losses.
"""
from __future__ import annotations

import re
from collections.abc import Iterable

from kifu import ends
from kifu.notation.annotations import evaluation_of
from kifu.notation.packed import PackedError
from kifu.notation.packed_entries import LAYOUTS, LEAST_SCORE, MOST_PLY, MOST_SCORE, Entry
from kifu.notation.writing import Writer
from kifu.record import INFO, Game, Record
from kifu.rules.position import Position

#: A comment that is an evaluation and nothing else: ``** 123`` as CSA programs write it, ``*評価値=123`` of ShogiHome.
_BARE = re.compile(r"(?:\*{1,2}[ \t]*|[*#]{1,2}評価値[=＝])([+-]?[0-9]{1,9})")


class PackedWriter(Writer):
    """Writes proven games as entries."""

    NOTATION = ""
    SEPARATOR = ""

    def write(self, game: Game) -> bytes:  # type: ignore[override]
        """The entries of one game."""
        layout = LAYOUTS[self.NOTATION]
        self.leave_out_all(game)
        winner = game.verified_winner or game.winner
        plies = game.plies
        if winner not in ends.SIDES and winner != ends.DRAW:
            self.lose("results written as a draw", plies)
        scores = self.scores(game)
        position = Position(game.start)
        out = []
        for ply, move in enumerate(game.moves):
            turn = position.turn
            score = -scores.get(ply, 0) if turn else scores.get(ply, 0)
            fits = max(LEAST_SCORE, min(score, MOST_SCORE))
            self.lose("evaluations", int(fits != score))
            try:
                packed = layout.coding.pack(position)
            except PackedError:
                self.lose("positions", plies - ply)
                break
            out.append(layout.write(Entry(packed, fits, layout.packed_move(move), position.ply,
                                          layout.result(winner, turn))))
            position.play(move)
        return b"".join(out)

    def write_all(self, games: Iterable[Game]) -> bytes:  # type: ignore[override]
        """The entries of several games. Raises `UnwritableError` where one is not of ordinary shogi."""
        return b"".join([self.write(self.held(game)) for game in games])

    def scores(self, game: Game) -> dict[int, int]:
        """The evaluations of the main line by ply, from Black's view; what is missing is counted, as are comments."""
        record = game.record
        told = _own(record) if record.notation in LAYOUTS else evaluation_of(record)
        found = {index: score for index, score in told.items() if 0 <= index < game.plies}
        comments = elsewhere = 0
        whole: set[int] = set()  # moves of which the evaluation is all that a comment says
        for index, _, text in record.comments():
            if index in found and index not in whole and _BARE.fullmatch(text.rstrip()):
                whole.add(index)
            elif index >= record.lines[0].last:
                elsewhere += 1
            else:
                comments += 1
        self.lose("comments", comments)
        self.lose("comments in variations", elsewhere)
        self.lose("evaluations written as 0", game.plies - len(found))
        return found

    def leave_out_all(self, game: Game) -> None:
        """Count what an entry has no place for."""
        record = game.record
        self.lose("variations", game.variations)
        self.lose("bookmarks", len(record.bookmarks))
        self.lose("clocks", sum(thought >= 0 for thought in record.info[INFO - 1::INFO]))
        self.lose_headers(game)
        if record.end is not None and record.end.reason != "other":
            self.lose("end")
        if game.verdict == "foul":
            self.lose("illegal final move")
        first = int(game.start.rpartition(" ")[2])
        numbered = self.NOTATION == "psv" and first + game.plies <= MOST_PLY
        self.lose("number of the first move", int(first > 1 and not numbered))
        self.lose("positions", int(not game.plies))


def _own(record: Record) -> dict[int, int]:
    """The evaluations of a record that was read from entries: any number, none of them a mate."""
    found: dict[int, int] = {}
    for index, _, text in record.comments():
        if match := _BARE.fullmatch(text):
            found.setdefault(index, int(match[1]))
    return found


class PsvWriter(PackedWriter):
    """Writes YaneuraOu's `PackedSfenValue`."""

    NOTATION = "psv"


class HcpeWriter(PackedWriter):
    """Writes Apery's and dlshogi's `HuffmanCodedPosAndEval`."""

    NOTATION = "hcpe"


