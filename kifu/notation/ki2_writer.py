# cython: language_level=3, annotation_typing=False
"""KI2, the writer: moves as books print them, six a line, with KIF's headers, boards, comments and branches.

Source: the format page of Kifu for Windows (see `grammars/ki2.lark`) and the notation rules of the Japan Shogi
Association, which say how one of several pieces is named (see `kifu.notation.relative`).
"""
from __future__ import annotations

from kifu import ends
from kifu.notation.fouls import among_moves, foul_move
from kifu.notation.kif_writer import FULL_DIGITS, KANJI_DIGITS, PIECE_NAMES, KifWriter, contradicts
from kifu.notation.relative import DROP, relative
from kifu.record import INFO, NOTE, Game
from kifu.rules.move import COULD_PROMOTE, DROPPED, ORIGIN_SHIFT, PIECE_FIELD, PIECE_SHIFT, PROMOTES, TARGET_FIELD
from kifu.rules.position import Position
from kifu.walker import Walker

SIGNS = "▲△"
#: Moves a line, and the columns that each takes, the sign counted as one.
A_LINE, COLUMNS = 6, 11
#: The blanks behind a move by its length: all its characters but the sign are two columns wide.
_BLANKS = [" " * max(1, COLUMNS - 1 - 2 * length) for length in range(COLUMNS)]
_TARGETS = [FULL_DIGITS[square // 9 + 1] + KANJI_DIGITS[square % 9 + 1] for square in range(81)]
#: What tells the man that moves from others of its kind, by the letters of `kifu.notation.relative`.
_WORDS = {"": "", DROP: "打", "C": "直", "U": "上", "M": "寄", "D": "引", "L": "左", "R": "右",
          "LU": "左上", "LM": "左寄", "LD": "左引", "RU": "右上", "RM": "右寄", "RD": "右引"}
#: The parts of a packed move that tell its word where no other man could go there, and what is added to them where
#: the move before went there as well.
_TOLD = TARGET_FIELD | PIECE_FIELD << PIECE_SHIFT | PROMOTES | COULD_PROMOTE | DROPPED
_SAME = 1 << ORIGIN_SHIFT
#: The words that were needed so far: some thousands at most.
_WORDS_ALONE: dict[int, str] = {}
#: Fouls that a move without its origin can tell: drops, and moves that would be right if the king stood elsewhere.
_SPELLED = frozenset({"nifu", "dead-end-drop", "uchifuzume", "self-check", "check-not-answered"})


class Ki2Writer(KifWriter):
    """Writes proven games as KI2."""

    NOTATION = "ki2"
    HOLDS_ALL_KINDS = False
    FIRST_LINE = "#KI2 version=2.0 encoding=UTF-8"
    TABLE_HEAD = ""
    COUNTED_APART = ("clocks",)

    def write(self, game: Game) -> str:
        record = game.record
        self.walker = Walker(record, Position(game.start), game.proven)
        self.remarked = {before - 1 for before in record.notes[1::NOTE]}
        if record.bookmarks:
            self.remarked.update(record.bookmarks)
        text = super().write(game)
        clocks = len([thought for thought in record.info[INFO - 1::INFO] if thought >= 0])
        for line in record.lines:
            if line.end is not None and line.end.milliseconds is not None:
                clocks += 1
        self.lose("clocks", clocks)
        return text

    def line(self, game: Game, number: int, stop: int, branching: set[int], before: int) -> None:
        """The moves of one line up to the index ``stop`` and its まで line, which counts from ``before``."""
        record, page, walker, remarked = game.record, self.page, self.walker, self.remarked
        line, proven, position = record.lines[number], game.proven, walker.position
        walker.go_to(line.parent)
        rivals, play, word_of = position.rivals, position.play, _WORDS_ALONE.get
        turn, target = position.turn, position.last_target
        row: list[str] = []
        last = stop - 1
        for index in range(line.first, stop):
            move = proven[index]
            if rivals(move, False):
                text = ki2_move(position, move)
            else:
                known = move & _TOLD | (_SAME if move & TARGET_FIELD == target else 0)
                text = word_of(known) or _word_alone(known)
            target = move & TARGET_FIELD
            play(move)
            row.append(SIGNS[turn])
            row.append(text)
            turn ^= 1
            if len(row) < 3 * A_LINE - 1 and index < last and index not in remarked:
                row.append(_BLANKS[len(text)])
            else:
                row.append("\n")
                page.put("".join(row))
                row.clear()
                if index in remarked:
                    page.remarks(index, record.bookmarks)
        walker.played(range(line.first, stop))
        self.end(game, number, line.number - 1 + stop - line.first, before, stop == line.last)

    def claimed_end(self, game: Game, claimed: ends.End, plies: int, before: int, main: bool) -> None:
        """The まで line."""
        words = self.words(game, claimed, game.record.to_move(plies))
        if not words:
            self.untold(claimed)
            words = self.result(game, claimed.winner) or "中断"
        self.page.put(f"まで{plies + before}手で{words}\n")

    def foul(self, game: Game, plies: int, before: int) -> None:
        """The illegal move that ended the game, where a piece can go there but for its king, and its まで line."""
        assert game.illegal_move is not None
        self.foul_end(game)
        move = foul_move(game) if game.illegal_move["reason"] in _SPELLED else None
        if move is None:
            self.lose("illegal final move")
            self.page.put(f"*{game.illegal_move['text']}\n")
        else:
            if move & PROMOTES:
                move |= COULD_PROMOTE
            position = self.walker.position
            self.page.put(f"{SIGNS[position.turn]}{ki2_move(position, move)}\n")
            plies += 1
        if among_moves(game):
            self.foul_remarks(game, move is not None)
        loser = self.side(game, game.illegal_move["offender"])
        self.page.put(f"まで{plies + before}手で{loser}の反則負け\n")

    def words(self, game: Game, claimed: ends.End, mover: str) -> str:
        """What stands behind まで12手で; empty where KI2 has no words for the end."""
        if claimed.winner in ends.SIDES:
            winner, loser = self.side(game, claimed.winner), self.side(game, ends.opponent(claimed.winner))
            how = {"resign": f"{winner}の勝ち", "timeout": f"時間切れにより{winner}の勝ち",
                   "declaration": f"{winner}の入玉勝ち", "forfeit": f"{winner}の不戦勝"}.get(claimed.reason, "")
            if claimed.reason == "illegal":
                how = f"{winner}の反則勝ち" if claimed.winner == mover else f"{loser}の反則負け"
            if how:
                return how
        if claimed.reason in ends.INEXACT["kif"] | {"illegal", "forfeit"}:
            return ""
        word = ends.KIF_WRITE.get(claimed.reason, "")
        told = ends.claim(ends.KIF_WORDS, word, mover).winner
        unsaid = claimed.winner in ends.SIDES and told == ends.UNKNOWN  # it is all that a まで line says
        return "" if unsaid or contradicts(word, mover, claimed.winner) else word


def ki2_move(position: Position, move: int) -> str:
    """A legal move of a position, not yet played, as KI2 writes it, its sign left out.

    >>> position = Position("4k4/9/9/9/9/9/9/9/3GKG3 b - 1")
    >>> [ki2_move(position, move) for move in position.legal_moves() if move & 255 == 43 and move >> 18 & 63 == 5]
    ['５八金右', '５八金左']
    """
    return _word(move, _WORDS[relative(position, move)], move & TARGET_FIELD == position.last_target)


def _word_alone(known: int) -> str:
    """The word for the parts ``known`` of a move that no other man could make."""
    word = _WORDS_ALONE[known] = _word(known, "", bool(known & _SAME))
    return word


def _word(move: int, told: str, same: bool) -> str:
    """A move with what is ``told`` of the man; ``same`` where the move before went to the same square."""
    name = PIECE_NAMES[move >> PIECE_SHIFT & PIECE_FIELD] + told
    if move & COULD_PROMOTE and not move & DROPPED:
        name += "成" if move & PROMOTES else "不成"
    if same:
        return "同" + (name if len(name) > 1 else "　" + name)
    return _TARGETS[move & TARGET_FIELD] + name


__all__ = ["Ki2Writer", "ki2_move"]
