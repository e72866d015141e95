"""What people write besides the four styles, what a game in an e-mail looks like, and what is said about it."""
from __future__ import annotations

import random

import pytest

from kifu.notation import read, write, writer
from kifu.record import Game
from kifu.replay import replay
from kifu.rules.move import usi


def games(text: str, notation: str = "western", **options: str) -> list[Game]:
    mode = options.get("mode", "default")
    return [replay(record, mode=mode) for record in read(text, notation, **options)]


def moves(game: Game) -> str:
    return " ".join(usi(move) for move in game.moves)


def names(game: Game) -> list[str]:
    return [one.name for one in game.diagnostics]


EXCHANGE = "7g7f 3c3d 8h2b+ 3a2b B*4e"


@pytest.mark.parametrize("text", [
    "1. P-7f P-3d 2. Bx2b+ Sx2b 3. B*4e", "1. P-76 P-34 2. Bx22+ Sx22 3. B*45", "1. P76 P34 2. Bx22+ Sx22 3. B'45",
    "1. 歩-76 歩-34 2. 角x22+ 銀x 3. 角*45", "1. 歩(77)-76 歩(33)-34 2. 角(88)x22+ 銀(31)x 3. 角*45",
    "1.P7f P3d 2.Bx2b+ Sx2b 3.B'4e", "1.P7g-7f P3c-3d 2.B8hx2b+ S3ax2b 3.B'4e", "1. 7g7f 3c3d 2. 8h2b+ 3a2b 3. B*4e",
    "1.P7f P3d 2.Bx2b+ Sx 3.B'4e", "1. P-7f P-3d 2. B8hxB+ S3ax 3. B*4e", "1. P-7f P-3d 2. BxB+ SxB 3. B*4e",
    "1. P-7f P-3d 2. Bx2b + Sx2b 3. B*4e", "1.P-7f\n2.P-3d\n3.Bx2b+\n4.Sx2b\n5.B*4e\n", "P7f P3d Bx2b+ Sx2b B'4e",
    "1. ☗P-76 ☖P-34 2. ☗Bx22+ ☖Sx22 3. ☗B*45", "1- P-7f P-3d 2- Bx2b+ Sx2b 3- B*4e",
])
def test_spellings_of_one_game_that_need_no_remark(text: str) -> None:
    [game] = games(text)
    assert (moves(game), names(game)) == (EXCHANGE, [])


@pytest.mark.parametrize(("text", "expected"), [
    ("1. P-7f P-34 2. Bx2b+ Sx22 3. B*4e", ["mixed-squares"]),
    ("1. P-7F P-3d 2. Bx2b+ Sx2b 3. B*4e", ["capital-rank"]),
    ("1. P-7f P-3d 2. Bx2b+ ch. Sx2b# 3. B*4e mate", ["check-marked"] * 3),
    ("1. P-7f P-3d 2. Bx2bch+ Sx2b 3. B*4e", ["check-marked"]),
    ("1. P-7f P-3d 2. B-2b+ Sx2b 3. B*4e", ["capture-mark"]),
    ("1. P-7f Px3d 2. Bx2b+ Sx2b 3. B*4e", ["capture-mark"]),
])
def test_tolerances_and_their_remarks(text: str, expected: list[str]) -> None:
    [game] = games(text)
    assert (moves(game), names(game), game.verdict) == (EXCHANGE, expected, "legal")
    assert all(one.severity == "error" for one in games(text, mode="strict")[0].diagnostics)


def test_one_kind_of_squares_a_file_may_differ_from_game_to_game() -> None:
    found = games('[Sente "A"]\n\n1. P-7f P-3d\n\n[Sente "B"]\n\n1. P-76 P-34\n')
    assert [names(game) for game in found] == [[], []]


def test_a_forced_promotion_without_its_mark() -> None:
    start = '[SFEN "4k4/8P/9/9/9/9/9/9/4K4 b - 1"]\n\n'
    [game] = games(start + "1. P-1a")
    assert (moves(game), names(game)) == ("1b1a+", ["promotion-supplied"])
    [game] = games(start + "1. P-1a=")
    assert (moves(game), names(game)) == ("", ["must-promote"])


def test_a_decline_that_is_none() -> None:
    [game] = games("1. P-7f= P-3d")
    assert names(game) == ["not-in-zone"]


@pytest.mark.parametrize(("text", "expected"), [
    ("1. P-7f P-3d 2. BxS", "taken-unclear"),  # there is no silver to take
    ("1. P-7f P-3d 2. Bx2b+ x", "ambiguous"),  # silver and rook can
    ("1. P-7f P-3d 2. Bx2b+ xB", "taken-unclear"),
    ("1. P-7f P-3d 2. G4ixP", "taken-unclear"),
])
def test_captures_that_are_not_clear(text: str, expected: str) -> None:
    [game] = games(text)
    assert names(game) == [expected]
    assert moves(game) in ("7g7f 3c3d", "7g7f 3c3d 8h2b+")


def test_what_is_taken_decides_between_captures() -> None:
    [game] = games('[SFEN "4k4/9/9/3p1s3/4G4/9/9/9/4K4 b - 1"]\n\n1. GxP')
    assert moves(game) == "5e6d"
    [game] = games('[SFEN "4k4/9/9/3p1p3/4G4/9/9/9/4K4 b - 1"]\n\n1. GxP')
    assert names(game) == ["taken-unclear"]
    assert "several" in game.diagnostics[0].message


def test_a_pinned_rival_is_no_rival() -> None:
    """Hodges names the origin where another man could *legally* go; then legality decides without a remark."""
    start = "4r3k/9/9/9/9/9/9/4G1G2/4K4 b - 1"
    [game] = games(f'[SFEN "{start}"]\n\n1. G-4h')
    assert (moves(game), names(game)) == ("3h4h", [])


def test_a_tag_directly_behind_a_bracket() -> None:
    found = games('1. P-7f P-3d ([Sente "B"]\n1. P-2f\n')
    assert [moves(game) for game in found] == ["7g7f 3c3d", "2g2f"]
    assert [names(game) for game in found] == [["unclosed-bracket"], []]
    assert found[0].variations == 0 and found[1].record.header("black") == "B"


def test_empty_brackets_are_no_variations() -> None:
    [game] = games("1. P-7f P-3d () 2. P-2f ( {nothing} ) P-8d")
    assert (game.variations, moves(game)) == (0, "7g7f 3c3d 2g2f 8c8d")
    assert game.comments[2] == "nothing"  # on the position that the bracket goes back to


MAIL = """From: somebody
Subject: our 2nd game, a 6-piece handicap

Hello, it was fun.  Here are the moves (mine are White's):

1. ... S-6b 2. P-7f {a quiet move} G-3b
3. P-2f Resigns

And this is the third one, an even game of my 2-dan friend.

1. P-7f P-3d
2. P-2f Resigns

Yours, S.
"""


def test_two_games_in_an_email() -> None:
    first, second = games(MAIL)
    assert (first.handicap, moves(first), first.winner) == ("6-piece", "7a6b 7g7f 4a3b 2g2f", "black")
    assert (second.handicap, moves(second), second.winner) == ("even", "7g7f 3c3d 2g2f", "black")
    assert set(names(first)) == {"text-ignored", "handicap-in-text", "unknown-line"}  # a lonely colon
    assert set(names(second)) == {"text-ignored", "syntax-error"}  # `S.` looks like a piece


def test_a_handicap_that_words_do_not_name() -> None:
    [game] = games("The rook handicap is harder than the bishop handicap.\n\n1. ... S-6b 2. P-7f")
    assert game.verdict == "unreadable" and "handicap-unnamed" in names(game)


def test_an_opening_book() -> None:
    found = games("# BASIC LINES\n#\nP7f P8d S6h\nP3d\n#\nP2f P8d P2e\n# with numbers\n1.P-7f P-3d 2.P-2f\n# a remark\n"
                  "2. ... P-8d\n# another\nP7f P8d\n")
    assert [moves(game) for game in found] == [
        "7g7f 8c8d 7i6h 3c3d", "2g2f 8c8d 2f2e", "7g7f 3c3d 2g2f 8c8d", "7g7f 8c8d"]
    assert [names(game) for game in found] == [[]] * 4
    assert found[0].comments[0] == "BASIC LINES\n" or found[0].comments[0] is not None


def test_a_reply_that_stands_apart_begins_no_game() -> None:
    [game] = games("1. P-7f\n\n[a lesson]\n\n1. ... P-3d\n\n2. P-2f\n")
    assert (moves(game), names(game)) == ("7g7f 3c3d 2g2f", [])
    first, second = games("1. P-7f P-3d\n\n1. ... P-3d\n")
    assert (moves(first), second.verdict, names(second)) == ("7g7f 3c3d", "unreadable", ["handicap-unnamed"])


def test_a_number_one_in_the_middle_of_a_game_begins_none() -> None:
    [game] = games("1. P-7f P-3d 1. P-2f P-8d")
    assert (moves(game), names(game)) == ("7g7f 3c3d 2g2f 8c8d", ["number-jump"])


def test_glyphs_and_comments_in_variations_are_written_again() -> None:
    [game] = games("1. P-7f $1 P-3d (0:05) {main} (1. ... P-8d !? {a} 2. P-2f (2. P-5f {b} 2. ... P-5d $3) 2. ... P-8e)"
                   " 2. P-2f ?! *")
    assert (game.variations, names(game)) == (2, [])
    text = write([game], "western")
    assert text == ('[Result "*"]\n\n'
                    "1. P-7f $1 1. ... P-3d (0:05) {main} (1. ... P-8d !? {a} 2. P-2f (2. P-5f {b}\n"
                    "2. ... P-5d $3) 2. ... P-8e) 2. P-2f ?! *\n")
    assert write(games(text), "western") == text


def test_a_glyph_behind_what_is_no_move() -> None:
    [game] = games("1. P-7f P-3d (1... P-8d) P-9 ?!")
    assert (game.verdict, moves(game), game.variations) == ("unreadable", "7g7f 3c3d", 1)


PIECES_OF_TEXT = "1 P7f -3d x + = ( ) { } $1 ?! Sx xP [A \" ] ; # \n Resigns 76 歩 (68) ch 1. ... Variation:2 @ * '".split(" ")


@pytest.mark.parametrize("notation", ["western", "psn", "pgn"])
def test_mutated_games_never_fail_and_legal_ones_are_written_and_read(notation: str) -> None:
    rng = random.Random(7)
    for text in (MAIL, "1. Pc4 Pg6 (1... Pf6 {x}) 2. Bxh8+ Sxh8 1-0", "1.P7f P3d 2.Bx2b+ Sx (2...Rx?) 3.B'4e\n#\nP2f"):
        for _ in range(120):
            mutated = text
            for _ in range(rng.choice((1, 3, 10))):
                at = rng.randrange(len(mutated) + 1)
                mutated = mutated[:at] + rng.choice(PIECES_OF_TEXT) + mutated[at + rng.randrange(3):]
            for game in games(mutated, notation):
                if game.verdict == "legal":
                    [again] = games(write([game], "western", "numeric"))
                    assert (list(again.moves), again.verdict) == (list(game.moves), "legal"), mutated


@pytest.mark.parametrize(("text", "lines"), [
    ("1. P-7f P-3d (1... P-8d) 2. P-2f P-8d 3. G6i-7hG4a-3b", ["P-7f P-3d P-2f P-8d G6i-7h", "P-8d"]),
    ("1. P-7f P-3d (1... P-8d) 2. P-2f P-8d (2... P-4d 3. G6i-7hP-3e)", ["P-7f P-3d P-2f P-8d", "P-8d", "P-4d G6i-7h"]),
    ("1. P-7f (1. P-2f P-3d (1... P-8d) 2. P-7f2 P-8d) P-3d", ["P-7f P-3d", "P-2f P-3d", "P-8d"]),
])
def test_glued_moves_end_their_line_and_no_other(text: str, lines: list[str]) -> None:
    [game] = games(text)
    record = game.record
    assert [" ".join(record.move_text(index) for index in range(line.first, line.last)) for line in record.lines] == lines
    assert names(game) == ["glued-moves"]


def test_a_small_letter_for_a_piece_is_told() -> None:
    for text in ("1. p-7f P-3d", "1. ☗ p76 P34", "1. P-7f p-3d"):
        [game] = games(text)
        assert (moves(game), names(game)) == ("7g7f 3c3d", ["small-piece"])
    [game] = games("1. P-7f {p-3d} P-3d", mode="strict")
    assert (moves(game), names(game)) == ("7g7f 3c3d", [])
    [game] = games("( p-7f ) 1. P-2f S-3b")  # the first move of the text is in no line
    assert (moves(game), names(game)) == ("2g2f 3a3b", ["text-ignored", "small-piece"])


def test_ends_of_variations_are_written_or_counted() -> None:
    text = ("手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 投了\n\n変化：2手\n   2 ８四歩(83)\n   3 中断\n\n"
            "変化：1手\n   1 ２六歩(27)\n   2 投了\n\n変化：1手\n   1 １六歩(17)\n   2 封じ手\n")
    game = replay(next(iter(read(text, "kif"))))
    target = writer("western")
    written = target.write(game)
    assert " ".join(written.split()[2:]) == (
        "1. P-7f (1. P-2f Resigns) (1. P-1f {封じ手}) 1. ... P-3d (1. ... P-8d Interrupt) Resigns 0-1")
    assert target.losses == {"end": 1}
    [again] = games(written)
    assert sorted((line.end.reason, line.end.winner) for line in again.record.lines if line.end) == [
        ("interrupted", "none"), ("resign", "black"), ("resign", "white")]
