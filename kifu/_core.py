"""Which modules run compiled, and the guard that no stale binary ever runs.

The modules of `COMPILED` are ordinary ``.py`` files. Where a C compiler was at hand the build put a binary beside
each, and wrote into ``_built.txt`` the hash of the source that it was made from. A finder stands before Python's own
for these names only: it takes the binary where the hash still fits, the source where there is no binary or where
``KIFU_INTERPRETED=1`` asks for it, and refuses a binary whose source has changed since. The price is one read and one
hash of each source, a few dozen microseconds, paid when the module is imported.
"""
from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, ModuleSpec, SourceFileLoader
from importlib.util import source_hash, spec_from_file_location
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

#: The modules that Cython compiles. pyproject.toml lists the same names (a test compares the two).
COMPILED = (
    "kifu.grammar.machine", "kifu.knowledge.matcher", "kifu.knowledge.scan", "kifu.notation.assemble",
    "kifu.notation.csa", "kifu.notation.csa_dialects", "kifu.notation.csa_server", "kifu.notation.csa_writer",
    "kifu.notation.header_plans", "kifu.notation.ki2_writer", "kifu.notation.kif", "kifu.notation.kif_kinds",
    "kifu.notation.kif_lines", "kifu.notation.kif_writer", "kifu.notation.numbering", "kifu.notation.reading",
    "kifu.notation.spelling", "kifu.notation.usi", "kifu.notation.western", "kifu.notation.western_games",
    "kifu.notation.western_lines", "kifu.notation.western_writer", "kifu.notation.writing", "kifu.pipeline.entries",
    "kifu.pipeline.rows", "kifu.problems.checks", "kifu.problems.search", "kifu.problems.table", "kifu.record",
    "kifu.referee.clocks", "kifu.referee.look", "kifu.referee.sums", "kifu.replay", "kifu.rules.board",
    "kifu.rules.generate", "kifu.rules.resolve", "kifu.rules.special", "kifu.rules.tables", "kifu.rules.zobrist",
    "kifu.store.boards", "kifu.store.columns", "kifu.store.fields", "kifu.store.rows",
)

HERE = os.path.dirname(os.path.abspath(__file__))
RECORD = "_built.txt"
#: Declarations of a compiled module for others, whose binaries are made of them too.
HEADER = ".pxd"


class StaleBuild(ImportError):
    """A binary was made from another version of its source; running it would be running yesterday's code."""


def interpreted_wanted() -> bool:
    """Whether the environment asks for the sources instead of the binaries."""
    return os.environ.get("KIFU_INTERPRETED", "") not in ("", "0")


def hash_of(source: bytes) -> str:
    """The hash under which ``_built.txt`` knows a source; it also depends on Python's bytecode version.

    >>> len(hash_of(b"x = 1"))
    16
    """
    return source_hash(source).hex()


def built() -> dict[str, str]:
    """What the build recorded: name of each module it compiled, and the hash of its source."""
    return {name: known for name, known in _recorded().items() if not name.endswith(HEADER)}


def _recorded() -> dict[str, str]:
    text = _read(f"{HERE}/{RECORD}")
    return {} if text is None else dict(line.split(" ", 1) for line in text.decode().splitlines())


def binary_beside(source: str) -> str | None:
    """The compiled module that Python would load instead of this source, if there is one."""
    stem = source.removesuffix(".py")
    for suffix in EXTENSION_SUFFIXES:
        if os.path.exists(stem + suffix):
            return stem + suffix
    return None


def is_fresh(name: str, source: str, binary: str, record: dict[str, str] | None = None) -> bool:
    """Whether ``binary`` was made from ``source`` as it stands now.

    A binary that the build did not record (somebody ran ``cythonize -i``) counts as fresh while it is the younger.
    ``record`` is what the build recorded, if it has been read already.
    """
    text = _read(source)
    if text is None:
        return True  # installed without its source: there is nothing to differ from
    recorded = (_recorded() if record is None else record).get(name)
    if recorded is not None:
        return recorded == hash_of(text)
    return os.stat(binary).st_mtime_ns >= os.stat(source).st_mtime_ns


def _read(path: str) -> bytes | None:
    try:
        with open(path, "rb", buffering=0) as file:
            return file.readall()
    except OSError:
        return None


def source_of(name: str) -> str:
    """The path of a module of this package as its ``.py`` file."""
    return f"{HERE}/{name.removeprefix('kifu.').replace('.', '/')}.py"


def check_fresh() -> None:
    """Raise `StaleBuild` if any compiled module no longer matches its source."""
    if interpreted_wanted():
        return  # no binary runs
    record = _recorded()
    for name, known in record.items():
        if name.endswith(HEADER) and (text := _read(f"{HERE}/{name}")) is not None and known != hash_of(text):
            raise StaleBuild(
                f"The compiled modules were made with another version of {name}. Install again (pip install -e . or "
                "make), or set KIFU_INTERPRETED=1 to run the sources.", name="kifu", path=f"{HERE}/{name}")
    for name in COMPILED:
        binary = binary_beside(source_of(name))
        if binary and not is_fresh(name, source_of(name), binary, record):
            raise StaleBuild(
                f"{name} was compiled from another version of its source. Install again (pip install -e . or make), "
                "or set KIFU_INTERPRETED=1 to run the sources.",
                name=name, path=binary,
            )


def compiled_modules() -> dict[str, bool]:
    """Each module that can be compiled, and whether it is what an import gives: the binary (True) or the source.

    >>> set(compiled_modules()) == set(COMPILED)
    True
    """
    if interpreted_wanted():
        return dict.fromkeys(COMPILED, False)
    return {name: binary_beside(source_of(name)) is not None for name in COMPILED}


def build_kind() -> str:
    """``compiled``, ``interpreted``, or which modules are missing from a build that is half of each."""
    modules = compiled_modules()
    if all(modules.values()):
        return "compiled"
    if not any(modules.values()):
        return "interpreted"
    return "partly compiled: without " + ", ".join(name for name, there in modules.items() if not there)


class Finder:
    """The import hook described above; it answers for the names in `COMPILED` and for no others."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name not in COMPILED:
            return None
        source = source_of(name)
        binary = None if interpreted_wanted() else binary_beside(source)
        if binary is None:
            if not os.path.exists(source):
                return None
            return spec_from_file_location(name, source, loader=SourceFileLoader(name, source))
        if not is_fresh(name, source, binary):
            check_fresh()
        return spec_from_file_location(name, binary, loader=ExtensionFileLoader(name, binary))


def install() -> None:
    """Put the finder in front, once."""
    if Finder not in sys.meta_path:
        sys.meta_path.insert(0, Finder)


def write_record(folder: Path, compiled: dict[str, bytes]) -> Path:
    """Write ``_built.txt`` for the build: each compiled module's name with the hash of its source's bytes.

    The declarations that stand beside the sources of this package go with them.
    """
    record = folder / RECORD
    headers = [source_of(name).removesuffix(".py") + HEADER for name in COMPILED] if compiled else []
    made = {path.removeprefix(f"{HERE}/"): text for path in headers if (text := _read(path)) is not None}
    record.write_text("".join(f"{name} {hash_of(text)}\n" for name, text in sorted({**compiled, **made}.items())),
                      encoding="utf-8")
    return record
