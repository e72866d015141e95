"""Diagrams (BOD) of boards of any size and of any kind of shogi: from SFEN, and into SFEN.

A diagram is a row of files, a rule, one row a rank and a rule, with White's hand above and Black's below:

>>> print("\\n".join(diagram("k1/1P/K1 w - 1", _EXAMPLE)))
後手の持駒：なし
  ２ １
+------+
|v玉 ・|一
| ・ 歩|二
| 玉 ・|三
+------+
先手の持駒：なし
後手番

A cell is a mark (``v`` for White's men, a blank for Black's) and a word, as wide as the widest word of the kind of
shogi. Where nothing is dropped there are no hands. Sources: the diagrams of Kifu for Windows; those of lishogi for
boards of other sizes.
"""
from __future__ import annotations

import re
from collections import Counter
from unicodedata import east_asian_width

from kifu.ends import BLACK, SIDES, WHITE
from kifu.movetext import KIND_FIELD, PROMOTED
from kifu.notation.board import BoardError
from kifu.notation.count import number
from kifu.notation.kanji import words_of
from kifu.notation.meanings import CELL_WHITE
from kifu.rules.ruleset import EITHER_FACE, NO_DROPS, Kind, Ruleset, steps

KANJI_NUMBERS = ("", *"一二三四五六七八九", *("十" + ones for ones in ("", *"一二三四五六七八九")))
FULL_DIGITS = str.maketrans("0123456789", "０１２３４５６７８９")
EMPTY = "・"
LABELS = {BLACK: "先手", WHITE: "後手"}
WHITE_MARKS = frozenset("vV-")
#: A square of a board whose men are not known.
_ANY_CELL = re.compile(r"[・．.*　]|[^ 　\tvV^・．.*|+-]+")
_SFEN_CELL, _SFEN_HELD = re.compile(r"([0-9]+)|(\+?)([A-Za-z])"), re.compile(r"([0-9]*)([A-Za-z])")
#: Fits the example above.
_EXAMPLE = Ruleset("example", "example", 2, 3, "k1/1P/K1 b - 1", zone=0, hand_order="P", kanji={"P": "歩", "K": "玉"},
                   kinds=(Kind(1, "P", "pawn", steps()), Kind(8, "K", "king", steps(), royal=True)))


class Board:
    """A position under construction: squares by file and rank from 1, hands; cells as in `kifu.notation.board`."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.squares: dict[tuple[int, int], int] = {}
        self.hands: dict[str, dict[int, int]] = {BLACK: {}, WHITE: {}}

    def set_row(self, rank: int, cells: list[int]) -> None:
        """Fill a rank; the highest file comes first."""
        for index, cell in enumerate(cells):
            if cell:
                self.squares[self.rules.files - index, rank] = cell

    def hold(self, side: str, piece: int, count: int = 1) -> None:
        """Put men into a hand; `BoardError` for one that no hand holds."""
        kind = self.rules.by_number[piece & KIND_FIELD]
        if kind.royal or (piece & PROMOTED and self.rules.drops != EITHER_FACE):
            raise BoardError("a hand holds neither kings nor promoted pieces")
        hand = self.hands[side]
        hand[kind.number] = hand.get(kind.number, 0) + count

    def hold_rest(self, side: str) -> None:
        """Put every man of the set that is not placed yet into a hand, kings excepted."""
        counts = self.counts()
        for kind in self.rules.kinds:
            if not kind.royal and kind.men > counts[kind.number]:
                self.hold(side, kind.number, kind.men - counts[kind.number])

    def counts(self) -> Counter[int]:
        """How many men of each kind there are."""
        counts = Counter(cell & KIND_FIELD for cell in self.squares.values())
        for hand in self.hands.values():
            counts.update(hand)
        return counts

    def surplus(self) -> str:
        """The men that no set has, in words; "" where one set is enough."""
        counts = self.counts()
        return ", ".join(f"{counts[kind.number]} {kind.name}s" for kind in self.rules.kinds
                         if kind.men and not kind.royal and counts[kind.number] > kind.men)

    def sfen(self, turn: str, number: int = 1) -> str:
        """The position as SFEN with four fields."""
        rules = self.rules
        rows = []
        for rank in range(1, rules.ranks + 1):
            text, empty = "", 0
            for file in range(rules.files, 0, -1):
                cell = self.squares.get((file, rank), 0)
                if cell:
                    text += (str(empty) if empty else "") + _letter(rules, cell)
                    empty = 0
                else:
                    empty += 1
            rows.append(text + (str(empty) if empty else ""))
        hands = ""
        for side in SIDES:
            for letter in rules.hand_order:
                count = self.hands[side].get(rules.by_letter[letter].number, 0)
                if count:
                    hands += (str(count) if count > 1 else "") + (letter if side == BLACK else letter.lower())
        return f"{'/'.join(rows)} {turn[0]} {hands or '-'} {number}"


def _letter(rules: Ruleset, cell: int) -> str:
    letter = rules.letter(cell & ~CELL_WHITE)
    return letter.lower() if cell & CELL_WHITE else letter


# --- reading --------------------------------------------------------------------------------------------------------
def read_row(text: str, rules: Ruleset) -> list[int] | None:
    """The cells of a row, what stands between its bars; None where not all of it is squares of this kind of shogi.

    >>> read_row("v玉 ・", _EXAMPLE), read_row("v王 ・", _EXAMPLE)
    ([72, 0], None)
    """
    words = words_of(rules)
    found = rules.memory.get(read_row)
    if found is None:  # a V before a word is a mark, by itself it is a man of that letter
        found = rules.memory[read_row] = re.compile(
            rf"[ \t]*(?:([vV\-](?=[^ \t])|[\^]|\+(?![A-Z]))[ \t]*)?(?:({words.pattern})|[{EMPTY}．.*　])")
    cells = []
    at, end = 0, len(text.rstrip(" \t"))
    while at < end:
        match = found.match(text, at, end)
        if match is None:
            return None
        mark, word = match.groups()
        face = words.face(word) if word else 0
        cells.append((face or 0) | (CELL_WHITE if face and mark in WHITE_MARKS else 0))
        at = match.end()
    return cells


def read_hand(text: str, rules: Ruleset) -> list[tuple[int, int]] | None:
    """The men of a hand as pairs of piece and count; None where not all of it is men of this kind of shogi.

    >>> read_hand("玉　歩十二", _EXAMPLE), read_hand("なし", _EXAMPLE), read_hand("飛", _EXAMPLE)
    ([(8, 1), (1, 12)], [], None)
    """
    words = words_of(rules)
    found = rules.memory.get(read_hand)
    if found is None:
        found = rules.memory[read_hand] = re.compile(
            rf"[ 　\t]*({words.pattern})[ 　\t]*([一二三四五六七八九十百]+|[0-9０-９]+)?")
    text = text.strip(" 　\t")
    if text in ("", "なし", "なシ"):
        return []
    held, at = [], 0
    while at < len(text):
        match = found.match(text, at)
        if match is None:
            return None
        word, count = match.groups()
        held.append((words.face(word) or 0, min(1000, number(count[:6])) if count else 1))
        at = match.end()
    return held


def fits(rules: Ruleset, rows: list[str], hands: list[str]) -> bool:
    """Whether rows, the texts between bars, and hands are those of a kind of shogi."""
    if len(rows) != rules.ranks:
        return False
    cells = [read_row(row, rules) for row in rows]
    return all(row is not None and len(row) == rules.files for row in cells) and all(
        read_hand(hand, rules) is not None for hand in hands)


def width(text: str) -> int:
    """How many columns a text takes, two for each full-width character."""
    return sum(2 if east_asian_width(char) in "WF" else 1 for char in text)


def count_text(count: int) -> str:
    """A number below 100 in kanji.

    >>> count_text(4), count_text(17), count_text(20)
    ('四', '十七', '二十')
    """
    tens, ones = divmod(count, 10)
    return (KANJI_NUMBERS[tens] if tens > 1 else "") + ("十" if tens else "") + KANJI_NUMBERS[ones]


def size(rows: list[str]) -> tuple[int, int] | None:
    """Files and ranks of a board whose men need not be known; None where the rows are not all of one length.

    >>> size(["vきvラvぞ", " ・vひ ・"]), size([" ・ ・", " ・"])
    ((3, 2), None)
    """
    widths = {len(_ANY_CELL.findall(row)) for row in rows}
    return (widths.pop(), len(rows)) if len(widths) == 1 else None


def read_sfen(sfen: str, rules: Ruleset) -> tuple[Board, str, int]:
    """A proven SFEN as a `Board`, its side to move and its move number."""
    fields = sfen.split()
    board = Board(rules)
    for rank, row in enumerate(fields[0].split("/"), 1):
        file = rules.files
        for gap, plus, letter in _SFEN_CELL.findall(row):
            if gap:
                file -= int(gap)
                continue
            board.squares[file, rank] = (rules.by_letter[letter.upper()].number | (PROMOTED if plus else 0)
                                         | (CELL_WHITE if letter.islower() else 0))
            file -= 1
    if rules.drops != NO_DROPS:
        for count, letter in _SFEN_HELD.findall(fields[2]):
            board.hold(BLACK if letter.isupper() else WHITE, rules.by_letter[letter.upper()].number, int(count or "1"))
    return board, WHITE if fields[1] == "w" else BLACK, int(fields[3])


# --- writing --------------------------------------------------------------------------------------------------------
def diagram(sfen: str, rules: Ruleset, labels: dict[str, str] | None = None) -> list[str]:
    """The lines of a position, which must be a proven one; ``labels`` are what the sides are called."""
    labels = labels or LABELS
    words = words_of(rules)
    board, turn, _ = read_sfen(sfen, rules)
    columns = 1 + max(2, *map(width, words.board.values()))
    numbers = [str(file).translate(FULL_DIGITS) for file in range(rules.files, 0, -1)]
    rule = f"+{'-' * columns * rules.files}+"
    out = [" " + "".join(" " * (columns - width(number)) + number for number in numbers), rule]
    for rank in range(1, rules.ranks + 1):
        cells = (board.squares.get((file, rank), 0) for file in range(rules.files, 0, -1))
        row = "".join(_cell(words.board[cell & ~CELL_WHITE] if cell else EMPTY, bool(cell & CELL_WHITE), columns)
                      for cell in cells)
        out.append(f"|{row}|{KANJI_NUMBERS[rank]}")
    out.append(rule)
    if rules.drops != NO_DROPS:
        hands = [f"{labels[side]}の持駒：{hand_text(board.hands[side], rules)}" for side in SIDES]
        out = [hands[1], *out, hands[0]]
    if turn == WHITE:
        out.append(f"{labels[WHITE]}番")
    return out


def _cell(word: str, white: bool, columns: int) -> str:
    return " " * (columns - 1 - width(word)) + ("v" if white else " ") + word


def hand_text(hand: dict[int, int], rules: Ruleset) -> str:
    """A hand as KIF writes it: `飛　角二　歩十七　`, なし where it is empty."""
    words, numbers = words_of(rules), (rules.by_letter[letter].number for letter in rules.hand_order)
    held = [words.board[kind] + (count_text(hand[kind]) if hand[kind] > 1 else "")
            for kind in numbers if hand.get(kind)]
    return "　".join(held) + "　" if held else "なし"
