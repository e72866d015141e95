"""Which files a command line means, and what is said of paths that mean none."""
from __future__ import annotations

import os
from pathlib import Path

import pytest

from kifu.pipeline import Problem, find, measure
from kifu.pipeline.sources import SUFFIXES


def paths(*given: Path | str) -> tuple[list[str], list[Problem]]:
    """The paths found, and the problems."""
    problems: list[Problem] = []
    return [source.path for source in find(map(str, given), problems)], problems


def make(folder: Path, *names: str) -> None:
    """Empty files of the given names."""
    for name in names:
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"")


def test_folders_are_searched_by_suffix_in_order_of_names(tmp_path: Path) -> None:
    make(tmp_path, "b.KIF", "a/z.csa", "a/y.png", "c.usi", "README.md", "a.sfen", "a/b/c.ki2u")
    found, problems = paths(tmp_path)
    assert [os.path.relpath(path, tmp_path) for path in found] == [
        os.path.join("a", "b", "c.ki2u"), os.path.join("a", "z.csa"), "a.sfen", "b.KIF", "c.usi"]
    assert problems == []


def test_suffixes_are_those_of_the_contract() -> None:
    assert " ".join(sorted(SUFFIXES)) == (
        ".bod .csa .gam .hcpe .jkf .json .ki2 .ki2u .kif .kifu .pgn .psn .psn2 .psv .sfen .tbk .txt .usen .usi")


def test_order_of_the_command_line_is_kept(tmp_path: Path) -> None:
    make(tmp_path, "b.kif", "a.kif", "notes.md")
    assert paths(tmp_path / "notes.md", tmp_path / "b.kif", "-", tmp_path / "a.kif")[0] == [
        str(tmp_path / "notes.md"), str(tmp_path / "b.kif"), "-", str(tmp_path / "a.kif")]


@pytest.mark.parametrize(("name", "said"), [
    ("nowhere", "there is no such file or folder"), ("a.kif/b", "part of the path is a file"),
    ("empty", "there are no game files in this folder"), ("games.zip", "there are no game files in this archive"),
])
def test_problems(tmp_path: Path, name: str, said: str) -> None:
    """Each says what is the matter; the other paths are found all the same."""
    make(tmp_path, "a.kif", "empty/readme.md", "games.zip")
    (tmp_path / "games.zip").write_bytes(b"PK\5\6" + bytes(18))
    found, problems = paths(tmp_path / name, tmp_path / "a.kif")
    assert found == [str(tmp_path / "a.kif")]
    assert [(one.path, one.named) for one in problems] == [(str(tmp_path / name), True)]
    assert said in problems[0].message


def test_links_in_a_circle_end(tmp_path: Path) -> None:
    make(tmp_path, "a/b.kif")
    (tmp_path / "a" / "up").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "a" / "gone.kif").symlink_to(tmp_path / "nowhere")
    found, problems = paths(tmp_path)
    assert [Path(path).name for path in found] == ["b.kif"]
    assert [(Path(one.path).name, one.named) for one in problems] == [("gone.kif", False)]


def test_pipes_in_a_folder_are_left_alone(tmp_path: Path) -> None:
    """To open one would be to wait for whoever writes to it."""
    make(tmp_path, "a.kif")
    os.mkfifo(tmp_path / "b.kif")
    found, problems = paths(tmp_path)
    assert ([Path(path).name for path in found], problems) == (["a.kif"], [])


def test_measure_counts_before_the_work(tmp_path: Path) -> None:
    make(tmp_path, "a.kif", "b.csa")
    (tmp_path / "b.csa").write_bytes(b"12345")
    assert measure([str(tmp_path), "nowhere"]) == (2, 5)
