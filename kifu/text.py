"""Bytes to text and back: encodings found by content, line ends, and the line and column of an offset.

A record's encoding is judged by its bytes. A declaration (``#KIF version=2.0 encoding=Shift_JIS``) is the first guess
and not the truth, since editors save a file again without changing that line. UTF-8 is tried before cp932, because
short Japanese UTF-8 is valid cp932 (``先手`` becomes ``蜈域焔`` without an error) and the opposite hardly ever happens.
Text that fits no encoding is decoded line by line, so that one broken byte costs at most its own line.
"""
from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import accumulate, islice

from kifu._tuples import NamedTuple
from kifu.diagnostics import Diagnostic, make

#: Names that programs write for the encoding which Python calls cp932 (``shift_jis`` lacks 髙 and ①).
_CP932_NAMES = frozenset(("shift_jis", "shift-jis", "sjis", "s_jis", "x-sjis", "ms_kanji", "mskanji", "windows-31j",
                          "windows_31j", "cswindows31j", "ms932", "cp932", "932"))
_DECLARATION = rb"(?m)^(?:\xef\xbb\xbf)?(?:#KIF|#KI2|'CSA |')[^\r\n]*?encoding=[ \t]*([A-Za-z][\w.:-]*)"
_DECLARED_WITHIN = 4096  # bytes from the start in which a declaration is looked for
_SAMPLE = 1 << 16  # characters that judge an encoding
_REPORTED = 10  # damaged lines reported one by one; the rest are counted
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"),
)
#: Characters that shogi records consist of. Text decoded by the wrong codec has few of them.
_LIKELY = (
    "[ぁ-んァ-ヴー０-９　、。：（）「」〔〕▲△▼▽☗☖"
    "先手後上下番者棋戦名開始終了日時刻持駒合割平香角飛落枚指消費間歩桂銀金王玉龍竜馬成杏圭全同打左右直引寄行不投中断千切"
    "反則勝負詰入宣言変化備考場所表題級段秒読一二三四五六七八九十年月]"
)
_HALF_WIDTH = "[\uff61-\uff9f]"
#: What a declaration adds to the likeness of an encoding that fits (but for UTF-8, which is believed if it fits).
_BELIEVED = 0.25
_FOREIGN = "[^\x00-\x7f]"
_ASCII = bytes(range(128))
_CONTROL = bytes(byte for byte in range(32) if byte not in b"\t\n\r\f\x1a\x1b") + b"\x7f"
_INVISIBLE = "\u200b\u2060\ufeff"
_LINE_END = "\r{1,2}\n|\n|\r"
#: What Python's cp932 makes of the single bytes 80, A0, FD, FE and FF, which stand for nothing.
_NO_CP932 = "[\x80\xa0\uf8f0\uf8f1\uf8f2\uf8f3]"
#: What cp932 has a look-alike for, and what other codecs of the same standard give instead.
_TO_CP932 = {"\u301c": "\uff5e", "\u2212": "\uff0d", "☗": "▲", "☖": "△", "\u2014": "\u2015"}
#: The same for the other codecs, which lack what cp932 gives for six signs.
_TO_JIS = {"\uff5e": "\u301c", "\uff0d": "\u2212", "\u2225": "\u2016", "￠": "¢", "￡": "£", "￢": "¬",
           "☗": "▲", "☖": "△", "\u2014": "\u2015"}
_LOOK_ALIKES = {"cp932": _TO_CP932, "euc_jp": _TO_JIS, "iso2022_jp": _TO_JIS}
_WIDE = frozenset(("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"))
_STATEFUL = frozenset(("iso2022_jp", "iso2022_jp_ext"))
#: How ISO-2022-JP goes over to Japanese; no other encoding has these.
_TO_JAPANESE = (b"\x1b$B", b"\x1b$@")
#: First bytes of kanji and kana in cp932 that EUC-JP never has; text of some length has some.
_CP932_LEADS = bytes(byte for byte in range(0x81, 0xA0) if byte not in (0x8E, 0x8F))


class Decoded(NamedTuple):
    """Text, and how it was found: the codec's name, the encoding that the file declares, its BOM, what is wrong."""

    text: str
    encoding: str
    declared: str | None = None
    bom: bool = False
    diagnostics: Sequence[Diagnostic] = ()

    @property
    def newline(self) -> str:
        """The kinds of line ends joined by ``+``: ``lf``, ``crlf``, ``cr``, ``crcrlf``; ``none`` for a single line."""
        return newlines(self.text)


#: Encodings in which a byte of a line end is never part of another character: bytes can be cut behind any line end.
CUTTABLE = frozenset(("ascii", "utf-8", "cp932", "euc_jp", "euc_jis_2004"))


class EncodeError(ValueError):
    """Characters that an encoding cannot hold. ``characters`` lists them with the offset of the first of each."""

    def __init__(self, encoding: str, characters: dict[str, int], text: str) -> None:
        self.encoding, self.characters = encoding, characters
        index = LineIndex(text)
        named = [f"{char} (U+{ord(char):04X}, line {index.place(offset)[0]}{'' if number else ' of the text written'})"
                 for number, (char, offset) in enumerate(list(characters.items())[:8])]
        more = f" and {len(characters) - 8} more" if len(characters) > 8 else ""
        super().__init__(f"{encoding} has no {', '.join(named)}{more}")


class LineIndex:
    """Finds the line and column of an offset as an editor shows them: both count from 1, in characters.

    ``\\r\\n``, ``\\n``, ``\\r`` and ``\\r\\r\\n`` each end one line.

    >>> LineIndex("ab\\r\\ncd\\re").place(4), LineIndex("ab\\r\\ncd\\re").place(7)
    ((2, 1), (3, 1))
    """

    __slots__ = ("_known", "_simple", "_starts", "_walked", "before", "text")

    def __init__(self, text: str, before: int = 0) -> None:
        self.text = text
        self.before = before  # lines of the file that stand before this text
        self._starts: list[int] | None = None
        self._simple: bool | None = None
        self._known = 0, 0  # an offset, and how many ends of lines stand before it
        self._walked = 0

    @property
    def simple(self) -> bool:
        """Whether each line ends with a line feed, whatever stands before that."""
        if self._simple is None:
            self._simple = "\r" not in self.text or self.text.count("\r") == self.text.count("\r\n")
        return self._simple

    @property
    def starts(self) -> list[int]:
        """The offset at which each line starts; the first is 0."""
        if self._starts is None:
            if self.simple:
                starts = [0, *accumulate(len(line) + 1 for line in self.text.split("\n"))]
                starts.pop()
            else:
                starts = [0, *(end.end() for end in re.finditer(_LINE_END, self.text))]
            self._starts = starts
        return self._starts

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of ``offset``; the end of the text has a place too.

        Few places, or many in their order, are found by counting on from the last one; the list of all lines is made
        only when that has gone over the text twice.
        """
        offset = max(offset, 0)
        if self._starts is None and self._walked <= 2 * len(self.text) and self.simple:
            at, lines = self._known
            if offset < at:
                at = lines = 0
            lines += self.text.count("\n", at, offset)
            start = self.text.rfind("\n", 0, offset) + 1
            self._known = offset, lines
            self._walked += offset - min(at, start)
            return lines + 1 + self.before, offset - start + 1
        line = bisect_right(self.starts, offset)
        return line + self.before, offset - self.starts[line - 1] + 1

    def ends(self) -> int:
        """How many ends of lines the text has."""
        return self.text.count("\n") if self.simple else len(self.starts) - 1

    def line(self, number: int) -> str:
        """The text of a line without its end; empty beyond the last."""
        starts = self.starts
        number -= self.before
        if not 1 <= number <= len(starts):
            return ""
        end = starts[number] if number < len(starts) else len(self.text)
        return self.text[starts[number - 1]:end].rstrip("\r\n")


@lru_cache(maxsize=64)
def codec_name(name: str) -> str:
    """Python's name of the text encoding that ``name`` means.

    Raises:
        LookupError: no such encoding, or a codec that is none of text.

    >>> codec_name("Shift_JIS"), codec_name("UTF8"), codec_name("EUC-JP")
    ('cp932', 'utf-8', 'euc_jp')
    """
    if name.strip().lower() in _CP932_NAMES:
        return "cp932"
    info = codecs.lookup(name.strip())
    if not getattr(info, "_is_text_encoding", True):
        raise LookupError(f"{name} is not an encoding of text")
    return {"utf-8-sig": "utf-8"}.get(info.name, info.name)


def decode(data: bytes, encoding: str | None = None) -> Decoded:
    """The text of a file. Never raises on bad bytes: it reports them and replaces them, within their line.

    Args:
        data: the whole file.
        encoding: overrides what would be found; raises LookupError where there is no such encoding.

    >>> decode("N+髙橋\\n".encode("cp932")).encoding
    'cp932'
    """
    if encoding is None and _is_plain(data):
        return Decoded(data.decode("ascii"), "ascii")
    if encoding is None and (found := _plain_utf8(data)):
        return found
    diagnostics: list[Diagnostic] = []
    bom, body, named = _strip_bom(data)
    declared = _declared(body)
    body = strip_end(body)
    whole = _Body(body)
    chosen = codec_name(encoding) if encoding else named or _choose(whole, body[:_DECLARED_WITHIN], declared)
    if chosen == "binary":
        return Decoded("", chosen, declared, bom, [make("binary-file", offset=0).placed(1, 1)])
    text = whole.text(chosen) if chosen else None
    if chosen is None or text is None:
        text, chosen = _by_line(body, chosen, diagnostics)
    if chosen in _WIDE:
        declared = _declared(text[:_DECLARED_WITHIN].encode("utf-8", "replace"))
    text = _clean(text, diagnostics)
    if b"\0" in body:  # quicker than to look for one in the text, which seldom has any
        _tell_zeros(text, diagnostics)
    _compare(declared, chosen, diagnostics)
    if diagnostics:
        index = LineIndex(text)
        diagnostics = [finding.placed(*index.place(finding.offset)) for finding in diagnostics]
    return Decoded(text, chosen, declared, bom, diagnostics)


def _is_plain(data: bytes) -> bool:
    """Whether a file is ASCII that nothing need be said about; one that is not sure of it is looked at more closely."""
    if not data.isascii() or b"\x1b" in data or b"\0" in data or data[-1:] == b"\x1a":
        return False
    start = data[:_DECLARED_WITHIN]
    return b"encoding=" not in start and _mostly_text(start)


def _plain_utf8(data: bytes) -> Decoded | None:
    """What `decode` makes of a file in UTF-8 that nothing need be said about; None where it must look more closely."""
    if b"\x1b" in data or b"\0" in data or data[-1:] == b"\x1a" or data.startswith(codecs.BOM_UTF8) or data.isascii():
        return None
    declared = _declared(data)
    try:
        if declared is not None and codec_name(declared) != "utf-8":
            return None
        text = data.decode("utf-8")
    except (LookupError, UnicodeDecodeError):
        return None
    stray: list[Diagnostic] = []  # stays empty
    if not _mostly_text(data[:_DECLARED_WITHIN]) or _clean(text, stray) is not text:
        return None
    return Decoded(text, "utf-8", declared, False, stray)


def _mostly_text(start: bytes) -> bool:
    """Whether it is sure at once that not most of the bytes are control characters: the first half has none."""
    half = start[:len(start) // 2 + 1]
    return len(half.translate(None, _CONTROL)) == len(half)


def strip_end(body: bytes) -> bytes:
    """The bytes without the mark that ended a file under CP/M and DOS."""
    return body.rstrip(b"\x1a") if body.endswith(b"\x1a") else body


class Manner(NamedTuple):
    """How all the parts of a long text are to be decoded, and how many bytes of a mark stand before the first."""

    encoding: str
    declared: str | None
    mark: int


def manner(chunks: Callable[[], Iterable[bytes]], encoding: str | None = None) -> Manner | None:
    """What `decode` would find out about a text that is too long to be kept, or None where it cannot be cut.

    Args:
        chunks: gives the bytes of the text from its start, each time it is called, cut behind ends of lines; the
            first holds a few thousand bytes at least, or all there are.
        encoding: overrides what would be found.
    """
    first = next(iter(chunks()), b"")
    _, body, named = _strip_bom(first)
    mark = len(first) - len(body)
    declared = _declared(body)
    try:
        meant = codec_name(declared) if declared else "utf-8"
    except LookupError:
        meant = "utf-8"
    chosen = codec_name(encoding) if encoding else named
    if chosen is None:
        if meant not in CUTTABLE:
            return None
        long = _Chunks(chunks)
        chosen = _choose(long, body[:_DECLARED_WITHIN], declared) or _most_likely(
            line for chunk in chunks() for line in chunk.splitlines(keepends=True))
        if chosen == "ascii" and (long.holds(b"\x1b$") or long.holds(b"\x1b(")):
            return None  # ISO-2022-JP, or next to it: what a byte means there depends on all before
    return Manner(chosen, declared, mark) if chosen in CUTTABLE else None


class Decoder:
    """Decodes a long text part by part; all that `decode` would say of the whole is said in the end.

    Parts end behind ends of lines. `findings` has one list a part, of findings whose offsets count in its text.
    """

    def __init__(self, how: Manner) -> None:
        self.how = how
        self.findings: list[list[Diagnostic]] = []
        self.position = self.damaged = self.zeros = 0  # bytes, damaged lines, NUL characters so far
        self.lines = self.characters = 0
        self._zero: tuple[int, int, int, int] | None = None  # part, offset, line and column of the first NUL

    def part(self, data: bytes) -> str:
        """The text of the next part."""
        found: list[Diagnostic] = []
        number = len(self.findings)
        text = _strict(data, self.how.encoding)
        if text is None:
            text, self.damaged = _mended(data.splitlines(keepends=True), self.how.encoding, found, self.position,
                                         self.damaged)
        if number == 0:
            text = _clean(text, found)
        index = LineIndex(text, self.lines)
        self.findings.append([finding.placed(*index.place(finding.offset)) for finding in found])
        if b"\0" in data:
            self.zeros += text.count("\0")
            if self._zero is None:
                place = text.find("\0")
                self._zero = number, place, *index.place(place)
        self.position += len(data)
        self.characters += len(text)
        self.lines += index.ends()
        return text

    def finish(self) -> list[list[Diagnostic]]:
        """`findings`, with those that need the whole text."""
        first: list[Diagnostic] = []
        if self.damaged > _REPORTED:
            first.append(_more_damage(self.damaged, self.how.encoding))
        _compare(self.how.declared, self.how.encoding, first)
        if self.findings:
            self.findings[0] += [finding.placed(1, 1) for finding in first]
        if self._zero is not None:
            number, offset, line, column = self._zero
            self.findings[number].append(make("nul-characters", offset=offset, count=self.zeros).placed(line, column))
        return self.findings


def decode_part(data: bytes, encoding: str, first: bool) -> str:
    """The text of one part of a long text, as a `Decoder` that came to it gave it; ``first`` is the first part."""
    text = _strict(data, encoding)
    if text is None:
        text, _ = _mended(data.splitlines(keepends=True), encoding, [], 0, _REPORTED)
    return _clean(text, []) if first else text


def encode(text: str, encoding: str, *, errors: str = "strict") -> bytes:
    """The bytes of ``text``; in Japanese encodings with the usual look-alikes (☗ is written ▲, for cp932 〜 as ～).

    Args:
        errors: ``strict`` raises `EncodeError` naming each character; ``replace`` writes 〓 (or ``?``) for it.

    >>> encode("☗７六歩", "cp932").decode("cp932")
    '▲７六歩'
    """
    name = codec_name(encoding)
    for sign, other in _LOOK_ALIKES.get(name, {}).items():
        text = text.replace(sign, other)  # `str.translate` would look up every character, these are few
    try:
        return text.encode(name)
    except UnicodeEncodeError:
        pass
    missing: dict[str, int] = {}
    for found in re.finditer(_FOREIGN, text):
        if found[0] not in missing and not _fits(found[0], name):
            missing[found[0]] = found.start()
    if errors == "strict":
        raise EncodeError(encoding, missing, text)
    geta = "〓" if _fits("〓", name) else "?"
    return text.translate({ord(char): geta for char in missing}).encode(name)


def newlines(text: str) -> str:
    """The kinds of line ends in ``text``, the most frequent first, joined by ``+``.

    >>> newlines("a\\r\\nb\\r\\nc\\n"), newlines("a")
    ('crlf+lf', 'none')
    """
    if "\r" not in text:
        return "lf" if "\n" in text else "none"
    lines, returns, pairs = text.count("\n"), text.count("\r"), text.count("\r\n")
    doubled = text.count("\r\r\n") if returns > pairs else 0
    counts = {"lf": lines - pairs, "crlf": pairs - doubled, "cr": returns - pairs - doubled, "crcrlf": doubled}
    found = sorted((kind for kind in counts if counts[kind]), key=lambda kind: -counts[kind])
    return "+".join(found) or "none"


def _strip_bom(data: bytes) -> tuple[bool, bytes, str | None]:
    for mark, name in _BOMS:
        if data.startswith(mark):
            return True, data[len(mark):], name
    return False, data, None


def _declared(data: bytes) -> str | None:
    head = data[:_DECLARED_WITHIN]
    if b"encoding=" not in head:
        return None
    found = re.search(_DECLARATION, head)
    return found[1].decode("ascii") if found else None


class _Body:
    """The bytes of a file while its encoding is sought: what each candidate makes of them is kept."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.texts: dict[str, str | None] = {}

    def text(self, name: str) -> str | None:
        """All of it in one encoding, None where that does not fit."""
        if name not in self.texts:
            self.texts[name] = _strict(self.data, name)
        return self.texts[name]

    def fits(self, name: str) -> bool:
        return self.text(name) is not None

    def likeness(self, name: str) -> float:
        return self.share(name, _LIKELY)

    def share(self, name: str, kind: str) -> float:
        """How much of what is not ASCII is of a kind in one encoding, from 0 to 1."""
        return _share(self.text(name) or "", kind)

    def is_ascii(self) -> bool:
        return self.data.isascii()

    def holds(self, mark: bytes) -> bool:
        """Whether a mark that begins with ESC stands in it; a single byte is found much quicker than two are."""
        return b"\x1b" in self.data and mark in self.data


class _Chunks(_Body):
    """The bytes of a long file, cut behind ends of lines, of which nothing is kept."""

    def __init__(self, chunks: Callable[[], Iterable[bytes]]) -> None:
        super().__init__(b"")
        self.chunks = chunks
        self._escapes: bool | None = None

    def fits(self, name: str) -> bool:
        return all(_strict(chunk, name) is not None for chunk in self.chunks())

    def share(self, name: str, kind: str) -> float:
        sample = ""
        for chunk in self.chunks():
            sample += _strict(chunk, name) or ""
            if len(sample) >= _SAMPLE:
                break
        if not sample[:_SAMPLE].isascii():
            return _share(sample[:_SAMPLE], kind)
        texts = (re.findall(_FOREIGN, _strict(chunk, name) or "") for chunk in self.chunks() if not chunk.isascii())
        likely = foreign = 0
        for text in texts:
            foreign += len(text)
            likely += len(re.findall(kind, "".join(text)))
        return likely / foreign if foreign else 0.0

    def is_ascii(self) -> bool:
        return all(chunk.isascii() for chunk in self.chunks())

    def holds(self, mark: bytes) -> bool:
        if self._escapes is None:
            self._escapes = any(b"\x1b" in chunk for chunk in self.chunks())
        return self._escapes and any(mark in chunk for chunk in self.chunks())


def _choose(body: _Body, start: bytes, declared: str | None) -> str | None:
    """The encoding that fits the bytes: a codec's name, ``binary``, or None where no encoding fits all of them."""
    if b"\0" in start and (wide := _wide(start)):
        return wide
    head = start.rstrip(b"\0")  # a copy that broke off leaves zeros behind the text
    if (start and not head) or not _mostly_text(head) and _controls(head) * 2 > len(head):
        return "binary"
    if any(body.holds(mark) for mark in _TO_JAPANESE):
        return next((name for name in ("iso2022_jp", "iso2022_jp_ext") if body.fits(name)), "iso2022_jp")
    if body.is_ascii():
        if body.holds(b"\x1b$") or body.holds(b"\x1b("):
            return next((name for name in ("iso2022_jp", "iso2022_jp_ext") if body.fits(name)), "ascii")
        return "ascii"
    first = None
    if declared:
        try:
            first = codec_name(declared)
        except LookupError:
            first = None
    if first in (None, "utf-8") and body.fits("utf-8"):
        return "utf-8"
    fitting = []
    for name in dict.fromkeys((first or "utf-8", "utf-8", "cp932", "euc_jp", "euc_jis_2004")):
        if name == "euc_jis_2004" and "euc_jp" in fitting or not body.fits(name):
            continue
        fitting.append(name)
    textual = _controls(head) * 20 <= len(head)
    if len(fitting) == 1 and (textual or fitting[0] == "utf-8"):
        return None if fitting[0] == "cp932" and _may_be_euc(head) and body.likeness("cp932") < 0.3 else fitting[0]
    if fitting:
        # the earlier one where two are as likely: utf-8 before all others, then what the file declares
        order = {name: rank for rank, name in enumerate(("utf-8", first, "cp932", "euc_jp", "euc_jis_2004"))}
        likeness = {name: body.likeness(name) for name in fitting}
        if "cp932" in likeness:  # what EUC-JP looks like there; names in kanji say nothing for either
            likeness["cp932"] -= body.share("cp932", _HALF_WIDTH)
        if first in likeness and first != "utf-8":
            likeness[first] += _BELIEVED
        best = max(fitting, key=lambda name: (likeness[name], -order[name]))
        if best == "utf-8" or likeness[best] > 0.3 or textual:
            return best
    return None if textual else "binary"


def _may_be_euc(head: bytes) -> bool:
    """Whether text that fits cp932 looks like damaged EUC-JP: few bytes that begin a character there alone."""
    foreign = len(head.translate(None, _ASCII))
    return (len(head) - len(head.translate(None, _CP932_LEADS))) * 20 < foreign


def _controls(head: bytes) -> int:
    return len(head) - len(head.translate(None, _CONTROL))


def _wide(head: bytes) -> str | None:
    """UTF-16 without a mark shows as zeros in every other byte, since line ends and digits are ASCII."""
    even, odd = head[0::2].count(0), head[1::2].count(0)
    half = len(head) / 2
    for name, zeros, others in (("utf-16-le", odd, even), ("utf-16-be", even, odd)):
        text = head[:len(head) & ~1].decode(name, "replace")
        if text.count("\ufffd") * 50 > len(text):
            continue
        if zeros > half * 0.2 and others * 8 < zeros:
            return name
        if _share(text, _LIKELY) > 0.7 and not _controls(text.encode()):  # all Japanese, but for ends of lines
            return name
    return None


def _strict(data: bytes, name: str) -> str | None:
    try:
        text = data.decode(name)
    except (UnicodeDecodeError, ValueError):
        return None
    if name == "cp932" and any(char in text for char in _NO_CP932[1:-1]):
        return None
    return text


def _share(text: str, kind: str) -> float:
    """How much of what is not ASCII is of a kind (`_LIKELY`, `_HALF_WIDTH`), from 0 to 1."""
    foreign = re.findall(_FOREIGN, text[:_SAMPLE]) or re.findall(_FOREIGN, text)
    return len(re.findall(kind, "".join(foreign))) / len(foreign) if foreign else 0.0


def _by_line(data: bytes, wanted: str | None, diagnostics: list[Diagnostic]) -> tuple[str, str]:
    """Decode line by line. A line that does not fit is taken in the other encoding that it fits, or loses its bytes."""
    if wanted in _WIDE:
        text = data.decode(wanted, "replace")  # their line ends are no bytes of their own
        offset = max(text.find("\ufffd"), 0)
        diagnostics.append(make("undecodable-bytes", offset=offset, encoding=wanted, bytes="some bytes", at=""))
        return text, wanted
    lines = data.splitlines(keepends=True)
    chosen = wanted or _most_likely(lines)
    text, damaged = _mended(lines, chosen, diagnostics, 0, 0)
    if damaged > _REPORTED:
        diagnostics.append(_more_damage(damaged, chosen))
    return text, chosen


def _mended(lines: Iterable[bytes], chosen: str, diagnostics: list[Diagnostic], position: int,
            damaged: int) -> tuple[str, int]:
    """The text of lines of which some do not fit the encoding, and the number of those that did not so far.

    ``position`` is how many bytes, ``damaged`` how many damaged lines stand before.
    """
    others = [name for name in ("utf-8", "cp932") if name != chosen]
    parts: list[str] = []
    offset = 0
    for line in lines:
        found = _strict(line, chosen)
        if found is None:
            damaged += 1
            found, finding = _mend(line, chosen, others, offset, position)
            if damaged <= _REPORTED:
                diagnostics.append(finding)
        parts.append(found)
        offset += len(found)
        position += len(line)
    return "".join(parts), damaged


def _more_damage(damaged: int, encoding: str) -> Diagnostic:
    return make("more-undecodable-bytes", offset=0, count=damaged - _REPORTED, encoding=encoding)


def _most_likely(lines: Iterable[bytes]) -> str:
    scores = {"cp932": 0, "utf-8": 0, "euc_jp": 0}
    sample = list(islice((line for line in lines if not line.isascii()), 2000))
    for name in scores:
        texts = (_strict(line, name) for line in sample)
        scores[name] = sum(len(re.findall(_LIKELY, text)) for text in texts if text is not None)
    return max(scores, key=lambda name: scores[name])


def _mend(line: bytes, chosen: str, others: list[str], offset: int, position: int) -> tuple[str, Diagnostic]:
    for name in others:
        text = _strict(line, name)
        if text is not None and re.search(_LIKELY, text):
            return text, make("mixed-encodings", offset=offset, encoding=chosen, other=name)
    body = line.rstrip(b"\r\n")  # so that half a character cannot swallow the line's end
    text = body.decode(chosen, "replace")
    if chosen == "cp932":
        text = re.sub(_NO_CP932, "\ufffd", text)
    place = max(text.find("\ufffd"), 0)
    start = _first_bad(body, chosen, text[:place])
    finding = make("undecodable-bytes", offset=offset + place, encoding=chosen, bytes=f"the byte {body[start]:02X}",
                   at=f" at byte {position + start} of the text")
    return text + line[len(body):].decode("ascii"), finding


def _first_bad(body: bytes, encoding: str, before: str) -> int:
    """Where the first byte stands that does not fit; ``before`` is the text up to it."""
    try:
        body.decode(encoding)
    except UnicodeDecodeError as error:
        return min(error.start, len(body) - 1)
    return min(len(before.encode(encoding)), len(body) - 1)


def _clean(text: str, diagnostics: list[Diagnostic]) -> str:
    """Take invisible characters out of the first line, and report them."""
    if text.isascii():
        return text
    beginning = text[:text.find("\n", 0, _DECLARED_WITHIN) + 1 or _DECLARED_WITHIN]
    if not any(char in beginning for char in _INVISIBLE):
        return text
    first = re.search(_LINE_END, text)
    end = first.start() if first else min(len(text), _DECLARED_WITHIN)
    head = text[:end]
    kept = head.translate(dict.fromkeys(map(ord, _INVISIBLE)))
    if kept == head:
        return text
    moved = len(kept) - len(head)
    diagnostics[:] = [finding._replace(offset=max(finding.offset + moved, 0)) for finding in diagnostics]
    diagnostics.append(make("stray-character", offset=0, what="an invisible character in the first line"))
    return kept + text[end:]


def _tell_zeros(text: str, diagnostics: list[Diagnostic]) -> None:
    """Report NUL characters; they stay."""
    if (place := text.find("\0")) >= 0:
        diagnostics.append(make("nul-characters", offset=place, count=text.count("\0")))


def _compare(declared: str | None, chosen: str, diagnostics: list[Diagnostic]) -> None:
    if declared is None:
        return
    try:
        meant = codec_name(declared)
    except LookupError:
        diagnostics.append(make("unknown-encoding", offset=0, declared=declared, encoding=chosen))
        return
    if chosen not in (meant, "ascii") and not (chosen in _WIDE and meant in ("utf-16", "utf-32")):
        diagnostics.append(make("encoding-mismatch", offset=0, declared=declared, encoding=chosen))


def _fits(char: str, name: str) -> bool:
    try:
        char.encode(name)
    except UnicodeEncodeError:
        return False
    return True
