"""Filters: each condition against a filter in Python over the same games; values cannot break out of their quotes."""
from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
import toy_games as toy
from hypothesis import given
from hypothesis import strategies as st

from kifu.store import catalog, literals
from kifu.store.database import Database
from kifu.store.filters import ANY, Filters
from kifu.store.loader import in_memory
from kifu.store.near import near
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


#: Players, event, time control, its seconds (main, byoyomi), handicap, ratings, and castles: (side, tag).
KEPT = [
    ("羽生善治 九段", "森内俊之", "第1期[決勝]", "各6時間", (21600, 60), "even", (None, None), [("black", "mino")]),
    ("森内俊之竜王・名人", "羽生善治（竜王）", "王座戦", "0+10", (0, 10), "even", (2000, None), [("white", "mino"), ("black", "yagura")]),
    ("羽生善治郎", "Kana, 5-dan", None, "15 min", (900, 0), "2-piece", (1500, 1600), [("both", "ai_yagura")]),
    ("Kana Sato", "kana", "第1期決", None, (None, None), "lance", (1700, 1400), []),
]
BY_HAND = [
    (Filters(player="羽生善治"), {1, 2}), (Filters(player="羽生善治 九段"), {1}), (Filters(player="羽生", handicap=ANY), set()),
    (Filters(player="羽生善治*", handicap=ANY), {1, 2, 3}), (Filters(player="森内俊之", opponent="羽生善治"), {1, 2}),
    (Filters(black="森内俊之"), {2}), (Filters(player="森内俊之", side="white"), {1}),
    (Filters(player="Kana", handicap=ANY), {3}), (Filters(player="kana", handicap=ANY), {4}),
    (Filters(event="第1期[決勝]"), {1}), (Filters(event="*[[]*"), set()), (Filters(event="*[決*"), {1}),
    (Filters(event="第1期*", handicap=ANY), {1, 4}), (Filters(event="第?期決", handicap=ANY), {4}),
    (Filters(time_control="各6時間"), {1}), (Filters(time_control="0+*"), {2}), (Filters(time_control="15 min"), set()),
    (Filters(min_time=600, handicap=ANY), {1, 3}), (Filters(max_time=900, handicap=ANY), {2, 3}),
    (Filters(min_time=0, max_byoyomi=30, handicap=ANY), {2, 3}), (Filters(min_byoyomi=1, handicap=ANY), {1, 2}),
    (Filters(tag=("mino",)), {1, 2}), (Filters(tag=("mino", "yagura")), {2}), (Filters(tag=("ai_yagura",), handicap=ANY), {3}),
    (Filters(tag=("mino",), player="羽生善治"), {1, 2}), (Filters(tag=("mino",), player="森内俊之"), set()),
    (Filters(tag=("yagura",), player="森内俊之"), {2}), (Filters(tag=("ai_yagura",), player="Kana", handicap=ANY), {3}),
    (Filters(tag=("mino",), player="羽生善治", side="black"), {1}), (Filters(handicap=ANY), {1, 2, 3, 4}),
    (Filters(handicap=None), {1, 2, 3, 4}), (Filters(handicap="2-piece"), {3}), (Filters(min_rating=1, handicap=ANY), {3, 4}),
    (Filters(max_rating=1600, handicap=ANY), {3}), (Filters(variant="minishogi", handicap=ANY), set()),
]


@pytest.fixture(scope="module")
def kept() -> Iterator[Database]:
    """Four games that can be counted by hand."""
    rows = [toy.row([(n, 1)] * 2, variant="shogi", black=black, white=white, event=event, time_control=control,
                    handicap=handicap, black_rating=ratings[0], white_rating=ratings[1],
                    tags=tuple((side, "castle", tag, 1) for side, tag in tags))
            for n, (black, white, event, control, _, handicap, ratings, tags) in enumerate(KEPT)]
    with in_memory([(toy.source("kept.csa"), rows, [])]) as opened:
        for number, (*_, seconds, _, _, _) in enumerate(KEPT, 1):
            opened.run("UPDATE games SET main_seconds = $main, byoyomi_seconds = $byoyomi WHERE game_id = $id",
                       {"main": seconds[0], "byoyomi": seconds[1], "id": number})
        yield opened


@pytest.mark.parametrize(("filters", "games"), BY_HAND, ids=[", ".join(f.given()) or "none" for f, _ in BY_HAND])
def test_filters_by_hand(kept: Database, filters: Filters, games: set[int]) -> None:
    assert {number for number, in kept.rows(f"SELECT game_id FROM ({filters.sql()})")} == games


@pytest.mark.parametrize("text", [
    "大山康晴", "大山康晴 九段", "大山康晴十五世名人", "大山康晴　名人", "大山康晴 アマ三段", "大山康晴(初段)", "大山康晴 女流三冠", "大山康晴 [4-dan]",
    "大山康晴, 3 kyu", "大山康晴 永世王将", "大山康晴王位・棋聖"])
def test_a_grade_behind_a_name(kept: Database, text: str) -> None:
    assert kept.value("SELECT named($text, '大山康晴')", {"text": text})


@pytest.mark.parametrize("text", ["大山康晴郎", "大山康晴 郎九段", "大山", "九段 大山康晴", "大山康晴x", "大山康晴2", "大山康晴 Sato", None])
def test_another_name(kept: Database, text: str | None) -> None:
    assert not kept.value("SELECT named($text, '大山康晴')", {"text": text})


def test_which_side_the_player_has(kept: Database) -> None:
    def black(filters: Filters) -> set[int]:
        return {number for number, in kept.rows(f"SELECT game_id FROM ({filters.sql()}) WHERE {filters.of_side('black')}")}

    assert black(Filters(player="羽生善治")) == {1}
    assert black(Filters(player="羽生善治", opponent="森内俊之")) == {1}
    assert black(Filters(player="羽生善治", side="white")) == set()
    with pytest.raises(ValueError, match="no player"):
        black(Filters())


def test_a_source_is_each_file_that_holds_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file of a copy too; a path is that from the current folder; backslashes and brackets mean themselves."""
    monkeypatch.chdir(tmp_path)
    paths = [str(tmp_path / "one.csa"), r"C:\games\two.csa", r"C:\[games]\th\ree.csa"]
    rows = [[toy.row([(n, 1)], variant="shogi")] for n in range(3)]
    with in_memory([(toy.source(path), games, []) for path, games in zip(paths, rows, strict=True)]) as database:
        database.run("INSERT INTO copies VALUES (2, 1, 7)")

        def found(source: str) -> list[int]:
            assert list(near(database, Filters(source=source))) == []
            return [number for number, in database.rows(
                f"SELECT game_id FROM ({Filters(source=source).sql()}) ORDER BY game_id")]

        assert found("one.csa") == found("./one.csa") == found(paths[0]) == found("*one.csa") == [1, 2]
        assert found(paths[1]) == found(r"*\two.csa") == found(r"C:\games\*") == [2]
        assert found(r"*\[games]\th\*") == [3] and found(r"*s?\th\ree*") == [3]


def test_names_that_may_have_been_meant(kept: Database) -> None:
    def said(**filters: object) -> list[tuple[str, str, list[str]]]:
        return list(near(kept, Filters(**filters)))  # type: ignore[arg-type]

    assert said(player="羽生善治", event="王座戦", tag=("mino",)) == []
    assert said(black="森内") == [("black", "森内", ["森内俊之竜王・名人"])]
    assert said(player="KANA")[0][2][0] == "kana"
    assert said(event="王将戦", tag=("nino",)) == [("event", "王将戦", []), ("tag", "nino", ["mino"])]
    assert said(source="kept.kif") == [("source", "kept.kif", ["kept.csa"])]
    assert said(time_control="zz'z*") == [("time_control", "zz'z*", [])]
