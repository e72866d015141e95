from kifu.notation.csa_dialects cimport DialectReader
from kifu.record cimport Record

cdef class CsaReader(DialectReader):
    cdef public dict rows
    cdef public object board
    cdef public list lower
    cdef public tuple lowered
    cdef public str hands_side
    cdef public bint even, rest_given
    cpdef object open(self, Py_ssize_t move, Py_ssize_t offset)
    cpdef object settle(self, Record record)
