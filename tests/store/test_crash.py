"""A load that is killed, or runs out of disk, leaves a consistent file, and the next load finishes it."""
from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
import toy_games as toy

from kifu.store.database import Database
from kifu.store.errors import DatabaseReplaced
from kifu.store.loader import Loader

FILES, GAMES_A_FILE = 40, 25

#: Loads the same files always, in small batches, and says so batch by batch.
LOAD = """
import sys
import toy_games as toy
from kifu.store.loader import Loader
from kifu.store.errors import StoreError
path, files, games = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
try:
    with Loader(path, dedupe="none") as loader:
        print("open", flush=True)
        for n in range(files):
            source = toy.source(f"{n}.csa")
            if loader.known(source.path, source.sha256):
                continue
            loader.add(source, toy.random_rows(games, seed=n))
            if n % 3 == 2:
                loader.commit_batch()
                print("batch", flush=True)
        print("finish", flush=True)
        loader.finish()
        print("done", flush=True)
except StoreError as error:
    print(type(error).__name__, error)
    sys.exit(2)
"""


def contents(path: Path) -> dict[str, object]:
    """What a finished database holds, numbers of rows and batches left aside."""
    with Database.open(path) as database:
        return {
            "games": database.rows("SELECT game_hash, path, source_offset FROM games JOIN sources USING (source_id) ORDER BY ALL"),
            "plies": database.rows("SELECT key, move, ply FROM plies ORDER BY ALL"),
            "openings": database.rows("SELECT key, move, next_key, games, black_wins, min_ply FROM openings ORDER BY ALL"),
            "sources": database.rows("SELECT path, sha256, games_ok FROM sources ORDER BY ALL"),
            "fresh": database.meta("openings"),
        }


def consistent(path: Path) -> int:
    """Only whole batches are in; returns the number of games."""
    with Database.open(path) as database:
        games: int = database.value("SELECT count(*) FROM games")
        assert database.value("SELECT coalesce(sum(games_ok), 0) FROM sources") == games
        assert database.value("SELECT coalesce(sum(games_ok), 0) FROM batches") == games
        assert database.value("SELECT count(*) FROM plies") == database.value("SELECT coalesce(sum(plies + 1), 0) FROM games")
        assert database.value("SELECT count(*) FROM sources WHERE sha256 IS NULL") == 0
        if database.meta("openings") == "fresh":
            assert (database.value("SELECT count(*) FROM openings") > 0) == (games > 0)
        return games


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """The contents after a load that nobody disturbed."""
    path = tmp_path_factory.mktemp("whole") / "games.duckdb"
    with Loader(path, dedupe="none") as loader:
        for n in range(FILES):
            loader.add(toy.source(f"{n}.csa"), toy.random_rows(GAMES_A_FILE, seed=n))
        loader.finish()
    return contents(path)


def test_killed_again_and_again(db_path: Path, python_path: Path, whole: dict[str, object]) -> None:
    dice = random.Random(time.time_ns())
    killed, games = [], 0
    for attempt in range(6):
        process = subprocess.Popen([sys.executable, "-c", LOAD, str(db_path), str(FILES), str(GAMES_A_FILE)],
                                   stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        told = []
        # let it live until it has said something, then a moment longer
        for line in process.stdout:
            told.append(line.strip())
            if len(told) > attempt // 2:
                break
        time.sleep(dice.random() * 0.15)
        process.kill()
        process.communicate()
        killed.append(told[-1] if told else "nothing")
        if db_path.exists():
            now = consistent(db_path)
            assert now >= games, f"games were lost; killed after {killed}"
            games = now
    process = subprocess.run([sys.executable, "-c", LOAD, str(db_path), str(FILES), str(GAMES_A_FILE)],
                             capture_output=True, text=True, check=True)
    assert process.stdout.endswith("done\n")
    assert contents(db_path) == whole, f"killed after {killed}"
    assert consistent(db_path) == FILES * GAMES_A_FILE


@pytest.mark.skipif(sys.platform == "win32", reason="there is no limit on file sizes to set")
def test_a_full_disk_is_a_clear_message_and_loses_nothing(db_path: Path, python_path: Path, whole: dict[str, object]) -> None:
    limited = ("import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
               "resource.setrlimit(resource.RLIMIT_FSIZE, (1_400_000, 1_400_000))\n")
    process = subprocess.run([sys.executable, "-c", limited + LOAD, str(db_path), str(FILES), str(GAMES_A_FILE)],
                             capture_output=True, text=True, check=False)
    assert (process.returncode, process.stderr) == (2, "")
    assert "DiskFull There is no room to write to the database" in process.stdout
    consistent(db_path)
    subprocess.run([sys.executable, "-c", LOAD, str(db_path), str(FILES), str(GAMES_A_FILE)],
                   capture_output=True, check=True)
    assert contents(db_path) == whole


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="there are no groups of processes to kill")
def test_a_load_from_the_command_line_that_is_killed_twenty_times(tmp_path: Path, python_path: Path) -> None:
    """At moments all over its life; the log is printed (pytest -s). `killing.py` alone does the same with more games."""
    import killing

    log: list[str] = []

    def say(line: str) -> None:
        log.append(line)
        print(line)

    seed = int(os.environ.get("KIFU_KILL_SEED", "1"))
    size = int(os.environ.get("KIFU_KILL_FILES", "16"))
    killing.run(tmp_path, 20, seed, size, 10, say)
    killed = [line for line in log if "at statement" in line]
    assert len(killed) >= 12
    assert any("no file yet" in line for line in killed)
    assert any("stale" in line for line in killed)
    assert "the same rows as of the load that nobody disturbed" in log[-2]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no limit on file sizes to set")
def test_no_room_for_a_new_database(db_path: Path) -> None:
    """Nothing is left under its name or beside it, and the message says why."""
    program = ("import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
               "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000));"
               "from kifu.store.database import Database; Database.create_or_open(sys.argv[1])")
    process = subprocess.run([sys.executable, "-c", program, str(db_path)], capture_output=True, text=True, check=False)
    assert "DiskFull: There is no room to write to the database" in process.stderr
    assert list(db_path.parent.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="there an open file can be neither removed nor replaced")
def test_a_database_that_is_replaced_during_a_load(db_path: Path) -> None:
    """What went into the file that has no name any more is lost, and that is told."""
    other = db_path.with_name("other")
    with Database.create_or_open(other):
        pass
    with Loader(db_path) as loader:
        loader.add(toy.source("a"), toy.random_rows(5, seed=1))
        other.replace(db_path)
        with pytest.raises(DatabaseReplaced, match="was removed or replaced"):
            loader.finish()


def test_killed_while_the_file_is_made(db_path: Path) -> None:
    """A database appears under its name when it is whole; what a kill leaves beside it disturbs nobody."""
    (db_path.parent / "games.duckdb.new-4711").write_bytes(b"half a file")
    with Database.create_or_open(db_path) as database:
        assert database.value("SELECT count(*) FROM games") == 0
