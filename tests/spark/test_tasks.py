"""What runs in Spark's workers, and how the files for it are told apart, without Spark."""
from __future__ import annotations

import doctest

import pytest

from kifu.pipeline import Options
from kifu.spark import tasks


def test_examples() -> None:
    found = doctest.testmod(tasks)
    assert found.failed == 0
    assert found.attempted == 2


def test_files_are_told_from_places() -> None:
    """Each once, in the given order."""
    paths = ["b.dat", "folder", "a.csa", "b.dat", "missing"]
    assert tasks.apart(paths, {"a.csa", "b.dat"}.__contains__) == (["folder", "missing"], ["b.dat", "a.csa"])
    assert tasks.apart([], bool) == ([], [])


@pytest.mark.parametrize(("searched", "kinds"), [(True, []), (False, ["reject"])])
def test_prose_is_passed_over_only_where_it_was_searched_for(searched: bool, kinds: list[str]) -> None:
    pa = pytest.importorskip("pyarrow")
    batch = pa.record_batch({"path": ["file:/a/prose.txt"], "content": pa.array([b"Nothing but prose.\n"], pa.binary())})
    rows = [row for made in tasks.to_rows(Options(), (), searched)(iter([batch])) for row in made.to_pylist()]
    assert [row["kind"] for row in rows] == kinds
