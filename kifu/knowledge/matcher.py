"""The matcher: which entries a game reaches, for which side, and when.

A position is one integer with a bit for everything that some entry asks of a board (a man on a square, an empty square,
an odd number of bishops in a hand). A move turns bits over, always the same ones, so what a move turns over is worked
out once and remembered, together with the ways to stand that it can complete. Most moves turn nothing over, and a game
costs little more than one look into a table for each of its plies. Every entry is there twice, for Black and, turned,
for White.
"""
from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from kifu import ends
from kifu._tuples import NamedTuple
from kifu.knowledge.patterns import Entry, PatternFile, Patterns, load
from kifu.knowledge.positions import Atom, Condition, Literals
from kifu.movetext import BISHOP, KIND_FIELD, PROMOTED, ROOK
from kifu.rules.move import (
    DROPPED, ORIGIN_SHIFT, PIECE_FIELD, PIECE_SHIFT, PROMOTES, TAKEN_SHIFT, TARGET_FIELD,
)
from kifu.rules.position import Position
from kifu.rules.variants.shogi import RULES

if TYPE_CHECKING:
    from kifu.record import Game

LAST_SQUARE = 80
COLOURS = (ends.BLACK, ends.WHITE)
BOTH = "both"
#: How many different moves, and start positions, are remembered before remembering begins anew.
MOST_MOVES, MOST_STARTS = 1 << 16, 256


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


class _Rest(NamedTuple):
    """What else a way to stand depends on, looked at only when the board fits."""

    slot: int  # the entry it completes
    needed: int  # slots that must be reached
    barred: int  # slots that must not have been before this move
    first: int
    last: int


#: A way to stand: the bits it looks at, their values, and the rest.
_Way = tuple[int, int, _Rest]
#: What a move does: the bits it turns over, and the ways that it may complete.
_Step = tuple[int, tuple[_Way, ...]]


class _Steps(dict[int, _Step | None]):
    """The steps of one side's packed moves, worked out when first asked for."""

    def __init__(self, matcher: Matcher, colour: int) -> None:
        self._matcher, self._colour = matcher, colour

    def __missing__(self, move: int) -> _Step | None:
        if len(self) >= MOST_MOVES:
            self.clear()
        step = self[move] = self._matcher._step(move, self._colour)
        return step


class Matcher:
    """Finds the entries of a set of patterns in games of standard shogi.

    A slot is an entry for one colour: 2 n for Black and 2 n + 1 for White, with only the first one used where the
    entry is told of both. Behind them stand those of the positions that must have stood before.
    """

    def __init__(self, patterns: Patterns) -> None:
        entries = list(patterns.values())
        self._entries = entries
        self._index = {entry.key: n for n, entry in enumerate(entries)}
        self._named = self._slots = 2 * len(entries)  # slots of entries, and all slots
        self._bits: dict[Atom, int] = {}
        self._ways: list[_Way] = []
        self._openings = 0
        for n, entry in enumerate(entries):
            for colour in (0, 1):
                if entry.side in ("each", "both", COLOURS[colour]):
                    self._add(n, entry, colour)
        self._parents = [self._parents_of(slot) for slot in range(self._named)]
        self._told = [(BOTH if entry.side == "both" else side, entry.kind, entry.key)
                      for entry in entries for side in COLOURS]
        self._by_bit: dict[tuple[int, bool], list[_Way]] = {}
        self._by_slot: dict[int, list[_Way]] = {}
        self._by_ply: dict[int, list[_Way]] = {}
        for way in self._ways:
            self._index_way(way)
        self._steps = (_Steps(self, 0), _Steps(self, 1))
        self._starts: dict[str, tuple[int, int, int, dict[int, int]]] = {}

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
        start = self._starts.get(game.start) or self._start(game.start)
        state, reached, out, plies = start[0], start[1], start[2], start[3].copy()
        moves = game.moves
        count = len(moves)
        steps: list[_Step | None] = [None] * count
        first = game.start.split(" ", 2)[1] == "w"
        steps[0::2] = map(self._steps[first].__getitem__, moves[0::2])
        steps[1::2] = map(self._steps[not first].__getitem__, moves[1::2])
        for ply, due in self._by_ply.items():
            if ply <= count:
                turned, ways = steps[ply - 1] or (0, ())
                steps[ply - 1] = turned, (*ways, *due)
        closed = reached | out
        for ply, step in enumerate(steps, 1):
            if step is not None:
                state ^= step[0]
                for cared, wanted, rest in step[1]:
                    if state & cared == wanted and not closed >> rest.slot & 1:
                        reached = self._reach(rest, ply, state, reached, out, plies)
                        closed = reached | out
        named = self._named
        return {slot: ply for slot, ply in plies.items() if slot < named}

    # --- inside: one game

    def _reach(self, rest: _Rest, ply: int, state: int, reached: int, out: int, plies: dict[int, int]) -> int:
        """The slots reached when the board has come to fit a way, and whatever follows from it."""
        before = reached
        for slot, when in reversed(plies.items()):  # what this very move brought does not bar anything
            if when != ply:
                break
            before &= ~(1 << slot)
        waiting = [rest]
        while waiting:
            rest = waiting.pop()
            if (reached & rest.needed != rest.needed or before & rest.barred or not rest.first <= ply <= rest.last
                    or (reached | out) >> rest.slot & 1):
                continue
            opened = [rest.slot]
            while opened:
                slot = opened.pop()
                if not (reached | out) >> slot & 1:
                    reached |= 1 << slot
                    plies[slot] = ply
                    if slot < self._named:
                        opened += self._parents[slot]
                    waiting += [way[2] for way in self._by_slot.get(slot, ()) if state & way[0] == way[1]]
        return reached

    def _start(self, start: str) -> tuple[int, int, int, dict[int, int]]:
        """The bits of a start position, the slots reached there, those out of the question, and the former as plies."""
        position = Position(start, RULES.key)
        state = 0
        for (what, colour, kind, place), bit in self._bits.items():
            if what == "hand":
                holds = position.hand(int(colour), kind) % 2 == 1
            else:
                man = position.man(place)
                holds = not man if what == "empty" else man == kind + 64 * colour
            state |= holds << bit
        even = start.split(" ")[:3] == RULES.initial.split(" ")[:3]
        out = 0 if even else self._openings
        reached = 0
        plies: dict[int, int] = {}
        for cared, wanted, rest in self._ways:
            if state & cared == wanted and not (reached | out) >> rest.slot & 1:
                reached = self._reach(rest, 0, state, reached, out, plies)
        if len(self._starts) >= MOST_STARTS:
            self._starts.clear()
        self._starts[start] = state, reached, out, plies
        return self._starts[start]

    def _step(self, move: int, colour: int) -> _Step | None:
        """What a packed move of a side turns over; None where that is nothing that any entry asks for."""
        target, origin = move & TARGET_FIELD, move >> ORIGIN_SHIFT & TARGET_FIELD
        piece, taken = move >> PIECE_SHIFT & PIECE_FIELD, move >> TAKEN_SHIFT & PIECE_FIELD
        own, other = bool(colour), not colour
        turned: list[tuple[Atom, bool | None]] = []  # None: whichever it was not
        if move & DROPPED:
            piece = origin & KIND_FIELD
            turned.append((("hand", own, piece, 0), None))
        else:
            turned += [(("man", own, piece, origin), False), (("empty", False, 0, origin), True)]
        if taken:
            turned += [(("man", other, taken, target), False), (("hand", own, taken & KIND_FIELD, 0), None)]
        else:
            turned.append((("empty", False, 0, target), False))
        turned.append((("man", own, piece | (PROMOTED if move & PROMOTES else 0), target), True))
        flips, ways = 0, []
        for atom, value in turned:
            bit = self._bits.get(atom)
            if bit is not None:
                flips |= 1 << bit
                for now in (True, False) if value is None else (value,):
                    ways += self._by_bit.get((bit, now), ())
        return (flips, tuple({id(way): way for way in ways}.values())) if flips else None

    # --- inside: building

    def _add(self, n: int, entry: Entry, colour: int) -> None:
        """The ways of an entry as one side sees it."""
        slot = self._slot(n, colour)
        if entry.kind == "opening":
            self._openings |= 1 << slot
        needed = 0
        if entry.before is not None:
            earlier = self._slots
            self._slots += 1
            self._openings |= (entry.kind == "opening") << earlier
            self._stand(entry.before, colour, earlier, 0, 0, entry.last)
            needed = 1 << earlier
        for condition in entry.positions:
            self._stand(condition, colour, slot, needed, entry.first, entry.last)

    def _stand(self, condition: Condition, colour: int, slot: int, needed: int, first: int, last: int) -> None:
        """The ways to fulfil a condition, which then reaches a slot."""
        barred = 0
        for key, other in condition.reached:
            needed |= 1 << self._slot(self._index[key], colour ^ other)
        for key, other in condition.barred:
            barred |= 1 << self._slot(self._index[key], colour ^ other)
        for literals in condition.alternatives:
            cared, wanted = self._mask(literals, colour)
            self._ways.append((cared, wanted, _Rest(slot, needed, barred, first, last)))

    def _slot(self, n: int, colour: int) -> int:
        return 2 * n + (colour if self._entries[n].side != "both" else 0)

    def _mask(self, literals: Literals, colour: int) -> tuple[int, int]:
        """The bits that a way looks at, and the values they must have."""
        cared = wanted = 0
        for (what, other, kind, place), value in literals.items():
            atom = (what, what != "empty" and other != bool(colour), kind,
                    LAST_SQUARE - place if colour and what != "hand" else place)
            bit = self._bits.setdefault(atom, len(self._bits))
            cared |= 1 << bit
            wanted |= value << bit
        return cared, wanted

    def _parents_of(self, slot: int) -> tuple[int, ...]:
        return tuple(self._slot(self._index[parent], slot & 1) for parent in self._entries[slot >> 1].parents)

    def _index_way(self, way: _Way) -> None:
        """Note what can complete a way: a bit that takes the value wanted, a slot reached, a ply that comes."""
        cared, wanted, rest = way
        for bit in range(cared.bit_length()):
            if cared >> bit & 1:
                self._by_bit.setdefault((bit, bool(wanted >> bit & 1)), []).append(way)
        for slot in range(rest.needed.bit_length()):
            if rest.needed >> slot & 1:
                self._by_slot.setdefault(slot, []).append(way)
        if rest.first:
            self._by_ply.setdefault(rest.first, []).append(way)


@cache
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
    13 black castle 片美濃囲い Half Mino
    """
    return matcher(tuple(more)).tags(game)
