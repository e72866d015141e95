"""``kifu check``: prove every game and say what is wrong with those that are none."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click
from kifu._tuples import NamedTuple
from kifu.cli.options import FindingNames, Inputs, reading, talking
from kifu.cli.talk import Talk
from kifu.cli.words import counted

if TYPE_CHECKING:
    from kifu.pipeline import Entry, Options, Source

VERDICTS = ("legal", "foul", "illegal", "unreadable")


class Told(NamedTuple):
    """What is said of one game, and what counts towards the summary.

    ``number`` is the game's in what was read at once, a file or a part of one; JSON names it.
    """

    text: str
    verdict: str
    bad: bool
    codes: Sequence[tuple[str, str, str]]
    unread: bool = False
    number: int = 0

    def numbered(self, number: int) -> str:
        """The text of the game that is ``number`` in its file."""
        if number == self.number or not self.text.startswith("{"):
            return self.text
        return self.text.replace(f'"member": null, "game": {self.number},', f'"member": null, "game": {number},', 1)


#: What is said of most games.
CLEAN = Told("", "legal", False, ())


class Check(NamedTuple):
    """The task of a worker: a file to what is said of each of its games."""

    options: Options
    as_json: bool
    moves: bool
    color: bool
    select: tuple[str, ...]
    ignore: tuple[str, ...]

    def __call__(self, source: Source) -> Iterator[Told]:
        from kifu.pipeline import games

        for entry in games(source, self.options):
            if not (entry.findings or self.as_json) and entry.verdict == "legal":
                yield CLEAN
                continue
            unread = entry.unread
            entry.findings = [found for found in entry.findings if self.wanted(found.code, found.name)]
            codes = [(found.code, found.name, found.severity) for found in entry.findings]
            yield Told(self.render(entry), entry.verdict, entry.bad, codes, unread, entry.number)

    def parts(self, source: Source) -> list[Source]:
        """The parts of a large file."""
        from kifu.pipeline import split

        return split(source, self.options)

    def wanted(self, code: str, name: str) -> bool:
        """Whether ``--select`` and ``--ignore`` let a finding through: by code, the beginning of a code, or name."""
        if self.select and not any(code.startswith(one) or name == one for one in self.select):
            return False
        return not any(code.startswith(one) or name == one for one in self.ignore)

    def render(self, entry: Entry) -> str:
        """One line of JSON, or a block for each finding."""
        if self.as_json:
            from kifu.cli.render import json_line

            return json_line(entry.row(self.moves))
        from kifu.cli.findings import finding_text

        return "\n".join(finding_text(entry.source.label, found, entry.lines, self.color) for found in entry.findings)


class Tally:
    """Counts for the summary."""

    def __init__(self, files: int = 0) -> None:
        self.files = files
        self.unread = 0  # files of which not even the bytes could be had
        self.verdicts: Counter[str] = Counter()
        self.severities: Counter[str] = Counter()
        self.codes: Counter[tuple[str, str]] = Counter()
        self.bad = False
        self.first: dict[str, str] = {}  # the first code of each severity

    def add(self, told: Told) -> None:
        self.verdicts[told.verdict] += 1
        if told.unread:
            self.unread += 1
        if told.bad:
            self.bad = True
        for code, name, severity in told.codes:
            self.severities[severity] += 1
            self.first.setdefault(severity, code)
            self.codes[code, name] += 1

    def summary(self) -> str:
        """One line: games by verdict, findings by severity.

        >>> tally = Tally(1); tally.add(Told("", "legal", False, [])); tally.summary()
        '1 game in 1 file: 1 legal; no errors, no warnings'
        """
        count = self.verdicts.total()
        verdicts = ", ".join(f"{self.verdicts[name]} {name}" for name in VERDICTS if self.verdicts[name]) or "none"
        found = ", ".join(counted(self.severities[name], name, none="no") for name in ("error", "warning"))
        return f"{counted(count, 'game', none='no')} in {counted(self.files, 'file', none='no')}: {verdicts}; {found}"


@click.command("check", short_help="Prove every game; say what is wrong, where, and why.")
@reading()
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True,
              help="Findings as text, or one JSON object a game.")
@click.option("--select", metavar="CODES", type=FindingNames(), default="",
              help="Only findings of these codes, beginnings of codes, or names, e.g. K4,result-count.")
@click.option("--ignore", metavar="CODES", type=FindingNames(), default="",
              help="No findings of these codes, beginnings of codes, or names.")
@click.option("--moves", is_flag=True, help="With --format json: the legal moves as a list in USI.")
@click.option("--statistics", is_flag=True, help="How often each finding occurs.")
@talking
def command(inputs: Inputs, form: str, select: tuple[str, ...], ignore: tuple[str, ...], moves: bool,
            statistics: bool, talk: Talk) -> int:
    """Prove every game of PATH..., files, folders and archives, move by move.

    Each finding is one block: where it is (in an archive as games.zip/sub/a.kif), its code and name, what is wrong,
    the line with a mark below the place, and a hint. The last line counts the games by verdict: legal, foul (the game
    ended by an illegal move and says so), illegal, unreadable. The exit status is 1 if any game is illegal or
    unreadable or has an error.

    \b
    Examples:
      kifu check sample_games/
      kifu check sample_games/ --format json --moves
      kifu check sample_games/ --ignore K1 --statistics --quiet
    """
    from kifu.pipeline import Failure, Problem, run

    check = Check(inputs.options(), form == "json", moves, talk.color, select, ignore)
    problems: list[Problem] = []
    tally = Tally()
    talk.interpreted()
    with talk.progress(inputs.paths, "checking") as progress:
        previous = None
        number = 0
        sources = inputs.find(problems, sizes=progress is not None or inputs.processes != 1)
        for source, told in run(sources, check, jobs=inputs.processes, progress=progress):
            if source is not previous:
                tally.files += 1
                previous, number = source, 0
            if isinstance(told, Failure):
                talk.failure(told)
                continue
            tally.add(told)
            number += 1
            if told.text:
                talk.out(told.numbered(number) if form == "json" else told.text)
    talk.problems(problems)
    if not tally.files and not problems:
        talk.error("no games were found")
        talk.failed = True
    talk.failed = talk.failed or bool(tally.files) and tally.files == tally.unread
    if form == "text" and tally.files:
        talk.out(tally.summary())
        if tally.first:
            talk.say(f"kifu explain {tally.first.get('error') or tally.first['warning']} tells more")
    if statistics:
        (talk.out if form == "text" else talk.say)(_table(tally))
    return 2 if talk.failed else int(tally.bad)


def _table(tally: Tally) -> str:
    rows = sorted(tally.codes.items(), key=lambda item: (-item[1], item[0]))
    return "\n".join(f"{count:8} {code} {name}" for (code, name), count in rows) or "       0 findings"
