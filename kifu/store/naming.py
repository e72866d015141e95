"""Names of positions: the table ``named_positions``, and what the tags are called: the table ``tag_names``.

A position has the name of an opening, by whatever moves it is reached, where both of these are so:

* what the entry of the pattern file says of the board stands on it now, for the side that the entry is told of; so does
  what other entries say that it wants to have been reached, and
* some game of the database that reaches the position had that opening by then (``game_tags``). That is where the rest
  of the entry comes in: what must have stood before, other openings that must or must not have been reached, the plies
  within which it counts.

More general openings come with the special ones. Named are the positions of ``openings``, those that two or more games
reached. The table is derived like that one, and made anew whenever a load has changed the games.

``meta`` keeps, as ``tag_patterns``, which pattern files the tags were made by; see `signature` and `other_patterns`.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from os.path import basename
from typing import Any

from kifu._tuples import NamedTuple
from kifu.ends import BLACK, WHITE
from kifu.knowledge import BOTH, PatternFile
from kifu.knowledge.matcher import facts_of
from kifu.knowledge.patterns import Entry, Patterns, load
from kifu.knowledge.scan import PLY_SHIFT, WAY_FIELD, WAY_SHIFT, Scanner, empty, man, odd_hand
from kifu.rules.position import Position
from kifu.rules.variants.shogi import RULES
from kifu.store.database import Database
from kifu.store.errors import StoreError
from kifu.store.replaying import NotReplayable, packed_moves

#: So many games are fetched at once.
GAMES_AT_ONCE = 10_000
META = "tag_patterns"
#: What ``meta`` says where nobody knows, or where loads with different pattern files came together.
UNKNOWN = "unknown"
_COLOURS = {BLACK: (0,), WHITE: (1,), BOTH: (0, 1)}

#: Openings that games from the usual start had by the time they reached a position of two or more games; of each the
#: first such game.
_CANDIDATES = """
CREATE OR REPLACE TEMP TABLE candidates AS
WITH shared AS (SELECT DISTINCT key FROM openings),
     tagged AS (SELECT game_id, side, tag, ply FROM game_tags SEMI JOIN
                (SELECT game_id FROM games WHERE variant = 'shogi' AND start_sfen IS NULL AND handicap = 'even')
                USING (game_id) WHERE kind = 'opening')
SELECT min(p.game_id) AS game_id, arg_min(p.ply, (p.game_id, p.ply)) AS ply, p.key, t.tag, t.side
FROM plies p SEMI JOIN shared USING (key) JOIN tagged t ON t.game_id = p.game_id AND t.ply <= p.ply
GROUP BY p.key, t.tag, t.side
"""


class Name(NamedTuple):
    """The name of an opening that a position has."""

    tag: str
    ja: str
    en: str


def name_of(database: Database, key: int) -> list[Name]:
    """The openings that a position is named after, only the most special ones; none where it has no name.

    Databases of earlier versions know no names.
    """
    if database.found_version < 3 and not database.writable:
        return []
    return [Name(*row) for row in database.rows(
        "SELECT DISTINCT tag, name_ja, name_en FROM named_positions WHERE key = $key AND tag NOT IN"
        " (SELECT parent FROM named_positions WHERE key = $key AND parent IS NOT NULL) ORDER BY tag", {"key": key})]


def rename(database: Database, patterns: tuple[PatternFile, ...] = ()) -> int:
    """Make ``named_positions`` and ``tag_names`` of the games and ``openings`` that are in, inside a transaction that
    is open.

    ``patterns`` are those that the games were tagged with; no position is named by what others say. Returns the number
    of rows of names.
    """
    entries = load(patterns)
    _write_names(database, entries)
    database.run("DELETE FROM named_positions")
    database.run(_CANDIDATES)
    standing = _Standing(entries)
    last = 0
    while rows := database.work(
            "SELECT game_id, any_value(moves), list({'key': key, 'ply': c.ply, 'tag': tag, 'side': side})"
            " FROM candidates c JOIN games g USING (game_id)"
            " WHERE game_id > $last GROUP BY game_id ORDER BY game_id LIMIT $limit",
            {"last": last, "limit": GAMES_AT_ONCE}):
        keys: list[int] = []
        tags: list[str] = []
        for game, moves, asked in rows:
            for key, tag in standing.named(game, moves, asked):
                keys.append(key)
                tags.append(tag)
        database.run("INSERT INTO named_positions BY NAME"
                     " SELECT key, n.tag, name_ja, name_en, parent"
                     " FROM (SELECT DISTINCT unnest($keys::BIGINT[]) AS key, unnest($tags::VARCHAR[]) AS tag)"
                     " JOIN name_families USING (tag) JOIN name_parents p ON p.tag = name_families.member"
                     " JOIN tag_names n ON n.tag = p.tag",
                     {"keys": keys, "tags": tags})
        last = rows[-1][0]
    database.run("CREATE OR REPLACE TEMP TABLE sorted_names AS SELECT DISTINCT * FROM named_positions")
    database.run("DELETE FROM named_positions")
    database.run("INSERT INTO named_positions SELECT * FROM sorted_names ORDER BY key, tag, parent")
    for table in ("sorted_names", "candidates", "name_families", "name_parents"):
        database.run(f"DROP TABLE {table}")
    count: int = database.value("SELECT count(*) FROM named_positions")
    return count


# --- which pattern files the tags were made by

def signature(patterns: Iterable[PatternFile] = ()) -> str:
    """Pattern files in a line: our own ones and each further one by name, with a hash of what it says.

    >>> signature([PatternFile("own/my.toml", "")]) == f"{signature()}, my.toml e4a6a0577479b2b4"
    True
    """
    said = repr([(entry.kind, entry.key, entry.side, entry.first, entry.last, entry.parents,
                  [([sorted(one.items()) for one in condition.alternatives], sorted(condition.reached),
                    sorted(condition.barred)) for condition in entry.conditions], entry.before is None)
                 for entry in load().values()])
    return ", ".join([f"kifu {_hash(said)}", *(f"{basename(file.path)} {_hash(file.text)}" for file in patterns)])


def note_patterns(database: Database, patterns: tuple[PatternFile, ...]) -> None:
    """Keep in ``meta`` what the tags of all games were made by. ``patterns`` are those of the games that came last."""
    now, before = signature(patterns), database.meta(META)
    if before is None and (_older_games(database) or _foreign_tags(database, patterns)):
        now = UNKNOWN
    elif before is not None and before != now and database.value("SELECT count(*) FROM game_tags"):
        now = UNKNOWN
    database.set_meta(META, now)


def _older_games(database: Database) -> bool:
    return database.found_version < 3 and bool(database.value("SELECT count(*) FROM games"))


def _foreign_tags(database: Database, patterns: tuple[PatternFile, ...]) -> bool:
    """Whether games have tags that these pattern files do not know, as after a load with others that was killed."""
    return bool(database.value("SELECT count(*) FROM game_tags WHERE NOT list_contains($tags, tag)",
                               {"tags": list(load(patterns))}))


def other_patterns(database: Database, patterns: Iterable[PatternFile] | None = None) -> str | None:
    """What to tell somebody whose patterns are not those that the tags of a database were made by, or None.

    Without ``patterns`` only our own ones are compared, which may be of another version.
    """
    before = database.meta(META)
    if before is None or before == signature(patterns or ()):
        return None
    if patterns is None and before.startswith(f"{signature()},"):
        return None
    made = f"other patterns ({before})"
    if before == UNKNOWN:
        made = "several sets of pattern files, or by an earlier version"
    return f"the castles and openings in {database.path} were found by {made}; kifu db retag finds them anew"


def _hash(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


# --- inside

class _Standing:
    """Tells which entries stand on the board at a ply of a game."""

    def __init__(self, entries: Patterns) -> None:
        ways: list[dict[int, bool]] = []
        self._of: list[tuple[str, int, int]] = []  # by way: the entry, the colour and the number of its condition
        self._reached = {key: [condition.reached for condition in entries[key].positions] for key in _asked(entries)}
        for key in self._reached:
            for colour in _colours(entries[key]):
                for number, condition in enumerate(entries[key].positions):
                    for literals in condition.alternatives or ({},):
                        ways.append(facts_of(literals, colour))
                        self._of.append((key, colour, number))
        self._scanner = Scanner(ways, len(ways))
        position = Position(RULES.initial)
        facts = [odd_hand(colour, kind.number) for colour in (0, 1) for kind in RULES.kinds
                 if position.hand(colour, kind.number) % 2]
        for square in range(81):
            value = position.man(square)
            facts.append(man(value >> 6, value & 63, square) if value else empty(square))
        self._state, self._first = self._scanner.begin(facts)

    def named(self, game: int, moves: bytes, asked: list[dict[str, Any]]) -> Iterator[tuple[int, str]]:
        """Of the positions and openings asked for, those that belong together. ``asked``: key, ply, tag and side."""
        asked.sort(key=_ply)
        try:
            packed = packed_moves(moves[:2 * asked[-1]["ply"]], RULES.initial)
        except NotReplayable as error:
            raise StoreError(f"Game {game} cannot be replayed: {error}. kifu db verify says more.") from error
        standing: dict[tuple[str, int, int], int] = {}  # how many ways of each stand
        for way in self._first:
            standing[self._of[way]] = standing.get(self._of[way], 0) + 1
        events = iter(self._scanner.events(self._state, packed, False))
        event = next(events, None)
        for one in asked:
            while event is not None and event >> PLY_SHIFT <= one["ply"]:
                whose = self._of[event >> WAY_SHIFT & WAY_FIELD]
                standing[whose] = standing.get(whose, 0) + (1 if event & 1 else -1)
                event = next(events, None)
            if any(self._stands(one["tag"], colour, standing) for colour in _COLOURS[one["side"]]):
                yield one["key"], one["tag"]

    def _stands(self, key: str, colour: int, standing: dict[tuple[str, int, int], int]) -> bool:
        """Whether one of an entry's conditions is what stands on the board, those of other entries it names with it.

        Pattern files have no circles. An entry of pattern files that are not at hand stands nowhere.
        """
        return any(standing.get((key, colour, number)) and
                   all(self._stands(other, colour ^ opposite, standing) for other, opposite in reached)
                   for number, reached in enumerate(self._reached.get(key, ())))


def _ply(one: dict[str, Any]) -> int:
    ply: int = one["ply"]
    return ply


def _asked(entries: Patterns) -> list[str]:
    """The openings, and what their conditions name."""
    asked = dict.fromkeys(entry.key for entry in entries.values() if entry.kind == "opening")
    waiting = list(asked)
    while waiting:
        new = [key for condition in entries[waiting.pop()].positions for key, _ in condition.reached
               if key not in asked]
        asked |= dict.fromkeys(new)
        waiting += new
    return list(asked)


def _colours(entry: Entry) -> tuple[int, ...]:
    return _COLOURS.get(entry.side, (0, 1))


def _write_names(database: Database, entries: Patterns) -> None:
    """``tag_names``; names of tags that other pattern files made stay. And two tables for the time of the work."""
    tags = list(entries)
    database.run("DELETE FROM tag_names WHERE list_contains($tags, tag)", {"tags": tags})
    database.run(
        "INSERT INTO tag_names SELECT unnest($tags), unnest($kinds), unnest($ja), unnest($en), unnest($styles)",
        {"tags": tags, "kinds": [entry.kind for entry in entries.values()],
         "ja": [entry.ja for entry in entries.values()], "en": [entry.en for entry in entries.values()],
         "styles": [entry.style for entry in entries.values()]})
    parents = [(entry.key, parent) for entry in entries.values() for parent in entry.parents or (None,)]
    families = [(entry.key, member) for entry in entries.values() for member in _family(entry, entries)]
    for table, column, pairs in (("name_parents", "parent", parents), ("name_families", "member", families)):
        database.run(f"CREATE OR REPLACE TEMP TABLE {table} AS"
                     f" SELECT unnest($tags) AS tag, unnest($others::VARCHAR[]) AS {column}",
                     {"tags": [tag for tag, _ in pairs], "others": [other for _, other in pairs]})


def _family(entry: Entry, entries: Patterns) -> list[str]:
    """An entry and all that are more general."""
    family = {entry.key: None}
    waiting = [entry.key]
    while waiting:
        new = [parent for parent in entries[waiting.pop()].parents if parent not in family]
        family |= dict.fromkeys(new)
        waiting += new
    return list(family)
