"""`kifu stats`: what a person sees, options that fit the query, clear words for every mistake, SQL that can be run."""
from __future__ import annotations

import csv
import io
import json
import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from kifu.cli import run

from kifu.store import catalog
from kifu.store.database import Database

Kifu = Callable[..., Any]
HEADERS = "'CSA encoding=UTF-8\nV2.2\nN+{0}\nN-{1}\n'black_rate:{0}:{2}\n'white_rate:{1}:{3}\nPI\n+\n{4}\n"


def record(black: str, white: str, ratings: tuple[int, int], moves: str) -> str:
    return HEADERS.format(black, white, *ratings, "\n".join(moves.split()))


@pytest.fixture(scope="module")
def folder(kifu: Kifu, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a database of five even games and one at odds."""
    folder = tmp_path_factory.mktemp("stats")
    games = folder / "games"
    games.mkdir()
    (games / "1.csa").write_text(record("Habu", "Tanaka", (2000, 1500), "+7776FU T3 -3334FU T5 +2726FU T1 %TORYO"))
    (games / "2.csa").write_text(record("Tanaka", "Habu", (1500, 2000), "+7776FU -3334FU +6766FU -8384FU %TORYO"))
    (games / "3.csa").write_text(record("Habu", "Tanaka", (2000, 1500), "+2726FU -3334FU %TIME_UP"))
    (games / "4.csa").write_text(record("Habu", "Sato", (2000, 1700), "+7776FU %JISHOGI"))
    (games / "5.csa").write_text(record("Sato", "Tanaka", (1700, 1500), "+7776FU -8384FU %CHUDAN"))
    (games / "6.usi").write_text("position sfen lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1 moves 3c3d 7g7f\n")
    ran = kifu("load", "games", "--db", "games.duckdb", cwd=folder)
    assert ran.status == 0, ran.err
    return folder


@dataclass(frozen=True)
class Ran:
    """How a command ended, and what it said."""

    status: int
    out: str
    err: str


@pytest.fixture
def stats(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """``stats("lengths --width 3")`` in the folder; ``--db`` is added. In this process, which is quicker."""
    monkeypatch.chdir(folder)

    def ran(line: str, database: bool = True) -> Ran:
        status = run(["stats", *shlex.split(line), *(["--db", "games.duckdb"] if database else [])])
        return Ran(status, *capsys.readouterr())

    return ran


def names() -> list[str]:
    return [query.name.replace("_", "-") for queries in catalog.grouped().values() for query in queries]


def needed(name: str) -> str:
    """What a query cannot do without."""
    return "--player Habu" if name in ("player", "repertoire") else ""


def test_without_a_name_all_are_listed(kifu: Kifu) -> None:
    ran = kifu("stats")
    assert ran.status == 0
    listed = re.findall(r"^  (\S+)  +\S", ran.out, re.MULTILINE)
    assert listed == names()
    assert [line for line in ran.out.splitlines() if line and not line.startswith(" ")] == [
        "Results", "Openings and castles", "A position", "Players", "Care of the data", "kifu stats NAME --help says more of one."]
    assert set(listed) <= set(kifu("stats", "--help").out.split())


@pytest.mark.parametrize("name", [name for name in names() if name != "heat-map"])
def test_each_query(stats: Callable[..., Ran], folder: Path, name: str) -> None:
    """It answers, for people and for programs, and the SQL that it shows gives the same rows."""
    line = f"{name} {needed(name)}"
    found = json.loads(stats(f"{line} --json").out)
    shown = stats(f"{line} --show-sql", database=False)  # none is needed for that
    with Database.open(folder / "games.duckdb") as database:
        columns, rows = database.query(shown.out)
        assert [list(row) for row in found] == [columns] * len(found)
        assert len(list(rows)) == len(found)
    told = stats(line)
    assert (told.status, bool(told.out)) == (0, True)


def test_the_sql_that_is_shown_can_be_asked(kifu: Kifu, stats: Callable[..., Ran], folder: Path) -> None:
    """Filters and all, by kifu sql."""
    for line in ("crosstable --since 2000 --top 3", "head-to-head --player 'Ta*' --handicap any", "players --limit 2"):
        shown = stats(f"{line} --show-sql").out
        again = kifu("sql", shown, "--db", "games.duckdb", "--json", cwd=folder)
        assert again.status == 0, again.err
        assert again.out == stats(f"{line} --json").out


def test_help_of_a_query(stats: Callable[..., Ran]) -> None:
    """Its title, what the percentages are parts of, its own options before those of all, and an example."""
    told = " ".join(stats("rating-bands --help", database=False).out.split())
    assert "What it is worth to move first" in told
    assert "over the games with a result, draws as half a point, with its interval" in told
    assert told.index("--width") < told.index("--player NAME") < told.index("--show-sql")
    assert "kifu stats rating-bands --db games.duckdb" in told
    unfiltered = stats("rejects --help", database=False).out
    assert "--player" not in unfiltered and "--limit" in unfiltered


def test_summary_for_people(stats: Callable[..., Ran]) -> None:
    """Of 5 even games Black won 1, White 2 (one on time); one impasse, one interrupted; mean (3 + 4 + 2 + 1 + 2) / 5."""
    ran = stats("summary")
    words = [line.split() for line in ran.out.splitlines() if line]
    assert ["games", "棋譜数", "5", "100.0%"] in words
    assert ["Black", "wins", "先手勝ち", "1", "20.0%"] in words
    assert ["White", "wins", "後手勝ち", "2", "40.0%"] in words
    assert ["impasse", "持将棋", "1", "20.0%"] in words
    assert ["interrupted", "中断", "1", "20.0%"] in words
    assert ["wins", "by", "timeout", "時間切れ勝ち", "1", "20.0%"] in words
    assert ["mean", "length", "平均手数", "2.4"] in words
    assert any(line[:2] == ["openings", "戦型別"] for line in words)
    assert ran.err == "kifu: 1 handicap game left aside; --handicap any counts them too\n"
    assert stats("summary --quiet").err == ""
    assert {"part", "measure", "japanese"} < set(json.loads(stats("summary --json").out)[0])


def test_handicap_games_have_their_own_words(stats: Callable[..., Ran]) -> None:
    lance = stats("summary --handicap lance")
    assert "Shitate wins" in lance.out and "上手勝ち" in lance.out
    assert "Black" not in lance.out and "先手" not in lance.out and lance.err == ""
    assert "shitate_score" in stats("senkei --handicap lance --csv").out
    assert stats("results").err == ""  # there each handicap has a row of its own
    assert [row["handicap"] for row in json.loads(stats("results --json").out)] == ["even", "lance"]


def test_forms(stats: Callable[..., Ran]) -> None:
    rows = list(csv.DictReader(io.StringIO(stats("lengths --width 2 --csv").out)))
    assert [(row["first_ply"], row["games"], row["share"]) for row in rows] == [
        ("0", "1", "0.2"), ("2", "3", "0.6"), ("4", "1", "0.2")]
    assert json.loads(stats("lengths --width 2 --ndjson").out.splitlines()[1])["games"] == 3
    assert stats("lengths --width 2 --markdown").out.startswith("| first_ply |")
    for_people = stats("lengths --width 2 --limit 1").out.splitlines()
    assert len(for_people) == 3 and "20.0%" in for_people[2]
    assert "interval" in stats("players").out and "score_low" in stats("players --csv").out


def test_the_position_of_a_query(stats: Callable[..., Ran]) -> None:
    def moves(line: str) -> list[tuple[str, int]]:
        ran = stats(f"{line} --json")
        assert ran.status == 0, ran.err
        return [(row["move"], row["games"]) for row in json.loads(ran.out)]

    assert moves("novelties") == [("7g7f", 4), ("2g2f", 1)]  # no dates: in the order of the files
    assert moves("novelties --moves 7g7f") == [("3c3d", 2), ("8c8d", 1)]
    after = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2"
    assert moves(f"novelties --sfen '{after}'") == moves("novelties --moves 7g7f")
    assert moves(f"novelties --sfen '{after}' --moves 3c3d") == [("2g2f", 1), ("6g6f", 1)]
    for text in ("P-7f", "1. P-7f", "▲７六歩", "1 ７六歩(77)"):
        assert moves(f"novelties --moves '{text}'") == [("3c3d", 2), ("8c8d", 1)], text
    for text in ("P-3d", "△３四歩"):
        assert moves(f"novelties --sfen '{after}' --moves '{text}'") == [("2g2f", 1), ("6g6f", 1)], text
        assert moves(f"novelties --handicap lance --moves '{text}'") == [("7g7f", 1)], text
    assert moves("novelties --handicap lance") == [("3c3d", 1)]  # from the start of that handicap
    assert moves("repertoire --moves 7g7f --player Habu") == [("3c3d", 1)]  # White is to move there


@pytest.mark.parametrize(("line", "told"), [
    ("lenghts", "There is no query 'lenghts'; did you mean 'lengths'?"),
    ("qqqq", "There is no query 'qqqq'; kifu stats lists them all."),
    ("lengths --widht 3", "'--width'"),
    ("lengths --width 0", "0 is not in the range x>=1"),
    ("lengths --width many", "'many' is not a valid integer range"),
    ("tags --kind tesuji", "'tesuji' is not one of 'castle', 'opening'"),
    ("rejects --player Habu", "No such option '--player'"),
    ("player", "player is about a player: name one with --player."),
    ("players --side black", "--side says more of --player: name one."),
    ("trend --moves '7g7f 7g7f'", "--moves"),
    ("trend --moves hello", "Invalid value for --moves: the moves were not understood; write them as 7g7f or P-7f."),
    ("trend --sfen hello", "--sfen"),
    ("heat-map --ply abc", "'abc' is not a valid integer range"),
    ("heat-map --ply -1", "-1 is not in the range x>=0"),
    *((f"lengths --{option} {day}", f"{day!r} is no date; write 2024, 2024-05 or 2024-05-17.")
      for option in ("since", "until")
      for day in ("2024-00", "2024-13", "2024-1-1-5", "2024-02-30", "2024-", "24", "0000", "20240101", "2024-1-0", "today")),
    ("lengths --limit 0", "0 is not in the range x>=1"),
])
def test_mistakes_are_named(stats: Callable[..., Ran], line: str, told: str) -> None:
    ran = stats(line)
    assert ran.status == 2
    assert told in ran.err
    assert "Traceback" not in ran.err and ran.out == ""


def test_databases_that_cannot_answer(stats: Callable[..., Ran]) -> None:
    ran = stats("lengths", database=False)
    assert ran.status == 2 and "Missing option '--db'" in ran.err
    ran = stats("lengths --db none.duckdb", database=False)
    assert (ran.status, ran.err) == (2, "kifu: There is no database none.duckdb.\n")
    assert stats("--db games.duckdb lengths", database=False).status == 0  # before the name will do
    ran = stats("heat-map")
    assert (ran.status, ran.out) == (2, "")
    assert "needs the table of boards, which is empty in games.duckdb; kifu load --boards fills it" in ran.err


def test_heat_map(kifu: Kifu, stats: Callable[..., Ran], folder: Path, tmp_path: Path) -> None:
    """Where the table of boards is filled: no king moved in the five even games, nor did a pawn on the fifth file."""
    path = tmp_path / "boards.duckdb"
    assert kifu("load", "games", "--boards", "--db", path, cwd=folder).status == 0
    rows = json.loads(stats(f"heat-map --db {path} --json", database=False).out)
    assert {(row["rank"], file): row[file] for row in rows for file in "987654321" if row[file]} == {("i", "5"): 5}
    rows = json.loads(stats(f"heat-map --man P --colour both --ply 0 --db {path} --json", database=False).out)
    assert [row["5"] for row in rows] == [0, 0, 5, 0, 0, 0, 5, 0, 0]


@pytest.fixture(scope="module")
def boards(kifu: Kifu, folder: Path) -> Path:
    """The database with its boards filled, boards.duckdb, and the dataset exported from it, boards.parquet."""
    for line in (("load", "games", "--boards", "--db", "boards.duckdb"),
                 ("export", "--db", "boards.duckdb", "--parquet", "boards.parquet")):
        ran = kifu(*line, cwd=folder)
        assert ran.status == 0, ran.err
    return folder


@pytest.mark.parametrize("name", names())
def test_a_dataset_answers_as_its_database(boards: Path, stats: Callable[..., Ran], name: str) -> None:
    """Its tables are views; the same rows and the same remarks."""
    line = f"{name} {needed(name)} --json --db"
    ours, exported = (stats(f"{line} boards.{kind}", database=False) for kind in ("duckdb", "parquet"))
    assert (exported.status, exported.err) == (0, ours.err)
    assert json.loads(exported.out) == json.loads(ours.out)


def test_an_unknown_player_gives_near_names(stats: Callable[..., Ran]) -> None:
    ran = stats("player --player Tanak")
    assert ran.status == 0
    assert "no player in the database is called 'Tanak'; near it: Tanaka" in ran.err
    assert "no rows: there is no game that --player lets through" in ran.err
    assert "'Xq'\n" in stats("players --black Xq").err  # nothing is near
    assert "called" not in stats("players --player 'Tan*'").err
    assert "no rows: none of the 5 games has what this asks for" in stats("upsets --gap 5000").err


def test_an_old_table_of_openings_is_told(stats: Callable[..., Ran], folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "old.duckdb"
    path.write_bytes((folder / "games.duckdb").read_bytes())
    with Database.open(path, write=True) as database:
        database.set_meta("openings", "stale")
    for name, expected in (("main-line", True), ("novelty-ply", True), ("lengths", False)):
        ran = stats(f"{name} --db {path}", database=False)
        assert ran.status == 0 and ("out of date" in ran.err) == expected, name


@pytest.mark.parametrize(("option", "text", "day"), [
    ("since", "2024", "2024-01-01"), ("until", "2024", "2024-12-31"), ("since", "2024-2", "2024-02-01"),
    ("until", "2024-02", "2024-02-29"), ("until", "2023-2", "2023-02-28"), ("until", "2024-12", "2024-12-31"),
    ("until", "2024-5-7", "2024-05-07"), ("until", "9999", "9999-12-31"), ("until", "9999-12", "9999-12-31"),
])
def test_days(stats: Callable[..., Ran], option: str, text: str, day: str) -> None:
    """The first or the last one of a year or a month."""
    ran = stats(f"lengths --{option} {text} --show-sql", database=False)
    assert f"date {'>=' if option == 'since' else '<='} DATE '{day}'" in ran.out


def test_an_old_table_of_contained_games_is_told(stats: Callable[..., Ran], folder: Path, tmp_path: Path) -> None:
    for key in ("contained", "openings"):  # both are made anew after a load
        path = tmp_path / f"{key}.duckdb"
        path.write_bytes((folder / "games.duckdb").read_bytes())
        assert "out of date" not in stats(f"contained --db {path}", database=False).err
        with Database.open(path, write=True) as database:
            database.set_meta(key, "stale")
        ran = stats(f"contained --db {path}", database=False)
        assert ran.status == 0 and "the table contained is out of date" in ran.err, key


def test_only_what_was_given_is_named(stats: Callable[..., Ran]) -> None:
    """Queries for games of any handicap need no --handicap."""
    assert "none of the 6 games has what this asks for" in stats("duplicates").err
    told = "none of the 1 game that --handicap lets through has"
    assert told in stats("contained --handicap lance").err


def test_names_are_only_text(stats: Callable[..., Ran]) -> None:
    """Quotes, brackets and backslashes are no SQL and no pattern."""
    for name in ("O'Brien", "[H]abu", "Ha\\bu", "'; DROP TABLE games; --"):
        ran = stats(f"players --player {shlex.quote(name)} --json")
        assert (ran.status, ran.out) == (0, "[]\n"), name
    assert len(json.loads(stats("players --json").out)) == 3

