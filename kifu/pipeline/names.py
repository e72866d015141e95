"""Names of members: read in the encoding they were written in, and made into paths that stay where they belong."""
from __future__ import annotations

import re

from kifu.diagnostics import shorten

_RESERVED = re.compile(r"(?i)(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)")
_FORBIDDEN = re.compile('[\x00-\x1f\x7f<>:"|?*\ud800-\udfff]')
_LONGEST = 200  # bytes of one part of a path; most file systems allow 255


def decoded(raw: bytes) -> str:
    """A name of which nobody says how it is encoded: UTF-8 where it fits (macOS), then cp932 (Windows in Japan).

    >>> decoded("棋譜/竜王戦.kif".encode("cp932")), decoded("棋譜.kif".encode())
    ('棋譜/竜王戦.kif', '棋譜.kif')
    """
    for encoding in ("utf-8", "cp932", "euc_jp"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            pass
    return raw.decode("cp437")  # what the format means by no word about it; every byte is something there


def safe(name: str) -> str:
    """A member's name as a relative path with ``/`` that leads nowhere but downwards, on any system.

    >>> safe("../../etc/./a.kif"), safe("C:\\\\games\\\\b.kif"), safe("/nul.kif"), safe("..")
    ('etc/a.kif', 'C_/games/b.kif', '_nul.kif', '_')
    """
    parts = []
    for part in re.split(r"[/\\]", name):
        part = _FORBIDDEN.sub("_", part).rstrip(" .")
        if part:
            parts.append(_short(f"_{part}" if _RESERVED.match(part) else part))
    return "/".join(parts) or "_"


def shown(name: str) -> str:
    """A member's name for a line of text: nothing in it moves the cursor.

    >>> shown("a\\x1b[2J.kif")
    'a\\\\x1b[2J.kif'
    """
    return shorten(name, 400)


class Unique:
    """Gives the second member of one name another one: ``a.kif``, ``a (2).kif``."""

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}

    def __call__(self, name: str) -> str:
        """
        >>> unique = Unique()
        >>> [unique(name) for name in ("a.kif", "a.kif", "b", "a (2).kif", "a.kif")]
        ['a.kif', 'a (2).kif', 'b', 'a (2) (2).kif', 'a (3).kif']
        """
        found = name
        while found in self._seen:
            self._seen[name] = count = self._seen.get(name, 1) + 1
            stem, dot, suffix = name.rpartition(".")
            found = f"{stem} ({count}).{suffix}" if dot and "/" not in suffix else f"{name} ({count})"
        self._seen[found] = 1
        return found


def _short(part: str) -> str:
    """A part of a path that is too long for file systems, cut in its middle and told apart by a digest."""
    if len(part.encode()) <= _LONGEST:
        return part
    from hashlib import blake2b

    digest = blake2b(part.encode(), digest_size=6).hexdigest()
    head = part.encode()[:_LONGEST - 60].decode("utf-8", "ignore")
    tail = part.encode()[-40:].decode("utf-8", "ignore")
    return f"{head}~{digest}~{tail}"
