from kifu.notation.assemble cimport Assembly
from kifu.record cimport Line, Record, Source

cdef class Reader:
    cdef public str text, notation, mode
    cdef public object given_handicap, given_variant
    cdef public Source source
    cdef public list records, pending, lines
    cdef public Py_ssize_t first_move, first_note
    cdef public Record record
    cdef public Line current
    cdef public dict faults, note_marks
    cdef public object texts, info, notes, counts
    cdef public object marks
    cdef public bint told, finished, late
    cdef public Py_ssize_t lost
    cpdef object open(self, Py_ssize_t move, Py_ssize_t offset)
    cpdef object close(self, Py_ssize_t move, Py_ssize_t offset)
    cpdef object settle(self, Record record)
    cpdef object foul_remark(self, Record record)
    cpdef object arrange(self, object items)
    cpdef object next_record(self, Py_ssize_t move, Py_ssize_t offset)
    cpdef Py_ssize_t played(self, Py_ssize_t move) except -1
    cpdef Py_ssize_t seen(self, Py_ssize_t move) except? -1
    cpdef str mover(self, Py_ssize_t move, str first)
    cpdef object stop(self, Py_ssize_t move)
    cpdef object claim_end(self, Py_ssize_t move, object end)
    cpdef Py_ssize_t ply_at(self, Py_ssize_t move) except? -1
    cpdef object surplus(self, Py_ssize_t move)
