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
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from struct import Struct
from typing import Any

from kifu._tuples import NamedTuple
from kifu.notation.packed_entries import LAYOUTS
from kifu.rules.move import usi
from kifu.rules.position import Position
from kifu.store import moves
from kifu.store.chosen import condition, fetch
from kifu.store.database import Database, sql_file
from kifu.store.games_out import DamagedRow, move_texts, start_of

KINDS = ("yaneuraou", "apery")
HEADER = "#YANEURAOU-DB2016 1.00\n"
EVALUATION, DEPTH = 0, 32
MOST_COUNT = 0xFFFF
ENTRY = Struct("<QHHi")
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
    """A position of a book and its moves, the most frequent first."""

    sfen: str
    position: Position
    moves: list[Move]


@dataclass(slots=True)
class _Found:
    """What the database says of one position."""

    game: int
    ply: int
    moves: list[tuple[int, int]]  # code, games


@dataclass(slots=True)
class Book:
    """The positions of a book; `entries` gives them in no particular order. ``collisions`` counts positions left out
    since another one has the same key: a move of theirs is not legal there."""

    database: Database
    found: dict[int, _Found]
    choice: Choice
    collisions: int = 0

    def entries(self, progress: Progress | None = None) -> Iterator[Entry]:
        """Each position of the chosen side with its moves."""
        by_game: dict[int, list[tuple[int, int]]] = {}
        for key, one in self.found.items():
            by_game.setdefault(one.game, []).append((one.ply, key))
        numbers = array("q", sorted(by_game))
        for game, _, start, handicap, blob in fetch(self.database, numbers, ("start_sfen", "handicap", "moves")):
            yield from self._of_game(game, start_of({"start_sfen": start, "handicap": handicap}), blob,
                                     sorted(by_game[game]))
            if progress is not None:
                progress(len(by_game[game]))

    def _of_game(self, game: int, start: str | None, blob: bytes, wanted: list[tuple[int, int]]) -> Iterator[Entry]:
        """The positions that one game shows, at these plies and with these keys."""
        if start is None:
            raise DamagedRow(game, "it has no start position")
        position, texts, played = Position(start), move_texts(moves.decode(blob)), 0
        for ply, key in wanted:
            for text in texts[played:ply]:
                move = position.resolve(text)
                if move < 0:
                    raise DamagedRow(game, f"move {position.ply} is not legal")
                position.play(move)
            played = ply
            if position.key() != key:
                raise DamagedRow(game, f"its position behind {ply} moves is another one than in plies")
            if self.choice.side == "both" or self.choice.side == ("black", "white")[position.turn]:
                chosen = self._moves(position, self.found[key].moves)
                if chosen is None:
                    self.collisions += 1
                else:
                    yield Entry(position.sfen(), position.copy(), chosen)

    def _moves(self, position: Position, found: list[tuple[int, int]]) -> list[Move] | None:
        chosen = []
        for code, games in found:
            text, = move_texts((code,))
            move = position.resolve(text)
            if move < 0:
                return None
            position.play(move)
            after = self.found.get(position.key())
            reply = position.resolve(move_texts((after.moves[0][0],))[0]) if after is not None else -1
            position.undo()
            chosen.append(Move(move, games, reply if reply >= 0 else None))
        return sorted(chosen, key=lambda one: (-one.games, usi(one.move)))


def book(database: Database, choice: Choice, progress: Progress | None = None) -> Book:
    """Count the moves of a book; ``progress`` hears of 100 steps."""
    sql = book_sql(choice)
    parts = max(1, -(-int(database.value("SELECT count(*) FROM plies")) // RANGE_PLIES))
    found: dict[int, _Found] = {}
    for part in range(parts):
        first, last = _LOWEST + _SPAN * part // parts, _LOWEST + _SPAN * (part + 1) // parts - 1
        for key, move, games, game, ply in database.query(
                sql, {**parameters(choice), "first": first, "last": last}).rows:
            found.setdefault(key, _Found(game, ply, [])).moves.append((move, games))
        if progress is not None:
            progress(100 * (part + 1) // parts - 100 * part // parts)
    return Book(database, found, choice)


def book_sql(choice: Choice) -> str:
    """The SQL that counts the moves."""
    return sql_file("book.sql").rstrip().replace("({where})", f"({condition(choice.where or 'true')})")


def parameters(choice: Choice) -> dict[str, Any]:
    """The parameters of that SQL, but for the range of keys."""
    return {"handicap": choice.handicap, "max_ply": choice.max_ply, "min_games": choice.min_games,
            "min_rating": choice.min_rating, "winner_only": choice.winner_only}


def yaneuraou(entries: Iterable[Entry]) -> Iterator[bytes]:
    """The text of a book for YaneuraOu, in pieces."""
    texts = []
    for sfen, _, chosen in entries:
        lines = [f"{usi(one.move)} {'none' if one.reply is None else usi(one.reply)} {EVALUATION} {DEPTH} {one.games}\n"
                 for one in chosen]
        texts.append((sfen.encode(), "".join(lines).encode()))
    texts.sort()
    yield HEADER.encode()
    for sfen_bytes, text in texts:
        yield b"sfen " + sfen_bytes + b"\n" + text


def apery(entries: Iterable[Entry]) -> Iterator[bytes]:
    """The entries of a book for Apery, in pieces."""
    from kifu.store.apery import key

    packed_move = LAYOUTS["hcpe"].packed_move
    found = []
    for _, position, chosen in entries:
        at = key(position)
        found += [(at, -one.games, packed_move(one.move)) for one in chosen]
    found.sort()
    for at, games, move in found:
        yield ENTRY.pack(at, move, min(-games, MOST_COUNT), EVALUATION)


WRITERS: dict[str, Callable[[Iterable[Entry]], Iterator[bytes]]] = {"yaneuraou": yaneuraou, "apery": apery}
