"""Records of shogi-server (floodgate): their summaries outrank the % line, and their comments are data."""
from __future__ import annotations

import pytest

from kifu.notation import read
from kifu.record import Game
from kifu.replay import replay
from tests.notation.texts import of_reading

HEAD = """V2
N+A
N-B
'Max_Moves:256
'Least_Time_Per_Move:0
'Increment:10
$EVENT:wdoor+floodgate-300-10F+A+B+20210405160009
$START_TIME:2021/04/05 16:00:04
P1-KY-KE-GI-KI-OU-KI-GI-KE-KY
P2 * -HI *  *  *  *  * -KA *{0}
P3-FU-FU-FU-FU-FU-FU-FU-FU-FU
P4 *  *  *  *  *  *  *  *  *{0}
P5 *  *  *  *  *  *  *  *  *{0}
P6 *  *  *  *  *  *  *  *  *{0}
P7+FU+FU+FU+FU+FU+FU+FU+FU+FU
P8 * +KA *  *  *  *  * +HI *{0}
P9+KY+KE+GI+KI+OU+KI+GI+KE+KY
+
'rating:A+6b6e46d505f45eee12b22e90e0fd1e5d:B+c9f457ba94a46d05c651216233db6d00
'black_rate:A+6b6e46d505f45eee12b22e90e0fd1e5d:3345.0
'white_rate:B+c9f457ba94a46d05c651216233db6d00:3453.0
+7776FU
T1
'** 30 -3334FU
-3334FU
T2
""".format(" ")
ECHO = """'P1-KY-KE-GI-KI-OU-KI-GI-KE-KY
'P2 * -HI *  *  *  *  * -KA *{0}
'P3-FU-FU-FU-FU-FU-FU * -FU-FU
'P4 *  *  *  *  *  * -FU *  *{0}
'P5 *  *  *  *  *  *  *  *  *{0}
'P6 *  * +FU *  *  *  *  *  *{0}
'P7+FU+FU * +FU+FU+FU+FU+FU+FU
'P8 * +KA *  *  *  *  * +HI *{0}
'P9+KY+KE+GI+KI+OU+KI+GI+KE+KY
'+
""".format(" ")


def game(end: str, summary: str) -> Game:
    [found] = read(f"{HEAD}{end}{ECHO}'summary:{summary}\n'$END_TIME:2021/04/05 16:25:34\n", "csa")
    return replay(found)


@pytest.mark.parametrize(("end", "summary", "reason", "winner", "offender"), [
    ("%TORYO\n", "toryo:A lose:B win", "resign", "white", None),
    ("%TORYO\n", "abnormal:A lose:B win", "abandoned", "white", None),
    ("%TORYO\n", "abnormal:A win:B lose", "abandoned", "black", None),
    ("%TIME_UP\n", "time up:A lose:B win", "timeout", "white", None),
    ("%KACHI\n", "kachi:A win:B lose", "declaration", "black", None),
    ("%KACHI\n", "illegal kachi:A lose:B win", "illegal", "white", "black"),
    ("%SENNICHITE\n", "sennichite:A draw:B draw", "repetition", "draw", None),
    ("", "sennichite:A draw:B draw", "repetition", "draw", None),
    ("", "oute_sennichite:A win:B lose", "perpetual_check", "black", "white"),
    ("", "uchifuzume:A lose:B win", "illegal", "white", "black"),
    ("", "oute_kaihimore:A lose:B win", "illegal", "white", "black"),
    ("", "outori:A win:B lose", "illegal", "black", "white"),
    ("", "illegal move:A lose:B win", "illegal", "white", "black"),
    ("", "max_moves:A draw:B draw", "max_moves", "draw", None),
    ("%TIME_UP\n", "time up:B win:A lose", "timeout", "white", None),  # old servers name the loser first, or the winner
])
def test_every_row_of_the_summary(end: str, summary: str, reason: str, winner: str, offender: str | None) -> None:
    found = game(end, summary)
    claimed = found.record.end
    assert claimed is not None
    assert (found.verdict, found.end, found.winner, claimed.offender) == ("legal", reason, winner, offender)
    assert of_reading(found) == []


@pytest.mark.parametrize(("end", "summary", "reason", "winner"), [
    ("%TORYO\n", "toryo:A win:B lose", "resign", "black"),
    ("%SENNICHITE\n", "toryo:A lose:B win", "resign", "white"),
    ("%KACHI\n", "max_moves:A draw:B draw", "max_moves", "draw"),
])
def test_a_conflict_is_told_and_the_summary_wins(end: str, summary: str, reason: str, winner: str) -> None:
    found = game(end, summary)
    assert (found.end, found.winner) == (reason, winner)
    assert [one.name for one in of_reading(found)] == ["result-conflict"]


def test_a_kind_of_summary_nobody_knows_still_names_the_winner() -> None:
    found = game("%TORYO\n", "weather:A lose:B win")
    assert (found.end, found.winner) == ("resign", "white")
    assert [one.name for one in found.diagnostics] == ["unknown-end"]


def test_the_time_before_a_resignation_stays() -> None:
    claimed = game("%TORYO\nT7\n", "abnormal:A lose:B win").record.end
    assert claimed is not None
    assert claimed.milliseconds == 7000


def test_the_refused_move_is_data() -> None:
    found = game("'ILLEGAL_MOVE(+0055FU)\n", "illegal move:A lose:B win")
    assert (found.verdict, found.plies, found.winner) == ("foul", 2, "white")
    assert found.illegal_move == {"ply": 3, "text": "+0055FU", "usi": "P*5e", "reason": "not-in-hand",
                                  "offender": "black"}
    assert [one.severity for one in found.diagnostics] == ["warning"]


def test_ratings_settings_and_times_are_headers_and_the_echo_is_no_comment() -> None:
    record = game("%TORYO\n", "toryo:A lose:B win").record
    assert record.header("black_rating") == "3345.0"
    assert record.header("white_rating") == "3453.0"
    assert record.header("max_moves") == "256"
    assert record.header("time_control") == "300+0+10"
    assert record.header("start_time") == "2021/04/05 16:00:04"
    assert record.header("end_time") == "2021/04/05 16:25:34"
    assert record.header("summary") == "toryo:A lose:B win"
    assert list(record.comments()) == [(0, "note", "* 30 -3334FU")] or len(list(record.comments())) == 1


def test_the_database_gets_the_ratings() -> None:
    from kifu.store.rows import game_row
    row = game_row(game("%TORYO\n", "toryo:A lose:B win"))
    assert (row.black_rating, row.white_rating, row.time_control) == (3345, 3453, "300+0+10")
