"""Ends that follow from more than the last position: a limit of moves, an impasse that is claimed, a declaration.

Mates and repetitions are proven by `kifu.replay`, whatever the record says. What stands here needs the record: its
limit of moves, and its claim that both sides agreed on an impasse or that one of them declared.
"""
from __future__ import annotations

from kifu._tuples import NamedTuple
from kifu.ends import BLACK, DRAW, WHITE, End, failed_declaration, opponent
from kifu.record import Game
from kifu.rules import impasse
from kifu.rules.choices import Choices
from kifu.rules.impasse import LEAST_MEN_IN_ZONE, NEEDED_27, Points

SIDES = (BLACK, WHITE)
LEAST_24 = 24
#: Ends that say that a limit of moves was reached. Where a game begins in the middle its moves may be counted in two
#: ways, and a number alone proves nothing.
AT_LIMIT = frozenset({"max_moves", "impasse", "draw"})
#: Notations in which one word stands for every draw.
ANY_DRAW = frozenset({"usen"})


class Case(NamedTuple):
    """A game before the referee: what was chosen, its limit of moves, and how many were made before its start."""

    game: Game
    chosen: Choices
    limit: int | None
    before: int

    @property
    def at_limit(self) -> bool:
        """Whether the limit is reached; records that begin in the middle may count from there or from move 1."""
        return self.limit is not None and self.limit in (self.game.plies, self.game.plies + self.before)


def complete(case: Case) -> None:
    """Set ``verified_end`` and ``verified_winner`` where the record's claim or limit proves an end."""
    game = case.game
    if game.verified_end is not None:
        return
    end = game.record.end if counts(game) else None
    if end is not None and end.reason == "impasse" and not lacking(game):
        game.verified_end, game.verified_winner = "impasse", counted(game)
    elif end is not None and declared(end) and not out_of_turn(game, end):
        worth = declaration(game, case.chosen)
        if worth is not None:
            mover = SIDES[game.position.turn]
            game.verified_end = "impasse" if worth == "draw" else "declaration"
            game.verified_winner = {"win": mover, "draw": DRAW}.get(worth, opponent(mover))
    end = game.record.end
    if game.verified_end is None and case.at_limit and (not case.before or end is not None and end.reason in AT_LIMIT):
        game.verified_end, game.verified_winner = "max_moves", DRAW


# --- impasse

def counts(game: Game) -> bool:
    """Whether this kind of shogi counts points at an impasse: standard shogi alone does in our sources."""
    return game.position is not None and "impasse" in game.position.rules.options


def whites_share(game: Game) -> int:
    """Points of the men that are removed in a handicap game: they count as White's (Japan Shogi Association)."""
    return 0 if game.handicap in ("even", "other") else impasse.missing_points(game.position)


def points(game: Game) -> tuple[Points, Points]:
    """The points of Black and White at the end of the game."""
    return impasse.points(game.position, 0), impasse.points(game.position, 1, whites_share(game))


def counted(game: Game) -> str:
    """Who has won when both sides agree to count: ``black``, ``white`` or ``draw``."""
    return impasse.agreed(game.position, whites_share(game))


def lacking(game: Game) -> str:
    """Why the final position is no impasse, "" where it may be one: both kings must have entered the other's camp."""
    outside = [side.capitalize() for side, own in zip(SIDES, points(game), strict=True) if not own.king_in_zone]
    if len(outside) == 2:
        return "neither king has entered the other's camp"
    return f"{outside[0]}'s king has not entered the other's camp" if outside else ""


# --- declarations

def declared(end: End) -> bool:
    """Whether a record says that the side to move declared, whatever came of it."""
    return end.reason == "declaration" or failed_declaration(end)


def out_of_turn(game: Game, end: End) -> bool:
    """Whether the side that is said to have declared is not the side to move, which alone may do so."""
    declarer = end.winner if end.reason == "declaration" else end.offender
    return declarer != SIDES[game.position.turn]


def rule(game: Game, chosen: Choices) -> str | None:
    """The rule that a declaration is held to: the chosen one, that of the record, or the 27-point rule.

    None where the record names a rule that is none of `kifu.rules.impasse` (such as the try rule), and where the
    kind of shogi counts no points.
    """
    if not counts(game):
        return None
    if chosen.impasse is not None:
        return chosen.impasse
    stated = game.record.header("jishogi")
    if not stated or not stated.strip():
        return "declare27"
    for sign, name in (("27", "declare27"), ("２７", "declare27"), ("24", "declare24"), ("２４", "declare24")):
        if sign in stated:
            return name
    return None


def declaration(game: Game, chosen: Choices) -> str | None:
    """What the declaration of the side to move is worth: ``win``, ``draw``, ``invalid``; None where no rule is known.
    """
    held_to = rule(game, chosen)
    if held_to == "agreed24" and lacking(game):
        return "invalid"
    return impasse.declaration(game.position, held_to, whites_share(game)) if held_to else None


def shortcoming(game: Game, held_to: str) -> str:
    """What a declaration lacks, in words."""
    turn = game.position.turn
    own = points(game)[turn]
    if held_to == "agreed24" and lacking(game):
        return lacking(game)
    if held_to == "agreed24":
        return f"has {own.all} points on the board and in hand, fewer than {LEAST_24}"
    if not own.king_in_zone:
        return "the king has not entered the other's camp"
    if game.position.is_check():
        return "stands in check"
    if own.men_in_zone < LEAST_MEN_IN_ZONE:
        return f"only {own.men_in_zone} men besides the king stand in the other's camp, not {LEAST_MEN_IN_ZONE}"
    needed = NEEDED_27[turn] if held_to == "declare27" else LEAST_24
    return f"has {own.zone_and_hand} points in the other's camp and in hand, not {needed}"
