"""Western text of every kind of shogi: all spellings of the oracle are written and read, and what is odd is told."""
from __future__ import annotations

import json
import random
from array import array
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kifu
from kifu.notation import read, write, writer
from kifu.notation.western import tells_other_kinds
from kifu.notation.western_names import names_read, spelled
from kifu.notation.western_styles import STYLES, western_move
from kifu.notation.writing import UnwritableError
from kifu.record import Game, Line, Record, Source
from kifu.replay import replay
from kifu.rules.handicaps import of_variant
from kifu.rules.move import from_usi, usi
from kifu.rules.position import Position
from kifu.rules.ruleset import AHEAD, COMPASS, ORTHOGONAL, Kind, Ruleset, slides, steps
from kifu.rules.variants import RULESETS

OTHERS = [key for key in RULESETS if key != "shogi"]
FLIPPING = ("kyotoshogi", "micro")
EVERYWHERE = ("hodges", "names")
WORDS = ("good", "ah: 1-0?", "(0:05) P-4c", "[a] $1", "two\nlines", "Sw-4c", "")


def rows(shared: Path) -> list[dict[str, str]]:
    path = shared / "oracle" / "hodges_variants.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def played(game: Game) -> list[str]:
    return [usi(move, game.position.rules.ranks) for move in game.moves]


def one(text: str, variant: str | None = None) -> Game:
    [record] = read(text, "western", variant=variant)
    return replay(record)


def told(game: Game) -> list[str]:
    return [finding.name for finding in game.diagnostics]


# --- the oracle -------------------------------------------------------------------------------------------------------

def test_our_spelling_and_the_names_of_the_leaflet_are_written(shared: Path) -> None:
    wrong, compared = [], 0
    for row in rows(shared):
        position = Position(row["sfen"], row["variant"])
        move = next(move for move in position.legal_moves() if usi(move, position.rules.ranks) == row["usi"])
        for column, style in (("hodges", "hodges"), ("hodges_leaflet", "names")):
            if row.get(column):
                compared += 1
                if western_move(position, move, style) != row[column]:
                    wrong.append((row["variant"], row["sfen"], row["usi"], western_move(position, move, style)))
    assert compared > 290
    assert wrong == []


def test_games_in_which_men_turn_over_are_written_as_pyffish_does(shared: Path) -> None:
    """The oracle has no spelling of ours for them; pyffish's says all, so the style with letters is the same."""
    compared = 0
    for row in rows(shared):
        if row["variant"] in FLIPPING:
            position = Position(row["sfen"], row["variant"])
            move = next(move for move in position.legal_moves() if usi(move, position.rules.ranks) == row["usi"])
            assert western_move(position, move) == row["pyffish_hodges"]
            compared += 1
    assert compared > 60


@pytest.mark.parametrize("tagged", [True, False])
def test_all_spellings_are_read_back_to_the_same_move(shared: Path, tagged: bool) -> None:
    """By the tag, and by --variant where there is none; none of them gives rise to a remark."""
    wrong, read_back = [], 0
    for row in rows(shared):
        dots = "... " if " w " in row["sfen"] else ""
        tag = f'[Variant "{row["variant"]}"]\n' if tagged else ""
        for column in ("hodges", "pyffish_hodges", "hodges_leaflet"):
            if row.get(column):
                text = f'{tag}[SFEN "{row["sfen"]}"]\n\n1. {dots}{row[column]}\n'
                game = one(text, None if tagged else row["variant"])
                read_back += 1
                if played(game) != [row["usi"]] or game.diagnostics:
                    wrong.append((row["variant"], row["sfen"], row[column], row["usi"], told(game)))
    assert read_back > 600
    assert wrong == []


# --- whole games ------------------------------------------------------------------------------------------------------

def random_game(variant: str, seed: int, plies: int, start: str | None = None) -> Game:
    """A random legal game with variations, comments, clocks and headers, made without any notation."""
    rng = random.Random(seed)
    start = start or RULESETS[variant].initial
    position = Position(start, variant)
    ranks = position.rules.ranks
    main: list[str] = []
    offers: list[list[str]] = []
    for _ in range(plies):
        legal = position.legal_moves()
        if not legal:
            break
        offers.append([usi(move, ranks) for move in legal])
        move = rng.choice(legal)
        main.append(usi(move, ranks))
        position.play(move)
    branches = []
    for index in rng.sample(range(len(main)), min(3, len(main))):
        others = [text for text in offers[index] if text != main[index]]
        if others:
            branches.append((index, rng.choice(others)))
    return record_of(variant, start, main, sorted(branches), rng)


def record_of(variant: str, start: str, main: list[str], branches: list[tuple[int, str]], rng: random.Random) -> Game:
    """A proven record of a main line and variations of one move."""
    texts = [from_usi(move) for move in [*main, *(move for _, move in branches)]]
    remarks = [(index + 1, rng.choice(WORDS)) for index in range(-1, len(main)) if rng.random() < .15]
    record = Record("western", 1, Source("\0".join(text for _, text in remarks)), 0, 0)
    record.variant, record.start, record.note_marks = variant, start, {0: ("comment", 0, 0)}
    record.turn = "white" if " w " in start else "black"
    record.texts = array("q", texts)
    record.info = array("q", [number for _ in texts for number in (
        0, 0, 0, rng.randrange(90_000) if rng.random() < .3 else -1)])
    record.headers = [("black", "Ayako"), ("Event", 'a "cup"')]
    record.lines = [Line(-1, 0, len(main))]
    for number, (index, _) in enumerate(branches, len(main)):
        record.lines.append(Line(index - 1, number, number + 1, index + 1))
    at = 0
    notes = []
    for index, text in remarks:
        notes += [0, index, at, at + len(text)]
        at += len(text) + 1
    record.notes = array("q", notes)
    game = replay(record)
    assert (game.verdict, game.diagnostics) == ("legal", [])
    return game


def everything(game: Game) -> object:
    """What a game says, without the order of its variations."""
    record = game.record
    lines = sorted((record.path(number), [record.milliseconds(index) for index in record.path(number)])
                   for number in range(len(record.lines)))
    moves = sorted([usi(game.proven[index], game.position.rules.ranks) for index in path] for path, _ in lines)
    return (game.variant, game.start, moves, sorted(str(clocks) for _, clocks in lines),
            sorted((index < game.plies, text) for index, _, text in record.comments()))


@pytest.mark.parametrize("variant", RULESETS)
@settings(max_examples=12, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10_000), plies=st.integers(1, 80), style=st.sampled_from(list(STYLES)))
def test_games_survive_every_style_that_can_write_them(variant: str, seed: int, plies: int, style: str) -> None:
    game = random_game(variant, seed, plies)
    target = writer("western", style)
    try:
        text = target.write_all([game])
    except UnwritableError:
        assert style in ("kitao-kawasaki", "animals", "animals-cs") or variant == "chushogi" and style not in EVERYWHERE
        return
    again = one(text)
    assert again.diagnostics == [], text
    assert everything(again) == everything(game), text
    assert not target.losses
    assert write([again], "western", style) == text


@pytest.mark.parametrize("variant", OTHERS)
def test_handicaps_are_written_by_name_and_read_back(variant: str) -> None:
    for key, handicap in of_variant(variant).items():
        game = random_game(variant, 5, 6, handicap.sfen)
        text = write([game], "western")
        if key != "even":
            assert f'[Handicap "{handicap.en}"]' in text
            assert "1. ... " in text
        assert "[SFEN" not in text or variant == "gorogoroplus"
        again = one(text)
        assert (again.handicap, played(again), again.diagnostics) == (key if "[SFEN" not in text else "other",
                                                                      played(game), [])


def test_psn_holds_every_kind() -> None:
    for variant in OTHERS:
        game = random_game(variant, 3, 30)
        [record] = read(write([game], "psn"), "psn")
        assert played(replay(record)) == played(game)


def test_a_whole_collection_of_kinds_is_one_text() -> None:
    """Each game by its own tag, ordinary shogi among them."""
    games = [random_game(variant, seed, 12) for seed in range(2) for variant in RULESETS]
    again = [replay(record) for record in read(write(games, "western", "names"), "western")]
    assert [(game.variant, played(game)) for game in again] == [(game.variant, played(game)) for game in games]
    assert [game.diagnostics for game in again] == [[]] * len(games)


def test_a_kind_that_nobody_foresaw(monkeypatch: pytest.MonkeyPatch) -> None:
    """One more ruleset is enough: its letters are read and written, and a name where it has one."""
    lance = Kind(2, "L", "lance", slides(AHEAD), steps(*ORTHOGONAL), "crown", must_promote=1)
    king = Kind(8, "K", "king", steps(*COMPASS), royal=True)
    rules = Ruleset("small-shogi", "small shogi", 3, 5, "lkl/3/3/3/LKL b - 1", (lance, king), 1, "L", western={"+L": "Cwn"})
    monkeypatch.setitem(RULESETS, "small-shogi", rules)
    for seed in range(10):
        game = random_game("small-shogi", seed, 30)
        for style in ("hodges", "names", "numeric", "hosking"):
            again = one(write([game], "western", style))
            assert (everything(again), again.diagnostics) == (everything(game), [])
    assert played(one('[Variant "Small"]\n\n1. Lx3a+ K-2b 2. Cwn-3b *\n')) == ["3e3a+", "2a2b", "3a3b"]


# --- names and signs --------------------------------------------------------------------------------------------------

def test_no_name_is_a_letter_of_another_man() -> None:
    """All names of a kind of shogi are told apart, and are such that the grammar takes them for names."""
    for variant, rules in RULESETS.items():
        faces = {rules.letter(piece) for piece in rules.pieces}
        named = [name for face, names in rules.western.items() for name in names.split() if name != face]
        assert not faces & set(named), variant
        assert len(named) == len(set(named)), variant
        for name in named:
            assert name.isalpha(), name
            assert "x" not in name, name
            assert len(name) <= 3, name
        assert {names_read(variant)[name] for name in faces | set(named)} == set(rules.pieces)


def test_a_word_for_two_men_is_no_name() -> None:
    """In chu shogi the rook and the promoted gold are both called 飛車: a text cannot mean one of them by it."""
    names = names_read("chushogi")
    assert "飛" not in names
    assert names["成飛"] == names["+G"]
    assert one('[Variant "chushogi"]\n\n1. 飛-12h *\n').verdict == "unreadable"


CHU = "k11/12/12/5p6/6p5/5N6/12/12/12/12/12/11K b - 1"


@pytest.mark.parametrize(("variant", "sfen", "written", "move"), [
    # tori: names, letters, origins that nobody needs, all signs
    ("torishogi", None, "Swx3c", "3d3c"), ("torishogi", None, "Sx3c", "3d3c"), ("torishogi", None, "S3dx3c", "3d3c"),
    ("torishogi", None, "Sw:3c", "3d3c"), ("torishogi", None, "Sw33", "3d3c"), ("torishogi", None, "☗ Sw3dx3c!?", "3d3c"),
    ("torishogi", None, "3d3c", "3d3c"), ("torishogi", None, "Sw3d3c", "3d3c"), ("torishogi", None, "Swx3C", "3d3c"),
    ("torishogi", "3k3/7/4S2/7/7/7/3K3 b - 1", "Sw-3b+", "3c3b+"),
    ("torishogi", "3k3/7/4S2/7/7/7/3K3 b - 1", "S-3b +", "3c3b+"),
    ("torishogi", "3k3/7/7/3F3/3+F3/7/3K3 b - 1", "Eg-5d", "4e5d"),
    ("torishogi", "3k3/7/7/3F3/3+F3/7/3K3 b - 1", "+Fa-5d", "4e5d"),
    ("torishogi", "3k3/7/7/7/7/7/3K3 b R 1", "RQ*1a", "R*1a"), ("torishogi", "3k3/7/7/7/7/7/3K3 b R 1", "R'1a", "R*1a"),
    # kyoto: the letters of the faces, or plain letters and a sign
    ("kyotoshogi", None, "P-1d+", "1e1d+"), ("kyotoshogi", None, "+N-2d-", "2e2d-"), ("kyotoshogi", None, "G-2d+", "2e2d-"),
    ("kyotoshogi", None, "+N-2d+", "2e2d-"), ("kyotoshogi", "2k2/5/5/5/2K2 b P 1", "R*3c", "+P*3c"),
    ("kyotoshogi", "2k2/5/5/5/2K2 b P 1", "+P@3c", "+P*3c"),
    # the faces of micro that ShogiVar names
    ("micro", None, "G3e-2d", "3e2d"), ("micro", None, "S4e-4d", "4e4d"),
    # chu: two digits, both steps of a lion, what lishogi calls men
    ("chushogi", None, "Ln-6h", "7j6h"), ("chushogi", None, "P-12h", "12i12h"), ("chushogi", "k11/12/12/12/5O6/12/12/12/12/12/12/11K b - 1", "Kr-8d=", "7e8d"),
    ("chushogi", "k11/12/12/12/5O6/12/12/12/12/12/12/11K b - 1", "Ky-8d+", "7e8d+"),
    ("chushogi", None, "DK9j-8k", None), ("chushogi", CHU, "Lnx6ex6d", None), ("chushogi", CHU, "Lnx6e-7d", None),
    ("chushogi", CHU, "Ln-7e-6d", None), ("chushogi", CHU, "Nx!6e", None), ("chushogi", CHU, "Ln7fx6ex7d", None),
    ("chushogi", CHU, "Lnx!6e", "7f6e7f"),
    ("chushogi", CHU, "Lnx6ex7d", "7f6e7d"), ("chushogi", CHU, "Ln-7e-7d", None), ("chushogi", CHU, "Ln--", "7f6f7f"),
    ("chushogi", CHU, "--", "7f6f7f"), ("chushogi", CHU, "Ln7f--", "7f6f7f"), ("chushogi", CHU, "7f8f7f", "7f8f7f"),
    # kanji, as lishogi's Kitao-Kawasaki
    ("minishogi", None, "玉-44", "5e4d"), ("kyotoshogi", None, "金(25)-24+", "2e2d-"), ("minishogi", None, "角25-34", "2e3d"),
    ("minishogi", None, "Rx1b", None), ("minishogi", "rb1gk/4+P/5/5/K4 b - 1", "Tx1a", None),
])
def test_spellings(variant: str, sfen: str | None, written: str, move: str | None) -> None:
    """A move by its USI text; None where it is only to be read, and left to the rules."""
    position = f'[SFEN "{sfen}"]\n' if sfen else ""
    game = one(f'[Variant "{variant}"]\n{position}\n1. {written} *\n')
    assert "unreadable-move" not in told(game)
    assert len(game.record.texts) == 1
    if move is not None:
        assert played(game) == [move], game.diagnostics


def test_a_pass_over_another_square_than_the_first_is_written_with_both_steps() -> None:
    """All passes come to the same position; nothing is lost all the same."""
    position = Position(CHU, "chushogi")
    spellings = {usi(move, 12): spelled(position, move, "names") for move in position.legal_moves()
                 if usi(move, 12).startswith("7f") and usi(move, 12).endswith("7f")}
    assert spellings["7f6f7f"] == "Ln--"
    assert spellings["7f8f7f"] == "Ln-8f-7f"
    assert spellings["7f6e7f"] == "Lnx!6e"


def test_forced_turns_may_stand_unmarked() -> None:
    game = one('[Variant "kyotoshogi"]\n\n1. P-1d K-2b 2. S-5d *\n')
    assert played(game) == ["1e1d+", "3a2b", "4e5d+"]
    assert told(game)[0] == "promotion-supplied"


# --- which kind -------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize(("tag", "variant"), [
    ('[Variant "torishogi"]', "torishogi"), ('[Variant "Tori Shogi"]', "torishogi"), ('[variant "TORI"]', "torishogi"),
    ('[SFEN "rpckcpl/3f3/sssssss/2s1S2/SSSSSSS/3F3/LPCKCPR b - 1"]', "torishogi"),
    ('[FEN "rbsgk/4p/5/P4/KGSBR b - 1"]', "minishogi"), ('[Variant "Standard"]', "shogi"), ('[Variant ""]', "shogi"),
    ('[SFEN "4k4/9/9/9/9/9/9/9/4K4 b P 1"]', "shogi"), ("", "shogi"), ('[Variant "goro-goro"]', "gorogoro"),
])
def test_the_kind_comes_from_the_tags(tag: str, variant: str) -> None:
    [record] = read(f"{tag}\n\n1. K-3f\n", "western")
    assert record.variant == variant


def test_the_option_comes_before_the_tags() -> None:
    assert one('[Variant "minishogi"]\n\n1. Swx3c *', "torishogi").variant == "torishogi"
    assert played(one("1. Swx3c *", "torishogi")) == ["3d3c"]


@pytest.mark.parametrize("tag", ['[Variant "Whale shogi"]', '[Variant "chess"]', '[SFEN "k2/3/2K b - 1"]'])
def test_an_unknown_kind_is_told_and_nothing_is_played(tag: str) -> None:
    game = one(f"{tag}\n\n1. P-4c Sw-3d Resigns\n")
    assert (game.verdict, game.plies) == ("unreadable", 0)
    finding = next(finding for finding in game.diagnostics if finding.name == "unknown-variant")
    assert finding.message.endswith(tag.split('"')[1].split(" b")[0])


def test_a_game_of_an_unknown_kind_leaves_the_others_alone() -> None:
    games = [replay(record) for record in read(
        '[Variant "chess"]\n\n1. e-4 *\n\n[Variant "torishogi"]\n\n1. Swx3c *\n\n[Event "x"]\n\n1. P-7f P-3d *\n', "western")]
    assert [(game.variant, game.verdict) for game in games] == [
        ("", "unreadable"), ("torishogi", "legal"), ("shogi", "legal")]


@pytest.mark.parametrize("text", [
    "1. P-7f P-3d", '[Sente "FEN"]\n[Event "Variant"]\n1. P-7f', '[SFEN "4k4/9/9/9/9/9/9/9/4K4 b - 1"]', '[SFEN "junk"]',
    '[FEN "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"]', '[Variant "shogi"]', "{variant Variant}",
])
def test_ordinary_text_goes_its_ordinary_way(text: str) -> None:
    assert not tells_other_kinds(text)


def test_no_record_of_the_corpus_is_taken_for_another_kind(shared: Path) -> None:
    for path in (shared / "corpus").rglob("*.psn"):
        assert not tells_other_kinds(path.read_bytes().decode("utf-8", "replace")), path


# --- what cannot be ---------------------------------------------------------------------------------------------------

@pytest.mark.parametrize(("variant", "written", "why"), [
    ("torishogi", "Zz-4c", "no man of tori shogi is called Zz"), ("torishogi", "Swallow-4c", "is called Swallow"),
    ("torishogi", "Chick-4c", "is called Chick"), ("minishogi", "Sw-4c", "no man of minishogi is called Sw"),
    ("torishogi", "Sw-8c", ""), ("minishogi", "K-4f", ""), ("minishogi", "K-12l", ""), ("torishogi", "SwxPt", ""),
    ("torishogi", "SxP", ""), ("torishogi", "Lx!4c", ""), ("torishogi", "S-4d-4c", ""), ("torishogi", "--", ""),
    ("torishogi", "Sw--", ""), ("chushogi", "P-99", "with a letter for the rank"), ("minishogi", "7g7f5a", ""),
    ("torishogi", "LQxC", ""), ("torishogi", "Sw-", ""), ("torishogi", "Sw*", ""), ("torishogi", "Swx-4c", ""),
    ("torishogi", "Fax-c4", ""), ("torishogi", "Faxc4", ""), ("torishogi", "Sw-d3", ""), ("torishogi", "S-d3", ""),
    ("torishogi", "Sw*d3", ""),
])
def test_a_move_that_cannot_be_ends_its_line(variant: str, written: str, why: str) -> None:
    """It is an error; the move before it stands, and what follows it is not played."""
    first = {"torishogi": "Swx3c", "minishogi": "K-4d", "chushogi": "P-12h"}[variant]
    game = one(f'[Variant "{variant}"]\n\n1. {first} {written} 2. {first} Resigns\n')
    assert (game.verdict, game.plies) == ("unreadable", 1)
    finding = next(finding for finding in game.diagnostics if finding.name == "unreadable-move")
    assert why in (finding.hint or "")


@pytest.mark.parametrize("written", ["Sxd3", "Sw6d-d3", "Fax3cd", "Fax3cSw"])
def test_what_is_glued_to_a_move_makes_it_unknown(written: str) -> None:
    game = one(f'[Variant "torishogi"]\n\n1. Swx3c {written} 2. Sw-3d *\n')
    assert (game.verdict, game.plies) == ("unreadable", 1)
    assert "glued-moves" in told(game)


def test_unreadable_moves_of_a_variation_leave_the_main_line() -> None:
    game = one('[Variant "torishogi"]\n\n1. Swx3c (1. Zz-4c Sw-1d) 1... Fax3c (1... Fax3c Pt-99) 2. Sw-3d *\n')
    assert game.plies == 3
    assert told(game).count("unreadable-move") == 2


def test_words_are_told_and_moves_among_them_are_read() -> None:
    game = one('[Variant "torishogi"]\n\nThe Fox said: Go, then. 1. Swx3c (a fine move) Fax3c X-ray Maxx *\n')
    assert played(game) == ["3d3c", "4b3c"]
    assert set(told(game)) == {"text-ignored"}


def test_a_bracket_that_begins_with_a_name_is_a_variation() -> None:
    game = one('[Variant "torishogi"]\n\n1. Swx3c (Cr-5f Sw-1d) (quite so) Fax3c *\n')
    assert game.variations == 1
    assert [text for _, _, text in game.record.comments()] == ["quite so"]
    assert game.diagnostics == []


def test_the_end_names_the_side_that_is_to_move() -> None:
    game = one('[Variant "torishogi"]\n[Handicap "falcon"]\n\n1. ... Cr3a-4b 2. Swx3c Resigns\n')
    assert (game.handicap, game.end, game.winner) == ("falcon", "resign", "black")


def test_handicaps_of_other_kinds() -> None:
    assert "unknown-handicap" in told(one('[Variant "torishogi"]\n[Handicap "rook"]\n\n1. ... Cr3a-4b\n'))
    [record] = read("1. ... Cr3a-4b\n", "western", variant="torishogi", handicap="left-quail")
    assert replay(record).handicap == "left-quail"
    [record] = read("1. ... Cr3a-4b\n", "western", variant="torishogi", handicap="rook")
    assert "unknown-handicap" in told(replay(record))


# --- hostile ----------------------------------------------------------------------------------------------------------

PARTS = ["Sw", "Ln", "x3h", "-12l", "--", "x!9d", "*5e", "(", ")", "{", "}", "1.", "...", "+", "-", "=", "☗", "x", "X", "p",
         "SxP", "Swx", "Swallow-4c", "[Variant \"", "torishogi", "\"]", "\n", " ", "[SFEN \"", "rbsgk/4p/5/P4/KGSBR b - 1",
         "Resigns", "mate", "#", "角(88)", "12l11k", "99", "é", "\0", "\ud800"]


@settings(max_examples=400, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(PARTS), max_size=30), st.sampled_from([None, *OTHERS]))
def test_no_text_is_too_odd(parts: list[str], variant: str | None) -> None:
    """Whatever stands in a text, it is read, told of and proven or refused; no record is lost."""
    text = "".join(parts)
    for record in read(text, "western", variant=variant):
        game = replay(record)
        assert game.plies <= len(record.texts)
        assert game.variant in ("", *RULESETS)


@pytest.mark.parametrize("part", ["Sw ", "Sw-4c ", "Zz-4c ", "(Swx3c ", "-- ", "Swallow-4c", "Sw" + " " * 50, "1. ", "A" * 9,
                                  '[Variant "torishogi"]\n1. Sw-4c\n', "Ln-5e-6d ", "x!", "Sw-4c(", "[SFEN \"a/b b\"]\n"])
def test_long_texts(part: str) -> None:
    """Ten thousand of anything; what is quadratic in them would take minutes."""
    for record in read('[Variant "chushogi"]\n' + part * 10_000, "western"):
        replay(record)


# --- the API ----------------------------------------------------------------------------------------------------------

def test_notate_spells_every_kind() -> None:
    position = kifu.Position(variant="torishogi")
    assert kifu.notate(position, "3d3c", "western") == "Sx3c"
    assert kifu.notate(position, "3d3c", "western", style="names") == "Swx3c"
    assert kifu.notate(position, "3d3c", "western", style="numeric") == "Sx33"
    with pytest.raises(ValueError, match="the style animals has names for the men of ordinary shogi only"):
        kifu.notate(position, "3d3c", "western", style="animals")
    with pytest.raises(ValueError, match="cannot write chu shogi, whose squares two digits do not name"):
        kifu.notate(kifu.Position(variant="chushogi"), "12i12h", "western", style="hosking")
    assert kifu.notate(kifu.Position(), "7g7f", "western", style="names") == "P-7f"


@pytest.mark.parametrize("style", ["kitao-kawasaki", "animals", "animals-cs"])
def test_styles_of_ordinary_shogi_refuse_the_others(style: str) -> None:
    with pytest.raises(UnwritableError, match="ordinary shogi only, not of tori shogi; hodges and names can write it"):
        write([random_game("torishogi", 1, 4)], "western", style)


def test_tags_are_looked_at_once() -> None:
    """However many words ask for the kind of shogi: with the product of both this would take minutes."""
    text = '[A "b"]\n' * 20_000 + '[Variant "torishogi"]\n\n1. ' + "Swx " * 100_000
    record, = kifu.parse(text, "western")
    assert (record.variant, sum(one.name == "unreadable-move" for one in record.diagnostics)) == ("torishogi", 100_000)


@pytest.mark.parametrize(("told", "kind"), [("Gorogoro+", "gorogoroplus"), ("Gorogoro", "gorogoro"), ("Minishogi+", "")])
def test_signs_of_a_name_tell_kinds_apart(told: str, kind: str) -> None:
    """Gorogoro+ is PyChess's name of goro-goro plus."""
    record, = kifu.parse(f'[Variant "{told}"]\n\n1. P-3d *\n', "western")
    assert record.variant == kind


@pytest.mark.parametrize(("variant", "move"), [
    ("torishogi", "Sw 7d"), ("torishogi", "S 7d"), ("torishogi", "Sw - 7d"), ("torishogi", "Sw 77"), ("torishogi", "Go  7d"),
    ("chushogi", "Ln 12d"), ("chushogi", "P 7h"), ("minishogi", "P 5d"), ("gorogoro", "P 3d")])
@pytest.mark.parametrize("before", ["", "S-4d "])
def test_a_square_apart_from_its_name_is_no_remark(variant: str, move: str, before: str) -> None:
    """The move is not taken for words; it ends the line, and its digits are no number of a move."""
    if before and variant != "torishogi":
        return
    record, = kifu.parse(f'[Variant "{variant}"]\n\n1. {before}{move} {{odd}} 2. P-3d *\n', "western")
    game = replay(record)
    finding, = game.diagnostics
    assert (game.verdict, finding.name, game.plies) == ("unreadable", "unreadable-move", len(before.split()))
    assert f": {move}; expected a move" in finding.message


@pytest.mark.parametrize("words", ["I 7d", "The 7d", "Sw 7dan", "Sw 3rd", "Sw 7", "Swan 7d", "a 7d", "S 12. Sx4d"])
def test_words_before_squares_are_words(words: str) -> None:
    game = replay(kifu.parse(f'[Variant "torishogi"]\n\n1. S-4d {words} *\n', "western")[0])
    errors = [one.name for one in game.diagnostics if one.severity == "error"]
    assert (game.plies, errors) == (1 + words.count("Sx"), [])
