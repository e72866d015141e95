"""A position as text: the diagram that Japanese records carry, which every reader of shogi knows."""
from __future__ import annotations

from collections.abc import Sequence
from unicodedata import category, east_asian_width

NUMERALS = ("", *"一二三四五六七八九", "十", *(f"十{unit}" for unit in "一二三四五六七八"))
#: Categories of characters that stand in the column of the one before them.
_MARKS = frozenset({"Mn", "Me"})


def width(text: str) -> int:
    """How many columns of a terminal ``text`` takes: two for each full-width character, none for combining marks.

    Characters of ambiguous width, such as ① and ○, take one, as they do in a terminal that is not set up otherwise.

    >>> width("７六fu"), width("ﾌﾟ"), width("か\u3099"), width("①")
    (6, 2, 2, 1)
    """
    if text.isascii():
        return len(text)
    return sum(0 if category(char) in _MARKS else 2 if east_asian_width(char) in "WF" else 1 for char in text)


def board_text(sfen: str, *, flip: bool = False, names: tuple[str, str] | None = None, pieces: str = "kanji",
               language: str | None = None, variant: str = "shogi") -> str:
    """The diagram of a position, ``v`` before the men that look down; ``flip`` shows it from White's side.

    ``names`` are what Black and White are called above their hands; ``pieces`` is one of `kifu.draw.PIECE_SETS`;
    ``language`` (`ja`, `en`, `cs`) is that of the words around the board, by default the usual one of the set.

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
    >>> print(board_text("4k4/4+P4/9 w P 1", pieces="letters"))
    White in hand: nothing
       9  8  7  6  5  4  3  2  1
    +---------------------------+
    |  .  .  .  . vK  .  .  .  .|a
    |  .  .  .  . +P  .  .  .  .|b
    |  .  .  .  .  .  .  .  .  .|c
    +---------------------------+
    Black in hand: P pawn
    White to move
    """
    from kifu.draw.board import board_of
    from kifu.draw.pieces import piece_set, rules_of
    from kifu.draw.words import LANGUAGES
    from kifu.rules.ruleset import NO_DROPS

    chosen, rules, board = piece_set(pieces), rules_of(variant), board_of(sfen)
    language = chosen.language(language)
    words = LANGUAGES[language]
    called = names or (words.black, words.white)
    rows = [[(cell and chosen.face(cell, rules).sign, cell.isupper() == flip) for cell in row] for row in board.rows]
    files, ranks = words.files[:len(rows[0])][::-1], words.ranks[:len(rows)]
    if flip:
        rows, files, ranks = [row[::-1] for row in rows[::-1]], files[::-1], ranks[::-1]
    wide = 1 + max(2, *(width(chosen.face(rules.letter(piece), rules).sign) for piece in rules.pieces))
    empty = "・" if language == "ja" else "."
    lines = [" " + "".join(_right(file, wide) for file in files), "+" + "-" * (wide * len(files)) + "+"]
    lines += ["|" + "".join(_right(("v" if down else " ") + sign if sign else empty, wide) for sign, down in row) + "|"
              + rank for row, rank in zip(rows, ranks, strict=True)]
    hands = [words.in_hand.format(called[side])
             + _hand([(chosen.face(letter, rules).sign, chosen.face(letter, rules).name(language), count)
                      for letter, count in board.hands[side]], language, words.nothing) for side in (0, 1)]
    lines.append(lines[1])
    if rules.drops != NO_DROPS:
        lines = [hands[not flip], *lines, hands[flip]]
    return "\n".join([*lines, words.to_move.format(called[board.white_to_move])])


def _right(text: str, columns: int) -> str:
    return " " * (columns - width(text)) + text


def _hand(held: Sequence[tuple[str, str, int]], language: str, nothing: str) -> str:
    """The men in hand, of which sign, name and count are given."""
    if language == "ja":
        return "　".join(sign + (NUMERALS[count] if count > 1 else "") for sign, _, count in held) or nothing
    return ", ".join(f"{sign} {name}" + (f" ×{count}" if count > 1 else "") for sign, name, count in held) or nothing
