"""KIF of other kinds of shogi, the reader: any board, any men, men that move twice in one turn.

`kifu.notation.kif` hands over to it where a text is found to be of another kind of shogi (`other_boards`), or where one
is named. Which kind a record is of is decided once it is whole: the one that is named, that of its 手合割, the first
one that its diagram fits. Only then do the words for the men get a meaning. Sources: see `grammars/kif_boards.lark`.
"""
from __future__ import annotations

import re
from typing import ClassVar

from kifu import ends
from kifu.diagnostics import Diagnostic, make
from kifu.movetext import DECLINE, PIECE_FIELD, PIECE_SHIFT, PROMOTE, PROMOTED, SAME
from kifu.notation.board import BoardError
from kifu.notation.bod import BodReader
from kifu.notation.count import LAST_MOVE, Count, read_count
from kifu.notation.diagram import Board, fits, read_hand, read_row, size
from kifu.notation.kanji import kind_named, kind_with_handicap, unknown_kind
from kifu.notation.kif import NAMELESS, KifReader
from kifu.notation.kif_boards_moves import SIDES_WRITTEN, MoveWords, large_kind
from kifu.notation.meanings import CELL_WHITE
from kifu.record import INFO, Record
from kifu.rules import handicaps
from kifu.rules.ruleset import Handicap, Ruleset
from kifu.rules.variants import RULESETS

_SHARED = ("BLACK", "WHITE", "NUMBER", "TIME", "end", "COMMENT", "BOOKMARK", "HAND_BLACK", "HAND_WHITE", "turn",
           "HEADER", "HASH", "COLUMN", "branch", "MADE", "RESULT", "result", "rotate", "TAIL", "ODD_TIME", "BAD")
_HANDICAP = re.compile(r"(?:^|[\r\n])[ 　\t]*手合割[ 　]*[:：]([^\r\n#]*)")
_ROW = re.compile(r"(?:^|[\r\n])[ 　\t]*[|｜]([^\r\n]*)[|｜][^|｜\r\n]*")
REST = "残り"
#: How many moves are looked at where nothing else tells the kind of shogi.
LOOKED_AT = 40
#: A move on a large board, or a step of one.
_LARGE = re.compile(r"(?:^|[\r\n])[ 　\t]*[0-9]{1,9}+[ 　\t]*+(?:手目)?+[ 　\t]*+"
                    r"(?:一歩目|[^\r\n*＊#]{1,24}[(（]←[0-9０-９])")


def other_boards(text: str) -> bool:
    """Whether a text that is no sound KIF of ordinary shogi is of another kind, known or not.

    >>> other_boards("手合割：京都将棋"), other_boards("手合割：その他"), other_boards("1手目 7八歩兵 （←7九）")
    (True, False, True)
    """
    if _LARGE.search(text):
        return True
    for name in {match[1].strip(" 　\t") for match in _HANDICAP.finditer(text)}:
        if unknown_kind(name) or not {kind_named(name), kind_with_handicap(name)} <= {None, "shogi"}:
            return True
    rows: list[str] = []
    end = -1
    for match in _ROW.finditer(text):
        if rows and text[end:match.start()].strip():
            if _other_diagram(rows):
                return True
            rows = []
        rows.append(match[1])
        end = match.end()
    return _other_diagram(rows)


def _other_diagram(rows: list[str]) -> bool:
    if not rows or fits(RULESETS["shogi"], rows, []):
        return False
    return any(fits(rules, rows, []) for rules in RULESETS.values()) or strange(rows) is not None


def strange(rows: list[str]) -> tuple[int, int] | None:
    """Files and ranks of a diagram that is none of ordinary shogi with something wrong in it; None of one that may be.
    """
    found = size(rows)
    return found if found is not None and 9 not in found else None


def _even(name: str) -> bool:
    known = handicaps.by_japanese(name)
    return known is not None and known.key == "even"


class KifBoardsReader(KifReader):
    """Reads KIF text of all kinds of shogi."""

    NOTATION = "kif_boards"
    MEANINGS: ClassVar = {
        **{name: KifReader.MEANINGS[name] for name in _SHARED}, "PLY": "number", "move": "move", "twice": "move",
        "count": "item", "ROW": "item", "RULE": "item", "HELD": "item",
    }
    HANDLERS: ClassVar = {
        **{name: KifReader.HANDLERS[name] for name in _SHARED if name in KifReader.HANDLERS},
        "count": "on_count", "ROW": "on_row", "RULE": "on_rule", "HELD": "on_held",
    }
    OTHER_BOARDS = ""

    def open(self, move: int, offset: int) -> None:
        super().open(move, offset)
        self.rows: list[tuple[int, str]] = []  # where each row of the diagram stands, and what is between its bars
        self.closed = False  # whether the rule below them was seen
        self.surplus_rows = False  # whether rows stand behind it
        self.held: list[tuple[str, int, str]] = []  # side, place and men of each hand
        self.decided = False
        self.reached = move  # how many moves of the text were read when the kind was asked for
        self.rules: Ruleset | None = None
        self.drawing: tuple[Board, list[tuple[int, str]]] | None = None

    # --- the diagram ------------------------------------------------------------------------------------------------
    def on_row(self, move: int, start: int, end: int, value: int) -> None:
        if self.begun(move):
            return
        self.told = True
        if self.closed:
            if not self.surplus_rows:
                self.report("position-twice", start, end)
            self.surplus_rows = True
            return
        if not self.rows:
            self.board_at = start
        text = self.text[start:end]
        bar = max(text.rfind("|"), text.rfind("｜"))
        self.rows.append((start, text[1:bar] if bar else text[1:]))

    def on_rule(self, move: int, start: int, end: int, value: int) -> None:
        self.closed = bool(self.rows)

    def on_held(self, move: int, start: int, end: int, value: int) -> None:
        if not self.begun(move) and not self.surplus_rows:
            self.told = True
            self.held.append((self.hand_side, start, self.text[start:end].strip(" 　\t")))

    def on_count(self, move: int, start: int, end: int, value: int) -> None:
        if not self.begun(move):
            self.count = read_count(self.text, start, end, 0)
            self.ply_offset = self.count.number

    def drawn(self, rules: Ruleset) -> tuple[Board, list[tuple[int, str]]]:
        """The diagram as a board, and what is wrong with it: places and sentences."""
        if self.drawing is not None:
            return self.drawing
        board = Board(rules)
        faults: list[tuple[int, str]] = []
        self.drawing = board, faults
        if len(self.rows) != rules.ranks:
            faults.append((self.board_at, f"the diagram has {len(self.rows)} rows, not {rules.ranks}"))
        for rank, (start, text) in enumerate(self.rows[:rules.ranks], 1):
            cells = read_row(text, rules)
            if cells is None:
                faults.append((start, f"row {rank} of the diagram holds what is no man of {rules.name}"))
            elif len(cells) != rules.files:
                faults.append((start, f"row {rank} of the diagram has {len(cells)} squares, not {rules.files}"))
            else:
                board.set_row(rank, cells)
        rest = []
        for side, start, text in self.held:
            men = [] if text.startswith(REST) else read_hand(text, rules)
            if men is None:
                faults.append((start, f"a hand holds what is no man of {rules.name}"))
            elif text.startswith(REST):
                rest.append(side)
            try:
                for piece, count in men or ():
                    board.hold(side, piece, count)
            except BoardError as error:
                faults.append((start, str(error)))
        for side in rest[:1]:
            board.hold_rest(side)
        return self.drawing

    def on_end(self, move: int, start: int, end: int, value: int) -> None:
        self.reached = move
        super().on_end(move, start, end, value)

    # --- the kind of shogi ------------------------------------------------------------------------------------------
    def kind(self) -> Ruleset | None:
        """The kind of shogi of the record, None where it is not known; asked for once its head was read."""
        if not self.decided:
            key = self.given_variant or self.kind_told()
            self.decided, self.rules = True, RULESETS[key] if key else None
        return self.rules

    def kind_told(self) -> str | None:
        """The kind of shogi that the record itself tells."""
        name = self.handicap_text
        named = kind_named(name)
        if named is not None:
            return named
        if self.rows:
            rows, hands = [row for _, row in self.rows], [men for *_, men in self.held if not men.startswith(REST)]
            fitting = [key for key, rules in RULESETS.items() if fits(rules, rows, hands)]
            fitting.sort(key=lambda key: handicaps.by_japanese(name, key) is None)  # the others stay in order
            if fitting:
                return fitting[0]
            return None if strange(rows) else "shogi"
        if unknown_kind(name):
            return None
        if name not in NAMELESS and not _even(name):
            return kind_with_handicap(name) or "shogi"
        return self.kind_of_moves() or "shogi"

    def kind_of_moves(self) -> str | None:
        """The kind of shogi on a large board that the first moves are of; None where they are of none."""
        first, last = INFO * self.first_move, INFO * min(self.reached, self.first_move + LOOKED_AT)
        if last <= first:
            return None
        return large_kind(self.text[self.info[first]:self.info[last - INFO + 1]], _even(self.handicap_text))

    def handicap(self, rules: Ruleset) -> Handicap | None:
        """The handicap that is named, None where none is."""
        if self.given_handicap:
            return handicaps.by_key(self.given_handicap, rules.key)
        return handicaps.by_japanese(self.handicap_text, rules.key) if self.handicap_text else None

    def first_turn(self) -> str:
        rules = self.kind()
        if self.turn is not None or rules is None:
            return self.turn or ends.BLACK
        if (mover := self.last_mover(rules)) is not None:
            return ends.opponent(mover)
        handicap = self.handicap(rules)
        if self.rows:
            board = self.drawn(rules)[0].sfen(ends.BLACK).split()[0]
            for one in handicaps.of_variant(rules.key).values():
                if one.sfen.split()[0] == board:
                    handicap = one
        return ends.WHITE if handicap is not None and handicap.sfen.split()[1] == "w" else ends.BLACK

    # --- the whole record -------------------------------------------------------------------------------------------
    def start_position(self, record: Record) -> None:
        self.reached = self.first_move + len(record.texts)
        rules = self.kind()
        if rules is None:
            record.variant = ""
            name, at = self.handicap_text, self.handicap_at
            if not unknown_kind(name):
                files, ranks = size([row for _, row in self.rows]) or (0, 0)
                name, at = f"a board of {files} files and {ranks} ranks", self.board_at
            self.refuse(self.report("unknown-variant", at, text=name))
            return
        record.variant, name = rules.key, self.handicap_text
        if self.given_variant and (kind_named(name) or rules.key) != rules.key:
            self.refuse_other_kind(record, kind_named(name), self.handicap_at)
            return
        known = self.handicap(rules)
        named = name in NAMELESS or kind_named(name) == rules.key
        if self.rows:
            self.diagram_start(record, rules, known, named)
        elif known is not None or (named and not self.given_handicap):
            known = known or handicaps.by_key("even", rules.key)
            assert known is not None
            record.handicap, record.start = known.key, known.sfen
            record.turn = self.first_turn()
            if self.turn is not None:
                fields = record.start.split()
                fields[1] = self.turn[0]
                record.start = " ".join(fields)
        elif self.given_handicap:
            self.no_such_handicap(record, rules.key)
        else:
            self.refuse(self.report("unknown-handicap", max(0, self.handicap_at), text=name))
        self.read_moves(record, MoveWords(rules))

    def refuse(self, finding: Diagnostic) -> None:
        """There is no position to play from."""
        if self.lines[0].broken is None:
            self.lines[0].broken = finding

    def diagram_start(self, record: Record, rules: Ruleset, known: Handicap | None, named: bool) -> None:
        """Start from the diagram."""
        board, faults = self.drawn(rules)
        for at, detail in faults:
            self.fault_board(at, detail)
        record.turn = self.first_turn()
        record.start = board.sfen(record.turn, self.ply_offset + 1)
        if spare := board.surplus():
            record.diagnostics.append(make("surplus-pieces", self.board_at, detail=spare))
        if known is None and not named:
            record.diagnostics.append(make("unknown-handicap", self.handicap_at, severity="warning",
                                           hint="the board is used", text=self.handicap_text))
        elif known is not None and known.key != "even" and known.sfen.split()[0] != record.start.split()[0]:
            record.diagnostics.append(make("handicap-and-board", self.handicap_at, text=self.handicap_text))

    def read_moves(self, record: Record, words: MoveWords) -> None:
        """Make move texts of the moves as they are written; one that cannot be read ends its line."""
        texts, info = record.texts, record.info
        targets = [0] * (len(texts) + 1)  # behind the start, and behind each move
        lost: dict[int, Diagnostic] = {}
        for line in record.lines:
            last, broken, stop = targets[line.parent + 1], lost.get(line.parent), line.first
            for index in range(line.first, line.last if broken is None else line.first):
                written = record.move_text(index)
                text = words.read(written, last)
                if not text:
                    broken = self.report("unreadable-move", info[INFO * index], info[INFO * index + 1],
                                         line.number + index - line.first, text=written,
                                         expected=f"a move of {words.rules.name}")
                    break
                last = targets[index + 1] = text & 255 or last
                texts[index] = text | texts[index] & SIDES_WRITTEN
                stop = index + 1
                if text & DECLINE:
                    self.report("decline-written", info[INFO * index], text=written)
            if broken is not None:  # the moves behind, and lines that leave them, are lost
                lost.update(dict.fromkeys(range(stop, line.last), broken))
                line.last, line.broken = stop, line.broken or broken

    def last_mover(self, rules: Ruleset) -> str | None:
        """Whose man stands where the move before the diagram went; None where none is told, or another stands there."""
        text = MoveWords(rules).read(self.count.written.lstrip("▲△▼▽☗☖")) if self.count.written else 0
        man = self.drawn(rules)[0].squares.get((text & 15, text >> 4 & 15), 0)
        named = text >> PIECE_SHIFT & PIECE_FIELD
        if named and text & PROMOTE:
            named = named ^ PROMOTED if rules.turns_back else named | PROMOTED
        if not text & 255 or not man or named not in (0, man & PIECE_FIELD):
            return None
        return ends.WHITE if man & CELL_WHITE else ends.BLACK

    def go_on_from(self, record: Record, count: Count) -> None:
        rules = self.kind()
        record.headers.append((LAST_MOVE, count.written))
        if rules is None:
            return
        text, mover = MoveWords(rules).read(count.written.lstrip("▲△▼▽☗☖")), self.last_mover(rules)
        if self.rows and text & 255 and mover is None:
            self.report("last-move-mismatch", count.start, count.end, text=count.written)
        elif mover == record.turn:
            self.report("last-move-turn", count.start, count.end, text=count.written, side=mover.capitalize())
        for line in record.lines:
            if line.parent < 0 and line.last > line.first and text & 255:
                first = record.texts[line.first]
                if first & SAME and not first & 255:
                    record.texts[line.first] = first & ~SAME | text & 255


class BodBoardsReader(BodReader, KifBoardsReader):
    """Reads texts that hold diagrams of other kinds of shogi and nothing else."""

    OTHER_BOARDS = ""

    def whole(self) -> bool:
        return self.closed

    def has_diagram(self) -> bool:
        return bool(self.rows)
