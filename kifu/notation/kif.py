# cython: language_level=3, boundscheck=True
"""KIF, the reader.

Source: the format page of Kifu for Windows (see `grammars/kif.lark`). The writer is `kifu.notation.kif_writer`.
"""
from __future__ import annotations

import re
from typing import ClassVar

try:
    import cython
except ImportError:
    from kifu import _cython as cython

from kifu.diagnostics import DOUBLED, ERROR, WARNING, make
from kifu.ends import BLACK, KIF_WORDS, SIDES, UNKNOWN, WHITE, claim, opponent
from kifu.movetext import (
    BLACK_SIDE, DECLINE, DROP, DROP_IF_NONE, PIECE_SHIFT, PROMOTE, SAME, WHITE_SIDE,
)
from kifu.notation import results
from kifu.notation.board import Board, BoardError, surplus
from kifu.notation.count import LAST_MOVE, Count, read_count
from kifu.notation.csa import BLANKS, PIECES
from kifu.notation.kif_kinds import KindsApart
from kifu.notation.meanings import PLACE_COUNT, SPELLED_SAME, TOTAL_MARK, spelled
from kifu.notation.numbering import in_order
from kifu.record import INFO, Line, Record
from kifu.rules.handicaps import HANDICAPS, by_japanese

#: Headers that open a record: one of them behind moves begins the next game of a concatenated file.
OPENING_KEYS = frozenset({
    "開始日時", "手合割", "棋戦", "先手", "後手", "下手", "上手", "対局日", "表題", "場所", "対局ID",
})
#: What stands for the name of a handicap where the board says it all.
NAMELESS = frozenset({"", "その他", "詰将棋", "詰め将棋"})
#: A line that begins with one of these holds moves, though not as KIF writes them.
SIGNS = frozenset("▲△▼▽☗☖")
DIGITS = frozenset("0123456789")
#: A line that holds a move in KIF's own form, whatever stands for its number: ２　３四歩(33), 第2手 ３四歩(33).
_NUMBERED_MOVE = re.compile(r"[第0-9０-９手目.．、 　\t]*[▲△☗☖▼▽]?(?:[1-9１-９][一二三四五六七八九1-9１-９]|同)[ 　]?"
                            r"成?[歩香桂銀金角飛玉王と馬龍竜全圭杏]成?(?:[(（][1-9１-９][1-9１-９][)）]|打)")
#: A word in the place of an end that is a move someone mistyped: it begins with a square, or drops something. But
#: 二歩 and the like, a kanji numeral and no square, are ends.
_MOVE_LIKE = re.compile(r"[1-9１-９同仝]|[一二三四五六七八九][1-9１-９]|[^打]*打")
_FULL_DIGITS = str.maketrans("０１２３４５６７８９", "0123456789")


class KifReader(KindsApart):
    """Reads KIF text."""

    NOTATION = "kif"
    READS_ALL_KINDS = True
    OTHER_BOARDS = "KifBoardsReader"
    #: A line that begins with this names the notation, and opens a record.
    MARK = "#KIF"
    MEANINGS: ClassVar = {
        **{name: ("piece", number) for name, (number, _) in PIECES.items()},
        "BLACK": ("side", BLACK_SIDE), "WHITE": ("side", WHITE_SIDE), "MARK_WHITE": ("side", WHITE_SIDE),
        **{f"{name}_MOVE": spelled(number << PIECE_SHIFT | DROP_IF_NONE, target=0, origin_last=3, marks=SPELLED_SAME)
           for name, (number, _) in PIECES.items()},
        **{f"{name}_UP": spelled(number << PIECE_SHIFT | DROP_IF_NONE | PROMOTE, target=0, origin_last=3,
                                 marks=SPELLED_SAME)
           for name, (number, _) in PIECES.items() if name in ("PAWN", "LANCE", "KNIGHT", "SILVER", "BISHOP", "ROOK")},
        "SQUARE": "square", "FILE": "file", "RANK": "rank", "SAME": ("flag", SAME),
        "SAME_TOO": ("flag", SAME),
        "ORIGIN": "origin", "DROP": ("flag", DROP),
        "PROMOTE": ("flag", PROMOTE), "DECLINE": ("flag", DECLINE), "NUMBER": "number", "NUMERAL": "numeral",
        "move": ("move", DROP_IF_NONE), "TIME": "clock", "end": "end", "COMMENT": "note", "BOOKMARK": "item",
        "cell": "cell", "row": "row", "holding": "place", "HAND_BLACK": "item", "HAND_WHITE": "item",
        "reserved": "item", "turn": "item", "last": "move", "count": "retract", "HEADER": "border",
        "HASH": "border", "COLUMN": "item", "branch": "item", "MADE": "item", "RESULT": "item", "result": "item",
        "rotate": "item", "TAIL": "item", "ODD_TIME": "item", "BAD": "item",
    }
    HANDLERS: ClassVar = {
        "TIME": "on_stray_clock", "end": "on_end", "BOOKMARK": "on_bookmark", "row": "on_row",
        "holding": "on_holding", "HAND_BLACK": "on_hand_black", "HAND_WHITE": "on_hand_white",
        "reserved": "on_reserved", "turn": "on_turn", "count": "on_count", "HEADER": "on_header",
        "HASH": "on_hash", "COLUMN": "on_column", "branch": "on_branch",
        "RESULT": "on_result_text", "result": "on_result", "rotate": "on_rotate", "TAIL": "on_tail",
        "ODD_TIME": "on_odd_time", "BAD": "on_bad",
    }
    NOTES: ClassVar = {"COMMENT": ("comment", 1, 0)}

    def open(self, move: cython.Py_ssize_t, offset: cython.Py_ssize_t) -> None:
        KindsApart.open(self, move, offset)
        self.board: Board | None = None
        self.rank = 0
        self.board_at = -1
        self.hand_side = BLACK
        self.rest: str | None = None
        self.turn: str | None = None
        self.count = Count()
        self.handicap_at = -1
        self.handicap_text = ""
        self.headed = False  # whether the head of the move table stood already
        self.result_text = ""
        self.results: list[tuple[int, str, Line]] = []

    # --- headers ----------------------------------------------------------------------------------------------------

    def on_header(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                  value: cython.longlong) -> None:
        line = self.text[start:end]
        key, colon, told = line.partition("：")
        if not colon or ":" in key:
            key, _, told = line.partition(":")
        key, told = key.strip(BLANKS), told.strip(BLANKS)
        if key in OPENING_KEYS and (self.begun(move) or self.headed):
            self.next_record(move, start)
        self.told = True
        if key == "備考":
            told = told.replace("\\n", "\n")
        self.record.headers.append((key, told))
        if key == "手合割":
            self.handicap_at = start
            self.handicap_text = told.split("#")[0].strip(BLANKS)

    def on_hash(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                value: cython.longlong) -> None:
        """The mark of the notation begins a record, unless nothing was said yet; any other such line is a remark."""
        if self.text.startswith(self.MARK, start) and (self.told or self.begun(move)):
            self.next_record(move, start)

    def on_column(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                  value: cython.longlong) -> None:
        self.told = self.headed = True
        if self.lost_above > self.lost:
            self.lost_above = self.lost

    def on_rotate(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                  value: cython.longlong) -> None:
        self.record.headers.append(("view", "reversed"))

    # --- the board --------------------------------------------------------------------------------------------------
    def the_board(self, move: int, start: int) -> Board:
        """The diagram being read."""
        if self.board is None:
            self.board, self.board_at = Board(), start
        self.told = True
        return self.board

    def on_row(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
               value: cython.longlong) -> None:
        if self.begun(move):
            return
        board = self.the_board(move, start)
        self.rank += 1
        if self.rank > 9:
            if self.rank == 10:
                self.report("position-twice", start, end)
            return
        board.set_row(self.rank, value)

    def on_hand_black(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                      value: cython.longlong) -> None:
        self.hand_side = BLACK

    def on_hand_white(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                      value: cython.longlong) -> None:
        self.hand_side = WHITE

    def on_holding(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                   value: cython.longlong) -> None:
        if self.begun(move) or self.rank > 9:
            return
        try:
            self.the_board(move, start).hold(self.hand_side, value & 63, value >> PLACE_COUNT)
        except BoardError as error:
            self.fault_board(start, str(error))

    def on_reserved(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                    value: cython.longlong) -> None:
        self.the_board(move, start)
        self.rest = self.hand_side

    def on_turn(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                value: cython.longlong) -> None:
        if self.begun(move):
            return
        self.turn = BLACK if self.text[start] in "先下" else WHITE

    def on_count(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                 value: cython.longlong) -> None:
        if not self.begun(move):
            self.count = read_count(self.text, start, end, value)
            self.ply_offset = self.count.number

    def fault_board(self, start: int, detail: str) -> None:
        """The start position cannot be: the game cannot be replayed."""
        finding = self.report("bad-board", start, detail=detail)
        if self.lines[0].broken is None:
            self.lines[0].broken = finding

    # --- moves, branches, ends --------------------------------------------------------------------------------------
    def on_stray_clock(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                       value: cython.longlong) -> None:
        if value == 0:
            self.report("stray-clock", start, end, text=self.text[start:end])

    def on_odd_time(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                    value: cython.longlong) -> None:
        text = self.text[start:end]
        self.report("negative-clock" if "-" in text else "bad-clock", start, end, text=text)

    def on_tail(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                value: cython.longlong) -> None:
        self.report("text-ignored", start, end, text=self.text[start:end].rstrip())

    def first_turn(self) -> str:
        """The side that makes the first move, as far as the headers say."""
        if self.turn is not None:
            return self.turn
        if self.count.written:
            mover = self.count.mover(self.board)
            if mover is not None:
                return opponent(mover)
        if self.given_handicap or self.handicap_text:
            known = HANDICAPS.get(self.given_handicap or "") or by_japanese(self.handicap_text)
            if known is not None and known.key != "even":
                return WHITE
        return BLACK

    def on_end(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
               value: cython.longlong) -> None:
        if 0 <= self.after_end < move:
            self.restart(move)
        self.told = True
        word = self.text[start:end]
        if word not in KIF_WORDS:
            if _MOVE_LIKE.match(word):
                self.broken(move, start, end)
                return
            self.unknown_end(self.record, word, start, end, self.ply_at(move) + 1)
        self.claim_end(move, claim(KIF_WORDS, word, self.mover(move, self.first_turn()), word, start,
                                   value if value >= 0 else None))
        self.after_end = move

    def unknown_end(self, record: Record, word: str, start: int, end: int = -1, ply: int | None = None) -> None:
        """Report an end that nobody knows: an error where it is one that people mistype, which means another."""
        from kifu.notation.confusables import end_word

        meant = end_word(word)
        hint = f"did you mean {meant}?" if meant else "kept as written"
        record.diagnostics.append(make("unknown-end", start, end, ply, hint=hint, text=word,
                                       severity=ERROR if meant else WARNING))

    def on_result_text(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                       value: cython.longlong) -> None:
        self.result_text = self.text[start:end]

    def on_result(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                  value: cython.longlong) -> None:
        if 0 <= self.after_end < move:
            self.restart(move)
        self.told = True
        self.results.append((start, self.result_text, self.current))
        self.result_text = ""
        self.after_end = move

    def on_bad(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
               value: cython.longlong) -> None:
        self.restart(move)
        text = self.text[start:end].lstrip(" 　\t")
        if text.startswith("変化") and self.begun(move):  # what it announces must not become part of another line
            finding = self.syntax("syntax-error", start, end)
            self.record.diagnostics[-1] = finding._replace(hint="a variation was begun all the same")
            self.on_branch(move, start, end, value)
        elif (text[:1] in DIGITS or text[:1] in SIGNS or _NUMBERED_MOVE.match(text)) and (
                self.told or move > self.first_move):
            number = re.match(r"[0-9]{1,9}", text)
            self.broken(move, start, end, int(number.group()) if number else None)
        elif text[:1] in ("|", "｜") and not self.begun(move):
            self.the_board(move, start)
            self.rank += 1
            finding = self.syntax("syntax-error", start, end)
            self.fault_board(start, f"a row of the diagram could not be read: {finding.message}")
        else:
            self.syntax("syntax-error", start, end)

    # --- the whole record -------------------------------------------------------------------------------------------
    def settle(self, record: Record) -> None:
        if self.finished:
            self.surplus(self.first_move + len(record.texts))
        last = record.lines[-1]
        if last.broken is not None and last.broken.name == "variation-unplaced" and last.first == len(record.texts) \
                and not self.lost:  # it announces nothing
            record.diagnostics[record.diagnostics.index(last.broken)] = last.broken._replace(severity=WARNING)
            last.broken = None
        for node, names in self.more_bookmarks.items():
            record.bookmarks[node] = "　".join([record.bookmarks[node], *names])
        self.start_position(record)
        if self.count.written:
            self.go_on_from(record, self.count)
        for start, text, line in self.results:
            self.judge(record, start, text, line)
        if not in_order(record.info, self.number_base() + 1):
            self.check_numbers(record, self.numbers(record))
        if len(record.lines) > 1:
            self.hang_branch_comments(record)
        self.limit(record)
        if self.marks & TOTAL_MARK and self.NOTATION != "ki2":
            from kifu.notation.clock_totals import wrong_totals

            record.diagnostics += wrong_totals(record)
        if self.mode == "strict" and self.NOTATION == "kif":
            from kifu.notation.kif_strict import departures

            record.diagnostics += departures(record, self.handicap_text, self.handicap_at)
        if self.marks & DECLINE and self.NOTATION == "kif":
            for index, packed in enumerate(record.texts):
                if packed & DECLINE:
                    record.diagnostics.append(make("decline-written", record.info[INFO * index],
                                                   text=record.move_text(index)))

    def start_position(self, record: Record) -> None:
        """Decide what the game starts from: the board where there is one, else the handicap."""
        known = by_japanese(self.handicap_text) if self.handicap_text else None
        if known is None and self.handicap_text not in NAMELESS:
            self.puzzled = True
        if self.given_handicap:
            known = HANDICAPS.get(self.given_handicap)
        if self.board is not None and (self.rank or self.board.squares):
            if 0 < self.rank < 9:
                self.fault_board(self.board_at, f"the diagram has only {self.rank} of nine rows")
            if self.rest is not None:
                self.board.hold_rest(self.rest)
            record.turn = self.first_turn()
            record.start = self.board.sfen(record.turn, self.ply_offset + 1)
            if spare := surplus(record.start):
                record.diagnostics.append(make("surplus-pieces", self.board_at, detail=spare))
            boards = {sfen.split()[0] for sfen in (known.sfen, *known.other_sfens)} if known is not None else set()
            if known is not None and record.start.split()[0] not in boards and known.key != "even":
                record.diagnostics.append(make("handicap-and-board", self.handicap_at, text=self.handicap_text))
            elif known is None and self.handicap_text not in NAMELESS:
                record.diagnostics.append(make("unknown-handicap", self.handicap_at, severity="warning",
                                               hint="the board is used", text=self.handicap_text))
        elif known is not None:
            record.handicap, record.start = known.key, known.sfen
            record.turn = self.first_turn()
        elif self.given_handicap:
            self.no_such_handicap(record, "shogi")
        elif self.given_variant and (kind := self.kind_called(self.handicap_text)):
            self.refuse_other_kind(record, kind, self.handicap_at)
        elif self.handicap_text:
            finding = make("unknown-handicap", self.handicap_at, text=self.handicap_text)
            record.diagnostics.append(finding)
            if self.lines[0].broken is None:
                self.lines[0].broken = finding
        else:
            record.handicap, record.start = "even", HANDICAPS["even"].sfen
        if self.turn is not None and record.start is not None and self.board is None:
            fields = record.start.split()
            fields[1] = self.turn[0]
            record.start, record.turn = " ".join(fields), self.turn

    def go_on_from(self, record: Record, count: Count) -> None:
        """The move before the diagram is kept, compared with the diagram, and named by 同 in the first move."""
        record.headers.append((LAST_MOVE, count.written))
        mover = count.mover(self.board)
        if self.board is not None and count.square and mover is None:
            self.report("last-move-mismatch", count.start, count.end, text=count.written)
        elif mover == record.turn:
            self.report("last-move-turn", count.start, count.end, text=count.written, side=mover.capitalize())
        for line in record.lines:
            if line.parent < 0 and line.last > line.first and count.square:
                first = record.texts[line.first]
                if first & SAME and not first & 15:
                    record.texts[line.first] = first & ~SAME | count.square

    def limit(self, record: Record) -> None:
        """持将棋 where the header 最大手数 says that the game could not go on is the end by the number of moves."""
        for line in record.lines:
            if line.end is not None and line.end.reason == "impasse":
                limit = record.header("max_moves") or ""
                plies = line.number - 1 + line.last - line.first
                if limit.isdecimal() and int(limit[:9]) in (plies, plies + self.number_base()):
                    line.end = line.end._replace(reason="max_moves")

    def judge(self, record: Record, start: int, text: str, line: Line) -> None:
        """Compare a まで line with what was played, and take the end from it where no end word stands."""
        said, rest = results.made(text)
        played = line.number - 1 + line.last - line.first
        base = self.number_base()
        if said is not None and line is not record.lines[0] and said != played + base:
            main = record.lines[0]
            if said == main.last - main.first + base:  # a writer that puts the main line's result last (rsshogi)
                line, played = main, main.last - main.first
        if said is not None and said not in (played, played + base) and line.broken is None:
            record.diagnostics.append(make("result-count", start, said=said, played=played,
                                           hint=DOUBLED if said < played else None))
        if not rest:
            return
        claimed = results.claim(rest, record.to_move(played), start)
        if claimed.reason == "other":
            self.unknown_end(record, rest, start)
        if line.end is None:
            line.end = claimed
        elif line.end.reason == "other" != claimed.reason:  # a word nobody knows, and one that everybody does
            line.end = line.end._replace(reason=claimed.reason, winner=claimed.winner, offender=claimed.offender)
        elif line.end.winner == UNKNOWN and claimed.winner in SIDES:
            line.end = line.end._replace(winner=claimed.winner, offender=claimed.offender)
        elif (claimed.winner != line.end.winner or claimed.reason != "resign") and results.disagree(line.end, claimed):
            record.diagnostics.append(make("result-conflict", start, first=line.end.raw, second="まで" + text))
