"""The examples in the docstrings of the store run as they are written."""
from __future__ import annotations

import doctest
from importlib import import_module

import pytest


@pytest.mark.parametrize("name", ["catalog", "database", "fields", "moves", "filters", "openings", "render", "tree"])
def test_examples(name: str) -> None:
    tried = doctest.testmod(import_module(f"kifu.store.{name}"))
    assert tried.attempted > 0
    assert tried.failed == 0
