"""The readings of repetition: what ends a game, and what may not be played."""
from __future__ import annotations

import random

import pytest

import kifu
from kifu.replay import replay
from kifu.rules.api import Position
from kifu.rules.choices import choices, held
from kifu.rules.move import GIVES_CHECK
from kifu.rules.repetition import first_barred
from kifu.rules.variants import RULESETS

QUIET = "4f5f 4b3b 5f4f 3b4b".split()  # both falcons step aside and back
CHASE = "4a3a 3d4d 3a4a 4d3d".split()  # an eagle gives check, the phoenix steps aside
EAGLE = "3+F3/7/7/4k2/7/7/K6 b - 1"


def test_tori_bars_the_third_occurrence() -> None:
    position = Position(variant="torishogi")
    for move in (QUIET * 2)[:-1]:
        position.push(move)
    assert position.reason("3b4b") == "third-occurrence"
    assert "3b4b" not in map(str, position.legal_moves())
    with pytest.raises(kifu.rules.api.IllegalMoveError, match="third time"):
        position.push("3b4b")
    position.push("3b2b")  # another move
    assert position.repetition() is None


def test_in_a_series_of_checks_the_checker_must_vary() -> None:
    position = Position(EAGLE, "torishogi")
    for move in CHASE * 2:  # the last one makes the start position a third time, out of check
        assert position.reason(move) is None
        position.push(move)
    assert position.reason("4a3a") == "third-occurrence"
    assert "4a3a" not in map(str, position.legal_moves())


def test_an_escape_is_barred_where_not_all_moves_were_checks() -> None:
    position = Position(variant="torishogi")
    for move in (QUIET * 2)[:-1]:
        position.push(move)
    assert position.reason("3b4b") == "third-occurrence"


@pytest.mark.parametrize("turn", [0, 1])
def test_where_both_sides_check_nobody_is_barred(turn: int) -> None:
    """Every move is one out of check then, and every move of the other side was a check."""
    keys, checks = [1, 2, 3, 4] * 3 + [1], [GIVES_CHECK] * 12
    assert first_barred(keys, checks, turn, "third-barred") == 12
    assert first_barred(keys, [0, *checks[1:]], turn, "third-barred") == 7  # not out of nothing but checks
    assert first_barred(keys, checks, turn, "starter-varies") < 12


@pytest.mark.parametrize("seed", range(4))
def test_third_barred_word_by_word(seed: int) -> None:
    """RULES 4.1: barred, but out of check where every move of the other side since the first occurrence was a check."""
    chance = random.Random(seed)
    for _ in range(500):
        turn, plies = chance.randrange(2), chance.randrange(4, 30)
        keys = [chance.randrange(3) * 2 + ply % 2 for ply in range(plies + 1)]
        often = chance.choice(((0.1, 0.9), (0.9, 0.9), (1, 1), (1, 0.5)))
        moves = [GIVES_CHECK if chance.random() < often[ply % 2] else 0 for ply in range(plies)]
        barred = plies
        for ply in range(1, plies + 1):
            stood = [earlier for earlier in range(ply + 1) if keys[earlier] == keys[ply]]
            others = moves[stood[0]:ply][-2::-2]
            if len(stood) > 2 and not all(others):
                barred = ply - 1
                break
        assert first_barred(keys, moves, turn, "third-barred") == barred


def test_who_makes_the_fourth_loses() -> None:
    position = Position(variant="torishogi", rules="repetition=fourth-loses")
    for number, move in enumerate(QUIET * 3, 1):
        position.push(move)
        assert position.repetition() == (("repetition", "black") if number == 12 else None)


def test_who_began_must_vary() -> None:
    position = Position(variant="torishogi", rules="starter-varies")
    for move in QUIET * 2:
        assert position.reason(move) is None
        position.push(move)
    assert position.reason("4f5f") == "third-occurrence"  # Black left the start position first


@pytest.mark.parametrize(("rules", "said", "unsaid"), [
    ("starter-varies", "by the reading starter-varies the side that began the sequence must choose another", "tori shogi"),
    (None, "in tori shogi another move must be chosen", "began"),
])
def test_the_hint_is_that_of_the_reading(rules: str | None, said: str, unsaid: str) -> None:
    game = replay(record([*QUIET * 2, *QUIET[:2]]), rules=rules)
    [one] = game.diagnostics
    assert one.name == "third-occurrence" and said in one.hint and unsaid not in one.hint
    position = Position(variant="torishogi", rules=rules)
    for move in (QUIET * 2)[:game.plies]:
        position.push(move)
    with pytest.raises(kifu.rules.api.IllegalMoveError) as refused:
        position.push((QUIET * 3)[game.plies])
    assert said in refused.value.hint


def test_the_second_to_move_wins_in_minishogi() -> None:
    loop = "2e3d 4a3b 3d2e 3b4a".split()
    for rules, ended in ((None, ("repetition", "draw")), ("fourth-second-wins", ("repetition", "white"))):
        position = Position(variant="minishogi", rules=rules)
        for move in loop * 3:
            assert position.repetition() is None
            position.push(move)
        assert position.repetition() == ended


def test_a_reading_that_a_kind_of_shogi_does_not_know_is_left_alone() -> None:
    assert choices("repetition=third-barred").repetition_of(RULESETS["shogi"]) == "fourth"
    with pytest.raises(ValueError, match="repetition is fourth,"):
        choices("repetition=fifth")
    with pytest.raises(ValueError, match="twice"):
        choices("repetition=fourth repetition=fourth-loses")


@pytest.mark.parametrize(("variant", "rules", "said"), [
    ("torishogi", "repetition=fourth", "repetition=fourth is no reading of tori shogi, which has third-barred, fourth-loses "
     "and starter-varies: its games are held to third-barred"),
    ("shogi", "third-barred", "repetition=third-barred is no reading of shogi, which has fourth alone: "
     "its games are held to fourth"),
])
def test_a_reading_that_a_kind_does_not_know_is_told_once(variant: str, rules: str, said: str) -> None:
    game = record(["7g7f"])
    game.variant, game.start = variant, RULESETS[variant].initial
    held.cache_clear()
    with pytest.warns(UserWarning) as told:
        replay(game, rules=rules)
        replay(game, rules=rules)
        Position(variant=variant, rules=rules)
    assert [str(one.message) for one in told] == [said]


@pytest.mark.parametrize(("variant", "rules"), [
    ("torishogi", "fourth-loses"), ("shogi", "fourth"), ("torishogi", "declare24"), ("torishogi", ""), ("torishogi", None),
])
def test_nothing_is_told_of_what_a_kind_knows(variant: str, rules: str | None, recwarn: pytest.WarningsRecorder) -> None:
    held.cache_clear()
    Position(variant=variant, rules=rules)
    assert not recwarn.list


def record(moves: list[str]) -> kifu.Record:
    made = next(iter(kifu.parse("position startpos moves " + " ".join(moves))))
    made.variant, made.start = "torishogi", RULESETS["torishogi"].initial
    return made


def test_replay_stops_before_the_move_that_is_barred() -> None:
    game = replay(record([*QUIET * 2, "4f5f"]))
    assert (game.verdict, game.plies) == ("illegal", 7)
    assert game.illegal_move == {"ply": 8, "text": "3b4b", "usi": "3b4b", "reason": "third-occurrence",
                                 "offender": "white"}
    assert game.position.sfen() == "rpckcpl/4f2/sssssss/2s1S2/SSSSSSS/3F3/LPCKCPR w - 8"
    assert len(game.keys) == 8 and len(game.moves) == 7
    assert [one.name for one in game.diagnostics] == ["third-occurrence"]


def test_replay_by_another_reading() -> None:
    assert replay(record([*QUIET * 2, "4f5f"]), rules="fourth-loses").plies == 9
    game = replay(record(QUIET * 3), rules="repetition=fourth-loses")
    assert (game.verdict, game.verified_end, game.verified_winner) == ("legal", "repetition", "black")
