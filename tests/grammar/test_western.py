"""What the western grammar reads: every spelling of a move, and what stands around moves."""
from __future__ import annotations

import json
from pathlib import Path

import pytest

from kifu.grammar import parse


def names(text: str) -> list[str]:
    tape = parse("western", text)
    assert tape.faults == []
    return [name for name, _, _ in tape.tokens()]


@pytest.mark.parametrize("columns", [
    "hodges pyffish_hodges hodges_pins_ignored", "pyffish_hodges_number shogiops_western", "pyffish_hosking",
])
def test_every_spelling_of_the_oracle(shared: Path, columns: str) -> None:
    """Each is one move and nothing else; its last square is the target, a square before that the origin."""
    with (shared / "oracle/hodges.jsonl").open(encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    for row in rows:
        for column in columns.split():
            tape = parse("western", row[column])
            events = list(tape)
            assert tape.faults == []
            assert [name for name, _ in events if name.islower()] == ["move", "start"], row[column]
            squares = [text for name, text in events if name in ("SQUARE", "NUMERIC_SQUARE")]
            lettered = [s if s[1].isalpha() else s[0] + "abcdefghi"[int(s[1]) - 1] for s in squares]
            usi = row["usi"]
            assert lettered[-1] == usi[2:4]
            assert lettered[:-1] in ([], [usi[:2]])
            assert ("DROPS" in dict(events)) == (usi[1] == "*")
            assert ("PROMOTE" in dict(events)) == usi.endswith("+")


@pytest.mark.parametrize(("text", "terminals"), [
    ("P-7f", "PAWN MOVES SQUARE"),
    ("p-7f", "PAWN MOVES SQUARE"),
    ("+p-7b", "TOKIN MOVES SQUARE"),
    ("Bx8h+", "BISHOP TAKES SQUARE PROMOTE"),
    ("G8e-8f", "GOLD SQUARE MOVES SQUARE"),
    ("P*5e", "PAWN DROPS SQUARE"),
    ("P-8c +", "PAWN MOVES SQUARE PROMOTE"),
    ("P-8c =", "PAWN MOVES SQUARE DECLINE"),
    ("P-8c\n+ Bx3f", "PAWN MOVES SQUARE PROMOTE BISHOP TAKES SQUARE"),
    ("P-8c +Bx3f", "PAWN MOVES SQUARE HORSE TAKES SQUARE"),
    ("P76", "PAWN NUMERIC_SQUARE"),
    ("S'34", "SILVER DROPS NUMERIC_SQUARE"),
    ("G49-58", "GOLD NUMERIC_SQUARE MOVES NUMERIC_SQUARE"),
    ("G4i5h", "GOLD USI_MOVE"),
    ("P7g-7f", "PAWN SQUARE MOVES SQUARE"),
    ("7g7f+ 3c3d", "USI_MOVE PROMOTE USI_MOVE"),
    ("P-7F", "PAWN MOVES CAPITAL_SQUARE"),
    ("☗P-76 ▽P-34", "BLACK PAWN MOVES NUMERIC_SQUARE WHITE PAWN MOVES NUMERIC_SQUARE"),
    ("Tx5b Hx2c D-3a", "TOKIN TAKES SQUARE HORSE TAKES SQUARE DRAGON MOVES SQUARE"),
    ("Sx 2.", "SILVER TAKES NUMBER"),
    ("P-7f x 2.", "PAWN MOVES SQUARE RECAPTURE NUMBER"),
    ("G*5b# 1-0", "GOLD DROPS SQUARE CHECK BLACK_WINS"),
    ("P-7f!? $4", "PAWN MOVES SQUARE GLYPH NAG"),
    ("1. P-7f P-3d", "NUMBER PAWN MOVES SQUARE PAWN MOVES SQUARE"),
    ("1. ... P-3d", "NUMBER ELLIPSIS PAWN MOVES SQUARE"),
    ("1... P-3d", "NUMBER_WHITE PAWN MOVES SQUARE"),
    ("1.... P-3d", "NUMBER_WHITE PAWN MOVES SQUARE"),
    ("  1- G-7h", "NUMBER GOLD MOVES SQUARE"),
    ("12 P-7f", "BARE_NUMBER PAWN MOVES SQUARE"),
    (" 1.P2g-2f   (00:01 / 00:00:01)", "NUMBER PAWN SQUARE MOVES SQUARE TIME"),
    ("P-7f (0:05) (7:19 - 7:40)", "PAWN MOVES SQUARE TIME TIME"),
    ("P8d(12)", "PAWN SQUARE COUNT"),
    ("P-7f (2. P-2f (P-8d)) {x}", "PAWN MOVES SQUARE LPAREN NUMBER PAWN MOVES SQUARE LPAREN PAWN MOVES SQUARE RPAREN"
                                  " RPAREN COMMENT"),
    ("P-7f (adjourned, 12.P-9f) P-3d", "PAWN MOVES SQUARE REMARK PAWN MOVES SQUARE"),
    ("# head\n# more\nP-7f # tail\n[ a note\non lines ] ; and one", "FIRST_HASH FIRST_HASH PAWN MOVES SQUARE HASH"
                                                                   " BRACKET_COMMENT LINE_COMMENT"),
    ("Variation:6", "VARIATION"),
    ("Resigns", "RESIGN"), ("White resigns.", "WHITE_RESIGNS"), ("Mate", "MATE"), ("Jishogi.", "IMPASSE"),
    ("Sennichite", "REPETITION"), ("RepetitionWin", "PERPETUAL"), ("Interrupt", "INTERRUPT"), ("Timeup", "TIMEOUT"),
    ("DeclarationWin", "DECLARE"), ("MaxMovesDraw", "MAX_MOVES"), ("IllegalMove", "FOUL_LOSS"),
    ("1/2-1/2 0-1 *", "DRAWN WHITE_WINS OPEN"),
    ("Material resigned resignation", "LONG_WORD RESIGN LONG_WORD"),
    ("A nice game, Black thought", "PIECE WORD WORD WORD WORD"),
])
def test_tokens(text: str, terminals: str) -> None:
    """Spellings from the article that taught the notation, from mailing lists, Shogidokoro, GNU Shogi and MyShogi."""
    assert names(text) == terminals.split()


@pytest.mark.parametrize(("text", "value"), [
    ('[Sente "Habu"]', "Habu"), ('[Sente: "Hamshogi\'s AI"]', "Hamshogi's AI"), ('[ Event "a \\"b\\"" ]', 'a \\"b\\"'),
    ('[Event "The "big" one"]', 'The "big" one'), ('[Event "a [b] (c) {d}"]', "a [b] (c) {d}"), ('[Site ""]', None),
])
def test_tags(text: str, value: str | None) -> None:
    """Values with quotes and brackets, escaped or not."""
    tape = parse("western", text)
    assert tape.faults == []
    found = dict(tape)
    assert found.get("TAG_VALUE") == value
    assert found["tag"] == text
