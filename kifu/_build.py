"""The two build commands that pyproject.toml names; setuptools loads this file by its path.

`BuildPy` writes the parse tables of every grammar beside the code that reads them. `BuildExt` compiles the core where
it can, and records from which sources (see `kifu._core`). Neither ever makes an installation fail for want of a C
compiler: what could not be compiled runs interpreted, and the build says so.
"""
from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from setuptools import Extension
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.errors import BaseError, SetupError

ROOT = Path(__file__).resolve().parent.parent
SLOWER = """
kifu: the compiled core could not be built ({reason}).
kifu: the installation is complete and gives the same answers, but checks and converts some 75 times slower.
kifu: with a C compiler (Debian: apt-get install gcc python3-dev) and a new installation it is fast.
"""


@contextmanager
def source_tree() -> Iterator[None]:
    """Make the package importable from its sources, interpreted."""
    before, environ = list(sys.path), os.environ.get("KIFU_INTERPRETED")
    sys.path.insert(0, str(ROOT))
    os.environ["KIFU_INTERPRETED"] = "1"
    try:
        yield
    finally:
        sys.path[:] = before
        if environ is None:
            del os.environ["KIFU_INTERPRETED"]
        else:
            os.environ["KIFU_INTERPRETED"] = environ


class BuildPy(build_py):
    """Copies the sources, then compiles the grammars to tables."""

    def run(self) -> None:
        grammars = ROOT / "grammars" if self.editable_mode else Path(self.build_lib, "kifu", "grammars")
        if not self.editable_mode:
            shutil.rmtree(Path(self.build_lib), ignore_errors=True)  # or a module deleted since would be installed
        super().run()
        with source_tree():
            from kifu.grammar.compile import build_tables

            build_tables(grammars / "_tables", source=ROOT / "grammars")


class BuildExt(build_ext):
    """Compiles what the compiler at hand can compile, and records the sources' hashes."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.cython_c_in_temp = 1  # the .c files belong in build/, not beside the sources

    def run(self) -> None:
        reason = "the C compiler failed"
        try:
            super().run()
        except (BaseError, OSError, ImportError) as error:  # not even a compiler or Cython to be found
            reason = str(error)
        binaries = {extension.name: Path(self.get_ext_fullpath(extension.name)) for extension in self.extensions}
        missing = [name for name, binary in binaries.items() if not binary.is_file() or self.is_older(name, binary)]
        if missing:  # compiled modules call each other's insides: some without the others would not even load
            for binary in binaries.values():
                binary.unlink(missing_ok=True)
            print(SLOWER.format(reason=f"{reason}; without {', '.join(missing)}"), file=sys.stderr)
        self.record([] if missing else list(binaries))

    @staticmethod
    def is_older(name: str, binary: Path) -> bool:
        """Whether a binary was left by an earlier build: the compiler failed on what its source is now."""
        source = ROOT.joinpath(*name.split(".")).with_suffix(".py")
        made = binary.stat().st_mtime_ns
        return any(path.is_file() and path.stat().st_mtime_ns > made for path in (source, source.with_suffix(".pxd")))

    def build_extensions(self) -> None:
        """Python to C one after the other, C to binaries side by side."""
        from Cython.Build import cythonize
        from Cython.Compiler.Errors import CompileError

        for extension in self.extensions:
            try:
                made = cythonize([Extension(extension.name, extension.sources)], build_dir=self.build_temp, quiet=True)
            except CompileError as error:
                raise SetupError(f"Cython refused {error}") from error
            extension.sources = made[0].sources
            if self.compiler.compiler_type == "unix":
                extension.extra_compile_args = [*(extension.extra_compile_args or ()), "-g0"]  # a tenth of the size
        self.parallel: int | None = os.cpu_count()
        super().build_extensions()

    def record(self, names: list[str]) -> None:
        """Write down from which sources the binaries were made."""
        package = Path("kifu") if self.inplace else Path(self.build_lib, "kifu")
        sources = {name: ROOT.joinpath(*name.split(".")).with_suffix(".py").read_bytes() for name in names}
        with source_tree():
            from kifu import _core

            _core.write_record(package, sources)
