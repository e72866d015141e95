"""The opening tree: what was played in a position, how often, by whom and with what success.

``openings`` is a table derived from ``plies`` and ``games`` that holds every position two or more games reached; a
look-up in it takes a few milliseconds. Filters, positions of one game, and a database whose ``openings`` is older than
its games are answered from ``plies`` itself: slower, the same numbers.
"""
from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from kifu._tuples import NamedTuple
from kifu.rules.move import from_usi
from kifu.rules.position import Position
from kifu.store import catalog, moves
from kifu.store.database import Database
from kifu.store.filters import ANY, Filters
from kifu.store.openings import wilson

#: Lets every game through.
EVERY = Filters(handicap=ANY)
#: So many positions are asked for at once; each costs a comparison a row.
_KEYS_AT_A_TIME = 50
#: What is done with the rows of the SQL that is shown.
_REMARK = ("-- Afterwards: shares are those of all games here, also of those that end here (move 0) or go on rarely;\n"
           "-- moves that this position does not allow, as another one has the same key by chance, are left out.")
_MEN = re.compile(r"\+?[A-Za-z]|[0-9]+|/")

SIDES = {"black": 1, "white": -1}


class Move(NamedTuple):
    """A move of an opening tree. Score, interval and rating are those of the side that plays it."""

    line: str  # USI moves from the asked position up to and with this one, separated by blanks
    depth: int  # 1 is a move in the asked position
    usi: str
    games: int
    share: float  # of all games that reached the position before the move, those that ended there included
    black_wins: int
    white_wins: int
    draws: int
    score: float | None  # (wins + draws / 2) of the mover, over the games with a result
    score_low: float | None  # Wilson interval, 95 %
    score_high: float | None
    rating: int | None  # mean rating of those who chose the move, over games in which both players have one
    first_date: datetime.date | None
    last_date: datetime.date | None
    next_key: int
    top_game: int  # the game of the highest ratings together
    last_game: int  # the latest
    key: int  # the position before the move
    code: int  # the move as `kifu.store.moves` encodes it


class _Row(NamedTuple):
    """A row of the queries opening_tree and filtered_tree."""

    key: int
    move: int
    games: int
    black_wins: int
    white_wins: int
    draws: int
    black_rating_sum: int
    white_rating_sum: int
    rated_games: int
    first_date: datetime.date | None
    last_date: datetime.date | None
    next_key: int | None
    top_game: int
    last_game: int


class OpeningTree:
    """What the games that ``filters`` let through played in a position and behind it.

    The position is given as such or by its key; a key does not tell the side to move (``side``) and the height of the
    board (``ranks``), and the positions after a move must then be looked for in games, which takes longer. With
    ``both`` games count too that reached the same position with the colours exchanged: their moves, results and ratings
    are turned. That needs the position itself.

    A move that cannot be played in the position as given, because another position has the same key by chance, is left
    out.
    """

    def __init__(self, database: Database, asked: int | Position, filters: Filters = EVERY, *, both: bool = False,
                 side: str = "black", ranks: int = 9) -> None:
        self.database = database
        self._positions: dict[int, Position] | None = None
        self._turned: dict[int, int] = {}  # the key of each position with its colours exchanged, where those count
        self._rows: dict[int, list[_Row]] = {}
        self._least = 1  # games that a row must have to be complete
        if isinstance(asked, Position):
            self.key, self._sign, self._ranks = asked.key(), -1 if asked.turn else 1, asked.rules.ranks
            self._squares = asked.rules.ranks * asked.rules.files
            self._corner = asked.rules.files + 1 | asked.rules.ranks + 1 << 4
            self._positions = {self.key: asked}
            filters = filters._replace(variant=asked.rules.key)
            if both:
                self._turned[self.key] = turned(asked).key()
        elif both:
            raise ValueError("a position with its colours exchanged cannot be found by a key")
        else:
            self.key, self._sign, self._ranks, self._squares = asked, SIDES[side], ranks, 81
            self._corner = 0xAA
        self.filters, self.both = filters, both
        self._fresh = database.meta("openings") == "fresh"

    # --- what is asked of it

    def moves(self, depth: int = 1, min_games: int = 1) -> list[Move]:
        """The moves played in the position, most frequent first; each followed by its own continuations.

        Moves of fewer than ``min_games`` games are left out, with what follows them. Deeper moves count every game that
        reached their position, by whatever order of moves.
        """
        wanted = [self.key]
        for _ in range(depth):
            self._gather(wanted, min_games)
            after = [row.next_key for asked in wanted for row in self._rows[asked]
                     if row.games >= min_games and row.next_key is not None]
            wanted = [following for following in dict.fromkeys(after) if following not in self._rows]
            if not wanted:
                break
        return self._in_order(depth, min_games)

    def results(self) -> tuple[int, int, int, int]:
        """Of all games that reach the position: how many, and Black's wins, White's wins and draws."""
        self._gather([self.key], 1)
        rows = self._rows[self.key]
        return (sum(row.games for row in rows), sum(row.black_wins for row in rows),
                sum(row.white_wins for row in rows), sum(row.draws for row in rows))

    def reaching(self, after: Iterable[Move]) -> dict[int, int]:
        """How many games reach the position after each of these moves, by whatever order of moves; by its key."""
        keys = list(dict.fromkeys(move.next_key for move in after))
        found = {key: sum(row.games for row in self._rows[key]) for key in keys if self._rows.get(key)}
        rest = [key for key in keys if key not in found]
        if self._from_openings():
            for row in self._ask("opening_tree", rest):
                found[row.key] = found.get(row.key, 0) + row.games
            return {key: found.get(key, 1) for key in keys}  # a position of one game is not in openings
        for _, parameters in self._parts(rest):
            found.update(catalog.rows(self.database, "games_reaching", self.filters, **parameters))
        return found

    def first_games(self, played: Iterable[Move]) -> dict[tuple[int, int], int]:
        """For each of these moves, as (key, code), the earliest game that has it; games without a date come last."""
        found: dict[tuple[int, int], int] = {}
        for _, parameters in self._parts(list({move.key for move in played})):
            rows = catalog.rows(self.database, "first_games", self.filters, **parameters, **self._board)
            found.update(((key, code), game) for key, code, game in rows)
        return found

    def sql(self, min_games: int = 1) -> str:
        """The SQL that the first moves come from; a remark in it says what is done with its rows."""
        name = "opening_tree" if self._from_openings() and self._ask("opening_tree", [self.key]) else "filtered_tree"
        ((_, parameters),) = self._parts([self.key])
        return (f"SELECT * FROM (\n{self._text(name, parameters)}\n)\n{_REMARK}\n"
                f"WHERE move <> 0 AND games >= {min_games}\nORDER BY games DESC, move")

    # --- inside

    def _from_openings(self) -> bool:
        """Whether the table knows all there is to know about positions of two or more games.

        A position belongs to one kind of shogi, whose number is in its key, so that the kind need not be asked for.
        """
        chosen = self.filters._replace(variant=EVERY.variant, handicap=self.filters.handicap or ANY)
        return self._fresh and not self.both and chosen == EVERY

    def _gather(self, keys: Sequence[int], min_games: int) -> None:
        """Have the rows of these positions, from ``openings`` where that is enough.

        Only those of enough games are complete and proven, see `_played`.
        """
        if min_games < self._least:
            self._rows.clear()
        self._least = min_games
        keys = [key for key in keys if key not in self._rows]
        self._rows.update((key, []) for key in keys)
        rows: list[_Row] = []
        rest = list(keys)
        if self._from_openings():
            rows = self._ask("opening_tree", keys)
            # a position of one game is not in openings
            rest = list(set(keys) - {row.key for row in rows}) if min_games <= 1 else []
        counted = self._ask("filtered_tree", rest)
        if self._positions is None:
            counted = self._with_next_keys(counted)
        for row in [*rows, *counted]:
            possible = self._played(row) if row.games >= min_games else row
            if possible is not None:
                self._rows[row.key].append(possible)

    def _played(self, row: _Row) -> _Row | None:
        """The row with the position after its move, None where the move is impossible."""
        if self._positions is None or row.move == moves.ENDED:
            return row
        position = self._positions[row.key].copy()
        try:
            move = position.resolve(from_usi(moves.usi(row.move, self._ranks)))
        except (KeyError, ValueError):  # no move at all, of a game that is damaged
            return None
        if move < 0:
            return None
        position.play(move)
        key = position.key()
        if row.next_key not in (None, key):
            return None
        if key not in self._positions:
            self._positions[key] = position
            if self.both:
                self._turned[key] = turned(position).key()
        return row._replace(next_key=key)

    def _ask(self, query: str, keys: Sequence[int]) -> list[_Row]:
        rows: list[_Row] = []
        for _, parameters in self._parts(keys):
            rows += [_Row(*row) for row in self.database.rows(self._text(query, parameters))]
        return rows

    def _text(self, query: str, parameters: Mapping[str, Any]) -> str:
        if query == "opening_tree":
            return catalog.load(query).text(**{name: parameters[name] for name in ("keys", "first", "last")})
        return catalog.load(query).text(self.filters, **parameters, **self._board)

    @property
    def _board(self) -> dict[str, int]:
        """What the queries need to know of the board to turn moves."""
        return {"squares": self._squares, "corner": self._corner}

    def _parts(self, keys: Sequence[int]) -> Iterator[tuple[list[int], dict[str, Any]]]:
        """Some keys at a time, each lot with the parameters that the queries have in common."""
        ordered = sorted(keys)
        for at in range(0, len(ordered), _KEYS_AT_A_TIME):
            part = ordered[at:at + _KEYS_AT_A_TIME]
            others = [self._turned[key] for key in part] if self.both else None
            span = part + (others or [])
            yield part, {"keys": part, "first": min(span), "last": max(span), "turned": others}

    def _with_next_keys(self, rows: list[_Row]) -> list[_Row]:
        """The rows with ``next_key`` filled in: from ``openings`` where it holds them, else from a game."""
        known: dict[tuple[int, int], int | None] = {}
        if self._fresh:
            found = self._ask("opening_tree", list({row.key for row in rows}))
            known = {(row.key, row.move): row.next_key for row in found}
        missing = [row for row in rows if row.move != moves.ENDED and known.get((row.key, row.move)) is None]
        if missing:
            shown = catalog.rows(self.database, "next_keys", keys=[row.key for row in missing],
                                 games=[row.last_game for row in missing])
            known.update({(key, move): after for key, move, after in shown})
        return [row._replace(next_key=known.get((row.key, row.move))) for row in rows]

    def _in_order(self, depth: int, min_games: int) -> list[Move]:
        """Each move, then its continuations; a position reached by two orders of moves stands in both places."""
        tree: list[Move] = []
        waiting = self._children(self.key, "", 1, min_games)
        while waiting:
            move = waiting.pop()
            tree.append(move)
            if move.depth < depth:
                waiting += self._children(move.next_key, move.line, move.depth + 1, min_games)
        return tree

    def _children(self, key: int, line: str, depth: int, min_games: int) -> list[Move]:
        """The moves of a position, the most frequent one last: a stack to take them from."""
        rows = self._rows.get(key, [])
        total = sum(row.games for row in rows)
        black = (self._sign > 0) == (depth % 2 == 1)  # moves
        children = []
        for row in reversed(rows):
            if row.move == moves.ENDED or row.games < min_games or row.next_key is None:
                continue
            name = moves.usi(row.move, self._ranks)
            decided = row.black_wins + row.white_wins + row.draws
            points = (row.black_wins if black else row.white_wins) + row.draws / 2
            low, high = wilson(points, decided) if decided else (None, None)
            ratings = row.black_rating_sum if black else row.white_rating_sum
            children.append(Move(
                f"{line} {name}".lstrip(), depth, name, row.games, row.games / total, row.black_wins, row.white_wins,
                row.draws, points / decided if decided else None, low, high,
                round(ratings / row.rated_games) if row.rated_games else None, row.first_date, row.last_date,
                row.next_key, row.top_game, row.last_game, key, row.move))
        return children


def opening_tree(database: Database, asked: int | Position, depth: int = 1, min_games: int = 1, *,
                 filters: Filters = EVERY, both: bool = False, side: str = "black", ranks: int = 9) -> list[Move]:
    """The moves of an `OpeningTree`."""
    return OpeningTree(database, asked, filters, both=both, side=side, ranks=ranks).moves(depth, min_games)


def turned(position: Position) -> Position:
    """The position with the colours exchanged: every man turned round, the hands and the move changed over.

    >>> print(turned(Position("4k4/9/9/9/9/9/4P4/9/4K4 b R2p 1")).sfen(1))
    4k4/9/4p4/9/9/9/9/9/4K4 w 2Pr 1
    """
    board, turn, hands, *_ = position.sfen(1).split()
    rules = position.rules
    if rules.royals_taken and hands != "-":  # the square of a lion just taken, see kifu.rules.sfen
        file, rank = int(hands[:-1]), ord(hands[-1]) - 96
        hands = f"{rules.files + 1 - file}{chr(96 + rules.ranks + 1 - rank)}"
    else:
        hands = hands.swapcase()
    return Position(f"{''.join(reversed(_MEN.findall(board))).swapcase()} {'b' if turn == 'w' else 'w'} {hands} 1",
                    rules.key)
