"""``kifu db``: care of a database: compact it, prove it, bring it up to date."""
from __future__ import annotations

from typing import TYPE_CHECKING

import click
from kifu.cli.options import talking
from kifu.cli.retag import command as _retag
from kifu.cli.talk import Talk
from kifu.cli.words import counted

if TYPE_CHECKING:
    pass

_FILE = click.argument("file", metavar="FILE", type=click.Path(dir_okay=False))


@click.group("db", short_help="Care of a database: compact, verify, upgrade, retag.")
def command() -> None:
    """Care of a database made by kifu load.

    \b
    Examples:
      kifu db verify games.duckdb
      kifu db compact games.duckdb
      kifu db upgrade games.duckdb
    """


@command.command("compact", short_help="Write it anew without gaps, sorted as a whole.")
@_FILE
@talking
def _compact(file: str, talk: Talk) -> int:
    """Write the database FILE anew, without the gaps that changes leave and with its positions sorted as a whole.

    A look-up is quickest then. Tables, views and functions of your own are kept. The new file is written beside the old
    one, read back, and put in its place at once: an interruption or a full disk leaves the old file as it was. It takes
    as much free space as the file is large. A database of an earlier version is brought up to date.

    \b
    Examples:
      kifu db compact games.duckdb
      kifu db compact games.duckdb --quiet
    """
    from kifu.store.compact import compact

    try:
        done = compact(file)
    except KeyboardInterrupt:
        talk.error(f"interrupted; {file} is as it was")
        raise click.exceptions.Exit(130) from None
    talk.out(f"{file}: {_size(done.before)} before, {_size(done.after)} after")
    if done.found_version < done.version:
        talk.say(f"its tables were of version {done.found_version} and are of version {done.version} now")
    return 0


@command.command("verify", short_help="Prove every row again from the moves of the games.")
@_FILE
@talking
def _verify(file: str, talk: Talk) -> int:
    """Prove every row of the database FILE again from the moves of its games.

    Each game is played from its start: that its moves are legal, how many there are, what they prove of its end, the
    key and move of every position, the boards, the opening tree, the games contained in others. Rows that refer to rows
    that are not there and counts that do not add up are told too. What only the records could tell is not looked at:
    names, dates, comments, claims of a result; nor are castles and openings, which depend on the pattern files.

    Nothing is written. The exit status is 0 where all is well, 1 where something is not, 2 where it cannot be told.

    \b
    Examples:
      kifu db verify games.duckdb
    """
    from kifu.store.database import Database
    from kifu.store.naming import other_patterns
    from kifu.store.verify import verify

    talk.interpreted()
    with Database.open(file) as database:
        games, plies, openings = database.rows(
            "SELECT (SELECT count(*) FROM games), (SELECT count(*) FROM plies),"
            " (SELECT value FROM meta WHERE key = 'openings')")[0]
        found = 0
        with talk.counting("proving", games, "games", 5000) as progress:
            for finding in verify(database, progress):
                found += 1
                talk.out(f"{finding}.")
        if other := other_patterns(database):
            talk.say(other)
    if openings == "stale":
        talk.say("openings is older than the games, after a load that was interrupted; the next kifu load renews it")
    told = f"{counted(games, 'game')} and {counted(plies, 'position')} proven, {counted(found, 'finding', none='no')}"
    talk.out(f"{file}: {told}")
    return int(bool(found))


command.add_command(_retag)


@command.command("upgrade", short_help="Bring one of an earlier version up to date.")
@_FILE
@talking
def _upgrade(file: str, talk: Talk) -> int:
    """Bring the database FILE of an earlier version up to date: its tables, columns and functions.

    What follows from the moves of the games is worked out; it is told what only the records had. All of it is done, or
    nothing. kifu load does the same when it writes to such a file, without what takes long. A database of a newer
    version is refused.

    \b
    Examples:
      kifu db upgrade games.duckdb
    """
    from kifu.store.upgrade import upgrade

    done = upgrade(file)
    if done.found_version == done.version:
        talk.out(f"{file}: version {done.version} already, which is the newest")
        return 0
    talk.out(f"{file}: version {done.found_version} before, version {done.version} now")
    if done.lacking:
        talk.say(f"{counted(done.games, 'game')} in it {'has' if done.games == 1 else 'have'} no "
                 f"{', no '.join(done.lacking)}; load the files into a new database to have them")
    return 0


def _size(size: int) -> str:
    """Bytes for people.

    >>> _size(1234), _size(52_428_800), _size(7_300_000_000)
    ('1 KB', '52.4 MB', '7.3 GB')
    """
    for unit, name in ((10**9, "GB"), (10**6, "MB")):
        if size >= unit:
            return f"{size / unit:.1f} {name}"
    return f"{size / 1000:.0f} KB"
