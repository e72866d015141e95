# cython: language_level=3, annotation_typing=False
"""KIF, the writer: standard form, main line first, then the branches from the highest number down.

Source: the format page of Kifu for Windows (see `grammars/kif.lark`). Every reader can place the branches of this
order: a nested branch stands directly behind the line it leaves.
"""
from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from kifu import ends
from kifu.notation.board import HAND_ORDER, read_sfen
from kifu.notation.board import rows as board_rows
from kifu.notation.fouls import among_moves, foul_move
from kifu.notation.header_plans import Headers, Plan, mark, plain
from kifu.notation.spelling import KifPage, pairs
from kifu.notation.writing import OTHER, Writer, header_slots
from kifu.record import Game
from kifu.rules.handicaps import HANDICAPS, by_japanese
from kifu.rules.move import TARGET_FIELD
from kifu.rules.variants import RULESETS

FULL_DIGITS = " １２３４５６７８９"
KANJI_DIGITS = " 一二三四五六七八九"
PIECE_NAMES = {1: "歩", 2: "香", 3: "桂", 4: "銀", 5: "金", 6: "角", 7: "飛", 8: "玉", 33: "と", 34: "成香", 35: "成桂",
               36: "成銀", 38: "馬", 39: "龍"}
BOARD_NAMES = {**PIECE_NAMES, 34: "杏", 35: "圭", 36: "全"}
#: Canonical header names -> KIF keys, in the order Kifu for Windows writes them.
WRITE_KEYS = {"start_time": "開始日時", "end_time": "終了日時", "event": "棋戦", "site": "場所", "opening": "戦型",
              "title": "表題", "time_control": "持ち時間", "black_time_control": "先手持ち時間",
              "white_time_control": "後手持ち時間", "max_moves": "最大手数", "jishogi": "持将棋", "note": "備考"}
#: What each header becomes: its place in the order of ``WRITE_KEYS``, the names behind them.
SLOTS = header_slots((*WRITE_KEYS, "black", "white"))
_BLACK, _WHITE = len(WRITE_KEYS), len(WRITE_KEYS) + 1
_LABELS = [f"{key}：" for key in WRITE_KEYS.values()]
_NOTE = list(WRITE_KEYS).index("note")
#: A key that no reader takes for another line: what decides that is how the line begins, and its first colon.
_KEY = (r"(?!変化[ 　\t]*$|手数[ 　]*[=＝]|手数[-－ー―]|まで|盤面回転|[先後上下]手番"
        r"|[先後上下]手の?持ち?駒[ 　]*$|９[ 　]*８[ 　]*７)[^\s:：*＊#&|｜+\-▲△▼▽☗☖0-9０-９][^:：\r\n]*")
_HANDICAPS = {key: f"手合割：{handicap.ja}" for key, handicap in HANDICAPS.items()}
_TARGETS = [FULL_DIGITS[square // 9 + 1] + KANJI_DIGITS[square % 9 + 1] for square in range(81)]
_TARGETS_TABLE = pairs(dict(enumerate(_TARGETS)))
_NAMES = pairs(PIECE_NAMES)
#: Pages that no writer is at work on.
_PAGES: list[KifPage] = []
#: What becomes of headers, by the notation and their keys.
_PLANS: dict[tuple[str, tuple[str, ...]], Plan] = {}
_NO_BRANCHES: set[int] = set()
_ORIGINS = [f"({square // 9 + 1}{square % 9 + 1})" for square in range(81)]


class KifWriter(Writer):
    """Writes proven games as KIF."""

    NOTATION = "kif"
    SEPARATOR = "\n"
    HOLDS_ALL_KINDS = True
    FIRST_LINE = "#KIF version=2.0 encoding=UTF-8"
    TABLE_HEAD = "手数----指手---------消費時間--"
    variant = "shogi"  # the kind of shogi whose moves it spells itself
    COUNTED_APART: tuple[str, ...] = ()  # kinds of loss that are counted over the whole game
    page: Any  # a `KifPage`, or what has its methods for other kinds of shogi

    def __init__(self, style: str | None = None) -> None:
        super().__init__(style)
        self.used: list[tuple[int, int]] | None = None

    def write(self, game: Game) -> str:
        if game.variant != self.variant:
            return self.of_other_kind(game)
        page = self.page = _PAGES.pop() if _PAGES else KifPage(_NAMES, _TARGETS_TABLE)
        written = self.written(game)
        _PAGES.append(page)
        return written

    def written(self, game: Game) -> str:
        """The game on the writer's page."""
        record, page, lines = game.record, self.page, game.record.lines
        page.open(game.proven, record.info, record.notes, record.note_marks, record.source.text)
        self.used = None
        head, before = self.headers(game)
        page.put(head)
        if record.notes or record.bookmarks:
            page.remarks(-1, record.bookmarks)
        if len(lines) == 1:
            stop = lines[0].first + (game.line_plies[0] if game.line_plies else 0)
            self.line(game, 0, stop, _NO_BRANCHES, before)
        else:
            self.tree(game, before)
        text: str = page.take()
        return text

    def tree(self, game: Game, before: int) -> None:
        """The lines of a record that has branches."""
        record, page = game.record, self.page
        children: dict[int, list[int]] = {}
        for number, line in enumerate(record.lines):
            if number and (line.last > line.first or line.end is not None):
                children.setdefault(line.parent, []).append(number)
        branching = set(children)
        stack = [0]
        written = 0
        while stack:
            number = stack.pop()
            written += 1
            line = record.lines[number]
            stop = line.first + (game.line_plies[number] if number < len(game.line_plies) else 0)
            if number:
                page.put(f"\n変化：{line.number + before}手\n")
            self.line(game, number, stop, branching, before)
            if children:  # lowest number first: the stack gives them back from the highest down
                if not number:
                    stack += reversed(children.get(-1, ()))
                for node in range(line.first, stop):
                    stack += reversed(children.get(node, ()))
        if written < len(record.lines):
            said = sum(1 for line in record.lines[1:]
                       if line.last > line.first or line.end is not None or line.broken is not None)
            self.lose("variations", said + 1 - written)

    def of_other_kind(self, game: Game) -> str:
        """A game of another kind of shogi; what is lost counts here."""
        from kifu.notation.kif_boards_writer import KifBoardsWriter

        writer = KifBoardsWriter(RULESETS[game.variant])
        writer.losses = self.losses
        return writer.write(game)

    # --- headers ----------------------------------------------------------------------------------------------------
    def headers(self, game: Game) -> tuple[str, int]:
        """All lines above the moves, each ended, and how many moves come before the first one.

        There are such moves in a record that goes on from a diagram at some move.
        """
        before = 0 if game.start[-2:] == " 1" else int(game.start.rsplit(" ", 1)[1]) - 1
        start = "\n".join(self.start(game, before))
        black, white = ("先手：", "後手：") if game.handicap in ("even", "other") else ("下手：", "上手：")
        found = plain(game.record.headers)
        if found is None:
            lines = self.header_lines(game.record.headers, start, black, white)
            return "\n".join(lines) + "\n", before
        keys, values = found
        made = self.planned(_PLANS, (self.NOTATION, keys), keys, _marked)
        return made.text([*values, start, black, white]) + "\n", before

    def header_lines(self, headers: Headers, start: str, black: str, white: str) -> list[str]:
        """Headers in Kifu's order, the start, the names with their labels; keys it does not know stay as they are."""
        out = [self.FIRST_LINE]
        found, others = self.sorted_headers(headers, SLOTS, empty=True)
        empty = {SLOTS.places.get(key, OTHER) for key, value in headers if not value}
        if "\n" in found[_NOTE] or "\\n" in found[_NOTE]:
            self.lose("headers", "\\n" in found[_NOTE])  # two characters, which will be a line end
            found[_NOTE] = found[_NOTE].replace("\n", "\\n")
        for slot, (label, value) in enumerate(zip(_LABELS, found, strict=False)):
            if value or slot in empty:
                out.append(label + self.header_value(value))
        repeated = []  # a name that is given again must stand behind the one that counts
        for key, value in others:
            if key == "view":
                out.append("盤面回転")
            elif SLOTS.places.get(key, OTHER) in (_BLACK, _WHITE):
                repeated.append(f"{key}：{self.header_value(value)}")
            elif re.fullmatch(_KEY, name := key.lstrip("$")):
                out.append(f"{name}：{self.header_value(value)}")
            else:
                self.lose("headers")
        out.append(start)
        out.append(black + self.header_value(found[_BLACK]))
        out.append(white + self.header_value(found[_WHITE]))
        return [*out, *repeated, self.TABLE_HEAD]

    def start(self, game: Game, before: int) -> list[str]:
        """The handicap by its name, or the diagram that the game starts from, ``before`` moves into it."""
        out = [_HANDICAPS.get(game.handicap, "手合割：その他")]
        if game.handicap in ("other", "3-piece") or before:
            out += diagram(game.start)[0]
            if before:
                out.append(f"手数＝{before}")
            named = by_japanese(game.record.header("handicap") or "")  # 平手 beside a diagram names none
            self.lose("handicap name", game.handicap == "other" and named is not None and named.key != "even")
        return out

    # --- moves ------------------------------------------------------------------------------------------------------
    def line(self, game: Game, number: int, stop: int, branching: set[int], before: int) -> None:
        """The moves of one line up to the index ``stop``, its end word and its まで line; all count from ``before``."""
        record, page = game.record, self.page
        line = record.lines[number]
        last = game.proven[line.parent] & TARGET_FIELD if number and line.parent >= 0 else -1
        if number:
            page.totals(*self.totals(game, before, line.parent))
        floored = page.plies(line.first, stop, line.number + before, last, True, record.bookmarks, branching)
        if floored:
            self.lose("fractions of seconds", floored)
        self.end(game, number, line.number - 1 + stop - line.first, before, stop == line.last)

    def totals(self, game: Game, before: int, parent: int) -> tuple[int, int]:
        """The seconds that each side has used behind a move, -1 for the start: of odd numbers, and of even ones."""
        record = game.record
        if self.used is None:
            self.used = [(0, 0)] * (len(record.texts) + 1)  # behind the start, and behind each move
            for line in record.lines:  # each stands behind the one that it leaves
                both = list(self.used[line.parent + 1])
                for index in range(line.first, line.last):
                    number = line.number + before + index - line.first
                    both[(number + 1) & 1] += (record.milliseconds(index) or 0) // 1000
                    self.used[index + 1] = both[0], both[1]
        return self.used[parent + 1]

    def end(self, game: Game, line_number: int, plies: int, before: int, whole: bool) -> None:
        """How a line ends behind so many ``plies``; nothing where the record does not say."""
        claimed = game.record.lines[line_number].end
        if line_number == 0 and game.verdict == "foul" and game.illegal_move is not None:
            self.foul(game, plies, before)
        elif not whole:
            self.branch_foul(game, line_number, counted=self.COUNTED_APART)
        elif claimed is not None:
            self.claimed_end(game, claimed, plies, before, line_number == 0)

    def claimed_end(self, game: Game, claimed: ends.End, plies: int, before: int, main: bool) -> None:
        """The end word with its number, and the まで line."""
        record, page = game.record, self.page
        mover = record.to_move(plies)
        plies += before
        number = plies + 1
        if claimed.reason == "resign" and claimed.winner != mover and claimed.winner in ends.SIDES:  # as nearly all end
            self.timed(f"{number:4} {ends.KIF_WRITE['resign']}", claimed.milliseconds, number)
            page.put(f"\nまで{plies}手で{self.side(game, claimed.winner)}の勝ち\n")
            return
        word = ends.KIF_WRITE.get(claimed.reason) or (claimed.raw if record.notation == "kif" else "")
        if claimed.reason == "illegal":
            word = "反則負け" if claimed.winner != mover else "反則勝ち"
        elif claimed.reason == "forfeit":
            word = "不戦勝" if claimed.winner == mover else "不戦敗"
        contrary = contradicts(word, mover, claimed.winner)
        if not word or contrary or claimed.reason in ends.INEXACT["kif"] and record.notation != "kif":
            if claimed.reason != "resign" or claimed.winner not in ends.SIDES:  # else the まで line says it all
                self.untold(claimed)
            if result := self.result(game, claimed.winner):  # a word that names no reason would deny it
                self.lose("clocks", claimed.milliseconds is not None)
                page.put(f"まで{plies}手で{result}\n")
                return
            word = "中断" if contrary else word or "中断"
        self.timed(f"{number:4} {word}", claimed.milliseconds, number)
        if claimed.winner in ends.SIDES and claimed.reason != "checkmate":
            how = {"illegal": "反則勝ち", "declaration": "入玉勝ち", "forfeit": "不戦勝"}.get(claimed.reason, "勝ち")
            lead = "時間切れにより" if claimed.reason == "timeout" else ""
            page.put(f"\nまで{plies}手で{lead}{self.side(game, claimed.winner)}の{how}\n")
        elif claimed.reason != "other":
            page.put(f"\nまで{plies}手で{word}\n")
        else:
            page.put("\n")

    def untold(self, claimed: ends.End) -> None:
        """An end that the notation has no words for: a comment keeps those of the record."""
        self.lose("end")
        if claimed.raw:
            self.page.put(f"*{self.clean(claimed.raw)}\n")

    def result(self, game: Game, winner: str) -> str:
        """The words for who won, or for a draw, that name no reason; "" where neither is known."""
        return f"{self.side(game, winner)}の勝ち" if winner in ends.SIDES else "引き分け" if winner == ends.DRAW else ""

    def foul(self, game: Game, plies: int, before: int) -> None:
        """The illegal move that ended the game as a move like all others, and 反則勝ち: its player's opponent wins."""
        page, claimed = self.page, game.record.end
        assert game.illegal_move is not None and claimed is not None
        loser, move = game.illegal_move["offender"], foul_move(game)
        number = plies + before + 1
        among = among_moves(game)
        thought = game.record.milliseconds(game.plies) if among else None
        self.foul_end(game)
        if move is None:
            self.lose("illegal final move")
            self.lose("clocks", thought is not None)
            page.put(f"*{game.illegal_move['text']}\n")
        else:
            last = game.moves[-1] & TARGET_FIELD if game.moves else -1
            self.timed(self.row(number, move, last), thought, number)
            page.put("\n")
            number += 1
        if among:
            self.foul_remarks(game, move is not None)
        self.timed(f"{number:4} {'反則負け' if move is None else '反則勝ち'}", claimed.milliseconds, number)
        page.put(f"\nまで{number - 1}手で{self.side(game, loser)}の反則負け\n")

    def row(self, number: int, move: int, last: int) -> str:
        """The line of a move without its clock; ``last`` is the target of the move before it, -1 for none."""
        return f"{number:4} {kif_move(move, last)}"

    def foul_remarks(self, game: Game, written: bool) -> None:
        """The comments on the illegal move and its bookmark, which has no place where the move was not ``written``."""
        bookmarks = game.record.bookmarks
        self.page.remarks(game.plies, bookmarks if written else {})
        self.lose("bookmarks", not written and game.plies in bookmarks)

    def timed(self, row: str, milliseconds: int | None, number: int) -> None:
        """A row with its clock, where it has one; its line stays open."""
        if milliseconds is None:
            self.page.put(row)
            return
        if milliseconds % 1000:
            self.lose("fractions of seconds")
        self.page.put(pad(row, 18))
        self.page.clock(milliseconds, number, True)

    def side(self, game: Game, colour: str) -> str:
        """先手 and 後手, or 下手 and 上手 in a handicap game."""
        names = ("下手", "上手") if game.handicap not in ("even", "other") else ("先手", "後手")
        return names[colour == ends.WHITE]


def _marked(writer: KifWriter, headers: Headers) -> list[str]:
    """What plans are made of: behind the values of the headers, the start and the labels of the names are marked."""
    count = len(headers)
    return writer.header_lines(headers, mark(count), mark(count + 1), mark(count + 2))


@lru_cache(maxsize=256)
def contradicts(word: str, mover: str, winner: str) -> bool:
    """Whether an end word says of the winner what the end does not; one that names none leaves room for a まで line.

    >>> [contradicts(word, "black", "white") for word in ("投了", "中断", "入玉勝ち")]
    [False, True, True]
    """
    told = ends.claim(ends.KIF_WORDS, word, mover).winner
    if told == ends.UNKNOWN:
        return winner == ends.DRAW
    return told != winner and not (told == ends.NONE and winner == ends.UNKNOWN)


@lru_cache(maxsize=512)
def diagram(sfen: str) -> tuple[list[str], int]:
    """The lines of a start position with its hands, and the number of its first move."""
    board, turn, number = read_sfen(sfen)
    out = [f"後手の持駒：{hand_text(board.hands[ends.WHITE])}",
           "  ９ ８ ７ ６ ５ ４ ３ ２ １", "+---------------------------+"]
    for rank, cells in enumerate(board_rows(board), 1):
        row = "".join(("v" if cell & 64 else " ") + BOARD_NAMES[cell & 63] if cell else " ・" for cell in cells)
        out.append(f"|{row}|{KANJI_DIGITS[rank]}")
    out += ["+---------------------------+", f"先手の持駒：{hand_text(board.hands[ends.BLACK])}"]
    if turn == ends.WHITE:
        out.append("後手番")
    return out, number


def hand_text(hand: dict[int, int]) -> str:
    """A hand as KIF writes it: `飛　角二　歩十七　`, なし where it is empty.

    >>> hand_text({7: 1, 1: 17})
    '飛　歩十七　'
    """
    items = [PIECE_NAMES[kind] + (count_text(hand[kind]) if hand[kind] > 1 else "")
             for kind in HAND_ORDER if hand.get(kind)]
    return "　".join(items) + "　" if items else "なし"


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
    return f"{place}{PIECE_NAMES[piece]}{promotes}{_ORIGINS[move >> 8 & 255]}"


def count_text(count: int) -> str:
    """A number below 100 in kanji: 十七."""
    tens, ones = divmod(count, 10)
    return (("" if tens == 1 else KANJI_DIGITS[tens]) + "十" if tens else "") + (KANJI_DIGITS[ones] if ones else "")


def pad(text: str, columns: int) -> str:
    """A text padded to a number of columns, a full-width character taking two."""
    blanks = columns - len(text)
    for char in text:
        if char > "\u2E7F":
            blanks -= 1
    return text + " " * (blanks if blanks > 1 else 1)


__all__ = ["KifWriter", "kif_move"]
