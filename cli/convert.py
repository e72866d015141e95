"""``kifu convert``: any notation to any other, and an account of what the target cannot hold."""
from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click
from kifu._tuples import NamedTuple
from kifu.cli.options import WRITABLE, EncodingName, Inputs, NotationName, OutputFile, reading, talking
from kifu.cli.pieces import pieces_options, style_of
from kifu.cli.talk import Talk
from kifu.cli.words import counted, listed

if TYPE_CHECKING:
    from kifu.cli.target import Target

    from kifu.diagnostics import Diagnostic
    from kifu.pipeline import Entry, Options, Source


class Converted(NamedTuple):
    """One game as text or bytes (None where it was not converted), what the text lost, and what must be said of it."""

    text: str | bytes | None
    losses: dict[str, int]
    remark: str = ""
    bad: bool = False
    unread: bool = False


class Convert(NamedTuple):
    """The task of a worker: a file to the text of each of its games."""

    options: Options
    to: str
    style: str | None
    fail_on_loss: bool

    def __call__(self, source: Source) -> Iterator[Converted]:
        from kifu.pipeline import games

        for entry in games(source, self.options):
            yield self.one(entry)

    def parts(self, source: Source) -> list[Source]:
        """The parts of a large file."""
        from kifu.pipeline import split

        return split(source, self.options)

    def one(self, entry: Entry) -> Converted:
        from kifu.notation import writer
        from kifu.notation.writing import UnwritableError

        salvaged = entry.verdict in ("illegal", "unreadable")
        if self.options.mode == "strict" and entry.bad:
            return Converted(None, {}, f"{why(entry)}; not converted", True, entry.unread)
        if salvaged and (self.options.mode != "salvage" or entry.game is None or not entry.game.start):
            return Converted(None, {}, f"{why(entry)}; not converted", True, entry.unread)
        game = entry.game
        assert game is not None
        if salvaged:
            from kifu.replay import keep_legal_part

            keep_legal_part(game)
        target = writer(self.to, self.style)
        try:
            text = target.write(target.held(game))
        except UnwritableError as error:
            return Converted(None, {}, f"{_where(entry)}: {error}; not converted", True)
        losses = dict(target.losses)
        if losses and self.fail_on_loss:
            return Converted(None, {}, f"{_where(entry)}: would lose {listed(losses)}; not converted", True)
        if salvaged:
            kept = f"{counted(game.plies, 'legal move')} {'was' if game.plies == 1 else 'were'} written"
            return Converted(text, losses, f"{why(entry)}; {kept}", True)
        return Converted(text, losses, why(entry) if entry.bad else "", entry.bad)


def _where(entry: Entry) -> str:
    return f"{entry.source.label}:{entry.line}"


def why(entry: Entry, found: Diagnostic | None = None) -> str:
    """The place and sentence of a finding; where none is named, of the one that matters most."""
    errors = [one for one in entry.findings if one.severity == "error"] or entry.findings
    if found is None and not errors:
        return f"{_where(entry)}: the game is {entry.verdict}"
    first = found or errors[0]
    place = f"{entry.source.label}:{max(first.line, 1)}:{max(first.column, 1)}"
    return f"{place}: {first.code} {first.name}: {first.message}"


def _all_characters(to: str, output: str | None) -> str:
    """How to write characters that an encoding lacks: in UTF-8, which KIF and KI2 also have a suffix for."""
    from kifu.notation import REGISTRY

    told = "hint: --to-encoding utf-8 has every character"
    suffix = {".kif": ".kifu", ".ki2": ".ki2u"}.get(REGISTRY[to].suffix)
    if output and suffix and not output.endswith(suffix):
        told += f"; so has -o {os.path.splitext(output)[0]}{suffix}, a suffix that means UTF-8"
    return told


@click.command("convert", short_help="Write games in another notation; say what is lost.")
@reading()
@click.option("--to", type=NotationName(written=True), required=True, help=f"The notation to write: {WRITABLE}.")
@click.option("--style", metavar="STYLE",
              help="How moves are spelled. Western: hodges (the usual one), names, numeric, hosking, kitao-kawasaki, "
                   "animals, animals-cs.")
@pieces_options("Western text: name the men so, as in Chick-7f or, with --lang cs, Kuře-7f.")
@click.option("-o", "--output", metavar="FILE", type=OutputFile(), help="Write to this file.")
@click.option("--into", metavar="DIR", type=click.Path(file_okay=False),
              help="Write one file for each input into this folder, keeping sub-folders.")
@click.option("--to-encoding", type=EncodingName(written=True),
              help="Encoding to write; by default that of the kind of file.")
@click.option("--on-loss", type=click.Choice(["warn", "fail", "ignore"]), default="warn", show_default=True,
              help="What to do where the notation cannot hold everything.")
@click.option("--force", is_flag=True, help="Overwrite files that exist.")
@talking
def command(inputs: Inputs, to: str, style: str | None, pieces: str | None, language: str | None, output: str | None,
            into: str | None, to_encoding: str | None, on_loss: str, force: bool, talk: Talk) -> int:
    """Write the games of PATH... in another notation: to standard output, to one file, or one file for each input, an
    archive becoming a folder.

    A game that is not legal is not converted, unless --salvage, which writes its legal part. What the target cannot
    hold is listed by kind and count. Standard output is UTF-8; files are in the encoding that programs expect of
    their kind (cp932 for .kif and .csa), and a character that it lacks is an error that names it.

    \b
    Examples:
      kifu convert sample_games/ --to usi --quiet
      kifu convert game.csa --to kif -o game.kif
      kifu convert games/ --to usi --into usi/
      kifu convert sample_games/mate.csa --to western --pieces animals --lang cs
    """
    from kifu.cli.target import FileTarget, FolderTarget, StreamTarget, TargetExists

    from kifu.notation import REGISTRY
    from kifu.pipeline import Failure, Problem, run
    from kifu.text import EncodeError

    if output and into:
        raise click.UsageError("-o and --into cannot be used together.")
    style = style_of(to, style, pieces, language)
    styles = REGISTRY[to].styles
    if style and style not in styles:
        known = f"its styles are {', '.join(styles)}" if styles else "it has one way to spell moves"
        raise click.UsageError(f"{to} has no style {style!r}: {known}.")
    target: Target
    try:
        if into:
            target = FolderTarget(into, to, to_encoding, force, inputs.find([], archives="list"))
        elif output and output != "-":
            target = FileTarget(output, to, to_encoding, force)
        else:
            target = StreamTarget(talk, to, to_encoding)
    except TargetExists as error:
        raise click.UsageError(str(error)) from error
    if len(inputs.paths) > 1 or not os.path.isfile(inputs.paths[0]):
        talk.interpreted()
    problems: list[Problem] = []
    losses: Counter[str] = Counter()
    bad = found = False
    readable = False
    convert = Convert(inputs.options(), to, style, on_loss == "fail")
    with target, talk.progress(inputs.paths, "converting") as progress:
        for source, result in run(inputs.find(problems), convert, jobs=inputs.processes, progress=progress):
            found = True
            if isinstance(result, Failure):
                talk.failure(result)
                target.abandon(source)
                continue
            readable = readable or not result.unread
            if result.remark:
                talk.error(result.remark)
            bad = bad or result.bad
            if result.text is None:
                continue
            try:
                target.write(source, result.text)
            except (EncodeError, TargetExists) as error:
                talk.error(f"{source.label}: {error}; not converted")
                if isinstance(error, EncodeError):
                    talk.say(_all_characters(to, output))
                bad = True
                continue
            losses.update(result.losses)
    talk.problems(problems)
    if not found and not problems:
        talk.error("no games were found")
        talk.failed = True
    talk.failed = talk.failed or found and not readable
    if losses and on_loss == "warn":
        talk.say(f"lost: {listed(losses)}")
    return 2 if talk.failed else int(bad)
