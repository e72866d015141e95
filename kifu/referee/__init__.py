"""The referee: what replay proves of the end of a game, and whether what the record claims agrees with it.

Claim and proof stand side by side in a `Game` (``end`` and ``winner``, ``verified_end`` and ``verified_winner``);
neither is changed for the other. Where they disagree a finding names both.

* `kifu.referee.proof`: ends that follow from the position and the moves before it
* `kifu.referee.claims`: the end that the record states, held to the proof
* `kifu.referee.counts`: numbers of moves in headers, limits, repetitions that were passed
* `kifu.referee.clocks`: time used and time allowed
* `kifu.referee.others`: ends that only kinds of shogi other than the standard one have

Most games are over by resignation and say nothing that could be held to their moves: for them nothing is loaded.
"""
from __future__ import annotations

from kifu.diagnostics import Diagnostic
from kifu.record import CANONICAL, Game
from kifu.referee.sums import fourth
from kifu.rules.choices import Choices
from kifu.rules.position import Position
from kifu.rules.repetition import BARRING

__all__ = ["examine", "of_other_kinds", "played_on_bare"]

_CLOCKS = frozenset({"time_control", "black_time_control", "white_time_control", "秒読み"})
_COUNTS = frozenset({"手数", "消費時間"})
#: Headers as written that say something which can be held to the moves -> what they are about.
_TELLING = {key: name for key, name in CANONICAL.items() if name in _CLOCKS or name == "max_moves"}
_TELLING.update({name: name for name in _CLOCKS | _COUNTS})
#: Ends of which the moves say nothing.
_PLAIN = frozenset({"resign", "interrupted", "draw", "abandoned", "forfeit", "takeback", "error", "other", "sealed",
                    "no_mate", "try_rule", "timeout"})


def examine(game: Game, chosen: Choices) -> list[Diagnostic]:
    """Complete the proof of a game whose main line was played to its end, and hold the record's claims to it.

    ``verified_end`` and ``verified_winner`` of the game are set where what the record claims or states proves more than
    the position alone. Returns what disagrees.
    """
    record = game.record
    stated: dict[str, str] = {}
    for key, value in record.headers:
        if key in _TELLING:
            stated.setdefault(_TELLING[key], value)
    limit = _limit(stated.get("max_moves"), chosen)
    at_limit = limit is not None and game.plies + _moves_before(game) >= limit
    end = record.end
    findings: list[Diagnostic] = []
    if at_limit or end is not None and (
            end.reason not in _PLAIN or game.verified_end is not None
            or end.reason in ("resign", "timeout") and end.winner == record.to_move(game.plies)):
        from kifu.referee import claims, proof

        case = proof.Case(game, chosen, limit, _moves_before(game))
        proof.complete(case)
        findings += claims.disagreements(case)
    if at_limit or not stated.keys().isdisjoint(_COUNTS):
        from kifu.referee import counts

        findings += counts.disagreements(game, stated, limit, _moves_before(game))
    if game.plies > 12 and -1 < (at := fourth(game.keys)) < game.plies \
            and (rule := chosen.repetition_of(game.position.rules)) not in BARRING:
        from kifu.referee import counts

        findings.append(counts.played_on(game, at, rule))
    if not stated.keys().isdisjoint(_CLOCKS):
        from kifu.referee import clocks

        findings += clocks.disagreements(game, stated)
    return findings


def of_other_kinds(game: Game, position: Position, rule: str) -> tuple[str, str] | None:
    """What is proven by the last position of a game of another kind of shogi, see `kifu.referee.others`."""
    from kifu.referee import others

    return others.proven(game, position, rule)


def played_on_bare(game: Game) -> list[Diagnostic]:
    """What is said of moves behind a bare king that had lost, see `kifu.referee.others`."""
    from kifu.referee import others

    return others.played_on(game)


def _limit(stated: str | None, chosen: Choices) -> int | None:
    """The number of moves after which the game is drawn, as chosen or as the record states; None where there is none.

    Source: `$MAX_MOVES` of CSA 3.0, `Max_Moves` of its server protocol, 最大手数 of ShogiHome.
    """
    if chosen.max_moves is not None:
        return chosen.max_moves or None
    if stated is None:
        return None
    number = stated.strip().removesuffix("手")
    return int(number[:9]) or None if number.isdecimal() else None


def _moves_before(game: Game) -> int:
    """How many moves the start position says were made before it."""
    number = game.start.rpartition(" ")[2]
    return int(number[:9]) - 1 if number.isdecimal() and number != "0" else 0
