cdef class Source:
    cdef readonly str text
    cdef public Py_ssize_t before
    cdef object _lines

cdef class Line:
    cdef public Py_ssize_t parent, first, last, number, offset
    cdef public object end, broken

cdef class Record:
    cdef public str notation, variant
    cdef public Py_ssize_t number, offset, end_offset
    cdef public Source source
    cdef public object texts, info, notes, note_marks, bookmarks
    cdef public object start, handicap, other_start, turn, foul
    cdef public list headers, lines, diagnostics

cdef class Game:
    cdef public Record record
    cdef public str verdict, variant, handicap, start
    cdef public Py_ssize_t plies
    cdef public object moves, keys, position, proven
    cdef public list line_plies, diagnostics
    cdef public object end, winner, verified_end, verified_winner, illegal_move
