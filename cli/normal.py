"""A file's normal form: its games written again in its own notation, proven to be the same games.

Nothing is guessed here. A file has a normal form if all its games are sound, if what was said of them is no more than
a matter of spelling, if the copy, read again, holds the same as the original in every part (see `kifu.cli.same`), and
if no line of text vanishes that a record does not keep. Otherwise there is a reason, and the file stays what it is.
"""
from __future__ import annotations

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from io import StringIO
from typing import TYPE_CHECKING

from kifu._tuples import NamedTuple
from kifu.cli.convert import why
from kifu.cli.options import MARKED_UTF8
from kifu.cli.same import differences
from kifu.cli.target import encoded
from kifu.cli.words import counted, listed

from kifu.diagnostics import REASONS, shorten

if TYPE_CHECKING:
    from kifu.pipeline import Options, Source
    from kifu.record import Game
    from kifu.text import Decoded

#: Findings about the way something is written, which a writer writes in the usual way.
MENDED = frozenset((
    "encoding-mismatch", "mixed-encodings", "unknown-encoding", "lower-case", "indented", "loose-row", "box-left-out",
    "promotion-supplied", "origin-supplied", "decline-written", "gap-in-move", "mixed-squares", "capital-rank",
    "check-marked", "small-piece", "next-game-unmarked", "unspecified-spelling", "end-repeated", "foreign-end",
))
#: Findings about what a record says rather than how: the copy says the same, and must have the same ones. All others
#: keep a file as it is.
KEPT = frozenset((
    *(one for one in REASONS if one != "moves-after-end"), "surplus-pieces", "mate-unproven", "repetition-unproven",
    "perpetual-check-unproven", "declaration-failed", "impasse-unproven", "end-conflict", "foul-not-shown",
    "limit-not-reached", "beyond-limit",
    "played-on", "time-exceeded", "timeout-unproven", "winner-to-move",
))
#: Lines that say in which encoding or version a file is written, which a writer says anew.
_SAID_ANEW = re.compile(r"#KI[F2] version=|'(?:CSA )?encoding=", re.IGNORECASE)
#: Lines of notes about the file by notation: its programs' notes rather than comments on the game.
_NOTES = {"kif": "#", "ki2": "#", "bod": "#", "usi": "#", "csa": "'"}
_MARKS = "#'*; \t　\r\n"
#: Words of western text that are no moves, and the names of tags, which a writer has its own for.
_WORDS = re.compile(r"[^\W\d_]{4,}")
_TAGS = re.compile(r'\[\s*(?:S?FEN\s*"[^"]*"|\w+\s*:?\s*")|Variation:')
_ANY_WORD = re.compile(r"\w")
_WESTERN = ("western", "psn")


class Normal(NamedTuple):
    """The normal form of a file, as text and as bytes; ``why`` there is none, where there is none.

    ``bad`` where a game is at fault, ``unread`` where not even the bytes could be had.
    """

    old: str = ""
    new: str = ""
    data: bytes = b""
    why: str = ""
    bad: bool = False
    unread: bool = False


def normal(source: Source, options: Options, data: bytes) -> Normal | None:
    """The normal form of a file of these bytes; None where the file is passed over, since it holds no record."""
    from kifu.notation import WRITABLE
    from kifu.pipeline import games

    entries = list(games(source, options, data=data))
    if not entries:
        return None
    proven: list[Game] = []
    for entry in entries:
        if entry.bad or entry.game is None:
            return Normal(why=why(entry), bad=True, unread=entry.unread)
        proven.append(entry.game)
    decoded = entries[0].decoded
    notation = proven[0].record.notation
    if not decoded.encoding:  # a notation of bytes has one form
        return Normal(data=data)
    if notation not in WRITABLE or any(game.record.notation != notation for game in proven):
        return Normal(why=f"{source.label}: {notation} is read, but not written")
    for entry in entries:
        for found in entry.findings:
            if found.name not in MENDED and found.name not in KEPT:
                return Normal(why=f"{why(entry, found)}; this may be lost when it is written again")
    text, problem = _written(proven, notation, decoded.text)
    problem = problem or _vanished(decoded.text, text, notation) or _other_totals(decoded.text, text, notation)
    if problem:
        return Normal(why=f"{source.label}: {problem}")
    return _read_again(source, options, proven, notation, decoded, text)


def lines_of(text: str) -> list[str]:
    """The lines of a text with their ends, which are those of files and nothing else that Python takes for one.

    >>> lines_of("a\\r\\nb\\x85c\\nd")
    ['a\\r\\n', 'b\\x85c\\n', 'd']
    """
    return list(StringIO(text, newline=""))


def _written(games: list[Game], notation: str, old: str) -> tuple[str, str]:
    """Games as text, with the notes that head the old one; and what is lost, in words."""
    from kifu.notation import writer
    from kifu.notation.writing import UnwritableError

    style = None
    if notation in _WESTERN:  # animals stay animals; psn has no styles and is refused
        from kifu.notation.animals import style_of

        style = style_of(game.record.move_text(index) for game in games for index in range(len(game.record.texts)))
    target = writer(notation, style if notation == "western" else None)
    try:
        text = target.write_all(games)
    except UnwritableError as error:
        return "", str(error)
    notes = _head(old, notation)
    if notes:
        first, end, rest = text.partition("\n")
        text = f"{first}{end}{notes}{rest}" if _SAID_ANEW.match(first) else notes + text
    return text, f"{notation} cannot hold {listed(dict(target.losses))}" if target.losses else ""


def _other_totals(old: str, new: str, notation: str) -> str:
    """What is wrong where the totals of clocks, which a writer adds up anew, would not be those of the old text."""
    from kifu.cli.totals import totals

    told = totals(old, notation)
    return "the totals of its clocks would change" if told and told != totals(new, notation) else ""


def _head(text: str, notation: str) -> str:
    """The lines of notes at the beginning of a text that are no part of any game: ``# Kifu for Windows V7``."""
    if _NOTES.get(notation) != "#":
        return ""
    notes = []
    for line in lines_of(text):
        if line.strip() and not line.lstrip().startswith("#"):
            break
        if line.strip() and not _SAID_ANEW.match(line):
            notes.append(f"{line.rstrip()}\n")
    return "".join(notes)


def _vanished(old: str, new: str, notation: str) -> str:
    """What would vanish although no reader and no writer says so: notes to the file, names of positions, stray words.
    """
    mark = _NOTES.get(notation)
    lines = lines_of(old)
    if mark:
        kept = {line.strip(_MARKS) for line in lines_of(new)}
        for number, line in enumerate(lines, 1):
            words = line.strip(_MARKS)
            if line.lstrip().startswith(mark) and words not in kept and _ANY_WORD.search(words) \
                    and not _SAID_ANEW.match(line.lstrip()):
                return f"line {number} is no part of a game, and would be lost: {shorten(line.strip(), 60)}"
    if notation == "usi":
        for number, line in enumerate(lines, 1):
            if "|" in line:
                return f"line {number} names its position, which would be lost: {shorten(line.strip(), 60)}"
    if notation in _WESTERN:
        kept = {word.casefold() for word in _WORDS.findall(new)}
        for word in _WORDS.findall(_TAGS.sub("", old)):
            if word.casefold() not in kept:
                return f"a word would be lost: {shorten(word, 60)}"
    return ""


def _read_again(source: Source, options: Options, before: list[Game], notation: str, decoded: Decoded,
                text: str) -> Normal:
    """The normal form, if what is read from its bytes is the same, and is written in the same way once more."""
    from kifu.pipeline import games

    data = _bytes(text, decoded)
    entries = list(games(source, options, data=data))
    after = [entry.game for entry in entries if entry.game is not None]
    if len(after) != len(before) or len(entries) != len(before):
        return Normal(why=f"{source.label}: the copy would be read as {counted(len(after), 'game')}")
    for old, entry in zip(before, entries, strict=True):
        known = Counter(found.name for found in old.diagnostics if found.name in KEPT)
        for found in entry.findings:
            if not known[found.name]:
                return Normal(why=f"{why(entry, found)}; so it would be in the copy")
            known[found.name] -= 1
        if known.total():
            name = next(iter(known.elements()))
            return Normal(why=f"{source.label}:{old.record.line}: the copy would no longer be found to have {name}")
    for old, new in zip(before, after, strict=True):
        if different := differences(old, new):
            return Normal(why=f"{source.label}:{old.record.line}: the copy would differ: {', '.join(different)}")
    again, _ = _written(after, notation, entries[0].decoded.text)
    if lines_of(again) != lines_of(text):
        return Normal(why=f"{source.label}: the copy would not stay the same when it is written again")
    return Normal(decoded.text, entries[0].decoded.text, data)


def _bytes(text: str, decoded: Decoded) -> bytes:
    """The text in the encoding and with the line ends of the file it comes from; in UTF-8 where that cannot hold it."""
    from kifu.text import EncodeError

    if decoded.newline == "crlf":
        text = text.replace("\n", "\r\n")
    name = "utf-8" if decoded.encoding == "ascii" else decoded.encoding
    try:
        data = encoded(text, MARKED_UTF8 if decoded.bom and name == "utf-8" else name)
    except EncodeError:
        return encoded(text, "utf-8")
    if decoded.bom and name.startswith("utf-16"):
        data = (BOM_UTF16_BE if name.endswith("be") else BOM_UTF16_LE) + data
    return data
