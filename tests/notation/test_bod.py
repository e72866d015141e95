"""BOD: diagrams on their own, one or several in a text; the last move; what the writer writes and what it loses."""
from __future__ import annotations

import pytest

import kifu
from kifu.notation import detect, notation_of, read, write, writer
from kifu.record import Game
from kifu.replay import replay

BOARD = """後手の持駒：{white}
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
| ・ ・ ・ ・ ・ ・ ・v玉 ・|一
| ・ ・ ・ ・ ・ ・ ・ ・ ・|二
| ・ ・ ・ ・ ・ ・ ・ 歩 ・|三
| ・ ・ ・ ・ ・ ・ ・ ・ ・|四
| ・ ・ ・ ・ ・ ・ ・ ・ ・|五
| ・ ・ ・ ・ ・ ・ ・ ・ ・|六
| ・ ・ ・ ・ ・ ・ ・ ・ ・|七
| ・ ・ ・ ・ ・ ・ ・ ・ ・|八
| ・ ・ ・ ・ 玉 ・ ・ ・ ・|九
+---------------------------+
先手の持駒：{black}
{tail}"""


def diagram(white: str = "なし", black: str = "金", tail: str = "") -> str:
    return BOARD.format(white=white, black=black, tail=tail)


def one(text: str) -> Game:
    [record] = read(text, "bod")
    return replay(record)


def names(game: Game) -> list[str]:
    return [finding.name for finding in game.diagnostics]


@pytest.mark.parametrize(("white", "black", "hands"), [
    ("なし", "金", "G"), ("", "飛二　金四", "2R4G"), ("なし", "飛二金四", "2R4G"), ("歩十七", "飛二 金四 ", "2R4G17p"),
    ("角2 歩１７", "なし", "2b17p"), ("残り全部", "金", "2r2b3g4s4n4l17pG"), ("なし　", "歩十　", "10P"),
])
def test_hands(white: str, black: str, hands: str) -> None:
    game = one(diagram(white, black))
    assert (game.verdict, game.plies, names(game)) == ("legal", 0, [])
    assert game.start.split()[2] == kifu.Position(f"7k1/9/7P1/9/9/9/9/9/4K4 b {hands} 1").sfen().split()[2]


@pytest.mark.parametrize("row", [
    "| ・ ・ ・ ・ ・ ・ ・v玉 ・|", "| ・ ・ ・ ・ ・ ・ ・V王 ・|一", "| . . . . . . .-玉 .|一", "| * * * * * * *v王 *|一",
    "|　　　　　　　v玉　|一", "｜ ・ ・ ・ ・ ・ ・ ・v玉 ・｜", "    | ・ ・ ・ ・ ・ ・ ・v玉 ・|一   ",
])
def test_rows(row: str) -> None:
    game = one(diagram().replace("| ・ ・ ・ ・ ・ ・ ・v玉 ・|一", row).replace(" 玉", "^玉").replace(" 歩 ", "+歩 "))
    assert (game.start.split()[0], names(game)) == ("7k1/9/7P1/9/9/9/9/9/4K4", [])


@pytest.mark.parametrize(("tail", "turn", "number", "found"), [
    ("", "b", 1, []), ("先手番", "b", 1, []), ("後手番", "w", 1, []), ("上手番", "w", 1, []),
    ("手数＝12", "b", 13, []), ("手数=１２\n後手番", "w", 13, []), ("手数＝十二", "b", 13, []),
    ("手数＝12  ２三歩成  まで", "b", 13, ["last-move-mismatch"]), ("手数＝12  ▲２三歩  まで", "w", 13, []),
    ("手数＝12  ２三歩(24)", "w", 13, []), ("手数＝13  △２一玉(31)  まで", "b", 14, []),
    ("手数＝13  △２一玉右上  まで", "b", 14, []), ("手数＝12  ▲２三歩打  まで\n後手番", "w", 13, []),
    ("手数＝12  ▲２三歩  まで\n先手番", "b", 13, ["last-move-turn"]), ("手数＝0    まで", "b", 1, []),
])
def test_turn_number_and_last_move(tail: str, turn: str, number: int, found: list[str]) -> None:
    game = one(diagram(tail=tail))
    assert game.start.split()[1::2] == [turn, str(number)]
    assert names(game) == found


def test_white_begins_from_a_handicap() -> None:
    assert one("手合割：二枚落ち\n" + diagram()).start.split()[1] == "w"


@pytest.mark.parametrize("text", [
    diagram(), diagram(tail="手数＝12  △２一玉右上  まで\n"), "手合割：平手\n" + diagram(tail="先手番\n先手：甲\n後手：乙\n"),
    "\n".join("  " + line for line in diagram().splitlines()), "+---------+\n",
])
def test_detection(text: str) -> None:
    assert notation_of(text) == detect(text).notation == "bod"


@pytest.mark.parametrize(("text", "notation"), [
    (diagram(tail="手数----指手---------消費時間--\n   1 ２二金打\n"), "kif"), (diagram(tail="   1 ２二金打\n"), "kif"),
    (diagram(tail="▲２二金\n"), "ki2"), ("開始日時：2024/01/01\n" + diagram(), "kif"),
    (diagram(tail="   1 中断\n"), "kif"),
])
def test_diagrams_inside_other_notations(text: str, notation: str) -> None:
    assert notation_of(text) == detect(text).notation == notation
    assert replay(next(read(text, notation))).start.startswith("7k1/9/7P1/9/9/9/9/9/4K4 b G")


def test_several_diagrams_in_one_text() -> None:
    second = diagram(black="銀", tail="手数＝5  ▲２三歩  まで\n").replace("後手の持駒", "先手：丙\n後手の持駒")
    games = [replay(record) for record in read(diagram() + "\n" + second + diagram(black="角"), "bod")]
    assert [game.start.split()[1:] for game in games] == [["b", "G", "1"], ["w", "S", "6"], ["b", "B", "1"]]
    assert [game.record.header("black") for game in games] == [None, "丙", None]
    assert [game.start for game in (replay(record) for record in read(write(games, "bod"), "bod"))] == [
        game.start for game in games]


@pytest.mark.parametrize("text", ["手合割：平手\n", "後手の持駒：なし\n先手の持駒：なし\n", "手数＝4\n", "hello\n", ""])
def test_a_text_without_a_diagram_is_refused(text: str) -> None:
    game = one(text)
    assert game.verdict == "unreadable"
    assert {"no-diagram", "no-game", "bad-board"} & set(names(game))


@pytest.mark.parametrize("bad", [
    diagram().replace("|九", "|").replace(" 玉", "v玉"), diagram().replace(" ・|二", "|二"),
    "\n".join(line for line in diagram().splitlines() if "|五" not in line) + "\n",
])
def test_boards_that_cannot_be(bad: str) -> None:
    game = one(bad)
    assert game.verdict == "unreadable"
    assert next(finding.name for finding in game.diagnostics if finding.severity == "error") == "bad-board"


@pytest.mark.parametrize(("mode", "severity"), [("default", "warning"), ("strict", "error")])
def test_more_men_than_a_set(mode: str, severity: str) -> None:
    game = replay(next(read(diagram(black="歩十八"), "bod", mode=mode)), mode=mode)
    [finding] = game.diagnostics
    assert (finding.name, finding.severity) == ("surplus-pieces", severity)
    assert finding.message == "the start position has more pieces than a set: 19 pawns"


GAME = "position startpos moves 7g7f 3c3d 8h2b+ 3a2b"


def test_what_a_written_diagram_looks_like() -> None:
    made = writer("bod")
    text = made.write(replay(kifu.parse(GAME)[0]))
    assert text == """後手の持駒：角\u3000
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
|v香v桂v銀v金v玉v金 ・v桂v香|一
| ・v飛 ・ ・ ・ ・ ・v銀 ・|二
|v歩v歩v歩v歩v歩v歩 ・v歩v歩|三
| ・ ・ ・ ・ ・ ・v歩 ・ ・|四
| ・ ・ ・ ・ ・ ・ ・ ・ ・|五
| ・ ・ 歩 ・ ・ ・ ・ ・ ・|六
| 歩 歩 ・ 歩 歩 歩 歩 歩 歩|七
| ・ ・ ・ ・ ・ ・ ・ 飛 ・|八
| 香 桂 銀 金 玉 金 銀 桂 香|九
+---------------------------+
先手の持駒：角\u3000
手数＝4  △同　銀  まで
"""
    assert made.losses == {"moves": 4}


def test_a_diagram_survives_with_its_last_move() -> None:
    game = one(diagram(tail="手数＝13  △２一玉(31)  まで\n"))
    text = write([game], "bod")
    assert text.endswith("手数＝13  △２一玉(31)  まで\n")
    assert (one(text).start, one(text).record.headers) == (game.start, game.record.headers)
    for notation in ("kif", "ki2"):
        again = replay(next(read(write([game], notation), notation)))
        assert again.record.header("最終手") == "△２一玉(31)"


def test_losses() -> None:
    kif = ("棋戦：練習\n手合割：二枚落ち\n下手：甲\n上手：乙\n手数----指手---------消費時間--\n*始まり\n   1 ６二銀(71) ( 0:12/00:00:12)\n"
           "&しおり\n   2 ７六歩(77)\n   3 投了\n\n変化：2手\n   2 ２六歩(27)\n")
    made = writer("bod")
    text = made.write(replay(next(read(kif, "kif"))))
    assert made.losses == {"moves": 3, "variations": 1, "comments": 1, "bookmarks": 1, "clocks": 1, "headers": 1,
                           "handicap name": 1, "end": 1}
    assert text.startswith("先手：甲\n後手：乙\n")
    assert one(text).final == replay(next(read(kif, "kif"))).final
