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


@pytest.mark.parametrize(("kind", "text", "usi"), [
    ("torishogi", "Sw-1d", "1e1d"), ("torishogi", "Sw-1d Swx1d", "1e1d 1c1d"), ("torishogi", "1. S-1d S-2d", "1e1d 2c2d"),
    ("torishogi", "１四燕(15) 同　燕(13)", "1e1d 1c1d"), ("torishogi", "☗１四燕(15)☖２四燕(23)", "1e1d 2c2d"),
    ("torishogi", "☗ １四燕", "1e1d"), ("torishogi", "Sw-14", "1e1d"), ("torishogi", "1e1d 1c1d", "S-1d Sx1d"),
    ("chushogi", "P-10h", "10i10h"), ("chushogi", "10八歩兵 （←10九）", "10i10h"), ("chushogi", "Ln-8h", "7j8h"),
    ("chushogi", "1手目 10八歩兵 （←10九）", "10i10h"),
])
def test_moves_in_the_words_of_a_kind(kind: str, text: str, usi: str, folder: Path, kifu: Kifu) -> None:
    """The same as in USI."""
    found, same = (kifu("openings", *moves.split(" "), "--db", "games.duckdb", "--variant", kind, "--csv", cwd=folder)
                   for moves in (text, usi))
    assert (found.status, found.out, found.err) == (0, same.out, same.err)
    found, same = (kifu("stats", "trend", "--moves", moves, "--db", "games.duckdb", "--variant", kind, "--show-sql",
                        cwd=folder) for moves in (text, usi))
    assert (found.status, found.out) == (0, same.out)


@pytest.mark.parametrize(("kind", "text", "said"), [
    ("torishogi", "hello", "the moves were not understood; write them as 1e1d or S-1d or Sw-1d or １四燕(15)."),
    ("torishogi", "Sw-1d hello", "were not understood"), ("torishogi", "P-7f", "Black has no pheasant that can go to 7f"),
    ("torishogi", "☗３三金(34)", "expected a move of tori shogi"), ("minishogi", "▲７六歩", "minishogi"),
    ("chushogi", "6f5g4f", "6f5g4f: no man stands on 6f"),
])
def test_what_is_no_move_of_a_kind(kind: str, text: str, said: str, folder: Path, kifu: Kifu) -> None:
    ran = kifu("openings", *text.split(), "--db", "games.duckdb", "--variant", kind, cwd=folder)
    assert (ran.status, ran.out, "Traceback" in ran.err) == (2, "", False)
    assert said in ran.err


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
    ran = kifu("export", "--db", "games.duckdb", "--book", "yaneuraou", "-", "--min-games", "1", "--where",
               "variant <> 'chushogi'", "--handicap", "bishop", cwd=folder)
    assert "left out: 2 games of other kinds" in ran.err  # their handicaps are others
    for more, plies in (((), [3, 2]), (("--where", "plies > 2 -- long"), [3]),
                        (("--query", "SELECT game_id FROM games ORDER BY plies"), [2, 3])):
        ran = kifu("export", "--db", "games.duckdb", "--games", "usi", "-", "--variant", "torishogi", *more, cwd=folder)
        assert [len(line.split(" moves ")[1].split()) for line in ran.out.splitlines()] == plies, ran.err
    ran = kifu("export", "--db", "games.duckdb", "--book", "yaneuraou", "-", "--variant", "torishogi", cwd=folder)
    assert (ran.status, "--variant does not go with --book, but with --games." in ran.err) == (2, True)
    ran = kifu("db", "verify", "games.duckdb", cwd=folder)
    assert "4 games and 12 positions proven, no findings" in ran.out


@pytest.mark.parametrize(("variant", "sfen", "name"), [
    (None, TORI, "tori shogi"), ("torishogi", TORI, "tori shogi"), (None, "4k4/9/9/9/9/9/9/9/4U4 b - 1", "cannon shogi"),
    (None, "2k2/5/5/5/2K2 b P 1", "minishogi"), ("kyotoshogi", "2k2/5/5/5/2K2 b P 1", "kyoto shogi"),
])
def test_problems_are_of_ordinary_shogi(variant: str | None, sfen: str, name: str, tmp_path: Path, kifu: Kifu) -> None:
    """Said of a position and of a file alike, without a hint of what does not help."""
    said = f"K705 no-problem: this is no mate problem: it is of {name}, and only those of ordinary shogi can be solved\n"
    (tmp_path / "a.usi").write_text(f"sfen {sfen}\n", encoding="utf-8")
    for asked in (sfen, "a.usi"):
        ran = kifu("solve", asked, *(("--variant", variant) if variant else ()), cwd=tmp_path)
        assert (ran.status, ran.err, "hint" in ran.out) == (1, "", False)
        assert ran.out.endswith(said)
