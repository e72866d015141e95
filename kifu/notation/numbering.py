# cython: language_level=3, boundscheck=True, wraparound=False, initializedcheck=False
"""Whether the numbers that stand before and between moves run on as they should. They are checked, never used."""
from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # interpreted, without Cython installed
    from kifu import _cython as cython

from kifu.notation.meanings import NUMBER_MASK

_NUMBER = cython.declare(cython.longlong, NUMBER_MASK)


def misnumbered(counts: array, begin: cython.Py_ssize_t, limit: cython.Py_ssize_t, end: cython.Py_ssize_t,
                first: cython.Py_ssize_t, shift: cython.Py_ssize_t) -> tuple:
    """Check the numbers between the moves of one record, from number ``begin`` on up to offset ``limit``.

    Two moves a number, or one, whichever more of the numbers follow; ``first`` is the index of the record's first move,
    ``shift`` 1 where White makes it. Returns where the numbers behind offset ``end`` begin, then the first number that
    is wrong and what it should be, -1 and -1 where none is.
    """
    numbers: cython.const[cython.longlong][::1]
    many: cython.Py_ssize_t
    i: cython.Py_ssize_t
    last: cython.Py_ssize_t
    following: cython.Py_ssize_t
    pairs: cython.Py_ssize_t = 0
    plies: cython.Py_ssize_t = 0
    due: cython.longlong
    if 3 * begin >= len(counts):
        return begin, -1, -1
    numbers = counts
    many = len(counts) // 3
    following = begin
    while following < many and numbers[3 * following + 2] < end:
        following += 1
    last = begin
    while last < following and numbers[3 * last + 2] < limit:
        if numbers[3 * last] == (numbers[3 * last + 1] - first + shift) // 2 + 1:
            pairs += 1
        if numbers[3 * last] == numbers[3 * last + 1] - first + 1:
            plies += 1
        last += 1
    if pairs == last - begin or plies == last - begin:  # as in almost every record
        return following, -1, -1
    for i in range(begin, last):
        due = numbers[3 * i + 1] - first
        due = (due + shift) // 2 + 1 if pairs >= plies else due + 1
        if numbers[3 * i] != due and numbers[3 * i] < 1000000000:
            return following, i, due
    return following, -1, -1


def in_order(info: array, first: cython.longlong) -> bool:
    """Whether the moves of ``info`` are numbered ``first``, ``first + 1`` and so on, without a gap.

    >>> in_order(array("q", [0, 4, 1, -1, 5, 9, 2, -1]), 1)
    True
    """
    numbers: cython.const[cython.longlong][::1]
    move: cython.Py_ssize_t
    if not info:
        return True
    numbers = info
    for move in range(len(info) // 4):  # noqa: SIM110  (a loop in C)
        if numbers[4 * move + 2] & _NUMBER != first + move:
            return False
    return True
