"""Piece sets: every set knows every man of shogi, what is drawn is sound SVG, and unknown men get their letters."""
from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import kifu
from kifu.draw import LANGUAGES, PIECE_SETS, board_svg, board_text, piece_set
from kifu.notation.animals import NAMES
from kifu.notation.western_styles import STYLES
from kifu.rules.ruleset import FAR, Kind, Ruleset, Way
from kifu.rules.variants import RULESETS

SHOGI = RULESETS["shogi"]
START = SHOGI.initial
#: The names in the manual of the set (source 001): its first row, then what stands before it.
MANUAL = {"L": "divoké prase", "N": "králík", "S": "kočka", "G": "pes", "K": "lev", "B": "slon", "R": "žirafa",
          "P": "kuře", "+P": "slepice"}
ENGLISH = {"L": "wild boar", "N": "rabbit", "S": "cat", "G": "dog", "K": "lion", "B": "elephant", "R": "giraffe",
           "P": "chick", "+P": "hen"}
SVG = "{http://www.w3.org/2000/svg}"


def cells(rules: Ruleset) -> list[str]:
    return [rules.letter(piece) for piece in rules.pieces]


@pytest.mark.parametrize("key", PIECE_SETS)
def test_every_set_has_all_men_of_shogi_in_all_languages(key: str) -> None:
    chosen = piece_set(key)
    assert len(cells(SHOGI)) == 14
    for cell in cells(SHOGI):
        face = chosen.face(cell, SHOGI)
        assert face.paths or face.text
        assert all(face.names.get(language) for language in LANGUAGES), cell
        assert face.red == cell.startswith("+")
    assert len({chosen.face(cell, SHOGI).sign for cell in cells(SHOGI)}) == 14


def test_animals_have_the_names_of_the_manual() -> None:
    animals = piece_set("animals")
    for names, language in ((MANUAL, "cs"), (ENGLISH, "en")):
        assert {cell: animals.face(cell, SHOGI).name(language) for cell in names} == names


@pytest.mark.parametrize(("style", "language"), [("animals", "en"), ("animals-cs", "cs")])
def test_the_moves_name_the_animals_of_the_set(style: str, language: str) -> None:
    animals = piece_set("animals")
    assert animals.style[language] == style
    for piece in SHOGI.pieces:
        cell = SHOGI.letter(piece)
        name = animals.face(cell, SHOGI).name(language).split()[-1].capitalize()
        assert STYLES[style].names[piece] == ("+" if cell[0] == "+" and cell != "+P" else "") + name


def test_the_grammar_has_just_these_names(root: Path) -> None:
    """Besides them only what they are without diacritics."""
    grammar = (root / "grammars" / "western.lark").read_text(encoding="utf-8")
    named = "|".join(re.findall(r"^[A-Z]+_NAME\.9: /(.*)/$", grammar, re.MULTILINE))
    assert set(re.findall(r"[^\W\d_]+", named)) == {*NAMES, "Kure", "Kralik", "Kocka", "Zirafa"}


def test_a_man_the_set_does_not_know_is_its_letter() -> None:
    """A set serves other kinds of shogi by the names of their men; what it has no name for it shows as SFEN does."""
    swallow = Kind(21, "S", "swallow", (Way((0, -1)),), (Way((2, -2)),), "goose")
    lance = Kind(2, "L", "lance", (Way((0, -1), FAR),), (Way((0, -1)),), "tokin")  # kyoto's turns into a tokin
    rules = SHOGI._replace(key="toy", kinds=(swallow, lance), kanji={})
    kanji = piece_set("kanji")
    assert [kanji.face(cell, rules).sign for cell in ("S", "+s", "L", "+l", "Q")] == ["S", "+S", "香", "と", "Q"]
    assert kanji.face("+S", rules).name("en") == "goose"


def test_boards_in_text_keep_their_columns() -> None:
    from kifu.draw import width

    sfen = "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124"
    for key in PIECE_SETS:
        rows = [line for line in board_text(sfen, pieces=key).splitlines() if line.startswith("|")]
        assert len({width(row[:row.rindex("|")]) for row in rows}) == 1, key
        turned = [line for line in board_text(sfen, pieces=key, flip=True).splitlines() if line.startswith("|")]
        assert len(rows) == len(turned) == 9


def test_a_board_of_animals_in_czech() -> None:
    assert board_text("4k4/4+p4/4P+R3 w R2P 1", pieces="animals", language="cs").splitlines() == [
        "Bílý má v ruce: nic",
        "    9   8   7   6   5   4   3   2   1",
        "+------------------------------------+",
        "|   .   .   .   . v🦁   .   .   .   .|a",
        "|   .   .   .   . v🐔   .   .   .   .|b",
        "|   .   .   .   .  🐥 +🦒   .   .   .|c",
        "+------------------------------------+",
        "Černý má v ruce: 🦒 žirafa, 🐥 kuře ×2",
        "Na tahu: Bílý"]


@pytest.mark.parametrize("key", PIECE_SETS)
def test_svg_is_sound_and_shows_every_man(key: str) -> None:
    for flip in (False, True):
        picture = ElementTree.fromstring(board_svg(START, pieces=key, flip=flip))
        uses = picture.findall(f"{SVG}use")
        drawn = {group.get("id") for group in picture.iter(f"{SVG}g")}
        assert len(uses) == 40
        assert {use.get("href", "")[1:] for use in uses} <= drawn
        assert sum("rotate(180)" in use.get("transform", "") for use in uses) == 20
        assert not [shape for shape in picture.iter() if "ink" in (shape.get("fill", "") + shape.get("stroke", ""))]


def test_svg_turns_whites_men_and_flips() -> None:
    """Black's king on 5i: low on the board, upright; seen by White high and on its head."""
    def king(flip: bool) -> tuple[int, bool]:
        picture = ElementTree.fromstring(board_svg("9/9/9/9/9/9/9/9/4K4 b - 1", flip=flip))
        [use] = picture.findall(f"{SVG}use")
        turn = use.get("transform", "")
        return int(re.findall(r"[0-9]+", turn)[1]), "rotate(180)" in turn

    (low, upright), (high, turned) = king(False), king(True)
    assert low > high + 600
    assert (upright, turned) == (False, True)


def test_svg_shows_hands_with_counts_names_and_the_last_move() -> None:
    text = board_svg("4k4/9/9/9/9/9/9/9/4K4 w R11Pb 1", names=("<A&B>", "C"), last="7g7f", language="en")
    picture = ElementTree.fromstring(text)
    assert len(picture.findall(f"{SVG}use")) == 5
    words = [one.text for one in picture.findall(f"{SVG}text")]
    assert "11" in words and "<A&B>" in words and "C" in words
    assert len([one for one in picture.findall(f"{SVG}rect") if one.get("fill") == "#d9a441"]) == 2
    assert picture.findtext(f"{SVG}title") == "C to move"


def test_svg_of_other_sizes() -> None:
    twelve = "k11/12/12/12/12/12/12/12/12/12/12/11K b - 1"
    picture = ElementTree.fromstring(board_svg(twelve, language="ja", last="10a12l"))
    tinted = [one for one in picture.findall(f"{SVG}rect") if one.get("fill") == "#d9a441"]
    assert sorted(int(one.get("y", "")) for one in tinted) == [44, 1144]
    words = [one.text for one in picture.findall(f"{SVG}text")]
    assert {"12", "十二"} <= set(words)


def test_hands_find_room_beside_a_small_board() -> None:
    picture = ElementTree.fromstring(board_svg("4k/5/5/5/K4 b RBGSNLPrbgsnlp 1", names=("a\0b", "\ud800")))
    *_, high = map(int, picture.get("viewBox", "").split())
    turns = [use.get("transform", "") for use in picture.findall(f"{SVG}use")]
    tops = [int(re.findall(r"[0-9]+", turn)[1]) - (100 if "rotate" in turn else 0) for turn in turns]
    assert len(tops) == 16
    assert min(tops) >= 0 and max(tops) + 100 <= high


def test_dots_and_arrows_are_the_moves_of_the_men() -> None:
    """As on the children's set: a dot a step, an arrow a slide; a horse has four of each."""
    def marks(cell: str) -> tuple[int, int]:
        text = board_svg(f"4{cell}4/9/9/9/9/9/9/9/9 b - 1", pieces="animals")
        defs = text[text.index("<defs>"):text.index("</defs>")]
        return defs.count('r="5"') + defs.count('r="4" '), defs.count("M0 -7")

    assert {cell: marks(cell) for cell in ("P", "L", "N", "S", "G", "K", "B", "R", "+B", "+R", "+P")} == {
        "P": (1, 0), "L": (0, 1), "N": (2, 0), "S": (5, 0), "G": (6, 0), "K": (8, 0), "B": (0, 4), "R": (0, 4),
        "+B": (4, 4), "+R": (4, 4), "+P": (6, 0)}


@pytest.mark.parametrize("wrong", [{"pieces": "birds"}, {"language": "de"}])
def test_unknown_names_are_told(wrong: dict[str, str]) -> None:
    for draw in (board_svg, board_text):
        with pytest.raises(ValueError, match="there are: "):
            draw(START, **wrong)  # type: ignore[operator]


def test_notebooks(monkeypatch: pytest.MonkeyPatch, samples: Path) -> None:
    position = kifu.Position()
    position.push("7g7f")
    assert position._repr_svg_() == board_svg(position.sfen(), last="7g7f")
    monkeypatch.setattr(kifu.Position, "pieces", "animals")
    assert position._repr_svg_() == position.svg("animals") == board_svg(position.sfen(), pieces="animals", last="7g7f")
    [record] = kifu.read(samples / "mate.csa")
    picture = kifu.replay(record)._repr_svg_()
    assert picture is not None and ">Sente<" in picture and "kifu-animals" in picture
