"""KIF and diagrams of other kinds of shogi: read, written, read again; words, sizes, the kind told by the record."""
from __future__ import annotations

import random
from array import array
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import kifu
from kifu import ends
from kifu.draw import width
from kifu.notation import kif_boards, writer
from kifu.notation.kanji import kind_named, words_of
from kifu.notation.writing import UnwritableError
from kifu.record import Game, Line, Record, Source
from kifu.replay import replay
from kifu.rules.move import from_usi
from kifu.rules.move import usi as move_usi
from kifu.rules.ruleset import AHEAD, COMPASS, ORTHOGONAL, Kind, Ruleset, slides, steps
from kifu.rules.variants import RULESETS
from kifu.text import decode

KINDS = [key for key in RULESETS if key != "shogi"]
CHU_START = RULESETS["chushogi"].initial


def game_of(variant: str, moves: list[str], start: str | None = None) -> Game:
    """A proven game of these moves, by no notation's reader."""
    record = Record("usi", 1, Source(""), 0, 0)
    record.variant, record.start = variant, start or RULESETS[variant].initial
    record.turn = ends.WHITE if record.start.split()[1] == "w" else ends.BLACK
    record.texts = array("q", map(from_usi, moves))
    record.info = array("q", [0, 0, 0, -1] * len(moves))
    record.lines = [Line(-1, 0, len(moves))]
    game = replay(record)
    assert game.verdict == "legal"
    assert game.plies == len(moves)
    return game


def random_moves(variant: str, seed: int, plies: int, start: str | None = None) -> list[str]:
    position, chance, moves = kifu.Position(start, variant) if start else kifu.Position(variant=variant), random.Random(seed), []
    while len(moves) < plies and (legal := position.legal_moves()):
        moves.append(str(chance.choice(legal)))
        position.push(moves[-1])
    return moves


def usi_of(game: Game) -> list[str]:
    moves: list[str] = game.summary(moves=True)["moves"]
    return moves


def read(text: str, notation: str = "kif") -> Game:
    record, = kifu.parse(text, notation)
    return replay(record)


def same_again(game: Game, notation: str = "kif") -> None:
    """A game as read is written as it stood."""
    text = kifu.write([game], notation)
    again = read(text, notation)
    assert kifu.write([again], notation) == text
    assert (usi_of(again), again.verdict, again.end, again.winner) == (usi_of(game), game.verdict, game.end, game.winner)


# --- every kind of shogi --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("variant", KINDS)
def test_random_games_come_back(variant: str) -> None:
    for seed in range(12):
        moves = random_moves(variant, seed, 120)
        text = kifu.write([game_of(variant, moves)], "kif")
        assert kifu.detect(text.encode()).notation == "kif"
        game = read(text)
        assert (game.variant, game.verdict, game.diagnostics) == (variant, "legal", [])
        assert usi_of(game) == moves
        assert kifu.write([game], "kif") == text
        assert text.encode("cp932", "strict")  # the usual encoding of KIF files holds all the words


@pytest.mark.parametrize("variant", KINDS)
def test_diagrams_come_back(variant: str) -> None:
    for seed in range(12):
        game = game_of(variant, random_moves(variant, seed, 9 * seed))
        text = kifu.write([game], "bod")
        assert kifu.detect(text.encode()).notation == "bod"
        read_back = read(text, "bod")
        assert (read_back.variant, read_back.verdict, read_back.diagnostics) == (variant, "legal", [])
        told, found = game.final.split(), read_back.final.split()
        if variant == "chushogi":
            told[2] = "-"  # that a lion was just taken no diagram tells
        assert found == told
        assert kifu.write([read_back], "bod") == text
        assert_aligned(text, RULESETS[variant])


def assert_aligned(text: str, rules: Ruleset) -> None:
    """Rules and rows of a diagram are equally wide, and the last file stands above the last cell."""
    lines = text.splitlines()
    rows = [line[:line.rindex("|") + 1] for line in lines if line.startswith("|")]
    assert len(rows) == rules.ranks
    assert len({width(row) for row in rows} | {width(line) for line in lines if line.startswith("+")}) == 1
    files = next(line for line in lines if line.endswith(" １"))
    assert width(files) == width(rows[0]) - 1
    assert len(files.split()) == rules.files


@pytest.mark.parametrize("variant", KINDS)
def test_handicaps_come_back(variant: str) -> None:
    from kifu.rules.handicaps import of_variant

    for handicap in of_variant(variant).values():
        moves = random_moves(variant, 5, 20, handicap.sfen)
        game = game_of(variant, moves, handicap.sfen)
        assert game.handicap == handicap.key
        text = kifu.write([game], "kif")
        assert ("下手：" in text) == (handicap.key != "even")
        again = read(text)
        assert (again.handicap, again.start, usi_of(again)) == (handicap.key, game.start, moves)
        if handicap.key != "even":  # its name by itself, where the kind is named
            record, = kifu.parse(f"手合割：{handicap.ja}\n", "kif", variant=variant)
            named = replay(record)
            assert (named.variant, named.handicap, named.start) == (variant, handicap.key, game.start)


@pytest.mark.parametrize("variant", KINDS)
def test_a_move_is_spelled_as_in_a_game(variant: str) -> None:
    moves = random_moves(variant, 3, 60)
    position = kifu.Position(variant=variant)
    text = kifu.write([game_of(variant, moves)], "kif")
    for move in moves:
        for line in kifu.notate(position, move, "kif").splitlines():
            assert line in text
        position.push(move)


@pytest.mark.parametrize("variant", KINDS)
def test_an_illegal_move_that_ended_the_game_comes_back(variant: str) -> None:
    moves, rules = random_moves(variant, 1, 20), RULESETS[variant]
    position = kifu.Position(variant=variant)
    for move in moves:
        position.push(move)
    chance = random.Random(2)
    squares = [f"{file}{chr(96 + rank)}" for file in range(1, rules.files + 1) for rank in range(1, rules.ranks + 1)]
    foul = next(move for _ in range(9999) if position.reason(move := chance.choice(squares) + chance.choice(squares))
                in ("bad-move", "blocked"))
    record = game_of(variant, moves).record
    record.texts.append(from_usi(foul))
    record.info.extend([0, 0, 0, -1])
    record.lines[0].last += 1
    record.lines[0].end = ends.End("illegal", ends.WHITE, ends.BLACK, "反則")
    game = replay(record)
    assert game.verdict == "foul"
    again = read(kifu.write([game], "kif"))
    assert again.verdict == "foul"
    assert again.illegal_move is not None
    assert again.illegal_move["usi"] == foul
    same_again(again)


# --- by hand --------------------------------------------------------------------------------------------------------
MINI = """#KIF version=2.0 encoding=UTF-8
手合割：5五将棋
先手：甲
後手：乙
手数----指手---------消費時間--
*五五
   1 ３四銀(35)   ( 0:05/00:00:05)
   2 ２三角(41)   ( 0:02/00:00:02)+
*角
&しおり
   3 同　銀(34)   ( 0:10/00:00:15)
   4 ２二金(21)   ( 0:02/00:00:04)
   5 同　銀(23)   ( 0:01/00:00:16)
   6 同　玉(11)   ( 0:02/00:00:06)
   7 ３三金打     ( 0:01/00:00:17)
   8 １一玉(22)   ( 0:02/00:00:08)
   9 ２二角打     ( 0:01/00:00:18)
  10 投了         ( 0:02/00:00:10)
まで9手で先手の勝ち

変化：2手
   2 ３二銀(31)
*静かに
   3 ４四金(45)
   4 中断
まで3手で中断
"""
MINI_MOVES = "3e3d 4a2c 3d2c 2a2b 2c2b 1a2b G*3c 2b1a B*2b".split()
KYOTO = """手合割：京都将棋
   1 ２四金成(25)
   2 ２二銀成(21)
   3 １四歩成(15)
   4 １三角成(22)
   5 同　飛成(14)
   6 １二と成(11)
   7 ２三角打
"""
KYOTO_MOVES = "2e2d- 2a2b+ 1e1d+ 2b1c- 1d1c- 1a1b- +S*2c".split()
TORI = """手合割：禽将棋
   1 ３三燕(34)
   2 同　鷹(42)
   3 ３四燕打
   4 同鷹(33)
   5 ３四同燕(35)
   6 ４四燕(43)
   7 ４二鷹打
   8 同　鵬(41)
"""
TORI_MOVES = "3d3c 4b3c S*3d 3c3d 3e3d 4c4d F*4b 4a4b".split()
LIONS = """手合割：中将棋
 １２ １１ １０ ９  ８  ７  ６  ５  ４  ３  ２  １
+------------------------------------------------+
|v歩  ・  ・  ・  ・  ・  ・  ・  ・  ・  ・  ・|一
|  ・  ・  ・  ・  ・  ・  ・  ・  ・  ・  ・  ・|二
|  ・  ・  ・  ・  ・  ・  ・  ・  ・  ・  ・  ・|三
|  ・  ・  ・  ・  ・  ・  ・  ・  ・  ・  ・  ・|四
|  ・  ・  ・  ・  ・ v歩  ・  ・  ・  ・  ・  ・|五
|  ・  ・  ・  ・  ・  獅 v歩  ・  ・  ・  ・  ・|六
|  ・  ・  ・  ・  ・  ・  ・  ・  ・  ・  ・  ・|七
|  ・  ・  ・  ・  ・  ・  ・  ・  ・  ・  ・  ・|八
|  ・  ・  ・  ・  ・  ・  ・  ・  ・  ・  ・  ・|九
|  ・  ・  ・  ・  ・  ・  ・  ・  ・  ・  ・  ・|十
|  ・  ・  ・  ・  ・  ・  ・  ・  ・  ・  ・ v成獅|十一
| 玉  ・  ・  ・  ・  ・  ・  ・  ・  ・  ・ v玉|十二
+------------------------------------------------+
先手：
後手：
1手目一歩目 ▲6六獅子 （←7六）
1手目二歩目 ▲7六獅子（居食い） （←6六） (0:03/0:00:03)
2手目 △2十二玉将 （←1十二）
3手目一歩目 ▲7五獅子 （←7六）
3手目二歩目 ▲6四獅子 （←7五）
4手目 △3十一獅子 （←1十一）
5手目一歩目 ▲5四獅子 （←6四）
5手目二歩目 ▲6四獅子（じっと） （←5四）
6手目 △1十二玉将（←2十二）
7手目 12十一玉（←12十二）
8 1十一王将 (←1l)
9 投了
"""
LIONS_MOVES = "7f6f7f 1l2l 7f7e6d 1k3k 6d5d6d 2l1l 12l12k 1l1k".split()
LIONS_START = "p11/12/12/12/5p6/5Np5/12/12/12/12/11+o/K10k b - 1"


@pytest.mark.parametrize(("variant", "text", "moves"), [
    ("minishogi", MINI, MINI_MOVES), ("kyotoshogi", KYOTO, KYOTO_MOVES), ("torishogi", TORI, TORI_MOVES)])
def test_games_made_by_hand(variant: str, text: str, moves: list[str]) -> None:
    game = read(text)
    assert (game.variant, game.verdict, game.diagnostics) == (variant, "legal", [])
    assert usi_of(game) == moves
    assert game.start == kifu.Position(variant=variant).sfen()
    same_again(game)


def test_a_whole_file_is_written_as_it_stood() -> None:
    """Headers, comments, a bookmark, clocks with totals, ends, a variation: nothing of it is lost."""
    game = read(MINI)
    out = writer("kif")
    assert out.write_all([game]) == MINI
    assert not out.losses
    assert (game.end, game.winner) == ("resign", "black")
    assert game.variations == 1


def test_lions_step_twice() -> None:
    game = read(LIONS)
    assert (game.variant, game.verdict, game.start) == ("chushogi", "legal", LIONS_START)
    assert usi_of(game) == LIONS_MOVES
    assert game.milliseconds[0] == 3000
    assert [one.name for one in game.diagnostics] == []
    text = kifu.write([game], "kif")
    assert "   5手目一歩目 5四獅子 （←6四）\n   5手目二歩目 6四獅子（じっと） （←5四）\n" in text
    assert "   1手目二歩目 7六獅子（居食い） （←6六）" in text
    assert "   4手目 3十一獅子 （←1十一）\n" in text  # the promoted kirin goes by the lion's word
    same_again(game)


def test_the_same_square_in_either_step() -> None:
    """仝 is the target of the move before, in the first step and in the second; the second one tells the way."""
    start = f"手合割：中将棋\n{LIONS.partition('先手：')[0].partition(chr(10))[2]}"
    text = f"{start}1手目 ▲7七獅子 （←7六）\n2手目 △6七歩兵 （←6六）\n3手目一歩目 ▲仝獅子 （←7七）\n3手目二歩目 ▲6八獅子 （←6七）\n"
    assert usi_of(read(text)) == ["7f7g", "6f6g", "7g6g6h"]
    text = f"{start}1手目 ▲7七獅子 （←7六）\n2手目 △6七歩兵 （←6六）\n3手目一歩目 ▲7六獅子 （←7七）\n3手目二歩目 ▲仝獅子 （←7六）\n"
    assert usi_of(read(text)) == ["7f7g", "6f6g", "7g7f6g"]
    text = f"{start}1手目一歩目 7七獅子 （←7六）\n1手目二歩目 7八獅子 （←6七）\n"  # the steps do not meet
    game = read(text)
    assert (game.verdict, game.plies) == ("unreadable", 0)
    assert [one.name for one in game.diagnostics] == ["unreadable-move"]


def test_a_single_step_is_a_line_that_cannot_be_read() -> None:
    game = read("手合割：中将棋\n1手目一歩目 7九獅子 （←7十）\n2手目 7五歩兵 （←7四）\n")
    assert game.verdict == "unreadable"
    assert game.plies == 0


def test_kyoto_as_lishogi_reads_it() -> None:
    """It asks for no 成, since every move turns the man."""
    game = read(KYOTO.replace("２四金成", "２四金"))
    assert usi_of(game) == KYOTO_MOVES
    assert [(one.name, one.line) for one in game.diagnostics] == [("promotion-supplied", 2)]


def test_micro_turns_over_with_captures() -> None:
    """The bishop that takes the gold on 3b turns over, and no move before it does."""
    text = "手合割：マイクロ将棋\n1 ３四角(25)\n2 ２二銀(11)\n3 ２三角(34)\n4 ３二金(21)\n5 ２五金(35)\n6 ３三銀(22)\n7 ３四銀(45)\n" \
           "8 ４四銀(33)\n9 ３二角成(23)\n10 同　玉(41)\n"
    game = read(text)
    assert (game.variant, game.verdict) == ("micro", "legal")
    assert usi_of(game) == "2e3d 1a2b 3d2c 2a3b 3e2e 2b3c 4e3d 3c4d 2c3b+ 4a3b".split()


@pytest.mark.parametrize(("diagram", "variant", "sfen"), [
    # four files, five ranks
    ("|v玉 ・v金v銀|一\n|v歩 ・ ・ ・|二\n| ・ ・ ・ ・|三\n| ・ と ・ 歩|四\n| 銀 金 桂 玉|五\n", "micro",
     "k1+r+l/p3/4/1+B1P/+L+R+PK"),
    # five files, six ranks
    ("|v銀v金v玉v金v銀|一\n| ・ ・ ・ ・ ・|二\n| ・v歩 ・v歩 ・|三\n| ・ 歩 全 歩 ・|四\n| ・ ・ ・ ・ ・|五\n"
     "| 銀 金 玉 金 ・|六\n", "gorogoro", "sgkgs/5/1p1p1/1P+SP1/5/SGKG1"),
    # six by six; marks of other kinds, no ranks
    ("|-飛-角 ・-銀-金-玉|\n| . . . .-桂-歩|\n|^馬 . . . . .|\n| ・ ・ ・ ・ ・ ・|\n| 歩 ・ ・ ・ ・ ・|\n| 王 金 銀 桂 ・ 竜|\n",
     "judkins", "rb1sgk/4np/+B5/6/P5/KGSN1+R"),
    # seven by seven
    ("|v右鶉v雉v鶴v鵬v鶴v雉v左鶉|一\n| ・ ・ ・ ・ ・ ・ ・|二\n|v燕v燕v燕 ・v燕v燕v燕|三\n| ・ ・v燕 ・ 燕 ・ ・|四\n"
     "| 燕 燕 燕 鵰 燕 燕 燕|五\n| ・ ・ 鴈 ・ ・ ・ ・|六\n| 左鶉 雉 鶴 鵬 鶴 雉 右鶉|七\n", "torishogi",
     "rpckcpl/7/sss1sss/2s1S2/SSS+FSSS/2+S4/LPCKCPR"),
    # nine by nine, but no ordinary shogi
    ("|v香v桂v銀v金v玉v金v銀v桂v香|一\n| ・v飛v銅砲v鉄砲 ・v金砲v銀砲v角 ・|二\n" + "| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n" * 5
     + "| ・ 角 銀砲 飛金 ・ 鉄砲 銅砲 飛 ・|八\n| 香 桂 銀 金 玉 金 銀 桂 香|九\n", "cannonshogi",
     "lnsgkgsnl/1rci1uab1/9/9/9/9/9/1BA+U1ICR1/LNSGKGSNL"),
    # letters in place of words
    ("|vR ・vS+Sv王|一\n| ・ ・ ・ ・ ・|二\n| ・ ・ ・ ・ ・|三\n| ・ ・ ・ ・ ・|四\n| K G ・ ・+R|五\n", "minishogi",
     "r1s+Sk/5/5/5/KG2+R"),
])
def test_boards_of_each_size(diagram: str, variant: str, sfen: str) -> None:
    text = f"+------+\n{diagram}+------+\n先手番\n"
    game = read(text, "bod")
    assert (game.variant, game.start) == (variant, f"{sfen} b - 1")
    assert not [one for one in game.diagnostics if one.severity == "error"]


def test_hands_in_the_words_of_the_kind() -> None:
    board = "+--+\n" + "|v玉 ・ ・ ・ ・|\n" + "| ・ ・ ・ ・ ・|\n" * 3 + "| 玉 ・ ・ ・ ・|\n+--+\n"
    game = read(f"手合割：京都将棋\n後手の持駒：飛　金\n{board}先手の持駒：香と銀二\n後手番\n", "bod")
    assert game.start == "k4/5/5/5/K4 w 2L2Snp 1"  # either face is the man itself
    game = read(f"手合割：5五将棋\n後手の持駒：残り\n{board}先手の持駒：飛\n先手番\n", "bod")
    assert game.start == "k4/5/5/5/K4 b Rr2b2g2s2p 1"
    game = read(f"手合割：5五将棋\n{board}先手の持駒：と\n", "bod")
    assert [one.name for one in game.diagnostics] == ["bad-board"]


# --- the program ---------------------------------------------------------------------------------------------------
@pytest.fixture
def run(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """The program as a user runs it; `kifu` is the package here."""
    found: Callable[..., Any] = request.getfixturevalue("kifu")
    return found


def test_the_program_converts_and_shows(run: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "lions.kif"
    path.write_text(LIONS, encoding="utf-8")
    assert run("check", path).status == 0
    assert f"position sfen {LIONS_START} moves {' '.join(LIONS_MOVES)} resign" in run("convert", path, "--to", "usi").out
    refused = run("convert", path, "--to", "ki2")
    assert refused.status == 1
    assert "ki2 cannot hold chu shogi; " in refused.err
    told = run("show", path, "--at", "3", "--quiet").out
    assert "手数＝3  一歩目 ▲7五獅子 （←7六） 3手目二歩目 ▲6四獅子 （←7五）  まで（全8手）" in told
    assert "の持駒" not in told  # nothing is ever in hand
    assert_aligned(told, RULESETS["chushogi"])
    assert run("convert", path, "--to", "kif", "--into", tmp_path / "out").status == 0
    assert run("check", tmp_path / "out" / "lions.kif").status == 0  # in the usual encoding of KIF files


def test_the_program_says_what_is_wrong(run: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "wrong.kif"
    path.write_text(LIONS.replace("7五獅子 （←7六）", "7五獅子 （←7七）"), encoding="utf-8")
    told = run("check", path)
    assert told.status == 1
    assert f"{path}:22:4" in told.out
    assert "K203 unreadable-move: a move that cannot be read: 一歩目 ▲7五獅子 （←7七）" not in told.out
    assert "K411 empty-origin: 一歩目 ▲7五獅子 （←7七） 3手目二歩目 ▲6四獅子 （←7五）: no man stands on 7g" in told.out
    path.write_text("1 １四飛(15)\n", encoding="utf-8")
    assert run("check", "--variant", "minishogi", path).status == 0
    assert "K203 unreadable-move: a move that cannot be read: １四飛(15); expected a move of tori shogi" in run(
        "check", "--variant", "torishogi", path).out


# --- which kind -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("text", "variant"), [
    ("手合割：5五将棋\n", "minishogi"), ("手合割：５五将棋　　\n", "minishogi"), ("手合割：五々将棋\n", "minishogi"),
    ("手合割:京都将棋\n", "kyotoshogi"), ("手合割：中将棋\n", "chushogi"), ("手合割：tori shogi\n", "torishogi"),
    ("手合割：torishogi\n", "torishogi"), ("手合割：と落ち\n", "kyotoshogi"), ("手合割：2枚獅子\n", "chushogi"),
    ("手合割：平手\n1手目 ▲12八歩兵 （←12九）\n", "chushogi"), ("1手目 ▲7八歩兵 （←7九）\n", "chushogi"),
    ("手合割：飛車落ち\n", "shogi"),
])
def test_the_kind_that_a_record_tells(text: str, variant: str) -> None:
    record, = kifu.parse(text, "kif")
    assert record.variant == variant
    assert replay(record).verdict == "legal"


def test_the_kind_that_is_named() -> None:
    from kifu.notation import read as read_as

    record, = read_as("1 １四飛(15)\n", "kif", variant="minishogi")
    assert usi_of(replay(record)) == ["1e1d"]
    record, = read_as(KYOTO.partition("\n")[2], "kif", variant="kyotoshogi")
    assert usi_of(replay(record)) == KYOTO_MOVES
    record, = read_as("手合割：5五将棋\n", "kif", variant="shogi")
    assert record.variant == "shogi"


@pytest.mark.parametrize("name", ["安南将棋", "どうぶつしょうぎ", "大将棋"])
def test_a_kind_that_nobody_knows(name: str) -> None:
    game = read(f"手合割：{name}\n先手：甲\n   1 ７六歩(77)\n   2 投了\n")
    assert (game.verdict, game.summary()["variant"]) == ("unreadable", None)
    found, = game.diagnostics
    assert (found.name, found.line) == ("unknown-variant", 1)
    assert name in found.message


def test_a_board_that_nobody_knows() -> None:
    text = "後手の持駒：なし\n  ３ ２ １\n+---------+\n|vきvラvぞ|一\n| ・vひ ・|二\n| ・ ひ ・|三\n| ぞ ラ き|四\n+---------+\n"
    for notation in ("kif", "bod"):
        game = read(text, notation)
        found, = game.diagnostics
        assert (found.name, found.line, game.verdict) == ("unknown-variant", 4, "unreadable")
        assert "3 files and 4 ranks" in found.message


@pytest.mark.parametrize(("text", "names"), [
    # a board of another size than the kind's
    ("手合割：5五将棋\n| 玉 ・v玉|\n| ・ ・ ・|\n", {"bad-board"}),
    # a man that the kind has not
    ("手合割：5五将棋\n" + "| ・ ・ ・ ・ ・|\n" * 4 + "| 玉 桂 ・ ・v玉|\n", {"bad-board"}),
    ("手合割：京都将棋\n" + "| ・ ・ ・ ・ ・|\n" * 3 + "| ・ ・ ・ ・|\n| 玉 ・ ・ ・v玉|\n", {"bad-board"}),
    ("手合割：5五将棋\n1 １四桂(15)\n", {"unreadable-move"}),
    ("手合割：5五将棋\n1 ７六歩(77)\n", {"unreadable-move"}),
    ("手合割：禽将棋\n1 ３三燕(34)\n2 ５四鶉打\n", {"unreadable-move"}),  # which of the two
])
def test_what_does_not_fit(text: str, names: set[str]) -> None:
    game = read(text)
    assert game.verdict == "unreadable"
    assert {one.name for one in game.diagnostics if one.severity == "error"} == names


def test_an_unreadable_move_ends_its_line_and_those_that_leave_it() -> None:
    game = read("手合割：5五将棋\n1 １四飛(15)\n2 ３二桂(41)\n3 １五飛(14)\n\n変化：3手\n3 １三飛(14)\n\n変化：1手\n1 ３四銀(35)\n2 ３二角(41)\n")
    assert game.plies == 1
    assert game.verdict == "unreadable"
    assert [one.name for one in game.diagnostics if one.severity == "error"] == ["unreadable-move"]
    assert game.line_plies[-1] == 2


def test_several_games_of_several_kinds() -> None:
    games = [game_of("minishogi", MINI_MOVES), game_of("shogi", ["7g7f", "3c3d"]), game_of("kyotoshogi", KYOTO_MOVES),
             game_of("chushogi", random_moves("chushogi", 1, 10))]
    text = kifu.write(games, "kif")
    back = [replay(record) for record in kifu.parse(text, "kif")]
    assert [game.variant for game in back] == [game.variant for game in games]
    assert [usi_of(game) for game in back] == [usi_of(game) for game in games]
    assert kifu.write(back, "kif") == text
    text = kifu.write(games, "bod")
    back = [replay(record) for record in kifu.parse(text, "bod")]
    assert [game.final.split()[0] for game in back] == [game.final.split()[0] for game in games]


# --- a kind of shogi that nobody has heard of -----------------------------------------------------------------------
@pytest.fixture
def stranger() -> Iterator[Ruleset]:
    """Three files, four ranks, no Japanese words at all."""
    rules = Ruleset(
        "stranger", "stranger's shogi", files=3, ranks=4, initial="lkl/3/3/LKL b - 1", zone=1, hand_order="L",
        kinds=(Kind(2, "L", "lance", slides(AHEAD), promoted=steps(*ORTHOGONAL), promoted_name="crown", must_promote=1,
                    no_drop=1, men=4), Kind(8, "K", "king", steps(*COMPASS), royal=True)))
    RULESETS["stranger"] = rules
    yield rules
    del RULESETS["stranger"]


def test_a_kind_without_words_goes_by_its_letters(stranger: Ruleset) -> None:
    moves = ["3d3a+", "2a3a", "L*3c"]
    game = game_of("stranger", moves)
    text = kifu.write([game], "kif")
    assert "手合割：stranger's shogi\n" in text
    assert "   1 ３一L成(34)\n   2 同　K(21)\n   3 ３三L打\n" in text
    again = read(text)
    assert (again.variant, usi_of(again), again.diagnostics) == ("stranger", moves, [])
    assert kifu.write([again], "kif") == text
    for seed in range(20):
        same_again(game_of("stranger", random_moves("stranger", seed, 30)))
        game = game_of("stranger", random_moves("stranger", seed, seed))
        text = kifu.write([game], "bod")
        assert read(text, "bod").final == game.final


# --- what must not change, what must not break ----------------------------------------------------------------------
def test_ordinary_records_are_not_looked_at_again(monkeypatch: pytest.MonkeyPatch, root: Path) -> None:
    def never(text: str) -> bool:
        raise AssertionError("a sound record of ordinary shogi was taken for another kind")

    ordinary = [path for path in sorted((root / "sample_games").rglob("*.kif"))
                if all(record.variant == "shogi" for record in kifu.read(path))]
    assert len(ordinary) > 5
    monkeypatch.setattr(kif_boards, "other_boards", never)
    for path in ordinary:
        list(kifu.read(path))
    text = kifu.write([game_of("shogi", random_moves("shogi", 1, 80))], "kif")
    assert read(text).verdict == "legal"
    assert read(f"手合割：その他\n{kifu.write([read(text)], 'bod')}").verdict == "legal"


@pytest.mark.parametrize("text", [
    "手合割：その他\n|v香v桂v銀|\n| ・ ・ ・ ・|\n", "１四飛(15)\n2 foo\n", "手合割：香車落ち\n1 ７六歩(77)\n盤\n",
    "|v香v桂v銀v金v玉v金v銀v桂v香|一\n" * 8, "*一歩目 （←\n1 ７六歩(77)\n何か\n   2 ３四歩(33)　（←\n*12 ７六歩 （←七七）\n"[:-1], "手合割：本将棋\n1 ７六歩(77)\n", "手合割：香香落ち\n1 ７六歩(77)\n",
])
def test_ordinary_shogi_with_something_wrong_stays_that(text: str) -> None:
    assert not kif_boards.other_boards(text)
    assert {record.variant for record in kifu.parse(text, "kif")} == {"shogi"}


def test_ki2_is_refused() -> None:
    with pytest.raises(UnwritableError, match="ki2 cannot hold minishogi"):
        kifu.write([read(MINI)], "ki2")
    assert all(writer(notation).can_hold("chushogi") for notation in ("kif", "bod"))


def test_a_lion_just_taken_is_counted() -> None:
    position = CHU_START.replace(" b - 1", " b 6f 1")
    out = writer("bod")
    out.write_all([game_of("chushogi", [], position)])
    assert out.losses == {"lions just taken": 1}


def test_words() -> None:
    for key, rules in RULESETS.items():
        words = words_of(rules)
        assert set(words.move) == set(words.board) == set(rules.pieces)
        assert len(set(words.board.values())) == len(rules.pieces), key  # a board tells all faces apart
        for piece, word in words.board.items():
            assert words.face(word) == piece
        for piece, word in words.move.items():
            assert words.man(word) in (piece, 0)
        for name in (rules.ja, *rules.ja_others):
            assert not name or kind_named(name) == key
    names = [name for rules in RULESETS.values() for name in (rules.ja, *rules.ja_others) if name]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("text", [
    "手合割：中将棋\n" + "1手目一歩目" * 5000, "手合割：中将棋\n" + "|" * 20000, "手合割：5五将棋\n" + "|v" * 20000 + "|\n",
    "手合割：5五将棋\n先手の持駒：" + "歩" * 20000 + "\n", "手合割：5五将棋\n先手の持駒：歩" + "9" * 20000 + "\n",
    "手合割：5五将棋\n1 " + "１" * 20000, "手合割：中将棋\n1手目 " + "12十二" * 9999, "手合割：京都将棋\n" + "| ・\n" * 2000,
    "手合割：京都将棋\n手数＝" + "十" * 20000 + "\n", "手合割：禽将棋\n1 ３三" + "左" * 20000 + "(34)\n",
    "手合割：中将棋\n1手目一歩目 6六獅子 （←7六）\n\n\n1手目二歩目 7六獅子（居食い） （←6六）", "手合割：中将棋\n変化：2手\n変化：１手\n",
    "手合割：京都将棋\n\x00\ud800\U00020bb7\n1 \U00020bb7", "(←" * 9999, "手合割：" * 9999, "手合割：中将棋\n手合割：京都将棋\n1 投了\n2 投了",
    "手合割：中将棋\n1手目 仝獅子 （←7十）\n2手目一歩目 仝獅子 （←7十）\n2手目二歩目 仝獅子 （←7十）\n",
    "手合割：禽将棋\n手数＝3  ▲同　燕まで\n1 同　燕(35)\n", "手合割：禽将棋\n後手の持駒：残り\n先手の持駒：残り\n",
])
def test_hostile_texts(text: str) -> None:
    for notation in ("kif", "bod"):
        for record in kifu.parse(text, notation):
            game = replay(record)
            assert all(one.line >= 1 for one in game.diagnostics)
            if game.verdict in ("legal", "foul"):
                kifu.write([game], "kif")


@pytest.mark.parametrize("seed", range(6))
def test_any_text_of_our_letters_is_read(seed: int) -> None:
    chance = random.Random(seed)
    sources = [MINI, KYOTO, TORI, LIONS]
    for _ in range(150):
        text = chance.choice(sources)
        for _ in range(chance.randrange(1, 12)):
            at = chance.randrange(len(text))
            text = text[:at] + chance.choice(["", "\n", "1", "一歩目", "二歩目", "仝", "同", "獅", "成", "打", "（←", "）", "|", "手目", "十", "+"]) \
                + text[at + chance.randrange(3):]
        for notation in ("kif", "bod"):
            for record in kifu.parse(text, notation):
                game = replay(record)
                if game.verdict in ("legal", "foul"):
                    kifu.write([game], "kif")


def test_the_real_files(shared: Path) -> None:
    """What lishogi's own tests hold, and a whole game of chu shogi."""
    folder = shared / "corpus"

    def game(name: str) -> Game:
        path = next(folder.glob(f"*/emb-wandererxii-scalashogi/{name}.*"))
        record, = kifu.parse(decode(path.read_bytes()).text)
        return replay(record)

    chu = game("KifFixtures_L1862")
    assert (chu.variant, chu.verdict, chu.plies, chu.diagnostics) == ("chushogi", "legal", 129, [])
    assert "6g6f" not in usi_of(chu)
    assert usi_of(chu)[56] == "7g6f7g"  # 居食い
    assert game("KifModelTest_L105").start == "12/9NN1/2+H+H8/12/9+o2/12/5N3N2/5+O6/9+H2/2+H9/2+H6+H2/12 b - 1"
    kyoto = game("KifParserTest_L743")
    assert (kyoto.variant, kyoto.handicap, kyoto.start) == ("kyotoshogi", "2-piece", "1+nks1/5/5/5/+LSK+NP w - 1")
    mini = game("KifModelTest_L47")
    assert (mini.variant, mini.start) == ("minishogi", "rbsgk/4p/P4/5/KGSBR w - 1")
    # its eighth move drops a pawn that nobody has
    assert usi_of(game("KifModelTest_L209")) == "2e3d- 1a1b- 1e1d+ 1b1d+ 3e4d +P*2b 3d2b+".split()


# --- what takes no longer than its length -------------------------------------------------------------------------------
@pytest.mark.parametrize("text", [
    "1手目 7八歩兵 （←7九）\n*" + "同" * 200_000 + "\n2手目 7五歩兵 （←7四）\n",
    "1手目 7八歩兵 （←7九）\n*" + "同歩(" + "x" * 30 + "同歩(" * 50_000 + "\n",
    "手合割：京都将棋\n1手目" + " " * 200_000 + "x\n",
    "手合割：中将棋\n1手目 同" + " " * 200_000 + "歩兵" + " " * 200_000 + "（x\n",
])
def test_long_lines_are_read_once(text: str) -> None:
    """With the square of their length these would take minutes."""
    assert kifu.parse(text, "kif")[0].variant in ("chushogi", "kyotoshogi")


ARROW = "3 同歩（←3三の歩）"


@pytest.mark.parametrize("head", ["手合割：平手\n", ""])
@pytest.mark.parametrize("place", [1, 2, 3])
def test_a_stray_line_makes_no_large_board(head: str, place: int) -> None:
    """A line that looks like a move of chu shogi stands in a record of ordinary shogi: the rest is read as it was."""
    lines = ["   1 ７六歩(77)", "   2 ３四歩(33)", "   3 ２六歩(27)", "   4 ８四歩(83)"]
    lines.insert(place, ARROW)
    [record] = kifu.parse(f"{head}先手：a\n後手：b\n" + "\n".join(lines) + "\n", "kif")
    game = replay(record)
    assert (record.variant, game.verdict) == ("shogi", "unreadable")
    assert [move_usi(move) for move in game.moves] == ["7g7f", "3c3d", "2g2f"][:place]


def test_an_even_game_in_the_style_of_large_boards() -> None:
    """Says 平手 and names no man that ordinary shogi has not: it is that; with a lion it is chu shogi."""
    [record] = kifu.parse("手合割：平手\n   1 ▲7八歩兵 （←7九）\n", "kif")
    assert record.variant == "shogi"
    [record] = kifu.parse("手合割：平手\n   1手目 ▲7八歩兵 （←7九）\n   2手目 △7八獅子 （←7七）\n", "kif")
    assert record.variant == "chushogi"
