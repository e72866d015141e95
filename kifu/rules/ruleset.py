"""A kind of shogi as data: the board, the men and how they go, zones, duties and bars.

Nothing here computes with positions. `kifu.rules.tables` turns a ruleset into the flat arrays that the engine reads,
so another board (up to 12 x 12) or another man is another table in `kifu.rules.variants`, not another engine.

To add a kind of shogi copy the file in `kifu.rules.variants` that is nearest to it, change what differs, and name the
file in the list of `kifu.rules.variants`. A `Kind` says how a man goes and what binds it; the `Ruleset` says what binds
them all. What is left out is as in most kinds of shogi:

>>> lance = Kind(2, "L", "lance", slides(AHEAD), promoted=steps(*ORTHOGONAL), promoted_name="crown", must_promote=1)
>>> rules = Ruleset("small", "small shogi", files=3, ranks=4, initial="lkl/3/3/LKL b - 1",
...                 kinds=(lance, Kind(8, "K", "king", steps(*COMPASS), royal=True)), zone=1, hand_order="L")
>>> rules.piece_name(2 | 32)
'crown'

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

#: What else is said of a way; 0 for an ordinary one.
NO_CAPTURE = 1  # it is gone only where nothing is taken
CAPTURE_ONLY = 2  # it is gone only to take
HOP = 4  # a line on which exactly one man, of either side, must be leapt over; ``length`` counts from the start
ON_OR_BACK = 8  # a step that may be followed by a second one, on in the same direction or back (horned falcon)
AND_ANY = 16  # a step that may be followed by a second one in any direction (lion)

#: When men turn over (`Ruleset.promotion`).
AT_ZONE = "zone"  # a move that starts or ends in the zone may promote, as in shogi
EACH_MOVE = "move"  # every move turns the man over, back again too (kyoto)
EACH_CAPTURE = "capture"  # every capture turns the man over, back again too; nothing else does (micro)
ON_ENTRY = "entry"  # entering the zone may promote, and a capture that starts or ends in it (chu)

#: What becomes of men taken (`Ruleset.drops`).
PLAIN = "plain"  # they are dropped unpromoted
EITHER_FACE = "either"  # they are dropped with either face up
NO_DROPS = "none"  # they are out of the game

#: What the repetition of a position means (`Ruleset.repetition`); described in `kifu.rules.repetition`.
FOURTH, FOURTH_SECOND_WINS, FOURTH_LOSES, THIRD_BARRED, STARTER_VARIES = (
    "fourth", "fourth-second-wins", "fourth-loses", "third-barred", "starter-varies")


class Way(NamedTuple):
    """One way to go: a step (or leap, where the direction is longer than one square) or a slide of up to ``length``."""

    direction: Direction
    length: int = 1
    manner: int = 0


def steps(*directions: Direction) -> tuple[Way, ...]:
    """Single steps, or leaps, in the directions."""
    return tuple(Way(direction) for direction in directions)


def slides(*directions: Direction, length: int = FAR) -> tuple[Way, ...]:
    """Slides in the directions, as far as the way is free or up to ``length`` squares."""
    return tuple(Way(direction, length) for direction in directions)


def hops(*directions: Direction, length: int = FAR) -> tuple[Way, ...]:
    """Lines on which exactly one man must be leapt over; with the length 2 it is a neighbour, and the leap ends behind.
    """
    return tuple(Way(direction, length, HOP) for direction in directions)


def only(manner: int, ways: tuple[Way, ...]) -> tuple[Way, ...]:
    """The same ways, bound by a manner more: ``only(NO_CAPTURE, slides(AHEAD))`` takes nothing."""
    return tuple(way._replace(manner=way.manner | manner) for way in ways)


class Kind(NamedTuple):
    """A kind of man: its number and its SFEN letter (see `kifu.movetext.NUMBERS`), both faces, and what binds it."""

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
    always_promotes: bool = False  # it promotes whenever it may
    late: int = 0  # with `ON_ENTRY`: it may promote on any move to one of this many last ranks
    crowned: bool = False  # its promoted face is royal, where royal men may be taken
    lion: str = ""  # P, + or P+: the plain face, the promoted one or both are lions, which lions take under conditions
    trifle: bool = False  # to take it on the way does not free a lion to take a guarded lion


class Handicap(NamedTuple):
    """A named start: key, Japanese and English name, SFEN.

    ``other_sfens`` are other readings of the same name, to be tried where a game is not legal from ``sfen``.
    """

    key: str
    ja: str
    en: str
    sfen: str
    aliases: tuple[str, ...] = ()  # read, never written
    other_sfens: tuple[str, ...] = ()


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
    key_number: int = 0  # mixed into position keys and never given twice; 0 mixes in nothing (standard shogi)
    options: Mapping[str, str] = MappingProxyType({})  # rule options and their defaults, by name
    promotion: str = AT_ZONE
    drops: str = PLAIN
    royals_taken: bool = False  # check binds nobody; who has lost its last royal man has lost the game
    bare_king: bool = False  # who has nothing but one royal man has lost too (see `kifu.rules.outcome`)
    repetition: tuple[str, ...] = (FOURTH,)  # the default, and the others that can be chosen
    handicaps: tuple[Handicap, ...] = ()  # White gives them and moves first
    source: str = ""  # where the rules come from
    ja: str = ""  # the name in Japanese, as KIF puts it into 手合割
    #: A face as SFEN writes Black's -> its words in KIF, a blank between them: that of moves, that of boards and hands
    #: where it is another, further ones that are read. A face without words goes by its letter. On boards no two faces
    #: have one word; none has digits, brackets or signs in it.
    kanji: Mapping[str, str] = MappingProxyType({})
    #: The same -> its names in western text where the SFEN letter is not the only one, a blank between them: first the
    #: one that is written. They have at most three letters, none of them an x. `+` and a name is the promoted face.
    western: Mapping[str, str] = MappingProxyType({})
    ja_others: tuple[str, ...] = ()  # other names in Japanese that KIF gives it; read, never written


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
        """What has been worked out from these data and is kept to be used again (see `kifu.rules.sfen`).

        Texts and tuples of numbers are rows of boards, which anybody may write; everything else goes by the function
        or class that keeps it, so that no text can stand in its place.
        """
        return {}

    @property
    def turns_back(self) -> bool:
        """Whether promoted men turn back to their plain face."""
        return self.promotion in (EACH_MOVE, EACH_CAPTURE)

    @cached_property
    def moves_twice(self) -> bool:
        """Whether there are men that move twice in one turn."""
        return any(way.manner & (ON_OR_BACK | AND_ANY) for piece in self.pieces for way in self.ways(piece))

    def ways(self, piece: int) -> tuple[Way, ...]:
        """How a piece (kind and face) goes, seen by Black."""
        kind = self.by_number[piece & KIND_FIELD]
        return (kind.promoted or ()) if piece & PROMOTED else kind.ways

    def is_royal(self, piece: int) -> bool:
        """Whether a piece number is royal: a king, or what counts as one."""
        kind = self.by_number[piece & KIND_FIELD]
        return kind.crowned if piece & PROMOTED else kind.royal

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
