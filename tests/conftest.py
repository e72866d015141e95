"""What all tests share: the folder of shared data, sample games, and the program as a user runs it."""
from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

# A runner in the background starts us with SIGINT ignored, and so would be every program that a test interrupts.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Ran:
    """How a command ended, and what it said."""

    status: int
    out: str
    err: str


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the project."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of data that lies beside the project: oracles, corpus, tools."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("the folder ../shared with oracles and corpus is not there")
    return folder


@pytest.fixture(scope="session")
def samples() -> Path:
    """The sample games of the project."""
    return ROOT / "sample_games"


@pytest.fixture(scope="session")
def kifu() -> Callable[..., Ran]:
    """Runs the program in a process of its own, as a user does, without a terminal.

    ``kifu("check", path)``; ``stdin=`` bytes, ``cwd=`` a folder, further keywords are environment variables. Where the
    whole suite runs interpreted, what the program says of that is left out: the other tests say what they expect of both.
    """
    told = re.compile(r"^kifu: running interpreted, .*\n", re.MULTILINE)

    def run(*arguments: object, stdin: bytes = b"", cwd: Path | None = None, **environ: str) -> Ran:
        done = subprocess.run([sys.executable, "-m", "kifu", *map(str, arguments)], input=stdin, capture_output=True,
                              cwd=cwd or ROOT, env={**os.environ, "PYTHONUTF8": "1", **environ}, timeout=300)
        err = done.stderr.decode("utf-8", "replace")
        return Ran(done.returncode, done.stdout.decode("utf-8", "replace"),
                   err if "KIFU_INTERPRETED" in environ else told.sub("", err))

    return run
