"""``kifu solve``: prove mate problems, and say what is wrong with them."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click
from kifu._tuples import NamedTuple
from kifu.cli.options import ORDINARY, Inputs, reading, talking
from kifu.cli.talk import Talk
from kifu.cli.words import counted

if TYPE_CHECKING:
    from kifu.diagnostics import Diagnostic
    from kifu.pipeline import Entry, Options, Source
    from kifu.record import Game

#: What a problem can turn out to be, in the order of the summary.
OUTCOMES = ("sound", "flawed", "no mate", "not found", "no problem", "hisshi", "not hisshi")
GOOD = ("sound", "hisshi")


class Asked(NamedTuple):
    """What is asked about each problem, and how the answer is to be told."""

    depth: int
    seconds: float
    nodes: int | None
    hisshi: bool
    as_json: bool
    notation: str
    color: bool
    mode: str = "default"


class Told(NamedTuple):
    """What is said of one problem; ``unread`` where not even the bytes of its file could be had."""

    text: str
    outcome: str
    unread: bool = False


class Solve(NamedTuple):
    """The task of a worker: a file to what is said of each of its problems."""

    options: Options
    asked: Asked

    def __call__(self, source: Source) -> Iterator[Told]:
        from kifu.pipeline import games

        for entry in games(source, self.options):
            yield _of_entry(entry, self.asked)


def _of_entry(entry: Entry, asked: Asked) -> Told:
    """Solve the start position of a game, and compare the moves of the game with the proof."""
    from kifu.cli.answers import answer, refusal

    game = entry.game
    errors = [found for found in entry.findings if found.severity == "error"]
    place = {"path": entry.source.path, "member": entry.source.member, "game": entry.number, "line": entry.line}
    label = f"{entry.source.label}:{entry.line}"
    if game is None or not game.start:
        if asked.as_json or not errors:
            text = refusal(place, label, [*entry.findings], asked)
        else:
            from kifu.cli.findings import finding_text

            text = "\n".join(finding_text(entry.source.label, found, entry.lines, asked.color) for found in errors)
        return Told(text, "no problem", entry.unread)
    if game.verdict == "illegal":
        game, errors = _with_all_men(game, errors, asked)
    text, outcome = answer(place, label, game.start, game.variant, list(game.moves), errors, asked)
    return Told(text, outcome)


def _with_all_men(game: Game, errors: list[Diagnostic], asked: Asked) -> tuple[Game, list[Diagnostic]]:
    """The game and its errors once the defender holds the men that the record leaves out: he may drop them."""
    from kifu.problems import ProblemError, problem_of
    from kifu.replay import replay

    try:
        problem = problem_of(game.start, defends=asked.hisshi)
    except ProblemError:
        return game, errors
    if not problem.filled:
        return game, errors
    given, game.record.start = game.record.start, problem.sfen
    again = replay(game.record)
    game.record.start = given
    again.start = game.start  # what was filled in is still to be told
    return again, [found for found in again.diagnostics if found.severity == "error"]


@click.command("solve", short_help="Solve mate problems (tsume); say whether they are sound.")
@reading()
@click.option("--depth", type=click.IntRange(1, 185), default=31, show_default=True, metavar="N",
              help="The longest mate to look for, in moves of both sides.")
@click.option("--time", "seconds", type=click.FloatRange(0, min_open=True), default=30.0, show_default=True,
              metavar="SECONDS", help="The most time for one problem.")
@click.option("--nodes", type=click.IntRange(min=1), metavar="N",
              help="The most positions to search for one problem: a limit that is the same on every machine.")
@click.option("--hisshi", is_flag=True, help="Whether the side to move is lost to a mate whatever it plays.")
@click.option("--notation", "spelling", type=click.Choice(["ki2", "western", "usi"]), default="ki2", show_default=True,
              help="How moves are written.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True,
              help="Text for people, or one JSON object a problem.")
@talking
def command(inputs: Inputs, depth: int, seconds: float, nodes: int | None, hisshi: bool, spelling: str, form: str,
            talk: Talk) -> int:
    """Solve the mate problems in PATH..., files, folders and archives, or of one position given as SFEN; all of
    ordinary shogi.

    The side to move attacks, with nothing but checks; the other side holds every man that is nowhere else. The answer
    is the shortest mate against the longest defence, useless interposition not counted; whether another first or
    middle move mates as well; whether men are left over; and, where the record has moves, whether they are the
    solution. "No mate" is proven; "not found" means that a limit was hit first. With --strict what is tolerated in a
    problem, such as a free choice of promotion, is a flaw. The exit status is 1 if any problem is not sound.

    \b
    Examples:
      kifu solve sample_games/tsume.kif
      kifu solve sample_games/problems.usi --depth 9 --notation western
      kifu solve "7nk/9/7P1/9/9/9/9/9/9 b G2r2b3g4s3n4l17p 1" --format json
      kifu solve --hisshi "7nk/9/7P1/9/9/9/9/9/9 w G2r2b3g4s3n4l17p 1"
    """
    from kifu.problems import is_sfen

    asked = Asked(depth, seconds, nodes, hisshi, form == "json", spelling, talk.color, inputs.mode)
    talk.interpreted()
    outcomes: Counter[str] = Counter()
    joined = " ".join(inputs.paths)
    kind = _kind_of(joined, inputs.variant)
    if is_sfen(joined) or kind != ORDINARY:
        from kifu.cli.answers import answer

        place: dict[str, Any] = {"path": None, "member": None, "game": 1, "line": 1}
        text, outcome = answer(place, "", joined, kind, [], [], asked)
        talk.out(text)
        return int(outcome not in GOOD)
    _all(inputs, asked, outcomes, talk)
    if form == "text" and outcomes.total() > 1:
        parts = [f"{outcomes[name]} {name}" for name in OUTCOMES if outcomes[name]]
        talk.out(f"{counted(outcomes.total(), 'problem')}: {', '.join(parts)}")
    return 2 if talk.failed else int(any(name not in GOOD for name in outcomes))


def _kind_of(text: str, variant: str | None) -> str:
    """The kind of shogi that a text is a position of: the one that was named where it fits, else the first that does;
    ordinary shogi for a text that is none."""
    from kifu.problems import bare
    from kifu.rules.recognise import fitting

    fields = bare(text).split()
    kinds = fitting(" ".join(fields)) if len(fields) > 1 and fields[1] in ("b", "w") else ()
    return variant if variant in kinds else kinds[0] if kinds and ORDINARY not in kinds else ORDINARY


def _all(inputs: Inputs, asked: Asked, outcomes: Counter[str], talk: Talk) -> None:
    """Solve what the paths hold, and count."""
    from kifu.pipeline import Failure, Problem, run

    problems: list[Problem] = []
    files = unread = 0
    previous = None
    with talk.progress(inputs.paths, "solving") as progress:
        for source, told in run(inputs.find(problems), Solve(inputs.options(), asked), jobs=inputs.processes,
                                progress=progress):
            files += source is not previous
            previous = source
            if isinstance(told, Failure):
                talk.failure(told)
                continue
            outcomes[told.outcome] += 1
            unread += told.unread
            talk.out(told.text)
    talk.problems(problems)
    if not files and not problems:
        talk.error("no games were found")
        talk.failed = True
    talk.failed = talk.failed or bool(files) and files == unread
