"""The KIF writer: what it keeps, in which order, and what it says it could not keep."""
from __future__ import annotations

import pytest

from kifu.notation import read, writer
from kifu.notation.kif_writer import diagram
from kifu.record import Game
from kifu.replay import replay
from kifu.rules.move import usi

HEAD = "手合割：平手\n手数----指手---------消費時間--\n"
START = "   1 ７六歩(77)\n   2 ３四歩(33)\n"


def game(text: str, notation: str = "kif", mode: str = "default") -> Game:
    [record] = read(text, notation, mode=mode)
    return replay(record, mode=mode)


def written(one: Game) -> tuple[str, dict[str, int]]:
    target = writer("kif")
    text = target.write(one)
    return text, dict(target.losses)


def again(one: Game) -> Game:
    text, losses = written(one)
    assert losses == {}
    return game(text)


def lines(one: Game) -> list[tuple[int, int, str, str]]:
    return [(line.number, line.parent, " ".join(usi(one.proven[index]) for index in range(line.first, line.last)),
             line.end.reason if line.end else "") for line in one.record.lines]


def test_a_clock_that_is_not_there_is_not_invented() -> None:
    one = game(HEAD + "   1 ７六歩(77)   ( 0:12/00:00:12)\n   2 ３四歩(33)\n   3 ２六歩(27)   ( 0:00/00:00:12)\n   4 投了\n")
    text, losses = written(one)
    assert text.count("(") == 3 + 2 and losses == {}
    assert game(text).milliseconds == [12000, None, 0]


def test_fractions_are_floored_and_counted_the_end_included() -> None:
    one = game("V3.0\nPI\n+\n+7776FU\nT1.999\n-3334FU\nT2\n%TORYO\nT0.5\n", "csa")
    text, losses = written(one)
    assert "( 0:01/00:00:01)" in text and "3 投了         ( 0:00/00:00:01)" in text
    assert losses == {"fractions of seconds": 2}


def test_variations_stand_in_descending_order_each_behind_its_parent() -> None:
    text = HEAD + ("   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２六歩(27)\n\n変化：3手\n   3 ６六歩(67)\n   4 ８四歩(83)\n\n"
                   "変化：4手\n   4 ３五歩(34)\n\n変化：2手\n   2 ８四歩(83)\n\n変化：1手\n   1 ２六歩(27)\n   2 中断\n")
    one = game(text)
    out, losses = written(one)
    assert [line for line in out.split("\n") if line.startswith("変化")] == ["変化：3手", "変化：4手", "変化：2手", "変化：1手"]
    assert losses == {} and lines(game(out)) == lines(one)


def test_a_variation_that_is_only_an_end_is_kept() -> None:
    one = game(HEAD + START + "\n変化：2手\n   2 投了\n")
    assert lines(again(one)) == lines(one) == [(1, -1, "7g7f 3c3d", ""), (2, 0, "", "resign")]


def test_comments_and_bookmarks_everywhere() -> None:
    one = game(HEAD + "*start\n&s\n   1 ７六歩(77)\n*one\n*more\n&b1\n   2 ３四歩(33)\n\n変化：2手\n*before\n   2 ８四歩(83)\n*in\n&b2\n")
    back = again(one)
    assert list(back.record.comments()) == [(-1, "comment", "start"), (0, "comment", "one"), (0, "comment", "more"),
                                            (0, "comment", "before"), (2, "comment", "in")]
    assert back.record.bookmarks == one.record.bookmarks == {-1: "s", 0: "b1", 2: "b2"}


def test_a_bookmark_before_the_first_move_of_a_variation() -> None:
    one = game(HEAD + START + "   3 ２六歩(27)\n変化：2手\n&here\n   2 ８四歩(83)\n")
    assert one.record.bookmarks == {0: "here"}


def test_unknown_headers_in_order_and_repeated_names_behind_the_first() -> None:
    one = game("先手：甲\n変な見出し：1\n先手：乙\nさらに：２\n棋戦：杯\n棋戦：二つ目\n後手：丙\n" + HEAD + START)
    back = again(one)
    assert back.record.header("black") == "甲" and back.record.header("event") == "杯"
    assert [value for _, value in back.record.headers if value != "平手"] == ["杯", "1", "２", "二つ目", "甲", "丙", "乙"]


@pytest.mark.parametrize("key", ["*x", "1 x", "変化", "変化 ", "手数＝", "手数-", "まで3手", "まで", "&x", "|x", "#x", "a：b", "▲x",
                                 "盤面回転", "先手番", "後手の持駒", "９ ８ ７"])
def test_a_header_that_would_be_read_as_something_else_is_counted(key: str) -> None:
    one = game(HEAD + START)
    one.record.headers.append((key, "value"))
    text, losses = written(one)
    assert losses == {"headers": 1} and game(text).plies == 2


@pytest.mark.parametrize("key", ["手数", "手数x", "変化球", "先手の持駒x", "図", "手合割x", "中断", "最終手"])
@pytest.mark.parametrize("notation", ["kif", "ki2"])
def test_a_header_that_begins_like_another_line_is_kept(key: str, notation: str) -> None:
    one = game(HEAD + START)
    one.record.headers.append((key, "9"))
    target = writer(notation)
    record, = read(target.write(one), notation)
    assert (key, "9") in record.headers and target.losses == {}


def test_an_even_start_named_beside_a_diagram_is_no_handicap_that_is_lost() -> None:
    one = game("手数：9\n手合割：平手\n" + "\n".join(diagram("4k4/9/9/9/9/9/9/9/4K4 b G 1")[0]) + "\n手数----指手--\n")
    text, losses = written(one)
    assert "手数：9\n" in text and losses == {}


@pytest.mark.parametrize("notation", ["kif", "ki2"])
def test_a_header_without_a_value_is_kept_in_its_place(notation: str) -> None:
    one = game("開始日時：\n変な見出し：\n棋戦：\n作者：甲\n出典：\n先手：\n後手：乙\n" + HEAD + START)
    target = writer(notation)
    record, = read(target.write(one), notation)
    assert [header for header in record.headers if header[0] != "手合割"] == [
        ("開始日時", ""), ("棋戦", ""), ("変な見出し", ""), ("作者", "甲"), ("出典", ""), ("先手", ""), ("後手", "乙")]
    assert target.losses == {}


@pytest.mark.parametrize("notation", ["kif", "ki2", "csa", "bod"])
def test_a_header_of_several_lines_is_written_on_one_and_counted(notation: str) -> None:
    one = game(HEAD + START)
    one.record.headers += [("先手", "a\nb"), ("後手", "c\r\nd")]
    one.record.headers += [] if notation == "bod" else [("棋戦", "e\nf"), ("作者", "g\nh"), ("備考", "i\nj")]
    target = writer(notation)
    text = target.write(one)
    assert target.losses["headers"] == (2 if notation == "bod" else 4)
    assert replay(next(iter(read(text, notation)))).record.header("black") == "a b"
    if notation != "bod":
        assert replay(next(iter(read(text, notation)))).record.header("note") == "i\nj"


def test_a_note_with_the_two_characters_of_a_line_end_is_counted() -> None:
    one = game(HEAD + START)
    one.record.headers.append(("$NOTE", "a\\nb"))
    assert written(one)[1] == {"headers": 1}


def test_a_line_end_in_a_note_is_written_as_two_characters() -> None:
    one = game(HEAD + START)
    one.record.headers.append(("備考", "a\nb"))
    assert "備考：a\\nb\n" in written(one)[0]


@pytest.mark.parametrize("board", [
    "lnsgkgsnl/1r5b1/p1ppppppp/1p7/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b -",
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -",
    "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w -",
])
@pytest.mark.parametrize("number", [1, 2, 21, 1000])
def test_the_number_of_the_first_move_is_kept(board: str, number: int) -> None:
    moves = "2g2f 3c3d" if " b " in board else "3c3d 2g2f"
    one = game(f"position sfen {board} {number} moves {moves} resign", "usi")
    text, losses = written(one)
    assert losses == {} and ("手数＝" in text) == (number > 1)
    back = game(text)
    assert (back.start, list(back.moves), back.winner, back.diagnostics) == (one.start, list(one.moves), one.winner, [])
    assert f"{number + 2:4} 投了\nまで{number + 1}手で" in text


def test_variations_of_a_game_that_goes_on_from_a_diagram() -> None:
    one = game(written(game("position sfen 4k4/9/9/9/9/9/9/9/4K4 b - 21 moves 5i5h 5a5b", "usi"))[0]
               + "\n変化：22手\n  22 ４二玉(51)\n\n変化：21手\n  21 ４八玉(59)\n")
    assert lines(again(one)) == lines(one) == [(1, -1, "5i5h 5a5b", ""), (2, 0, "5a4b", ""), (1, -1, "5i4h", "")]


@pytest.mark.parametrize("first_row", ["1nsgkgsnl", "lnsgkgsn1"])
def test_three_pieces_are_always_drawn(first_row: str) -> None:
    one = game(f"position sfen {first_row}/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1 moves 3a4b", "usi")
    text, losses = written(one)
    assert "手合割：三枚落ち\n後手の持駒：" in text and losses == {}
    back = game(text)
    assert (back.start, back.handicap, back.diagnostics) == (one.start, "3-piece", [])


def test_a_handicap_without_a_name_in_kif_is_drawn_and_its_name_counted() -> None:
    text, losses = written(game("手合割：トンボ\n   1 ８四歩(83)\n"))
    assert losses == {"handicap name": 1} and "手合割：その他\n" in text
    assert game(text).start.startswith("4k4/1r5b1/")


@pytest.mark.parametrize("word", ["投了", "中断", "千日手", "持将棋", "詰み", "不詰", "切れ負け", "反則勝ち", "反則負け",
                                  "入玉勝ち", "不戦勝", "不戦敗", "封じ手", "最大手数", "引き分け", "トライ"])
def test_every_end_is_kept_with_its_clock(word: str) -> None:
    one = game(HEAD + START + f"   3 {word}   ( 0:10/00:00:10)\n")
    back = again(one)
    assert back.record.end is not None and one.record.end is not None
    assert back.record.end._replace(offset=0, raw="") == one.record.end._replace(offset=0, raw="")


def test_a_winner_that_only_the_result_line_names() -> None:
    one = game(HEAD + START + "   3 王手千日手\nまで2手で後手の勝ち\n")
    assert (one.end, one.winner) == ("perpetual_check", "white")
    assert (again(one).end, again(one).winner) == ("perpetual_check", "white")


@pytest.mark.parametrize("word", ["%MATTA", "%ERROR", "%FOO"])
def test_an_end_that_kif_lacks_becomes_a_comment_and_is_counted(word: str) -> None:
    text, losses = written(game(f"PI\n+\n+7776FU\n-3334FU\n{word}\n", "csa"))
    assert losses == {"end": 1} and word in text.replace("*", "%").replace("%%", "%")
    assert game(text).end == "interrupted"


def test_a_branch_that_repeats_a_line_is_joined_to_it() -> None:
    one = game(HEAD + "   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２六歩(27)\n\n変化：2手\n   2 ３四歩(33) ( 0:05/00:00:05)\n"
               "*from the branch\n&mark\n   3 ６六歩(67)\n   4 ８四歩(83)\n\n変化：4手\n   4 ４四歩(43)\n")
    assert [found.name for found in one.diagnostics] == ["branch-repeated"]
    assert lines(one) == [(1, -1, "7g7f 3c3d 2g2f", ""), (3, 1, "6g6f 8c8d", ""), (4, 4, "4c4d", "")]
    assert (one.milliseconds, one.record.bookmarks) == ([None, 5000, None], {1: "mark"})
    assert list(one.record.comments()) == [(1, "comment", "from the branch")]
    back = again(one)
    assert [(number, moves) for number, _, moves, _ in lines(back)] == [
        (number, moves) for number, _, moves, _ in lines(one)] and back.diagnostics == []


def test_a_branch_from_a_repeated_move_is_kept() -> None:
    one = game(HEAD + "   1 ７六歩(77)\n   2 ３四歩(33)\n\n変化：1手\n   1 ７六歩(77)\n   2 ８四歩(83)\n\n変化：2手\n   2 ４四歩(43)\n")
    assert one.verdict == "legal" and written(one)[1] == {}
    assert lines(one) == [(1, -1, "7g7f 3c3d", ""), (2, 0, "8c8d", ""), (2, 0, "4c4d", "")]
