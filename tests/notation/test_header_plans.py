"""Headers spelled by a plan come out as those that are spelled one by one, and lose as much."""
from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kifu.notation import csa_writer, header_plans, kif_writer, read, western_writer, writer
from kifu.record import CANONICAL
from kifu.replay import replay

MOVES = "PI\n+\n+7776FU\n-3334FU\n"
KEYS = [*sorted(CANONICAL), "rating", "black_rate", "white_rate", "summary", "view", "Max_Moves", "a key", "$X:Y", "％s%s",
        "手数＝3", "black", "note", "buoy game starting with", "先手の持駒"]
VALUES = ["Habu", "300+0+10", "00:25+00", "%s", "100%", "\1", "\0", "\0001\0", "two\nlines", "", "back\\slash", '"quoted"',
          "carriage\rreturn", "\\n", "先手", " "]
MODULES = (csa_writer, kif_writer, western_writer)
headers = st.lists(st.tuples(st.sampled_from(KEYS), st.one_of(st.sampled_from(VALUES), st.text(max_size=4))), max_size=6)
plain_headers = st.lists(st.tuples(st.sampled_from(KEYS), st.sampled_from(VALUES[:8])), max_size=6)


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """No plans from other tests."""
    for module in MODULES:
        module._PLANS.clear()
    yield


def written(notation: str, own: str, told: list[tuple[str, str]]) -> tuple[str, dict[str, int]]:
    """A game with these headers, and what was lost."""
    game = replay(next(iter(read(MOVES, "csa"))))
    game.record.headers = told
    game.record.notation = own
    target = writer(notation)
    return target.write(game), dict(+target.losses)


@settings(max_examples=150, deadline=None)
@example([("WhiteElo", "\0")], "csa", "csa")
@given(st.one_of(headers, plain_headers), st.sampled_from(("csa", "kif", "ki2", "western")), st.sampled_from(("csa", "kif")))
def test_with_and_without_a_plan(told: list[tuple[str, str]], notation: str, own: str) -> None:
    first, again = written(notation, own, told), written(notation, own, told)
    with pytest.MonkeyPatch.context() as patch:
        for module in MODULES:
            patch.setattr(module, "plain", lambda *_: None)
        assert written(notation, own, told) == first == again


def test_plans_are_made_for_plain_headers_alone() -> None:
    assert header_plans.plain([("a", "b"), ("c", "d")]) == (("a", "c"), ["b", "d"])
    assert header_plans.plain([]) == ((), [])
    for value in ("", "two\nlines", "\r", "\\"):
        assert header_plans.plain([("a", "b"), ("c", value)]) is None
    assert header_plans.plain([("a", "1+1")], "+") is None
    assert header_plans.plain([("a\0", "b")]) is None
    assert header_plans.plain([("a" * 2000, "b")]) is None
    assert header_plans.plain([("a", "b")] * 50) is None


def test_a_writer_keeps_a_bounded_number_of_plans() -> None:
    for number in range(header_plans.KEPT + 10):
        written("csa", "csa", [(f"key {number}", "value")])
    assert 10 <= len(csa_writer._PLANS) <= header_plans.KEPT
