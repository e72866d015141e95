"""Tags made anew: the castles and openings of every game of a database, found in its moves without the files again."""
from __future__ import annotations

from collections.abc import Callable

from kifu._tuples import NamedTuple
from kifu.knowledge import PatternFile, matcher
from kifu.store import naming
from kifu.store.database import Database
from kifu.store.errors import StoreError
from kifu.store.replaying import NotReplayable, packed_moves, start_of

#: So many games are fetched, tagged and written at once.
GAMES_AT_ONCE = 5_000


class Retagged(NamedTuple):
    """What was done: games of standard shogi, their tags, and names of positions."""

    games: int
    tags: int
    names: int


def retag(database: Database, patterns: tuple[PatternFile, ...] = (),
          progress: Callable[[int], None] | None = None) -> Retagged:
    """Make ``game_tags``, ``tag_names`` and ``named_positions`` of the whole database anew, in one transaction.

    The result is that of loading the games with the same pattern files. ``progress`` is told how many games were done
    since it last heard. Raises `StoreError` where a game cannot be replayed; nothing is changed then.
    """
    with database.transaction():
        games, tags = tag(database, patterns, progress)
        return Retagged(games, tags, naming.rename(database, patterns))


def tag(database: Database, patterns: tuple[PatternFile, ...] = (),
        progress: Callable[[int], None] | None = None) -> tuple[int, int]:
    """Make ``game_tags`` anew, inside a transaction that is open; names are left to `kifu.store.naming.rename`.

    Returns the number of games and of tags.
    """
    found = matcher(patterns)
    games = tags = last = 0
    database.run("DELETE FROM game_tags")
    database.run("DELETE FROM tag_names")
    sides, kinds, keys = map(list, zip(*found.told, strict=True))
    database.run("CREATE OR REPLACE TEMP TABLE told AS SELECT unnest(range($slots)) AS slot, unnest($sides) AS side,"
                 " unnest($kinds) AS kind, unnest($keys) AS tag",
                 {"slots": len(sides), "sides": sides, "kinds": kinds, "keys": keys})
    while rows := database.work(
            "SELECT game_id, handicap, start_sfen, moves FROM games WHERE game_id > $last AND variant = 'shogi'"
            " ORDER BY game_id LIMIT $limit", {"last": last, "limit": GAMES_AT_ONCE}):
        ids: list[int] = []
        slots: list[int] = []
        plies: list[int] = []
        for game, handicap, start_sfen, moves in rows:
            try:
                start = start_of(handicap, start_sfen)
                reached = found.follow(start, packed_moves(moves or b"", start))
            except NotReplayable as error:
                raise StoreError(f"Game {game} cannot be replayed: {error}. kifu db verify says more.") from error
            ids += [game] * len(reached)
            slots += reached.keys()
            plies += reached.values()
        database.run(
            "INSERT INTO game_tags BY NAME SELECT game_id, side, kind, tag, ply FROM"
            " (SELECT unnest($ids::INTEGER[]) AS game_id, unnest($slots::INTEGER[]) AS slot,"
            " unnest($plies::INTEGER[]) AS ply) JOIN told USING (slot) ORDER BY game_id, ply, slot",
            {"ids": ids, "slots": slots, "plies": plies})
        games, tags, last = games + len(rows), tags + len(ids), rows[-1][0]
        if progress:
            progress(len(rows))
    database.run("DROP TABLE told")
    database.set_meta(naming.META, naming.signature(patterns))
    return games, tags
