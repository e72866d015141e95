"""What shogi servers write around a CSA game: summaries, ratings, game ids, clocks of the server protocol.

Pure functions from text to data; `kifu.notation.csa` calls them. Sources: the records and the source of shogi-server
(the program behind floodgate), the page of the CSA server protocol, records of 81Dojo.
"""
from __future__ import annotations

import re
from typing import NamedTuple

from kifu import ends

#: Comments of shogi-server that are data: they become headers of this name, and the CSA writer makes comments of them.
COMMENT_KEYS = ("Max_Moves", "Least_Time_Per_Move", "Increment", "rating", "black_rate", "white_rate",
                "buoy game starting with", "summary")
#: Fields of the game summary with which the log of a client begins (CSA server protocol 1.1 to 1.2.1).
LOG_KEYS = frozenset({
    "Protocol_Version", "Protocol_Mode", "Format", "Declaration", "Game_ID", "Name+", "Name-", "Your_Turn",
    "Rematch_On_Draw", "To_Move", "Max_Moves", "Time_Unit", "Total_Time", "Byoyomi", "Increment", "Delay",
    "Least_Time_Per_Move", "Time_Roundup", "START", "REJECT"})
#: Headers that follow from others: key as written -> the canonical name under which the value alone is kept.
RATING_KEYS = {"black_rate": "black_rating", "white_rate": "white_rating", "I+": "black_rating", "I-": "white_rating"}
#: Longer events are no game ids.
MOST_ID = 512

_SUMMARY = re.compile(r"([^:]*):(.*) (win|lose|draw):(.*) (win|lose|draw)\s*")
_GAME_ID = re.compile(r"([^+]+)\+(.+?)-(\d{1,6})-(\d{1,6})(F?)\+(.+)\+(\d{14})(?:\.csa)?")
_FOUL = re.compile(r"'ILLEGAL_MOVE\(\s*([+-])(00|[1-9][1-9])([1-9][1-9])([A-Z]{2})\s*\)\s*")
_RATE = re.compile(r"\*?\s*(-?\d{1,6}(?:\.\d+)?)")
_UNIT = re.compile(r"(\d{1,6})\s*(msec|sec|min)?")
_MILLISECONDS = {"msec": 1, "sec": 1000, "min": 60000, None: 1000}


class Told(NamedTuple):
    """What a ``summary`` says: its kind, and who won."""

    kind: str
    winner: str


def summary(text: str, black: str | None, white: str | None) -> Told | None:
    """A summary such as ``toryo:A lose:B win`` as its kind and the winner, None where it is none.

    Old versions of shogi-server name the loser first, newer ones Black; so the names decide where they can.

    >>> summary("uchifuzume:W lose:B win", "B", "W")
    Told(kind='uchifuzume', winner='black')
    """
    match = _SUMMARY.fullmatch(text)
    if match is None:
        return None
    kind, first, how, second, _ = match.groups()
    side = ends.WHITE if black != white and (first == white or second == black) else ends.BLACK
    winner = {"win": side, "lose": ends.opponent(side), "draw": ends.DRAW}[how]
    return Told(kind.strip(), winner)


def decide(claimed: ends.End | None, told: Told, raw: str, offset: int) -> tuple[ends.End, bool]:
    """The end a summary tells, which outranks a % line, and whether the two contradict each other.

    The time written behind the % line stays, and so does its word where it says the same.

    >>> decide(ends.End("declaration", "black"), Told("illegal kachi", "white"), "", -1)[0].reason
    'illegal'
    """
    known = ends.SUMMARIES.get(told.kind)
    if known is None:
        reason = claimed.reason if claimed is not None else "other"
        known = ends.Summary(reason, frozenset({reason}), same=True)
    offender = None
    if known.reason in ("illegal", "perpetual_check") and told.winner in ends.SIDES:
        offender = ends.opponent(told.winner)
    end = ends.End(known.reason, told.winner, offender, raw, offset)
    if claimed is None:
        return end, False
    differs = claimed.reason not in known.said or (known.same and claimed.winner not in (told.winner, ends.UNKNOWN))
    if not differs and claimed.reason == known.reason and claimed.winner == told.winner:
        return claimed, False
    return end._replace(milliseconds=claimed.milliseconds), differs


class GameId(NamedTuple):
    """The parts of a game id: time settings as CSA 3.0 writes them, the names, the start."""

    time_control: str
    black: str | None
    white: str | None
    start_time: str


def game_id(text: str) -> GameId | None:
    """A game id of shogi-server or 81Dojo, None where the text is none.

    A number with an F is an increment, one without it byoyomi. Names that hold a plus cannot be told apart.

    >>> game_id("wdoor+floodgate-300-10F+Kifu+Hyo+20210405160009")
    GameId(time_control='300+0+10', black='Kifu', white='Hyo', start_time='2021/04/05 16:00:09')
    """
    match = _GAME_ID.fullmatch(text) if len(text) <= MOST_ID else None
    if match is None:
        return None
    _, _, total, more, fischer, players, stamp = match.groups()
    control = f"{int(total)}+0+{int(more)}" if fischer else f"{int(total)}+{int(more)}+0"
    names = players.split("+")
    black, white = names if len(names) == 2 else (None, None)
    return GameId(control, black, white,
                  f"{stamp[:4]}/{stamp[4:6]}/{stamp[6:8]} {stamp[8:10]}:{stamp[10:12]}:{stamp[12:]}")


def rating(value: str) -> str | None:
    """The number in ``NAME+hash:3382.0`` or in 81Dojo's ``*1249,840,x2|81WS``, None where there is none.

    >>> rating("10b_n003+5077:3382.0"), rating("*1154,392,x2|ADR")
    ('3382.0', '1154')
    """
    match = _RATE.fullmatch(value.rpartition(":")[2].partition(",")[0].strip())
    return match[1] if match else None


def foul(text: str) -> tuple[str, str, str, str] | None:
    """The sign, origin (``00``: a drop), target and piece of ``'ILLEGAL_MOVE(+5948OU)``, None where it is none."""
    match = _FOUL.fullmatch(text)
    return (match[1], match[2], match[3], match[4]) if match else None


def clock_settings(fields: dict[str, str]) -> str | None:
    """The time settings of a server protocol log as CSA 3.0 writes them; None where it gives no total.

    >>> clock_settings({"Time_Unit": "1min", "Total_Time": "15", "Byoyomi": "1"})
    '900+60+0'
    """
    unit = _UNIT.fullmatch(fields.get("Time_Unit", "1sec").strip())
    numbers = []
    for key in ("Total_Time", "Byoyomi", "Increment"):
        value = fields.get(key, "0").strip()
        if not value.isascii() or not value.isdigit() or len(value) > 9:
            return None
        numbers.append(int(value))
    if unit is None or not any(key in fields for key in ("Total_Time", "Byoyomi", "Increment")):
        return None
    scale = int(unit[1]) * _MILLISECONDS[unit[2]]
    return "+".join(f"{number * scale / 1000:.3f}".rstrip("0").rstrip(".") for number in numbers)
