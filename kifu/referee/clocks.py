# cython: language_level=3, annotation_typing=False
"""Time used and time allowed, where a record has clocks and says how much time there was.

The check is generous: times are rounded, so a second more than allowed is no finding, and controls with other rules
than main time, byoyomi and increment (考慮時間, periods that are used up) are left alone.
"""
from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from kifu.diagnostics import Diagnostic, make
from kifu.ends import BLACK, WHITE, End
from kifu.headers import TimeControl, combined
from kifu.record import INFO, Game
from kifu.referee.sums import run_down

#: Milliseconds by which rounding may make a time longer.
ROUNDING = 1000
#: The headers in which each side has a control of its own.
_OWN = ("black_time_control", "white_time_control")
#: Words of controls that this does not follow.
_OTHER_RULES = ("考慮", "回", "秒以上", "ストップウォッチ", "猶予", "切り捨て", "切捨て", "切捨", "未満")
#: A main time with nothing behind it is all there is where a program writes it or these words stand there; people leave
#: the byoyomi unsaid, and by `30秒` they mean each move.
_ALL_THERE_IS = re.compile(r"[0-9.]+\+[0-9.]+\+[0-9.]+$|[0-9]+:[0-9]+(\+[0-9]+)?$|.*切れ負け")


def disagreements(game: Game, stated: Mapping[str, str]) -> list[Diagnostic]:
    """The first move of each side for which more time was used than it had, and a loss on time that had time left.

    ``stated`` are the headers about time: ``time_control``, ``black_time_control``, ``white_time_control``, 秒読み.
    """
    record = game.record
    if not game.plies or record.info[INFO - 1] < 0 and record.info[INFO * game.plies - 1] < 0:
        return []
    info, first = record.info, int(record.turn != BLACK)
    both, extra = stated.get("time_control"), stated.get("秒読み")
    found: list[Diagnostic] = []
    for side, name in enumerate((BLACK, WHITE)):
        control = _followed(stated.get(_OWN[side]) or both, extra)
        if control is None:
            continue
        main, byoyomi, increment, _ = control
        increment *= 1000
        at, left = run_down(info, (side - first) % 2, game.plies, 1000 * main, 1000 * byoyomi, increment, ROUNDING)
        if at >= 0:
            found.append(make("time-exceeded", info[INFO * at], info[INFO * at + 1], at + 1, side=name.capitalize(),
                              used=shown(info[INFO * at + 3]), left=shown(left), control=control.raw))
        elif at == -1 and (end := record.end) is not None and end.reason == "timeout" \
                and end.winner == (WHITE, BLACK)[side]:
            found += _flag_fell(game, end, name, left + increment)
    return found


def stated(told: str | None, extra: str | None) -> tuple[int | None, int | None, int | None]:
    """Main time, byoyomi and increment in seconds that the headers for the time control and 秒読み state.

    None for what is not told: people leave the byoyomi unsaid (各6時間) where programs write a zero, so nothing behind
    a main time is no zero either. All are None where other rules go beside them (考慮時間), and for ``30秒``, by
    which people mean each move.

    >>> stated("00:10+30", None), stated("各6時間", None), stated("600+0+10", None)
    ((600, 30, 0), (21600, None, None), (600, 0, 10))
    """
    control = combined(told, extra)
    if control is None or any(word in control.raw for word in _OTHER_RULES):
        return None, None, None
    if control.byoyomi or control.increment or _ALL_THERE_IS.match(control.raw):
        return control.main, control.byoyomi, control.increment
    in_seconds = not any(sign in control.raw for sign in "分時:：")
    return (None if in_seconds or not control.main else control.main), None, None


@lru_cache(maxsize=256)
def _followed(told: str | None, extra: str | None) -> TimeControl | None:
    """The time control that two headers state, None where it has other rules than are followed here."""
    control = combined(told, extra)
    if control is None or not (control.main or control.byoyomi) or any(word in control.raw for word in _OTHER_RULES):
        return None
    if not (control.byoyomi or control.increment or _ALL_THERE_IS.match(control.raw)):
        return None
    return control


def _flag_fell(game: Game, end: End, name: str, had: int) -> list[Diagnostic]:
    """A loss on time whose own clock shows that there was time."""
    if not end.milliseconds or end.milliseconds + ROUNDING >= had:
        return []
    start = max(end.offset, 0)
    return [make("timeout-unproven", start, start + len(end.raw), game.plies, side=name.capitalize(),
                 used=shown(end.milliseconds), left=shown(had))]


def shown(milliseconds: int) -> str:
    """A time as clocks show it: minutes and seconds, hours where there are any.

    >>> shown(72000), shown(3723000)
    ('1:12', '1:02:03')
    """
    minutes, seconds = divmod(milliseconds // 1000, 60)
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}" if minutes > 59 else f"{minutes}:{seconds:02}"
