"""``kifu check``: prove every game and say what is wrong with those that are none."""
from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click
from kifu._tuples import NamedTuple
from kifu.cli.calm import Calm
from kifu.cli.options import FindingNames, Inputs, OutputFile, reading, talking, together
from kifu.cli.reports import FORMS, NUMBER, form
from kifu.cli.statistics import Seen, Tally
from kifu.cli.talk import Talk

if TYPE_CHECKING:
    from kifu.cli.checkpoint import Checkpoint
    from kifu.cli.reports import Form

    from kifu.diagnostics import Diagnostic
    from kifu.pipeline import Options, Problem, Source

INTERRUPTED = 130


class Told(NamedTuple):
    """What is said of one game, and what counts towards the summary."""

    text: str
    verdict: str
    bad: bool
    seen: Sequence[Seen]
    unread: bool = False


#: What is said of most games.
CLEAN = Told("", "legal", False, ())


class Check(NamedTuple):
    """The task of a worker: a file to what is said of each of its games."""

    options: Options
    form: Form
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    per_file: tuple[tuple[str, tuple[str, ...]], ...] = ()
    folder: str = ""  # where the patterns of ``per_file`` begin

    def __call__(self, source: Source) -> Iterator[Told]:
        from kifu.pipeline import games

        every = self.form.every_game
        ignore = self.ignored(source) if self.per_file else self.ignore
        for entry in games(source, self.options):
            if not (entry.findings or every) and entry.verdict == "legal":
                yield CLEAN
                continue
            unread = entry.unread
            entry.findings = [found for found in entry.findings if self.wanted(found, ignore)]
            yield Told(self.form.game(entry), entry.verdict, entry.bad, seen(entry.findings), unread)

    def parts(self, source: Source) -> list[Source]:
        """The parts of a large file."""
        from kifu.pipeline import split

        return split(source, self.options)

    def wanted(self, found: Diagnostic, ignore: Sequence[str]) -> bool:
        """Whether what was asked for lets a finding through: by code, the beginning of a code, or name."""
        return (not self.select or called(found, self.select)) and not called(found, ignore)

    def ignored(self, source: Source) -> Sequence[str]:
        """What is ignored in a file: everywhere, and by its path."""
        from kifu.cli.patterns import ignored

        path = source.path if source.member is None else f"{source.path}/{source.member}"
        return self.ignore + ignored(self.per_file, self.folder, path)


def called(found: Diagnostic, asked: Sequence[str]) -> bool:
    """Whether a finding is among those asked for by code, by the beginning of a code, or by name."""
    return any(found.code.startswith(one) or found.name == one for one in asked)


def seen(findings: Sequence[Diagnostic]) -> list[Seen]:
    """The findings of a game by kind."""
    kinds: dict[tuple[str, str], Seen] = {}
    for found in findings:
        key = found.code, found.severity
        count, line = kinds[key][3:] if key in kinds else (0, found.line)
        kinds[key] = (found.code, found.name, found.severity, count + 1, line)
    return list(kinds.values())


class Output:
    """Takes what is said of each game, in order, and keeps the form's document whole whenever the work ends."""

    def __init__(self, talk: Talk, form: Form) -> None:
        self.talk = talk
        self.form = form
        self.first = True
        self.troubles: list[str] = []

    def begin(self) -> None:
        if head := self.form.head():
            self.talk.out(head)

    def put(self, text: str, number: int) -> None:
        """What is said of the game that is ``number`` in its file."""
        if NUMBER in text:
            text = text.replace(NUMBER, str(number))
        self.talk.out(self.form.joined(text, self.first))
        self.first = False

    def end(self, status: int) -> None:
        if tail := self.form.tail(status, self.troubles):
            self.talk.out(tail)


@click.command("check", short_help="Prove every game; say what is wrong, where, and why.")
@reading()
@click.option("--format", "form_name", type=click.Choice(FORMS), default="text", show_default=True,
              help="Findings as text, one JSON object a game, a SARIF document, or annotations of GitHub Actions.")
@click.option("--select", metavar="CODES", type=FindingNames(), multiple=True, callback=together,
              help="Only findings of these codes, beginnings of codes, or names, e.g. K4,result-count.")
@click.option("--ignore", metavar="CODES", type=FindingNames(), multiple=True, callback=together,
              help="No findings of these codes, beginnings of codes, or names.")
@click.option("--moves", is_flag=True, help="With --format json: the legal moves as a list in USI.")
@click.option("--statistics", is_flag=True,
              help="How often each finding occurs, in how many games and files, and where one is.")
@click.option("--resume", "checkpoint_file", metavar="FILE", type=OutputFile(),
              help="Note in FILE which files are done; after an interruption the same command goes on with the others, "
                   "and tells their findings only. FILE is removed when all is done.")
@click.option("--fix", is_flag=True,
              help="Show how each file would look in its normal form, as a diff; with --into or --force, write it.")
@click.option("--into", metavar="DIR", type=click.Path(file_okay=False),
              help="With --fix: write copies into this folder, keeping sub-folders.")
@click.option("--force", is_flag=True, help="With --fix: replace the files themselves; with --into, existing copies.")
@talking
def command(inputs: Inputs, form_name: str, select: tuple[str, ...], ignore: tuple[str, ...], moves: bool,
            statistics: bool, checkpoint_file: str | None, fix: bool, into: str | None, force: bool, talk: Talk) -> int:
    """Prove every game of PATH..., files, folders and archives, move by move.

    Each finding is one block: where it is (in an archive as games.zip/sub/a.kif), its code and name, what is wrong,
    the line with a mark below the place, and a hint. The last line counts the games by verdict: legal, foul (the game
    ended by an illegal move and says so), illegal, unreadable. The exit status is 1 if any game is illegal or
    unreadable or has an error.

    --fix shows how each file would look if kifu had written it, in the same notation, encoding and line ends. Only
    files of which nothing can be lost are fixed: the copy is read again and must hold the same moves, variations,
    clocks, comments, headers and ends. Of the others the reason is told, and the exit status is 1.

    Defaults come from the nearest kifu.toml, or [tool.kifu] in pyproject.toml: select, ignore, per-file-ignores,
    format, mode, from, encoding, variant, handicap, rules, jobs, quiet.

    \b
    Examples:
      kifu check sample_games/
      kifu check sample_games/ --format json --moves
      kifu check sample_games/ --format sarif
      kifu check sample_games/ --ignore K1 --statistics --quiet
      kifu check sample_games/ --resume check.state
      kifu check sample_games/ --fix
      kifu check sample_games/ --fix --into fixed/
    """
    if fix:
        _alone("--fix", ("form_name", "moves", "statistics", "checkpoint_file"))
        from kifu.cli.fix import run as fix_all

        return fix_all(inputs, into, force, talk)
    if into or force:
        raise click.UsageError(f"{'--into' if into else '--force'} needs --fix.")
    check = Check(inputs.options(), form(form_name, color=talk.color, moves=moves), select, ignore,
                  *((inputs.config.per_file, inputs.config.folder) if inputs.config else ()))
    tally = Tally()
    output = Output(talk, check.form)
    talk.interpreted()
    with Calm() as calm:
        checkpoint = _opened(checkpoint_file, check, form_name, inputs.paths) if checkpoint_file else None
        output.begin()
        try:
            status = _run(inputs, check, tally, output, calm, checkpoint)
            calm.finish()
        except KeyboardInterrupt:
            status = INTERRUPTED
        output.end(status)
        if checkpoint is not None:
            talk.flush()
            checkpoint.close(finished=status != INTERRUPTED)
        _summarise(talk, check.form, tally, statistics, status)
        if checkpoint is not None and status == INTERRUPTED:
            talk.error(f"the same command goes on from there, as {checkpoint.path} tells")
        if checkpoint is not None and checkpoint.skipped:
            talk.say(f"{checkpoint.skipped:,} of these files had been checked before, as {checkpoint.path} told")
    return status


def _opened(path: str, check: Check, form_name: str, paths: Sequence[str]) -> Checkpoint:
    """The checkpoint at a path, for a check that asks for the same."""
    from kifu import __version__
    from kifu.cli.checkpoint import Checkpoint, CheckpointError

    options = check.options
    asked = {"version": __version__, "PATH": [os.path.abspath(one) for one in paths], "format": form_name,
             **dict(zip(options._fields, options, strict=True)), "select": check.select, "ignore": check.ignore,
             "per-file-ignores": check.per_file}
    try:
        return Checkpoint(path, asked)
    except CheckpointError as error:
        raise click.UsageError(str(error)) from error


def _alone(option: str, others: Sequence[str]) -> None:
    """Refuse options of the command line that have no meaning beside another; a configuration may have them."""
    ctx = click.get_current_context()
    for other in ctx.command.params:
        if other.name in others and ctx.get_parameter_source(other.name) is click.core.ParameterSource.COMMANDLINE:
            raise click.UsageError(f"{option} and {other.opts[0]} cannot be used together.")


def _run(inputs: Inputs, check: Check, tally: Tally, output: Output, calm: Calm,
         checkpoint: Checkpoint | None) -> int:
    """Check all; returns the exit status."""
    from contextlib import closing

    from kifu.pipeline import Failure, run

    talk = output.talk
    problems: list[Problem] = []
    with talk.progress(inputs.paths, "checking") as progress:
        previous: Source | None = None
        number = 0
        journal = Journal(checkpoint, talk) if checkpoint else None
        sources = inputs.find(problems, sizes=progress is not None or inputs.processes != 1)
        if checkpoint is not None:
            sources = checkpoint.left(sources, tally, progress)
        with closing(run(sources, check, jobs=inputs.processes, progress=progress)) as results:
            for source, told in results:
                if source is not previous:
                    if journal is not None:
                        with calm.writing:
                            journal.begin(source)
                    tally.begin(source.label)
                    previous, number = source, 0
                if isinstance(told, Failure):
                    output.troubles.append(f"{told.path}: {told.message}")
                    talk.failure(told)
                    if journal is not None:
                        journal.forget()
                    continue
                number += 1
                with calm.writing:
                    tally.add(told.verdict, told.bad, told.unread, told.seen)
                    if told.text:
                        output.put(told.text, number)
                    if journal is not None:
                        journal.add(told)
    output.troubles.extend(problem.message for problem in problems)
    talk.problems(problems)
    if not tally.files and not problems:
        talk.error("no games were found")
        talk.failed = True
    talk.failed = talk.failed or bool(tally.files) and tally.files == tally.unread
    return 2 if talk.failed else int(tally.bad)


class Journal:
    """Keeps a checkpoint up with a run: what each file adds to the summary."""

    def __init__(self, checkpoint: Checkpoint, talk: Talk) -> None:
        self.checkpoint = checkpoint
        self.talk = talk
        self.source: Source | None = None
        self.tally = Tally()

    def begin(self, source: Source) -> None:
        """A file, so that the one before it is done."""
        if self.source is not None:
            self.checkpoint.done(self.source, self.tally)
            if self.checkpoint.due:
                self.talk.flush()
                self.checkpoint.write()
        self.source = source
        self.tally = Tally()
        self.tally.begin(source.label)

    def add(self, told: Told) -> None:
        """One more game of the file."""
        self.tally.add(told.verdict, told.bad, told.unread, told.seen)

    def forget(self) -> None:
        """The file failed for a reason that is ours: it is to be read again."""
        self.source = None


def _summarise(talk: Talk, form: Form, tally: Tally, statistics: bool, status: int) -> None:
    """The summary, where text may stand; the table of statistics in any case where it was asked for."""
    if status == INTERRUPTED:
        talk.error(f"interrupted; until then {tally.summary()}")
    elif tally.files and form.summarised:
        summary = tally.summary()
        (talk.out if form.for_people else talk.say)(summary)
        if not statistics and (more := tally.more()):
            (talk.out if form.for_people else talk.say)(more)
        if form.for_people and tally.kinds:
            talk.say(f"more about {tally.first}: kifu explain {tally.first}")
    if statistics:
        (talk.out if form.for_people else talk.aside)(tally.table())
