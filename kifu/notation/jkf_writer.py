"""JKF, writer: normalised records, one JSON object a line.

Source: the JSON Kifu Format of na2hiro (see `kifu.notation.jkf_schema`). Each move has its colour, `same`, `capture`,
`promote` where there was a choice, and `relative` by the rule of the JSA; clocks have the total of their side.
"""
from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from kifu import ends
from kifu.movetext import PROMOTED
from kifu.notation.board import FULL_SET, read_sfen
from kifu.notation.csa import NAMES
from kifu.notation.fouls import foul_move
from kifu.notation.jkf import OTHER, PRESETS, same_start
from kifu.notation.kif_writer import WRITE_KEYS
from kifu.notation.relative import relative
from kifu.notation.tree import from_the_highest
from kifu.notation.writing import IMPLIED, Writer
from kifu.record import CANONICAL, INFO, Game
from kifu.rules.handicaps import HANDICAPS
from kifu.rules.move import (
    COULD_PROMOTE, DROPPED, ORIGIN_SHIFT, PIECE_FIELD, PIECE_SHIFT, PROMOTES, TAKEN_SHIFT, TARGET_FIELD,
)
from kifu.rules.position import Position
from kifu.walker import Walker

#: Forks in forks in forks: branches nested deeper are left out, since readers of JSON refuse what is deep.
MOST_NESTED = 100
#: Canonical header names -> the keys of KIF, which JKF uses.
_KEYS = {**WRITE_KEYS, "black": "先手", "white": "後手"}
_PRESETS = {key: preset for preset, key in PRESETS.items()}
_COLOURS = {ends.BLACK: 0, ends.WHITE: 1}
_Node = dict[str, Any]


class JkfWriter(Writer):
    """Writes proven games as JKF."""

    NOTATION = "jkf"
    SEPARATOR = ""

    def write(self, game: Game) -> str:
        record = game.record
        self.lose("bookmarks", len(record.bookmarks))
        self.comments: dict[int, list[str]] = {}
        for owner, _, text in record.comments():
            self.comments.setdefault(owner, []).append(text)
        made = {"header": self.header(game), "initial": self.initial(game), "moves": self.tree(game)}
        try:
            return msgspec.json.encode(made).decode() + "\n"
        except UnicodeEncodeError:  # half of a surrogate pair, which no encoding can hold
            self.lose("characters")
            return msgspec.json.encode(_whole(made)).decode() + "\n"

    def header(self, game: Game) -> dict[str, str]:
        """The headers in their order, those that KIF has a key for under that key."""
        found: dict[str, str] = {}
        own = game.record.notation == "jkf"
        for key, value in game.record.headers:
            name = CANONICAL.get(key, key)
            if own:
                found[key] = value
            elif value and name not in IMPLIED:
                written = key if not key.isascii() else _KEYS.get(name, key.lstrip("$"))
                self.lose("headers", int(written in found and found[written] != value))
                found.setdefault(written, value)
        return found

    def initial(self, game: Game) -> dict[str, Any]:
        """The start position: the name of a handicap, or the board."""
        preset = _PRESETS.get(game.handicap)
        self.lose("number of the first move", int(game.start.split()[3] != "1"))
        if preset is not None and same_start(game.start, HANDICAPS[game.handicap].sfen):
            return {"preset": preset}
        board, side, _ = read_sfen(game.start)
        return {"preset": OTHER, "data": {
            "color": _COLOURS[side],
            "board": [[_cell(board.squares.get((file, rank), 0)) for rank in range(1, 10)] for file in range(1, 10)],
            "hands": [{NAMES[kind]: board.hands[one].get(kind, 0) for kind in FULL_SET} for one in ends.SIDES],
        }}

    # --- moves ------------------------------------------------------------------------------------------------------
    def tree(self, game: Game) -> list[_Node]:
        """The nodes of the main line, in which those of the branches hang."""
        record, proven = game.record, game.proven
        walker = Walker(record, Position(game.start), proven)
        position = walker.position
        totals = [(0, 0)]  # what each side has used at each ply of the walker's path
        nodes: dict[int, list[_Node]] = {}
        depths = {0: 0}
        self.owners: dict[int, int] = {}  # the line of each move
        self.floored = 0
        for number, first, stop in from_the_highest(record, game.line_plies):
            line = record.lines[number]
            walker.go_to(line.parent)
            del totals[len(walker.path) + 1:]
            if number:
                depths[number] = depths[self.owners.get(line.parent, 0)] + 1
            out: list[_Node] = [] if number else [self.noted({}, -1)]
            for index in range(first, stop):
                move = proven[index]
                out.append(self.node(position, move, index, record.info[INFO * index + 3], totals))
                position.play(move)
                self.owners[index] = number
            walker.played(range(first, stop))
            out += self.end(game, number, stop, totals[-1])
            if depths[number] <= MOST_NESTED:
                nodes[number] = out
        self.hang(game, nodes)
        self.lose("variations", len(record.lines) - len(nodes))
        self.lose("fractions of seconds", self.floored)
        return nodes[0]

    def hang(self, game: Game, nodes: dict[int, list[_Node]]) -> None:
        """Put each branch into the forks of the node that it stands in place of."""
        lines = game.record.lines
        for number in sorted(nodes):
            if not number:
                continue
            parent = lines[number].parent
            owner = self.owners.get(parent, 0)
            place = parent + 1 - lines[owner].first + (owner == 0) if parent >= 0 else 1
            host = nodes[owner]
            if place == len(host):
                host.append({})  # the line ends where the branch begins
            host[place].setdefault("forks", []).append(nodes[number])

    def node(self, position: Position, move: int, index: int, thought: int, totals: list[tuple[int, int]]) -> _Node:
        """One move that is about to be played."""
        target, piece = move & TARGET_FIELD, move >> PIECE_SHIFT & PIECE_FIELD
        turn = position.turn
        made: _Node = {"color": turn}
        if not move & DROPPED:
            made["from"] = _square(move >> ORIGIN_SHIFT & TARGET_FIELD)
        made["to"] = _square(target)
        made["piece"] = NAMES[piece]
        if target == position.last_target:
            made["same"] = True
        if move & COULD_PROMOTE and not piece & PROMOTED:
            made["promote"] = bool(move & PROMOTES)
        taken = move >> TAKEN_SHIFT & PIECE_FIELD
        if taken:
            made["capture"] = NAMES[taken]
        needed = relative(position, move)
        if needed:
            made["relative"] = needed
        node = self.noted({"move": made}, index)
        black, white = totals[-1]
        if thought >= 0:
            used = (black if turn == 0 else white) + thought
            node["time"] = self.time(thought, used)
            black, white = (used, white) if turn == 0 else (black, used)
        totals.append((black, white))
        return node

    def noted(self, node: _Node, index: int) -> _Node:
        """A node with the comments that follow a move, before everything else."""
        comments = self.comments.get(index)
        return {"comments": comments, **node} if comments else node

    def time(self, thought: int, used: int) -> _Node:
        """A clock; JKF has whole seconds."""
        self.floored += thought % 1000 != 0
        seconds, total = thought // 1000, used // 1000
        now = {"h": seconds // 3600} if seconds >= 3600 else {}
        return {"now": {**now, "m": seconds // 60 % 60, "s": seconds % 60},
                "total": {"h": total // 3600, "m": total // 60 % 60, "s": total % 60}}

    # --- ends -------------------------------------------------------------------------------------------------------
    def end(self, game: Game, number: int, stop: int, totals: tuple[int, int]) -> list[_Node]:
        """The end of a line: a node, with the illegal move before it where one ended the game; none without an end."""
        record = game.record
        line = record.lines[number]
        claimed = line.end
        mover = record.to_move(line.number - 1 + stop - line.first)
        if number == 0 and game.verdict == "foul" and game.illegal_move is not None:
            move = foul_move(game)
            self.lose("illegal final move", int(move is None))
            self.foul_end(game)
            node: _Node = {"move": _foul(move, _COLOURS[mover])} if move is not None else {}
            special: _Node = {
                "special": f"{'+' if game.illegal_move['offender'] == ends.BLACK else '-'}ILLEGAL_ACTION"}
            spent = list(totals)
            turn = _COLOURS[mover]
            if stop < line.last:  # else it stands apart from the moves, as servers write it
                node, special = (self.noted(node, stop), special) if node else (node, self.noted(special, stop))
                if (thought := record.info[INFO * stop + 3]) >= 0:
                    spent[turn] += thought
                    if node:
                        node["time"] = self.time(thought, spent[turn])
                    self.lose("clocks", not node)
            if claimed is not None and claimed.milliseconds is not None:
                turn ^= bool(node)
                special["time"] = self.time(claimed.milliseconds, spent[turn] + claimed.milliseconds)
            return [node, special] if node else [special]
        if stop < line.last:
            self.branch_foul(game, number, counted=("bookmarks",))
        if claimed is None or stop < line.last:
            return []
        word = ends.csa_word(claimed, mover).lstrip("%")
        misled = ends.misleads(claimed, mover)
        if misled:
            word = "ERROR"
        own = not misled and (record.notation == "jkf" or record.notation == "csa" and claimed.raw.startswith("%"))
        if own and (claimed.reason == "other" or not word):
            word = claimed.raw.lstrip("%")
        node = {"special": word or "ERROR"}
        if (misled or claimed.reason in ends.INEXACT["csa"]) and not (own and claimed.raw.lstrip("%") == word):
            self.lose("end")
            node = {"comments": [claimed.raw], **node} if claimed.raw else node
        if claimed.milliseconds is not None:
            used = totals[_COLOURS[mover]] + claimed.milliseconds
            node["time"] = self.time(claimed.milliseconds, used)
        return [node]


def _square(square: int) -> dict[str, int]:
    return {"x": square // 9 + 1, "y": square % 9 + 1}


@lru_cache(maxsize=128)
def _cell(man: int) -> _Node:
    return {"color": man >> 6, "kind": NAMES[man & 63]} if man else {}


def _foul(move: int, turn: int) -> _Node:
    """An illegal move; `relative`, `capture` and `same` have no meaning for it."""
    piece = move >> PIECE_SHIFT & PIECE_FIELD
    made: _Node = {"color": turn}
    if not move & DROPPED:
        made["from"] = _square(move >> ORIGIN_SHIFT & TARGET_FIELD)
    made["to"] = _square(move & TARGET_FIELD)
    made["piece"] = NAMES[piece]
    if move & PROMOTES and not move & DROPPED:
        made["promote"] = True
    return made


def _whole(value: Any) -> Any:
    """A record in which what cannot be encoded is a question mark. Nested as deep as `MOST_NESTED` allows."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [_whole(one) for one in value]
    if isinstance(value, dict):
        return {_whole(key): _whole(one) for key, one in value.items()}
    return value
