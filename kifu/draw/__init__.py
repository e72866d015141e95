"""Boards as a person sees them: as text and as pictures, with the piece set that is wanted."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kifu.draw.text import board_text, width

if TYPE_CHECKING:
    from kifu.draw.pieces import PIECE_SETS, PieceSet, piece_set
    from kifu.draw.svg import board_svg
    from kifu.draw.words import LANGUAGES

__all__ = ["LANGUAGES", "PIECE_SETS", "PieceSet", "board_svg", "board_text", "piece_set", "width"]
_WHERE = {"LANGUAGES": "words", "PIECE_SETS": "pieces", "PieceSet": "pieces", "piece_set": "pieces", "board_svg": "svg"}


def __getattr__(name: str) -> Any:
    """What only those need who draw: everyone who underlines a finding needs `width`."""
    from importlib import import_module

    if name not in _WHERE:
        raise AttributeError(f"module 'kifu.draw' has no attribute {name!r}")
    return getattr(import_module(f"kifu.draw.{_WHERE[name]}"), name)
