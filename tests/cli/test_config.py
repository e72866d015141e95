"""The configuration: where it is looked for, what it may hold, what wins over it, what is said of a faulty one."""
from __future__ import annotations

import json
import os
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from kifu.cli.patterns import compiled

sys.path.insert(0, str(Path(__file__).parent))
from games import ILLEGAL, KIF, LEGAL

Kifu = Callable[..., Any]
NOT_IN_HAND = "V2.2\nPI\n+\n+0055FU\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """``games/sub`` with a game that is no game."""
    (tmp_path / "games" / "sub").mkdir(parents=True)
    (tmp_path / "games" / "sub" / "a.csa").write_text(ILLEGAL)
    return tmp_path


def test_the_nearest_file_counts(kifu: Kifu, folder: Path) -> None:
    """From the current folder upward; kifu.toml before pyproject.toml, and that only if it has our table."""
    sub = folder / "games" / "sub"
    (folder / "kifu.toml").write_text('ignore = ["K4"]\n')
    assert "K411" not in kifu("check", "a.csa", cwd=sub).out
    (folder / "games" / "pyproject.toml").write_text('[project]\nname = "kifu"\n')
    assert "K411" not in kifu("check", "a.csa", cwd=sub).out
    (folder / "games" / "pyproject.toml").write_text('[tool.kifu]\nformat = "json"\n')
    assert json.loads(kifu("check", "a.csa", cwd=sub).out)["diagnostics"][0]["code"] == "K411"
    (folder / "games" / "kifu.toml").write_text('select = "nifu"\n')
    assert kifu("check", "a.csa", cwd=sub).out == "1 game in 1 file: 1 illegal; no errors, no warnings\n"
    (sub / "pyproject.toml").write_text("this is = no TOML at all =")
    assert kifu("check", "a.csa", cwd=sub).out == "1 game in 1 file: 1 illegal; no errors, no warnings\n"


def test_options_win(kifu: Kifu, folder: Path) -> None:
    """An option of the command line, another file, none at all."""
    (folder / "kifu.toml").write_text('ignore = ["K4"]\nquiet = true\nmode = "strict"\nformat = "github"\n')
    (folder / "other.toml").write_text('format = "json"\n')
    assert kifu("check", "games", "--ignore", "K1", cwd=folder).out.startswith("::error file=games/sub/a.csa,")
    assert kifu("check", "games", cwd=folder).err == ""
    assert json.loads(kifu("check", "games", "--config", "other.toml", cwd=folder).out)["game"] == 1
    assert kifu("check", "games", "--no-config", cwd=folder).out.startswith("games/sub/a.csa:10:1: K411")
    for pair in (("--config", "other.toml", "--no-config"), ("--no-config", "--config", "other.toml")):
        ran = kifu("check", "games", *pair, cwd=folder)
        assert (ran.status, ran.out) == (2, "")
        assert "cannot be used together" in ran.err


def test_how_records_are_read(kifu: Kifu, folder: Path) -> None:
    """The keys for reading hold for all commands; a key of another command is no matter."""
    (folder / "b.kif").write_bytes(KIF.replace("髙", "高").replace("﨑", "崎").encode("euc_jp"))
    (folder / "c.csa").write_text("+7776FU\n")
    (folder / "kifu.toml").write_text('encoding = "euc_jp"\nhandicap = "even"\njobs = 1\nselect = ["K3"]\n')
    ran = kifu("convert", "b.kif", "--to", "csa", "--quiet", cwd=folder)
    assert "N+高橋" in ran.out
    assert kifu("detect", "b.kif", cwd=folder).out.startswith("b.kif: kif, euc_jp")
    (folder / "kifu.toml").write_text('mode = "strict"\n')
    assert kifu("check", "c.csa", cwd=folder).status == 1
    assert kifu("check", "c.csa", "--salvage", cwd=folder).status == 0
    (folder / "kifu.toml").write_text('mode = "default"\nfrom = "csa"\n')
    assert kifu("check", "c.csa", cwd=folder).status == 0


def test_per_file_ignores(kifu: Kifu, folder: Path) -> None:
    """By the path as the folder of the configuration sees it, wherever kifu was started; members of archives too."""
    (folder / "games" / "b.csa").write_text(NOT_IN_HAND)
    with zipfile.ZipFile(folder / "old.zip", "w") as archive:
        archive.writestr("x/c.csa", ILLEGAL)
    (folder / "kifu.toml").write_text('[per-file-ignores]\n"games/sub" = ["K4"]\n"b.*" = ["not-in-hand"]\n"old.zip/x/*" = "K411"\n')
    for path, where in ((".", folder), ("..", folder / "games"), (str(folder), folder)):
        ran = kifu("check", path, cwd=where)
        assert (ran.status, ran.out) == (1, "3 games in 3 files: 3 illegal; no errors, no warnings\n")
    (folder / "kifu.toml").write_text('[per-file-ignores]\n"sub" = ["K401"]\n"games/*.csa" = ["K1"]\n')
    ran = kifu("check", "games", "--statistics", cwd=folder)
    assert [row.split()[3] for row in ran.out.splitlines()[-2:]] == ["K401", "K411"]


@pytest.mark.parametrize(("text", "told"), [
    ("selct = ['K4']", "there is no key 'selct'; did you mean 'select'?"),
    ("colour = 'red'", "there is no key 'colour'; there are select, ignore, per-file-ignores, format, mode, from,"),
    ("select = 4", "select must be a list of codes, beginnings of codes or names of findings, not 4."),
    ("select = ['K4', 4]", "select must be a list of codes"),
    ("ignore = ['nihu']", "ignore: no finding is called 'nihu'; did you mean 'nifu'?"),
    ("jobs = '2'", "jobs must be a whole number, 1 or more, not '2'."),
    ("jobs = true", "jobs must be a whole number, 1 or more, not True."),
    ("jobs = 0", "jobs: 0 is not in the range x>=1."),
    ("quiet = 1", "quiet must be true or false, not 1."),
    ("mode = 'hard'", "mode must be strict, default or salvage, not 'hard'."),
    ("format = 'xml'", "format: 'xml' is not one of 'text', 'json', 'sarif', 'github'."),
    ("encoding = 'klingon'", "encoding: there is no encoding 'klingon'"),
    ("from = 'klingon'", "from: 'klingon' is none of csa, kif,"),
    ("handicap = 'king'", "handicap: 'king' is none of even,"),
    ("per-file-ignores = ['a']", "per-file-ignores must be a table from patterns of paths to lists of codes"),
    ("[per-file-ignores]\n'a' = 3", "per-file-ignores, 'a' must be a list of codes"),
    ("[per-file-ignores]\n'a' = ['nihu']", "per-file-ignores, 'a': no finding is called 'nihu'"),
    ("[select]", "select must be a list of codes"),
    ("select = [", "this is no TOML:"),
    ("select = \udcff", "this is no TOML:"),
    (f"select = {'[' * 5000}", "this is no TOML:"),
])
def test_what_is_wrong(kifu: Kifu, folder: Path, text: str, told: str) -> None:
    """Status 2, with the file, the key, and what is allowed."""
    (folder / "kifu.toml").write_bytes(text.encode("utf-8", "surrogateescape"))
    ran = kifu("check", "games", cwd=folder)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(f"Error: {folder / 'kifu.toml'}: {told}"), ran.err


def test_a_file_that_was_named(kifu: Kifu, folder: Path) -> None:
    """It must be there, and speak of kifu."""
    ran = kifu("check", "games", "--config", "none.toml", cwd=folder)
    assert (ran.status, ran.err) == (2, "Error: none.toml: No such file or directory.\n")
    (folder / "pyproject.toml").write_text("[tool.other]\n")
    ran = kifu("check", "games", "--config", "pyproject.toml", cwd=folder)
    assert (ran.status, ran.err) == (2, "Error: pyproject.toml: there is no table [tool.kifu] in it.\n")
    (folder / "pyproject.toml").write_text("tool.kifu = 3\n")
    ran = kifu("check", "games", cwd=folder)
    assert (ran.status, ran.err) == (2, f"Error: {folder / 'pyproject.toml'}: tool.kifu must be a table, not 3.\n")


def test_nothing_is_imported_where_there_is_none(folder: Path) -> None:
    """A command without a configuration must not load what reads one."""
    code = "import sys; from kifu.cli import run; run(['check', 'a.csa']); print([m for m in ('tomllib', 'kifu.cli.settings') if m in sys.modules])"
    import subprocess

    (folder / "games" / "sub" / "a.csa").write_text(LEGAL)
    done = subprocess.run([sys.executable, "-c", code], cwd=folder / "games" / "sub", capture_output=True, encoding="utf-8",
                          env={**os.environ, "PYTHONUTF8": "1"}, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(("pattern", "yes", "no"), [
    ("*.kif", ["a.kif", "x/a.kif"], ["a.kifu", "a.kif.gz"]),
    ("old", ["old/a.kif", "x/old/b/c.kif", "old"], ["older/a.kif"]),
    ("old/", ["old/a.kif"], ["x/older/a.kif"]),
    ("a/*.kif", ["a/b.kif"], ["a/c/b.kif", "x/a/b.kif"]),
    ("a/**/b.kif", ["a/b.kif", "a/c/b.kif", "a/c/d/b.kif"], ["b.kif", "ab.kif"]),
    ("**/b.kif", ["b.kif", "a/b.kif"], ["ab.kif"]),
    ("a/**", ["a/b", "a/b/c"], ["b/a/c", "ab"]),
    ("[ab]?.kif", ["a1.kif", "x/bz.kif"], ["c1.kif", "a.kif", "a/.kif"]),
    ("[!ab].kif", ["c.kif"], ["a.kif"]),
    ("a[.kif", ["a[.kif"], ["a.kif"]),
    ("(a|b)+.kif", ["(a|b)+.kif"], ["a.kif"]),
    ("将棋/*", ["将棋/一.kif"], ["将/一.kif"]),
])
def test_patterns(pattern: str, yes: list[str], no: list[str]) -> None:
    assert [path for path in yes + no if compiled(pattern).fullmatch(path)] == yes


@pytest.mark.parametrize("pattern", ["[z-a].kif", "[[:bad:]-a]x[z-a]"])
def test_a_pattern_that_is_none(kifu: Kifu, tmp_path: Path, pattern: str) -> None:
    (tmp_path / "kifu.toml").write_text(f'per-file-ignores = {{ "{pattern}" = ["K1"] }}\n')
    ran = kifu("check", ".", cwd=tmp_path)
    assert (ran.status, ran.out) == (2, "")
    assert "per-file-ignores" in ran.err and "internal" not in ran.err


def test_patterns_of_many_folders_take_no_time(kifu: Kifu, tmp_path: Path) -> None:
    from kifu.cli.patterns import compiled

    assert compiled("**/" * 12 + "a.kif").fullmatch("x/" * 40 + "a.kif")
    assert not compiled("**/" * 12 + "a.kif").fullmatch("x/" * 40 + "b.kif")
    assert compiled("./x.kif").fullmatch("x.kif")
