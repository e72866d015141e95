cimport cython

from kifu.rules.board cimport COULD_PROMOTE, CROWDS, DROPPED, GIVES_CHECK, PROMOTED, PROMOTES, SIDE
from kifu.rules.generate cimport ANY
from kifu.rules.special cimport Special
from kifu.rules.tables cimport (
    APART, BARRED, CAN_PROMOTE, CELL, HAND, HERE, IN_ZONE, MAY_MATE, MUST, PIECE, RAY, ROYAL, SLIDE, SPAN, SQUARE,
    SQUARES, STEP, STUCK, VALUE, VALUE_AND_APART, VALUE_AND_SQUARE, WAY,
)

cdef class Resolver(Special):
    @cython.final
    cdef long long judge(self, long long text) except? -1000
    @cython.final
    cdef long long dropped(self, long long text, int target) except? -1000
    @cython.final
    cdef long long twice(self, long long text, int origin, int target) except? -1000
    @cython.final
    cdef inline long long from_origin(self, long long text, int origin, int target) noexcept
    @cython.final
    cdef inline long long judged(self, long long text, int origin, int target) noexcept
    @cython.final
    cdef inline long long finished(self, long long text, long long move, int origin, int target) noexcept
    @cython.final
    cdef inline int source(self, int way, int target, int value) noexcept
    @cython.final
    cdef inline bint fits(self, long long text, int at, int target) noexcept
    @cython.final
    cdef int aside(self, long long text, int at, int target) noexcept
    @cython.final
    cdef int furthest(self, long long text, int target, int value) noexcept
    @cython.final
    cdef bint marked(self, long long text, int origin, int target) noexcept
    @cython.final
    cdef long long shared_way(self, int target, int value) noexcept
    @cython.final
    cdef long long found(self, long long text, int target) except? -1000
    @cython.final
    cdef int within(self, Py_ssize_t first, Py_ssize_t last, Py_ssize_t texts, Py_ssize_t moves,
                    Py_ssize_t keys) except -1
    @cython.final
    cdef int run(self, long long* texts, int first, int last, long long* moves, long long* keys,
                 list remarks) except -1
    @cython.final
    cdef bint contested(self, long long move) except -1
