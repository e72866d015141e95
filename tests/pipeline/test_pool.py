"""Workers answer in the order of the files, and one that dies costs one file."""
from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kifu.pipeline import Failure, Source, pool, run

HERE = Path(__file__).parent


@pytest.fixture
def tasks(monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    """The tasks as a module that worker processes find too."""
    monkeypatch.syspath_prepend(str(HERE))
    import tasks

    yield tasks
    sys.modules.pop("tasks", None)


def files(folder: Path, texts: list[str]) -> list[Source]:
    """A file for each text."""
    for number, text in enumerate(texts):
        (folder / f"{number:04}.txt").write_text(text)
    return [Source(str(path), path.stat().st_size) for path in sorted(folder.iterdir())]


def results(sources: list[Source], task: object, jobs: int | None) -> list[tuple[str, object]]:
    """What came, by the name of the file."""
    return [(Path(source.path).stem, result) for source, result in run(sources, task, jobs=jobs)]  # type: ignore[arg-type]


@pytest.mark.parametrize("jobs", [None, 1, 2, 3])
def test_order(tmp_path: Path, tasks: object, jobs: int | None) -> None:
    """The same results in the same order, however many processes there are."""
    sources = files(tmp_path, [f"a{number} b{number}" for number in range(300)])
    expected = [(f"{number:04}", f"{letter}{number}") for number in range(300) for letter in "ab"]
    assert results(sources, tasks.words, jobs) == expected  # type: ignore[attr-defined]


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_of_ours_is_told_and_the_rest_goes_on(tmp_path: Path, tasks: object, jobs: int) -> None:
    found = results(files(tmp_path, ["a", "b raise c", "d"]), tasks.words, jobs)  # type: ignore[attr-defined]
    assert [(name, result) for name, result in found if not isinstance(result, Failure)] == [
        ("0000", "a"), ("0001", "b"), ("0002", "d")]
    (failure,) = [result for _, result in found if isinstance(result, Failure)]
    assert failure.path.endswith("0001.txt")
    assert failure.message == "internal error: no such word"
    assert "ValueError" in failure.details


@pytest.mark.parametrize(("word", "how"), [("die", "signal 9"), ("leave", "exit code 3")])
def test_a_worker_that_dies_costs_its_file_only(tmp_path: Path, tasks: object, word: str, how: str) -> None:
    texts = [f"w{number}" for number in range(200)]
    texts[70] = texts[150] = word
    found = results(files(tmp_path, texts), tasks.words, 2)  # type: ignore[attr-defined]
    assert [name for name, _ in found] == [f"{number:04}" for number in range(200)]
    failed = {name: result for name, result in found if isinstance(result, Failure)}
    assert set(failed) == {"0070", "0150"}
    assert all(how in failure.message for failure in failed.values())


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_are_packed(tmp_path: Path, tasks: object, jobs: int) -> None:
    """Those of several files together; failures stand where they belong, and what cannot be packed is one."""
    task = tasks.Sentences()  # type: ignore[attr-defined]
    assert results(files(tmp_path, ["a b", "c", "d"]), task, jobs) == [("0002", "a b c d")]
    found = results(files(tmp_path, ["a b", "c raise", "d", "e", "odd", "f g"]), task, jobs)
    told = [(name, result.message if isinstance(result, Failure) else result) for name, result in found]
    assert told == [("0001", "a b c"), ("0001", "internal error: no such word"), ("0002", "d"), ("0003", "e"),
                    ("0004", "internal error: an odd word"), ("0005", "f g")]


def test_workers_that_were_started_before(tmp_path: Path, tasks: object) -> None:
    sources = files(tmp_path, [f"w{number}" for number in range(100)])
    with pool.ready(iter(sources), tasks.words, 2) as (same, workers):  # type: ignore[attr-defined]
        assert len(workers) in (0, 2)  # none in a process with threads
        found = [result for _, result in run(same, tasks.words, jobs=2, workers=workers)]  # type: ignore[attr-defined]
    assert found == [f"w{number}" for number in range(100)]
    assert not any(worker.process.is_alive() for worker in workers)
    with pool.ready(iter(sources), tasks.words, 2) as (same, workers):  # type: ignore[attr-defined]
        assert list(same) == sources  # nobody wanted them
    assert not any(worker.process.is_alive() for worker in workers)
    for few, jobs in ((sources[:0], 2), (sources[:3], None), (sources, 1)):
        with pool.ready(iter(few), tasks.words, jobs) as (same, workers):  # type: ignore[attr-defined]
            assert (list(same), workers) == (few, [])


def test_a_large_file_streams(tmp_path: Path, tasks: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first results of a file are there before its last are made, and none is lost or doubled."""
    sources = files(tmp_path, ["many", "b", "many"])
    monkeypatch.setattr(pool, "BATCH_FILES", 1)
    found = [result for _, result in run(sources, tasks.words, jobs=2)]  # type: ignore[attr-defined]
    once = [*(f"many{number}" for number in range(20_000)), "many"]
    assert found == [*once, "b", *once]


def test_closing_ends_the_workers(tmp_path: Path, tasks: object) -> None:
    """An interruption does not wait for what workers are doing."""
    sources = files(tmp_path, ["a", *["sleep"] * 10])
    started = time.monotonic()
    running = run(sources, tasks.words, jobs=2)  # type: ignore[attr-defined]
    pool_results = iter(running)
    del sources
    monkey = pool.BATCH_FILES
    try:
        pool.BATCH_FILES = 1
        assert next(pool_results)[1] == "a"
    finally:
        pool.BATCH_FILES = monkey
    running.close()  # type: ignore[attr-defined]
    assert time.monotonic() - started < 20


def test_progress_counts_every_file_once(tmp_path: Path, tasks: object) -> None:
    for jobs in (1, 2):
        counted = [0, 0]

        def progress(new_files: int, new_bytes: int, counted: list[int] = counted) -> None:
            counted[0] += new_files
            counted[1] += new_bytes

        sources = files(tmp_path, ["abc", "die" if jobs == 2 else "x", "de", "raise"])
        list(run(sources, tasks.words, jobs=jobs, progress=progress))  # type: ignore[attr-defined]
        assert counted == [4, sum(source.size for source in sources)]


def test_batches_are_bounded() -> None:
    """By number of files and by bytes; a large file is alone."""
    sources = [Source(str(number), size) for number, size in enumerate([10] * 600 + [10**9, 5, pool.BATCH_BYTES, 1])]
    batches = [batch for batch, _ in pool._batches(iter(sources))]
    assert [source for batch in batches for source in batch] == sources
    assert max(map(len, batches)) == pool.BATCH_FILES
    assert [[source.size for source in batch] for batch in batches[-4:]] == [[10**9], [5], [pool.BATCH_BYTES], [1]]


def test_little_is_done_without_workers(tmp_path: Path, tasks: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """Starting a process takes longer than reading a few files."""
    monkeypatch.setattr(pool, "_shared", None)
    assert results(files(tmp_path, ["a", "b"]), tasks.words, None) == [("0000", "a"), ("0001", "b")]  # type: ignore[attr-defined]
