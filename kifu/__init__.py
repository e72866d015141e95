"""Shogi game records: read, prove, convert and query.

>>> import kifu
>>> game = kifu.replay(kifu.parse("position startpos moves 7g7f 3c3d")[0])
>>> game.verdict, game.plies
('legal', 2)

Everything named in ``__all__`` is loaded when it is first used, so that importing the package costs next to nothing.
"""
from importlib import import_module
from typing import TYPE_CHECKING, Any

from kifu import _core

if TYPE_CHECKING:
    from kifu.api import convert, detect, notate, parse, read, replay, write
    from kifu.diagnostics import Diagnostic
    from kifu.draw import board_svg, board_text
    from kifu.knowledge import Tag, tags
    from kifu.notation.annotations import Annotation, annotations
    from kifu.problems import solve
    from kifu.record import Game, Record
    from kifu.rules.api import Move, Position
    from kifu.store.database import connect

__version__ = "0.1.0"
__all__ = [
    "Annotation", "Diagnostic", "Game", "Move", "Position", "Record", "Tag",
    "annotations", "board_svg", "board_text", "connect", "convert", "detect", "notate", "parse", "read", "replay",
    "solve", "tags", "write",
]

_WHERE = {
    "Annotation": "kifu.notation.annotations", "annotations": "kifu.notation.annotations",
    "Diagnostic": "kifu.diagnostics",
    "board_svg": "kifu.draw", "board_text": "kifu.draw",
    "Game": "kifu.record", "Record": "kifu.record",
    "Move": "kifu.rules.api", "Position": "kifu.rules.api",
    "Tag": "kifu.knowledge", "tags": "kifu.knowledge",
    "connect": "kifu.store.database",
    "solve": "kifu.problems",
}

_core.install()


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'kifu' has no attribute {name!r}")
    value = getattr(import_module(_WHERE.get(name, "kifu.api")), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
