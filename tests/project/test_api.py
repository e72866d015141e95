"""``import kifu``: the functions of the contract, in whatever order they are used; the README's Python block runs."""
from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def run(script: str) -> str:
    """What a script prints in a process of its own."""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("before", [
    "", "kifu.parse('startpos')", "kifu.Position()", "import kifu.replay", "from kifu.replay import replay",
    "import kifu.api", "list(kifu.read('sample_games/mate.csa'))", "kifu.replay",
])
def test_replay_is_a_function_whatever_was_imported_before(before: str) -> None:
    assert run(f"import kifu\n{before}\n"
               "print(kifu.replay(kifu.parse('startpos moves 7g7f')[0]).plies)") == "1\n"


def test_the_python_block_of_the_readme_runs_and_prints_what_it_says() -> None:
    [block] = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    shown = re.sub(r"(?m)^((?:position\.reason|kifu\.notate)\(.*\)) +#", r"print(repr(\1))  #", block)
    printed = run(shown)
    assert printed.startswith("legal 5 3\n")
    assert "\n'bad-move'\n'P-3d'\n'３四歩'\n" in printed
    assert printed.endswith("\n0 30 -3334FU +2726FU\n")
