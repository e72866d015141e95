"""What a proven game says, whatever its notation, and what one game says that another does not.

Nodes are known by the moves that lead to them, so that it does not matter in which order a notation writes branches.
"""
from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from kifu import ends
from kifu.notation.fouls import among_moves, foul_move
from kifu.headers import control
from kifu.record import CANONICAL, Game
from kifu.rules.move import usi

Node = tuple[str, ...]
End = tuple[str, str, str | None]  # its reason, who won, who broke a rule
#: Headers that say no more than the start position and the end do.
IMPLIED = frozenset({"handicap", "sfen", "result", "version"})
#: What western text, which has no brace inside a comment, makes of braces.
BRACES = str.maketrans("{}", "()")


class Said(NamedTuple):
    """Everything a game says: the tree of moves, what stands at its nodes, how it began and ended, its headers."""

    start: str
    number: int
    handicap: str
    moves: Node
    lines: frozenset[Node]
    foul: Node | None  # the moves and, behind them, the illegal one that ended the game, where it stands among them
    comments: dict[Node, tuple[str, ...]]
    bookmarks: dict[Node, str]
    clocks: dict[Node, int]
    end: End | None
    end_clock: int | None
    branch_ends: dict[Node, tuple[End, int | None]]  # of branches that were played to their end, with its clock
    illegal: str | None
    headers: dict[str, str]


def said(game: Game) -> Said:
    """What a proven game says."""
    record = game.record
    nodes: dict[int, Node] = {-1: ()}
    lines: set[Node] = set()
    branch_ends: dict[Node, tuple[End, int | None]] = {}
    for number, line in enumerate(record.lines):
        path = nodes.get(line.parent)
        stop = line.first + (game.line_plies[number] if number < len(game.line_plies) else 0)
        if path is None:
            continue  # behind a move that was not proven
        for index in range(line.first, stop):
            path = (*path, usi(game.proven[index]))
            nodes[index] = path
        if number and stop == line.first and line.first == line.last and line.end is not None:
            path = (*path, f"end {sum(1 for one in lines if one[:-1] == path and one[-1][:3] == 'end')}")  # no move of its own
            lines.add(path)
        elif number and stop > line.first:
            lines.add(path)
        if number and stop == line.last and line.end is not None:
            branch_ends[path] = (line.end.reason, line.end.winner, line.end.offender), line.end.milliseconds
    moves = tuple(usi(move) for move in game.moves)
    refused = foul_move(game) if game.verdict == "foul" else None
    illegal = usi(refused) if refused is not None else game.illegal_move["usi"] if game.illegal_move else None
    if among_moves(game):
        nodes[game.plies] = (*moves, illegal or "?")
    comments: dict[Node, list[str]] = {}
    for index, _, text in record.comments():
        if index in nodes:
            comments.setdefault(nodes[index], []).append(" ".join(text.split()))
    clocks = {node: spent for index, node in nodes.items()
              if index >= 0 and (spent := record.milliseconds(index)) is not None}
    headers: dict[str, str] = {}
    for key, value in record.headers:
        name = CANONICAL.get(key, key).lstrip("$")
        if value.strip() and name not in IMPLIED:
            told = control(value) if name == "time_control" else None  # in whatever words: 25分, 00:25+00, 1500+0+0
            headers.setdefault(name, str(told[:3]) if told else value.strip())
    board, side, hands, number_text = game.start.split()
    claimed = record.end
    return Said(
        f"{board} {side} {hands}", int(number_text), game.handicap, moves, frozenset(lines),
        nodes[game.plies] if among_moves(game) else None, {node: tuple(texts) for node, texts in comments.items()},
        {nodes[index]: text for index, text in record.bookmarks.items() if index in nodes}, clocks,
        (claimed.reason, claimed.winner, claimed.offender) if claimed else None,
        claimed.milliseconds if claimed else None, branch_ends, illegal, headers)


def missing(before: Said, after: Said) -> Counter[str]:
    """What ``before`` says and ``after`` does not, by the kinds that writers count their losses in."""
    lost: Counter[str] = Counter()
    lost["moves"] = int(before.moves != after.moves)
    lost["start"] = int(before.start != after.start)
    lost["number of the first move"] = int(before.number != after.number)
    lost["handicap name"] = int(before.handicap != after.handicap)
    lost["variations"] = len(before.lines - after.lines)
    main = {before.moves[:ply] for ply in range(len(before.moves) + 1)}
    if before.foul is not None:
        main.add(before.foul)
    kept_nodes = main | {line[:ply] for line in after.lines for ply in range(len(line) + 1)}
    for node, texts in before.comments.items():
        kept = behind_the_moves(before, after) if node == before.foul != after.foul else after.comments.get(node, ())
        if " ".join(kept) != " ".join(texts) or not kept:  # several may have become one
            gone = Counter(texts) - Counter(kept)
            if kept and " ".join(kept).startswith(" ".join(texts).translate(BRACES)):  # behind it the writer may say more
                lost["braces in comments"] += sum(text.count("{") + text.count("}") for text in gone.elements())
            else:
                lost["comments" if node in main else "comments in variations"] += gone.total()
    lost["bookmarks"] = len(before.bookmarks.items() - after.bookmarks.items())
    for node, spent in before.clocks.items():
        kept_clock = after.clocks.get(node)
        if kept_clock is None:
            lost["clocks"] += node in kept_nodes  # a lost variation is named as such
        elif kept_clock != spent:
            lost["fractions of seconds" if kept_clock // 1000 == spent // 1000 else "clocks"] += 1
    endings = [(before.end, before.end_clock, after.end, after.end_clock)]
    endings += [(*told, *after.branch_ends.get(line, (None, None)))
                for line, told in before.branch_ends.items() if line in after.lines]
    for end, clock, other, other_clock in endings:
        lost["end"] += end is not None and unlike(end, other)
        if clock is not None and clock != other_clock:
            lost["clocks" if other_clock is None else "fractions of seconds"] += 1
    lost["illegal final move"] = int(before.illegal is not None and before.illegal != after.illegal)
    lost["headers"] = sum(1 for name, value in before.headers.items() if after.headers.get(name) != value)
    return +lost


def behind_the_moves(before: Said, after: Said) -> tuple[str, ...]:
    """What ``after``, which does not have the foul of ``before`` among its moves, says of it behind the last of them."""
    assert before.foul is not None
    told = " ".join(after.comments.get(before.moves, ()))
    for braces in ({}, BRACES):
        texts = tuple(text.translate(braces) for text in before.comments.get(before.foul, ()))
        first = " ".join(before.comments.get(before.moves, ())).translate(braces)
        if told.startswith(first) and " ".join(texts) in told.removeprefix(first):
            return texts
    return ()


def unlike(one: End, other: End | None) -> bool:
    """Whether two claimed ends differ; no result by design and an unknown one are not told apart by all notations."""
    if other is None:
        return True
    no_result = (ends.NONE, ends.UNKNOWN)
    return one[0] != other[0] or one[1] != other[1] and not (one[1] in no_result and other[1] in no_result)


def invented(before: Said, after: Said) -> list[str]:
    """What ``after`` says of clocks, comments and branches though ``before`` does not: nothing, for a sound writer."""
    found = [f"a clock at {node}" for node in after.clocks.keys() - before.clocks.keys()]
    found += [f"a branch {line}" for line in after.lines - before.lines]
    found += [f"a bookmark at {node}" for node in after.bookmarks.keys() - before.bookmarks.keys()]
    return found
