"""Which kind of shogi an SFEN is of."""
from __future__ import annotations

import json
from pathlib import Path

import pytest

from kifu.notation.western_names import names_read
from kifu.rules.api import Position
from kifu.rules.position import PositionError
from kifu.rules.recognise import fitting, named, recognised
from kifu.rules.variants import RULESETS


@pytest.mark.parametrize("key", RULESETS)
def test_every_start_is_recognised(key: str) -> None:
    rules = RULESETS[key]
    assert recognised(rules.initial) == key
    assert all(key in fitting(handicap.sfen) for handicap in rules.handicaps)


def test_every_position_of_the_oracle_fits(shared: Path) -> None:
    for name in ("legal_variants", "legal_chu", "hodges_variants", "perft"):
        for line in (shared / "oracle" / f"{name}.jsonl").read_text().splitlines():
            row = json.loads(line)
            key = row.get("variant", "chushogi")
            if key in RULESETS:
                assert key in fitting(row["sfen"]), row


@pytest.mark.parametrize(("sfen", "keys"), [
    ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", ("shogi", "cannonshogi")),
    ("4k4/9/9/9/4U4/9/9/9/4K4 b - 1", ("cannonshogi",)), ("4k4/9/9/9/9/9/9/9/4K4 b U 1", ("cannonshogi",)),
    ("2k2/5/5/5/2K2 b P 1", ("minishogi", "kyotoshogi")), ("2k2/5/5/5/2K2 b 2N 1", ("kyotoshogi",)),
    ("2k2/5/5/5/2K2 b +P 1", ("kyotoshogi",)),
    ("2k2/5/5/5/2K2 b +G 1", ()), ("2k2/5/5/5/2KG+G b - 1", ()),
    ("2k2/5/5/5/5/2K2 b - 1", ("gorogoro", "gorogoroplus")), ("2k2/5/5/5/5/2K2 b L 1", ("gorogoroplus",)),
    ("k2/3/2K b - 1", ()), ("4k4/9/9/9/9/9/9/9/4K3 b - 1", ()), ("4k4/9/9/9/9/9/9/9/4K4 b K 1", ()), ("", ()), ("x", ()),
    ("12/12/12/12/12/12/12/12/12/12/12/5K6 b 6f 2", ("chushogi",)), ("9999999999999999", ()), ("/////////// b - 1", ()),
])
def test_letters_faces_and_hands_tell(sfen: str, keys: tuple[str, ...]) -> None:
    assert fitting(sfen) == keys


@pytest.mark.parametrize("sfen", ["²/9/9/9/9/9/9/9/9 b - 1", "٣k/5/5/5/K4 b - 1", "4k/5/5/5/K4 b ² 1", "４k/5/5/5/K4 b - 1"])
def test_digits_are_those_of_ascii(sfen: str) -> None:
    assert recognised(sfen) is None


@pytest.mark.parametrize(("name", "key"), [
    # as PyChess, lishogi, Fairy-Stockfish and people write them
    ("Shogi", "shogi"), ("standard", "shogi"), ("Minishogi", "minishogi"), ("Mini Shogi", "minishogi"),
    ("5五将棋", "minishogi"), ("５五将棋", "minishogi"), ("Kyotoshogi", "kyotoshogi"), ("Kyoto shogi", "kyotoshogi"),
    ("Torishogi", "torishogi"), ("tori", "torishogi"), ("TORI-SHOGI", "torishogi"), ("禽将棋", "torishogi"),
    ("Chushogi", "chushogi"), ("Chu Shogi", "chushogi"), ("Cannonshogi", "cannonshogi"), ("cannon", "cannonshogi"),
    ("Gorogoro", "gorogoro"), ("Gorogoroshogi", "gorogoro"), ("Goro-Goro Shogi", "gorogoro"),
    ("Gorogoro+", "gorogoroplus"), ("gorogoro＋", "gorogoroplus"), ("Gorogoroplus", "gorogoroplus"),
    ("Goro-goro plus", "gorogoroplus"), ("Judkinsshogi", "judkins"), ("Judkins", "judkins"),
    ("Microshogi", "micro"), ("micro shogi", "micro"),
    # signs tell kinds apart: nothing is known of these
    ("Minishogi+", None), ("Gorogoro++", None), ("mini!", None), ("Shogi960", None), ("(shogi)", None), ("+", None),
    ("", None), ("-", None), ("x" * 1000, None),
])
def test_names_of_kinds(name: str, key: str | None) -> None:
    assert named(name) == key
@pytest.mark.parametrize("row", ["western", "faces", "_faces", "names_read", "Words", "read_row"])
def test_no_row_stands_for_what_we_keep(row: str) -> None:
    """What is kept of a kind of shogi is kept beside rows of boards, which are anybody's text."""
    names_read("minishogi")
    fitting(RULESETS["minishogi"].initial)
    with pytest.raises(PositionError, match="is no piece"):
        Position(f"{row}/5/5/5/5 b - 1", "minishogi")
