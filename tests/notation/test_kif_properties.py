"""KIF records made at random, with everything KIF holds, are read, written and read again as what they were."""
from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kifu.notation import read, writer
from kifu.notation.kif_writer import diagram, kif_move
from kifu.record import Game
from kifu.replay import replay
from kifu.rules.handicaps import HANDICAPS
from kifu.rules.move import usi
from kifu.rules.position import Position
from tests.notation.texts import of_reading

WORDS = ["投了", "中断", "千日手", "持将棋", "詰み", "不詰", "切れ負け", "入玉勝ち", "不戦勝", "不戦敗", "封じ手", "最大手数",
         "引き分け", "トライ", None]
TEXTS = ["よい手", "*評価値=12", "a b　c", "#", "まで3手で", "変化：2手", "", " 先頭の空白", "1 ７六歩(77)", "&x"]

Node = tuple[str, int | None, tuple[str, ...], str | None]


class Maker:
    """Makes one record: its text, and what must be read from it."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.key = self.rng.choice([*HANDICAPS, "offset"])
        self.before = self.rng.randint(1, 300) if self.key == "offset" else 0
        self.sfen = HANDICAPS["even" if self.before else self.key].sfen.rsplit(" ", 1)[0] + f" {self.before + 1}"
        self.out: list[str] = []
        #: Every line: the path of moves before it, its nodes, its end word.
        self.lines: list[tuple[tuple[str, ...], list[Node], str | None]] = []

    def text(self) -> str:
        head = ["棋戦：甲", "変な見出し：x：y", "手合割：その他" if self.before else f"手合割：{HANDICAPS[self.key].ja}"]
        if self.before:
            head += [*diagram(self.sfen)[0], f"手数＝{self.before}"]
        self.out = [*head, "先手：乙", "後手：", "手数----指手---------消費時間--"]
        self.remarks = self.remark()
        self.line(Position(self.sfen), (), 2 + self.rng.randint(0, 10), 0)
        return "\n".join(self.out) + "\n"

    def remark(self) -> tuple[tuple[str, ...], str | None]:
        comments = tuple(self.rng.choice(TEXTS) for _ in range(self.rng.choice([0, 0, 1, 2])))
        bookmark = self.rng.choice([None, None, None, "しおり"])
        self.out += [f"*{comment}" for comment in comments] + ([f"&{bookmark}"] if bookmark else [])
        return comments, bookmark

    def line(self, position: Position, path: tuple[str, ...], plies: int, depth: int, avoid: str = "") -> None:
        """A line of play from a position, and behind it its branches from the highest number down."""
        nodes: list[Node] = []
        boards = [position]
        for _ in range(plies):
            position = boards[-1].copy()
            legal = sorted(move for move in position.legal_moves() if nodes or usi(move) != avoid)
            if not legal:
                break
            move = self.rng.choice(legal)
            clock = self.rng.choice([None, self.rng.randint(0, 7000)])
            row = f"{self.before + len(path) + len(nodes) + 1:4} {kif_move(move, position.last_target)}"
            if clock is not None:
                row += f"   ({clock // 60:2}:{clock % 60:02}/00:00:00)"
            self.out.append(row)
            position.play(move)
            boards.append(position)
            nodes.append((usi(move), None if clock is None else 1000 * clock, *self.remark()))
        word = self.rng.choice(WORDS)
        if word:
            self.out.append(f"{self.before + len(path) + len(nodes) + 1:4} {word}")
        self.lines.append((path, nodes, word))
        if depth > 2:
            return
        moves = [node[0] for node in nodes]
        for at in range(len(nodes) - 1, -1, -1):
            if self.rng.random() < 0.25:
                self.out.append(f"\n変化：{self.before + len(path) + at + 1}手")
                self.line(boards[at], (*path, *moves[:at]), 1 + self.rng.randint(0, 4), depth + 1, moves[at])


def model(game: Game) -> Any:
    """What a game holds, in a form that does not depend on indices."""
    record = game.record
    comments: dict[int, list[str]] = {}
    for index, _, text in record.comments():
        comments.setdefault(index, []).append(text)
    lines = []
    for number, line in enumerate(record.lines):
        indices = range(line.first, line.last)
        path = [usi(game.proven[index]) for index in record.path(number)]
        nodes = [(usi(game.proven[index]), record.milliseconds(index), tuple(comments.get(index, ())),
                  record.bookmarks.get(index)) for index in indices]
        end = line.end and (line.end.reason, line.end.winner, line.end.offender)
        lines.append((tuple(path[:len(path) - len(nodes)]), nodes, end))
    return lines, comments.get(-1, []), record.bookmarks.get(-1), game.start, game.handicap


def told(game: Game) -> Any:
    """The same, its lines in an order of their own: a branch joined to another one is written behind that."""
    lines, *rest = model(game)
    return sorted((line for line in lines if line[1] or line[2]), key=repr), *rest


@pytest.mark.parametrize("style", ["\n", "\r\n"])
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 1 << 30))
def test_a_record_is_what_was_written(style: str, seed: int) -> None:
    maker = Maker(seed)
    text = maker.text().replace("\n", style)
    [record] = read(text, "kif")
    game = replay(record)
    assert game.verdict == "legal", (text, game.diagnostics)
    assert {one.name for one in of_reading(game)} <= {"branch-repeated"}, (text, game.diagnostics)
    lines, comments, bookmark, start, _ = model(game)
    if not of_reading(game):
        assert [(path, nodes) for path, nodes, _ in lines] == [(path, nodes) for path, nodes, _ in maker.lines], text
        assert [end is not None for _, _, end in lines] == [word is not None for _, _, word in maker.lines]
        assert (tuple(comments), bookmark) == maker.remarks
    assert start == maker.sfen
    target = writer("kif")
    written = target.write(game)
    assert target.losses == {}, written
    [again] = read(written, "kif")
    back = replay(again)
    assert told(back) == told(game), written
    assert of_reading(back) == [], written
    assert writer("kif").write(back) == written
