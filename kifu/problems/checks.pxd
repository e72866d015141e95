from kifu.problems.table cimport ENDLESS, NEVER, Table
from kifu.rules.board cimport DROPPED, GIVES_CHECK, SIDE
from kifu.rules.generate cimport ANY, STORE, Generator
from kifu.rules.tables cimport (
    APART, BARRED, CELL, HAND, HAND_AND_COUNT, HERE, LEAP, MAY_MATE, PIECE, RAY, SPAN, SQUARE, SQUARES, STEP,
    VALUE_AND_APART, VALUE_AND_SQUARE,
)

cdef class Checker(Generator):
    cdef readonly int side
    cdef readonly Table table
    cdef public bint traditional
    cdef long long held[4096]  # by (colour << 5 | kind) << 6 | count: what a hand puts into a position's key
    cdef unsigned char field[64]  # by kind: the lowest bit of its count in the code of a hand

    cdef long long place_key(self) noexcept
    cdef unsigned int hand_code(self) noexcept
    cdef int attacks(self, int shelf) except -1
    cdef int dropped_checks(self, int count) except -1
    cdef int check_by_drop(self, int count, int kind, int cell) except -1
    cdef bint nifu(self, int cell, int kind) noexcept
    cdef int closed(self, int shelf) except -1
    cdef int useless(self, int shelf, int count) except -1
    cdef int taken_with_mate(self, int shelf, int origin, int to) except -1
