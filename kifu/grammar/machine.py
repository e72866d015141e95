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

from kifu.grammar.tape import Fault, Tape

CODEC = "utf-32-le" if sys.byteorder == "little" else "utf-32-be"
CHARACTERS: cython.int = 0x10000  # code points with a class of their own
LONGEST: cython.Py_ssize_t = 1 << 28  # characters in a text, so that no number on the tape or the stack can overflow
KEEP: cython.int = 1 << 20  # working memory of more events than this is not kept for the next text


@cython.cclass
class Work:
    """The working memory of one parse, kept for the next.

    ``tape`` holds triples (code, start, end). ``stack`` holds triples (parser state, start of the first token under it
    or -1, events on the tape once it stood here). ``pending`` holds such triples, too: what the reductions before the
    token in hand put on the stack, which is not touched before the token turns out to be accepted.
    """

    tape_array: object
    tape: cython.int[::1]
    stack_array: object
    stack: cython.int[::1]
    pending_array: object
    pending: cython.int[::1]
    probe_array: object
    probe: cython.int[::1]
    events: cython.Py_ssize_t  # on the tape
    top: cython.Py_ssize_t  # slot of the topmost state
    last_end: cython.Py_ssize_t  # end of the last token

    def __init__(self) -> None:
        self.tape_array = array("i", bytes(4 * 3 * 1024))
        self.tape = memoryview(self.tape_array)
        self.stack_array = array("i", bytes(4 * 3 * 64))
        self.stack = memoryview(self.stack_array)
        self.pending_array = array("i", bytes(4 * 3 * 64))
        self.pending = memoryview(self.pending_array)
        self.probe_array = array("i", bytes(4 * 64))
        self.probe = memoryview(self.probe_array)

    @cython.cfunc
    def grow_tape(self) -> cython.void:
        self.tape_array = self.tape_array + array("i", bytes(4 * len(self.tape_array)))
        self.tape = memoryview(self.tape_array)

    @cython.cfunc
    def grow_stack(self) -> cython.void:
        self.stack_array = self.stack_array + array("i", bytes(4 * len(self.stack_array)))
        self.stack = memoryview(self.stack_array)

    @cython.cfunc
    def grow_pending(self) -> cython.void:
        self.pending_array = self.pending_array + array("i", bytes(4 * len(self.pending_array)))
        self.pending = memoryview(self.pending_array)

    @cython.cfunc
    def grow_probe(self) -> cython.void:
        self.probe_array = self.probe_array + array("i", bytes(4 * len(self.probe_array)))
        self.probe = memoryview(self.probe_array)


@cython.cclass
class Machine:
    """Reads texts by one grammar. ``terminals`` and ``rules`` name what the numbers on a tape mean."""

    terminals = cython.declare(object, visibility="readonly")
    rules = cython.declare(object, visibility="readonly")
    wanted: dict  # the lists of expected terminals met so far, so that many faults share few lists
    idle: list  # working memories not in use; taking one out is atomic, so threads may share the machine
    classes: cython.const[cython.ushort][::1]
    transitions: cython.const[cython.int][::1]
    lexer: cython.const[cython.int][::1]
    ignored: cython.const[cython.schar][::1]
    closing: cython.const[cython.schar][::1]
    action: cython.const[cython.short][::1]
    goto: cython.const[cython.short][::1]
    length: cython.const[cython.short][::1]
    origin: cython.const[cython.short][::1]
    shown: cython.const[cython.schar][::1]
    everything: cython.const[cython.schar][::1]
    chain: cython.const[cython.short][::1]
    unchained: cython.const[cython.short][::1]
    width: cython.int
    nonterminals: cython.int
    start: cython.int
    final: cython.int
    bad: cython.int
    bad_start: cython.int
    unclosed: cython.int
    ending: cython.int

    def __init__(self, tables: object) -> None:
        self.terminals = tables.terminals
        self.rules = tables.rules
        self.wanted = {}
        self.idle = []
        self.classes = memoryview(tables.classes)
        self.transitions = memoryview(tables.transitions)
        self.lexer = memoryview(tables.lexer)
        self.ignored = memoryview(tables.ignored)
        self.closing = memoryview(tables.closing)
        self.action = memoryview(tables.action)
        self.goto = memoryview(tables.goto)
        self.length = memoryview(tables.length)
        self.origin = memoryview(tables.origin)
        self.shown = memoryview(tables.shown)
        self.everything = memoryview(array("b", [1]) * len(tables.shown))
        self.chain = memoryview(tables.chain)
        self.unchained = memoryview(array("h", bytes(2 * len(tables.chain))))
        numbers = tables.numbers
        self.width = numbers["width"]
        self.nonterminals = numbers["nonterminals"]
        self.start = numbers["start"]
        self.final = numbers["final"]
        self.bad = numbers["bad"]
        self.bad_start = numbers["bad_start"]
        self.unclosed = numbers["unclosed"]
        self.ending = numbers["ending"]

    def parse(self, text: str, recover: bool = True, full: bool = False) -> Tape:
        """Read a text into a `Tape`; nothing is raised, whatever stands in it (but `ValueError` if it is over 256 MB).

        With ``recover=False`` reading stops at the first error. By default the tape shows only reductions of rules
        that a grammar names: none of Lark's own helpers, none of rules that begin with ``_``, none of a ``?rule`` with
        a single child; with ``full=True`` it shows all.
        """
        if len(text) > LONGEST:
            raise ValueError(f"a text of {len(text):,} characters is too long to be read in one piece")
        faults: list = []
        try:
            work = self.idle.pop()
        except IndexError:
            work = Work()
        events = self._run(text, recover, full, work, faults)
        if len(events) < 3 * KEEP:
            self.idle.append(work)
        return Tape(text, events, faults, self.terminals, self.rules)

    @cython.cfunc
    def _run(self, text: str, recover: cython.bint, full: cython.bint, work: Work, faults: list) -> object:
        # Indices are unsigned where they can be: that halves the cost of checking bounds.
        chars: cython.const[cython.uint][::1] = memoryview(text.encode(CODEC, "surrogatepass")).cast("I")
        classes: cython.const[cython.ushort][::1] = self.classes
        transitions: cython.const[cython.int][::1] = self.transitions
        lexer: cython.const[cython.int][::1] = self.lexer
        ignored: cython.const[cython.schar][::1] = self.ignored
        action: cython.const[cython.short][::1] = self.action
        goto: cython.const[cython.short][::1] = self.goto
        length_of: cython.const[cython.short][::1] = self.length
        origin: cython.const[cython.short][::1] = self.origin
        shown: cython.const[cython.schar][::1] = self.everything if full else self.shown
        chain: cython.const[cython.short][::1] = self.unchained if full else self.chain
        tape: cython.int[::1] = work.tape
        stack: cython.int[::1] = work.stack
        pending: cython.int[::1] = work.pending
        width: cython.uint = self.width
        nonterminals: cython.uint = self.nonterminals
        length: cython.Py_ssize_t = chars.shape[0]
        tape_room: cython.Py_ssize_t = tape.shape[0] // 3
        stack_room: cython.Py_ssize_t = stack.shape[0] // 3
        pending_room: cython.Py_ssize_t = pending.shape[0] // 3
        pos: cython.Py_ssize_t = 0  # where the next token is looked for
        start: cython.Py_ssize_t  # of the token in hand
        end: cython.Py_ssize_t
        term: cython.uint
        scan: cython.uint  # scanner state
        char: cython.uint
        ending: cython.uint = self.ending
        found: cython.uint = 0  # the last scanner state in which a terminal ended
        events: cython.Py_ssize_t = 0
        top: cython.Py_ssize_t = 0
        state: cython.uint = self.start
        context: cython.uint = lexer[state]  # scanner state from which the next token is looked for
        last_end: cython.Py_ssize_t = 0
        act: cython.int
        rule: cython.int
        size: cython.Py_ssize_t
        slot: cython.Py_ssize_t
        first: cython.Py_ssize_t
        base: cython.Py_ssize_t  # the slot of the stack that ``pending`` stands on
        over: cython.Py_ssize_t  # triples in ``pending``
        below: cython.uint  # the state under what a reduction makes
        token_events: cython.Py_ssize_t  # on the tape before the token in hand
        failed: cython.bint

        stack[0] = state
        stack[1] = -1
        stack[2] = 0
        while True:
            start = pos
            end = -1
            term = width - 1
            scan = context
            while pos < length:
                char = chars[pos]
                scan = transitions[scan + classes[char if char < 0x10000 else 0x10000]]
                if scan == 0:
                    break
                pos += 1
                if scan >= ending:
                    found = scan
                    end = pos
            if end >= 0:
                pos = end
                term = transitions[found] - 1
                if ignored[term]:
                    continue
            elif start == length:
                end = start  # the end of the text
            token_events = events
            base = top
            over = 0
            failed = end < 0
            while not failed:
                act = action[state * width + term]
                if act > 0:
                    if base + over + 2 >= stack_room:
                        work.grow_stack()
                        stack = work.stack
                        stack_room = stack.shape[0] // 3
                        continue
                    if events == tape_room:
                        work.grow_tape()
                        tape = work.tape
                        tape_room = tape.shape[0] // 3
                    for slot in range(over):
                        stack[3 * (base + slot) + 3] = pending[3 * slot]
                        stack[3 * (base + slot) + 4] = pending[3 * slot + 1]
                        stack[3 * (base + slot) + 5] = pending[3 * slot + 2]
                    top = base + over
                    tape[3 * events] = term
                    tape[3 * events + 1] = start
                    tape[3 * events + 2] = end
                    events += 1
                    below = state
                    state = act - 1
                    context = lexer[state]
                    while chain[state] != 0:
                        state = goto[below * nonterminals + chain[state] - 1]
                    top += 1
                    stack[3 * top] = state
                    stack[3 * top + 1] = start
                    stack[3 * top + 2] = events
                    last_end = end
                    break
                if act == 0:
                    if term == width - 1 and state == self.final:
                        return work.tape_array[:3 * events]
                    failed = True
                    break
                rule = -1 - act
                size = length_of[rule]
                first = -1
                if size <= over:
                    over -= size
                    for slot in range(over, over + size):
                        first = pending[3 * slot + 1]
                        if first >= 0:
                            break
                else:
                    base -= size - over
                    for slot in range(base + 1, base + 1 + size - over):
                        first = stack[3 * slot + 1]
                        if first >= 0:
                            break
                    if first < 0:
                        for slot in range(over):
                            first = pending[3 * slot + 1]
                            if first >= 0:
                                break
                    over = 0
                if shown[rule]:
                    if events == tape_room:
                        work.grow_tape()
                        tape = work.tape
                        tape_room = tape.shape[0] // 3
                    tape[3 * events] = act
                    tape[3 * events + 1] = last_end if first < 0 else first
                    tape[3 * events + 2] = last_end
                    events += 1
                below = pending[3 * over - 3] if over > 0 else stack[3 * base]
                state = goto[below * nonterminals + origin[rule]]
                while chain[state] != 0:
                    state = goto[below * nonterminals + chain[state] - 1]
                if over == pending_room:
                    work.grow_pending()
                    pending = work.pending
                    pending_room = pending.shape[0] // 3
                pending[3 * over] = state
                pending[3 * over + 1] = first
                pending[3 * over + 2] = events
                over += 1
            if not failed:
                continue

            work.top = top
            work.events = token_events
            work.last_end = last_end
            met: cython.int = -1 if end < 0 else cython.cast(cython.int, term)
            pos = self._recover(chars, work, start, met, recover, full, faults)
            tape = work.tape
            tape_room = tape.shape[0] // 3
            stack = work.stack
            stack_room = stack.shape[0] // 3
            top = work.top
            events = work.events
            last_end = work.last_end
            if pos < 0:
                return work.tape_array[:3 * events]
            state = stack[3 * top]
            context = lexer[state]

    # --- after an error ----------------------------------------------------------------------------------------------

    @cython.cfunc
    def _recover(
        self, chars: cython.const[cython.uint][::1], work: Work, start: cython.Py_ssize_t, term: cython.int,
        recover: cython.bint, full: cython.bint, faults: list,
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
                and self._close(work, term, full)):
            faults.append(Fault(start, start, start, expected))
            return start
        kept = work.top
        if not self._accepts(work, kept, self.bad):  # within a statement: back to where it began
            while kept >= 0 and self.action[work.stack[3 * kept] * self.width + self.bad] <= 0:
                kept -= 1
        dropped = kept < work.top
        if kept < 0 or (term == self.width - 1 and not dropped):
            faults.append(Fault(start, start, length, expected))
            return -1
        bad_start = start
        if dropped:
            for at in range(work.stack[3 * kept + 2], work.events):
                if work.tape[3 * at] >= 0:
                    bad_start = work.tape[3 * at + 1]
                    break
        bad_end = work.last_end if dropped else start
        adjacent = work.last_end == start
        work.events = work.stack[3 * kept + 2]
        work.top = kept
        at = work.events - 1
        while at >= 0 and work.tape[3 * at] < 0:
            at -= 1
        work.last_end = work.tape[3 * at + 2] if at >= 0 else 0
        self._feed(work, self.bad, bad_start, bad_end, full)
        if start < length and not (dropped and not adjacent and self._goes_on(chars, work, start)):
            at = self._bad_end(chars, start)
            if at > start:
                bad_end = at
            elif not dropped or not self._goes_on(chars, work, start):
                bad_end = start + 1
        work.tape[3 * work.events - 1] = bad_end
        work.last_end = bad_end
        faults.append(Fault(start, bad_start, bad_end, expected))
        return start if bad_end < start else bad_end

    @cython.cfunc
    def _bad_end(self, chars: cython.const[cython.uint][::1], start: cython.Py_ssize_t) -> cython.Py_ssize_t:
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
    def _goes_on(self, chars: cython.const[cython.uint][::1], work: Work, start: cython.Py_ssize_t) -> cython.bint:
        """Whether a token follows from ``start`` on with which reading can go on, other than ``BAD``."""
        first: cython.Py_ssize_t = self.lexer[work.stack[3 * work.top]]
        scan: cython.int
        at: cython.Py_ssize_t
        end: cython.Py_ssize_t
        term: cython.int = self.width - 1
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
                    term = self.transitions[scan] - 1
                    end = at
            if end < 0:
                return False
            if not self.ignored[term]:
                if self.unclosed >= 0 and self.closing[term]:
                    return True  # then brackets will be closed before it
                return term != self.bad and self._accepts(work, work.top, term)
            start = end
        return self.unclosed >= 0 or self._accepts(work, work.top, self.width - 1)

    @cython.cfunc
    def _close(self, work: Work, term: cython.int, full: cython.bint) -> cython.bint:
        """Close the brackets that must be closed before ``term`` is accepted; False, nothing done, if none helps."""
        saved: object = work.stack_array[:3 * work.top + 3]
        top: cython.Py_ssize_t = work.top
        events: cython.Py_ssize_t = work.events
        while True:
            if not self._accepts(work, work.top, self.unclosed):
                break
            self._feed(work, self.unclosed, work.last_end, work.last_end, full)
            if self._accepts(work, work.top, term):
                return True
        work.top = top
        work.events = events
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
        """Whether the stack up to slot ``top`` comes to a shift of ``term``, or to the end of the text.

        Nothing is changed: what the reductions would put on the stack goes to ``probe``.
        """
        probed: cython.Py_ssize_t = 0  # states in ``probe``, which stand on the stack's first ``top + 1``
        state: cython.int = work.stack[3 * top]
        act: cython.int
        rule: cython.int
        size: cython.Py_ssize_t
        while True:
            act = self.action[state * self.width + term]
            if act > 0:
                return True
            if act == 0:
                return term == self.width - 1 and state == self.final
            rule = -1 - act
            size = self.length[rule]
            if size <= probed:
                probed -= size
            else:
                top -= size - probed
                probed = 0
            state = work.probe[probed - 1] if probed > 0 else work.stack[3 * top]
            state = self.goto[state * self.nonterminals + self.origin[rule]]
            if probed == work.probe.shape[0]:
                work.grow_probe()
            work.probe[probed] = state
            probed += 1

    @cython.cfunc
    def _feed(
        self, work: Work, term: cython.int, start: cython.Py_ssize_t, end: cython.Py_ssize_t, full: cython.bint,
    ) -> cython.void:
        """Shift a token that is known to be accepted, with the reductions before it."""
        act: cython.int
        rule: cython.int
        size: cython.Py_ssize_t
        slot: cython.Py_ssize_t
        first: cython.Py_ssize_t
        state: cython.int
        while True:
            if 3 * (work.events + 1) >= work.tape.shape[0]:
                work.grow_tape()
            if 3 * (work.top + 2) >= work.stack.shape[0]:
                work.grow_stack()
            state = work.stack[3 * work.top]
            act = self.action[state * self.width + term]
            if act > 0:
                work.tape[3 * work.events] = term
                work.tape[3 * work.events + 1] = start
                work.tape[3 * work.events + 2] = end
                work.events += 1
                work.top += 1
                work.stack[3 * work.top] = act - 1
                work.stack[3 * work.top + 1] = start
                work.stack[3 * work.top + 2] = work.events
                work.last_end = end
                return
            rule = -1 - act
            size = self.length[rule]
            first = -1
            for slot in range(work.top - size + 1, work.top + 1):
                first = work.stack[3 * slot + 1]
                if first >= 0:
                    break
            work.top += 1 - size
            if full or self.shown[rule]:
                work.tape[3 * work.events] = act
                work.tape[3 * work.events + 1] = work.last_end if first < 0 else first
                work.tape[3 * work.events + 2] = work.last_end
                work.events += 1
            state = self.goto[work.stack[3 * work.top - 3] * self.nonterminals + self.origin[rule]]
            work.stack[3 * work.top] = state
            work.stack[3 * work.top + 1] = first
            work.stack[3 * work.top + 2] = work.events
