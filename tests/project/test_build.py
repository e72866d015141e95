"""What is built and installed: nothing but `kifu`, with everything in it, compiled where there is a compiler."""
from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kifu import _core

Kifu = Callable[..., Any]
CI = os.environ.get("CI", "") not in ("", "0", "false")


@pytest.fixture(scope="module")
def project(root: Path) -> dict[str, Any]:
    """pyproject.toml."""
    return tomllib.loads((root / "pyproject.toml").read_text())


def test_compiled_names_agree(project: dict[str, Any]) -> None:
    """The build compiles what the package expects to find compiled, and none of it is needed."""
    modules = project["tool"]["setuptools"]["ext-modules"]
    assert tuple(sorted(module["name"] for module in modules)) == tuple(sorted(_core.COMPILED))
    assert all(module["optional"] and module["sources"] == [module["name"].replace(".", "/") + ".py"] for module in modules)


def test_packages_are_listed(project: dict[str, Any], root: Path) -> None:
    """A folder that is not listed would be missing from what is installed."""
    folders = {"kifu." + path.parent.relative_to(root / "kifu").as_posix().replace("/", ".")
               for path in (root / "kifu").rglob("__init__.py") if path.parent != root / "kifu"}
    listed = project["tool"]["setuptools"]["packages"]
    assert sorted(listed) == sorted(folders | {"kifu", "kifu.cli", "kifu.grammars"})


def test_compiled_where_there_is_a_compiler() -> None:
    """A build that fell back without a reason must not pass for one that works."""
    if _core.interpreted_wanted() or not (shutil.which("cc") or shutil.which("gcc")):
        assert not any(_core.compiled_modules().values())
        return
    assert _core.build_kind() == "compiled"
    assert set(_core.built()) == set(_core.COMPILED)


def test_modules_are_what_they_are_said_to_be() -> None:
    """`compiled_modules` agrees with what an import gives."""
    import importlib

    for name, compiled in _core.compiled_modules().items():
        file = importlib.import_module(name).__file__
        assert file is not None
        assert file.endswith(".py") != compiled, name


@pytest.fixture(scope="module")
def copy(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's files without anything that was made from them."""
    target = tmp_path_factory.mktemp("copy") / "project"
    for name in ("kifu", "cli", "grammars"):
        shutil.copytree(root / name, target / name,
                        ignore=shutil.ignore_patterns("*.so", "*.c", "*.pyd", "__pycache__", "build", "_tables", "_built.txt"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(root / name, target / name)
    return target


def build(folder: Path, *what: str, **environ: str) -> str:
    """Build with what is installed already; returns what the build said."""
    done = subprocess.run([sys.executable, "-m", "build", "--no-isolation", *what, "."], cwd=folder, encoding="utf-8",
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**os.environ, **environ})
    assert done.returncode == 0, done.stdout[-4000:]
    return done.stdout


@pytest.fixture(scope="module")
def packages(copy: Path) -> tuple[Path, Path, str]:
    """The source package and the wheel made from it without a C compiler, and what that build said."""
    said = build(copy, CC="/bin/false")  # the source package, then a wheel from it
    return next((copy / "dist").glob("*.tar.gz")), next((copy / "dist").glob("*.whl")), said


def test_a_binary_that_an_earlier_build_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the compiler failed on what a source is now, the older binary beside it counts for nothing."""
    from kifu import _build

    monkeypatch.setattr(_build, "ROOT", tmp_path)
    source, types, binary = (tmp_path / "kifu" / name for name in ("one.py", "one.pxd", "one.so"))
    source.parent.mkdir()
    for path in (source, types, binary):
        path.touch()
    for newest in (source, types, binary):
        for path in (source, types, binary):
            os.utime(path, (1000, 2000 if path is newest else 1000))
        assert _build.BuildExt.is_older("kifu.one", binary) == (newest is not binary)
    types.unlink()
    assert not _build.BuildExt.is_older("kifu.one", binary)


@pytest.mark.skipif(_core.interpreted_wanted(), reason="the build does not depend on how the tests run")
class TestPackages:
    """A source package, and the wheel that a machine without a compiler makes from it."""

    def test_building_without_a_compiler_says_what_it_costs(self, packages: tuple[Path, Path, str]) -> None:
        assert packages[2].count("the compiled core could not be built") == 1
        assert "75 times slower" in packages[2]

    def test_nothing_but_kifu_is_installed(self, packages: tuple[Path, Path, str], root: Path) -> None:
        names = zipfile.ZipFile(packages[1]).namelist()
        assert {name.split("/")[0] for name in names} - {name.split("/")[0] for name in names if ".dist-info" in name} == {"kifu"}
        wanted = {path.relative_to(root).as_posix() for path in (root / "kifu").rglob("*")
                  if path.suffix in (".py", ".pxd", ".sql", ".md", ".toml") or path.name == "py.typed"}
        wanted |= {f"kifu/{path.relative_to(root).as_posix()}" for folder in ("cli", "grammars")
                   for path in (root / folder).rglob("*") if path.suffix in (".py", ".lark")}
        wanted |= {f"kifu/grammars/_tables/{path.stem}.tables" for path in (root / "grammars").glob("*.lark")}
        assert wanted - set(names) == set()

    def test_the_wheel_runs_by_itself(self, packages: tuple[Path, Path, str], tmp_path: Path) -> None:
        """From a folder of its own, interpreted, without Lark, without Cython, without the sources."""
        zipfile.ZipFile(packages[1]).extractall(tmp_path / "site")
        (tmp_path / "a.usi").write_text("position startpos moves 7g7f 3c3d\n")
        program = ("import sys\nsys.path.insert(0, 'site')\n"
                   "sys.meta_path = [finder for finder in sys.meta_path if 'editable' not in repr(finder).lower()\n"
                   "                 and 'kifu' not in repr(finder).lower()]\n"
                   "for name in ('cython', 'Cython', 'lark', 'interegular'): sys.modules[name] = None\n"
                   "import kifu\nassert 'site' in kifu.__file__, kifu.__file__\n"
                   "from kifu.cli import main\nmain(['check', 'a.usi'])\n")
        done = subprocess.run([sys.executable, "-P", "-c", program], cwd=tmp_path, capture_output=True, encoding="utf-8",
                              env={**os.environ, "PYTHONPATH": ""})
        assert done.stdout == "1 game in 1 file: 1 legal; no errors, no warnings\n", done.stderr
        assert done.stderr.count("running interpreted") == 1

    def test_the_source_package_has_what_the_build_needs(self, packages: tuple[Path, Path, str], root: Path) -> None:
        with tarfile.open(packages[0]) as package:
            names = {name.partition("/")[2] for name in package.getnames()}
        assert {"pyproject.toml", "README.md", "LICENSE", "cli/app.py", "kifu/_build.py", "grammars/csa.lark"} <= names
        assert {path.relative_to(root).as_posix() for path in (root / "kifu").rglob("*.pxd")} <= names


def test_no_comprehension_is_one_that_cython_compiles_wrongly(root: Path) -> None:
    """Cython 3.3.1 makes a crash of ``[a < b or c or d for …]``: three or more parts as what a comprehension yields."""
    for name in _core.COMPILED:
        for node in ast.walk(ast.parse(root.joinpath(*name.split(".")).with_suffix(".py").read_text(encoding="utf-8"))):
            if isinstance(node, ast.GeneratorExp | ast.ListComp | ast.SetComp):
                for part in ast.walk(node.elt):
                    assert not isinstance(part, ast.BoolOp) or len(part.values) < 3, f"{name}:{part.lineno}"
