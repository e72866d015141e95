"""Castles and openings on the command line: shown, loaded, asked for in SQL, and with a user's own file."""
from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "store"))
import old_databases as old

Kifu = Callable[..., Any]
#: Fourth-file rook and mino against the boat.
GAME = ("startpos moves 7g7f 3c3d 6g6f 8c8d 2h6h 7a6b 5i4h 5a4b 4h3h 4b3b 3h2h 6a5b 3i3h 9c9d 6i5h\n")
HANDICAP = "sfen lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1 moves 5a5b 5i5h 1c1d 6i7h\n"
MINE = '[castle.mine]\nja = "私の囲い"\nen = "Mine"\nposition = "K4h"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "game.usi").write_text(GAME)
    (tmp_path / "lance.usi").write_text(HANDICAP)
    (tmp_path / "bare.usi").write_text("startpos moves 7g7f\n")
    (tmp_path / "my.toml").write_text(MINE, encoding="utf-8")
    return tmp_path


def shown(kifu: Kifu, folder: Path, *arguments: str) -> list[str]:
    """What stands below the board."""
    ran = kifu("show", *arguments, cwd=folder)
    assert ran.status == 0, ran.err
    return [line for line in ran.out.splitlines() if line.startswith(("戦型", "囲い"))]


def test_show_names_the_most_special_ones(kifu: Kifu, folder: Path) -> None:
    """Side, ply and both names; the half mino is in the mino, the ranging rook in the fourth-file rook."""
    lines = ["戦型:  4手目 後手 居飛車 (Static Rook)", "戦型:  5手目 双方 対抗形 (Static v. Ranging)",
             "戦型:  5手目 先手 四間飛車 (Fourth-file Rook)", "囲い: 12手目 後手 舟囲い (Boat)",
             "囲い: 15手目 先手 美濃囲い (Mino)"]
    assert sorted(shown(kifu, folder, "game.usi")) == sorted(lines)
    assert sorted(shown(kifu, folder, "game.usi", "--at", "3", "--flip")) == sorted(lines)  # always of the whole game
    assert shown(kifu, folder, "bare.usi") == []


def test_show_calls_the_sides_of_a_handicap_game_by_their_names(kifu: Kifu, folder: Path) -> None:
    """The receiver of odds is 下手; openings are not looked for."""
    assert shown(kifu, folder, "lance.usi") == [
        "囲い: 1手目 上手 中住まい (Central house)", "囲い: 2手目 下手 中住まい (Central house)"]


def test_show_with_the_patterns_of_a_user(kifu: Kifu, folder: Path) -> None:
    assert "囲い:  7手目 先手 私の囲い (Mine)" in shown(kifu, folder, "game.usi", "--patterns", "my.toml")
    (folder / "more.toml").write_text(MINE.replace("mine", "more").replace("K4h", "K3h"), encoding="utf-8")
    lines = shown(kifu, folder, "game.usi", "--patterns", "my.toml", "--patterns", "more.toml")
    assert [line for line in lines if "Mine" in line] == [
        "囲い:  7手目 先手 私の囲い (Mine)", "囲い:  9手目 先手 私の囲い (Mine)"]


@pytest.mark.parametrize("command", [("show", "game.usi"), ("load", "game.usi", "--db", "games.duckdb")])
@pytest.mark.parametrize(("text", "said"), [
    (None, "bad.toml: it cannot be read: No such file or directory."),
    ("x", "bad.toml: it is not TOML: "),
    (MINE.replace("K4h", "K4j"), "bad.toml: castle.mine: position 'K4j': 'K4j': '4j' is no square"),
    (MINE.replace("mine", "mino"), "bad.toml: castle.mino: castles.toml has an entry of this key already"),
])
def test_a_faulty_file_stops_everything(kifu: Kifu, folder: Path, command: tuple[str, ...], text: str | None,
                                        said: str) -> None:
    """A sentence that names file, entry and fault; nothing is shown, no database is made."""
    if text is not None:
        (folder / "bad.toml").write_text(text, encoding="utf-8")
    ran = kifu(*command, "--patterns", "my.toml", "--patterns", "bad.toml", cwd=folder)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err
    assert "Traceback" not in ran.err
    assert not (folder / "games.duckdb").exists()


def tags(kifu: Kifu, folder: Path, *where: str) -> list[dict[str, Any]]:
    ran = kifu("sql", "SELECT side, kind, tag, ply FROM game_tags JOIN games USING (game_id) WHERE plies = 15"
               " AND kind = 'castle' ORDER BY ply, tag", *where, "--json", cwd=folder)
    assert ran.status == 0, ran.err
    found: list[dict[str, Any]] = json.loads(ran.out)
    return found


CASTLES = [{"side": "white", "kind": "castle", "tag": "funagakoi", "ply": 12},
           {"side": "black", "kind": "castle", "tag": "kata_mino", "ply": 13},
           {"side": "black", "kind": "castle", "tag": "mino", "ply": 15}]


def test_load_keeps_them(kifu: Kifu, folder: Path) -> None:
    assert kifu("load", ".", "--db", "games.duckdb", cwd=folder).status == 0
    assert tags(kifu, folder, "--db", "games.duckdb") == CASTLES


def test_sql_over_files_knows_them_too(kifu: Kifu, folder: Path) -> None:
    assert tags(kifu, folder, "game.usi", "bare.usi") == CASTLES
    ran = kifu("sql", "FROM game_tags", "game.usi", "--parquet", "tags.parquet", cwd=folder)
    assert ran.status == 0
    ran = kifu("sql", "SELECT count(*) AS n FROM 'tags.parquet' WHERE tag = 'mino'", "bare.usi", "--csv", cwd=folder)
    assert ran.out == "n\n1\n"


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_load_with_the_patterns_of_a_user(kifu: Kifu, folder: Path, jobs: str) -> None:
    ran = kifu("load", ".", "--db", "games.duckdb", "--patterns", "my.toml", "--jobs", jobs, cwd=folder)
    assert ran.status == 0, ran.err
    assert tags(kifu, folder, "--db", "games.duckdb") == [
        {"side": "black", "kind": "castle", "tag": "mine", "ply": 7}, *CASTLES]


def test_an_older_database(kifu: Kifu, folder: Path) -> None:
    """Told when it is asked for what it lacks, and once when it is loaded into."""
    old.make(folder / "games.duckdb", 1)
    ran = kifu("sql", "FROM game_tags", "--db", "games.duckdb", cwd=folder)
    assert (ran.status, ran.out) == (2, "")
    assert "was made by an earlier version (schema 1), which had no table game_tags" in ran.err
    ran = kifu("load", ".", "--db", "games.duckdb", cwd=folder)
    assert (ran.status, ran.out) == (0, "games.duckdb: 3 games from 3 files\n")
    assert "games.duckdb was made by an earlier version: 4 games are in it without castles and openings" in ran.err
    again = kifu("load", ".", "--db", "games.duckdb", cwd=folder)
    assert again.status == 0 and "kifu db retag finds them anew" in again.err
    assert kifu("db", "retag", "games.duckdb", cwd=folder).status == 0
    again = kifu("load", ".", "--db", "games.duckdb", cwd=folder)
    assert (again.status, again.err) == (0, "")
