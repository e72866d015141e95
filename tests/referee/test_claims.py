"""Claims of records against what their moves prove: each end of the vocabulary, both ways."""
from __future__ import annotations

import pytest
from kifu import parse
from kifu.record import Game
from kifu.replay import replay

TWO = "PI\n+\n+7776FU\n-3334FU\n"
CYCLE = "+2838HI\n-8272HI\n+3828HI\n-7282HI\n"
FOURFOLD = f"PI\n+\n{CYCLE * 3}"
MATE = "P-11OU\nP+13FU\nP+59OU\nP+00KI\n+\n+0012KI\n"
#: Black checks with the rook along two files; the king goes to and fro.
CHECKS = "+2515HI\n-1121OU\n+1525HI\n-2111OU\n"
PERPETUAL = f"P-11OU\nP+25HI\nP+59OU\n+\n{CHECKS * 3}"
STALEMATE = "P-11OU\nP+33RY\nP+59OU\n+\n+3323RY\n"  # White has nothing but a king that cannot move


def game(text: str, rules: str | None = None) -> Game:
    [record] = parse(text, "kif" if "手合割" in text else "csa")
    return replay(record, rules=rules)


def findings(proven: Game) -> list[str]:
    return [one.name for one in proven.diagnostics]


@pytest.mark.parametrize("moves, end, proof, found", [
    (MATE, "%TSUMI", ("checkmate", "black"), []),
    (MATE, "%TORYO", ("checkmate", "black"), []),
    (MATE, "%CHUDAN", ("checkmate", "black"), ["end-conflict"]),
    (MATE, "%HIKIWAKE", ("checkmate", "black"), ["end-conflict"]),
    (MATE, "%TIME_UP", ("checkmate", "black"), []),
    (MATE, "", ("checkmate", "black"), []),
    (STALEMATE, "%TSUMI", ("no_legal_move", "black"), []),
    (STALEMATE, "%TORYO", ("no_legal_move", "black"), []),
    (TWO, "%TSUMI", (None, None), ["mate-unproven"]),
    (TWO, "%TORYO", (None, None), []),
    (TWO, "%CHUDAN", (None, None), []),
    (TWO, "%HIKIWAKE", (None, None), []),
    (TWO, "%TIME_UP", (None, None), []),
    (TWO, "%MATTA", (None, None), []),
    (TWO, "%ERROR", (None, None), []),
    (TWO, "%SENNICHITE", (None, None), ["repetition-unproven"]),
    (TWO, "%JISHOGI", (None, None), ["impasse-unproven"]),
    (TWO, "%KACHI", ("declaration", "white"), ["declaration-failed"]),
    (TWO, "%ILLEGAL_MOVE", (None, None), ["foul-not-shown"]),
    (TWO, "%+ILLEGAL_ACTION", (None, None), ["foul-not-shown"]),
    (TWO, "%-ILLEGAL_ACTION", (None, None), ["foul-not-shown"]),
    (FOURFOLD, "%SENNICHITE", ("repetition", "draw"), []),
    (FOURFOLD, "%HIKIWAKE", ("repetition", "draw"), []),
    (FOURFOLD, "%TORYO", ("repetition", "draw"), ["end-conflict"]),
    (FOURFOLD, "%CHUDAN", ("repetition", "draw"), ["end-conflict"]),
    (FOURFOLD, "", ("repetition", "draw"), []),
    (PERPETUAL, "%SENNICHITE", ("perpetual_check", "white"), ["end-conflict"]),
    (PERPETUAL, "%ILLEGAL_MOVE", ("perpetual_check", "white"), []),
    (PERPETUAL, "%+ILLEGAL_ACTION", ("perpetual_check", "white"), []),
    (PERPETUAL, "%-ILLEGAL_ACTION", ("perpetual_check", "white"), ["end-conflict"]),
    (STALEMATE, "%SENNICHITE", ("no_legal_move", "black"), ["repetition-unproven", "end-conflict"]),
    (FOURFOLD, "%TSUMI", ("repetition", "draw"), ["mate-unproven", "end-conflict"]),
    (FOURFOLD, "%KACHI", ("repetition", "draw"), ["declaration-failed", "end-conflict"]),
    (PERPETUAL, "%TORYO", ("perpetual_check", "white"), []),
    (TWO, "%MAX_MOVES", (None, None), []),
])
def test_claim_and_proof(moves: str, end: str, proof: tuple[str | None, str | None], found: list[str]) -> None:
    proven = game(f"{moves}{end}\n")
    assert proven.verdict == "legal"
    assert (proven.verified_end, proven.verified_winner) == proof
    assert findings(proven) == found


def test_what_counts_of_a_repetition_is_the_way_to_the_fourth_time() -> None:
    """One round without checks, then three with: the game was drawn before all four were checks."""
    quiet = "+2535HI\n-1112OU\n+3525HI\n-1211OU\n"
    proven = game(f"P-11OU\nP+25HI\nP+59OU\n+\n{quiet}{CHECKS * 3}%SENNICHITE\n")
    assert (proven.verified_end, proven.verified_winner) == ("repetition", "draw")
    assert findings(proven) == ["played-on"]


@pytest.mark.parametrize("text, found", [
    ("手合割：平手\n   1 ７六歩(77)\nまで1手で先手の入玉勝ち\n", ["declaration-failed"]),  # White is to move
    ("手合割：平手\n   1 ７六歩(77)\nまで1手で後手の入玉勝ち\n", ["declaration-failed"]),
])
def test_only_the_side_to_move_declares(text: str, found: list[str]) -> None:
    proven = game(text)
    assert findings(proven) == found
    assert proven.verified_winner == (None if "先手の入玉" in text else "black")


def test_a_name_is_no_declaration() -> None:
    proven = game(f"N+kachi\nN-other\n{TWO}'summary:illegal move:kachi lose:other win\n")
    assert (proven.verified_end, findings(proven)) == (None, ["foul-not-shown"])


@pytest.mark.parametrize("end", ["'summary:oute_sennichite:A lose:B win", "'summary:illegal kachi:A lose:B win"])
def test_an_end_that_is_about_something_else_does_not_name_the_illegal_move(end: str) -> None:
    assert game(f"N+A\nN-B\nPI\n+\n+7775FU\n{end}\n").verdict == "illegal"


def test_both_sides_of_a_conflict_are_named() -> None:
    text = "後手の持駒：なし\n手合割：その他\n" + "\n".join(kifu_board()) + "\n先手の持駒：金\n先手番\n   1 １二金打\nまで1手で後手の勝ち\n"
    assert findings(game(text)) == ["winner-to-move", "end-conflict"]


def kifu_board() -> list[str]:
    """The position of `MATE` before its move."""
    empty = "| ・ ・ ・ ・ ・ ・ ・ ・ ・|"
    rows = ["| ・ ・ ・ ・ ・ ・ ・ ・v玉|一", f"{empty}二", "| ・ ・ ・ ・ ・ ・ ・ ・ 歩|三",
            *(f"{empty}{rank}" for rank in "四五六七八"), "| ・ ・ ・ ・ 玉 ・ ・ ・ ・|九"]
    frame = "+---------------------------+"
    return ["  ９ ８ ７ ６ ５ ４ ３ ２ １", frame, *rows, frame]


def test_the_claim_stays_beside_the_proof() -> None:
    proven = game(f"{FOURFOLD}%TORYO\n")
    assert (proven.end, proven.winner) == ("resign", "white")
    [found] = proven.diagnostics
    assert found.message == "the record says a win of White by resignation, the moves prove a draw by repetition"
    assert (found.line, found.column, found.ply, found.severity) == (15, 1, 12, "warning")


@pytest.mark.parametrize("mode, severity", [("default", "warning"), ("strict", "error"), ("salvage", "warning")])
def test_severities(mode: str, severity: str) -> None:
    [record] = parse(f"{TWO}%TSUMI\n", "csa")
    assert [one.severity for one in replay(record, mode=mode).diagnostics] == [severity]


@pytest.mark.parametrize("moves, times", [("PI\n+\n", "once"), (f"PI\n+\n{CYCLE}", "twice"),
                                          (f"PI\n+\n{CYCLE * 2}", "three times")])
def test_how_often_the_position_stood(moves: str, times: str) -> None:
    [found] = game(f"{moves}%SENNICHITE\n").diagnostics
    assert found.message.endswith(f"has stood only {times}")


def test_a_mate_that_can_be_answered_names_the_answer() -> None:
    [found] = game("P-11OU\nP+12KI\nP+59OU\n-\n%TSUMI\n").diagnostics
    assert found.message == "the record says checkmate, but White can answer with 1a1b"


def test_a_position_that_stands_again_and_moves_that_follow() -> None:
    proven = game(f"{FOURFOLD}+7776FU\n%TORYO\n")
    [found] = proven.diagnostics
    assert (found.name, found.ply, found.line) == ("played-on", 12, 14)
    assert "the game was drawn" in found.message
    assert proven.verified_end is None
    [found] = game(f"{PERPETUAL}+5958OU\n%CHUDAN\n").diagnostics
    assert "won by White" in found.message


def test_the_fourth_time_counts_positions_from_the_start_only() -> None:
    assert findings(game(f"PI\n+\n{CYCLE * 2}{CYCLE[:24]}%CHUDAN\n")) == []


@pytest.mark.parametrize("text, found", [
    ("手合割：平手\n   1 ７六歩(77)\nまで1手で先手の勝ち\n", []),
    ("手合割：平手\n   1 ７六歩(77)\nまで1手で後手の勝ち\n", ["winner-to-move"]),
    ("手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\nまで2手で先手の勝ち\n", ["winner-to-move"]),
    ("手合割：平手\n   1 ７六歩(77)\nまで1手で時間切れにより後手の勝ち\n", ["winner-to-move"]),
    ("手合割：二枚落ち\n   1 ６二銀(71)\nまで1手で上手の勝ち\n", []),
    ("手合割：二枚落ち\n   1 ６二銀(71)\nまで1手で下手の勝ち\n", ["winner-to-move"]),
])
def test_who_can_have_won(text: str, found: list[str]) -> None:
    assert findings(game(text)) == found


def test_the_end_of_a_variation() -> None:
    text = ("手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 投了\n\n変化：2手\n   2 ８四歩(83)\n   3 詰み\n")
    [found] = game(text).diagnostics
    assert (found.name, found.line, found.ply) == ("mate-unproven", 8, 2)


class TestFouls:
    """An illegal move that ended a game is data, and the record says so in one of several ways."""

    NIFU = ("手合割：平手\n   1 ２六歩(27)\n   2 ８四歩(83)\n   3 ２五歩(26)\n   4 ８五歩(84)\n   5 ２四歩(25)\n"
            "   6 同　歩(23)\n   7 同　飛(28)\n   8 ３二金(41)\n   9 ５五歩打\n")

    @pytest.mark.parametrize("end", ["  10 反則勝ち\n", "*反則手にて終局\n", "まで9手で後手の反則勝ち\n"])
    def test_a_foul_is_data(self, end: str) -> None:
        proven = game(self.NIFU + end)
        assert proven.verdict == "foul"
        assert proven.illegal_move == {"ply": 9, "text": "５五歩打", "usi": "P*5e", "reason": "nifu", "offender": "black"}
        assert (proven.end, proven.winner, proven.plies) == ("illegal", "white", 8)
        assert [(one.name, one.severity) for one in proven.diagnostics] == [("nifu", "warning")]

    @pytest.mark.parametrize("end", ["", "  10 投了\n", "*よい手\n", "  10 中断\n"])
    def test_without_a_word_it_is_an_illegal_game(self, end: str) -> None:
        proven = game(self.NIFU + end)
        assert (proven.verdict, proven.illegal_move["reason"]) == ("illegal", "nifu")

    def test_an_ignored_check(self) -> None:
        text = "P-11OU\nP+19HI\nP+59OU\nP-33KI\n-\n-3323KI\n%-ILLEGAL_ACTION\n"
        proven = game(text)
        assert (proven.verdict, proven.illegal_move["reason"], proven.illegal_move["offender"]) == (
            "foul", "check-not-answered", "white")

    def test_the_remark_of_81dojo_on_a_legal_move(self) -> None:
        proven = game("手合割：平手\n   1 ７六歩(77)\n*反則手にて終局\n")
        assert (proven.verdict, proven.end, proven.winner) == ("legal", "illegal", "white")
        assert findings(proven) == ["foul-not-shown"]

    def test_the_remark_on_an_earlier_move_says_nothing(self) -> None:
        proven = game("手合割：平手\n   1 ７六歩(77)\n*反則手にて終局\n   2 ３四歩(33)\n")
        assert (proven.end, findings(proven)) == (None, [])

    def test_the_remark_in_a_variation(self) -> None:
        """It names the illegal move there, as the word for it would."""
        branch = "\n変化：9手\n   9 ５五歩打\n"
        text = self.NIFU.replace("   9 ５五歩打\n", "   9 投了\n") + branch
        assert game(text).verdict == "illegal"
        assert game(f"{text}*反則手にて終局\n").verdict == "legal"
        assert game(f"{text}  10 反則勝ち\n").verdict == "legal"

    def test_an_end_that_is_written_outranks_the_remark(self) -> None:
        assert game("手合割：平手\n   1 ７六歩(77)\n*反則手にて終局\n   2 投了\n").end == "resign"
