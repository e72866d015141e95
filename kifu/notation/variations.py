"""The moves of a principal variation, as comments spell them, proven on a board.

Engines' lines stand in comments in the spelling of the program that wrote them: CSA (`+7776FU`), USI (`7g7f`) or
Japanese with a side sign (`▲７六歩(77)`, `△同　銀右`). One move at a time becomes a move text; the position decides.
"""
from __future__ import annotations

import re
from collections.abc import Iterable

from kifu import movetext
from kifu.movetext import PROMOTED, pack
from kifu.notation.csa import NUMBERS
from kifu.rules.move import from_usi
from kifu.rules.position import Position

_CSA = re.compile(r"([+-])(00|[1-9]{2})([1-9])([1-9])([A-Z]{2})")
_USI = re.compile(r"(?:[1-9][a-i]|[PLNSGBR]\*)[1-9][a-i]\+?")
_JAPANESE = re.compile(
    r"[▲△▼▽☗☖](?:([1-9１-９])([一二三四五六七八九1-9１-９])|同)[ 　]*"
    r"(成銀|成桂|成香|[玉王飛龍竜角馬金銀全桂圭香杏歩と])([左右直上行入寄引]*)(不成|成|打)?(?:[(（]([1-9])([1-9])[)）])?")
_DIGITS = {char: number for digits in ("123456789", "１２３４５６７８９", "一二三四五六七八九")
           for number, char in enumerate(digits, 1)}
_PIECES = {
    "歩": movetext.PAWN, "香": movetext.LANCE, "桂": movetext.KNIGHT, "銀": movetext.SILVER, "金": movetext.GOLD,
    "角": movetext.BISHOP, "飛": movetext.ROOK, "玉": movetext.KING, "王": movetext.KING,
    "と": movetext.PAWN | PROMOTED, "成香": movetext.LANCE | PROMOTED, "杏": movetext.LANCE | PROMOTED,
    "成桂": movetext.KNIGHT | PROMOTED, "圭": movetext.KNIGHT | PROMOTED, "成銀": movetext.SILVER | PROMOTED,
    "全": movetext.SILVER | PROMOTED, "馬": movetext.BISHOP | PROMOTED, "龍": movetext.ROOK | PROMOTED,
    "竜": movetext.ROOK | PROMOTED,
}
_MARKS = {
    "左": movetext.LEFT, "右": movetext.RIGHT, "直": movetext.STRAIGHT, "上": movetext.UP, "行": movetext.UP,
    "入": movetext.UP, "寄": movetext.SIDEWAYS, "引": movetext.BACK, "成": movetext.PROMOTE,
    "不成": movetext.DECLINE, "打": movetext.DROP,
}


def move_text(word: str) -> int | None:
    """One move of a variation as a move text, None where it is spelled in no way known here.

    >>> move_text("▲７六歩(77)") == pack((7, 6), (7, 7), movetext.PAWN)
    True
    """
    if match := _CSA.fullmatch(word):
        sign, origin, file, rank, name = match.groups()
        if name not in NUMBERS:
            return None
        flags = movetext.PIECE_AFTER | movetext.SIDE_BINDS
        flags |= movetext.BLACK_SIDE if sign == "+" else movetext.WHITE_SIDE
        if origin == "00":
            return pack((int(file), int(rank)), piece=NUMBERS[name], flags=flags | movetext.DROP)
        return pack((int(file), int(rank)), (int(origin[0]), int(origin[1])), NUMBERS[name], flags)
    if match := _JAPANESE.fullmatch(word):
        file, rank, name, marks, last, from_file, from_rank = match.groups()
        flags = movetext.SAME if file is None else 0
        for mark in (*marks, *([last] if last else ())):
            flags |= _MARKS[mark]
        if not from_file:
            flags |= movetext.DROP_IF_NONE
        return pack((_DIGITS[file], _DIGITS[rank]) if file else (0, 0),
                    (int(from_file), int(from_rank)) if from_file else (0, 0), _PIECES[name], flags)
    return from_usi(word) if _USI.fullmatch(word) else None


def proven(position: Position, words: Iterable[str]) -> list[int]:
    """The packed moves of a variation from a position, up to the first word that is no legal move there.

    The position is left as it was.
    """
    board = position.copy()
    moves = []
    for word in words:
        text = move_text(word)
        move = board.resolve(text) if text is not None else -1
        if move < 0:
            break
        moves.append(move)
        board.play(move)
    return moves
