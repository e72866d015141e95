"""A binary that was made from another version of its source is never run."""
from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from kifu import _core

NAME = "kifu.rules.board"


@pytest.fixture
def package(tmp_path: Path, root: Path) -> Path:
    """A package with one module that could be compiled, and a file in the place of its binary."""
    folder = tmp_path / "kifu"
    (folder / "rules").mkdir(parents=True)
    (folder / "__init__.py").write_text("from kifu import _core\n_core.install()\n")
    (folder / "rules" / "__init__.py").write_text("")
    (folder / "_core.py").write_text((root / "kifu" / "_core.py").read_text())
    (folder / "rules" / "board.py").write_text("KIND = 'source'\n")
    (folder / "rules" / f"board{sysconfig.get_config_var('EXT_SUFFIX')}").write_bytes(b"a binary")
    return folder


def run(package: Path, program: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run a program that imports the package."""
    start = ("import sys\nsys.meta_path = [one for one in sys.meta_path if 'kifu' not in repr(one).lower()]\n"
             f"sys.path.insert(0, {str(package.parent)!r})\n")
    return subprocess.run([sys.executable, "-P", "-c", start + program], capture_output=True, encoding="utf-8",
                          env={**{key: value for key, value in os.environ.items() if key != "KIFU_INTERPRETED"}, **environ})


def test_the_recorded_source(package: Path) -> None:
    """A binary whose source is the recorded one is taken (here it is none, and the system's loader says so)."""
    _core.write_record(package, {NAME: (package / "rules" / "board.py").read_bytes()})
    assert _core.StaleBuild.__name__ not in run(package, "import kifu.rules.board").stderr
    assert run(package, "from kifu import _core; _core.check_fresh(); print(_core.built())").stdout.startswith("{'kifu.rules.board'")


def test_another_source(package: Path) -> None:
    """A change of the source, however old its date, is noticed when the module is imported."""
    source = package / "rules" / "board.py"
    _core.write_record(package, {NAME: source.read_bytes()})
    source.write_text("KIND = 'changed'\n")
    os.utime(source, (0, 0))
    for program in ("import kifu.rules.board", "from kifu import _core; _core.check_fresh()"):
        ran = run(package, program)
        assert ran.returncode == 1
        assert "StaleBuild: kifu.rules.board was compiled from another version of its source" in ran.stderr


def test_another_declaration(package: Path) -> None:
    """The binaries of other modules hold what a .pxd says of this one: if that changes, they are stale too."""
    header = package / "rules" / "board.pxd"
    header.write_text("cdef class Board: pass\n")
    program = "from kifu import _core; _core.write_record(__import__('pathlib').Path(_core.HERE), {'kifu.rules.board': open(_core.HERE + '/rules/board.py', 'rb').read()})"
    assert run(package, program).returncode == 0
    check = "from kifu import _core; _core.check_fresh()"
    assert run(package, check).stderr == ""
    header.write_text("cdef class Board:\n    cdef int more\n")
    assert "made with another version of rules/board.pxd" in run(package, check).stderr


def test_interpreting_is_always_possible(package: Path) -> None:
    """KIFU_INTERPRETED takes the source, stale binary or not."""
    ran = run(package, "import kifu.rules.board as board; print(board.KIND)", KIFU_INTERPRETED="1")
    assert ran.stdout == "source\n"


def test_a_binary_made_by_hand_counts_while_it_is_younger(package: Path) -> None:
    """Somebody who works on a module compiles it alone."""
    source = package / "rules" / "board.py"
    os.utime(source, (0, 0))
    assert "StaleBuild" not in run(package, "import kifu.rules.board").stderr
    source.touch()
    binary = next(package.glob("rules/board.*[!y]"))
    os.utime(binary, (0, 0))
    assert "StaleBuild" in run(package, "import kifu.rules.board").stderr


def test_the_check_is_cheap() -> None:
    """A few hundred microseconds for all modules."""
    import time

    best = min(_timed(time.perf_counter) for _ in range(5))
    assert best < 0.005


def _timed(clock: object) -> float:
    start = clock()  # type: ignore[operator]
    _core.check_fresh()
    return clock() - start  # type: ignore[operator]


def test_interpreted_without_cython(root: Path) -> None:
    """The stand-in for Cython has every name that the sources use."""
    program = ("import sys\nfor name in ('cython', 'Cython'): sys.modules[name] = None\nimport kifu\n"
               "print(kifu.replay(kifu.parse('position startpos moves 7g7f 3c3d 8h2b+')[0]).plies)\n")
    done = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, encoding="utf-8",
                          env={**os.environ, "KIFU_INTERPRETED": "1"})
    assert done.stdout == "3\n", done.stderr
