"""The referee: what replay proves of the end of a game, and whether what the record claims agrees with it.

Claim and proof stand side by side in a `Game` (``end`` and ``winner``, ``verified_end`` and ``verified_winner``);
neither is changed for the other. Where they disagree a finding names both.

* `kifu.referee.look`: what every game is asked, and who is called where it says something
* `kifu.referee.proof`: ends that follow from the position and the moves before it
* `kifu.referee.claims`: the end that the record states, held to the proof
* `kifu.referee.counts`: numbers of moves in headers, limits, repetitions that were passed
* `kifu.referee.clocks`: time used and time allowed
* `kifu.referee.others`: ends that only kinds of shogi other than the standard one have
"""
from __future__ import annotations

from kifu.diagnostics import Diagnostic
from kifu.record import Game
from kifu.referee.look import examine
from kifu.rules.position import Position

__all__ = ["examine", "of_other_kinds", "played_on_bare"]


def of_other_kinds(game: Game, position: Position, rule: str) -> tuple[str, str] | None:
    """What is proven by the last position of a game of another kind of shogi, see `kifu.referee.others`."""
    from kifu.referee import others

    return others.proven(game, position, rule)


def played_on_bare(game: Game) -> list[Diagnostic]:
    """What is said of moves behind a bare king that had lost, see `kifu.referee.others`."""
    from kifu.referee import others

    return others.played_on(game)
