# cython: language_level=3, boundscheck=True
"""What the referee looks at in every game: whether its claims or its headers say what can be held to its moves.

Most games are over by resignation and say nothing of the kind: for them nothing else is loaded, and this is quick.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping

try:
    import cython
except ImportError:
    from kifu import _cython as cython

from kifu.diagnostics import Diagnostic
from kifu.record import CANONICAL, Game, Record
from kifu.referee.sums import fourth
from kifu.rules.choices import Choices
from kifu.rules.repetition import BARRING

_CLOCKS = frozenset({"time_control", "black_time_control", "white_time_control", "秒読み"})
_COUNTS = frozenset({"手数", "消費時間"})
#: Headers as written that say something which can be held to the moves -> what they are about.
_TELLING = {key: name for key, name in CANONICAL.items() if name in _CLOCKS or name == "max_moves"}
_TELLING.update({name: name for name in _CLOCKS | _COUNTS})
#: Ends of which the moves say nothing.
_PLAIN = frozenset({"resign", "interrupted", "draw", "abandoned", "forfeit", "takeback", "error", "other", "sealed",
                    "no_mate", "try_rule", "timeout"})

#: `kifu.referee.clocks.disagreements`, once a game has told of clocks.
_clocks_disagree: Callable[[Game, Mapping[str, str]], list[Diagnostic]] | None = None


def examine(game: Game, chosen: Choices, crowded: cython.bint = True) -> list[Diagnostic]:
    """Complete the proof of a game whose main line was played to its end, and hold the record's claims to it.

    ``verified_end`` and ``verified_winner`` of the game are set where what the record claims or states proves more than
    the position alone. Where ``crowded`` is false no position stood four times. Returns what disagrees.
    """
    record: Record = game.record
    stated: dict[str, str] | None = None
    findings: list[Diagnostic] = []
    limit: int | None = chosen.max_moves or None
    at_limit: cython.bint = False
    counted: cython.bint = False  # whether a header is one of _COUNTS
    timed: cython.bint = False  # or of _CLOCKS
    for key, value in record.headers:
        name = _TELLING.get(key)
        if name is not None:
            if stated is None:
                stated = {}
            if name not in stated:
                stated[name] = value
                if name in _COUNTS:
                    counted = True
                elif name in _CLOCKS:
                    timed = True
    if stated is not None and chosen.max_moves is None:
        limit = _limit(stated.get("max_moves"))
    if limit is not None:
        at_limit = game.plies + _moves_before(game) >= limit
    end = record.end
    if at_limit or end is not None and (
            end.reason not in _PLAIN or game.verified_end is not None
            or end.reason in ("resign", "timeout") and end.winner == record.to_move(game.plies)):
        from kifu.referee import claims, proof

        case = proof.Case(game, chosen, limit, _moves_before(game))
        proof.complete(case)
        findings += claims.disagreements(case)
    if at_limit or counted:
        from kifu.referee import counts

        findings += counts.disagreements(game, stated or {}, limit, _moves_before(game))
    if crowded and game.plies > 12 and -1 < (at := fourth(game.keys)) < game.plies \
            and (rule := chosen.repetition_of(game.position.rules)) not in BARRING:
        from kifu.referee import counts

        findings.append(counts.played_on(game, at, rule))
    if timed and stated is not None:
        global _clocks_disagree
        if _clocks_disagree is None:
            from kifu.referee.clocks import disagreements

            _clocks_disagree = disagreements
        findings += _clocks_disagree(game, stated)
    return findings


def _limit(stated: str | None) -> int | None:
    """The number of moves after which the game is drawn, as the record states it; None where it states none.

    Source: `$MAX_MOVES` of CSA 3.0, `Max_Moves` of its server protocol, 最大手数 of ShogiHome.
    """
    if stated is None:
        return None
    number = stated.strip().removesuffix("手")
    return int(number[:9]) or None if number.isdecimal() else None


def _moves_before(game: Game) -> int:
    """How many moves the start position says were made before it."""
    number = game.start.rpartition(" ")[2]
    return int(number[:9]) - 1 if number.isdecimal() and number != "0" else 0
