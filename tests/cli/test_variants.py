"""`kifu variants`: the kinds of shogi known, and one of them whole, told from its data."""
from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from kifu.cli.variants import entry, row, whole
from kifu.rules import handicaps, words
from kifu.rules.ruleset import (
    AHEAD, AHEAD_LEFT, BACK, CAPTURE_ONLY, COMPASS, DIAGONAL, EACH_MOVE, LEFT, ON_OR_BACK, ORTHOGONAL, RIGHT, Kind, Ruleset,
    Way, hops, only, slides, steps,
)
from kifu.rules.variants import RULESETS

Kifu = Callable[..., Any]


def test_the_list_has_every_kind(kifu: Kifu) -> None:
    ran = kifu("variants")
    assert (ran.status, ran.err) == (0, "kifu: more about one: kifu variants NAME\n")
    blocks = ran.out.rstrip().split("\n\n")
    assert [block.splitlines()[0].partition(":")[0] for block in blocks] == list(RULESETS)
    for block, rules in zip(blocks, RULESETS.values(), strict=True):
        told = " ".join(block.split())
        for wanted in (rules.source, f"{rules.files} files, {rules.ranks} ranks", *rules.repetition,
                       *(f"{kind.letter} {kind.name}" for kind in rules.kinds),
                       *(key for key in handicaps.of_variant(rules.key) if key != "even")):
            assert " ".join(wanted.split()) in told, (rules.key, wanted)
    assert max(map(len, ran.out.splitlines())) <= 100
    assert kifu("variants", "-q").err == ""


@pytest.mark.parametrize("key", RULESETS)
def test_one_whole(kifu: Kifu, key: str) -> None:
    """The start position, every face, every handicap with its position, every reading of repetition."""
    rules = RULESETS[key]
    ran = kifu("variants", key)
    assert (ran.status, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0].partition(":")[0] == key
    assert f"  {rules.initial}" in lines
    assert sum(line.startswith("|") for line in lines) == rules.ranks
    told = [line.split() for line in lines]
    for piece in rules.pieces:
        name = rules.piece_name(piece).split()
        assert any(parts[:1] == [rules.letter(piece)] and all(part in parts for part in name) for parts in told), name
    for handicap in rules.handicaps:
        assert any(line.startswith(f"  {handicap.key} ") and line.endswith(handicap.sfen) for line in lines)
    for name in rules.repetition:
        assert f"{name}: " in ran.out


def test_tori_shogi_as_its_rules_say(kifu: Kifu) -> None:
    """Held to the leaflet, by hand."""
    told = " ".join(kifu("variants", "torishogi").out.split())
    for wanted in ("swallow ×16 a step ahead",
                   "goose leaps to the square 2 away back and diagonally ahead",
                   "falcon ×2 a step in any direction but back",
                   "crane ×4 a step in any direction but sideways",
                   "pheasant ×4 a step diagonally back; leaps to the square 2 away ahead",
                   "left quail ×2 slides ahead and back to the right; a step back to the left",
                   "forced, whenever it is possible", "swallow not on the last rank", "swallow not with mate",
                   "swallow not on a file where 2 of the same side stand unpromoted", "no points are counted",
                   "third-barred: no move may make a position for the third time",
                   "or, with --rules repetition=fourth-loses: who makes a position for the fourth time has lost",
                   "falcon falcon", " rpckcpl/7/sssssss/2s1S2/SSSSSSS/3F3/LPCKCPR w - 1"):
        assert wanted in told, wanted


def test_chu_shogi_as_its_rules_say(kifu: Kifu) -> None:
    told = " ".join(kifu("variants", "chu shogi").out.split())
    for wanted in ("to take the other's last royal man (king or prince), or all its other men, unless the next move answers",
                   "check binds nobody",
                   "none: men taken are out of the game", "on entering the last 4 ranks",
                   "pawn and lance also with any move to the last rank",
                   "a lion does not take a guarded lion that stands further off than one square, unless the same move "
                   "takes another man than pawn or go-between first",
                   "lion ×2 a step in any direction and a second step from there; leaps to any square 2 away"):
        assert wanted in told, wanted


def test_names_and_several(kifu: Kifu) -> None:
    """By key or name, whatever its case; each once, in the order asked for."""
    out = kifu("variants", "CHU SHOGI", "minishogi", "chushogi").out
    assert [line.partition(":")[0] for line in out.splitlines() if line.startswith(("chu", "mini"))] == ["chushogi", "minishogi"]


@pytest.mark.parametrize(("asked", "said"), [
    ("torishgi", "did you mean 'torishogi'?"), ("xyzzy", "there are: shogi, minishogi,"), ("", "there are: shogi,"),
    ("将棋" * 900, "there are: shogi,"), ("\x1b[31m", "there are: shogi,"),
])
def test_what_is_no_kind_of_shogi(kifu: Kifu, asked: str, said: str) -> None:
    ran = kifu("variants", asked)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err
    assert "Traceback" not in ran.err and "\x1b" not in ran.err


def test_json(kifu: Kifu) -> None:
    rows = [json.loads(line) for line in kifu("variants", "--json").out.splitlines()]
    assert [one["key"] for one in rows] == list(RULESETS)
    [mini] = [json.loads(line) for line in kifu("variants", "minishogi", "--json").out.splitlines()]
    assert mini == next(one for one in rows if one["key"] == "minishogi")
    assert (mini["files"], mini["ranks"], mini["zone"], mini["start"]) == (5, 5, 1, "rbsgk/4p/5/P4/KGSBR b - 1")
    assert [one["rule"] for one in mini["repetition"]] == ["fourth", "fourth-second-wins"]
    assert [(one["letter"], one["name"], one["count"]) for one in mini["men"][:2]] == [("P", "pawn", 2), ("+P", "tokin", None)]
    assert mini["handicaps"][0] == {"key": "bishop", "en": "bishop", "ja": "角落ち", "sfen": "r1sgk/4p/5/P4/KGSBR w - 1"}


# --- a kind that nobody has heard of

OWN = Ruleset(
    "own", "our own", 3, 4, "gkg/3/3/GKG b - 1",
    (Kind(5, "G", "guard", steps(AHEAD) + steps((1, -3), (-1, -3)), slides(*DIAGONAL, length=2), "great guard", per_file=2),
     Kind(8, "K", "khan", steps(*COMPASS), royal=True)),
    zone=1, hand_order="G", promotion=EACH_MOVE)


def test_a_kind_that_nobody_has_heard_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RULESETS, "own", OWN)
    told = " ".join(" ".join(whole(OWN)).split())
    for wanted in ("own: our own", "3 files, 4 ranks", "to mate the khan", "a man turns over with every move",
                   "G guard a step ahead; leaps to the square 3 ahead and 1 sideways",
                   "+G great guard slides diagonally up to 2 squares", "guard not on a file where 2 of the same side",
                   "gkg/3/3/GKG b - 1"):
        assert wanted in told, wanted
    assert "handicaps" not in told and "source" not in told and "lions" not in told
    assert "own: our own" in "\n".join(entry(OWN))
    json.dumps(row(OWN))


@pytest.mark.parametrize(("ways", "told"), [
    ((), "does not move"),
    (steps(AHEAD, LEFT, RIGHT), "a step ahead and sideways"),
    (steps(AHEAD_LEFT), "a step ahead to the left"),
    (steps(*COMPASS), "a step in any direction"),
    (slides(*ORTHOGONAL) + steps(*DIAGONAL), "slides orthogonally; a step diagonally"),
    (slides(AHEAD, length=3), "slides ahead up to 3 squares"),
    (steps((0, -2), (0, 2)), "leaps to the square 2 away ahead and back"),
    (steps((1, 2), (-1, 2), (2, -1)), "leaps to the square 1 ahead and 2 to the left or 2 back and 1 sideways"),
    (hops(LEFT, RIGHT, length=2), "leaps sideways over a neighbour to the square behind"),
    (only(CAPTURE_ONLY, hops(BACK)), "slides back over exactly one man only to take"),
    ((Way(AHEAD, 1, ON_OR_BACK),), "a step ahead and from there on in the same direction or back"),
])
def test_how_a_man_goes(ways: tuple[Way, ...], told: str) -> None:
    assert words.goes(ways) == told
