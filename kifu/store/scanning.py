"""Patterns in games whose table ``boards`` is not filled: the moves themselves are replayed.

Slower than SQL over ``boards``, with the same result. The board is left to the compiled scanner that finds castles too
(`kifu.knowledge.scan`); men in hand and material are counted along the captures and drops.
"""
from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from kifu._tuples import NamedTuple
from kifu.knowledge import scan
from kifu.knowledge.matcher import facts_of
from kifu.knowledge.scan import PLY_SHIFT, WAY_FIELD, WAY_SHIFT
from kifu.movetext import KIND_FIELD
from kifu.rules.move import DROPPED, ORIGIN_SHIFT, TAKEN_SHIFT
from kifu.rules.position import Position
from kifu.rules.variants.shogi import RULES
from kifu.store import moves, search
from kifu.store.database import Database
from kifu.store.errors import StoreError
from kifu.store.filters import Filters
from kifu.store.patterns import HAND, LAST_SQUARE, Count, Pattern
from kifu.store.search import Plies

#: The first version of the tables that has ``boards``.
BOARDS_VERSION = 3
#: So many games are looked at between two reports of progress.
GAMES_A_STEP = 100
#: How many different start positions are remembered before remembering begins anew.
MOST_STARTS = 256

#: Plies from the first to before the last one.
Spans = list[tuple[int, int]]
_KINDS = [kind.number for kind in RULES.kinds]


class Sighting(NamedTuple):
    """The first ply at which a pattern stands in a game; ``side`` is 1 where it is Black's, -1 White's, 0 where both
    sides have it some time."""

    game_id: int
    ply: int
    side: int


def complete(database: Database) -> bool:
    """Whether ``boards`` has every position of every game of ordinary shogi."""
    if database.found_version < BOARDS_VERSION:
        return False
    return bool(database.value("SELECT (SELECT count(*) FROM boards) = "
                               "(SELECT coalesce(sum(plies + 1), 0) FROM games WHERE variant = 'shogi')"))


def scanned(database: Database, asked: Pattern, filters: Filters, of: dict[int, str | None], plies: Plies,
            progress: Callable[[int], None] | None = None) -> Iterator[Sighting]:
    """The games in which a pattern stands, as `kifu.store.patterns.by_boards` finds them.

    ``progress`` hears how many more games were looked at. Raises `StoreError` for a game that cannot be replayed.
    """
    if filters.variant != RULES.key:
        raise ValueError("patterns are those of ordinary shogi")
    whose = ", ".join(f"coalesce({condition or 'true'}, false)" for condition in of.values())
    _, rows = database.query(f"WITH selected AS (\n{filters.sql()}\n)\n"
                             f"SELECT game_id, handicap, start_sfen, moves, {whose} FROM selected ORDER BY game_id")
    scanner = _Scanner(asked, list(of))
    looked = 0
    for game_id, handicap, start_sfen, blob, *wanted in rows:
        begun = search.start(handicap, start_sfen)
        played = search.play(begun.copy(), moves.decode(blob)) if begun else None
        if begun is None or played is None:
            raise StoreError(f"Game {game_id} of the database cannot be replayed; kifu db verify says more.")
        firsts = scanner.firsts(begun, played, plies)
        found = {1 - 2 * colour: first for (colour, first), own in zip(firsts, wanted, strict=True)
                 if own and first is not None}
        if found:
            yield Sighting(game_id, min(found.values()), sum(found))
        looked += 1
        if looked == GAMES_A_STEP:
            if progress is not None:
                progress(looked)
            looked = 0
    if progress is not None:
        progress(looked)


@contextmanager
def shown(database: Database, sightings: Sequence[Sighting]) -> Iterator[str]:
    """Let SQL see what was found inside the block, under the query that is given (see `kifu.store.search`)."""
    from kifu.store import arrow  # who has the table boards need not wait for it

    table = arrow.numbers(**{name: [sighting[n] for sighting in sightings] for n, name in enumerate(Sighting._fields)})
    with database.views(sightings=table):
        yield ("SELECT game_id::INTEGER AS game_id, ply::INTEGER AS ply,\n"
               "       CASE side WHEN 1 THEN 'black' WHEN -1 THEN 'white' ELSE 'both' END AS side\nFROM sightings")


class _Scanner:
    """A pattern ready to be followed through games, for some colours."""

    def __init__(self, asked: Pattern, colours: Sequence[int]) -> None:
        self._colours = colours
        self._counts = asked.counts
        self._board = any(asked.alternatives)
        ways = [(colour, facts_of(literals, colour)) for colour in colours for literals in asked.alternatives]
        self._owners = [colour for colour, _ in ways]
        self._scanner = scan.Scanner([facts for _, facts in ways], len(ways))
        self._starts: dict[int, tuple[array[int], list[int]]] = {}

    def firsts(self, begun: Position, played: array[int], plies: Plies) -> list[tuple[int, int | None]]:
        """For each colour the first ply at which the pattern stands in a game, None where it never does."""
        end = len(played) + 1
        window = [(plies.first or 0, end if plies.last is None else min(end, plies.last + 1))]
        board = self._standing(begun, played) if self._board else {}
        found: list[tuple[int, int | None]] = []
        for colour in self._colours:
            spans = _common(board.get(colour, []) if self._board else [(0, end)], window)
            if spans and self._counts:
                spans = _common(spans, _counted(self._counts, colour, begun, played))
            found.append((colour, spans[0][0] if spans else None))
        return found

    def _standing(self, begun: Position, played: array[int]) -> dict[int, Spans]:
        """When the part of the pattern that is on the board stands."""
        start = begun.key()
        if start not in self._starts:
            if len(self._starts) >= MOST_STARTS:
                self._starts.clear()
            self._starts[start] = self._scanner.begin(_facts(begun))
        state, standing = self._starts[start]
        now = dict.fromkeys(self._colours, 0)  # ways that stand
        since = dict.fromkeys(self._colours, 0)
        spans: dict[int, Spans] = {colour: [] for colour in self._colours}
        for way in standing:
            now[self._owners[way]] += 1
        for event in self._scanner.events(state, played, begun.turn == 1):
            ply, colour = event >> PLY_SHIFT, self._owners[event >> WAY_SHIFT & WAY_FIELD]
            if event & 1:
                if not now[colour]:
                    since[colour] = ply
                now[colour] += 1
            else:
                now[colour] -= 1
                if not now[colour]:
                    spans[colour].append((since[colour], ply))
        for colour, ways in now.items():
            if ways:
                spans[colour].append((since[colour], len(played) + 1))
        return spans


def _facts(position: Position) -> list[int]:
    """What is true of a position, as the scanner numbers it."""
    facts = [scan.odd_hand(colour, kind) for colour in (0, 1) for kind in _KINDS if position.hand(colour, kind) % 2]
    for square in range(LAST_SQUARE + 1):
        man = position.man(square)
        facts.append(scan.man(man >> 6, man & 63, square) if man else scan.empty(square))
    return facts


def _counted(counts: Iterable[Count], colour: int, begun: Position, played: array[int]) -> Spans:
    """When all counts of men hold."""
    hands = {(side, kind): begun.hand(side, kind) for side in (0, 1) for kind in _KINDS}
    material = dict(hands)
    for square in range(LAST_SQUARE + 1):
        man = begun.man(square)
        if man:
            material[man >> 6, man & KIND_FIELD] += 1

    tests = [((hands if count.what == HAND else material), (colour ^ count.other, count.kind), count.holds)
             for count in counts]
    kinds = {count.kind for count in counts}
    spans: Spans = []
    since = 0 if all(holds(men[whose]) for men, whose, holds in tests) else -1
    side = begun.turn
    for ply, move in enumerate(played, 1):
        side = 1 - side
        kind = move >> ORIGIN_SHIFT & KIND_FIELD if move & DROPPED else move >> TAKEN_SHIFT & KIND_FIELD
        if kind not in kinds:
            continue
        if move & DROPPED:
            hands[1 - side, kind] -= 1
        else:
            hands[1 - side, kind] += 1
            material[1 - side, kind] += 1
            material[side, kind] -= 1
        if all(holds(men[whose]) for men, whose, holds in tests):
            since = ply if since < 0 else since
        elif since >= 0:
            spans.append((since, ply))
            since = -1
    return [*spans, (since, len(played) + 1)] if since >= 0 else spans


def _common(some: Spans, others: Spans) -> Spans:
    """What two lists of spans have in common, both in order."""
    found: Spans = []
    i = j = 0
    while i < len(some) and j < len(others):
        first, last = max(some[i][0], others[j][0]), min(some[i][1], others[j][1])
        if first < last:
            found.append((first, last))
        if some[i][1] < others[j][1]:
            i += 1
        else:
            j += 1
    return found
