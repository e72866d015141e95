# cython: language_level=3, boundscheck=True, wraparound=False, initializedcheck=False
"""Move codes to boards: what stands on each square in every position of a game of ordinary shogi, column by column.

A board is 95 numbers (`CELLS`): the 81 squares in the order of move codes (1a, 1b, ... 9i), 0 or the number of the man,
+ 32 promoted, + 64 White's; then the men in Black's hand (pawn, lance, knight, silver, gold, bishop, rook) and in
White's. A move changes three of them, so each column is written run by run, a run as long as its value stays.
"""
from __future__ import annotations

from array import array
from functools import lru_cache

try:
    import cython
except ImportError:  # interpreted, without Cython installed
    from kifu import _cython as cython

from kifu.rules import handicaps
from kifu.rules.position import Position

SQUARES = cython.declare(cython.int, 81)
CELLS = cython.declare(cython.int, 95)
#: Kinds of men that go into a hand: 1 pawn to 7 rook.
KINDS = cython.declare(cython.int, 7)
PROMOTED = cython.declare(cython.int, 32)
WHITE = cython.declare(cython.int, 64)

#: The columns of the table ``boards``, in the order of a board.
NAMES = (*[f"s{file}{rank}" for file in range(1, 10) for rank in "abcdefghi"],
         *[f"{side}h{man}" for side in "bw" for man in "plnsgbr"])


@lru_cache(maxsize=256)
def start_board(handicap: str, start_sfen: str | None) -> tuple[bytes, int]:
    """The board of a start position, as ``games`` has it, and the side to move (0 Black, 1 White).

    Raises ValueError for what is no position of ordinary shogi.
    """
    if start_sfen is None:
        found = handicaps.by_key(handicap)
        if found is None:
            raise ValueError(f"{handicap!r} names no start position")
        start_sfen = found.sfen
    position = Position(start_sfen)
    squares = [position.man(square) for square in range(81)]
    hands = [position.hand(colour, kind) for colour in (0, 1) for kind in range(1, 8)]
    return bytes(squares + hands), position.turn


def fill(out: bytearray, rows: cython.Py_ssize_t, row: cython.Py_ssize_t, start: bytes, turn: cython.int,
         codes: bytes) -> None:
    """Write the boards of a game into ``out``, 95 columns of ``rows`` bytes each, from ``row`` on.

    There is one more of them than moves. ``start`` and ``turn`` are those of `start_board`, ``codes`` the move codes
    (`kifu.store.moves`). Raises ValueError where they are no moves of a game from there, as far as boards tell.
    """
    count: cython.Py_ssize_t = len(codes) // 2
    if len(start) != CELLS or len(codes) % 2 or row < 0 or row + count >= rows or len(out) != rows * CELLS:
        raise ValueError("boards do not fit")
    cells: cython.uchar[:] = out
    board: cython.uchar[:] = bytearray(start)
    since: cython.longlong[:] = array("q", [row]) * CELLS  # by cell: the first row that is not written yet
    moves: cython.const[cython.uchar][:] = codes
    ply: cython.Py_ssize_t
    code: cython.int
    target: cython.int
    origin: cython.int
    hand: cython.int
    man: cython.int
    taken: cython.int
    side: cython.int = turn & 1
    here: cython.Py_ssize_t = row
    cell: cython.int
    for ply in range(count):
        here += 1
        code = moves[2 * ply] | moves[2 * ply + 1] << 8
        target = code & 127
        origin = code >> 7 & 127
        if target >= SQUARES:
            raise ValueError("a move leads off the board")
        taken = board[target]
        if code >> 14 & 1:
            hand = SQUARES + KINDS * side + origin - 1
            if not 1 <= origin <= KINDS or not board[hand] or taken:
                raise ValueError("a man that is not there was dropped, or onto another")
            man = origin + WHITE * side
            _write(cells, rows, hand, board[hand], since, here)
            board[hand] -= 1
        else:
            if origin >= SQUARES or not board[origin] or board[origin] & WHITE != WHITE * side:
                raise ValueError("a man that is not there was moved")
            man = board[origin]
            if code >> 15 & 1:
                if man & PROMOTED:
                    raise ValueError("a man promoted twice")
                man |= PROMOTED
            if taken:
                hand = SQUARES + KINDS * side + (taken & 31) - 1
                if taken & WHITE == WHITE * side or taken & 31 > KINDS:
                    raise ValueError("a man was taken that cannot be")
                _write(cells, rows, hand, board[hand], since, here)
                board[hand] += 1
            _write(cells, rows, origin, board[origin], since, here)
            board[origin] = 0
        _write(cells, rows, target, taken, since, here)
        board[target] = man
        side = 1 - side
    for cell in range(CELLS):
        _write(cells, rows, cell, board[cell], since, here + 1)


@cython.cfunc
def _write(cells: cython.uchar[:], rows: cython.Py_ssize_t, cell: cython.int, value: cython.uchar,
           since: cython.longlong[:], end: cython.Py_ssize_t) -> cython.int:
    """The value that a cell has had, into the rows from the first that is not written to the one before ``end``."""
    at: cython.Py_ssize_t
    for at in range(cell * rows + since[cell], cell * rows + end):
        cells[at] = value
    since[cell] = end
    return 0
