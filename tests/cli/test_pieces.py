"""`--pieces` and `--lang` of `kifu show` and `kifu convert`, and boards as pictures."""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

Kifu = Callable[..., Any]


def test_show_with_animals_in_czech(kifu: Kifu, samples: Path) -> None:
    ran = kifu("show", samples / "mate.csa", "--at", "5", "--pieces", "animals", "--lang", "cs")
    assert ran.status == 0
    lines = ran.out.splitlines()
    assert "|  🐥  🐥   .  🐥  🐥  🐥  🐥  🐥  🐥|g" in lines
    assert "Bílý má v ruce: nic" in lines
    assert "po tahu 5 z 24: Kuře-7f" in lines


def test_the_usual_board_is_that_of_kanji(kifu: Kifu, samples: Path) -> None:
    usual = kifu("show", samples / "mate.csa")
    assert usual.out == kifu("show", samples / "mate.csa", "--pieces", "kanji", "--lang", "ja").out.replace(
        "金*58", usual.out.partition("手数＝24  ")[2].split()[0])


def test_a_picture(kifu: Kifu, samples: Path, tmp_path: Path) -> None:
    """It is written to a file, never over another one unless that is wanted, or to standard output."""
    file = tmp_path / "board.svg"
    ran = kifu("show", samples / "mate.csa", "--pieces", "animals", "--svg", file)
    assert (ran.status, ran.out) == (0, "")
    assert str(file) in ran.err
    first = file.read_text(encoding="utf-8")
    assert "Sente" in "".join(ElementTree.fromstring(first).itertext())
    again = kifu("show", samples / "mate.csa", "--svg", file)
    assert again.status == 2 and "--force" in again.err
    assert file.read_text(encoding="utf-8") == first
    forced = kifu("show", samples / "mate.csa", "--svg", file, "--force")
    assert forced.status == 0 and file.read_text(encoding="utf-8") != first
    piped = kifu("show", samples / "mate.csa", "--svg", "-")
    assert piped.out == file.read_text(encoding="utf-8")


@pytest.mark.parametrize(("arguments", "move"), [
    (("--pieces", "animals"), "Elephantx3c+"), (("--pieces", "animals", "--lang", "cs"), "Slonx3c+"),
    (("--pieces", "letters"), "Bx3c+"), (("--pieces", "kanji"), "角x33+")])
def test_convert(kifu: Kifu, samples: Path, tmp_path: Path, arguments: tuple[str, ...], move: str) -> None:
    """What is written is read again as the same game."""
    ran = kifu("convert", samples / "mate.csa", "--to", "western", *arguments)
    assert ran.status == 0 and move in ran.out.split()
    (tmp_path / "a.txt").write_text(ran.out, encoding="utf-8")
    back, wanted = (kifu("convert", path, "--to", "usi") for path in (tmp_path / "a.txt", samples / "mate.csa"))
    assert back.out == wanted.out != ""


@pytest.mark.parametrize(("command", "said"), [
    (("convert", "--to", "csa", "--pieces", "animals"), "for --to western"),
    (("convert", "--to", "western", "--pieces", "kanji2"), "kanji2"),
    (("convert", "--to", "western", "--pieces", "animals", "--lang", "ja"), "en and cs only"),
    (("convert", "--to", "western", "--pieces", "animals", "--style", "numeric"), "--style"),
    (("convert", "--to", "western", "--lang", "cs"), "--pieces"),
    (("show", "--pieces", "birds"), "birds"), (("show", "--svg", "a.svg", "--text"), "--text"),
    (("show", "--svg", "/nowhere/a.svg"), "/nowhere")])
def test_what_does_not_fit_is_bad_usage(kifu: Kifu, samples: Path, tmp_path: Path, command: tuple[str, ...],
                                        said: str) -> None:
    name, *arguments = command
    ran = kifu(name, samples / "mate.csa", *arguments, cwd=tmp_path)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err


def test_animals_stay_animals_in_the_normal_form(kifu: Kifu, samples: Path, tmp_path: Path) -> None:
    """`kifu check --fix` does not turn them into letters; where two languages are mixed it leaves the file alone."""
    text = (samples / "animals.txt").read_text(encoding="utf-8")
    assert "is normal already" in kifu("check", samples / "animals.txt", "--fix").err
    (tmp_path / "mixed.txt").write_text(text.replace("Kuře-8d", "Chick-8d"), encoding="utf-8")
    ran = kifu("check", tmp_path / "mixed.txt", "--fix")
    assert ran.out == "" and "not fixed" in ran.err
