"""The branches of a record, played: each from the move it continues, or from one that it must have meant.

Records go wrong here in two ways. Some programs write branches in ascending order, which KIF does not say, so that one
seems to continue a line it does not fit; some write out what another line has already. Both are put right and told.
"""
from __future__ import annotations

from array import array
from collections.abc import Iterator

from kifu.diagnostics import REASONS, Diagnostic, make
from kifu.record import INFO, NOTE, Game, Line
from kifu.rules.position import Position
from kifu.rules.repetition import BARRING, History
from kifu.rules.ruleset import FOURTH
from kifu.walker import Walker

#: Earlier lines that are tried for a variation that cannot be played where it stands: the nearest, and the main line.
MOST_TRIED = 100
#: Notations that tell where a branch begins by the number of its move alone.
BY_NUMBER = ("bod", "ki2", "kif")


class Branches:
    """The branches of a game at work, whose main line is proven.

    ``start`` is the position that the record starts from. What is found goes to ``findings``, tolerances of the
    resolver to ``remarks``, as `kifu.rules.position.Position.replay` has them. ``rule`` is the reading of repetition.
    """

    def __init__(self, game: Game, start: Position, findings: list[Diagnostic], remarks: list[tuple[int, int]],
                 rule: str = FOURTH) -> None:
        self.game = game
        self.record = game.record
        self.findings = findings
        self.remarks = remarks
        self.walker = Walker(game.record, start.copy(), game.proven)
        #: Proven moves by the move before them, of those lines that were played.
        self.known = {(index - 1, game.proven[index]): index for index in range(game.plies)}
        #: Moves that a branch repeats -> the move that stands for it.
        self.joined: dict[int, int] = {}
        self.repeats = _Repeats(game, start, self.walker, rule) if rule in BARRING else None

    def play(self) -> Iterator[tuple[Line, int, Position | None]]:
        """Play one branch after the other: the line, the index at which it stops, and the position there.

        There is no position where the move that a line continues was never proven, or where the line has no moves.
        """
        walker, known, joined = self.walker, self.known, self.joined
        for number, line in enumerate(self.record.lines[1:], 1):
            line.parent = joined.get(line.parent, line.parent)
            if line.first == line.last or not walker.go_to(line.parent):
                yield line, line.first, None
                continue
            stop = self.replay(line)
            if stop == line.first and line.broken is None and self.record.notation in BY_NUMBER:
                stop = self.elsewhere(number, line)
            if repeated := self.repeated(line, stop):
                joined.update(repeated)
                walker.attach(line)
                walker.played([same for _, same in repeated])
            walker.played(range(line.first, stop))
            known.update(((index, self.game.proven[index + 1]), index + 1) for index in range(line.first, stop - 1))
            yield line, stop, walker.position
        if joined:
            self.join()

    def replay(self, line: Line) -> int:
        """Play a line from where the walker stands; returns the index at which it stops."""
        repeats, proven, remarks = self.repeats, self.game.proven, self.remarks
        if repeats is None:
            return self.walker.position.replay(self.record.texts, line.first, line.last, proven, None, remarks)
        known = len(remarks)
        stop = self.walker.position.replay(self.record.texts, line.first, line.last, proven, repeats.keys, remarks)
        barred = repeats.first_barred(line.first, stop)
        if barred < stop:
            remarks[known:] = [remark for remark in remarks[known:] if remark[0] < barred]
        return barred

    def elsewhere(self, number: int, line: Line) -> int:
        """A variation whose first move is illegal where it should start: try the older lines it may belong to."""
        walker = self.walker
        depth = line.number - 1
        tried = {line.parent, -1}
        for older in (*range(number - 1, max(0, number - 1 - MOST_TRIED), -1), 0):
            parent = self.record.ancestor(older, depth)
            if parent in tried or not walker.go_to(parent):
                continue
            tried.add(parent)
            stop = self.replay(line)
            if stop > line.first:
                line.parent = parent
                walker.attach(line)
                self.findings.append(make("variation-order", line.offset, number=line.number))
                return stop
        walker.go_to(line.parent)
        return self.replay(line)

    def repeated(self, line: Line, stop: int) -> list[tuple[int, int]]:
        """Join a branch with the line that goes on with the same moves already; it begins behind them then.

        Returns the moves left out of it, each with the one that stands for it.
        """
        known, proven, info = self.known, self.game.proven, self.record.info
        left_out: list[tuple[int, int]] = []
        while line.first < stop and (same := known.get((line.parent, proven[line.first]), -1)) >= 0:
            if not left_out:
                self.findings.append(make("branch-repeated", info[INFO * line.first], info[INFO * line.first + 1],
                                          line.number))
            left_out.append((line.first, same))
            line.parent, line.first, line.number = same, line.first + 1, line.number + 1
        if line.first < stop:
            known[line.parent, proven[line.first]] = line.first
        return left_out

    def join(self) -> None:
        """Give what stood with moves that were left out of branches to the moves that stand for them."""
        notes, info, bookmarks, joined = self.record.notes, self.record.info, self.record.bookmarks, self.joined
        for i in range(1, len(notes), NOTE):
            notes[i] = joined.get(notes[i] - 1, notes[i] - 1) + 1
        names: dict[int, list[str]] = {}
        for index, same in joined.items():
            if info[INFO * same + 3] < 0:
                info[INFO * same + 3] = info[INFO * index + 3]
            if index in bookmarks:
                names.setdefault(same, [bookmarks[same]] if same in bookmarks else []).append(bookmarks.pop(index))
        for same, several in names.items():
            bookmarks[same] = "　".join(several)


class _Repeats:
    """Where repetition bars moves: the positions on the way to the walker's position, for as many lines as there are.

    ``keys[i + 1]`` is the key behind move i, whichever line it is of.
    """

    def __init__(self, game: Game, start: Position, walker: Walker, rule: str) -> None:
        self.walker = walker
        self.rule = rule
        self.keys = array("q", bytes(8 * (len(game.record.texts) + 1)))
        self.keys[:game.plies + 1] = game.keys[:game.plies + 1]
        self.history = History(start.key(), start.turn)
        self.path: list[int] = []  # that of the history

    def first_barred(self, first: int, stop: int) -> int:
        """The first of the moves just played that may not be made; it and those behind it are taken back then."""
        walker, history, path = self.walker, self.history, self.path
        behind = walker.path  # a look at its last move is enough: what leads to a move is always the same
        while path and (len(path) > len(behind) or path[-1] != behind[len(path) - 1]):
            path.pop()
            history.pop()
        for index in (*behind[len(path):], *range(first, stop)):
            path.append(index)
            history.push(walker.proven[index], self.keys[index + 1])
            if index >= first and history.barred(self.rule):
                for later in range(stop - 1, index - 1, -1):
                    walker.position.undo()
                    walker.proven[later] = -1
                walker.position.reason = REASONS.index("third-occurrence")
                return index
        return stop
