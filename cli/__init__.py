"""The command line. ``main`` is the program; each command has a file of its own and is imported when it is used."""
from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

DONE, TROUBLE, FAILED, INTERRUPTED = 0, 1, 2, 130


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the program and leave with its exit status; nobody ever sees a traceback unless ``KIFU_DEBUG`` is set."""
    from kifu.cli.light import leave, lighten

    try:
        lighten()
        warnings.formatwarning = _plain
        status = run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:  # closed while the last of it was written
        status = DONE
    except KeyboardInterrupt:
        status = INTERRUPTED
    if status == DONE:
        _quiet_pipes()
    _settled()
    leave()
    sys.exit(status)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command line; returns the exit status."""
    import click

    from kifu.cli.app import ClosedPipe, cli

    try:
        status = cli.main(None if arguments is None else list(arguments), "kifu", standalone_mode=False)
        return status if isinstance(status, int) else DONE
    except (KeyboardInterrupt, click.exceptions.Abort):
        print("kifu: interrupted", file=sys.stderr)
        return INTERRUPTED
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as error:
        error.show()
        return FAILED
    except ClosedPipe:
        return DONE
    except Exception as error:
        if os.environ.get("KIFU_DEBUG", "") not in ("", "0"):
            raise
        print(f"kifu: {_told(error)}", file=sys.stderr)
        return FAILED


def _plain(message: Warning | str, *_category_and_place: object, **_line: object) -> str:
    """A warning of the library as a sentence, without the line of code that gave it."""
    return f"kifu: {message}\n"


def _told(error: Exception) -> str:
    """The one sentence about an error that nobody caught."""
    from kifu._core import StaleBuild

    store = sys.modules.get("kifu.store.errors")
    if isinstance(error, StaleBuild) or (store is not None and isinstance(error, store.StoreError)):
        return str(error)
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    if isinstance(error, MemoryError):
        return "out of memory"
    return f"internal error: {type(error).__name__}: {error} (KIFU_DEBUG=1 shows where; please report it)"


def _settled() -> None:
    """All is done: Ctrl-C while Python takes itself apart no longer changes how the program ends."""
    from _signal import SIG_IGN, SIGINT, signal  # type: ignore[import-not-found]  # what `signal` wraps in enumerations

    with suppress(ValueError):  # not the main thread
        signal(SIGINT, SIG_IGN)


def _quiet_pipes() -> None:
    """Python flushes standard output once more while it ends; a closed pipe must not turn that into a message."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
