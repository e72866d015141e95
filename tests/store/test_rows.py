"""Games of real notations as rows: every column from what was written, moves and keys from what was proven."""
from __future__ import annotations

import datetime
import pickle
import random
import subprocess
import sys
from array import array

import pytest

from kifu.diagnostics import make
from kifu.notation import read
from kifu.notation.annotations import evaluation_of
from kifu.record import Game
from kifu.replay import replay
from kifu.rules.move import usi
from kifu.store import columns, moves
from kifu.store.rows import NO_EVAL, Comments, file_reject, game_hash, game_row, reject_row

CSA = """\
'CSA encoding=UTF-8
V3.0
N+先手 太郎
N-Gote
'black_rate:先手 太郎+hash:2593.6
'white_rate:Gote:1800.0
$EVENT:第1回 テスト戦
$SITE:東京
$START_TIME:2024/01/05 10:00:00
$TIME_LIMIT:00:15+60
PI
+
+7776FU,T12.345
'*角道
'またひとつ
-3334FU
+8822UM,T0
-3122GI,T61
%TORYO
"""

KIF_NIFU = """\
手合割：平手
先手：A
後手：B
手数----指手---------消費時間--
   1 ２六歩(27)   ( 0:01/00:00:01)
   2 ８四歩(83)   ( 0:02/00:00:02)
   3 ２五歩(26)   ( 0:01/00:00:02)
   4 ８五歩(84)   ( 0:01/00:00:03)
   5 ２四歩(25)   ( 0:01/00:00:03)
   6 同　歩(23)   ( 0:01/00:00:04)
   7 同　飛(28)   ( 0:01/00:00:04)
   8 ８六歩(85)   ( 0:01/00:00:05)
   9 ７五歩打     ( 0:01/00:00:05)
"""


def proven(text: str, notation: str) -> list[Game]:
    return [replay(record, keys=True) for record in read(text, notation)]


def test_every_column_of_a_game() -> None:
    (game,) = proven(CSA, "csa")
    row = game_row(game, offset=1234)
    assert row._replace(moves=b"", keys=b"", clock=None, comments=None, game_hash=b"") == row._replace(
        source_offset=1234, game_hash=b"", variant="shogi", handicap="even", start_sfen=None, black="先手 太郎",
        white="Gote", black_rating=2594, white_rating=1800, event="第1回 テスト戦", site="東京",
        date=datetime.date(2024, 1, 5), date_precision="day", time_control="00:15+60", result=-1 if row.plies % 2 == 0
        else 1, end="resign", verified_end=None, verified_winner=None, illegal_move=None, illegal_reason=None, plies=4,
        moves=b"", keys=b"", clock=None, comments=None)
    assert [moves.usi(code) for code in moves.decode(row.moves)] == ["7g7f", "3c3d", "8h2b+", "3a2b"]
    assert array("q", row.keys) == game.keys
    assert row.clock is not None
    assert list(array("q", row.clock)) == [12_345, -1, 0, 61_000]
    assert row.comments is not None
    before, first = row.comments.texts()  # nothing is kept behind the last comment
    assert first == "角道\nまたひとつ"
    assert "black_rate" not in (before or "")  # a header, and so a column
    assert game.record.header("black_rate") is not None


def test_a_bare_move_list_has_nothing_but_moves() -> None:
    (game,) = proven("position startpos moves 7g7f 3c3d", "usi")
    row = game_row(game)
    given = {name for name, value in row._asdict().items() if value is not None}
    assert given <= {"source_offset", "game_hash", "variant", "handicap", "plies", "moves", "keys", "tags", "end"}


GRADED = """\
開始日時：2024/01/05
棋戦：王位戦
持ち時間：各10分
秒読み：30秒
手合割：平手
先手：羽生善治 九段
後手：谷川浩司王位
手数----指手---------消費時間--
   1 ７六歩(77)
**評価値=30
   2 ３四歩(33)
   3 ２六歩(27)
*感想
*-55
*▲２六歩(27) △８四歩
"""


def test_grades_time_and_evaluations() -> None:
    """The names keep what the record says; what engines said of a position stands with the ply that led to it."""
    (game,) = proven(GRADED, "kif")
    row = game_row(game)
    assert (row.black, row.black_grade, row.black_grade_rank) == ("羽生善治 九段", "九段", 109)
    assert (row.white, row.white_grade, row.white_grade_rank) == ("谷川浩司王位", "王位", 110)
    assert (row.time_control, row.main_seconds, row.byoyomi_seconds, row.increment_seconds) == ("各10分", 600, 30, 0)
    assert row.evals is not None
    assert list(array("h", row.evals)) == [30, NO_EVAL, -55]


@pytest.mark.parametrize(("comments", "evals"), [
    (["'** 508 +4645FU", "", "'**-12"], [508, None, -12]),
    (["'** 508 +4645FU\n'** 12 -3334FU", "'**-40000 +2726FU", "'** +7 #12"], [508, -30000, 7]),  # the first counts
    (["'* plain words", "'*5 moves ahead", "'** 123456789"], [None, None, 30000]),  # one star marks words
    (["'** 1234567890", "", ""], [None, None, None]), (["'*10秒", "'*+", "'*"], [None, None, None]),
    (["'** 1 +7776FU", "'*#形勢[-40]", ""], [1, -40, None]),  # two forms
])
def test_evaluations(comments: list[str], evals: list[int | None]) -> None:
    moves = "\n".join(f"{move}\n{comment}" for move, comment in zip(["+7776FU", "-3334FU", "+2726FU"], comments, strict=True))
    (game,) = proven(f"V2.2\nPI\n+\n'** 99 +7776FU\n{moves}\n", "csa")
    found = game_row(game).evals
    assert found == (array("h", [NO_EVAL if value is None else value for value in evals]).tobytes() if any(evals) else None)


def test_evaluations_are_those_of_the_annotations() -> None:
    """The quick way of CSA's form and the general one say the same of every line, however odd."""
    dice = random.Random(6)
    pieces = ["*", "**", "'", " ", "\t", "+", "-", "3", "120", "99999", "0000000001", "+7776FU", "#12", "x", "評価値", "詰"]
    for _ in range(300):
        lines = ["".join(dice.choices(pieces, k=dice.randint(1, 6))) for _ in range(3)]
        (game,) = proven("PI\n+\n" + "".join(f"{move}\n'*{line}\n" for move, line in zip(["+7776FU", "-3334FU", "+2726FU"], lines, strict=True)), "csa")
        told = evaluation_of(game.record)
        found = game_row(game).evals
        assert [None if value == NO_EVAL else value for value in array("h", found or array("h", [NO_EVAL] * game.plies).tobytes())] == [
            told.get(index) for index in range(game.plies)], lines


def test_own_starts_of_handicaps_are_not_repeated() -> None:
    lance = "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"
    other = "4k4/9/9/9/9/9/9/9/4K4 b RB 1"
    rows = [game_row(game) for start in (lance, other) for game in proven(f"position sfen {start}", "usi")]
    assert [(row.handicap, row.start_sfen, row.plies) for row in rows] == [("lance", None, 0), ("other", other, 0)]


def test_the_hash_is_fixed() -> None:
    """Part of the file format: databases are asked with it which games they hold."""
    (game,) = proven("position startpos moves 7g7f 3c3d", "usi")
    assert game_row(game).game_hash.hex() == "e9f8a0afef438f2c0666d52393412a00"


def test_the_hash_is_of_variant_start_and_moves() -> None:
    codes = moves.encode([1, 2])
    start = "4k4/9/9/9/9/9/9/9/4K4 b RB"
    assert game_hash("shogi", f"{start} 1", codes) == game_hash("shogi", f"{start} 57", codes)
    different = {game_hash("shogi", start, codes), game_hash("minishogi", start, codes),
                 game_hash("shogi", start.replace("b", "w"), codes), game_hash("shogi", start, codes[:2])}
    assert len(different) == 4


def test_a_foul_is_kept_apart() -> None:
    (game,) = proven(KIF_NIFU + "  10 反則勝ち     ( 0:01/00:00:06)\n", "kif")
    assert game.verdict == "foul"
    row = game_row(game)
    assert (row.plies, row.end, row.result) == (8, "illegal", -1)
    assert (row.illegal_move, row.illegal_reason) == ("P*7e", "nifu")


def test_an_illegal_game_is_a_reject_with_its_line() -> None:
    (game,) = proven(KIF_NIFU, "kif")
    assert game.verdict == "illegal"
    with pytest.raises(ValueError, match="illegal"):
        game_row(game)
    row = reject_row(game, offset=77)
    assert (row.source_offset, row.game_no, row.line, row.ply, row.code) == (77, 1, 13, 9, "K404")
    assert row.text == "   9 ７五歩打     ( 0:01/00:00:05)"
    assert row.col and row.message


def test_an_unreadable_game_is_a_reject() -> None:
    (game,) = proven("PI\n+\n+7776FU\n-33X4FU\n", "csa")
    assert game.verdict == "unreadable"
    row = reject_row(game)
    assert (row.line, row.text) == (4, "-33X4FU")
    assert row.code.startswith("K2")


def test_a_long_line_is_quoted_around_its_fault() -> None:
    (game,) = proven("PI\n+\n+7776FU\n-33" + "X" * 10_000 + "\n", "csa")
    text = reject_row(game).text
    assert text is not None
    assert text.startswith("-33X") and len(text) <= 400


def test_a_file_without_a_game_is_a_reject() -> None:
    row = file_reject(make("no-game", 0, 0, why="the file is empty").placed(1, 1), "x" * 10_000)
    assert (row.game_no, row.code, row.line, row.col) == (None, "K204", 1, 1)
    assert len(row.text or "") == 400


def test_what_utf_8_cannot_hold_is_replaced() -> None:
    (game,) = proven(CSA.replace("Gote", "bad \udc81 name").replace("角道", "\ud800"), "csa")
    row = game_row(game)
    assert row.white == "bad \ufffd name"
    assert row.comments is not None and "\ufffd" in (row.comments.texts()[1] or "")
    "".join(text for text in [row.white, *row.comments.texts()] if text).encode()


@pytest.mark.parametrize("text", ["plain", "将棋", "both 将棋", ""])
def test_comments_of_the_main_line(text: str) -> None:
    """Those of one place are joined; a place without one is None; those of variations are left out."""
    headers = "手合割：平手\n"
    told = f"{headers}*{text}\n*b\n1 ７六歩(77)\n2 ３四歩(33)\n*{text}\n3 ２六歩(27)\n*c\n*\n変化：2手\n2 ８四歩(83)\n*never\n"
    (game,) = proven(told, "kif")
    row = game_row(game)
    assert row.comments is not None
    assert row.comments.texts() == [f"{text}\nb", None, text, "c\n"]
    assert row.comments == Comments.of(row.comments.texts())


def test_comments_in_no_order() -> None:
    """By place, those at one place as they stand; what stands behind the main line's last move is no part of it."""
    text = "cadx 将 "
    notes = array("q", [0, 2, 0, 1, 0, 0, 1, 2, 0, 2, 2, 3, 0, 3, 3, 4, 1, 1, 4, 8])
    marks = {0: ("comment", 0, 0), 1: ("comment", -1, 0)}
    assert columns.comments(text, notes, marks, 2) == (*Comments.of(["a", "将", "c\nd"]), "a")
    assert columns.comments(text, notes, marks, 0) == (*Comments.of(["a"]), "a")
    assert columns.comments(text, notes[12:16], marks, 2) is None


def test_keys_are_needed() -> None:
    (record,) = read("position startpos moves 7g7f", "usi")
    with pytest.raises(ValueError, match="keys"):
        game_row(replay(record, keys=False))


def test_rows_are_small_and_workers_import_no_database() -> None:
    (game,) = proven(CSA, "csa")
    assert len(pickle.dumps(game_row(game))) < 1500
    assert [usi(move) for move in game.moves]
    code = "import sys, kifu.store.rows; print([m for m in ('duckdb', 'pyarrow', 'numpy') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
