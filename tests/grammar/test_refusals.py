"""Grammars that the machine could not read as Lark does are refused, each with the terminal and the rule to look at."""
from __future__ import annotations

import pytest

from kifu.grammar.compile import compile_grammar
from kifu.grammar.machine import Machine
from kifu.grammar.refusals import GrammarRefused


def refused(grammar: str) -> GrammarRefused:
    with pytest.raises(GrammarRefused) as caught:
        compile_grammar(grammar)
    return caught.value


def test_a_sound_grammar_compiles() -> None:
    """The pattern of the tests below, without a flaw."""
    tables = compile_grammar('start: (WORD | NUMBER)*\nWORD: /[a-z]+/\nNUMBER: /[0-9]+/\nSP: " "\n%ignore SP\n')
    tape = Machine(tables).parse("ab 12 c")
    assert list(tape) == [("WORD", "ab"), ("NUMBER", "12"), ("WORD", "c"), ("start", "ab 12 c")]


def test_relabelled_keywords() -> None:
    """A string inside a regular expression of equal priority is relabelled by Lark after the match."""
    error = refused('start: (WORD | PAWN)*\nWORD: /[A-Z]+/\nPAWN: "FU"\n')
    assert error.terminal == "WORD"
    assert error.rules == ("start",)
    assert "PAWN" in str(error)
    assert "relabels" in str(error)


def test_keywords_of_another_priority_are_fine() -> None:
    """The cure that the message names."""
    compile_grammar('start: (WORD | PAWN)*\nWORD: /[A-Z]+/\nPAWN.2: "FU"\n')


def test_keywords_in_another_context_are_fine() -> None:
    """What never meets in one parser state is never relabelled."""
    tape = Machine(compile_grammar('start: "%" WORD | PAWN\nWORD: /[A-Z]+/\nPAWN: "FU"\n')).parse("%FU")
    assert [name for name, _, _ in tape.tokens()] == ["PERCENT", "WORD"]


@pytest.mark.parametrize("pattern", [r"\+(?=[PLN])", r"a(?!b)", r"(a(?=b)|c)d", r"(?<=a)b"])
def test_look_around(pattern: str) -> None:
    """Look-ahead would become part of the match, look-behind cannot be done."""
    error = refused(f"start: move\nmove: SIGN\nSIGN: /{pattern}/\n")
    assert error.terminal == "SIGN"
    assert error.rules == ("move",)


@pytest.mark.parametrize("pattern", [r"\d+", r"a\s", r"\w", r"[^\W]x", r"a\b", r"(a)\1"])
def test_unicode_classes_and_escapes_that_look_around(pattern: str) -> None:
    """``\\d`` takes full-width digits in Python and not in an automaton."""
    assert refused(f"start: X\nX: /{pattern}/\n").terminal == "X"


def test_an_escaped_backslash_is_no_class() -> None:
    """``\\\\d`` is a backslash and a d."""
    assert ("X", "\\d") in list(Machine(compile_grammar("start: X\nX: /\\\\d/\n")).parse("\\d"))


@pytest.mark.parametrize(("pattern", "fine"), [("mate", True), ("kick", False), ("s", False), ("é", False), ("win", False)])
def test_flag_i(pattern: str, fine: bool) -> None:
    """With flag i Python also takes the Kelvin sign for k and the long s for s."""
    grammar = f"start: X\nX: /{pattern}/i\n"
    if fine:
        assert not Machine(compile_grammar(grammar)).parse(pattern.upper()).faults
    else:
        assert "flag i" in str(refused(grammar))


def test_matching_nothing() -> None:
    """A terminal that may be empty belongs into the rule as optional."""
    error = refused("start: A B\nA: /a/\nB: /b*/\n")
    assert error.terminal == "B"
    assert "nothing" in str(error)


@pytest.mark.parametrize("pattern", [
    "詰|詰み", "(a|ab)(c)?", "\".*?\"", "(a|ab)(bc|c)?", "a++a|ab", "[]a]", "(a|b|ab)*?c?",
])
def test_leftmost_is_not_longest(pattern: str) -> None:
    """Python takes the leftmost alternative, an automaton the longest; lazy and possessive repeats are dropped."""
    error = refused(f"start: end\nend: X\nX: /{pattern}/\n")
    assert error.terminal == "X"


def test_anchors() -> None:
    """``^`` and ``$`` cannot be done."""
    assert refused("start: X\nX: /a$/\n").terminal == "X"
    assert refused("start: X\nX: /^a/\n").terminal == "X"


def test_characters_beyond_the_basic_plane() -> None:
    """They share one class, so a terminal cannot ask for one of them."""
    assert refused("start: X\nX: /𠮷/\n").terminal == "X"


def test_negated_classes_take_characters_beyond_the_basic_plane() -> None:
    """They belong to all the rest, and count as one character."""
    tape = Machine(compile_grammar("start: (A | X)*\nA: /a/\nX: /[^ab]/\n")).parse("a𠮷a\ud800b")
    assert list(tape.tokens()) == [("A", 0, 1), ("X", 1, 2), ("A", 2, 3), ("X", 3, 4)]
    assert tape.faults[0].offset == 4


def test_shift_reduce_conflict() -> None:
    """Lark would choose in silence; strict mode does not."""
    error = refused('start: hand NUMBER?\nhand: (NUMBER? PIECE)+ NUMBER?\nNUMBER: /[0-9]+/\nPIECE: /[a-z]/\n')
    assert "LALR" in str(error)
    assert error.terminal == "NUMBER"


def test_reduce_reduce_conflict() -> None:
    """Origin and target over the same terminals."""
    error = refused('start: origin SQUARE | target SQUARE\norigin: SQUARE\ntarget: SQUARE\nSQUARE: /[1-9][1-9]/\n')
    assert "LALR" in str(error)
    assert set(error.rules) >= {"origin", "target"}


def test_overlap_of_equal_priority() -> None:
    """Two regular expressions that both match leave the choice to the length of their spelling."""
    error = refused("start: (A | B)*\nA: /[0-9]+/\nB: /[0-9]{2}/\n")
    assert error.terminal in ("A", "B")


@pytest.mark.parametrize("rules", [
    "start: line (NL line)*\nline: WORD BAD | WORD | BAD",
    "start: line (NL line)*\nline: WORD rest?\nrest: WORD | bad\nbad: BAD",
])
def test_bad_inside_a_statement(rules: str) -> None:
    """The unreadable line may not be a part of a line."""
    error = refused(rules + "\nWORD: /[a-z]+/\nNL: /\\n/\nBAD.-9: /[^\\n]+/\n")
    assert error.terminal == "BAD"


def test_bad_that_cannot_begin_the_text() -> None:
    """Recovery goes back to where a statement began; the first one begins the text."""
    error = refused("start: head line*\nhead: WORD?\nline: NL BAD?\nWORD: /[a-z]+/\nNL: /\\n/\nBAD.-9: /[^\\n]+/\n")
    assert "begin the text" in str(error)


def test_a_word_that_is_no_grammar() -> None:
    """Lark's own complaint is passed on."""
    assert "Lark says" in str(refused("start: ?\n"))
