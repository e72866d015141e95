"""Counts as `kifu` says them: whatever a writer can lose, in the number that is due."""
from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from kifu.cli.words import counted, counted_kind, listed

sys.path.insert(0, str(Path(__file__).parent))
from games import ILLEGAL, LEGAL

Kifu = Callable[..., Any]


def kinds(root: Path) -> Iterator[str]:
    """The kinds of losses that the writers name, as they stand in the sources."""
    for path in (root / "kifu" / "notation").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "lose":
                kind = node.args[0]
                assert isinstance(kind, ast.Constant), f"{path.name}:{node.lineno}: a kind is a plain string"
                yield str(kind.value)


def test_every_kind_of_loss(root: Path) -> None:
    """All that writers lose stands here with what one and two of it are called."""
    one = {kind: counted_kind(1, kind) for kind in kinds(root)}
    two = {kind: counted_kind(2, kind) for kind in one}
    assert one == {
        "bookmarks": "1 bookmark", "braces in comments": "1 brace in comments", "characters": "1 character",
        "clocks": "1 clock", "comments": "1 comment", "comments in variations": "1 comment in variations", "end": "1 end",
        "evaluations": "1 evaluation", "evaluations written as 0": "1 evaluation written as 0",
        "fractions of seconds": "1 fraction of a second", "handicap name": "1 handicap name", "headers": "1 header",
        "illegal final move": "1 illegal final move", "kinds of shogi": "1 kind of shogi",
        "lions just taken": "1 lion just taken", "moves": "1 move",
        "number of the first move": "1 number of the first move", "positions": "1 position",
        "results written as a draw": "1 result written as a draw", "variations": "1 variation"}
    singular = {"end": "2 ends", "handicap name": "2 handicap names", "illegal final move": "2 illegal final moves",
                "number of the first move": "2 numbers of first moves"}
    assert two == {kind: singular.get(kind, f"2 {kind}") for kind in one}


@pytest.mark.parametrize(("count", "words"), [(0, "0 games"), (1, "1 game"), (2, "2 games"), (True, "1 game")])
def test_counts(count: int, words: str) -> None:
    assert counted(count, "game") == words
    assert counted_kind(count, "games") == words


def test_a_list() -> None:
    assert listed({"clocks": 1, "headers": 5, "end": 1}) == "1 clock, 5 headers, 1 end"


def test_one_of_everything(kifu: Kifu, tmp_path: Path) -> None:
    """Each command says of one thing that it is one."""
    (tmp_path / "a.csa").write_text("N+Kana\nPI\n+\n+7776FU\nT3\n'*so\n%CHUDAN\n")
    (tmp_path / "bad.csa").write_text("PI\n+\n+7776FU\n+2726FU\n")
    (tmp_path / "more.csa").write_text("PI\n+\n+7776FU\n-3334FU\n+2726FU\n%CHUDAN\n")
    run = {name: lambda *rest, name=name: kifu(name, *rest, cwd=tmp_path) for name in ("convert", "load", "show", "sql")}
    assert "kifu: lost: 1 comment, 1 clock, 1 header\n" in run["convert"]("a.csa", "--to", "usi").err
    assert "; 1 legal move was written\n" in run["convert"]("bad.csa", "--to", "usi", "--salvage").err
    assert run["load"]("a.csa", "bad.csa", "--db", "x.db").out == "x.db: 1 game from 2 files, 1 reject\n"
    assert run["load"]("a.csa", "more.csa", "--db", "x.db").out == "x.db: 1 game from 1 file, 1 file unchanged\n"
    assert "there is 1 game in a.csa." in run["show"]("a.csa", "--game", "2").err
    assert "the game has 1 legal move." in run["show"]("a.csa", "--at", "9").err
    assert "kifu: 1 game could not be used;" in run["sql"]("SELECT 1", "a.csa", "bad.csa").err
    assert "kifu: 1 row in x.pq\n" in run["sql"]("SELECT 1 AS one", "a.csa", "--parquet", "x.pq").err


def test_none_and_many(kifu: Kifu, tmp_path: Path) -> None:
    (tmp_path / "a.csa").write_text(f"{LEGAL}/\n{ILLEGAL}")
    assert kifu("check", tmp_path / "a.csa").out.endswith("2 games in 1 file: 1 legal, 1 illegal; 1 error, no warnings\n")
