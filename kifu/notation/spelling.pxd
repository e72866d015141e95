# What the compiler needs beside the types that spelling.py declares itself: text from a page's row of characters and
# back in one go. PyUnicode_AsUCS4 itself checks that the text fits.
from cpython.unicode cimport PyUnicode_FromKindAndData
from kifu.rules.resolve cimport Resolver

cdef extern from "Python.h":
    Py_UCS4 *PyUnicode_AsUCS4(object text, unsigned int *room, Py_ssize_t size, bint zero_ended) except NULL
