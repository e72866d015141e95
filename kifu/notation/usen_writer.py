"""USEN, writer: main line and branches, one game a line.

Source: see `grammars/usen.lark`. Each branch is cut from the line before it, so the lines stand in the order that
`kifu.notation.tree` gives them.
"""
from __future__ import annotations

from functools import lru_cache

from kifu import ends
from kifu.notation.fouls import among_moves
from kifu.notation.tree import from_the_highest
from kifu.notation.usen import DROP_FROM
from kifu.notation.writing import Writer
from kifu.record import INFO, NOTE, Game
from kifu.rules.handicaps import EVEN
from kifu.rules.move import DROPPED, IDENTITY, ORIGIN_SHIFT, PROMOTES, TARGET_FIELD

_BASE_36 = "0123456789abcdefghijklmnopqrstuvwxyz"


class UsenWriter(Writer):
    """Writes proven games as USEN."""

    NOTATION = "usen"
    SEPARATOR = ""

    def write(self, game: Game) -> str:
        record = game.record
        last = game.plies + among_moves(game)
        aside = sum(after > last for after in record.notes[1::NOTE])  # behind moves of branches
        self.lose("comments", len(record.notes) // NOTE - aside)
        self.lose("comments in variations", aside)
        self.lose("bookmarks", len(record.bookmarks))
        self.lose("clocks", sum(thought >= 0 for thought in record.info[INFO - 1::INFO])
                  + sum(line.end is not None and line.end.milliseconds is not None for line in record.lines))
        self.lose_headers(game)
        out = [self.base(game.start)]
        proven = game.proven
        written = 0
        for number, first, stop in from_the_highest(record, game.line_plies):
            written += 1
            moves = "".join([encoded(move & IDENTITY) for move in proven[first:stop]])
            out.append(f"~{record.lines[number].number - 1}.{moves}.{self.end(game, number, stop)}")
        self.lose("variations", len(record.lines) - written)
        return "".join(out) + "\n"

    def base(self, start: str) -> str:
        """The start position; nothing for the even start."""
        position, _, number = start.rpartition(" ")
        self.lose("number of the first move", int(number != "1"))
        if position == EVEN.rpartition(" ")[0]:
            return ""
        return position.replace("/", "_").replace(" ", ".").replace("+", "z")

    def end(self, game: Game, number: int, stop: int) -> str:
        """The letter of the end that a line claims."""
        line = game.record.lines[number]
        if number == 0 and game.verdict == "foul":
            self.lose("illegal final move")
            self.lose("end")
            return ""
        if stop < line.last:
            self.branch_foul(game, number, ("comments in variations", "bookmarks", "clocks"))
        if line.end is None or stop < line.last:
            return ""
        plies = line.number - 1 + line.last - line.first
        mover = game.record.to_move(plies)
        misled = ends.misleads(line.end, mover)
        self.lose("end", misled or line.end.reason in ends.INEXACT["usen"])
        return "p" if misled else ends.USEN_WRITE.get(line.end.reason, "p")


@lru_cache(maxsize=1 << 15)
def encoded(move: int) -> str:
    """The low bits of a packed move as three base-36 digits.

    >>> from kifu.rules.position import Position
    >>> from kifu.rules.move import from_usi
    >>> encoded(Position().resolve(from_usi("7g7f")) & IDENTITY)
    '7ku'
    """
    target, origin = move & TARGET_FIELD, move >> ORIGIN_SHIFT & TARGET_FIELD
    origin = 81 + DROP_FROM[origin] if move & DROPPED else origin % 9 * 9 + origin // 9
    code = (origin * 81 + target % 9 * 9 + target // 9) * 2 + bool(move & PROMOTES)
    return _BASE_36[code // 1296] + _BASE_36[code // 36 % 36] + _BASE_36[code % 36]
