from kifu.notation.reading cimport Reader

cdef class NumberedLines(Reader):
    cdef public Py_ssize_t lost_above, ply_offset, after_end
    cdef public dict more_bookmarks
    cdef public list path, longest
    cpdef object open(self, Py_ssize_t move, Py_ssize_t offset)
    cpdef object close(self, Py_ssize_t move, Py_ssize_t offset)
    cpdef bint begun(self, Py_ssize_t move) except -1
    cpdef object restart(self, Py_ssize_t move)
    cpdef Py_ssize_t number_at(self, Py_ssize_t move) except -1
    cpdef Py_ssize_t number_base(self) except -1
