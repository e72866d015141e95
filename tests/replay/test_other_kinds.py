"""Replay of other kinds of shogi: repetition in variations, royal men taken, bare kings, claims held to the kind's rules."""
from __future__ import annotations

import json
import random
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kifu import ends
from kifu.notation import read
from kifu.record import Game, Line, Record, Source
from kifu.replay import replay
from kifu.rules.api import Position
from kifu.rules.move import from_usi
from kifu.rules.outcome import men_left
from kifu.rules.position import Position as Core
from kifu.rules.repetition import BARRING, History, barred
from kifu.rules.ruleset import FOURTH, FOURTH_LOSES, FOURTH_SECOND_WINS
from kifu.rules.variants import RULESETS

TORI = RULESETS["torishogi"].initial
QUIET = "4f5f 4b3b 5f4f 3b4b".split()  # both falcons step aside and back
CHASE = "4a3a 3d4d 3a4a 4d3d".split()  # an eagle gives check, the phoenix steps aside
EAGLE = "3+F3/7/7/4k2/7/7/K6 b - 1"
LOOP = "2e3d 4a3b 3d2e 3b4a".split()  # of minishogi


def record(variant: str, start: str, moves: list[str], *branches: tuple[int, list[str]]) -> Record:
    """A record with variations: each begins behind so many plies of the main line."""
    lines = [(0, moves), *branches]
    written = [move for _, several in lines for move in several]
    text = " ".join(written)
    made = Record("usi", 1, Source(text), 0, len(text))
    made.variant, made.start = variant, start
    made.turn = "white" if start.split()[1] == "w" else "black"
    made.texts, made.info = array("q", map(from_usi, written)), array("q")
    at = first = 0
    for behind, several in lines:
        made.lines.append(Line(behind - 1, first, first + len(several), behind + 1))
        for move in several:
            made.info.extend((at, at + len(move), 0, -1))
            at += len(move) + 1
        first += len(several)
    return made


def told(game: Game, severity: str = "error") -> list[str]:
    return [one.name for one in game.diagnostics if one.severity == severity]


# --- the oracle, as whole records

def rows(shared: Path, other: bool = True) -> list[dict[str, Any]]:
    with (shared / "oracle" / "verdicts.jsonl").open(encoding="utf-8") as lines:
        return [row for row in map(json.loads, lines) if (row["variant"] != "shogi") == other]


def test_verdicts_as_records(shared: Path) -> None:
    """Every row of another kind of shogi as a USI record: read, its kind named, replayed."""
    checked = 0
    for row in rows(shared):
        text = f"position sfen {row['sfen']} moves {row['moves']}\n"
        [made] = read(text, "usi", variant=row["variant"])
        game, plies = replay(made), len(row["moves"].split())
        assert game.variant == row["variant"], row["id"]
        if row["verdict"] == "illegal":
            assert (game.verdict, game.plies) == ("illegal", plies - 1), row["id"]
            assert game.illegal_move["reason"] == row["reason"].replace("_", "-"), row["id"]
            assert told(game) == [row["reason"].replace("_", "-")], row["id"]
        else:
            assert (game.verdict, game.plies) == ("legal", plies), row["id"]
            proven = ("repetition", "draw") if row["verdict"] == "draw" else (None, None)
            assert (game.verified_end, game.verified_winner) == proven, row["id"]
        checked += 1
    assert checked > 15


def test_verdicts_on_the_command_line(shared: Path, kifu: Callable[..., Any], tmp_path: Path) -> None:
    for variant in sorted({row["variant"] for row in rows(shared)}):
        some = [row for row in rows(shared) if row["variant"] == variant]
        (tmp_path / "a.usi").write_text("".join(f"position sfen {row['sfen']} moves {row['moves']}\n" for row in some))
        ran = kifu("check", "--variant", variant, "--format", "json", tmp_path / "a.usi")
        found = [json.loads(line) for line in ran.out.splitlines()]
        assert len(found) == len(some) and "Traceback" not in ran.err
        for row, one in zip(some, found, strict=True):
            assert one["variant"] == variant
            assert one["verdict"] == ("illegal" if row["verdict"] == "illegal" else "legal"), row["id"]
            reason = one["illegal_move"]["reason"] if one["illegal_move"] else ""
            assert reason == (row["reason"].replace("_", "-") if one["illegal_move"] else ""), row["id"]
            assert one["verified_end"] == ("repetition" if row["verdict"] == "draw" else None), row["id"]


# --- repetition that bars moves

def test_a_variation_stops_before_the_move_that_is_barred() -> None:
    """The third occurrence of the start position. The first two moves of the variation are those of the main line."""
    game = replay(record("torishogi", TORI, [*QUIET, "4f5f", "4b3b"], (4, [*QUIET, "4f3f"])))
    assert (game.plies, game.line_plies) == (6, [6, 1])
    assert game.illegal_move == {"ply": 8, "text": "3b4b", "usi": "3b4b", "reason": "third-occurrence", "offender": "white"}
    assert (game.verdict, told(game)) == ("illegal", ["third-occurrence"])
    assert [move < 0 for move in game.proven] == [False] * 9 + [True, True]


def test_moves_of_another_line_do_not_count() -> None:
    """Positions stand twice in the main line and twice in each variation, which part from it before."""
    branch = ["4f3f", "4b5b", "3f4f", "5b4b"]  # the same two positions by other moves
    game = replay(record("torishogi", TORI, QUIET, (0, branch), (0, [*branch[:2], "3f4f", "5b4b"])))
    assert (game.verdict, told(game)) == ("legal", [])


def test_a_variation_of_a_variation() -> None:
    """The way to it leads over its parents, also where lines stand between that part earlier."""
    made = record("torishogi", TORI, [*QUIET, "4f5f"], (4, ["4f3f", "4b5b"]), (0, ["4f3f"]), (2, ["5f4f", "3b4b"]))
    made.lines[1].parent = 3
    made.lines[3].parent = 1
    assert replay(made).verdict == "legal"
    deep = record("torishogi", TORI, QUIET, (4, ["4f5f", "4b3b", "5f4f", "3b2b"]), (0, ["4f3f"]), (4, ["3b4b"]))
    deep.lines[3].parent, deep.lines[3].number = 6, 8  # in place of the last move of the first variation
    game = replay(deep)
    assert (game.verdict, game.line_plies) == ("illegal", [4, 4, 1, 0])
    assert game.illegal_move["reason"] == "third-occurrence" and game.illegal_move["ply"] == 8


def test_another_reading_leaves_the_variation_alone() -> None:
    made = record("torishogi", TORI, [*QUIET, "4f5f", "4b3b"], (4, [*QUIET, "4f3f"]))
    game = replay(made, rules="fourth-loses")
    assert (game.verdict, game.line_plies) == ("legal", [6, 3])


def test_remarks_behind_a_barred_move_are_not_told() -> None:
    made = record("torishogi", TORI, ["4f3f"], (0, [*QUIET, *QUIET, "4f5f"]))
    made.texts[-1] |= 1 << 26  # an x where nothing is taken
    game = replay(made)
    assert told(game) == ["third-occurrence"] and told(game, "warning") == []


@pytest.mark.parametrize("rule", sorted(BARRING))
def test_a_history_judges_as_a_look_at_the_whole_line_does(rule: str) -> None:
    """Random walks among few positions, with checks; a second definition, slow and by the words of the rule."""
    def slow(keys: list[int], moves: list[int], turn: int) -> bool:
        last = len(moves)
        plies = [ply for ply in range(last + 1) if keys[ply] == keys[last]]
        if len(plies) < 3:
            return False
        mover = (turn + last - 1) % 2
        of = {side: [moves[ply] for ply in range(plies[0], last) if (turn + ply) % 2 == side] for side in (0, 1)}
        chases = {side for side in (0, 1) if all(move >> 31 & 1 for move in of[side])}
        if chases == {1 - mover} or rule == "third-barred" and 1 - mover in chases:
            return False
        if rule == "third-barred" or chases == {mover}:
            return True
        start, again = plies[:2]
        while start and keys[start - 1] == keys[again - 1]:
            start, again = start - 1, again - 1
        return (turn + start) % 2 == mover

    chance = random.Random(7)
    seen = set()
    for _ in range(300):
        turn, keys, moves = chance.randrange(2), [0], []
        history = History(0, turn)
        for ply in range(1, chance.randrange(4, 30)):
            moves.append(chance.choice((0, 1 << 31, 1 << 31)))
            keys.append(2 * chance.randrange(2) + ply % 2)
            history.push(moves[-1], keys[-1])
            wanted = slow(keys, moves, turn)
            assert history.barred(rule) == barred(keys, moves, turn, rule) == wanted
            seen.add(wanted)
            if chance.random() < 0.2:
                history.pop()
                moves.pop()
                keys.pop()
    assert seen == {True, False}


def test_who_has_no_move_but_barred_ones_has_lost() -> None:
    """White's phoenix has one square to go to, and Black goes to and fro: at last it would make a position again."""
    start = "6k/3F3/5C1/7/7/7/K6 b - 1"
    moves = "7g6g 1a2a 6g7g 2a1a 7g6g 1a2a 6g7g".split()
    game = replay(record("torishogi", start, moves))
    assert (game.verdict, game.verified_end, game.verified_winner) == ("legal", "no_legal_move", "black")
    assert replay(record("torishogi", start, moves[:-2])).verified_end is None
    assert replay(record("torishogi", start, moves), rules="fourth-loses").verified_end is None
    position = Position(start, "torishogi")
    for move in moves:
        position.push(move)
    assert not position.has_legal_move()


# --- claims and repetition that ends games

def test_a_claim_of_repetition_where_none_ends_a_game() -> None:
    made = record("torishogi", TORI, QUIET)
    made.lines[0].end = ends.End("repetition", "draw", None, "", len(made.text))
    [one] = [one for one in replay(made).diagnostics if one.name == "repetition-unproven"]
    assert one.message == "the record says repetition, but tori shogi ends no game by repetition"
    assert "fourth time" not in one.hint and "--rules" in one.hint
    made.lines[0].end = ends.End("perpetual_check", "white", None, "", len(made.text))
    [one] = [one for one in replay(made).diagnostics if one.name == "perpetual-check-unproven"]
    assert one.message == "the record says perpetual check, but tori shogi ends no game by repetition"


def test_a_claim_of_repetition_by_the_rule_of_shogi_is_worded_as_ever() -> None:
    made = record("minishogi", RULESETS["minishogi"].initial, LOOP)
    made.lines[0].end = ends.End("repetition", "draw", None, "", len(made.text))
    [one] = [one for one in replay(made).diagnostics if one.name == "repetition-unproven"]
    assert one.message == "the record says repetition, but the final position has stood only twice"


@pytest.mark.parametrize(("variant", "start", "loop", "rule", "said"), [
    ("minishogi", RULESETS["minishogi"].initial, LOOP, FOURTH, "drawn"),
    ("minishogi", RULESETS["minishogi"].initial, LOOP, FOURTH_SECOND_WINS, "won by White, who moved second"),
    ("torishogi", TORI, QUIET, FOURTH_LOSES, "won by Black, since White made the position"),
])
def test_moves_behind_the_fourth_occurrence(variant: str, start: str, loop: list[str], rule: str, said: str) -> None:
    game = replay(record(variant, start, [*loop * 3, loop[0]]), rules=f"repetition={rule}")
    [one] = [one for one in game.diagnostics if one.name == "played-on"]
    assert (one.ply, one.message.partition("; ")[2]) == (12, f"the game was {said}, but moves follow")


@pytest.mark.parametrize("variant", [key for key in RULESETS if key != "shogi"])
@pytest.mark.parametrize("reason", ["impasse", "declaration", "max_moves", "draw", "try_rule"])
def test_nothing_of_shogi_is_judged_in_another_kind(variant: str, reason: str) -> None:
    """Points, camps and declarations are no rule of theirs: a record that claims such an end is believed."""
    start = RULESETS[variant].initial
    made = record(variant, start, [str(Position(start, variant).legal_moves()[0])])
    for winner in ("white", "black", "draw"):
        made.lines[0].end = ends.End(reason, winner, None, "", len(made.text))
        game = replay(made, rules="declare24")
        assert game.verified_end is None
        assert {one.name for one in game.diagnostics} <= {"winner-to-move"}


# --- royal men taken, bare kings (chu shogi)

TAKES = "12/12/12/12/p11/4k7/4R7/12/12/12/12/6K5 b - 1"  # the rook takes the last royal man of White
TWO = "12/12/12/12/p3+e7/4k7/4R7/12/12/12/12/6K5 b - 1"  # White has a prince besides


def test_the_last_royal_man_taken_ends_the_game() -> None:
    game = replay(record("chushogi", TAKES, ["8g8f"]))
    assert (game.verdict, game.verified_end, game.verified_winner) == ("legal", "royals_taken", "black")
    game = replay(record("chushogi", TWO, ["8g8f", "8e8f"]))
    assert (game.verdict, game.verified_end) == ("legal", None)


def test_moves_behind_that_are_refused() -> None:
    game = replay(record("chushogi", TAKES, ["8g8f", "12e12f"]))
    assert (game.verdict, game.plies) == ("illegal", 1)
    assert game.illegal_move == {"ply": 2, "text": "12e12f", "usi": "12e12f", "reason": "moves-after-end",
                                 "offender": "white"}
    [one] = game.diagnostics
    assert (one.name, one.message) == ("moves-after-end", "moves stand after the end of the game: 12e12f")
    assert one.hint == "White's last royal man was taken: the game was over before this move"


@pytest.mark.parametrize("move", ["12e12f", "9d9d", "8f8e"])
def test_the_checker_finds_no_move_where_the_generator_finds_none(move: str) -> None:
    position = Position("4n7/12/12/3n8/p11/4R7/12/12/12/12/12/6K5 w - 2", "chushogi")
    assert position.legal_moves() == []
    assert position.reason(move) is not None
    assert position.reason("9d9c9d") == "moves-after-end"  # a lion that moves twice
    assert position.reason("8a8b") == "moves-after-end"


def test_a_claim_of_mate_is_believed_where_check_binds_nobody() -> None:
    made = record("chushogi", RULESETS["chushogi"].initial, ["6i6h"])
    made.lines[0].end = ends.End("checkmate", "black", None, "", len(made.text))
    assert replay(made).diagnostics == []
    branch = record("chushogi", RULESETS["chushogi"].initial, ["6i6h"], (0, ["7i7h"]))
    branch.lines[1].end = ends.End("checkmate", "black", None, "", 0)
    assert replay(branch).diagnostics == []


@pytest.mark.parametrize(("sfen", "proven"), [
    ("12/12/12/5k6/12/12/12/12/12/12/5GG5/5K6 b - 1", ("bare_king", "black")),  # White did not answer
    ("12/12/12/5k6/12/12/12/12/12/12/5GG5/5K6 w - 1", ("bare_king", "black")),  # and cannot
    ("12/12/12/12/12/12/12/12/12/12/5k6/5RK5 w - 1", None),  # it takes the rook, the last man besides the king
    ("12/12/12/12/12/12/12/12/12/5R6/5k6/5RK5 w - 1", None),  # it takes the king
    ("12/12/12/12/12/12/12/12/12/5R6/5k6/5R5K w - 1", ("bare_king", "black")),  # one rook more
    ("12/12/12/5k6/12/12/12/12/12/12/5PI5/5K6 w - 1", None),  # pawn and go-between: sources differ
    ("12/12/12/5k6/12/12/12/12/12/12/5+P6/5K6 w - 1", ("bare_king", "black")),
    ("12/12/12/5+e6/12/12/12/12/12/12/5G6/5K6 w - 1", ("bare_king", "black")),  # a lone prince is one
    ("12/12/12/5+ek5/12/12/12/12/12/12/5G6/5K6 w - 1", None),  # two royal men
    ("12/12/12/5k6/12/12/12/12/12/12/12/5K6 w - 1", None),  # both are bare
    ("12/12/12/5kp5/12/12/12/12/12/12/5G6/5K6 w - 1", None),
    ("12/12/5gg5/5k6/12/12/12/12/12/12/12/5K6 w - 1", ("bare_king", "white")),
    ("12/12/5gg5/5k6/12/12/12/12/12/12/12/5K6 b - 1", ("bare_king", "white")),
    ("12/12/5gg5/12/12/12/12/12/12/12/12/5K6 w - 1", ("royals_taken", "black")),
])
def test_bare_kings(sfen: str, proven: tuple[str, str] | None) -> None:
    position = Core(sfen, "chushogi")
    assert men_left(position) == proven
    assert position.sfen() == sfen  # it was given back as it came
    game = replay(record("chushogi", sfen, []))
    assert (game.verified_end, game.verified_winner) == (proven or (None, None))


def test_a_bare_king_that_answers_in_time() -> None:
    start = "12/12/12/12/12/12/12/12/12/12/5kg5/5RK5 b - 1"
    ends_of = {tuple(moves): replay(record("chushogi", start, moves)).verified_end for moves in (
        ["6l6k"],  # White is bare, and the rook and the king stand beside its own king
        ["6l6k", "7k7l"],  # both are bare
        ["6l6k", "7k6k"],  # the king is taken
        ["6l6k", "7k8j"])}
    assert list(ends_of.values()) == [None, None, "royals_taken", "bare_king"]


def test_the_other_result_is_told() -> None:
    made = record("chushogi", TAKES, ["8g8f"])
    made.lines[0].end = ends.End("resign", "white", None, "", len(made.text))
    assert [one.message for one in replay(made).diagnostics if one.name == "end-conflict"] == [
        "the record says a win of White by resignation, the moves prove a win of Black by taking the last royal man"]


@pytest.mark.parametrize("variant", [key for key in RULESETS if key != "chushogi"])
def test_no_other_kind_has_such_ends(variant: str) -> None:
    assert men_left(Core(None, variant)) is None
    assert not RULESETS[variant].bare_king
