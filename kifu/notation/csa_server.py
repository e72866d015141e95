# cython: language_level=3, boundscheck=True
"""What shogi servers write around a CSA game: summaries, ratings, game ids, clocks of the server protocol.

Pure functions from text to data; `kifu.notation.csa` calls them. Sources: the records and the source of shogi-server
(the program behind floodgate), the page of the CSA server protocol, records of 81Dojo.
"""
from __future__ import annotations

import re
from functools import lru_cache

try:
    import cython
except ImportError:
    from kifu import _cython as cython

from kifu import ends
from kifu._tuples import NamedTuple

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
_OUTCOMES = r"(.*) (win|lose|draw):(.*) (win|lose|draw)\s*"
_FOUL = r"'ILLEGAL_MOVE\(\s*([+-])(00|[1-9][1-9])([1-9][1-9])([A-Z]{2})\s*\)\s*"
_UNIT = r"(\d{1,6})\s*(msec|sec|min)?"
_MILLISECONDS = {"msec": 1, "sec": 1000, "min": 60000, None: 1000}


#: Named tuples looking through no defaults: it is done once a game.
_made = tuple.__new__


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
    kind, _, rest = text.partition(":")
    if black is not None and white is not None:
        if rest == black + " lose:" + white + " win":
            return _made(Told, (kind, ends.WHITE))
        if rest == black + " win:" + white + " lose":
            return _made(Told, (kind, ends.BLACK))
    match = re.fullmatch(_OUTCOMES, rest)
    if match is None:
        return None
    first, how, second, _ = match.groups()
    if how == "draw":
        return Told(kind, ends.DRAW)
    side = ends.WHITE if black != white and (first == white or second == black) else ends.BLACK
    return Told(kind, side if how == "win" else ends.opponent(side))


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
    if claimed is not None and claimed.reason == known.reason and claimed.winner == told.winner:
        return claimed, False
    offender = None
    if known.reason in ("illegal", "perpetual_check") and told.winner in ends.SIDES:
        offender = ends.opponent(told.winner)
    end = ends.End(known.reason, told.winner, offender, raw, offset)
    if claimed is None:
        return end, False
    differs = claimed.reason not in known.said or (known.same and claimed.winner not in (told.winner, ends.UNKNOWN))
    return end._replace(milliseconds=claimed.milliseconds), differs


class GameId(NamedTuple):
    """The parts of a game id: time settings as CSA 3.0 writes them, the names, the start as fourteen digits."""

    time_control: str
    black: str | None
    white: str | None
    stamp: str

    @property
    def start_time(self) -> str:
        """The start as CSA writes times."""
        day, time = self.stamp[:8], self.stamp[8:]
        return f"{day[:4]}/{day[4:6]}/{day[6:]} {time[:2]}:{time[2:4]}:{time[4:]}"


def game_id(text: str) -> GameId | None:
    """A game id of shogi-server or 81Dojo, None where the text is none.

    A number with an F is an increment, one without it byoyomi. Names that hold a plus cannot be told apart.

    >>> game_id("wdoor+floodgate-300-10F+Kifu+Hyo+20210405160009")
    GameId(time_control='300+0+10', black='Kifu', white='Hyo', stamp='20210405160009')
    """
    parts = text.removesuffix(".csa").split("+")
    stamp = parts[-1]
    if len(parts) < 5 or len(stamp) != 14 or not (stamp.isascii() and stamp.isdigit()):
        return None
    control = _time_control(parts[1])
    if control is None:
        return None
    black, white = parts[2:4] if len(parts) == 5 else (None, None)
    return _made(GameId, (control, black, white, stamp))


@lru_cache(maxsize=256)
def _time_control(name: str) -> str | None:
    """The settings in the name of a kind of games, `floodgate-300-10F`; None where it has none."""
    _, _, settings = name.partition("-")
    total, _, more = settings.rpartition("-")
    total = total.rpartition("-")[2]
    limit = more.removesuffix("F")
    if not (total.isascii() and total.isdigit() and limit.isascii() and limit.isdigit()):
        return None
    return f"{total}+0+{limit}" if limit != more else f"{total}+{limit}+0"


def rating(value: str) -> str | None:
    """The number in ``NAME+hash:3382.0`` or in 81Dojo's ``*1249,840,x2|81WS``, None where there is none.

    >>> rating("10b_n003+5077:3382.0"), rating("*1154,392,x2|ADR")
    ('3382.0', '1154')
    """
    i: cython.Py_ssize_t
    char: cython.Py_UCS4
    points: cython.int = 0
    digits: cython.int = 0
    start: cython.Py_ssize_t = value.rfind(":") + 1
    end: cython.Py_ssize_t = value.find(",", start)
    if end < 0:
        end = len(value)
    while start < end and value[start] in " *":
        start += 1
    while start < end and value[end - 1] in " *":
        end -= 1
    for i in range(start, end):
        char = value[i]
        if "0" <= char <= "9":
            digits += 1
        elif char == ".":
            points += 1
        elif char != "-" or i - points > start:
            return None
    return value[start:end] if digits and points <= 1 else None


def foul(text: str) -> tuple[str, str, str, str] | None:
    """The sign, origin (``00``: a drop), target and piece of ``'ILLEGAL_MOVE(+5948OU)``, None where it is none."""
    match = re.fullmatch(_FOUL, text)
    return (match[1], match[2], match[3], match[4]) if match else None


def clock_settings(fields: dict[str, str]) -> str | None:
    """The time settings of a server protocol log as CSA 3.0 writes them; None where it gives no total.

    >>> clock_settings({"Time_Unit": "1min", "Total_Time": "15", "Byoyomi": "1"})
    '900+60+0'
    """
    unit = re.fullmatch(_UNIT, fields.get("Time_Unit", "1sec").strip())
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
