from kifu.rules.board cimport Board

cdef class Generator(Board):
    cdef long long[::1] moves  # one shelf of tables.most_moves for each level of search

    cdef int make_room(self, int shelves) except -1
    cdef int checkers(self, int king, int by) except -1
    cdef int pinned(self, int king, int cell) except -1
    cdef int generate(self, int shelf, bint stop) except -1
    cdef int drops(self, int count, int checker, int screen, bint stop) except -1
    cdef int mates(self, long long move) except -1
    cdef long long with_check(self, long long move) except -1
    cdef long long count_lines(self, int depth, int shelf) except -1
