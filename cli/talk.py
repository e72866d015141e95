"""What a command says: results on standard output, remarks and progress on standard error."""
from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kifu.cli.progress import Bar
    from kifu.pipeline import Failure, Problem

#: How much slower the core is without a compiler, as measured for the README.
SLOWER = "about 75 times"
Progress = Callable[[int, int], None]


class Talk:
    """Where a command's words go. ``failed`` is set by anything for which the exit status is 2."""

    def __init__(self, quiet: bool = False, no_color: bool = False) -> None:
        self.quiet = quiet
        self.failed = False
        self.told: set[str] = set()
        plain = no_color or bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
        self.color = not plain and sys.stdout.isatty()

    def out(self, text: str, end: str = "\n") -> None:
        """A result. What standard output cannot encode is written as an escape rather than lost or raised."""
        stream = sys.stdout
        try:
            stream.write(text + end)
        except UnicodeEncodeError:
            encoding = stream.encoding or "utf-8"
            stream.write((text + end).encode(encoding, "backslashreplace").decode(encoding))

    def raw(self, data: bytes) -> None:
        """A result that is bytes already."""
        sys.stdout.flush()
        stream = getattr(sys.stdout, "buffer", None)
        if stream is None:  # a test's stand-in for standard output
            sys.stdout.write(data.decode("utf-8", "replace"))
        else:
            stream.write(data)

    def say(self, text: str) -> None:
        """A remark, unless the user wants quiet."""
        if not self.quiet:
            self.error(text)

    def error(self, text: str) -> None:
        """Something that must be known, quiet or not. The same sentence is said once."""
        if text in self.told:
            return
        self.told.add(text)
        sys.stdout.flush()
        try:
            print(f"kifu: {text}", file=sys.stderr)
        except UnicodeEncodeError:
            print(f"kifu: {text!a}", file=sys.stderr)

    def flush(self) -> None:
        """All results that there are leave this process."""
        sys.stdout.flush()

    def aside(self, text: str) -> None:
        """What was asked for, quiet or not, while standard output holds something else."""
        sys.stdout.flush()
        print(text, file=sys.stderr)

    def problems(self, problems: Iterable[Problem]) -> None:
        """Paths of which nothing could be read. One that the user named means failure."""
        for problem in problems:
            self.error(problem.message)
            self.failed = self.failed or problem.named

    def failure(self, failure: Failure) -> None:
        """An error of ours in one file."""
        self.error(f"{failure.path}: {failure.message}")
        if os.environ.get("KIFU_DEBUG", "") not in ("", "0") and failure.details:
            print(failure.details, file=sys.stderr)
        self.failed = True

    def interpreted(self) -> None:
        """Say once, before much work, that the core is not compiled and what that costs."""
        from kifu._core import build_kind

        kind = build_kind()
        if kind != "compiled":
            self.say(f"running {kind}, {SLOWER} slower than compiled; a C compiler and a new installation mend that")

    @contextmanager
    def progress(self, paths: Iterable[str], verb: str) -> Iterator[Bar | None]:
        """A bar that counts files and shows their bytes; only on a terminal, and only where there is much to do."""
        if not self.watched:
            yield None
            return
        from kifu.pipeline import measure

        files, size = measure(paths)
        if size < 1 << 20:
            yield None
            return
        from kifu.cli.progress import bar

        with bar(verb, files, size) as update:
            yield update

    @contextmanager
    def counting(self, verb: str, total: int, noun: str = "", least: int = 0) -> Iterator[Callable[[int], None] | None]:
        """A bar that counts up to ``total`` things; only on a terminal, and only where there are ``least`` of them."""
        if not self.watched or total < least:
            yield None
            return
        from kifu.cli.progress import counting

        with counting(verb, total, noun) as update:
            yield update

    @property
    def watched(self) -> bool:
        """Whether somebody looks at standard error who wants to see how the work goes on."""
        return not self.quiet and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"

    def paint(self, text: str, code: str) -> str:
        """``text`` in a colour (an SGR code such as ``31``) where colours are wanted."""
        return f"\x1b[{code}m{text}\x1b[0m" if self.color else text
