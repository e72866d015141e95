from kifu.rules.board cimport COULD_PROMOTE, DROPPED, GIVES_CHECK, PROMOTED, PROMOTES, SIDE, Board
from kifu.rules.tables cimport (
    APART, BARRED, CELL, HAND, HERE, IN_ZONE, LEAP, MAY_MATE, MUST, PIECE, RAY, ROYAL, SLIDE, SPAN, SQUARE, SQUARES,
    STEP, STUCK, VALUE, VALUE_AND_APART, VALUE_AND_SQUARE, WALL, WAY,
)

cdef enum:
    STORE = 0
    COUNT = 1
    ANY = 2

cdef class Generator(Board):
    cdef short pinned[16]  # by line from the king: the man that is pinned on it, 0 where none is
    cdef short pinner[16]  # and who pins it
    cdef long long[::1] moves  # one shelf of tables.most_moves for each level of search

    cdef int make_room(self, int shelves) except -1
    cdef int checkers(self, int king, int by) noexcept
    cdef int pins(self, int king, int by) noexcept
    cdef bint surely_can_move(self) noexcept
    cdef bint can_move(self) except -1
    cdef bint between(self, int king, int at, int last, int ray) noexcept
    cdef int generate(self, int shelf, int mode) except -1
    cdef int generate_special(self, int shelf, int mode) except -1
    cdef int drops(self, int count, int checker, int screen, int mode) except -1
    cdef int mates(self, long long move) except -1
    cdef long long with_check(self, long long move) noexcept
    cdef long long count_lines(self, int depth, int shelf) except -1
