# cython: language_level=3, boundscheck=True, wraparound=False, initializedcheck=False
"""The machine that reads text by a compiled grammar: a scanner and an LALR(1) driver over flat arrays.

It gives the tokens and reductions that Lark gives for the same grammar, a hundred times faster, and goes on after an
error. The file runs as it stands, or compiled by Cython; both behave alike.

Recovery. A line or statement that no rule knows is a token itself, ``BAD``, and a syntax error is turned into one: the
stack is put back to what it was before the wrong token caused any reduction, states are popped until one allows
``BAD``, the tape is cut back to there, and ``BAD`` takes the place of what was dropped, up to the end of the statement.
Everything else stays as it is, and each error is one fault. Where brackets are open at the end of the text, or before
a token that cannot stand inside brackets, an empty ``UNCLOSED`` token closes each of them, again with one fault. Every
recovery either accepts the next token or consumes a character, so that reading always ends.
"""
from __future__ import annotations

import sys
from array import array

try:
    import cython
except ImportError:  # interpreted, without Cython installed
    from kifu import _cython as cython

from kifu.grammar.tables import HEAD as _HEAD
from kifu.grammar.tape import Fault, Tape

WIDE = "utf-32-le" if sys.byteorder == "little" else "utf-32-be"
CHARACTERS: cython.int = 0x10000  # code points with a class of their own
LONGEST: cython.Py_ssize_t = 1 << 28  # characters in a text, so that no number on the tape or the stack can overflow
KEEP: cython.int = 1 << 20  # working memory of more events than this is not kept for the next text
HEAD = cython.declare(cython.uint, _HEAD)

#: A text is looked at as narrow as its characters allow: many records are ASCII.
Char = cython.fused_type(cython.uchar, cython.uint)


def characters(text: str) -> memoryview:
    """The code points of a text as a flat view of 8-bit or 32-bit numbers (``itemsize`` says which).

    >>> characters("+7776FU").itemsize, characters("７六歩").itemsize
    (1, 4)
    """
    room: cython.uint[::1]
    if text.isascii():
        return memoryview(text.encode("ascii"))
    if cython.compiled:
        store = array("I", (0,)) * len(text)
        room = store
        PyUnicode_AsUCS4(text, cython.address(room[0]), len(text), False)  # noqa: F821  (from machine.pxd)
        return memoryview(store)
    return memoryview(text.encode(WIDE, "surrogatepass")).cast("I")


class Work:
    """The working memory of one parse, kept for the next.

    ``tape`` holds triples (code, start, end). ``stack`` holds four numbers a state: the parser state, the start of the
    first token under it (of the next one, if there is none under it), where the tape went on and where the last token
    ended once it stood here. ``pending`` holds the like, too: what the reductions before the token in hand put on the
    stack, which is not touched before the token turns out to be accepted.

    ``at`` is where the tape goes on, ``top`` where the topmost state stands on the stack, ``last_end`` the end of the
    last token, ``state`` the topmost state, ``context`` the scanner state from which the next token is looked for.
    ``characters`` are those of the text, seen as ``narrow`` or ``wide``, and ``faults`` what was found wrong in it.
    """

    def __init__(self) -> None:
        self.characters = self.narrow = self.wide = None
        self.tape_array = array("i", bytes(4 * 3 * 1024))
        self.tape = memoryview(self.tape_array)
        self.stack_array = array("i", bytes(4 * 4 * 64))
        self.stack = memoryview(self.stack_array)
        self.pending_array = array("i", bytes(4 * 4 * 64))
        self.pending = memoryview(self.pending_array)
        self.probe_array = array("i", bytes(4 * 64))
        self.probe = memoryview(self.probe_array)

    def write(self, at: cython.size_t, code: cython.int, start: cython.size_t, end: cython.size_t) -> cython.size_t:
        """Put an event on the tape at ``at``; returns where the tape goes on."""
        if at + 3 > cython.cast(cython.size_t, self.tape.shape[0]):
            self.grow_tape()
        self.tape[at] = code
        self.tape[at + 1] = start
        self.tape[at + 2] = end
        return at + 3

    def grow_tape(self) -> cython.int:
        self.tape_array = self.tape_array + array("i", bytes(4 * len(self.tape_array)))
        self.tape = memoryview(self.tape_array)
        return 0

    def grow_stack(self) -> cython.int:
        self.stack_array = self.stack_array + array("i", bytes(4 * len(self.stack_array)))
        self.stack = memoryview(self.stack_array)
        return 0

    def grow_pending(self) -> cython.int:
        self.pending_array = self.pending_array + array("i", bytes(4 * len(self.pending_array)))
        self.pending = memoryview(self.pending_array)
        return 0

    def grow_probe(self) -> cython.int:
        self.probe_array = self.probe_array + array("i", bytes(4 * len(self.probe_array)))
        self.probe = memoryview(self.probe_array)
        return 0


@cython.cclass
class Machine:
    """Reads texts by one grammar. ``terminals`` and ``rules`` name what the numbers on a tape mean."""

    terminals = cython.declare(object, visibility="readonly")
    rules = cython.declare(object, visibility="readonly")
    tables: object
    wanted: dict  # the lists of expected terminals met so far, so that many faults share few lists
    idle: list  # working memories not in use; taking one out is atomic, so threads may share the machine
    classes: cython.const[cython.ushort][::1]
    transitions: cython.const[cython.int][::1]
    parser: cython.const[cython.int][::1]
    jumps: cython.const[cython.int][::1]
    productions: cython.const[cython.int][::1]
    whole: object  # the machine that makes every reduction by itself
    closing: cython.const[cython.schar][::1]
    shown: cython.const[cython.schar][::1]
    width: cython.int
    start: cython.int
    final: cython.int
    bad: cython.int
    bad_start: cython.int
    unclosed: cython.int
    ending: cython.int

    def __init__(self, tables: object, shown: object = None, parser: object = None) -> None:
        self.tables = tables
        self.terminals = tables.terminals
        self.rules = tables.rules
        self.wanted = {}
        self.idle = []
        self.classes = memoryview(tables.classes)
        self.transitions = memoryview(tables.transitions)
        self.parser = memoryview(tables.parser if parser is None else parser)
        # the machine that makes every reduction by itself makes no jumps
        self.jumps = memoryview(tables.jumps if parser is None else array("i", bytes(4 * len(parser))))
        self.productions = memoryview(tables.productions)
        self.closing = memoryview(tables.closing)
        self.shown = memoryview(tables.shown if shown is None else shown)
        self.whole = None
        numbers = tables.numbers
        self.width = numbers["width"]
        self.start = numbers["start"]
        self.final = numbers["final"]
        self.bad = numbers["bad"]
        self.bad_start = numbers["bad_start"]
        self.unclosed = numbers["unclosed"]
        self.ending = numbers["ending"]

    def only(self, names: object) -> Machine:
        """A machine for the same grammar whose tapes show only these terminals and rules, and what was put right.

        For a reader that has no use for the others. Faults, and what is recovered, are the same.
        """
        shown = array("b", self.tables.shown)
        for index, name in enumerate((*self.terminals, *self.rules)):
            if name not in names and index not in (self.bad, self.unclosed):
                shown[index] = 0
        return Machine(self.tables, shown)

    def parse(self, text: str, recover: bool = True, full: bool = False) -> Tape:
        """Read a text into a `Tape`; nothing is raised, whatever stands in it (but `ValueError` if it is over 256 MB).

        With ``recover=False`` reading stops at the first error, and the tape ends with the last token before it or with
        a reduction that this token made certain. By default the tape shows only reductions of rules that a grammar
        names: none of Lark's own helpers, none of rules that begin with ``_``, none of a ``?rule`` with a single child;
        with ``full=True`` it shows all.
        """
        if full:
            return self._unfolded().parse(text, recover)
        work: Work = self.scan(text, recover)
        tape = Tape(text, work.characters, work.tape_array[:work.at], work.faults, self.terminals, self.rules)
        self.release(work)
        return tape

    def scan(self, text: str, recover: bool = True) -> Work:
        """Read a text as `parse` does, and return the working memory: its events are ``tape[:at]``.

        Whoever asked for it must `release` it, and not touch it after that.
        """
        work: Work
        if len(text) > LONGEST:
            raise ValueError(f"a text of {len(text):,} characters is too long to be read in one piece")
        view = characters(text)
        try:
            work = self.idle.pop()
        except IndexError:
            work = Work()
        work.characters = view
        work.faults = []
        if view.itemsize == 1:
            work.narrow = view
            self._run(work.narrow, recover, work, work.faults)
        else:
            work.wide = view
            self._run(work.wide, recover, work, work.faults)
        return work

    def release(self, work: Work) -> None:
        """Take back a working memory."""
        work.characters = work.narrow = work.wide = None
        if work.at < 3 * KEEP:
            self.idle.append(work)

    def _unfolded(self) -> Machine:
        """The machine that makes, and shows, every reduction."""
        if self.whole is None:
            parser = array("i", self.tables.parser)
            places = iter(self.tables.unfolded)
            for place, value in zip(places, places, strict=True):
                parser[place] = value
            self.whole = Machine(self.tables, array("b", [1]) * len(self.tables.shown), parser)
        return self.whole

    @cython.cfunc
    def _run(
        self, chars: cython.const[Char][::1], recover: cython.bint, work: Work, faults: list,
    ) -> cython.int:
        """Scan token after token, and hand each to `_take`."""
        # Indices are unsigned where they can be: that halves the cost of checking bounds.
        classes: cython.const[cython.ushort][::1] = self.classes
        transitions: cython.const[cython.int][::1] = self.transitions
        parser: cython.const[cython.int][::1] = self.parser
        jumps: cython.const[cython.int][::1] = self.jumps
        shown: cython.const[cython.schar][::1] = self.shown
        stack: cython.int[::1] = work.stack
        tape: cython.int[::1] = work.tape
        length: cython.size_t = chars.shape[0]
        pos: cython.size_t = 0  # where the next token is looked for
        start: cython.size_t  # of the token in hand
        scan: cython.size_t  # scanner state
        following: cython.size_t
        again: cython.size_t
        last: cython.size_t = 0  # where the last terminal ended
        char: cython.uint
        label: cython.int
        term: cython.size_t
        ending: cython.size_t = self.ending
        column: cython.size_t = HEAD - 1  # where the column of a label stands
        jump: cython.uint  # see `kifu.grammar.jumps`
        drop: cython.size_t
        resumed: cython.Py_ssize_t
        # what `Work` holds, as it is between two tokens; the topmost entry is put on the stack when another covers it
        state: cython.uint = self.start
        first: cython.size_t = 0
        context: cython.size_t = parser[state]
        top: cython.size_t = 0
        at: cython.size_t = 0
        last_end: cython.size_t = 0

        while True:
            start = pos
            scan = context
            while pos < length:
                char = chars[pos]
                following = cython.cast(cython.uint, transitions[scan + classes[char if char < 0x10000 else 0x10000]])
                if following == 0:
                    break
                scan = following
                pos += 1
            if scan < ending:  # no terminal ends here: back to where the last one did
                again = start
                following = context
                scan = 0
                while again < pos:
                    char = chars[again]
                    following = cython.cast(
                        cython.uint, transitions[following + classes[char if char < 0x10000 else 0x10000]])
                    again += 1
                    if following >= ending:
                        scan = following
                        last = again
                pos = last if scan else start
            if scan:
                label = transitions[scan]
                if label < 0:
                    continue  # the grammar ignores it
                jump = jumps[state + column + label]
                drop = jump >> 1 & 0x1C
                if jump & 2 and (drop == 0 or top < drop or cython.cast(
                        cython.uint, parser[stack[top - drop] + column + label]) != (jump >> 6) + 1):
                    jump = 0
                label -= 1
                if jump:
                    if jump & 1:  # back to the state that comes to light
                        if drop:
                            top -= drop
                            state = stack[top]
                            first = stack[top + 1]
                        context = parser[jump >> 6]
                    else:
                        if drop:
                            top -= drop
                        else:
                            if top + 8 > cython.cast(cython.size_t, stack.shape[0]):
                                work.grow_stack()
                                stack = work.stack
                            stack[top] = state
                            stack[top + 1] = first
                        stack[top + 2] = at
                        stack[top + 3] = last_end
                        top += 4
                        state = jump >> 6
                        first = start
                        context = parser[state]
                    last_end = pos
                    term = label
                    if shown[term]:
                        if at + 3 > cython.cast(cython.size_t, tape.shape[0]):
                            work.grow_tape()
                            tape = work.tape
                        tape[at] = label
                        tape[at + 1] = start
                        tape[at + 2] = pos
                        at += 3
                    continue
            elif start == length:  # the end of the text
                label = self.width - 1
            else:
                label = -1
            stack[top] = state
            stack[top + 1] = first
            stack[top + 2] = at
            stack[top + 3] = last_end
            work.state = state
            work.context = context
            work.top = top
            work.at = at
            work.last_end = last_end
            if label < 0 or not self._take(work, label, start, pos):
                resumed = self._recover(chars, work, start, label, recover, faults)
                if resumed < 0:
                    return 0
                pos = resumed
                work.state = work.stack[work.top]
                work.context = parser[work.state]
            elif scan == 0:
                return 0  # the end of the text is accepted
            state = work.state
            context = work.context
            top = work.top
            at = work.at
            last_end = work.last_end
            stack = work.stack
            tape = work.tape
            first = stack[top + 1]

    @cython.cfunc
    def _take(
        self, work: Work, term: cython.uint, start: cython.size_t, end: cython.size_t,
    ) -> cython.bint:
        """Shift a token, with the reductions it asks for, or accept the end of the text; False where it is wrong.

        Where it is wrong nothing has changed: what reductions make stands in ``pending``, and its top in local names,
        until the token turns out to be accepted.
        """
        terminals: cython.uint = self.width - 1
        state: cython.uint = work.state
        top: cython.size_t = work.top  # where the topmost state stands on the stack
        at: cython.size_t = work.at  # where the tape goes on
        last_end: cython.size_t = work.last_end
        over: cython.size_t = 0  # numbers in ``pending``, which stand on the stack up to ``top``
        held: cython.bint = False  # whether ``state`` and ``first`` are the topmost of what is pending
        held_at: cython.size_t = at
        first: cython.size_t = start
        act: cython.int
        rule: cython.uint
        size: cython.size_t
        slot: cython.size_t

        act = self.parser[state + 1]
        if act == 0:
            act = self.parser[state + HEAD + term]
        while act < 0:
            rule = -1 - act
            size = self.productions[2 * rule]
            if size == 0:
                if held:
                    if over == cython.cast(cython.size_t, work.pending.shape[0]):
                        work.grow_pending()
                    work.pending[over] = state
                    work.pending[over + 1] = first
                    work.pending[over + 2] = held_at
                    work.pending[over + 3] = last_end
                    over += 4
                first = start
            else:
                size = 4 * (size - held)
                if size > over:
                    top -= size - over
                    over = 0
                    first = work.stack[top + 5]
                elif size > 0:
                    over -= size
                    first = work.pending[over + 1]
            held = True
            if self.shown[terminals + rule]:
                at = work.write(at, act, first if first < start else last_end, last_end)
            held_at = at
            slot = work.pending[over - 4] if over > 0 else work.stack[top]
            state = self.parser[slot + self.productions[2 * rule + 1]]
            act = self.parser[state + 1]
            if act == 0:
                act = self.parser[state + HEAD + term]
        if act == 0:
            if term == terminals and state == self.final:
                work.at = at
                return True
            return False
        while top + over + 12 > cython.cast(cython.size_t, work.stack.shape[0]):
            work.grow_stack()
        for slot in range(over):
            work.stack[top + 4 + slot] = work.pending[slot]
        top += over
        if held:
            top += 4
            work.stack[top] = state
            work.stack[top + 1] = first
            work.stack[top + 2] = held_at
            work.stack[top + 3] = last_end
        if self.shown[term]:
            at = work.write(at, term, start, end)
        top += 4
        first = start
        state = act - 1
        work.context = self.parser[state]
        act = self.parser[state + 1]
        while act < 0:  # nothing else can be done, whatever comes next
            rule = -1 - act
            size = self.productions[2 * rule]
            if size > 1:
                top -= 4 * (size - 1)
                first = work.stack[top + 1]
            if self.shown[terminals + rule]:
                at = work.write(at, act, first, end)
            state = self.parser[work.stack[top - 4] + self.productions[2 * rule + 1]]
            act = self.parser[state + 1]
        work.stack[top] = state
        work.stack[top + 1] = first
        work.stack[top + 2] = at
        work.stack[top + 3] = end
        work.state = state
        work.top = top
        work.at = at
        work.last_end = end
        return True

    # --- after an error ----------------------------------------------------------------------------------------------

    @cython.cfunc
    def _recover(
        self, chars: cython.const[Char][::1], work: Work, start: cython.Py_ssize_t, term: cython.int,
        recover: cython.bint, faults: list,
    ) -> cython.Py_ssize_t:
        """Put right what stands before a token that is not expected, and say where to go on (-1: nowhere).

        ``term`` is -1 where no terminal matches at all.
        """
        expected: tuple = self._expected(work)
        length: cython.Py_ssize_t = chars.shape[0]
        kept: cython.Py_ssize_t
        at: cython.Py_ssize_t
        bad_start: cython.Py_ssize_t
        bad_end: cython.Py_ssize_t
        dropped: cython.bint
        adjacent: cython.bint

        if not recover or self.bad < 0:
            faults.append(Fault(start, start, length, expected))
            return -1
        if (self.unclosed >= 0 and term >= 0 and (term == self.width - 1 or self.closing[term])
                and self._close(work, term)):
            faults.append(Fault(start, start, start, expected))
            return start
        kept = work.top
        if not self._accepts(work, kept, self.bad):  # within a statement: back to where it began
            while kept >= 0 and self.parser[work.stack[kept] + HEAD + self.bad] <= 0:
                kept -= 4
        dropped = kept < work.top
        if kept < 0 or (term == self.width - 1 and not dropped):
            faults.append(Fault(start, start, length, expected))
            return -1
        bad_start = start
        if dropped:
            bad_start = work.stack[kept + 5]
        bad_end = work.last_end if dropped else start
        adjacent = work.last_end == start
        work.at = cython.cast(cython.uint, work.stack[kept + 2])  # of a huge text it may be beyond 31 bits
        work.top = kept
        work.last_end = work.stack[kept + 3]
        self._feed(work, self.bad, bad_start, bad_end)
        if start < length and not (dropped and not adjacent and self._goes_on(chars, work, start)):
            at = self._bad_end(chars, start)
            if at > start:
                bad_end = at
            elif not dropped or not self._goes_on(chars, work, start):
                bad_end = start + 1
        work.tape[work.at - 1] = bad_end
        work.stack[work.top + 3] = bad_end
        work.last_end = bad_end
        faults.append(Fault(start, bad_start, bad_end, expected))
        return start if bad_end < start else bad_end

    @cython.cfunc
    def _bad_end(self, chars: cython.const[Char][::1], start: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Where the unreadable ends that begins at ``start``; ``start`` itself if nothing unreadable begins there."""
        scan: cython.int = self.bad_start
        end: cython.Py_ssize_t = start
        at: cython.Py_ssize_t = start
        char: cython.uint
        while at < chars.shape[0]:
            char = chars[at]
            scan = self.transitions[scan + self.classes[char if char < 0x10000 else 0x10000]]
            if scan == 0:
                break
            at += 1
            if self.transitions[scan] != 0:
                end = at
        return end

    @cython.cfunc
    def _goes_on(self, chars: cython.const[Char][::1], work: Work, start: cython.Py_ssize_t) -> cython.bint:
        """Whether a token follows from ``start`` on with which reading can go on, other than ``BAD``."""
        first: cython.Py_ssize_t = self.parser[work.stack[work.top]]
        scan: cython.int
        at: cython.Py_ssize_t
        end: cython.Py_ssize_t
        term: cython.int
        label: cython.int = 0
        char: cython.uint
        while start < chars.shape[0]:
            scan = first
            at = start
            end = -1
            while at < chars.shape[0]:
                char = chars[at]
                scan = self.transitions[scan + self.classes[char if char < 0x10000 else 0x10000]]
                if scan == 0:
                    break
                at += 1
                if self.transitions[scan] != 0:
                    label = self.transitions[scan]
                    end = at
            if end < 0:
                return False
            if label > 0:
                term = label - 1
                if self.unclosed >= 0 and self.closing[term]:
                    return True  # then brackets will be closed before it
                return term != self.bad and self._accepts(work, work.top, term)
            start = end
        return self.unclosed >= 0 or self._accepts(work, work.top, self.width - 1)

    @cython.cfunc
    def _close(self, work: Work, term: cython.int) -> cython.bint:
        """Close the brackets that must be closed before ``term`` is accepted; False, nothing done, if none helps."""
        saved: object = work.stack_array[:work.top + 4]
        top: cython.Py_ssize_t = work.top
        tape_end: cython.Py_ssize_t = work.at
        last_end: cython.Py_ssize_t = work.last_end
        while True:
            if not self._accepts(work, work.top, self.unclosed):
                break
            self._feed(work, self.unclosed, work.last_end, work.last_end)
            if self._accepts(work, work.top, term):
                return True
        work.top = top
        work.at = tape_end
        work.last_end = last_end
        self._restore(work, saved)
        return False

    @cython.cfunc
    def _restore(self, work: Work, saved: object) -> cython.void:
        at: cython.Py_ssize_t
        old: cython.int[::1] = memoryview(saved)
        for at in range(old.shape[0]):
            work.stack[at] = old[at]

    @cython.cfunc
    def _expected(self, work: Work) -> tuple:
        """The names of the terminals that the stack as it stands accepts."""
        names: list = []
        term: cython.int
        for term in range(self.width):
            if term == self.bad or term == self.unclosed or not self._accepts(work, work.top, term):
                continue
            names.append("$END" if term == self.width - 1 else self.terminals[term])
        return self.wanted.setdefault(tuple(names), tuple(names))

    @cython.cfunc
    def _accepts(self, work: Work, top: cython.Py_ssize_t, term: cython.int) -> cython.bint:
        """Whether the stack up to place ``top`` comes to a shift of ``term``, or to the end of the text.

        Nothing is changed: what the reductions would put on the stack goes to ``probe``.
        """
        probed: cython.Py_ssize_t = 0  # states in ``probe``, which stand on the stack's places up to ``top``
        state: cython.int = work.stack[top]
        act: cython.int
        rule: cython.int
        size: cython.Py_ssize_t
        while True:
            act = self.parser[state + HEAD + term]
            if act > 0:
                return True
            if act == 0:
                return term == self.width - 1 and state == self.final
            rule = -1 - act
            size = self.productions[2 * rule]
            if size <= probed:
                probed -= size
            else:
                top -= 4 * (size - probed)
                probed = 0
            state = work.probe[probed - 1] if probed > 0 else work.stack[top]
            state = self.parser[state + self.productions[2 * rule + 1]]
            if probed == work.probe.shape[0]:
                work.grow_probe()
            work.probe[probed] = state
            probed += 1

    @cython.cfunc
    def _feed(
        self, work: Work, term: cython.int, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
    ) -> cython.void:
        """Shift a token that is known to be accepted, with the reductions before it."""
        act: cython.int
        rule: cython.int
        size: cython.Py_ssize_t
        first: cython.Py_ssize_t
        state: cython.int
        while True:
            if work.top + 8 > work.stack.shape[0]:
                work.grow_stack()
            state = work.stack[work.top]
            act = self.parser[state + HEAD + term]
            if act > 0:
                first = start
                state = act - 1
                if self.shown[term]:
                    work.at = work.write(work.at, term, start, end)
                work.top += 4
                work.last_end = end
            else:
                rule = -1 - act
                size = self.productions[2 * rule]
                work.top -= 4 * size
                first = work.stack[work.top + 5] if size > 0 else start
                if self.shown[self.width - 1 + rule]:
                    work.at = work.write(work.at, act, first if first < start else work.last_end, work.last_end)
                state = self.parser[work.stack[work.top] + self.productions[2 * rule + 1]]
                work.top += 4
            work.stack[work.top] = state
            work.stack[work.top + 1] = first
            work.stack[work.top + 2] = work.at
            work.stack[work.top + 3] = work.last_end
            if act > 0:
                return
