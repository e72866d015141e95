"""``kifu sql`` beyond a query on the command line: files of SQL, writing, functions; and ``kifu db retag``."""
from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from games import KIF, LEGAL

Kifu = Callable[..., Any]
MINE = '[opening.my_exchange]\nja = "自分の交換"\nen = "My Exchange"\nposition = "B* vB*"\n'


@pytest.fixture
def folder(tmp_path: Path, kifu: Kifu) -> Path:
    """Two games, and a database of them."""
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "a.csa").write_text(LEGAL)
    (tmp_path / "games" / "b.kif").write_text(KIF, encoding="cp932")
    (tmp_path / "mine.toml").write_text(MINE, encoding="utf-8")
    assert kifu("load", "games", "--db", "games.duckdb", cwd=tmp_path).status == 0
    return tmp_path


def test_sql_from_a_file(kifu: Kifu, folder: Path) -> None:
    (folder / "q.sql").write_text("\ufeff-- 数える\nSELECT count(*) AS 数 FROM games;\n", encoding="utf-8")
    for arguments in (("--db", "games.duckdb"), ("games",), ("games/a.csa", "games/b.kif")):
        ran = kifu("sql", "--file", "q.sql", *arguments, "--csv", cwd=folder)
        assert (ran.status, ran.out) == (0, "数\n2\n")


def test_sql_from_standard_input(kifu: Kifu, folder: Path) -> None:
    for query in (("-",), ("--file", "-")):
        ran = kifu("sql", *query, "--db", "games.duckdb", "--csv", cwd=folder, stdin="SELECT '歩' AS a".encode())
        assert (ran.status, ran.out) == (0, "a\n歩\n")
    assert "cannot hold both" in kifu("sql", "-", "-", cwd=folder, stdin=b"SELECT 1").err
    ran = kifu("sql", "SELECT count(*) AS n FROM games", "-", "--csv", cwd=folder, stdin=LEGAL.encode())
    assert (ran.status, ran.out) == (0, "n\n1\n")
    broken = kifu("sql", "-", "--db", "games.duckdb", cwd=folder, stdin=b"SELECT '\xff\xfe'")
    assert (broken.status, broken.out) == (2, "")
    assert "cannot be read" in broken.err


def test_a_database_is_only_read_unless_asked(kifu: Kifu, folder: Path) -> None:
    before = (folder / "games.duckdb").read_bytes()
    for statement in ("DELETE FROM games", "CREATE TABLE x (n INTEGER)", "INSERT INTO meta VALUES ('a', 'b')", "DROP TABLE games",
                      "SELECT 1; UPDATE games SET black = 'x'"):
        ran = kifu("sql", statement, "--db", "games.duckdb", cwd=folder)
        assert (ran.status, ran.out) == (2, ""), statement
        assert "open for reading only" in ran.err
        assert "--write" in ran.err
    assert (folder / "games.duckdb").read_bytes() == before
    assert kifu("sql", "UPDATE games SET event = '王位戦'", "--db", "games.duckdb", "--write", cwd=folder).status == 0
    ran = kifu("sql", "SELECT DISTINCT event FROM games", "--db", "games.duckdb", "--csv", cwd=folder)
    assert ran.out == "event\n王位戦\n"


@pytest.mark.parametrize("statement", [
    "COPY games TO 'out.csv'", "copy (SELECT 1) to 'out.csv'", "EXPORT DATABASE 'out.csv'", "ATTACH 'out.csv' AS x",
    "SELECT 1; COPY games TO 'out.csv'", "EXPLAIN ANALYZE COPY games TO 'out.csv'", "PREPARE x AS COPY games TO 'out.csv'",
    "COPY (PIVOT games ON result) TO 'out.csv'", "CALL enable_logging(storage = 'file', storage_path = 'out.csv')",
])
def test_no_other_file_is_written_unless_asked(kifu: Kifu, folder: Path, statement: str) -> None:
    """Over a database and over files alike; an existing file is safe."""
    (folder / "out.csv").write_text("mine")
    where = ("--db", "games.duckdb") if "SELECT 1" in statement else ("games/a.csa",)
    ran = kifu("sql", statement, *where, cwd=folder)
    assert (ran.status, ran.out) == (2, "")
    assert "only with --write" in ran.err
    assert (folder / "out.csv").read_text() == "mine"


def test_copy_when_asked(kifu: Kifu, folder: Path) -> None:
    assert kifu("sql", "COPY (SELECT 5 AS n) TO 'out.csv'", "--db", "games.duckdb", "--write", cwd=folder).status == 0
    assert (folder / "out.csv").read_text() == "n\n5\n"


def test_functions(kifu: Kifu, folder: Path) -> None:
    """Macros of the file and functions of Python, over a database and over files."""
    query = ("SELECT ply, move_name(sfen, move, 'japanese') AS move, western_moves(moves)[ply] AS western FROM game_moves(1)"
             " JOIN games USING (game_id) ORDER BY ply")
    expected = [{"ply": 1, "move": "☗７六歩", "western": "P-7f"}, {"ply": 2, "move": "☖３四歩", "western": "P-3d"},
                {"ply": 3, "move": "☗２二角成", "western": "Bx2b+"}, {"ply": 4, "move": "☖２二銀", "western": "Sx2b"}]
    for where in (("--db", "games.duckdb"), ("games/a.csa",)):
        ran = kifu("sql", query, *where, "--json", cwd=folder)
        assert ran.status == 0, ran.err
        assert json.loads(ran.out) == expected
    ran = kifu("sql", "SELECT position_key_after('7g7e')", "games/a.csa", cwd=folder)
    assert (ran.status, ran.out) == (2, "")
    assert "a pawn does not go from 7g to 7e" in ran.err
    assert "Python exception" not in ran.err


def test_a_diagram_as_people_see_it(kifu: Kifu, folder: Path) -> None:
    ran = kifu("sql", "SELECT diagram(game_sfen(1, 1)) AS board", "--db", "games.duckdb", cwd=folder)
    assert "\n| ・ ・ 歩 ・ ・ ・ ・ ・ ・|六\n" in ran.out
    assert ran.out.endswith("先手の持駒：なし\n後手番\n")


def test_patterns_for_files(kifu: Kifu, folder: Path) -> None:
    query = "SELECT DISTINCT tag, tag_name(tag) AS name FROM game_tags WHERE tag = 'my_exchange'"
    ran = kifu("sql", query, "games", "--patterns", "mine.toml", "--csv", cwd=folder)
    assert (ran.status, ran.out) == (0, "tag,name\nmy_exchange,自分の交換\n")
    ran = kifu("sql", query, "--db", "games.duckdb", "--patterns", "mine.toml", cwd=folder)
    assert (ran.status, ran.out) == (2, "")
    assert "kifu db retag" in ran.err


def test_retag(kifu: Kifu, folder: Path) -> None:
    """A further pattern file comes in and goes again; a load with other ones than before is told."""
    count = ("sql", "SELECT count(*) AS n FROM game_tags WHERE tag = 'my_exchange'", "--db", "games.duckdb", "--csv")
    ran = kifu("db", "retag", "games.duckdb", "--patterns", "mine.toml", cwd=folder)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("games.duckdb: 2 games, ")
    assert kifu(*count, cwd=folder).out == "n\n2\n"
    told = kifu("load", "games", "--db", "games.duckdb", cwd=folder).err
    assert "mine.toml" in told
    assert "kifu db retag" in told
    assert kifu("load", "games", "--db", "games.duckdb", "--patterns", "mine.toml", cwd=folder).err == ""
    assert kifu("db", "retag", "games.duckdb", cwd=folder).status == 0
    assert kifu(*count, cwd=folder).out == "n\n0\n"


@pytest.mark.parametrize(("arguments", "said"), [
    (("none.duckdb",), "There is no database"), (("games/a.csa",), "is not a kifu database"),
    (("games.duckdb", "--patterns", "games/a.csa"), "it is not TOML"), ((), "FILE"),
])
def test_what_cannot_be_retagged(kifu: Kifu, folder: Path, arguments: tuple[str, ...], said: str) -> None:
    ran = kifu("db", "retag", *arguments, cwd=folder)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize(("arguments", "said"), [
    ((), "Say what to ask"), (("--file", "none.sql", "--db", "games.duckdb"), "No such file"), (("-", "--db", "games.duckdb"), ""),
    (("SELECT western_moves(5) FROM games", "--db", "games.duckdb"), "wants the column moves of games, not 5"),
])
def test_nothing_to_ask(kifu: Kifu, folder: Path, arguments: tuple[str, ...], said: str) -> None:
    """An empty text of SQL is no mistake and gives nothing."""
    ran = kifu("sql", *arguments, cwd=folder)
    assert (ran.status, ran.out) == (2 if said else 0, "")
    assert said in ran.err


def test_one_form_of_the_rows(kifu: Kifu, folder: Path) -> None:
    """Two are a mistake, whichever command prints them."""
    asked = ("sql", "SELECT 1 AS a", "--db", "games.duckdb")
    for words in ((*asked, "--json", "--csv"), (*asked, "--csv", "--parquet", "x.parquet"),
                  ("games", "--db", "games.duckdb", "--ndjson", "--markdown")):
        ran = kifu(*words, cwd=folder)
        assert (ran.status, ran.out) == (2, "")
        assert "two forms of the rows" in ran.err
    assert kifu(*asked, "--csv", "--csv", cwd=folder).out == "a\n1\n"
    assert not (folder / "x.parquet").exists()


@pytest.mark.parametrize(("words", "told"), [
    (("", "--db", "games.duckdb"), "Say what to ask"), ((" ; ", "games"), "Say what to ask"),
    (("/* nothing */ -- a", "--db", "games.duckdb"), "Say what to ask"),
    (("SELECT 1", "games.duckdb"), "--db games.duckdb"), (("SELECT 1", "games", "games.duckdb"), "--db games.duckdb"),
])
def test_what_is_asked_of_what(kifu: Kifu, folder: Path, words: tuple[str, ...], told: str) -> None:
    ran = kifu("sql", *words, cwd=folder)
    assert (ran.status, ran.out) == (2, "")
    assert told in ran.err


def test_several_queries(kifu: Kifu, folder: Path) -> None:
    """The rows of the last are shown, and that they are; settings before a query are no queries."""
    ran = kifu("sql", "SELECT 1 AS a; SELECT 2 AS b", "--db", "games.duckdb", "--csv", cwd=folder)
    assert (ran.status, ran.out) == (0, "b\n2\n")
    assert ran.err == "kifu: 2 queries: only the rows of the last statement are shown\n"
    ran = kifu("sql", "SET threads = 1; SELECT 2 AS b;", "--db", "games.duckdb", "--csv", cwd=folder)
    assert (ran.status, ran.out, ran.err) == (0, "b\n2\n", "")
