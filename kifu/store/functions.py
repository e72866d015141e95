"""SQL functions that need the engine: names of moves in Western and Japanese notation, positions after moves in text.

Whatever SQL itself can do is a macro in the database file (macros.sql, macros_positions.sql) and there for every tool.
These functions are Python's: connections that kifu opens have them (`kifu.store.database.Database`, `kifu.connect`,
``kifu sql``). Giving them to DuckDB costs it an import of numpy, so a `Database` does it for the names in a query's
text only.

==================  ==================================================================================================
western_moves       of ``games.moves`` (and ``start_sfen``, ``handicap`` where the game may not be an even one):
                    ``[P-7f, P-3d, ...]``; a fourth argument names another style (hosking, numeric, kitao-kawasaki)
japanese_moves      the same as ``[☗７六歩, ☖３四歩, ...]``, with 右, 左, 成 and 同 as books write them; of other kinds
                    of shogi as KIF writes them, ``[☗３六燕(37), ...]``
move_name           of a position as SFEN, a move code and a style: western (usual), names, japanese, csa, usi, ...
position_at         the SFEN behind so many plies of ``games.moves``, ``start_sfen``, ``handicap``
position_key_after  the key after moves in text, USI or Western: ``position_key_after('P-7f P-3d')``
sfen_after          the same as SFEN
==================  ==================================================================================================

Those that take moves or positions of the database take the column ``variant`` as their last argument, which games of
other kinds than ordinary shogi need. A style that has no words for such a kind (``csa``) is an error.

A NULL among the first arguments gives NULL. Arguments that mean nothing raise a `ValueError`, which the database hands
on as a `kifu.store.errors.QueryError`.
"""
from __future__ import annotations

import re
import sys
from array import array
from collections.abc import Callable, Collection
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from kifu._tuples import NamedTuple
from kifu.store.moves import NARROW

if TYPE_CHECKING:
    from kifu.rules.position import Position

#: Signs of the sides before a Japanese move.
SIGNS = "☗☖"
#: Names of a style of `move_name` -> notation and style of `kifu.notation.spell.spell`.
STYLES: dict[str, tuple[str, str | None]] = {
    "western": ("western", None), "hodges": ("western", "hodges"), "names": ("western", "names"),
    "numeric": ("western", "numeric"),
    "hosking": ("western", "hosking"), "kitao-kawasaki": ("western", "kitao-kawasaki"), "japanese": ("ki2", None),
    "kif": ("kif", None), "csa": ("csa", None), "usi": ("usi", None),
}
#: Longer texts of moves are refused: no game is that long, and what is quoted in a message stays short.
MOST_TEXT = 100_000


class Function(NamedTuple):
    """A function as DuckDB is told of it: name, what it does, its type; and its arguments in words, for messages."""

    name: str
    does: Callable[..., Any]
    gives: str
    arguments: str


def western_moves(blob: Any, start_sfen: Any = None, handicap: Any = None, style: Any = None,
                  variant: Any = None) -> list[str] | None:
    """The moves of a game in Western notation."""
    return _names("western_moves", blob, start_sfen, handicap, style or "western", variant)


def japanese_moves(blob: Any, start_sfen: Any = None, handicap: Any = None, variant: Any = None) -> list[str] | None:
    """The moves of a game in Japanese, as KI2 writes them; other kinds than ordinary shogi as KIF does."""
    return _names("japanese_moves", blob, start_sfen, handicap, "japanese", variant)


def position_at(blob: Any, start_sfen: Any, handicap: Any, ply: Any, variant: Any = None) -> str | None:
    """The position of a game after so many plies as SFEN; None beyond its end."""
    if blob is None or ply is None:
        return None
    if not isinstance(ply, int):
        raise ValueError(f"position_at wants a number of plies, not {_shown(ply)}")
    position, moves = _game("position_at", blob, start_sfen, handicap, variant)
    if not 0 <= ply <= len(moves):
        return None
    for move in moves[:ply]:
        position.play(move)
    return position.sfen()


def move_name(sfen: Any, code: Any, style: Any = "western", variant: Any = None) -> str | None:
    """One move of a position; None for the end of a game, whose code is 0."""
    if sfen is None or code is None or style is None or code == 0:
        return None
    if not isinstance(sfen, str) or not isinstance(code, int):
        raise ValueError("move_name wants an SFEN and a move code, as in move_name(sfen, move, 'japanese')")
    from kifu.rules.position import Position
    from kifu.store.replaying import packed_move

    spelled = _speller(style)
    position = Position(sfen, variant or "shogi")
    return spelled(position, packed_move(position, code))


def position_key_after(text: Any) -> int | None:
    """The key of the position after moves in text."""
    found = _after(text)
    return found and found[0]


def sfen_after(text: Any) -> str | None:
    """The position after moves in text, as SFEN."""
    found = _after(text)
    return found and found[1]


FUNCTIONS = (
    Function("western_moves", western_moves, "VARCHAR[]", "moves, start_sfen, handicap, style, variant"),
    Function("japanese_moves", japanese_moves, "VARCHAR[]", "moves, start_sfen, handicap, variant"),
    Function("move_name", move_name, "VARCHAR", "sfen, move, style, variant"),
    Function("position_at", position_at, "VARCHAR", "moves, start_sfen, handicap, ply, variant"),
    Function("position_key_after", position_key_after, "BIGINT", "moves in text"),
    Function("sfen_after", sfen_after, "VARCHAR", "moves in text"),
)
_THERE = re.compile(r"already (?:exists|created)")
_NAMES = re.compile(r"\b(?:" + "|".join(function.name for function in FUNCTIONS) + r")\b", re.IGNORECASE)


def named_in(sql: str) -> set[str]:
    """The names of functions of this module that occur in a text of SQL.

    >>> named_in("SELECT western_moves(moves) FROM games")
    {'western_moves'}
    """
    return {name.lower() for name in _NAMES.findall(sql)}


def register(connection: Any, names: Collection[str] | None = None) -> None:
    """Give functions to a DuckDB connection, and so to all others of this process to the same file: those of these
    names, by default all. Those that are there already stay."""
    if sys.modules.get("numpy", sys) is None:  # the command line starts without it; DuckDB's functions need it
        del sys.modules["numpy"]
    for function in FUNCTIONS:
        if names is None or function.name in names:
            try:
                connection.create_function(function.name, _counting(function), None, function.gives,
                                           null_handling="special")
            except Exception as error:  # of duckdb's, which this module does not import
                if not _THERE.search(str(error)):
                    raise


# --- inside

@cache  # DuckDB holds what it was given by its address: it must live as long as this process
def _counting(function: Function) -> Callable[..., Any]:
    """The function for any number of arguments, which DuckDB does not count, with a message where it is a wrong one."""
    most = function.arguments.count(",") + 1
    least = {"move_name": 2, "position_at": 4}.get(function.name, 1)

    def called(*given: Any) -> Any:
        if not least <= len(given) <= most:
            raise ValueError(f"{function.name} does not take {len(given)} arguments; it is "
                             f"{function.name}({function.arguments})")
        return function.does(*given)

    return called


def _names(name: str, blob: Any, start_sfen: Any, handicap: Any, style: Any, variant: Any) -> list[str] | None:
    if blob is None:
        return None
    spelled = _speller(style)
    position, moves = _game(name, blob, start_sfen, handicap, variant)
    found = []
    for move in moves:
        found.append(spelled(position, move))
        position.play(move)
    return found


def _game(name: str, blob: Any, start_sfen: Any, handicap: Any, variant: Any) -> tuple[Position, array[int]]:
    """The start position of a game and its packed moves. ValueError where they are none."""
    if not isinstance(blob, (bytes, bytearray, memoryview)):
        raise ValueError(f"{name} wants the column moves of games, not {_shown(blob)}")
    for one in (start_sfen, handicap, variant):
        if one is not None and not isinstance(one, str):
            raise ValueError(f"{name} wants the columns moves, start_sfen and handicap of games, not {_shown(one)}")
    from kifu.rules.position import Position
    from kifu.store.replaying import packed_moves, start_of

    start = start_of(handicap, start_sfen, variant)
    return Position(start, variant or "shogi"), packed_moves(bytes(blob), start, variant=variant)


def _speller(style: Any) -> Callable[[Position, int], str]:
    if not isinstance(style, str) or style.lower() not in STYLES:
        raise ValueError(f"there is no style {_shown(style)}; there are {', '.join(STYLES)}")
    from kifu.notation.spell import spell

    notation, kind = STYLES[style.lower()]
    if notation == "ki2":
        return lambda position, move: SIGNS[position.turn] + _one_line(
            spell(position, move, "ki2" if position.rules.key == NARROW else "kif"))
    return lambda position, move: _one_line(spell(position, move, notation, kind))


def _one_line(text: str) -> str:
    """A move in one line: KIF has two for a man that moves twice."""
    return text.strip().replace("\n", " ")


@lru_cache(maxsize=256)
def _after_text(text: str) -> tuple[int, str]:
    from kifu.notation import UnknownNotation, detect, read
    from kifu.replay import replay

    try:
        notation = detect(text, "").notation
        if notation is None:
            raise UnknownNotation(text)
        records = list(read(text, notation))
    except UnknownNotation:
        raise ValueError(f"{_shown(text)} was not understood; write moves as 7g7f 3c3d or P-7f P-3d") from None
    if len(records) != 1:
        raise ValueError(f"{_shown(text)} holds {len(records)} games, not the moves of one")
    game = replay(records[0], keys=True)
    if game.verdict != "legal":
        errors = [found.message for found in game.diagnostics if found.severity == "error"]
        raise ValueError(f"{_shown(text)}: {errors[0].rstrip('.') if errors else 'these are not the moves of a game'}")
    keys: array[int] = game.keys
    return keys[-1], game.final


def _after(text: Any) -> tuple[int, str] | None:
    if text is None:
        return None
    if not isinstance(text, str) or len(text) > MOST_TEXT:
        raise ValueError(f"moves are a text such as 7g7f 3c3d or P-7f P-3d, not {_shown(text)}")
    if not text.strip():
        from kifu.rules.position import Position

        return Position().key(), Position().sfen()
    return _after_text(text)


def _shown(value: Any) -> str:
    """A value as it can stand in a message."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
