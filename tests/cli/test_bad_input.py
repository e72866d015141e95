"""Whatever comes in: a clear message, the right exit status, nothing lost, no traceback."""
from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from games import LEGAL

Kifu = Callable[..., Any]
READERS = (("check",), ("convert", "--to", "kif"), ("detect",), ("show",), ("sql", "SELECT 1 AS one"))


def command(reader: tuple[str, ...], *paths: object) -> list[object]:
    """A command line of one of `READERS`."""
    return [*reader, *paths]


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader[0])
@pytest.mark.parametrize(("name", "said"), [("nowhere.kif", "there is no such file or folder"),
                                            ("folder", "there are no game files in this folder"),
                                            ("games.zip", "there are no game files in this archive")])
def test_paths_of_which_nothing_can_be_read(kifu: Kifu, tmp_path: Path, reader: tuple[str, ...], name: str, said: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "games.zip").write_bytes(b"PK\5\6" + bytes(18))  # an empty one
    ran = kifu(*command(reader, tmp_path / name))
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err
    assert "Traceback" not in ran.err


def test_a_missing_path_does_not_stop_the_others(kifu: Kifu, tmp_path: Path) -> None:
    (tmp_path / "a.csa").write_text(LEGAL)
    ran = kifu("check", tmp_path / "nowhere", tmp_path / "a.csa")
    assert (ran.status, ran.out) == (2, "1 game in 1 file: 1 legal; no errors, no warnings\n")


@pytest.fixture
def locked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files named locked-… may not be read. Root may read everything, so permissions alone would not do."""
    from kifu.pipeline import entries

    def read_bytes(source: Any, *limit: int, really: Any = entries.read_bytes) -> bytes:
        if Path(source.path).name.startswith("locked"):
            raise PermissionError(13, "Permission denied", source.path)
        return bytes(really(source, *limit))

    monkeypatch.setattr(entries, "read_bytes", read_bytes)


@pytest.mark.usefixtures("locked")
def test_a_file_without_permission(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In a folder it is one unreadable entry and the others are read; alone, nothing can be done."""
    from kifu.cli import run

    for name in ("a.csa", "locked-b.csa", "z.csa"):
        (tmp_path / name).write_text(LEGAL)
    assert run(["check", str(tmp_path), "--format", "json", "--quiet"]) == 1
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(Path(row["path"]).name, row["verdict"]) for row in rows] == [
        ("a.csa", "legal"), ("locked-b.csa", "unreadable"), ("z.csa", "legal")]
    assert rows[1]["diagnostics"][0]["message"] == "the file cannot be read: no permission to read it"
    assert run(["check", str(tmp_path / "locked-b.csa"), "--quiet"]) == 2
    assert run(["convert", str(tmp_path / "locked-b.csa"), "--to", "kif", "--quiet"]) == 2
    assert "no permission to read it" in capsys.readouterr().err
    assert run(["convert", str(tmp_path), "--to", "usi", "--quiet"]) == 1
    assert capsys.readouterr().out.count("startpos") == 2


@pytest.mark.parametrize(("data", "name"), [(b"", "K204 no-game"), (bytes(range(256)) * 50, "K107 binary-file"),
                                            (b"\0" * 1000, "K107 binary-file"), (b"hello", "K206 unknown-notation")])
def test_files_without_a_game(kifu: Kifu, tmp_path: Path, data: bytes, name: str) -> None:
    (tmp_path / "a.csa").write_bytes(data)
    ran = kifu("check", tmp_path / "a.csa")
    assert ran.status == 1
    assert f"a.csa:1:1: {name}" in ran.out
    assert "1 unreadable" in ran.out
    assert kifu("convert", tmp_path / "a.csa", "--to", "kif").status == 1


def test_a_truncated_record(kifu: Kifu, tmp_path: Path) -> None:
    """Cut anywhere, a record is read as far as it goes."""
    data = LEGAL.encode()
    for length in range(0, len(data), 3):
        (tmp_path / f"{length:03}.csa").write_bytes(data[:length])
    ran = kifu("check", tmp_path, "--format", "json")
    assert ran.status == 1
    assert ran.out.count("\n") == len(range(0, len(data), 3))
    assert "internal" not in ran.out + ran.err


def test_nul_characters(kifu: Kifu, tmp_path: Path) -> None:
    """They are told, and cost at most their line."""
    (tmp_path / "a.csa").write_bytes(LEGAL.encode() + b"\0" * 64)
    ran = kifu("check", tmp_path / "a.csa")
    assert "a.csa:11:1: K106 nul-characters" in ran.out
    assert "1 legal" in ran.out


def test_a_hundred_megabytes_on_one_line(kifu: Kifu, tmp_path: Path) -> None:
    """Of anything: told within a short line, in bounded time. (Ten megabytes here; `make bench` is the place for more.)"""
    for number, char in enumerate((b"x", b"+7776FU,", "７六歩".encode("cp932"), b"7g7f 3c3d ")):
        (tmp_path / f"{number}.csa").write_bytes((char * (10_000_000 // len(char)))[:1_000_000])
    ran = kifu("check", tmp_path)
    assert ran.status == 1
    assert max(map(len, ran.out.splitlines())) < 1500
    assert "internal" not in ran.out + ran.err


def test_a_closed_pipe_is_no_error(tmp_path: Path) -> None:
    """As in ``kifu check … | head -1``."""
    for number in range(300):
        (tmp_path / f"{number}.csa").write_text(LEGAL)
    with subprocess.Popen([sys.executable, "-m", "kifu", "check", str(tmp_path), "--format", "json", "--moves", "--quiet"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None and running.stderr is not None
        running.stdout.readline()
        running.stdout.close()
        assert running.wait(60) == 0
        assert running.stderr.read() == b""


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interruption(tmp_path: Path, jobs: str) -> None:
    """Status 130, one word, and no process left behind."""
    for number in range(400):
        (tmp_path / f"{number}.csa").write_text(f"{LEGAL}/\n" * 50)
    with subprocess.Popen([sys.executable, "-m", "kifu", "check", str(tmp_path), "--format", "json", "--jobs", jobs],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as running:
        assert running.stdout is not None
        running.stdout.readline()
        os.killpg(running.pid, signal.SIGINT)  # as a terminal does: to the workers too
        said = running.communicate(timeout=60)[1].decode()
        assert running.returncode == 130, said
    assert "interrupted" in said
    assert "Traceback" not in said
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            os.killpg(running.pid, 0)
        except ProcessLookupError:
            break
        time.sleep(0.1)
    else:
        raise AssertionError("a worker lives on")


def test_an_error_of_ours(tmp_path: Path) -> None:
    """One sentence; the details only for those who ask."""
    (tmp_path / "a.csa").write_text(LEGAL)
    broken = ("import kifu.notation\ndef bad(*_): raise RuntimeError('broken inside')\nkifu.notation.detect = bad\n"
              "import kifu.pipeline.entries\nkifu.pipeline.entries.notation_of = bad\nfrom kifu.cli import main\nmain()\n")
    for debug, details in (("", False), ("1", True)):
        done = subprocess.run([sys.executable, "-c", broken, "check", str(tmp_path / "a.csa")], capture_output=True,
                              env={**os.environ, "KIFU_DEBUG": debug}, encoding="utf-8")
        assert done.returncode == 2
        assert "internal error: broken inside" in done.stderr
        assert ("Traceback" in done.stderr) == details
