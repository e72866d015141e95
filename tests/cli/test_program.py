"""The program as a whole: version, help, colours, what it imports."""
from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click import Context

import kifu as package
from kifu._core import build_kind
from kifu.cli.app import COMMANDS, cli

sys.path.insert(0, str(Path(__file__).parent))
from games import ILLEGAL, LEGAL

Kifu = Callable[..., Any]


def test_version(kifu: Kifu) -> None:
    """It says which core runs."""
    ran = kifu("--version")
    assert ran.out.startswith(f"kifu {package.__version__} ({build_kind()}; Python ")
    assert kifu("--version", KIFU_INTERPRETED="1").out.startswith(f"kifu {package.__version__} (interpreted; ")


def test_help_lists_the_commands_that_exist(kifu: Kifu, root: Path) -> None:
    """Each has a file, a short help, a long help and an example."""
    listed = kifu("--help").out.partition("Commands:\n")[2].splitlines()
    assert [line.split()[0] for line in listed if line.strip()] == list(COMMANDS)
    for name, told in COMMANDS.items():
        assert (root / "cli" / f"{name}.py").is_file()
        assert cli.get_command(Context(cli), name).short_help == told
        told = kifu(name, "--help").out
        assert "Examples:\n" in told, name
        assert f"kifu {name} " in told.partition("Examples:")[2], name


def test_an_unknown_command(kifu: Kifu) -> None:
    ran = kifu("chekc")
    assert ran.status == 2
    assert "Did you mean 'check'?" in ran.err


def imported(*arguments: str) -> set[str]:
    """The modules that a command line had imported when it was done."""
    program = ("import atexit, sys\natexit.register(lambda: print(*[name for name in sys.modules if sys.modules[name]], file=sys.stderr))\n"
               "from kifu.cli import main\nmain()\n")
    done = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return set(done.stderr.split())


HEAVY = {"lark", "interegular", "numpy", "pyarrow", "duckdb", "rich", "multiprocessing", "asyncio", "json", "hashlib"}


@pytest.mark.parametrize(("arguments", "allowed"), [
    (("--help",), set()), (("--version",), set()), (("convert", "{}", "--to", "kif"), {"hashlib"}),
    (("check", "{}"), {"hashlib"}), (("detect", "{}"), {"hashlib"}), (("show", "{}"), {"hashlib"}),
])
def test_nothing_heavy_is_imported(tmp_path: Path, arguments: tuple[str, ...], allowed: set[str]) -> None:
    """What a command does not need, it does not load: the half-second would be felt at every call."""
    (tmp_path / "a.csa").write_text(LEGAL)
    names = imported(*(part.format(tmp_path / "a.csa") for part in arguments))
    assert names & HEAVY - allowed == set()


def but_for_the_notice(said: bytes) -> bytes:
    """What a command run without `kifu` said, without the line that tells of the interpreted core."""
    return re.sub(rb"^kifu: running interpreted, .*\n", b"", said, flags=re.MULTILINE)


def on_a_terminal(*arguments: str, **environ: str) -> str:
    """What a command writes to a terminal."""
    main, other = pty.openpty()
    with subprocess.Popen([sys.executable, "-m", "kifu", *arguments], stdin=other, stdout=other, stderr=other,
                          env={**os.environ, "TERM": "xterm-256color", **environ}) as running:
        os.close(other)
        said = b""
        while True:
            try:
                block = os.read(main, 65536)
            except OSError:
                break
            if not block:
                break
            said += block
        running.wait()
    os.close(main)
    return said.decode()


def test_colours_are_for_terminals(tmp_path: Path, kifu: Kifu) -> None:
    """And for those who want them."""
    (tmp_path / "a.csa").write_text(ILLEGAL)
    file = str(tmp_path / "a.csa")
    environ = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    assert "NO_COLOR" not in environ
    assert "\x1b[31;1mK411" in on_a_terminal("check", file)
    assert "\x1b" not in on_a_terminal("check", file, "--no-color")
    assert "\x1b" not in on_a_terminal("check", file, NO_COLOR="1")
    assert "\x1b" not in kifu("check", file).out


def test_a_progress_bar_is_for_terminals_and_much_work(tmp_path: Path, kifu: Kifu) -> None:
    """On standard error, gone when the work is done, never with --quiet."""
    for number in range(60):
        (tmp_path / f"{number}.csa").write_text(f"{LEGAL}/\n" * 400)
    said = on_a_terminal("check", str(tmp_path), "--no-color")
    assert "60/60 files" in said or "files" in said
    assert "checking" in said
    assert "checking" not in on_a_terminal("check", str(tmp_path), "--quiet")
    ran = kifu("check", tmp_path)
    assert "checking" not in ran.out + ran.err


def test_a_load_tells_games_a_second(tmp_path: Path) -> None:
    for number in range(60):
        (tmp_path / f"{number}.csa").write_text(f"{LEGAL}/\n" * 400)
    said = on_a_terminal("load", str(tmp_path), "--db", str(tmp_path / "games.duckdb"), "--no-color")
    assert "games/s" in said
    assert "finishing" in said


def test_a_progress_bar_keeps_its_hands_off_the_results(tmp_path: Path) -> None:
    """Standard error is a terminal, standard output a file: the bar is on the one, all results on the other."""
    for number in range(60):
        (tmp_path / f"{number}.csa").write_text(f"{LEGAL}/\n" * 400)
    main, other = pty.openpty()
    with (tmp_path / "out").open("wb") as out:
        running = subprocess.Popen([sys.executable, "-m", "kifu", "check", str(tmp_path), "--format", "json"], stdout=out,
                                   stderr=other, env={**os.environ, "TERM": "xterm-256color"})
    os.close(other)
    said = b""
    while True:
        try:
            said += os.read(main, 65536)
        except OSError:
            break
    assert running.wait() == 0
    os.close(main)
    assert (tmp_path / "out").read_bytes().count(b"\n") == 60 * 400
    assert b"checking" in said
    assert b"verdict" not in said


def test_interpreted_is_told_once(tmp_path: Path, kifu: Kifu) -> None:
    """On standard error, by commands that may read much; not with --quiet."""
    (tmp_path / "a.csa").write_text(LEGAL)
    ran = kifu("check", tmp_path, KIFU_INTERPRETED="1")
    assert ran.err.count("running interpreted") == 1
    assert kifu("check", tmp_path, "--quiet", KIFU_INTERPRETED="1").err == ""
    assert kifu("convert", tmp_path / "a.csa", "--to", "usi", KIFU_INTERPRETED="1").err.count("running") == 0
