# The types of a page and its insides. The two functions of the C interface bring text to a row of characters and back
# in one go; PyUnicode_AsUCS4 itself checks that the text fits.
cimport cython
from cpython.unicode cimport PyUnicode_FromKindAndData

from kifu.rules.resolve cimport Resolver

cdef extern from "Python.h":
    Py_UCS4 *PyUnicode_AsUCS4(object text, unsigned int *room, Py_ssize_t size, bint zero_ended) except NULL

@cython.final
cdef class Desk:
    cdef object store  # the array that ``room`` looks at
    cdef unsigned int[::1] room
    cdef object marks
    cdef long long[::1] heads
    cdef long long[::1] tails
    cdef long long[::1] kinds

    cdef int grow(self, Py_ssize_t count) except -1
    cdef int learn(self, dict marks) except -1

cdef class Page:
    cdef Desk desk
    cdef unsigned int[::1] room  # that of the desk
    cdef Py_ssize_t size
    cdef long long[::1] moves
    cdef long long[::1] info
    cdef long long[::1] notes
    cdef unsigned int[::1] names
    cdef str text
    cdef Py_ssize_t at  # where in ``notes`` the next comment stands
    cdef long long even  # seconds of thought so far, of the side that makes the moves with even numbers
    cdef long long odd

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
    cdef unsigned int[::1] targets  # two characters a square

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
