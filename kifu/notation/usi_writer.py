"""SFEN and USI, the writers: one game or position a line.

Source: the USI protocol (see `grammars/usi.lark`). ``usi`` writes `position …` lines with their moves, ``sfen`` writes
the same without the word `position`; a record without moves is written as its bare position. `startpos` is the initial
position of ordinary shogi; all other kinds are written with their SFEN, by which a reader knows them.
"""
from __future__ import annotations

from kifu import ends
from kifu.notation.fouls import among_moves
from kifu.notation.spelling import UsiPage, pairs
from kifu.notation.usi import kind_of
from kifu.notation.writing import Writer
from kifu.record import Game
from kifu.rules.handicaps import HANDICAPS
from kifu.rules.move import LETTERS, usi

EVEN_SFEN = HANDICAPS["even"].sfen
_NAMES = pairs(LETTERS)
#: Pages that no writer is at work on.
_PAGES: list[UsiPage] = []


class UsiWriter(Writer):
    """Writes proven games as `position …` lines."""

    NOTATION = "usi"
    SEPARATOR = ""
    HOLDS_ALL_KINDS = True
    HEAD = "position "

    def write(self, game: Game) -> str:
        record = game.record
        page = _PAGES.pop() if _PAGES else UsiPage(_NAMES)
        page.open(game.moves, record.info, record.notes, record.note_marks, record.source.text)
        # moves of the main line that may have comments and clocks
        written = game.plies + (game.verdict == "foul" and among_moves(game))
        comments = page.notes_before(written)
        self.leave_out(game, comments)
        self.lose("comments", comments)
        claimed = record.lines[0].end if record.lines else None
        self.lose("clocks", page.clocks(written) + (claimed is not None and claimed.milliseconds is not None))
        self.lose_headers(game)
        if game.verdict == "foul":
            self.lose("illegal final move")
        word = ""
        if claimed is not None:
            word = ends.USI_WRITE.get(claimed.reason, "") if game.verdict != "foul" else ""
            mover = record.to_move(game.plies)
            if ends.misleads(claimed, mover):
                word = ""
            if not word:
                self.lose("end")
        page.put(self.HEAD + ("startpos" if game.start == EVEN_SFEN else f"sfen {game.start}"))
        if game.variant != "shogi":
            self.lose("kinds of shogi", kind_of(game.start) != game.variant)
        if game.plies or word:
            page.put(" moves")
            if game.variant == "shogi":
                page.plies(game.plies)
            else:
                ranks = game.position.rules.ranks
                page.put("".join([f" {usi(move, ranks)}" for move in game.moves]))
        page.put(f" {word}\n" if word else "\n")
        text: str = page.take()
        _PAGES.append(page)
        return text


class SfenWriter(UsiWriter):
    """Writes the same lines without the word `position`."""

    NOTATION = "sfen"
    HEAD = ""
