"""The file of tables: what is written comes back, and nothing stale or damaged is ever used."""
from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import kifu.grammar as grammar
from kifu.grammar import tables as files
from kifu.grammar.compile import build_tables, main
from kifu.grammar.machine import Machine

TINY = 'start: (WORD | BAD)*\nWORD: /[a-z]+/\nSP: " "\n%ignore SP\nBAD.-9: /[^ ]+/\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of grammars with one small grammar, in place of the installed ones."""
    (tmp_path / "tiny.lark").write_text(TINY, encoding="utf-8")
    monkeypatch.setattr(grammar, "_folder", lambda: str(tmp_path))
    monkeypatch.setattr(grammar, "_machines", {})
    return tmp_path


def read(notation: str, text: str) -> list[tuple[str, str]]:
    return list(grammar.parse(notation, text))[:-1]


@pytest.mark.parametrize("notation", grammar.notations())
def test_round_trip(lab: Any, notation: str) -> None:
    """What `dumps` writes `loads` reads back."""
    made = lab.tables(notation)
    again = files.loads(files.dumps(made, bytes(16)))
    for name in files.SECTIONS:
        assert getattr(again, name) == getattr(made, name), name


def test_made_and_kept(folder: Path) -> None:
    """Missing tables are made and stored beside the grammar."""
    assert read("tiny", "ab 1") == [("WORD", "ab"), ("BAD", "1")]
    assert files.loads((folder / "_tables/tiny.tables").read_bytes(), files.key(TINY))
    assert [path.name for path in (folder / "_tables").iterdir()] == ["tiny.tables"]


def test_stale_tables_are_made_again(folder: Path) -> None:
    """An edited grammar is read as it stands now."""
    read("tiny", "ab")
    (folder / "tiny.lark").write_text(TINY.replace("a-z", "a-z0-9"), encoding="utf-8")
    grammar._machines.clear()
    assert read("tiny", "ab 1") == [("WORD", "ab"), ("WORD", "1")]


@pytest.mark.parametrize("damage", [b"", b"kifuLALR", b"garbage" * 40])
def test_damaged_tables_are_made_again(folder: Path, damage: bytes) -> None:
    """A file that is cut off or something else is replaced."""
    read("tiny", "ab")
    path = folder / "_tables/tiny.tables"
    path.write_bytes(damage or path.read_bytes()[:-20])
    grammar._machines.clear()
    assert read("tiny", "ab 1") == [("WORD", "ab"), ("BAD", "1")]


def test_every_cut_is_noticed(lab: Any) -> None:
    """No part of a file passes for the whole."""
    data = files.dumps(lab.tables("usi"), bytes(16))
    for length in [*range(200), *range(200, len(data), 997), len(data) - 1]:
        with pytest.raises(files.StaleTables):
            files.loads(data[:length])


def test_a_folder_that_cannot_be_written(folder: Path) -> None:
    """The tables then live in memory."""
    (folder / "_tables").write_text("in the way", encoding="utf-8")
    assert read("tiny", "ab 1") == [("WORD", "ab"), ("BAD", "1")]


def test_build(folder: Path, tmp_path: Path) -> None:
    """The build writes the tables of every grammar into the folder that it names."""
    target = tmp_path / "elsewhere" / "_tables"
    target.parent.mkdir()
    assert list(build_tables(target, source=folder)) == ["tiny"]
    assert Machine(files.loads((target / "tiny.tables").read_bytes(), files.key(TINY))).parse("ab").count == 2


def test_command(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """``python -m kifu.grammar.compile`` says how big the automata are, or what is wrong with a grammar."""
    assert main([]) == 0
    assert capsys.readouterr().out.startswith("tiny: ")
    (folder / "tiny.lark").write_text("start: X\nX: /\\d/\n", encoding="utf-8")
    assert main(["tiny"]) == 1
    assert "tiny.lark: terminal X" in capsys.readouterr().err


def test_unknown_notation() -> None:
    """The message names those there are."""
    with pytest.raises(LookupError, match="csa"):
        grammar.load("chess")


def test_a_normal_run_imports_no_compiler(root: Path) -> None:
    """Reading needs neither Lark nor interegular, nor numpy."""
    grammar.load("csa")  # so that the tables are there
    script = ("import sys, kifu.grammar; kifu.grammar.parse('csa', '+7776FU'); "
              "print([m for m in ('lark', 'interegular', 'numpy', 'importlib.resources') if m in sys.modules])")
    done = subprocess.run([sys.executable, "-c", script], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_tables_depend_on_the_grammar_alone(root: Path) -> None:
    """Two builds give the same bytes, whatever the order of Python's sets."""
    script = ("import hashlib; from kifu.grammar import grammar_text; from kifu.grammar.compile import compile_grammar; "
              "from kifu.grammar.tables import dumps; "
              "print(hashlib.sha256(dumps(compile_grammar(grammar_text('csa'), False), bytes(16))).hexdigest())")
    seen = set()
    for seed in "12":
        done = subprocess.run([sys.executable, "-c", script], cwd=root, capture_output=True, text=True, check=True,
                              env={"PYTHONHASHSEED": seed, "PATH": ""})
        seen.add(done.stdout)
    assert len(seen) == 1
