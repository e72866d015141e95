"""Filters: each condition against a filter in Python over the same games; values cannot break out of their quotes."""
from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase

import pytest
import toy_games as toy
from hypothesis import given
from hypothesis import strategies as st

from kifu.store import catalog, literals
from kifu.store.database import Database
from kifu.store.filters import ANY, Filters
from kifu.store.loader import in_memory
from kifu.store.rows import GameRow

GAMES = [game._replace(variant="shogi") for game in toy.random_rows(300, seed=17)]


@pytest.fixture(scope="module")
def database() -> Iterator[Database]:
    with in_memory([(toy.source("games/one.csa"), GAMES, [])]) as opened:
        yield opened


def score(game: GameRow) -> int | None:
    return game.verified_winner if game.result is None else game.result


def rated(game: GameRow) -> bool:
    return game.black_rating is not None and game.white_rating is not None


EVEN = [game for game in GAMES if game.handicap == "even"]
NAME = next(game.black for game in EVEN if game.black)
OTHER = next(game.white for game in EVEN if game.black == NAME and game.white)
YEAR = datetime.date(2000, 1, 1)
CASES: list[tuple[Filters, Callable[[GameRow], bool]]] = [
    (Filters(), lambda game: True),
    (Filters(player=NAME), lambda game: NAME in (game.black, game.white)),
    (Filters(player=NAME, side="white"), lambda game: game.white == NAME),
    (Filters(player=NAME, opponent=OTHER), lambda game: {game.black, game.white} == {NAME, OTHER}),
    (Filters(player=NAME, opponent=OTHER, side="black"), lambda game: (game.black, game.white) == (NAME, OTHER)),
    (Filters(black=NAME), lambda game: game.black == NAME),
    (Filters(white=f"{NAME[:1]}*"), lambda game: fnmatchcase(game.white or "", f"{NAME[:1]}*")),
    (Filters(min_rating=1500), lambda game: rated(game) and min(game.black_rating, game.white_rating) >= 1500),
    (Filters(max_rating=1900), lambda game: rated(game) and max(game.black_rating, game.white_rating) <= 1900),
    (Filters(since=YEAR), lambda game: game.date is not None and game.date >= YEAR),
    (Filters(until=YEAR), lambda game: game.date is not None and game.date <= YEAR),
    (Filters(end="resign"), lambda game: (game.end or game.verified_end) == "resign"),
    (Filters(winner="black"), lambda game: score(game) == 1),
    (Filters(winner="draw"), lambda game: score(game) == 0),
    (Filters(winner="none"), lambda game: score(game) is None),
    (Filters(source="*one.csa"), lambda game: True),
    (Filters(source="one.csa"), lambda game: False),
    (Filters(min_plies=10, max_plies=40), lambda game: 10 <= game.plies <= 40),
]


@pytest.mark.parametrize(("filters", "holds"), CASES, ids=[", ".join(f.given()) or "none" for f, _ in CASES])
def test_each_filter(database: Database, filters: Filters, holds: Callable[[GameRow], bool]) -> None:
    found = database.rows(f"SELECT game_id FROM ({filters.sql()}) ORDER BY 1")
    assert [number for number, in found] == [n for n, game in enumerate(GAMES, 1) if game.handicap == "even" and holds(game)]


def test_handicap_games_stay_out_unless_asked_for(database: Database) -> None:
    count = lambda filters: database.value(f"SELECT count(*) FROM ({filters.sql()})")  # noqa: E731
    odds = {game.handicap for game in GAMES}
    assert len(odds) > 1
    assert count(Filters(handicap=ANY)) == len(GAMES)
    for handicap in odds:
        assert count(Filters(handicap=handicap)) == sum(game.handicap == handicap for game in GAMES) > 0


def test_a_side_without_a_player_is_refused() -> None:
    for filters in (Filters(side="black"), Filters(opponent="Kimura")):
        with pytest.raises(ValueError, match="that of a player"):
            filters.sql()


@given(value=st.text() | st.none() | st.integers(-(1 << 63), (1 << 63) - 1) | st.booleans() | st.dates()
       | st.floats(allow_nan=False) | st.binary() | st.lists(st.integers(-100, 100), min_size=1))
def test_literals_mean_what_they_were_made_of(database: Database, value: object) -> None:
    expected = value.replace("\0", "") if isinstance(value, str) else value
    assert database.value(f"SELECT {literals.literal(value)}") == expected


@given(value=st.text())
def test_names_are_quoted(database: Database, value: str) -> None:
    wanted = value.replace("\0", "") or "x"
    columns, _ = database.query(f"SELECT 1 AS {literals.name(wanted)}")
    assert columns == [wanted]


def test_the_text_of_a_query_is_the_whole_query(database: Database) -> None:
    query = catalog.Query("q", "t", "a.", {"x": catalog.Parameter("x", "m", None)},
                          "-- q: t\nWITH RECURSIVE a AS (SELECT count(*) AS n, '$x' AS t FROM selected)\nSELECT n, t, $x AS x FROM a;\n")
    assert query.filtered
    text = query.text(Filters(handicap=ANY), x="it's")
    assert "'$x'" in text and "it''s" in text
    assert database.rows(text) == [(len(GAMES), "$x", "it's")]
    with pytest.raises(TypeError):
        query.text(x=object())
