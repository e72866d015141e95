"""`kifu convert`: where it writes, in which encoding, and what it says is lost."""
from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from kifu.cli import options

from kifu import notation

sys.path.insert(0, str(Path(__file__).parent))
from games import ILLEGAL, KIF, LEGAL, USI

Kifu = Callable[..., Any]
COMMENTED = LEGAL.replace("-3334FU\n", "-3334FU\nT12\n'*a comment\n")


def test_to_standard_output(kifu: Kifu, tmp_path: Path) -> None:
    """UTF-8, and nothing else on it."""
    (tmp_path / "a.kif").write_bytes(KIF.encode("cp932"))
    ran = kifu("convert", tmp_path / "a.kif", "--to", "csa")
    assert ran.status == 0
    assert "N+髙橋\n" in ran.out
    assert ran.out.count("+7776FU") == 1


@pytest.mark.parametrize("to", ["csa", "kif", "usi", "sfen", "western"])
def test_every_notation(kifu: Kifu, tmp_path: Path, to: str) -> None:
    """What was written is read again as the same game."""
    (tmp_path / "a.csa").write_text(LEGAL)
    ran = kifu("convert", tmp_path / "a.csa", "--to", to, "--quiet")
    assert (ran.status, ran.err) == (0, "")
    (tmp_path / "b.out").write_text(ran.out, encoding="utf-8")
    back = kifu("convert", tmp_path / "b.out", "--from", to, "--to", "usi", "--quiet")
    assert back.out == kifu("convert", tmp_path / "a.csa", "--to", "usi", "--quiet").out


def test_several_games_are_one_text(kifu: Kifu, tmp_path: Path) -> None:
    (tmp_path / "a.csa").write_text(f"{LEGAL}/\n{LEGAL}")
    (tmp_path / "b.usi").write_text(USI)
    ran = kifu("convert", tmp_path, "--to", "csa", "-o", tmp_path / "out.txt")
    assert ran.status == 0
    assert kifu("detect", tmp_path / "out.txt").out.endswith("3 games\n")


@pytest.mark.parametrize(("name", "to", "encoding"), [
    ("out.kif", "kif", "cp932"), ("out.kifu", "kif", "utf-8"), ("out.csa", "csa", "cp932"), ("out.txt", "western", "utf-8"),
])
def test_encodings_of_files(kifu: Kifu, tmp_path: Path, name: str, to: str, encoding: str) -> None:
    """What other programs expect, and the declaration agrees with the bytes."""
    (tmp_path / "a.kif").write_bytes(KIF.encode("cp932"))
    assert kifu("convert", tmp_path / "a.kif", "--to", to, "-o", tmp_path / name).status == 0
    text = (tmp_path / name).read_bytes().decode(encoding)
    assert "髙橋" in text
    found = kifu("detect", "-v", tmp_path / name).out
    assert f", {encoding}," in found
    assert "K102" not in found


def test_an_encoding_by_name(kifu: Kifu, tmp_path: Path) -> None:
    (tmp_path / "a.kif").write_bytes(KIF.encode("cp932"))
    for encoding in ("utf-8", "gb18030"):
        target = tmp_path / f"{encoding}.kif"
        assert kifu("convert", tmp_path / "a.kif", "--to", "kif", "-o", target, "--to-encoding", encoding).status == 0
        assert "髙橋" in target.read_bytes().decode(encoding)


def test_what_the_encoding_cannot_hold_is_an_error(kifu: Kifu, tmp_path: Path) -> None:
    """It names the characters, and leaves no half of a file."""
    (tmp_path / "a.kif").write_text(KIF.replace("髙橋", "𠮷田"), encoding="utf-8")
    ran = kifu("convert", tmp_path / "a.kif", "--to", "kif", "-o", tmp_path / "b.kif")
    assert ran.status == 1
    assert "cp932 has no 𠮷 (U+20BB7" in ran.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.kif"]


def test_losses_are_listed(kifu: Kifu, tmp_path: Path) -> None:
    """By kind and count; --on-loss chooses what follows."""
    (tmp_path / "a.csa").write_text(COMMENTED)
    warned = kifu("convert", tmp_path / "a.csa", "--to", "usi")
    assert (warned.status, warned.out.strip()) == (0, "position startpos moves 7g7f 3c3d 8h2b+ 3a2b resign")
    assert "kifu: lost: " in warned.err
    assert "1 comment" in warned.err
    failed = kifu("convert", tmp_path / "a.csa", "--to", "usi", "--on-loss", "fail")
    assert (failed.status, failed.out) == (1, "")
    assert "would lose" in failed.err
    ignored = kifu("convert", tmp_path / "a.csa", "--to", "usi", "--on-loss", "ignore")
    assert (ignored.status, ignored.out) == (0, warned.out)
    assert "lost" not in ignored.err


def test_into_a_folder(kifu: Kifu, tmp_path: Path) -> None:
    """One file for each input, sub-folders kept, suffixes given, name clashes told apart."""
    games = tmp_path / "games"
    (games / "sub").mkdir(parents=True)
    (games / "a.csa").write_text(LEGAL)
    (games / "a.kif").write_bytes(KIF.encode("cp932"))
    (games / "sub" / "b.csa").write_text(f"{LEGAL}/\n{LEGAL}")
    (games / "bad.csa").write_text(ILLEGAL)
    ran = kifu("convert", games, "--to", "usi", "--into", tmp_path / "out", "--quiet")
    assert ran.status == 1
    assert "bad.csa" in ran.err
    made = sorted(str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*") if path.is_file())
    assert made == ["a.csa.usi", "a.kif.usi", "sub/b.usi"]
    assert (tmp_path / "out" / "sub" / "b.usi").read_text().count("startpos") == 2
    again = kifu("convert", games / "a.csa", "--to", "usi", "--into", tmp_path / "out")
    assert again.status == 0
    assert (tmp_path / "out" / "a.usi").exists()


def test_nothing_is_overwritten(kifu: Kifu, tmp_path: Path) -> None:
    """Unless --force says so."""
    (tmp_path / "a.csa").write_text(LEGAL)
    (tmp_path / "a.usi").write_text("mine")
    for target in (("-o", tmp_path / "a.usi"), ("--into", tmp_path)):
        ran = kifu("convert", tmp_path / "a.csa", "--to", "usi", *target)
        assert ran.status in (1, 2)
        assert "exists already" in ran.err
        assert (tmp_path / "a.usi").read_text() == "mine"
    assert kifu("convert", tmp_path / "a.csa", "--to", "usi", "-o", tmp_path / "a.usi", "--force").status == 0
    assert (tmp_path / "a.usi").read_text() != "mine"


def test_a_game_that_is_not_legal(kifu: Kifu, tmp_path: Path) -> None:
    """It is not converted; --salvage writes its legal part and says so; others go on."""
    (tmp_path / "a.csa").write_text(f"{ILLEGAL}/\n{LEGAL}")
    ran = kifu("convert", tmp_path / "a.csa", "--to", "usi")
    assert (ran.status, ran.out.count("startpos")) == (1, 1)
    assert "a.csa:10:1: K411 empty-origin" in ran.err
    assert "not converted" in ran.err
    saved = kifu("convert", tmp_path / "a.csa", "--to", "usi", "--salvage")
    assert saved.status == 1
    assert saved.out.splitlines()[0] == "position startpos moves 7g7f 3c3d 8h3c 2b3c 2g2f 3c5e"
    assert "6 legal moves were written" in saved.err


@pytest.mark.parametrize("arguments", [("--to", "klingon"), ("--to", "csa", "-o", "x", "--into", "y"), (),
                                       ("--to", "western", "--style", "nonsense"), ("--to", "csa", "--style", "hodges")])
def test_bad_usage(kifu: Kifu, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    (tmp_path / "a.csa").write_text(LEGAL)
    ran = kifu("convert", tmp_path / "a.csa", *arguments, cwd=tmp_path)
    assert (ran.status, ran.out) == (2, "")
    assert "Traceback" not in ran.err


def test_help_names_every_notation() -> None:
    assert ", ".join(notation.WRITABLE) == options.WRITABLE
    assert ", ".join(notation.NOTATIONS) == options.READABLE
