"""After an error: one fault, one unreadable line, and everything else as it was."""
from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from kifu.grammar import parse
from kifu.grammar.tape import Tape

#: What mutations put in. Line ends, and commas in CSA, cut one statement in two and are tried apart.
LETTERS = {"csa": "+-0179FUKAPNTI%$'# x", "kif": "1７六歩金成打:：()|v+* x",
           "kif_boards": "1７十二歩獅成打目:：()|v+* x", "usi": "19abiPK+*/- wx|",
           "usi_boards": "129ablPZ+*/- wx|", "usen": "~.079akz_wb-?&",
           "western": "179aiPx+-*=.(){}[]\"\n; q"}
LINES = {
    "csa": "V2.2\nN+Sente\n$EVENT:Friendly\nPI82HI22KA\n-\n-3334FU,T5\n+7776FU\nT12\n-2288UM,'* 1\nP5-KY * +FU *  *  *  *  * +KE\n%TORYO\n",
    "kif": "# KIF\n手合割：平手\n先手：甲\n手数----指手--\n   1 ７六歩(77)   ( 0:16/00:00:16)\n*初手\n   2 同　銀(31)+\n"
           "   3 ４五角打     ( 0:03/00:00:20)\n|v香v桂 ・ ・ 玉 ・ ・v桂v香|一\n後手の持駒：飛　歩十八\n   6 投了\n変化：2手\n",
    "kif_boards": "手合割：中将棋\n先手：甲\n手数----指手--\n   1手目 7八歩兵 （←7九）   ( 0:16/00:00:16)\n*初手\n"
                  "   2 仝獅子（居食い） （←6十）+\n   3 ４五角打\n|  獅 v成獅  ・|十一\n後手の持駒：飛　歩十八\n"
                  "   6 投了\n変化：2手\n",
    "usi": "startpos moves 7g7f 3c3d 8h2b+ B*4e resign\nsfen 4k4/9/9/9/9/9/9/9/4K4 w 2R3Pb 12 moves 5a5b\n7g7f 3c3d\n",
    "usi_boards": "startpos moves 7g7f 3c3d- 6h5i6h +B*4e resign\n"
                  "sfen k11/12/12/12/12/12/12/12/12/12/12/11K w 10l 12 moves 12a11b\n7g7f 12c12d\n",
}


class Outcome(NamedTuple):
    """How often mutated texts were at fault, had exactly one fault, and kept all other lines."""

    faulty: int
    single: int
    kept: int


def faults(tape: Tape) -> int:
    """Syntax errors, and unreadable lines that the scanner itself found."""
    spans = {(fault.start, fault.end) for fault in tape.faults}
    alone = [1 for name, start, end in tape.tokens() if name.startswith("BAD") and (start, end) not in spans]
    return len(tape.faults) + len(alone)


def outcome(lab: Any, notation: str, text: str, count: int) -> Outcome:
    clean = parse(notation, text)
    assert faults(clean) == 0
    counted = [0, 0, 0]
    for changed, at in lab.mutations(text, LETTERS[notation], count, seed=11):
        tape = parse(notation, changed)
        found = faults(tape)
        if not found:
            continue
        first = text.rfind("\n", 0, at) + 1
        last = (text + "\n").find("\n", at + 1 if text[at] == "\n" else at)
        grown = len(changed) - len(text)

        def outside(tape: Tape, shift: int, first: int = first, last: int = last) -> list[tuple[str, int, int]]:
            return [
                (name, start - shift if start > last + shift else start, end - start) for name, start, end in tape.tokens()
                if name not in ("NL", "UNCLOSED") and (end <= first or start > last + shift)
            ]

        counted[0] += 1
        counted[1] += found == 1
        counted[2] += outside(tape, grown) == outside(clean, 0)
    return Outcome(*counted)


@pytest.mark.parametrize("notation", sorted(LINES))
def test_one_error_is_one_fault_and_other_lines_stay(lab: Any, notation: str) -> None:
    """Any character changed, in a notation of lines."""
    found = outcome(lab, notation, LINES[notation], 1500 if lab.compiled else 600)
    assert found.faulty > 100
    assert found.single == found.faulty
    assert found.kept == found.faulty


def test_western_text(lab: Any) -> None:
    """Where nothing but brackets and blanks give structure, nearly every error is one fault, and other lines stay.

    The rest are a bracket lost within an unreadable move, and clocks of which nothing but pieces is left.
    """
    one, two = (outcome(lab, "western", text, 1500 if lab.compiled else 300) for text in lab.samples["western"][:2])
    assert one.single >= 0.88 * one.faulty
    assert two.single >= 0.85 * two.faulty
    assert (one.kept, two.kept) == (one.faulty, two.faulty)


def test_a_statement_cut_in_two_is_two_lines() -> None:
    """A line end within a statement leaves two that cannot be read."""
    tape = parse("csa", "+\n+77\n76FU\n-3334FU\n")
    assert [(fault.start, fault.end) for fault in tape.faults] == [(2, 5)]
    assert faults(tape) == 2
    assert ("PAWN_MOVE", "-3334FU") in list(tape)


def test_csa_resumes_at_the_comma() -> None:
    """What stands before and behind the comma is kept."""
    tape = parse("csa", "+7776FU,+77FU,T5")
    assert [pair for pair in tape if pair[0] in ("PAWN_MOVE", "BAD", "SECONDS")] == [
        ("PAWN_MOVE", "+7776FU"), ("BAD", "+77FU"), ("SECONDS", "T5")]
    assert tape.faults[0][:3] == (11, 8, 13)


def test_a_fault_tells_where_and_what_was_expected() -> None:
    """The offset of the wrong token, the span of the line, and only terminals that could really follow."""
    fault, = parse("csa", "PI\n+\n+7776\n-3334FU\n").faults
    assert (fault.offset, fault.start, fault.end) == (10, 5, 10)
    assert set(fault.expected) == {
        "PAWN", "LANCE", "KNIGHT", "SILVER", "GOLD", "BISHOP", "ROOK", "KING", "TOKIN", "PLANCE", "PKNIGHT", "PSILVER",
        "HORSE", "DRAGON"}
    fault, = parse("kif", "   1 ７六歩(77) 銀").faults
    assert set(fault.expected) == {"TIME", "ODD_TIME", "PLUS", "COMMENT", "HASH", "NL", "$END"}


def test_without_recovery_reading_stops() -> None:
    """One fault, and the tape ends with the last good token."""
    tape = parse("csa", "+7776FU\n+77\n-3334FU", recover=False)
    assert [text for name, text in tape if name.isupper()] == ["+7776FU", "\n", "+", "77"]
    assert len(tape.faults) == 1


def test_an_unknown_line_is_no_fault() -> None:
    """It is a token, which the grammar knows."""
    tape = parse("csa", "+7776FU\nhello\n-3334FU")
    assert tape.faults == []
    assert ("BAD", "hello") in list(tape)


@pytest.mark.parametrize(("text", "events", "spans"), [
    # a bad move stays in its variation
    ("1.P-7f (1.P-7 P-3d) P-8d", ["move", "BAD", "move", "rav", "move"], ["P-7"]),
    # brackets open at the end are closed, with one fault
    ("1.P-7f (1.P-2f (P-8d", ["move", "move", "move", "UNCLOSED", "rav", "UNCLOSED", "rav"], [""]),
    # a tag closes them, too
    ('(P-7f (P-3d\n[Sente "A"]\nP-2f', ["move", "move", "UNCLOSED", "rav", "UNCLOSED", "rav", "tag", "move"], [""]),
    # and after an incomplete move, with a fault of its own
    ('(P-\n[Sente "A"]', ["BAD", "UNCLOSED", "rav", "tag"], ["P-", ""]),
    # a comment without its end is one bad line
    ("P-7f { no end\nP-3d", ["move", "BAD", "move"], []),
    # and so is a bracket that nothing opened
    ("P-7f ) P-3d", ["move", "BAD", "move"], [")"]),
    # a bad move takes its marks with it
    ("P-7z + P-3d", ["BAD", "move"], ["P-7z"]),
    ("(P-) P-3d", ["BAD", "rav", "move"], ["P-"]),
    # even where its beginning alone would be a move
    ("P-3d P7f- P-8d", ["move", "BAD", "move"], ["P7f-"]),
    ('[Sente "A\nP-7f', ["BAD", "move"], ['[Sente "A']),
    ('Gote "Masuda"]\n[Sente "A"]', ["BAD", "tag"], []),
])
def test_western_cases(text: str, events: list[str], spans: list[str]) -> None:
    """What the recovery in western text promises."""
    tape = parse("western", text)
    interesting = {"move", "BAD", "UNCLOSED", "rav", "tag"}
    assert [name for name, _ in tape if name in interesting] == events
    assert [text[fault.start:fault.end] for fault in tape.faults] == spans


def test_the_machine_can_be_used_again() -> None:
    """A fault leaves nothing behind in the working memory."""
    first = parse("western", "(P-7f (P- [").events
    parse("western", "1. P-7f ) ( P-3d {")
    assert parse("western", "(P-7f (P- [").events == first
