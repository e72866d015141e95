"""What the grammar of western text of other boards reads: moves of any kind of shogi, and the rest as ever."""
from __future__ import annotations

from pathlib import Path

import pytest

from kifu.grammar import grammar_text, load, parse, with_imports

#: Terminals of moves of ordinary shogi, which other boards spell otherwise.
MOVES = {"SQUARE", "CAPITAL_SQUARE", "NUMERIC_SQUARE", "MOVES", "DROPS", "ORIGIN_TAKES", "TAKES_PIECE", "PIECE"}


def names(text: str) -> list[str]:
    tape = parse("western_boards", text)
    assert tape.faults == []
    return [name for name, _, _ in tape.tokens()]


@pytest.mark.parametrize(("text", "terminals"), [
    ("Sw-4c", "NAME GO"), ("S-4c", "NAME GO"), ("+F-3c", "NAME GO"), ("P - ", "NAME BAD"), ("Swx4c", "MAN_TAKES"),
    ("Sw6d-5c+", "MAN_AT GO PROMOTE"), ("Sw6dx5c", "MAN_AT GO"), ("Sw*5b", "NAME DROP"), ("S'34", "NAME DROP"),
    ("+P@3c", "NAME DROP"), ("G49-58", "MAN_AT GO"), ("P76", "MAN_AT"), ("DK-12l", "NAME GO"), ("G4i5h", "MAN_FROM_TO"),
    ("P-12A", "NAME GO"), ("+Lx4c-", "MAN_TAKES TURN_BACK"), ("P-4c =", "NAME GO DECLINE"),
    ("+Lx4c- N-2d", "MAN_TAKES TURN_BACK NAME GO"), ("Lnx3hx2i", "MAN_TAKES GO"), ("Ln-5e-6d", "NAME GO GO"),
    ("Ln6fx5ex6d", "MAN_AT GO GO"), ("Lnx!9d", "MAN_TAKES"), ("Ln6fx!9d", "MAN_AT TAKES_THERE"), ("Ln--", "NAME PASS"),
    ("Ln6f--", "MAN_AT PASS"), ("P-5e -- 3.", "NAME GO PASS_ALONE NUMBER"), ("Sx 2.", "NAME TAKES NUMBER"),
    ("S45x", "MAN_AT TAKES"), ("P-4c x", "NAME GO RECAPTURE"), ("12l11k+ 6h5i6h", "USI_MOVE PROMOTE USI_MOVE"),
    ("☗Sw-4c", "BLACK NAME GO"), ("角(88)x22+", "NAME ORIGIN GO PROMOTE"), ("歩-34", "NAME GO"), ("p-7f", "SMALL_NAME GO"),
    ("K*5e# 4.", "NAME DROP CHECK NUMBER"), ("Sw-4c!? $1", "NAME GO GLYPH NAG"),
    # looks like a move and is none that is known
    ("SxP", "NAME TAKES_NAMED"), ("Lion-5e", "LONG_MAN"), ("Swallow6d-5c", "LONG_MAN"),
    # words
    ("The Fox said", "NAME LONG_NAME WORD"), ("Swallow", "LONG_NAME"), ("Go, then.", "LONG_NAME WORD"), ("Swx", "LONG_NAME"),
    ("LQxC", "LONG_NAME"), ("X-ray", "LONG_NAME"), ("pawn", "WORD"), ("Resigns", "RESIGN"), ("Mate", "MATE"),
    ("Resignation", "LONG_WORD"),
    # brackets
    ("(Sw-4c)", "LPAREN NAME GO RPAREN"), ("(Cr3a-4b Sw-1d)", "LPAREN MAN_AT GO NAME GO RPAREN"), ("(adjourned)", "REMARK"),
    ("(so it went, 3. Sw-4c)", "REMARK"), ("(re-opened)", "REMARK"), ("(0:05)", "TIME"), ("(12)", "COUNT"),
    ("(Swx4c)", "LPAREN MAN_TAKES RPAREN"), ("(2. Sw-4c)", "LPAREN NUMBER NAME GO RPAREN"),
    # what stands around the moves is taken from the other grammar
    ('[Variant "torishogi"]', "TAG_KEY TAG_VALUE TAG_END"), ("{a} ;b\n# c\n[d]", "COMMENT LINE_COMMENT HASH BRACKET_COMMENT"),
    ("12 1... 1. ...", "BARE_NUMBER NUMBER_WHITE NUMBER ELLIPSIS"), ("Variation:6", "VARIATION"), ("1/2-1/2 *", "DRAWN OPEN"),
])
def test_tokens(text: str, terminals: str) -> None:
    tape = parse("western_boards", text)
    assert [name for name, _, _ in tape.tokens()] == terminals.split()


def test_all_but_the_moves_is_the_other_grammar() -> None:
    """Every terminal of ordinary western text is there, but for those of its squares, signs and men."""
    ordinary, boards = load("western"), load("western_boards")
    missing = {name for name in set(ordinary.terminals) - set(boards.terminals) if not name.endswith("_NAME")}
    men = {"PAWN", "LANCE", "KNIGHT", "SILVER", "GOLD", "BISHOP", "ROOK", "KING", "TOKIN", "PLANCE", "PKNIGHT", "PSILVER",
           "HORSE", "DRAGON"}
    assert missing == MOVES | men


def test_tables_are_stale_where_an_imported_grammar_has_changed(tmp_path: Path) -> None:
    """The key of a grammar's tables depends on what it imports, and on what that imports."""
    for name, text in (("a", "start: A\nA: /a/\n"), ("b", "%import a (start, A)\n"), ("c", "%import b (start, A)\n")):
        (tmp_path / f"{name}.lark").write_text(text, encoding="utf-8")
    before = with_imports("%import c (start, A)\n", tmp_path)
    assert before.endswith("A: /a/\n")
    (tmp_path / "a.lark").write_text("start: A\nA: /b/\n", encoding="utf-8")
    assert with_imports("%import c (start, A)\n", tmp_path) != before
    assert with_imports(grammar_text("western"), tmp_path) == grammar_text("western")
