"""Opening books for engines, made of the games of a database.

``yaneuraou``: the text of YaneuraOu, ``#YANEURAOU-DB2016 1.00``. A position is a line ``sfen ...`` and a line for each
move: the move, the reply that was played most often (``none`` where the book has none), evaluation, depth, number of
games. Positions are sorted by the bytes of their SFEN, as the engine's option BookOnTheFly needs it. Each position
stands there once, with the lowest number of moves that led to it, as the engine itself writes it; so its option
IgnoreBookPly must be on for the same position later in a game. Evaluation and depth are 0 and 32, which YaneuraOu gives
to books that it makes of games: by its defaults it passes over moves of a depth below 16. Sources: the
engine author's articles on the format of 5 February and 15 July 2016, and how YaneuraOu reads and writes such files.

``apery``: Apery's ``book.bin``, entries of 16 bytes sorted by `kifu.store.apery.key`, then by games: the key, the move
as in hcpe, the number of games (65,535 stands for more), the evaluation, which is 0. All numbers are little-endian.
"""
from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, groupby
from struct import Struct
from typing import Any

from kifu._tuples import NamedTuple
from kifu.notation.packed_entries import LAYOUTS
from kifu.rules.move import usi
from kifu.rules.position import Position
from kifu.store import moves
from kifu.store.chosen import condition, fetch, only_asks
from kifu.store.database import Database, sql_file
from kifu.store.games_out import DamagedRow, move_texts, start_of

KINDS = ("yaneuraou", "apery")
HEADER = "#YANEURAOU-DB2016 1.00\n"
EVALUATION, DEPTH = 0, 32
MOST_COUNT = 0xFFFF
ENTRY = Struct("<QHHi")
#: What is sorted for it, in the order of its bytes: key, how many games fewer than the most there could be, move.
_SORTED = Struct(">QIH")
_MOST_GAMES = 0xFFFF_FFFF
#: Keys are asked for in ranges of no more plies than this, so that memory stays flat.
RANGE_PLIES = 2_000_000
_LOWEST, _SPAN = -(1 << 63), 1 << 64

#: Takes how many steps were done since it last heard.
Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Choice:
    """What goes into a book: moves of at least ``min_games`` games, within the first ``max_ply`` moves, of one ``side``
    (``black``, ``white``, ``both``), of games with two players rated at least ``min_rating``, of the side that won.
    """

    min_games: int = 2
    max_ply: int | None = None
    side: str = "both"
    min_rating: int | None = None
    winner_only: bool = False
    handicap: str = "even"
    where: str | None = None


class Move(NamedTuple):
    """A move of a book: packed (`kifu.rules.move`), the games that played it, and the reply, None for none."""

    move: int
    games: int
    reply: int | None


class Entry(NamedTuple):
    """A position of a book and its moves, the most frequent first. The position changes with the next entry."""

    sfen: str
    position: Position
    moves: list[Move]


class Found:
    """What the database says of the positions of a book, in the order of their keys: columns of numbers, since a book
    may hold one position for each move of millions of games."""

    __slots__ = ("codes", "counts", "firsts", "games", "keys", "plies")

    def __init__(self) -> None:
        self.keys = array("q")
        self.games = array("q")  # one that shows the position,
        self.plies = array("i")  # behind so many moves
        self.firsts = array("q")  # where the moves of a position begin in the next two
        self.codes = array("i")
        self.counts = array("i")

    def __len__(self) -> int:
        return len(self.keys)

    def add(self, key: int, code: int, count: int, game: int, ply: int) -> None:
        """Take a row of book.sql; those of one key come one after the other, and keys in their order."""
        if not self.keys or self.keys[-1] != key:
            self.keys.append(key)
            self.games.append(game)
            self.plies.append(ply)
            self.firsts.append(len(self.codes))
        self.codes.append(code)
        self.counts.append(count)

    def moves(self, place: int) -> Iterator[tuple[int, int]]:
        """The codes of the moves of a position and their games, the most frequent first."""
        end = self.firsts[place + 1] if place + 1 < len(self.firsts) else len(self.codes)
        for at in range(self.firsts[place], end):
            yield self.codes[at], self.counts[at]

    def first(self, key: int) -> int | None:
        """The code of the most frequent move of a position; None where the book lacks it."""
        place = bisect_left(self.keys, key)
        return self.codes[self.firsts[place]] if place < len(self.keys) and self.keys[place] == key else None

    def by_game(self) -> array[int]:
        """The places of all positions in the order of the games that show them, and of plies."""
        return array("q", sorted(range(len(self)), key=lambda place: self.games[place] << 32 | self.plies[place]))


@dataclass(slots=True)
class Book:
    """The positions of a book; `entries` gives them in no particular order, and counts ``positions`` and ``moves``.
    ``collisions`` counts positions left out since another one has the same key: a move of theirs is not legal there."""

    database: Database
    choice: Choice
    found: Found = field(default_factory=Found)
    positions: int = 0
    moves: int = 0
    collisions: int = 0

    def entries(self, progress: Progress | None = None) -> Iterator[Entry]:
        """Each position of the chosen side with its moves. An entry is good until the next one is asked for."""
        places, games = self.found.by_game(), self.found.games
        numbers = array("q", [game for game, _ in groupby(places, key=games.__getitem__)])
        shown = groupby(places, key=games.__getitem__)
        rows = fetch(self.database, numbers, ("start_sfen", "handicap", "moves"))
        for (game, _, start, handicap, blob), (_, group) in zip(rows, shown, strict=True):
            wanted = list(group)
            yield from self._of_game(game, start_of({"start_sfen": start, "handicap": handicap}), blob, wanted)
            if progress is not None:
                progress(len(wanted))

    def _of_game(self, game: int, start: str | None, blob: bytes, wanted: list[int]) -> Iterator[Entry]:
        """The positions that one game shows."""
        if start is None:
            raise DamagedRow(game, "it has no start position")
        position, texts, played = Position(start), move_texts(moves.decode(blob)), 0
        for place in wanted:
            ply = self.found.plies[place]
            for text in texts[played:ply]:
                move = position.resolve(text)
                if move < 0:
                    raise DamagedRow(game, f"move {position.ply} is not legal")
                position.play(move)
            played = ply
            if position.key() != self.found.keys[place]:
                raise DamagedRow(game, f"its position behind {ply} moves is another one than in plies")
            if self.choice.side == "both" or self.choice.side == ("black", "white")[position.turn]:
                chosen = self._moves(position, self.found.moves(place))
                if chosen is None:
                    self.collisions += 1
                else:
                    self.positions += 1
                    self.moves += len(chosen)
                    yield Entry(position.sfen(), position, chosen)

    def _moves(self, position: Position, found: Iterable[tuple[int, int]]) -> list[Move] | None:
        """The moves with their replies; None where one of them is not legal."""
        chosen = []
        for code, games in found:
            text, = move_texts((code,))
            move = position.resolve(text)
            if move < 0:
                return None
            position.play(move)
            after = self.found.first(position.key())
            reply = position.resolve(move_texts((after,))[0]) if after is not None else -1
            position.undo()
            chosen.append(Move(move, games, reply if reply >= 0 else None))
        return sorted(chosen, key=lambda one: (-one.games, usi(one.move)))


def book(database: Database, choice: Choice, progress: Progress | None = None) -> Book:
    """Count the moves of a book; ``progress`` hears of 100 steps."""
    sql = book_sql(choice)
    only_asks(database, sql)
    parts = max(1, -(-int(database.value("SELECT count(*) FROM plies")) // RANGE_PLIES))
    made = Book(database, choice)
    for part in range(parts):
        first, last = _LOWEST + _SPAN * part // parts, _LOWEST + _SPAN * (part + 1) // parts - 1
        for row in database.query(sql, {**parameters(choice), "first": first, "last": last}).rows:
            made.found.add(*row)
        if progress is not None:
            progress(100 * (part + 1) // parts - 100 * part // parts)
    return made


def other_kinds(database: Database, choice: Choice) -> int:
    """How many games that the condition lets through are of other kinds of shogi, of which there are no books.

    Those at odds count too: handicaps are each kind's own, so that the one asked for says nothing of them.
    """
    found: int = database.value("SELECT count(*) FROM games WHERE variant <> 'shogi'"
                                f" AND ({condition(choice.where or 'true')})")
    return found


def book_sql(choice: Choice) -> str:
    """The SQL that counts the moves."""
    return sql_file("book.sql").rstrip().replace("({where})", f"({condition(choice.where or 'true')})")


def parameters(choice: Choice) -> dict[str, Any]:
    """The parameters of that SQL, but for the range of keys."""
    return {"handicap": choice.handicap, "max_ply": choice.max_ply, "min_games": choice.min_games,
            "min_rating": choice.min_rating, "winner_only": choice.winner_only}


def yaneuraou(entries: Iterable[Entry]) -> Iterator[bytes]:
    """The text of a book for YaneuraOu, in pieces; all entries are taken before the first of them."""
    texts = []
    for sfen, _, chosen in entries:
        lines = [f"{usi(one.move)} {'none' if one.reply is None else usi(one.reply)} {EVALUATION} {DEPTH} {one.games}\n"
                 for one in chosen]
        texts.append(f"{sfen}\n{''.join(lines)}".encode())
    texts.sort()  # by SFEN: the line feed behind it is below all that stands in one
    return chain((HEADER.encode(),), (b"sfen " + text for text in texts))


def apery(entries: Iterable[Entry]) -> Iterator[bytes]:
    """The entries of a book for Apery, in pieces; all entries are taken before the first of them."""
    from kifu.store.apery import key

    packed_move = LAYOUTS["hcpe"].packed_move
    found = []
    for _, position, chosen in entries:
        at = key(position)
        found += [_SORTED.pack(at, _MOST_GAMES - one.games, packed_move(one.move)) for one in chosen]
    found.sort()
    return (ENTRY.pack(at, move, min(_MOST_GAMES - less, MOST_COUNT), EVALUATION)
            for at, less, move in map(_SORTED.unpack, found))


WRITERS: dict[str, Callable[[Iterable[Entry]], Iterator[bytes]]] = {"yaneuraou": yaneuraou, "apery": apery}
