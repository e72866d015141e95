"""The castles and openings of the oracle: every example, for either side, and no castle that does not stand."""
from __future__ import annotations

import random
from copy import copy
from pathlib import Path
from typing import Any

import pytest
import slow

import kifu
from kifu import _core
from kifu.knowledge import matcher

Rows = list[dict[str, Any]]
WHITE_FIRST = f"sfen {slow.INITIAL} w - 1"
#: Openings that are White's answer to Black's first move: with the colours changed they are something else.
WHITE_ONLY = {"itte_zon_kakugawari", "pacman"}
TURNED = {"black": "white", "white": "black", "both": "both"}
HANDICAPS = ("lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
             "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
             "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
             "1nsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b Lp 1",
             "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1")


def found(game: Any) -> dict[tuple[str, str], int]:
    """The tags of a game as the slow judges give them."""
    return {(tag.side, tag.key): tag.ply for tag in kifu.tags(game)}


def castles_of(game: Any) -> dict[tuple[str, str], int]:
    """The castles among them."""
    return {(tag.side, tag.key): tag.ply for tag in kifu.tags(game) if tag.kind == "castle"}


def test_our_castles_are_those_of_the_oracle(castle_rows: Rows, tables: dict[str, Any]) -> None:
    """Every castle with the same men, empty squares, style and parents, as Black and as White has it."""
    ours = tables["castle"]
    assert set(ours) == {row["key"] for row in castle_rows}
    for row in castle_rows:
        fields = ours[row["key"]]
        words = fields["position"].split()
        assert sorted(words) == sorted(row["black"] + [f"_{square}" for square in row["black_empty"]]), row["key"]
        assert sorted(row["white"]) == sorted(word[0].lower() + slow.turned_square(word[1:]) for word in row["black"])
        assert (fields["style"], fields.get("parents", [])) == (row["style"], row["more_general"]), row["key"]


def test_our_openings_are_those_of_the_oracle(opening_rows: Rows, tables: dict[str, Any]) -> None:
    ours = tables["opening"]
    assert {(key, fields["ja"], fields["en"]) for key, fields in ours.items()} == {
        (row["key"], row["ja"], row["en"]) for row in opening_rows}


def test_every_example_castle_is_found(castle_rows: Rows) -> None:
    """And its parents, and nothing but what the oracle's columns give."""
    tried = [row for row in castle_rows if row["example_usi"]]
    assert len(tried) == 25
    for row in tried:
        played = slow.game(row["example_usi"])
        tags = found(played)
        assert played.final.split(" ")[0] == row["example_sfen"].split(" ")[0]
        assert ("black", row["key"]) in tags, row["key"]
        assert {("black", parent) for parent in row["more_general"]} <= set(tags), row["key"]
        assert castles_of(played) == slow.castles(castle_rows, played)


def test_castles_without_an_example_stand_in_a_diagram(castle_rows: Rows) -> None:
    """The pattern as a start position, with a king for the other side; at ply 0, for Black and for White."""
    tried = 0
    for row in castle_rows:
        if row["example_usi"] or row["key"] == "igyoku":
            continue
        tried += 1
        board = row["pattern"].split("/")
        assert board[0] == "9"
        board[0] = "k8"
        sfen = "/".join(board)
        for side, text in (("black", sfen), ("white", sfen[::-1].swapcase())):
            played = slow.game("", f"sfen {text} b - 1")
            tags = found(played)
            assert tags == slow.castles(castle_rows, played)
            assert tags[side, row["key"]] == 0
            assert all(tags[side, parent] == 0 for parent in row["more_general"])
    assert tried == 14


def test_a_sitting_king_is_one_that_has_not_left_when_the_fighting_has_begun() -> None:
    """The position of the oracle's 居玉 is that of every first move, so ours counts from ply 40 on."""
    waiting = "2h3h 8b7b 3h2h 7b8b"
    assert ("black", "igyoku") not in found(slow.game(" ".join([waiting] * 9 + ["2h3h 8b7b 3h2h"])))
    assert found(slow.game(" ".join([waiting] * 10)))["black", "igyoku"] == 40


def test_every_example_opening_is_found(opening_rows: Rows) -> None:
    """At the last ply of its example; only in that of 相掛かり the pawns stand before."""
    plies = {"aigakari": 4}
    tried = [row for row in opening_rows if row["example_usi"]]
    assert len(tried) == 25
    for row in tried:
        played = slow.game(row["example_usi"])
        assert played.final.split(" ")[0] == row["example_sfen"].split(" ")[0]
        tags = {key: ply for (_, key), ply in found(played).items()}
        assert tags.get(row["key"]) == plies.get(row["key"], played.plies), row["key"]


@pytest.mark.parametrize(("key", "moves"), [
    ("ishida_hongumi", "7g7f 3c3d 7f7e 8c8d 2h7h 8d8e 6g6f 7a6b 7h7f"),
    ("migi_gyoku", "3g3f 9c9d 2i3g 9d9e 2h2i 1c1d 5i4h"),
    ("suzume_zashi", "1g1f 9c9d 1f1e 9d9e 1i1g 8c8d 2h1h")])
def test_openings_without_an_example(key: str, moves: str) -> None:
    """Games of our own for the three that the oracle gives none: the last move makes it."""
    played = slow.game(moves)
    assert found(played)["black", key] == played.plies


def test_changed_colours_change_nothing_else(castle_rows: Rows, opening_rows: Rows) -> None:
    """A game played by White, who moves first, has the same tags for the other side at the same plies."""
    for row in castle_rows + opening_rows:
        if not row["example_usi"] or row["key"] in WHITE_ONLY:
            continue
        straight = found(slow.game(row["example_usi"]))
        turned = found(slow.game(slow.turned_moves(row["example_usi"]), WHITE_FIRST))
        assert turned == {(TURNED[side], key): ply for (side, key), ply in straight.items()
                          if key not in WHITE_ONLY}, row["key"]


def test_how_a_game_goes_on_does_not_matter(castle_rows: Rows, opening_rows: Rows) -> None:
    """What is found up to a ply is what is found in the game that ends there."""
    dice = random.Random(7)
    games = [slow.game(row["example_usi"]) for row in castle_rows + opening_rows if row["example_usi"]]
    games += [slow.random_game(dice, 80) for _ in range(5)]
    for played in games:
        whole = found(played)
        for plies in range(played.plies + 1):
            part = copy(played)
            part.moves = played.moves[:plies]
            assert found(part) == {name: ply for name, ply in whole.items() if ply <= plies}


# --- nothing that is not there

def test_random_games_have_the_castles_that_stand_and_no_others(castle_rows: Rows) -> None:
    """Thousands of them, even and with odds, against the oracle's columns."""
    dice = random.Random(2026)
    count = 0
    for n in range(60 if _core.interpreted_wanted() else 2000):
        start = HANDICAPS[n % len(HANDICAPS)] if n % 3 == 2 else None
        played = slow.random_game(dice, dice.randint(10, 50), start)
        tags = castles_of(played)
        assert tags == slow.castles(castle_rows, played), played.record.text
        count += len(tags)
    assert count > n // 20


def test_every_entry_is_found_as_the_description_says(tables: dict[str, Any], castle_rows: Rows,
                                                      opening_rows: Rows) -> None:
    """All of castles.toml and openings.toml against a judge that reads them word by word."""
    dice = random.Random(77)
    games = [slow.random_game(dice, dice.randint(0, 70), HANDICAPS[n % 5] if n % 6 == 5 else None)
             for n in range(10 if _core.interpreted_wanted() else 150)]
    games += [slow.game(row["example_usi"]) for row in castle_rows + opening_rows if row["example_usi"]]
    kinds = set()
    for played in games:
        tags = found(played)
        assert tags == slow.entries(tables, played), played.record.text
        kinds |= {key for _, key in tags}
    assert len(kinds) > 45


def corpus_games(shared: Path) -> list[Any]:
    """The legal games of the corpus, at most a hundred from a file; a part of them where the core is interpreted."""
    paths = sorted(path for kind in ("csa", "kif", "ki2", "jkf", "usi", "psn")
                   for path in (shared / "corpus" / kind).rglob("*") if path.is_file())
    games = []
    for path in paths[::40] if _core.interpreted_wanted() else paths[::3]:
        try:
            games += [kifu.replay(record) for _, record in zip(range(100), kifu.read(path), strict=False)]
        except (ValueError, OSError):
            continue
    return [game for game in games if game.start and game.plies]


def test_the_corpus_has_the_castles_that_stand_and_no_others(shared: Path, castle_rows: Rows) -> None:
    """Games of all kinds, with handicaps and from odd positions."""
    games = corpus_games(shared)
    even = count = 0
    for played in games:
        tags = kifu.tags(played)
        castles = castles_of(played)
        assert castles == (slow.castles(castle_rows, played) if played.variant == "shogi" else {})
        usual = played.start.split(" ")[0] == slow.INITIAL
        assert usual or all(tag.kind == "castle" for tag in tags)
        even += usual
        count += len(castles)
    assert even and even < len(games)
    assert count > len(games) // 4


def test_a_game_without_any(castle_rows: Rows) -> None:
    for moves in ("", "7g7f", "7g7f 3c3d", "9g9f 1c1d 9f9e 1d1e"):
        assert kifu.tags(slow.game(moves)) == []


def test_rows_are_the_tags(castle_rows: Rows) -> None:
    played = slow.game(next(row["example_usi"] for row in castle_rows if row["key"] == "ginkanmuri"))
    assert list(matcher().rows(played)) == [(tag.side, tag.kind, tag.key, tag.ply) for tag in kifu.tags(played)]
    implied = {tag.key: tag.implied for tag in kifu.tags(played) if tag.kind == "castle"}
    assert implied == {"kata_mino": True, "mino": True, "taka_mino": True, "ginkanmuri": False}
