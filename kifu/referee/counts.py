"""Numbers of moves: what headers say, limits that were passed, positions that ended the game before its last move."""
from __future__ import annotations

from collections.abc import Mapping

from kifu.diagnostics import Diagnostic, make
from kifu.ends import BLACK, DRAW, opponent
from kifu.headers import used
from kifu.record import INFO, Game
from kifu.rules.repetition import repetition
from kifu.rules.ruleset import FOURTH, FOURTH_LOSES, FOURTH_SECOND_WINS


def disagreements(game: Game, stated: Mapping[str, str], limit: int | None, before: int) -> list[Diagnostic]:
    """Headers that count other moves than were played, and moves behind the limit.

    ``stated`` are headers: 手数 of mate problems (the moves of the solution), and 消費時間, which begins with a
    number (`104▲379△380`). ``before`` is how many moves were made before the start.
    """
    found = []
    told = stated.get("手数", "").strip().removesuffix("手詰").removesuffix("手")
    if told.isdecimal() and game.plies and int(told[:9]) != game.plies:
        found.append(_of_header(game, "手数", int(told[:9])))
    spent = used(stated["消費時間"]) if "消費時間" in stated else None
    if spent is not None and spent.plies is not None and game.plies and spent.plies != game.plies:
        found.append(_of_header(game, "消費時間", spent.plies))
    if limit is not None and game.plies > limit and limit != game.plies + before:
        info = game.record.info
        found.append(make("beyond-limit", info[INFO * limit], info[INFO * limit + 1], limit + 1, limit=limit,
                          plies=game.plies))
    return found


def _of_header(game: Game, key: str, said: int) -> Diagnostic:
    record = game.record
    at = record.text.find(key, record.offset, record.end_offset)
    return make("result-count", at if at >= 0 else record.offset, at + len(key) if at >= 0 else -1, said=said,
                played=game.plies,
                hint=f"the header {key} is meant; a line may be {'there twice' if said < game.plies else 'missing'}")


def played_on(game: Game, at: int, rule: str = FOURTH) -> Diagnostic:
    """Moves follow behind ``at`` plies, where a position stands for the fourth time: the game was over there.

    ``rule`` is the reading of repetition, one of those that end a game.
    """
    info = game.record.info
    reason, winner = repetition(game.keys[:at + 1], game.moves[:at], int(game.record.turn != BLACK), rule) or ("", DRAW)
    why = "whom perpetual check was given"
    if reason == "repetition" and rule == FOURTH_SECOND_WINS:
        why = "who moved second"
    elif rule == FOURTH_LOSES and winner != DRAW:
        why = f"since {opponent(winner).capitalize()} made the position"
    return make("played-on", info[INFO * (at - 1)], info[INFO * (at - 1) + 1], at,
                why="the position stands for the fourth time after this move",
                result="drawn" if winner == DRAW else f"won by {winner.capitalize()}, {why}")
