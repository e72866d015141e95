"""`kifu check --fix`: diffs, copies, files in their place; nothing lost, nothing changed that is no matter of spelling."""
from __future__ import annotations

import os
import stat
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kifu._core import build_kind
from kifu.cli.normal import KEPT, MENDED, normal
from kifu.cli.same import differences
from kifu.diagnostics import REASONS, RULES
from kifu.pipeline import Options, Source, find, games, read_bytes

sys.path.insert(0, str(Path(__file__).parent))
from games import ILLEGAL, KIF, LEGAL
from test_program import but_for_the_notice

Kifu = Callable[..., Any]
#: A game as nobody would write it, in CSA, and in its normal form.
LOOSE = "V2.2\nN+Kana\nPI\n+\n +7776FU\n-3334fu\n%TORYO\n"
NORMAL = "V2.2\nN+Kana\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n"


def test_a_diff(kifu: Kifu, tmp_path: Path) -> None:
    """`patch` understands it; nothing is written."""
    (tmp_path / "a.csa").write_text(LOOSE)
    (tmp_path / "b.csa").write_text(NORMAL)
    ran = kifu("check", ".", "--fix", cwd=tmp_path)
    assert (ran.status, ran.err) == (0, "kifu: 1 file would change, 1 is normal already\n")
    assert ran.out == ("--- ./a.csa\n+++ ./a.csa\n@@ -2,6 +2,6 @@\n N+Kana\n PI\n +\n"
                       "- +7776FU\n--3334fu\n++7776FU\n+-3334FU\n %TORYO\n")
    assert (tmp_path / "a.csa").read_text() == LOOSE
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.csa", "b.csa"]


def test_copies_into_a_folder(kifu: Kifu, tmp_path: Path) -> None:
    """Sub-folders, archives and compressed files; never over what is there."""
    games_folder = tmp_path / "games"
    (games_folder / "sub").mkdir(parents=True)
    (games_folder / "sub" / "a.csa").write_text(LOOSE)
    (games_folder / "b.csa").write_text(NORMAL)
    (games_folder / "bad.csa").write_text(ILLEGAL)
    with zipfile.ZipFile(games_folder / "c.zip", "w") as archive:
        archive.writestr("d.csa", LOOSE)
    import gzip

    (games_folder / "e.csa.gz").write_bytes(gzip.compress(LOOSE.encode()))
    ran = kifu("check", games_folder, "--fix", "--into", tmp_path / "copies")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.splitlines()[-1] == "kifu: 3 files were fixed, 1 is normal already, 1 was not fixed"
    assert {str(path.relative_to(tmp_path / "copies")): path.read_text() for path in (tmp_path / "copies").rglob("*.*")
            if path.is_file()} == {"sub/a.csa": NORMAL, "b.csa": NORMAL, "c.zip/d.csa": NORMAL, "e.csa": NORMAL}
    again = kifu("check", games_folder, "--fix", "--into", tmp_path / "copies")
    assert "exists already; --force overwrites it" in again.err
    assert kifu("check", games_folder, "--fix", "--into", tmp_path / "copies", "--force").err == ran.err
    assert kifu("check", tmp_path / "copies", "--fix").err == "kifu: no files would change, 4 are normal already\n"


def test_in_place(kifu: Kifu, tmp_path: Path) -> None:
    """Permissions stay, links stay links, and what is normal or at fault is not touched."""
    for name, text in (("a", LOOSE), ("b", NORMAL), ("bad", ILLEGAL)):
        (tmp_path / f"{name}.csa").write_text(text)
        (tmp_path / f"{name}.csa").chmod(0o640)
        os.utime(tmp_path / f"{name}.csa", (1_700_000_000, 1_700_000_000))
    (tmp_path / "link.csa").symlink_to("b.csa")
    with zipfile.ZipFile(tmp_path / "c.zip", "w") as archive:
        archive.writestr("d.csa", LOOSE)
    ran = kifu("check", tmp_path, "--fix", "--force")
    assert ran.status == 1
    assert "c.zip/d.csa: only a plain file can be replaced; --into writes a copy; not fixed" in ran.err
    assert "bad.csa:10:1: K411 empty-origin: " in ran.err
    assert ran.err.splitlines()[-1] == "kifu: 1 file was fixed, 2 are normal already, 2 were not fixed"
    assert (tmp_path / "a.csa").read_text() == NORMAL
    assert stat.S_IMODE((tmp_path / "a.csa").stat().st_mode) == 0o640
    assert (tmp_path / "link.csa").is_symlink()
    assert [(tmp_path / f"{name}.csa").stat().st_mtime for name in ("b", "bad")] == [1_700_000_000] * 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.csa", "b.csa", "bad.csa", "c.zip", "link.csa"]


@pytest.mark.parametrize(("encoding", "end"), [("cp932", "\r\n"), ("utf-8-sig", "\r\n"), ("euc_jp", "\n"),
                                               ("utf-16", "\n"), ("iso2022_jp", "\n")])
def test_encoding_and_line_ends_stay(kifu: Kifu, tmp_path: Path, encoding: str, end: str) -> None:
    """A file keeps its encoding, its mark and its line ends; what it says of its encoding is put right."""
    text = "# 道場\n" + KIF.replace("髙", "高").replace("﨑山", "宮崎").replace("手合割：平手", "手合割：平手　　")
    (tmp_path / "a.kif").write_bytes(text.replace("\n", end).encode(encoding))
    assert kifu("check", "a.kif", "--fix", "--force", cwd=tmp_path).status == 0
    fixed = (tmp_path / "a.kif").read_bytes().decode(encoding)
    assert fixed.count("\r") == (fixed.count("\n") if end == "\r\n" else 0)
    lines = fixed.replace("\r", "").splitlines()
    assert lines[0].startswith("#KIF version=2.0 encoding=")
    assert lines[1:5] == ["# 道場", "手合割：平手", "先手：高橋", "後手：宮崎"]
    ran = kifu("check", "a.kif", "--fix", cwd=tmp_path)
    assert (ran.out, ran.err) == ("", "kifu: no files would change, 1 is normal already\n")
    assert kifu("check", "a.kif", cwd=tmp_path).out == "1 game in 1 file: 1 legal; no errors, no warnings\n"


@pytest.mark.parametrize(("name", "text", "told"), [
    ("a.csa", ILLEGAL, "K411 empty-origin"),
    ("a.csa", LEGAL.replace("%TORYO", "hello\n%TORYO"), "K201 unknown-line"),
    ("a.csa", LEGAL.replace("%TORYO", "T5,T6\n%TORYO"), "K"),
    ("a.kif", KIF.replace("   2 ３", "   3 ３"), "K501 number-jump"),
    ("a.kif", KIF + "まで5手で先手の勝ち\n", "K602 result-count"),
    ("a.kif", KIF.replace("   2 ", "# my own remark\n   2 "), "line 6 is no part of a game, and would be lost: # my own remark"),
    ("a.sfen", "start | lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n", "names its position, which would be"),
    ("a.pgn", '[Variant "shogi"]\n\n1. Pc4 *\n', "pgn is read, but not written"),
    ("a.csa", "", "K204 no-game"),
])
def test_what_stays_as_it_is(kifu: Kifu, tmp_path: Path, name: str, text: str, told: str) -> None:
    """Whatever might be lost or is at fault keeps the file from being written; the reason is told, with status 1."""
    (tmp_path / name).write_text(text, encoding="utf-8")
    for arguments in ((), ("--force",), ("--into", "copies")):
        ran = kifu("check", name, "--fix", *arguments, cwd=tmp_path)
        assert (ran.status, ran.out) == (1, ""), arguments
        assert told in ran.err
        assert ran.err.splitlines()[-1] == "kifu: no files {}, 1 was not fixed".format(
            "were fixed" if arguments else "would change")
    assert (tmp_path / name).read_text(encoding="utf-8") == text
    assert sorted(path.name for path in tmp_path.iterdir()) == [name]


def test_what_is_claimed_stays_claimed(kifu: Kifu, tmp_path: Path) -> None:
    """A claim that the moves do not prove is no matter of spelling: the copy makes it too, and is found to."""
    (tmp_path / "a.csa").write_text(LOOSE.replace("%TORYO", "%SENNICHITE"))
    found = kifu("check", "a.csa", "--select", "K6", "--quiet", cwd=tmp_path).out.replace("a.csa:7:", "")
    assert "K612 repetition-unproven" in found
    assert kifu("check", "a.csa", "--fix", "--force", cwd=tmp_path).status == 0
    assert (tmp_path / "a.csa").read_text() == NORMAL.replace("%TORYO", "%SENNICHITE")
    assert kifu("check", "a.csa", "--select", "K6", "--quiet", cwd=tmp_path).out.replace("a.csa:7:", "") == found


def test_the_normal_names_are_those_of_rules() -> None:
    """And of those that lose nothing: whatever a reader ignores or repairs is in neither set."""
    assert (MENDED | KEPT).issubset(RULES.keys() | set(REASONS))
    assert not MENDED & KEPT
    assert not (MENDED | KEPT) & {"unknown-line", "syntax-error", "text-ignored", "undecodable-bytes", "result-count",
                                  "clock-total", "missing-turn", "number-jump", "side-sign"}


def test_copies_below_the_folder_are_no_input(kifu: Kifu, tmp_path: Path) -> None:
    """Wherever its name stands in the order, and when it is there already."""
    for name in ("b.csa", "y.csa"):
        (tmp_path / name).write_text(LOOSE)
    for into in ("a", "z"):
        for force in ((), ("--force",)):
            assert kifu("check", ".", "--fix", "--into", into, "--quiet", *force, cwd=tmp_path).status == 0
        assert sorted(str(path.relative_to(tmp_path / into)) for path in (tmp_path / into).rglob("*")) == (
            ["b.csa", "y.csa"] if into == "a" else ["a", "a/b.csa", "a/y.csa", "b.csa", "y.csa"])


def test_standard_input(kifu: Kifu, tmp_path: Path) -> None:
    """Its difference is shown; there is nowhere to write to."""
    ran = kifu("check", "-", "--fix", stdin=LOOSE.encode(), cwd=tmp_path)
    assert ran.out.splitlines()[:2] == ["--- -", "+++ -"]
    for arguments in (("--force",), ("--into", "copies")):
        ran = kifu("check", "-", "--fix", *arguments, stdin=LOOSE.encode(), cwd=tmp_path)
        assert (ran.status, ran.out, list(tmp_path.iterdir())) == (2, "", [])


def test_a_large_file_is_told_in_a_sentence(kifu: Kifu, tmp_path: Path) -> None:
    (tmp_path / "a.csa").write_text(f"{LOOSE}/\n" * 600)
    assert kifu("check", "a.csa", "--fix", cwd=tmp_path).out == (
        "--- a.csa\n+++ a.csa\n@@ 4,800 lines become 4,799 lines @@\n")


def test_lines_are_those_of_files(kifu: Kifu, tmp_path: Path) -> None:
    """A character that Python takes for the end of a line is none, neither in a note nor in a difference."""
    (tmp_path / "a.kif").write_text(KIF.replace("手合割", "# a\x0cb\tc\x85d\u2028e\n手合割").replace("平手", "平手　", 1),
                                    encoding="utf-8")
    ran = kifu("check", "a.kif", "--fix", cwd=tmp_path)
    assert ran.status == 0
    assert "\n # a\x0cb\tc\x85d\u2028e\n" in ran.out
    assert "No newline" not in ran.out


@pytest.mark.parametrize("arguments", [("--fix",), ("--format", "sarif"), ("--format", "github")])
def test_a_closed_pipe(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """Whoever reads has seen enough: no error, and nothing is said."""
    for number in range(300):
        (tmp_path / f"{number:03}.csa").write_text(LOOSE.replace("Kana", "K" * 2000) if arguments == ("--fix",) else f"{ILLEGAL}/\n" * 40)
    with subprocess.Popen([sys.executable, "-m", "kifu", "check", ".", *arguments], cwd=tmp_path, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as running:
        assert running.stdout is not None and running.stderr is not None
        running.stdout.readline()
        running.stdout.close()
        assert running.wait(60) == 0
        assert but_for_the_notice(running.stderr.read()) == b""


@pytest.mark.parametrize("arguments", [("--into", "x"), ("--force",), ("--fix", "--statistics"), ("--fix", "--format", "json"),
                                       ("--fix", "--resume", "x"), ("--fix", "--moves")])
def test_bad_usage(kifu: Kifu, samples: Path, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    ran = kifu("check", samples, *arguments, cwd=tmp_path)
    assert (ran.status, ran.out, list(tmp_path.iterdir())) == (2, "", [])
    assert "Error: " in ran.err


def test_jobs(kifu: Kifu, samples: Path) -> None:
    one, two = (kifu("check", samples, "--fix", "--jobs", jobs) for jobs in (1, 2))
    assert (one.out, one.err) == (two.out, two.err)


def test_nothing_to_fix(kifu: Kifu, tmp_path: Path) -> None:
    assert kifu("check", tmp_path, "--fix").status == 2
    assert kifu("check", tmp_path / "none", "--fix").status == 2


def test_the_diff_is_a_patch(samples: Path, kifu: Kifu, tmp_path: Path) -> None:
    """Applied to a file in UTF-8 it makes the copy."""
    text = (samples / "dojo-style.kifu").read_bytes().decode("utf-8-sig")
    (tmp_path / "a.kifu").write_text(text, encoding="utf-8")
    shown = kifu("check", "a.kifu", "--fix", cwd=tmp_path).out
    kifu("check", "a.kifu", "--fix", "--into", "copies", cwd=tmp_path)
    try:
        subprocess.run(["patch", "-p0"], input=shown.encode(), cwd=tmp_path, check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("there is no patch here")
    assert (tmp_path / "a.kifu").read_bytes() == (tmp_path / "copies" / "a.kifu").read_bytes()


def holds(source: Source, data: bytes) -> bool:
    """Whether a normal form keeps its promises: the same games, and normal itself. False where there is none."""
    found = normal(source, Options(), data)
    if found is None or found.why:
        return False
    again = normal(source, Options(), found.data)
    assert again is not None
    assert (again.data, again.why) == (found.data, "")
    before, after = (list(games(source, Options(), data=one)) for one in (data, found.data))
    assert len(before) == len(after)
    for old, new in zip(before, after, strict=True):
        assert old.game is not None
        assert new.game is not None
        assert differences(old.game, new.game) == []
    return True


def test_fixing_twice_changes_nothing_in_the_samples(samples: Path) -> None:
    assert sum(holds(source, read_bytes(source)) for source in find([str(samples)], [])) >= 24


def test_fixing_twice_changes_nothing_in_the_corpus(shared: Path) -> None:
    step = 1 if build_kind() == "compiled" else 20
    sources = list(find([str(shared / "corpus")], []))[::step]
    assert sum(holds(source, read_bytes(source)) for source in sources) > 1100 // step * 3 // 4


@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_fixing_damaged_files(data: st.DataObject) -> None:
    """Whatever is done to a text, a normal form that it has is one, and nothing raises."""
    name = data.draw(st.sampled_from(["variations.kif", "milliseconds.csa", "mate.ki2", "mate.txt", "positions.sfen"]))
    text = (Path(__file__).parents[2] / "sample_games" / name).read_text(encoding="utf-8")
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        piece = data.draw(st.sampled_from(["", " ", "\n", "#", "'", "*", "　", "{x}", "abcd", "\r", "T5", "７", "\x00"]))
        text = text[:at] + piece + text[at + data.draw(st.integers(0, 3)):]
    holds(Source(name), text.encode("utf-8"))


def test_differences_can_be_seen(kifu: Kifu) -> None:
    """Each part that is compared can differ."""
    import kifu as library

    def game(text: str) -> Any:
        return library.replay(library.parse(text, "kif")[0])

    base = KIF.replace("   2 ", "*note\n&mark\n   2 ")
    for old, new, part in (("７六歩(77)", "２六歩(27)", "moves"), ("0:05/", "0:06/", "clocks"), ("*note", "*nota", "comments"),
                           ("&mark", "&mork", "bookmarks"), ("髙橋", "高橋", "headers"), ("投了", "中断", "ends"),
                           ("手合割：平手", "手合割：平手\n手数＝3", "")):
        told = differences(game(base), game(base.replace(old, new)))
        assert (part in told) if part else told == [], (old, told)


TOTALS = ("手合割：平手\n手数----指手---------消費時間--\n   1 ７六歩(77)   ( 0:12/00:00:12)\n   2 ３四歩(33)   ( 0:03/00:00:03)\n"
          "   3 投了   ( 0:02/{end})\n\n変化：2手\n   2 ８四歩(83)   ( 0:04/{branch})\n")


@pytest.mark.parametrize("end, branch, status", [
    ("00:00:14", "00:00:04", 0), ("09:09:09", "00:00:04", 1), ("00:00:14", "00:33:33", 1)])
def test_totals_of_clocks_are_not_changed(kifu: Kifu, tmp_path: Path, end: str, branch: str, status: int) -> None:
    """A writer adds them up anew; where that would give others the file stays as it is."""
    (tmp_path / "a.kif").write_text(TOTALS.format(end=end, branch=branch), encoding="utf-8")
    ran = kifu("check", "a.kif", "--fix", cwd=tmp_path)
    assert ran.status == status
    assert ("totals" in ran.err) == bool(status)
