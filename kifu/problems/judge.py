"""From what was found out about a problem to the findings of the table."""
from __future__ import annotations

from kifu.diagnostics import ERROR, WARNING, Diagnostic, make
from kifu.problems import compare, solution
from kifu.problems.lines import MainLine, Stopped
from kifu.problems.search import Search
from kifu.problems.solution import Solution
from kifu.problems.soundness import DROP_SQUARE, PROMOTION
from kifu.rules.move import usi

_CHOICES = {DROP_SQUARE: "drop-square-choice", PROMOTION: "promotion-choice"}


def judge(search: Search, found: Solution) -> None:
    """Add the findings to a solution. The search may go on a little to tell a longer line from a flaw."""
    add = found.findings.append
    if found.problem.filled:
        add(make("hand-filled", men=found.problem.filled, side=found.problem.defender.capitalize()))
    if found.verdict == solution.NO_MATE:
        add(make("no-mate"))
        return
    if found.verdict == solution.NOT_FOUND:
        add(make("mate-not-found", limit=limit_words(found), searched=found.searched))
        return
    if not found.moves:
        add(make("soundness-undecided", limit=limit_words(found), checked=0))
        return
    for second in found.seconds:
        name = _CHOICES.get(second.kind, "second-solution")
        add(make(name, ply=second.ply, text=usi(second.move), number=second.ply, plies=second.plies))
    if found.unique is None and found.limit != "depth":
        add(make("soundness-undecided", limit=limit_words(found), checked=found.checked,
                 severity=ERROR if found.checked < found.plies else WARNING))
    if found.left:
        shorter = _cleaner(search, found)
        add(make("longer-line", men=found.left, plies=found.plies, shorter=" ".join(map(usi, shorter)))
            if shorter else make("men-left", men=found.left))
    if found.comparison:
        told = _compared(found)
        if told:
            add(told)


def limit_words(found: Solution) -> str:
    """The limit that was hit, in words."""
    return {"depth": "the depth limit", "time": "the time limit", "nodes": "the limit of nodes"}.get(
        found.limit, "its limits")


def _compared(found: Solution) -> Diagnostic | None:
    told = found.comparison
    assert told is not None
    if told.kind == compare.WRONG:
        why = "it gives no check" if told.no_check else "no mate follows within the depth limit"
        return make("solution-wrong", ply=told.ply, number=told.ply, why=why)
    if told.kind == compare.LONGER:
        return make("solution-longer", ply=told.ply, number=told.ply, by=told.by)
    if told.kind == compare.SHORTER:
        if told.by == 2 and found.left and not told.left:
            return None  # said of the longer line already
        return make("solution-shorter", ply=told.ply, number=told.ply, by=told.by)
    if told.kind == compare.UNFINISHED:
        return make("solution-unfinished", ply=told.ply, number=told.ply, by=told.by)
    if told.kind == compare.UNDECIDED:
        return make("soundness-undecided", limit=limit_words(found), checked=found.checked)
    return None


def _cleaner(search: Search, found: Solution) -> list[int]:
    """A line two plies shorter than the main line that leaves nothing in hand; empty where there is none."""
    start = search.depth
    try:
        for index, move in enumerate(found.moves[:-1]):
            if index % 2:
                due = found.plies - index - 3
                for reply in search.legal_moves() if due > 0 else ():
                    search.play(reply)
                    if search.within(due) and not (due > 2 and search.within(due - 2)):
                        left, line = MainLine(search).find(due)
                        if not left:
                            return [*found.moves[:index], reply, *line]
                    search.undo()
            search.play(move)
    except Stopped:
        pass  # then the main line stands as it is
    finally:
        while search.depth > start:
            search.undo()
    return []
