cdef class Writer:
    cdef public object style, losses
    cpdef object lose(self, str kind, Py_ssize_t count=*)
    cpdef str header_value(self, str value)
    cpdef str clean(self, str value)
