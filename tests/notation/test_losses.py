"""Nothing is lost in silence: what a conversion loses is what its writer counts, and the README's table says it all."""
from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kifu.notation import NOTATIONS, REGISTRY, WRITABLE, read, writer
from kifu.notation.annotations import annotations
from kifu.record import Game
from kifu.replay import replay
from tests.notation.rich import rich_record
from tests.notation.said import invented, missing, said

#: Notations that hold games. The others hold positions: a diagram, and those that engines learn from.
WHOLE = tuple(name for name in WRITABLE if name in NOTATIONS and REGISTRY[name].encoding and name != "bod")


def proven(text: str | bytes, notation: str) -> Game:
    """The one game of a text."""
    records = list(read(text, notation))
    assert len(records) == 1, text
    game = replay(records[0])
    assert game.verdict in ("legal", "foul"), (text, game.diagnostics)
    return game


@pytest.mark.parametrize("notation", WHOLE)
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 1_000_000))
def test_a_writer_counts_exactly_what_it_loses(notation: str, seed: int) -> None:
    game = proven(rich_record(seed), "kif")
    target = writer(notation)
    text = target.write(game)
    again = proven(text, notation)
    before, after = said(game), said(again)
    assert missing(before, after) == +target.losses, text
    assert invented(before, after) == []


@pytest.mark.parametrize("notation", WHOLE)
@settings(max_examples=30, deadline=None)
@given(st.integers(0, 1_000_000))
def test_what_was_read_from_a_notation_is_written_in_it_whole(notation: str, seed: int) -> None:
    once = proven(writer(notation).write(proven(rich_record(seed), "kif")), notation)
    target = writer(notation)
    again = proven(target.write(once), notation)
    assert missing(said(once), said(again)) == {}
    assert +target.losses == {}


# --- the table of the README ----------------------------------------------------------------------------------------
def kif(*moves: str, head: str = "", end: str = "中断") -> str:
    """A KIF text of these move lines; ``{}`` in one is not touched."""
    return f"{head or '手合割：平手'}\n手数----指手--\n" + "\n".join(moves) + f"\n   3 {end}\n"


A, B = "   1 ７六歩(77)", "   2 ３四歩(33)"
BRANCH = "\n変化：2手\n   2 ８四歩(83)\n"
BOARD = ("後手の持駒：なし\n|v香v桂v銀v金v玉v金v銀v桂v香|一\n| ・v飛 ・ ・ ・ ・ ・v角 ・|二\n|v歩v歩v歩v歩v歩v歩v歩v歩v歩|三\n"
         + "".join(f"| ・ ・ ・ ・ ・ ・ ・ ・ ・|{rank}\n" for rank in "四五")
         + "| ・ ・ ・ ・ ・ ・ 歩 ・ ・|六\n| 歩 歩 歩 歩 歩 歩 ・ 歩 歩|七\n| ・ 角 ・ ・ ・ ・ ・ 飛 ・|八\n"
         "| 香 桂 銀 金 玉 金 銀 桂 香|九\n先手の持駒：なし")
#: What a record may hold -> texts that hold it and hardly anything else.
FEATURES: dict[str, list[str]] = {
    "main line": [kif(A, B)],
    "variations": [kif(A, B) + BRANCH],
    "comments on moves": [kif(A, "*good", B)],
    "a comment before the first move": [kif("*hello", A, B)],
    "several comments on a move, apart": [kif(A, "*one", "*two", B)],
    "comments in variations": [kif(A, B) + BRANCH + "*there\n"],
    "evaluations, depths and lines of engines": [kif(A, "**評価値=120", "**深さ=9", "**読み筋=△３四歩▲２六歩", B)],
    "bookmarks": [kif(A, "&here", B)],
    "seconds of a move": [kif(A + " ( 0:12/)", B)],
    "fractions of seconds": [kif(A + " ( 0:12.5/)", B)],
    "seconds of the end": [kif(A, B, end="投了 ( 0:09/)")],
    "time control": [kif(A, B, head="持ち時間：15分 切れたら60秒\n手合割：平手")],
    "names": [kif(A, B, head="手合割：平手\n先手：甲\n後手：乙")],
    "event, site and dates": [kif(A, B, head="開始日時：2024/05/01 10:00:00\n終了日時：2024/05/02\n棋戦：春\n場所：東京\n手合割：平手")],
    "other headers": [kif(A, B, head="作品番号：7\n手合割：平手")],
    "the name of a handicap": [kif("   1 ３四歩(33)", "   2 ７六歩(77)", head="手合割：二枚落ち")],
    "any start position": [kif(A, B, head=BOARD)],
    "the number of the first move": [kif(A, B, head=BOARD + "\n手数＝20")],
    "common ends": [kif(A, B, end=word) for word in ("投了", "中断", "千日手", "切れ負け")],
    "forfeit, sealed, try": [kif(A, B, end=word) for word in ("不戦勝", "封じ手", "トライ")],
    "impasse, draw, maximum of moves apart": [kif(A, B, end=word) for word in ("持将棋", "引き分け", "最大手数")],
    "who broke a rule": [kif(A, B, end="反則負け")],
    "the illegal move itself": [kif(A, B, "   3 ４四歩(47)", end="反則勝ち").replace("   3 反", "   4 反")],
}
KEPT, PARTLY, LOST = "●", "◐", "○"


def cell(texts: list[str], feature: str, notation: str) -> str:
    """What a notation keeps of a feature, judged by real conversions; nothing may go without being counted."""
    marks = set()
    for text in texts:
        game = proven(text, "kif")
        target = writer(notation)
        written = target.write(game)
        again = proven(written, notation)
        gone = missing(said(game), said(again))
        assert gone == +target.losses, (feature, notation, written)
        if feature.startswith("evaluations") and not gone:
            before, after = ([one._replace(raw="", form="") for one in annotations(one_game.record)]
                             for one_game in (game, again))
            marks.add(KEPT if before and set(before) <= set(after) else PARTLY)
        elif feature == "several comments on a move, apart" and not gone:
            apart = [len(list(one.record.comments())) for one in (game, again)]
            marks.add(KEPT if apart[0] == apart[1] else PARTLY)
        elif gone.keys() == {"fractions of seconds"} or gone["headers"] == 1 < len(said(game).headers):
            marks.add(PARTLY)
        else:
            marks.add(LOST if gone else KEPT)
    return marks.pop() if len(marks) == 1 else PARTLY


def table(readme: str) -> dict[str, dict[str, str]]:
    """The table of the README: feature -> notation -> mark."""
    lines = readme[readme.index("| what a record holds |"):].split("\n\n")[0].splitlines()
    head = [one.replace("`", "").strip() for one in lines[0].strip("|").split("|")][1:]
    rows = {}
    for line in lines[2:]:
        name, *marks = (one.strip() for one in line.strip("|").split("|"))
        rows[name] = dict(zip(head, marks, strict=True))
    return rows


def columns(head: str) -> list[str]:
    """A column may stand for several notations: `usi, sfen`."""
    return re.split(r", *", head)


def test_the_table_of_the_readme_is_what_conversions_do(root: Path) -> None:
    documented = table((root / "README.md").read_text(encoding="utf-8"))
    assert list(documented) == list(FEATURES)
    shown: set[str] = set()
    for feature, marks in documented.items():
        for head, mark in marks.items():
            for notation in columns(head):
                shown.add(notation)
                assert (feature, notation, cell(FEATURES[feature], feature, notation)) == (feature, notation, mark)
    assert shown == set(WHOLE)
