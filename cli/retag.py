"""``kifu db retag``: the castles and openings of a database made anew, when the pattern files have changed."""
from __future__ import annotations

from typing import TYPE_CHECKING

import click
from kifu.cli.options import further_patterns, talking
from kifu.cli.talk import Talk
from kifu.cli.words import counted

if TYPE_CHECKING:
    from kifu.knowledge import PatternFile


@click.command("retag", short_help="Find the castles and openings of its games anew.")
@click.argument("file", metavar="FILE", type=click.Path(dir_okay=False))
@further_patterns
@talking
def command(file: str, patterns: tuple[PatternFile, ...], talk: Talk) -> int:
    """Find the castles and openings of all games in the database FILE anew, from their moves.

    That is needed when a pattern file has changed, for games that a version without castles and openings loaded, and
    after loads with different --patterns. The files that the games came from are not read. The tables game_tags,
    tag_names and named_positions are made as a new load would make them, all or nothing; what an earlier --patterns
    brought is gone unless it is given again.

    \b
    Examples:
      kifu db retag games.duckdb
      kifu db retag games.duckdb --patterns my.toml
    """
    from kifu.store.database import Database
    from kifu.store.retag import retag

    talk.interpreted()
    try:
        with Database.open(file, write=True) as database:
            with talk.counting("tagging", database.value("SELECT count(*) FROM games"), "games", 5000) as progress:
                done = retag(database, patterns, progress)
            database.run("CHECKPOINT")
    except KeyboardInterrupt:
        talk.error(f"interrupted; {file} is as it was")
        raise click.exceptions.Exit(130) from None
    talk.out(f"{file}: {counted(done.games, 'game')}, {counted(done.tags, 'tag')}, "
             f"{counted(done.names, 'name')} of positions")
    return 0
