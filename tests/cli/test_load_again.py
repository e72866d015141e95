"""`kifu load` of files that were loaded before, or cannot be, and of nothing at all: what the database holds afterwards."""
from __future__ import annotations

import errno
import os
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from kifu.cli import run
from kifu.store.database import Database

sys.path.insert(0, str(Path(__file__).parent))
from games import LEGAL


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with one game."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csa").write_text(LEGAL)
    return tmp_path


def load(*arguments: str) -> int:
    return run(["load", *arguments, "--db", "games.duckdb", "--jobs", "1"])


def ask(sql: str) -> list[tuple[Any, ...]]:
    with Database.open("games.duckdb") as database:
        return database.rows(sql)


def break_disk(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """From now on files of this name cannot be opened. Root may read everything, so permissions would not do."""
    really = os.open

    def opened(path: Any, *arguments: Any, **more: Any) -> int:
        if os.path.basename(os.fspath(path)) == name:
            raise OSError(errno.EIO, "Input/output error", path)
        return really(path, *arguments, **more)

    monkeypatch.setattr(os, "open", opened)


def test_a_file_that_cannot_be_read_keeps_its_games(
        folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A disk that fails or a share that is gone says nothing about what the file holds."""
    (folder / "b.csa").write_text(LEGAL.replace("Kana", "Riku"))
    assert load("a.csa", "b.csa") == 0
    before = ask("SELECT source_id, path, sha256, games_ok FROM sources ORDER BY 1"), ask("SELECT game_id, black FROM games")
    assert before[0][0][2] == sha256(LEGAL.encode()).digest()
    capsys.readouterr()
    with monkeypatch.context() as broken:
        break_disk(broken, "a.csa")
        for _ in range(2):
            assert load("a.csa", "b.csa") == 1
            told = capsys.readouterr()
            assert told.out == "games.duckdb: 0 games from 0 files, 1 file unchanged, 1 file unreadable and kept as before\n"
            assert f"{folder / 'a.csa'}: the file cannot be read: Input/output error; what it brought before stays" in told.err
    after = ask("SELECT source_id, path, sha256, games_ok FROM sources ORDER BY 1"), ask("SELECT game_id, black FROM games")
    assert after == before
    assert ask("FROM rejects") == []
    assert load("a.csa", "b.csa") == 0
    assert capsys.readouterr().out.endswith("2 files unchanged\n")


def test_a_file_that_could_never_be_read_is_a_reject(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One, however often it is tried; when it can be read its games come, also where it is empty."""
    (folder / "b.csa").write_text("")
    with monkeypatch.context() as broken:
        break_disk(broken, "a.csa")
        break_disk(broken, "b.csa")
        for _ in range(2):
            assert load("a.csa", "b.csa") == 1
            assert ask("SELECT code FROM rejects") == [("K901",), ("K901",)]
    assert load("a.csa", "b.csa") == 1
    assert ask("SELECT black FROM games") == [("Kana",)]
    assert ask("SELECT code FROM rejects") == [("K204",)]


@pytest.mark.parametrize("dedupe", ["none", "moves+players"])
@pytest.mark.parametrize("paths", [("a.csa", "./a.csa"), (".", "."), (".", "a.csa")])
def test_a_file_that_is_named_twice_is_read_once(
        folder: Path, paths: tuple[str, str], dedupe: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert load(*paths, "--dedupe", dedupe) == 0
    assert capsys.readouterr().out == "games.duckdb: 1 game from 1 file, 1 file unchanged\n"
    assert ask("SELECT count(*) FROM games") == [(1,)]
    assert ask("SELECT games_ok, games_rejected FROM sources") == [(1, 0)]
    assert ask("FROM copies") == []


def test_sql_over_a_file_that_is_named_twice(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["sql", "SELECT count(*) AS n FROM games", "a.csa", "a.csa", "--json", "--jobs", "1"]) == 0
    assert '"n":1' in capsys.readouterr().out.replace(" ", "")


@pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="names of files are Unicode there")
def test_names_that_are_not_utf_8(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Bytes stand as escapes; names that look like escapes are other names; all are known again."""
    names = (b"games/\xff.csa", b"games/\\xff.csa", b"games/\\\xff\x83.csa", b"games/\\x.csa", "games/棋譜.csa".encode())
    (folder / "games").mkdir()
    for name in names:
        Path(os.fsdecode(name)).write_text(LEGAL)
    assert load("games", "--dedupe", "none") == 0
    assert capsys.readouterr().out == "games.duckdb: 5 games from 5 files\n"
    place = f"{folder}/games/"
    assert {path.removeprefix(place) for (path,) in ask("SELECT path FROM sources")} == {
        r"\xff.csa", r"\\xff.csa", r"\\\xff\x83.csa", r"\x.csa", "棋譜.csa"}
    assert load(os.fsdecode(names[0]), "games", "--dedupe", "none") == 0
    assert capsys.readouterr().out == "games.duckdb: 0 games from 0 files, 6 files unchanged\n"


@pytest.mark.parametrize("path", ["*.kif", "empty", "nothing.txt"])
def test_a_load_of_nothing_makes_no_database(folder: Path, path: str, capsys: pytest.CaptureFixture[str]) -> None:
    """One that was there stays, and so does one with nothing but a reject."""
    (folder / "empty").mkdir()
    (folder / "empty" / "notes.txt").write_text("Dear diary\n")  # passed over in a folder
    (folder / "nothing.txt").write_text("")
    rejected = path == "nothing.txt"
    assert load(path) == (1 if rejected else 2)
    assert sorted(os.listdir(folder)) == ["a.csa", "empty", *["games.duckdb"][:rejected], "nothing.txt"]
    assert ("games.duckdb was not made" in capsys.readouterr().err) is not rejected
    assert load("a.csa") == 0
    assert load(path) == (0 if rejected else 2)
    assert ask("SELECT black FROM games") == [("Kana",)]
