from kifu.grammar.machine cimport Work

cdef class Assembly:
    cdef public object texts, info, notes, counts, items
    cdef public long long marks
    cdef public list faults
