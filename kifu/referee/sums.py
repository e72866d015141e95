# cython: language_level=3, boundscheck=True, wraparound=False, initializedcheck=False
"""What the referee asks of every game, in one loop each: positions that stand again, and clocks that run down."""
from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # interpreted, without Cython installed
    from kifu import _cython as cython

#: Numbers a move in `kifu.record.Record.info`; the last of them is the thought.
INFO = cython.declare(cython.Py_ssize_t, 4)


def fourth(keys: array) -> int:
    """The first index at which a key (`array('q')`) stands for the fourth time, -1 if none does.

    Keys are hashes whose bits are as good as random, so that their low ones can be an address.

    >>> fourth(array("q", [1, 2, 1, 2, 1, 2, 1]))
    6
    """
    count: cython.Py_ssize_t = len(keys)
    if count < 4:
        return -1
    room: cython.Py_ssize_t = 256
    while room < 2 * count:
        room *= 2
    key: cython.const[cython.longlong][::1] = keys
    places: cython.longlong[::1] = array("q", bytes(8 * room))  # 0, or an index plus one, times four, plus repeats
    mask: cython.longlong = room - 1
    at: cython.Py_ssize_t
    i: cython.Py_ssize_t
    for i in range(count):
        at = key[i] & mask
        while places[at] and key[(places[at] >> 2) - 1] != key[i]:
            at = (at + 1) & mask
        if not places[at]:
            places[at] = (i + 1) << 2
        elif places[at] & 3 == 2:
            return i
        else:
            places[at] += 1
    return -1


def run_down(info: array, first: cython.Py_ssize_t, last: cython.Py_ssize_t, main: cython.longlong,
             byoyomi: cython.longlong, increment: cython.longlong, rounding: cython.longlong) -> tuple[int, int]:
    """Run a clock over every second of the moves from ``first`` to before ``last``; all times in milliseconds.

    ``info`` is that of the record. Returns the first move that took longer than there was time, -1 where none did, -2
    where a move has no clock; and the time that there was for it, or that is left for a further one, byoyomi included.

    >>> run_down(array("q", [0, 0, 0, 5000, 0, 0, 0, 0, 0, 0, 0, 9000]), 0, 3, 10000, 2000, 0, 0)
    (2, 7000)
    """
    number: cython.const[cython.longlong][::1] = info
    left: cython.longlong = main
    thought: cython.longlong
    i: cython.Py_ssize_t
    for i in range(first, last, 2):
        thought = number[INFO * i + 3]
        if thought < 0:
            return -2, 0
        left += increment
        if thought > left + byoyomi + rounding:
            return i, left + byoyomi
        left = left - thought if left > thought else 0
    return -1, left + byoyomi
