from kifu.rules.generate cimport Generator

cdef class Resolver(Generator):
    cdef long long judge(self, long long text) except? -1000
    cdef long long dropped(self, long long text, int to) except? -1000
    cdef long long from_origin(self, long long text, int origin, int to) except? -1000
    cdef long long judged(self, long long text, int origin, int target) except? -1000
    cdef long long finished(self, long long text, long long move, int origin, int target) except? -1000
    cdef int source(self, int way, int target, int value) except -1
    cdef int fits(self, long long text, int at, int target) except -1
    cdef int aside(self, long long text, int at, int target) except? -1000
    cdef long long shared_way(self, int target, int value) except -1
    cdef long long found(self, long long text, int to) except? -1000
    cdef bint contested(self, long long move) except -1
