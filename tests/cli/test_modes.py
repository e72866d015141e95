"""--strict and --salvage: exit status, what is written, what is loaded."""
from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Kifu = Callable[..., Any]
HEAD = "手合割：平手\n手数----指手---------消費時間--\n   1 ７六歩(77)\n   2 ３四歩(33)\n"
#: name -> text, whether it is a game by default, how many plies of it are sound
INPUTS = {
    "sound": (HEAD + "   3 ２六歩(27)\n   4 投了\nまで3手で先手の勝ち\n", True, 3),
    "loose": (HEAD + "   3 26歩(27)\n   4 投了\n", True, 3),
    "odd": (HEAD + "なにか\n   3 ２六歩(27)\n", True, 3),
    "illegal": (HEAD + "   3 ２六歩(28)\n   4 ８四歩(83)\n   5 投了\n", False, 2),
    "unreadable": (HEAD + "   3 ２ろ歩(27)\n   4 ８四歩(83)\n   5 投了\n", False, 2),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, (text, _, _) in INPUTS.items():
        (tmp_path / f"{name}.kif").write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("name", INPUTS)
def test_check(kifu: Kifu, folder: Path, name: str) -> None:
    _, fine, plies = INPUTS[name]
    rows = {}
    for mode in ((), ("--strict",), ("--salvage",)):
        ran = kifu("check", folder / f"{name}.kif", "--format", "json", *mode)
        assert ran.status == int(not fine or mode == ("--strict",) and name != "sound"), ran.out
        rows[mode] = json.loads(ran.out)
        assert rows[mode]["plies"] == plies
    assert len({row["verdict"] for row in rows.values()}) == 1
    assert {row["end"] for row in rows.values()} == {rows[()]["end"]}  # what the record claims is not touched
    told = [found["message"] for found in rows["--salvage",]["diagnostics"] if found["name"] == "salvaged"]
    assert len(told) == int(not fine)


@pytest.mark.parametrize("name", INPUTS)
def test_convert(kifu: Kifu, folder: Path, name: str) -> None:
    _, fine, plies = INPUTS[name]
    path = folder / f"{name}.kif"
    default, strict, salvage = (kifu("convert", path, "--to", "usi", *mode) for mode in ((), ("--strict",), ("--salvage",)))
    assert (default.status, bool(default.out)) == (int(not fine), fine)
    assert (strict.status, bool(strict.out)) == ((0, True) if name == "sound" else (1, False))
    assert salvage.status == int(not fine)
    words = salvage.out.split()
    assert len([word for word in words if word[0].isdigit()]) == plies
    assert ("resign" in words) == (fine and name != "odd")
    if not fine:
        assert f"{plies} legal moves were written" in salvage.err
        assert "not converted" in default.err and "not converted" in strict.err


def test_load(kifu: Kifu, folder: Path) -> None:
    """A part of a game is no game: --salvage loads what the default mode loads. --strict loads what is as specified."""
    loaded = {}
    for mode in ("default", "strict", "salvage"):
        db = folder / f"{mode}.duckdb"
        ran = kifu("load", folder, "--db", db, "--dedupe", "none", *([] if mode == "default" else [f"--{mode}"]))
        assert ran.status == 1
        out = kifu("sql", "SELECT (SELECT count(*) FROM games) AS games, (SELECT count(*) FROM rejects) AS rejects, "
                   "(SELECT count(*) FROM games WHERE plies = 3) AS whole", "--db", db, "--csv").out
        loaded[mode] = out.split()[-1]
    assert loaded == {"default": "3,2,3", "strict": "1,4,1", "salvage": "3,2,3"}


def test_a_declared_encoding_that_is_wrong_is_an_error_in_strict_mode(kifu: Kifu, tmp_path: Path) -> None:
    (tmp_path / "a.kif").write_text("#KIF version=2.0 encoding=Shift_JIS\n" + INPUTS["sound"][0], encoding="utf-8")
    assert kifu("check", tmp_path / "a.kif").status == 0
    ran = kifu("check", tmp_path / "a.kif", "--strict")
    assert ran.status == 1 and "encoding-mismatch" in ran.out
