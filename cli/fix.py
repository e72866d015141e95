"""``kifu check --fix``: files in their normal form, as a diff, as copies, or in their place."""
from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click
from kifu._tuples import NamedTuple
from kifu.cli.calm import Calm
from kifu.cli.findings import visible
from kifu.cli.options import Inputs
from kifu.cli.talk import Talk
from kifu.cli.words import counted

if TYPE_CHECKING:
    from kifu.cli.normal import Normal
    from kifu.cli.target import CopyTarget

    from kifu.pipeline import Options, Source

#: Lines and characters up to which a difference is shown line by line: the time for it may grow with their square.
MOST_LINES, MOST_CHARACTERS = 5000, 1 << 18
_SHADES = {"+": "32", "-": "31", "@": "36"}


class Fixed(NamedTuple):
    """What becomes of a file: its difference from the normal form (empty where it has it), or why it has none.

    ``data`` are the bytes of the copy, where one is wanted; ``before`` the size and last change of the file.
    """

    diff: str
    why: str = ""
    bad: bool = False
    unread: bool = False
    data: bytes | None = None
    before: tuple[int, int] = (0, 0)


class Fix(NamedTuple):
    """The task of a worker: a file to what becomes of it."""

    options: Options
    copies: bool
    in_place: bool
    color: bool
    terminal: bool  # where nothing that a file holds may move the cursor; elsewhere a difference is a patch

    def __call__(self, source: Source) -> Iterator[Fixed]:
        from kifu.cli.normal import normal

        from kifu.pipeline import read_bytes
        from kifu.pipeline.sources import reason

        before = (0, 0)
        try:
            if self.in_place:
                about = os.stat(source.path)
                before = about.st_size, about.st_mtime_ns
            data = read_bytes(source)
        except OSError as error:
            finding = getattr(error, "finding", None)
            yield Fixed("", f"{source.label}: {finding.message if finding else reason(error)}", True, True)
            return
        found = normal(source, self.options, data)
        if found is None:
            return
        changed = found.data != data
        if found.why or not (changed or self.copies):
            yield Fixed("", found.why, found.bad, found.unread)
        elif changed and self.in_place and source.packed:
            yield Fixed("", f"{source.label}: only a plain file can be replaced; --into writes a copy")
        else:
            shown = self.difference(source, found) if changed else ""
            yield Fixed(shown, data=found.data if self.copies or self.in_place else None, before=before)

    def difference(self, source: Source, found: Normal) -> str:
        """The difference in the form of ``diff -u``, or in a sentence where it is too large for that."""
        from difflib import unified_diff

        from kifu.cli.normal import lines_of

        from kifu.text import newlines

        old, new = lines_of(found.old), lines_of(found.new)
        head = f"--- {source.label}\n+++ {source.label}"
        if old == new:
            return f"{head}\n@@ the same text in other bytes @@"
        if len(old) + len(new) > MOST_LINES or len(found.old) + len(found.new) > MOST_CHARACTERS:
            return f"{head}\n@@ {counted(len(old), 'line')} become {counted(len(new), 'line')} @@"
        lines = []
        as_ever = newlines(found.old) == newlines(found.new)  # then the kind of line end is not shown
        for line in list(unified_diff(old, new))[2:]:
            whole = line.endswith(("\n", "\r"))
            text = line.rstrip("\r\n") if as_ever else line.removesuffix("\n")
            text = text[:1] + visible(text[1:]) if self.terminal else text
            shade = _SHADES.get(line[0], "") if self.color else ""
            lines.append(f"\x1b[{shade}m{text}\x1b[0m" if shade else text)
            if not whole:
                lines.append("\\ No newline at end of file")
        return "\n".join((head, *lines))


def run(inputs: Inputs, into: str | None, force: bool, talk: Talk) -> int:
    """Show the differences of all files, or write; returns the exit status."""
    from kifu.cli.target import CopyTarget, TargetExists

    if "-" in inputs.paths and (into or force):
        raise click.UsageError("what comes from standard input has no place to be written to; --fix alone shows it.")
    try:
        target = CopyTarget(into, force, inputs.find([], archives="list")) if into else None
    except TargetExists as error:
        raise click.UsageError(str(error)) from error
    task = Fix(inputs.options(), into is not None, force and into is None, talk.color,
               sys.stdout.isatty())
    counts: Counter[str] = Counter()
    talk.interpreted()
    with Calm() as calm:
        try:
            _run(inputs, task, target, counts, talk, calm)
            calm.finish()
        except KeyboardInterrupt:
            talk.error(f"interrupted; until then {_summary(counts, task)}")
            return 130
    if counts:
        talk.say(_summary(counts, task))
    return 2 if talk.failed else int(bool(counts["refused"]))


def _run(inputs: Inputs, task: Fix, target: CopyTarget | None, counts: Counter[str], talk: Talk, calm: Calm) -> None:
    from contextlib import ExitStack, closing

    from kifu.cli.target import TargetExists, replace

    from kifu.pipeline import Failure, Problem
    from kifu.pipeline import run as run_all

    problems: list[Problem] = []
    with ExitStack() as stack:
        progress = stack.enter_context(talk.progress(inputs.paths, "fixing"))
        if target is not None:
            stack.enter_context(target)
        sources = inputs.find(problems)
        if target is not None:
            sources = _outside(sources, target.folder)
        results = run_all(sources, task, jobs=inputs.processes, progress=progress)
        for source, fixed in stack.enter_context(closing(results)):
            if isinstance(fixed, Failure):
                talk.failure(fixed)
                counts["refused"] += 1
                continue
            counts["unread"] += fixed.unread
            with calm.writing:
                why = fixed.why
                try:
                    if fixed.data is not None and target is not None:
                        target.write(source, fixed.data)
                        target.next()
                    elif fixed.data is not None:
                        replace(source.path, fixed.data, fixed.before)
                except TargetExists as error:
                    why = str(error)
                except OSError as error:
                    why = f"{source.label}: {error.strerror or error}"
                if fixed.diff and not (task.copies or task.in_place):
                    talk.out(fixed.diff)
                if why:
                    talk.error(f"{why}; not fixed")
                counts["refused" if why else "changed" if fixed.diff else "normal"] += 1
    talk.problems(problems)
    if not counts and not problems:
        talk.error("no games were found" if target is None else
                   f"no games were found outside {target.folder}, where copies are not taken for input")
        talk.failed = True
    total = counts["refused"] + counts["changed"] + counts["normal"]
    talk.failed = talk.failed or bool(total) and total == counts["unread"]


def _outside(sources: Iterator[Source], folder: str) -> Iterator[Source]:
    """The files that are not below a folder: copies that were just written there are no input."""
    below = os.path.join(os.path.realpath(folder), "")
    return (source for source in sources if not os.path.realpath(source.path).startswith(below))


def _summary(counts: Counter[str], task: Fix) -> str:
    """How many files are what: ``2 files would change, 3 are normal already, 1 was not fixed``."""
    changed, normal, refused = (counts[name] for name in ("changed", "normal", "refused"))
    done = "was fixed" if changed == 1 else "were fixed"
    told = [f"{counted(changed, 'file', none='no')} {done if task.copies or task.in_place else 'would change'}"]
    if normal:
        told.append(f"{normal:,} {'is' if normal == 1 else 'are'} normal already")
    if refused:
        told.append(f"{refused:,} {'was' if refused == 1 else 'were'} not fixed")
    return ", ".join(told)
