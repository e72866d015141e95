"""The progress bar. Only this file knows rich, and only a terminal ever loads it."""
from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn, DownloadColumn, MofNCompleteColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn,
)


@contextmanager
def bar(verb: str, files: int, size: int) -> Iterator[Callable[[int, int], None]]:
    """A bar over ``size`` bytes in ``files`` files; it takes what was finished since it last heard."""
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), DownloadColumn(),
               TextColumn("{task.fields[done]}/{task.fields[files]} files"), TimeRemainingColumn())
    both = sys.stdout.isatty()  # then rich must print results above the bar; elsewhere it must keep its hands off them
    with Progress(*columns, console=Console(stderr=True), transient=True, refresh_per_second=5, redirect_stdout=both,
                  redirect_stderr=True) as progress:
        task = progress.add_task(verb, total=size, done=0, files=files)
        done = 0

        def update(new_files: int, new_bytes: int) -> None:
            nonlocal done
            done += new_files
            size_now = max(size, int(progress.tasks[0].completed) + new_bytes)  # archives hold more than they weigh
            progress.update(task, advance=new_bytes, total=size_now, done=done, files=max(files, done))

        yield update


@contextmanager
def counting(verb: str, noun: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar over ``total`` things of one sort; it takes how many more are done."""
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), MofNCompleteColumn(),
               TextColumn(noun), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, refresh_per_second=5) as progress:
        task = progress.add_task(verb, total=total)
        yield lambda more: progress.update(task, advance=more)
