"""What the KIF specification does not say, but programs write: looked for in strict mode only.

The grammar reads more than the specification has, since a spelling such as `76歩(77)` leaves nothing to guess; in the
default mode such spellings are accepted without a word, and only what had to be guessed or left out is told. In
strict mode each departure is named here. Source: the format page of Kifu for Windows (see `grammars/kif.lark`).
"""
from __future__ import annotations

import re
from collections.abc import Iterator

from kifu.diagnostics import Diagnostic, make
from kifu.movetext import DECLINE
from kifu.record import INFO, Record
from kifu.rules.handicaps import HANDICAPS

#: End words of the specification.
END_WORDS = frozenset({
    "中断", "投了", "持将棋", "千日手", "詰み", "不詰", "切れ負け", "反則勝ち", "反則負け", "入玉勝ち",
    "不戦勝", "不戦敗",
})
#: Names of handicaps of the specification.
HANDICAP_NAMES = frozenset({"その他", *(handicap.ja for handicap in HANDICAPS.values())} - {"歩三兵", "裸玉"})

_CLOCK = r"\( ?[0-9]+:[0-9]{2}/[0-9]{2,}:[0-9]{2}:[0-9]{2}\)"
_MOVE = re.compile(
    r"(?:[１-９][一二三四五六七八九]|同　)(?:成[銀桂香]|[玉王飛龍竜角馬金と]|[銀桂香歩飛角]成?)(?:打|\([1-9][1-9]\))")
_LINE = re.compile(rf" *[0-9]+ +(?:{_MOVE.pattern})(?: +{_CLOCK})?\+? *")
_LINE_END = re.compile(r"[\r\n]")

MOVE_FORM = "a move is written like ７六歩(77), 同　角成(22) or ５五角打"
CLOCK_FORM = "a clock is written like ( 0:12/00:01:30)"


def departures(record: Record, handicap: str, handicap_at: int) -> Iterator[Diagnostic]:
    """Findings for every move, end word and handicap name of a record that the specification does not have.

    ``handicap`` is the name as written, at ``handicap_at``; "" where none is.
    """
    if handicap and handicap not in HANDICAP_NAMES:
        yield make("unspecified-spelling", handicap_at, text=handicap, hint="the handicap is one of the format's names")
    for line in record.lines:
        end = line.end
        if end is not None and end.raw not in END_WORDS and not record.text.startswith("まで", end.offset):
            yield make("unspecified-spelling", end.offset, text=end.raw, hint="the end is one of the format's words")
    yield from _moves(record)


def _moves(record: Record) -> Iterator[Diagnostic]:
    """Findings for the lines of moves."""
    text, info = record.text, record.info
    for index in range(len(info) // INFO):
        if record.texts[index] & DECLINE:
            continue  # `decline-written` tells it
        start, end = info[INFO * index], info[INFO * index + 1]
        stop = _LINE_END.search(text, start)
        begin = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
        whole = text[begin:stop.start() if stop else len(text)]
        match = _LINE.fullmatch(whole)
        if match is None:
            move = text[start:end].rstrip(" 　\t")
            spelled = _MOVE.fullmatch(move) is not None
            yield make("unspecified-spelling", start, end, text=whole.strip() if spelled else move,
                       hint=CLOCK_FORM if spelled else MOVE_FORM)
