"""The packed move text: a move as it was *written*, in one integer.

``７六歩(77)``, ``+7776FU``, ``P-7f`` and ``7g7f`` all become a move text. It says what the writer said (target,
piece, origin if given, promotion and drop marks, relative marks, side) and nothing more; only a position can turn it
into a move. All notations share this layout, so they share one resolver and one set of reasons (`kifu.rules`).

Layout, low bit first (see the constants below):

====== =========================================================================================================
 0-3   file of the target, 1 is Black's right-hand edge; 0 where the text names no square (``同``, ``Sx``)
 4-7   rank of the target, 1 is the rank furthest from Black
 8-11  file of the origin, 0 where it is not given
12-15  rank of the origin
16-21  the piece as named: kind in the low five bits, bit 5 set for the promoted face; 0 where none is named
22-42  flags
43-50  file and rank of the square on the way, of a man that moves twice in one turn (the lion of chu); else 0
====== =========================================================================================================

>>> describe(pack(to=(7, 6), origin=(7, 7), piece=PAWN))
'pawn 77-76'
"""
from __future__ import annotations

TO_FILE_SHIFT, TO_RANK_SHIFT, FROM_FILE_SHIFT, FROM_RANK_SHIFT, PIECE_SHIFT = 0, 4, 8, 12, 16
SQUARE_FIELD = 0xF  # one coordinate
PIECE_FIELD = 0x3F  # kind and face

PIECE_AFTER = 1 << 22  # the piece named is the one that stands on the target after the move (CSA)
DROP = 1 << 23  # the text says that this is a drop
PROMOTE = 1 << 24  # the text says that the piece promotes
DECLINE = 1 << 25  # the text says that it does not, though it could
CAPTURE = 1 << 26  # the text says that something is taken
QUIET = 1 << 27  # the text says that nothing is taken
SAME = 1 << 28  # the target is the square of the move before
LEFT, RIGHT, STRAIGHT = 1 << 29, 1 << 30, 1 << 31  # which of several pieces, seen by the mover
UP, SIDEWAYS, BACK = 1 << 32, 1 << 33, 1 << 34
BLACK_SIDE, WHITE_SIDE = 1 << 35, 1 << 36  # the side the text names
DROP_IF_NONE = 1 << 37  # without an origin this is a drop where no piece on the board can make the move (KIF, KI2)
SUPPLY_PROMOTION = 1 << 38  # a forced promotion may stand unmarked (western text)
SIDE_BINDS = 1 << 39  # a wrong side is an error, not a slip of the writer (CSA)
ORIGIN_UNWRITTEN = 1 << 40  # the notation writes no origins, so that none is missing (KI2)
TURN_BACK = 1 << 41  # with PROMOTE: it turns back to its plain face (kyoto and micro, `7g7f-`)
TURN_OVER = 1 << 42  # with PROMOTE: it turns over, whichever of its faces is up

#: The square on the way of a man that moves twice. Where the text names no target besides, it returns to its origin.
VIA_FILE_SHIFT, VIA_RANK_SHIFT = 43, 47
VIA_FIELD = 0xFF << VIA_FILE_SHIFT

#: Kinds of pieces. Every notation uses these numbers; the promoted face is ``kind | PROMOTED``. A number stands for the
#: letter of SFEN, whatever man a kind of shogi means by it: 1 is ``P``, a pawn in most, the pheasant in tori shogi.
PAWN, LANCE, KNIGHT, SILVER, GOLD, BISHOP, ROOK, KING = range(1, 9)
#: Letter of SFEN -> number. Position keys are made with these numbers: they never change.
NUMBERS = {letter: number for number, letter in enumerate("PLNSGBRKACDEFHIJMOQTUVWXYZ", 1)}
PROMOTED = 32
KIND_FIELD = 31

KIND_NAMES = {
    PAWN: "pawn", LANCE: "lance", KNIGHT: "knight", SILVER: "silver", GOLD: "gold", BISHOP: "bishop",
    ROOK: "rook", KING: "king",
}
FACE_NAMES = {
    PAWN | PROMOTED: "tokin", LANCE | PROMOTED: "promoted lance", KNIGHT | PROMOTED: "promoted knight",
    SILVER | PROMOTED: "promoted silver", BISHOP | PROMOTED: "horse", ROOK | PROMOTED: "dragon",
}


def piece_name(piece: int) -> str:
    """The English name of a piece number: ``piece_name(33) == 'tokin'``."""
    return FACE_NAMES.get(piece) or KIND_NAMES.get(piece) or f"piece {piece}"


def pack(to: tuple[int, int] = (0, 0), origin: tuple[int, int] = (0, 0), piece: int = 0, flags: int = 0,
         via: tuple[int, int] = (0, 0)) -> int:
    """Pack a move text from its parts; files and ranks count from 1, (0, 0) means "not given"."""
    return (to[0] << TO_FILE_SHIFT | to[1] << TO_RANK_SHIFT | origin[0] << FROM_FILE_SHIFT
            | origin[1] << FROM_RANK_SHIFT | piece << PIECE_SHIFT | flags
            | via[0] << VIA_FILE_SHIFT | via[1] << VIA_RANK_SHIFT)


def target(movetext: int) -> tuple[int, int]:
    """File and rank of the target, (0, 0) where the text gives none."""
    return movetext & SQUARE_FIELD, movetext >> TO_RANK_SHIFT & SQUARE_FIELD


def origin(movetext: int) -> tuple[int, int]:
    """File and rank of the origin, (0, 0) where the text gives none."""
    return movetext >> FROM_FILE_SHIFT & SQUARE_FIELD, movetext >> FROM_RANK_SHIFT & SQUARE_FIELD


def via(movetext: int) -> tuple[int, int]:
    """File and rank of the square on the way, (0, 0) where the text gives none."""
    return movetext >> VIA_FILE_SHIFT & SQUARE_FIELD, movetext >> VIA_RANK_SHIFT & SQUARE_FIELD


def piece(movetext: int) -> int:
    """The piece as named, 0 where the text names none."""
    return movetext >> PIECE_SHIFT & PIECE_FIELD


def describe(movetext: int) -> str:
    """A move text in plain English, for debugging and messages."""
    words = []
    if named := piece(movetext):
        words.append(piece_name(named))
    file, rank = target(movetext)
    place = f"{file}{rank}" if file else "the same square"
    from_file, from_rank = origin(movetext)
    words.append(f"{from_file}{from_rank}-{place}" if from_file else place)
    for flag, word in ((DROP, "drop"), (PROMOTE, "promotes"), (DECLINE, "does not promote")):
        if movetext & flag:
            words.append(word)
    return " ".join(words)
