from kifu.notation.reading cimport Reader
from kifu.record cimport Record

cdef class DialectReader(Reader):
    cdef public object turn, told_of
    cdef public bint indent_told
    cpdef object open(self, Py_ssize_t move, Py_ssize_t offset)
    cpdef bint begun(self, Py_ssize_t move) except -1
    cpdef str to_move(self, Py_ssize_t move)
    cpdef object on_end(self, Py_ssize_t move, object end)
