"""Moves of the database as moves of the engine: ``games.moves`` replayed from its start position.

A move code (`kifu.store.moves`) says where a man goes. What it is, what it takes and whether the move is legal only a
position tells, so whatever needs that replays the game. That takes a few dozen microseconds.
"""
from __future__ import annotations

from array import array

from kifu.diagnostics import REASONS
from kifu.movetext import DROP, PROMOTE, pack
from kifu.rules.handicaps import by_key
from kifu.rules.position import Position
from kifu.store import moves

_DROPPED, _PROMOTES = 1 << 14, 1 << 15


class NotReplayable(ValueError):
    """Moves that are not those of a game from that start; the message is a sentence without its full stop."""


class _Texts(dict[int, int]):
    """Move codes of the 9x9 board as move texts (`kifu.movetext`), each made when it is first met."""

    def __missing__(self, code: int) -> int:
        target, origin = code & moves.TARGET_MASK, code >> moves.ORIGIN_SHIFT & moves.TARGET_MASK
        to = (target // 9 + 1, target % 9 + 1)
        if code & _DROPPED:
            text = pack(to=to, piece=origin, flags=DROP)
        else:
            text = pack(to=to, origin=(origin // 9 + 1, origin % 9 + 1), flags=PROMOTE if code & _PROMOTES else 0)
        self[code] = text
        return text


_texts = _Texts()
_SQUARES = 81
_ILLEGAL = "move {number} ({move}) is not legal there: {reason}"


def start_of(handicap: str | None, start_sfen: str | None) -> str:
    """The position that a game starts from, as the columns of ``games`` say it. Raises `NotReplayable`."""
    if start_sfen is not None:
        return start_sfen
    known = by_key(handicap or "even")
    if known is None:
        raise NotReplayable(f"{handicap!r} is no handicap that names a start position")
    return known.sfen


def packed_moves(blob: bytes, start: str, keys: array[int] | None = None) -> array[int]:
    """The packed moves (`kifu.rules.move`) of a ``games.moves`` blob of standard shogi, all proven to be legal.

    ``keys``, if given, becomes the keys of all positions, the first and the final one included. Raises `NotReplayable`.

    >>> from kifu.rules.move import usi
    >>> [usi(move) for move in packed_moves(bytes.fromhex("3b1e150a"), start_of("even", None))]
    ['7g7f', '3c3d']
    """
    if len(blob) % 2:
        raise NotReplayable(f"{len(blob)} bytes are no moves: each takes two")
    codes = moves.decode(blob)
    try:
        position = Position(start)
    except ValueError as error:
        raise NotReplayable(str(error)) from error
    for number, code in enumerate(codes, 1):
        if code & moves.TARGET_MASK >= _SQUARES or code >> moves.ORIGIN_SHIFT & moves.TARGET_MASK >= _SQUARES:
            raise NotReplayable(f"move {number} is no move of standard shogi (code {code})")
    texts = array("q", map(_texts.__getitem__, codes))
    packed = array("q", bytes(8 * len(texts)))
    if keys is not None:
        keys[:] = array("q", bytes(8 * len(texts) + 8))
        keys[0] = position.key()
    stop = position.replay(texts, 0, len(texts), packed, keys, [])
    if stop < len(texts):
        raise NotReplayable(_ILLEGAL.format(number=stop + 1, move=moves.usi(codes[stop]),
                                            reason=REASONS[position.reason].replace("-", " ")))
    return packed


def packed_move(position: Position, code: int) -> int:
    """The packed move of one code in a position. Raises `NotReplayable`."""
    inside = code & moves.TARGET_MASK < _SQUARES and code >> moves.ORIGIN_SHIFT & moves.TARGET_MASK < _SQUARES
    found = position.resolve(_texts[code]) if inside and 0 < code < 1 << 16 else -1
    if found < 0:
        raise NotReplayable(f"{moves.usi(code) if inside else code} is not legal in {position.sfen()}")
    return int(found)
