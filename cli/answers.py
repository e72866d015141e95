"""The answer to one mate problem, as text for people or as JSON."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kifu.cli.words import counted

if TYPE_CHECKING:
    from kifu.cli.solve import Asked

    from kifu.diagnostics import Diagnostic
    from kifu.problems import Hisshi, Solution

MARKS = {"black": "▲", "white": "△"}
LIMITS = {"depth": "the depth limit", "time": "the time limit", "nodes": "the limit of nodes"}


def answer(place: dict[str, Any], label: str, sfen: str, variant: str, moves: list[int], errors: list[Diagnostic],
           asked: Asked) -> tuple[str, str]:
    """The text of the answer, and the outcome it counts as."""
    from kifu.diagnostics import in_mode, make
    from kifu.problems import ProblemError, hisshi, solve

    if variant != "shogi":
        from kifu.rules.variants import RULESETS

        why = f"it is of {RULESETS[variant].name}, and only those of ordinary shogi can be solved"
        return refusal(place, label, [make("no-problem", why=why, hint=""), *errors], asked), "no problem"
    try:
        if asked.hisshi:
            threat = hisshi(sfen, asked.depth, asked.seconds, asked.nodes)
            text = _json({**place, **threat.row()}) if asked.as_json else _labelled(label, _hisshi(threat, asked))
            return text, threat.verdict.replace("-", " ")
        found = solve(sfen, asked.depth, asked.seconds, asked.nodes, moves)
    except ProblemError as error:
        return refusal(place, label, [make("no-problem", why=str(error)), *errors], asked), "no problem"
    found.findings = [one._replace(severity=in_mode(one.severity, asked.mode, one.name)) for one in found.findings]
    found.findings += errors
    outcome = "sound" if found.sound else "flawed" if found.verdict == "mate" else found.verdict.replace("-", " ")
    return _json({**place, **found.row()}) if asked.as_json else _labelled(label, _solution(found, asked)), outcome


def refusal(place: dict[str, Any], label: str, findings: list[Diagnostic], asked: Asked) -> str:
    """What is said where there is no problem to solve."""
    if asked.as_json:
        return _json({**place, "verdict": "no-problem", "sound": False, "diagnostics": [
            {"code": one.code, "name": one.name, "severity": one.severity, "ply": one.ply, "message": one.message,
             "hint": one.hint} for one in findings]})
    return _labelled(label, ["no problem to solve", *_told(findings)])


def _json(row: dict[str, Any]) -> str:
    from kifu.cli.render import json_line

    return json_line(row)


def _labelled(label: str, lines: list[str]) -> str:
    first = f"{label}: {lines[0]}" if label else lines[0]
    return "\n".join([first, *(f"    {line}" for line in lines[1:])])


def _told(findings: list[Diagnostic]) -> list[str]:
    """Findings, each followed by its hint, as ``kifu check`` has them below the line they stand in."""
    lines = []
    for one in findings:
        lines.append(f"{one.code} {one.name}: {one.message}")
        if one.hint:
            lines.append(f"     = hint: {one.hint}")
    return lines


def _solution(found: Solution, asked: Asked) -> list[str]:
    if found.verdict == "no-mate":
        lines = ["no mate: proven"]
    elif found.verdict == "not-found":
        lines = [f"no mate found within {LIMITS[found.limit]} (searched to {counted(found.searched, 'move')})"]
    else:
        flaws = "sound" if found.sound else "flawed"
        count = counted(found.plies, "move")
        if found.engine_plies > found.plies:
            count += f" ({found.engine_plies} with useless interpositions)"
        lines = [f"mate in {count}, {flaws}", spelled(found.sfen, found.moves, asked.notation)]
    lines += _told(found.findings)
    if found.verdict == "mate" and not any(one.name in ("second-solution", "soundness-undecided")
                                           for one in found.findings):
        lines.append("no other solution, the last move apart" if found.unique else
                     f"no other solution of up to {counted(found.checked, 'move')}; longer ones were not ruled out")
    if found.comparison and found.comparison.kind == "correct":
        lines.append("the record's solution is correct")
    return lines


def _hisshi(found: Hisshi, asked: Asked) -> list[str]:
    def one(move: int) -> str:
        return spelled(found.problem.sfen, [move], asked.notation)

    if found.verdict == "hisshi":
        lines = [f"hisshi: every reply is followed by a mate, the longest of {counted(found.plies, 'move')}"]
    elif found.verdict == "not-hisshi":
        lines = [f"no hisshi: {one(found.escapes[0])} escapes, no mate follows"]
    else:
        lines = [f"no hisshi found within {LIMITS[found.limit]}: no mate was found after {one(found.open[0])}"]
    if found.threatmate:
        board, turn, *rest = found.problem.sfen.split()
        passed = " ".join((board, "bw"[turn == "b"], *rest))
        lines.append(f"threatmate: {spelled(passed, found.threat, asked.notation)}")
    elif found.threatmate is False:
        lines.append("no threatmate: a pass is not followed by a mate")
    else:
        lines.append("threatmate: no mate was found after a pass before a limit was hit")
    if found.problem.filled:
        lines.append(f"{found.problem.defender.capitalize()} holds all men that are nowhere else; added to the hand: "
                     f"{found.problem.filled}")
    return lines


def spelled(sfen: str, moves: list[int], notation: str) -> str:
    """A line of moves in a notation.

    >>> from kifu.problems import solve
    >>> found = solve("7nk/9/7P1/9/9/9/9/9/9 b G2r2b3g4s3n4l17p 1")
    >>> spelled(found.sfen, found.moves, "ki2"), spelled(found.sfen, found.moves, "western")
    ('▲２二金', 'G*2b')
    """
    from kifu.notation.spell import spell
    from kifu.rules.position import Position

    position = Position(sfen)
    words = []
    for move in moves:
        mark = MARKS["white" if position.turn else "black"] if notation == "ki2" else ""
        words.append(mark + spell(position, move, notation).strip())
        position.play(move)
    return " ".join(words)
