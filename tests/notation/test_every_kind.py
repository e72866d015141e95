"""Games of every kind of shogi through every notation that can hold them, in every style, and back; and through the database.

Which notations take part is asked of their writers, so that one that learns to hold a kind is held to it from then on.
"""
from __future__ import annotations

import random
import sys
from array import array
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kifu import ends
from kifu.notation import REGISTRY, WRITABLE, read, write, writer
from kifu.notation.writing import UnwritableError
from kifu.record import Game, Line, Record, Source
from kifu.replay import replay
from kifu.rules import board
from kifu.rules.api import Position
from kifu.rules.handicaps import of_variant
from kifu.rules.move import from_usi
from kifu.rules.variants import RULESETS

sys.path.insert(0, str(Path(__file__).parent))
from said import invented, missing, said

COMPILED = not board.__file__.endswith(".py")
PLIES, SEEDS = (80, (1, 2)) if COMPILED else (20, (1,))
KINDS = tuple(RULESETS)
#: Notations of one position, or of one move and its position.
OF_POSITIONS = ("bod", "psv", "hcpe")
WAYS = [(notation, style) for notation in WRITABLE if notation not in OF_POSITIONS
        for style in (REGISTRY[notation].styles or (None,))]
REMARKS = ("a good move", "the other way was better", "=")


class Maker:
    """A random game with variations and comments, as a record in USI moves."""

    def __init__(self, variant: str, seed: int, start: str | None = None) -> None:
        self.chance = random.Random(seed)
        self.start = start or RULESETS[variant].initial
        self.position = Position(self.start, variant)
        self.lines: list[Line] = []
        self.moves: list[str] = []
        self.notes: list[tuple[int, str]] = []

    def line(self, parent: int, number: int, plies: int, other: str = "") -> Line:
        """A line of so many moves from where the position stands, which is given back; it does not begin with ``other``."""
        first = len(self.moves)
        for ply in range(plies):
            legal = [move for move in self.position.legal_moves() if ply or str(move) != other]
            if not legal:
                break
            rare = [move for move in legal if move.promotes or move.taken or move.is_drop or move.via]
            move = self.chance.choice(rare if rare and self.chance.random() < 0.5 else legal)
            if self.chance.random() < 0.1:
                self.notes.append((len(self.moves), self.chance.choice(REMARKS)))
            self.moves.append(str(move))
            self.position.push(move)
        made = Line(parent, first, len(self.moves), number)
        self.lines.append(made)
        return made

    def record(self, variant: str, plies: int, branches: int) -> Record:
        main = self.line(-1, 1, plies)
        for _ in range(main.last):
            self.position.pop()
        at = 0
        for ply in sorted(self.chance.sample(range(main.last), min(branches, main.last))):
            while at < ply:
                self.position.push(self.moves[at])
                at += 1
            made = self.line(ply - 1, ply + 1, self.chance.randrange(1, 5), self.moves[ply])
            if made.first == made.last:
                self.lines.pop()
            for _ in range(made.last - made.first):
                self.position.pop()
        return self.written(variant)

    def written(self, variant: str) -> Record:
        texts = [*self.moves, *(text for _, text in self.notes)]
        places = [sum(len(text) + 1 for text in texts[:number]) for number in range(len(texts))]
        made = Record("usi", 1, Source(" ".join(texts)), 0, sum(map(len, texts)) + len(texts))
        made.variant, made.start = variant, self.start
        made.turn = ends.WHITE if self.start.split()[1] == "w" else ends.BLACK
        made.lines, made.texts = self.lines, array("q", map(from_usi, self.moves))
        made.info = array("q", [number for place, text in zip(places, self.moves, strict=False)
                                for number in (place, place + len(text), 0, -1)])
        made.note_marks = {0: ("comment", 0, 0)}
        made.notes = array("q", [number for place, (index, text) in zip(places[len(self.moves):], self.notes, strict=True)
                                 for number in (0, index + 1, place, place + len(text))])
        mover = made.to_move(made.lines[0].last)
        made.lines[0].end = ends.End("resign", ends.opponent(mover), None, "", -1)
        return made


def game_of(variant: str, seed: int, plies: int = PLIES, branches: int = 0, start: str | None = None) -> Game:
    """A random game; of chu shogi a game is played to its end only where a king falls early, which no writer minds."""
    game = replay(Maker(variant, seed, start).record(variant, plies, branches))
    assert (game.verdict, game.plies) == ("legal", game.record.lines[0].last)
    assert game.plies > 8
    return game


def holds(notation: str, style: str | None, game: Game) -> bool:
    """Whether a notation can hold a game in a style; where it cannot, it says so in a sentence and not otherwise."""
    made = writer(notation, style)
    try:
        made.held(game)
    except UnwritableError as error:
        assert RULESETS[game.variant].name in str(error)
        with pytest.raises(UnwritableError):
            write([game], notation, style)
        return False
    return made.can_hold(game.variant)


def ways(game: Game) -> Iterator[tuple[str, str | None]]:
    return ((notation, style) for notation, style in WAYS if holds(notation, style, game))


def back(text: str, notation: str, variant: str, told: bool = False) -> Game:
    """The one game of a text; the kind of shogi is ``told`` where the text alone does not say it."""
    records = list(read(text, notation, variant=variant if told else None))
    assert len(records) == 1, text
    return replay(records[0])


@pytest.mark.parametrize("variant", KINDS)
@pytest.mark.parametrize("seed", SEEDS)
def test_there_and_back(variant: str, seed: int) -> None:
    """Moves, start and all else that the writer does not count as lost, with variations and comments."""
    game = game_of(variant, seed, branches=4)
    assert game.variations and list(game.record.comments())
    before = said(game)
    for notation, style in ways(game):
        made = writer(notation, style)
        text = made.write_all([game])
        told = bool(made.losses.pop("kinds of shogi", 0))
        after = back(text, notation, variant, told)
        where = f"{notation} {style}"
        assert (after.verdict, after.variant) == ("legal", variant), (where, text, after.diagnostics)
        assert list(after.moves) == list(game.moves), where
        assert after.start.split()[:3] == game.start.split()[:3], where
        assert after.final.split()[:3] == game.final.split()[:3], where
        lost = missing(before, said(after))
        assert not lost - made.losses, (where, lost, made.losses)
        assert invented(before, said(after)) == [], where
        again = writer(notation, style)
        assert again.write_all([after]) == text or lost, where  # what lost nothing is written the same again


@pytest.mark.parametrize("variant", KINDS)
def test_handicap_games(variant: str) -> None:
    """White moves first; the start, and with it the name of the handicap, comes back."""
    for handicap in of_variant(variant).values():
        game = game_of(variant, 5, plies=10, start=handicap.sfen)
        assert game.handicap == handicap.key
        for notation, style in ways(game):
            made = writer(notation, style)
            text = made.write_all([game])
            after = back(text, notation, variant, bool(made.losses["kinds of shogi"]))
            assert (after.verdict, after.handicap, list(after.moves)) == ("legal", handicap.key, list(game.moves)), (
                notation, style, text)


@pytest.mark.parametrize("variant", KINDS)
def test_several_games_in_one_text(variant: str) -> None:
    """One behind the other, each of them whole; told by the user or not."""
    some = [game_of(variant, seed, plies=12) for seed in (11, 12, 13)]
    for notation, style in ways(some[0]):
        made = writer(notation, style)
        text = made.write_all(some)
        told = bool(made.losses["kinds of shogi"])
        for named in {told, True}:
            found = [replay(record) for record in read(text, notation, variant=variant if named else None)]
            assert [list(game.moves) for game in found] == [list(game.moves) for game in some], (notation, style, text)
            assert {game.variant for game in found} == {variant}


@pytest.mark.parametrize("variant", KINDS)
def test_from_each_notation_to_each(variant: str) -> None:
    """A chain over all that can hold it ends where it began."""
    game = first = game_of(variant, 7, plies=40)
    for notation, style in ways(first):
        made = writer(notation, style)
        game = back(made.write_all([game]), notation, variant, bool(made.losses["kinds of shogi"]))
        assert list(game.moves) == list(first.moves), (notation, style)
    assert said(game).start == said(first).start


@pytest.mark.parametrize("variant", KINDS)
def test_positions(variant: str) -> None:
    """Notations of one position hold the last one of the game."""
    game = game_of(variant, 9, plies=30)
    for notation in ("bod",):
        if holds(notation, None, game):
            made = writer(notation)
            after = back(made.write_all([game]), notation, variant, bool(made.losses["kinds of shogi"]))
            assert after.start.split()[:3] == game.final.split()[:3], notation
            assert after.variant == variant


@pytest.mark.parametrize("variant", KINDS)
def test_who_takes_part(variant: str) -> None:
    """SFEN and USI, western text and KIF hold every kind, and ordinary shogi goes through all."""
    taking = {notation for notation, _ in ways(game_of(variant, 1, plies=10))}
    if variant == "shogi":
        assert taking == {notation for notation, _ in WAYS}
    else:
        assert taking == {"usi", "sfen", "western", "psn", "kif"}  # the others name no other board and no other man


@pytest.mark.parametrize("variant", [kind for kind in KINDS if kind != "shogi"])
def test_through_files_and_commands(variant: str, kifu: Callable[..., Any], tmp_path: Path) -> None:
    """What `kifu convert` writes `kifu check` proves, and USI comes out as it went in."""
    game = game_of(variant, 3, plies=20)
    before = write([game], "usi")
    (tmp_path / "a.usi").write_text(before)
    files = []
    for notation in sorted({notation for notation, _ in ways(game)}):
        files.append(f"b{REGISTRY[notation].suffix}")
        ran = kifu("convert", "a.usi", "--variant", variant, "--to", notation, "-o", files[-1], cwd=tmp_path)
        assert ran.status == 0, ran.err
    ran = kifu("check", *files, "--variant", variant, cwd=tmp_path)
    assert (ran.status, ran.out) == (
        0, f"{len(files)} games in {len(files)} files: {len(files)} legal; no errors, no warnings\n"), ran.out
    ran = kifu("convert", *files, "--variant", variant, "--to", "usi", cwd=tmp_path)
    assert (ran.status, ran.out) == (0, before * len(files)), ran.err


def test_through_the_database(kifu: Callable[..., Any], tmp_path: Path) -> None:
    """A game of each kind goes in, and comes out with its moves, its start and its kind."""
    games = [game_of(variant, 4, plies=20) for variant in KINDS]
    texts = [write([game], "usi") for game in games]
    for variant, text in zip(KINDS, texts, strict=True):
        (tmp_path / f"{variant}.usi").write_text(text)
        ran = kifu("load", f"{variant}.usi", "--variant", variant, "--db", "x.db", cwd=tmp_path)
        assert (ran.status, ran.out) == (0, "x.db: 1 game from 1 file\n"), ran.err
    ran = kifu("sql", "SELECT variant, plies FROM games ORDER BY ALL", "--db", "x.db", "--csv", cwd=tmp_path)
    assert ran.out.split()[1:] == sorted(f"{game.variant},{game.plies}" for game in games)
    ran = kifu("export", "--db", "x.db", "--games", "usi", "y.usi", cwd=tmp_path)
    assert ran.status == 0, ran.err
    assert sorted((tmp_path / "y.usi").read_text().splitlines(keepends=True)) == sorted(texts)
    ran = kifu("db", "verify", "x.db", cwd=tmp_path)
    assert ran.status == 0 and ran.out.endswith("no findings\n"), ran.out
