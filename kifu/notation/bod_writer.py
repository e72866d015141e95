"""BOD, the writer: the diagram of the position that a game leads to, with the number of its last move and that move.

Source: the diagrams of Kifu for Windows (see `grammars/kif.lark`). The moves before the last are not held, nor is
anything that belongs to them.
"""
from __future__ import annotations

from kifu.notation.count import LAST_MOVE
from kifu.notation.ki2_writer import SIGNS, ki2_move
from kifu.notation.kif_writer import diagram
from kifu.notation.writing import Writer, header_slots
from kifu.record import INFO, NOTE, Game
from kifu.rules.handicaps import HANDICAPS

SLOTS = header_slots(("black", "white", LAST_MOVE))


class BodWriter(Writer):
    """Writes the last position of proven games as diagrams."""

    NOTATION = "bod"
    SEPARATOR = "\n"
    HOLDS_ALL_KINDS = True

    def write(self, game: Game) -> str:
        """The diagram of the position behind the last legal move of the main line."""
        (black, white, last), others = self.sorted_headers(game.record.headers, SLOTS)
        self.leave(game, len(others) + bool(last and game.plies))
        out = [f"{key}：{self.header_value(name)}" for key, name in (("先手", black), ("後手", white)) if name]
        if game.variant != "shogi":
            return self.of_other_board(game, out, last)
        if not game.plies and game.handicap in HANDICAPS and game.handicap not in ("even", "other"):
            out.insert(0, f"手合割：{HANDICAPS[game.handicap].ja}")
        lines, number = diagram(game.final)
        out += lines
        if game.plies:
            before = game.position.copy()
            before.undo()
            last = SIGNS[before.turn] + ki2_move(before, game.moves[-1])
        if number > 1:
            out.append(f"手数＝{number - 1}  {last}  まで" if last else f"手数＝{number - 1}")
        return "\n".join(out) + "\n"

    def of_other_board(self, game: Game, headers: list[str], last: str) -> str:
        """The diagram of another kind of shogi below these headers; ``last`` is the move before a record's diagram."""
        from kifu.notation import diagram as boards
        from kifu.notation.kanji import name_of
        from kifu.notation.kif_boards_writer import last_move, lion_taken

        rules, number = game.position.rules, int(game.final.split()[3])
        out = [f"手合割：{name_of(rules)}", *headers, *boards.diagram(game.final, rules)]
        self.lose("lions just taken", lion_taken(game.final, rules))
        if game.plies:
            last = SIGNS[1 - game.position.turn] + last_move(game.moves[-1], rules)
        if number > 1:
            out.append(f"手数＝{number - 1}  {last}  まで" if last else f"手数＝{number - 1}")
        return "\n".join(out) + "\n"

    def leave(self, game: Game, headers: int) -> None:
        """Count what does not reach a diagram."""
        record = game.record
        self.lose("moves", sum(game.line_plies))
        self.lose("variations", game.variations)
        self.lose("comments", len(record.notes) // NOTE)
        self.lose("bookmarks", len(record.bookmarks))
        self.lose("clocks", sum(1 for at in range(3, len(record.info), INFO) if record.info[at] >= 0))
        self.lose("headers", headers)
        self.lose("handicap name", int(game.plies > 0 and game.handicap not in ("even", "other")))
        self.lose("illegal final move", int(game.verdict == "foul"))
        self.lose("end", sum(1 for line in record.lines if line.end is not None))
