"""Logs of clients of the CSA server protocol, and records of 81Dojo."""
from __future__ import annotations

import pytest

from kifu.notation import detect, read
from kifu.record import Game
from kifu.replay import replay
from kifu.rules.move import usi

LOG = """BEGIN Game_Summary
Protocol_Version:1.2
Protocol_Mode:Server
Format:Shogi 1.0
Declaration:Jishogi 1.1
Game_ID:20150505-CSA25-3-5-7
Name+:Anna
Name-:Ben
Your_Turn:-
Rematch_On_Draw:NO
To_Move:+
Max_Moves:256
BEGIN Time
Time_Unit:1sec
Total_Time:1500
Byoyomi:0
Increment:10
Least_Time_Per_Move:0
END Time
BEGIN Position
PI
{turn}
END Position
END Game_Summary
START:20150505-CSA25-3-5-7
+7776FU,T12
-3334FU,T6
"""
DOJO = """V2
N+Anna
N-Ben
To_Move:+
$EVENT:EARTH+nr_Anna-600-30+Anna+Ben+20200626125026
I+1249,840,x2|81WS
I-*1154,392,x2|ADR
$START_TIME:2020/06/26 12:50:26
PI
+
'rating:Anna:Ben
+7776FU
T6
-3334FU
T27
+7675FU
T4
"""


def game(text: str) -> Game:
    assert detect(text).notation == "csa"
    [record] = read(text, "csa")
    return replay(record)


def names(found: Game) -> set[str]:
    return {one.name for one in found.diagnostics}


@pytest.mark.parametrize("turn", ["+", ""])
def test_a_log_is_read_as_its_game(turn: str) -> None:
    found = game(LOG.format(turn=turn) + "%TORYO,T8\n#RESIGN\n#WIN\n")
    record = found.record
    assert [usi(move) for move in found.moves] == ["7g7f", "3c3d"]
    assert (found.verdict, found.milliseconds, found.end, found.winner) == ("legal", [12000, 6000], "resign", "white")
    assert (record.header("black"), record.header("white")) == ("Anna", "Ben")
    assert (record.header("time_control"), record.header("max_moves")) == ("1500+0+10", "256")
    assert names(found) == {"server-log", "foreign-end", "end-repeated"}


@pytest.mark.parametrize(("words", "end", "winner"), [
    ("#RESIGN\n#WIN\n", "resign", "white"), ("#TIME_UP\n#WIN\n", "timeout", "white"),
    ("#SENNICHITE\n#DRAW\n", "repetition", "draw"), ("#OUTE_SENNICHITE\n#LOSE\n", "perpetual_check", "black"),
    ("#ILLEGAL_MOVE\n#WIN\n", "illegal", "white"), ("#ILLEGAL_MOVE\n#LOSE\n", "illegal", "black"),
    ("%KACHI\n#JISHOGI\n#LOSE\n", "declaration", "black"), ("#CHUDAN\n", "interrupted", "none"),
    ("#MAX_MOVES\n#CENSORED\n", "max_moves", "draw"), ("#DRAW\n", "draw", "draw"), ("#WIN\n", "other", "white"),
    ("#SENTE_WIN\n", "other", "black"),
])
def test_words_of_the_protocol(words: str, end: str, winner: str) -> None:
    found = game(LOG.format(turn="+") + words)
    assert (found.end, found.winner) == (end, winner)
    assert "result-conflict" not in names(found)


def test_a_result_that_contradicts_the_end_is_told() -> None:
    found = game(LOG.format(turn="+") + "%TORYO\n#LOSE\n")
    assert (found.winner, "result-conflict" in names(found)) == ("white", True)


def test_times_for_each_side() -> None:
    text = LOG.format(turn="+").replace("BEGIN Time\n", "BEGIN Time+\nTotal_Time:60\nEND Time+\nBEGIN Time-\n").replace(
        "END Time\n", "END Time-\n")
    record = game(text).record
    assert (record.header("black_time_control"), record.header("white_time_control")) == ("60+0+0", "1500+0+10")
    assert record.header("time_control") is None


def test_two_logs_are_two_games() -> None:
    one = LOG.format(turn="+") + "%TORYO\n#RESIGN\n#WIN\n"
    found = [replay(record) for record in read(one + one, "csa")]
    assert [len(one.moves) for one in found] == [2, 2]
    assert [one.record.header("black") for one in found] == ["Anna", "Anna"]


def test_a_field_nobody_knows_is_told() -> None:
    found = game(LOG.format(turn="+").replace("Format:", "Weather:"))
    assert "unknown-line" in names(found)
    assert found.record.header("Weather") is None


def test_81dojo() -> None:
    found = game(DOJO + "#RESIGN\n#SENTE_WIN\n")
    record = found.record
    assert (found.plies, found.end, found.winner) == (3, "resign", "black")
    assert (record.header("black_rating"), record.header("white_rating")) == ("1249", "1154")
    assert record.header("time_control") == "600+30+0"
    assert record.header("I+") == "1249,840,x2|81WS"
    assert names(found) == {"server-log", "foreign-end"}


def test_a_foul_of_81dojo_stands_among_the_moves() -> None:
    found = game(DOJO + "-3334FU\nT2\n'ILLEGAL_MOVE(-3334FU)\n#ILLEGAL_MOVE\n#SENTE_WIN\n")
    assert (found.verdict, found.plies, found.end, found.winner) == ("foul", 3, "illegal", "black")
    assert found.illegal_move is not None
    assert (found.illegal_move["text"], found.illegal_move["offender"]) == ("-3334FU", "white")
    assert found.record.foul is None


def test_every_log_of_the_corpus_is_a_game(shared: object) -> None:
    from pathlib import Path

    from kifu.text import decode
    folder = Path(str(shared)) / "corpus" / "csa"
    logs = [text for path in sorted(folder.rglob("*.csa"))
            if (text := decode(path.read_bytes()).text).lstrip().startswith("BEGIN Game_Summary")]
    assert len(logs) >= 20
    for text in logs:
        for record in read(text, "csa"):
            found = replay(record)
            assert found.verdict == "legal", (text, found.diagnostics)
            assert record.header("black")
