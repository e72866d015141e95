"""CSA as it is written: the version it needs, headers, evaluations and ends that other notations hold."""
from __future__ import annotations

import pytest

from kifu.notation import read, write, writer
from kifu.notation.annotations import evaluation_of
from kifu.notation.csa_writer import escaped, time_line
from kifu.record import Game
from kifu.replay import replay

HEAD = "手合割：平手\n手数----指手---------消費時間--\n"
MOVES = "   1 ７六歩(77)\n   2 ３四歩(33)\n"


def game(text: str, notation: str) -> Game:
    [record] = read(text, notation)
    return replay(record)


def again(found: Game, notation: str = "csa") -> Game:
    return game(write([found], notation), notation)


@pytest.mark.parametrize(("text", "version"), [
    ("V2.2\nPI\n+\n+7776FU\nT1\n", "V2.2\n"),
    ("V3.0\nPI\n+\n+7776FU\nT1\n", "V2.2\n"),
    ("V3.0\nPI\n+\n+7776FU\nT1.5\n", "'CSA encoding=UTF-8\nV3.0\n"),
    ("V3.0\n$TIME:60+0+1\nPI\n+\n+7776FU\n", "'CSA encoding=UTF-8\nV3.0\n"),
    ("V3.0\n$TIME+:60+0+1\nPI\n+\n+7776FU\n", "'CSA encoding=UTF-8\nV3.0\n"),
    ("V3.0\n$NOTE:a\\nb\nPI\n+\n+7776FU\n", "'CSA encoding=UTF-8\nV3.0\n"),
    ("V2\nPI\n+\n+7776FU\n'** 30 -3334FU\n", "'CSA encoding=UTF-8\nV3.0\n"),
    ("V2\nPI\n+\n+7776FU\n%MAX_MOVES\n", "'CSA encoding=UTF-8\nV3.0\n"),
    ("V2\nPI\n+\n+7776FU\n'a remark\n%TORYO\nT3\n", "V2.2\n"),
])
def test_the_oldest_version_that_holds_the_record(text: str, version: str) -> None:
    assert write([game(text, "csa")], "csa").startswith(version)


def test_writing_what_was_read_from_csa_gives_the_same_text() -> None:
    text = ("'CSA encoding=UTF-8\nV3.0\nN+A\nN-B\n$EVENT:x\n$TIME:60+0+1.5\n$FOO:bar\n$EMPTY:\n$NOTE:one\\ntwo \\\\n\nPI\n+\n"
            "'before\n+7776FU\nT1.25\n'** 30 -3334FU #12\n'*remark\n'plain\n%TORYO\nT0\n")
    assert write([game(text, "csa")], "csa") == text


FLOODGATE = ("V2\nN+A\nN-B\n'Max_Moves:256\n'Increment:10\n$EVENT:wdoor+floodgate-300-10F+A+B+20210405160009\n"
             "$START_TIME:2021/04/05 16:00:04\nPI\n+\n'black_rate:A+f1:3345.0\n+7776FU\nT1\n-3334FU\nT2\n{}"
             "'summary:{}\n'$END_TIME:2021/04/05 16:25:34\n")


@pytest.mark.parametrize(("end", "summary"), [
    ("%TORYO\n", "toryo:A lose:B win"), ("%TORYO\n", "abnormal:A win:B lose"), ("%TORYO\n", "abnormal:A lose:B win"),
    ("%KACHI\n", "illegal kachi:A lose:B win"), ("", "oute_sennichite:A win:B lose"), ("", "uchifuzume:A win:B lose"),
    ("'ILLEGAL_MOVE(+0055FU)\n", "illegal move:A lose:B win"), ("", "max_moves:A draw:B draw")])
def test_floodgate_comes_back_whole(end: str, summary: str) -> None:
    first = game(FLOODGATE.format(end, summary), "csa")
    second = again(first)
    assert (second.verdict, second.end, second.winner, second.illegal_move) == (
        first.verdict, first.end, first.winner, first.illegal_move)
    assert write([second], "csa") == write([first], "csa")
    for found in (first, second):
        found.record.headers.sort()
        assert found.record.headers.pop()[0] == "version"
    assert second.record.headers == first.record.headers
    target = writer("csa")
    target.write(first)
    assert target.losses == {}


def test_ratings_and_settings_by_way_of_kif() -> None:
    record = again(again(game(FLOODGATE.format("%TORYO\n", "toryo:A lose:B win"), "csa"), "kif")).record
    assert record.header("black_rating") == "3345.0"
    assert record.header("time_control") == "300+0+10"
    assert [key for key, _ in record.headers].count("black_rating") == 1


def test_ratings_of_other_notations_are_written_as_floodgate_does() -> None:
    found = game('[Sente "A"]\n[Gote "B"]\n[SenteRating "1500"]\n\n1. P-7f\n', "western")
    assert "'black_rate:A:1500\n" in write([found], "csa")
    assert again(found).record.header("black_rating") == "1500"


def test_headers_that_csa_has_no_key_for_come_back() -> None:
    found = game("表題：題\n変な見出し：値\n空：\n備考：一\\二\n最大手数：256\n" + HEAD + MOVES, "kif")
    back = again(again(found), "kif").record
    for name, value in (("title", "題"), ("note", "一\\二"), ("max_moves", "256")):
        assert back.header(name) == value
    assert back.header("$変な見出し") == "値" or back.header("変な見出し") == "値"


@pytest.mark.parametrize(("value", "line"), [
    ("300+0+10", "$TIME:300+0+10"), ("900+60+0", "$TIME_LIMIT:00:15+60"), ("901+0+0", "$TIME:901+0+0"),
    ("0.5+1+0", "$TIME:0.5+1+0"), ("00:25+00", "$TIME_LIMIT:00:25+00"), ("各6時間", "$TIME_LIMIT:各6時間")])
def test_time_settings(value: str, line: str) -> None:
    assert time_line(value) == line


def test_notes_of_several_lines() -> None:
    assert escaped("a\nb\\n") == "a\\nb\\\\n"


def test_no_clock_is_invented() -> None:
    assert "T" not in write([game(HEAD + MOVES, "kif")], "csa").partition("PI")[2]


def test_evaluations_of_kif_become_comments_of_version_3() -> None:
    found = game(HEAD + "   1 ７六歩(77)\n**評価値=8\n**読み筋=△３四歩▲２二角成△同　銀▲４五角△９九王\n**ノード数=885\n"
                 "   2 ３四歩(33)\n**詰み=後手勝ち:5手\n", "kif")
    text = write([found], "csa")
    assert "'** 8 -3334FU +8822UM -3122GI +0045KA #885\n" in text
    assert "'**評価値=8\n" in text  # what the evaluation came from says more, so it stays
    assert "'** -29995\n" in text
    assert evaluation_of(again(found).record) == evaluation_of(found.record) == {0: 8, 1: -29995}
    assert write([again(again(found), "kif")], "csa") == text  # nothing is added a second time


def test_a_variation_in_place_of_the_move_played() -> None:
    found = game(HEAD + "   1 ７六歩(77)\n*30\n*▲２六歩(27)△８四歩(83)\n" + MOVES.partition("\n")[2], "kif")
    assert "'** 30 +2726FU -8384FU\n" in write([found], "csa")


@pytest.mark.parametrize(("notation", "text", "word", "raw"), [
    ("kif", HEAD + MOVES + "   3 封じ手\n", "%CHUDAN", "'*封じ手"), ("kif", HEAD + MOVES + "   3 不戦敗\n", "%CHUDAN", "'*不戦敗"),
    ("kif", HEAD + MOVES + "   3 トライ\n", "%KACHI", "'*トライ")])
def test_ends_that_csa_lacks(notation: str, text: str, word: str, raw: str) -> None:
    target = writer("csa")
    assert target.write(game(text, notation)).endswith(f"{raw}\n{word}\n")
    assert target.losses["end"] == 1


@pytest.mark.parametrize(("notation", "text", "foul"), [
    ("kif", HEAD + MOVES + "   3 ２五歩(27)\n   4 反則勝ち\n", "+2725FU"),
    ("kif", HEAD + MOVES + "   3 ５五歩打\n   4 反則勝ち\n", "+0055FU"),
])
def test_the_foul_that_ended_a_game_is_kept(notation: str, text: str, foul: str) -> None:
    found = game(text, notation)
    target = writer("csa")
    assert f"'ILLEGAL_MOVE({foul})\n%ILLEGAL_MOVE\n" in target.write(found)
    assert target.losses == {}
    back = again(found)
    assert (back.verdict, back.winner, back.plies) == (found.verdict, found.winner, found.plies)


def test_the_number_of_the_first_move_is_lost() -> None:
    target = writer("csa")
    target.write(game("position sfen 4k4/9/9/9/9/9/9/9/4K4 b - 31", "usi"))
    assert target.losses == {"number of the first move": 1}
