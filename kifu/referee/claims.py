"""The end that a record states, held to what its moves prove.

A claim that the moves contradict, and a claim that they would have to show and do not, is a finding. Nothing is said of
ends that the moves say nothing of: a resignation, an interruption, time that no clock of the record shows. What the
words mean: `kifu.ends`.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kifu.diagnostics import Diagnostic, make
from kifu.ends import DRAW, NONE, SIDES, UNKNOWN, End, misleads
from kifu.record import Game
from kifu.referee import proof
from kifu.referee.proof import Case
from kifu.rules.move import usi
from kifu.rules.position import Position
from kifu.rules.repetition import BARRING
from kifu.rules.ruleset import FOURTH_LOSES

#: How a side won, and how a game without a winner ended, for sentences.
WON = {"resign": "by resignation", "checkmate": "by checkmate", "timeout": "on time", "illegal": "by an illegal move",
       "declaration": "by declaration", "perpetual_check": "by perpetual check",
       "no_legal_move": "because the other side has no legal move",
       "impasse": "by impasse", "forfeit": "by forfeit", "try_rule": "by the try rule", "repetition": "by repetition",
       "max_moves": "by the limit of moves", "abandoned": "when the game was abandoned",
       "royals_taken": "by taking the last royal man", "bare_king": "by leaving a bare king"}
DRAWN = {"draw": "a draw by agreement"}
#: Ends that the moves prove, whatever the record says.
BY_MOVES = frozenset({"checkmate", "no_legal_move", "repetition", "perpetual_check", "royals_taken", "bare_king"})
_RULES = {"declare27": "the 27-point rule", "declare24": "the 24-point rule", "agreed24": "the count of 24 points"}
OPEN = {"interrupted": "an interruption", "sealed": "a sealed move", "no_mate": "no mate",
        "takeback": "a move taken back", "error": "an error"}


def told(reason: str, winner: str | None) -> str:
    """An end as a phrase.

    >>> told("resign", "black"), told("max_moves", "draw"), told("interrupted", "none")
    ('a win of Black by resignation', 'a draw by the limit of moves', 'an interruption')
    """
    how = WON.get(reason, "")
    if winner in SIDES:
        return f"a win of {winner.capitalize()}{' ' if how else ''}{how}"
    if winner == DRAW:
        return DRAWN.get(reason, f"a draw {how}".rstrip())
    return OPEN.get(reason, reason.replace("_", " "))


def disagreements(case: Case) -> list[Diagnostic]:
    """Where the end that the record states and the moves disagree."""
    game = case.game
    end = game.record.end
    if end is None:
        return []
    mover = game.record.to_move(game.plies)
    check = _CHECKS.get(end.reason)
    if misleads(end, mover):
        found = [_finding(game, end, "winner-to-move", side=mover.capitalize(), how=WON[end.reason])]
    else:
        found = [one for one in [check(case, end) if check else None] if one is not None]
    if not found or game.verified_end in BY_MOVES:  # another proof is the answer to the claim, and is told with it
        found += [one for one in [_contradiction(game, end)] if one is not None]
    return found


def _finding(game: Game, end: End, name: str, plies: int | None = None, **fields: Any) -> Diagnostic:
    """A finding on the words of the end, at the last of so many plies, those of the game where it is not said."""
    start = end.offset if end.offset >= 0 else game.record.end_offset
    words = game.record.text.startswith(end.raw, start)
    return make(name, start, start + len(end.raw) if words and end.raw else start + 1,
                game.plies if plies is None else plies, **fields)


def _contradiction(game: Game, end: End) -> Diagnostic | None:
    """Whether the record names another result than the one that is proven."""
    proven = game.verified_end
    if proven is None or end.winner in (game.verified_winner, UNKNOWN):
        return None
    if end.winner == NONE and proven in ("max_moves", "impasse"):  # interrupted there, as it may be
        return None
    return _finding(game, end, "end-conflict", claimed=told(end.reason, end.winner),
                    proven=told(proven, game.verified_winner) + _points(game))


def _points(game: Game) -> str:
    """The points of both sides behind an impasse, so that the proof can be checked by hand."""
    if game.verified_end != "impasse":
        return ""
    black, white = proof.points(game)
    return f" (Black {black.all} points on the board and in hand, White {white.all})"


def _mate(case: Case, end: End) -> Diagnostic | None:
    game = case.game
    if game.verified_end in ("checkmate", "no_legal_move") or game.position.rules.royals_taken:
        return None  # where royal men are taken check binds nobody, and a mate is what people call it
    return mate_unproven(game, end, game.position, game.plies)


def mate_unproven(game: Game, end: End, position: Position, plies: int) -> Diagnostic:
    """The finding that a line of so many plies, which ends by checkmate as the record says, leaves a legal move."""
    return _finding(game, end, "mate-unproven", plies, side=SIDES[position.turn].capitalize(),
                    move=min(usi(move, position.rules.ranks) for move in position.legal_moves()),
                    can="can answer with" if position.is_check() else "is not in check and can play")


def _repetition(case: Case, end: End) -> Diagnostic | None:
    game = case.game
    if game.verified_end in ("repetition", "perpetual_check"):
        return None
    if _bars(case):
        return _finding(game, end, "repetition-unproven", hint=_NO_END_HINT,
                        why=f"{game.position.rules.name} {_NO_END}")
    return _finding(game, end, "repetition-unproven", why=f"the final position has stood only {_times(game)}")


#: What is said of repetition where it bars moves.
_NO_END = "ends no game by repetition"
_NO_END_HINT = "moves that repeat a position too often are illegal there; --rules chooses another reading"


def _bars(case: Case) -> bool:
    """Whether repetition makes moves illegal in this game, so that it ends none."""
    return case.chosen.repetition_of(case.game.position.rules) in BARRING


def _times(game: Game) -> str:
    """How often the final position has stood, fewer than four times."""
    return ("once", "twice", "three times")[game.keys.tolist().count(game.keys[-1]) - 1]


def _perpetual(case: Case, end: End) -> Diagnostic | None:
    game = case.game
    if game.verified_end == "perpetual_check":
        return None
    if game.verified_end == "repetition" and case.chosen.repetition_of(game.position.rules) == FOURTH_LOSES:
        why = "who made the position for the fourth time has lost, whoever gave check"
    elif game.verified_end == "repetition":
        why = "the repetition holds moves of both sides that give no check"
    elif _bars(case):
        return _finding(game, end, "perpetual-check-unproven", why=f"{game.position.rules.name} {_NO_END}",
                        hint=_NO_END_HINT)
    else:
        why = f"the final position has stood only {_times(game)}"
    return _finding(game, end, "perpetual-check-unproven", why=why)


def _declaration(case: Case, end: End) -> Diagnostic | None:
    game = case.game
    if not proof.counts(game):
        return None
    held_to = proof.rule(game, case.chosen)
    if proof.out_of_turn(game, end) and end.winner in SIDES:
        mover = game.record.to_move(game.plies).capitalize()
        return _finding(game, end, "declaration-failed", side=end.winner.capitalize(), rule="any rule",
                        why=f"{mover} is to move, and only that side may declare")
    if held_to is None or end.winner not in SIDES:
        return None
    if proof.declaration(game, case.chosen) != "invalid":
        return None
    return _finding(game, end, "declaration-failed", side=end.winner.capitalize(), rule=_RULES[held_to],
                    why=proof.shortcoming(game, held_to))


def _impasse(case: Case, end: End) -> Diagnostic | None:
    game = case.game
    if game.verified_end is not None or game.record.notation in proof.ANY_DRAW or not proof.counts(game):
        return None
    return _finding(game, end, "impasse-unproven", why=proof.lacking(game))


def _foul(case: Case, end: End) -> Diagnostic | None:
    game = case.game
    record = game.record
    if game.illegal_move is not None or record.foul is not None or proof.declared(end):
        return None
    if game.verified_end == "perpetual_check" or game.verified_end and game.verified_winner != end.winner:
        return None  # there is proof of an end, which agrees or is told
    if end.offender is not None and end.offender != record.to_move(game.plies) and game.plies:
        why = f"its last move, {record.move_text(game.plies - 1)}, is legal"
    else:
        why = "all of its moves are legal"
    return _finding(game, end, "foul-not-shown", why=why,
                    side=end.offender.capitalize() if end.offender else "a side")


def _limit(case: Case, end: End) -> Diagnostic | None:
    game = case.game
    if case.limit is None or case.at_limit:
        return None
    return _finding(game, end, "limit-not-reached", limit=case.limit, played=game.plies)


_CHECKS: dict[str, Callable[[Case, End], Diagnostic | None]] = {
    "checkmate": _mate, "repetition": _repetition, "perpetual_check": _perpetual, "declaration": _declaration,
    "impasse": _impasse, "illegal": _foul, "max_moves": _limit,
}
