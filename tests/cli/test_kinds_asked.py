"""`kifu load`, `games`, `openings`, `stats` and `export` on a database of several kinds of shogi, told apart."""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Kifu = Callable[..., Any]

#: The kinds are known by their boards.
GAMES = """\
position startpos moves 7g7f 3c3d
position sfen rpckcpl/3f3/sssssss/2s1S2/SSSSSSS/3F3/LPCKCPR b - 1 moves 1e1d 1c1d 2e2d
position sfen rpckcpl/3f3/sssssss/2s1S2/SSSSSSS/3F3/LPCKCPR b - 1 moves 1e1d 2c2d
position sfen lfcsgekgscfl/a1b1txot1b1a/mvrhdqndhrvm/pppppppppppp/3i4i3/12/12/3I4I3/PPPPPPPPPPPP/MVRHDNQDHRVM/\
A1B1TOXT1B1A/LFCSGKEGSCFL b - 1 moves 10i10h
"""
TORI = "rpckcpl/3f3/sssssss/2s1S2/SSSSSSS/3F3/LPCKCPR b - 1"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, kifu: Kifu) -> Path:
    here = tmp_path_factory.mktemp("kinds")
    (here / "all.usi").write_text(GAMES, encoding="utf-8")
    ran = kifu("load", "all.usi", "--db", "games.duckdb", cwd=here)
    assert ran.out.startswith("games.duckdb: 4 games from 1 file"), ran.err
    return here


def test_ordinary_shogi_unless_another_is_named(folder: Path, kifu: Kifu) -> None:
    ran = kifu("games", "--db", "games.duckdb", "--count", cwd=folder)
    assert (ran.out.strip(), "3 games of other variants left aside" in ran.err) == ("1", True)
    ran = kifu("games", "--db", "games.duckdb", "--variant", "torishogi", "--count", cwd=folder)
    assert (ran.out.strip(), "left aside" in ran.err) == ("2", False)


def test_positions_of_a_kind(folder: Path, kifu: Kifu) -> None:
    ran = kifu("games", "1e1d", "2c2d", "--db", "games.duckdb", "--variant", "torishogi", "--count", cwd=folder)
    assert ran.out.strip() == "1"
    ran = kifu("games", "--sfen", TORI, "--db", "games.duckdb", cwd=folder)
    assert ran.status == 2 and "--variant torishogi would fit" in ran.err
    ran = kifu("openings", "--db", "games.duckdb", "--variant", "torishogi", "--style", "usi", "--csv", cwd=folder)
    assert [line.split(",")[:2] for line in ran.out.splitlines()[1:]] == [["1e1d", "2"]]
    ran = kifu("openings", "--db", "games.duckdb", "--variant", "torishogi", "--style", "csa", cwd=folder)
    assert ran.status == 2 and "csa cannot hold tori shogi" in ran.err


def test_statistics_of_a_kind(folder: Path, kifu: Kifu) -> None:
    for name, option, first in (("first-moves", "--plies=1", "1e1d,2"), ("main-line", "--min-games=2", "1,1e1d,2")):
        ran = kifu("stats", name, option, "--db", "games.duckdb", "--variant", "torishogi", "--csv", cwd=folder)
        assert ran.out.splitlines()[1].startswith(first), ran.err
    ran = kifu("stats", "book", "--min-games=1", "--db", "games.duckdb", "--csv", cwd=folder)
    assert len(ran.out.splitlines()) == 1 and "3 games of other variants left aside" in ran.err
    ran = kifu("stats", "heat-map", "--db", "games.duckdb", "--variant", "chushogi", cwd=folder)
    assert ran.status == 2 and "ordinary shogi only" in ran.err


def test_out_again(folder: Path, kifu: Kifu) -> None:
    ran = kifu("export", "--db", "games.duckdb", "--games", "usi", "-", "--quiet", cwd=folder)
    assert [line.split(" moves ")[1] for line in ran.out.splitlines()] == [
        line.split(" moves ")[1] for line in GAMES.splitlines()]
    ran = kifu("export", "--db", "games.duckdb", "--games", "csa", "-", cwd=folder)
    assert ran.status == 1 and ran.out.count("V2") == 1
    assert "2 games not written: csa cannot hold tori shogi" in ran.err
    ran = kifu("export", "--db", "games.duckdb", "--book", "yaneuraou", "-", "--min-games", "1", cwd=folder)
    assert "left out: 3 games of other kinds" in ran.err and "1e1d" not in ran.out
    ran = kifu("db", "verify", "games.duckdb", cwd=folder)
    assert "4 games and 12 positions proven, no findings" in ran.out
