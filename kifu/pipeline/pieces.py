"""A long text in pieces that end between two games, so that a file of a million games needs the memory of a few.

A piece is cut only where the reader of the notation would begin a new record in any case; a notation that has no such
place, or a text without one, is read whole.
"""
from __future__ import annotations

import re
from collections.abc import Iterator

#: A text longer than twice this is cut into pieces of about this many characters.
SIZE = 1 << 20
#: The headers with which a game of the KIF family may begin.
HEADERS = r"(?:開始日時|手合割|棋戦|先手|後手|下手|上手|対局日|表題|場所|対局ID)(?:：|:)"
#: What stands before the border between two games; the border is the end of the match. Compiled where it is needed.
#: Japanese stands outside of character classes, so that `in_bytes` can spell it in any encoding.
BORDERS = {
    "csa": r"(?m)^/[ \t]*\r?\n",
    "usi": r"\n(?=position |startpos|sfen )",
    "sfen": r"\n(?=position |startpos|sfen )",
    # a move line or まで, and then the headers of another game
    "kif": (r"(?m)^(?:(?:[ \t]|　)*[0-9]+(?:[ \t]|　)|まで)[^\n]*\n(?:[ \t\r]*\n)*"
            r"(?=#KIF|" + HEADERS + ")"),
    "ki2": (r"(?m)^(?:▲|△|まで)[^\n]*\n(?:[ \t\r]*\n)*(?=#KI2|" + HEADERS + ")"),
}


def pieces(text: str, notation: str, size: int = SIZE) -> Iterator[tuple[int, str]]:
    """The parts of a text with the offset of each; together they are the text.

    >>> list(pieces("PI\\n+\\n/\\nPI\\n+\\n/\\nPI\\n-\\n", "csa", size=5))
    [(0, 'PI\\n+\\n/\\n'), (7, 'PI\\n+\\n/\\n'), (14, 'PI\\n-\\n')]
    """
    start = 0
    while notation in BORDERS and len(text) - start > 2 * size:
        found = re.compile(BORDERS[notation]).search(text, _line_start(text, start + size))
        if found is None:
            break
        yield start, text[start:found.end()]
        start = found.end()
    yield start, text[start:] if start else text


def in_bytes(notation: str, encoding: str) -> re.Pattern[bytes]:
    """The border of a notation as it stands in the bytes of an encoding.

    It can be told there because a line starts behind a line end and nowhere else (see `kifu.text.CUTTABLE`).
    """
    spelled = "utf-8" if encoding == "ascii" else encoding
    return re.compile(b"".join(char.encode() if char.isascii() else b"(?:%b)" % re.escape(char.encode(spelled))
                               for char in BORDERS[notation]))


def _line_start(text: str, offset: int) -> int:
    return text.rfind("\n", 0, offset) + 1
