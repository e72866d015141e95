"""What an archive may cost: nobody's archive fills the memory or keeps us busy for hours.

A bomb is a small file that unpacks to a huge one. The limits are on what is unpacked: for each member, since one is in
memory whole; for the archive, since all of it takes time; and for the archive in proportion to its size, since games
never shrink to a two-hundredth of themselves. What is beyond a limit is told as ``too-large``; what came before it
was read.
"""
from __future__ import annotations

from kifu.diagnostics import Diagnostic, make

#: Bytes of one member, or of a single compressed file, unpacked.
MEMBER = 1 << 28
#: Bytes of an archive, unpacked.
ARCHIVE = 1 << 34
#: How many times its own size an archive may hold, where that is more than `FREE` bytes.
RATIO = 250
FREE = 1 << 26
#: Members of an archive, those of archives in it included.
MEMBERS = 1_000_000
#: An archive in an archive is read, an archive in that one is not.
DEPTH = 2
#: Bytes of the dictionary of a compressor, which must be in memory; programs use 64 MiB at most unless forced.
DICTIONARY = 1 << 28


class Unreadable(OSError):
    """Bytes that cannot be had, for a reason that is no error of the system: it is worded in ``finding``."""

    def __init__(self, finding: Diagnostic) -> None:
        super().__init__(finding.message)
        self.finding = finding


class Exhausted(Unreadable):
    """An archive that may cost no more: nothing that follows in it is read."""


def refusal(rule: str, **fields: str) -> Unreadable:
    """The error for a rule of the table of diagnostics.

    >>> str(refusal("unreadable-file", why="it is cut short"))
    'the file cannot be read: it is cut short'
    """
    return Unreadable(make(rule, 0, 0, None, **fields).placed(1, 1))


class Budget:
    """What one archive may still cost; ``size`` is its own in bytes. Archives in it spend from the same budget."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.allowed = max(FREE, min(ARCHIVE, size * RATIO))
        self.spent = self.members = 0

    def spend(self, count: int) -> None:
        """So many bytes more are unpacked; raises `Unreadable` where that is too much."""
        self.spent += count
        if self.spent > self.allowed:
            raise Exhausted(refusal("too-large", what="what the archive holds", limit=
                                    f"{in_words(self.allowed)}, the limit for one of {in_words(self.size)}").finding)

    def member(self) -> None:
        """One more member is looked at."""
        self.members += 1
        if self.members > MEMBERS:
            raise Exhausted(refusal("too-large", what="the number of members", limit=f"{MEMBERS:,}").finding)


def check_size(size: int) -> None:
    """Raises `Unreadable` where one member has more bytes than it may."""
    if size > MEMBER:
        raise refusal("too-large", what="what is packed here", limit=in_words(MEMBER))


def in_words(size: int) -> str:
    """A number of bytes, in the largest unit of which there is one.

    >>> in_words(999), in_words(1 << 28), in_words(1536)
    ('999 bytes', '256 MiB', '1.5 KiB')
    """
    if size < 1024:
        return f"{size} bytes"
    exponent = min((size.bit_length() - 1) // 10, 3)
    return f"{size / (1 << 10 * exponent):.4g} {('KiB', 'MiB', 'GiB')[exponent - 1]}"
