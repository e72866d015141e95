"""Boards as a person sees them."""
from __future__ import annotations

from kifu.draw.text import board_text, width

__all__ = ["board_text", "width"]
