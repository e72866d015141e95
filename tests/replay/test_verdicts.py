"""Verdicts: what replay says of whole records, claims and proofs side by side."""
from __future__ import annotations

import pytest

from kifu.notation import read
from kifu.record import Game
from kifu.replay import replay
from kifu.rules.move import usi

HEAD = "手合割：平手\n手数----指手---------消費時間--\n"
NIFU = ("   1 ２六歩(27)\n   2 ８四歩(83)\n   3 ２五歩(26)\n   4 ８五歩(84)\n   5 ２四歩(25)\n   6 同　歩(23)\n"
        "   7 同　飛(28)\n   8 ９四歩(93)\n   9 １五歩打\n")


def game(text: str, notation: str = "kif", mode: str = "default") -> Game:
    """The first game of a text, replayed."""
    return replay(next(read(text, notation, mode=mode)), mode=mode)


def names(found: Game, severity: str = "error") -> list[str]:
    """The names of the findings of a severity."""
    return [one.name for one in found.diagnostics if one.severity == severity]


def test_an_illegal_move_stops_its_line_and_is_told_where_it_stands() -> None:
    found = game(HEAD + NIFU + "  10 ３四歩(33)\n")
    assert (found.verdict, found.plies) == ("illegal", 8)
    assert found.illegal_move == {"ply": 9, "text": "１五歩打", "usi": "P*1e", "reason": "nifu", "offender": "black"}
    [one] = [one for one in found.diagnostics if one.name == "nifu"]
    assert (one.line, one.column, one.ply, one.severity) == (11, 6, 9, "error")
    assert "1g" in one.message


@pytest.mark.parametrize(("end", "verdict", "winner"), [
    ("  10 反則勝ち\n", "foul", "white"),  # the side to move wins, because the last move was the foul
    ("まで9手で後手の反則勝ち\n", "foul", "white"),
    ("まで9手で先手の反則負け\n", "foul", "white"),
    ("  10 投了\n", "illegal", "black"),
    ("", "illegal", "unknown"),
])
def test_a_foul_is_no_error_where_the_record_says_so(end: str, verdict: str, winner: str) -> None:
    found = game(HEAD + NIFU + end)
    assert (found.verdict, found.winner, found.plies) == (verdict, winner, 8)
    assert ("nifu" in names(found)) == (verdict == "illegal")


def test_a_foul_by_the_other_side_than_claimed_is_reported() -> None:
    found = game("V2.2\nPI\n+\n+7775FU\n%-ILLEGAL_ACTION\n", "csa")
    assert (found.verdict, found.winner) == ("foul", "black")
    assert "result-conflict" in names(found, "warning")


def test_moves_behind_an_unreadable_one_are_never_replayed() -> None:
    found = game(HEAD + "   1 ７六歩(77)\n   2 ３四布(33)\n   3 ２六歩(27)\n   4 投了\n")
    assert (found.verdict, found.plies) == ("unreadable", 1)
    assert names(found) == ["unreadable-move"]
    assert (found.end, found.winner) == ("resign", "black")  # three moves were made, so White resigned


def test_a_missing_line_is_a_jump_and_the_wrong_side() -> None:
    found = game(HEAD + "   1 ７六歩(77)\n   2 ３四歩(33)\n   4 ８四歩(83)\n   5 ２六歩(27)\n")
    assert (found.verdict, found.plies) == ("illegal", 2)
    assert names(found) == ["wrong-side"]
    assert names(found, "warning") == ["number-jump"]


def test_an_illegal_branch_makes_the_record_illegal_and_keeps_the_main_line() -> None:
    found = game(HEAD + "   1 ７六歩(77)\n   2 ３四歩(33)\n\n変化：2手\n   2 ８四歩(83)\n   3 ７七銀(88)\n")
    assert (found.verdict, found.plies, found.line_plies) == ("illegal", 2, [2, 1])
    assert found.illegal_move is not None and found.illegal_move["ply"] == 3


def test_branches_follow_the_path_rule_of_kifu_for_windows() -> None:
    """main, 9 of main, 6 of main, 9 of that 6, 6 again, 1, 7 of that 1."""
    shuffle = ["５八玉(59)", "５二玉(51)", "５九玉(58)", "５一玉(52)"]
    black, white = ["４八玉(59)", "５九玉(48)"], ["４二玉(51)", "５一玉(42)"]
    lines = [f"{ply:4} {shuffle[(ply - 1) % 4]}" for ply in range(1, 13)]
    def branch(first: int, moves: list[str]) -> list[str]:
        return ["", f"変化：{first}手", *(f"{first + i:4} {move}" for i, move in enumerate(moves))]
    lines += branch(9, [black[0]])
    lines += branch(6, [white[0], shuffle[2], white[1], shuffle[0]])
    lines += branch(9, [black[0]])
    lines += branch(6, ["６二玉(51)"])
    lines += branch(1, [black[0], shuffle[1], black[1], shuffle[3], shuffle[0], shuffle[1], shuffle[2]])
    lines += branch(7, ["４八玉(58)"])
    found = game(HEAD + "\n".join(lines) + "\n")
    assert found.verdict == "legal", found.diagnostics
    parents = [line.parent for line in found.record.lines]
    paths = [[usi(found.proven[index]) for index in found.record.path(number)] for number in range(len(parents))]
    assert parents[:5] == [-1, 7, 4, 15, 4]
    assert [len(path) for path in paths] == [12, 9, 9, 9, 6, 7, 7]
    assert paths[3][:8] == paths[2][:8]
    assert paths[6][:6] == paths[5][:6]
    assert paths[6][6] == "5h4h"


def test_a_branch_in_ascending_order_finds_its_parent() -> None:
    found = game(HEAD + "   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２六歩(27)\n\n変化：1手\n   1 ２六歩(27)\n"
                 "\n変化：3手\n   3 ６六歩(67)\n")
    assert found.verdict == "legal"
    assert names(found, "warning") == ["variation-order"]
    assert [usi(found.proven[index]) for index in found.record.path(2)] == ["7g7f", "3c3d", "6g6f"]


def test_claims_and_proofs_stand_side_by_side() -> None:
    moves = "7g7f 3c3d" + " 2h3h 8b7b 3h2h 7b8b" * 3
    found = game(f"startpos moves {moves}", "usi")
    assert (found.end, found.verified_end, found.verified_winner) == (None, "repetition", "draw")
    found = game("sfen k8/1G7/1P7/9/9/9/9/9/K8 b G 1 moves G*9b", "usi")
    assert (found.verified_end, found.verified_winner, found.winner) == ("checkmate", "black", "unknown")


def test_in_strict_mode_every_tolerance_is_an_error() -> None:
    text = HEAD + "   1 △７六歩(77)\n"
    assert names(game(text)) == []
    assert names(game(text, mode="strict")) == ["unspecified-spelling", "side-sign"]
    declined = HEAD + "   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２二角不成(88)\n"
    assert names(game(declined)) == []
    assert names(game(declined, mode="strict")) == ["decline-written"]


@pytest.mark.parametrize(("first", "warned"), [("９二香(91)", True), ("１二香(11)", False)])
def test_both_readings_of_three_pieces(first: str, warned: bool) -> None:
    found = game(f"手合割：三枚落ち\n手数----指手--\n   1 {first}\n")
    assert (found.verdict, found.handicap) == ("legal", "3-piece")
    assert (names(found, "warning") == ["three-piece-lance"]) == warned


def test_the_summary_has_the_fields_of_the_contract() -> None:
    found = game("position startpos moves 7g7f", "usi").summary(moves=True)
    assert list(found) == [
        "game", "line", "notation", "variant", "handicap", "start", "plies", "variations", "verdict", "illegal_move",
        "end", "winner", "verified_end", "verified_winner", "final", "moves", "diagnostics"]
    assert found["moves"] == ["7g7f"]
