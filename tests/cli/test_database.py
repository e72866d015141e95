"""`kifu load`, `kifu sql`, `kifu openings`: from files to answers, and what happens when something is in the way."""
from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from games import ILLEGAL, KIF, LEGAL, USI

Kifu = Callable[..., Any]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with four games, one of them illegal, and an empty file."""
    games = tmp_path / "games"
    games.mkdir()
    (games / "a.csa").write_text(LEGAL)
    (games / "b.kif").write_bytes(KIF.encode("cp932"))
    (games / "c.usi").write_text(USI)
    (games / "d.csa").write_text(ILLEGAL)
    (games / "e.csa").write_text("")
    return tmp_path


def rows(kifu: Kifu, folder: Path, query: str, *arguments: object) -> list[dict[str, Any]]:
    """What a query gives from the database of a folder."""
    ran = kifu("sql", query, "--db", "games.duckdb", "--json", *arguments, cwd=folder)
    assert ran.status == 0, ran.err
    found: list[dict[str, Any]] = json.loads(ran.out)
    return found


def test_loading(kifu: Kifu, folder: Path) -> None:
    """Proven games into games, the others into rejects; once is enough."""
    ran = kifu("load", "games", "--db", "games.duckdb", cwd=folder)
    assert (ran.status, ran.out) == (1, "games.duckdb: 3 games from 5 files, 2 rejects\n")
    assert rows(kifu, folder, "SELECT black, plies, \"end\" FROM games ORDER BY source_id") == [
        {"black": "Kana", "plies": 4, "end": "resign"}, {"black": "髙橋", "plies": 2, "end": "resign"},
        {"black": None, "plies": 3, "end": None}]
    assert rows(kifu, folder, "SELECT code, line, ply FROM rejects ORDER BY code") == [
        {"code": "K204", "line": 1, "ply": None}, {"code": "K411", "line": 10, "ply": 7}]
    again = kifu("load", "games", "--db", "games.duckdb", cwd=folder)
    assert (again.status, again.out) == (0, "games.duckdb: 0 games from 0 files, 5 files unchanged\n")


def test_a_loaded_game_with_an_error_is_told(kifu: Kifu, folder: Path) -> None:
    """The status is that of `kifu check`, though the game is legal and in the database."""
    (folder / "x.csa").write_text("PI\n+\n+7776FU\n-3334FU\n%TORYO\n+2726FU\n")
    assert kifu("check", "x.csa", cwd=folder).status == 1
    ran = kifu("load", "x.csa", "--db", "games.duckdb", cwd=folder)
    assert (ran.status, ran.out) == (1, "games.duckdb: 1 game from 1 file, 1 with an error\n")


def test_a_changed_file_replaces_its_games(kifu: Kifu, folder: Path) -> None:
    kifu("load", "games", "--db", "games.duckdb", cwd=folder)
    (folder / "games" / "d.csa").write_text(ILLEGAL.replace("+2725FU\n", ""))
    ran = kifu("load", "games", "--db", "games.duckdb", cwd=folder)
    assert ran.out == "games.duckdb: 1 game from 1 file, 4 files unchanged\n"
    assert rows(kifu, folder, "SELECT count(*) AS n FROM games") == [{"n": 4}]
    assert rows(kifu, folder, "SELECT count(*) AS n FROM rejects") == [{"n": 1}]


def test_files_are_known_by_their_full_path(kifu: Kifu, folder: Path) -> None:
    """The same file from another folder is not another file; another file of that name is."""
    kifu("load", "games/a.csa", "--db", "games.duckdb", cwd=folder)
    ran = kifu("load", "a.csa", "--db", "../games.duckdb", cwd=folder / "games")
    assert "1 file unchanged" in ran.out
    (folder / "other" / "games").mkdir(parents=True)
    (folder / "other" / "games" / "a.csa").write_text(LEGAL.replace("Kana", "Riku"))
    kifu("load", "games/a.csa", "--db", "../games.duckdb", cwd=folder / "other")
    assert rows(kifu, folder, "SELECT black FROM games ORDER BY black") == [{"black": "Kana"}, {"black": "Riku"}]


def test_standard_input(kifu: Kifu, folder: Path) -> None:
    """What comes through a pipe is known by its content."""
    for _ in range(2):
        kifu("load", "-", "--db", "games.duckdb", cwd=folder, stdin=LEGAL.encode())
    kifu("load", "-", "--db", "games.duckdb", cwd=folder, stdin=USI.encode())
    assert rows(kifu, folder, "SELECT count(*) AS n FROM games") == [{"n": 2}]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_grades_time_and_evaluations(kifu: Kifu, folder: Path, jobs: str) -> None:
    """As columns, and the names as they were."""
    (folder / "x.csa").write_text("V2.2\nN+羽生善治 九段\nN-kana 1級\n$TIME_LIMIT:00:10+30\nPI\n+\n+7776FU\n'** 30 -3334FU\n-3334FU\n")
    kifu("load", "x.csa", "games", "--db", "games.duckdb", "--jobs", jobs, cwd=folder)
    assert rows(kifu, folder, "SELECT black, black_grade, black_grade_rank, white_grade_rank, main_seconds, byoyomi_seconds,"
                              " increment_seconds, evals FROM games WHERE game_id = 1") == [
        {"black": "羽生善治 九段", "black_grade": "九段", "black_grade_rank": 109, "white_grade_rank": -1, "main_seconds": 600,
         "byoyomi_seconds": 30, "increment_seconds": 0, "evals": [30, None]}]


def test_the_rows_do_not_depend_on_the_workers(kifu: Kifu, folder: Path) -> None:
    for jobs in "12":
        kifu("load", "games", "--db", f"{jobs}.duckdb", "--jobs", jobs, "--boards", cwd=folder)
    told = [kifu("sql", f"FROM {table} ORDER BY ALL", "--db", f"{jobs}.duckdb", "--json", cwd=folder).out
            for table in ("games", "plies", "game_tags", "rejects", "boards", "openings") for jobs in "12"]
    assert told[::2] == told[1::2]
    assert all(len(text) > 10 for text in told)


def test_boards(kifu: Kifu, folder: Path) -> None:
    """For the games that are in already too, and in later loads without being asked for."""
    kifu("load", "games/a.csa", "--db", "games.duckdb", cwd=folder)
    ran = kifu("load", "games/b.kif", "--db", "games.duckdb", "--boards", cwd=folder)
    assert (ran.status, ran.out) == (0, "games.duckdb: 1 game from 1 file\n")
    assert "the boards of 1 game that was in games.duckdb already were added" in ran.err
    kifu("load", "games/c.usi", "--db", "games.duckdb", cwd=folder)
    assert rows(kifu, folder, "SELECT game_id, count(*) AS n, sum((s7f = 1)::INTEGER) AS pawn FROM boards GROUP BY 1 ORDER BY 1") == [
        {"game_id": 1, "n": 5, "pawn": 4}, {"game_id": 2, "n": 3, "pawn": 2}, {"game_id": 3, "n": 4, "pawn": 3}]


def test_sql_straight_over_files(kifu: Kifu, folder: Path) -> None:
    ran = kifu("sql", "SELECT count(*) AS games, sum(plies) AS plies FROM games", "games", "--csv", cwd=folder)
    assert (ran.status, ran.out) == (1, "games,plies\n3,9\n")
    assert "2 games could not be used" in ran.err
    assert kifu("sql", "SELECT 1 AS one", "games/a.csa", cwd=folder).out == "one\n---\n  1\n"


@pytest.mark.parametrize(("form", "out"), [
    ("--csv", "black,plies\nKana,4\n"), ("--json", '[{"black": "Kana", "plies": 4}\n]\n'),
    ("--ndjson", '{"black": "Kana", "plies": 4}\n'), ("--markdown", "| black | plies |\n|---|--:|\n| Kana | 4 |\n"),
])
def test_forms(kifu: Kifu, folder: Path, form: str, out: str) -> None:
    ran = kifu("sql", "SELECT black, plies FROM games", "games/a.csa", form, cwd=folder)
    assert (ran.status, ran.out) == (0, out)


def test_parquet(kifu: Kifu, folder: Path) -> None:
    query = ("sql", "SELECT black, plies FROM games ORDER BY plies", "games/a.csa", "--parquet", "out.parquet")
    assert kifu(*query, cwd=folder).status == 0
    assert (folder / "out.parquet").read_bytes()[:4] == b"PAR1"
    again = kifu(*query, cwd=folder)
    assert again.status == 2
    assert "exists already" in again.err
    assert kifu(*query, "--force", cwd=folder).status == 0


@pytest.mark.parametrize(("arguments", "said"), [
    (("SELECT 1",), "Name either a database"), (("SELECT 1", "games", "--db", "x.duckdb"), "Name either a database"),
    (("SELECT nonsense FROM games", "games/a.csa"), "nonsense"), (("SELECT 1", "--db", "none.duckdb"), "There is no database"),
    (("SELEC 1", "games/a.csa"), "SELEC"),
])
def test_questions_that_cannot_be_answered(kifu: Kifu, folder: Path, arguments: tuple[str, ...], said: str) -> None:
    ran = kifu("sql", *arguments, cwd=folder)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err
    assert "Traceback" not in ran.err


def test_openings(kifu: Kifu, folder: Path) -> None:
    """By moves in USI or Western, or by SFEN; as a table or in any other form."""
    kifu("load", "games", "--db", "games.duckdb", cwd=folder)
    ran = kifu("openings", "--db", "games.duckdb", "--depth", "3", cwd=folder)
    assert ran.status == 0
    lines = ran.out.splitlines()
    assert lines[0].split() == "move name games share black draws white score interval rating last reached next".split()
    assert [line.split()[:3] for line in lines[2:4]] == [["7g7f", "P-7f", "3"], ["3c3d", "P-3d", "3"]]
    for asked in (("7g7f", "3c3d"), ("P-7f", "P-3d"),
                  ("--sfen", "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3")):
        ran = kifu("openings", *asked, "--db", "games.duckdb", "--json", cwd=folder)
        assert sorted((row["move"], row["games"]) for row in json.loads(ran.out)) == [("2g2f", 1), ("8h2b+", 1)]
    only = kifu("openings", "--db", "games.duckdb", "--player", "髙橋", "--csv", cwd=folder).out.splitlines()
    assert [line.split(",")[:3] for line in only[1:]] == [["7g7f", "P-7f", "1"]]
    nothing = kifu("openings", "9g9f", "--db", "games.duckdb", cwd=folder)
    assert nothing.status == 0
    assert "no game in the database" in nothing.err


@pytest.mark.parametrize(("arguments", "said"), [
    (("7g7e",), "MOVES"), (("nonsense",), "MOVES"), (("--sfen", "nonsense"), "--sfen"), (("7g7f", "--sfen", "x"), "not both"),
])
def test_positions_that_cannot_be(kifu: Kifu, folder: Path, arguments: tuple[str, ...], said: str) -> None:
    ran = kifu("openings", *arguments, "--db", "games.duckdb", cwd=folder)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err


def test_a_database_that_another_process_has_open(kifu: Kifu, folder: Path) -> None:
    """Nobody waits, nothing is damaged, and it says who it is."""
    kifu("load", "games/a.csa", "--db", "games.duckdb", cwd=folder)
    holder = ("import duckdb, sys\nopened = duckdb.connect('games.duckdb')\nprint('open', flush=True)\nsys.stdin.read()\n")
    with subprocess.Popen([sys.executable, "-c", holder], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        for arguments in (("load", "games"), ("sql", "SELECT 1"), ("openings",)):
            ran = kifu(*arguments, "--db", "games.duckdb", cwd=folder)
            assert (ran.status, ran.out) == (2, ""), arguments
            assert "in use by" in ran.err
        other.communicate()
    assert rows(kifu, folder, "SELECT count(*) AS n FROM games") == [{"n": 1}]


def test_a_database_of_a_newer_version(kifu: Kifu, folder: Path) -> None:
    kifu("load", "games/a.csa", "--db", "games.duckdb", cwd=folder)
    newer = ("import duckdb\nwith duckdb.connect('games.duckdb') as opened:\n"
             "    opened.execute(\"UPDATE meta SET value = '999' WHERE key = 'schema_version'\")\n")
    subprocess.run([sys.executable, "-c", newer], cwd=folder, check=True)
    for arguments in (("load", "games"), ("sql", "SELECT 1"), ("openings",)):
        ran = kifu(*arguments, "--db", "games.duckdb", cwd=folder)
        assert (ran.status, ran.out) == (2, "")
        assert "newer version" in ran.err


@pytest.mark.parametrize("content", [b"no database at all", b"\0" * 20_000])
def test_a_file_that_is_no_database(kifu: Kifu, folder: Path, content: bytes) -> None:
    """It is left as it was."""
    (folder / "games.duckdb").write_bytes(content)
    for arguments in (("load", "games"), ("sql", "SELECT 1"), ("openings",)):
        ran = kifu(*arguments, "--db", "games.duckdb", cwd=folder)
        assert (ran.status, ran.out) == (2, "")
        assert "Traceback" not in ran.err
    assert (folder / "games.duckdb").read_bytes() == content


def test_a_load_that_is_interrupted_goes_on(folder: Path, kifu: Kifu) -> None:
    """Status 130; what was committed stays; the next load brings the rest."""
    import signal
    import time

    for number in range(300):
        (folder / "games" / f"x{number:03}.csa").write_text(f"{LEGAL}/\n".replace("Kana", f"Kana{number}") * 30)
    with subprocess.Popen([sys.executable, "-m", "kifu", "load", "games", "--db", "games.duckdb", "--dedupe", "none"],
                          cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as running:
        while not (folder / "games.duckdb").exists():  # from here on it has seconds of work before it
            assert running.poll() is None
            time.sleep(0.01)
        time.sleep(0.2)
        os.killpg(running.pid, signal.SIGINT)
        _, said = running.communicate(timeout=60)
    assert running.returncode in (130, -signal.SIGINT), said  # to a shell both are 130
    assert b"interrupted" in said
    assert b"Traceback" not in said
    kifu("load", "games", "--db", "games.duckdb", "--dedupe", "none", cwd=folder)
    assert rows(kifu, folder, "SELECT count(*) AS n FROM games") == [{"n": 3 + 300 * 30}]
