"""The README is true: every console block in it runs and prints what stands there."""
from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from kifu.cli.app import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass
class Step:
    """A command and the output that the page promises."""

    line: int
    command: str
    expected: list[str] = field(default_factory=list)


def steps(page: Path) -> list[Step]:
    """The commands of all console blocks of a page, in order: lines that begin with ``$``, ``>`` continues one."""
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    found: list[Step] = []
    for block in BLOCK.finditer(text):
        first = text.count("\n", 0, block.start(1)) + 1
        for number, line in enumerate(block[1].splitlines(), first):
            if line.startswith("$ "):
                found.append(Step(number, line[2:]))
            elif line.startswith("> ") and found and not found[-1].expected:
                found[-1].command += f"\n{line[2:]}"
            else:
                assert found, f"{page.name}:{number}: a console block begins with a command"
                found[-1].expected.append(line)
    return found


def matches(expected: list[str], printed: list[str]) -> bool:
    """Whether what was printed is what was promised; ``...`` alone on a line is any lines, within a line any text.

    >>> matches(["a", "...", "d"], ["a", "b", "c", "d"]), matches(["a ... c"], ["a b c"]), matches(["a"], ["a", "b"])
    (True, True, False)
    """
    pattern = "".join(r"(?:.*\n)*?" if line.strip() == "..." else
                      ".*".join(re.escape(part) for part in line.rstrip().split("...")) + r"\n" for line in expected)
    return re.fullmatch(pattern, "".join(f"{line.rstrip()}\n" for line in printed)) is not None


@pytest.mark.parametrize(("expected", "printed", "same"), [
    ([], [], True), ([], ["a"], False), (["a"], [], False), (["..."], ["a", "b"], True), (["a", "..."], ["a"], True),
    (["a", "...", "c"], ["a", "c"], True), (["a...c"], ["abc"], True), (["a.c"], ["abc"], False),
])
def test_matching(expected: list[str], printed: list[str], same: bool) -> None:
    """The test of the page must itself be able to fail."""
    assert matches(expected, printed) == same


@pytest.fixture(scope="module")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sample games, in which the commands of the page run one after the other."""
    folder = tmp_path_factory.mktemp("readme")
    shutil.copytree(ROOT / "sample_games", folder / "sample_games")
    programs = folder / ".programs"
    programs.mkdir()
    for name, call in (("kifu", "-m kifu"), ("python", ""), ("python3", "")):
        (programs / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {call} "$@"\n')
        (programs / name).chmod(0o755)
    return folder


README = steps(ROOT / "README.md")


def test_readme(workplace: Path) -> None:
    """One test of all blocks, since a later block may use what an earlier one made; it tells all that are not true."""
    environ = {**os.environ, "PATH": f"{workplace / '.programs'}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1",
               "PYTHONUTF8": "1", "PYTHONPATH": str(ROOT)}
    wrong = []
    for step in README:
        if step.command.split()[0] in ("git", "make", "pip", "cd"):
            assert step.expected == [], "what installs is not run here, so no output of it can be promised"
            continue
        done = subprocess.run(step.command, shell=True, cwd=workplace, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              encoding="utf-8", env=environ, timeout=120)
        printed = [line for line in done.stdout.splitlines() if not line.startswith("kifu: running ")]
        if not matches(step.expected, printed):
            wrong.append(f"README.md:{step.line}: $ {step.command}\n{done.stdout}")
    assert not wrong, "\n".join(wrong)


def test_the_readme_has_what_a_newcomer_needs() -> None:
    """Both commands, and an example that runs."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "make demo" in text
    assert "make test" in text
    assert any(step.command.startswith("kifu ") and step.expected for step in README)
    for name in COMMANDS:
        assert f"kifu {name}" in text, name


def examples(name: str) -> list[str]:
    """The examples in a command's help."""
    from importlib import import_module

    told = import_module(f"kifu.cli.{name}").command.help or ""
    return [line.strip() for line in told.partition("Examples:")[2].splitlines() if line.strip()]


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_in_help_run(name: str, workplace: Path) -> None:
    """On the sample games, under the names that the examples use."""
    lines = examples(name)
    assert lines
    environ = {**os.environ, "PATH": f"{workplace / '.programs'}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1",
               "PYTHONUTF8": "1", "PYTHONPATH": str(ROOT)}
    folder = workplace / f"help-{name}"
    shutil.copytree(workplace / "sample_games", folder / "sample_games")
    games = folder / "games"
    games.mkdir()
    (games / "a.csa").write_text("V2.2\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n")
    shutil.copy(games / "a.csa", folder / "game.csa")
    shutil.copy(folder / "sample_games" / "tori-shogi.txt", games)
    if "games.duckdb" in " ".join(lines) and name != "load":
        subprocess.run(["kifu", "load", "games", "--db", "games.duckdb"], cwd=folder, env=environ, check=True,
                       stdout=subprocess.DEVNULL)
    for line in lines:
        done = subprocess.run(line, shell=True, cwd=folder, capture_output=True, encoding="utf-8", env=environ, timeout=120)
        assert done.returncode in (0, 1), f"{line}\n{done.stderr}"
        assert "Traceback" not in done.stderr
        assert done.stdout or "-o " in line or "--into" in line or "--svg " in line, line
