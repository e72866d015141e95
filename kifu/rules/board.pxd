from kifu.rules.tables cimport (
    APART, CELL, HAND, HAND_AND_COUNT, HERE, LEAP, PIECE, RAY, ROYAL, SPAN, SQUARE, SQUARES, STEP, VALUE_AND_APART,
    VALUE_AND_SQUARE, Tables,
)

cdef enum:  # board.py says the same
    SIDE = 1
    NEAR = 0xFF
    CROWDS = 0x3FF

cdef enum:  # what kifu.movetext and kifu.rules.move say
    PROMOTED = 32
    DROPPED = 0x10000
    PROMOTES = 0x20000
    COULD_PROMOTE = 0x40000000

cdef enum Wide:
    GIVES_CHECK = 0x80000000

cdef class Board:
    cdef readonly Tables tables
    cdef unsigned char men[512]  # by cell: 0, piece + 64 * colour, or the wall
    cdef unsigned char hands[64]  # by colour * 32 + kind: how many
    cdef short kings[2]  # by colour: the cell, 0 where there is none
    cdef long long near[256]  # the moves played
    cdef long long[::1] far  # those after the first 256
    cdef readonly int turn, depth
    cdef readonly bint checked, odd
    cdef public int ply, last_target, struck, flags, reason
    cdef int room  # of ``far``
    cdef int first_target, first_checked, first_struck  # what stood before the first move
    cdef long long hash
    cdef readonly int crowd  # at least as often one position stood in the line that was replayed last
    cdef unsigned char crowds[1024]  # by the low bits of keys

    cdef int attacker(self, int cell, int by) noexcept
    cdef int attacker_over(self, int cell, int by) noexcept
    cdef int opened(self, int king, int origin, int target, int by) noexcept
    cdef int attacker_after(self, int king, int origin, int target, int value, int by) noexcept
    cdef int exposed(self, int origin, int target, int value) noexcept
    cdef int checks(self, int origin, int target, int value) noexcept
    cdef int do(self, long long move) except -1
    cdef int undo_last(self) except -1
    cdef int do_bare(self, long long move) except -1
    cdef int undo_bare(self) except -1
    cdef int remember(self, long long move) except -1
    cdef long long recalled(self, int index) except -1
