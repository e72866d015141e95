"""The moves of other kinds of shogi on a page of western text.

The compiled `kifu.notation.spelling.WesternPage` wraps words, clocks and comments of any game, but spells moves of
9 x 9 boards only. Here is the same loop over the plies of a line, in plain Python and for every kind of shogi.
"""
from __future__ import annotations

from collections.abc import Collection

from kifu.notation.spelling import WesternPage
from kifu.notation.western_names import spelled
from kifu.record import Game
from kifu.rules.position import Position


class BoardsPage:
    """Writes the lines of one game on a page; what stands between its moves is left to the page."""

    def __init__(self, page: WesternPage, game: Game, position: Position, style: str) -> None:
        self.page, self.game, self.position, self.style = page, game, position, style
        self.commented = False  # whether a comment stands behind the last move, so that the next one needs its number

    def plies(self, first: int, last: int, slot: int, opens: bool, numbered: bool, parent: int,
              branching: Collection[int]) -> int:
        """Write and play the moves ``first`` to ``last`` (not included); returns where it stopped. The parameters are
        those of `WesternPage.plies`."""
        page, game, position = self.page, self.game, self.position
        for index in range(first, last):
            move = game.proven[index]
            if numbered or slot % 2 == 0:
                page.add(f"{'(' if opens else ''}{slot // 2 + 1}.{' ...' if slot % 2 else ''}")
            opens = False
            page.add(spelled(position, move, self.style))
            position.play(move)
            milliseconds = game.record.milliseconds(index)
            if milliseconds is not None:
                page.clock(milliseconds)
            numbered = page.notes_before(index + 1) > page.notes_before(index)
            if numbered:
                page.remarks(index)
            slot += 1
            if parent in branching:
                self.commented = numbered
                return index + 1
            parent = index
        self.commented = numbered
        return last
