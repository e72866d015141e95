# cython: language_level=3, boundscheck=True, wraparound=False, initializedcheck=False
"""Tape to flat arrays: the tokens and productions of a parsed text become move texts, notes and items.

A grammar names its terminals and productions by meaning; `Actions` says what each meaning does to a small set of
registers (side, piece, squares, flags, number). Every notation shares the code below, and nothing here knows which
notation it is reading. What is no move (headers, board rows, end words, brackets of variations) becomes an *item*,
which the notation's own module reads in order.

Arrays of an `Assembly`, all of them flat ``array('q')``:

- ``texts``: one packed move text a move (`kifu.movetext`);
- ``info``: four numbers a move: start and end offset of its text, the number written before it (0: none) with the
  marks ``GAP`` and ``GLUED``, milliseconds of thought (-1: none written);
- ``notes``: four numbers a comment: code of its terminal, number of moves before it, start and end offset;
- ``counts``: three numbers a move number that stands between moves: its value, number of moves before it, start offset;
- ``items``: five numbers an item: code, number of moves before it, start and end offset, value.
"""
from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # interpreted, without Cython installed
    from kifu import _cython as cython

from kifu.grammar.machine import Machine, Work
from kifu.grammar.tape import Fault
from kifu.notation.meanings import (
    GAP_MARK, GLUED_MARK, NUMBER_MASK, OPERATIONS, SPELLED_DROP, SPELLED_LETTER, SPELLED_PLUS, SPELLED_SAME, TOTAL_MARK,
)

_OPERATION = {name: number for number, name in enumerate(OPERATIONS)}

#: A text's characters, as narrow as they allow (see `kifu.grammar.machine.characters`).
Char = cython.fused_type(cython.uchar, cython.uint)

_DROP_FLAG = cython.declare(cython.longlong, 1 << 23)  # movetext.DROP
_SIDE_SHIFT = cython.declare(cython.int, 35)  # movetext.BLACK_SIDE is 1 << 35, WHITE_SIDE 1 << 36
_SAME_FLAG = cython.declare(cython.longlong, 1 << 28)
_PROMOTE_FLAG = cython.declare(cython.longlong, 1 << 24)
_DECLINED = cython.declare(cython.longlong, 1 << 25)  # movetext.DECLINE
_BLACK = cython.declare(cython.longlong, 1 << 35)
_WHITE = cython.declare(cython.longlong, 1 << 36)
_FLAGS = cython.declare(cython.longlong, (1 << 40) - 1)
_SPELLED_SAME = cython.declare(cython.longlong, SPELLED_SAME)
_SPELLED_DROP = cython.declare(cython.longlong, SPELLED_DROP)
_SPELLED_PLUS = cython.declare(cython.longlong, SPELLED_PLUS)
_SPELLED_LETTER = cython.declare(cython.longlong, SPELLED_LETTER)
_GAP = cython.declare(cython.longlong, GAP_MARK)
_GLUED = cython.declare(cython.longlong, GLUED_MARK)
_TOTAL = cython.declare(cython.longlong, TOTAL_MARK)
_NUMBER = cython.declare(cython.longlong, NUMBER_MASK)
_MOST = cython.declare(cython.longlong, 100000000000)  # a number of more than twelve digits counts no further


@cython.cclass
class Actions:
    """What the terminals and productions of one grammar mean, as two flat tables.

    ``Actions(machine.terminals, machine.rules, {"PAWN": ("piece", 1), "move": "move", …})``; names the grammar does not
    know raise ``KeyError``, so a renamed terminal cannot lose its meaning unnoticed.
    """

    operations: cython.int[::1]
    values: cython.longlong[::1]
    terminals: cython.int

    def __init__(self, terminals: tuple, rules: tuple, meanings: dict) -> None:
        names = [*terminals, *rules]
        self.operations = array("i", bytes(4 * len(names)))
        self.values = array("q", bytes(8 * len(names)))
        self.terminals = len(terminals)
        unknown = set(meanings) - set(names)
        if unknown:
            raise KeyError(f"the grammar has no {', '.join(sorted(unknown))}")
        for index, name in enumerate(names):
            meaning = meanings.get(name, "ignore")
            operation, value = meaning if isinstance(meaning, tuple) else (meaning, 0)
            self.operations[index] = _OPERATION[operation]
            self.values[index] = value


@cython.cclass
class Assembly:
    """The arrays described at the top of this module."""

    __slots__ = ("texts", "info", "notes", "counts", "items", "marks", "faults")

    def __init__(self, texts: array, info: array, notes: array, counts: array, items: array,
                 marks: cython.longlong) -> None:
        self.texts = texts
        self.info = info
        self.notes = notes
        self.counts = counts
        self.items = items
        self.faults: list[Fault] = []
        self.marks = marks  # the marks of all moves together, and movetext.DECLINE where it may stand in one of them


@cython.cclass
class Scratch:
    """Room for the arrays of one assembly, used again and again; it grows and never shrinks below what is common."""

    text_array: object
    info_array: object
    note_array: object
    count_array: object
    item_array: object
    texts: cython.longlong[::1]
    info: cython.longlong[::1]
    notes: cython.longlong[::1]
    counts: cython.longlong[::1]
    items: cython.longlong[::1]

    def __init__(self) -> None:
        self.text_array = array("q", bytes(8 * 512))
        self.info_array = array("q", bytes(32 * 512))
        self.note_array = array("q", bytes(32 * 256))
        self.count_array = array("q", bytes(24 * 256))
        self.item_array = array("q", bytes(40 * 256))
        self.view()

    def view(self) -> None:
        """Look at the arrays as they are now."""
        self.texts = memoryview(self.text_array)
        self.info = memoryview(self.info_array)
        self.notes = memoryview(self.note_array)
        self.counts = memoryview(self.count_array)
        self.items = memoryview(self.item_array)

    def grow_moves(self) -> None:
        """Room for twice as many moves."""
        self.text_array = self.text_array + self.text_array
        self.info_array = self.info_array + self.info_array
        self.view()

    def grow_notes(self) -> None:
        """Room for twice as many comments."""
        self.note_array = self.note_array + self.note_array
        self.view()

    def grow_counts(self) -> None:
        """Room for twice as many numbers between moves."""
        self.count_array = self.count_array + self.count_array
        self.view()

    def grow_items(self) -> None:
        """Room for twice as many items."""
        self.item_array = self.item_array + self.item_array
        self.view()

    def taken(self, moves: cython.Py_ssize_t, notes: cython.Py_ssize_t, counts: cython.Py_ssize_t,
              items: cython.Py_ssize_t, marks: cython.longlong) -> Assembly:
        """Copies of what was written; a scratch that one huge text has blown up begins anew."""
        found = Assembly(self.text_array[:moves], self.info_array[:4 * moves], self.note_array[:4 * notes],
                         self.count_array[:3 * counts] if counts else _NO_COUNTS, self.item_array[:5 * items], marks)
        if moves > KEEP or notes > KEEP or counts > KEEP or items > KEEP:
            self.__init__()
        return found


#: Of nearly all texts; never changed in place.
_NO_COUNTS = array("q")
#: Scratches that nobody uses now; taking one out is atomic, so threads may assemble at the same time.
_IDLE: list[Scratch] = []
#: A scratch that holds more than this many of anything is not kept.
KEEP = 1 << 16


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def coordinate(char: cython.uint) -> cython.int:
    """A file or rank from one character in any script, 0 where it is none."""
    if 0x31 <= char <= 0x39:  # 1-9
        return cython.cast(cython.int, char) - 0x30
    if 0x61 <= char <= 0x6C:  # a-l
        return cython.cast(cython.int, char) - 0x60
    if 0xFF11 <= char <= 0xFF19:  # full-width 1-9
        return cython.cast(cython.int, char) - 0xFF10
    if 0x41 <= char <= 0x4C:  # A-L
        return cython.cast(cython.int, char) - 0x40
    return kanji_digit(char)


@cython.cfunc
@cython.exceptval(check=False)
def kanji_digit(char: cython.uint) -> cython.int:
    """1 to 9 from a kanji numeral, 0 where it is none."""
    if char == 0x4E00:
        return 1
    if char == 0x4E8C:
        return 2
    if char == 0x4E09:
        return 3
    if char == 0x56DB:
        return 4
    if char == 0x4E94:
        return 5
    if char == 0x516D:
        return 6
    if char == 0x4E03:
        return 7
    if char == 0x516B:
        return 8
    if char == 0x4E5D:
        return 9
    return 0


@cython.cfunc
@cython.exceptval(check=False)
def digit(char: cython.uint) -> cython.int:
    """0 to 9 from an ASCII or full-width digit, -1 where it is none."""
    if 0x30 <= char <= 0x39:
        return cython.cast(cython.int, char) - 0x30
    if 0xFF10 <= char <= 0xFF19:
        return cython.cast(cython.int, char) - 0xFF10
    return -1


@cython.cfunc
def decimal(chars: cython.const[Char][::1], start: cython.size_t,
            end: cython.size_t) -> cython.longlong:
    """The number in chars[start:end], other characters passed over; at most twelve digits count."""
    value: cython.longlong = 0
    i: cython.size_t
    one: cython.int
    for i in range(start, end):
        one = digit(chars[i])
        if one >= 0 and value < _MOST:
            value = value * 10 + one
    return value


@cython.cfunc
def numeral(chars: cython.const[Char][::1], start: cython.size_t,
            end: cython.size_t) -> cython.longlong:
    """A count in kanji or digits: 十七, 17, １７, 二."""
    value: cython.longlong = 0
    one: cython.int
    i: cython.size_t
    for i in range(start, end):
        one = digit(chars[i])
        if one >= 0:
            if value < _MOST:
                value = value * 10 + one
        elif chars[i] == 0x5341:  # 十
            value = value * 10 if value else 10
        elif chars[i] == 0x767E:  # 百
            value = value * 100 if value else 100
        else:
            one = kanji_digit(chars[i])
            value += one
    return value


@cython.cfunc
def fraction(chars: cython.const[Char][::1], start: cython.size_t,
             end: cython.size_t) -> cython.longlong:
    """Milliseconds from a decimal number of seconds: `12`, `12.5`, `12.`; further digits are dropped."""
    whole: cython.longlong = 0
    part: cython.longlong = 0
    scale: cython.longlong = 1000
    point: cython.bint = False
    one: cython.int
    i: cython.size_t
    for i in range(start, end):
        one = digit(chars[i])
        if one < 0:
            point = point or chars[i] == 0x2E
        elif not point:
            if whole < 1000000000:
                whole = whole * 10 + one
        elif scale > 1:
            scale //= 10
            part += one * scale
    return whole * 1000 + part


@cython.cfunc
def clock(chars: cython.const[Char][::1], start: cython.size_t,
          end: cython.size_t) -> tuple[cython.longlong, cython.longlong]:
    """Milliseconds of both parts of a bracketed clock, thought and total; -1 for a total that is not there.

    Each is minutes and seconds, with hours before them or not, and a slash stands between the two.
    """
    stop: cython.size_t
    last: cython.size_t = start  # where the part in hand begins
    thought: cython.longlong = -1
    total: cython.longlong = 0
    part: cython.longlong = 0
    char: cython.uint
    for stop in range(start, end):
        char = chars[stop]
        if 0x30 <= char <= 0x39 and part < 1000000000:
            part = part * 10 + (char - 0x30)
        elif char == 0x3A:  # a colon
            total = (total + (part if part < 1000000000 else decimal(chars, last, stop))) * 60
            part = 0
            last = stop + 1
        elif char == 0x2F and thought < 0:
            thought = total * 1000 + (part * 1000 if part < 1000000000 else fraction(chars, last, stop))
            total = 0
            part = 0
            last = stop + 1
        elif char == 0x2E or digit(char) >= 0:  # a decimal point, or digits that are not counted above
            part = 1000000000
    total = total * 1000 + (part * 1000 if part < 1000000000 else fraction(chars, last, end))
    if thought < 0:  # there was no slash
        thought = total
        total = -1
    return thought, total


def read(machine: Machine, text: str, actions: Actions) -> Assembly:
    """Parse a text and run the actions over its events: `Machine.parse` and `assemble` in one, without a tape between.

    The assembly also has the faults of the text.
    """
    work: Work = machine.scan(text)
    scratch: Scratch
    found: Assembly
    try:
        scratch = _IDLE.pop()
    except IndexError:
        scratch = Scratch()
    if work.narrow is not None:
        found = _assemble(work.tape, work.at // 3, work.narrow, actions, scratch)
    else:
        found = _assemble(work.tape, work.at // 3, work.wide, actions, scratch)
    _IDLE.append(scratch)
    found.faults = work.faults
    machine.release(work)
    return found


@cython.cfunc
def _assemble(tape: cython.const[cython.int][::1], many: cython.size_t, chars: cython.const[Char][::1],
              actions: Actions, scratch: Scratch) -> object:
    # The numbers of OPERATIONS. Locals, because a C compiler turns comparisons with them into a jump table.
    IGNORE: cython.int = 0
    PIECE: cython.int = 1
    LETTER_DROP: cython.int = 2
    SIDE: cython.int = 3
    SQUARE: cython.int = 4
    MAN: cython.int = 5
    FILE: cython.int = 6
    RANK: cython.int = 7
    ORIGIN: cython.int = 8
    FLAG: cython.int = 9
    SEPARATOR: cython.int = 10
    TWO_SQUARES: cython.int = 11
    NUMBER: cython.int = 12
    MOVE: cython.int = 13
    SPELLED: cython.int = 14
    CELL: cython.int = 15
    NUMERAL: cython.int = 16
    NOTE: cython.int = 17
    GLYPH: cython.int = 18
    COUNT: cython.int = 19
    BARE_COUNT: cython.int = 20
    SECONDS: cython.int = 21
    CLOCK: cython.int = 22
    BORDER: cython.int = 24
    END: cython.int = 25
    ROW: cython.int = 26
    PLACE: cython.int = 27
    RETRACT: cython.int = 28
    operations: cython.int[::1] = actions.operations
    values: cython.longlong[::1] = actions.values
    base: cython.int = actions.terminals
    limit: cython.size_t = 3 * many
    i: cython.size_t
    at: cython.size_t
    code: cython.int
    index: cython.size_t
    operation: cython.int

    text_out: cython.longlong[::1] = scratch.texts
    info_out: cython.longlong[::1] = scratch.info
    note_out: cython.longlong[::1] = scratch.notes
    count_out: cython.longlong[::1] = scratch.counts
    item_out: cython.longlong[::1] = scratch.items

    start: cython.size_t
    end: cython.size_t
    value: cython.longlong
    # registers
    packed: cython.longlong = 0
    first: cython.longlong = 0  # squares as file | rank << 4
    second: cython.longlong = 0
    squares: cython.int = 0
    covered: cython.size_t = 0  # characters of the tokens of this move
    number: cython.longlong = 0
    amount: cython.longlong = -1
    cells: cython.longlong = 0
    cell_count: cython.int = 0
    move: cython.size_t = 0  # written so far
    note: cython.size_t = 0
    count: cython.size_t = 0
    item: cython.size_t = 0
    owner: cython.int = 0  # what a clock belongs to: 0 nothing, 1 the last move, 2 the last end
    owner_item: cython.size_t = 0
    last_end: cython.Py_ssize_t = -1
    marks: cython.longlong = 0
    total: cython.longlong
    earlier: cython.longlong = 0  # what clocks told last as the totals of both sides, that of the side to move first
    latest: cython.longlong = 0

    for i in range(0, limit, 3):
        code = tape[i]
        index = code if code >= 0 else base - 1 - code
        operation = operations[index]
        if operation == IGNORE:
            continue
        start = tape[i + 1]
        end = tape[i + 2]
        if operation == PIECE:
            packed = (packed & ~(63 << 16)) | values[index] << 16
            covered += end - start
        elif operation == SQUARE:
            second = first
            first = coordinate(chars[start]) | coordinate(chars[start + 1]) << 4
            number |= values[index]
            marks |= values[index]
            squares += 1
            covered += end - start
        elif operation == SIDE:
            packed |= values[index]
            covered += end - start
        elif operation == FLAG:
            value = values[index]
            packed |= value
            marks |= value & _DECLINED
            covered += end - start
        elif operation == SEPARATOR:
            packed |= values[index]
            if squares == 1:
                packed |= first << 8
                first = 0
                squares = 0
            covered += end - start
        elif operation == TWO_SQUARES:
            second = coordinate(chars[start]) | coordinate(chars[start + 1]) << 4
            first = coordinate(chars[start + 2]) | coordinate(chars[start + 3]) << 4
            squares = 2
            covered += end - start
        elif operation == MAN:
            while chars[end - 1] == 0x20 or chars[end - 1] == 9 or chars[end - 1] == 0x3000:
                end -= 1
            first = coordinate(chars[start])
            if first:
                first |= coordinate(chars[start + 1]) << 4
                squares = 1
            else:
                packed |= _SAME_FLAG
            packed |= values[index] << 16
            covered += end - start
        elif operation == FILE:
            first = coordinate(chars[start])
            squares = 1
            covered += end - start
        elif operation == RANK:
            first |= coordinate(chars[start]) << 4
            covered += end - start
        elif operation == ORIGIN:
            packed |= cython.cast(cython.longlong, coordinate(chars[start + 1])) << 8
            packed |= cython.cast(cython.longlong, coordinate(chars[start + 2])) << 12
            covered += end - start
        elif operation == NUMBER:
            number = decimal(chars, start, end)
        elif operation in (MOVE, SPELLED):
            value = values[index]
            if operation == MOVE:
                while end > start and (chars[end - 1] == 0x20 or chars[end - 1] == 9 or chars[end - 1] == 0x3000):
                    end -= 1  # its last token may be a "man" with the blanks behind it
                packed |= value | first
                if squares > 1:
                    packed |= second << 8
                if covered and covered != end - start:
                    number |= _GAP
                    marks |= _GAP
            else:
                while chars[end - 1] == 0x20 or chars[end - 1] == 9 or chars[end - 1] == 0x3000:
                    end -= 1  # the token may hold the blanks behind the move
                packed |= value & _FLAGS
                at = start + (value >> 44 & 15) - 1
                second = coordinate(chars[at])
                if second:
                    packed |= second | coordinate(chars[at + 1]) << 4
                elif value & _SPELLED_SAME:
                    packed |= _SAME_FLAG
                if value >> 48 & 255:
                    at = start + (value >> 48 & 15) - 1 if value >> 48 & 15 else end - (value >> 52 & 15)
                    second = coordinate(chars[at])
                    if second:
                        packed |= second << 8 | coordinate(chars[at + 1]) << 12
                    elif value & _SPELLED_DROP:
                        packed |= _DROP_FLAG
                if value >> 40 & 15:
                    at = start + (value >> 40 & 15) - 1
                    packed |= _BLACK if chars[at] == 0x2B else _WHITE
                if value & _SPELLED_PLUS and chars[end - 1] == 0x2B:
                    packed |= _PROMOTE_FLAG
                    if chars[end - 2] == 0x20 or chars[end - 2] == 9:
                        number |= _GAP
                        marks |= _GAP
                if value & _SPELLED_LETTER:
                    packed |= letter(chars[start] & 0xDF) << 16 | _DROP_FLAG
            if move == text_out.shape[0]:
                scratch.grow_moves()
                text_out = scratch.texts
                info_out = scratch.info
            text_out[move] = packed
            info_out[4 * move] = start
            info_out[4 * move + 1] = end
            if start == last_end:
                number |= _GLUED
                marks |= _GLUED
            info_out[4 * move + 2] = number
            info_out[4 * move + 3] = -1
            move += 1
            last_end = end
            owner = 1
            packed = 0
            first = 0
            squares = 0
            covered = 0
            number = 0
        elif operation in (SECONDS, CLOCK):
            if operation == SECONDS:
                value = fraction(chars, start + 1, end)
                total = -1
            else:
                value, total = clock(chars, start + 1, end)
            if owner == 1 and info_out[4 * move - 1] < 0:
                info_out[4 * move - 1] = value
                if total >= 0:
                    if info_out[4 * move - 2] & _NUMBER == 1:  # another game
                        earlier = 0
                        latest = 0
                    value += earlier - total
                    if value >= 1000 or value <= -1000:
                        info_out[4 * move - 2] |= _TOTAL
                        marks |= _TOTAL
                    earlier = latest
                    latest = total
            elif owner == 2 and item_out[5 * owner_item + 4] < 0:
                item_out[5 * owner_item + 4] = value
            else:
                if 5 * item == item_out.shape[0]:
                    scratch.grow_items()
                    item_out = scratch.items
                item_out[5 * item] = code
                item_out[5 * item + 1] = move
                item_out[5 * item + 2] = start
                item_out[5 * item + 3] = end
                item_out[5 * item + 4] = owner
                item += 1
        elif operation == COUNT or (operation == BARE_COUNT and start != last_end):
            if 3 * count == count_out.shape[0]:
                scratch.grow_counts()
                count_out = scratch.counts
            count_out[3 * count] = decimal(chars, start, end)
            count_out[3 * count + 1] = move
            count_out[3 * count + 2] = start
            count += 1
        elif operation in (NOTE, GLYPH):
            if 4 * note == note_out.shape[0]:
                scratch.grow_notes()
                note_out = scratch.notes
            note_out[4 * note] = code
            note_out[4 * note + 1] = move + 1 if operation == GLYPH else move
            note_out[4 * note + 2] = start
            note_out[4 * note + 3] = end
            note += 1
        elif operation == LETTER_DROP:
            value = chars[start] & 0xDF
            packed = (packed & ~(63 << 16)) | letter(value) << 16 | _DROP_FLAG
            covered += end - start
        elif operation == NUMERAL:
            amount = numeral(chars, start, end)
        elif operation == CELL:
            value = packed >> 16 & 63
            if value and packed >> _SIDE_SHIFT & 2:
                value |= 64
            cells |= value << (7 * cell_count)
            cell_count += 1
            if cell_count > 8:
                cell_count = 8
            packed = 0
        else:
            value = 0
            if operation == END:
                value = -1
                owner = 2
                owner_item = item
            elif operation == BORDER:
                owner = 0
                earlier = 0
                latest = 0
            elif operation == ROW:
                value = cells
                cells = 0
                cell_count = 0
            elif operation == PLACE:
                value = (packed >> 16 & 63) | first << 6 | (packed >> _SIDE_SHIFT & 3) << 14
                if amount >= 0:
                    value |= (amount if amount < 1000 else 1000) << 16
                else:
                    value |= 1 << 16
                packed = 0
                first = 0
                squares = 0
                amount = -1
            elif operation == RETRACT and move and info_out[4 * move - 4] >= start:
                move -= 1
                value = text_out[move]
                owner = 0
            if 5 * item == item_out.shape[0]:
                scratch.grow_items()
                item_out = scratch.items
            item_out[5 * item] = code
            item_out[5 * item + 1] = move
            item_out[5 * item + 2] = start
            item_out[5 * item + 3] = end
            item_out[5 * item + 4] = value
            item += 1
            if code < 0:  # a production is complete: nothing of it may reach the next one
                packed = 0
                first = 0
                squares = 0
                covered = 0
                number = 0
                amount = -1
    return scratch.taken(move, note, count, item, marks)


@cython.cfunc
@cython.exceptval(check=False)
def letter(char: cython.longlong) -> cython.longlong:
    """The kind of piece an upper-case SFEN letter names, 0 where it names none."""
    if char == 0x50:
        return 1
    if char == 0x4C:
        return 2
    if char == 0x4E:
        return 3
    if char == 0x53:
        return 4
    if char == 0x47:
        return 5
    if char == 0x42:
        return 6
    if char == 0x52:
        return 7
    return 0
