# What the compiled machine needs of Python's own C interface; PyUnicode_AsUCS4 itself checks that the text fits.
cdef extern from "Python.h":
    Py_UCS4 *PyUnicode_AsUCS4(object text, unsigned int *room, Py_ssize_t size, bint zero_ended) except NULL

cimport cython

@cython.final
cdef class Work:
    cdef object tape_array, stack_array, pending_array, probe_array
    cdef readonly object characters
    cdef readonly list faults
    cdef int[::1] tape
    cdef int[::1] stack
    cdef int[::1] pending
    cdef int[::1] probe
    cdef const unsigned char[::1] narrow
    cdef const unsigned int[::1] wide
    cdef readonly Py_ssize_t at
    cdef Py_ssize_t top, last_end
    cdef unsigned int state, context
    cdef inline size_t write(self, size_t at, int code, size_t start, size_t end) except? 0
    cdef int grow_tape(self) except -1
    cdef int grow_stack(self) except -1
    cdef int grow_pending(self) except -1
    cdef int grow_probe(self) except -1
