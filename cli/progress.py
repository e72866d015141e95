"""The progress bar. Only this file knows rich, and only a terminal ever loads it."""
from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn, DownloadColumn, MofNCompleteColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn,
)

#: Seconds over which games a second are counted.
WINDOW = 10.0


class Bar:
    """A bar over ``size`` bytes in ``files`` files. It is called with what was finished since it last heard."""

    def __init__(self, progress: Progress, verb: str, files: int, size: int) -> None:
        self._progress = progress
        self._files, self._size = files, size
        self._done = 0
        self._rate = Rate()
        self._task = progress.add_task(verb, total=size, done=0, files=files, games="")

    def __call__(self, new_files: int, new_bytes: int) -> None:
        self._done += new_files
        task = self._progress.tasks[0]
        size_now = max(self._size, int(task.completed) + new_bytes)  # archives hold more than they weigh
        self._progress.update(self._task, advance=new_bytes, total=size_now, done=self._done,
                              files=max(self._files, self._done))

    def games(self, new_games: int) -> None:
        """So many more games were read."""
        self._progress.update(self._task, games=f"{self._rate.count(new_games, time.monotonic()):,.0f} games/s")

    def now(self, verb: str) -> None:
        """All files are read, and something else is being done."""
        self._progress.update(self._task, description=verb, completed=self._progress.tasks[0].total)


class Rate:
    """How many a second, over the last `WINDOW` seconds.

    >>> rate = Rate()
    >>> rate.count(0, now=100.0), rate.count(500, now=100.5), rate.count(500, now=102.0), rate.count(0, now=111.0)
    (0.0, 1000.0, 500.0, 0.0)
    """

    def __init__(self) -> None:
        self._told: deque[tuple[float, int]] = deque()  # when, and how many there were by then
        self._total = 0

    def count(self, new: int, now: float) -> float:
        """The rate, with so many new ones."""
        self._total += new
        self._told.append((now, self._total))
        while len(self._told) > 2 and now - self._told[1][0] >= WINDOW:
            self._told.popleft()
        since, before = self._told[0]
        return (self._total - before) / (now - since) if now > since else 0.0


@contextmanager
def bar(verb: str, files: int, size: int) -> Iterator[Bar]:
    """A bar over ``size`` bytes in ``files`` files, as long as the block lasts."""
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), DownloadColumn(),
               TextColumn("{task.fields[done]}/{task.fields[files]} files"), TextColumn("{task.fields[games]}"),
               TimeRemainingColumn())
    both = sys.stdout.isatty()  # then rich must print results above the bar; elsewhere it must keep its hands off them
    with Progress(*columns, console=Console(stderr=True), transient=True, refresh_per_second=5, redirect_stdout=both,
                  redirect_stderr=True) as progress:
        yield Bar(progress, verb, files, size)


@contextmanager
def counting(verb: str, total: int, noun: str = "") -> Iterator[Callable[[int], None]]:
    """A bar over so many things of one kind; it takes how many were finished since it last heard."""
    both = sys.stdout.isatty()
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), MofNCompleteColumn(),
               TextColumn(noun), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, refresh_per_second=5, redirect_stdout=both,
                  redirect_stderr=True) as progress:
        task = progress.add_task(verb, total=total)

        def update(done: int) -> None:
            progress.update(task, advance=done)

        yield update
