"""``kifu detect``: what a file is, and why that was thought."""
from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click
from kifu._tuples import NamedTuple
from kifu.cli.options import Inputs, reading, talking
from kifu.cli.talk import Talk
from kifu.cli.words import counted

if TYPE_CHECKING:
    from kifu.pipeline import Options, Source


class Found(NamedTuple):
    """What one file is, in words; ``known`` where it holds a notation that was recognised."""

    text: str
    known: bool
    unread: bool = False


class Detect(NamedTuple):
    """The task of a worker: a file to what it is."""

    options: Options
    verbose: bool

    def __call__(self, source: Source) -> Iterator[Found]:
        from kifu.notation import of_bytes, read
        from kifu.notation.detect import detect, notation_of
        from kifu.notation.pieces import holds_nothing
        from kifu.pipeline.entries import read_bytes, records
        from kifu.pipeline.sources import reason
        from kifu.text import decode

        try:
            data = read_bytes(source)
        except OSError as error:
            yield Found(f"{source.label}: {reason(error)}", False, True)
            return
        if packed := of_bytes(self.options.notation, source.suffix):
            count = sum(record.start is not None for record in read(data, packed))
            why = "" if not self.verbose else "\n    the option --from names it" if self.options.notation else \
                f"\n    the file name ends in {source.suffix}"
            yield Found(f"{source.path}: {packed}, binary, {counted(count, 'game')}{why}", count > 0)
            return
        decoded = decode(data, self.options.encoding)
        evidence: list[str] = []
        if self.verbose:
            found: str | None
            found, evidence, _ = detect(decoded.text, source.suffix)
        else:  # the reasons are most of the work
            found = notation_of(decoded.text, source.suffix)
        notation = self.options.notation or found
        if notation is None and source.passed_over:
            return
        count = sum(not holds_nothing(record) for record, _ in
                    records(decoded.text, notation, self.options)) if notation else 0
        about = decoded.encoding + (" with BOM" if decoded.bom else "")
        parts = [notation or "unknown notation", about, f"line ends {decoded.newline}",
                 counted(count, "game")]
        lines = [f"{source.label}: {', '.join(parts)}"]
        if self.verbose:
            lines += [f"    {line}" for line in evidence or ["nothing in the text speaks for any notation"]]
            if decoded.declared:
                lines.append(f"    declares the encoding {decoded.declared}")
            lines += [f"    line {found.line}: {found.code} {found.name}: {found.message}"
                      for found in decoded.diagnostics]
        yield Found("\n".join(lines), count > 0)


@click.command("detect", short_help="Say which notation, encoding and line ends files have.")
@reading()
@click.option("-v", "--verbose", is_flag=True, help="Show what speaks for the notation.")
@talking
def command(inputs: Inputs, verbose: bool, talk: Talk) -> int:
    """Say of each file its notation, encoding, line ends and number of games.

    The text decides; the suffix only where the text leaves it open. The exit status is 1 if some file was not
    recognised.

    \b
    Examples:
      kifu detect sample_games/
      kifu detect -v sample_games/
    """
    from kifu.pipeline import Failure, Problem, run

    problems: list[Problem] = []
    known = True
    any_file = readable = False
    with talk.progress(inputs.paths, "looking") as progress:
        for _, found in run(inputs.find(problems), Detect(inputs.options(), verbose), jobs=inputs.processes,
                            progress=progress):
            any_file = True
            if isinstance(found, Failure):
                talk.failure(found)
                continue
            known = known and found.known
            readable = readable or not found.unread
            talk.out(found.text)
    talk.problems(problems)
    if not any_file and not problems:
        talk.error("no games were found")
        talk.failed = True
    talk.failed = talk.failed or any_file and not readable
    return 2 if talk.failed else int(not known)
