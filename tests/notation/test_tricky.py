"""Inputs that trip readers up: the ones of the format reference that our notations know, named after their number."""
from __future__ import annotations

import pytest

from kifu.notation import detect, read, write
from kifu.notation.packed import HUFFMAN, PACKED_SFEN, Coding
from kifu.record import Game
from kifu.replay import replay
from kifu.rules.handicaps import HANDICAPS
from kifu.rules.move import usi
from kifu.rules.position import Position
from kifu.text import decode
from tests.notation.texts import DIAGRAM, of_reading

HEAD = "手合割：平手\n手数----指手---------消費時間--\n"
START = "   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２二角成(88)\n"


def games(text: str | bytes, notation: str) -> list[Game]:
    return [replay(record) for record in read(text, notation)]


def moves(game: Game) -> str:
    return " ".join(usi(move) for move in game.moves)


def test_01_utf8_names_without_bom() -> None:
    decoded = decode("N+先手\nN-後手\nPI\n+\n".encode())
    record = next(read(decoded.text, "csa"))
    assert (record.header("black"), record.header("white")) == ("先手", "後手")


def test_02_cp932_only_characters() -> None:
    decoded = decode("先手：髙橋①\n手合割：平手\n   1 ７六歩(77)\n".encode("cp932"))
    assert (decoded.encoding, next(read(decoded.text, "kif")).header("black")) == ("cp932", "髙橋①")


def test_03_a_plus_at_the_end_of_a_move_line() -> None:
    [game] = games(HEAD + "   1 ７六歩(77)   ( 0:12/00:00:12)+\n   2 ３四歩(33)+\n", "kif")
    assert moves(game) == "7g7f 3c3d"


def test_04_two_variations_leave_the_main_line_alone() -> None:
    [game] = games(HEAD + START + "   4 投了\n\n変化：3手\n   3 ２六歩(27)\n   4 ８四歩(83)\n\n変化：2手\n   2 ８四歩(83)\n", "kif")
    assert (moves(game), game.variations, game.end) == ("7g7f 3c3d 8h2b+", 2, "resign")
    branches = [[usi(game.proven[index]) for index in range(line.first, line.last)] for line in game.record.lines[1:]]
    assert branches == [["2g2f", "8c8d"], ["8c8d"]]
    assert [line.parent for line in game.record.lines] == [-1, 1, 0]


@pytest.mark.parametrize("line", ["4 同銀(31)", "4 同　銀(31)", "4 同銀　(31)", "4 同 銀(31)"])
def test_05_ways_to_write_same(line: str) -> None:
    [game] = games(HEAD + START + f"   {line}\n", "kif")
    assert moves(game) == "7g7f 3c3d 8h2b+ 3a2b"


def test_06_a_drop_with_an_origin_of_zeros() -> None:
    [game] = games(HEAD + START + "   4 同　銀(31)\n   5 ４五角打(00)\n", "kif")
    assert moves(game).endswith("B*4e")


def test_07_decline_written_out() -> None:
    [game] = games(HEAD + START.replace("角成", "角不成"), "kif")
    assert moves(game) == "7g7f 3c3d 8h2b"
    [one] = game.diagnostics
    assert (one.name, one.severity, one.line, one.column) == ("decline-written", "warning", 5, 6)


def test_08_a_mistyped_end_word() -> None:
    [game] = games(HEAD + "   1 ７六歩(77)\n   2 先日手\n", "kif")
    [one] = game.diagnostics
    assert (one.name, one.severity, one.hint) == ("unknown-end", "error", "did you mean 千日手?")
    assert (game.end, game.winner, game.record.end and game.record.end.raw) == ("other", "unknown", "先日手")


BOARD = DIAGRAM + "手数----指手---------消費時間--\n   1 １二金打\n"


@pytest.mark.parametrize("handicap", ["手合割：詰将棋\n", "手合割：その他\n", "手合割：平手\n", ""])
def test_09_the_board_wins_over_the_handicap(handicap: str) -> None:
    [game] = games(handicap + BOARD.format(white="なし", black="金"), "kif")
    assert (game.verdict, game.plies, game.verified_end) == ("legal", 1, "checkmate")


@pytest.mark.parametrize("hand", ["金四　歩二", "金四歩二", "金四 歩二 ", "金４　歩2", "歩二　金四　"])
def test_10_hands_with_and_without_separators(hand: str) -> None:
    [game] = games(BOARD.format(white="飛二　角", black=hand), "kif")
    assert game.start.split()[2] == "4G2P2rb"


def test_10_the_rest_of_the_set() -> None:
    [game] = games(BOARD.format(white="残り全部", black="金"), "kif")
    assert game.start.split()[2] == "G2r2b3g4s4n4l17p"


def test_11_half_width_colons() -> None:
    record = next(read("先手:甲\n後手 : 乙\n手合割:平手\n   1 76歩(77)\n", "kif"))
    assert (record.header("black"), record.header("white")) == ("甲", "乙")


@pytest.mark.parametrize(("clock", "milliseconds"), [
    ("( 0:7/)", 7000), ("(0:4/0:0:4)", 4000), ("(00:01 / 00:00:01)", 1000), ("( 0:00/00:00:00) ( 0:09/00:00:09)", 0),
    ("(90:00/1:30:00)", 5400000), ("(1:02:03/01:02:03)", 3723000), ("(0:01.5/0:0:1)", 1500), ("（ 0:05/00:00:05）", 5000),
])
def test_12_clocks(clock: str, milliseconds: int) -> None:
    [game] = games(HEAD + f"   1 ７六歩(77)   {clock}\n", "kif")
    assert game.milliseconds == [milliseconds]
    assert [one for one in game.diagnostics if one.severity == "error"] == []


def test_12_a_missing_clock_is_no_zero() -> None:
    [game] = games(HEAD + START, "kif")
    assert game.milliseconds == [None, None, None]
    assert "T0" not in write([game], "csa")


NIFU = ("   1 ２六歩(27)\n   2 ８四歩(83)\n   3 ２五歩(26)\n   4 ８五歩(84)\n   5 ２四歩(25)\n   6 同　歩(23)\n"
        "   7 同　飛(28)\n   8 ９四歩(93)\n   9 １五歩打\n")


@pytest.mark.parametrize("result", ["", "まで9手で後手の勝ち\n", "まで9手で後手の反則勝ち\n", "まで8手で先手の反則負け\n"])
def test_13_the_foul_on_the_record(result: str) -> None:
    [game] = games(HEAD + NIFU + "  10 反則勝ち\n" + result, "kif")
    assert (game.verdict, game.plies, game.end, game.winner) == ("foul", 8, "illegal", "white")
    assert game.record.end is not None and game.record.end.offender == "black"
    assert game.illegal_move is not None
    assert (game.illegal_move["reason"], game.illegal_move["offender"]) == ("nifu", "black")
    assert [one.severity for one in game.diagnostics if one.name == "nifu"] == ["warning"]


@pytest.mark.parametrize(("word", "winner"), [("詰み", "white"), ("詰", "white"), ("投了", "white"), ("反則負け", "white"),
                                              ("反則勝ち", "black")])
def test_15_kif_ends_with_black_to_move(word: str, winner: str) -> None:
    [game] = games(HEAD + "   1 ７六歩(77)\n   2 ３四歩(33)\n   3 " + word + "\n", "kif")
    assert game.winner == winner


@pytest.mark.parametrize(("word", "winner"), [
    ("%+ILLEGAL_ACTION", "white"), ("%-ILLEGAL_ACTION", "black"), ("%ILLEGAL_MOVE", "white"), ("%TSUMI", "white"),
    ("%KACHI", "black"), ("%TIME_UP", "white"), ("%CHUDAN", "none"), ("%SENNICHITE", "draw"), ("%JISHOGI", "draw"),
    ("%HIKIWAKE", "draw"), ("%MAX_MOVES", "draw"), ("%MATTA", "none"), ("%FUZUMI", "none"), ("%ERROR", "unknown"),
    ("%TORYO", "white"),
])
def test_14_15_csa_ends_with_black_to_move(word: str, winner: str) -> None:
    [game] = games(f"V2.2\nPI\n+\n+7776FU\n-3334FU\n{word}\n", "csa")
    assert (game.verdict, game.winner) == ("legal", winner)
    [again] = games(write([game], "csa"), "csa")
    assert (again.end, again.winner) == (game.end, game.winner)
    [kif] = games(write([game], "kif"), "kif")
    assert kif.winner == winner or word in ("%MATTA", "%ERROR")


FLOODGATE = "V2\nN+A\nN-B\nPI\n+\n+7776FU\nT1\n-3334FU\nT1\n{}'summary:{}\n"


def test_16_a_declaration_that_failed() -> None:
    [game] = games(FLOODGATE.format("%KACHI\n", "illegal kachi:A lose:B win"), "csa")
    assert (game.verdict, game.end, game.winner) == ("legal", "illegal", "white")
    text = write([game], "csa")
    assert "%KACHI" not in text and "%ILLEGAL_MOVE" in text


@pytest.mark.parametrize(("summary", "end", "winner"), [
    ("oute_sennichite:A lose:B win", "perpetual_check", "white"), ("max_moves:A draw:B draw", "max_moves", "draw")])
def test_17_ends_without_a_percent_line(summary: str, end: str, winner: str) -> None:
    [game] = games(FLOODGATE.format("", summary), "csa")
    assert (game.end, game.winner, of_reading(game)) == (end, winner, [])


def test_18_several_statements_on_a_line() -> None:
    [game] = games("V2.2\nPI\n+\n+7776FU,T5,-3334FU,T7\n", "csa")
    assert (moves(game), game.milliseconds) == ("7g7f 3c3d", [5000, 7000])


def test_19_three_records() -> None:
    found = games("PI\n+\n+7776FU\n%TORYO\n/\nPI\n+\n+2726FU\n%TORYO\n/\nPI\n+\n+5756FU\n", "csa")
    assert [moves(game) for game in found] == ["7g7f", "2g2f", "5g5f"]
    assert [game.record.line for game in found] == [1, 6, 11]


def test_20_the_rest_of_the_set_in_csa() -> None:
    [game] = games("P-11OU\nP+55HI00KI\nP-00AL\n+\n+0012KI\n", "csa")
    assert game.start.split()[2] == "Gr2b3g4s4n4l18p"


def test_21_board_rows_with_lost_blanks() -> None:
    rows = ("P1-KY-KE-GI-KI-OU-KI-GI-KE-KY\nP2 * -HI* * * * * -KA*\nP3-FU-FU-FU-FU-FU-FU-FU-FU-FU\nP4*********\n"
            "P5 * * * * * * * * *\nP6 *  *  *  *  *  *  *  *  *\nP7+FU+FU+FU+FU+FU+FU+FU+FU+FU\nP8 * +KA * * * * * +HI *\n"
            "P9+KY+KE+GI+KI+OU+KI+GI+KE+KY\n+\n+7776FU\n")
    [game] = games(rows, "csa")
    assert (game.handicap, game.plies) == ("even", 1)


def test_22_milliseconds_survive() -> None:
    [game] = games("V3.0\n$TIME:600+0+10\nPI\n+\n+7776FU\nT6.123\n", "csa")
    assert game.milliseconds == [6123]
    text = write([game], "csa")
    assert "T6.123" in text and "$TIME:600+0+10" in text and text.startswith("'CSA encoding=UTF-8\nV3.0\n")


@pytest.mark.parametrize("text", [
    "7六歩 3四歩 7八金 8四歩 5八金行", "７六歩 ３四歩 ７八金 ８四歩 ５八金行", "76歩34歩78金84歩58金行",
    "▲7六歩△3四歩▲7八金△8四歩▲5八金行",
])
def test_23_ki2_without_signs_and_with_half_width_digits(text: str) -> None:
    assert detect(text).notation == "ki2"
    [game] = games(text, "ki2")
    assert (moves(game), game.diagnostics) == ("7g7f 3c3d 6i7h 8c8d 4i5h", [])


#: Tokins around 8h as the Association draws them: two of the names need two words, dragons know left and right only.
TOKINS = "4k4/9/9/9/9/9/1+P7/+P8/+P+P+P2K3 b - 1"


@pytest.mark.parametrize(("sfen", "written", "expected"), [
    (TOKINS, "▲８八と左上", "9i8h"), (TOKINS, "▲８八と寄", "9h8h"), (TOKINS, "▲８八と引", "8g8h"),
    (TOKINS, "▲８八と左寄", "9h8h"), (TOKINS, "▲８八と直", "8i8h"), (TOKINS, "▲８八と右", "7i8h"),
    (TOKINS, "▲８八と左", "9i8h"),  # as cshogi writes it: of those that share a way, the one on the left
    (TOKINS, "▲８八と上", "ambiguous"),
    ("4k4/9/9/9/9/9/9/9/+R3+R3K b - 1", "▲７九龍左", "9i7i"), ("4k4/9/9/9/9/9/9/9/+R3+R3K b - 1", "▲７九龍右", "5i7i"),
    ("4k4/9/9/9/9/2+R6/3+R5/9/8K b - 1", "▲７七龍", "ambiguous"), ("4k4/9/9/9/9/2+R6/3+R5/9/8K b - 1", "▲７七龍右", "6g7g"),
])
def test_24_two_words_and_dragons(sfen: str, written: str, expected: str) -> None:
    record = next(read(written, "ki2"))
    record.start = sfen
    game = replay(record)
    assert (game.illegal_move["reason"] if game.illegal_move else moves(game)) == expected

def long_game(plies: int) -> list[str]:
    """A legal game without captures: kings that walk up and down, and pawns."""
    walk = ["5i5h", "5a5b", "5h5i", "5b5a", "5i4h", "5a4b", "4h5i", "4b5a", "5i6h", "5a6b", "6h5i", "6b5a"]
    pawns = [f"{file}{a}{file}{b}" for file in "134679" for a, b in ("gf", "cd")]
    found: list[str] = []
    while len(found) < plies:
        found += pawns[:2] + walk[:4] if pawns else walk
        pawns = pawns[2:]
    return found[:plies]


def test_25_an_illegal_move_at_ply_30_of_100() -> None:
    [whole] = games("position startpos moves " + " ".join(long_game(100)), "usi")
    assert (whole.verdict, whole.plies) == ("legal", 100)
    lines = write([whole], "kif").split("\n")
    at = next(number for number, line in enumerate(lines) if line.startswith("  30 "))
    lines[at] = "  30 ５五飛(82)"
    for mode in ("default", "strict", "salvage"):
        [game] = [replay(record, mode=mode) for record in read("\n".join(lines), "kif", mode=mode)]
        assert (game.verdict, game.plies, len(game.keys)) == ("illegal", 29, 30)
        error = next(one for one in game.diagnostics if one.severity == "error")
        assert (error.name, error.line, error.column, error.ply) == ("bad-move", at + 1, 6, 30)
        assert game.illegal_move is not None and game.illegal_move["reason"] == "bad-move"
        assert (game.end, game.record.lines[0].last) == (None, 100)
        assert list(game.moves) == list(whole.moves)[:29]
        assert [one.ply for one in game.diagnostics if one.name == "salvaged"] == [30] * (mode == "salvage")


def test_26_white_moves_first_in_handicap_games() -> None:
    [game] = games('[Handicap "Two pieces"]\n\n1. ... S-4b 2. P-7f\n', "western")
    assert (moves(game), game.handicap) == ("3a4b 7g7f", "2-piece")
    assert "1. ... S3a-4b" in write([game], "western") or "1. ... S-4b" in write([game], "western")
    [kif] = games("手合割：二枚落ち\n上手：甲\n下手：乙\n   1 ４二銀(31)\n   2 ７六歩(77)\n   3 投了\n", "kif")
    assert (moves(kif), kif.handicap, kif.winner) == ("3a4b 7g7f", "2-piece", "black")
    assert (kif.record.header("black"), kif.record.header("white")) == ("乙", "甲")


def test_27_a_plus_with_a_blank_before_it() -> None:
    start = '[SFEN "lnsgkgsnl/1r5b1/pp1pppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b p 1"]\n\n'
    [game] = games(start + "1. B-3c + \nBx3c\n", "western")
    assert moves(game) == "8h3c+ 2b3c", game.diagnostics
    horse = '[SFEN "4k4/9/9/1P+b6/9/9/9/9/4K4 b - 1"]\n\n'
    [game] = games(horse + "1. P-8c +Bx8c\n", "western")
    assert moves(game) == "8d8c 7d8c"
    [game] = games(horse + "1. P-8c + +Bx8c\n", "western")
    assert moves(game) == "8d8c+ 7d8c"


def test_28_sfen_without_a_move_number_and_hands_in_any_order() -> None:
    [game] = games("4k4/9/9/9/9/9/9/9/4K4 b 2PpRb\n", "usi")
    assert game.start == "4k4/9/9/9/9/9/9/9/4K4 b R2Pbp 1"


@pytest.mark.parametrize(("notation", "coding", "packed"), [
    ("psv", PACKED_SFEN, "59a451220cab44fc2ca744385e89f0488457223ca744385689f858468930bc7e"),
    ("hcpe", HUFFMAN, "59a449210c9742fc1c9b42585e85f0288457213c9b42582e85f8382685303c5e"),
])
def test_29_packed_positions_without_two_pieces(notation: str, coding: Coding, packed: str) -> None:
    """The bytes are those of cshogi: the rook and bishop that nobody has stand in the box."""
    sfen = HANDICAPS["2-piece"].sfen
    unpacked = coding.unpack(bytes.fromhex(packed))
    assert (unpacked.sfen, unpacked.boxless) == (sfen.removesuffix(" 1"), False)
    assert coding.pack(Position(sfen)).hex() == packed
    [game] = games(f"position sfen {sfen} moves 3a4b\n", "usi")
    entry = write([game], notation)
    assert entry[:32].hex() == packed
    [again] = games(entry, notation)
    assert (again.start, again.handicap, moves(again)) == (sfen, "2-piece", "3a4b")


def test_30_the_end_from_the_result_line() -> None:
    [game] = games(HEAD + START + "まで3手で先手の勝ち\n", "kif")
    assert (game.end, game.winner) == ("resign", "black")
    [game] = games(HEAD + START, "kif")
    assert (game.end, game.winner) == (None, "unknown")
    [game] = games(HEAD + START + "   4 投了\nまで3手で後手の勝ち\n", "kif")
    assert game.winner == "black"
    assert [one.name for one in game.diagnostics] == ["result-conflict"]


@pytest.mark.parametrize(("first_move", "first_row", "told"), [
    ("１二香(11)", "1nsgkgsnl", []), ("９二香(91)", "lnsgkgsn1", ["three-piece-lance"]), ("４二銀(31)", "1nsgkgsnl", []),
])
@pytest.mark.parametrize("notation", ["kif", "western"])
def test_31_three_pieces_have_two_readings(notation: str, first_move: str, first_row: str, told: list[str]) -> None:
    if notation == "kif":
        text = f"手合割：三枚落ち\n   1 {first_move}\n   2 ７六歩(77)\n"
    else:
        names = {"１二香(11)": "L1a-1b", "９二香(91)": "L9a-9b", "４二銀(31)": "S-4b"}
        text = f'[Handicap "three pieces"]\n\n1. ... {names[first_move]} 2. P-7f\n'
    [game] = games(text, notation)
    assert (game.verdict, game.plies, game.handicap) == ("legal", 2, "3-piece")
    assert game.start == f"{first_row}/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"
    assert [one.name for one in game.diagnostics] == told
    for target in ("kif", "western", "csa", "usi"):  # written so that it has one reading only
        [again] = games(write([game], target), target)
        assert (again.start, list(again.moves)) == (game.start, list(game.moves)), target
        assert [one.name for one in again.diagnostics if one.name != "missing-position"] == [], target


def test_31_neither_reading_is_legal() -> None:
    [game] = games("手合割：三枚落ち\n   1 ９三香(91)\n", "kif")
    assert (game.verdict, [one.name for one in game.diagnostics]) == ("illegal", ["empty-origin"])


@pytest.mark.parametrize("line", ["76歩(77)", "7六歩(77)", "▲７六歩(77)", "７６歩(77)", "☗７六歩(77)"])
def test_32_ways_to_write_a_target(line: str) -> None:
    [game] = games(HEAD + f"   1 {line}\n", "kif")
    assert moves(game) == "7g7f"


def test_33_a_lost_line() -> None:
    """The number jumps and the other side seems to move: nothing behind it is played."""
    [game] = games(HEAD + "   1 ７六歩(77)\n   2 ３四歩(33)\n   4 ８四歩(83)\n   5 ２五歩(26)\n", "kif")
    assert (game.verdict, game.plies) == ("illegal", 2)
    assert [(one.name, one.severity, one.line) for one in game.diagnostics] == [
        ("number-jump", "warning", 5), ("wrong-side", "error", 5)]
    assert game.diagnostics[0].hint == "a line may be missing"


@pytest.mark.parametrize("text", [
    HEAD.replace("\n", "\r") + "   1 ７六歩(77)\r   2 ３四歩(33)", "\ufeff" + HEAD + "   1 ７六歩(77)\n   2 ３四歩(33)",
    "\u200b" + HEAD + "   1 ７六歩(77)\n   2 ３四歩(33)\n",
    HEAD.replace("\n", "\r\r\n") + "   1 ７六歩(77)\r\n   2 ３四歩(33)\n\n\r\n",
    "\u200b#KIF version=2.0 encoding=UTF-8\r" + HEAD + "1 ７六歩(77)\r\n2 ３四歩(33)\r",
])
def test_34_line_ends_boms_and_blanks_in_kif(text: str) -> None:
    decoded = decode(text.encode())
    assert detect(decoded.text).notation == "kif"
    [game] = games(decoded.text, "kif")
    assert (game.verdict, moves(game)) == ("legal", "7g7f 3c3d")


@pytest.mark.parametrize("text", [
    "V2.2\rPI\r+\r+7776FU\r-3334FU", "\ufeffV2.2\nPI\n+\n+7776FU\n-3334FU", "\u200bV2.2\nPI\n+\n+7776FU\n-3334FU\n",
    "V2.2\r\r\nPI\r\r\n+\r\r\n+7776FU\r\n-3334FU\r\n", "  V2.2\n  PI\n  +\n  +7776FU\n\t-3334FU\n\n\n",
])
def test_34_line_ends_boms_and_blanks(text: str) -> None:
    decoded = decode(text.encode())
    assert detect(decoded.text).notation == "csa"
    [game] = games(decoded.text, "csa")
    assert (game.verdict, moves(game)) == ("legal", "7g7f 3c3d")


def test_unknown_headers_keep_their_order_and_spelling() -> None:
    record = next(read("手合割：平手\n変な見出し：値１\nさらに：\n変な見出し：値２\n   1 ７六歩(77)\n", "kif"))
    assert record.headers[1:] == [("変な見出し", "値１"), ("さらに", ""), ("変な見出し", "値２")]


def test_concatenated_kif_games() -> None:
    one = HEAD + START + "   4 投了\nまで3手で先手の勝ち\n"
    found = games(one + "\n" + one + "\n#KIF version=2.0\n" + one, "kif")
    assert [moves(game) for game in found] == ["7g7f 3c3d 8h2b+"] * 3
