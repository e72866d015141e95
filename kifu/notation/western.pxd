from kifu.notation.western_lines cimport Brackets
from kifu.record cimport Record

cdef class WesternReader(Brackets):
    cdef public Py_ssize_t first_count, stem, word_at, misspelt
    cdef public object even, words
    cdef public bint white_first, piece_taken
    cdef public list tail
    cpdef object open(self, Py_ssize_t move, Py_ssize_t offset)
    cpdef object settle(self, Record record)
    cpdef object arrange(self, object items)
