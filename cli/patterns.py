"""Patterns of paths, as ``per-file-ignores`` has them."""
from __future__ import annotations

import os
import re
from collections.abc import Sequence
from functools import lru_cache


@lru_cache(maxsize=512)
def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern as a regular expression for a path with slashes.

    ``*`` and ``?`` stand for what has no slash, ``**`` for any folders, ``[…]`` for one of some characters. A pattern
    without a slash is one of names, in any folder; one that is a folder's path means all below it.

    >>> [bool(compiled(one).fullmatch("old/1990/a.kif")) for one in ("old", "*.kif", "old/*.kif", "old/**/a.*")]
    [True, True, False, True]
    """
    parts: list[str] = []
    pattern = re.sub(r"\*{3,}", "**", re.sub(r"(?:\*\*/)+", "**/", pattern.removeprefix("./")))
    for token in re.findall(r"\*\*/|/\*\*$|\*\*|\*|\?|\[!?\]?[^\]/]*\]|[^*?\[/]+|.", pattern.strip("/"), re.DOTALL):
        if token == "**/":
            parts.append("(?:.*/)?")
        elif token in ("/**", "**"):
            parts.append("/.*" if token == "/**" else ".*")
        elif token in ("*", "?"):
            parts.append("[^/]*" if token == "*" else "[^/]")
        elif token[0] == "[" and len(token) > 2:
            negated = token[1] == "!"
            inside = token[1 + negated:-1].replace("\\", r"\\").replace("[", r"\[").replace("]", r"\]")
            parts.append(f"[{'^/' if negated else ''}{inside.replace('^', chr(92) + '^')}]")
        else:
            parts.append(re.escape(token))
    anywhere = "(?:.*/)?" if "/" not in pattern.strip("/") else ""
    return re.compile(f"(?s){anywhere}{''.join(parts)}(?:/.*)?")


def ignored(per_file: Sequence[tuple[str, tuple[str, ...]]], folder: str, path: str) -> tuple[str, ...]:
    """What is ignored in the file at a path: all codes whose pattern matches it as it is seen from ``folder``."""
    seen = os.path.relpath(os.path.abspath(path), folder).replace(os.sep, "/")
    return tuple(code for pattern, codes in per_file if compiled(pattern).fullmatch(seen) for code in codes)
