# The types of a page and its insides. Texts are written and read in the form that CPython keeps them in
# (PyUnicode_KIND: bytes a character); arrays are looked at where they lie, see `Page.see`.
cimport cython
from cpython.array cimport array as numbers
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_FromKindAndData, PyUnicode_KIND, PyUnicode_New

from kifu.rules.resolve cimport Resolver

cdef extern from "Python.h":
    unsigned int PyUnicode_MAX_CHAR_VALUE(object text)
    Py_UCS4 *PyUnicode_AsUCS4(object text, unsigned int *room, Py_ssize_t size, bint zero_ended) except NULL

cdef class Page:
    cdef numbers store
    cdef unsigned int *room  # of ``store``
    cdef Py_ssize_t limit  # how many characters it holds
    cdef Py_ssize_t size
    cdef unsigned int widest  # no character is beyond this; one is of its kind: 127, 255, 65535 or more
    cdef numbers move_array
    cdef numbers info_array
    cdef numbers note_array
    cdef numbers name_array
    cdef long long *moves  # of ``move_array``, and so on
    cdef long long *info
    cdef long long *notes
    cdef unsigned int *names
    cdef Py_ssize_t known  # how many moves ``moves`` and ``info`` hold
    cdef Py_ssize_t informed  # how many numbers ``info`` and ``notes`` hold
    cdef Py_ssize_t noted_until
    cdef Py_ssize_t named  # how many pairs ``names`` holds
    cdef str text
    cdef Py_ssize_t at  # where in ``notes`` the next comment stands
    cdef object marks
    cdef long long[::1] learned  # head, tail and kind of each mark
    cdef long long even  # seconds of thought so far, of the side that makes the moves with even numbers
    cdef long long odd

    @cython.final
    cdef int furnish(self, numbers store) except -1
    @cython.final
    cdef int see(self) except -1
    @cython.final
    cdef int within(self, Py_ssize_t first, Py_ssize_t last) except -1
    @cython.final
    cdef int sort(self) except -1
    @cython.final
    cdef int reserve(self, Py_ssize_t count) except -1
    @cython.final
    cdef inline int sign(self, unsigned int char) except -1
    @cython.final
    cdef inline int pair(self, unsigned int first, unsigned int second) except -1
    @cython.final
    cdef inline int two_digits(self, unsigned int number) except -1
    @cython.final
    cdef int number(self, long long value, int width, unsigned int fill) except -1
    @cython.final
    cdef int copy(self, str text) except -1
    @cython.final
    cdef Py_ssize_t place(self, long long index) except -1
    @cython.final
    cdef inline bint noted(self, long long index) except -1
    @cython.final
    cdef str next_note(self)
    @cython.final
    cdef inline int kind(self) except -1
    @cython.final
    cdef int remark(self, str mark, str text) except -1
    @cython.final
    cdef inline int square(self, unsigned int square) except -1
    @cython.final
    cdef inline int lettered(self, unsigned int square) except -1
    @cython.final
    cdef inline int name(self, int piece) except -1

@cython.final
cdef class CsaPage(Page):
    cdef int write_remarks(self, long long index, bint starred) except -1
    cdef int seconds(self, long long time, bint fractions) except -1

@cython.final
cdef class KifPage(Page):
    cdef numbers target_array
    cdef unsigned int *targets  # two characters a square
    cdef Py_ssize_t squares

    cdef int write_remarks(self, long long index, dict bookmarks) except -1
    cdef int write_clock(self, long long time, long long number, bint running) except -1

@cython.final
cdef class UsiPage(Page):
    pass

@cython.final
cdef class WesternPage(Page):
    cdef Resolver position
    cdef Py_ssize_t word  # where the separator before the current word stands, -1 for none
    cdef Py_ssize_t width  # of the current line without the current word
    cdef readonly int braces  # how many braces in comments became brackets
    cdef readonly bint commented  # whether a comment stands behind the last move, so that the next one needs its number
    cdef bint letters  # the fields of a Style (`kifu.notation.western_styles`)
    cdef bint hyphen
    cdef unsigned int drop_sign
    cdef bint brackets
    cdef bint pinned
    cdef bint recaptures
    cdef bint words  # whether names of men are words, longer than two characters

    cdef int next_word(self) except -1
    cdef int settle(self) except -1
    cdef int write_remarks(self, long long index) except -1
    cdef int braced(self, str text) except -1
    cdef int write_clock(self, long long time) except -1
    cdef int write_drop(self, long long move) except -1
    cdef int write_move(self, long long move, bint contested, bint recapture) except -1
    cdef inline int man(self, int piece) except -1
    cdef inline int place_name(self, unsigned int square) except -1
