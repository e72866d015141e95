from kifu.notation.reading cimport Reader
from kifu.record cimport Line

cdef class Branch:
    cdef public Line line
    cdef public list nodes
    cdef public Py_ssize_t since
    cdef public bint finished, over, told
    cpdef object take(self, Py_ssize_t index)

cdef class Brackets(Reader):
    cdef public bint tells
    cdef public str key, value
    cdef public Branch branch
    cdef public dict asked
    cdef public list branches, brackets, turns
    cpdef object open(self, Py_ssize_t move, Py_ssize_t offset)
    cpdef object close(self, Py_ssize_t move, Py_ssize_t offset)
    cpdef bint begun(self, Py_ssize_t move) except -1
    cpdef Py_ssize_t played(self, Py_ssize_t move) except -1
    cpdef Py_ssize_t seen(self, Py_ssize_t move) except? -1
    cpdef object stop(self, Py_ssize_t move)
    cpdef object surplus(self, Py_ssize_t move)
    cpdef object enter(self, Branch branch, Py_ssize_t index)
    cpdef Branch begin_line(self, Line line, Py_ssize_t index)
