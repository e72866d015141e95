"""Western text of all kinds of shogi, the reader: any board to 12 x 12, men by their letters or their names.

`kifu.notation.western` hands over to it where a kind of shogi is named, or a tag tells of another one than ordinary
shogi. The kind of each game is the one that is named, else what its own `[Variant "..."]` says, else what the board of
its `[SFEN "..."]` fits, else ordinary shogi; so one text may hold games of several kinds. Everything but the moves is
read as in ordinary western text.
"""
from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from functools import lru_cache
from typing import ClassVar

from kifu.diagnostics import Diagnostic, make
from kifu.movetext import (
    CAPTURE, DROP, PROMOTE, QUIET, SAME, TURN_BACK, TURN_OVER, VIA_FIELD, origin, pack, piece, target, via,
)
from kifu.notation.completing import Chooser, complete
from kifu.notation.csa import PIECES
from kifu.notation.meanings import CAPITAL_MARK, LETTERED_MARK, NUMERIC_MARK
from kifu.notation.usi import kind_of as kind_of_sfen
from kifu.notation.western import ORDINARY, WesternReader
from kifu.notation.western_lines import Brackets
from kifu.notation.western_names import names_read, passes
from kifu.record import INFO, Record
from kifu.rules import handicaps
from kifu.rules.move import ORIGIN_SHIFT, TARGET_FIELD, of_rules
from kifu.rules.move import via as square_on_way
from kifu.rules.position import Position
from kifu.rules.recognise import named
from kifu.rules.ruleset import Ruleset
from kifu.rules.variants import RULESETS

#: Values of the tag that tell nothing: chess programs write them.
_SAYS_NOTHING = frozenset({"", "?", "-", "from position"})
#: The tags that tell the kind of shogi, by what they tell.
_TELLING = {"Variant": "Variant", "variant": "Variant", "SFEN": "SFEN", "FEN": "SFEN"}
_BOARD = re.compile(r"[0-9A-Za-z+]++(?:/[0-9A-Za-z+]++)+(?=[ \t]+[bw]\b)")
_SQUARE = "(?:1[0-2]|[1-9])[a-lA-L]|[1-9][1-9]"
_NAME = r"\+?(?:[A-Z][A-Za-wyz]{0,2}|[p歩香桂銀金角飛玉王と馬龍竜])"
_BLANKS = r"[ \t\r\n\f\u3000]*+"
#: The part of a move that the marks behind it leave. A single square is the target, but in `S4ex` the origin.
_MOVE = re.compile(
    rf"(?:(?P<usi>(?:(?:1[0-2]|[1-9])[a-l]){{2,3}})|(?P<alone>x|--)|(?P<name>{_NAME})(?:"
    rf"{_BLANKS}(?:(?P<from>{_SQUARE})|\((?P<bracket>[1-9][1-9])\))?{_BLANKS}(?:(?P<sign>[-x:*'@])?(?P<to>{_SQUARE})"
    rf"(?:{_BLANKS}(?P<second>[-x:])(?P<last>{_SQUARE}))?|x!(?P<there>{_SQUARE})|(?P<pass>--)|(?P<taking>[x:]))))"
    rf"(?:{_BLANKS}(?:[-+=!?/#]|ch\.?|mate\.?))*")
_SIDE = re.compile(rf"[☗▲☖△▽]{_BLANKS}")
_CALLED = re.compile(r"\+?[^\W\d_]{2,}|\+?[A-Z]")
_SIGNS = {"-": QUIET, "x": CAPTURE, ":": CAPTURE, "*": DROP, "'": DROP, "@": DROP, None: 0}
_LIKE_A_MOVE = re.compile(rf"(?:{_NAME})?(?:[-x:*'@]|(?:{_SQUARE}))")
#: A word that begins like a move: `Swx`, `LQxC`, and `Sw-d` of `Sw-d3`, whose square is the wrong way round.
_SIGNED = re.compile(r"([A-Z][A-Za-wyz]{0,2})([-x])(.*)", re.DOTALL)
#: The square behind a blank that makes a name a move: `Sw 7d`.
_APART = re.compile(r"[ \t\u3000]{1,8}(?:[-x:*'@][ \t]?)?(?:(?:1[0-2]|[1-9])[a-l]|[1-9][1-9](?![.…]))(?![0-9A-Za-z])")
#: Terminals and productions of moves of ordinary shogi, which are not in this grammar or need no meaning there.
_ORDINARY_MOVES = frozenset({
    *PIECES, *map(str.lower, PIECES), "SQUARE", "NUMERIC_SQUARE", "CAPITAL_SQUARE", "USI_MOVE", "ORIGIN", "MOVES",
    "TAKES", "DROPS", "RECAPTURE", "TAKES_PIECE", "ORIGIN_TAKES"})


def kind_of(tags: Iterable[tuple[str, str]]) -> str | None:
    """The kind of shogi that tags tell of, ordinary shogi where they tell of none; None for one that is not known.

    >>> kind_of([("Variant", "Tori Shogi")]), kind_of([("SFEN", "4k/5/5/5/K4 b - 1")]), kind_of([("Variant", "chess")])
    ('torishogi', 'minishogi', None)
    """
    sfen = ""
    for key, value in tags:
        name = _TELLING.get(key)
        if name == "Variant" and _says_something(name, value):
            return named(value)
        if name == "SFEN":
            sfen = sfen or value
    return kind_of_sfen(sfen) if _BOARD.match(sfen) else ORDINARY


def _says_something(name: str, value: str) -> bool:
    return value.strip().casefold() not in _SAYS_NOTHING if name == "Variant" else bool(value)


class BoardsReader(WesternReader):
    """Reads western text and PSN of any kind of shogi."""

    NOTATION = "western_boards"
    MEANINGS: ClassVar = {
        **{name: meaning for name, meaning in WesternReader.MEANINGS.items() if name not in _ORDINARY_MOVES},
        "TURN_BACK": ("flag", PROMOTE | TURN_BACK),
    }
    HANDLERS: ClassVar = {
        name: method for name, method in WesternReader.HANDLERS.items() if name not in _ORDINARY_MOVES}

    def read(self) -> list[Record]:
        """All records of the text."""
        self.first_count, self.even = 0, handicaps.HANDICAPS["even"]
        return Brackets.read(self)

    def open(self, move: int, offset: int) -> None:
        super().open(move, offset)
        self.apart = -1  # where the last move ends whose square stands apart from its name
        self.seen_tags = 0  # how many tags of the record were looked at for its kind of shogi
        self.telling: dict[str, str] = {}  # the first variant and the first position that they tell
        self.told_kind: str | None = ORDINARY

    @property
    def kind(self) -> str | None:
        """The kind of shogi of the record in hand, None where it is not known."""
        return self.given_variant or self.kind_told()

    def kind_told(self) -> str | None:
        """The kind of shogi that the tags of the record tell; each is looked at once, however often this is asked."""
        headers = self.record.headers
        for key, value in headers[self.seen_tags:] if self.seen_tags < len(headers) else ():
            name = _TELLING.get(key)
            if name and name not in self.telling and _says_something(name, value):
                self.telling[name] = value
                self.told_kind = kind_of(self.telling.items())
        self.seen_tags = len(headers)
        return self.told_kind

    # --- moves ------------------------------------------------------------------------------------------------------
    def settle(self, record: Record) -> None:
        kind = self.kind
        record.variant = kind or ""
        if kind is None:
            self.no_kind(record)
            super().settle(record)
            record.start = None
            return
        self.even = handicaps.of_variant(kind)["even"]
        self.read_moves(record, RULESETS[kind])
        super().settle(record)
        if self.text.find("--", record.offset, record.end_offset) >= 0:
            complete(record, _passing(record))
        if kind != ORDINARY:  # the record says it already
            record.headers = [(key, value) for key, value in record.headers
                              if key not in ("Variant", "variant") or named(value) != kind]

    def no_kind(self, record: Record) -> None:
        """Say that the kind of shogi is not known; nothing can be played then."""
        told = next((value for key, value in record.headers if key in ("Variant", "variant")), None)
        board = told or (record.header("sfen") or record.header("fen") or "").split(" ")[0]
        at = self.text.find(board, record.offset, record.end_offset)
        record.lines[0].broken = self.report("unknown-variant", at, at + len(board), text=board)

    def read_moves(self, record: Record, rules: Ruleset) -> None:
        """Make move texts of the moves as they are written; a line ends before one that the kind of shogi cannot have.
        """
        texts, info = record.texts, record.info
        owners: dict[int, int] = {}
        for index in range(len(texts)):
            start, end = info[INFO * index], info[INFO * index + 1]
            written = self.text[start:end]
            text, marks = _read(written, rules.key)
            if text < 0:
                if not owners:
                    owners = {node: number for number, branch in enumerate(self.branches) for node in branch.nodes}
                self.refuse(index, owners, rules)
                continue
            if rules.turns_back and texts[index] & PROMOTE and not texts[index] & TURN_BACK:
                text |= TURN_OVER
            texts[index] |= text
            info[INFO * index + 2] |= marks
            self.marks |= marks

    def refuse(self, index: int, owners: dict[int, int], rules: Ruleset) -> None:
        """End a line before a move that cannot be read; nothing is said of moves that stand behind such an end."""
        branch = self.branches[owners[index]] if index in owners else None
        at = bisect_left(branch.nodes, index) if branch is not None else 0  # which stand in the order of the text
        if branch is None or at == len(branch.nodes):
            return
        start, end = self.info[INFO * (self.first_move + index)], self.info[INFO * (self.first_move + index) + 1]
        self.cut(branch, at, self.report(
            "unreadable-move", start, end, branch.line.number + at, text=self.text[start:end],
            expected=f"a move of {rules.name}", hint=_hint(self.text[start:end], rules)))

    def on_word(self, move: int, start: int, end: int, value: int) -> None:
        if start < self.apart:
            return
        text = self.text[start:end]
        if (apart := _APART.match(self.text, end)) and self.kind is not None and text in names_read(self.kind):
            self.told, self.apart = True, apart.end()
            self.broken(move, start, self.apart)
            return
        match = _SIGNED.match(text)
        square = match is not None and len(match[3]) == 1 and self.text[end:end + 1].isdigit()
        if match is not None and self.kind is not None and match[1] in names_read(self.kind) and (
                square or match[2] == "x" and len(match[1]) > 1):
            self.told = True
            self.broken(move, start, end)
        elif move > self.first_move and self.info[INFO * move - 3] == start:  # glued to a move: `Sx` of `Sxd3`
            self.branch.take(move - self.first_move)
            self.glued(self.branch, move - 1, self.info[INFO * (move - 1)], end)
        else:
            super().on_word(move, start, end, value)

    def on_result(self, move: int, start: int, end: int, value: int) -> None:
        first = self.name_before(start) if self.text[start:end] == "*" else start
        if first < start:  # a drop without a square
            self.told = True
            self.broken(move, first, end)
        else:
            super().on_result(move, start, end, value)

    def on_bad(self, move: int, start: int, end: int, value: int) -> None:
        if start < self.apart:
            return
        first = self.name_before(start)
        text = self.text[first:end]
        if _LIKE_A_MOVE.match(text) and not text.startswith(("{", "[")):
            self.told = True
            self.broken(move, first, end)
        else:
            super().on_bad(move, start, end, value)

    def name_before(self, start: int) -> int:
        """Where the name begins that stands glued before an offset, taken for a word since nothing known follows it."""
        first = start
        while first > max(0, start - 4) and (self.text[first - 1].isalpha() or self.text[first - 1] == "+"):
            first -= 1
        return first

    def check_remarks(self, record: Record) -> None:
        """The grammar takes no move for the beginning of a remark."""

    # --- the start --------------------------------------------------------------------------------------------------
    def handicap(self, record: Record) -> handicaps.Handicap | None:
        kind = self.kind
        if kind == ORDINARY:
            return super().handicap(record)
        name = self.given_handicap or record.header("handicap")
        if kind is None or not name:
            return None
        if self.given_handicap:
            return handicaps.by_key(name, kind)
        return handicaps.by_english(name, kind) or handicaps.by_japanese(name, kind) or handicaps.by_key(name, kind)

    def handicap_in_words(self, record: Record) -> bool:
        return record.variant == ORDINARY and super().handicap_in_words(record)


@lru_cache(maxsize=1 << 14)
def _read(written: str, variant: str) -> tuple[int, int]:
    """What a written move says in a kind of shogi, its marks apart: its move text, and marks for its squares.

    -1 and 0 where the kind of shogi has no such move, be it for its name, its squares or a second step.
    """
    rules = RULESETS[variant]
    side = _SIDE.match(written)
    match = _MOVE.fullmatch(written, side.end() if side else 0)
    if match is None:
        return -1, 0
    if match["alone"]:
        if match["alone"] == "x":
            return CAPTURE | SAME, 0
        return (VIA_FIELD, 0) if rules.moves_twice else (-1, 0)
    if match["usi"]:
        try:
            text = of_rules(match["usi"], rules)
        except ValueError:
            return -1, 0
        return (text, 0) if _inside(text, rules) else (-1, 0)
    name = match["name"].replace("p", "P")
    man = names_read(variant).get(name, 0)
    squares = [match[part] for part in ("from", "bracket", "to", "last", "there") if match[part]]
    twice = match["last"] or match["there"] or match["pass"]
    if not man or twice and not rules.moves_twice or not all(_nameable(square, rules) for square in squares):
        return -1, 0
    start = _place(match["from"] or match["bracket"])
    if match["pass"]:
        text = pack(origin=start, piece=man, flags=VIA_FIELD)
    elif match["there"]:
        text = pack(via=_place(match["there"]), origin=start, piece=man, flags=CAPTURE)
    elif match["last"]:
        text = pack(to=_place(match["last"]), via=_place(match["to"]), origin=start, piece=man,
                    flags=_SIGNS[match["second"]])
    elif match["taking"]:
        text = pack(origin=start, piece=man, flags=CAPTURE)
    else:
        text = pack(to=_place(match["to"]), origin=start, piece=man, flags=_SIGNS[match["sign"]])
    marks = 0
    for square in squares:
        marks |= NUMERIC_MARK if square.isdigit() else LETTERED_MARK
        marks |= CAPITAL_MARK if square[-1].isupper() else 0
    return (text, marks) if match["pass"] or _inside(text, rules) else (-1, 0)


def _place(square: str | None) -> tuple[int, int]:
    """File and rank of a square as it is written; (0, 0) for none."""
    if square is None:
        return 0, 0
    return int(square[:-1]), int(square[-1]) if square.isdigit() else ord(square[-1].lower()) - 96


def _nameable(square: str, rules: Ruleset) -> bool:
    """Whether a square is written as it can be: with two digits only where no file and no rank needs more."""
    return not square.isdigit() or max(rules.files, rules.ranks) < 10


def _inside(text: int, rules: Ruleset) -> bool:
    return all(file <= rules.files and rank <= rules.ranks for file, rank in (target(text), origin(text), via(text)))


def _hint(written: str, rules: Ruleset) -> str | None:
    """What is wrong with a move that cannot be read, where that can be told."""
    match = _CALLED.search(written)
    if match is not None and match[0].partition("x")[0] not in names_read(rules.key):
        known = ", ".join(name for name in names_read(rules.key) if name.isascii() and not name.startswith("+"))
        return f"no man of {rules.name} is called {match[0]}; its men are {known}"
    squares = re.findall(_SQUARE, written)
    if not all(_nameable(square, rules) for square in squares):
        return f"the squares of {rules.name} are written with a letter for the rank, such as 7i"
    return None


def _passing(record: Record) -> Chooser:
    """Chooses for `--`: the first pass that there is."""

    def choose(position: Position, index: int) -> int | Diagnostic:
        text = record.texts[index]
        if text & VIA_FIELD != VIA_FIELD:
            return text
        file, rank = origin(text)
        start = (file - 1) * position.rules.ranks + rank - 1 if file else -1
        move = passes(position, piece(text), start)
        if move >= 0:
            places = [divmod(square, position.rules.ranks) for square in (
                move >> ORIGIN_SHIFT & TARGET_FIELD, square_on_way(move))]
            (file, rank), (way_file, way_rank) = places
            return text & ~VIA_FIELD | pack(origin=(file + 1, rank + 1), via=(way_file + 1, way_rank + 1),
                                            to=(file + 1, rank + 1))
        return make("no-candidate", record.info[INFO * index], record.info[INFO * index + 1],
                    text=record.move_text(index), detail="no man that moves twice can pass here")

    return choose


__all__ = ["BoardsReader", "kind_of"]
