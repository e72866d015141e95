from kifu.notation.kif_kinds cimport KindsApart
from kifu.record cimport Record

cdef class KifReader(KindsApart):
    cdef public object board, rest, turn, count
    cdef public str hand_side, handicap_text, result_text
    cdef public Py_ssize_t rank, board_at, handicap_at
    cdef public bint headed
    cdef public list results
    cpdef object open(self, Py_ssize_t move, Py_ssize_t offset)
    cpdef object settle(self, Record record)
