"""One whole dataset at any moment: writers are killed, readers look on, two write at once."""
from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
import written_games

from kifu.store import publish
from kifu.store.database import Database
from kifu.store.dataset import MANIFEST, Manifest
from kifu.store.loader import Loader

WRITER = """
import sys
from kifu.store.database import Database
from kifu.store.publish import publish
print("ready", flush=True)
while True:
    for path in sys.argv[2:]:
        with Database.open(path) as opened:
            publish(opened, sys.argv[1], force=True)
"""


@pytest.fixture
def two(tmp_path: Path) -> list[Path]:
    """Two databases of different numbers of games, in a folder of their own."""
    (tmp_path / "databases").mkdir()
    return [written_games.load(tmp_path / "databases" / f"{count}.duckdb",
                            [(text, "csa") for text in written_games.games(count, seed=count, plies=8)]) for count in (5, 9)]


def whole(folder: Path) -> int:
    """The number of games of a dataset, of which every table must be."""
    with Database.open(folder) as opened:
        games, plies, of_games, sources = opened.rows(
            "SELECT (SELECT count(*) FROM games), (SELECT count(*) FROM plies), (SELECT sum(plies + 1)::BIGINT FROM games),"
            " (SELECT count(*) FROM sources)")[0]
        assert plies == of_games
        assert sources == games
    return int(games)


def writing(folder: Path, databases: list[Path], python_path: Path) -> subprocess.Popen[bytes]:
    running = subprocess.Popen([sys.executable, "-c", WRITER, str(folder), *map(str, databases)], stdout=subprocess.PIPE)
    assert running.stdout is not None
    assert running.stdout.readline() == b"ready\n"
    return running


@pytest.mark.skipif(sys.platform not in ("linux", "darwin"), reason="folders change places in one step there only")
def test_killed_at_any_moment(two: list[Path], tmp_path: Path, python_path: Path) -> None:
    """Eight kills: there is a whole dataset each time, and the next writer clears what is left beside it."""
    folder = tmp_path / "place" / "dataset"
    folder.parent.mkdir()
    dice = random.Random(7)
    with Database.open(two[0]) as opened:
        publish.publish(opened, folder)
    for _ in range(8):
        running = writing(folder, two, python_path)
        time.sleep(dice.uniform(0.05, 0.5))
        running.send_signal(signal.SIGKILL)
        running.wait()
        assert whole(folder) in (5, 9)
    with Database.open(two[1]) as opened:
        publish.publish(opened, folder, force=True)
    assert whole(folder) == 9
    assert [path.name for path in folder.parent.iterdir()] == ["dataset"]


@pytest.mark.skipif(sys.platform not in ("linux", "darwin"), reason="folders change places in one step there only")
def test_readers_see_the_old_or_the_new(two: list[Path], tmp_path: Path, python_path: Path) -> None:
    """While a dataset is replaced again and again, whoever opens it finds one, and all tables of the same one.

    One that is replaced between opening and asking may say so, but never answers from two.
    """
    folder = tmp_path / "dataset"
    with Database.open(two[0]) as opened:
        publish.publish(opened, folder)
    running = writing(folder, two, python_path)
    seen, tries = set(), 0
    try:
        end = time.monotonic() + 60
        while time.monotonic() < end and not (seen == {5, 9} and tries > 15):
            tries += 1
            assert folder.is_dir()
            try:
                seen.add(whole(folder))
            except Exception as error:
                assert "dataset" in str(error), error
    finally:
        running.send_signal(signal.SIGKILL)
        running.wait()
    assert seen == {5, 9}


def test_a_reader_during_a_load(two: list[Path], tmp_path: Path) -> None:
    """A database that is being written cannot be opened; its dataset can."""
    with Database.open(two[0]) as opened:
        publish.publish(opened, tmp_path / "dataset")
    with Loader(two[0]):
        ran = subprocess.run([sys.executable, "-m", "kifu", "sql", "SELECT count(*) AS n FROM games", "--csv", "--db",
                              str(tmp_path / "dataset")], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (0, "n\n5\n")


def test_what_another_process_is_writing_is_left(two: list[Path], tmp_path: Path) -> None:
    """The folder of one that runs stays, as does whatever only looks like one of ours."""
    running = tmp_path / f".dataset.{os.getppid()}.part"
    running.mkdir()
    (running / ".kifu-unfinished").touch()
    strange = tmp_path / ".dataset.999999999.part"
    strange.mkdir()
    (strange / "mine.txt").write_text("mine")
    dead = tmp_path / ".dataset.999999998.part"
    dead.mkdir()
    (dead / ".kifu-unfinished").touch()
    (dead / "half.parquet").touch()
    with Database.open(two[0]) as opened:
        publish.publish(opened, tmp_path / "dataset")
    assert {path.name for path in tmp_path.iterdir()} == {"databases", "dataset", running.name, strange.name}
    assert (strange / "mine.txt").exists()


def test_two_writers(two: list[Path], tmp_path: Path) -> None:
    """At the same time, to the same place: one of them is told that there is a dataset."""
    told: list[str] = []

    def write() -> None:
        run = subprocess.run([sys.executable, "-m", "kifu", "export", "--db", str(two[0]), "--parquet",
                              str(tmp_path / "dataset")], capture_output=True, text=True)
        told.append(f"{run.returncode}{run.stderr}")

    threads = [threading.Thread(target=write) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(one[0] for one in told) == ["0", "2"], told
    found = {path.relative_to(tmp_path / "dataset").as_posix() for path in (tmp_path / "dataset").rglob("*.*")}
    assert found == {MANIFEST, *Manifest.read(tmp_path / "dataset").files()}
