"""Games with everything in the four styles of western text and as PSN: what is written is read back, unremarked."""
from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kifu.notation import read, write
from kifu.notation.western_styles import STYLES
from kifu.record import Game
from kifu.replay import replay
from kifu.rules.handicaps import HANDICAPS
from kifu.rules.move import ORIGIN_SHIFT, PIECE_FIELD, PIECE_SHIFT, TARGET_FIELD, usi
from kifu.rules.position import Position

WORDS = ("good", "ah: 1-0?", "(0:05) P-7f", "[a] $1", "two\nlines", "歩-76", "")
PIECES = {1: "歩", 2: "香", 3: "桂", 4: "銀", 5: "金", 6: "角", 7: "飛", 8: "玉", 33: "と", 34: "成香", 35: "成桂",
          36: "成銀", 38: "馬", 39: "龍"}


def kif_line(position: Position, number: int, move: int, rng: random.Random) -> Iterator[str]:
    """A move as a line of KIF, its clock and comments."""
    file, rank = divmod(move & TARGET_FIELD, 9)
    piece = PIECES[move >> PIECE_SHIFT & PIECE_FIELD]
    text = usi(move)
    start = divmod(move >> ORIGIN_SHIFT & TARGET_FIELD, 9)
    how = "打" if "*" in text else f"{'成' if text.endswith('+') else ''}({start[0] + 1}{start[1] + 1})"
    clock = f" ({rng.randrange(100)}:{rng.randrange(60):02}/)" if rng.random() < .5 else ""
    yield f"{number} {'１２３４５６７８９'[file]}{'一二三四五六七八九'[rank]}{piece}{how}{clock}"
    while rng.random() < .2:
        yield from (f"*{line}" for line in rng.choice(WORDS).split("\n"))


def random_tree(seed: int, plies: int, handicap: str) -> str:
    """A random legal game with variations inside variations, comments and clocks, as KIF."""
    rng = random.Random(seed)
    lines = [f"手合割：{HANDICAPS[handicap].ja}", "手数----指手---------消費時間--"]
    waiting: list[list[int]] = [[]]  # the moves before each line that is still to be written; the last number first
    played: set[tuple[int, ...]] = set()
    while waiting:
        before = waiting.pop()
        position = Position(HANDICAPS[handicap].sfen)
        for move in before:
            position.play(move)
        if before:
            lines += ["", f"変化：{len(before)}手"]
            lines += kif_line_of_last(handicap, before, rng)
        branches = []
        for number in range(len(before) + 1, plies + 1):
            legal = position.legal_moves()
            if not legal:
                break
            captures = [move for move in legal if move & TARGET_FIELD == position.last_target]
            move = rng.choice(captures) if captures and rng.random() < .5 else rng.choice(legal)
            lines += kif_line(position, number, move, rng)
            played.add((*before, move))
            while rng.random() < 1 / (4 + len(before)):
                other = (*before, rng.choice(legal))
                if other not in played:
                    played.add(other)
                    branches.append(list(other))
            position.play(move)
            before = [*before, move]
        waiting += branches  # the branch that leaves latest is written first, as KIF wants it
    return "\n".join(lines) + "\n"


def kif_line_of_last(handicap: str, moves: list[int], rng: random.Random) -> list[str]:
    """The last of some moves as KIF."""
    position = Position(HANDICAPS[handicap].sfen)
    for move in moves[:-1]:
        position.play(move)
    return list(kif_line(position, len(moves), moves[-1], rng))


def told(game: Game) -> dict[tuple[str, ...], tuple[int | None, list[str]]]:
    """All that a game says: for each move, named by the moves that lead to it, its thought and its comments."""
    record = game.record
    comments: dict[int, list[str]] = {}
    for index, _, text in record.comments():
        comments.setdefault(index, []).append(text)
    found: dict[tuple[str, ...], tuple[int | None, list[str]]] = {(): (None, comments.get(-1, []))}
    for number in range(len(record.lines)):
        path = record.path(number)
        for end in range(1, len(path) + 1):
            moves = tuple(usi(game.proven[index]) for index in path[:end])
            found[moves] = (record.milliseconds(path[end - 1]), comments.get(path[end - 1], []))
    return found


TARGETS = [*(("western", style) for style in STYLES), ("psn", None)]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 60), st.sampled_from(["even", "2-piece", "lance"]),
       st.sampled_from(TARGETS))
def test_trees_survive_every_style(seed: int, plies: int, handicap: str, target: tuple[str, str | None]) -> None:
    notation, style = target
    game = replay(next(read(random_tree(seed, plies, handicap), "kif")))
    assert game.verdict == "legal", game.diagnostics
    text = write([game], notation, style)
    [record] = read(text, notation)
    again = replay(record)
    assert again.diagnostics == [], text
    assert (again.verdict, again.start, again.variations) == ("legal", game.start, game.variations)
    assert told(again) == told(game), text
    assert write([again], notation, style) == text


@pytest.mark.parametrize(("notation", "style"), TARGETS)
def test_long_random_games_are_read_without_a_remark(notation: str, style: str | None) -> None:
    for seed in range(30):
        rng, position, moves = random.Random(seed), Position(), []
        for _ in range(250):
            legal = position.legal_moves()
            if not legal:
                break
            moves.append(rng.choice(legal))
            position.play(moves[-1])
        game = replay(next(read("startpos moves " + " ".join(map(usi, moves)), "usi")))
        [record] = read(write([game], notation, style), notation)
        again = replay(record)
        assert (list(again.moves), again.diagnostics) == (moves, [])
