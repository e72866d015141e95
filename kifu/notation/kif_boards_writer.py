"""KIF of other kinds of shogi, the writer.

As `kifu.notation.kif_writer`, but 手合割 names the kind of shogi, the diagram has its size, and the men go by their
words. Where a number of two digits would not be clear, on boards of more than nine files or ranks, moves are written
as players of chu shogi do: ``7八歩兵 （←7九）``, and 仝 for the square of the move before. A man that moves twice in
one turn has a line for each step:

>>> from kifu.rules.move import from_usi
>>> from kifu.rules.position import Position
>>> chu = Position("12/12/12/12/12/12/5k6/5N6/12/12/12/4K7 b - 1", "chushogi")
>>> print(spelled(chu.resolve(from_usi("7h7g7h")), -1, chu.rules))
一歩目 7七獅子 （←7八）
二歩目 7八獅子（居食い） （←7七）

Sources: lishogi's KIF and the records of the Japan Chu Shogi Association.
"""
from __future__ import annotations

from array import array
from typing import Any

from kifu import ends
from kifu.notation.diagram import FULL_DIGITS, KANJI_NUMBERS, diagram
from kifu.notation.kanji import name_of, words_of
from kifu.notation.kif_writer import KifWriter, pad
from kifu.notation.spelling import KifPage
from kifu.record import INFO, Game
from kifu.rules.move import (
    DROPPED, ORIGIN_SHIFT, PIECE_FIELD, PIECE_SHIFT, PROMOTES, TAKEN_ON_WAY_SHIFT, TARGET_FIELD, via,
)
from kifu.rules.ruleset import NO_DROPS, Ruleset

#: The columns before a clock, on boards up to nine by nine and on larger ones.
NARROW, WIDE = 18, 36
_LABELS = {ends.BLACK: "下手", ends.WHITE: "上手"}


class BoardsPage:
    """A page of KIF for one kind of shogi: a `KifPage` whose moves are spelled here."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        page = KifPage(array("I"), array("I"))
        self._open = page.open
        self.put, self.take, self.remarks = page.put, page.take, page.remarks
        self.clock, self.totals = page.clock, page.totals

    def open(self, moves: array[int], info: array[int], *rest: Any) -> None:
        """See `kifu.notation.spelling.Page`."""
        self._open(moves, info, *rest)
        self.moves, self.info = moves, info

    def plies(self, first: int, last: int, number: int, target: int, running: bool, bookmarks: dict[int, str],
              branching: set[int]) -> int:
        """See `KifPage.plies`."""
        floored = 0
        columns = NARROW if small(self.rules) else WIDE
        for index in range(first, last):
            move, time = self.moves[index], self.info[INFO * index + 3]
            row = numbered(number, move, target, self.rules)
            target = move & TARGET_FIELD
            if time >= 0:
                floored += time % 1000 != 0
                above, line_end, below = row.rpartition("\n")
                self.put(above + line_end + pad(below, columns))
                self.clock(time, number, running)
            else:
                self.put(row)
            if index - 1 in branching and (index > first or index == 0):
                self.put("+")
            self.put("\n")
            number += 1
            self.remarks(index, bookmarks)
        return floored


class KifBoardsWriter(KifWriter):
    """Writes proven games of one kind of shogi as KIF."""

    def __init__(self, rules: Ruleset) -> None:
        super().__init__()
        self.rules, self.variant = rules, rules.key

    def write(self, game: Game) -> str:
        self.page = BoardsPage(self.rules)
        return self.written(game)

    def start(self, game: Game, before: int) -> list[str]:
        out = [f"手合割：{name_of(self.rules)}"]
        if game.handicap != "even" or before:
            out += diagram(game.start, self.rules, None if game.handicap in ("even", "other") else _LABELS)
            if before:
                out.append(f"手数＝{before}")
            self.lose("lions just taken", lion_taken(game.start, self.rules))
        return out

    def row(self, number: int, move: int, last: int) -> str:
        return numbered(number, move, last, self.rules)


def small(rules: Ruleset) -> bool:
    """Whether squares can be written with two digits."""
    return rules.files < 10 and rules.ranks < 10


def lion_taken(sfen: str, rules: Ruleset) -> int:
    """1 where a position tells of a lion just taken, which no diagram does; else 0."""
    return int(rules.drops == NO_DROPS and sfen.split()[2] != "-")


def numbered(number: int, move: int, last: int, rules: Ruleset) -> str:
    """A move behind its number; see `spelled`."""
    mark = " " if small(rules) else "手目 "
    steps = spelled(move, last, rules).split("\n")
    if len(steps) > 1:
        mark = mark.rstrip()
    return "\n".join(f"{number:4}{mark}{step}" for step in steps)


def spelled(move: int, last: int, rules: Ruleset) -> str:
    """A packed move as KIF writes it; ``last`` is the target square of the move before, -1 for none.

    A man that moves twice has two lines.
    """
    words = words_of(rules)
    target, word = move & TARGET_FIELD, words.move[move >> PIECE_SHIFT & PIECE_FIELD]
    if move & DROPPED:
        return f"{_place(target, last, rules)}{word}打"
    origin, step = move >> ORIGIN_SHIFT & TARGET_FIELD, via(move)
    promotes = "成" if move & PROMOTES else ""
    if step < 0:
        return f"{_place(target, last, rules)}{word}{promotes}{_origin(origin, rules)}"
    stays = ""
    if target == origin:
        stays = "（居食い）" if move >> TAKEN_ON_WAY_SHIFT & PIECE_FIELD else "（じっと）"
    return (f"一歩目 {_place(step, last, rules)}{word}{_origin(origin, rules)}\n"
            f"二歩目 {_place(target, -1, rules)}{word}{promotes}{stays}{_origin(step, rules)}")


def last_move(move: int, rules: Ruleset) -> str:
    """A move as it stands behind a diagram: its target, its man, and whether it promoted or was dropped."""
    word = words_of(rules).move[move >> PIECE_SHIFT & PIECE_FIELD]
    how = "打" if move & DROPPED else "成" if move & PROMOTES else ""
    return _place(move & TARGET_FIELD, -1, rules) + word + how


def _place(square: int, last: int, rules: Ruleset) -> str:
    if square == last:
        return "同　" if small(rules) else "仝"
    file, rank = str(square // rules.ranks + 1), KANJI_NUMBERS[square % rules.ranks + 1]
    return (file.translate(FULL_DIGITS) if small(rules) else file) + rank


def _origin(square: int, rules: Ruleset) -> str:
    if small(rules):
        return f"({square // rules.ranks + 1}{square % rules.ranks + 1})"
    return f" （←{_place(square, -1, rules)}）"


__all__ = ["KifBoardsWriter", "last_move", "lion_taken", "spelled"]
