"""Makes `slow` importable, and the rows of the oracle and of our own pattern files."""
from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session")
def castle_rows(shared: Path) -> list[dict[str, Any]]:
    """The castles of the oracle."""
    return [json.loads(line) for line in (shared / "oracle" / "castles.jsonl").read_text().splitlines()]


@pytest.fixture(scope="session")
def opening_rows(shared: Path) -> list[dict[str, Any]]:
    """The openings of the oracle."""
    return [json.loads(line) for line in (shared / "oracle" / "openings.jsonl").read_text().splitlines()]


@pytest.fixture(scope="session")
def tables(root: Path) -> dict[str, Any]:
    """Our pattern files as plain tables: castle -> key -> fields, opening -> key -> fields."""
    found: dict[str, Any] = {}
    for name in ("castles.toml", "openings.toml"):
        found |= tomllib.loads((root / "kifu" / "knowledge" / name).read_text(encoding="utf-8"))
    return found
