"""What a terminal or production of a grammar may mean: the words in which readers speak to `kifu.notation.assemble`.

A reader's ``MEANINGS`` name one of `OPERATIONS` for each terminal or production, alone or with a value, and the numbers
that come back (marks of moves, values of rows and of pieces in hand) are laid out as said here.
"""
from __future__ import annotations

#: A mark in the number field of ``info``: blanks stand inside the move.
GAP_MARK = 1 << 40
#: A mark in the number field of ``info``: nothing stands between this move and the one before.
GLUED_MARK = 1 << 41
#: Marks that a reader may give to the squares of its grammar: how they are spelled; that one is the origin.
LETTERED_MARK, NUMERIC_MARK, CAPITAL_MARK, ORIGIN_MARK = 1 << 42, 1 << 43, 1 << 44, 1 << 45
#: A mark in the number field of ``info``: the total of the clock is not what it was plus the thought.
TOTAL_MARK = 1 << 46
NUMBER_MASK = (1 << 40) - 1

#: What a token or production does. The names are the vocabulary of `Actions.define`.
OPERATIONS = (
    "ignore",
    "piece",  # names a piece; value: its number
    "letter_drop",  # `P*`: names a piece by its SFEN letter and says that it is dropped
    "side",  # value: BLACK_SIDE or WHITE_SIDE
    "square",  # two coordinates in the token; value: marks for the number field of ``info``
    "man",  # a square, or a sign that it is that of the move before, then a piece and blanks; value: the piece
    "file", "rank",  # one coordinate
    "origin",  # a bracket, then two coordinates
    "flag",  # value: flags of the move text
    "separator",  # the same; a square before it is the origin
    "two_squares",  # `7g7f`: origin and target in one token
    "number",  # decimal digits, the number of the next move
    "move",  # a production: the move is complete; value: flags every move of the notation carries
    "spelled",  # a whole move in one token; value: `spelled` says where its parts stand
    "cell",  # a production: one square of a board row
    "numeral",  # how many pieces: `十七`, `17`
    "note",  # a comment
    "glyph",  # a comment that stands inside the move it belongs to: `!?`
    "count",  # digits between moves that number them
    # --- what may leave an item behind
    "bare_count",  # the same; an item where it stands glued to the move before it
    "seconds",  # `T12.5`: thought for the last move or end; an item where there is neither
    "clock",  # `( 0:12/00:00:12)`: the same
    "item",
    "border",  # an item; a clock behind it belongs to nothing before it, and totals of clocks begin anew
    "end",  # an item that may be followed by a clock; its value becomes the milliseconds
    "row",  # a production: an item whose value holds nine cells
    "place",  # a production: an item whose value holds side, square, piece and count
    "retract",  # a production: an item; a move inside it was no move of the game, its text becomes the value
)
#: Fields of a `spelled` value above the flags of the move text: where in the token a part begins, plus one.
SPELLED_SIDE, SPELLED_TARGET, SPELLED_ORIGIN, SPELLED_LAST = 40, 44, 48, 52
#: Its marks: no target means the square of the move before; no origin means a drop; a ``+`` at the end promotes; the
#: first character is the SFEN letter of a piece that is dropped.
SPELLED_SAME, SPELLED_DROP, SPELLED_PLUS, SPELLED_LETTER = 1 << 56, 1 << 57, 1 << 58, 1 << 59


def spelled(flags: int = 0, *, side: int = -1, target: int, origin: int = -1, origin_last: int = 0,
            marks: int = 0) -> tuple[str, int]:
    """What a token that is a whole move does: where its side, target and origin stand, and the flags it carries.

    ``origin_last`` counts from the token's end, for moves whose length varies.

    >>> spelled(1 << 16, side=0, origin=1, target=3, marks=SPELLED_DROP)[1] >> SPELLED_TARGET & 15
    4
    """
    return "spelled", (flags | side + 1 << SPELLED_SIDE | target + 1 << SPELLED_TARGET | origin + 1 << SPELLED_ORIGIN
                       | origin_last << SPELLED_LAST | marks)


#: Field widths of a `place` value: ``piece | file << 6 | rank << 10 | side << 14 | count << 16``.
PLACE_FILE, PLACE_RANK, PLACE_SIDE, PLACE_COUNT = 6, 10, 14, 16
#: A cell of a `row` value takes seven bits: the piece, 64 set where it is White's; 0 is an empty square.
CELL_BITS, CELL_WHITE = 7, 64
