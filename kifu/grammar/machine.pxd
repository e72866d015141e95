# What the compiled machine needs of Python's own C interface; PyUnicode_AsUCS4 itself checks that the text fits.
cdef extern from "Python.h":
    Py_UCS4 *PyUnicode_AsUCS4(object text, unsigned int *room, Py_ssize_t size, bint zero_ended) except NULL
