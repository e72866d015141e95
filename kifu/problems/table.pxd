cdef enum:  # table.py says the same
    NEVER = 255
    ENDLESS = 0x8000000
    GUARD = 0x9222220
    CLUSTER = 1024
    STEP_SHIFT = 40

cdef class Table:
    cdef long long[::1] keys
    cdef unsigned int[::1] hands, bounds, proofs, disproofs
    cdef long long mask
    cdef readonly long long used
    cdef readonly int proof, disproof, least, most

    cdef int look(self, long long key, unsigned int hand, int left) except -1
    cdef int keep(self, long long key, unsigned int hand, int left, int proof, int disproof, int least,
                  int most) except -1
    cdef long long slot(self, long long key, unsigned int hand) except -1
    cdef int grow(self) except -1
