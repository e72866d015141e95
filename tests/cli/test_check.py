"""`kifu check`: what is printed, in both forms, and the exit status."""
from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from games import ILLEGAL, KIF, LEGAL, USI

Kifu = Callable[..., Any]


def test_a_legal_game(kifu: Kifu, tmp_path: Path) -> None:
    """Nothing but the summary, and status 0."""
    (tmp_path / "a.csa").write_text(LEGAL)
    ran = kifu("check", tmp_path / "a.csa", "--quiet")
    assert (ran.status, ran.out, ran.err) == (0, "1 game in 1 file: 1 legal; no errors, no warnings\n", "")


def test_an_illegal_game(kifu: Kifu, tmp_path: Path) -> None:
    """Place, code, name, sentence; the line and a caret below the place; the summary."""
    (tmp_path / "a.csa").write_text(ILLEGAL)
    ran = kifu("check", tmp_path / "a.csa", "--quiet")
    assert ran.status == 1
    head, quoted, caret, *rest = ran.out.splitlines()
    assert head.startswith(f"{tmp_path}/a.csa:10:1: K411 empty-origin: +2725FU")
    assert quoted == "  10 | +2725FU"
    assert caret.startswith("     | ^^^^^^^")
    assert rest[-1] == "1 game in 1 file: 1 illegal; 1 error, no warnings"


def test_carets_stand_below_full_width_text(kifu: Kifu, tmp_path: Path) -> None:
    """Each full-width character before the place is matched by a full-width blank, each within it by two carets."""
    (tmp_path / "a.kif").write_text(KIF.replace("３四歩(33)", "４四歩(33)"), encoding="utf-8")
    ran = kifu("check", tmp_path / "a.kif", "--quiet")
    quoted, caret = ran.out.splitlines()[1:3]
    assert quoted == "   6 |    2 ４四歩(33)   ( 0:03/00:00:03)"
    start = quoted.index("４")
    assert caret[:start] == "     | " + " " * (start - 7)
    assert caret[start:].startswith("^" * len("４４四四歩歩(33)"))


def test_json(kifu: Kifu, tmp_path: Path) -> None:
    """One object a line, one line a game, with the fields of the contract in their order."""
    (tmp_path / "a.csa").write_text(f"{LEGAL}/\n{ILLEGAL}")
    (tmp_path / "b.kif").write_bytes(KIF.encode("cp932"))
    (tmp_path / "c.usi").write_text("")
    ran = kifu("check", tmp_path, "--format", "json", "--moves", "--quiet")
    rows = [json.loads(line) for line in ran.out.splitlines()]
    assert (ran.status, ran.err) == (1, "")
    assert [(Path(row["path"]).name, row["game"], row["verdict"], row["plies"]) for row in rows] == [
        ("a.csa", 1, "legal", 4), ("a.csa", 2, "illegal", 6), ("b.kif", 1, "legal", 2), ("c.usi", 1, "unreadable", 0)]
    assert list(rows[0]) == (
        "path member game line notation encoding variant handicap start plies variations verdict illegal_move end winner "
        "verified_end verified_winner final moves diagnostics").split()
    assert rows[0]["moves"] == ["7g7f", "3c3d", "8h2b+", "3a2b"]
    assert (rows[0]["end"], rows[0]["winner"], rows[0]["handicap"], rows[0]["variant"]) == (
        "resign", "white", "even", "shogi")
    assert rows[2]["encoding"] == "cp932"
    assert rows[1]["illegal_move"]["reason"] == "empty-origin"
    assert rows[1]["diagnostics"][0]["ply"] == 7
    assert [one["name"] for one in rows[3]["diagnostics"]] == ["no-game"]


def test_select_and_ignore(kifu: Kifu, tmp_path: Path) -> None:
    """By code, by the beginning of a code, by name; a verdict is not talked away."""
    (tmp_path / "a.csa").write_text(ILLEGAL)
    for arguments, told in ((("--select", "K4"), True), (("--select", "empty-origin"), True), (("--select", "K1,K2"), False),
                            (("--ignore", "k411"), False), (("--ignore", "nifu"), True)):
        ran = kifu("check", tmp_path / "a.csa", *arguments)
        assert ("K411" in ran.out, ran.status) == (told, 1), arguments


def test_statistics(kifu: Kifu, tmp_path: Path) -> None:
    """How often, in how many games and files, and where the first one is; the most frequent kind first."""
    (tmp_path / "a.csa").write_text(f"{ILLEGAL}/\n{ILLEGAL}")
    (tmp_path / "b.csa").write_text(f"{ILLEGAL}/\n{LEGAL}")
    (tmp_path / "c.usi").write_text("")
    ran = kifu("check", ".", "--statistics", "--quiet", cwd=tmp_path)
    assert ran.out.splitlines()[-3:] == [
        "count  games  files  code  name          severity  example",
        "    3      3      2  K411  empty-origin  error     ./a.csa:10",
        "    1      1      1  K204  no-game       error     ./c.usi:1"]
    for form in ("json", "sarif", "github"):
        aside = kifu("check", ".", "--statistics", "--quiet", "--format", form, cwd=tmp_path)
        assert aside.err.splitlines() == ran.out.splitlines()[-3:], form


def test_the_summary_of_many_findings(kifu: Kifu, tmp_path: Path) -> None:
    """Thousands are grouped; the most frequent kinds are named, once there are too many to be read."""
    (tmp_path / "a.csa").write_text(f"{ILLEGAL}/\n" * 1200)
    ran = kifu("check", "a.csa", "--quiet", cwd=tmp_path)
    assert ran.out.splitlines()[-4:] == [
        "1,200 games in 1 file: 1,200 illegal; 1,200 errors, no warnings",
        "1 file has errors; all kinds of findings:",
        "count  games  files  code  name          severity  example",
        "1,200  1,200      1  K411  empty-origin  error     a.csa:10"]


def test_standard_input(kifu: Kifu) -> None:
    ran = kifu("check", "-", "--format", "json", stdin=USI.encode())
    assert (ran.status, json.loads(ran.out)["path"]) == (0, "-")


def test_many_files_in_several_processes(kifu: Kifu, tmp_path: Path) -> None:
    """The same output as from one process, in the order of the files."""
    for number in range(150):
        (tmp_path / f"{number:03}.csa").write_text(ILLEGAL if number % 10 == 3 else LEGAL)
    one = kifu("check", tmp_path, "--jobs", "1", "--format", "json")
    two = kifu("check", tmp_path, "--jobs", "2", "--format", "json")
    assert one.out == two.out
    assert (one.status, two.status, one.out.count("\n")) == (1, 1, 150)


def test_a_file_name_in_no_encoding(kifu: Kifu, tmp_path: Path) -> None:
    """Bytes that are no UTF-8 come out as JSON that can be read."""
    name = b"\x8a\xfa\x95\x88.csa"
    with open(bytes(tmp_path) + b"/" + name, "w") as file:
        file.write(LEGAL)
    ran = kifu("check", tmp_path, "--format", "json")
    assert ran.status == 0
    assert json.loads(ran.out)["verdict"] == "legal"
    assert kifu("check", tmp_path).status == 0


@pytest.mark.parametrize("arguments", [["check"], ["check", "--fromat", "x", "a"], ["check", "a", "--from", "klingon"],
                                       ["check", "a", "--encoding", "klingon"], ["check", "a", "--jobs", "0"],
                                       ["check", "a", "--variant", "chess"], ["check", "a", "--handicap", "100-piece"]])
def test_bad_usage(kifu: Kifu, arguments: list[str]) -> None:
    ran = kifu(*arguments)
    assert (ran.status, ran.out) == (2, "")
    assert "Error: " in ran.err
    assert "Traceback" not in ran.err
