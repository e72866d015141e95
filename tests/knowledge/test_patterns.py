"""Pattern files: what may stand in them, and the sentence for everything that may not."""
from __future__ import annotations

import os
from pathlib import Path

import pytest
import slow

import kifu
from kifu.knowledge import PatternError, PatternFile, matcher, read
from kifu.knowledge.patterns import load
from kifu.knowledge.positions import PositionTextError, parse

MINE = '[castle.mine]\nja = "私の囲い"\nen = "Mine"\nposition = "K6h"\n'


def file(text: str) -> PatternFile:
    return PatternFile("my.toml", text)


def tags(text: str, moves: str, start: str = "startpos") -> list[tuple[int, str, str]]:
    """The tags of entries of a file that are called ``mine…``, as (ply, side, key)."""
    return [(tag.ply, tag.side, tag.key) for tag in kifu.tags(slow.game(moves, start), [file(text)])
            if tag.key.startswith("mine")]


def entry(position: str, *fields: str, kind: str = "castle", key: str = "mine") -> str:
    """An entry as TOML."""
    return "\n".join([f"[{kind}.{key}]", 'ja = "私の囲い"', 'en = "Mine"', f"position = {position}", *fields, ""])


# --- what a file can say

def test_an_entry_of_a_user_is_found_beside_ours() -> None:
    game = slow.game("7g7f 3c3d 5i6h 5a4b")
    mine = [tag for tag in kifu.tags(game, [file(MINE)]) if tag.key == "mine"]
    assert [(tag.ply, tag.side, tag.kind, tag.ja, tag.en, tag.implied) for tag in mine] == [
        (3, "black", "castle", "私の囲い", "Mine", False), (4, "white", "castle", "私の囲い", "Mine", False)]
    assert [tag for tag in kifu.tags(game, [file(MINE)]) if tag.key != "mine"] == kifu.tags(game)


@pytest.mark.parametrize(("position", "moves", "found"), [
    ("P7f", "7g7f 3c3d", [(1, "black"), (2, "white")]),
    ("vP3d", "7g7f 3c3d", [(1, "white"), (2, "black")]),  # seen by the side itself: the board is turned for White
    ("P7e-f", "7g7f 8c8d", [(1, "black")]),
    ("P6-7f", "6g6f 8c8d", [(1, "black")]),
    ("R5-8h", "7g7f 8b3b 2h6h", [(2, "white"), (3, "black")]),
    ("K5i _6i", "6i7h 8c8d", [(1, "black")]),
    ("_6-7i", "6i7h 8c8d 7i6h", [(3, "black")]),
    ("P7f !P2g", "7g7f 8c8d 2g2f", [(3, "black")]),
    ("P7f !_7-8g", "7g7f 8c8d", [(1, "black")]),
    ("P7f !_7g", "7g7f 8c8d 8i7g", [(3, "black")]),
    ("+B2b", "7g7f 3c3d 8h2b+ 3a2b", [(3, "black")]),
    ("B*", "7g7f 3c3d 8h2b+ 3a2b", [(3, "black"), (4, "white")]),
    ("B* vB*", "7g7f 3c3d 8h2b+ 3a2b", [(4, "black"), (4, "white")]),
    ("!B* B4e", "7g7f 3c3d 8h2b+ 3a2b B*4e", [(5, "black")]),
    ("P2f @mino", "2g2f 8c8d", []),
    ("@mine_too P2f", "7g7f 8c8d 2g2f", [(3, "black")]),
    ("!@mine_too P2f", "7g7f 9c9d 2g2f", []),
    ("!@mine_too P7f", "7g7f 8c8d", [(1, "black")]),  # only what was reached before the move bars
    ("v@mine_too P7f", "7g7f 8c8d 2g2f 3c3d", [(4, "black"), (4, "white")]),
])
def test_words(position: str, moves: str, found: list[tuple[int, str]]) -> None:
    text = entry(f'"{position}"') + entry('"P7f"', key="mine_too")
    assert sorted(tag[:2] for tag in tags(text, moves) if tag[2] == "mine") == found


def test_any_of_several_positions() -> None:
    assert tags(entry('["P7f", "P2f"]'), "2g2f 9c9d 7g7f") == [(1, "black", "mine")]


def test_plies_within_which_an_entry_counts() -> None:
    moves = "7g7f 1c1d 5i6h 1d1e 6h5i"
    assert tags(entry('"P7f"', "from = 3"), moves) == [(3, "black", "mine")]
    assert tags(entry('"K6h"', "from = 5"), moves) == []
    assert tags(entry('"K6h"', "until = 2"), moves) == []
    assert tags(entry('"K6h"', "from = 3", "until = 3"), moves) == [(3, "black", "mine")]
    assert tags(entry('"P7f"', "from = 6"), moves) == []


def test_what_stood_before() -> None:
    """Another position first; not the other way round."""
    text = entry('"P2f"', 'before = "P7f S7i"')
    assert tags(text, "7g7f 1c1d 7i7h 1d1e 2g2f") == [(5, "black", "mine")]
    assert tags(text, "7i7h 1c1d 7g7f 1d1e 2g2f") == []


def test_sides() -> None:
    moves = "7g7f 3c3d"
    assert tags(entry('"P7f"', 'side = "black"'), moves) == [(1, "black", "mine")]
    assert tags(entry('"P7f"', 'side = "white"'), moves) == [(2, "white", "mine")]
    assert tags(entry('"P7f"', 'side = "both"'), moves) == [(1, "both", "mine")]


def test_parents_come_along_and_are_marked() -> None:
    """At the ply of the child, or of their own if that was earlier; through several generations."""
    text = (entry('"P7f P2f"', 'parents = ["mine_b"]', key="mine_a") + entry('"K9a"', 'parents = ["mine_c"]', key="mine_b")
            + entry('"P2f"', key="mine_c"))
    found = [tag for tag in kifu.tags(slow.game("2g2f 1c1d 7g7f"), [file(text)]) if tag.key.startswith("mine")]
    assert {(tag.key, tag.ply, tag.implied) for tag in found} == {
        ("mine_c", 1, True), ("mine_a", 3, False), ("mine_b", 3, True)}


def test_openings_are_looked_for_from_the_usual_start_only() -> None:
    lance = "sfen lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"
    assert tags(entry('"P7f"', kind="opening"), "7g7f 3c3d") == [(1, "black", "mine"), (2, "white", "mine")]
    assert tags(entry('"P7f"', kind="opening"), "3c3d 7g7f", lance) == []
    assert tags(entry('"P7f"'), "3c3d 7g7f", lance) == [(1, "white", "mine"), (2, "black", "mine")]


def test_a_start_position_counts() -> None:
    start = "sfen 4k4/9/9/9/9/9/9/3K5/9 w - 31"
    assert tags(MINE, "5a4b 6h5h", start) == [(0, "black", "mine"), (1, "white", "mine")]
    assert tags(MINE, "", start) == [(0, "black", "mine")]


def test_no_tags_of_other_kinds_of_shogi_or_of_nothing() -> None:
    game = slow.game("5i6h", "startpos")
    game.variant = "minishogi"
    assert matcher((file(MINE),)).tags(game) == []
    game.variant, game.start = "shogi", ""
    assert matcher((file(MINE),)).tags(game) == []


# --- what is refused

@pytest.mark.parametrize(("text", "said"), [
    ("x", "my.toml: it is not TOML: "),
    ("[castle.mine]\n[castle.mine]\n", "my.toml: it is not TOML: Cannot declare ('castle', 'mine') twice (at line 2"),
    ("a = " + "[" * 100_000, "my.toml: it is not TOML that can be read: nested too deeply"),
    ("[tesuji.mine]\n", "my.toml: tesuji: entries are called [castle.KEY] or [opening.KEY]"),
    ("castle = 3\n", "my.toml: castle: entries are tables, as in [castle.my_own]"),
    ("[castle]\nmine = 3\n", "my.toml: castle.mine: an entry is a table, as in [castle.my_own]"),
    ("[castle.Mine]\n", "my.toml: castle.Mine: a key is small letters, digits and _, and begins with a letter"),
    ("[castle.mine]\npositon = \"K6h\"\n", "castle.mine: there is no field 'positon'; did you mean 'position'?"),
    ("[castle.mine]\nzzz = 1\n", "castle.mine: there is no field 'zzz'; there are ja, en, style"),
    ("[castle.mine]\nja = \"\"\n", "castle.mine: 'position' is missing: what must stand, as in"),
    ("[castle.mine]\nposition = \"K6h\"\nen = \"Mine\"\n", "castle.mine: 'ja' is missing, its name in Japanese"),
    ("[castle.mine]\nposition = \"K6h\"\nja = \"私\"\n", "castle.mine: 'en' is missing, its name in English"),
    ("[castle.mine]\nposition = \"K6h\"\nja = 3\n", "castle.mine: 'ja' is a text, its name in Japanese"),
    (entry('"K6h"').replace("Mine", "a\\u001bb"), "castle.mine: 'en' holds signs that cannot be shown"),
    (entry("3"), "castle.mine: 'position' is a list of texts"),
    (entry("[]"), "castle.mine: 'position' is missing"),
    (entry("[3]"), "castle.mine: 'position' is a list of texts"),
    (entry('"K6h"', "before = 3"), "castle.mine: 'before' is a text, as in before = "),
    (entry('"K6h"', 'style = "wild"'), "castle.mine: 'style' is one of static, ranging, any, not 'wild'"),
    (entry('"K6h"', "style = []"), "castle.mine: 'style' is one of static, ranging, any, not []"),
    (entry('"K6h"', 'side = "grey"'), "castle.mine: 'side' is one of each, both, black, white, not 'grey'"),
    (entry('"K6h"', "from = -1"), "castle.mine: 'from' is a number of plies, 0 being the start of the game, not -1"),
    (entry('"K6h"', "until = true"), "castle.mine: 'until' is a number of plies, 0 being the start of the game, not True"),
    (entry('"K6h"', "from = 5", "until = 4"), "castle.mine: it counts from ply 5 but only until ply 4"),
    (entry('"K6h"', 'parents = "mino"'), "castle.mine: 'parents' is a list of texts"),
    (entry('"K6h"', 'parents = ["minno"]'), "castle.mine: there is no entry 'minno'; did you mean 'mino'?"),
    (entry('"K6h"', 'parents = ["bogin"]'), "castle.mine: its parent 'bogin' is no castle"),
    (entry('"P7f"', 'parents = ["pacman"]', kind="opening"),
     "opening.mine: its parent 'pacman' is told of White only, the entry itself of each side"),
    (entry('"K6h"', 'parents = ["mine"]'), "castle.mine: its parents lead back to it: mine -> mine"),
    (entry('"K6h"', 'parents = ["mine_too"]') + entry('"K6h"', 'parents = ["mine"]', key="mine_too"),
     "castle.mine_too: its parents lead back to it: mine_too -> mine -> mine_too"),
    (entry('"K6h @mine"'), "castle.mine: @mine asks for the entry itself"),
    (entry('"K6h @minno"'), "castle.mine: there is no entry 'minno'; did you mean 'mino'?"),
    (entry('"K6h"', key="mino"), "castle.mino: castles.toml has an entry of this key already; give it another"),
    (entry('"K6h"', key="yagura"), "castle.yagura: openings.toml has an entry of this key already; give it another"),
    (entry('"K6j"'), "castle.mine: position 'K6j': 'K6j': '6j' is no square; squares are 1a to 9i"),
])
def test_a_faulty_file_is_named_with_its_entry_and_its_fault(text: str, said: str) -> None:
    with pytest.raises(PatternError) as caught:
        load([file(text)])
    assert said in str(caught.value)
    assert str(caught.value).startswith("my.toml: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("text", "said"), [
    ("", "it says nothing that must stand"), ("!@mino", "it says only what must not be"),
    ("X2h", "'X2h' is no word of a position"), ("2h", "'2h' is no word of a position"), ("K", "'K' names no square"),
    ("K0a", "'0a' is no square"), ("K8-5h", "a range goes upwards"), ("K5i-g", "a range goes upwards"),
    ("+G2h", "G does not promote"), ("+K2h", "K does not promote"), ("G*", "only B* and R* can be asked of a hand"),
    ("K2h K3h", "it can never stand: more kings than there are"), ("K2h S2h", "it can never stand: two things are said of 2h"),
    ("K2h vS2h", "two things are said of 2h"), ("K2h _2h", "two things are said of 2h"),
    ("K2h !K2h", "one word says the opposite of another"), ("P7f P7e", "two pawns on file 7"),
    ("G1a G2a G3a G4a G5a", "more golds than there are"), ("B1a +B2b vB3c", "more bishops than there are"),
    ("_5e " * 101, "it has 101 words; 100 are the most"),
    ("G1-9a-i S1-9a-i", "its ranges allow 6561 ways to stand; 500 are the most"), ("@Mino", "no word of a position"),
    ("K2h, S3h", "'2h,' is no square"), ("Ｋ2h", "'Ｋ2h' is no word of a position"), ("K２h", "'２h' is no square"),
])
def test_a_position_that_cannot_be_meant(text: str, said: str) -> None:
    with pytest.raises(PositionTextError) as caught:
        parse(text)
    assert said in str(caught.value)


def test_a_position_that_can() -> None:
    """Both kings, two pawns of different sides on a file, ways that are left when those that cannot stand are gone."""
    assert len(parse("K2h vK8b P7f vP7c").alternatives) == 1
    assert len(parse("K5-6h G6h").alternatives) == 1
    assert len(parse("  K2h\n  S3h ").alternatives[0]) == 2


def test_reading_files(tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_bytes(b"\xef\xbb\xbf" + MINE.replace("\n", "\r\n").encode())
    assert "mine" in load([read(path)])
    path.write_bytes(MINE.encode("cp932"))
    with pytest.raises(PatternError, match=r"my\.toml: it is not UTF-8 \(line 2\)"):
        read(path)
    path.write_bytes(b"#" * 4_000_001)
    with pytest.raises(PatternError, match="more than 4 MB"):
        read(path)
    for missing in (tmp_path, tmp_path / "none.toml"):
        with pytest.raises(PatternError, match="it cannot be read: "):
            read(missing)
    assert load([file("")]) == load()
    assert load([read(os.devnull)]) == load()


def test_more_than_a_person_writes_is_refused() -> None:
    """So that a file made to do harm, or by a program, does not fill the memory."""
    many = "".join(entry('"K6h"', key=f"mine{n}") for n in range(2_000))
    with pytest.raises(PatternError, match=r"my\.toml: castle\.mine\d+: it is too much: 2000 entries and 20000 ways"):
        load([file(many)])
    wide = "".join(entry('"R5-9a-i G5-6h B8h"', key=f"mine{n}") for n in range(300))
    with pytest.raises(PatternError, match=r"castle\.mine2\d\d: it is too much"):
        load([file(wide)])


def test_two_files_of_a_user() -> None:
    """The second may name entries of the first."""
    second = PatternFile("second.toml", entry('"K2h"', 'parents = ["mine"]', key="mine_too"))
    assert load([file(MINE), second])["mine_too"].parents == ("mine",)
    with pytest.raises(PatternError, match=r"second\.toml: castle\.mine: my\.toml has an entry of this key already"):
        load([file(MINE), PatternFile("second.toml", MINE)])
