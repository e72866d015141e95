"""Searches for positions and patterns, against a look at every position of every game in plain Python."""
from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator
from functools import cache

import pytest
import toy_games as toy
import walks

from kifu._core import build_kind
from kifu.knowledge.positions import PositionTextError
from kifu.rules.move import from_usi
from kifu.rules.position import Position
from kifu.store import moves, patterns, scanning, search, tree
from kifu.store.database import Database
from kifu.store.errors import StoreError
from kifu.store.filters import ANY, EVEN, Filters
from kifu.store.loader import in_memory
from kifu.store.search import Plies

#: Without a compiled engine a few games must do.
COMPILED = build_kind() == "compiled"
GAMES, POSITIONS = walks.games(101 if COMPILED else 10, seed=5)
MANY = 20 if COMPILED else 0
BOARDS = {sfen: walks.board(sfen) for sfens in POSITIONS for sfen in sfens}
EVERY = Filters(handicap=ANY)
SIDES = ("black", "white")


@pytest.fixture(scope="module")
def database() -> Iterator[Database]:
    """The games, with the table of boards filled."""
    with in_memory([(toy.source("all.csa"), GAMES, [])]) as opened:
        assert not scanning.complete(opened)
        walks.fill_boards(opened, POSITIONS)
        assert scanning.complete(opened)
        yield opened


# --- positions


def visits(sfens: list[str], wanted: str, plies: Plies) -> list[int]:
    return [ply for ply, sfen in enumerate(sfens)
            if sfen == wanted and (plies.first or 0) <= ply <= (999 if plies.last is None else plies.last)]


@pytest.mark.parametrize("plies", [Plies(), Plies(3, None), Plies(2, 6)])
@pytest.mark.parametrize("both", [False, True])
def test_games_that_reach_a_position(database: Database, both: bool, plies: Plies) -> None:
    found_some = 0
    for sfen in [POSITIONS[0][0], POSITIONS[5][0], *(sfens[min(4, len(sfens) - 1)] for sfens in POSITIONS[::40])]:
        asked = Position(sfen)
        other = tree.turned(asked)
        expected = set()
        for number, (game, sfens) in enumerate(zip(GAMES, POSITIONS, strict=True), 1):
            last = dict.fromkeys(visits(sfens, sfen, plies), "black")
            if both:
                last |= dict.fromkeys(visits(sfens, other.sfen(1), plies), "white")
            if last:
                codes = moves.decode(game.moves)
                move = moves.usi(codes[max(last)]) if max(last) < game.plies else None
                expected.add((number, max(last), last[max(last)], move))
        found = search.hits(database, search.list_sql(search.by_position(
            asked.key(), other.key() if both else None, plies), EVERY))
        assert {(hit.game_id, hit.ply, hit.side, hit.move) for hit in found} == expected
        assert len(found) == len(expected)
        assert list(search.confirmed(found, asked, other if both else None)) == found
        found_some += len(found)
    assert found_some > MANY


def test_another_position_with_the_same_key_is_left_out(database: Database) -> None:
    asked = Position(POSITIONS[0][1])
    (hit, *_) = search.hits(database, search.list_sql(search.by_position(asked.key(), None), EVERY))
    other = Position(POSITIONS[5][1])
    assert list(search.confirmed([hit], asked, None)) == [hit]
    assert list(search.confirmed([hit], other, None)) == []
    assert list(search.confirmed([hit], other, asked)) == [hit]
    assert list(search.confirmed([hit._replace(moves=b"\xff" * len(hit.moves))], asked, None)) == []
    assert list(search.confirmed([hit._replace(start_sfen="no position")], asked, None)) == []


@pytest.mark.parametrize("order", search.ORDERS)
def test_the_order_and_the_limit(database: Database, order: str) -> None:
    keys: dict[str, Callable[[int], int]] = {
        "rating": lambda n: -((GAMES[n - 1].black_rating or 0) + (GAMES[n - 1].white_rating or 0)),
        "date": lambda n: 0, "plies": lambda n: -GAMES[n - 1].plies, "id": lambda n: n}
    every = sorted(range(1, len(GAMES) + 1), key=lambda n: (keys[order](n), n))
    found = search.hits(database, search.list_sql(search.EVERY_GAME, EVERY, order))
    assert [hit.game_id for hit in found] == every
    some = search.hits(database, search.list_sql(search.EVERY_GAME, EVERY, order, 7))
    assert [hit.game_id for hit in some] == every[:7]
    assert {hit.total for hit in some} == {len(GAMES)}
    assert database.value(search.count_sql(search.EVERY_GAME, EVERY)) == len(GAMES)


# --- patterns


def holds(word: str, side: str, position: walks.Board) -> bool:
    """Whether a word of the pattern language is true for a side."""
    squares, hands = position
    other = SIDES[side == "black"]
    if match := re.fullmatch(r"(!?)(v?)([BR])\*", word):
        return (hands.get((other if match[2] else side, match[3]), 0) == 1) != bool(match[1])
    negated, enemy, man, files, last_file, ranks, last_rank = re.fullmatch(
        r"(!?)(v?)(_|\+?[A-Z])(\d)(?:-(\d))?([a-i])(?:-([a-i]))?", word).groups()  # type: ignore[union-attr]
    places = [f"{file}{rank}" for file in range(int(files), int(last_file or files) + 1)
              for rank in "abcdefghi"["abcdefghi".index(ranks):"abcdefghi".index(last_rank or ranks) + 1]]
    if side == "white":
        places = [walks.turned(place) for place in places]
    if man == "_":
        return all(place not in squares for place in places) != bool(negated)
    return any(squares.get(place) == (other if enemy else side, man) for place in places) != bool(negated)


def counts(word: str, what: str, side: str, position: walks.Board) -> bool:
    """Whether a count of men is right for a side."""
    squares, hands = position
    enemy, letter, comparison, number = re.fullmatch(r"(v?)([A-Za-z])([<>=]+)(\d+)", word).groups()  # type: ignore[union-attr]
    whose = SIDES[side == "black"] if enemy or letter.islower() else side
    count = hands.get((whose, letter.upper()), 0)
    if what == "material":
        count += sum(1 for owner, man in squares.values() if owner == whose and man[-1] == letter.upper())
    return {"=": operator.eq, "<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge}[comparison](
        count, int(number))


#: Text, hand, material.
ASKED = [
    ("K2h", "", ""), ("K2h S3g", "", ""), ("K2h !S3h", "", ""), ("R2-8h", "", ""), ("K5i vK5a", "", ""),
    ("R5-7h-i K2-3h G4-6i", "", ""), ("_2h _7g", "", ""), ("!_7f !vP3d", "", ""), ("+B2b-c", "", ""), ("B* vB*", "", ""),
    ("!B* P7f", "", ""), ("vR8b !R2h", "", ""), ("", "P>=2", ""), ("", "B=1 b=1", ""), ("", "P>1, vP<1", ""),
    ("K2h", "B>=1", ""), ("", "", "R=2"), ("", "", "vR=0 B<=1"), ("K5i", "S<=1", "P>9"), ("", "", "K=1"), ("P9e", "P=3", ""),
]


@cache
def stands(text: str, hand: str, material: str, side: str, sfen: str) -> bool:
    """Whether a pattern is true for a side."""
    here = BOARDS[sfen]
    return (all(holds(word, side, here) for word in text.split())
            and all(counts(word, "hand", side, here) for word in hand.replace(",", "").split())
            and all(counts(word, "material", side, here) for word in material.split()))


@pytest.mark.parametrize(("owner", "plies", "filters"), [
    ("either", Plies(), Filters(handicap=ANY)),
    ("black", Plies(6, 20), Filters(handicap=EVEN, min_plies=9)),
    ("white", Plies(0, 25), Filters(handicap=ANY, player="player 1")),
    ("player", Plies(2, None), Filters(handicap=ANY, player="player 2")),
])
def test_patterns(database: Database, owner: str, plies: Plies, filters: Filters) -> None:
    """By SQL over boards and by replaying the games: the same as by hand."""
    sides = (owner,) if owner in SIDES else SIDES
    of = {SIDES.index(side): filters.of_side(side) if owner == "player" else None for side in sides}
    total = 0
    for text, hand, material in ASKED:
        expected = {}
        for number, (game, sfens) in enumerate(zip(GAMES, POSITIONS, strict=True), 1):
            if filters.handicap not in (ANY, game.handicap) or game.plies < (filters.min_plies or 0) \
                    or filters.player and filters.player not in (game.black, game.white):
                continue
            window = range(plies.first or 0, min(len(sfens), 999 if plies.last is None else plies.last + 1))
            found = {}
            for side in sides:
                if owner != "player" or (game.black if side == "black" else game.white) == filters.player:
                    first = next((ply for ply in window if stands(text, hand, material, side, sfens[ply])), None)
                    if first is not None:
                        found[side] = first
            if found:
                expected[number] = (min(found.values()), "both" if len(found) == 2 else next(iter(found)))
        asked = patterns.pattern(text, hand=hand, material=material)
        by_boards = patterns.by_boards(asked, of, plies)
        hits = search.hits(database, search.list_sql(by_boards, filters))
        assert {hit.game_id: (hit.ply, hit.side) for hit in hits} == expected, (text, hand, material)
        sightings = list(scanning.scanned(database, asked, filters, of, plies))
        with scanning.shown(database, sightings) as replayed:
            again = search.hits(database, search.list_sql(replayed, filters))
            assert again == hits
            assert database.value(search.count_sql(replayed, filters)) == len(expected)
            if text == "K2h":
                summary = database.rows(search.summary_sql(replayed, filters))
                assert summary == database.rows(search.summary_sql(by_boards, filters))
                assert summary[0][:2] == ("all", len(expected))
        total += len(hits)
    assert total > 5 * MANY


def test_progress_is_told(database: Database) -> None:
    told: list[int] = []
    list(scanning.scanned(database, patterns.pattern("K2h"), EVERY, {0: None}, Plies(), told.append))
    assert sum(told) == len(GAMES)
    assert len(told) > 3 or not COMPILED


def test_a_game_that_cannot_be_replayed_is_named() -> None:
    broken = GAMES[0]._replace(moves=b"\0\1" * GAMES[0].plies)
    with in_memory([(toy.source("a.csa"), [broken], [])]) as database, pytest.raises(StoreError, match="Game 1 .*verify"):
        list(scanning.scanned(database, patterns.pattern("K2h"), EVERY, {0: None}, Plies()))


@pytest.mark.parametrize(("text", "hand", "material", "said"), [
    ("", "", "", "nothing that must stand"), ("K2h K3h", "", "", "more kings"), ("X2h", "", "", "'X2h'"),
    ("@mino", "", "", "--tag mino"), ("K2h !@mino", "", "", "--tag mino"), ("", "K=1", "", "'K=1'"), ("", "B", "", "'B'"),
    ("", "B=111", "", "'B=111'"), ("", "", "X>2", "'X>2'"), ("R1-9a-i S1-9a-i", "", "", "ways to stand"),
    ("K2h'; DROP TABLE games; --", "", "", "is no square"), ("K2h; DROP TABLE games", "", "", "is no"),
])
def test_patterns_that_mean_nothing(text: str, hand: str, material: str, said: str) -> None:
    with pytest.raises(PositionTextError, match=re.escape(said)):
        patterns.pattern(text, hand=hand, material=material)


# --- results


@pytest.mark.parametrize("filters", [EVERY, Filters(handicap=ANY, player="player 3"), Filters(handicap="lance")])
def test_results_are_summed_up(database: Database, filters: Filters) -> None:
    """From Black's view, or from that of the player; who plays against himself has no view."""
    expected: dict[str, list[int | None]] = {}
    for game in GAMES:
        if filters.handicap not in (ANY, game.handicap) or filters.player and filters.player not in (game.black, game.white):
            continue
        side = "black"
        if filters.player:
            side = "both" if game.black == game.white else "black" if game.black == filters.player else "white"
        score = None if game.result is None or side == "both" else game.result * (1 if side == "black" else -1)
        for part in ("all", side, "undated"):
            expected.setdefault(part, []).append(score)
    found = database.rows(search.summary_sql(search.EVERY_GAME, filters))
    assert {row[0]: row[1:6] for row in found} == {
        part: (len(scores), scores.count(1), scores.count(0), scores.count(-1), scores.count(None))
        for part, scores in expected.items()}
    for part, games, wins, draws, _, unknown, score, low, high in found:
        if games > unknown:
            assert score == pytest.approx((wins + draws / 2) / (games - unknown))
            assert low < score < high or score in (0, 1)
        else:
            assert (part, score, low, high) == (part, None, None, None)


# --- trees with positions


@pytest.mark.parametrize("filters", [EVERY, Filters(), Filters(handicap=ANY, player="player 1"), Filters(handicap="2-piece")])
@pytest.mark.parametrize("both", [False, True])
def test_trees_of_real_positions(database: Database, both: bool, filters: Filters) -> None:
    """Moves, games and Black's wins of each position, the colours exchanged where that is asked for."""
    chosen = [(game, sfens) for game, sfens in zip(GAMES, POSITIONS, strict=True)
              if filters.handicap in (ANY, game.handicap) and (not filters.player or filters.player in (game.black, game.white))]
    some, exchanged_some = 0, False
    for sfen in [POSITIONS[0][0], POSITIONS[0][3], POSITIONS[5][0], POSITIONS[15][0], *(sfens[-1] for sfens in POSITIONS[::60])]:
        asked = Position(sfen)
        other = tree.turned(asked).sfen(1)
        expected: dict[str, list[int | None]] = {}
        total = 0
        for game, sfens in chosen:
            last = [(ply, here != sfen) for ply, here in enumerate(sfens) if here == sfen or (both and here == other)][-1:]
            for ply, exchanged in last:
                total += 1
                if ply < game.plies:
                    move = moves.usi(moves.decode(game.moves)[ply])
                    if exchanged:
                        move = walks.turned_move(move)
                    result = game.result
                    expected.setdefault(move, []).append(-result if exchanged and result else result)
        grown = tree.OpeningTree(database, asked, filters, both=both)
        found = grown.moves()
        assert {move.usi: (move.games, move.black_wins, move.draws, move.white_wins) for move in found} == {
            move: (len(results), results.count(1), results.count(0), results.count(-1)) for move, results in expected.items()}
        assert grown.results()[0] == total
        exchanged_some |= {move.games for move in found} != {move.games for move in tree.opening_tree(
            database, asked, filters=filters)}
        for move in found:
            after = asked.copy()
            after.play(after.resolve(from_usi(move.usi)))
            assert move.next_key == after.key()
            wanted = {after.sfen(1), tree.turned(after).sfen(1)} if both else {after.sfen(1)}
            assert grown.reaching([move])[move.next_key] == sum(bool(wanted & set(sfens)) for _, sfens in chosen)
        some += len(found)
    assert some > MANY / 2 or filters.handicap == "2-piece"
    assert exchanged_some == (both and filters.handicap == ANY)


def test_a_move_that_the_position_does_not_allow_is_left_out(database: Database) -> None:
    """As if another position had the same key: the row in the table is that of a move which is illegal here."""
    database.run("BEGIN")
    try:
        database.run("UPDATE openings SET move = $code WHERE key = $key AND move = (SELECT max(move) FROM openings "
                     "WHERE key = $key)", {"key": Position().key(), "code": 40 | 41 << 7})
        found = tree.opening_tree(database, Position())
        assert found
        assert "5f5e" not in {move.usi for move in found}
    finally:
        database.run("ROLLBACK")


@pytest.mark.parametrize("sfen", [walks.CASTLES, "4k4/9/9/9/9/9/9/9/4K4 w 2P3g 1", "+B7k/9/9/9/4r4/9/9/9/K8 b GS2gn 1"])
def test_a_position_turned_twice_is_the_same(sfen: str) -> None:
    once = tree.turned(Position(sfen))
    assert once.turn != Position(sfen).turn
    assert tree.turned(once).sfen(1) == Position(sfen).sfen(1)
    assert {(walks.turned(square), "white" if side == "black" else "black", man)
            for square, (side, man) in walks.board(sfen)[0].items()} == {
        (square, side, man) for square, (side, man) in walks.board(once.sfen(1))[0].items()}
