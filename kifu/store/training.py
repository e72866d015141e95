"""Positions for engines to learn from: psv of YaneuraOu, hcpe of Apery and dlshogi.

One entry for each position in which a move was played: the position in 256 bits, the move, its evaluation, who won the
game. Evaluations are those of ``games.evals``, else those in the comments; 0 where there is none, as other programs
write it. Games without a result, and what an entry cannot hold, are counted and left out.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from kifu.notation.annotations import evaluation_of
from kifu.notation.packed import PackedError
from kifu.notation.packed_entries import LAYOUTS, LEAST_SCORE, MOST_SCORE, Entry
from kifu.record import Game
from kifu.rules.position import Position
from kifu.store.chosen import fetch
from kifu.store.database import Database
from kifu.store.games_out import COLUMNS, WINNERS, DamagedRow, rebuilt

KINDS = ("psv", "hcpe")


class Training:
    """Makes the entries of one notation. ``positions`` were written; ``left_out`` counts, by kind, what was not or is
    not told by them; ``damaged`` holds what was wrong with rows that are no games."""

    def __init__(self, notation: str, min_ply: int = 0, max_ply: int | None = None) -> None:
        self.layout = LAYOUTS[notation]
        self.min_ply, self.max_ply = min_ply, max_ply
        self.positions = 0
        self.left_out: Counter[str] = Counter()
        self.damaged: list[DamagedRow] = []

    def entries(self, database: Database, numbers: Sequence[int]) -> Iterator[bytes]:
        """The entries of the games of these numbers, a piece for each game, empty for one that is left out."""
        columns = (*COLUMNS, "verified_winner", "evals")
        for number, row in enumerate(fetch(database, numbers, columns), 1):
            told = dict(zip(columns, row[2:], strict=True))
            outcome = told["verified_winner"] if told["result"] is None else told["result"]
            if told["variant"] != "shogi":
                self.left_out["games of other kinds"] += 1
            elif outcome is None:
                self.left_out["games of unknown result"] += 1
            else:
                try:
                    game = rebuilt(number, row[0], row[1], told).game
                except DamagedRow as damaged:
                    self.damaged.append(damaged)
                else:
                    yield self.of_game(game, scores_of(game, told["evals"]), WINNERS[outcome])
                    continue
            yield b""

    def of_game(self, game: Game, scores: dict[int, int], winner: str) -> bytes:
        """The entries of one game; ``scores`` are centipawns from Black's view by the index of the move."""
        layout = self.layout
        position = Position(game.start)
        out = []
        last = game.plies if self.max_ply is None else min(game.plies, self.max_ply)
        for ply in range(last):
            move = game.moves[ply]
            if ply >= self.min_ply:
                turn = position.turn
                score = scores.get(ply, 0)
                score = max(LEAST_SCORE, min(-score if turn else score, MOST_SCORE))
                try:
                    packed = layout.coding.pack(position)
                except PackedError:  # too many men of a kind, or no king; so it is with all that follow
                    self.left_out["positions"] += last - ply
                    break
                out.append(layout.write(Entry(packed, score, layout.packed_move(move), position.ply,
                                              layout.result(winner, turn))))
                self.left_out["evaluations written as 0"] += ply not in scores
            position.play(move)
        self.positions += len(out)
        return b"".join(out)


def scores_of(game: Game, evals: Sequence[int | None] | None) -> dict[int, int]:
    """Evaluations from Black's view by the index of the move: those of the column, else those of the comments."""
    if evals is not None:
        return {index: score for index, score in enumerate(evals) if score is not None}
    found: dict[int, int] = evaluation_of(game.record) if game.record.notes else {}
    return {index: score for index, score in found.items() if index >= 0}

