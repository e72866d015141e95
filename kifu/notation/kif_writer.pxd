from kifu.notation.writing cimport Writer

cdef class KifWriter(Writer):
    cdef public object page, used
