"""A kind of shogi as data: the board, the men and how they go, zones, duties and bars.

Nothing here computes with positions. `kifu.rules.tables` turns a ruleset into the flat arrays that the engine reads,
so another board (up to 12 x 12) or another man is another table in `kifu.rules.variants`, not another engine.

Directions are seen by Black, who plays towards rank 1: `AHEAD` is one rank less, `LEFT` one file more. White's are the
same turned by half a circle.
"""
from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any

from kifu._tuples import NamedTuple
from kifu.movetext import KIND_FIELD, PROMOTED

BLACK, WHITE = 0, 1

Direction = tuple[int, int]  # change of file, change of rank
AHEAD: Direction = (0, -1)
BACK: Direction = (0, 1)
LEFT: Direction = (1, 0)
RIGHT: Direction = (-1, 0)
AHEAD_LEFT: Direction = (1, -1)
AHEAD_RIGHT: Direction = (-1, -1)
BACK_LEFT: Direction = (1, 1)
BACK_RIGHT: Direction = (-1, 1)
ORTHOGONAL = (AHEAD, LEFT, RIGHT, BACK)
DIAGONAL = (AHEAD_LEFT, AHEAD_RIGHT, BACK_LEFT, BACK_RIGHT)
COMPASS = ORTHOGONAL + DIAGONAL

FAR = 0  # the length of a slide that only the board's edge or a man ends


class Way(NamedTuple):
    """One way to go: a step (or leap, where the direction is longer than one square) or a slide of up to ``length``."""

    direction: Direction
    length: int = 1


def steps(*directions: Direction) -> tuple[Way, ...]:
    """Single steps, or leaps, in the directions."""
    return tuple(Way(direction) for direction in directions)


def slides(*directions: Direction, length: int = FAR) -> tuple[Way, ...]:
    """Slides in the directions, as far as the way is free or up to ``length`` squares."""
    return tuple(Way(direction, length) for direction in directions)


class Kind(NamedTuple):
    """A kind of man: its number (see `kifu.movetext`), its SFEN letter, both faces, and what binds it."""

    number: int
    letter: str
    name: str
    ways: tuple[Way, ...]
    promoted: tuple[Way, ...] | None = None  # how the promoted face goes; None: it never promotes
    promoted_name: str = ""
    men: int = 0  # how many of the kind a full set has, both sides together
    royal: bool = False  # it may not be left in check, and it is never taken or dropped
    must_promote: int = 0  # it promotes when it goes to one of this many last ranks
    no_drop: int = 0  # it is not dropped on this many last ranks
    per_file: int = 0  # it is not dropped on a file that already holds this many own unpromoted ones; 0: no such bar
    mates_by_drop: bool = True  # False: dropping it may not mate
    points: int = 1  # worth when an impasse is counted


class _Fields(NamedTuple):
    """What a ruleset is made of."""

    key: str
    name: str
    files: int
    ranks: int
    initial: str  # SFEN
    kinds: tuple[Kind, ...]
    zone: int  # how many of the last ranks are the promotion zone
    hand_order: str  # the order of the letters of a hand in SFEN
    key_number: int = 0  # mixed into position keys; 0 mixes in nothing (standard shogi)
    options: Mapping[str, str] = MappingProxyType({})  # rule options and their defaults, by name


class Ruleset(_Fields):
    """A kind of shogi."""

    @cached_property
    def by_number(self) -> dict[int, Kind]:
        """Kind number -> kind."""
        return {kind.number: kind for kind in self.kinds}

    @cached_property
    def by_letter(self) -> dict[str, Kind]:
        """Upper-case SFEN letter -> kind."""
        return {kind.letter: kind for kind in self.kinds}

    @cached_property
    def pieces(self) -> tuple[int, ...]:
        """All piece numbers: each kind, and its promoted face where it has one."""
        plain = [kind.number for kind in self.kinds]
        return tuple(plain + [kind.number | PROMOTED for kind in self.kinds if kind.promoted is not None])

    @cached_property
    def memory(self) -> dict[Any, Any]:
        """What has been worked out from these data and is kept to be used again (see `kifu.rules.sfen`)."""
        return {}

    def ways(self, piece: int) -> tuple[Way, ...]:
        """How a piece (kind and face) goes, seen by Black."""
        kind = self.by_number[piece & KIND_FIELD]
        return (kind.promoted or ()) if piece & PROMOTED else kind.ways

    def piece_name(self, piece: int) -> str:
        """The English name of a piece number, for messages."""
        kind = self.by_number.get(piece & KIND_FIELD)
        if kind is None or (piece & PROMOTED and kind.promoted is None):
            return f"piece {piece}"
        return kind.promoted_name if piece & PROMOTED else kind.name

    def letter(self, piece: int) -> str:
        """A piece number as SFEN writes it for Black: ``P``, ``+R``."""
        kind = self.by_number[piece & KIND_FIELD]
        return f"+{kind.letter}" if piece & PROMOTED else kind.letter
