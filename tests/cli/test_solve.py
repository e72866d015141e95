"""``kifu solve`` as a user runs it."""
from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


Kifu = Callable[..., Any]
ONE = "7nk/9/7P1/9/9/9/9/9/9 b G2r2b3g4s3n4l17p 1"
NONE = "9/6kBP/9/6N2/9/9/9/9/9 b L2rb4g4s3n3l17p 1"
LONG = "7pk/7p1/7p1/7p1/7p1/7p1/7p1/7p1/7p1 b 2R4L2b4g4s4n9p 1"


def test_the_samples_are_sound_and_so_are_their_solutions(kifu: Kifu, samples: Path) -> None:
    done = kifu("solve", samples / "problems.usi", samples / "tsume.kif", "--format", "json")
    rows = [json.loads(line) for line in done.out.splitlines()]
    assert done.status == 0
    assert [row["game"] for row in rows] == [1, 2, 3, 4, 5, 6, 1]
    assert [row["plies"] for row in rows] == [1, 3, 3, 3, 3, 5, 3]
    assert [row["engine_plies"] for row in rows] == [3, 3, 3, 3, 3, 5, 3]
    assert all(row["sound"] and row["solution"]["verdict"] == "correct" for row in rows)


def test_text(kifu: Kifu, samples: Path) -> None:
    done = kifu("solve", samples / "problems.usi", "--notation", "western")
    assert done.status == 0
    assert "B*3c K-2a S-2b+" in done.out
    assert done.out.endswith("6 problems: 6 sound\n")


@pytest.mark.parametrize("before", ["", "sfen ", "position sfen "])
def test_an_sfen_as_the_argument(kifu: Kifu, before: str) -> None:
    done = kifu("solve", before + ONE, "--notation", "usi")
    assert (done.status, done.out.splitlines()[1].strip()) == (0, "G*2b")
    assert kifu("solve", *(before + ONE).split(), "--notation", "usi").out == done.out


def test_no_mate_and_not_found_are_not_confused(kifu: Kifu) -> None:
    none = kifu("solve", NONE)
    assert none.status == 1
    assert none.out.startswith("no mate: proven")
    for limit, word in ((("--depth", "3"), "depth"), (("--time", "0.2"), "time"), (("--nodes", "100"), "nodes")):
        row = json.loads(kifu("solve", LONG, *limit, "--format", "json").out)
        assert (row["verdict"], row["limit"]) == ("not-found", word)
    told = kifu("solve", LONG, "--depth", "3")
    assert told.status == 1
    assert told.out.startswith("no mate found within the depth limit (searched to 3 moves)")


def test_the_defender_drops_men_that_the_record_leaves_out(kifu: Kifu, tmp_path: Path) -> None:
    (tmp_path / "a.usi").write_text("position sfen 8k/6+R2/8p/9/9/9/9/9/9 b B 1 moves B*3c P*2b 3c2b+\n")
    done = kifu("solve", tmp_path / "a.usi", "--format", "json")
    row = json.loads(done.out)
    assert (done.status, row["line"], row["moves"], row["solution"]["verdict"]) == (0, 1, ["B*3c"], "correct")
    assert [found["name"] for found in row["diagnostics"]] == ["hand-filled"]


def test_what_is_no_problem(kifu: Kifu, tmp_path: Path) -> None:
    done = kifu("solve", "9/9/9/9/9/9/9/9/9 b G 1")
    assert done.status == 1
    assert "K705 no-problem: this is no mate problem: White has no king" in done.out
    assert json.loads(kifu("solve", "9/9/9/9/9/9/9/9/9 b G 1", "--format", "json").out)["verdict"] == "no-problem"
    (tmp_path / "a.kif").write_text("nothing\n")
    assert kifu("solve", tmp_path / "a.kif").status == 1
    (tmp_path / "empty.kif").write_text("")
    assert kifu("solve", tmp_path / "empty.kif").status == 1
    missing = kifu("solve", tmp_path / "b.kif")
    assert (missing.status, "no such file" in missing.err.lower()) == (2, True)
    assert kifu("solve", "--depth", "0", ONE).status == 2
    assert kifu("solve").status == 2


def test_hints_stand_below_findings(kifu: Kifu) -> None:
    done = kifu("solve", LONG, "--nodes", "1")
    assert done.status == 1
    lines = done.out.splitlines()
    assert lines[1].startswith("    K704 mate-not-found: no mate was found before the limit of nodes was hit; ")
    assert lines[2] == "         = hint: raise --depth, --time or --nodes"


def test_what_is_tolerated_is_a_flaw_in_strict_mode(kifu: Kifu, tmp_path: Path) -> None:
    """The rook on 3f mates with and without promotion; the record leaves out what the defender holds."""
    problem = "6gkn/9/5l3/5N1G1/9/6R2/9/9/9 b - 1"
    (tmp_path / "a.sfen").write_text(f"{problem}\n")
    for asked in (problem, tmp_path / "a.sfen"):
        for options, status, sound, severity in (((), 0, True, "warning"), (("--strict",), 1, False, "error")):
            done = kifu("solve", asked, *options, "--format", "json")
            row = json.loads(done.out)
            assert (done.status, row["sound"]) == (status, sound)
            assert [(found["name"], found["severity"]) for found in row["diagnostics"]] == [
                ("hand-filled", severity), ("promotion-choice", severity)]


def test_a_collection_through_workers_an_archive_and_standard_input(kifu: Kifu, samples: Path, tmp_path: Path) -> None:
    import zipfile

    lines = (samples / "problems.usi").read_text().splitlines()
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for number, line in enumerate(lines):
            archive.writestr(f"{number}.usi", line + "\n")
    one = kifu("solve", tmp_path / "all.zip", "--jobs", "1")
    assert one.status == 0
    assert one.out.endswith("6 problems: 6 sound\n")
    assert kifu("solve", tmp_path / "all.zip", "--jobs", "2").out == one.out
    assert kifu("solve", "-", stdin=f"{lines[1]}\n".encode()).out.startswith("-:1: mate in 3 moves, sound")


def test_a_wrong_solution(kifu: Kifu, tmp_path: Path, samples: Path) -> None:
    text = (samples / "tsume.kif").read_text(encoding="cp932").replace("   3 ４二金打", "   3 ２二金打")
    (tmp_path / "wrong.kif").write_text(text, encoding="cp932")
    done = kifu("solve", tmp_path / "wrong.kif")
    assert done.status == 1
    assert "K711 solution-wrong: move 3 of the record's solution is wrong" in done.out


def test_hisshi(kifu: Kifu) -> None:
    lost = "7nl/6+P1k/6S1p/8P/9/9/9/9/9 w 2G2r2b2g3s3n3l15p 1"
    done = kifu("solve", "--hisshi", lost, "--notation", "western")
    assert done.status == 0
    assert done.out.splitlines() == ["hisshi: every reply is followed by a mate, the longest of 3 moves",
                                     "    threatmate: G*2b"]
    escape = kifu("solve", "--hisshi", ONE.replace(" b ", " w "))
    assert escape.status == 1
    assert escape.out.startswith("no hisshi: ")
    row = json.loads(kifu("solve", "--hisshi", lost, "--format", "json").out)
    assert (row["verdict"], row["threatmate"], len(row["replies"])) == ("hisshi", True, 481)


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("as_file", [False, True])
def test_an_interruption_in_the_middle_of_a_search(tmp_path: Path, as_file: bool) -> None:
    """Status 130 and one word, soon."""
    (tmp_path / "long.sfen").write_text(f"{LONG}\n")
    what = str(tmp_path / "long.sfen") if as_file else LONG
    with subprocess.Popen([sys.executable, "-m", "kifu", "solve", what, "--time", "600", "--depth", "61"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as running:
        time.sleep(2.5)
        assert running.poll() is None
        os.killpg(running.pid, signal.SIGINT)
        said = running.communicate(timeout=60)[1].decode()
    assert running.returncode == 130, said
    assert "interrupted" in said
    assert "Traceback" not in said
