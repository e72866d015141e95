"""Comments that carry analysis, in the forms of the programs that write them."""
from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kifu
from kifu.notation import read, write
from kifu.notation.annotations import MATE, Annotation, annotations, evaluation_of
from kifu.record import Record
from kifu.replay import replay

HEAD = "手合割：平手\n手数----指手---------消費時間--\n"
MOVES = ("   1 ７六歩(77)\n", "   2 ３四歩(33)\n", "   3 ２六歩(27)\n", "   4 ８四歩(83)\n", "   5 ２五歩(26)\n")


def kif(*comments: str) -> Record:
    return next(read(HEAD + "".join(move + comment for move, comment in zip(MOVES, comments, strict=False)), "kif"))


def csa(comments: str) -> Record:
    return next(read(f"V3.0\nPI\n+\n+7776FU\nT1\n{comments}-3334FU\nT1\n", "csa"))


def test_floodgate_with_the_reply_expected() -> None:
    [one] = annotations(csa("'** 30 -3334FU +2726FU #1234\n"))
    assert one == Annotation(0, 1, 30, nodes=1234, variation="-3334FU +2726FU", moves=("-3334FU", "+2726FU"), behind=0,
                             raw="* 30 -3334FU +2726FU #1234", form="csa")


def test_a_variation_that_begins_with_the_move_played() -> None:
    [one] = annotations(csa("'** 30 +7776FU -3334FU\n"))
    assert (one.move, one.behind, one.moves) == (0, -1, ("+7776FU", "-3334FU"))


def test_repeated_lines_are_variations_one_to_three() -> None:
    found = annotations(csa("'** 30 -3334FU\n'** 25 -8384FU\n'** -5\n"))
    assert [(one.rank, one.evaluation) for one in found] == [(1, 30), (2, 25), (3, -5)]


def test_variations_stop_at_the_first_word_that_is_no_move() -> None:
    [one] = annotations(csa("'** -31 -3334FU +PASS %TORYO joseki -8384FU\n"))
    assert one.moves == ("-3334FU", "+PASS", "%TORYO")
    assert one.variation == "-3334FU +PASS %TORYO joseki -8384FU"


@pytest.mark.parametrize("comment", ["'** \n", "'*30 seconds\n", "'30\n", "'** about 30\n", "'*読み筋と評価値\n", "'** 1.5\n"])
def test_other_comments_are_no_annotations(comment: str) -> None:
    assert annotations(csa(comment)) == []


def test_a_score_of_a_clients_own_log() -> None:
    [one] = annotations(csa("'* 30 -3334FU +2726FU\n"))
    assert (one.evaluation, one.moves) == (30, ("-3334FU", "+2726FU"))


def test_shogihome() -> None:
    record = kif("*互角\n**評価値=8\n**読み筋=△４三銀▲７八金\n**深さ=5\n**ノード数=885\n**エンジン=usi-csa-bridge\n",
                 "*#評価値=-300\n*#読み筋=▲７七角△９四歩\n")
    first, second = annotations(record)
    assert first[:6] == (0, 1, 8, None, 5, 885)
    assert (first.moves, first.behind, first.engine) == (("△４三銀", "▲７八金"), 0, "usi-csa-bridge")
    assert (second.move, second.evaluation, second.form) == (1, -300, "shogihome-research")
    assert record.comments_of(0)[0] == "互角"


@pytest.mark.parametrize(("line", "evaluation", "mate"), [
    ("**詰み=先手勝ち:5手", None, 5), ("**詰み=後手勝ち:12手", None, -12), ("**詰み=先手勝ち", MATE, None),
    ("*#詰み=後手勝ち", -MATE, None)])
def test_mates_of_shogihome(line: str, evaluation: int | None, mate: int | None) -> None:
    [one] = annotations(kif(line + "\n"))
    assert (one.evaluation, one.mate) == (evaluation, mate)


def test_shogigui_with_several_candidates() -> None:
    record = kif("**解析 0 ○ 候補1 時間 00:02.9 深さ 18/27 ノード数 4,430,270 評価値 -103 読み筋 △８四歩(83) ▲２六歩(27)\n"
                 "**解析 0 ○ 候補2 時間 00:02.9 深さ 17/25 ノード数 4430270 評価値 -110↑ 読み筋 △３四歩(33)\n")
    first, second = annotations(record)
    assert (first.rank, first.evaluation, first.depth, first.nodes) == (1, -103, 18, 4430270)
    assert (second.rank, second.evaluation, second.moves) == (2, -110, ("△３四歩(33)",))
    assert evaluation_of(record) == {0: -103}


def test_shogidokoro_is_calibrated_by_the_file() -> None:
    black = kif(*(f"*{value}\n*{sign}７八金(69)\n" for value, sign in ((50, "▲"), (55, "△"), (40, "▲"), (62, "△"))))
    mover = kif(*(f"*{value}\n*{sign}７八金(69)\n" for value, sign in ((50, "▲"), (-55, "△"), (40, "▲"), (-62, "△"))))
    expected = {0: 50, 1: 55, 2: 40, 3: 62}
    assert evaluation_of(black) == evaluation_of(mover) == expected
    assert evaluation_of(mover, "black") == {0: 50, 1: -55, 2: 40, 3: -62}
    assert evaluation_of(black, "mover") == {0: 50, 1: -55, 2: 40, 3: -62}
    assert {one.behind - one.move for one in annotations(mover)} == {-1}


def test_mates_of_shogidokoro() -> None:
    first, second = annotations(kif("*+Mate:5\n*▲７八金(69)\n", "*-Mate 4\n*△７八金(69)\n"))
    assert (first.mate, second.mate) == (5, 4)  # by Black: the second is told from White's side
    assert evaluation_of(kif("*+Mate:5\n*▲７八金(69)\n")) == {0: MATE - 5}


def test_k_shogi_and_kishin() -> None:
    record = kif("*#指し手[72]▲２四歩  △同歩\n*#推奨手[29]▲４八銀\n", "** 検討 評価値 150 読み筋 ▲２六歩\n")
    played, best, kishin = annotations(record)
    assert (played.evaluation, played.moves, played.behind) == (72, ("▲２四歩", "△同歩"), -1)
    assert (best.form, best.behind) == ("k-shogi-best", -1)
    assert (kishin.form, kishin.evaluation) == ("kishin", 150)
    assert evaluation_of(record) == {0: 72, 1: 150}


def test_floodgate_by_way_of_kif() -> None:
    record = csa("'** 30 -3334FU +2726FU\n")
    [again] = read(write([replay(record)], "kif"), "kif")
    assert annotations(again) == annotations(record)


def test_the_package_offers_them() -> None:
    assert kifu.annotations(csa("'** 30\n"))[0].evaluation == 30
    with pytest.raises(ValueError, match="eval_side"):
        annotations(csa("'** 30\n"), "white")


PARTS = st.sampled_from(["'** ", "'*", "*", "**", "評価値", "=", "読み筋", "対局 ", "解析 ", "#", "-", "+", "30", "Mate", ":5", "▲",
                         "△", "７六歩", "(77)", "+7776FU", " ", "指し手[", "]", "詰み", "先手勝ち", "候補", "深さ", "99999999999", "　"])


@settings(max_examples=300, deadline=None)
@given(st.lists(st.lists(PARTS, max_size=8).map("".join), max_size=6), st.sampled_from([None, "black", "mover"]))
def test_any_comment_is_read_without_harm(lines: list[str], side: str | None) -> None:
    text = HEAD + MOVES[0] + "".join(f"*{line}\n" for line in lines) + MOVES[1]
    record = next(read(text, "kif"))
    before = list(record.comments())
    found = annotations(record, side)
    assert list(record.comments()) == before
    for one in found:
        assert one.raw
        assert one.raw in "\n".join(text for _, _, text in before) or one.form.startswith("shogihome")
        assert all(move in one.variation.replace("　", "").replace(" ", "") or move in one.variation for move in one.moves)
        assert one.rank >= 1
        assert -2 < one.behind <= one.move


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60))
def test_any_text_behind_a_star(text: str) -> None:
    line = " ".join(text.splitlines())
    for mark in ("'*", "'**", "'** 5 ", "'"):
        record = next(read(f"PI\n+\n+7776FU\n{mark}{line}\n", "csa"))
        annotations(record)
        evaluation_of(record)
