"""The rows of ``plies`` and ``boards`` that proven games must have, worked out apart from whoever loads them."""
from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence

import pyarrow as pa

from kifu.movetext import KIND_FIELD, PROMOTED
from kifu.rules.move import DROPPED, ORIGIN_SHIFT, PIECE_FIELD, PIECE_SHIFT, PROMOTES, TAKEN_SHIFT, TARGET_FIELD
from kifu.rules.variants.shogi import RULES
from kifu.store import moves
from kifu.store.reproof import Proof

SQUARES = 81
KINDS = "plnsgbr"
#: The columns of ``boards`` behind game_id and ply.
SQUARES_AND_HANDS = (*(f"s{file}{rank}" for file in range(1, 10) for rank in "abcdefghi"),
                     *(f"{side}h{kind}" for side in "bw" for kind in KINDS))
WHITE = 64


def plies(ids: Sequence[int], proofs: Sequence[Proof]) -> pa.Table:
    """The rows of ``plies``: one a position, as far as each game is legal."""
    keys, codes, numbers, counting = array("q"), array("I"), array("i"), array("i")
    for game_id, proof in zip(ids, proofs, strict=True):
        rows = len(proof.keys)
        keys.extend(proof.keys)
        codes.extend(array("I", moves.decode(proof.codes)))
        codes.append(moves.ENDED)
        numbers.extend(array("i", [game_id]) * rows)
        counting.extend(range(rows))
    return pa.table({"key": _column(pa.int64(), keys), "move": _column(pa.uint32(), codes),
                     "game_id": _column(pa.int32(), numbers), "ply": _column(pa.int32(), counting)})


def boards(ids: Sequence[int], proofs: Sequence[Proof]) -> pa.Table:
    """The rows of ``boards``, of the games of standard shogi alone."""
    numbers, counting, rows = array("i"), array("i"), bytearray()
    for game_id, proof in zip(ids, proofs, strict=True):
        if proof.start is None or proof.start.rules is not RULES:
            continue
        numbers.extend(array("i", [game_id]) * len(proof.keys))
        counting.extend(range(len(proof.keys)))
        for board in _boards(proof):
            rows += board
    width = len(SQUARES_AND_HANDS)
    columns = {name: _column(pa.uint8(), array("B", bytes(rows[place::width])))
               for place, name in enumerate(SQUARES_AND_HANDS)}
    return pa.table({"game_id": _column(pa.int32(), numbers), "ply": _column(pa.int32(), counting), **columns})


def _column(kind: pa.DataType, values: array[int]) -> pa.Array:
    """An array as a column without nulls."""
    if values.itemsize * 8 != kind.bit_width:
        raise ValueError(f"numbers of {values.itemsize} bytes are no {kind}")
    return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(values)])


def _boards(proof: Proof) -> Iterator[bytes]:
    """The board before each move and behind the last one: what stands on each square, then the hands."""
    start = proof.start
    assert start is not None
    row = bytearray(start.man(square) for square in range(SQUARES))
    row += bytes(start.hand(colour, kind) for colour in (0, 1) for kind in range(1, len(KINDS) + 1))
    yield bytes(row)
    colour = start.turn
    for move in proof.moves:
        hand = SQUARES + len(KINDS) * colour - 1
        to, origin = move & TARGET_FIELD, move >> ORIGIN_SHIFT & TARGET_FIELD
        if move & DROPPED:
            row[hand + (origin & KIND_FIELD)] -= 1
            piece = origin & KIND_FIELD
        else:
            row[origin] = 0
            piece = move >> PIECE_SHIFT & PIECE_FIELD
            if taken := move >> TAKEN_SHIFT & KIND_FIELD:
                row[hand + taken] += 1
            if move & PROMOTES:
                piece |= PROMOTED
        row[to] = piece | WHITE * colour
        yield bytes(row)
        colour = 1 - colour
