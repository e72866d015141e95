from kifu.notation.kif_lines cimport NumberedLines

cdef class KindsApart(NumberedLines):
    cdef public bint puzzled
    cpdef object arrange(self, object items)
