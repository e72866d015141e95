"""Who may import whom, read from the sources: each layer only those before it, third parties only where they belong."""
from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

#: Modules of one layer do not import each other, except inside a folder.
LAYERS = (
    ("_core", "_cython", "_tuples"),
    ("diagnostics", "ends", "movetext"),
    ("text", "grammar", "rules"),
    ("record",),
    ("walker",),
    ("branches", "headers"),
    ("referee",),
    ("notation", "replay"),
    ("knowledge", "draw", "problems"),
    ("store",),
    ("api", "pipeline"),
    ("spark",),
    ("cli",),
)
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
#: Who alone may import each third party.
THIRD_PARTIES = {
    "click": ("cli/",), "rich": ("cli/progress.py", "cli/explain.py"), "lark": ("kifu/grammar/compile.py",),
    "interegular": ("kifu/grammar/compile.py", "kifu/grammar/automata.py"),
    "pyarrow": ("kifu/store/arrow.py", "kifu/store/core.py", "kifu/store/expected.py", "kifu/spark/tasks.py"),
    "pyspark": ("kifu/spark/",), "py4j": ("kifu/spark/session.py",),
    "duckdb": ("kifu/store/database.py",), "msgspec": ("kifu/notation/jkf",),
    "setuptools": ("kifu/_build.py",), "Cython": ("kifu/_build.py",),
    "cython": ("kifu/grammar/machine.py", "kifu/knowledge/scan.py", "kifu/notation/assemble.py",
               "kifu/notation/csa.py", "kifu/notation/csa_dialects.py", "kifu/notation/csa_server.py",
               "kifu/notation/kif.py", "kifu/notation/kif_lines.py", "kifu/notation/numbering.py",
               "kifu/notation/reading.py", "kifu/notation/spelling.py", "kifu/notation/usi.py",
               "kifu/notation/western.py", "kifu/notation/western_games.py", "kifu/notation/western_lines.py",
               "kifu/problems/", "kifu/problems/checks.py", "kifu/problems/search.py", "kifu/problems/table.py",
               "kifu/record.py", "kifu/referee/look.py", "kifu/referee/sums.py", "kifu/replay.py", "kifu/rules/",
               "kifu/rules/board.py", "kifu/rules/generate.py", "kifu/rules/resolve.py", "kifu/rules/special.py",
               "kifu/rules/tables.py", "kifu/rules/zobrist.py", "kifu/store/boards.py", "kifu/store/columns.py"),
    # of Python 3.14's own library
    "compression": ("kifu/pipeline/compressed.py",), "backports": ("kifu/pipeline/compressed.py",),
    "py7zr": ("kifu/pipeline/sevenzips.py",),
}
#: Modules of the standard library that unpack: archives are the pipeline's affair.
ARCHIVES = {"zipfile", "tarfile", "gzip", "lzma", "bz2", "zlib"}
#: Public faces that reach up for the caller's sake, and only inside a function or for type checkers.
FACES = ("__init__", "__main__", "_build")


def imports(path: Path) -> Iterator[tuple[str, bool]]:
    """Every module that a file names, and whether only type checkers follow it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    unreal = {node for block in ast.walk(tree)
              if isinstance(block, ast.If) and isinstance(block.test, ast.Name) and block.test.id == "TYPE_CHECKING"
              for node in ast.walk(block)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node in unreal
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: import by the full name"
            for alias in node.names:
                yield f"{node.module}.{alias.name}", node in unreal


def sources(root: Path) -> list[tuple[str, Path]]:
    """The layer of every file of the package, and the file."""
    found = [("cli", path) for path in (root / "cli").rglob("*.py")]
    for path in (root / "kifu").rglob("*.py"):
        first = path.relative_to(root / "kifu").parts[0].removesuffix(".py")
        found.append((first, path))
    return found


def test_every_module_has_a_layer(root: Path) -> None:
    missing = {layer for layer, _ in sources(root)} - set(LEVEL) - set(FACES)
    assert missing == set()


def test_layers(root: Path) -> None:
    """Imports inside functions count too: laziness is no way up."""
    wrong = []
    for layer, path in sources(root):
        if layer in FACES:
            continue
        for name, unreal in imports(path):
            parts = name.split(".")
            if parts[0] != "kifu" or len(parts) < 2 or unreal:
                continue
            other = parts[1]
            if other in LEVEL and other != layer and LEVEL[other] >= LEVEL[layer]:
                wrong.append(f"{path.relative_to(root)} imports {name}")
    assert wrong == []


def test_third_parties(root: Path) -> None:
    """The price of importing them is paid only by who uses them."""
    wrong = []
    for _, path in sources(root):
        where = path.relative_to(root).as_posix()
        for name, unreal in imports(path):
            first = name.split(".")[0]
            if first in ("kifu", "__future__") or first in sys.stdlib_module_names or unreal:
                continue
            if not where.startswith(THIRD_PARTIES.get(first, ())):
                wrong.append(f"{where} imports {first}")
    assert wrong == []


def test_archives_are_opened_in_the_pipeline_only(root: Path) -> None:
    wrong = [f"{path.relative_to(root)} imports {name}" for layer, path in sources(root) if layer != "pipeline"
             for name, unreal in imports(path) if name.split(".")[0] in ARCHIVES and not unreal]
    assert wrong == []


@pytest.mark.parametrize("name", ["click", "duckdb", "lark", "msgspec", "py7zr", "pyarrow", "rich"])
def test_third_parties_are_declared(root: Path, name: str) -> None:
    import tomllib

    wanted = tomllib.loads((root / "pyproject.toml").read_text())["project"]["dependencies"]
    assert any(line.startswith(name) for line in wanted)
