from kifu.notation.reading cimport Reader
from kifu.record cimport Record

cdef class UsiReader(Reader):
    cdef public Py_ssize_t line_move, line_start
    cdef public str start
    cdef public bint headed
    cpdef object open(self, Py_ssize_t move, Py_ssize_t offset)
    cpdef object split(self)
    cpdef object settle(self, Record record)
