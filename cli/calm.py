"""Ctrl-C between two results, never in the middle of one: what was written until then is whole."""
from __future__ import annotations

import signal
from contextlib import suppress
from types import FrameType, TracebackType
from typing import Any


class Calm:
    """While ``with calm.writing:`` is at work an interruption waits; elsewhere it is raised at once.

    A second object for the inner ``with`` is made once, since it is entered for every result.
    """

    def __init__(self) -> None:
        self.writing = _Writing()
        self._before: Any = None

    def __enter__(self) -> Calm:
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            with suppress(ValueError):  # not the main thread, so that no signal comes here
                self._before = signal.signal(signal.SIGINT, self.writing.interrupt)
        return self

    def finish(self) -> None:
        """From here on nothing is interrupted any more: the end of what was written follows."""
        self.writing.busy = True

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)


class _Writing:
    """Whether something is written, and whether an interruption waits for that."""

    def __init__(self) -> None:
        self.busy = self.waiting = False

    def interrupt(self, number: int, frame: FrameType | None) -> None:
        """The handler of the signal. One interruption is enough: none disturbs the work that follows on it."""
        if self.busy:
            self.waiting = True
            return
        self.busy = True
        raise KeyboardInterrupt

    def __enter__(self) -> None:
        self.busy = True

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        if self.waiting:
            self.waiting = False
            raise KeyboardInterrupt
        self.busy = False
