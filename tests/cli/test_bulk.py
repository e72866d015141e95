"""`kifu check` over many files: any number of workers, interruptions and what goes on behind them, flat memory."""
from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from kifu._core import build_kind

sys.path.insert(0, str(Path(__file__).parent))
from games import ILLEGAL, KIF, LEGAL, NIFU

Kifu = Callable[..., Any]
GAMES = (ILLEGAL, LEGAL, NIFU, f"{ILLEGAL}/\n{LEGAL}/\n{NIFU}", "")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Many small files, faulty ones among them, one that is read in parts, and sub-folders."""
    folder = tmp_path_factory.mktemp("bulk")
    for number in range(150):
        place = folder / f"{number % 7}"
        place.mkdir(exist_ok=True)
        (place / f"{number:03}.csa").write_text(GAMES[number * 7 % 11 % 5])
    remark = f"'{'*' * 2000}\n" * 6
    (folder / "3" / "large.csa").write_text("".join(f"{remark}{GAMES[number % 3]}/\n" for number in range(240)))
    (folder / "3" / "b.kif").write_text(KIF.replace("   2 ３四歩", "   3 ３四歩"), encoding="utf-8")
    for path in folder.rglob("*.*"):
        os.utime(path, (1_700_000_000, 1_700_000_000))  # a checkpoint trusts no file that changes while it is read
    return folder


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github"])
def test_any_number_of_workers(kifu: Kifu, folder: Path, form: str) -> None:
    """Byte for byte, in the order of the paths."""
    one, two, four = (kifu("check", ".", "--format", form, "--jobs", jobs, cwd=folder) for jobs in (1, 2, 4))
    assert one.out.count("\n") > 250
    assert one.out == two.out
    assert one.out == four.out
    assert (one.status, one.err) == (two.status, two.err) == (four.status, four.err)
    if form == "github":
        paths = [line.partition("file=")[2].partition(",")[0] for line in one.out.splitlines()]
        assert paths == sorted(paths)


def interrupted(folder: Path, lines: int, *arguments: str) -> tuple[str, str]:
    """What a check says that is interrupted after so many lines; its status is 130."""
    with subprocess.Popen([sys.executable, "-m", "kifu", "check", ".", *arguments], cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, start_new_session=True) as running:
        assert running.stdout is not None and running.stderr is not None
        told = b"".join(running.stdout.readline() for _ in range(lines))
        os.killpg(running.pid, signal.SIGINT)
        told += running.stdout.read()
        said = running.stderr.read().decode()
        assert running.wait(60) == 130, said
    return told.decode(), said


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupted_check_goes_on(kifu: Kifu, folder: Path, tmp_path: Path, jobs: str) -> None:
    """Both parts together are what an undisturbed check says, apart from the file at work, and the summary is of all."""
    whole = kifu("check", ".", "--format", "json", "--statistics", cwd=folder)
    checkpoint = str(tmp_path / "state")
    options = ("--format", "json", "--jobs", jobs, "--resume", checkpoint)
    first, said = interrupted(folder, 100, *options)
    assert "interrupted; until then" in said
    assert first.endswith("}\n")
    done = [json.loads(line) for line in Path(checkpoint).read_text().splitlines()][1:]
    assert 0 < len(done) < 152
    second = kifu("check", ".", *options, "--statistics", cwd=folder)
    assert f"{len(done)} of these files had been checked before" in second.err
    kept = {row["path"] for row in done}
    rows = [line for line in first.splitlines() if os.path.abspath(folder / json.loads(line)["path"]) in kept]
    assert rows + second.out.splitlines() == whole.out.splitlines()
    assert second.status == whole.status == 1
    assert [line for line in second.err.splitlines() if "before" not in line] == whole.err.splitlines()
    assert not Path(checkpoint).exists()


def test_only_what_has_not_changed_is_done(kifu: Kifu, folder: Path, tmp_path: Path) -> None:
    """A file that is another now is checked again, one that is gone is not counted, a torn line counts for nothing."""
    games = tmp_path / "games"
    games.mkdir()
    for name in ("a", "b", "c"):
        (games / f"{name}.csa").write_text(ILLEGAL)
        os.utime(games / f"{name}.csa", (1_700_000_000, 1_700_000_000))
    checkpoint = tmp_path / "state"
    options = ("check", games, "--resume", checkpoint, "--format", "json", "--statistics")
    kifu(*options, "--jobs", "1")
    assert not checkpoint.exists()
    rows = []
    for name in ("a", "b", "c"):
        about = os.stat(games / f"{name}.csa")
        rows.append(json.dumps({
            "path": str(games / f"{name}.csa"), "member": None, "size": about.st_size, "changed": about.st_mtime_ns,
            "files": 1, "unread": 0, "faulty": 1, "verdicts": {"illegal": 1},
            "kinds": [["K411", "empty-origin", "error", 1, 1, 1, "x:10"]]}))
    import kifu as library

    head = {"kifu check": 1, "version": library.__version__, "PATH": [str(games)], "format": "json", "notation": None, "encoding": None,
            "variant": None, "handicap": None, "rules": None, "mode": "default", "select": [], "ignore": [],
            "per-file-ignores": []}
    checkpoint.write_text("\n".join([json.dumps(head), *rows[:2], rows[2][:40]]))
    (games / "b.csa").write_text(LEGAL)
    ran = kifu(*options)
    assert [Path(json.loads(line)["path"]).name for line in ran.out.splitlines()] == ["b.csa", "c.csa"]
    assert ran.err.splitlines()[1].split() == ["2", "2", "2", "K411", "empty-origin", "error", "x:10"]


def test_a_checkpoint_of_another_check(kifu: Kifu, folder: Path, tmp_path: Path) -> None:
    """And a file that is none: neither is touched."""
    checkpoint = tmp_path / "state"
    interrupted(folder, 100, "--format", "json", "--resume", str(checkpoint))
    before = checkpoint.read_bytes()
    ran = kifu("check", ".", "--format", "json", "--resume", checkpoint, "--ignore", "K4", cwd=folder)
    assert (ran.status, ran.out) == (2, "")
    assert "of a check with another ignore" in ran.err
    assert checkpoint.read_bytes() == before
    (tmp_path / "notes.txt").write_text("mine\n")
    ran = kifu("check", ".", "--resume", tmp_path / "notes.txt", cwd=folder)
    assert (ran.status, ran.out, (tmp_path / "notes.txt").read_text()) == (2, "", "mine\n")


PEAK = """
import resource, sys
from kifu.cli import run
status = run(sys.argv[1:])
sys.stdout.flush()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""


@pytest.mark.parametrize("form", ["text", "sarif"])
def test_memory_is_flat(tmp_path: Path, form: str) -> None:
    """Ten times the findings take no more than a few megabytes more."""
    pytest.importorskip("resource")
    if build_kind() != "compiled":
        pytest.skip("22,000 games take minutes in the interpreted core, and what is tested here is no part of it")
    peaks = []
    for count in (20, 200):
        folder = tmp_path / f"{count}"
        folder.mkdir()
        for number in range(count):
            (folder / f"{number:03}.csa").write_text(f"{ILLEGAL}/\n" * 100)
        done = subprocess.run([sys.executable, "-c", PEAK, "check", str(folder), "--format", form, "--jobs", "1",
                               "--resume", str(tmp_path / "state"), "--quiet"], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, check=True)
        peaks.append(int(done.stderr.split()[-1]) / (1024 if sys.platform == "linux" else 1 << 20))
    assert peaks[1] - peaks[0] < 8, peaks
