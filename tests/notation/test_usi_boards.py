"""SFEN and USI of all kinds of shogi: read, proven and written again; what does not belong to a kind is said."""
from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import kifu
from kifu.notation import read, writer
from kifu.notation.usi import other_boards
from kifu.record import Game
from kifu.replay import replay
from kifu.rules import board
from kifu.rules.api import Position
from kifu.rules.handicaps import of_variant
from kifu.rules.recognise import recognised
from kifu.rules.variants import RULESETS

COMPILED = not board.__file__.endswith(".py")
OTHERS = [key for key in RULESETS if key != "shogi"]
each_kind = pytest.mark.parametrize("variant", OTHERS)
TORI, KYOTO, CHU, MINI = (RULESETS[key].initial for key in ("torishogi", "kyotoshogi", "chushogi", "minishogi"))


def findings(text: str, variant: str | None = None) -> list[tuple[str, str]]:
    """The names and messages of all findings of all games of a text."""
    return [(one.name, one.message) for record in read(text, "usi", variant=variant)
            for one in replay(record).diagnostics]


def proven(text: str, variant: str | None = None) -> list[Game]:
    return [replay(record) for record in read(text, "usi", variant=variant)]


# --- what is right

@each_kind
def test_every_move_of_the_oracle_is_read_and_written(shared: Path, variant: str) -> None:
    """A line a move: the same packed move as the engine has, and the same line when it is written."""
    name = "legal_chu" if variant == "chushogi" else "legal_variants"
    rows = [json.loads(line) for line in (shared / "oracle" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if row["variant"] == variant]
    assert len(rows) >= 30
    for row in rows if COMPILED else rows[::20]:
        position = Position(row["sfen"], variant)
        moves = row["moves"].split()
        text = "".join(f"position sfen {row['sfen']} moves {move}\n" for move in moves)
        games = proven(text, variant) if moves else []
        assert [list(game.moves) for game in games] == [[position.packed(move)] for move in moves], row["id"]
        using = writer("usi")
        assert using.write_all(games) == text
        assert not set(using.losses) - {"kinds of shogi"}


@each_kind
@pytest.mark.parametrize("seed", range(8 if COMPILED else 1))
def test_a_game_comes_back_as_it_was(variant: str, seed: int) -> None:
    """A random game from the initial position or a handicap: its bytes come back. Its kind is named where another one
    has such boards too."""
    draw = random.Random(f"{variant}{seed}")
    starts = [handicap.sfen for handicap in of_variant(variant).values()]
    start = starts[seed % len(starts)]
    position = Position(start, variant)
    while len(position.moves) < (120 if COMPILED else 25) and (legal := position.legal_moves()):
        position.push(draw.choice(legal))
    text = f"position sfen {start} moves {' '.join(map(str, position.moves))}\n"
    [game] = proven(text, None if recognised(start) == variant else variant)
    assert (game.variant, game.verdict, game.plies) == (variant, "legal", len(position.moves))
    assert game.final == position.sfen()
    assert writer("usi").write_all([game]) == text
    assert writer("sfen").write_all([game]) == text.removeprefix("position ")


def oracle(shared: Path, name: str) -> list[dict[str, Any]]:
    """The rows of an oracle file for kinds of shogi other than the ordinary one."""
    rows = [json.loads(line) for line in (shared / "oracle" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
    return [row for row in rows if row["variant"] in OTHERS]


def test_the_verdicts_of_the_oracle(shared: Path) -> None:
    """Swallow-drop mates, third occurrences and the rest: the reason is that of the kind's own rule."""
    rows = oracle(shared, "verdicts")
    assert len(rows) >= 20
    for row in rows:
        [game] = proven(f"sfen {row['sfen']} moves {row['moves']}", row["variant"])
        if row["verdict"] == "illegal":
            assert game.verdict == "illegal", row["id"]
            assert game.illegal_move["reason"] == row["reason"].replace("_", "-"), row["id"]
            assert game.plies == len(row["moves"].split()) - 1
            assert [one.name for one in game.diagnostics] == [row["reason"].replace("_", "-")]
        else:
            assert game.verdict == "legal", row["id"]
            assert game.verified_winner == ("draw" if row["verdict"] == "draw" else None), row["id"]


def test_the_reasons_of_the_oracle(shared: Path) -> None:
    rows = oracle(shared, "illegal")
    assert len(rows) >= 100
    for row in rows:
        [game] = proven(f"sfen {row['sfen']} moves {row['usi']}", row["variant"])
        assert game.illegal_move is not None, row["id"]
        assert (game.illegal_move["reason"], game.illegal_move["usi"]) == (row["reason"].replace("_", "-"), row["usi"])


def test_the_handicaps_of_the_oracle(shared: Path) -> None:
    """Their keys, found by the position alone; White moves first."""
    rows = oracle(shared, "handicaps")
    assert len(rows) >= 10
    for row in rows:
        [game] = proven(f"sfen {row['sfen']}", row["variant"])
        assert (game.handicap, game.record.turn) == (row["key"], "white"), row


@each_kind
def test_startpos_and_bare_moves_are_of_the_kind_that_is_named(variant: str) -> None:
    move = min(map(str, Position(variant=variant).legal_moves()))
    for text in (f"startpos moves {move}", f"position startpos moves {move}", move, f"{move}\n"):
        [game] = proven(text, variant)
        assert (game.variant, game.verdict, game.plies) == (variant, "legal", 1)
        assert (game.start, game.handicap) == (of_variant(variant)["even"].sfen, "even")


@each_kind
def test_handicaps_are_known_by_their_position(variant: str) -> None:
    for handicap in RULESETS[variant].handicaps:  # as the sources write them
        [game] = proven(f"sfen {handicap.sfen}", variant)
        assert game.handicap == handicap.key


def test_each_line_is_of_its_own_kind() -> None:
    """Ordinary shogi among them, by its SFEN, as startpos and as bare moves."""
    text = (f"sfen {TORI} moves 7e7d\nstartpos moves 7g7f 3c3d\nsfen {KYOTO} moves 1e1d+\n7g7f 3c3d\n"
            f"sfen {CHU} moves 5i5h\nsfen 4k4/9/9/9/9/9/9/9/4K4 b 2G 1 moves G*5b\nsfen {MINI}\n")
    games = proven(text)
    assert [game.variant for game in games] == [
        "torishogi", "shogi", "kyotoshogi", "shogi", "chushogi", "shogi", "minishogi"]
    assert [game.plies for game in games] == [1, 2, 1, 2, 1, 1, 0]
    assert {game.verdict for game in games} == {"legal"}
    assert [game.record.line for game in games] == list(range(1, 8))


def test_moves_one_a_line_are_a_game_of_the_kind_that_is_named() -> None:
    [game] = proven("7e7d\n7c7d\n", "torishogi")
    assert (game.variant, game.verdict, game.plies) == ("torishogi", "legal", 2)


def test_the_square_of_a_lion_that_was_taken() -> None:
    """The third field of chu shogi, with one digit and with two."""
    for square in ("6f", "12l", "-"):
        start = f"k11/12/12/12/12/12/12/12/12/12/12/11K b {square} 1"
        [game] = proven(f"sfen {start}", "chushogi")
        assert (game.verdict, game.start) == ("legal", start)


def test_a_first_row_that_begins_like_a_move() -> None:
    """`1b1g` is no move where a row goes on."""
    board = "1b1g3/7/3k3/7/7/7/3K3".replace("b", "p").replace("g", "c")
    [game] = proven(f"{board} b - 1", "torishogi")
    assert (game.verdict, game.start) == ("legal", f"{board} b - 1")


def test_tolerances_are_those_of_ordinary_lines() -> None:
    """A drop in lower case, labels, comments, blanks inside moves."""
    start = "rbsgk/4p/5/P4/KGSBR b P 1"
    [game] = proven(f"# a note\n1|sfen {start} moves p*3c", "minishogi")
    assert (game.verdict, game.plies) == ("legal", 1)
    assert writer("sfen").write_all([game]) == f"sfen {start} moves P*3c\n"
    told = findings(f"sfen {KYOTO} moves 1e 1d+ resign")
    assert told == [("gap-in-move", told[0][1])]
    [game] = proven(f"sfen {KYOTO} moves 1e1d + resign")
    assert (game.plies, game.end, game.winner) == (1, "resign", "black")


# --- what is wrong

@pytest.mark.parametrize(("variant", "move"), [
    ("minishogi", "7g7f"), ("minishogi", "1a1f"), ("minishogi", "6a5a"), ("torishogi", "7e7d-"), ("torishogi", "8a7a"),
    ("torishogi", "+S*4d"), ("torishogi", "G*4d"), ("torishogi", "4d4c4d"), ("kyotoshogi", "G*3c"),
    ("kyotoshogi", "3e3d3c"), ("chushogi", "5m5l"), ("chushogi", "13a12a"), ("chushogi", "0a1a"), ("gorogoro", "L*3d"),
])
def test_a_move_that_the_kind_has_not_is_unreadable(variant: str, move: str) -> None:
    """It ends the line, and what follows is not played; the words name the kind."""
    initial = RULESETS[variant].initial
    [game] = proven(f"sfen {initial} moves {move} {move}", variant)
    assert (game.verdict, game.plies) == ("unreadable", 0)
    [finding] = game.diagnostics
    assert (finding.name, finding.severity) == ("unreadable-move", "error")
    assert move in finding.message


def test_the_kind_is_named_where_a_move_is_of_another_one() -> None:
    [(name, message)] = findings(f"sfen {TORI} moves 7e7d 7c7d G*4d 7d7c")
    assert (name, message) == ("unreadable-move", "a move that cannot be read: G*4d; expected a move of tori shogi")


def test_refused_moves_are_told_as_they_were_written() -> None:
    for start, move in ((KYOTO, "3e3d-"), (KYOTO, "+P*3c"), (CHU, "6j6h6i"), (CHU, "7j7i7j")):
        [game] = proven(f"sfen {start} moves {move}")
        assert game.verdict == "illegal"
        assert game.illegal_move["usi"] == move


def test_wide_moves_are_unreadable_in_ordinary_shogi() -> None:
    """In a text of ordinary shogi alone, and where another kind stands beside it."""
    for move in ("7g7f-", "+P*5e", "6f5e6d", "10a9a", "C*5e"):
        for text in (f"startpos moves {move}\n", f"startpos moves {move}\nsfen {MINI}\n"):
            game = proven(text)[0]
            assert (game.variant, game.verdict) == ("shogi", "unreadable")
            assert game.diagnostics[-1].name == "unreadable-move"


def test_an_end_behind_an_unreadable_move_is_of_the_right_side() -> None:
    """The move that cannot be read was made by Black, so it is White who resigned."""
    [game] = proven(f"sfen {MINI} moves 9g9f resign")
    assert (game.verdict, game.end, game.winner) == ("unreadable", "resign", "black")


def test_moves_behind_the_end() -> None:
    told = [name for name, _ in findings(f"sfen {MINI} moves 5d5c resign 1b1c")]
    assert told == ["moves-after-end"]


def test_a_board_of_no_kind() -> None:
    [game] = proven("sfen k2/3/2K b - 1 moves 1c2b")
    assert (game.verdict, game.plies, game.summary()["variant"]) == ("unreadable", 0, None)
    [finding] = game.diagnostics
    assert (finding.code, finding.name, finding.severity) == ("K208", "unknown-variant", "error")
    assert finding.message == "the kind of shogi of this record is not known: k2/3/2K"
    assert "--variant" in finding.hint


@pytest.mark.parametrize(("start", "variant", "said"), [
    (TORI, "minishogi", "the board is of tori shogi, not of minishogi, the kind of shogi that was named"),
    ("k2/3/2K b - 1", "minishogi",
     "the board is not of minishogi, the kind of shogi that was named, which has 5 files and 5 ranks"),
    ("4k4/9/9/9/9/9/9/9/4K4 b - 1", "chushogi", "the board is of shogi, not of chu shogi"),
    ("rpckcpl/3f3/sssssss/2s1S2/SSSSSSS/3F3/LPCKCPR b G 1", "torishogi", "the board is not of tori shogi"),
    ("rpckcpl/3f3/sssssss/2s1S2/SSSSSSS/3F3/LPCK1+KR b - 1", "torishogi", "the board is not of tori shogi"),
])
def test_an_sfen_that_does_not_fit_the_kind_that_is_named(start: str, variant: str, said: str) -> None:
    [game] = proven(f"sfen {start} moves 5d5c", variant)
    assert (game.verdict, game.plies) == ("unreadable", 0)
    [finding] = game.diagnostics
    assert finding.name == "bad-board"
    assert said in finding.message


def test_boards_of_nine_ranks_or_files_are_ordinary_shogi_with_something_wrong() -> None:
    """As they were read before there were other kinds: the message says what is wrong with the board."""
    for board_text, said in (("9/9/9/9/4k4/9/9/9/4K3", "row 9"), ("9/9/9/9/9/4K4", "6 rows, not 9"),
                             ("4x4/9/9/9/9/9/9/9/9", "'x' is no piece")):
        [(name, message)] = findings(f"sfen {board_text} b - 1")
        assert name == "bad-board"
        assert said in message


@pytest.mark.parametrize("text", [
    "1213", "sfen", "sfen /", "sfen 0/0/0 b - 1", "sfen 12/12 b - 1", f"sfen {MINI} moves {'9' * 5000}a1a",
    "sfen " + "1" * 4000 + "/5/5/5/5 b - 1", "sfen " + "5/" * 3000 + "5 b - 1", "sfen +/+/+/+/+ b - 1",
    f"sfen {MINI.replace(' - ', ' ' + '9' * 3000 + 'P ')} moves 1a1b", f"sfen {MINI} {'1' * 3000} moves 1a1b",
    "sfen k11/12/12/12/12/12/12/12/12/12/12/11K b 99z 1", "sfen k11/12/12/12/12/12/12/12/12/12/12/11K b 12l12l 1",
    "+K/5/5/5/+k b - 1", f"sfen {MINI} moves +K 1a", f"sfen {MINI} moves -", f"sfen {MINI} moves " + "1a" * 3001,
    "/" * 5000, "a/" * 5000, "b/b b b/b b " * 500, "٣k/5/5/5/K4 b - 1", "sfen ４k/5/5/5/K4 b - 1", "moves 10l10",
])
def test_hostile_text(text: str) -> None:
    """No traceback, and a verdict; the same with each kind of shogi named."""
    for variant in (None, "minishogi", "chushogi"):
        for record in read(text, "usi", variant=variant):
            game = replay(record)
            assert game.verdict in ("legal", "illegal", "unreadable")
            json.dumps(game.summary(moves=True))


def test_looking_for_boards_takes_the_text_once() -> None:
    """Linear: so many signs that anything quadratic would never come back."""
    assert not other_boards("a" * 300_000 + "/" + "7g7f " * 100_000)
    assert not other_boards("a/" * 300_000)
    assert not other_boards(("4k4/9/9/9/9/9/9/9/4K4 b - 1 " + "x" * 50) * 5_000)
    assert other_boards("startpos moves 7g7f # either/or\n" * 5_000 + "sfen 4k/5/5/5/K4 b - 1")


def test_texts_of_ordinary_shogi_are_read_as_ever() -> None:
    """No board of another kind stands in these, whatever else does."""
    for text in ("startpos moves 7g7f", "# see http://example.org/a/b\nstartpos", "sfen 9/9/9/9/9/9/9/9/9 b - 1",
                 "sfen 9/9/9/9/9/9/9/9 b - 1", "4x4/9/9/9/9/9/9/9/9 w - 1", "1|4k4/9/9/9/9/9/9/9/4K4 b", ""):
        assert not other_boards(text), text


# --- every road

def test_the_functions_of_kifu() -> None:
    [record] = kifu.parse(f"sfen {TORI} moves 7e7d")
    assert (record.variant, kifu.replay(record).summary(moves=True)["moves"]) == ("torishogi", ["7e7d"])
    assert kifu.convert("7e7d", "sfen", "usi", variant="torishogi") == f"sfen {TORI} moves 7e7d\n"
    with pytest.raises(ValueError, match="no kind of shogi is called 'tori'; known are shogi, minishogi, "):
        kifu.parse("7e7d", variant="tori")
    assert kifu.notate(kifu.Position(variant="chushogi"), "12i12h", "usi") == "12i12h"


@pytest.mark.parametrize("notation", ["csa", "ki2", "usen", "jkf", "psv", "hcpe"])
def test_notations_of_ordinary_shogi_refuse_other_kinds(notation: str) -> None:
    with pytest.raises(ValueError, match=rf"{notation} cannot hold tori shogi; .*sfen.* and .* can"):
        kifu.write(kifu.parse(f"sfen {TORI} moves 7e7d"), notation)


@pytest.mark.parametrize("notation", ["csa", "ki2"])
def test_their_moves_are_not_spelled_either(notation: str) -> None:
    with pytest.raises(ValueError, match=f"{notation} cannot hold tori shogi"):
        kifu.notate(kifu.Position(variant="torishogi"), "7e7d", notation)


def test_a_kind_that_the_notation_of_a_record_has_not() -> None:
    """A record that can only be of ordinary shogi is not read as if it were another one, nor is what was named passed
    over."""
    [record] = kifu.parse("PI\n+\n+7776FU\n", "csa", variant="torishogi")
    game = kifu.replay(record)
    assert game.verdict == "unreadable"
    assert [(one.name, one.message) for one in game.diagnostics] == [(
        "unknown-variant", "the kind of shogi of this record is not known: tori shogi was named, and csa holds ordinary "
        "shogi alone")]


def test_a_position_that_another_kind_claims_is_counted_as_lost() -> None:
    """The writer says where a reader that is not told the kind would take the line for another one."""
    using = writer("usi")
    using.write_all(proven("sfen 2k2/5/5/5/2K2 w - 1", "kyotoshogi"))
    assert dict(using.losses) == {"kinds of shogi": 1}


def test_a_kind_that_nobody_has_heard_of(monkeypatch: pytest.MonkeyPatch) -> None:
    """A ruleset added from outside is read, proven and written like the others."""
    small = RULESETS["minishogi"]._replace(key="tiny", name="tiny shogi", files=3, ranks=4, initial="rkb/1p1/1P1/BKR b - 1",
                                           handicaps=(), key_number=99)
    monkeypatch.setitem(RULESETS, "tiny", small)
    text = "sfen rkb/1p1/1P1/BKR b - 1 moves 2c2b 2a2b\n"
    [game] = proven(text)
    assert (game.variant, game.verdict, game.plies) == ("tiny", "legal", 2)
    assert writer("sfen").write_all([game]) == text


# --- the program

@pytest.fixture
def tori(tmp_path: Path) -> Path:
    path = tmp_path / "games.usi"
    path.write_text(f"sfen {TORI} moves 7e7d 7c7d 6e6d\nstartpos moves 7g7f\n")
    return path


def test_convert_skips_what_the_notation_cannot_hold(kifu: Callable[..., Any], tori: Path) -> None:
    ran = kifu("convert", tori, "--to", "csa", "--quiet")
    assert ran.status == 1
    assert ran.out.count("+7776FU") == 1
    assert f"{tori}:1: csa cannot hold tori shogi; " in ran.err
    assert "not converted" in ran.err
    assert kifu("convert", tori, "--to", "usi", "--quiet").status == 0


def test_check_tells_the_kind(kifu: Callable[..., Any], tori: Path) -> None:
    rows = [json.loads(line) for line in kifu("check", tori, "--format", "json", "--moves").out.splitlines()]
    assert [(row["variant"], row["handicap"]) for row in rows] == [("torishogi", "even"), ("shogi", "even")]
    assert rows[0]["moves"] == ["7e7d", "7c7d", "6e6d"]


def test_show_draws_the_board_of_the_kind(kifu: Callable[..., Any], tori: Path) -> None:
    told = kifu("show", tori, "--at", "2", "--quiet").out
    assert "手数＝2  7c7d" in told
    assert "| 左鶉   雉   鶴   鵬   鶴   雉 右鶉|七" in told
    assert kifu("show", tori, "--at", "2", "--svg", "-").out.startswith("<svg")


def test_show_names_the_kind(kifu: Callable[..., Any], tori: Path) -> None:
    """At the end of the game; of ordinary shogi nothing is said."""
    assert "variant" not in kifu("show", tori, "--game", "2", "--quiet").out


def test_detect_knows_lines_of_other_kinds(kifu: Callable[..., Any], tmp_path: Path) -> None:
    """Without a suffix that says so."""
    for name, text in (("a", f"sfen {TORI} moves 7e7d\n"), ("b", f"position sfen {CHU} moves 5i5h\n"), ("c", f"{KYOTO}\n"),
                       ("d", f"{CHU} moves 12i12h 12d12e\n")):
        (tmp_path / name).write_text(text)
        ran = kifu("detect", tmp_path / name)
        assert (ran.status, ", 1 game" in ran.out) == (0, True), ran.out
        assert f"{name}: usi, " in ran.out


# --- a handicap that is named -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("head", ["", "moves ", "startpos moves ", "position startpos moves "])
@pytest.mark.parametrize(("variant", "handicap", "move"), [
    (None, "bishop", "3c3d"), ("shogi", "6-piece", "3c3d"), ("minishogi", "bishop", "5a5b"), ("torishogi", "falcon", "4c4d")])
def test_a_named_handicap_is_the_start(head: str, variant: str | None, handicap: str, move: str) -> None:
    record, = read(f"{head}{move}\n", "usi", variant=variant, handicap=handicap)
    game = replay(record)
    start = of_variant(variant or "shogi")[handicap].sfen
    assert (game.verdict, game.start, game.handicap, game.plies, game.diagnostics) == ("legal", start, handicap, 1, [])


def test_a_board_counts_more_than_a_named_handicap() -> None:
    record, = read(f"sfen {MINI} moves 2e3d", "usi", handicap="bishop")
    game = replay(record)
    assert (game.verdict, game.start, game.handicap) == ("legal", MINI, "even")
    assert [one.name for one in game.diagnostics] == ["handicap-and-board"]
    record, = read(f"sfen {of_variant('shogi')['bishop'].sfen} moves 3c3d", "usi", handicap="bishop")
    assert replay(record).diagnostics == []


@pytest.mark.parametrize(("moves", "quoted", "plies"), [
    ("0000", "0000", 0), ("9z9z", "9z9z", 0), ("foo!", "foo!", 0), ("(none)", "(none)", 0), ("7?7 7h7g", "7?7", 0),
    ("5i5h 0000 8d8e", "0000", 1), ("5i5h 8d8e ??", "??", 2), ("1a", "1a", 0), ("5i5h P*", "5i5h P*", 0),
])
@pytest.mark.parametrize("head", ["", "sfen ", "position sfen ", "1|sfen "])
def test_a_word_that_is_no_move_leaves_the_position(head: str, moves: str, quoted: str, plies: int) -> None:
    text = f"{head}{CHU} moves {moves}\n{CHU} moves 5i5h\n"
    first, second = proven(text)
    assert (first.variant, first.start, first.plies, first.verdict) == ("chushogi", CHU, plies, "unreadable")
    finding, = (one for one in first.diagnostics if one.name == "unreadable-move")
    assert f": {quoted}; expected" in finding.message
    assert text[finding.offset:].startswith(quoted)
    assert (second.plies, second.verdict) == (1, "legal")


@pytest.mark.parametrize("word", ["resign", "timeout", "win"])
def test_ends_are_still_words(word: str) -> None:
    game, = proven(f"sfen {CHU} moves 5i5h {word}")
    assert (game.plies, game.verdict, [one.name for one in game.diagnostics]) == (1, "legal", [])
