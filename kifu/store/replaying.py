"""Moves of the database as moves of the engine: ``games.moves`` replayed from its start position.

A move code (`kifu.store.moves`) says where a man goes. What it is, what it takes and whether the move is legal only a
position tells, so whatever needs that replays the game. That takes a few dozen microseconds.
"""
from __future__ import annotations

from array import array

from kifu.diagnostics import REASONS
from kifu.rules.handicaps import by_key
from kifu.rules.position import Position
from kifu.rules.variants import RULESETS
from kifu.store import moves

_ILLEGAL = "move {number} ({move}) is not legal there: {reason}"


class NotReplayable(ValueError):
    """Moves that are not those of a game from that start; the message is a sentence without its full stop."""


def start_of(handicap: str | None, start_sfen: str | None, variant: str | None = None) -> str:
    """The position that a game starts from, as the columns of ``games`` say it. Raises `NotReplayable`.

    ``variant`` is the kind of shogi, by default ordinary shogi.
    """
    if start_sfen is not None:
        return start_sfen
    kind = _kind(variant)
    known = by_key(handicap or "even", kind)
    if known is None:
        raise NotReplayable(f"{handicap!r} is no handicap that names a start position")
    return known.sfen


def packed_moves(blob: bytes, start: str, keys: array[int] | None = None, variant: str | None = None) -> array[int]:
    """The packed moves (`kifu.rules.move`) of a ``games.moves`` blob, all proven to be legal.

    ``variant`` is the kind of shogi, by default ordinary shogi. ``keys``, if given, becomes the keys of all positions,
    the first and the final one included. Raises `NotReplayable`.

    >>> from kifu.rules.move import usi
    >>> [usi(move) for move in packed_moves(bytes.fromhex("3b1e150a"), start_of("even", None))]
    ['7g7f', '3c3d']
    """
    kind = _kind(variant)
    width = moves.width(kind)
    if len(blob) % width:
        raise NotReplayable(f"{len(blob)} bytes are no moves: each takes {'two' if width == 2 else 'four'}")
    codes = moves.decode(blob)
    if codes and codes.itemsize != width:
        raise NotReplayable(f"these are no move codes of {kind}; the column variant says of what kind of shogi a game is")
    try:
        position = Position(start, kind)
    except ValueError as error:
        raise NotReplayable(str(error)) from error
    texts = _texts(codes, kind)
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
    kind = position.rules.key
    if code < 0 or code >> 8 * moves.width(kind) or moves.width(kind) == 4 and not moves.is_wide(code):
        raise NotReplayable(f"{code} is no move code of {kind}")
    try:
        found = position.resolve(moves.texts((code,))[0])
    except ValueError:
        raise NotReplayable(f"{code} is not legal in {position.sfen()}") from None
    if found < 0:
        raise NotReplayable(f"{moves.usi(code)} is not legal in {position.sfen()}")
    return int(found)


def _texts(codes: array[int], kind: str) -> array[int]:
    """The move texts of codes."""
    try:
        return moves.texts(codes)
    except ValueError:
        for number, code in enumerate(codes, 1):
            try:
                moves.text(code)
            except ValueError:
                name = "standard shogi" if kind == moves.NARROW else kind
                raise NotReplayable(f"move {number} is no move of {name} (code {code})") from None
        raise


def _kind(variant: str | None) -> str:
    """A kind of shogi that is known."""
    kind = moves.NARROW if variant is None else variant
    if kind not in RULESETS:
        raise NotReplayable(f"{kind!r} is no kind of shogi known here; known: {', '.join(RULESETS)}")
    return kind
