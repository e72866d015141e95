"""`kifu export`: Parquet, games, books and training data on the command line, and what it says of each."""
from __future__ import annotations

import os
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import kifu as package
from kifu.rules.move import usi
from kifu.store.database import Database

sys.path.insert(0, str(Path(__file__).parent))
from games import KIF, LEGAL, USI
from test_program import but_for_the_notice, on_a_terminal

Kifu = Callable[..., Any]


@pytest.fixture(scope="module")
def loaded(kifu: Kifu, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sample games in a database."""
    folder = tmp_path_factory.mktemp("export")
    assert kifu("load", "sample_games", "--db", folder / "games.duckdb").status == 0
    return folder


@pytest.fixture
def db(loaded: Path, tmp_path: Path) -> Path:
    """The database alone in a folder."""
    os.link(loaded / "games.duckdb", tmp_path / "games.duckdb")
    return tmp_path / "games.duckdb"


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


# --- Parquet ----------------------------------------------------------------------------------------------------------
def test_parquet(kifu: Kifu, db: Path) -> None:
    """All tables; then every command asks the folder as it asks the file."""
    ran = kifu("export", "--db", db, "--parquet", "dataset", cwd=db.parent)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("dataset: 63 games, ")
    for arguments in (("sql", "SELECT black, white, plies FROM games ORDER BY game_id"),
                      ("sql", "SELECT usi(move), count(*) FROM plies GROUP BY ALL ORDER BY ALL", "--csv"),
                      ("openings", "--depth", "2", "--min-games", "2"), ("openings", "7g7f", "--player", "a")):
        asked = kifu(*arguments, "--db", "dataset", cwd=db.parent)
        assert (asked.status, asked.out) == (0, kifu(*arguments, "--db", db).out)
        assert asked.out
    again = kifu("export", "--db", db, "--parquet", "dataset", cwd=db.parent)
    assert (again.status, again.err) == (
        2, f"kifu: {db.parent / 'dataset'} holds a dataset already; --force replaces it.\n")
    assert kifu("export", "--db", db, "--parquet", "dataset", "--force", "--quiet", cwd=db.parent).status == 0
    assert names(db.parent) == {"games.duckdb", "dataset"}


def test_a_dataset_is_a_source_too(kifu: Kifu, db: Path) -> None:
    kifu("export", "--db", db, "--parquet", "dataset", cwd=db.parent)
    for arguments in (("--games", "csa", "-"), ("--book", "yaneuraou", "-"), ("--training", "psv", "-")):
        one, other = (kifu("export", "--db", source, *arguments, "--quiet", cwd=db.parent) for source in (db, "dataset"))
        refused = arguments[0] == "--games"  # csa cannot hold the games of other kinds
        assert (one.status, "csa cannot hold tori shogi" in one.err) == (int(refused), refused)
        assert one.out == other.out != ""


def test_a_folder_of_others(kifu: Kifu, db: Path) -> None:
    (db.parent / "mine").mkdir()
    (db.parent / "mine" / "a.txt").write_text("mine")
    ran = kifu("export", "--db", db, "--parquet", "mine", "--force", cwd=db.parent)
    assert ran.status == 2
    assert "holds other files than those of a dataset. Nothing was changed" in ran.err
    assert names(db.parent / "mine") == {"a.txt"}
    assert kifu("sql", "SELECT 1", "--db", "mine", cwd=db.parent).status == 2
    assert kifu("load", "-", "--db", "mine", cwd=db.parent, stdin=LEGAL.encode()).status == 2


# --- games ------------------------------------------------------------------------------------------------------------
def test_games_to_standard_output(kifu: Kifu, tmp_path: Path) -> None:
    """As kifu convert has it, and an account of what a database does not hold."""
    (tmp_path / "a.csa").write_text(LEGAL)
    kifu("load", "a.csa", "--db", "g.duckdb", cwd=tmp_path)
    ran = kifu("export", "--db", "g.duckdb", "--games", "usi", "-", cwd=tmp_path)
    converted = kifu("convert", "a.csa", "--to", "usi", cwd=tmp_path)
    assert (ran.status, ran.out) == (0, converted.out)
    lost = [line for line in converted.err.splitlines() if "lost:" in line]
    assert lost and lost[0] in ran.err.splitlines()
    assert "kifu: a database holds no variations, no fractions of seconds, no bookmarks and no headers but those of its " \
           "columns; what the files had of them is not written\n" in ran.err
    quiet = kifu("export", "--db", "g.duckdb", "--games", "usi", "-", "--quiet", cwd=tmp_path)
    assert (quiet.out, quiet.err) == (ran.out, "")


@pytest.mark.parametrize("notation", ["kif", "ki2", "usen", "western", "jkf"])
def test_every_notation_to_a_file(kifu: Kifu, db: Path, notation: str) -> None:
    """What was written is read again as the same moves."""
    where = "plies > 0 AND start_sfen IS NULL"
    ran = kifu("export", "--db", db, "--games", notation, "out.x", "--where", where, "--to-encoding", "utf-8",
               "--quiet", cwd=db.parent)
    assert (ran.status, ran.err) == (0, "")
    read = package.parse((db.parent / "out.x").read_bytes().decode(), notation)
    with Database.open(db) as opened:
        expected = [moves for moves, in opened.rows(f"SELECT usi_moves(moves) FROM games WHERE {where} ORDER BY game_id")]
    assert [[usi(move) for move in package.replay(record).moves] for record in read] == expected


def test_which_games(kifu: Kifu, db: Path) -> None:
    """A condition, a query in its order, a limit; errors point at the place."""
    told = kifu("sql", "SELECT game_id FROM games WHERE plies > 20 ORDER BY plies DESC, game_id", "--db", db, "--csv")
    ids = told.out.split()[1:]
    ran = kifu("export", "--db", db, "--games", "usi", "-", "--query",
               "SELECT game_id FROM games WHERE plies > 20 ORDER BY plies DESC, game_id", "--limit", "3")
    lengths = [len(line.partition(" moves ")[2].split()) for line in ran.out.splitlines()]
    assert len(lengths) == 3 < len(ids)
    assert lengths == sorted(lengths, reverse=True)
    assert kifu("export", "--db", db, "--games", "usi", "-", "--where", "plies > 20").out.count("\n") == len(ids)
    wrong = kifu("export", "--db", db, "--games", "usi", "-", "--where", "pies > 20")
    assert (wrong.status, wrong.out) == (2, "")
    assert "pies" in wrong.err
    assert kifu("export", "--db", db, "--games", "usi", "-", "--query", "SELECT 'x'").status == 2
    writes = kifu("export", "--db", db, "--games", "usi", "-", "--query", "COPY games TO 'x.csv'", cwd=db.parent)
    assert (writes.status, writes.out) == (2, "")
    assert "COPY" in writes.err
    none = kifu("export", "--db", db, "--games", "usi", "none.usi", "--where", "plies > 9999", cwd=db.parent)
    assert (none.status, none.err) == (2, "kifu: no game to write; none.usi was not made\n")
    assert names(db.parent) == {"games.duckdb"}


def test_encodings_and_losses(kifu: Kifu, tmp_path: Path) -> None:
    """A character that the encoding lacks is named and the game left out; so is one that loses under fail."""
    (tmp_path / "a.kif").write_bytes(KIF.encode("cp932"))
    (tmp_path / "b.csa").write_text(LEGAL.replace("Kana", "한국"), encoding="utf-8")
    kifu("load", "a.kif", "b.csa", "--db", "g.duckdb", cwd=tmp_path)
    ran = kifu("export", "--db", "g.duckdb", "--games", "kif", "x.kif", cwd=tmp_path)
    assert ran.status == 1
    assert "cp932 has no 한" in ran.err
    assert ran.out == "x.kif: 1 game\n"
    assert (tmp_path / "x.kif").read_bytes().decode("cp932").count("手数----") == 1
    taken = kifu("export", "--db", "g.duckdb", "--games", "kif", "x.kif", cwd=tmp_path)
    assert (taken.status, "x.kif exists already; --force overwrites it" in taken.err) == (2, True)
    assert kifu("export", "--db", "g.duckdb", "--games", "kif", "x.kif", "--force", "--to-encoding", "utf-8",
                cwd=tmp_path).status == 0
    fails = kifu("export", "--db", "g.duckdb", "--games", "usi", "y.usi", "--on-loss", "fail", cwd=tmp_path)
    assert fails.status == 2
    assert "would lose 2 headers" in fails.err
    assert not (tmp_path / "y.usi").exists()


def test_styles(kifu: Kifu, db: Path) -> None:
    ran = kifu("export", "--db", db, "--games", "western", "-", "--style", "numeric", "--limit", "1")
    assert ran.status == 0
    wrong = kifu("export", "--db", db, "--games", "western", "-", "--style", "german")
    assert (wrong.status, "its styles are hodges, names, numeric, hosking" in wrong.err) == (2, True)


# --- books and training data ---------------------------------------------------------------------------------------------
def test_books(kifu: Kifu, db: Path) -> None:
    """Of both kinds the same moves; to a file and to standard output."""
    ran = kifu("export", "--db", db, "--book", "yaneuraou", "book.db", "--max-ply", "4", cwd=db.parent)
    assert ran.status == 0
    lines = (db.parent / "book.db").read_text().splitlines()
    assert lines[0] == "#YANEURAOU-DB2016 1.00"
    start = lines.index("sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1")
    assert lines[start + 1:start + 3] == ["7g7f 3c3d 0 32 23", "2g2f 8c8d 0 32 10"]
    positions = sum(line.startswith("sfen ") for line in lines)
    assert ran.out == f"book.db: {len(lines) - 1 - positions} moves of {positions} positions\n"
    assert kifu("export", "--db", db, "--book", "yaneuraou", "-", "--max-ply", "4").out.splitlines() == lines
    assert kifu("export", "--db", db, "--book", "apery", "book.bin", "--max-ply", "4", cwd=db.parent).status == 0
    entries = list(struct.iter_unpack("<QHHi", (db.parent / "book.bin").read_bytes()))
    assert len(entries) == len(lines) - 1 - positions
    assert (0xEEBE8EE7E1AD7E15, 0x1E3B, 23, 0) in entries
    none = kifu("export", "--db", db, "--book", "apery", "none.bin", "--min-games", "1000", cwd=db.parent)
    assert (none.status, none.err) == (2,
        "kifu: left out: 11 games of other kinds\nkifu: no move of 1,000 games to write; none.bin was not made\n")


def test_training_data(kifu: Kifu, db: Path) -> None:
    """Read again by kifu as legal positions."""
    ran = kifu("export", "--db", db, "--training", "hcpe", "learn.hcpe", "--min-ply", "2", cwd=db.parent)
    assert ran.status == 0
    size = (db.parent / "learn.hcpe").stat().st_size
    assert size and size % 38 == 0
    assert ran.out == f"learn.hcpe: {size // 38:,d} positions\n"
    assert "games of unknown result" in ran.err
    assert "evaluations written as 0" in ran.err
    assert kifu("check", "learn.hcpe", cwd=db.parent).status == 0
    none = kifu("export", "--db", db, "--training", "psv", "-", "--where", "result IS NULL AND verified_winner IS NULL")
    assert (none.status, none.out) == (2, "")


# --- usage, interruption, terminals -----------------------------------------------------------------------------------
@pytest.mark.parametrize(("arguments", "said"), [
    ((), "Name one of"), (("--parquet", "d", "--games", "csa", "-"), "Name one of"),
    (("--games", "sgf", "-"), "is none of csa"), (("--book", "polyglot", "-"), "polyglot"),
    (("--training", "csa", "-"), "csa"), (("--parquet", "d", "--where", "true"), "--where does not go with --parquet"),
    (("--games", "csa", "-", "--min-games", "2"), "--min-games does not go with --games, but with --book."),
    (("--book", "apery", "-", "--query", "SELECT 1"), "but with --games and --training."),
    (("--games", "csa", "no/where/x.csa"), "does not exist"), (("--games", "csa", "."), "is a directory"),
])
def test_usage(kifu: Kifu, db: Path, arguments: tuple[str, ...], said: str) -> None:
    ran = kifu("export", "--db", db, *arguments, cwd=db.parent)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err


def test_no_database(kifu: Kifu, tmp_path: Path) -> None:
    """Nothing is made where there is nothing to write."""
    for arguments in (("--games", "csa", "x"), ("--parquet", "x"), ("--book", "apery", "x"), ("--training", "psv", "x")):
        ran = kifu("export", "--db", "no.duckdb", *arguments, cwd=tmp_path)
        assert (ran.status, ran.err) == (2, "kifu: There is no database no.duckdb.\n")
    assert names(tmp_path) == set()


def test_show_sql(kifu: Kifu, db: Path) -> None:
    """What is shown is what runs."""
    shown = kifu("export", "--db", db, "--games", "usi", "-", "--where", "plies > 20", "--show-sql")
    assert shown.status == 0
    ids = kifu("sql", shown.out, "--db", db, "--csv").out.split()[1:]
    assert len(ids) == kifu("export", "--db", db, "--games", "usi", "-", "--where", "plies > 20").out.count("\n")
    book = kifu("export", "--db", db, "--book", "apery", "-", "--show-sql", "--max-ply", "9", "--where", "black = 'a'").out
    assert "(black = 'a')" in book
    assert "-- $max_ply = 9\n" in book


def test_a_closed_pipe_is_no_error(db: Path) -> None:
    command = f'"{sys.executable}" -m kifu export --db "{db}" --games csa - --quiet | head -1; echo "${{PIPESTATUS[0]}}"'
    ran = subprocess.run(["bash", "-c", command], capture_output=True)
    assert (ran.stdout, but_for_the_notice(ran.stderr)) == (b"V2.2\n0\n", b"")


@pytest.mark.parametrize("arguments", [("--games", "csa", "x.csa"), ("--training", "psv", "x.psv"), ("--parquet", "x")])
def test_interrupted(kifu: Kifu, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """Ctrl-C in the middle: status 130, and no file, half or whole."""
    (tmp_path / "a.usi").write_text(USI.strip() + "\n")
    assert kifu("load", "a.usi", "--db", "g.duckdb", cwd=tmp_path).status == 0
    slow = ("import signal, sys, time\nimport kifu.store.chosen, kifu.store.publish\n"
            "def slow(*_, **__):\n    print('here', flush=True)\n    time.sleep(60)\n    yield ()\n"
            "def slower(*_):\n    next(slow())\n"
            "import kifu.store.games_out, kifu.store.training\n"
            "kifu.store.games_out.fetch = kifu.store.training.fetch = slow\nkifu.store.publish._write_table = slower\n"
            "from kifu.cli import main\nmain()\n")
    running = subprocess.Popen([sys.executable, "-c", slow, "export", "--db", "g.duckdb", *arguments], cwd=tmp_path,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert running.stdout is not None
    assert running.stdout.readline() == b"here\n"
    time.sleep(0.1)
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=60)
    assert (running.returncode, but_for_the_notice(err).strip()) == (130, b"kifu: interrupted")
    assert names(tmp_path) == {"a.usi", "g.duckdb"}


def test_on_a_terminal(db: Path) -> None:
    """A bar while it works, unless --quiet."""
    said = on_a_terminal("export", "--db", str(db), "--games", "csa", str(db.parent / "x.csa"))
    assert "writing games" in said
    assert "writing rows" in on_a_terminal("export", "--db", str(db), "--parquet", str(db.parent / "x"))
    assert "writing" not in on_a_terminal("export", "--db", str(db), "--parquet", str(db.parent / "y"), "--quiet")
