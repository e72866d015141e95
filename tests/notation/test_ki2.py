"""KI2: every spelling in the wild, one unreadable move as one finding, ends, branches, and what the writer writes."""
from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import kifu
from kifu.notation import detect, notation_of, read, write, writer
from kifu.notation.ki2_writer import ki2_move
from kifu.record import Game
from kifu.replay import replay
from kifu.rules.move import from_usi, usi
from kifu.rules.position import Position
from tests.notation.said import missing, said
from tests.notation.texts import of_reading


def one(text: str, mode: str = "default") -> Game:
    """The only game of a text."""
    [record] = read(text, "ki2", mode=mode)
    return replay(record)


def moves(game: Game) -> str:
    return " ".join(usi(move) for move in game.moves)


def names(game: Game) -> list[str]:
    return [finding.name for finding in of_reading(game)]


FOUR = "7g7f 3c3d 8h2b+ 3a2b"


@pytest.mark.parametrize("text", [
    "▲７六歩 △３四歩 ▲２二角成 △同　銀",
    "☗７六歩☖３四歩☗２二角成☖同銀",
    "▲７六歩▽３四歩▲２二角成▽同銀",
    "▼７六歩▼３四歩▼２二角成▼同銀",
    "７六歩 ３四歩 ２二角成 同銀",
    "７六歩３四歩２二角成同　銀",
    "76歩 34歩 22角成 同銀",
    "76歩34歩22角成同銀",
    "▲7六歩△3四歩▲2二角成△仝銀",
    "▲７６歩 △３４歩 ▲２２角成 △２２同銀",
    "▲７六歩 △３四歩 ▲２二角成 △２二同銀",
    "▲７六歩 △３四歩 ▲２二角成 △２二銀",
    "▲７六歩\n\n△３四歩\r\n▲２二角成\n△同 銀\n",
    "▲ ７六歩　△ ３四歩　▲　２二角成　△　同　銀",
    "▲７六歩(77) △３四歩(33) ▲２二角成(88) △同銀(31)",
    "▲７六歩（77）△３四歩（３３）▲２二角成(88)△同銀",
    "1. ▲７六歩 2. △３四歩 3. ▲２二角成 4. △同銀",
    "1 ７六歩 2 ３四歩 3 ２二角成 4 同銀",
    "1▲７六歩2△３四歩3▲２二角成4△同銀",
    "1手目 ▲７六歩\n2手目 △３四歩\n3手目 ▲２二角成\n4手目 △同銀",
    "１．７六歩　２．３四歩　３．２二角成　４．同銀",
    "先手：甲\n後手：乙\n\n▲７六歩 △３四歩\n*考慮：5分 ▲２六歩も有力\n▲２二角成 *ここで\n△同　銀\n",
    "#KI2 version=2.0 encoding=UTF-8\n手合割：平手\n▲７六歩 △３四歩 ▲２二角成 △同　銀\n",
    "▲７六歩、△３四歩、▲２二角成、△同銀。", "７六歩,３四歩,２二角成,同銀",
    "７六歩 ３四歩\n２二角成 # 交換：早い\n同銀",
    "▲７六歩上 △３四歩直 ▲２二角上成 △同銀上",
])
def test_spellings_of_one_game(text: str) -> None:
    game = one(text)
    assert (game.verdict, moves(game)) == ("legal", FOUR), game.diagnostics
    assert names(game) == []


GOLDS = "4k4/9/9/9/9/9/9/9/3GKG3 b - 1"
SILVERS = "4k4/9/9/9/5S3/9/3S1S3/9/K8 b - 1"


def judged(sfen: str, written: str) -> tuple[str, list[str]]:
    """The move that a KI2 text means in a position, or why it means none, and what was found."""
    record = next(read(written, "ki2"))
    record.start, record.turn = sfen, "black" if " b " in sfen else "white"
    game = replay(record)
    bad = game.illegal_move["reason"] if game.illegal_move else ""
    return str(bad) or moves(game), names(game)


@pytest.mark.parametrize(("sfen", "written", "expected"), [
    # one way, in all its words
    (GOLDS, "▲５八金左", "6i5h"), (GOLDS, "▲５八金左上", "6i5h"), (GOLDS, "▲５八金上左", "6i5h"),
    (GOLDS, "▲５八金右行", "4i5h"), (GOLDS, "▲５八金右入", "4i5h"),
    # over-specified, contradictory, not said enough
    (GOLDS, "▲５八金右上", "4i5h"), (GOLDS, "▲５八金右寄", "no-candidate"), (GOLDS, "▲５八金引", "no-candidate"),
    (GOLDS, "▲５八金", "ambiguous"), (GOLDS, "▲５八金上", "ambiguous"),
    # an origin stands beside the marks: they must agree
    (GOLDS, "▲５八金(69)", "6i5h"), (GOLDS, "▲５八金左(69)", "6i5h"), (GOLDS, "▲５八金右(69)", "no-candidate"),
    (GOLDS, "▲５八金引(69)", "no-candidate"),
    # three silvers: left, right ahead, back
    (SILVERS, "▲５六銀左", "6g5f"), (SILVERS, "▲５六銀右上", "4g5f"), (SILVERS, "▲５六銀引", "4e5f"),
    (SILVERS, "▲５六銀右引", "4e5f"), (SILVERS, "▲５六銀左引", "no-candidate"),
    # 成 before the mark or behind it; who cannot promote is not meant
    ("4k4/9/9/3S1S3/9/9/9/9/4K4 b - 1", "▲５三銀右成", "4d5c+"),
    ("4k4/9/9/3S1S3/9/9/9/9/4K4 b - 1", "▲５三銀成右", "4d5c+"),
    ("4k4/9/9/3S1S3/9/9/9/9/4K4 b - 1", "▲５三銀左不成", "6d5c"),
    ("4k4/9/9/3S1S3/9/9/9/9/4K4 b - 1", "▲５三銀左生", "6d5c"),
    ("4k4/9/5S3/9/3S5/9/9/9/4K4 b - 1", "▲５四銀成", "4c5d+"),
    ("4k4/9/5S3/9/3S5/9/9/9/4K4 b - 1", "▲５四銀", "ambiguous"),
    # drops: 打, 合 and, where nothing on the board can go there, none
    ("4k4/9/9/9/9/9/9/9/3GK4 b G 1", "▲６八金打", "G*6h"), ("4k4/9/9/9/9/9/9/9/3GK4 b G 1", "▲６八金合", "G*6h"),
    ("4k4/9/9/9/9/9/9/9/3GK4 b G 1", "▲６八金打(00)", "G*6h"),
    ("4k4/9/9/9/9/9/9/9/3GK4 b G 1", "▲６八金", "6i6h"), ("4k4/9/9/9/9/9/9/9/3GK4 b G 1", "▲５五金", "G*5e"),
    ("4k4/9/9/9/9/9/9/9/3GK4 b G 1", "▲５五金右", "no-candidate"),
    # dragons and horses know no 直
    ("4k4/1+R5+R1/9/9/9/9/9/9/K8 b - 1", "▲５二龍左", "8b5b"), ("4k4/1+R5+R1/9/9/9/9/9/9/K8 b - 1", "▲５二竜右", "2b5b"),
    ("4k4/9/9/9/9/4+R4/9/9/+R3K4 b - 1", "▲５九龍", "own-piece"),
    # all names of a piece
    ("4k4/9/9/9/4+P4/9/9/9/4K4 b - 1", "▲５四ト", "5e5d"), ("4k4/9/9/9/4+S4/9/9/9/4K4 b - 1", "▲５四全", "5e5d"),
    ("4k4/9/9/9/4+S4/9/9/9/4K4 b - 1", "▲５四成銀", "5e5d"), ("4k4/9/9/9/4+N4/9/9/9/4K4 b - 1", "▲５四今", "5e5d"),
    ("4k4/9/9/9/4+L4/9/9/9/4K4 b - 1", "▲５四仝", "5e5d"), ("4k4/9/9/9/4R4/9/9/9/4K4 b - 1", "▲５四飛車", "5e5d"),
    ("4k4/9/9/9/4+B4/9/9/9/4K4 b - 1", "▲５八王", "5i5h"),
])
def test_which_piece_is_meant(sfen: str, written: str, expected: str) -> None:
    assert judged(sfen, written)[0] == expected


def test_what_is_said_of_a_move_that_means_none_or_several() -> None:
    game_findings = {}
    for written in ("▲５八金", "▲５八金引", "▲５八金右(69)"):
        record = next(read(written, "ki2"))
        record.start = GOLDS
        [finding] = replay(record).diagnostics
        game_findings[written] = (finding.message, finding.hint)
    assert game_findings == {
        "▲５八金": ("５八金: each gold on 4i and 6i can go to 5h", "name the square it comes from"),
        "▲５八金引": ("５八金引: no gold goes to 5h in the way that the text says", "Black could go there from 4i and 6i"),
        "▲５八金右(69)": ("５八金右(69): the gold on 6i does not go to 5h in the way that the text says",
                        "correct the piece or the square; or an earlier move is missing"),
    }


def test_an_ambiguous_move_lists_those_that_its_mark_fits() -> None:
    record = next(read("▲５六銀右", "ki2"))
    record.start = "4k4/9/9/9/3S1S3/9/3S1S3/9/K8 b - 1"
    [finding] = replay(record).diagnostics
    assert finding.message == "５六銀右: each silver on 4e and 4g can go to 5f"


def test_legality_decides_at_last_and_is_said() -> None:
    assert judged("4r3k/9/9/9/9/9/9/4G1G2/4K4 b - 1", "▲４八金") == ("3h4h", ["resolved-by-legality"])


def test_an_origin_is_never_missed() -> None:
    """KIF warns where no origin is written; KI2 writes none."""
    assert judged(GOLDS, "▲５八金左") == ("6i5h", [])


def test_one_unreadable_move_is_one_finding_and_ends_its_line() -> None:
    game = one("▲７六歩 △３四歩 ▲２二角成 △同　ｘ ▲８八銀 △foo\n▲２六歩 △８四歩\nまで9手で先手の勝ち\n")
    assert (game.verdict, moves(game)) == ("unreadable", "7g7f 3c3d 8h2b+")
    assert names(game) == ["unreadable-move"]
    assert (game.diagnostics[0].line, game.diagnostics[0].column, game.diagnostics[0].ply) == (1, 20, 4)


@pytest.mark.parametrize("text", [
    "▲７六歩 △３四歩\nここで ▲２六歩 △８四歩 とした\n▲２五歩 △８五歩\n",  # a line of prose with moves in it
    "▲７六歩 △３四歩\n▲金\n▲２六歩\n", "▲７六歩 △３四歩 ▲５三金左右\n", "▲７六歩 △３四歩 ▲２二角成不成\n",
    "▲７六歩 △３四歩 ▲５五角右打\n", "▲７六歩 △３四歩 ▲２二角(8)成\n",
    "▲７六歩 △３四歩 ▲２二角（強く）成\n",
])
def test_no_shorter_game_passes_for_the_whole_one(text: str) -> None:
    game = one(text)
    assert (game.verdict, moves(game)) == ("unreadable", "7g7f 3c3d")
    assert names(game) == ["unreadable-move"]


def test_remarks_in_brackets_are_comments() -> None:
    game = one("（初手から）▲７六歩（12分）△３四歩 （ここで長考）\n▲２二角成(88)(0:12/00:00:12) △同　銀\n")
    assert (game.verdict, moves(game), names(game)) == ("legal", FOUR, [])
    assert [(index, text) for index, _, text in game.record.comments()] == [
        (-1, "初手から"), (0, "12分"), (1, "ここで長考"), (2, "0:12/00:00:12")]


def test_prose_between_moves_is_a_warning() -> None:
    game = one("初手から\n▲７六歩 △３四歩\n第１図は△３四歩まで\n以下略。\n▲２六歩\n")
    assert (game.verdict, moves(game)) == ("legal", "7g7f 3c3d 2g2f")
    assert [finding.severity for finding in game.diagnostics] == ["warning"] * 3


@pytest.mark.parametrize(("tail", "end", "winner", "found"), [
    ("△投了", "resign", "black", []), ("投了", "resign", "black", []), ("▲投了", "resign", "black", ["side-sign"]),
    ("まで3手で先手の勝ち", "resign", "black", []), ("まで3手で時間切れにより先手の勝ち", "timeout", "black", []),
    ("△千日手", "repetition", "draw", []), ("まで３手で千日手", "repetition", "draw", []),
    ("まで3手で中断", "interrupted", "none", []), ("まで3手で後手の反則負け", "illegal", "black", []),
    ("まで3手で後手の反則勝ち", "illegal", "white", []), ("まで3手で先手の入玉勝ち", "declaration", "black", []),
    ("まで3手で詰", "checkmate", "black", []), ("まで3手詰", "checkmate", "black", []),
    ("まで4手で先手の勝ち", "resign", "black", ["result-count"]), ("", None, "unknown", []),
    ("△投了\nまで3手で後手の勝ち", "resign", "black", ["result-conflict"]),
    ("△先日手", "other", "unknown", ["unknown-end"]),
    ("まで3手で先手の勝ち\n▲２六歩 △８四歩", "resign", "black", ["moves-after-end"]),
    ("△投了 ▲２六歩", "resign", "black", ["moves-after-end"]),
])
def test_ends(tail: str, end: str | None, winner: str, found: list[str]) -> None:
    between = " " if tail.startswith("△") else "\n"
    game = one(f"▲７六歩 △３四歩 ▲２二角成{between}{tail}\n")
    assert (game.end, game.winner, names(game), moves(game)) == (end, winner, found, "7g7f 3c3d 8h2b+")


TREE = """手合割：平手
先手：甲
後手：乙

▲７六歩    △３四歩
*二手目
▲２二角成  △同　銀    ▲４五角
まで5手で中断

変化：3手
▲２六歩    △８四歩
&しおり
▲２五歩

変化：4手
△４四歩

変化：2手 △８四歩 ▲２六歩
まで3手で先手の勝ち
"""


def test_variations() -> None:
    game = one(TREE)
    assert (game.verdict, game.end, names(game)) == ("legal", "interrupted", [])
    lines = [" ".join(usi(game.proven[index]) for index in game.record.path(number)) for number in range(4)]
    assert lines == [FOUR + " B*4e", "7g7f 3c3d 2g2f 8c8d 2f2e", "7g7f 3c3d 2g2f 4c4d", "7g7f 8c8d 2g2f"]
    assert [line.end.reason if line.end else None for line in game.record.lines] == ["interrupted", None, None, "resign"]
    assert list(game.record.comments()) == [(1, "comment", "二手目")]
    assert game.record.bookmarks == {6: "しおり"}
    assert write([one(write([game], "ki2"))], "ki2") == write([game], "ki2")


@pytest.mark.parametrize("heading", ["変化：３手", "変化:3手", "変化： 3", "変化：3手です"])
def test_headings_of_variations(heading: str) -> None:
    game = one(f"▲７六歩 △３四歩 ▲２二角成\n{heading}\n▲２六歩\n")
    assert (game.verdict, game.variations) == ("legal", 1)


def test_a_variation_without_a_number_never_runs_on_in_the_main_line() -> None:
    game = one("▲７六歩 △３四歩 ▲２二角成\n変化：\n△同銀 ▲４五角\n変化：3手\n▲２六歩\n")
    assert (game.verdict, moves(game)) == ("unreadable", "7g7f 3c3d 8h2b+")
    assert names(game) == ["variation-unplaced"]
    assert [usi(game.proven[index]) for index in game.record.path(2)] == ["7g7f", "3c3d", "2g2f"]


def test_two_games_in_one_text() -> None:
    first, second = (replay(record) for record in read(TREE + "\n手合割：平手\n先手：丙\n\n▲２六歩 △８四歩\n", "ki2"))
    assert (first.variations, moves(second), second.record.header("black")) == (3, "2g2f 8c8d", "丙")


def test_a_diagram_and_same_as_the_first_move() -> None:
    game = one(write([replay(kifu.parse("position startpos moves 7g7f 3c3d 8h2b+")[0])], "bod") + "△同銀 ▲４五角\n")
    assert (moves(game), game.start.split()[3], names(game)) == ("3a2b B*4e", "4", [])


def test_same_beside_another_square_is_told() -> None:
    assert names(one("▲７六歩 △３四同歩")) == ["same-square"]


def test_strict_mode_takes_what_the_format_says() -> None:
    game = one("手合割：平手\n▲７六歩 △３四歩 ▲２二角不成 △同　銀\nまで4手で後手の勝ち\n", "strict")
    assert (game.verdict, names(game)) == ("legal", [])


def test_more_horses_than_a_set_has_are_told_apart() -> None:
    position = Position("4k4/9/2+B3+B2/9/9/9/2+B3+B2/9/4K4 b - 1")
    texts = [ki2_move(position, move) for move in position.legal_moves()]
    assert len(texts) == len(set(texts))


# --- the writer -------------------------------------------------------------------------------------------------------

#: Where cshogi and rsshogi write one word less than tsshogi and shogiops: the promoted knight on 5g stands to the left
#: as well, so the rules of the Association want 左寄.
TIES = {("4g4/1k7/9/9/1l7/4+N1+N2/4+N4/9/K8 b GN 1", "5f4f"): "４六成桂左寄"}


def test_every_row_of_the_oracle_is_written_and_read_back(shared: Path) -> None:
    rows = [json.loads(line) for line in (shared / "oracle" / "ki2.jsonl").read_text(encoding="utf-8").splitlines()]
    for row in rows:
        position = Position(row["sfen"])
        written = ki2_move(position, position.resolve(from_usi(row["usi"])))
        assert written == TIES.get((row["sfen"], row["usi"]), row["ki2"])
        assert written in (row["ki2"], *row["other"].values())
        for text in (row["ki2"], *row["other"].values()):
            assert judged(row["sfen"], text.lstrip("▲△☗☖")) == (row["usi"], []), (row["sfen"], text)
    assert len(rows) > 250


def test_every_legal_move_has_a_text_of_its_own_that_means_it(shared: Path) -> None:
    lines = (shared / "oracle" / "ki2.jsonl").read_text(encoding="utf-8").splitlines()[::12]
    for sfen in (json.loads(line)["sfen"] for line in lines):
        position = Position(sfen)
        written = {ki2_move(position, move): move for move in position.legal_moves()}
        assert len(written) == len(list(position.legal_moves()))
        for text, move in written.items():
            [record] = read(text, "ki2")
            assert (position.resolve(record.texts[0]), position.flags) == (move, 0), (sfen, text)


def test_a_branch_in_an_unusual_order_is_found() -> None:
    game = one("▲７六歩 △３四歩 ▲２二角成\n変化：1手\n▲２六歩\n変化：3手\n▲６六歩\n")
    assert (game.verdict, game.variations, names(game)) == ("legal", 2, ["variation-order"])


def test_notate() -> None:
    position = kifu.Position("4k4/9/9/9/9/9/9/9/3GKG3 b - 1")
    assert kifu.notate(position, "4i5h", "ki2") == "５八金右"
    position = kifu.Position()
    for move in ("7g7f", "3c3d", "8h2b+"):
        position.push(move)
    assert [kifu.notate(position, move, "ki2") for move in ("3a2b", "8b2b")] == ["同　銀", "同　飛"]


def test_what_a_written_record_looks_like() -> None:
    """As the record above: moves in columns, six a line, and headings on lines of their own."""
    assert write([one(TREE)], "ki2") == "#KI2 version=2.0 encoding=UTF-8\n" + TREE.replace(
        "変化：2手 △８四歩 ▲２六歩", "変化：2手\n△８四歩    ▲２六歩")


def test_losses() -> None:
    kif = ("手合割：平手\n手数----指手---------消費時間--\n   1 ７六歩(77) ( 0:12/00:00:12)\n   2 ３四歩(33) ( 0:03/00:00:03)\n"
           "   3 投了 ( 0:10/00:00:22)\n")
    made = writer("ki2")
    made.write(replay(next(read(kif, "kif"))))
    assert made.losses == {"clocks": 3}


ENDS = {
    "投了": ("resign", "white"), "中断": ("interrupted", "none"), "千日手": ("repetition", "draw"),
    "持将棋": ("impasse", "draw"), "詰み": ("checkmate", "white"), "不詰": ("no_mate", "none"),
    "切れ負け": ("timeout", "white"), "反則勝ち": ("illegal", "black"), "反則負け": ("illegal", "white"),
    "入玉勝ち": ("declaration", "black"), "不戦勝": ("forfeit", "black"), "不戦敗": ("forfeit", "white"),
    "封じ手": ("sealed", "none"), "最大手数": ("max_moves", "draw"), "引き分け": ("draw", "draw"),
    "トライ": ("try_rule", "black"), "王手千日手": ("perpetual_check", "unknown"),
}


@pytest.mark.parametrize("word", ENDS)
def test_every_end_survives(word: str) -> None:
    game = replay(next(read(f"手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 {word}\n", "kif")))
    text = write([game], "ki2")
    assert re.search(r"\nまで2手で.+\n$", text)
    again = one(text)
    assert (again.end, again.winner) == (game.end, game.winner) == ENDS[word]
    assert again.record.end is not None and game.record.end is not None
    assert again.record.end.offender == game.record.end.offender


def test_an_end_that_ki2_has_no_word_for() -> None:
    made = writer("ki2")
    text = made.write(replay(next(read("手合割：平手\n   1 ７六歩(77)\n   2 謎の終局\n", "kif"))))
    assert made.losses == {"end": 1}
    assert text.endswith("*謎の終局\nまで1手で中断\n")


def test_cp932_holds_what_is_written() -> None:
    text = write([one(TREE.replace("▲", "☗").replace("△", "☖"))], "ki2")
    assert kifu.detect(text.encode("cp932")).notation == "ki2"


@pytest.mark.parametrize("text", [
    "７六歩 ３四歩 ２六歩", "76歩 34歩 26歩 84歩", "７六歩\n３四歩\n", "７六歩３四歩２二角成同銀", "1.７六歩 2.３四歩",
    "▲７六歩(77) △３四歩(33)", "12▲７六歩", TREE, "▲同　歩", "先手：甲\r\n後手：乙\r\n\r\n☗７六歩 ☖３四歩",
])
def test_detection(text: str) -> None:
    assert notation_of(text) == detect(text).notation == "ki2"


@pytest.mark.parametrize(("text", "notation"), [
    ("   1 ▲７六歩(77)\n", "kif"), ("#KIF version=2.0\n手合割：平手\n*▲７六歩 △３四歩\n", "kif"),
    ("手合割：平手\n先手：甲\n後手：乙\n", "kif"), ("互角\n*評価値=12 ▲７六歩△３四歩\n", None),
])
def test_what_is_not_taken_for_ki2(text: str, notation: str | None) -> None:
    assert notation_of(text) == detect(text).notation == notation


def test_comments_of_branches_that_stand_in_another_order() -> None:
    """Western text has branches where they leave the line, KI2 from the last one back."""
    game = replay(kifu.parse("1. P-7f P-3d (1. ... P-8d {a} 2. P-2f {b}) 2. P-2f (2. P-6f {c} 2. ... P-4d {d}) P-8d *\n")[0])
    again = one(write([game], "ki2"))
    assert sorted(text for _, _, text in again.record.comments()) == ["a", "b", "c", "d"]
    assert missing(said(game), said(again)) == {}
