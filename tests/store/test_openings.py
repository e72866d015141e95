"""The opening tree, against a count in plain Python over the same games."""
from __future__ import annotations

import datetime
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import pytest
import toy_games as toy

from kifu.store import catalog, moves, openings
from kifu.store.database import Database
from kifu.store.errors import UnknownFilter
from kifu.store.loader import Loader, in_memory
from kifu.store.rows import GameRow

GAMES = toy.random_rows(300, seed=7)
ROOT = toy.key((0,) * toy.MEN, 0)

Tree = dict[int, dict[int, list[tuple[int, int, int | None]]]]


@pytest.fixture(scope="module")
def database() -> Iterator[Database]:
    with in_memory([(toy.source("all.csa"), GAMES, [])]) as opened:
        yield opened


def counted(games: Sequence[GameRow], wanted: Callable[[GameRow], bool] = lambda game: True) -> Tree:
    """key -> move -> (game_id, ply, next key): each game once per position, with its last visit."""
    tree: Tree = defaultdict(lambda: defaultdict(list))
    for number, game in enumerate(games, 1):
        if not wanted(game):
            continue
        keys, codes = array("q", game.keys), [*moves.decode(game.moves), 0]
        last = {key: ply for ply, key in enumerate(keys)}
        for key, ply in last.items():
            tree[key][codes[ply]].append((number, ply, keys[ply + 1] if codes[ply] else None))
    return tree


def summed(visits: list[tuple[int, int, int | None]]) -> tuple[Any, ...]:
    """What a row of openings says of these visits, from games on."""
    games = [GAMES[number - 1] for number, _, _ in visits]
    scores = [game.verified_winner if game.result is None else game.result for game in games]
    rated = [game for game in games if game.black_rating is not None and game.white_rating is not None]
    dates = [game.date for game in games if game.date is not None]

    def ratings(number: int) -> int:
        game = GAMES[number - 1]
        return game.black_rating + game.white_rating if game in rated else 0  # type: ignore[operator]

    def day(number: int) -> datetime.date:
        return GAMES[number - 1].date or datetime.date(1, 1, 1)

    numbers = [number for number, _, _ in visits]
    return (len(games), scores.count(1), scores.count(-1), scores.count(0),
            sum(game.black_rating or 0 for game in rated), sum(game.white_rating or 0 for game in rated), len(rated),
            min(ply for _, ply, _ in visits), min(dates, default=None), max(dates, default=None),
            min(numbers, key=lambda number: (-ratings(number), number)),
            max(numbers, key=lambda number: (day(number), number)))


def test_openings_is_the_count_of_all_shared_positions(database: Database) -> None:
    expected = {}
    for key, played in counted(GAMES).items():
        if len({number for visits in played.values() for number, _, _ in visits}) > 1:
            for move, visits in played.items():
                (following,) = {after for _, _, after in visits}
                expected[key, move] = (following, *summed(visits))
    found = {row[:2]: row[2:] for row in database.rows("FROM openings")}
    assert found == expected
    assert len(found) > 1000
    keys = [key for (key,) in database.rows("SELECT key FROM openings")]
    assert keys == sorted(keys)


def test_positions_that_one_game_repeats_are_not_shared() -> None:
    there_and_back = [(0, 1), (0, 0), (0, 1), (0, 0), (1, 1)]
    with in_memory([(toy.source("a.csa"), [toy.row(there_and_back)], [])]) as database:
        assert database.rows("FROM openings") == []
        (move,) = openings.opening_tree(database, ROOT)
        assert (move.usi, move.games, move.share) == ("1e1f", 1, 1.0)  # the last visit, not the first move


def test_ranges_of_keys_do_not_change_the_result(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    before = database.rows("FROM openings")
    monkeypatch.setattr(openings, "RANGE_PLIES", 100)
    openings.rebuild(database)
    assert database.rows("FROM openings") == before


@pytest.mark.parametrize("side", ["black", "white"])
@pytest.mark.parametrize(("filters", "wanted"), [
    ({}, lambda game: True),
    ({"player": "棋士1"}, lambda game: "棋士1" in (game.black, game.white)),
    ({"black": "棋士1"}, lambda game: game.black == "棋士1"),
    ({"white": "player 2", "since": datetime.date(2020, 1, 10)},
     lambda game: game.white == "player 2" and game.date is not None and game.date >= datetime.date(2020, 1, 10)),
    ({"until": "2020-01-20"}, lambda game: game.date is not None and game.date <= datetime.date(2020, 1, 20)),
    ({"min_rating": 1000}, lambda game: (game.black_rating or 0) >= 1000 and (game.white_rating or 0) >= 1000),
    ({"handicap": "even"}, lambda game: game.handicap == "even"),
    ({"event": "event 2", "end": "resign"}, lambda game: game.event == "event 2" and game.end == "resign"),
    ({"black": "nobody"}, lambda game: False),
])
def test_a_tree_of_one_position(database: Database, side: str, filters: dict[str, Any],
                                wanted: Callable[[GameRow], bool]) -> None:
    tree = counted(GAMES, wanted)
    for key in [ROOT, *list(tree)[:3], 12345]:
        played = tree.get(key, {})
        total = sum(map(len, played.values()))
        expected = []
        for move, visits in played.items():
            if move:
                games, black, white, draws, black_sum, white_sum, rated, _, first, last, top, latest = summed(visits)
                decided, wins, sum_ = black + white + draws, *((black, black_sum) if side == "black" else (white, white_sum))
                score = (wins + draws / 2) / decided if decided else None
                expected.append((moves.usi(move), games, games / total, black, white, draws, score,
                                 round(sum_ / rated) if rated else None, first, last, visits[0][2], top, latest))
        found = [(m.usi, m.games, m.share, m.black_wins, m.white_wins, m.draws, m.score, m.rating, m.first_date,
                  m.last_date, m.next_key, m.top_game, m.last_game)
                 for m in openings.opening_tree(database, key, side=side, **filters)]
        assert sorted(found, key=str) == sorted(expected, key=str)
        assert [row[1] for row in found] == sorted((row[1] for row in found), reverse=True)


@pytest.mark.parametrize("filters", [{}, {"handicap": "even"}])
@pytest.mark.parametrize("min_games", [1, 2, 5])
def test_a_deeper_tree(database: Database, min_games: int, filters: dict[str, str]) -> None:
    tree = counted(GAMES, (lambda game: game.handicap == "even") if filters else lambda game: True)

    def walk(key: int, line: str, depth: int) -> set[tuple[str, int, int]]:
        lines: set[tuple[str, int, int]] = set()
        for move, visits in tree[key].items() if depth <= 3 else ():
            if move and len(visits) >= min_games:
                further = f"{line} {moves.usi(move)}".lstrip()
                lines |= {(further, depth, len(visits))} | walk(visits[0][2] or 0, further, depth + 1)
        return lines

    found = openings.opening_tree(database, ROOT, depth=3, min_games=min_games, **filters)
    assert {(move.line, move.depth, move.games) for move in found} == walk(ROOT, "", 1)
    for before, after in pairwise(found):  # each move comes before its continuations
        assert after.depth <= before.depth + 1
        assert after.line.split()[:-1] == before.line.split()[:after.depth - 1]
    assert {move.score for move in openings.opening_tree(database, ROOT, depth=2, side="black") if move.depth == 2} != {None}


def test_scores_are_those_of_the_side_that_moves() -> None:
    games = [toy.row([(0, 1), (1, 1)], result=1)] * 3 + [toy.row([(0, 1), (1, 1)], result=-1)]
    with in_memory([(toy.source("a.csa"), games, [])]) as database:
        black, white = openings.opening_tree(database, ROOT, depth=2)
        assert (black.score, white.score) == (0.75, 0.25)
        assert black.score_low is not None and white.score_high is not None
        assert black.score_low + white.score_high == pytest.approx(1)
        white, black = openings.opening_tree(database, ROOT, depth=2, side="white")
        assert (white.score, black.score) == (0.25, 0.75)


def test_a_stale_table_is_not_believed(db_path: Any) -> None:
    with Loader(db_path, dedupe="none") as loader:
        loader.add(toy.source("a.csa"), GAMES[:100])
        loader.finish()
        loader.add(toy.source("b.csa"), GAMES[100:])
        loader.commit_batch()
        stale = openings.opening_tree(loader.database, ROOT, depth=2)
        openings.rebuild(loader.database)
        assert openings.opening_tree(loader.database, ROOT, depth=2) == stale
    assert sum(move.games for move in stale if move.depth == 1) == sum(
        len(visits) for move, visits in counted(GAMES)[ROOT].items() if move)


def test_games_that_reach_a_position(database: Database) -> None:
    for key in [ROOT, toy.key((1, 0, 0, 0, 0), 1), 12345]:
        columns, rows = catalog.run(database, "games_at", key=key, limit=1000)
        found = [dict(zip(columns, row, strict=True)) for row in rows]
        expected = {(number, ply, moves.usi(move) or None) for move, visits in counted(GAMES).get(key, {}).items()
                    for number, ply, _ in visits}
        assert {(row["game_id"], row["ply"], row["move"]) for row in found} == expected
        ratings = [(row["black_rating"] or 0) + (row["white_rating"] or 0) for row in found]
        assert ratings == sorted(ratings, reverse=True)
        assert {row["path"] for row in found} <= {"all.csa"}


def test_wilson_of_macros_and_of_python(database: Database) -> None:
    for points, n in [(0, 1), (1, 1), (0.5, 1), (7, 10), (50, 1000), (999.5, 1000), (0, 100000)]:
        low, high = database.rows("SELECT wilson_low($p, $n), wilson_high($p, $n)", {"p": points, "n": n})[0]
        assert (low, high) == pytest.approx(openings.wilson(points, n), abs=1e-6)
        assert 0 <= low <= points / n <= high <= 1
    assert database.rows("SELECT wilson_low(0, 0), wilson_high(0, 0)") == [(None, None)]


def test_unknown_filters_are_named(database: Database) -> None:
    with pytest.raises(UnknownFilter, match="colour.*player"):
        openings.opening_tree(database, ROOT, colour="black")
