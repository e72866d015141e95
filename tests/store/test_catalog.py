"""The named queries: each documents itself, binds its parameters, and runs; small ones against hand counts."""
from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest
import toy_games as toy

from kifu.store import catalog
from kifu.store.database import Database
from kifu.store.errors import UnknownFilter, UnknownQuery
from kifu.store.filters import Filters
from kifu.store.loader import in_memory
from kifu.store.rows import RejectRow

GAMES = [game._replace(variant="shogi") for game in toy.random_rows(200, seed=9)]
EVEN = [game for game in GAMES if game.handicap == "even"]
GIVEN = {"keys": [1], "first": 1, "last": 1, "key": 1, "games": [1], "player": "Habu"}


@pytest.fixture(scope="module")
def database() -> Iterator[Database]:
    rejects = [RejectRow(0, n, n, 1, 5, "K404" if n < 3 else "K203", f"message {n}", "text") for n in range(5)]
    with in_memory([(toy.source("all.csa"), GAMES, rejects)]) as opened:
        yield opened


def asked(database: Database, name: str, **given: object) -> list[dict[str, object]]:
    columns, rows = catalog.run(database, name, **given)
    return [dict(zip(columns, row, strict=True)) for row in rows]


@pytest.mark.parametrize("name", catalog.names())
def test_every_query_documents_itself_and_runs(database: Database, name: str) -> None:
    query = catalog.load(name)
    assert query.title and query.answers.endswith(".")
    body = "\n".join(line for line in query.sql.splitlines() if not line.startswith("--"))
    assert set(re.findall(r"\$(\w+)", body)) == set(query.parameters)
    given = {name: value for name, value in GIVEN.items() if name in query.parameters}
    columns, rows = catalog.run(database, name, **given)
    assert columns
    list(rows)


def test_mistakes_are_named() -> None:
    with pytest.raises(UnknownQuery, match=r"no query 'openigs'.*terminations"):
        catalog.load("openigs")
    with pytest.raises(UnknownFilter, match=r"has no parameter 'widht'.*width"):
        catalog.load("lengths").bind({"widht": 3})
    with pytest.raises(UnknownFilter, match=r"needs a value for 'key'"):
        catalog.load("games_at").bind({})


def test_results(database: Database) -> None:
    found = asked(database, "results")
    assert [row["handicap"] for row in found] == ["even", "lance"]
    for row in found:
        games = [game for game in GAMES if game.handicap == row["handicap"]]
        scores = [game.verified_winner if game.result is None else game.result for game in games]
        black, white, draws, unknown = (scores.count(value) for value in (1, -1, 0, None))
        assert (row["games"], row["black_wins"], row["white_wins"], row["draws"], row["without_result"]) == (
            len(games), black, white, draws, unknown)
        score = (black + draws / 2) / (black + white + draws)
        assert row["black_score"] == pytest.approx(score, abs=1e-4)
        assert row["score_low"] < score < row["score_high"]  # type: ignore[operator]
        assert row["mean_plies"] == pytest.approx(sum(game.plies for game in games) / len(games), abs=0.06)


def test_terminations(database: Database) -> None:
    found = asked(database, "terminations")
    assert {row["end"]: row["games"] for row in found} == Counter(game.end for game in EVEN)
    assert sum(row["share"] for row in found) == pytest.approx(1, abs=1e-3)  # type: ignore[misc]


@pytest.mark.parametrize("width", [1, 7])
def test_lengths(database: Database, width: int) -> None:
    found = asked(database, "lengths", width=width)
    assert {row["first_ply"]: row["games"] for row in found} == Counter(game.plies // width * width for game in EVEN)
    assert all(row["last_ply"] == row["first_ply"] + width - 1 for row in found)  # type: ignore[operator]


def test_rejects(database: Database) -> None:
    assert [(row["code"], row["games"], row["path"]) for row in asked(database, "rejects")] == [
        ("K404", 3, "all.csa"), ("K203", 2, "all.csa")]


def test_parameters_say_what_they_may_be() -> None:
    """A range, choices, or anything."""
    width, kind = catalog.load("lengths").parameters["width"], catalog.load("tags").parameters["kind"]
    assert (width.default, width.low, width.high, width.choices) == (20, 1, None, ())
    assert (kind.default, kind.low, kind.choices) == ("castle", None, ("castle", "opening"))
    assert catalog.load("trend").parameters["key"].required and not kind.required
    assert catalog.load("player").parameters["side"].default is None


def test_filters_and_parameters_of_one_name_have_one_value() -> None:
    text = catalog.load("player").text(Filters(player="O'Hara", side="white"))
    assert "named(white, 'O''Hara')" in text and "'O''Hara' IS NOT NULL" in text and "'white' IS NULL" in text
    assert catalog.load("player").text(player="O'Hara", side="white") == text
    with pytest.raises(UnknownFilter, match="needs a value for 'player'"):
        catalog.load("player").text(Filters())


def test_queries_without_filters_are_asked_of_the_games_they_are_for() -> None:
    """Of even games, where games of different odds would be mixed."""
    assert "handicap = 'even'" in catalog.load("lengths").text()
    assert "handicap = 'even'" not in catalog.load("results").text()
    assert "handicap = 'even'" in catalog.load("results").text(Filters())


def test_people_find_queries_in_groups() -> None:
    """Each in one group, with a header of its own; the insides of commands are in none."""
    groups = catalog.grouped()
    found = [query.name for queries in groups.values() for query in queries]
    assert len(found) == len(set(found)) > 30
    assert list(groups) == ["results", "openings and castles", "a position", "players", "care of the data"]
    assert "opening_tree" not in found and set(found) < set(catalog.names())


def test_what_a_query_reads() -> None:
    assert catalog.load("heat_map").reads("boards") and not catalog.load("lengths").reads("boards")
    assert catalog.load("novelty_ply").reads("openings")  # in an ANTI JOIN
    assert not catalog.load("rejects").filtered and catalog.load("duplicates").filtered


def test_a_player_is_the_same_with_a_grade_behind_the_name() -> None:
    """As the filter has it: the queries about a player must see the side that the filter saw."""
    names = [("羽生善治 九段", "x"), ("x", "羽生善治"), ("羽生善治子", "x")]
    rows = [toy.row([(0, 1)], variant="shogi", black=black, white=white, result=1, source_offset=n)
            for n, (black, white) in enumerate(names)]
    with in_memory([(toy.source("all.csa"), rows, [])]) as opened:
        for query, columns in (("player", slice(0, 3)), ("head_to_head", slice(0, 3))):
            _, found = catalog.run(opened, query, Filters(player="羽生善治"))
            assert [row[columns] for row in found] == {
                "player": [("black", 1, 1), ("white", 1, 0), ("all", 2, 1)],
                "head_to_head": [("羽生善治", "x", 1), ("羽生善治 九段", "x", 1)]}[query]
        key = opened.value("SELECT key FROM plies WHERE ply = 0 LIMIT 1")
        _, found = catalog.run(opened, "repertoire", Filters(player="羽生善治"), key=key)
        assert [row[1] for row in found] == [1]
