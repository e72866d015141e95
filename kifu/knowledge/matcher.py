# cython: language_level=3, annotation_typing=False
"""The matcher: which entries a game reaches, for which side, and when.

The board is left to `kifu.knowledge.scan`, which tells when a way to stand comes true and when it ceases to. Here those
events meet what else an entry asks for: other entries, plies, what stood before. Every entry is there twice, for Black
and, turned, for White.
"""
from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from kifu import ends
from kifu._tuples import NamedTuple
from kifu.knowledge import scan
from kifu.knowledge.patterns import Entry, PatternFile, Patterns, load
from kifu.knowledge.positions import Condition, Literals
from kifu.knowledge.scan import PLY_SHIFT, WAY_FIELD, WAY_SHIFT
from kifu.rules.position import Position
from kifu.rules.variants.shogi import RULES

if TYPE_CHECKING:
    from kifu.record import Game

LAST_SQUARE = 80
COLOURS = (ends.BLACK, ends.WHITE)
BOTH = "both"
#: How many different start positions are remembered before remembering begins anew.
MOST_STARTS = 256


class Tag(NamedTuple):
    """A castle or an opening that a game reached.

    ``side`` is ``black``, ``white``, or ``both`` where it is told of the game as a whole; ``ply`` how many moves had
    been played when it first stood. ``implied`` where an entry was reached too that lists this one among its parents,
    so that who wants only the most special ones leaves those out.
    """

    side: str
    kind: str
    key: str
    ja: str
    en: str
    ply: int
    implied: bool


class _Way(NamedTuple):
    """One way to reach a slot: facts about the board and their values, and what else must be so."""

    slot: int
    facts: dict[int, bool]
    needed: tuple[int, ...]  # slots that must be reached
    barred: tuple[int, ...]  # slots that must not have been before this move
    first: int
    last: int


class _Start(NamedTuple):
    """A start position: where following a game begins."""

    state: array[int]
    standing: frozenset[int]  # the ways that stand in it
    plies: dict[int, int]  # the slots reached in it: 0
    out: frozenset[int]  # slots that no game from here can reach
    white: bool  # moves first


class Matcher:
    """Finds the entries of a set of patterns in games of standard shogi.

    A slot is an entry for one colour: 2 n for Black and 2 n + 1 for White, with only the first one used where the
    entry is told of both. Behind them stand the slots of positions that must have stood before.
    """

    def __init__(self, patterns: Patterns) -> None:
        self._entries = list(patterns.values())
        self._index = {entry.key: n for n, entry in enumerate(self._entries)}
        self._named = self._slots = 2 * len(self._entries)  # slots of entries, and all slots
        self._openings: set[int] = set()
        ways = [way for n, entry in enumerate(self._entries) for colour in (0, 1)
                if entry.side in ("each", "both", COLOURS[colour]) for way in self._ways_of(n, entry, colour)]
        ways.sort(key=lambda way: not (way.needed or way.first))
        quiet = sum(1 for way in ways if way.needed or way.first)  # the others are never asked whether they still stand
        self._quiet = quiet
        self._rests = [(way.slot, frozenset(way.needed), way.barred, way.first, way.last) for way in ways]
        self._goals = [way.slot for way in ways]
        self._scanner = scan.Scanner([way.facts for way in ways], quiet)
        self._waiting: list[list[int]] = [[] for _ in range(self._slots)]  # by slot: the ways that need it
        for number, way in enumerate(ways[:quiet]):
            for slot in way.needed:
                self._waiting[slot].append(number)
        firsts = sorted({way.first for way in ways if way.first})
        self._due = [(ply, [number for number, way in enumerate(ways) if way.first == ply]) for ply in firsts]
        self._parents = [self._parents_of(slot) if slot < self._named else () for slot in range(self._slots)]
        self._families = [self._family_of(slot) for slot in range(self._slots)]  # each slot with all above it
        self._told = [(BOTH if entry.side == "both" else side, entry.kind, entry.key)
                      for entry in self._entries for side in COLOURS]
        self._starts: dict[str, _Start] = {}

    # --- what is asked of it

    def tags(self, game: Game) -> list[Tag]:
        """All tags of a proven game in the order of their plies; none for other kinds of shogi."""
        found = self.found(game)
        implied = {parent for slot in found for parent in self._parents[slot]}
        tags = []
        for slot, ply in found.items():
            side, kind, key = self._told[slot]
            entry = self._entries[slot >> 1]
            tags.append(Tag(side, kind, key, entry.ja, entry.en, ply, slot in implied))
        return tags

    def rows(self, game: Game) -> tuple[tuple[str, str, str, int], ...]:
        """The same as (side, kind, key, ply), for a database."""
        told = self._told
        return tuple([(*told[slot], ply) for slot, ply in self.found(game).items()])

    def found(self, game: Game) -> dict[int, int]:
        """The slots of entries that the game reaches, each with its first ply, in the order of the plies."""
        if game.variant != RULES.key or not game.start:
            return {}
        return self.follow(game.start, game.moves)

    @property
    def told(self) -> list[tuple[str, str, str]]:
        """What each slot that `follow` gives stands for: side, kind and key."""
        return self._told

    def follow(self, sfen: str, moves: array[int]) -> dict[int, int]:
        """The same for the packed moves of a game of standard shogi from a start position."""
        start = self._starts.get(sfen) or self._start(sfen)
        follower = _Follower(self, start)
        events = self._scanner.events(start.state, moves, start.white)
        goals, quiet, standing, plies = self._goals, self._quiet, follower.standing, follower.plies
        due = [moment for moment in self._due if moment[0] <= len(moves)]
        following = due[0][0] if due else len(moves)
        for event in events:
            ply = event >> PLY_SHIFT
            while following < ply:  # whatever that ply itself brought is known by now
                follower.come(*due.pop(0))
                following = due[0][0] if due else len(moves)
            number = event >> WAY_SHIFT & WAY_FIELD
            if not event & 1:
                standing.discard(number)
                continue
            if number < quiet:
                standing.add(number)
            if goals[number] not in plies:
                follower.consider(ply, (number,))
        for moment in due:
            follower.come(*moment)
        named = self._named
        return {slot: ply for slot, ply in plies.items() if slot < named}

    # --- inside

    def _start(self, start: str) -> _Start:
        """Where following games from a start position begins."""
        position = Position(start, RULES.key)
        facts = [scan.odd_hand(colour, kind.number) for colour in (0, 1) for kind in RULES.kinds
                 if position.hand(colour, kind.number) % 2]
        for square in range(LAST_SQUARE + 1):
            man = position.man(square)
            facts.append(scan.man(man >> 6, man & 63, square) if man else scan.empty(square))
        state, standing = self._scanner.begin(facts)
        fields = start.split(" ")
        usual = RULES.initial.split(" ")
        even = fields[0] == usual[0] and fields[2] == usual[2]  # whoever moves first
        tracked = frozenset(number for number in standing if number < self._quiet)
        blank = _Start(state, tracked, {}, frozenset(() if even else self._openings), fields[1] == "w")
        follower = _Follower(self, blank)
        follower.consider(0, standing)
        if len(self._starts) >= MOST_STARTS:
            self._starts.clear()
        self._starts[start] = found = blank._replace(plies=follower.plies)
        return found

    def _ways_of(self, n: int, entry: Entry, colour: int) -> Iterator[_Way]:
        """The ways of an entry as one side sees it."""
        slot = self._slot(n, colour)
        mine = [slot]
        needed: tuple[int, ...] = ()
        if entry.before is not None:
            earlier = self._slots
            self._slots += 1
            mine.append(earlier)
            needed = (earlier,)
            yield from self._fulfilling(entry.before, colour, _Way(earlier, {}, (), (), 0, entry.last))
        if entry.kind == "opening":
            self._openings.update(mine)
        for condition in entry.positions:
            yield from self._fulfilling(condition, colour, _Way(slot, {}, needed, (), entry.first, entry.last))

    def _fulfilling(self, condition: Condition, colour: int, way: _Way) -> Iterator[_Way]:
        """The ways to fulfil a condition, made from one that says the rest."""
        needed = way.needed + tuple(self._slot(self._index[key], colour ^ other) for key, other in condition.reached)
        barred = tuple(self._slot(self._index[key], colour ^ other) for key, other in condition.barred)
        for literals in condition.alternatives:
            yield way._replace(facts=facts_of(literals, colour), needed=needed, barred=barred)

    def _slot(self, n: int, colour: int) -> int:
        return 2 * n + (colour if self._entries[n].side != "both" else 0)

    def _parents_of(self, slot: int) -> tuple[int, ...]:
        """The slots of an entry's parents: those of both sides where the entry is told of both."""
        entry = self._entries[slot >> 1]
        colours = (0, 1) if entry.side == BOTH else (slot & 1,)
        return tuple(dict.fromkeys(self._slot(self._index[parent], colour)
                                   for parent in entry.parents for colour in colours))

    def _family_of(self, slot: int) -> tuple[int, ...]:
        family = {slot: None}
        waiting = [slot]
        while waiting:
            new = [parent for parent in self._parents[waiting.pop()] if parent not in family]
            family |= dict.fromkeys(new)
            waiting += new
        return tuple(family)


class _Follower:
    """What one game has reached so far: each slot with its ply, in the order of the plies."""

    __slots__ = ("_matcher", "_out", "standing", "plies")

    def __init__(self, matcher: Matcher, start: _Start) -> None:
        self._matcher = matcher
        self._out = start.out
        self.standing = set(start.standing)
        self.plies = start.plies.copy()

    def come(self, ply: int, numbers: Iterable[int]) -> None:
        """A ply has come from which on these ways count: consider those that stand."""
        self.consider(ply, [number for number in numbers if number in self.standing])

    def consider(self, ply: int, numbers: Iterable[int]) -> None:
        """Reach what these ways, which stand, lead to at this ply unless something is against it, and what follows."""
        matcher, plies, out = self._matcher, self.plies, self._out
        waiting = list(numbers)
        while waiting:
            slot, needed, barred, first, last = matcher._rests[waiting.pop()]
            if slot in plies or slot in out or not first <= ply <= last or needed and not plies.keys() >= needed:
                continue
            for other in barred:
                if plies.get(other, ply) < ply:
                    break
            else:
                for one in matcher._families[slot]:
                    if one not in plies and one not in out:
                        plies[one] = ply
                        for number in matcher._waiting[one]:
                            if number in self.standing:
                                waiting.append(number)


def facts_of(literals: Literals, colour: int) -> dict[int, bool]:
    """Literals as facts about the board, turned where the side is White."""
    facts = {}
    for (what, other, kind, place), value in literals.items():
        whose, square = colour ^ other, LAST_SQUARE - place if colour else place
        if what == "hand":
            facts[scan.odd_hand(whose, kind)] = value
        else:
            facts[scan.empty(square) if what == "empty" else scan.man(whose, kind, square)] = value
    return facts


@lru_cache(maxsize=16)
def matcher(more: tuple[PatternFile, ...] = ()) -> Matcher:
    """The matcher of our own patterns and those of more files. Raises `kifu.knowledge.patterns.PatternError`."""
    return Matcher(load(more))


def tags(game: Game, more: Iterable[PatternFile] = ()) -> list[Tag]:
    """The castles and openings of a proven game, both sides, each with the ply at which it first stood.

    >>> import kifu
    >>> moves = "position startpos moves 7g7f 3c3d 6g6f 8c8d 2h6h 7a6b 5i4h 5a4b 4h3h 4b3b 3h2h 6a5b 3i3h"
    >>> for tag in tags(kifu.replay(kifu.parse(moves)[0])):
    ...     if not tag.implied:
    ...         print(tag.ply, tag.side, tag.kind, tag.ja, tag.en)
    4 white opening 居飛車 Static Rook
    5 both opening 対抗形 Static v. Ranging
    5 black opening 四間飛車 Fourth-file Rook
    12 white castle 舟囲い Boat
    13 black castle 片美濃囲い Half Mino
    """
    return matcher(tuple(more)).tags(game)
