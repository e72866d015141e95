"""The illegal move that ended a game survives in each notation that names origin and piece."""
from __future__ import annotations

import pytest

from kifu.notation import read, writer
from kifu.record import Game
from kifu.replay import replay

KIF = "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 {}\n   4 反則勝ち\n"
CSA = "PI\n+\n+7776FU\n-3334FU\n{}\n%+ILLEGAL_ACTION\n"
FOULS = [
    ("csa", CSA.format("'ILLEGAL_MOVE(+0055FU)"), "not-in-hand"), ("csa", CSA.format("+8822NY"), "wrong-piece"),
    ("csa", CSA.format("+8811UM"), "blocked"), ("csa", CSA.format("-8384FU"), "wrong-side"),
    ("csa", CSA.format("+5556FU"), "empty-origin"), ("kif", KIF.format("２五銀(27)"), "wrong-piece"),
    ("kif", KIF.format("同　銀(79)"), "bad-move"), ("kif", KIF.format("８八角成(88)"), "own-piece"),
]


def foul(text: str, notation: str) -> Game:
    game = replay(next(iter(read(text, notation))))
    assert (game.verdict, game.plies, game.winner) == ("foul", 2, "white")
    return game


@pytest.mark.parametrize("to", ["csa", "kif", "jkf"])
@pytest.mark.parametrize(("notation", "text", "reason"), FOULS)
def test_a_foul_is_the_same_foul_when_it_is_read_again(notation: str, text: str, reason: str, to: str) -> None:
    game, target = foul(text, notation), writer(to)
    assert game.illegal_move is not None and game.illegal_move["reason"] == reason
    again = foul(target.write(game), to)
    assert again.illegal_move is not None and again.illegal_move["reason"] == reason
    assert again.illegal_move["usi"][:4] == game.illegal_move["usi"][:4]
    assert target.losses == {}


@pytest.mark.parametrize(("notation", "text"), [
    ("kif", KIF.format("５五角成打")),  # the drop alone is another foul, and where the piece is in hand none at all
    ("kif", KIF.format("７八金成(69)")),  # CSA names what the piece is afterwards, and a promoted gold has no name
    ("usi", "position startpos moves 7g7f 3c3d 5e5d"),  # no piece is named, and none stands there
])
def test_what_csa_cannot_say_of_a_foul_is_counted(notation: str, text: str) -> None:
    game = replay(next(iter(read(text, notation))))
    target = writer("csa")
    written = target.write(game)
    assert "'ILLEGAL_MOVE(" not in written
    assert target.losses == ({"illegal final move": 1} if game.verdict == "foul" else {})


def test_moves_behind_the_end_are_not_taken_for_the_foul() -> None:
    game = foul(CSA.format("'ILLEGAL_MOVE(+0055FU)") + "+2726FU\n-8384FU\n", "csa")
    for notation, word in (("kif", "５五歩打"), ("csa", "'ILLEGAL_MOVE(+0055FU)"), ("jkf", '"piece":"FU"}},{"special"')):
        assert word in writer(notation).write(game)


@pytest.mark.parametrize("to", ["csa", "kif", "ki2", "jkf", "western", "usen", "usi"])
@pytest.mark.parametrize("how", ["後手の勝ち", "時間切れにより後手の勝ち"])
def test_no_word_for_the_end_names_the_wrong_winner(how: str, to: str) -> None:
    """White is said to have won though White is to move, so a word that says that the mover lost is wrong."""
    game = replay(next(iter(read(f"手合割：平手\n▲７六歩 △３四歩 ▲２六歩\nまで3手で{how}\n", "ki2"))))
    assert (game.verdict, game.winner) == ("legal", "white")
    target = writer(to)
    again = replay(next(iter(read(target.write(game), to))))
    assert again.winner != "black"
    assert (again.winner, again.end) == (game.winner, game.end) or target.losses["end"] == 1
    assert again.winner == "white" or to in ("csa", "jkf", "usen", "usi")


@pytest.mark.parametrize("to", ["csa", "kif", "ki2", "jkf"])
def test_a_winner_that_a_foul_contradicts_is_counted(to: str) -> None:
    """`%ILLEGAL_MOVE` behind Black's illegal move says that White broke a rule, which the move contradicts."""
    text = "PI\n+\n+7776FU\n-3334FU\n+8899KA\n%ILLEGAL_MOVE\n"
    game = replay(next(iter(read(text, "csa"))))
    assert (game.verdict, game.winner) == ("foul", "black")
    target = writer(to)
    again = replay(next(iter(read(target.write(game), to))))
    assert again.winner == "white" and target.losses["end"] == 1


def test_a_summary_that_is_no_end_word_is_no_special_of_jkf() -> None:
    text = "N+A\nN-B\nPI\n+\n+7776FU\n'summary:some move:A win:B lose\n"
    target = writer("jkf")
    written = target.write(replay(next(iter(read(text, "csa")))))
    assert '"special":"ERROR"' in written and target.losses["end"] == 1

# --- what stands with the foul --------------------------------------------------------------------------------------
NOTED = ("手合割：平手\n手数----指手--\n   1 ７六歩(77) ( 0:05/)\n*a good move\n   2 ３四歩(33)\n"
         "   3 {} ( 0:07/)\n*the foul move comment\n&here\n   4 反則勝ち ( 0:02/)\n")
DROP, JUMP = NOTED.format("２二歩打"), NOTED.format("２五角(88)")
#: The gold on 48 stands between a rook and its king; those on 59 and 68 could go to 58 as well.
INTO_CHECK = ("後手の持駒：なし\n| ・ ・ ・ ・ ・v飛 ・ ・ ・|一\n" + "| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n" * 6
              + "| ・ ・ ・ 金 ・ 金 ・ ・ ・|八\n| ・ ・ ・ ・ 金 玉 ・ ・ ・|九\n先手の持駒：なし\n")


@pytest.mark.parametrize(("text", "to", "losses"), [
    (DROP, "kif", {}), (DROP, "jkf", {"bookmarks": 1}),
    (DROP, "ki2", {"illegal final move": 1, "clocks": 3, "bookmarks": 1}),
    (DROP, "csa", {"clocks": 1, "bookmarks": 1}),
    (DROP, "usi", {"comments": 2, "clocks": 3, "bookmarks": 1, "end": 1, "illegal final move": 1}),
    (DROP, "usen", {"comments": 2, "clocks": 3, "bookmarks": 1, "end": 1, "illegal final move": 1}),
    (JUMP, "kif", {}), (JUMP, "csa", {"clocks": 1, "bookmarks": 1}),
    (JUMP, "ki2", {"illegal final move": 1, "clocks": 3, "bookmarks": 1}),
])
def test_what_stands_with_a_foul_is_kept_or_counted(text: str, to: str, losses: dict[str, int]) -> None:
    target = writer(to)
    written = target.write(foul(text, "kif"))
    assert target.losses == losses
    again = replay(next(iter(read(written, to))))
    if "comments" not in losses:
        assert "the foul move comment" in [told for _, _, told in again.record.comments()]
    if to in ("kif", "csa", "jkf"):
        assert again.record.end is not None and again.record.end.milliseconds == 2000


@pytest.mark.parametrize(("text", "spelled", "plies"), [
    ("手合割：平手\n▲７六歩 △３四歩 ▲３三角成 △８四歩 \n*it is check\nまで4手で後手の反則負け\n", "８四歩(83)", 3),
    (INTO_CHECK + "▲５八金右\n*pinned\nまで1手で先手の反則負け\n", "５八金(48)", 0),
])
def test_a_foul_without_its_origin_is_the_move_of_the_man_that_it_means(text: str, spelled: str, plies: int) -> None:
    game = replay(next(iter(read(text, "ki2"))))
    assert (game.verdict, game.plies) == ("foul", plies)
    for notation in ("kif", "csa", "jkf", "ki2"):
        target = writer(notation)
        again = replay(next(iter(read(target.write(game), notation))))
        assert spelled in writer("kif").write(again)
        assert target.losses == {}


@pytest.mark.parametrize("to", ["kif", "ki2", "jkf", "usen"])
def test_a_foul_that_ended_a_variation_is_counted_with_all_that_stands_there(to: str) -> None:
    game = replay(next(iter(read(
        "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 中断\n\n変化：2手\n   2 ８四歩(83)\n   3 ８八角打 ( 0:09/)\n"
        "*foul in a branch\n&here\n   4 反則勝ち\n", "kif"))))
    assert game.verdict == "legal"
    target = writer(to)
    text = target.write(game)
    assert target.losses == {
        "illegal final move": 1, "end": 1, "comments in variations": 1, "bookmarks": 1, "clocks": 1}
    assert replay(next(iter(read(text, to)))).diagnostics == []
