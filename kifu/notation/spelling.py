# cython: language_level=3, boundscheck=True, wraparound=False, initializedcheck=False, cdivision=True
"""The moves of a game as text: what every writer does a hundred times a game.

A `Page` is a text under construction, one row of characters that grows. `Page.open` shows it the flat arrays of a game
(`kifu.record`); a page of one notation then writes all plies of a line in one loop, their clocks and comments with
them, and leaves headers and ends to its writer, who adds them with `Page.put`. The signs of the notation come from
its writer as tables (`pairs`). `spelling.pxd` declares the types of the pages for the compiler.
"""
from __future__ import annotations

from array import array

from kifu.rules.resolve import Resolver

try:
    import cython
except ImportError:  # interpreted, without Cython installed
    from kifu import _cython as cython

#: Kinds of comments.
KINDS = ("comment", "note", "nag")
NOTE = cython.declare(cython.int, 1)
NAG = cython.declare(cython.int, 2)
#: The most characters that a ply takes, its comments apart: number, move, two clocks, separators. The loops over plies
#: make room for so many, then write without asking for each.
PLY = cython.declare(cython.Py_ssize_t, 128)
#: A page to begin with: room for most games.
ROOM = array("I", bytes(4 * 6144))
#: Pages that have grown beyond this many characters begin anew with the next game.
KEEP = cython.declare(cython.Py_ssize_t, 1 << 20)
#: The widest characters that a page of Japanese text may have.
WIDE = cython.declare(cython.uint, 0xFFFF)
#: What stands for the arrays of a game before there is one.
NOTHING = array("q")
#: Thought for a whole game stops growing at this many seconds.
MOST_SECONDS = cython.declare(cython.longlong, 1 << 60)
#: Room for the name of a man in western text, where it is a word, and the zero behind it.
LONGEST = cython.declare(cython.int, 16)
#: Comments from this length on are searched by a method of `str`, shorter ones character by character.
LONG = cython.declare(cython.Py_ssize_t, 64)
#: Columns of a move in KIF before its clock; of a line of western text.
COLUMNS = cython.declare(cython.int, 13)
WIDTH = cython.declare(cython.Py_ssize_t, 78)

DROPPED = cython.declare(cython.longlong, 1 << 16)  # as in kifu.rules.move
PROMOTES = cython.declare(cython.longlong, 1 << 17)
COULD_PROMOTE = cython.declare(cython.longlong, 1 << 30)
PROMOTED = cython.declare(cython.int, 32)

BLANK = cython.declare(cython.uint, ord(" "))
LINE_END = cython.declare(cython.uint, ord("\n"))
ZERO = cython.declare(cython.uint, ord("0"))
COLON = cython.declare(cython.uint, ord(":"))
POINT = cython.declare(cython.uint, ord("."))
PLUS = cython.declare(cython.uint, ord("+"))
MINUS = cython.declare(cython.uint, ord("-"))
STAR = cython.declare(cython.uint, ord("*"))
EQUAL = cython.declare(cython.uint, ord("="))
SLASH = cython.declare(cython.uint, ord("/"))
OPEN = cython.declare(cython.uint, ord("("))
CLOSE = cython.declare(cython.uint, ord(")"))
OPEN_BRACE = cython.declare(cython.uint, ord("{"))
CLOSE_BRACE = cython.declare(cython.uint, ord("}"))
LETTER_A = cython.declare(cython.uint, ord("a"))
LETTER_T = cython.declare(cython.uint, ord("T"))
LETTER_X = cython.declare(cython.uint, ord("x"))
SAME = cython.declare(cython.uint, ord("同"))
WIDE_BLANK = cython.declare(cython.uint, ord("　"))
PROMOTING = cython.declare(cython.uint, ord("成"))
DROPPING = cython.declare(cython.uint, ord("打"))


def pairs(words: dict[int, str]) -> array:
    """A table for the pages: one or two characters for each number, zeros for those that have no word.

    >>> pairs({1: "FU"})[2:4].tolist() == [ord("F"), ord("U")]
    True
    """
    table = array("I", bytes(4 * 2 * 128))
    for number, word in words.items():
        for i, sign in enumerate(word):
            table[2 * number + i] = ord(sign)
    return table


def long_names(words: dict[int, str]) -> array:
    """A table for `WesternPage`: sixteen characters for each number, zeros behind the word and for those without one.

    >>> table = long_names({1: "Chick"})
    >>> "".join(map(chr, table[16:21])), table[21]
    ('Chick', 0)
    """
    table = array("I", bytes(4 * LONGEST * 64))
    for number, word in words.items():
        if len(word) >= LONGEST:
            raise ValueError(f"{word!r} is longer than the name of a man may be")
        for i, sign in enumerate(word):
            table[LONGEST * number + i] = ord(sign)
    return table


class Page:
    """A text under construction, and the game that it is about.

    The arrays of a game are looked at where they lie; `see` finds out where that is and how much they hold, at the
    beginning of each method that goes through them.
    """

    def __init__(self, names: array) -> None:
        self.name_array = names
        self.marks = None
        self.size = 0
        self.widest = 127
        self.text = ""
        self.move_array = self.info_array = self.note_array = NOTHING
        self.furnish(ROOM[:])
        if cython.compiled:
            self.names = self.name_array.data.as_uints
        else:
            self.names = names
        self.named = len(names) // 2

    def furnish(self, store: array) -> cython.int:
        """Write on this array from now on."""
        self.store = store
        if cython.compiled:
            self.room = self.store.data.as_uints
        else:
            self.room = store
        self.limit = len(store)
        return 0

    def see(self) -> cython.int:
        """Look at the arrays of the game as they are now."""
        if cython.compiled:
            self.moves = self.move_array.data.as_longlongs
            self.info = self.info_array.data.as_longlongs
            self.notes = self.note_array.data.as_longlongs
            self.known = self.move_array.ob_size
            self.informed = self.info_array.ob_size
            self.noted_until = self.note_array.ob_size
        else:
            self.moves, self.info, self.notes = self.move_array, self.info_array, self.note_array
            self.known, self.informed, self.noted_until = len(self.moves), len(self.info), len(self.notes)
        if self.known > self.informed // 4:
            self.known = self.informed // 4
        self.noted_until -= self.noted_until % 4
        return 0

    def within(self, first: cython.Py_ssize_t, last: cython.Py_ssize_t) -> cython.int:
        """Raise IndexError unless the arrays hold all moves from ``first`` to before ``last``."""
        self.see()
        if first < 0 or last > self.known:
            raise IndexError(f"moves {first} to {last} of {self.known}")
        return 0

    # --- characters ---------------------------------------------------------------------------------------------------
    def reserve(self, count: cython.Py_ssize_t) -> cython.int:
        """Make room for so many characters more."""
        wanted: cython.Py_ssize_t = self.size + count
        if wanted > self.limit:
            self.furnish(self.store + array("I", bytes(4 * wanted)))
        return 0

    def sign(self, char: cython.uint) -> cython.int:
        """Write one character; there must be room."""
        if self.size >= self.limit:
            raise IndexError(self.size)
        self.room[self.size] = char
        self.size += 1
        return 0

    def pair(self, first: cython.uint, second: cython.uint) -> cython.int:
        """Write two characters; there must be room."""
        if self.size + 1 >= self.limit:
            raise IndexError(self.size)
        self.room[self.size] = first
        self.room[self.size + 1] = second
        self.size += 2
        return 0

    def two_digits(self, number: cython.uint) -> cython.int:
        """Write a number below 100 with two digits; there must be room."""
        return self.pair(ZERO + number // 10, ZERO + number % 10)

    def number(self, value: cython.longlong, width: cython.int, fill: cython.uint) -> cython.int:
        """Write a number that is not negative, filled up to a width of at most four; there must be room."""
        digits: cython.int = 1 if value < 10 else 2 if value < 100 else 3 if value < 1000 else 4
        small: cython.uint
        end: cython.Py_ssize_t
        if value >= 10000:
            self.number(value // 10000, 1, fill)
            width, fill, value = 4, ZERO, value % 10000
            digits = 1 if value < 10 else 2 if value < 100 else 3 if value < 1000 else 4
        while width > digits:
            self.sign(fill)
            width -= 1
        small = value
        if self.size + digits > self.limit:
            raise IndexError(self.size)
        self.size += digits
        end = self.size
        while digits > 0:
            end -= 1
            digits -= 1
            self.room[end] = ZERO + small % 10
            small = small // 10
        return 0

    def copy(self, text: str) -> cython.int:
        """Write a text."""
        length: cython.Py_ssize_t = len(text)
        i: cython.Py_ssize_t
        out: cython.p_uint
        bytes_of: cython.p_uchar
        pairs_of: cython.p_ushort
        if not length:
            return 0
        self.reserve(length)
        if cython.compiled:
            out = self.room + self.size
            self.widest |= PyUnicode_MAX_CHAR_VALUE(text)  # noqa: F821 (this and the following: spelling.pxd)
            if PyUnicode_KIND(text) == 1:  # noqa: F821
                bytes_of = cython.cast(cython.p_uchar, PyUnicode_DATA(text))  # noqa: F821
                for i in range(length):
                    out[i] = bytes_of[i]
            elif PyUnicode_KIND(text) == 2:  # noqa: F821
                pairs_of = cython.cast(cython.p_ushort, PyUnicode_DATA(text))  # noqa: F821
                for i in range(length):
                    out[i] = pairs_of[i]
            else:
                PyUnicode_AsUCS4(text, out, length, False)  # noqa: F821
        else:
            self.room[self.size:self.size + length] = array("I", map(ord, text))
        self.size += length
        return 0

    def put(self, text: str) -> None:
        """Write a text."""
        self.copy(text)

    def take(self) -> str:
        """All that was written; the page is empty again and lets go of the game's text."""
        size: cython.Py_ssize_t = self.size
        widest: cython.uint = self.widest
        i: cython.Py_ssize_t
        room: cython.p_uint
        bytes_of: cython.p_uchar
        pairs_of: cython.p_ushort
        self.size = 0
        self.widest = 127
        self.text = ""
        if size == 0:
            return ""
        if not cython.compiled:
            text = "".join(map(chr, self.store[:size]))
        else:  # ``widest`` is exact: what was written has a character of its kind
            text = PyUnicode_New(size, widest)  # noqa: F821
            room = self.room
            if PyUnicode_KIND(text) == 1:  # noqa: F821
                bytes_of = cython.cast(cython.p_uchar, PyUnicode_DATA(text))  # noqa: F821
                for i in range(size):
                    bytes_of[i] = room[i]
            elif PyUnicode_KIND(text) == 2:  # noqa: F821
                pairs_of = cython.cast(cython.p_ushort, PyUnicode_DATA(text))  # noqa: F821
                for i in range(size):
                    pairs_of[i] = room[i]
            else:
                text = PyUnicode_FromKindAndData(4, room, size)  # noqa: F821
        if self.limit > KEEP:
            self.furnish(ROOM[:])
        return text

    # --- the game -----------------------------------------------------------------------------------------------------
    def open(self, moves: array, info: array, notes: array, marks: dict[int, tuple[str, int, int]], text: str) -> None:
        """Begin a game: packed moves, and the arrays and text of its record. Comments are found by their move."""
        i: cython.Py_ssize_t
        self.size = 0
        self.widest = 127
        self.move_array, self.info_array, self.note_array, self.text = moves, info, notes, text
        if cython.compiled and not (self.move_array.ob_descr.itemsize == self.info_array.ob_descr.itemsize
                                    == self.note_array.ob_descr.itemsize == 8):
            raise TypeError("the arrays of a game hold numbers of 64 bits")
        self.see()
        self.even = self.odd = 0
        self.at = 0
        if marks is not self.marks:
            self.learn(marks)
        for i in range(5, self.noted_until, 4):
            if self.notes[i] < self.notes[i - 4]:  # comments of branches may stand before those of their parents
                self.sort()
                break

    def sort(self) -> cython.int:
        """Put the comments in the order of their moves."""
        notes = self.note_array
        order = sorted(range(1, len(notes), 4), key=notes.__getitem__)
        self.note_array = array("q", [number for at in order for number in notes[at - 1:at + 3]])
        return self.see()

    def learn(self, marks: dict[int, tuple[str, int, int]]) -> None:
        """Take down how the comments of a notation are marked (`kifu.record.Record.note_marks`)."""
        count = max(marks, default=0) + 1
        learned = array("q", bytes(8 * 3 * count))
        for code, (kind, head, tail) in marks.items():
            learned[3 * code:3 * code + 3] = array("q", (head, tail, KINDS.index(kind)))
        self.learned, self.marks = learned, marks

    def notes_before(self, index: cython.longlong) -> int:
        """How many comments stand before the move at ``index`` or directly behind the move before it."""
        return self.place(index) // 4

    def place(self, index: cython.longlong) -> cython.Py_ssize_t:
        """Where in the notes the first comment stands that follows the move at ``index`` or a later one."""
        low: cython.Py_ssize_t = 0
        high: cython.Py_ssize_t
        middle: cython.Py_ssize_t
        self.see()
        high = self.noted_until // 4
        while low < high:
            middle = (low + high) // 2
            if self.notes[4 * middle + 1] - 1 < index:
                low = middle + 1
            else:
                high = middle
        return 4 * low

    def fractions(self) -> int:
        """How many clocks of the record, branches and all, hold a fraction of a second."""
        count: cython.int = 0
        i: cython.Py_ssize_t
        self.see()
        for i in range(3, self.informed, 4):
            count += self.info[i] >= 0 and self.info[i] % 1000 != 0
        return count

    def clocks(self, plies: cython.Py_ssize_t) -> int:
        """How many of the first plies have a clock."""
        count: cython.int = 0
        i: cython.Py_ssize_t
        self.see()
        if 4 * plies > self.informed:
            raise IndexError(plies)
        for i in range(plies):
            count += self.info[4 * i + 3] >= 0
        return count

    def may_evaluate(self) -> cython.bint:
        """Whether a line of a comment begins as evaluations do: with a digit, a sign, a blank or a mark.

        It is a quick look before `kifu.notation.annotations` takes its time: no is certain, yes is not.
        """
        i: cython.Py_ssize_t
        at: cython.Py_ssize_t
        end: cython.Py_ssize_t
        head: cython.longlong
        self.see()
        for i in range(0, self.noted_until, 4):
            head = self.learned[3 * self.notes[i]]
            if head < 0:  # a mark with blanks before it
                return True
            at = self.notes[i + 2] + head
            end = self.notes[i + 3] - self.learned[3 * self.notes[i] + 1]
            if end > len(self.text):
                return True
            while at < end:
                if self.text[at] in "*#'+- \t0123456789":
                    return True
                if end - at < LONG:
                    while at < end and self.text[at] != "\n":
                        at += 1
                else:
                    at = self.text.find("\n", at, end)
                    if at < 0:
                        break
                at += 1
        return False

    def noted(self, index: cython.longlong) -> cython.bint:
        """Whether the next comment stands behind the move at ``index``."""
        return self.at < self.noted_until and self.notes[self.at + 1] - 1 == index

    def next_note(self) -> str:
        """The text of the next comment, which is done with; its lines end as those of the page do."""
        code: cython.longlong = self.notes[self.at]
        start: cython.Py_ssize_t = self.notes[self.at + 2]
        end: cython.Py_ssize_t = self.notes[self.at + 3]
        head: cython.Py_ssize_t = self.learned[3 * code]
        self.at += 4
        if head < 0:  # a mark with blanks before it
            return self.text[start:end].strip().lstrip("#")
        start += head
        end -= self.learned[3 * code + 1]
        if start >= end:
            return ""
        text: str = self.text[start:end]
        return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text

    def kind(self) -> cython.int:
        """The kind of the next comment, an index of `KINDS`."""
        return self.learned[3 * self.notes[self.at] + 2]

    def remark(self, mark: str, text: str) -> cython.int:
        """Write a comment, each line of it behind a mark."""
        if "\n" in text:
            text = text.replace("\n", "\n" + mark)
        self.copy(mark)
        self.copy(text)
        self.reserve(1)
        return self.sign(LINE_END)

    def square(self, square: cython.uint) -> cython.int:
        """Write a square as two digits, `76`; there must be room."""
        return self.pair(ZERO + 1 + square // 9, ZERO + 1 + square % 9)

    def lettered(self, square: cython.uint) -> cython.int:
        """Write a square as a digit and a letter, `7f`; there must be room."""
        return self.pair(ZERO + 1 + square // 9, LETTER_A + square % 9)

    def name(self, piece: cython.int) -> cython.int:
        """Write the name of a piece, one character or two; returns how many. There must be room."""
        first: cython.uint
        second: cython.uint
        if piece < 0 or piece >= self.named or not self.names[2 * piece]:
            raise KeyError(piece)
        first, second = self.names[2 * piece], self.names[2 * piece + 1]
        self.widest |= first | second
        self.sign(first)
        if not second:
            return 1
        self.sign(second)
        return 2


@cython.cfunc
@cython.inline
@cython.exceptval(-1)
def moved(move: cython.longlong) -> cython.int:
    """The piece of a packed move, as it was before; a drop may name it by its kind only."""
    piece: cython.int = move >> 18 & 63
    return piece if piece or not move & DROPPED else move >> 8 & 63


class CsaPage(Page):
    """A page of CSA."""

    def remarks(self, index: cython.longlong, starred: cython.bint) -> None:
        """Write the comments behind the move at ``index``.

        `'*` stands before them where they are notes or ``starred``, and where a star of their own behind `'` would
        make them notes; else `'`.
        """
        self.write_remarks(index, starred)

    def write_remarks(self, index: cython.longlong, starred: cython.bint) -> cython.int:
        note: cython.bint
        text: str
        while self.noted(index):
            note = starred or self.kind() == NOTE
            text = self.next_note()
            self.remark("'*" if note or text.startswith("*") or "\n*" in text else "'", text)
        return 0

    def plies(self, count: cython.Py_ssize_t, turn: cython.int, fractions: cython.bint, starred: cython.bint) -> None:
        """Write the first plies with their clocks and comments; ``turn`` is 1 where White makes the first one."""
        index: cython.Py_ssize_t
        at: cython.Py_ssize_t
        out: cython.p_uint
        move: cython.longlong
        time: cython.longlong
        piece: cython.int
        square: cython.uint
        small: cython.uint
        self.within(0, count)
        for index in range(count):
            move = self.moves[index]
            piece = moved(move)
            self.reserve(PLY)
            out, at = self.room, self.size
            out[at] = MINUS if (index + turn) & 1 else PLUS
            if move & DROPPED:
                out[at + 1] = out[at + 2] = ZERO
            else:
                square = move >> 8 & 255
                out[at + 1], out[at + 2] = ZERO + 1 + square // 9, ZERO + 1 + square % 9
                if move & PROMOTES:
                    piece |= PROMOTED
            square = move & 255
            out[at + 3], out[at + 4] = ZERO + 1 + square // 9, ZERO + 1 + square % 9
            if piece >= self.named or not self.names[2 * piece]:
                raise KeyError(piece)
            out[at + 5], out[at + 6] = self.names[2 * piece], self.names[2 * piece + 1]
            out[at + 7] = LINE_END
            self.size = at + 8
            time = self.info[4 * index + 3]
            if time >= 0:
                out[at + 8] = LETTER_T
                small = time // 1000 if time < 10000 else 10
                if small < 10 and not (fractions and time % 1000):  # most often
                    out[at + 9], out[at + 10] = ZERO + small, LINE_END
                    self.size = at + 11
                else:
                    self.size = at + 9
                    self.seconds(time, fractions)
                    self.sign(LINE_END)
            if self.noted(index):
                self.write_remarks(index, starred)

    def seconds(self, time: cython.longlong, fractions: cython.bint) -> cython.int:
        """Write milliseconds as seconds: `12`, or `12.5` where fractions are allowed; there must be room."""
        part: cython.longlong = time % 1000
        self.number(time // 1000, 1, ZERO)
        if part and fractions:
            self.sign(POINT)
            self.number(part, 3, ZERO)
            while self.room[self.size - 1] == ZERO:
                self.size -= 1
        return 0


class KifPage(Page):
    """A page of KIF."""

    def __init__(self, names: array, targets: array) -> None:
        Page.__init__(self, names)
        self.target_array = targets
        if cython.compiled:
            self.targets = self.target_array.data.as_uints
        else:
            self.targets = targets
        self.squares = len(targets) // 2

    def remarks(self, index: cython.longlong, bookmarks: dict[int, str]) -> None:
        """Write the comments behind the move at ``index`` and its bookmark."""
        self.at = self.place(index)
        self.write_remarks(index, bookmarks)

    def write_remarks(self, index: cython.longlong, bookmarks: dict) -> cython.int:
        while self.noted(index):
            self.remark("*", self.next_note())
        if bookmarks and index in bookmarks:
            self.put(f"&{bookmarks[index]}\n")
        return 0

    def plies(self, first: cython.Py_ssize_t, last: cython.Py_ssize_t, number: cython.longlong, target: cython.int,
              running: cython.bint, bookmarks: dict, branching: set) -> int:
        """Write the moves ``first`` to ``last`` (not included) of one line; returns how many clocks lost a fraction.

        ``number`` is the number of the first, ``target`` the square of the move before it (-1: none). Clocks are
        added up where they are ``running``. What follows a move of ``branching`` (-1: the start) has other branches.
        """
        index: cython.Py_ssize_t
        move: cython.longlong
        time: cython.longlong
        piece: cython.int
        columns: cython.int
        at: cython.Py_ssize_t
        out: cython.p_uint
        small: cython.uint
        to: cython.int
        floored: cython.int = 0
        branches: cython.bint = len(branching) > 0
        marked: cython.bint = len(bookmarks) > 0
        self.at = self.place(first)
        self.within(first, last)
        if first < last:
            self.widest |= WIDE
        for index in range(first, last):
            move = self.moves[index]
            piece = moved(move)
            to = move & 255
            self.reserve(PLY)
            out, at = self.room, self.size
            if number < 1000:
                small = number
                out[at] = BLANK
                out[at + 1] = ZERO + small // 100 if small >= 100 else BLANK
                out[at + 2] = ZERO + small // 10 % 10 if small >= 10 else BLANK
                out[at + 3] = ZERO + small % 10
                at += 4
            else:
                self.number(number, 4, BLANK)
                at = self.size
            out[at] = BLANK
            if to == target:
                out[at + 1], out[at + 2] = SAME, WIDE_BLANK
            elif to < self.squares:
                out[at + 1], out[at + 2] = self.targets[2 * to], self.targets[2 * to + 1]
            else:
                raise IndexError(to)
            target = to
            if piece >= self.named or not self.names[2 * piece]:
                raise KeyError(piece)
            out[at + 3] = self.names[2 * piece]
            at += 4
            columns = 8
            if self.names[2 * piece + 1]:
                out[at] = self.names[2 * piece + 1]
                at += 1
                columns = 10
            if move & DROPPED:
                out[at] = DROPPING
                at += 1
            else:
                if move & PROMOTES:
                    out[at] = PROMOTING
                    at += 1
                    columns += 2
                to = move >> 8 & 255
                out[at], out[at + 3] = OPEN, CLOSE
                out[at + 1], out[at + 2] = ZERO + 1 + to // 9, ZERO + 1 + to % 9
                at += 4
                columns += 2
            self.size = at
            time = self.info[4 * index + 3]
            if time >= 0:
                floored += time % 1000 != 0
                out[at] = BLANK
                at += 1
                columns += 1
                while columns < COLUMNS:
                    out[at] = BLANK
                    at += 1
                    columns += 1
                self.size = at
                self.write_clock(time, number, running)
            if branches and index - 1 in branching and (index > first or index == 0):
                self.sign(PLUS)
            self.sign(LINE_END)
            number += 1
            if marked or self.noted(index):
                self.write_remarks(index, bookmarks)
        return floored

    def totals(self, odd: cython.longlong, even: cython.longlong) -> None:
        """Go on from these totals, in seconds, of the sides that make the moves with odd and with even numbers."""
        self.odd = odd if odd < MOST_SECONDS else MOST_SECONDS
        self.even = even if even < MOST_SECONDS else MOST_SECONDS

    def clock(self, time: cython.longlong, number: cython.longlong, running: cython.bint) -> None:
        """Write the thought for move ``number`` and the total of its side: `( 0:12/00:00:12)`."""
        self.reserve(PLY)
        self.write_clock(time, number, running)

    def write_clock(self, time: cython.longlong, number: cython.longlong, running: cython.bint) -> cython.int:
        seconds: cython.longlong = time // 1000
        total: cython.longlong = seconds
        short: cython.uint
        long: cython.uint
        part: cython.uint
        at: cython.Py_ssize_t
        out: cython.p_uint
        if running:
            total += self.odd if number & 1 else self.even
            if total > MOST_SECONDS:
                total = MOST_SECONDS
            if number & 1:
                self.odd = total
            else:
                self.even = total
        if seconds < 6000 and total < 360000:  # all parts have two digits: nearly always
            short, long = seconds, total
            out, at = self.room, self.size
            out[at], out[at + 3], out[at + 6] = OPEN, COLON, SLASH
            out[at + 9] = out[at + 12] = COLON
            out[at + 15] = CLOSE
            part = short // 60
            short -= 60 * part
            out[at + 1] = ZERO + part // 10 if part >= 10 else BLANK
            out[at + 2] = ZERO + part % 10
            out[at + 4], out[at + 5] = ZERO + short // 10, ZERO + short % 10
            part = long // 3600
            long -= 3600 * part
            out[at + 7], out[at + 8] = ZERO + part // 10, ZERO + part % 10
            part = long // 60
            long -= 60 * part
            out[at + 10], out[at + 11] = ZERO + part // 10, ZERO + part % 10
            out[at + 13], out[at + 14] = ZERO + long // 10, ZERO + long % 10
            self.size = at + 16
            return 0
        self.sign(OPEN)
        self.number(seconds // 60, 2, BLANK)
        self.sign(COLON)
        self.two_digits(seconds % 60)
        self.sign(SLASH)
        self.number(total // 3600, 2, ZERO)
        self.sign(COLON)
        self.two_digits(total // 60 % 60)
        self.sign(COLON)
        self.two_digits(total % 60)
        return self.sign(CLOSE)


class UsiPage(Page):
    """A page of USI lines."""

    def plies(self, count: cython.Py_ssize_t) -> None:
        """Write the first plies, a blank before each."""
        index: cython.Py_ssize_t
        move: cython.longlong
        self.within(0, count)
        self.reserve(8 * count)
        for index in range(count):
            move = self.moves[index]
            self.sign(BLANK)
            if move & DROPPED:
                self.name(move >> 8 & 31)
                self.sign(STAR)
            else:
                self.lettered(move >> 8 & 255)
            self.lettered(move & 255)
            if move & PROMOTES and not move & DROPPED:
                self.sign(PLUS)


class WesternPage(Page):
    """A page of western text: words, wrapped to lines as they come.

    The word last begun may still grow; whether a blank or a line end stands before it is decided by the next one.
    ``names`` is a table of `pairs` or, where names are words, of `long_names`; ``style`` is a
    `kifu.notation.western_styles.Style`.
    """

    def __init__(self, names: array, style: object) -> None:
        Page.__init__(self, names)
        self.words = len(names) == LONGEST * 64
        _, self.letters, self.hyphen, drop, self.brackets, self.pinned, self.recaptures = style
        self.drop_sign = ord(drop)

    def begin(self, position: Resolver) -> None:
        """Begin the move text; its moves are played on a position."""
        self.position = position
        self.word = -1
        self.width = 0
        self.braces = 0
        self.commented = False

    def next_word(self) -> cython.int:
        """Begin a word."""
        self.settle()
        self.reserve(PLY)
        self.word = self.size
        self.sign(BLANK)
        return 0

    def settle(self) -> cython.int:
        """End the current word: now it is known whether the line holds it."""
        length: cython.Py_ssize_t = self.size - self.word - 1
        i: cython.Py_ssize_t
        if self.word < 0:
            return 0
        if self.width == 0:  # nothing stands before it
            for i in range(self.word, self.size - 1):
                self.room[i] = self.room[i + 1]
            self.size -= 1
            self.width = length
        elif self.width + 1 + length > WIDTH:
            self.room[self.word] = LINE_END
            self.width = length
        else:
            self.width += 1 + length
        self.word = -1
        return 0

    def close(self) -> None:
        """Close the bracket of a variation, in the last word."""
        self.reserve(1)
        self.sign(CLOSE)

    def add(self, word: str) -> None:
        """Write a word."""
        self.next_word()
        self.copy(word)

    def finish(self) -> None:
        """End the last word and its line."""
        self.settle()
        self.reserve(1)
        self.sign(LINE_END)

    def remarks(self, index: cython.longlong) -> None:
        """Write the comments and glyphs behind the move at ``index``."""
        self.at = self.place(index)
        self.write_remarks(index)

    def comment(self, text: str) -> None:
        """Write a comment of the writer's own."""
        self.next_word()
        self.braced(text)

    def clock(self, time: cython.longlong) -> None:
        """Write milliseconds of thought: `(0:12)` or `(0:12.5)`."""
        self.write_clock(time)

    def write_remarks(self, index: cython.longlong) -> cython.int:
        glyph: cython.bint
        while self.noted(index):
            glyph = self.kind() == NAG
            self.next_word()
            if glyph:
                self.copy(self.next_note())
            else:
                self.braced(self.next_note())
        return 0

    def braced(self, text: str) -> cython.int:
        """Write a comment in braces; braces inside would end it and become brackets."""
        if "{" in text or "}" in text:
            self.braces += text.count("{") + text.count("}")
            text = text.replace("{", "(").replace("}", ")")
        self.sign(OPEN_BRACE)
        self.copy(text)
        self.reserve(PLY)
        return self.sign(CLOSE_BRACE)

    def write_clock(self, time: cython.longlong) -> cython.int:
        self.next_word()
        self.sign(OPEN)
        self.number(time // 60000, 1, ZERO)
        self.sign(COLON)
        self.two_digits(time // 1000 % 60)
        if time % 1000:
            self.sign(POINT)
            self.number(time % 1000, 3, ZERO)
        self.sign(CLOSE)
        return 0

    def plies(self, first: cython.Py_ssize_t, last: cython.Py_ssize_t, slot: cython.longlong, opens: cython.bint,
              numbered: cython.bint, parent: cython.longlong, branching: set) -> int:
        """Write and play the moves ``first`` to ``last`` (not included) of one line; returns where it stopped.

        It stops early behind a move that has siblings: one whose ``parent`` (of the first; then the move before) is in
        ``branching``. ``slot`` counts plies from Black's first, ``opens`` puts a bracket before the first move,
        ``numbered`` a number even where it is White's.
        """
        index: cython.Py_ssize_t
        move: cython.longlong
        time: cython.longlong
        branches: cython.bint = len(branching) > 0
        contested: cython.bint
        position: Resolver = self.position
        self.at = self.place(first)
        self.within(first, last)
        for index in range(first, last):
            move = self.moves[index]
            if numbered or not slot & 1:
                self.next_word()
                if opens:
                    self.sign(OPEN)
                self.number(slot // 2 + 1, 1, ZERO)
                self.sign(POINT)
                if slot & 1:
                    self.sign(BLANK)
                    self.pair(POINT, POINT)
                    self.sign(POINT)
            opens = False
            self.next_word()
            if move & DROPPED:
                self.write_drop(move)
            else:
                if self.pinned:
                    contested = len(position.reaching(moved(move), move & 255)) > 1
                else:
                    contested = position.contested(move)
                self.write_move(move, contested, self.recaptures and position.last_target == move & 255)
            position.do(move)
            time = self.info[4 * index + 3]
            if time >= 0:
                self.write_clock(time)
            numbered = self.noted(index)
            if numbered:
                self.write_remarks(index)
            slot += 1
            if branches and parent in branching:
                self.commented = numbered
                return index + 1
            parent = index
        self.commented = numbered
        return last

    def write_drop(self, move: cython.longlong) -> cython.int:
        """Write a drop."""
        self.man(moved(move) & ~PROMOTED)
        self.widest |= self.drop_sign
        self.sign(self.drop_sign)
        return self.place_name(move & 255)

    def write_move(self, move: cython.longlong, contested: cython.bint, recapture: cython.bint) -> cython.int:
        """Write a move on the board: its origin only where it is contested, no target where it recaptures."""
        self.man(moved(move))
        if contested:
            if self.brackets:
                self.sign(OPEN)
            self.place_name(move >> 8 & 255)
            if self.brackets:
                self.sign(CLOSE)
        if move >> 24 & 63:
            self.sign(LETTER_X)
        elif contested or self.hyphen:
            self.sign(MINUS)
        if not recapture:
            self.place_name(move & 255)
        if move & PROMOTES:
            self.sign(PLUS)
        elif move & COULD_PROMOTE:
            self.sign(EQUAL)
        return 0

    def man(self, piece: cython.int) -> cython.int:
        """Write the name of a man as the style has it."""
        i: cython.int = LONGEST * piece
        if not self.words:
            return self.name(piece)
        if i < 0 or i + LONGEST > 2 * self.named or not self.names[i]:
            raise KeyError(piece)
        while self.names[i]:  # a zero stands behind each
            self.widest |= self.names[i]
            self.sign(self.names[i])
            i += 1
        return 0

    def place_name(self, square: cython.uint) -> cython.int:
        """Write a square as the style has it: `7f` or `76`."""
        return self.lettered(square) if self.letters else self.square(square)
