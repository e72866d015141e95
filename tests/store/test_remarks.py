"""What is left aside unasked, and names that nobody has, on the games of stats_hand."""
from __future__ import annotations

from collections.abc import Iterator

import pytest
from stats_hand import hand_made

from kifu.store.database import Database
from kifu.store.filters import ANY, Filters
from kifu.store.remarks import left_aside, unknown_names


@pytest.fixture(scope="module")
def database() -> Iterator[Database]:
    with hand_made() as opened:
        yield opened


@pytest.mark.parametrize(("filters", "aside"), [
    (Filters(), (2, 1)),  # 11 and 12 are at odds, 14 is of another kind
    (Filters(handicap=ANY), (0, 1)), (Filters(handicap="lance"), (0, 1)),
    (Filters(player="Doi"), (1, 0)),  # of the games that the other filters let through
    (Filters(black="Eda"), (0, 1)), (Filters(variant="toy"), (0, 0)),
])
def test_left_aside(database: Database, filters: Filters, aside: tuple[int, int]) -> None:
    assert left_aside(database, filters) == aside


@pytest.mark.parametrize(("filters", "told"), [
    (Filters(player="Abe", opponent="Baba"), []), (Filters(player="Ab*"), []), (Filters(), []),
    (Filters(player="abe"), [("abe", ["Abe", "Baba"])]),  # names are told apart by case; three letters are soon alike
    (Filters(black="Chibe", white="Zzz"), [("Chibe", ["Chiba"]), ("Zzz", [])]),
    (Filters(player="hib"), [("hib", ["Chiba"])]), (Filters(player="O'H"), [("O'H", [])]),
])
def test_unknown_names(database: Database, filters: Filters, told: list[tuple[str, list[str]]]) -> None:
    found = list(unknown_names(database, filters))
    assert [name for name, _ in found] == [name for name, _ in told]
    for (_, near), (_, expected) in zip(found, told, strict=True):
        assert near[:1] == expected[:1]
