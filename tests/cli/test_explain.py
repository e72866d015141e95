"""`kifu explain`: the page of each code, lists, the forms for documents and tools; and what leads there."""
from __future__ import annotations

import json
import os
import pty
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kifu.cli import run
from kifu.diagnostics import KINDS, RULES

sys.path.insert(0, str(Path(__file__).parent))
from games import ILLEGAL, LEGAL

Kifu = Callable[..., Any]
CODES = sorted(rule.code for rule in RULES.values())


@pytest.mark.parametrize("code", CODES)
def test_each_code_is_explained(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    """By code and by name alike, as Markdown where it is piped."""
    name = next(rule.name for rule in RULES.values() if rule.code == code)
    assert run(["explain", code]) == 0
    told = capsys.readouterr()
    assert (told.out.splitlines()[0], told.err) == (f"# {code} {name}", "")
    assert [line for line in told.out.splitlines() if line.startswith("## ")] == [
        "## Why it is a finding", "## Where it comes from", "## What to do", "## A record that triggers it",
        "## A record that does not"]
    assert "\x1b" not in told.out
    assert run(["explain", name.upper()]) == 0
    assert capsys.readouterr().out == told.out


def test_all_codes_are_listed_by_kind(kifu: Kifu) -> None:
    ran = kifu("explain")
    assert (ran.status, ran.err) == (0, "kifu: more about one: kifu explain CODE\n")
    assert re.findall(r"^  (K\d{3}) ", ran.out, re.MULTILINE) == CODES
    heads = re.findall(r"^(K\d): (.+)$", ran.out, re.MULTILINE)
    assert dict(heads).items() <= KINDS.items() and {code[:2] for code in CODES} == set(dict(heads))
    assert "  K404 nifu                     error\n" in ran.out
    assert kifu("explain", "--quiet").err == ""


def test_a_group_is_listed(kifu: Kifu) -> None:
    ran = kifu("explain", "k5")
    assert ran.out.startswith("K5: the shape of a record\n  K501 number-jump              warning\n")
    assert set(re.findall(r"K\d{3}", ran.out)) == {code for code in CODES if code.startswith("K5")}


def test_several_at_once(kifu: Kifu) -> None:
    """Pages come in the order in which they were asked for, each once; the lists of groups behind them."""
    ran = kifu("explain", "uchifuzume", "K404", "nifu", "K90")
    assert re.findall(r"^# (K\d{3})", ran.out, re.MULTILINE) == ["K408", "K404"]
    assert ran.out.index("K9: limits of the machine") > ran.out.index("# K404 nifu")


@pytest.mark.parametrize(("asked", "said"), [
    ("niffu", "did you mean 'nifu'?"), ("K435", "near it are K433, K434, K436."), ("number-jmp", "did you mean 'number-jump'?"),
    ("K999", "near it are K904, K905, K906."), ("xyzzy", "kifu explain lists all."), ("K²1", "kifu explain lists all."),
    ("K88888", "kifu explain lists all."), ("K501\x1b[31m", "kifu explain lists all."), ("歩", "kifu explain lists all."),
])
def test_what_is_no_code(kifu: Kifu, asked: str, said: str) -> None:
    ran = kifu("explain", asked)
    assert (ran.status, ran.out) == (2, "")
    assert f"no finding is called {asked!r}; " in ran.err
    assert said in ran.err
    assert "Traceback" not in ran.err and "\x1b" not in ran.err


def test_json(kifu: Kifu) -> None:
    """One object a line and a code, in the order of codes; only those asked for where some are."""
    rows = [json.loads(line) for line in kifu("explain", "--json").out.splitlines()]
    assert [row["code"] for row in rows] == CODES
    assert rows[CODES.index("K501")]["severity"] == {"default": "warning", "strict": "error", "salvage": "warning"}
    assert rows[CODES.index("K511")]["severity"] == {"default": None, "strict": "error", "salvage": None}
    [row] = [json.loads(line) for line in kifu("explain", "nifu", "--json").out.splitlines()]
    assert (row["code"], row["kind"]) == ("K404", "moves")
    assert "二歩" in row["means"]


def test_one_document(kifu: Kifu) -> None:
    """Every page, below an index that leads to it; of a group where one is asked for."""
    ran = kifu("explain", "--all")
    assert re.findall(r"^## (K\d{3})", ran.out, re.MULTILINE) == CODES
    assert re.findall(r"\]\(#(K\d{3})\)", ran.out) == CODES
    assert re.findall(r"^## (K\d{3})", kifu("explain", "K6", "--all").out, re.MULTILINE) == [
        code for code in CODES if code.startswith("K6")]


def on_a_terminal(*arguments: str, **environ: str) -> str:
    """What a command writes to a terminal."""
    main, other = pty.openpty()
    environ = {**{name: value for name, value in os.environ.items() if name != "NO_COLOR"}, "TERM": "xterm-256color",
               "COLUMNS": "80", **environ}
    with subprocess.Popen([sys.executable, "-m", "kifu", *arguments], stdin=other, stdout=other, stderr=other, env=environ) as running:
        os.close(other)
        said = b""
        while True:
            try:
                block = os.read(main, 65536)
            except OSError:
                break
            if not block:
                break
            said += block
        assert running.wait() == 0
    os.close(main)
    return said.decode()


def test_a_page_is_laid_out_on_a_terminal() -> None:
    """Colours, no signs of Markdown, lines within the width; as its source where colours are not wanted."""
    said = on_a_terminal("explain", "K436")
    plain = re.sub(r"\x1b\[[0-9;]*m", "", said)
    assert said != plain
    assert "K436 decline-written" in plain and "## " not in plain and "```" not in plain
    assert "   3 ２二角不成(88)" in plain
    assert max(len(line) for line in plain.splitlines()) <= 80
    for quiet in (on_a_terminal("explain", "K436", "--no-color"), on_a_terminal("explain", "K436", NO_COLOR="1")):
        assert "\x1b" not in quiet
        assert "## Why it is a finding" in quiet


# --- what leads there -----------------------------------------------------------------------------------------------------
def test_check_says_once_where_more_is_told(kifu: Kifu, tmp_path: Path) -> None:
    """On standard error, behind the summary: the first error, else the first warning."""
    (tmp_path / "a.csa").write_text(LEGAL.replace("PI\n", ""))
    assert kifu("check", tmp_path).err == "kifu: more about K309: kifu explain K309\n"
    (tmp_path / "b.csa").write_text(ILLEGAL)
    (tmp_path / "c.csa").write_text(ILLEGAL)
    ran = kifu("check", tmp_path)
    assert ran.err == "kifu: more about K411: kifu explain K411\n"
    assert "more about" not in ran.out


def test_check_says_nothing_of_it_where_nobody_needs_it(kifu: Kifu, tmp_path: Path) -> None:
    (tmp_path / "a.csa").write_text(ILLEGAL)
    (tmp_path / "b.csa").write_text(LEGAL)
    assert kifu("check", tmp_path / "a.csa", "--quiet").err == ""
    assert kifu("check", tmp_path / "a.csa", "--format", "json").err == ""
    assert kifu("check", tmp_path / "a.csa", "--ignore", "K4").err == ""
    assert kifu("check", tmp_path / "b.csa").err == ""


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_the_documents_are_made(root: Path, tmp_path: Path) -> None:
    """`make docs`: one Markdown file and one HTML file, in which every link of the index leads to a page."""
    subprocess.run(["make", "-o", ".venv/installed", "docs", f"DOCS={tmp_path}", f"KIFU={sys.executable} -m kifu",
                    f"BIN={Path(sys.executable).parent}"], cwd=root, check=True, capture_output=True,
                   env={**os.environ, "PYTHONUTF8": "1"})
    text = (tmp_path / "diagnostics.md").read_text(encoding="utf-8")
    html = (tmp_path / "diagnostics.html").read_text(encoding="utf-8")
    assert text.count("\n## K") == len(CODES)
    assert html.startswith("<!doctype html>") and '<meta charset="utf-8">' in html
    assert re.findall(r'href="#(K\d{3})"', html) == re.findall(r'<a id="(K\d{3})">', html) == CODES
    assert html.count("<h2>") == len(CODES)
    assert "```" not in html
