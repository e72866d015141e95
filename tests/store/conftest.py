"""Makes `toy_games` importable, here and in the processes that tests start."""
from __future__ import annotations

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))


@pytest.fixture
def db_path(tmp_path: Path) -> Path:
    """Where a test's database goes."""
    return tmp_path / "games.duckdb"


@pytest.fixture
def python_path(monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of `toy_games`, put on PYTHONPATH for processes that a test starts."""
    monkeypatch.setenv("PYTHONPATH", f"{HERE}:{Path(__file__).parents[2]}")
    return HERE
