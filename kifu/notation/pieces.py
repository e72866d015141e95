"""A long text in pieces that end between two games, so that reading a million games needs the memory of a few.

A text is cut only where the reader of the notation begins a new record (`BORDERS`; where that is not sure, `records`
looks at what was read); a notation that has no such place, or a text without one, is read whole. Small pieces are also
the faster ones: what is read stays in the caches of the processor, and the system is not asked for fresh memory with
every text. Where a text holds games of ordinary shogi and of other kinds, each piece is read as its own games ask for.
"""
from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from kifu.diagnostics import Diagnostic
from kifu.record import Record, Source

#: A text longer than twice this is read in pieces of about this many characters: ten games or so.
SIZE = 1 << 15
#: The headers with which a game of the KIF family may begin.
HEADERS = r"(?:開始日時|手合割|棋戦|先手|後手|下手|上手|対局日|表題|場所|対局ID)(?:：|:)"
#: What stands before the border between two games; the border is the end of the match. Compiled where it is needed.
#: Japanese stands outside of character classes, so that `in_bytes` can spell it in any encoding.
BORDERS = {
    "csa": r"\n/[ \t]*\r?\n(?![ \t]|　)",
    "usi": r"\n(?=position |startpos|sfen )",
    "sfen": r"\n(?=position |startpos|sfen )",
    # a move line or まで, and then the headers of another game
    "kif": (r"(?m)^(?:(?:[ \t]|　)*[0-9]+(?:[ \t]|　)|まで)[^\n]*\n(?:[ \t\r]*\n)*"
            r"(?=#KIF|" + HEADERS + ")"),
    "ki2": (r"(?m)^(?:▲|△|まで)[^\n]*\n(?:[ \t\r]*\n)*(?=#KI2|" + HEADERS + ")"),
}
#: What stands in every text that has a border: where there is none of it, as in one long game, none is looked for.
SIGNS = {"kif": r"\n[#開手棋先後下上対表場]", "ki2": r"\n[#開手棋先後下上対表場]"}
#: Where headers may still be of the game whose headers stand before them, if there is no move between them that can be
#: read: then the piece is read again with what follows it. `pieces`, whose pieces are long, does not look.
UNSURE = ("kif", "ki2")


def pieces(text: str, notation: str, size: int = SIZE) -> Iterator[tuple[int, str]]:
    """The parts of a text with the offset of each; together they are the text.

    >>> list(pieces("PI\\n+\\n/\\nPI\\n+\\n/\\nPI\\n-\\n", "csa", size=5))
    [(0, 'PI\\n+\\n/\\n'), (7, 'PI\\n+\\n/\\n'), (14, 'PI\\n-\\n')]
    """
    border, start, total = _border(notation), 0, len(text)
    while (end := _end(text, border, start, size)) < total:
        yield start, text[start:end]
        start = end
    yield start, text[start:] if start else text


def records(text: str, notation: str, read: Callable[[str], list[Record]], size: int = SIZE) -> Iterator[Record]:
    """The records of a text that is read in pieces by ``read``, as if it had been read at once.

    A record is given once the next one is known: what is found behind the last game belongs to that one.
    """
    from kifu.notation.reading import moved

    source, start, total = Source(text), 0, len(text)
    border = _border(notation) if notation not in SIGNS or re.compile(SIGNS[notation]).search(text, size) else None
    early: list[Diagnostic] = []
    last: Record | None = None
    count, wanted = 0, size
    while start < total:
        end = _end(text, border, start, wanted)
        found = read(text[start:end])
        if end < total and notation in UNSURE and (not found[-1].texts or found[-1].end_offset < end - start):
            wanted *= 2
            continue
        for record in found:
            moved(record, start, source)
            if holds_nothing(record):
                (early if last is None else last.diagnostics).extend(record.diagnostics[1:])
                continue
            if last is not None:
                if record is found[0]:
                    _hand_back(record, last)
                yield last
            count += 1
            record.number = count
            if early:
                record.diagnostics[:0], early = early, []
            last = record
        start, wanted = end, size
    if last is not None:
        yield last
    else:
        yield from read(text)


def holds_nothing(record: Record) -> bool:
    """Whether a reader found no game in its text and says so in this record, before all else."""
    return any(found.name == "no-game" for found in record.diagnostics)


def _hand_back(record: Record, last: Record) -> None:
    """Give the last record what was found between it and this one, the first of its piece."""
    between = [found for found in record.diagnostics if 0 <= found.offset < record.offset]
    if between:
        last.diagnostics += between
        record.diagnostics = [found for found in record.diagnostics if not 0 <= found.offset < record.offset]


def _border(notation: str) -> re.Pattern[str] | None:
    return re.compile(BORDERS[notation]) if notation in BORDERS else None


def _end(text: str, border: re.Pattern[str] | None, start: int, size: int) -> int:
    """Where a piece ends that begins at ``start``; what follows the last game is no piece of its own."""
    total = len(text)
    if border is None or total - start <= 2 * size:
        return total
    # from the end of a line on, since a border may begin with it
    found = border.search(text, max(text.rfind("\n", start, start + size), start))
    return total if found is None or total - found.end() < size else found.end()


def in_bytes(notation: str, encoding: str) -> re.Pattern[bytes]:
    """The border of a notation as it stands in the bytes of an encoding.

    It can be told there because a line starts behind a line end and nowhere else (see `kifu.text.CUTTABLE`).
    """
    spelled = "utf-8" if encoding == "ascii" else encoding
    return re.compile(b"".join(char.encode() if char.isascii() else b"(?:%b)" % re.escape(char.encode(spelled))
                               for char in BORDERS[notation]))
