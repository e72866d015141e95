from kifu.record cimport Game, Line, Record
from kifu.rules.resolve cimport Resolver

cdef Resolver _copied(Resolver prototype)

cdef class _Replay:
    cdef Record record
    cdef str mode
    cdef object chosen
    cdef Game game
    cdef list findings, remarks
    cdef bint stopped, unreadable
    cdef dict joined

    cdef Game run(self, bint keys)
    cdef Resolver start(self)
    cdef object main_line(self, Resolver prototype)
    cdef Py_ssize_t play(self, Resolver position, Line line) except -1
    cdef object verify(self, Resolver position)
    cdef object judge(self)
    cdef list placed(self)
