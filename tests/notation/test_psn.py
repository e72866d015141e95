"""PSN in its dialects: mailing lists, Shogidokoro, MyShogi."""
from __future__ import annotations

import pytest

from kifu.notation import detect, notation_of, read, write
from kifu.notation.spell import spell
from kifu.record import Game
from kifu.replay import replay
from kifu.rules.move import usi
from kifu.rules.position import Position
from kifu.text import decode

EVEN = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"


def games(text: str) -> list[Game]:
    return [replay(record) for record in read(text, "psn")]


def moves(game: Game, line: int = 0) -> str:
    return " ".join(usi(game.proven[index]) for index in game.record.path(line))


MAILING_LIST = """[Sente "Ohyama"]
[Gote "Masuda"]
[SenteGrade "15 dan"]
[Handicap "Left Lance"]
[Result "0-1"]

1... P3c-3d 2.P7g-7f {the usual} B2b-3c
3.P6g-6f Resigns

[Sente "A"]
[Gote "B"]

1.P7f P3d 2.Bx2b+ Sx 3.B'4e
"""


def test_the_draft_of_the_mailing_list() -> None:
    first, second = games(MAILING_LIST)
    assert (first.handicap, moves(first), first.winner) == ("lance", "3c3d 7g7f 2b3c 6g6f", "black")
    assert [one.name for one in first.diagnostics] == ["result-conflict"]
    assert moves(second) == "7g7f 3c3d 8h2b+ 3a2b B*4e"
    assert second.diagnostics == []


SHOGIDOKORO = f"""[Sente "先手"]
[Gote "後手"]
[SFEN "{EVEN}"]
1.P2g-2f          (00:01 / 00:00:01)
2.P8c-8d          (00:02 / 00:00:02)
{{
 a comment
}}
3.P7g-7f          (01:03 / 00:01:04)
4.P3c-3d          (00:02 / 00:00:04)
5.B8hx2b+         (00:02 / 00:01:06)
6.Resigns         (00:07 / 00:00:11)

Variation:4
4.P8d-8e          (00:04 / 00:00:06)
5.B8h-7g          (00:02 / 00:01:06)

Variation:5
5.P2f-2e          (00:02 / 00:01:06)

Variation:2
2.P3c-3d          (00:02 / 00:00:02)
"""


@pytest.mark.parametrize("encoding", ["cp932", "utf-8"])
def test_shogidokoro(encoding: str) -> None:
    decoded = decode(SHOGIDOKORO.encode(encoding))
    assert (decoded.encoding, notation_of(decoded.text)) == (encoding, "psn")
    [game] = games(decoded.text)
    assert game.diagnostics == []
    assert (moves(game), game.end, game.winner) == ("2g2f 8c8d 7g7f 3c3d 8h2b+", "resign", "black")
    assert game.milliseconds == [1000, 2000, 63000, 2000, 2000]
    assert game.record.end is not None and game.record.end.milliseconds == 7000
    assert [moves(game, line) for line in range(1, 4)] == [
        "2g2f 8c8d 7g7f 8d8e 8h7g", "2g2f 8c8d 7g7f 8d8e 2f2e", "2g2f 3c3d"]
    assert (game.comments[2] or "").strip() == "a comment"
    assert game.record.header("black") == "先手"


def test_a_variation_beyond_its_line() -> None:
    [game] = games("1.P2g-2f\n2.P8c-8d\nVariation:2\n2.P3c-3d\nVariation:9\n9.P7g-7f\n")
    assert [one.name for one in game.diagnostics] == ["variation-beyond-line"]
    assert game.verdict == "unreadable"
    [game] = games("1.P2g-2f\n2.P8c-8d\n3.P7g-7f\nVariation:1\n1.P7g-7f\nVariation:3\n3.P2f-2e\n")
    assert moves(game, 2) == "2g2f 8c8d 2f2e"  # no line but the game is that long


@pytest.mark.parametrize(("words", "end", "winner"), [
    ("Jishogi", "impasse", "draw"), ("Jishogi (00:01 / 00:00:01)\n{\n入玉宣言により勝ち。\n}", "declaration", "white"),
    ("Sennichite", "repetition", "draw"), ("Mate", "checkmate", "black"), ("Interrupt", "interrupted", "none"),
    ("Timeup", "timeout", "black"), ("MaxMovesDraw", "max_moves", "draw"),
    ("DeclarationWin", "declaration", "white"), ("RepetitionDraw", "repetition", "draw"),
    ("RepetitionWin", "perpetual_check", "unknown"), ("Resigns", "resign", "black"),
])
def test_end_words(words: str, end: str, winner: str) -> None:
    [game] = games(f"1.P2g-2f   (00:01 / 00:00:01)\n2.{words}\n")
    assert (game.end, game.winner) == (end, winner)


MYSHOGI = f"""[Black "Ａ"]
[White "Ｂ"]
[SFEN "{EVEN}"]
[BlackTimeSetting "0,15,0,1,10,0,0,0,0"]
[WhiteTimeSetting "0,15,0,1,10,0,0,0,0"]
1.7g7f          (00:00:03 / 00:00:03)
2.3c3d          (00:00:01 / 00:00:01)
3.8h2b+         (01:00:00 / 01:00:03)
4.3a2b          (00:00:01 / 00:00:02)
5.B*4e          (00:00:02 / 01:00:05)
6.Interrupt     (00:00:02 / 00:00:04)
"""


def test_myshogi() -> None:
    decoded = decode(MYSHOGI.replace("\n", "\r\n").encode("utf-8-sig"))
    assert detect(decoded.text, ".psn2").notation == notation_of(decoded.text) == "psn"
    [game] = games(decoded.text)
    assert (moves(game), game.end, game.diagnostics) == ("7g7f 3c3d 8h2b+ 3a2b B*4e", "interrupted", [])
    assert game.milliseconds == [3000, 1000, 3600000, 1000, 2000]
    assert (game.record.header("black"), game.record.header("white")) == ("Ａ", "Ｂ")
    assert ("BlackTimeSetting", "0,15,0,1,10,0,0,0,0") in game.record.headers


def test_six_moves_a_line() -> None:
    [game] = games("1.7g7f 2.3c3d 3.8h2b+ 4.3a2b 5.B*4e 6.resign\n")
    assert (moves(game), game.end, game.diagnostics) == ("7g7f 3c3d 8h2b+ 3a2b B*4e", "resign", [])


def test_what_is_written_is_the_draft_with_hodges_moves() -> None:
    [game] = games(MYSHOGI)
    text = write([game], "psn")
    assert text == ('[Sente "Ａ"]\n[Gote "Ｂ"]\n[BlackTimeSetting "0,15,0,1,10,0,0,0,0"]\n'
                    '[WhiteTimeSetting "0,15,0,1,10,0,0,0,0"]\n\n'
                    "1. P-7f (0:03) P-3d (0:01) 2. Bx2b+ (60:00) Sx2b (0:01) 3. B*4e (0:02)\n"
                    "Interrupt (0:02) *\n")
    [again] = games(text)
    assert (list(again.moves), again.milliseconds, again.diagnostics) == (list(game.moves), game.milliseconds, [])
    assert notation_of(text, ".psn") == "psn"
    position = Position()
    assert spell(position, position.legal_moves()[0], "psn") == spell(position, position.legal_moves()[0], "western")


@pytest.mark.parametrize("notation", ["kif", "psn", "csa"])
def test_line_ends_inside_comments_become_those_of_the_text(notation: str) -> None:
    [game] = games(SHOGIDOKORO.replace("\n", "\r\n"))
    text = write([game], notation)
    assert "a comment" in text and "\r" not in text
