"""The animals of western text where they are not read as moves: misspelt, in small letters, or taken for a remark.

The names themselves are in `grammars/western.lark`, which alone decides what is a move.
"""
from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches

from kifu.notation.western_styles import STYLES

#: The names of each style, a promoted chick's among them, without the ``+`` of other promoted ones.
_BY_STYLE = {style: {name for name in STYLES[style].names.values() if name.isalpha()}
             for style in ("animals", "animals-cs")}
NAMES = tuple(sorted(name for names in _BY_STYLE.values() for name in names))
#: The name in a move: all letters before the square, but for the sign of a capture.
_WORD = re.compile(r"[^\W\d_]+?(?=x?[-*0-9 ]|$)")
#: A word, and what makes it a move: a square behind it.
_MOVE_LIKE = re.compile(r"\+?([^\W\d_]{3,12}?)((?:[1-9][1-9a-i])?[-x*:]?[1-9][1-9a-i](?![^\W_])[+=]?)")
#: A bracket that begins with a move of an animal: as it begins with a word, the grammar takes it for a remark.
REMARK = re.compile(rf"\([ \t\r\n]*\+?(?:{'|'.join(NAMES)})[-x*1-9][^()]*\)")


def _plain(word: str) -> str:
    """A word in small letters without diacritics."""
    return "".join(char for char in unicodedata.normalize("NFD", word.lower()) if not unicodedata.combining(char))


_PLAIN = {_plain(name): name for name in NAMES}


def meant(text: str, start: int = 0) -> str:
    """The move that was probably meant by one whose animal is misspelt; "" where no name is near.

    >>> meant("Elefantx2b+"), meant("kurě-7f"), meant("Tiger-7f")
    ('Elephantx2b+', 'Kuře-7f', '')
    """
    match = _MOVE_LIKE.match(text, start)
    if match is None:
        return ""
    near = get_close_matches(_plain(match[1]), _PLAIN, 1, 0.78)
    return f"{'+' if text[start] == '+' else ''}{_PLAIN[near[0]]}{match[2]}" if near else ""


def misspelt(text: str, start: int) -> int:
    """Where the move ends that begins at ``start`` and whose animal is misspelt; 0 where there is none."""
    match = _MOVE_LIKE.match(text, start)
    return match.end() if match is not None and meant(text, start) else 0


def style_of(moves: Iterable[str]) -> str | None:
    """The style in which all of some moves are spelled, `animals` or `animals-cs`; None where it is neither.

    >>> style_of(["Kuře-7f", "Slepicex2b"]), style_of(["Chick-7f", "Kuře-3d"]), style_of([])
    ('animals-cs', None, None)
    """
    words = {match[0] for move in moves for match in [_WORD.search(move)] if match is not None}
    return next((style for style, names in _BY_STYLE.items() if words and words <= names), None)
