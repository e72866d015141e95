"""What a check adds up: games by verdict, findings by kind, and both as a person reads them.

Nothing grows with the number of games here: a kind of finding keeps four numbers, and the first place it was found at.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from kifu.cli.words import counted

VERDICTS = ("legal", "foul", "illegal", "unreadable")
#: From so many findings on the summary names the most frequent ones; fewer are read as they are.
MANY, SHOWN = 100, 5


#: How often one kind of finding is in a game, and where the first of them is: code, name, severity, count, line.
Seen = tuple[str, str, str, int, int]


class Kind:
    """One kind of finding in all games."""

    __slots__ = ("count", "example", "files", "games", "last_file")

    def __init__(self, example: str) -> None:
        self.count = self.games = self.files = 0
        self.last_file = 0
        self.example = example


class Tally:
    """Counts of a run."""

    def __init__(self) -> None:
        self.files = 0
        self.unread = 0  # files of which not even the bytes could be had
        self.faulty = 0  # files that have an error
        self.verdicts: Counter[str] = Counter()
        self.severities: Counter[str] = Counter()
        self.kinds: dict[tuple[str, str, str], Kind] = {}
        self._file = self._faulty_file = 0  # numbers of the file at work and of the last one that has an error
        self._label = ""

    @property
    def bad(self) -> bool:
        """Whether the exit status must tell of it."""
        return self.faulty > 0

    @property
    def first(self) -> str:
        """The code of the error that was found first, of a warning where there is no error; empty where nothing was."""
        codes = {severity: code for code, _, severity in reversed(self.kinds)}
        return codes.get("error") or codes.get("warning", "")

    def begin(self, label: str) -> None:
        """One more file, which findings call ``label``."""
        self.files += 1
        self._file += 1
        self._label = label

    def add(self, verdict: str, bad: bool = False, unread: bool = False, seen: Iterable[Seen] = ()) -> None:
        """One more game of the file that was begun last."""
        self.verdicts[verdict] += 1
        self.unread += unread
        if bad and self._faulty_file != self._file:
            self._faulty_file = self._file
            self.faulty += 1
        for code, name, severity, count, line in seen:
            self.severities[severity] += count
            kind = self.kinds.get((code, name, severity))
            if kind is None:
                kind = self.kinds[code, name, severity] = Kind(f"{self._label}:{line}")
            kind.count += count
            kind.games += 1
            if kind.last_file != self._file:
                kind.last_file = self._file
                kind.files += 1

    def summary(self) -> str:
        """Games by verdict, findings by severity; where there are many, the most frequent ones.

        >>> tally = Tally(); tally.begin("a.kif"); tally.add("legal"); tally.summary()
        '1 game in 1 file: 1 legal; no errors, no warnings'
        """
        count = self.verdicts.total()
        verdicts = ", ".join(f"{self.verdicts[name]:,} {name}" for name in VERDICTS if self.verdicts[name]) or "none"
        found = ", ".join(counted(self.severities[name], name, none="no") for name in ("error", "warning"))
        return f"{counted(count, 'game', none='no')} in {counted(self.files, 'file', none='no')}: {verdicts}; {found}"

    def more(self) -> str:
        """Behind the summary of many findings: how many files have errors, and the most frequent kinds; else empty."""
        if self.severities.total() < MANY:
            return ""
        faulty = f"{counted(self.faulty, 'file', none='no')} {'has' if self.faulty == 1 else 'have'} errors"
        rest = len(self.kinds) - SHOWN
        kinds = f"the {SHOWN} most frequent of {len(self.kinds)} kinds" if rest > 0 else "all kinds"
        return f"{faulty}; {kinds} of findings:\n{self.table(SHOWN)}"

    def table(self, most: int | None = None) -> str:
        """A row for each kind of finding, the most frequent first: how often, in how many games and files, where one
        is.
        """
        kinds = sorted(self.kinds.items(), key=lambda item: (-item[1].count, item[0]))[:most]
        head = ("count", "games", "files", "code", "name", "severity", "example")
        rows = [head, *((f"{kind.count:,}", f"{kind.games:,}", f"{kind.files:,}", code, name, severity, kind.example)
                        for (code, name, severity), kind in kinds)]
        if len(rows) == 1:
            return "no findings"
        widths = [max(len(row[column]) for row in rows) for column in range(len(head) - 1)]
        return "\n".join("  ".join((*(cell.rjust(width) for cell, width in zip(row[:3], widths, strict=False)),
                                    *(cell.ljust(width) for cell, width in zip(row[3:6], widths[3:], strict=True)),
                                    row[6])) for row in rows)

    def packed(self) -> dict[str, Any]:
        """The counts as plain values, for `unpacked` to add to another tally."""
        return {"files": self.files, "unread": self.unread, "faulty": self.faulty, "verdicts": dict(self.verdicts),
                "kinds": [[*key, kind.count, kind.games, kind.files, kind.example]
                          for key, kind in self.kinds.items()]}

    def add_packed(self, packed: dict[str, Any]) -> None:
        """Add what another tally counted. KeyError, TypeError or ValueError where it is none."""
        verdicts = Counter({str(name): int(count) for name, count in packed["verdicts"].items()})
        kinds = [(str(code), str(name), str(severity), int(count), int(games), int(files), str(example))
                 for code, name, severity, count, games, files, example in packed["kinds"]]
        files, unread, faulty = (int(packed[name]) for name in ("files", "unread", "faulty"))
        self.files += files
        self.unread += unread
        self.faulty += faulty
        self.verdicts.update(verdicts)
        for code, name, severity, count, games, found_in, example in kinds:
            self.severities[severity] += count
            kind = self.kinds.setdefault((code, name, severity), Kind(example))
            kind.count += count
            kind.games += games
            kind.files += found_in
