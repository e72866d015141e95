"""Tasks that workers can import by name."""
from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from kifu.pipeline import Source


def words(source: Source) -> Iterator[str]:
    """The words of a file. Some words do what no task should."""
    for word in Path(source.path).read_text().split():
        if word == "raise":
            raise ValueError("no such word")
        if word == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if word == "leave":
            os._exit(3)
        if word == "sleep":
            time.sleep(60)
        if word == "many":
            yield from (f"{word}{number}" for number in range(20_000))
        yield word


class Sentences:
    """The words of files, packed into one text; the word "odd" cannot be packed."""

    def __call__(self, source: Source) -> Iterator[str]:
        return words(source)

    def packed(self, some: Sequence[str]) -> str:
        if "odd" in some:
            raise ValueError("an odd word")
        return " ".join(some)
