from kifu.notation.writing cimport Writer

cdef class CsaWriter(Writer):
    cdef public object page
