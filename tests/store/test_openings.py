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

from kifu.store import moves, openings, tree
from kifu.store.database import Database
from kifu.store.filters import ANY, Filters
from kifu.store.loader import Loader, in_memory
from kifu.store.rows import GameRow

GAMES = toy.random_rows(300, seed=7)
ROOT = toy.key((0,) * toy.MEN, 0)

TOY = Filters(variant="toy", handicap=ANY)  # every game

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
        (move,) = tree.opening_tree(database, ROOT, filters=TOY)
        assert (move.usi, move.games, move.share) == ("1e1f", 1, 1.0)  # the last visit, not the first move


def test_ranges_of_keys_do_not_change_the_result(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    before = database.rows("FROM openings")
    monkeypatch.setattr(openings, "RANGE_PLIES", 100)
    openings.fill(database)
    assert database.rows("FROM openings") == before


def rated(game: GameRow) -> bool:
    return game.black_rating is not None and game.white_rating is not None


def score(game: GameRow) -> int | None:
    return game.verified_winner if game.result is None else game.result


#: Each filter as the database has it, and in Python.
FILTERED: list[tuple[Filters, Callable[[GameRow], bool]]] = [
    (TOY, lambda game: True),
    (TOY._replace(player="棋士1"), lambda game: "棋士1" in (game.black, game.white)),
    (TOY._replace(player="棋士1", side="white"), lambda game: game.white == "棋士1"),
    (TOY._replace(player="棋士1", opponent="player 2"), lambda game: (game.black, game.white) == ("棋士1", "player 2")),
    (TOY._replace(black="棋士1"), lambda game: game.black == "棋士1"),
    (TOY._replace(white="player 2", since=datetime.date(2020, 1, 10)),
     lambda game: game.white == "player 2" and game.date is not None and game.date >= datetime.date(2020, 1, 10)),
    (TOY._replace(until=datetime.date(2020, 1, 20)),
     lambda game: game.date is not None and game.date <= datetime.date(2020, 1, 20)),
    (TOY._replace(min_rating=1000), lambda game: rated(game) and min(game.black_rating, game.white_rating) >= 1000),
    (TOY._replace(max_rating=2000), lambda game: rated(game) and max(game.black_rating, game.white_rating) <= 2000),
    (TOY._replace(handicap="even"), lambda game: game.handicap == "even"),
    (TOY._replace(handicap="lance"), lambda game: game.handicap == "lance"),
    (TOY._replace(event="event 2", end="resign"), lambda game: game.event == "event 2" and game.end == "resign"),
    (TOY._replace(event="*3"), lambda game: game.event == "event 3"),
    (TOY._replace(winner="black"), lambda game: score(game) == 1),
    (TOY._replace(winner="none"), lambda game: score(game) is None),
    (TOY._replace(min_plies=5, max_plies=12), lambda game: 5 <= game.plies <= 12),
    (TOY._replace(source="all.*"), lambda game: True),
    (TOY._replace(black="nobody"), lambda game: False),
]


@pytest.mark.parametrize("side", ["black", "white"])
@pytest.mark.parametrize(("filters", "wanted"), FILTERED, ids=[", ".join(f.given(TOY)) or "none" for f, _ in FILTERED])
def test_a_tree_of_one_position(database: Database, side: str, filters: Filters,
                                wanted: Callable[[GameRow], bool]) -> None:
    counts = counted(GAMES, wanted)
    for key in [ROOT, *list(counts)[:3], 12345]:
        played = counts.get(key, {})
        total = sum(map(len, played.values()))
        expected = []
        for move, visits in played.items():
            if move:
                games, black, white, draws, black_sum, white_sum, both, _, first, last, top, latest = summed(visits)
                decided, wins, sum_ = black + white + draws, *((black, black_sum) if side == "black" else (white, white_sum))
                share = (wins + draws / 2) / decided if decided else None
                expected.append((moves.usi(move), games, games / total, black, white, draws, share,
                                 round(sum_ / both) if both else None, first, last, visits[0][2], top, latest))
        asked = tree.OpeningTree(database, key, filters, side=side)
        found = asked.moves()
        values = [(m.usi, m.games, m.share, m.black_wins, m.white_wins, m.draws, m.score, m.rating, m.first_date,
                   m.last_date, m.next_key, m.top_game, m.last_game) for m in found]
        assert sorted(values, key=str) == sorted(expected, key=str)
        assert [move.games for move in found] == sorted((move.games for move in found), reverse=True)
        assert asked.results()[0] == total
        assert asked.reaching(found) == {
            move.next_key: len({number for visits in counts[move.next_key].values() for number, _, _ in visits})
            for move in found}
        every = [(number, ply, move) for move, visits in visited(GAMES, wanted, key).items() for number, ply in visits]
        first = asked.first_games(found)
        assert {(move.key, move.code): first[move.key, move.code] for move in found} == {
            (key, move.code): min((GAMES[number - 1].date or datetime.date.max, number)
                                  for number, _, code in every if code == move.code)[1] for move in found}


def visited(games: Sequence[GameRow], wanted: Callable[[GameRow], bool], key: int) -> dict[int, list[tuple[int, int]]]:
    """All visits of games to a position, not only the last ones: move -> (game_id, ply)."""
    found: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for number, game in enumerate(games, 1):
        codes = [*moves.decode(game.moves), 0]
        for ply, visit in enumerate(array("q", game.keys)):
            if visit == key and wanted(game):
                found[codes[ply]].append((number, ply))
    return found


@pytest.mark.parametrize("handicap", [ANY, None, "even"])
@pytest.mark.parametrize("min_games", [1, 2, 5])
def test_a_deeper_tree(database: Database, min_games: int, handicap: str | None) -> None:
    counts = counted(GAMES, lambda game: handicap != "even" or game.handicap == "even")

    def walk(key: int, line: str, depth: int) -> set[tuple[str, int, int]]:
        lines: set[tuple[str, int, int]] = set()
        for move, visits in counts[key].items() if depth <= 3 else ():
            if move and len(visits) >= min_games:
                further = f"{line} {moves.usi(move)}".lstrip()
                lines |= {(further, depth, len(visits))} | walk(visits[0][2] or 0, further, depth + 1)
        return lines

    asked = tree.OpeningTree(database, ROOT, TOY._replace(handicap=handicap))
    found = asked.moves(depth=3, min_games=min_games)
    assert {(move.line, move.depth, move.games) for move in found} == walk(ROOT, "", 1)
    for before, after in pairwise(found):  # each move comes before its continuations
        assert after.depth <= before.depth + 1
        assert after.line.split()[:-1] == before.line.split()[:after.depth - 1]
    assert {move.score for move in found if move.depth == 2} != {None}
    reached = asked.reaching(found)
    for move in found:
        assert reached[move.next_key] == sum(map(len, counts[move.next_key].values())) >= move.games
    assert any(reached[move.next_key] > move.games for move in found)


def test_scores_are_those_of_the_side_that_moves() -> None:
    games = [toy.row([(0, 1), (1, 1)], result=1)] * 3 + [toy.row([(0, 1), (1, 1)], result=-1)]
    with in_memory([(toy.source("a.csa"), games, [])]) as database:
        black, white = tree.opening_tree(database, ROOT, depth=2, filters=TOY)
        assert (black.score, white.score) == (0.75, 0.25)
        assert black.score_low is not None and white.score_high is not None
        assert black.score_low + white.score_high == pytest.approx(1)
        white, black = tree.opening_tree(database, ROOT, depth=2, side="white", filters=TOY)
        assert (white.score, black.score) == (0.25, 0.75)


def test_a_stale_table_is_not_believed(db_path: Any) -> None:
    with Loader(db_path, dedupe="none") as loader:
        loader.add(toy.source("a.csa"), GAMES[:100])
        loader.finish()
        loader.add(toy.source("b.csa"), GAMES[100:])
        loader.commit_batch()
        stale = tree.opening_tree(loader.database, ROOT, depth=2, filters=TOY)
        openings.fill(loader.database)
        assert tree.opening_tree(loader.database, ROOT, depth=2, filters=TOY) == stale
    assert sum(move.games for move in stale if move.depth == 1) == sum(
        len(visits) for move, visits in counted(GAMES)[ROOT].items() if move)


def test_wilson_of_macros_and_of_python(database: Database) -> None:
    for points, n in [(0, 1), (1, 1), (0.5, 1), (7, 10), (50, 1000), (999.5, 1000), (0, 100000)]:
        low, high = database.rows("SELECT wilson_low($p, $n), wilson_high($p, $n)", {"p": points, "n": n})[0]
        assert (low, high) == pytest.approx(openings.wilson(points, n), abs=1e-6)
        assert 0 <= low <= points / n <= high <= 1
    assert database.rows("SELECT wilson_low(0, 0), wilson_high(0, 0)") == [(None, None)]


def test_a_key_cannot_be_turned(database: Database) -> None:
    with pytest.raises(ValueError, match="colours exchanged"):
        tree.OpeningTree(database, ROOT, both=True)
