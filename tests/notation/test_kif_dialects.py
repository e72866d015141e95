"""KIF as programs write it: each way is read for the writer that is named, and what it means is kept.

The order is that of the format reference's section on KIF.
"""
from __future__ import annotations

import pytest

from kifu.notation import read
from kifu.record import Game
from kifu.replay import replay
from kifu.rules.move import usi
from tests.notation.texts import DIAGRAM, of_reading

HEAD = "手合割：平手\n手数----指手---------消費時間--\n"
START = "   1 ７六歩(77)\n   2 ３四歩(33)\n"
TAKEN = START + "   3 ２二角成(88)\n"


def games(text: str, mode: str = "default") -> list[Game]:
    return [replay(record, mode=mode) for record in read(text, "kif", mode=mode)]


def game(text: str, mode: str = "default") -> Game:
    [found] = games(text, mode)
    return found


def moves(one: Game) -> str:
    return " ".join(usi(move) for move in one.moves)


def names(one: Game) -> list[str]:
    return [found.name for found in of_reading(one)]


# --- lines and headers ----------------------------------------------------------------------------------------------
def test_is_shogi_separators_and_two_clock_groups() -> None:
    text = HEAD + ("   1 ７六歩(77)   ( 0:01/00:00:01) ( 0:05/00:00:05)\n   2 ３四歩(33)   ( 0:02/00:00:02) ( 0:06/00:00:06)\n"
                   "   3 投了\n#--separator--\n\n変化：2手\n   2 ８四歩(83)   ( 0:03/00:00:03) ( 0:00/00:00:00)\n")
    one = game(text)
    assert (one.verdict, one.variations, one.milliseconds, names(one)) == ("legal", 1, [1000, 2000], [])


def test_shogi_club_24_writes_the_foul_as_a_move() -> None:
    one = game(HEAD + START + "   3 ７四歩打\n   4 反則勝ち\nまで3手で後手の勝ち\n")
    assert (one.verdict, one.plies, one.end, one.winner) == ("foul", 2, "illegal", "white")
    assert one.illegal_move is not None and one.illegal_move["offender"] == "black"
    assert one.record.end is not None and one.record.end.offender == "black"
    assert [found.severity for found in one.diagnostics] == ["warning"]


@pytest.mark.parametrize("lines", [
    "*棋戦：A\n*先手のチーム：B\n", "*Site：https://lishogi.org/x\n*形勢：五分\n",
])
def test_lishogi_and_shogi_extend_comments_that_look_like_headers(lines: str) -> None:
    one = game("手合割：平手\n" + lines + "手数----指手\n" + START)
    assert one.record.headers == [("手合割", "平手")]
    assert one.comments[0] == lines.replace("*", "").rstrip("\n")


def test_lishogi_headers() -> None:
    one = game("開始日時：2024/01/05 10:00:00\n先手：甲\n後手：乙\n先手のチーム：赤\n後手のチーム：白\n注釈者：丙\n" + HEAD + START)
    assert one.record.headers[3:6] == [("先手のチーム", "赤"), ("後手のチーム", "白"), ("注釈者", "丙")]
    assert one.record.header("annotator") == "丙"


def test_jsa_pro_edition_headers_keep_their_order_and_words() -> None:
    headers = [("対局ID", "1"), ("記録ID", "x2"), ("開始日時", "2013/09/04 09:00"), ("図", "投了"), ("振り駒", "3,0,藤"),
               ("先手消費時間加算", "0"), ("後手消費時間加算", "0"), ("封じ手手数", "42"), ("昼食休憩", "12:00〜12:50"),
               ("昼休前消費時間", "25▲65△49"), ("記録係", "丁")]
    one = game("".join(f"{key}：{value}\n" for key, value in headers) + HEAD + START)
    assert one.record.headers[:-1] == headers and names(one) == []


def test_kifu_for_windows_writes_a_display_hint() -> None:
    one = game("盤面回転\n" + HEAD + START)
    assert one.record.headers[0] == ("view", "reversed")


def test_only_the_first_colon_divides_a_header() -> None:
    assert game("備考：1:2：3\n場所:東京：将棋会館\n" + HEAD + START).record.headers[:2] == [
        ("備考", "1:2：3"), ("場所", "東京：将棋会館")]


def test_hash_lines_and_column_lines_in_short() -> None:
    assert moves(game("# ---- made by a program ----\n手合割：平手\n手数----指手--\n" + START)) == "7g7f 3c3d"
    assert moves(game("手合割：平手\n" + START)) == "7g7f 3c3d"


def test_an_unknown_line_is_a_warning_and_costs_nothing_else() -> None:
    one = game(HEAD + "   1 ７六歩(77)\nなんだこれは\n   2 ３四歩(33)\n")
    assert (one.verdict, one.plies, names(one)) == ("legal", 2, ["unknown-line"])


# --- handicaps ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("name", "board", "hand"), [
    ("飛落ち", "lnsgkgsnl/7b1", "-"), ("飛香車落ち", "lnsgkgsn1/7b1", "-"), ("七枚落ち", "3gkgs2/9", "-"),
    ("九枚落ち", "4kg3/9", "-"), ("両香落ち", "1nsgkgsn1/1r5b1", "-"), ("トンボ", "4k4/1r5b1", "-"),
    ("トンボ＋香", "l3k3l/1r5b1", "-"), ("トンボ＋桂香", "ln2k2nl/1r5b1", "-"), ("香得", "lnsgkgsn1/1r5b1", "L"),
    ("角得", "lnsgkgsnl/1r7", "B"), ("飛車得", "lnsgkgsnl/7b1", "R"), ("飛得", "lnsgkgsnl/7b1", "R"),
    ("飛香得", "lnsgkgsn1/7b1", "RL"), ("二枚得", "lnsgkgsnl/9", "RB"), ("四枚得", "1nsgkgsn1/9", "RB2L"),
    ("六枚得", "2sgkgs2/9", "RB2N2L"), ("八枚得", "3gkg3/9", "RB2S2N2L"), ("二枚落ち　　", "lnsgkgsnl/9", "-"),
])
def test_handicaps_by_the_names_of_other_programs(name: str, board: str, hand: str) -> None:
    one = game(f"手合割：{name}\n   1 ５四歩(53)\n   2 ７六歩(77)\n")
    assert one.start == f"{board}/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w {hand} 1"
    assert (one.verdict, moves(one), names(one)) == ("legal", "5c5d 7g7f", [])


@pytest.mark.parametrize(("name", "hand", "key"), [
    ("裸玉", "-", "naked-king"), ("十九枚落ち", "-", "naked-king"), ("歩三兵", "3p", "three-pawns"),
])
def test_handicaps_of_a_lone_king(name: str, hand: str, key: str) -> None:
    one = game(f"手合割：{name}　\n   1 ５二玉(51)\n")
    assert (one.verdict, one.handicap, one.start.split()[0], one.start.split()[2]) == (
        "legal", key, "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL", hand)


BOARD = DIAGRAM.format(white="なし", black="金")


def test_an_unknown_handicap_with_a_board_is_a_warning() -> None:
    one = game("手合割：百枚落ち\n" + BOARD + "   1 １二金打\n")
    assert (one.verdict, moves(one)) == ("legal", "G*1b")
    assert [(found.name, found.severity) for found in one.diagnostics] == [("unknown-handicap", "warning")]


def test_an_unknown_handicap_without_a_board_is_an_error_at_its_line() -> None:
    one = game("先手：甲\n手合割：百枚落ち\n" + START)
    [found] = one.diagnostics
    assert (one.verdict, found.name, found.severity, found.line) == ("unreadable", "unknown-handicap", "error", 2)


@pytest.mark.parametrize("name", ["詰将棋", "その他", "詰め将棋"])
def test_mynavi_and_todai_shogi_announce_a_diagram(name: str) -> None:
    assert names(game(f"手合割：{name}\n" + BOARD + "   1 １二金打\n")) == []


def test_the_names_of_tsume_headers_imply_no_handicap() -> None:
    one = game("下手：詰方\n上手：玉方\n" + START)
    assert (one.handicap, moves(one)) == ("even", "7g7f 3c3d")


# --- moves ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("line", ["4 ２二同銀(31)", "4 同２二銀(31)", "4 仝銀(31)", "4 仝　銀(31)", "4 22同銀(31)"])
def test_same_with_and_without_its_square(line: str) -> None:
    one = game(HEAD + TAKEN + line + "\n")
    assert (moves(one).split()[-1], names(one)) == ("3a2b", [])


def test_same_beside_another_square_is_told() -> None:
    one = game(HEAD + TAKEN + "   4 ３二同銀(31)\n")
    assert (moves(one).split()[-1], names(one)) == ("3a3b", ["same-square"])


def test_the_other_same_sign_behind_a_square_is_a_promoted_lance() -> None:
    [found] = game(HEAD + TAKEN + "   4 ２二仝(31)\n").diagnostics
    assert found.name == "wrong-piece" and "promoted lance" in found.message
    [found] = game(HEAD + TAKEN + "   4 ２二仝銀(31)\n").diagnostics
    assert found.name == "unreadable-move" and found.hint.startswith("仝 behind a square")


@pytest.mark.parametrize("line", [
    "1 ７六歩", "  1  ▲７六歩(77)", "1 △７六歩(77)", "1\t７六歩(77)\t( 0:01/00:00:01)", "1 ７六歩 (77)", "1 ７六歩（７７）",
])
def test_moves_of_hand_typed_files(line: str) -> None:
    assert moves(game(HEAD + line + "\n")) == "7g7f"


def test_promoted_and_base_names_are_not_interchangeable() -> None:
    one = game(HEAD + TAKEN + "   4 同　銀(31)\n   5 ５五馬打\n")
    assert one.verdict == "illegal"
    one = game(HEAD + TAKEN + "   4 ８二飛(82)\n")
    assert one.verdict == "illegal"
    one = game(HEAD + START + "   3 ２二角(88)\n   4 ８四歩(83)\n   5 ３一馬(22)\n")
    [found] = one.diagnostics
    assert (found.name, found.hint) == ("wrong-piece", "the mark of promotion may be missing at an earlier move")


# --- numbers --------------------------------------------------------------------------------------------------------
def test_numbers_go_on_from_a_diagram() -> None:
    one = game("手数＝20  △３四歩  まで\n" + HEAD + "  21 ７六歩(77)\n  22 ３四歩(33)\n  23 投了\n")
    assert (moves(one), names(one), one.winner) == ("7g7f 3c3d", [], "white")


def test_a_constant_offset_without_a_diagram_is_told_once() -> None:
    assert names(game(HEAD + "  21 ７六歩(77)\n  22 ３四歩(33)\n  23 ２六歩(27)\n")) == ["number-jump"]


def test_numbers_that_jump() -> None:
    one = game(HEAD + "   1 ７六歩(77)\n   3 ３四歩(33)\n   4 ２六歩(27)\n")
    assert (one.verdict, names(one), one.diagnostics[0].line) == ("legal", ["number-jump"], 4)


@pytest.mark.parametrize("end", ["   3 投了\n", "まで2手で後手の勝ち\n", "   3 投了\nまで2手で後手の勝ち\n",
                                 "   3 投了\n変化：1手\n   1 ２六歩(27)\n   2 投了\n"])
def test_number_one_behind_an_end_begins_the_next_game(end: str) -> None:
    text = HEAD + START + end + "   1 ２六歩(27)   ( 0:01/00:00:01)\n*second\n&mark\n   2 ８四歩(83)\n   3 中断\n変化：2手\n   2 ３四歩(33)\n"
    first, second = games(text)
    assert (moves(first), first.end, names(first), first.record.bookmarks) == ("7g7f 3c3d", "resign", [], {})
    assert (moves(second), second.end, second.variations) == ("2g2f 8c8d", "interrupted", 1)
    assert (names(second), second.comments, second.record.bookmarks) == (
        ["next-game-unmarked"], [None, "second", None], {0: "mark"})
    assert second.record.text[second.record.offset:].startswith("   1 ２六歩")


def test_other_moves_behind_an_end_are_an_error() -> None:
    one = game(HEAD + START + "   3 投了\n   3 ２六歩(27)\n")
    assert (one.plies, names(one)) == (2, ["moves-after-end"])


# --- variations -----------------------------------------------------------------------------------------------------
def test_the_example_order_of_kifu_for_windows() -> None:
    """Main line of 12 plies, then 変化 9, 6, 9 of that 6, a second 6, 1, and 7 of that 1."""
    main = ["７六歩(77)", "３四歩(33)", "２六歩(27)", "８四歩(83)", "２五歩(26)", "８五歩(84)", "７八金(69)", "３二金(41)",
            "２四歩(25)", "同　歩(23)", "同　飛(28)", "２三歩打"]
    blocks = [(9, ["９六歩(97)"]), (6, ["９四歩(93)", "９六歩(97)", "８五歩(84)", "１六歩(17)"]), (9, ["４八銀(39)"]),
              (6, ["１四歩(13)"]), (1, ["２六歩(27)", "３四歩(33)", "７六歩(77)", "８四歩(83)", "２五歩(26)", "８五歩(84)",
                                                     "７八金(69)"]), (7, ["４八銀(39)"])]
    text = HEAD + "".join(f"{i:4} {move}\n" for i, move in enumerate(main, 1))
    for number, block in blocks:
        text += f"\n変化：{number}手\n" + "".join(f"{i:4} {move}\n" for i, move in enumerate(block, number))
    one = game(text)
    assert (one.verdict, names(one)) == ("legal", [])
    lines = one.record.lines
    parents = [one.record.lines.index(one.record.line_of(line.parent)) if line.parent >= 0 else -1 for line in lines]
    assert parents == [-1, 0, 0, 2, 0, -1, 5]


def test_branches_in_ascending_order_are_placed_and_told() -> None:
    text = HEAD + TAKEN + "\n変化：2手\n   2 ８四歩(83)\n\n変化：3手\n   3 ２二角成(88)\n   4 同　飛(82)\n\n変化：4手\n   4 ２二銀(31)\n"
    one = game(text)
    assert "variation-order" in names(one)
    assert game(HEAD + TAKEN + "\n変化：2手\n   2 ８四歩(83)\n\n変化：4手\n   4 同　銀(31)\n").verdict == "legal"


def test_a_variation_in_the_header_area_is_ignored_with_a_warning() -> None:
    """ShogiHome #570."""
    one = game("手合割：平手\n変化：3手\n変化：\n手数----指手\n" + START)
    assert (one.verdict, one.variations, names(one)) == ("legal", 0, ["variation-unnumbered"] * 2)


def test_a_variation_beyond_every_line_is_an_error() -> None:
    assert names(game(HEAD + START + "\n変化：9手\n   9 ２六歩(27)\n")) == ["variation-beyond-line"]


# --- ends -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("text", "end", "winner"), [
    ("まで2手で後手の勝ち", "resign", "white"), ("まで、2手で後手の勝ち", "resign", "white"),
    ("まで2手で時間切れにより後手の勝ち", "timeout", "white"), ("まで2手で後手の反則勝ち", "illegal", "white"),
    ("まで2手で先手の反則負け", "illegal", "white"), ("まで2手で後手の入玉勝ち", "declaration", "white"),
    ("まで2手で後手の不戦勝", "forfeit", "white"), ("まで2手で先手の不戦敗", "forfeit", "white"),
    ("まで2手で中断", "interrupted", "none"), ("まで2手で千日手", "repetition", "draw"),
    ("まで2手で持将棋", "impasse", "draw"), ("まで2手で詰", "checkmate", "white"), ("まで2手詰", "checkmate", "white"),
    ("まで２手で詰み", "checkmate", "white"), ("まで2手で不詰", "no_mate", "none"), ("まで2手で封じ手", "sealed", "none"),
    ("まで2手で最大手数", "max_moves", "draw"), ("まで2手で引き分け", "draw", "draw"),
    ("まで2手で上手の勝ち", "resign", "white"), ("まで2手で後手の勝ち。", "resign", "white"),
])
def test_the_end_from_made_alone(text: str, end: str, winner: str) -> None:
    one = game(HEAD + START + text + "\n")
    assert (one.end, one.winner, names(one)) == (end, winner, [])


@pytest.mark.parametrize(("word", "end", "winner"), [
    ("中断", "interrupted", "none"), ("投了", "resign", "white"), ("持将棋", "impasse", "draw"),
    ("千日手", "repetition", "draw"), ("詰み", "checkmate", "white"), ("不詰", "no_mate", "none"),
    ("切れ負け", "timeout", "white"), ("反則勝ち", "illegal", "black"), ("反則負け", "illegal", "white"),
    ("入玉勝ち", "declaration", "black"), ("不戦勝", "forfeit", "black"), ("不戦敗", "forfeit", "white"),
    ("詰", "checkmate", "white"), ("封じ手", "sealed", "none"), ("最大手数", "max_moves", "draw"),
    ("引き分け", "draw", "draw"), ("引分", "draw", "draw"), ("トライ", "try_rule", "black"),
    ("王手千日手", "perpetual_check", "unknown"), ("Time-up", "timeout", "white"), ("入玉宣言", "declaration", "black"),
    ("時間切れ", "timeout", "white"),
])
def test_numbered_end_words(word: str, end: str, winner: str) -> None:
    one = game(HEAD + START + f"   3 {word}   ( 0:10/00:00:10)\n")
    assert (one.end, one.winner, names(one)) == (end, winner, [])
    assert one.record.end is not None and one.record.end.milliseconds == 10000


def test_a_number_of_moves_that_is_wrong() -> None:
    one = game(HEAD + START + "   3 投了\nまで5手で後手の勝ち\n")
    assert (one.winner, names(one)) == ("white", ["result-count"])


@pytest.mark.parametrize(("word", "made"), [
    ("投了", "まで2手で先手の勝ち"), ("投了", "まで2手で千日手"), ("千日手", "まで2手で持将棋"),
    ("投了", "まで2手で時間切れにより後手の勝ち"), ("投了", "まで2手で先手の反則負け"),
])
def test_word_and_result_that_disagree_are_both_told(word: str, made: str) -> None:
    one = game(HEAD + START + f"   3 {word}\n{made}\n")
    [found] = of_reading(one)
    assert found.name == "result-conflict" and word in found.message and made in found.message


@pytest.mark.parametrize(("word", "made"), [
    ("最大手数", "まで2手で持将棋"), ("引き分け", "まで2手で持将棋"), ("詰み", "まで2手で後手の勝ち"), ("投了", "まで2手で後手の勝ち"),
    ("切れ負け", "まで2手で時間切れにより後手の勝ち"), ("切れ負け", "まで2手で後手の勝ち"), ("反則負け", "まで2手で後手の反則勝ち"),
])
def test_word_and_result_that_agree(word: str, made: str) -> None:
    assert names(game(HEAD + START + f"   3 {word}\n{made}\n")) == []


def test_a_result_behind_the_variations_belongs_to_the_line_it_counts() -> None:
    """rsshogi writes the branches, then the main line's result."""
    one = game(HEAD + TAKEN + "\n変化：2手\n   2 ８四歩(83)\n\nまで3手で先手の勝ち\n")
    assert (one.end, one.winner, one.record.lines[1].end, names(one)) == ("resign", "black", None, [])


def test_an_impasse_at_the_greatest_number_of_moves() -> None:
    """Kifu for Windows and ShogiHome have no other word for it."""
    text = HEAD + START + "   3 持将棋\nまで2手で持将棋\n"
    assert game("最大手数：2\n" + text).end == "max_moves"
    assert game("最大手数：256\n" + text).end == game(text).end == "impasse"


def test_an_unknown_result_is_kept_and_told() -> None:
    one = game(HEAD + START + "まで2手で引越し\n")
    assert (one.end, one.record.end and one.record.end.raw, names(one)) == ("other", "引越し", ["unknown-end"])


@pytest.mark.parametrize(("text", "end", "winner"), [
    ("まで、先手の勝ち", "resign", "black"), ("まで先手の勝ち", "resign", "black"), ("まで2手にて後手の勝ち", "resign", "white"),
    ("まで2手をもって後手の勝ち", "resign", "white"), ("まで2手で先手の負け", "resign", "white"),
    ("まで2手で先手投了", "resign", "white"), ("まで2手で先手の切れ負け", "timeout", "white"),
    ("まで2手で時間切れにより先手の負け", "timeout", "white"), ("まで2手で入玉宣言により後手の勝ち", "declaration", "white"),
    ("まで2手で後手の宣言勝ち", "declaration", "white"), ("まで2手で先手の反則", "illegal", "white"),
    ("まで2手で千日手成立", "repetition", "draw"), ("まで2手で投了", "resign", "white"),
])
def test_results_in_other_words(text: str, end: str, winner: str) -> None:
    one = game(HEAD + START + text + "\n")
    assert (one.end, one.winner, names(one)) == (end, winner, [])


# --- what must not be lost or spliced ---------------------------------------------------------------------------------
@pytest.mark.parametrize(("head", "found"), [
    ("変化：２手", "syntax-error"), ("変化：2手目", "syntax-error"), ("変化：2手です", "syntax-error"), ("変化 2手", "unknown-line"),
    ("変化：", "variation-unplaced"), ("変化：手", "variation-unplaced"), ("変化：2", None), ("変化: 2手", None),
])
def test_a_variation_is_never_spliced_into_the_line_before_it(head: str, found: str | None) -> None:
    one = game(HEAD + START + f"   3 ２六歩(27)\n   4 投了\n\n{head}\n   2 ８四歩(83)\n   3 ２六歩(27)\n")
    assert (one.verdict, moves(one), one.variations) == ("legal", "7g7f 3c3d 2g2f", 1)
    assert one.record.lines[1].number == 2 and one.record.lines[1].last - one.record.lines[1].first == 2
    assert found is None or found in names(one)


def test_a_variation_that_cannot_be_placed_is_an_error() -> None:
    one = game(HEAD + START + "変化：x手\n   ２六歩(27)\n*where?\n")
    assert (one.verdict, one.plies) == ("unreadable", 2)
    assert [found.severity for found in one.diagnostics if found.name == "variation-unplaced"] == ["error"]
    one = game(HEAD + START + "変化：\n")
    assert (one.verdict, [(found.name, found.severity) for found in one.diagnostics]) == (
        "legal", [("variation-unplaced", "warning")])


@pytest.mark.parametrize("line", ["３ ２六歩(27)", "第3手　２六歩(27)", "３手目 ☗２六歩(27)", "3. ２六歩(27)", "2六歩(27)"])
def test_a_move_with_another_number_is_no_unknown_line(line: str) -> None:
    one = game(HEAD + START + line + "\n")
    assert (one.verdict, one.plies, names(one)) == ("unreadable", 2, ["unreadable-move"])


@pytest.mark.parametrize(("clock", "found"), [
    ("( 0:-3/00:00:00)", "negative-clock"), ("(-1:00/00:00:00)", "negative-clock"), ("(1分03秒)", "bad-clock"),
    ("( 0:0x/00:00:00)", "bad-clock"),
])
def test_a_clock_that_is_none_costs_the_clock_and_not_the_move(clock: str, found: str) -> None:
    one = game(HEAD + f"   1 ７六歩(77)   {clock}\n   2 ３四歩(33)   ( 0:02/00:00:02)\n")
    assert (moves(one), one.milliseconds, names(one)) == ("7g7f 3c3d", [None, 2000], [found])


@pytest.mark.parametrize("line", ["1 ７六歩(7七)", "1 ７六歩(ab)", "1 ７六歩(777)", "1 ７六ふ(77)"])
def test_an_origin_that_is_none_is_no_clock(line: str) -> None:
    assert names(game(HEAD + line + "\n")) == ["unreadable-move"]


def test_a_mistyped_word_with_a_result_that_is_none() -> None:
    one = game(HEAD + START + "   3 先日手\nまで2手で千日手\n")
    assert (one.end, one.winner, one.record.end and one.record.end.raw) == ("repetition", "draw", "先日手")
    assert names(one) == ["unknown-end"]
    one = game(HEAD + START + "   3 投了\nまで2手で引越し\n")
    assert (one.end, one.winner, names(one)) == ("resign", "white", ["unknown-end"])
