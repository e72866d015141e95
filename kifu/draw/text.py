"""A position as text: the diagram that Japanese records carry, which every reader of shogi knows."""
from __future__ import annotations

import re
from unicodedata import category, east_asian_width

FILES = "１２３４５６７８９"
RANKS = "一二三四五六七八九"
NUMERALS = ("", *RANKS, "十", *(f"十{unit}" for unit in RANKS[:8]))
NAMES = {
    "P": "歩", "L": "香", "N": "桂", "S": "銀", "G": "金", "B": "角", "R": "飛", "K": "玉",
    "+P": "と", "+L": "杏", "+N": "圭", "+S": "全", "+B": "馬", "+R": "龍",
}
#: Categories of characters that stand in the column of the one before them.
_MARKS = frozenset({"Mn", "Me"})
_CELL = re.compile(r"\d+|\+?[A-Za-z]")
_HELD = re.compile(r"(\d*)([A-Za-z])")


def width(text: str) -> int:
    """How many columns of a terminal ``text`` takes: two for each full-width character, none for combining marks.

    Characters of ambiguous width, such as ① and ○, take one, as they do in a terminal that is not set up otherwise.

    >>> width("７六fu"), width("ﾌﾟ"), width("か\u3099"), width("①")
    (6, 2, 2, 1)
    """
    if text.isascii():
        return len(text)
    return sum(0 if category(char) in _MARKS else 2 if east_asian_width(char) in "WF" else 1 for char in text)


def board_text(sfen: str, *, flip: bool = False, names: tuple[str, str] = ("先手", "後手")) -> str:
    """The diagram of a position, ``v`` before the men that look down; ``flip`` shows it from White's side.

    ``names`` are what Black and White are called above their hands.

    >>> print(board_text("8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124"))
    後手の持駒：角　金　桂　歩三
      ９ ８ ７ ６ ５ ４ ３ ２ １
    +---------------------------+
    | ・ ・ ・ ・ ・ ・ ・ ・v香|一
    | ・v香 龍 ・ ・ 歩 ・ ・ ・|二
    |v歩 ・ ・v歩 角 金 ・v歩v歩|三
    |v玉v歩v銀 ・v歩 ・ ・ ・ ・|四
    | 桂v桂 ・ 歩 ・ ・ 金 ・ ・|五
    | 歩 ・ 歩 ・ 歩 ・ ・ 歩 歩|六
    | ・ 歩 銀 ・ ・ ・ ・ ・ ・|七
    | ・ 玉 銀 金 ・ ・ ・v龍 ・|八
    | 香 桂 ・ ・vと ・ ・ ・ 香|九
    +---------------------------+
    先手の持駒：銀
    後手番
    """
    board, turn, held = sfen.split()[:3]
    rows = [_cells(row, flip) for row in board.split("/")]
    size = len(rows[0])
    files, ranks = FILES[:size][::-1], RANKS[:len(rows)]
    if flip:
        rows, files, ranks = [row[::-1] for row in rows[::-1]], files[::-1], ranks[::-1]
    rule = "+" + "-" * (3 * size) + "+"
    hands = [f"{names[0]}の持駒：{_hand(held, True)}", f"{names[1]}の持駒：{_hand(held, False)}"]
    above, below = hands if flip else hands[::-1]
    lines = [above, "  " + " ".join(files), rule]
    lines += ["|" + "".join(row) + "|" + rank for row, rank in zip(rows, ranks, strict=True)]
    return "\n".join([*lines, rule, below, f"{names[turn == 'w']}番"])


def _cells(row: str, flip: bool) -> list[str]:
    """One rank, file 9 first; the men that look down are marked."""
    cells: list[str] = []
    for cell in _CELL.findall(row):
        if cell.isdigit():
            cells += [" ・"] * int(cell)
        else:
            down = cell.isupper() if flip else cell.islower()
            cells.append(("v" if down else " ") + NAMES.get(cell.upper(), cell.upper()))
    return cells


def _hand(held: str, black: bool) -> str:
    counted = [(NAMES[kind.upper()], int(count or 1)) for count, kind in _HELD.findall(held) if kind.isupper() == black]
    return "　".join(name + (NUMERALS[count] if count > 1 else "") for name, count in counted) or "なし"
