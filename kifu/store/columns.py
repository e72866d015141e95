# cython: language_level=3, boundscheck=True, wraparound=False, initializedcheck=False
"""The long columns of a game, made from its flat arrays in one loop each: move codes, comments,
evaluations, clocks.

A game has a row of short columns and a hundred values of each long one, so this is where the time of a row goes. What
the columns mean stands with those who keep them: `kifu.store.moves` and `kifu.store.rows`.
"""
from __future__ import annotations

import re
import sys
from array import array

try:
    import cython
except ImportError:  # interpreted, without Cython installed
    from kifu import _cython as cython

#: Squares of the largest board whose moves fit two bytes.
SQUARES = cython.declare(cython.longlong, 127)
#: Files and ranks of the largest board.
SIDE = cython.declare(cython.longlong, 12)
#: Bits of packed moves (`kifu.rules.move`): a man was dropped; a man that stood promoted turns over.
DROPPED = cython.declare(cython.longlong, 1 << 16)
TURNED = cython.declare(cython.longlong, 1 << 17 | 1 << 23)
#: Bits of move codes of four bytes (`kifu.store.moves`): that they are such; that a man turns back.
WIDE = cython.declare(cython.longlong, 0xC000)
TURNS_BACK = cython.declare(cython.longlong, 1 << 10)
#: Numbers a comment in `kifu.record.Record.notes`: kind, moves before it, start, end.
NOTE = cython.declare(cython.Py_ssize_t, 4)
#: The longest time that a column of whole seconds holds.
LONGEST = cython.declare(cython.longlong, (1 << 31) - 1)
#: Stands for an evaluation that is not there, and for a line that another form may have.
NO_EVAL = cython.declare(cython.longlong, -(1 << 15))
OTHER_FORM = cython.declare(cython.longlong, -(1 << 20))
#: The largest evaluation: a forced win (`kifu.notation.annotations.MATE`).
MATE = cython.declare(cython.longlong, 30000)
_SURROGATES = re.compile("[\ud800-\udfff]")


def codes(moves: array) -> bytes:
    """The move codes (see `kifu.store.moves`) of packed moves (`array('q')`), two bytes each, little-endian.

    ValueError for a board of more than `SQUARES` squares, and for what is both a drop and a promotion.
    """
    count: cython.Py_ssize_t = len(moves)
    code = array("H", bytes(2 * count))
    if not count:
        return b""
    packed: cython.longlong[:] = moves
    out: cython.ushort[:] = code
    i: cython.Py_ssize_t
    move: cython.longlong
    for i in range(count):
        move = packed[i]
        if move & 0xFF > SQUARES or move >> 8 & 0xFF > SQUARES:
            raise ValueError(f"a move code of two bytes holds boards of up to {SQUARES} squares")
        if move >> 16 & 3 == 3:
            raise ValueError("no man is dropped and promotes in one move")
        out[i] = move & 0x7F | (move >> 8 & 0x7F) << 7 | (move >> 16 & 3) << 14
    if sys.byteorder == "big":
        code.byteswap()
    return code.tobytes()


def wide_codes(moves: array, ranks: cython.longlong) -> bytes:
    """The move codes of four bytes of packed moves on a board of so many ranks (see `kifu.store.moves`)."""
    count: cython.Py_ssize_t = len(moves)
    code = array("I", bytes(4 * count))
    if not count:
        return b""
    packed: cython.longlong[:] = moves
    out: cython.uint[:] = code
    i: cython.Py_ssize_t
    move: cython.longlong
    origin: cython.longlong
    via: cython.longlong
    if ranks < 1:
        raise ValueError(f"no board has {ranks} ranks")
    for i in range(count):
        move = packed[i]
        origin = move >> 8 & 0xFF
        if not move & DROPPED:
            origin = _square(origin, ranks)
        via = move >> 32 & 0xFF
        if via:
            via = _square(via - 1, ranks)
        out[i] = (_square(move & 0xFF, ranks) | (move >> 16 & 3) << 8 | WIDE | origin << 16 | via << 24
                  | (TURNS_BACK if move & TURNED == TURNED and not move & DROPPED else 0))
    if sys.byteorder == "big":
        code.byteswap()
    return code.tobytes()


@cython.cfunc
def _square(square: cython.longlong, ranks: cython.longlong) -> cython.longlong:
    """A square with its file in the low four bits and its rank in the high ones."""
    file: cython.longlong = square // ranks + 1
    if file > SIDE:
        raise ValueError(f"a move code of four bytes holds boards of up to {SIDE} files and ranks")
    return file | square % ranks + 1 << 4


def widened(codes: bytes, plies: array, lengths: array) -> bytes:
    """The move codes of games one behind the other, all of four bytes, each game with a 0 behind its last move.

    ``codes`` are the columns ``moves`` of the games, each of so many bytes (``lengths``, as ``plies`` an `array('i')`):
    two or four a ply. ValueError where they are neither.
    """
    games: cython.Py_ssize_t = len(plies)
    found = bytearray(4 * (sum(plies) + games))
    if not games:
        return b""
    if len(codes) != sum(lengths):
        raise ValueError("moves and their lengths do not agree")
    given: cython.const[cython.uchar][:] = codes
    out: cython.uchar[:] = found
    counts: cython.int[:] = plies
    sizes: cython.int[:] = lengths
    game: cython.Py_ssize_t
    width: cython.Py_ssize_t
    byte: cython.Py_ssize_t
    ply: cython.int
    at: cython.Py_ssize_t = 0
    to: cython.Py_ssize_t = 0
    for game in range(games):
        width = 4 if sizes[game] > 2 * counts[game] else 2
        if sizes[game] != width * counts[game]:
            raise ValueError(f"{sizes[game]} bytes are not the codes of {counts[game]} moves")
        for ply in range(counts[game]):
            for byte in range(width):
                out[to + byte] = given[at + byte]
            at += width
            to += 4
        to += 4
    return bytes(found)


def comments(text: str, notes: array, marks: dict, plies: int) -> tuple[bytes, bytes, str] | None:
    """The comments of a main line of ``plies`` moves; None where it has none.

    ``notes`` and ``marks`` are those of the record, ``text`` is its text. Gives, for each place from the start position
    to the last one that has a comment, the length of what stands there in bytes (native int32, -1 where nothing does);
    all of it in UTF-8, several comments at one place joined by a line end; and what stands before the first move.
    """
    order = _order(notes, plies)
    if not order:
        return None
    where: cython.longlong[:] = notes
    number: cython.Py_ssize_t = order[len(order) - 1]
    last: cython.longlong = where[NOTE * number + 1]
    sizes = array("i", [-1]) * (last + 1)
    lengths: cython.int[:] = sizes
    pieces: list = []
    place: cython.longlong
    kind: cython.longlong
    known: cython.longlong = -1
    head: cython.Py_ssize_t = 0
    tail: cython.Py_ssize_t = 0
    start: cython.Py_ssize_t
    end: cython.Py_ssize_t
    size: cython.Py_ssize_t
    plain: bool = True
    opening: str = ""
    for number in order:
        kind = where[NOTE * number]
        place = where[NOTE * number + 1]
        start = where[NOTE * number + 2]
        end = where[NOTE * number + 3]
        if kind != known:
            head, tail = marks[kind][1:]
            known = kind
        if head < 0:  # a mark with blanks before it
            piece: str = text[start:end].strip().lstrip("#")
        else:
            piece = text[start + head:end - tail]
        if place == 0:
            opening = piece if lengths[0] < 0 else f"{opening}\n{piece}"
        if piece.isascii():
            size = len(piece)
        else:
            plain = False
            piece = _SURROGATES.sub("\N{REPLACEMENT CHARACTER}", piece)
            size = len(piece.encode())
        if lengths[place] < 0:
            lengths[place] = size
        else:
            lengths[place] += size + 1
            pieces.append("\n")
        pieces.append(piece)
    whole: str = "".join(pieces)
    return sizes.tobytes(), whole.encode("ascii" if plain else "utf-8"), opening


def evaluations(text: str, notes: array, marks: dict, plies: int) -> array | None:
    """The evaluations of a main line in the form of CSA 3.0 and floodgate (``** 30 +7776FU``), one a ply.

    The same as `kifu.notation.annotations.evaluation_of` gives, as `array('h')` with `NO_EVAL` where a ply has none; a
    tenth of the time. None where a comment may be of another form, for which that must be asked.
    """
    found = array("h", [NO_EVAL]) * plies
    if not notes or not plies:
        return found
    where: cython.longlong[:] = notes
    out: cython.short[:] = found
    i: cython.Py_ssize_t
    place: cython.longlong
    kind: cython.longlong
    known: cython.longlong = -1
    head: cython.Py_ssize_t = 0
    tail: cython.Py_ssize_t = 0
    value: cython.longlong
    for i in range(len(notes) // NOTE):
        place = where[NOTE * i + 1]
        if place > plies:
            continue
        kind = where[NOTE * i]
        if kind != known:
            head, tail = marks[kind][1:]
            known = kind
        if head < 0:  # a mark with blanks before it
            piece: str = text[where[NOTE * i + 2]:where[NOTE * i + 3]].strip().lstrip("#")
        else:
            piece = text[where[NOTE * i + 2] + head:where[NOTE * i + 3] - tail]
        for line in piece.split("\n") if "\n" in piece else (piece,):
            value = _csa_evaluation(line)
            if value == OTHER_FORM:
                return None
            if value != NO_EVAL and place and out[place - 1] == NO_EVAL:
                out[place - 1] = value
    return found


@cython.cfunc
def _csa_evaluation(line: str) -> cython.longlong:
    """The evaluation of a comment line, at most 30000 either way; `NO_EVAL` where it is certainly none."""
    size: cython.Py_ssize_t = len(line)
    at: cython.Py_ssize_t = 0
    first: cython.Py_ssize_t
    sign: cython.longlong = 1
    value: cython.longlong = 0
    if size == 0 or line[0] not in "*#'+- \t0123456789":
        return NO_EVAL
    if line[0] == "'":
        at = 1
    first = at
    while at < size and line[at] == "*":
        at += 1
    if at == first:
        return OTHER_FORM
    while at < size and (line[at] == " " or line[at] == "\t"):
        at += 1
    if at < size and (line[at] == "+" or line[at] == "-"):
        sign = -1 if line[at] == "-" else 1
        at += 1
    first = at
    while at < size and "0" <= line[at] <= "9":
        value = value * 10 + ord(line[at]) - 48
        at += 1
        if at - first > 9:
            return OTHER_FORM
    if at == first or (at < size and line[at] not in " \t\r"):
        return OTHER_FORM
    return sign * (value if value < MATE else MATE)


def present(values: array) -> bytes | None:
    """Which of `array('h')` are not `NO_EVAL`, a bit each as Arrow has them; None where all are."""
    count: cython.Py_ssize_t = len(values)
    found = bytearray((count + 7) // 8)
    if not count:
        return None
    given: cython.short[:] = values
    bits: cython.uchar[:] = found
    missing: bool = False
    i: cython.Py_ssize_t
    for i in range(count):
        if given[i] == NO_EVAL:
            missing = True
        else:
            bits[i >> 3] |= 1 << (i & 7)
    return bytes(found) if missing else None


def seconds(clock: bytes) -> tuple[bytes, bytes | None]:
    """Milliseconds (native int64, negative for none) as whole seconds, rounded down: native int32.

    Besides, which of them are there, a bit each as Arrow has them; None where all are. What is longer than 68 years
    counts as that.
    """
    ticks: cython.longlong[:] = array("q", clock)
    count: cython.Py_ssize_t = len(ticks)
    found = array("i", bytes(4 * count))
    present = bytearray((count + 7) // 8)
    if not count:
        return b"", None
    out: cython.int[:] = found
    bits: cython.uchar[:] = present
    missing: bool = False
    i: cython.Py_ssize_t
    value: cython.longlong
    for i in range(count):
        value = ticks[i]
        if value < 0:
            missing = True
            continue
        bits[i >> 3] |= 1 << (i & 7)
        value = value // 1000
        out[i] = value if value < LONGEST else LONGEST
    return found.tobytes(), bytes(present) if missing else None


def offsets(lengths: array) -> tuple[bytes, bytes | None]:
    """Where texts of so many bytes (`array('i')`, negative for none) begin, and where the last one ends: native int32.

    Besides, which of them are there, as in `seconds`. Together they must be shorter than 2 GB.
    """
    count: cython.Py_ssize_t = len(lengths)
    found = array("i", bytes(4 * (count + 1)))
    present = bytearray((count + 7) // 8)
    if not count:
        return found.tobytes(), None
    sizes: cython.int[:] = lengths
    out: cython.int[:] = found
    bits: cython.uchar[:] = present
    missing: bool = False
    i: cython.Py_ssize_t
    at: cython.longlong = 0
    for i in range(count):
        if sizes[i] < 0:
            missing = True
        else:
            bits[i >> 3] |= 1 << (i & 7)
            at += sizes[i]
        out[i + 1] = at
    return found.tobytes(), bytes(present) if missing else None


def positions(plies: array, numbers: array) -> tuple[bytes, bytes]:
    """For each position of games of so many plies (both `array('i')`): the number of its game, and the moves before it.

    Native int32, ``plies + 1`` of either a game.
    """
    games: cython.Py_ssize_t = len(plies)
    rows: cython.Py_ssize_t = sum(plies) + games
    game_ids, before = array("i", bytes(4 * rows)), array("i", bytes(4 * rows))
    if not rows:
        return b"", b""
    lengths: cython.int[:] = plies
    ids: cython.int[:] = numbers
    out_id: cython.int[:] = game_ids
    out_ply: cython.int[:] = before
    game: cython.Py_ssize_t
    row: cython.Py_ssize_t = 0
    ply: cython.int
    for game in range(games):
        for ply in range(lengths[game] + 1):
            out_id[row] = ids[game]
            out_ply[row] = ply
            row += 1
    return game_ids.tobytes(), before.tobytes()


@cython.cfunc
def _order(notes: array, plies: cython.longlong) -> list:
    """The numbers of the comments of the main line in the order of their places, those at one place as they stand."""
    count: cython.Py_ssize_t = len(notes) // NOTE
    kept: list = []
    if not count:
        return kept
    where: cython.longlong[:] = notes
    i: cython.Py_ssize_t
    place: cython.longlong
    before: cython.longlong = 0
    sorted_already: bool = True
    for i in range(count):
        place = where[NOTE * i + 1]
        if place <= plies:
            kept.append(i)
            sorted_already = sorted_already and place >= before
            before = place
    if not sorted_already:
        kept.sort(key=notes[1::NOTE].tolist().__getitem__)
    return kept
