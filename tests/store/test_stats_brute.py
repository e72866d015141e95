"""Every query of `kifu stats` on 2,500 random games, equal to a count in plain Python over the same rows.

The games are those of the toy game, called shogi: five men in four cells, so that positions meet, games transpose, repeat
and begin alike far more often than real ones do.
"""
from __future__ import annotations

import datetime
import random
from array import array
from collections.abc import Callable, Iterator
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Any

import pytest
import stats_brute
import stats_brute_players
import toy_games as toy
from stats_world import Game, World

from kifu.store import catalog
from kifu.store.database import Database
from kifu.store.filters import ANY, Filters
from kifu.store.loader import in_memory
from kifu.store.rows import GameRow, RejectRow, game_hash

GAMES = 2500
NAMES = ("羽生", "Sato", "sato", "O'Hara", "渡辺 [九段]", "B\\C", "Kana", "x", "y", "z")
ENDS = ("resign", "resign", "resign", "timeout", "illegal", "declaration", "repetition", "impasse", "interrupted", "sealed",
        "max_moves", "perpetual_check")
OPENINGS, CASTLES = ("crane", "fox", "bear", "carp"), ("nest", "den", "pond")  # keys that no pattern file has
START = toy.replayed([])[1][0]
SECOND = toy.replayed([(0, 1)])[1][1]
QUERIES = [query for queries in catalog.grouped().values() for query in queries]


def played(dice: random.Random) -> list[tuple[int, int]]:
    """A random game of few ideas: much the same at first, at times back and forth."""
    if dice.random() < 0.05:
        there = [(0, 1), (1, 1), (0, 0), (1, 0)]
        return (there * 4)[:dice.choice([8, 12, 13, 16])]
    cells, moves = [0] * toy.MEN, []
    for ply in range(dice.randint(0, 20)):
        man = dice.choice([0, 0, 0, 1]) if ply < 4 else dice.randrange(toy.MEN)
        cell = dice.choice([c for c in range(toy.CELLS) if c != cells[man]][:1 if ply < 3 and dice.random() < 0.8 else 3])
        cells[man] = cell
        moves.append((man, cell))
    return moves


def rows(dice: random.Random) -> list[GameRow]:
    """The rows of the large database."""
    def maybe(value: Any, chance: float = 0.8) -> Any:
        return value if dice.random() < chance else None

    found: list[GameRow] = []
    before: list[list[tuple[int, int]]] = []
    for n in range(GAMES):
        moves = dice.choice(before)[:dice.randint(0, 20)] if before and dice.random() < 0.1 else played(dice)
        before.append(moves)
        sides = [("both", "opening", tag, 3) for tag in OPENINGS[:1] if dice.random() < 0.1]
        for side in ("black", "white"):
            sides += [(side, "opening", tag, dice.randint(0, 20)) for tag in OPENINGS if dice.random() < 0.2]
            sides += [(side, "castle", tag, dice.randint(0, 20)) for tag in CASTLES if dice.random() < 0.2]
        variant, handicap = dice.choice(["toy"] * 9 + ["other"]), dice.choice(["even"] * 4 + ["lance", "2-piece"])
        row = toy.row(moves)
        found.append(toy.random_row(
            dice, source_offset=n, variant=variant, handicap=handicap, plies=row.plies, moves=row.moves, keys=row.keys,
            game_hash=game_hash(variant, f"{handicap} b -", row.moves), black=maybe(dice.choice(NAMES)),
            white=maybe(dice.choice(NAMES)), black_rating=maybe(dice.randint(800, 2400)),
            white_rating=maybe(dice.randint(800, 2400)), end=maybe(dice.choice(ENDS)),
            verified_end=maybe(dice.choice(["checkmate", "repetition"]), 0.2), illegal_reason=maybe("nifu", 0.1),
            date=maybe(datetime.date(2019, 12, 1) + datetime.timedelta(dice.randint(0, 900))),
            tags=tuple(sides),
            clock=maybe(array("q", [dice.choice([-1, dice.randint(0, 99_999)]) for _ in moves]).tobytes())))
    return found


def fill(database: Database, dice: random.Random) -> None:
    """The tables that these rows do not fill: boards (any men anywhere), copies and contained (any games)."""
    squares = [f"s{file}{rank}" for file in range(1, 10) for rank in "abcdefghi"]
    some = ", ".join(f"CASE WHEN random() < 0.7 THEN 0 ELSE (random() * 8)::INTEGER + 32 * (random() * 1.2)::INTEGER "
                     f"+ 64 * (random() * 2 - 0.5)::INTEGER END AS {square}" for square in squares)
    database.run("SELECT setseed(0.5)")
    database.run(f"INSERT INTO boards BY NAME SELECT game_id, ply, {some} FROM plies WHERE game_id <= 300 AND ply > 5")
    database.run("UPDATE games SET variant = 'shogi' WHERE variant = 'toy'")  # which the loader would not believe
    database.run("DELETE FROM contained")
    for game in dice.sample(range(1, GAMES), 50):
        database.run(f"INSERT INTO copies VALUES ({game}, 2, 7)")
        database.run(f"INSERT INTO contained VALUES ({game}, {dice.randint(1, GAMES)})")


@pytest.fixture(scope="module")
def database() -> Iterator[Database]:
    dice = random.Random(20)
    games = rows(dice)
    rejects = [RejectRow(0, n, dice.randint(1, 99), 1, 5, dice.choice(["K404", "K203", "K411"]), f"message {n}", "text")
               for n in range(60)]
    with in_memory([(toy.source("b.csa"), games[:2000], rejects), (toy.source("a.kif"), games[2000:], rejects[:9]),
                    (toy.source("none.kif"), [], [])]) as opened:
        fill(opened, dice)
        yield opened


@pytest.fixture(scope="module")
def world(database: Database) -> World:
    return World.read(database)


SINCE = datetime.date(2020, 6, 1)
FILTERS: dict[str, tuple[Filters | None, Callable[[Game], bool]]] = {
    "none": (None, lambda game: True),
    "any": (Filters(handicap=ANY, since=SINCE, max_plies=14),
            lambda game: game.date is not None and game.date >= SINCE and game.plies <= 14),
    "lance": (Filters(handicap="lance", end="resign"), lambda game: game.handicap == "lance" and game.ended == "resign"),
    "player": (Filters(player="O'Hara"), lambda game: "O'Hara" in (game.black, game.white)),
    "side": (Filters(player="?ato", side="white", handicap=ANY), lambda game: game.white in ("Sato", "sato")),
    "opponent": (Filters(player="?*", opponent="*B\\C", handicap=ANY),
                 lambda game: "B\\C" in (game.black, game.white) and bool(game.black and game.white)),
    "nobody": (Filters(player="Nobody"), lambda game: False),
}
GIVEN: dict[str, list[dict[str, Any]]] = {
    "lengths": [{}, {"width": 7}], "rating_bands": [{}, {"width": 130}], "upsets": [{}, {"gap": 0}],
    "times": [{}, {"width": 3}], "senkei_by_year": [{}, {"min_games": 30}], "tags": [{}, {"kind": "opening"}],
    "opening_matrix": [{}, {"top": 2}], "castle_matrix": [{}, {"min_games": 40}], "castles_by_rating": [{}, {"top": 2}],
    "first_moves": [{}, {"plies": 1}, {"plies": 6}], "book": [{}, {"min_games": 2, "max_ply": 6}],
    "main_line": [{}, {"depth": 3}, {"min_games": 50}], "trend": [{}, {"top": 1}], "players": [{}, {"min_games": 400}],
    "performance": [{}, {"min_games": 200}], "head_to_head": [{}, {"min_games": 20}], "crosstable": [{}, {"top": 4}],
    "repetitions": [{}, {"times": 2}], "repertoire": [{}, {"turn": "white"}],
    "heat_map": [{}, {"man": "+R", "colour": "both"}, {"man": "P", "colour": "white", "ply": 9}],
}
PIVOTS = {"opening_matrix": 1, "crosstable": 7}


def cases() -> Iterator[Any]:
    """Each query with each set of filters and of parameters, in each position."""
    for query in QUERIES:
        needs = [p.name for p in query.parameters.values() if p.required]
        for name, (filters, holds) in FILTERS.items():
            if ("player" in needs and not (filters and filters.player)) or (not query.filtered and filters):
                continue
            for given in GIVEN.get(query.name, [{}])[:None if name in ("none", "any") else 1]:
                for key in ([START, SECOND, 1] if "key" in needs else [None]):
                    told = [str(part) for part in (query.name, name, *given.values(), key) if part is not None]
                    yield pytest.param(query, filters, holds, given | ({"key": key} if key else {}), id="-".join(told))


def sides_of(game: Game, filters: Filters) -> tuple[str, ...]:
    """The sides that the player of the filters has, against the opponent where one is named."""
    def holds(side: str, other: str) -> bool:
        return (filters.side in (None, side) and fnmatchcase(game.row[side] or "", filters.player or "")
                and (filters.opponent is None or fnmatchcase(game.row[other] or "", filters.opponent)))

    return tuple(side for side, other in (("black", "white"), ("white", "black")) if holds(side, other))


@pytest.mark.parametrize(("query", "filters", "holds", "given"), list(cases()))
def test_equals_brute_force(database: Database, world: World, query: catalog.Query, filters: Filters | None,
                            holds: Callable[[Game], bool], given: dict[str, Any]) -> None:
    handicap = filters.handicap if filters else query.handicap
    games = [game for game in world.games
             if game.variant == "shogi" and (handicap == ANY or game.handicap == handicap) and holds(game)]
    if filters and filters.player:
        games = [replace(game, asked=sides_of(game, filters)) for game in games]
    given_too = {"player": filters.player} if "player" in query.parameters and filters else {}
    count = getattr(stats_brute, query.name, None) or getattr(stats_brute_players, query.name)
    expected = count(games, world, **given, **given_too)
    columns, found = catalog.run(database, query.name, filters, **given)
    rows = list(found)
    if query.name in PIVOTS:  # the cells behind the first columns as a mapping; there is no column without a cell
        fixed = PIVOTS[query.name]
        assert columns[fixed:] == sorted({name for row in expected for name in row[-1]})
        rows = [(*row[:fixed], {name: cell for name, cell in zip(columns[fixed:], row[fixed:], strict=True) if cell})
                for row in rows]
    assert len(rows) == len(expected)
    for ours, theirs in zip(expected, rows, strict=True):
        assert ours == theirs


def test_the_large_database_is_worth_it(world: World) -> None:
    """Each query has something to count there."""
    even = [game for game in world.games if game.variant == "shogi" and game.handicap == "even"]
    for query in QUERIES:
        count = getattr(stats_brute, query.name, None) or getattr(stats_brute_players, query.name)
        needs = {name: value for name, value in (("key", START), ("player", "Sato")) if name in query.parameters}
        games = world.games if query.handicap == ANY else even
        assert len(count(games, world, **needs)) >= (1 if query.name in ("score_of_position", "times") else 2), query.name
