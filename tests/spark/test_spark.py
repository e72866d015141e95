"""Spark writes the dataset that a database of the same files gives, and says plainly what it cannot do.

Spark takes long to start: one session loads everything that these tests compare.
"""
from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from kifu._core import build_kind
from kifu.store.database import Database
from kifu.store.dataset import TABLES, Manifest
from kifu.store.errors import StoreError

JAVA = bool(os.environ.get("JAVA_HOME") or shutil.which("java"))
pytest.importorskip("pyspark", reason="pyspark is not installed (pip install 'kifu[spark]')")
pytestmark = [pytest.mark.skipif(build_kind() != "compiled", reason="what Spark adds is never compiled: once is enough"),
              pytest.mark.skipif(not JAVA, reason="Spark needs Java, and there is none"),
              pytest.mark.xdist_group("spark")]

#: Columns that say when and by whom, and tables that Spark does not write.
NOT_COMPARED = {"batches": {"started_at", "finished_at"}, "sources": {"loaded_at"}}
NOT_WRITTEN = {"boards"}


def kifu(*words: object, status: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([sys.executable, "-m", "kifu", *map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory, root: Path) -> Path:
    """Files of every sort: archives, compressed ones, several games in one, illegal ones, prose, copies."""
    folder = tmp_path_factory.mktemp("records")
    for path in sorted((root / "sample_games").iterdir()):
        if path.suffix not in (".md", ".zip"):  # members are numbered in the order of the archive, here of their names
            shutil.copy(path, folder)
    broken = (root / "sample_games" / "mate.csa").read_text(encoding="utf-8").replace("+7776FU", "+7775FU", 1)
    (folder / "illegal.csa").write_text(broken, encoding="utf-8")
    (folder / "nothing.kif").write_text("hello\n", encoding="utf-8")
    (folder / "prose.txt").write_text("Nothing but prose.\n", encoding="utf-8")
    inner = folder / "deeper" / "with blank"
    inner.mkdir(parents=True)
    shutil.copy(folder / "nifu.kif", inner / "NIFU.KIF")
    with zipfile.ZipFile(inner / "more.zip", "w") as archive:
        archive.write(folder / "three-games.csa", "a/three.csa")
        archive.write(folder / "sennichite.csa", "b.csa")
    return folder


@pytest.fixture(scope="module")
def datasets(records: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """What the local loader exports, and what Spark writes."""
    folder = tmp_path_factory.mktemp("datasets")
    kifu("load", records, "--db", folder / "games.duckdb", "--quiet", status=1)
    kifu("export", "--db", folder / "games.duckdb", "--parquet", folder / "local")
    done = kifu("load", records, "--engine", "spark", "--master", "local[2]", "--out", folder / "spark", status=1)
    assert "games from" in done.stdout and "2 rejects" in done.stdout
    return folder / "local", folder / "spark"


@pytest.mark.parametrize("table", [name for name in TABLES if name not in NOT_WRITTEN])
def test_the_same_rows_as_the_local_loader(datasets: tuple[Path, Path], table: str) -> None:
    local, spark = (renumbered(dataset, table) for dataset in datasets)
    assert local == spark
    assert local or table in ("copies",)


def renumbered(dataset: Path, table: str) -> list[tuple[Any, ...]]:
    """The rows, with the numbers of files and games by the order of their paths: folders are walked in another order."""
    with Database.open(dataset) as database:
        sources = {old: new for new, (old,) in enumerate(database.rows("SELECT source_id FROM sources ORDER BY path"), 1)}
        games = {old: new for new, (old,) in enumerate(database.rows(
            "SELECT game_id FROM games JOIN sources USING (source_id) ORDER BY path, source_offset"), 1)}
        columns = [name for name, *_ in database.rows(f"DESCRIBE {table}") if name not in NOT_COMPARED.get(table, ())]
        found = database.rows("SELECT {} FROM {}".format(", ".join(f'"{name}"' for name in columns), table))
    maps = {"source_id": sources, **dict.fromkeys(("game_id", "longer_id", "top_game", "last_game"), games)}
    return sorted((tuple(maps[name][value] if name in maps and value is not None else value
                         for name, value in zip(columns, row, strict=True)) for row in found), key=repr)


def test_positions_are_sorted_over_all_files(datasets: tuple[Path, Path]) -> None:
    manifest = Manifest.read(datasets[1])
    files = [str(datasets[1] / path) for path in manifest.tables["plies"].files]
    with Database.memory() as database:
        keys = [key for path in files for key, in database.rows(f"SELECT key FROM read_parquet('{path}')")]
    assert keys == sorted(keys)
    assert len(keys) == manifest.tables["plies"].rows


def test_nothing_else_is_left(datasets: tuple[Path, Path]) -> None:
    manifest = Manifest.read(datasets[1])
    found = {path.relative_to(datasets[1]).as_posix() for path in datasets[1].rglob("*") if path.is_file()}
    assert found == {"manifest.json", *manifest.files()}
    assert not [path for path in datasets[1].parent.iterdir() if path.name.startswith(".")]


def test_commands_ask_what_spark_wrote(datasets: tuple[Path, Path]) -> None:
    asked = [kifu("openings", "--db", dataset, "--csv").stdout for dataset in datasets]
    assert asked[0] == asked[1]
    assert "7g7f" in asked[0]


def test_what_cannot_be_done_is_told_before_any_work(datasets: tuple[Path, Path], tmp_path: Path) -> None:
    out = datasets[1]
    told = kifu("load", "sample_games", "--engine", "spark", "--out", tmp_path / "x", "--db", "a.duckdb", status=2)
    assert "--db goes with --engine local" in told.stderr
    assert "name it with --out" in kifu("load", "sample_games", "--engine", "spark", status=2).stderr
    assert "--master goes with --engine spark" in kifu("load", "x", "--db", "a.duckdb", "--master", "x", status=2).stderr
    told = kifu("load", tmp_path / "missing", "--engine", "spark", "--out", tmp_path / "x", status=2)
    assert "there is no such file or folder" in told.stderr
    before = (out / "manifest.json").read_bytes()
    told = kifu("load", tmp_path, "--engine", "spark", "--master", "local[1]", "--out", out, status=2)
    assert "--force replaces it" in told.stderr and "Traceback" not in told.stderr
    assert (out / "manifest.json").read_bytes() == before


def test_no_games_and_no_cluster(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("prose\n", encoding="utf-8")
    out = tmp_path / "out"
    told = kifu("load", tmp_path, "--engine", "spark", "--master", "local[1]", "--out", out, status=2)
    assert "no games were found" in told.stderr and not out.exists()
    told = kifu("load", tmp_path / "empty.txt", "--engine", "spark", "--master", "nonsense", "--out", out, status=2)
    assert "Spark did not start at nonsense" in told.stderr and "Traceback" not in told.stderr
    assert not out.exists()


def test_no_java(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from kifu.spark import load

    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(StoreError, match="Spark needs Java 17"):
        load([str(tmp_path)], str(tmp_path / "out"))
