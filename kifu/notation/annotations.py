"""Analysis in comments as data: evaluations, depths, nodes, principal variations, engines.

A second, optional pass over the comments of a record that leaves the record as it is. Programs write analysis in forms
of their own (`FORMS`); a comment that is in none of them is no annotation. Evaluations are given in centipawns from
Black's view. Most forms are written so; of two it depends on the program's settings, and `calibrated` finds it out from
the record as a whole.

>>> import kifu
>>> record = kifu.parse("PI\\n+\\n+7776FU\\n'** -120 -3334FU +2726FU #4096\\n")[0]
>>> one, = annotations(record)
>>> one.move, one.evaluation, one.moves, one.nodes
(0, -120, ('-3334FU', '+2726FU'), 4096)
"""
import re
from collections.abc import Iterator
from typing import NamedTuple

from kifu import ends
from kifu.record import Record

#: An evaluation this far from zero says that a side wins by force (CSA 3.0); `evaluation_of` gives nothing beyond it.
MATE = 30000
BLACK_VIEW, MOVER_VIEW = "black", "mover"


class Annotation(NamedTuple):
    """What an engine said of the position behind a move.

    ``move`` is the index of the move in its record, -1 for the start position. ``rank`` counts the variations an engine
    gave for one position, from 1. ``evaluation`` is in centipawns from Black's view. ``mate`` is the number of plies to
    mate, negative where White mates; a mate of unknown length is an evaluation of ±30000. One of the two is None, or
    both.
    ``moves`` are the moves of the principal variation as written, up to the first word that is none, and ``behind`` is
    the index of the move that they follow: ``move`` itself, or the one before where they begin with the move played or
    one in its place. ``raw`` is the comment as it stands in the record.
    """

    move: int
    rank: int = 1
    evaluation: int | None = None
    mate: int | None = None
    depth: int | None = None
    nodes: int | None = None
    variation: str = ""
    moves: tuple[str, ...] = ()
    behind: int = -1
    engine: str = ""
    raw: str = ""
    form: str = ""


#: form -> whose view its evaluations are where nothing else is known. Of ``calibrated`` ones the record decides.
FORMS = {
    "csa": BLACK_VIEW,  # `'** 30 +7776FU … #1234`: CSA 3.0, floodgate; in KIF by converters
    "shogihome": BLACK_VIEW,  # `**評価値=30`, `**読み筋=…`, `**深さ=5`, `**エンジン=…`, `**詰み=先手勝ち:5手`
    "shogihome-research": BLACK_VIEW,  # the same behind `*#`
    "shogigui": BLACK_VIEW,  # `**対局 深さ 2 ノード数 960 評価値 0 読み筋 ▲…`, `**解析 …`, with `候補2` for others
    "kishin": BLACK_VIEW,  # `** … 評価値 30 …`: 棋神アナリティクス
    "k-shogi": BLACK_VIEW,  # `*#指し手[72]△１四歩 …`, `*#形勢[40]`: K-Shogi, Piyo
    "k-shogi-best": BLACK_VIEW,  # `*#推奨手[29]△４二銀 …`: what should have been played
    "shogidokoro": MOVER_VIEW,  # `*-123` or `*+Mate:5`, then `*▲７六歩(77)…`
}
CALIBRATED = ("shogigui", "shogidokoro")

_CSA = re.compile(r"'?\*+[ \t]*([+-]?[0-9]{1,9})(?![^ \t])(.*)")
_CSA_NOTE = re.compile(r"[ \t]+([+-]?[0-9]{1,9})((?:[ \t]+[+-][0-9]{4}[A-Z]{2}.*)?)")
_HOME = re.compile(r"([*#]{1,2})(評価値|読み筋|深さ|ノード数|エンジン|詰み)[=＝](.*)")
_GUI = re.compile(r"\*(?:対局|解析)(?:[ \t\u3000].*)?")
_WORDS = re.compile(r"(評価値|読み筋|深さ|ノード数|候補|エンジン)[ \t\u3000:：=＝]*")
_K_SHOGI = re.compile(r"#(指し手|推奨手|形勢)\[([+-]?[0-9]{1,9})\](.*)")
_NUMBER = re.compile(r"([+-]?)(?:([0-9]{1,9})(?:\+\+|--)?|(?:詰み?|[Mm]ate)[ :]*([0-9]{0,5})(?:\+\+|--)?)[↑↓]?")
_WINS = re.compile(r"(先手|後手|下手|上手)勝ち(?:[:：]([0-9]{1,5})手)?")
_DIGITS = re.compile(r"[0-9][0-9,]{0,18}")
_NODES = re.compile(r"#([0-9]{1,18})")
_CSA_MOVE = re.compile(r"[+-](?:[0-9]|PASS)")
_PLAIN_MOVE = re.compile(r"[+-](?:00|[1-9]{2})[1-9]{2}[A-Z]{2}|[+-]PASS|%[+-]?[A-Z_]+|"
                         r"(?:[1-9][a-i]|[PLNSGBR]\*)[1-9][a-i]\+?|"
                         r"\+?[PLNSGBRK](?:[1-9][a-i1-9])?[-x*][1-9][a-i1-9][+=]?")
_SIGNED_MOVE = re.compile(r"([▲△▼▽☗☖])[ \u3000]*((?:[1-9１-９][一二三四五六七八九1-9１-９]|同|パス|投了)[^▲△▼▽☗☖]*)")
_SIDES = {"▲": ends.BLACK, "☗": ends.BLACK, "+": ends.BLACK, "△": ends.WHITE, "☖": ends.WHITE, "▽": ends.WHITE,
          "-": ends.WHITE}


def annotations(record: Record, eval_side: str | None = None) -> list[Annotation]:
    """All annotations of a record in the order of its comments.

    ``eval_side`` is the view from which evaluations are written: ``black``, ``mover`` (the side whose move they follow;
    on the start position the side to move), or None for what is known of each form. ValueError for another word.
    """
    if eval_side not in (None, BLACK_VIEW, MOVER_VIEW):
        raise ValueError(f"eval_side is {BLACK_VIEW!r}, {MOVER_VIEW!r} or None, not {eval_side!r}")
    lines: dict[int, list[str]] = {}
    for index, _, text in record.comments():
        lines.setdefault(index, []).extend(text.split("\n"))
    found: list[Annotation] = []
    for index, told in lines.items():
        if any(map(_promising, told)):
            found += _ranked(_of_move(index, told))
    if not found:
        return []
    movers = _movers(record, found)
    flips = {form for form in FORMS if (eval_side or calibrated(found, movers, form)) == MOVER_VIEW}
    return [_viewed(record, one, movers[one.move], one.form in flips) for one in found]


def evaluation_of(record: Record, eval_side: str | None = None) -> dict[int, int]:
    """The evaluation behind each move that has one: index of the move -> centipawns from Black's view.

    The best variation counts. A mate is 30000 less its plies, and no number goes beyond ±30000.
    """
    found: dict[int, int] = {}
    for one in annotations(record, eval_side):
        if one.move in found or one.form == "k-shogi-best":
            continue
        if one.evaluation is not None:
            found[one.move] = max(-MATE, min(MATE, one.evaluation))
        elif one.mate is not None:
            found[one.move] = MATE - one.mate if one.mate >= 0 else -MATE - one.mate
    return found


def calibrated(found: list[Annotation], movers: dict[int, str], form: str) -> str:
    """Whose view the evaluations of a form are, judged by those behind neighbouring moves.

    An evaluation changes little from one ply to the next; so where it changes less if every other one is turned round,
    it is the mover's. Too few, or a form that is always from one view: the view that the table gives.
    """
    usual = FORMS[form]
    if form not in CALIBRATED:
        return usual
    as_written = turned = pairs = 0
    before: Annotation | None = None
    for one in found:
        if one.form != form or one.rank > 1 or one.evaluation is None:
            continue
        if before is not None and before.evaluation is not None and one.move == before.move + 1 \
                and movers[one.move] != movers[before.move]:
            first, second = (max(-3000, min(3000, value)) for value in (before.evaluation, one.evaluation))
            as_written += abs(first - second)
            turned += abs(first + second)
            pairs += 1
        before = one
    if pairs < 3 or as_written == turned:
        return usual
    return BLACK_VIEW if as_written < turned else MOVER_VIEW


# --- the comments of one move ---------------------------------------------------------------------------------------
def _promising(line: str) -> bool:
    """A quick look: whether a line can hold an evaluation at all."""
    return line[:1] in "*#'+- \t0123456789" and line != ""


def _of_move(index: int, lines: list[str]) -> Iterator[Annotation]:
    """The annotations in the comment lines of one move, evaluations as written."""
    home: dict[str, str] = {}
    home_raw: list[str] = []
    mark = ""
    at = 0
    while at < len(lines):
        line = lines[at].rstrip("\r")
        at += 1
        if match := _HOME.fullmatch(line):
            if home and (match[1] != mark or match[2] in home):
                yield from _home(index, mark, home, home_raw)
                home, home_raw = {}, []
            mark = match[1]
            home[match[2]] = match[3].strip()
            home_raw.append(line)
        elif match := _GUI.fullmatch(line):
            yield from _worded(index, line, "shogigui")
        elif match := _K_SHOGI.fullmatch(line):
            form = "k-shogi-best" if match[1] == "推奨手" else "k-shogi"
            yield Annotation(index, 1, int(match[2]), variation=match[3].strip(), raw=line, form=form)
        elif match := _CSA.fullmatch(line) or _CSA_NOTE.fullmatch(line):
            nodes = _NODES.search(match[2])
            variation = match[2][:nodes.start()] if nodes else match[2]
            yield Annotation(index, 1, int(match[1]), nodes=int(nodes[1]) if nodes else None,
                             variation=variation.strip(), raw=line, form="csa")
        elif line.startswith("*") and "評価値" in line:
            yield from _worded(index, line, "kishin")
        elif (match := _NUMBER.fullmatch(line)) and at < len(lines) and _moves(lines[at])[0]:
            evaluation, mate = _value(match)
            yield Annotation(index, 1, evaluation, mate, variation=lines[at].strip(), raw=f"{line}\n{lines[at]}",
                             form="shogidokoro")
            at += 1
    if home:
        yield from _home(index, mark, home, home_raw)


def _home(index: int, mark: str, told: dict[str, str], raw: list[str]) -> Iterator[Annotation]:
    """One annotation of ShogiHome from its lines."""
    number = re.fullmatch(r"[+-]?[0-9]{1,9}", told.get("評価値", ""))
    wins = _WINS.fullmatch(told.get("詰み", ""))
    mate = None
    if wins is not None:
        plies = int(wins[2] or 0)
        mate = plies if wins[1] in ("先手", "下手") else -plies
    evaluation = int(number[0]) if number is not None else None
    if wins is not None and not wins[2]:  # a win, but not in how many plies
        mate, evaluation = None, MATE if wins[1] in ("先手", "下手") else -MATE
    elif mate is not None:
        evaluation = None
    yield Annotation(index, 1, evaluation, mate, _count(told.get("深さ", "")), _count(told.get("ノード数", "")),
                     told.get("読み筋", ""), engine=told.get("エンジン", ""), raw="\n".join(raw),
                     form="shogihome-research" if "#" in mark else "shogihome")


def _worded(index: int, line: str, form: str) -> Iterator[Annotation]:
    """An annotation of one line in which words announce the numbers."""
    told: dict[str, str] = {}
    found = list(_WORDS.finditer(line))
    for number, match in enumerate(found):
        if match[1] == "読み筋":  # runs to the end of the line
            told[match[1]] = line[match.end():].strip()
            break
        end = found[number + 1].start() if number + 1 < len(found) else len(line)
        told.setdefault(match[1], line[match.end():end].strip())
    value = _NUMBER.match(told.get("評価値", ""))
    if value is None and (form == "kishin" or "読み筋" not in told):
        return  # a sentence that has the word in it
    evaluation, mate = _value(value) if value is not None else (None, None)
    rank = _count(told.get("候補", "")) or 1
    yield Annotation(index, rank, evaluation, mate, _count(told.get("深さ", "")), _count(told.get("ノード数", "")),
                     told.get("読み筋", ""), engine=told.get("エンジン", ""), raw=line, form=form)


def _value(match: re.Match[str]) -> tuple[int | None, int | None]:
    """Evaluation and mate from `_NUMBER`: one of them; a mate of unknown length is an evaluation."""
    sign = -1 if match[1] == "-" else 1
    if match[2] is not None:
        return sign * int(match[2]), None
    return (None, sign * int(match[3])) if match[3] and int(match[3]) else (sign * MATE, None)


def _count(text: str) -> int | None:
    """The number with which a text begins (``18/27``, ``4,430,270``), None where there is none."""
    match = _DIGITS.match(text)
    return int(match[0].replace(",", "")) if match else None


def _moves(text: str) -> tuple[tuple[str, ...], str | None]:
    """The moves with which a text begins, as written, and the side of the first where it is told."""
    text = text.strip(" \t\u3000\r")
    moves: list[str] = []
    if text[:1] in "▲△▼▽☗☖" and text:
        at = 0
        while match := _SIGNED_MOVE.match(text, at):
            moves.append(match[1] + match[2].strip(" \t\u3000"))
            at = match.end()
        return tuple(moves), _SIDES.get(text[0]) if moves else None
    for word in text.split():
        if not _PLAIN_MOVE.fullmatch(word):
            break
        moves.append(word)
    return tuple(moves), _SIDES[moves[0][0]] if moves and _CSA_MOVE.match(moves[0]) else None


# --- the record as a whole ------------------------------------------------------------------------------------------
def _ranked(found: Iterator[Annotation]) -> list[Annotation]:
    """Annotations of one move numbered within their form, unless they number themselves."""
    counts: dict[str, int] = {}
    ranked = []
    for one in found:
        counts[one.form] = counts.get(one.form, 0) + 1
        ranked.append(one if one.rank > 1 else one._replace(rank=counts[one.form]))
    return ranked


def _movers(record: Record, found: list[Annotation]) -> dict[int, str]:
    """Who made each move that has an annotation; on the start position, who is to move."""
    movers = {-1: record.turn}
    for one in found:
        if one.move >= 0 and one.move not in movers:
            line = record.line_of(one.move)
            plies = line.number - 1 + one.move - line.first
            movers[one.move] = record.to_move(plies)
    return movers


def _viewed(record: Record, one: Annotation, mover: str, by_mover: bool) -> Annotation:
    """The annotation from Black's view, its variation taken apart."""
    if by_mover and mover == ends.WHITE:
        one = one._replace(evaluation=None if one.evaluation is None else -one.evaluation,
                           mate=None if one.mate is None else -one.mate)
    moves, side = _moves(one.variation)
    behind = one.move
    if one.move >= 0 and (side == mover or (side is None and one.form == "shogidokoro") or one.form == "k-shogi-best"):
        line = record.line_of(one.move)
        behind = one.move - 1 if one.move > line.first else line.parent
    return one._replace(moves=moves, behind=behind)
