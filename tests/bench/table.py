"""Tables as text: columns padded by the width that a terminal gives each character."""
from __future__ import annotations

import unicodedata
from collections.abc import Sequence


def width(text: str) -> int:
    """How many columns of a terminal a text takes.

    >>> width("CSA → KIF"), width("歩")
    (9, 2)
    """
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def text_table(head: Sequence[str], rows: Sequence[Sequence[str]], left: Sequence[int] = (0,)) -> str:
    """A table for a terminal. A cell may have several lines; columns but those in ``left`` are set to the right.

    >>> print(text_table(["work", "µs"], [["parse", "12"], ["write", "7\\n(5)"]]))
    work    µs
    -----  ---
    parse   12
    write    7
           (5)
    """
    cells = [[cell.split("\n") for cell in row] for row in [head, *rows]]
    widths = [max(width(line) for row in cells for line in row[column]) for column in range(len(head))]
    out = []
    for number, row in enumerate(cells):
        for index in range(max(len(cell) for cell in row)):
            parts = []
            for column, cell in enumerate(row):
                line = cell[index] if index < len(cell) else ""
                gap = " " * (widths[column] - width(line))
                parts.append(line + gap if column in left else gap + line)
            out.append("  ".join(parts).rstrip())
        if not number:
            out.append("  ".join("-" * size for size in widths).rstrip())
    return "\n".join(out)


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]], left: Sequence[int] = (0,)) -> str:
    """The same table for a page."""
    out = [f"| {' | '.join(head)} |",
           f"|{'|'.join('---' if column in left else '---:' for column in range(len(head)))}|"]
    out += [f"| {' | '.join(cell.replace(chr(10), '<br>') for cell in row)} |" for row in rows]
    return "\n".join(out)
