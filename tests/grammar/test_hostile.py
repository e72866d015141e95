"""No text, however odd, stops the machine, makes it slow or confuses two readers at once."""
from __future__ import annotations

import threading
import time
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kifu.grammar import notations

NOTATIONS = notations()
#: Beginnings of things that never end, nested and repeated.
PIECES = [
    "(", ")", "{", "}", "[", "]", '"', "'", "\\", "(ab ", "(1:", "( ", '[a "', '[a "b', '" ', "{a", "(P-", "1.", "x", "#", " #",
    "+", "+7", "+7776", "+7776FU,", ",", "P1", "%", "$", "'*", "1 ", "７", "1 ７六歩(", "(0", "|v", "変化：", "手数", "a:",
    "1a", "７:", "7g", "7g7f ", "P*", "1/", "sfen ", "a|", " ", "\n", "\r", "　", "𠮷", "\ud800", "\0", "é", "ab", "Resign",
]


@pytest.mark.parametrize("notation", NOTATIONS)
def test_time_is_linear(lab: Any, notation: str) -> None:
    """A hundred thousand repetitions of anything take well under the minutes that a square would."""
    machine = lab.machine(notation)
    repeats = 100_000 if lab.compiled else 2_000
    for piece in PIECES:
        start = time.process_time()
        tape = machine.parse(piece * repeats)
        assert time.process_time() - start < 5, repr(piece)
        covered = max((end for _, _, end in tape.tokens()), default=0)
        assert tape.faults or covered <= len(piece) * repeats


@pytest.mark.parametrize("notation", NOTATIONS)
def test_nesting_has_no_bottom(lab: Any, notation: str) -> None:
    """Deep brackets use memory, not the stack of the process."""
    depth = 200_000 if lab.compiled else 5_000
    tape = lab.machine(notation).parse("(P-7f " * depth)
    if notation == "western":
        assert len(tape.faults) == 1
        assert sum(name == "UNCLOSED" for name, _, _ in tape.tokens()) == depth


def check(tape: Any) -> None:
    """Tokens follow each other, reductions lie within what was read, each fault is a BAD token or a missing bracket."""
    place = 0
    bad = set()
    for at in range(0, 3 * tape.count, 3):
        code, start, end = tape.events[at:at + 3]
        assert 0 <= start <= end <= len(tape.text)
        if code >= 0:
            assert start >= place
            place = end
            if tape.terminals[code].startswith("BAD"):
                bad.add((start, end))
        else:
            assert end <= place or start == end
    for fault in tape.faults:
        assert fault.start <= fault.offset <= len(tape.text)
        assert (fault.start, fault.end) in bad or fault.start == fault.end


@pytest.mark.parametrize("notation", NOTATIONS)
@settings(max_examples=150, derandomize=True, deadline=None, database=None,
          suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(parts=st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=5)), max_size=25))
def test_any_text(lab: Any, notation: str, parts: list[str]) -> None:
    """Whatever stands in a text, the tape is sound and the whole text was read."""
    text = "".join(parts)
    for full in (False, True):
        tape = lab.machine(notation).parse(text, True, full)
        check(tape)
    assert lab.events(tape)[-1][0] == "start"


def test_two_threads(lab: Any) -> None:
    """A machine serves several threads at once."""
    machine = lab.machine("western")
    texts = [text * 20 for text in lab.samples["western"]]
    wanted = [machine.parse(text).events for text in texts]
    wrong: list[int] = []

    def work(which: int) -> None:
        for _ in range(60 if lab.compiled else 3):
            if machine.parse(texts[which]).events != wanted[which]:
                wrong.append(which)

    threads = [threading.Thread(target=work, args=(number % 2,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_large_tapes_are_not_kept(lab: Any) -> None:
    """The machine's working memory for the next text stays small; the tape itself is whole."""
    machine = lab.machine("usi")
    tape = machine.parse("7g7f " * (500_000 if lab.compiled else 70_000))
    assert tape.faults == []
    assert tape.count > 60_000
    assert [name for name, _, _ in machine.parse("7g7f").tokens()] == ["MOVE"]
