# What the compiled modules know of each other's insides; the plain Python of tables.py needs none of it.

cdef enum:  # the last index of the arrays below, a mask that keeps every index inside; tables.py says the same
    SQUARE = 0xFF
    CELL = 0x1FF
    APART = 0x3FF
    HERE = 288
    SPAN = 576
    SQUARES = 144
    VALUE_AND_APART = 0x1FFFF
    VALUE_AND_SQUARE = 0x7FFF
    HAND_AND_COUNT = 0xFFF
    HAND = 63
    PIECE = 63
    WAY = 0x7FF
    VALUE = 0xFF
    LEAP = 63
    RAY = 15

cdef enum:
    WALL = 128
    STEP = 1
    SLIDE = 2
    OVER = 4
    CAN_PROMOTE = 1
    ROYAL = 2
    MAY_MATE = 4
    LION = 8
    TRIFLE = 16
    CROWN = 32
    IN_ZONE = 1
    STUCK = 2
    BARRED = 4
    MUST = 8
    LATE = 16
    BY_ZONE = 0
    BY_CAPTURE = 1
    BY_ENTRY = 2

cdef enum:  # what kifu.rules.ruleset says of ways
    NO_CAPTURE = 1
    CAPTURE_ONLY = 2
    HOP = 4
    ON_OR_BACK = 8
    AND_ANY = 16

cdef class Tables:
    cdef readonly object rules
    cdef readonly int files, ranks, squares, stride, cells, most_moves, many_kinds, many_pieces, promotion
    cdef readonly bint special, hops, bare, either_face
    cdef readonly long long turn_key, variant_key
    cdef short cell_at[256]
    cdef short cell_of[256]
    cdef unsigned char square_of[512]
    cdef unsigned char file_of[512]
    cdef unsigned char rank_of[512]
    cdef unsigned char blank[512]
    cdef short compass[16]
    cdef unsigned char ray[1024]
    cdef short leap_first[16]
    cdef short leaps[64]
    cdef short way_first[256]
    cdef short way_step[2048]
    cdef unsigned char way_length[2048]
    cdef unsigned char way_manner[2048]
    cdef unsigned char traits[64]
    cdef unsigned char per_file[64]
    cdef unsigned char hand_kinds[64]
    cdef unsigned char pieces[64]
    cdef unsigned char duty[32768]
    cdef unsigned char reach[131072]
    cdef long long struck_keys[256]
    cdef long long hand_keys[4096]
    cdef long long board_keys[32768]
