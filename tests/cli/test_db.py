"""`kifu db`, and what a database that is in use, full, older or not ours makes of every command."""
from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "store"))
import old_databases as old
from games import ILLEGAL, LEGAL

Kifu = Callable[..., Any]

#: Every command that opens a database; {} stands for the database, the games are in games/.
COMMANDS = ("load games --db {}", "sql SELECT(1) --db {}", "openings --db {}", "db verify {}", "db compact {}",
            "db upgrade {}")
HOLD = "import duckdb, sys\nopened = duckdb.connect(sys.argv[1])\nprint('open', flush=True)\nsys.stdin.read()\n"


@pytest.fixture
def folder(tmp_path: Path, kifu: Kifu) -> Path:
    """A folder with games and a database of them."""
    games = tmp_path / "games"
    games.mkdir()
    (games / "a.csa").write_text(LEGAL)
    (games / "b.csa").write_text(ILLEGAL)
    kifu("load", "games", "--db", "games.duckdb", cwd=tmp_path)
    return tmp_path


def execute(path: Path, sql: str) -> None:
    subprocess.run([sys.executable, "-c", "import duckdb, sys\nwith duckdb.connect(sys.argv[1]) as opened:\n"
                    "    opened.execute(sys.argv[2])\n", str(path), sql], check=True)


def test_verify(kifu: Kifu, folder: Path) -> None:
    """Status 0 where all is well; else each finding is a sentence, and the status is 1."""
    ran = kifu("db", "verify", "games.duckdb", cwd=folder)
    assert (ran.status, ran.out, ran.err) == (0, "games.duckdb: 1 game and 5 positions proven, no findings\n", "")
    execute(folder / "games.duckdb", "UPDATE plies SET move = 0 WHERE ply = 0")
    ran = kifu("db", "verify", "games.duckdb", cwd=folder)
    assert (ran.status, ran.err) == (1, "")
    assert ran.out == ("plies, game 1, ply 0: move is none (0), and games.moves has 7g7f.\n"
                       "games.duckdb: 1 game and 5 positions proven, 1 finding\n")


def test_compact(kifu: Kifu, folder: Path) -> None:
    ran = kifu("db", "compact", "games.duckdb", cwd=folder)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("games.duckdb: ")
    assert ran.out.endswith(" MB after\n")
    assert kifu("db", "verify", "games.duckdb", cwd=folder).status == 0
    assert kifu("load", "games", "--db", "games.duckdb", cwd=folder).out.endswith("2 files unchanged\n")


def test_upgrade(kifu: Kifu, tmp_path: Path) -> None:
    old.make(tmp_path / "old.duckdb", 1)
    ran = kifu("db", "upgrade", "old.duckdb", cwd=tmp_path)
    assert (ran.status, ran.out) == (0, "old.duckdb: version 1 before, version 3 now\n")
    assert "4 games in it have no grades" in ran.err  # castles and openings were found
    assert kifu("db", "verify", "old.duckdb", cwd=tmp_path).status == 0
    ran = kifu("db", "upgrade", "old.duckdb", cwd=tmp_path)
    assert (ran.status, ran.out) == (0, "old.duckdb: version 3 already, which is the newest\n")


@pytest.mark.parametrize("version", old.VERSIONS)
def test_questions_to_an_older_database(kifu: Kifu, tmp_path: Path, version: int) -> None:
    """What works without the new tables works; what does not says what to do."""
    path = tmp_path / "old.duckdb"
    old.make(path, version)
    before = path.read_bytes()
    ran = kifu("openings", "--db", "old.duckdb", "--csv", cwd=tmp_path)
    assert (ran.status, ran.out.splitlines()[1].split(",")[:3]) == (0, ["7g7f", "P-7f", "3"])
    for arguments in (("sql", "FROM player_games", "--db", "old.duckdb"), ("db", "verify", "old.duckdb")):
        ran = kifu(*arguments, cwd=tmp_path)
        assert (ran.status, ran.out) == (2, "")
        assert f"made by an earlier version (schema {version})" in ran.err
        assert "kifu db upgrade old.duckdb" in ran.err
    assert path.read_bytes() == before


def test_the_count_of_contained_games_is_told(kifu: Kifu, folder: Path) -> None:
    (folder / "games" / "c.csa").write_text(LEGAL.partition("\n%")[0] + "\n+2726FU\n-8384FU\n%TORYO\n")
    ran = kifu("load", "games", "--db", "games.duckdb", cwd=folder)
    assert ran.err == "kifu: 1 game is the beginning of a longer one; the table contained tells which\n"
    ran = kifu("load", "games", "--db", "games.duckdb", cwd=folder)  # nothing came: nothing new to tell
    assert ran.err == ""


@pytest.mark.parametrize("command", COMMANDS)
def test_a_database_in_use(kifu: Kifu, folder: Path, command: str) -> None:
    """It says who has it, and what to do."""
    before = (folder / "games.duckdb").read_bytes()
    with subprocess.Popen([sys.executable, "-c", HOLD, "games.duckdb"], cwd=folder, stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        ran = kifu(*command.format("games.duckdb").split(), cwd=folder)
        other.communicate()
    assert (ran.status, ran.out) == (2, "")
    assert f"The database games.duckdb is in use by process {other.pid}. Try again when it has finished" in ran.err
    assert "kifu export --parquet" in ran.err
    assert (folder / "games.duckdb").read_bytes() == before


@pytest.mark.parametrize(("command", "file", "said"), [
    ("db verify {}", "none.duckdb", "There is no database"), ("db compact {}", "none.duckdb", "There is no database"),
    ("db upgrade {}", "games", "is a directory"), ("db verify {}", "games/a.csa", "is not a kifu database"),
    ("db compact {}", "games/a.csa", "is not a kifu database"), ("db verify {}", "/dev/null", "is not a kifu database")])
def test_what_is_no_database(kifu: Kifu, folder: Path, command: str, file: str, said: str) -> None:
    ran = kifu(*command.format(file).split(), cwd=folder)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err
    assert "Traceback" not in ran.err
    assert (folder / "games" / "a.csa").read_text() == LEGAL


@pytest.mark.skipif(sys.platform == "win32", reason="there is no limit on file sizes to set")
@pytest.mark.parametrize("command", [COMMANDS[0], COMMANDS[4]])
def test_a_full_disk(folder: Path, command: str, kifu: Kifu) -> None:
    """A clear message, status 2, and what was in the database is in it."""
    from resource import RLIMIT_FSIZE, setrlimit

    size = (folder / "games.duckdb").stat().st_size // 2
    (folder / "games" / "c.csa").write_text(LEGAL.replace("Kana", "Riku"))
    ran = subprocess.run([sys.executable, "-m", "kifu", *command.format("games.duckdb").split()], cwd=folder,
                         capture_output=True, text=True, preexec_fn=lambda: setrlimit(RLIMIT_FSIZE, (size, size)))
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "There is no room to write to the database games.duckdb" in ran.stderr
    assert "make room and run the command again" in ran.stderr
    assert "Traceback" not in ran.stderr
    assert kifu("db", "verify", "games.duckdb", cwd=folder).status == 0
    assert kifu(*command.format("games.duckdb").split(), cwd=folder).status in (0, 1)
    assert sorted(one.name for one in folder.iterdir()) == ["games", "games.duckdb"]


#: Runs a command in the folder of the first argument, where it may do everything, and again in that of the second, as
#: nobody where it was root. The first run has imported what nobody may not read.
AS_NOBODY = """
import os, sys
from kifu import cli
_, free, closed, *words = sys.argv
os.chdir(free)
cli.run(words)
os.chdir(closed)
if os.geteuid() == 0:
    os.seteuid(65534)
print("again", flush=True)
print("again", file=sys.stderr, flush=True)
sys.exit(cli.run(words))
"""


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="permissions of POSIX")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_database_that_may_not_be_written_to(folder: Path, command: str) -> None:
    """Questions are answered; what would write is told that it may not."""
    with tempfile.TemporaryDirectory() as place:  # nobody may not enter those of pytest
        shutil.copytree(folder, place, dirs_exist_ok=True)
        before = Path(place, "games.duckdb").read_bytes()
        Path(place, "games.duckdb").chmod(0o444)
        Path(place).chmod(0o555)
        words = command.format("games.duckdb").split()
        ran = subprocess.run([sys.executable, "-c", AS_NOBODY, folder, place, *words], capture_output=True, text=True)
        out, err = (text.partition("again\n")[2] for text in (ran.stdout, ran.stderr))
        assert "Traceback" not in err
        if command in COMMANDS[1:4]:
            assert ran.returncode == 0, err
        else:
            assert (ran.returncode, out) == (2, "")
            assert "The database games.duckdb cannot be used: " in err
            assert "Permission denied" in err
        assert Path(place, "games.duckdb").read_bytes() == before
        Path(place).chmod(0o755)


def test_an_interrupted_compaction(folder: Path) -> None:
    """Control-C while it copies: status 130, the old file as it was, nothing beside it."""
    program = ("import os, signal, sys\nfrom kifu.store.database import Database\nfrom kifu.cli import main\n"
               "plain = Database.work\ndef work(self, sql, parameters=None):\n"
               "    if 'games' in sql:\n        os.kill(os.getpid(), signal.SIGINT)\n"
               "    return plain(self, sql, parameters)\nDatabase.work = work\nsys.argv[1:] = ['db', 'compact', 'games.duckdb']\n"
               "sys.exit(main())\n")
    before = (folder / "games.duckdb").read_bytes()
    ran = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True)
    assert ran.returncode in (130, -signal.SIGINT)
    assert "interrupted; games.duckdb is as it was" in ran.stderr
    assert "Traceback" not in ran.stderr
    assert (folder / "games.duckdb").read_bytes() == before
    assert sorted(one.name for one in folder.iterdir()) == ["games", "games.duckdb"]
