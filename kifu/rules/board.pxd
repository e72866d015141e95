from kifu.rules.tables cimport Tables

cdef class Board:
    cdef readonly Tables tables
    cdef int[::1] men        # by cell: 0, piece + 64 * colour, or the wall
    cdef int[::1] hands      # by colour * 32 + kind: how many
    cdef long long[::1] past  # the moves played, each with what is needed to take it back
    cdef readonly int turn, depth, black_king, white_king
    cdef readonly bint checked, odd
    cdef public int ply, last_target, flags, reason
    cdef long long hash

    cdef int king(self, int colour) except? -1
    cdef int attacker(self, int cell, int by) except -1
    cdef int exposed(self, int origin, int target, int value) except -1
    cdef int checks(self, int origin, int target, int value) except -1
    cdef int still_checked(self, int origin, int target, int value, int king) except -1
    cdef int do(self, long long move) except -1
    cdef int undo_last(self) except -1
    cdef int make_longer(self) except -1
    