"""The examples in the docstrings run as they are written."""
from __future__ import annotations

import doctest
from importlib import import_module

import pytest


@pytest.mark.parametrize("name", ["matcher", "positions"])
def test_examples(name: str) -> None:
    tried = doctest.testmod(import_module(f"kifu.knowledge.{name}"))
    assert tried.attempted > 0
    assert tried.failed == 0
