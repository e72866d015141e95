"""What people type in place of what they mean: hints for text that could not be read. Nothing is ever repaired.

A reader asks for a hint when a line, a move or an end word is beyond its grammar; the finding then says what it was
probably meant to be. Which characters pass for which: scanning errors (卜 for と), the wrong input mode (ニ for 二,
full width for half width), and slips of the hand (六７歩 for ７六歩).

>>> hint("   3 ７ニ歩(73)", "kif")
'ニ (katakana) stands where 二 (the numeral) is meant'
>>> hint("+7776fu", "csa")
'CSA is written in upper case: +7776FU'
"""
from __future__ import annotations

import re
import unicodedata
from difflib import get_close_matches

from kifu import ends

#: End words that people mistype, by their look or their sound -> the word meant.
END_WORDS = {
    "先日手": "千日手", "干日手": "千日手", "千日千": "千日手", "投子": "投了", "投丁": "投了", "投リ": "投了",
    "特将棋": "持将棋", "待将棋": "持将棋", "侍将棋": "持将棋", "反側負け": "反則負け", "反側勝ち": "反則勝ち",
    "卜ライ": "トライ", "語み": "詰み", "誥み": "詰み", "中段": "中断",
}
#: A character in a Japanese move -> what it is, what is meant, what that is.
_IN_MOVES = {
    "卜": ("the kanji for fortune-telling", "と", "the promoted pawn"),
    "ﾄ": ("half-width katakana", "と", "the promoted pawn"),
    "ニ": ("katakana", "二", "the numeral"), "ハ": ("katakana", "八", "the numeral"),
    "ミ": ("katakana", "三", "the numeral"), "口": ("the kanji for mouth", "四", "the numeral"),
    "ー": ("the mark of a long vowel", "一", "the numeral"), "—": ("a dash", "一", "the numeral"),
    "―": ("a dash", "一", "the numeral"), "－": ("a full-width hyphen", "一", "the numeral"),
    "−": ("a minus sign", "一", "the numeral"), "-": ("a hyphen", "一", "the numeral"),
    "力": ("the kanji for strength", "カ", "katakana"), "夕": ("the kanji for evening", "タ", "katakana"),
    "工": ("the kanji for craft", "エ", "katakana"), "巾": ("the kanji for cloth", "香", "a lance"),
    "佳": ("another kanji", "桂", "a knight"), "挂": ("another kanji", "桂", "a knight"),
    "杳": ("another kanji", "香", "a lance"), "銅": ("another kanji", "銀", "a silver"),
    "竃": ("another kanji", "竜", "a dragon"),
    "大": ("another kanji", "六", "the numeral"), "人": ("another kanji", "八", "the numeral"),
    "入": ("another kanji", "八", "the numeral"), "士": ("another kanji", "王", "a king"),
    "馮": ("another kanji", "馬", "a horse"), "歨": ("another kanji", "歩", "a pawn"),
    "步": ("another form", "歩", "a pawn"), "飞": ("another form", "飛", "a rook"),
}
_RANKS = "一二三四五六七八九"
_SWAPPED = re.compile(rf"([{_RANKS}])([1-9１-９])(?=[歩香桂銀金角飛玉王と成馬龍竜杏圭全])")
_NUMERAL_FILE = re.compile(rf"([{_RANKS}])([{_RANKS}])(?=[歩香桂銀金角飛玉王と成馬龍竜杏圭全])")
_LONE_SQUARE = re.compile(rf"[1-9１-９][{_RANKS}][歩香桂銀金角飛玉王と成馬龍竜杏圭全]")
_MOVE_BEGINS = re.compile(rf"[0-9０-９{_RANKS}同仝▲△▼▽☗☖]")
_DASHES = frozenset("ー—―－−-")
_FILES = frozenset("123456789１２３４５６７８９")
_CSA_MOVE = re.compile(r"[-+][0-9]{4}[A-Z]{2}")
_ZERO = re.compile(r"(?<=[-+0-9OoQ〇○])[OoQ〇○](?=[0-9A-Zo〇○])|(?<=[0-9])[OoQ〇○]")
_WESTERN_MOVE = re.compile(r"\+?[PLNSGBRKTDH](?:[1-9](?:[a-i]|[1-9]))?[-x*'](?:[1-9](?:[a-i]|[1-9]))[+=]?")
_LOUD_USI = re.compile(r"(?<![A-Za-z0-9])[1-9][A-I][1-9][A-Ia-i](?![A-Za-z0-9])")
_KIF_LIKE = frozenset({"kif", "ki2", "bod"})
#: No longer text is looked at: a hint is for a line that a person wrote.
LONGEST = 200


def end_word(word: str) -> str:
    """The end word that was probably meant, "" where none is near.

    >>> end_word("先日手"), end_word("千日手だ"), end_word("foo")
    ('千日手', '千日手', '')
    """
    if word in END_WORDS:
        return END_WORDS[word]
    if len(word) > 12:
        return ""
    near = get_close_matches(word, ends.KIF_WORDS, 1, 0.75)
    return near[0] if near else ""


def hint(text: str, notation: str) -> str:
    """What a text that could not be read was probably meant to be, in one sentence; "" where nothing is known.

    ``notation`` is the one it was read as.
    """
    text = text.strip(" \t　")[:LONGEST]
    if notation in _KIF_LIKE:
        return _japanese(text)
    if notation == "csa":
        return _csa(text)
    if notation == "western" or notation == "psn":
        return _western(text)
    return _wide(text, notation)


def _japanese(text: str) -> str:
    """A line of KIF or KI2."""
    words = text.lstrip("0123456789 　\t").split()
    if words and words[0] in END_WORDS:
        return f"did you mean {END_WORDS[words[0]]}?"
    if match := _SWAPPED.search(text):
        rank, file = match.groups()
        return f"the file comes before the rank: {file}{rank}"
    if not _MOVE_BEGINS.match(text):
        return ""
    move = text.partition("(")[0].lstrip("0123456789")
    before = ""
    for char in move:
        if char in _IN_MOVES and (char not in _DASHES or before in _FILES):
            what, meant, that = _IN_MOVES[char]
            return f"{char} ({what}) stands where {meant} ({that}) is meant"
        before = char
    if match := _NUMERAL_FILE.search(text):
        file, rank = match.groups()
        return f"the file is written as a digit: {_RANKS.index(file) + 1}{rank}"
    if "仝" in text and _LONE_SQUARE.search(text.replace("仝", "")):
        return "仝 behind a square is a promoted lance; 同 is the sign for the same square"
    return ""


def _csa(text: str) -> str:
    """A statement of CSA."""
    half = unicodedata.normalize("NFKC", text).replace("−", "-").replace("‐", "-").replace("ー", "-")
    if half != text and not text.isascii() and re.match(r"[-+%PTNV$']", half):
        return f"CSA is written in half-width characters: {half}"
    upper = text.upper()
    if upper != text and (_CSA_MOVE.match(upper) or re.match(r"%[A-Z_]+|P[1-9I+-]", upper)):
        return f"CSA is written in upper case: {upper}"
    zeros = _ZERO.sub("0", text)
    if zeros != text and re.match(r"[-+][0-9]{4}", zeros):
        return f"the letter O stands where the digit 0 is meant: {zeros}"
    if re.match(r"[-+][0-9]{4}(?:T0|0U)", text):
        return f"the digit 0 stands where the letter O is meant: {text[:5]}{text[5:].replace('0', 'O')}"
    return ""


def _western(text: str) -> str:
    """A piece of western move text."""
    half = unicodedata.normalize("NFKC", text)
    if half != text and half.isascii():
        return f"western moves are written in half-width characters: {half}"
    if text[:1].islower():
        upper = text[:1].upper() + text[1:]
        if _WESTERN_MOVE.match(upper):
            return f"pieces are written in upper case: {upper}"
    from kifu.notation.animals import meant

    animal = meant(text)
    return f"did you mean {animal}?" if animal else ""


def _wide(text: str, notation: str) -> str:
    """Full-width characters in a notation that is ASCII, and squares of USI in upper case."""
    if move := _LOUD_USI.search(text):
        return f"squares of USI are written in lower case: {move[0].lower()}"
    half = unicodedata.normalize("NFKC", text)
    if half != text and half.isascii():
        return f"{notation.upper()} is written in half-width characters: {half}"
    return ""
