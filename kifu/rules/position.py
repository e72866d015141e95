"""A position: the engine's face to the rest of the package.

The work is done by its base classes, one on the other and all compiled: `Board` holds, plays and takes back,
`Generator` finds all moves, `Resolver` judges one.
"""
from __future__ import annotations

from functools import cache

from kifu.rules import sfen as _sfen
from kifu.rules.resolve import Resolver
from kifu.rules.ruleset import Ruleset
from kifu.rules.sfen import PositionError
from kifu.rules.tables import Tables
from kifu.rules.variants import RULESETS

__all__ = ["Position", "PositionError"]

_KEPT = 64
_set_up: dict[tuple[str, str], Resolver] = {}  # positions set up before: games mostly start from a few


@cache
def tables_of(variant: str) -> Tables:
    """The flat arrays of a kind of shogi. Raises ValueError for one that is not known."""
    if variant not in RULESETS:
        raise ValueError(f"{variant!r} is no kind of shogi known here; known: {', '.join(RULESETS)}")
    return Tables(RULESETS[variant])


class Position(Resolver):
    """A position on which moves are resolved, proven, played and taken back.

    ``sfen`` is the position as text, by default the initial one. Raises `PositionError`, a ValueError, on a text that
    is no position.

    >>> position = Position()
    >>> from kifu.rules.move import from_usi, usi
    >>> usi(position.resolve(from_usi("7g7f")))
    '7g7f'
    """

    __slots__ = ()

    def __init__(self, sfen: str | None = None, variant: str = "shogi") -> None:
        tables = tables_of(variant)
        text = tables.rules.initial if sfen is None or sfen == "startpos" else sfen
        known = _set_up.get((text, variant))
        if known is None:
            known = Resolver(tables)
            _sfen.set_up(known, text)
            if len(_set_up) >= _KEPT:
                _set_up.clear()
            _set_up[text, variant] = known
        known.copy_to(self)

    @property
    def rules(self) -> Ruleset:
        """The kind of shogi."""
        rules: Ruleset = self.tables.rules
        return rules

    def sfen(self, ply: int | None = None) -> str:
        """The position as SFEN; the move number is that of the next move unless another is given."""
        return _sfen.written(self, self.ply if ply is None else ply)

    def piece_at(self, file: int, rank: int) -> int:
        """What stands on a square: 0 (also off the board), or the piece number, plus 64 for White."""
        rules = self.rules
        if not (1 <= file <= rules.files and 1 <= rank <= rules.ranks):
            return 0
        piece: int = self.man((file - 1) * rules.ranks + rank - 1)
        return piece

    def copy(self) -> Position:
        """A position of its own, history included."""
        other = Position.__new__(Position)
        self.copy_to(other)
        return other

    def is_check(self) -> bool:
        """Whether the side to move stands in check."""
        return bool(self.checked)

    def is_checkmate(self) -> bool:
        """Whether the side to move stands in check and has no legal move."""
        return bool(self.checked) and not self.has_legal_move()
