from kifu.rules.board cimport COULD_PROMOTE, NEAR, PROMOTED, PROMOTES
from kifu.rules.generate cimport ANY, STORE, Generator
from kifu.rules.tables cimport (
    AND_ANY, BY_CAPTURE, BY_ENTRY, CAN_PROMOTE, CAPTURE_ONLY, CELL, CROWN, HERE, HOP, IN_ZONE, LATE, LION, MUST,
    NO_CAPTURE, ON_OR_BACK, PIECE, RAY, ROYAL, SPAN, SQUARE, SQUARES, STUCK, TRIFLE, VALUE, VALUE_AND_APART,
    VALUE_AND_SQUARE, WALL, WAY,
)

cdef enum:
    VIA_SHIFT = 32
    TAKEN_ON_WAY_SHIFT = 40

cdef class Special(Generator):
    cdef bint reaches(self, int value, int origin, int target) noexcept
    cdef int source_over(self, int way, int target, int value) noexcept
    cdef int duties(self, int value, int source, int to, int there) noexcept
    cdef int special_duties(self, int origin, int target) noexcept
    cdef bint guarded_lion(self, int value, int origin, int via, int target) noexcept
    cdef long long second_step(self, int origin, int via, int target) noexcept
    cdef int struck_by(self, long long past) noexcept
    cdef bint has_royal(self, int colour) noexcept
    cdef int ways_on(self, int first, int cell, int way, int mode, int count) except -1
    cdef int second_steps(self, int cell, int way, int mode, int count) except -1
    cdef int keep(self, int cell, int at, int mode, int count) except -1
