"""A kind of shogi in words, all of them made from its data: how its men go, and what binds them.

`kifu variants` prints them. Nothing here knows a kind of shogi by its name, so one that somebody has just written reads
as well as any other.

>>> from kifu.rules.variants import RULESETS
>>> goes(RULESETS["shogi"].ways(5)), goes(RULESETS["shogi"].ways(7 | 32))
('a step in any direction but diagonally back', 'slides orthogonally; a step diagonally')
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from kifu.movetext import PROMOTED
from kifu.rules import ruleset
from kifu.rules.ruleset import (
    AHEAD, AHEAD_LEFT, AHEAD_RIGHT, AND_ANY, AT_ZONE, BACK, BACK_LEFT, BACK_RIGHT, CAPTURE_ONLY, COMPASS, DIAGONAL,
    EACH_CAPTURE, EACH_MOVE, EITHER_FACE, FAR, HOP, LEFT, NO_CAPTURE, NO_DROPS, ON_OR_BACK, ORTHOGONAL, RIGHT,
    Direction, Kind, Ruleset, Way,
)

#: Directions that have a name together; longer ones first, so that few words say much.
_TOGETHER: tuple[tuple[str, frozenset[Direction]], ...] = (
    ("in any direction", frozenset(COMPASS)), ("orthogonally", frozenset(ORTHOGONAL)),
    ("diagonally", frozenset(DIAGONAL)), ("ahead", frozenset({AHEAD})), ("back", frozenset({BACK})),
    ("sideways", frozenset({LEFT, RIGHT})), ("diagonally ahead", frozenset({AHEAD_LEFT, AHEAD_RIGHT})),
    ("diagonally back", frozenset({BACK_LEFT, BACK_RIGHT})),
    ("to the left", frozenset({LEFT})), ("to the right", frozenset({RIGHT})),
    ("ahead to the left", frozenset({AHEAD_LEFT})), ("ahead to the right", frozenset({AHEAD_RIGHT})),
    ("back to the left", frozenset({BACK_LEFT})), ("back to the right", frozenset({BACK_RIGHT})),
)
_MANNERS = ((NO_CAPTURE, "without taking"), (CAPTURE_ONLY, "only to take"),
            (ON_OR_BACK, "and from there on in the same direction or back"), (AND_ANY, "and a second step from there"))
_REPETITION = {
    ruleset.FOURTH: "a position that stands for the fourth time ends the game: it is drawn, but lost by a side all of "
                    "whose moves in between gave check",
    ruleset.FOURTH_SECOND_WINS: "a position that stands for the fourth time ends the game: the side that moved second "
                                "wins, but a side all of whose moves in between gave check loses",
    ruleset.FOURTH_LOSES: "who makes a position for the fourth time has lost",
    ruleset.THIRD_BARRED: "no move may make a position for the third time; in a series of checks the checker must vary",
    ruleset.STARTER_VARIES: "the side that began a sequence may not make its position for the third time; in a series "
                            "of checks the checker may not",
}


# --- how men go

def goes(ways: Sequence[Way]) -> str:
    """How a man goes, seen by its own side.

    >>> from kifu.rules.ruleset import hops, only, slides, steps
    >>> goes(steps((1, -2), (-1, -2)))
    'leaps to the square 2 ahead and 1 sideways'
    >>> goes(only(NO_CAPTURE, slides(*ORTHOGONAL)) + hops(*ORTHOGONAL))
    'slides orthogonally without taking; slides orthogonally over exactly one man'
    """
    groups: dict[tuple[str, int, int], list[Direction]] = {}
    for way in ways:
        apart = max(map(abs, way.direction))
        unit = (way.direction[0] // apart, way.direction[1] // apart)
        straight = apart == 1 or (unit[0] * apart, unit[1] * apart) == way.direction and unit in COMPASS
        verb = "slide" if way.length != 1 else "step" if apart == 1 else "leap" if straight else "odd leap"
        # a slide is grouped by its length, a leap by how far it goes
        groups.setdefault((verb, way.length if verb == "slide" else apart, way.manner), []).append(
            unit if straight else way.direction)
    _fill(groups)
    return "; ".join(_group(verb, far, manner, directions)
                     for (verb, far, manner), directions in sorted(groups.items(), key=_order)) or "does not move"


def _order(group: tuple[tuple[str, int, int], list[Direction]]) -> tuple[int, int, int]:
    """Slides first, then steps and leaps, the nearer ones before the others."""
    verb, far, manner = group[0]
    return ("slide", "step", "leap", "odd leap").index(verb), far, manner


def _fill(groups: dict[tuple[str, int, int], list[Direction]]) -> None:
    """Where leaps go to all squares of a distance, have one group say so: the straight ones join the others."""
    for (verb, far, manner), directions in list(groups.items()):
        straight = groups.get(("leap", far, manner), [])
        if verb == "odd leap" and len(straight) == len(COMPASS) and len(directions) == 8 * far - len(COMPASS):
            directions += [(file * far, rank * far) for file, rank in groups.pop(("leap", far, manner))]


def _group(verb: str, far: int, manner: int, directions: list[Direction]) -> str:
    if verb == "odd leap":
        told = f"leaps to any square {far} away" if len(directions) == 8 * far else \
            "leaps to the square " + _and(sorted({_distance(one, set(directions)) for one in directions}), "or")
    elif verb == "leap":
        told = f"leaps to the square {far} away {compass(directions)}"
    elif verb == "step":
        told = f"a step {compass(directions)}"
    elif manner & HOP and far == 2:
        told = f"leaps {compass(directions)} over a neighbour to the square behind"
    else:
        told = f"slides {compass(directions)}" + (f" up to {far} squares" if far != FAR else "")
    if manner & HOP and not (verb == "slide" and far == 2):
        told += " over exactly one man"
    return " ".join([told, *(words for bit, words in _MANNERS if manner & bit)])


def compass(directions: Iterable[Direction]) -> str:
    """Directions in few words.

    >>> compass([AHEAD, LEFT, RIGHT, *DIAGONAL]), compass([AHEAD, BACK, *DIAGONAL])
    ('in any direction but back', 'in any direction but sideways')
    """
    left = set(directions)
    missing = set(COMPASS) - left
    if 0 < len(missing) < 3:
        return f"in any direction but {_and(_parts(missing))}"
    return _and(_parts(left))


def _parts(left: set[Direction]) -> list[str]:
    parts = []
    for words, several in _TOGETHER:
        if several <= left:
            parts.append(words)
            left = left - several
    return sorted(parts, key=_plainness)


def _plainness(words: str) -> tuple[int, bool]:
    """Plain directions first, so that no word behind seems to belong to one of them: ``back and diagonally ahead``."""
    return words.count(" "), words.endswith("onally")


def _distance(direction: Direction, directions: set[Direction]) -> str:
    """How far a leap goes that is on no straight line; one to either side is told once."""
    files, ranks = direction
    aside = "sideways" if (-files, ranks) in directions else "to the left" if files > 0 else "to the right"
    return f"{abs(ranks)} {'ahead' if ranks < 0 else 'back'} and {abs(files)} {aside}"


def _and(parts: Sequence[str], last: str = "and") -> str:
    """Words in a row: ``a, b and c``."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {last} {parts[-1]}" if parts else ""


# --- what binds them

def board(rules: Ruleset) -> str:
    """The size of the board.

    >>> from kifu.rules.variants import RULESETS
    >>> board(RULESETS["micro"])
    '4 files, 5 ranks'
    """
    return f"{rules.files} files, {rules.ranks} ranks"


def promotion(rules: Ruleset) -> list[str]:
    """When men turn over, a clause each; none where nothing has another face."""
    turning = [kind for kind in rules.kinds if kind.promoted is not None]
    if not turning:
        return ["nothing promotes"]
    if rules.promotion == EACH_MOVE:
        return ["a man turns over with every move, and back with the next one"]
    if rules.promotion == EACH_CAPTURE:
        return ["a man turns over whenever it takes, and back the next time; nothing else turns it"]
    zone = "the last rank" if rules.zone == 1 else f"the last {rules.zone} ranks"
    if rules.promotion == AT_ZONE:
        told = [f"with a move that starts or ends on {zone}"]
    else:
        told = [f"on entering {zone}; later only with a capture that starts or ends there"]
    told += _by_rank(turning, lambda kind: kind.late, "{men} also with any move to {zone}")
    if always := [kind for kind in turning if kind.always_promotes]:
        told.append("forced, whenever it is possible" if len(always) == len(turning) else
                    f"forced for {_men(always)}, whenever it is possible")
    told += _by_rank(turning, lambda kind: kind.must_promote, "forced for {men} on {zone}")
    return told


def drops(rules: Ruleset) -> list[str]:
    """What becomes of men taken and what binds drops, a clause each."""
    if rules.drops == NO_DROPS:
        return ["none: men taken are out of the game"]
    told = ["men taken are dropped with either face up" if rules.drops == EITHER_FACE else
            "men taken are dropped unpromoted"]
    told += _by_rank(rules.kinds, lambda kind: kind.no_drop, "{men} not on {zone}")
    for most in sorted({kind.per_file for kind in rules.kinds} - {0}):
        men = _men([kind for kind in rules.kinds if kind.per_file == most])
        few = "one of the same side stands" if most == 1 else f"{most} of the same side stand"
        told.append(f"{men} not on a file where {few} unpromoted")
    if harmless := [kind for kind in rules.kinds if not kind.mates_by_drop]:
        told.append(f"{_men(harmless)} not with mate")
    return told


def _by_rank(kinds: Iterable[Kind], ranks: Callable[[Kind], int], sentence: str) -> list[str]:
    """A clause for each number of last ranks that kinds of men are bound by."""
    kinds = list(kinds)
    return [sentence.format(men=_men([kind for kind in kinds if ranks(kind) == number]),
                            zone="the last rank" if number == 1 else f"the last {number} ranks")
            for number in sorted({ranks(kind) for kind in kinds} - {0})]


def _men(kinds: Iterable[Kind]) -> str:
    return _and([kind.name for kind in kinds])


def aim(rules: Ruleset) -> str:
    """How a game is won.

    >>> from kifu.rules.variants import RULESETS
    >>> aim(RULESETS["torishogi"])
    'to mate the phoenix; who has no legal move has lost'
    """
    royal = [rules.piece_name(piece) for piece in rules.pieces if rules.is_royal(piece)]
    if rules.royals_taken:
        bare = ", or all its other men, unless the next move answers in kind" if rules.bare_king else ""
        return (f"to take the other's last royal man ({_and(royal, 'or')}){bare}; check binds nobody, and who has no "
                "legal move has lost")
    return f"to mate the {_and(royal, 'or')}; who has no legal move has lost"


def repetition(name: str) -> str:
    """What a reading of repetition says (see `kifu.rules.repetition`); its name where it is not known."""
    return _REPETITION.get(name, name)


def impasse(rules: Ruleset) -> str:
    """Whether points are counted at an impasse."""
    return "points are counted, see kifu.rules.impasse" if "impasse" in rules.options else "no points are counted"


def lions(rules: Ruleset) -> list[str]:
    """What binds the taking of lions, a clause each; nothing where there are none."""
    if not any(kind.lion for kind in rules.kinds):
        return []
    trifles = _and([kind.name for kind in rules.kinds if kind.trifle], "or")
    return ["a lion does not take a guarded lion that stands further off than one square"
            + (f", unless the same move takes another man than {trifles} first" if trifles else ""),
            "after another man took a lion no man but a lion takes one on another square at once"]


def men(rules: Ruleset) -> list[tuple[int, str, str]]:
    """Every face: its number, its name, how it goes; a promoted face follows its plain one."""
    order = [piece for kind in rules.kinds for piece in (kind.number, kind.number | PROMOTED) if piece in rules.pieces]
    return [(piece, rules.piece_name(piece), goes(rules.ways(piece))) for piece in order]
