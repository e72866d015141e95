from kifu.problems.checks cimport Checker
from kifu.problems.table cimport ENDLESS, NEVER
from kifu.rules.board cimport GIVES_CHECK
from kifu.rules.generate cimport STORE

cdef class Search(Checker):
    cdef readonly long long nodes
    cdef readonly str stopped
    cdef long long most_nodes, pause
    cdef double deadline
    cdef long long[::1] child_keys  # by place of the move that leads there
    cdef unsigned int[::1] child_hands

    cdef int prove(self, int shelf, int left, int proof_limit, int disproof_limit) except -1
    cdef int mate_at_once(self, int shelf, int count, long long key, unsigned int hand) except -1
    cdef int look_up(self) except -1
