"""Round trips: every legal corpus game through CSA, KIF, USI and Hodges and back; generated games with everything."""
from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kifu._core import compiled_modules
from kifu.notation import detect, read, write, writer
from kifu.record import Game
from kifu.replay import replay
from kifu.rules.move import usi
from kifu.rules.position import Position
from kifu.text import decode
from tests.notation.said import invented, missing, said
from tests.notation.test_losses import WHOLE

ROAD = ("csa", "kif", "ki2", "usi", "jkf", "western", "usen", "csa")


def compiled(module: str) -> bool:
    """Whether a module of the core runs compiled."""
    return bool(compiled_modules().get(module))


def once(game: Game, notation: str) -> Game:
    """A game written in a notation and read back."""
    text = write([game], notation)
    records = list(read(text, notation))
    assert len(records) == 1, text
    return replay(records[0])


def same(one: Game, other: Game) -> bool:
    """Equal start and equal main line."""
    return (one.start.split()[:3] == other.start.split()[:3] and list(one.moves) == list(other.moves)
            and other.verdict == "legal")


@pytest.mark.parametrize(("folder", "notation", "least"), [("csa", "csa", 640), ("kif", "kif", 150), ("usi", "usi", 30)])
def test_legal_corpus_games_survive_the_whole_road(shared: Path, folder: str, notation: str, least: int) -> None:
    files = sorted(path for path in (shared / "corpus" / folder).rglob("*") if path.is_file())
    if not compiled("kifu.rules.resolve"):
        files, least = files[::6], least // 10  # interpreted, a sixth of the files
    broken, games = [], 0
    for path in files:
        for record in read(decode(path.read_bytes()).text, notation):
            game = replay(record)
            if game.verdict != "legal" or not game.plies:
                continue
            games += 1
            there = game
            for step in ROAD:
                there = once(there, step)
                if not same(game, there):
                    broken.append((path.name, record.number, step,
                                   [one.message for one in there.diagnostics if one.severity == "error"]))
                    break
    assert games >= least
    assert broken == []


def random_game(seed: int, plies: int) -> list[str]:
    """A random legal game from the even start, as USI moves."""
    rng = random.Random(seed)
    position = Position()
    moves = []
    for _ in range(plies):
        legal = position.legal_moves()
        if not legal:
            break
        move = rng.choice(sorted(legal))
        moves.append(usi(move))
        position.play(move)
    return moves


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 120),
       st.sampled_from(["csa", "jkf", "ki2", "kif", "usen", "usi", "sfen", "western"]))
def test_random_games_survive_every_notation(seed: int, plies: int, notation: str) -> None:
    text = "position startpos moves " + " ".join(random_game(seed, plies))
    game = replay(next(read(text, "usi")))
    assert game.verdict == "legal"
    assert same(game, once(game, notation))


KIF = """手合割：平手
先手：甲
後手：乙
棋戦：練習 "対局"
手数----指手---------消費時間--
*始まり
   1 ７六歩(77)   ( 0:12/00:00:12)
*一手目
*二行目
&しおり
   2 ３四歩(33)   ( 0:03/00:00:03)+
   3 ２二角成(88) ( 0:01/00:00:13)+
   4 同　銀(31)   ( 0:02/00:00:05)
   5 投了         ( 0:10/00:00:23)
まで4手で後手の勝ち

変化：3手
   3 ２六歩(27)
*枝の中
   4 ８四歩(83)+
   5 ２五歩(26)

変化：4手
   4 ４四歩(43)

変化：2手
   2 ８四歩(83)
"""


def tree(game: Game) -> list[tuple[int, list[str]]]:
    """Every line as its depth and its moves, in a form that does not depend on the order of branches."""
    lines = []
    for number, line in enumerate(game.record.lines):
        path = [usi(game.proven[index]) for index in game.record.path(number)]
        lines.append((line.number, path))
    return sorted(lines)


def test_variations_comments_clocks_and_headers_survive() -> None:
    game = replay(next(read(KIF, "kif")))
    assert game.verdict == "legal", game.diagnostics
    assert game.variations == 3
    for notation in ("jkf", "kif", "western"):
        again = once(game, notation)
        assert tree(again) == tree(game), notation
        assert again.milliseconds == [12000, 3000, 1000, 2000], notation
        assert again.comments[:2] == ["始まり", "一手目\n二行目"], notation
        assert again.record.header("black") == "甲"
        assert again.record.header("event") == '練習 "対局"'
        assert (again.end, again.winner) == ("resign", "white")
        assert again.record.end is not None and again.record.end.milliseconds == 10000
    assert once(game, "kif").record.bookmarks == {0: "しおり"}
    again = once(game, "ki2")
    assert tree(again) == tree(game)
    assert list(again.record.comments()) == list(game.record.comments())
    assert again.record.bookmarks == {0: "しおり"}
    assert (again.end, again.winner, again.milliseconds) == ("resign", "white", [None] * 4)
    csa = once(game, "csa")
    assert csa.comments[:2] == ["始まり", "一手目\n二行目"]
    assert csa.milliseconds == [12000, 3000, 1000, 2000]


def test_writing_twice_gives_the_same_text() -> None:
    game = replay(next(read(KIF, "kif")))
    for notation in ("csa", "jkf", "ki2", "kif", "usen", "western", "usi"):
        text = write([game], notation)
        assert write([once(game, notation)], notation) == text


def test_each_pair_of_notations_loses_what_its_writer_counts(shared: Path) -> None:
    """A game read from a notation and written in another: what the second does not say is what its writer counted."""
    files = sorted(path for path in (shared / "corpus").rglob("*") if path.is_file() and path.suffix != ".tsv")
    wrong, games = [], 0
    for path in files[::16 if compiled("kifu.rules.resolve") else 160]:
        text = decode(path.read_bytes()).text
        notation = detect(text, path.suffix).notation
        for record in list(read(text, notation))[:3] if notation else []:
            game = replay(record)
            if game.verdict not in ("legal", "foul") or not game.plies:
                continue
            games += 1
            for one in WHOLE:
                there = once(game, one)
                before = said(there)
                for other in WHOLE:
                    target = writer(other)
                    back, = (replay(found) for found in read(target.write(there), other))
                    gone = missing(before, said(back))
                    if gone != +target.losses or gone["moves"] or gone["start"] or invented(before, said(back)):
                        wrong.append((path.name, record.number, one, other, gone, target.losses))
    assert wrong == []
    assert games >= (60 if compiled("kifu.rules.resolve") else 5)
