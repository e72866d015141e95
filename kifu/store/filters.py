"""Which games a question is about: the filters that every named query and the opening tree understand.

A filter becomes a condition over ``games`` with its values written out (`kifu.store.literals`). The queries say
``FROM selected``: that is ``games`` with the conditions applied, and with ``score`` beside its columns, who won as
`outcome` says (1 Black, -1 White, 0 draw, NULL no result). Queries about one side of a game find there whether it is
asked for, too, as ``black_asked`` and ``white_asked``: where a player is named, his or her side, else either.

>>> print(Filters(player="羽生善治", side="white", min_rating=2000).sql())
SELECT *, outcome(result, verified_winner) AS score
FROM games
WHERE variant = 'shogi'
  AND handicap = 'even'
  AND named(white, '羽生善治')
  AND least(black_rating, white_rating) >= 2000 AND black_rating IS NOT NULL AND white_rating IS NOT NULL
"""
from __future__ import annotations

import datetime
import os
import re
from collections.abc import Iterator

from kifu._tuples import NamedTuple
from kifu.store.literals import literal

#: A handicap that lets every game through: even ones and those of any odds together.
ANY = "any"
EVEN = "even"
OTHER = {"black": "white", "white": "black"}
WINNERS = {"black": "= 1", "white": "= -1", "draw": "= 0", "none": "IS NULL"}

_WILD = re.compile(r"[*?]")
#: What GLOB takes for more than itself, beside the two wildcards, and how it is written there.
_SPELLED = {"[": "[[]", "\\": r"\\"}
_SPECIAL = re.compile(r"[\[\\]")


class Filters(NamedTuple):
    """Conditions on games; None does not ask. All that are given must hold.

    Texts (players, events, time controls, sources) are whole ones, or patterns where they hold ``*`` (any characters)
    or ``?`` (one); capitals count. The name of a player is also found with a grade or title behind it, as many records
    have it: ``羽生善治`` finds ``羽生善治 九段`` and ``羽生善治竜王``, but neither ``羽生善治郎`` nor ``羽生``.

    Ratings and times are those that the games have: games in which one is missing are let through by no bound on it.
    Handicap games are left out unless asked for by name, or with `ANY`: their scores must not be mixed into those of
    even games. ``side`` and ``opponent`` say more of ``player``.
    """

    player: str | None = None
    opponent: str | None = None
    side: str | None = None  # the one that the player has: black or white
    black: str | None = None
    white: str | None = None
    min_rating: int | None = None  # both players are rated at least so high
    max_rating: int | None = None  # both players are rated at most so high
    since: datetime.date | None = None
    until: datetime.date | None = None  # the day itself included
    time_control: str | None = None  # as the record has it
    min_time: int | None = None  # the time that each player has to begin with, in seconds, is at least so long
    max_time: int | None = None
    min_byoyomi: int | None = None  # seconds a move after that, 0 for none, are at least so many
    max_byoyomi: int | None = None
    event: str | None = None
    handicap: str | None = EVEN
    end: str | None = None  # as the record claims, or where it claims none as replay proves
    winner: str | None = None  # black, white, draw, none
    source: str | None = None  # the path of a file that holds the game, the first one or a later copy
    min_plies: int | None = None
    max_plies: int | None = None
    tag: tuple[str, ...] = ()  # castles and openings that one side, or that of the player, must have
    variant: str = "shogi"

    def conditions(self) -> Iterator[str]:
        """The conditions in SQL, each over the columns of ``games``."""
        yield f"variant = {literal(self.variant)}"
        if self.handicap not in (None, ANY):
            yield f"handicap = {literal(self.handicap)}"
        if self.player is not None:
            yield self._of_player()
        elif self.opponent is not None or self.side is not None:
            raise ValueError("an opponent or a side is that of a player: name one")
        for column, value in (("black", self.black), ("white", self.white)):
            if value is not None:
                yield matches_name(column, value)
        for column, value in (("event", self.event), ("time_control", self.time_control)):
            if value is not None:
                yield matches(column, value)
        rated = "AND black_rating IS NOT NULL AND white_rating IS NOT NULL"
        if self.min_rating is not None:
            yield f"least(black_rating, white_rating) >= {literal(self.min_rating)} {rated}"
        if self.max_rating is not None:
            yield f"greatest(black_rating, white_rating) <= {literal(self.max_rating)} {rated}"
        for column, least, most in (("main_seconds", self.min_time, self.max_time),
                                    ("byoyomi_seconds", self.min_byoyomi, self.max_byoyomi),
                                    ("plies", self.min_plies, self.max_plies)):
            if least is not None:
                yield f"{column} >= {literal(least)}"
            if most is not None:
                yield f"{column} <= {literal(most)}"
        if self.since is not None:
            yield f"date >= {literal(self.since)}"
        if self.until is not None:
            yield f"date <= {literal(self.until)}"
        if self.end is not None:
            yield f'coalesce("end", verified_end) = {literal(self.end)}'
        if self.winner is not None:
            yield f"outcome(result, verified_winner) {WINNERS[self.winner]}"
        if self.source is not None:
            those = f"(SELECT source_id FROM sources WHERE {matches_path('path', self.source)})"
            yield (f"(source_id IN {those}\n"
                   f"       OR game_id IN (SELECT game_id FROM copies WHERE source_id IN {those}))")
        for tag in self.tag:
            yield self._of_tag(tag)

    def sql(self, sides: bool = False) -> str:
        """The query behind ``selected``; with ``black_asked`` and ``white_asked`` where the ``sides`` matter."""
        asked = "".join(f",\n       {self._asked(side)} AS {side}_asked" for side in OTHER) if sides else ""
        return (f"SELECT *, outcome(result, verified_winner) AS score{asked}\nFROM games\nWHERE "
                + "\n  AND ".join(self.conditions()))

    def given(self, unasked: Filters | None = None) -> list[str]:
        """The filters that were asked for, by name: those that differ from what holds unasked."""
        usual = unasked or Filters()
        return [name for name, value, other in zip(self._fields, self, usual, strict=True) if value != other]

    def of_side(self, side: str) -> str:
        """The condition that this side (black or white) is the player, in the games that are let through."""
        if self.player is None:
            raise ValueError("no player is asked for")
        if self.side is not None:
            return literal(side == self.side)
        way = matches_name(side, self.player)
        if self.opponent is not None:
            way += f" AND {matches_name(OTHER[side], self.opponent)}"
        return way

    def _asked(self, side: str) -> str:
        return "true" if self.player is None else f"coalesce({self.of_side(side)}, false)"

    def _of_player(self) -> str:
        if self.side is None:
            return f"({self.of_side('black')} OR {self.of_side('white')})"
        conditions = [matches_name(self.side, self.player or "")]
        if self.opponent is not None:
            conditions.append(matches_name(OTHER[self.side], self.opponent))
        return " AND ".join(conditions)

    def _of_tag(self, tag: str) -> str:
        side = ""
        if self.player is not None:
            own = " OR ".join(f"t.side = '{side}' AND {self.of_side(side)}" for side in OTHER)
            side = f" AND (t.side = 'both' OR {own})"
        return f"EXISTS (SELECT 1 FROM game_tags t WHERE t.game_id = games.game_id AND t.tag = {literal(tag)}{side})"


def matches_name(column: str, value: str) -> str:
    """The condition that a column names this player.

    >>> matches_name("black", "大山康晴"), matches_name("white", "大山*")
    ("named(black, '大山康晴')", "white GLOB '大山*'")
    """
    return matches(column, value) if _WILD.search(value) else f"named({column}, {literal(value)})"


def matches(column: str, value: str) -> str:
    r"""The condition that a text is this one, or like this one where it holds ``*`` or ``?``.

    >>> matches("event", "*Meijin*"), matches("black", "Habu [9 dan]")
    ("event GLOB '*Meijin*'", "black = 'Habu [9 dan]'")

    No other character of a pattern means anything but itself:

    >>> print(matches("path", r"*games\[a].csa"))
    path GLOB '*games\\[[]a].csa'
    """
    if _WILD.search(value):
        return f"{column} GLOB {literal(_SPECIAL.sub(lambda found: _SPELLED[found[0]], value))}"
    return f"{column} = {literal(value)}"


def matches_path(column: str, value: str) -> str:
    """The condition that a path is this one, as written or from the current folder, or like this one.

    >>> matches_path("path", "*.csa"), matches_path("path", "/games/a.csa")
    ("path GLOB '*.csa'", "path = '/games/a.csa'")
    """
    whole = os.path.abspath(value) if value and "\0" not in value else value
    if _WILD.search(value) or whole == value:
        return matches(column, value)
    return f"{column} IN ({literal(value)}, {literal(whole)})"
