# cython: language_level=3, boundscheck=True, wraparound=False, initializedcheck=False
"""The constants of the position keys. They are part of the file format: databases hold keys made with them.

Constant number ``n`` is what the splitmix64 generator (Steele, Lea and Flood 2014), started at `SEED`, gives as its
``n``-th output. The number packs what the constant stands for, so it does not depend on the board's size:

* a man on a square: ``colour << 14 | piece << 8 | file << 4 | rank``, files and ranks from 1
* a hand: ``1 << 15 | colour << 14 | kind << 8 | count`` with the count from 1; an empty hand adds nothing
* White to move: ``1 << 16``
* another kind of shogi than the standard one: ``1 << 17 | its number``
* a lion that was taken by another man in the last move (chu): ``1 << 18 | file << 4 | rank`` of its square

A position's key is the exclusive or of the constants of all that is true of it, as a signed 64-bit number. Two
different positions share a key by chance once in 2**64; that risk is accepted, as is that collisions can be made on
purpose.

>>> constant(0)  # splitmix64's first output from SEED 0
-2152535657050944081
"""
from __future__ import annotations

try:
    import cython
except ImportError:
    from kifu import _cython as cython

SEED = cython.declare(cython.ulonglong, 0)
_MASK = cython.declare(cython.ulonglong, (1 << 64) - 1)
_GAMMA = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
_FIRST = cython.declare(cython.ulonglong, 0xBF58476D1CE4E5B9)
_SECOND = cython.declare(cython.ulonglong, 0x94D049BB133111EB)


@cython.cfunc
@cython.exceptval(check=False)
def _output(number: cython.ulonglong) -> cython.ulonglong:
    """What splitmix64 gives as this output, unsigned. The masks are for Python's integers, which do not wrap."""
    mixed: cython.ulonglong = (SEED + (number + 1) * _GAMMA) & _MASK
    mixed = ((mixed ^ mixed >> 30) * _FIRST) & _MASK
    mixed = ((mixed ^ mixed >> 27) * _SECOND) & _MASK
    return mixed ^ mixed >> 31


@cython.cfunc
@cython.exceptval(check=False)
def _signed(number: cython.ulonglong) -> cython.longlong:
    output: cython.ulonglong = _output(number)
    if output >> 63:
        return -1 - cython.cast(cython.longlong, output ^ _MASK)
    return output


def constant(number: cython.ulonglong) -> int:
    """The constant of this number, signed 64-bit."""
    return _signed(number)


def board_constant(colour: cython.int, piece: cython.int, file: cython.int, rank: cython.int) -> int:
    """The constant of a man on a square."""
    return _signed(colour << 14 | piece << 8 | file << 4 | rank)


def hand_constant(colour: cython.int, kind: cython.int, count: cython.int) -> int:
    """The constant of ``count`` men of a kind in hand; 0 for none."""
    return _signed(1 << 15 | colour << 14 | kind << 8 | count) if count else 0


def turn_constant() -> int:
    """The constant of White to move."""
    return _signed(1 << 16)


def struck_constant(file: cython.int, rank: cython.int) -> int:
    """The constant of a lion just taken by another man on this square."""
    return _signed(1 << 18 | file << 4 | rank)


def variant_constant(number: cython.int) -> int:
    """The constant of a kind of shogi; 0 for the standard one."""
    return _signed(1 << 17 | number) if number else 0
