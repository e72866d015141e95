"""Games contained in longer ones: found all of them and no others, and told at the end of a load."""
from __future__ import annotations

from pathlib import Path

import pytest
import real_games as real
import toy_games as toy

from kifu.store.database import Database
from kifu.store.loader import Loader, in_memory
from kifu.store.rows import GameRow

LONG = "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e".split()
TRANSPOSED = "2g2f 3c3d 7g7f 8c8d".split()


def named(games: list[GameRow]) -> list[tuple[int, int]]:
    """What the table holds of these games, whose numbers begin with 1."""
    with in_memory([(toy.source("a"), games, [])]) as database:
        return database.rows("SELECT game_id, longer_id FROM contained ORDER BY ALL")


def test_by_hand() -> None:
    """A beginning is contained in the longest game that begins so; the same moves in another order are not it."""
    games = [real.played(LONG[:4]), real.played(LONG), real.played(LONG[:5]), real.played(TRANSPOSED), real.played([])]
    assert named(games) == [(1, 2), (3, 2)]


def test_of_equally_long_games_the_first_loaded_counts() -> None:
    games = [real.played([*LONG, "2e2d"]), real.played(LONG[:3]), real.played([*LONG, "6g6f"])]
    assert named(games) == [(2, 1)]


def test_the_same_moves_twice_contain_each_other_not() -> None:
    """Two copies of a game (of other players, say) are as long as each other; both are in a longer one."""
    games = [real.played(LONG[:4], black="a"), real.played(LONG[:4], black="b")]
    assert named(games) == []
    assert named([*games, real.played(LONG)]) == [(1, 3), (2, 3)]


def test_the_start_must_be_the_same() -> None:
    """The same moves from a start that differs, even where the positions behind them are equal: the man taken on 2b
    was promoted in one of them, and in hand it is not any more."""
    board = "lnsgkgsnl/1r5{}1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 1"
    moves = "8h2b+ 3a2b 2g2f 8c8d"
    short = real.row(f"sfen {board.format('b')} moves {moves[:10]}")
    long = real.row(f"sfen {board.format('+b')} moves {moves}")
    assert short.moves == long.moves[:4]
    assert short.keys[-8:] == long.keys[16:24]
    assert named([short, long]) == []
    same = real.row(f"sfen {board.format('b')} moves {moves}")
    assert named([short, long, same]) == [(1, 3)]


def test_the_number_of_the_first_move_does_not_matter() -> None:
    """It says where a writer began to count, not where the men stand."""
    start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - {} moves {}"
    short, long = (real.row(f"sfen {start.format(number, moves)}")
                   for number, moves in ((1, "7g7f"), (5, "7g7f 3c3d")))
    assert named([short, long]) == [(1, 2)]


@pytest.mark.parametrize("seed", [1, 2])
def test_against_comparing_every_two_games(seed: int) -> None:
    games = real.rows(150, seed)
    expected = []
    for number, game in enumerate(games, 1):
        longer = [(-other.plies, place) for place, other in enumerate(games, 1)
                  if other.plies > game.plies > 0 and other.moves.startswith(game.moves)]
        if longer:
            expected.append((number, min(longer)[1]))
    assert len(expected) > 20
    assert named(games) == expected


def test_a_load_brings_it_up_to_date(db_path: Path) -> None:
    """Games that come and go change it, and a load that changes nothing leaves it alone."""
    with Loader(db_path) as loader:
        loader.add(toy.source("a"), [real.played(LONG[:4])])
        assert loader.finish().contained == 0
    with Loader(db_path) as loader:
        loader.add(toy.source("b"), [real.played(LONG)])
        assert loader.finish().contained == 1
    with Loader(db_path) as loader:
        loader.database.run("UPDATE contained SET longer_id = 99")
        assert loader.finish().contained == 1
        assert loader.database.rows("FROM contained") == [(1, 99)]
    with Loader(db_path) as loader:
        loader.add(toy.source("b", b"changed"), [real.played(["2g2f"])])
        assert loader.finish().contained == 0


def test_what_is_removed_is_named_no_more(db_path: Path) -> None:
    """Not even by a database whose load broke off."""
    with Loader(db_path) as loader:
        loader.add(toy.source("a"), [real.played(LONG[:4])])
        loader.add(toy.source("b"), [real.played(LONG)])
        loader.finish()
    with Loader(db_path) as loader:
        loader.add(toy.source("b", b"changed"), [real.played(["2g2f"])])
        loader.commit_batch()
    with Database.open(db_path) as database:
        assert database.rows("FROM contained") == []
