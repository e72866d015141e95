# What the compiled modules know of each other's insides; the plain Python of tables.py needs none of it.

cdef class Tables:
    cdef readonly object rules
    cdef readonly object blank
    cdef readonly int files, ranks, squares, stride, cells, half, span, most_moves, many_kinds, many_pieces
    cdef int[::1] cell_of, square_of, file_of, rank_of
    cdef int[::1] compass, leap_first, leaps
    cdef int[::1] line
    cdef int[::1] way_first, way_step, way_length
    cdef signed char[::1] reach
    cdef signed char[::1] zone, stuck, barred
    cdef signed char[::1] can_promote, royal, per_file, may_mate
    cdef int[::1] hand_kinds, pieces
    cdef long long[::1] board_keys, hand_keys
    cdef readonly long long turn_key, variant_key
