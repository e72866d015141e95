"""KIF, the writer: standard form, main line first, then the branches from the highest number down.

Source: the format page of Kifu for Windows (see `grammars/kif.lark`). Every reader can place the branches of this
order: a nested branch stands directly behind the line it leaves.
"""
from __future__ import annotations

from functools import lru_cache

from kifu import ends
from kifu.movetext import PROMOTED
from kifu.notation.board import EVEN, HAND_ORDER, read_sfen
from kifu.notation.board import rows as board_rows
from kifu.notation.writing import Writer
from kifu.record import CANONICAL, INFO, Game, Line
from kifu.rules.handicaps import HANDICAPS

FULL_DIGITS = " １２３４５６７８９"
KANJI_DIGITS = " 一二三四五六七八九"
PIECE_NAMES = {1: "歩", 2: "香", 3: "桂", 4: "銀", 5: "金", 6: "角", 7: "飛", 8: "玉", 33: "と", 34: "成香", 35: "成桂",
               36: "成銀", 38: "馬", 39: "龍"}
BOARD_NAMES = {**PIECE_NAMES, 34: "杏", 35: "圭", 36: "全"}
#: Canonical header names -> KIF keys, in the order Kifu for Windows writes them.
WRITE_KEYS = {"start_time": "開始日時", "end_time": "終了日時", "event": "棋戦", "site": "場所", "opening": "戦型",
              "title": "表題", "time_control": "持ち時間", "black_time_control": "先手持ち時間",
              "white_time_control": "後手持ち時間", "max_moves": "最大手数", "jishogi": "持将棋", "note": "備考"}
_SPELLED = (1 << 24) - 1  # the bits of a packed move that its KIF text depends on
_TARGETS = [FULL_DIGITS[square // 9 + 1] + KANJI_DIGITS[square % 9 + 1] for square in range(81)]
_ORIGINS = [f"({square // 9 + 1}{square % 9 + 1})" for square in range(81)]


class KifWriter(Writer):
    """Writes proven games as KIF."""

    NOTATION = "kif"
    SEPARATOR = "\n"

    def write(self, game: Game) -> str:
        record = game.record
        out: list[str] = ["#KIF version=2.0 encoding=UTF-8"]
        self.headers(game, out)
        out.append("手数----指手---------消費時間--")
        comments = self.comments(game)
        marks = record.bookmarks
        self.remarks(out, comments.get(-1, ()), marks.get(-1))
        children: dict[int, list[Line]] = {}
        for line in record.lines[1:]:
            if line.last > line.first:
                children.setdefault(line.parent, []).append(line)
        branching = set(children)
        self.line(game, record.lines[0], out, comments, branching, [0, 0], -1)
        stack = self.branches(record.lines[0], game, children)
        while stack:
            line = stack.pop()
            out += ["", f"変化：{line.number}手"]
            last = game.proven[line.parent] & 255 if line.parent >= 0 else -1
            self.line(game, line, out, comments, branching, None, last)
            stack += self.branches(line, game, children)
        return "\n".join(out) + "\n"

    def branches(self, line: Line, game: Game, children: dict[int, list[Line]]) -> list[Line]:
        """The branches that leave a line, lowest number first: a stack gives them back from the highest down."""
        found: list[Line] = []
        if line is game.record.lines[0]:
            found += reversed(children.get(-1, []))
        elif line.parent < 0:
            pass
        for node in range(line.first, self.legal_end(game, line)):
            found += reversed(children.get(node, []))
        return found

    def legal_end(self, game: Game, line: Line) -> int:
        """The index behind the last legal move of a line."""
        for number, one in enumerate(game.record.lines):
            if one is line:
                return line.first + (game.line_plies[number] if number < len(game.line_plies) else 0)
        return line.first

    # --- headers ----------------------------------------------------------------------------------------------------
    def headers(self, game: Game, out: list[str]) -> None:
        """Headers in Kifu's order, the handicap or board, the names; keys it does not know stay as they are."""
        record = game.record
        handicap = game.handicap not in ("even", "other")
        found: dict[str, str] = {}
        others: list[tuple[str, str]] = []
        for key, value in record.headers:
            canonical = CANONICAL.get(key, key)
            if canonical in ("handicap", "sfen", "version", "result") or not value:
                continue
            if canonical in WRITE_KEYS and canonical not in found:
                found[canonical] = value
            elif canonical in ("black", "white") and canonical not in found:
                found[canonical] = value
            elif key == "view":
                others.append(("盤面回転", ""))
            else:
                others.append((key.lstrip("$"), value))
        for canonical, key in WRITE_KEYS.items():
            if canonical in found:
                out.append(f"{key}：{self.clean(found[canonical])}")
        for key, value in others:
            out.append(f"{self.clean(key).replace(':', '_')}：{self.clean(value)}" if value else key)
        board = game.handicap == "other" or game.handicap == "3-piece"
        if board:
            out.append("手合割：その他" if game.handicap == "other" else "手合割：三枚落ち")
            self.board(game, out)
        else:
            out.append(f"手合割：{HANDICAPS[game.handicap].ja}")
        names = ("下手", "上手") if handicap else ("先手", "後手")
        for name, side in zip(names, ("black", "white"), strict=True):
            out.append(f"{name}：{self.clean(found.get(side, ''))}")

    def board(self, game: Game, out: list[str]) -> None:
        """The diagram of the start position."""
        board, turn, number = read_sfen(game.start)
        out.append(f"後手の持駒：{self.hand(board.hands[ends.WHITE])}")
        out.append("  ９ ８ ７ ６ ５ ４ ３ ２ １")
        out.append("+---------------------------+")
        for rank, cells in enumerate(board_rows(board), 1):
            row = "".join(("v" if cell & 64 else " ") + BOARD_NAMES[cell & 63] if cell else " ・" for cell in cells)
            out.append(f"|{row}|{KANJI_DIGITS[rank]}")
        out.append("+---------------------------+")
        out.append(f"先手の持駒：{self.hand(board.hands[ends.BLACK])}")
        if turn == ends.WHITE:
            out.append("後手番")
        if number > 1:
            self.lose("number of the first move")

    def hand(self, hand: dict[int, int]) -> str:
        """A hand as KIF writes it: `飛　角二　歩十七`, なし where it is empty."""
        items = [PIECE_NAMES[kind] + (count_text(hand[kind]) if hand[kind] > 1 else "")
                 for kind in HAND_ORDER if hand.get(kind)]
        return "　".join(items) + "　" if items else "なし"

    # --- moves ------------------------------------------------------------------------------------------------------
    def line(self, game: Game, line: Line, out: list[str], comments: dict[int, list[tuple[str, str]]],
             branching: set[int], totals: list[int] | None, last: int) -> None:
        """The moves of one line, its end word and its まで line; ``last`` is the target of the move before it."""
        record = game.record
        info, proven, marks = record.info, game.proven, record.bookmarks
        number = line.number
        stop = self.legal_end(game, line)
        clocked = any(value >= 0 for value in info[INFO * line.first + 3:INFO * stop:INFO])
        floored = 0
        for index in range(line.first, stop):
            move = proven[index]
            target = move & 255
            time = info[INFO * index + 3]
            if clocked and time >= 0:
                floored += time % 1000 > 0
                row = f"{number:4} {padded_move(move & _SPELLED, target == last)}{self.clock(time, totals, number)}"
            else:
                row = f"{number:4} {kif_move(move, last)}"
            last = target
            if index - 1 in branching and index > line.first or index == line.first == 0 and -1 in branching:
                row += "+"
            out.append(row)
            number += 1
            if index in comments or index in marks:
                self.remarks(out, comments.get(index, ()), marks.get(index))
        self.lose("fractions of seconds", floored)
        self.end(game, line, out, number, stop - line.first == line.last - line.first, totals)

    def clock(self, milliseconds: int, totals: list[int] | None, number: int) -> str:
        """Thought for a move and the total of its side: `( 0:12/00:00:12)`."""
        seconds = milliseconds // 1000
        total = seconds
        if totals is not None:
            totals[number & 1] += seconds
            total = totals[number & 1]
        return f"({minutes_text(seconds)}/{hours_text(total)})"

    def remarks(self, out: list[str], comments: object, bookmark: str | None) -> None:
        """Comment lines, then the bookmark."""
        for _, text in comments:  # type: ignore[attr-defined]
            out.extend("*" + line for line in text.split("\n"))
        if bookmark is not None:
            out.append("&" + bookmark)

    def end(self, game: Game, line: Line, out: list[str], number: int, whole: bool, totals: list[int] | None) -> None:
        """The end word with its number, and the まで line."""
        record = game.record
        claimed = line.end
        plies = number - 1
        mover = record.turn if plies % 2 == 0 else ends.opponent(record.turn)
        if line is record.lines[0] and game.verdict == "foul" and game.illegal_move is not None:
            self.lose("illegal final move")
            out.append(f"*{game.illegal_move['text']}")
            loser = game.illegal_move["offender"]
            word = "反則負け" if loser == mover else "反則勝ち"
            out.append(f"{number:4} {word}")
            out.append(f"まで{plies}手で{self.side(game, loser)}の反則負け")
            return
        if claimed is None or not whole:
            return
        word = ends.KIF_WRITE.get(claimed.reason, claimed.raw if record.notation == "kif" else "")
        if claimed.reason == "illegal":
            word = "反則負け" if claimed.winner != mover else "反則勝ち"
        elif claimed.reason == "forfeit":
            word = "不戦勝" if claimed.winner == mover else "不戦敗"
        if not word or claimed.reason in ends.INEXACT["kif"] and record.notation != "kif":
            self.lose("end")
            out.append(f"*{claimed.raw}")
            word = word or "中断"
        row = f"{number:4} {word}"
        if claimed.milliseconds is not None:
            row = pad(row, 18) + self.clock(claimed.milliseconds, totals, number)
        out.append(row)
        if claimed.winner in ends.SIDES and claimed.reason != "checkmate":
            how = {"illegal": "反則勝ち", "declaration": "入玉勝ち", "forfeit": "不戦勝"}.get(claimed.reason, "勝ち")
            lead = "時間切れにより" if claimed.reason == "timeout" else ""
            out.append(f"まで{plies}手で{lead}{self.side(game, claimed.winner)}の{how}")
        elif claimed.reason != "other":
            out.append(f"まで{plies}手で{word}")

    def side(self, game: Game, colour: str) -> str:
        """先手 and 後手, or 下手 and 上手 in a handicap game."""
        names = ("下手", "上手") if game.handicap not in ("even", "other") else ("先手", "後手")
        return names[colour == ends.WHITE]


def kif_move(move: int, last: int) -> str:
    """A packed move as KIF writes it; ``last`` is the target square of the move before, -1 for none.

    >>> kif_move(59 | 60 << 8 | 1 << 18, -1)
    '７六歩(77)'
    """
    target = move & 255
    place = "同　" if target == last else _TARGETS[target]
    piece = move >> 18 & 63
    if move & 1 << 16:
        return f"{place}{PIECE_NAMES[piece or move >> 8 & 255]}打"
    promotes = "成" if move & 1 << 17 else ""
    return f"{place}{PIECE_NAMES[piece & ~PROMOTED | piece & PROMOTED]}{promotes}{_ORIGINS[move >> 8 & 255]}"


@lru_cache(maxsize=32768)
def padded_move(move: int, same: bool) -> str:
    """A move as `kif_move` writes it, padded to the thirteen columns that stand before a clock."""
    return pad(kif_move(move, move & 255 if same else -1), 13)


@lru_cache(maxsize=4096)
def minutes_text(seconds: int) -> str:
    """Thought for a move: ` 0:12`."""
    return f"{seconds // 60:2}:{seconds % 60:02}"


@lru_cache(maxsize=16384)
def hours_text(seconds: int) -> str:
    """Thought for a side: `00:00:12`."""
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def count_text(count: int) -> str:
    """A number below 100 in kanji: 十七."""
    tens, ones = divmod(count, 10)
    return (("" if tens == 1 else KANJI_DIGITS[tens]) + "十" if tens else "") + (KANJI_DIGITS[ones] if ones else "")


def pad(text: str, columns: int) -> str:
    """A text padded to a number of columns, a full-width character taking two."""
    width = sum(2 if ord(char) > 0x2E7F else 1 for char in text)
    return text + " " * max(1, columns - width)


__all__ = ["EVEN", "KifWriter", "kif_move"]
