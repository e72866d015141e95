from kifu.rules.generate cimport ANY, Generator
from kifu.rules.tables cimport (
    APART, BARRED, CAN_PROMOTE, CELL, HAND, HERE, IN_ZONE, MAY_MATE, PIECE, RAY, ROYAL, SQUARE, STEP, STUCK, VALUE,
    VALUE_AND_APART, VALUE_AND_CELL, WAY,
)

cdef class Resolver(Generator):
    cdef long long judge(self, long long text) except? -1000
    cdef long long dropped(self, long long text, int target) except? -1000
    cdef long long from_origin(self, long long text, int origin, int target) noexcept
    cdef long long judged(self, long long text, int origin, int target) noexcept
    cdef long long finished(self, long long text, long long move, int origin, int target) noexcept
    cdef int source(self, int way, int target, int value) noexcept
    cdef bint fits(self, long long text, int at, int target) noexcept
    cdef int aside(self, long long text, int at, int target) noexcept
    cdef long long shared_way(self, int target, int value) noexcept
    cdef long long found(self, long long text, int target) except? -1000
